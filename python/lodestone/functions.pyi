from collections.abc import Callable
from typing import Any
from numpy.typing import ArrayLike, NDArray

class FieldFunction:
    def __init__(
        self,
        function: Callable[[NDArray[Any], float], ArrayLike],
        gradient: str | Callable[[NDArray[Any], float], ArrayLike] = "differences",
        step: float | None = None,
    ) -> None: ...
    def value(self, x: NDArray[Any], t: float) -> NDArray[Any]: ...
    def slope(self, x: NDArray[Any], t: float, step: float) -> NDArray[Any]: ...
    def sample(
        self, t: float, length: float, x: NDArray[Any], order: int
    ) -> tuple[NDArray[Any], NDArray[Any] | None, NDArray[Any] | None]: ...
