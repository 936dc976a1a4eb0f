"""The folders of runs."""
import collections.abc
import csv
import json
import os
import pathlib

import numpy as np

from . import _core, page
from .errors import Error, FileError
from .plot import Plot
from .progress import _notebook

_TEXTS = ("stage", "event")


def _is_whole(value):
    return float(value).is_integer()


class Probes(collections.abc.Mapping):
    """The table of the probes: an array a column, by its name as in probes.csv.

    probes["tip.displacement.y"], or shorter where that leaves one column: probes["tip.y"]; probes["t"] is the time (s).
    Where a probe was not recorded in a row, it is nan there. A table that is still being written has the whole rows.
    """

    def __init__(self, path):
        self.path = pathlib.Path(path)
        try:
            text = self.path.read_text(encoding="utf-8")
        except OSError as error:
            raise FileError(f"{self.path}: the table of the probes can't be read: {error.strerror}") from None
        whole = text[: text.rfind("\n") + 1]  # the last line may be half written
        rows = list(csv.reader(whole.splitlines()))
        if not rows:
            rows = [[]]
        head, body = rows[0], rows[1:]
        if any(len(row) != len(head) for row in body):
            raise FileError(f"{self.path}: damaged: its rows have different lengths")
        self._columns = {}
        for k, name in enumerate(head):
            cells = [row[k] for row in body]
            if name in _TEXTS:
                self._columns[name] = np.array(cells, dtype=object)
            else:
                self._columns[name] = np.array([float(c) if c else np.nan for c in cells])

    def find(self, name):
        """The whole name of a column."""
        if name in self._columns:
            return name
        if name == "t":
            return "time"
        parts = name.split(".")
        fits = [c for c in self._columns if c.split(".")[0] == parts[0] and c.split(".")[-len(parts[1:]) :] == parts[1:]]
        if len(parts) > 1 and len(fits) == 1:
            return fits[0]
        known = ", ".join(fits or self._columns)
        raise Error(f'there is {"more than one" if fits else "no"} column "{name}" in {self.path}; there are {known}')

    def __getitem__(self, name):
        return self._columns[self.find(name)]

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(self._columns)

    def to_pandas(self):
        """A pandas.DataFrame, where pandas is there."""
        try:
            import pandas
        except ImportError:
            raise Error("pandas is not installed (Debian: python3-pandas); the columns are arrays of numpy") from None
        return pandas.DataFrame(self._columns)

    def __repr__(self):
        rows = len(next(iter(self._columns.values()), []))
        return f"<Probes: {rows} rows of {', '.join(self._columns)}>"


class StoredFrame:
    """A frame of a run, as its HDF5 file has it.

    step, time (s), stage, x (nodes, 3) m, q (nodes, 4) w x y z, v (nodes, 3) m/s, w (nodes, 3) rad/s
    energy      elastic energies of all bonds by mode, J: stretch, shear, bend, twist
    nodes(name) other arrays of the nodes: "force" (N), "torque" (N m), "moment" (A m^2), "mass" (kg), "body", ...
    bonds(name) of the bonds: "nodes", "strain_bend" (rad), "energy_twist" (J), ...
    bodies      the nodes of each body, by its name
    """

    def __init__(self, path):
        values = _core.read_frame(os.fspath(path))
        self.path = pathlib.Path(path)
        self.step, self.time, self.stage = values.pop("step"), values.pop("time"), values.pop("stage")
        names = values.pop("bodies").split("\n")
        self._values = values
        self.x, self.q = self.nodes("position"), self.nodes("orientation")
        self.v, self.w = self.nodes("velocity"), self.nodes("spin")
        self.bodies = {name: np.flatnonzero(self.nodes("body") == k) for k, name in enumerate(names)}

    def _get(self, group, name):
        key = f"{group}/{name}"
        if key in self._values:
            return self._values[key]
        known = ", ".join(k.split("/")[1] for k in self._values if k.startswith(group + "/"))
        raise Error(f'{self.path}: there is no "{name}" of {group}s; there are {known}')

    def nodes(self, name):
        """An array of the nodes."""
        return self._get("node", name)

    def bonds(self, name):
        """An array of the bonds."""
        return self._get("bond", name)

    @property
    def energy(self):
        """Elastic energies of all bonds by mode, J: stretch, shear, bend, twist."""
        modes = ("stretch", "shear", "bend", "twist")
        return {mode: float(np.sum(self._values.get(f"bond/energy_{mode}", 0.0))) for mode in modes}

    def __repr__(self):
        return f"<frame of step {self.step}, t = {self.time:.6g} s, {len(self.x)} nodes>"


