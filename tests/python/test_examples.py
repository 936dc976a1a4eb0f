import os
import subprocess
import sys
import xml.etree.ElementTree

from scenes import ROOT, Case, main


class Examples(Case):
    def run_example(self, name):
        done = subprocess.run([sys.executable, "-B", ROOT / "examples" / f"{name}.py", self.folder], text=True,
                              capture_output=True, env=dict(os.environ, PYTHONWARNINGS="error"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        tree = xml.etree.ElementTree.parse(self.folder / f"{name}.svg")
        lines = [e for e in tree.iter("{http://www.w3.org/2000/svg}path") if e.get("fill") == "none"]
        self.assertGreater(len(lines), 0)
        self.assertGreater(max(e.get("d").count("L") for e in lines), 4)
        return done.stdout

    def test_a_catheter_is_steered(self):
        self.assertIn("the tip is at most", self.run_example("catheter_steering"))

    def test_a_modulus_is_fitted(self):
        self.assertIn("MPa", self.run_example("fit_youngs_modulus"))

    def test_a_bifurcation_diagram_is_drawn(self):
        self.assertIn("stable up to", self.run_example("bifurcation_diagram"))

    def test_swimmers_race(self):
        self.assertIn("fastest at", self.run_example("swimmer_speed"))


if __name__ == "__main__":
    main()
