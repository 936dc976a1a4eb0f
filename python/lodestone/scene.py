"""Scenes: what to simulate, as the tables of docs/scene.md."""
import copy
import os
import pathlib

from . import _core
from .errors import Diverged, Error
from .functions import FieldFunction
from .progress import display
from .run import Run
from .schema import text_of
from .simulation import Simulation

_LISTS = ("rod", "shell", "network", "rigid", "wall", "field", "stage", "event", "probe", "pair", "joint", "motor",
          "drive", "load", "hold")
_TABLES = ("define", "solver", "gravity", "damping", "thermal", "start", "output", "contact", "drag", "fluid",
           "dipoles")


class Scene:
    """A scene: the tables of a scene file, with the same keys, units and errors.

        scene = lodestone.Scene.from_file("scenes/cantilever.toml")
        scene = lodestone.Scene({"solver": {"duration": "1 s"}, "rod": [{...}]})

        scene = lodestone.Scene(title="Sag")
        scene.material("rubber", young="1 MPa", poisson=0.4, density=1000)
        scene.rod(name="beam", material="rubber", section={"diameter": "2 mm"},
                  line={"from": [0, 0, 0], "to": ["50 mm", 0, 0]}, bonds=50, clamp=["start"])
        scene.gravity(g=[0, 0, -9.81])
        scene.probe(name="tip", of="beam.end", record="displacement")

    Numbers are in SI units, texts may have any unit ("2 mm") or be expressions ("10 mT * sin(5*t)"). A scene made here
    and one read from its to_toml() give the same results, bit for bit. Each table of a scene file is a method: those
    that may be there several times ([[rod]]) add one, the others ([solver]) set their keys.
    """

    def __init__(self, data=None, **top):
        if data is not None and not isinstance(data, dict):
            raise Error(f"found a {type(data).__name__}, expected a dictionary of tables; Scene.from_file reads a file")
        self._document = _core.Document.from_data({**(data or {}), **top})
        self.file = None

    @classmethod
    def from_file(cls, path):
        """The scene of a file."""
        scene = cls()
        scene.file = pathlib.Path(path)
        scene._document = _core.Document.from_file(os.fspath(path))
        return scene

    def copy(self):
        """Another scene with the same content."""
        other = copy.copy(self)
        other._document = self._document.copy()
        return other

    def set(self, key, value):
        """Changes one value: scene.set("rod.beam.bonds", 80). Tables of a list go by name, or by number from 0:
        "rod[2].bonds". Returns the scene."""
        self._document.set(key, value)
        return self

    def material(self, name, **keys):
        """Adds [material.NAME], or changes it."""
        for key, value in keys.items():
            self._document.set(f'material."{name}".{key}', value)
        return self

    def field(self, function=None, gradient="differences", step=None, **keys):
        """Adds a [[field]], or one that a function gives.

        function  f(x, t) -> B: x is an array (points, 3) in m, t is in s, B is (points, 3) in T. It must give the same
                  again for the same x and t: solvers ask as often as they like, from several threads, one at a time.
        gradient  "differences" (of fourth order over `step`), "complex" (a complex step: f is then asked at complex
                  x, and must not drop their imaginary part), or a function g(x, t) -> (points, 3, 3), whose
                  [point, i, j] is dB_i/dx_j in T/m.
        step      m, of the differences; None: a thousandth of the size of the scene.

        All solvers take such fields; the force on a dipole goes by the gradient, and implicit and static ones need
        second derivatives, which are differences of it. A warning says where div B or curl B is not 0. Only Python can
        run or resume a scene with a function: the program says so.
        """
        if function is None:
            if gradient != "differences" or step is not None:
                raise Error("field: found `gradient` or `step` without `function`")
        else:
            made = FieldFunction(function, gradient, step)
            keys["function"] = self._document.add_function(made.sample)
        self._document.append("field", keys)
        return self

    def to_dict(self):
        """All tables, as a dictionary."""
        return self._document.data()

    def to_toml(self):
        """The text of a scene file. Functions stay behind: such a file names them, and the program refuses it."""
        return self._document.toml()

    def save(self, path):
        """Writes to_toml() to a file."""
        pathlib.Path(path).write_text(self.to_toml(), encoding="utf-8")

    def check(self, threads=0):
        """Reads the scene and tries a few steps: a dictionary with nodes, bonds, steps, time (s), dt (s),
        critical_step (s), memory_bytes, disk_bytes, wall_seconds and warnings. Raises Error where the scene is
        wrong."""
        return self._document.read().check(threads)

    def _folder(self, out):
        if out is not None:
            return os.fspath(out)
        return os.path.join("out", self.file.stem if self.file else "scene")

    def _asked(self, out, threads, resume, force, max_wall, on_output, progress):
        asked = _core.Asked()
        asked.out, asked.threads, asked.resume, asked.force = self._folder(out), threads, resume, force
        asked.max_wall = max_wall or 0.0
        if threads < 0 or asked.max_wall < 0:
            raise Error("found threads or max_wall below 0")
        shown = display(progress)
        asked.show, asked.tell = shown.show, shown.tell
        asked.frame = (lambda frame: on_output(Frame(frame))) if on_output else None
        return asked, shown

    def run(self, out=None, *, threads=0, resume=False, force=False, max_wall=None, on_output=None, progress=None):
        """Simulates the scene into a folder and returns the Run, as lodestone.open(out) would.

        out        the folder; None: out/ and the name of the scene file, or out/scene
        threads    0: as the scene says. The results are the same for any number.
        resume     go on from the checkpoint that a run left there
        force      replace what a run left there
        max_wall   s, stop with a checkpoint after so much time
        on_output  a function that gets a Frame (time, x, q, v, w: copies) after each frame that is written. What it
                   raises stops the run, with a checkpoint, and is raised here.
        progress   True or False; None: in a terminal and in a notebook

        Ctrl-C leaves a checkpoint and raises KeyboardInterrupt. A run that diverges raises Diverged, whose `run` has
        what was computed until then. One whose stability is lost, or whose time is up, is returned: see run.status.
        """
        asked, shown = self._asked(out, threads, resume, force, max_wall, on_output, progress)
        plan = self._document.read()
        shown.warn(plan.warnings)
        try:
            report = _core.run(plan, asked)
        finally:
            shown.close()
        run = Run(report["folder"] or asked.out)
        if report["status"] == "diverged":
            error = Diverged(report["message"])
            error.run = run
            raise error
        return run

    def modes(self, count=10, out=None, *, threads=0, force=False, progress=None):
        """Runs the scene, goes to the equilibrium beside its end and gives its natural frequencies: a dictionary with
        frequency (a list, Hz; negative: it grows), unstable, floating (how many) and folder, where the shapes are."""
        asked, shown = self._asked(out, threads, False, force, None, None, progress)
        plan = self._document.read()
        shown.warn(plan.warnings)
        try:
            return _core.modes(plan, asked, count)
        finally:
            shown.close()

    def simulation(self, threads=0):
        """A Simulation of the scene: its steps are yours to take, and its state is yours to read and change."""
        return Simulation(self._document.read(), threads)


