import contextlib
import io
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import types
import urllib.request
import warnings
from unittest import mock

import numpy as np
from scenes import ROOT, Case, main, rod

import lodestone

ENDLESS = """
import sys; sys.path.insert(0, {tests!r})
import scenes
scene = scenes.rod("explicit", dt="1 us")
scene.set("stage.stay.duration", "{duration}")
scene.output(checkpoint=0.1, every=2000)
scene.run({out!r}, resume={resume}, progress=False)
"""


class Runs(Case):
    def start(self, out, duration="10000 s", resume=False):
        text = ENDLESS.format(tests=os.fspath(pathlib.Path(__file__).parent), out=os.fspath(out), duration=duration,
                              resume=resume)
        process = subprocess.Popen([sys.executable, "-c", text], stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, condition, process):
        end = time.monotonic() + 60
        while not condition():
            if process.poll() is not None:
                self.fail(f"it ended at once: {process.communicate()[1]}")
            self.assertLess(time.monotonic(), end, "waited for a minute")
            time.sleep(0.02)

    def test_a_run_gives_probes_frames_events_and_a_picture(self):
        run = rod("static").run(self.folder / "out", progress=False)
        self.assertEqual(run.status, "done")
        p = run.probes
        self.assertIs(p["tip.displacement.y"], p["tip.displacement.y"])
        np.testing.assert_array_equal(p["tip.velocity.y"], 0)
        self.assertGreater(p["tip.displacement.y"][-1], 1e-4)
        self.assertLess(p["tip.displacement.z"][-1], -1e-4)
        self.assertEqual(p["t"][-1], 1.0)
        self.refused(lambda: p["tip.y"], "more than one", "tip.displacement.y", "tip.velocity.y")
        self.refused(lambda: p["top.x"], "no column")
        self.assertEqual(run.frames[-1].x.shape, (21, 3))
        np.testing.assert_allclose(run.frames[-1].x[-1] - run.frames[0].x[-1],
                                   [p[f"tip.displacement.{c}"][-1] - p[f"tip.displacement.{c}"][0] for c in "xyz"],
                                   atol=1e-15)
        self.assertGreater(run.frames[-1].energy["bend"], 1e-9)
        self.assertEqual(list(run.frames[-1].bodies["rod"]), list(range(21)))
        self.assertEqual(len(run.frames[1:3]), 2)
        self.assertEqual([e["event"] for e in run.events], ["started", "done"])
        self.assertEqual(run.summary["nodes"], 21)
        self.assertTrue(run._repr_svg_().startswith("<svg"))
        plot = run.plot("tip.displacement.y").save(self.folder / "tip.svg")
        self.assertIn("tip.displacement.y", plot.svg())
        same = lodestone.open(self.folder / "out")
        np.testing.assert_array_equal(same.probes["t"], p["t"])

    def test_view_is_the_page_below_a_cell_or_its_address(self):
        run = rod("static").run(self.folder / "out", progress=False)
        shown, notebook, display = [], types.ModuleType("IPython"), types.ModuleType("IPython.display")
        notebook.get_ipython = lambda: types.SimpleNamespace(kernel=True)
        handle = types.SimpleNamespace(update=lambda data, raw: shown.append(data))
        display.display = lambda data, raw, display_id=None: shown.append(data) or handle
        with mock.patch.dict(sys.modules, {"IPython": notebook, "IPython.display": display}):
            run.view(height=321)
            rod("explicit").run(self.folder / "other")
        self.addCleanup(lodestone.page._served[os.path.realpath(run.folder)][0].kill)
        address = re.search(r'<iframe src="(http://127\.0\.0\.1:\d+/)" style="[^"]*321px', shown[0]["text/html"])[1]
        with urllib.request.urlopen(address) as reply:
            self.assertIn("http://localhost:*", reply.headers["Content-Security-Policy"])  # which frames of notebooks need
            self.assertIn('<canvas id="canvas"', reply.read().decode())
        with urllib.request.urlopen(address + "api/run") as reply:
            self.assertEqual(json.load(reply)["title"], "A rod")
        self.assertRegex(shown[-1]["text/plain"], r"\d %.* left .*stay")  # progress, below the cell too
        told = io.StringIO()
        with mock.patch.dict(os.environ), contextlib.redirect_stdout(told):
            os.environ.pop("DISPLAY", None), os.environ.pop("WAYLAND_DISPLAY", None)
            run.view()
        self.assertEqual(told.getvalue().strip(), address)  # it is served once
        self.refused(lambda: lodestone.page.address_of(self.folder), "not the folder of a run")

    def test_a_folder_with_something_in_it_is_kept(self):
        scene = rod("static")
        scene.run(self.folder / "out", progress=False)
        self.refused(lambda: scene.run(self.folder / "out", progress=False), "not empty")
        scene.run(self.folder / "out", force=True, progress=False)
        self.refused(lambda: lodestone.open(self.folder / "none"), "no such folder", error=lodestone.FileError)
        self.refused(lambda: lodestone.open(self.folder), "not the folder of a run")

    def test_on_output_gets_each_frame(self):
        seen = []
        run = rod("explicit").run(self.folder / "out", on_output=seen.append, progress=False)
        self.assertEqual(len(seen), len(run.frames))
        for mine, stored in zip(seen, run.frames):
            self.assertEqual(mine.step, stored.step)
            for name in "xqvw":
                np.testing.assert_array_equal(getattr(mine, name), getattr(stored, name))

    def test_what_on_output_raises_stops_the_run_with_a_checkpoint(self):
        def stop(frame):
            if frame.time > 0.01:
                raise RuntimeError("that is enough")

        scene = rod("explicit")
        with self.assertRaisesRegex(RuntimeError, "that is enough"):
            scene.run(self.folder / "out", on_output=stop, progress=False)
        self.assertEqual(lodestone.open(self.folder / "out").status, "interrupted")
        whole = scene.run(self.folder / "whole", progress=False)
        rest = scene.run(self.folder / "out", resume=True, progress=False)
        self.assertEqual(rest.status, "done")
        for file in ["probes.csv"] + [f"frames/{f.path.name}" for f in rest.frames]:
            self.assertEqual((rest.folder / file).read_bytes(), (whole.folder / file).read_bytes(), file)

    def test_ctrl_c_leaves_a_checkpoint_and_raises_keyboard_interrupt(self):
        out = self.folder / "out"
        process = self.start(out)
        self.wait_for(lambda: len(list(out.glob("frames/*.h5"))) > 2, process)
        self.assertEqual(lodestone.open(out).status, "running")
        self.assertGreater(len(lodestone.open(out).frames), 1)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
        self.assertTrue(said.rstrip().endswith("KeyboardInterrupt"), said)
        self.assertEqual(lodestone.open(out).status, "interrupted")
        self.assertTrue((out / "checkpoint.h5").exists())

    def test_a_killed_run_goes_on(self):
        out = self.folder / "out"
        process = self.start(out, "30 ms")
        self.wait_for(lambda: (out / "checkpoint.h5").exists(), process)
        process.kill()
        process.communicate()
        run = lodestone.open(out)
        if run.status != "done":  # it may have been at its end
            self.assertEqual(run.status, "killed")
            self.assertGreater(len(run.probes["t"]), 0)
        process = self.start(out, "30 ms", resume=True)
        self.assertEqual(process.communicate(timeout=120)[1], "")
        self.assertEqual(lodestone.open(out).status, "done")
        self.assertAlmostEqual(lodestone.open(out).probes["t"][-1], 0.03)

    def test_a_run_that_diverges_raises(self):
        scene = rod("explicit", dt="1 ms")
        scene.set("stage.stay.duration", "2 s")
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            error = self.refused(lambda: scene.run(self.folder / "out", progress=False), error=lodestone.Diverged)
        self.assertTrue(any("critical" in str(w.message) for w in told))
        self.assertEqual(error.run.status, "diverged")
        self.assertIn("kept", str(error))

    def test_the_program_goes_on_where_python_stopped(self):
        program = ROOT / "build" / "lodestone" if "LODESTONE_PROGRAM" not in os.environ else os.environ["LODESTONE_PROGRAM"]
        scene = rod("explicit")
        whole = scene.run(self.folder / "whole", progress=False)

        def stop(frame):
            if frame.time > 0.01:
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            scene.run(self.folder / "out", on_output=stop, progress=False)
        scene.save(self.folder / "scene.toml")
        done = subprocess.run([program, "run", self.folder / "scene.toml", "--out", self.folder / "out", "--resume",
                               "--quiet"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.folder / "out/probes.csv").read_bytes(), (whole.folder / "probes.csv").read_bytes())

    def test_modes_are_those_of_a_beam(self):
        scene = rod("static", bonds=40)
        scene.gravity(g=[0, 0, 0]).set("stage.stay.set.B0", 0)
        found = scene.modes(2, self.folder / "out", progress=False)["frequency"]
        area, inertia = np.pi * 0.5e-3**2, np.pi * 0.5e-3**4 / 4
        exact = 1.8751**2 / (2 * np.pi * 0.03**2) * np.sqrt(1.2e6 * inertia / (1800 * area))
        np.testing.assert_allclose(found, exact, rtol=0.01)

    def test_a_sweep_is_a_table_and_its_runs(self):
        scene = rod("static", bonds=6)
        done = lodestone.sweep(scene, {"rod.rod.bonds": [4, 8], "stage.stay.set.B0": ["1 mT"]}, self.folder / "s",
                               processes=2)
        self.assertEqual([(v["rod.rod.bonds"], len(r.frames[-1].x)) for v, r in done], [("4", 5), ("8", 9)])
        self.assertEqual(len((self.folder / "s/table.csv").read_text().splitlines()), 3)
        self.refused(lambda: lodestone.sweep(scene, {"rod.rod.bonds": [4, -8]}, self.folder / "t"), "found -8")
        self.assertFalse((self.folder / "t").exists())

    def test_a_validation_case_passes(self):
        checked = lodestone.validate("critical_step", self.folder / "v", fast=True)[0]
        self.assertTrue(checked["passed"], checked)
        self.assertGreater(len(checked["rows"]), 0)
        self.refused(lambda: lodestone.validate("nonsense"), "no validation case")


if __name__ == "__main__":
    main()