class Frames(collections.abc.Sequence):
    """The frames of a run: frames[0], frames[-1], frames[2:5], len(frames). Each is read when it is asked for."""

    def __init__(self, folder):
        self._folder = pathlib.Path(folder) / "frames"
        self._paths = sorted(self._folder.glob("*.h5"))

    def __len__(self):
        return len(self._paths)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [StoredFrame(path) for path in self._paths[index]]
        if not self._paths:
            raise IndexError(f"{self._folder} has no HDF5 frames: does the scene say `hdf5 = false`?")
        return StoredFrame(self._paths[index])


class Run:
    """The folder of a run that is finished, runs still, or was killed: made by lodestone.open and Scene.run.

    What it tells is what the folder holds at that moment: of a run that goes on, ask again.
    """

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        if not self.folder.is_dir():
            raise FileError(f"{self.folder}: no such folder; give the `out` of a run")
        if not _core.is_run_folder(os.fspath(self.folder)):
            raise Error(f"{self.folder}: not the folder of a run: it has no log.jsonl")

    @property
    def status(self):
        """"running", "killed" (neither running nor ended: Scene.run(resume=True) goes on), or how it ended: "done",
        "lost stability", "interrupted", "out of time", "diverged"."""
        if _core.holder_of(os.fspath(self.folder)):
            return "running"
        ends = ("done", "lost stability", "interrupted", "out of time", "diverged")
        last = [e["event"] for e in self.events if e["event"] in ends + ("started", "resumed")]
        return last[-1] if last and last[-1] in ends else "killed"

    @property
    def summary(self):
        """What summary.json says, as a dictionary: energies, steps, warnings, machine. Empty before the run ends."""
        path = self.folder / "summary.json"
        if not path.exists():
            return {}
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise FileError(f"{path}: damaged: {error}") from None

    @property
    def probes(self):
        """The table of the probes; of a run that was resumed with others, the last one."""
        return Probes(self.folder / _core.last_probes_file(os.fspath(self.folder)))

    @property
    def frames(self):
        """The frames that are written."""
        return Frames(self.folder)

    @property
    def events(self):
        """The lines of log.jsonl, as dictionaries: how it started and ended, stages, events, folds, warnings."""
        lines = (self.folder / "log.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
        return [json.loads(line) for line in lines if line.strip()]

    @property
    def picture(self):
        """The path of its picture (SVG); None where there is none (yet)."""
        path = self.folder / "picture.svg"
        return path if path.exists() else None

    def plot(self, y, x="t", title=""):
        """A Plot of columns of the probes, over the time or over another: run.plot("tip.y"), run.plot(["tip.y",
        "tip.z"], "B0"). A notebook shows it; plot.save("tip.svg") writes it."""
        probes = self.probes
        names = [y] if isinstance(y, str) else list(y)
        plot = Plot(title=title, x=probes.find(x), y=probes.find(names[0]) if len(names) == 1 else "")
        for name in names:
            keep = np.isfinite(probes[x]) & np.isfinite(probes[name])
            plot.line(probes[x][keep], probes[name][keep], probes.find(name) if len(names) > 1 else "")
        return plot

    def view(self, width="100%", height=600):
        """Its page, as `lodestone view` shows it: below the cell of a notebook, `height` pixels high, else in the
        browser. Of a run that goes on it shows new frames as they come. It is served to this machine alone, as long as
        this Python runs or the page is open."""
        address = page.address_of(self.folder)
        show = _notebook()
        if show:
            show({"text/html": page.frame(address, width, height), "text/plain": address}, raw=True)
            return
        print(address)
        if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
            import webbrowser

            webbrowser.open(address)

    def _repr_svg_(self):
        if not self.picture:
            return None
        text = self.picture.read_text(encoding="utf-8")
        return text[text.index("<svg") :]  # a text that declares how its bytes are coded is refused by those who parse it

    def __repr__(self):
        return f"<Run in {self.folder}: {self.status}>"


def open(folder):
    """The Run in a folder, whether it is finished, runs still, or was killed."""
    return Run(folder)
