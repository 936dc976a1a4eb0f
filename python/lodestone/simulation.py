"""Simulations whose steps are the caller's."""
import os
import re

import numpy as np

from . import _core
from .errors import Error


class Simulation:
    """A scene whose steps are yours to take: made by Scene.simulation(). Nothing is written to a folder.

        sim = scene.simulation()
        while sim.time < 1:
            sim.set("B0", 0.02 if sim.x[sim.node("rod.end"), 2] < 0 else 0.0)
            sim.step(10)

    x, q, v, w, force and torque are views of the state itself: no copy is made, they follow each step, and what is
    written into x, q, v or w is where the next call goes on from. That is put in from outside: the ledger counts its
    energy among the work of loads. Quaternions get length 1; what the scene holds or drives goes back to where that
    puts it.

    A call that fails raises Diverged and leaves the state as it was before the call (but not beside a fluid, where the
    simulation is then of no use). Ctrl-C stops a call between two steps and raises KeyboardInterrupt. The lock of the
    interpreter is let go meanwhile: simulations in several threads run side by side, each in one thread at a time.
    Unlike a run, a simulation does not judge by its energies whether explicit steps are too long: look at `energy`.
    """

    def __init__(self, plan, threads=0):
        if threads < 0:
            raise Error(f"found {threads} threads, expected 0 or more")
        self._core = _core.Simulation(plan, threads)
        self._bodies = self._core.bodies()
        self.warnings = plan.warnings

    def step(self, n=1):
        """Takes n steps of the schedule (load steps of a static stage), fewer where it ends before. Returns how many
        were taken; raises Error where it was over already."""
        return self._core.step(n)

    def advance_to(self, t):
        """Takes steps until the time is t (s) at least. Returns how many."""
        return self._core.advance_to(t)

    def solve(self):
        """Goes to the equilibrium at the present loads, from where the state is; what moves stops, time does not pass.
        Returns a dictionary: jumped (the state was unstable, and slid to the next stable one), iterations. Raises
        Diverged where there is none. The ledger of energies begins anew there."""
        return self._core.solve()

    @property
    def time(self):
        """s, since the start."""
        return self._core.time

    @property
    def steps(self):
        """Taken since the start."""
        return self._core.steps

    @property
    def stage(self):
        """The name of the stage under way."""
        return self._core.stage

    @property
    def done(self):
        """Whether the schedule is at its end."""
        return self._core.is_over

    @property
    def x(self):
        """Positions of the nodes, (nodes, 3), m: a view."""
        return self._core.x

    @x.setter
    def x(self, value):
        self._core.x[...] = value

    @property
    def q(self):
        """Orientations, (nodes, 4), unit quaternions w x y z: a view."""
        return self._core.q

    @q.setter
    def q(self, value):
        self._core.q[...] = value

    @property
    def v(self):
        """Velocities, (nodes, 3), m/s: a view."""
        return self._core.v

    @v.setter
    def v(self, value):
        self._core.v[...] = value

    @property
    def w(self):
        """Angular velocities in world axes, (nodes, 3), rad/s: a view."""
        return self._core.w

    @w.setter
    def w(self, value):
        self._core.w[...] = value

    @property
    def force(self):
        """The sum of all forces on each node as of the last step, (nodes, 3), N: a view, not to be written."""
        return self._core.force

    @property
    def torque(self):
        """The sum of all torques likewise, (nodes, 3), N m."""
        return self._core.torque

    @property
    def bodies(self):
        """The nodes of each body by its name: arrays of numbers, in order along a rod."""
        return self._bodies

    def node(self, name):
        """The number of a node: "beam.end", "beam.start", "beam[17]", or "cube" of a rigid body."""
        if isinstance(name, (int, np.integer)):
            return int(name)
        if name in self._bodies:
            nodes = self._bodies[name]
            if len(nodes) == 1:
                return int(nodes[0])
            raise Error(f'"{name}" has {len(nodes)} nodes: say which, as "{name}[0]" or "{name}.end"')
        found = re.fullmatch(r"(.+?)(?:\.(start|end)|\[(\d+)\])", str(name))
        if found and found[1] in self._bodies:
            nodes = self._bodies[found[1]]
            index = int(found[3]) if found[3] else 0 if found[2] == "start" else len(nodes) - 1
            if index < len(nodes):
                return int(nodes[index])
            raise Error(f'"{name}": {found[1]} has nodes from [0] to [{len(nodes) - 1}]')
        raise Error(f'there is no node "{name}"; there are the bodies {", ".join(self._bodies)}')

    def set(self, name, value):
        """Gives a name that stages or events `set` another value, from now on until a stage or an event sets it."""
        self._core.set(name, value)

    def get(self, name):
        """The present value of such a name, or of t and s, in SI units."""
        return self._core.value(name)

    @property
    def variables(self):
        """The names that `set` may change, with their values."""
        return {name: self._core.value(name) for name in self._core.names()}

    def apply(self, node, force=(0, 0, 0), torque=(0, 0, 0)):
        """A force (N) and a torque (N m) on a node (a number, or "beam.end"), in world axes, beside all that the scene
        says. They act from now on until they are said again; save() does not keep them."""
        self._core.apply(self.node(node), [float(f) for f in force], [float(t) for t in torque])

    @property
    def energy(self):
        """Energies by name, J: kinetic, spin, stretch, shear, bend, twist, gravity, zeeman, …, total."""
        return self._core.energy()

    @property
    def events(self):
        """What has happened since the start: events of the scene, "jump" and "fold" of static stages, as dictionaries
        with time (s), step, event and text."""
        return self._core.events()

    def stiffness(self):
        """The exact stiffness of the present state, 6 rows a node: moves along x, y, z (m) and turns about them (rad);
        rows of what is held are in it. A scipy.sparse.csr_matrix where scipy is there, else (data, row, column)."""
        rows, columns, blocks = self._core.stiffness()
        off = rows != columns
        blocks = np.concatenate([blocks, blocks[off].transpose(0, 2, 1)])
        rows, columns = np.concatenate([rows, columns[off]]), np.concatenate([columns, rows[off]])
        inner = np.arange(6)
        row = np.broadcast_to(6 * rows[:, None, None] + inner[None, :, None], blocks.shape).ravel()
        column = np.broadcast_to(6 * columns[:, None, None] + inner[None, None, :], blocks.shape).ravel()
        data = blocks.ravel()
        try:
            from scipy.sparse import coo_matrix
        except ImportError:
            return data, row, column
        size = 6 * len(self.x)
        return coo_matrix((data, (row, column)), shape=(size, size)).tocsr()

    def modes(self, count=6):
        """The natural vibrations about the present state, which should be an equilibrium (solve()): the frequencies,
        an array in Hz from the lowest (negative: it grows at that rate), and the shapes (count, nodes, 6)."""
        squared, shapes = self._core.modes(count)
        return np.sign(squared) * np.sqrt(np.abs(squared)) / (2 * np.pi), shapes

    def save(self, path):
        """Writes the state to a file, from which load() goes on to the same bits; values of set() are in it."""
        self._core.save(os.fspath(path))

    def load(self, path):
        """Goes on from what save() wrote, or from the checkpoint of a run of the same scene."""
        self._core.load(os.fspath(path))

    def __repr__(self):
        return f"<Simulation of {len(self.x)} nodes at t = {self.time:.6g} s, step {self.steps}>"
