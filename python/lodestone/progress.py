"""How far a run is, in a terminal or in a notebook."""
import sys
import warnings


def _duration(seconds):
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def _line(p):
    return f"{100 * p['done']:5.1f} %  {_duration(p['seconds_left'])} left  t = {p['time']:.4g} s  {p['stage']}"


class SceneWarning(UserWarning):
    """Something about a scene or a run that is most likely not meant."""


class Quiet:
    """Shows nothing but warnings, as Python shows them."""

    show = None

    def tell(self, kind, text):
        if kind == "warning":
            warnings.warn(text, SceneWarning, stacklevel=4)

    def warn(self, texts):
        for text in texts:
            warnings.warn(text, SceneWarning, stacklevel=3)

    def close(self):
        pass


class Terminal(Quiet):
    """One line on the standard error."""

    shown = 0

    def show(self, progress):
        text = _line(progress)
        sys.stderr.write("\r" + text.ljust(self.shown))
        sys.stderr.flush()
        self.shown = len(text)

    def close(self):
        if self.shown:
            sys.stderr.write("\n")
            sys.stderr.flush()
            self.shown = 0


class Notebook(Quiet):
    """One line below the cell."""

    def __init__(self, show):
        self.handle = show({"text/plain": ""}, raw=True, display_id=True)

    def show(self, progress):
        self.handle.update({"text/plain": _line(progress)}, raw=True)


def _notebook():
    """IPython's function that shows things, where there is a notebook to show them in."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display as show

    return show


def display(wanted):
    """wanted: True, False, or None: where somebody looks."""
    if wanted is False:
        return Quiet()
    show = _notebook()
    if show:
        return Notebook(show)
    return Terminal() if wanted or sys.stderr.isatty() else Quiet()
