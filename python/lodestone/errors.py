"""What goes wrong."""


class Error(Exception):
    """Bad input: an unknown key, a dimension that does not fit, a body that is not there.

    str(error) is the whole message. Of a scene it also has

    file    the scene file, or "" of one made in Python
    line    in that file, from 1; 0 of what was made or changed in Python
    column  likewise
    key     the path of the key: "rod.beam.bonds", "rod[2].bonds"
    """

    def __init__(self, message="", file="", line=0, column=0, key=""):
        super().__init__(message)
        self.file = "" if file == "scene" else file
        self.line = line
        self.column = column
        self.key = key


class Diverged(Error):
    """The computation came to no number, or Newton's method to no end.

    run     of Scene.run: the Run, whose folder keeps the last good state; else None. A simulation is again as it was
            before the call.
    """

    run = None


class FileError(Error, OSError):
    """A file or folder can't be read or written, or is damaged."""
