"""Small scenes that tests of the Python package share, and a folder for each test."""
import pathlib
import sys
import tempfile
import unittest

import lodestone

ROOT = pathlib.Path(__file__).resolve().parents[2]


def rod(kind="static", bonds=20, **solver):
    """A magnetised rod, clamped at its start, in a field B0 along y and gravity along -z."""
    scene = lodestone.Scene(title="A rod")
    scene.define(B0="0 T")
    scene.solver(kind=kind, **solver)
    scene.material("soft", young="1.2 MPa", poisson=0.45, density=1800, magnetisation="80 kA/m")
    scene.rod(name="rod", material="soft", section={"diameter": "1 mm"},
              line={"from": [0, 0, 0], "to": ["30 mm", 0, 0]}, bonds=bonds, magnetisation_direction=[1, 0, 0],
              clamp=["start"])
    scene.gravity(g=[0, 0, -9.81])
    scene.field(uniform=[0, "B0", 0])
    scene.stage(name="stay", duration="1 s" if kind == "static" else "20 ms", set={"B0": "2 mT"})
    scene.probe(name="tip", of="rod.end", record=["displacement", "velocity"])
    return scene


class Case(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="lodestone-python-")
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)

    def refused(self, act, *words, error=lodestone.Error):
        """Calls it, expects an error with all of these words, and returns that."""
        with self.assertRaises(error) as caught:
            act()
        for word in words:
            self.assertIn(word, str(caught.exception))
        return caught.exception


def main():
    unittest.main(argv=[sys.argv[0], "-q"] + sys.argv[1:])
