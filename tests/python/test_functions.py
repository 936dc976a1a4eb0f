import subprocess
import os

import numpy as np
from scenes import ROOT, Case, main, rod

import lodestone
from lodestone.functions import FieldFunction

# curl and divergence are 0: B = grad of (x y + z^3 - 3 z x^2 ...) would do; this is a quadrupole and more.
EXPRESSION = ["2*x*y*0.3 T/m^2 + 0.05 T/m*y", "(x*x - z*z)*0.3 T/m^2 + 0.05 T/m*x", "-2*y*z*0.3 T/m^2"]


def field(x, t):
    a, b, c = x[:, 0], x[:, 1], x[:, 2]
    return np.stack([0.6 * a * b + 0.05 * b, 0.3 * (a * a - c * c) + 0.05 * a, -0.6 * b * c], axis=1)


def gradient(x, t):
    a, b, c = x.T
    zero = 0 * a
    rows = [[0.6 * b, 0.6 * a + 0.05, zero], [0.6 * a + 0.05, zero, -0.6 * c], [zero, -0.6 * c, -0.6 * b]]
    return np.moveaxis(np.array(rows), 2, 0)


def tip(scene, folder):
    return scene.run(folder, progress=False).frames[-1].x[-1]


class Derivatives(Case):
    def test_all_ways_to_a_gradient_agree(self):
        x = np.random.default_rng(1).uniform(-0.03, 0.03, (7, 3))
        exact = gradient(x, 0)
        second = np.zeros((7, 3, 3, 3))
        for i, j, k, value in [(0, 0, 1, .6), (0, 1, 0, .6), (1, 0, 0, .6), (1, 2, 2, -.6), (2, 1, 2, -.6), (2, 2, 1, -.6)]:
            second[:, i, j, k] = value
        for way, tolerance in [("differences", 1e-9), ("complex", 1e-15), (gradient, 0)]:
            b, slope, curve = FieldFunction(field, way).sample(0.0, 0.03, x, 2)
            np.testing.assert_allclose(b, field(x, 0), rtol=1e-15)
            np.testing.assert_allclose(slope, exact, atol=tolerance, err_msg=str(way))
            np.testing.assert_allclose(curve, second, atol=1e-5 if way == "differences" else 1e-8, err_msg=str(way))

    def test_differences_are_of_fourth_order(self):
        def wave(x, t):
            return np.sin(200 * x[:, ::-1])

        errors = []
        for step in (4e-4, 2e-4):
            slope = FieldFunction(wave, step=step).sample(0.0, 0.0, np.full((1, 3), 1e-3), 1)[1]
            errors.append(abs(slope[0, 0, 2] - 200 * np.cos(0.2)))
        self.assertAlmostEqual(errors[0] / errors[1], 16, delta=0.5)

    def test_bad_functions_are_told_apart(self):
        x = np.zeros((2, 3))
        for made, words in [
            (lambda: FieldFunction(3), "found a int"),
            (lambda: FieldFunction(field, "exact"), "found 'exact'"),
            (lambda: FieldFunction(field, step=-1), "found -1"),
            (lambda: FieldFunction(lambda x, t: x[:1]).sample(0, 1, x, 0), "shape (1, 3)"),
            (lambda: FieldFunction(lambda x, t: np.abs(x), "complex").sample(0, 1, x, 1), "real numbers"),
            (lambda: FieldFunction(field, lambda x, t: x).sample(0, 1, x, 1), "expected (2, 3, 3)"),
            (lambda: FieldFunction(field).sample(0, 0.0, x, 1), "give `step`"),
        ]:
            self.refused(made, words)


class Fields(Case):
    def scene(self, kind, **options):
        scene = rod(kind, bonds=12)
        data = scene.to_dict()
        del data["field"], data["define"]
        data["define"] = {"unused": 1}
        data["stage"][0].pop("set")
        return lodestone.Scene(data)

    def test_a_function_does_what_the_same_expression_does(self):
        for kind in ("static", "implicit", "explicit"):
            for way in ("differences", "complex", gradient):
                with self.subTest(kind=kind, way=way):
                    name = f"{kind}-{way if isinstance(way, str) else 'own'}"
                    scene = self.scene(kind).field(function=field, gradient=way)
                    got = tip(scene, self.folder / name)
                    expected = tip(self.scene(kind).field(expression=EXPRESSION), self.folder / (name + "-e"))
                    start = np.array([0.03, 0, 0])
                    self.assertGreater(np.abs(expected - start).max(), 1e-4)
                    np.testing.assert_allclose(got, expected, atol=1e-7 * np.abs(expected - start).max())

    def test_time_and_factor_reach_it(self):
        def grows(x, t):
            return np.array([0.0, 4e-3 * t, 0.0])

        scene = self.scene("static").field(function=grows, factor=0.5)
        other = self.scene("static").field(uniform=[0, "2 mT * t/(1 s)", 0])
        np.testing.assert_allclose(tip(scene, self.folder / "a"), tip(other, self.folder / "b"), atol=1e-9)

    def test_what_a_function_raises_is_raised_and_leaves_a_checkpoint(self):
        def fails(x, t):
            if t > 0.01:
                raise ZeroDivisionError("no field there")
            return np.zeros_like(x)

        scene = self.scene("explicit").field(function=fails)
        # The reader looks at the field at all times: what fails at one is told before anything is run.
        with self.assertRaisesRegex(ZeroDivisionError, "no field there"):
            scene.run(self.folder / "out", progress=False)
        self.assertFalse((self.folder / "out").exists())
        asked = []

        def fails_later(x, t):
            asked.append(len(x))
            if len(asked) > 600:
                raise ZeroDivisionError("no field there")
            return np.zeros_like(x)

        scene = self.scene("explicit").field(function=fails_later)
        with self.assertRaisesRegex(ZeroDivisionError, "no field there"):
            scene.run(self.folder / "out", progress=False)
        self.assertTrue((self.folder / "out/checkpoint.h5").exists())
        self.assertGreater(max(asked), 12)  # many points at once
        sim = None
        asked.clear()
        sim = self.scene("implicit").field(function=fails_later).simulation()
        with self.assertRaisesRegex(ZeroDivisionError, "no field there"):
            while not sim.done:
                sim.step(5)

    def test_the_program_says_that_it_can_not_run_it(self):
        program = os.environ.get("LODESTONE_PROGRAM", ROOT / "build" / "lodestone")
        scene = self.scene("static").field(function=field, gradient=gradient)
        scene.run(self.folder / "out", progress=False)
        scene.save(self.folder / "scene.toml")
        for more in ([], ["--resume"]):
            done = subprocess.run([program, "run", self.folder / "scene.toml", "--out", self.folder / "out", *more],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("a function that the program which made this scene works out", done.stderr)
        self.refused(lodestone.Scene.from_file(self.folder / "scene.toml").check, "scene.field(function=")

    def test_a_field_with_sources_is_warned_of(self):
        warnings = self.scene("static").field(function=lambda x, t: x).check()["warnings"]
        self.assertTrue(any("div B is not 0" in w for w in warnings), warnings)

    def test_several_threads_ask_one_after_the_other(self):
        got = []
        for threads in (1, 2):
            scene = self.scene("explicit")
            scene.set("rod.rod.bonds", 600).set("stage.stay.duration", "0.2 ms")
            scene.field(function=field, gradient=gradient)
            got.append(scene.run(self.folder / str(threads), threads=threads, progress=False).frames[-1].x)
        np.testing.assert_array_equal(*got)


if __name__ == "__main__":
    main()
