import os
from collections.abc import Sequence
from typing import Any

def validation_cases() -> list[str]: ...
def validate(
    cases: str | Sequence[str] | None = None,
    out: str | os.PathLike[str] = "out/validation",
    *,
    fast: bool = False,
    threads: int = 1,
    references: str | os.PathLike[str] | None = None,
) -> list[dict[str, Any]]: ...