class Frame:
    """The nodes at one time, as on_output gets them: arrays that are yours to keep.

    step, time (s), x (nodes, 3) m, q (nodes, 4) quaternions w x y z, v (nodes, 3) m/s, w (nodes, 3) rad/s
    """

    def __init__(self, values):
        self.__dict__.update(values)

    def __repr__(self):
        return f"<Frame of step {self.step}, t = {self.time:.6g} s, {len(self.x)} nodes>"


def _doc(text, table):
    """For help(): what a method does, and all keys of its table."""
    return "\n".join([text, "", *text_of(table)])


def _adder(name):
    def add(self, **keys):
        self._document.append(name, keys)
        return self

    add.__name__ = name
    add.__qualname__ = f"Scene.{name}"
    add.__doc__ = _doc(f"Adds a [[{name}]]. Returns the scene.", name)
    return add


def _setter(name):
    def put(self, **keys):
        for key, value in keys.items():
            self._document.set(f"{name}.{key}", value)
        return self

    put.__name__ = name
    put.__qualname__ = f"Scene.{name}"
    put.__doc__ = _doc(f"Sets keys of [{name}]. Returns the scene.", name)
    return put


Scene.material.__doc__ = _doc(Scene.material.__doc__, "material.NAME")
Scene.field.__doc__ = _doc(Scene.field.__doc__.rstrip() + "\n\nOther keys:", "field")
for _name in _LISTS:
    if _name != "field":
        setattr(Scene, _name, _adder(_name))
for _name in _TABLES:
    setattr(Scene, _name, _setter(_name))
