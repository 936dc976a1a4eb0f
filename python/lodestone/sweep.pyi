import os
from collections.abc import Mapping, Sequence
from typing import Any

from .run import Run
from .scene import Scene

def sweep(
    scene: Scene,
    over: Mapping[str, Sequence[Any]] | Sequence[str],
    out: str | os.PathLike[str],
    *,
    processes: int | None = None,
    threads: int = 1,
    resume: bool = False,
    force: bool = False,
) -> list[tuple[dict[str, str], Run]]: ...
