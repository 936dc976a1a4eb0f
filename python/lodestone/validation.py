"""The claims that this simulator is held against."""
import os
import pathlib

from . import _core
from .errors import Error


def validation_cases():
    """The names of all cases."""
    return _core.validation_cases()


def _folder():
    """Where the references are: beside the sources, or where an installed program has them."""
    here = pathlib.Path(__file__).resolve()
    for parent in here.parents:
        for place in (parent / "validation", parent / "share" / "lodestone" / "validation"):
            if (place / "cantilever_static" / "page.md").exists():
                return place
    raise Error("the references of the validation are neither beside this package nor in share/lodestone: give "
                "`references`, the folder validation/ of the sources")


def validate(cases=None, out="out/validation", *, fast=False, threads=1, references=None):
    """Runs validation cases (a name, a list of names; None: all, which takes long) into a folder. Returns a list of
    dictionaries: name, passed, seconds, and rows with quantity, error, limit, unit and pass."""
    known = validation_cases()
    names = known if cases is None else [cases] if isinstance(cases, str) else list(cases)
    for name in names:
        if name not in known:
            raise Error(f"no validation case `{name}`; there are {', '.join(known)}")
    folder = os.fspath(references or _folder())
    return [_core.validate(name, folder, os.fspath(out), fast, threads) for name in names]
