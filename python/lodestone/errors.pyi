from .run import Run

class Error(Exception):
    file: str
    line: int
    column: int
    key: str
    def __init__(self, message: str = "", file: str = "", line: int = 0, column: int = 0, key: str = "") -> None: ...

class Diverged(Error):
    run: Run | None

class FileError(Error, OSError): ...
