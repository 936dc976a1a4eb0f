import gc
import threading
import time

import numpy as np
from scenes import Case, main, rod

import lodestone


class Simulations(Case):
    def test_steps_give_the_bits_of_a_run(self):
        for kind in ("explicit", "implicit", "static"):
            with self.subTest(kind):
                scene = rod(kind, bonds=12)
                run = scene.run(self.folder / kind, progress=False)
                sim = scene.simulation()
                sim.x[0, 0] += 0  # views are out: each call looks whether somebody wrote
                while not sim.done:
                    sim.step(7)
                last = run.frames[-1]
                self.assertEqual((sim.steps, sim.time), (last.step, last.time))
                for name, stored in [("x", last.x), ("q", last.q), ("v", last.v), ("w", last.w),
                                     ("force", last.nodes("force")), ("torque", last.nodes("torque"))]:
                    np.testing.assert_array_equal(getattr(sim, name), stored, name)
                self.refused(sim.step, "at its end", "duration")

    def test_views_are_the_state_itself(self):
        sim = rod("explicit").simulation()
        x, v = sim.x, sim.v
        self.assertFalse(x.flags.owndata)
        self.assertEqual((x.shape, sim.q.shape, sim.force.shape), ((21, 3), (21, 4), (21, 3)))
        before = x.copy()
        sim.step(50)
        self.assertGreater(np.abs(x - before).max(), 1e-9)
        np.testing.assert_array_equal(x, sim.x)
        self.assertTrue(np.shares_memory(x, sim.x))
        sim.save(self.folder / "a.h5")
        sim.load(self.folder / "a.h5")
        self.assertTrue(np.shares_memory(x, sim.x))
        np.testing.assert_allclose(np.linalg.norm(sim.q, axis=1), 1, atol=1e-14)
        with self.assertRaises(ValueError):
            sim.force[0, 0] = 1
        del sim
        gc.collect()
        self.assertTrue(np.isfinite(v).all())  # a view keeps the state alive

    def test_what_is_written_is_where_it_goes_on_from(self):
        free = rod("explicit")
        free.gravity(g=[0, 0, 0]).set("rod.rod.clamp", []).set("stage.stay.set.B0", 0)
        sim = free.simulation()
        sim.v[:] = [0, 0.25, 0]  # a rod that nothing acts on keeps its velocity
        sim.x[:, 2] += 0.5
        before = sim.x.copy()
        sim.step(100)
        np.testing.assert_allclose(sim.x - before, np.outer(np.ones(21), [0, 0.25 * sim.time, 0]), atol=1e-12)
        kinetic = 0.5 * 1800 * np.pi * 0.5e-3**2 * 30e-3 * 0.25**2
        self.assertAlmostEqual(sim.energy["kinetic"] / kinetic, 1, places=2)
        sim.q[:] = 3 * sim.q  # gets length 1
        sim.step()
        np.testing.assert_allclose(np.linalg.norm(sim.q, axis=1), 1, atol=1e-14)

    def test_what_is_no_state_is_refused_and_undone(self):
        sim = rod("explicit").simulation()
        sim.step(10)
        before = sim.x.copy()
        sim.x[3, 1] = np.nan
        self.refused(sim.step, "no finite number at rod[3]")
        np.testing.assert_array_equal(sim.x, before)
        sim.q[4] = 0
        self.refused(sim.step, "rod[4]", "no length")
        sim.step()

    def test_a_bent_rod_springs_back_to_its_equilibrium(self):
        sim = rod("static").simulation()
        sim.solve()
        rest = sim.x.copy()
        sim.x[-1] += [0, 0, 2e-3]
        sim.solve()
        np.testing.assert_allclose(sim.x, rest, atol=1e-9)

    def test_solve_is_the_equilibrium_of_a_static_run(self):
        run = rod("static").run(self.folder / "out", progress=False)
        for kind in ("static", "explicit", "implicit"):
            sim = rod(kind).simulation()
            solved = sim.solve()
            self.assertFalse(solved["jumped"])
            np.testing.assert_allclose(sim.x, run.frames[-1].x, atol=1e-8)
            np.testing.assert_array_equal(sim.v, 0)

    def test_stage_variables_can_be_set(self):
        sim = rod("static").simulation()
        self.assertEqual(sim.variables, {"B0": 2e-3})
        sim.solve()
        small = sim.x[-1, 1]
        sim.set("B0", 4e-3)
        self.assertEqual(sim.get("B0"), 4e-3)
        sim.solve()
        self.assertGreater(sim.x[-1, 1], 1.2 * small)
        other = rod("static").set("stage.stay.set.B0", "4 mT").simulation()
        other.solve()
        np.testing.assert_allclose(sim.x, other.x, atol=1e-9)
        self.refused(lambda: sim.set("B1", 1), "no `B1`", "there are B0")
        self.refused(lambda: sim.set("t", 1), "can't be set")
        self.refused(lambda: sim.set("B0", np.inf), "finite")

    def test_what_set_does_is_in_the_ledger(self):
        scene = rod("implicit", bonds=10, dt="0.1 ms")
        sim = scene.simulation()
        total = []
        for k in range(40):
            sim.set("B0", 2e-3 * (k % 2))
            sim.step()
            total.append(sim.energy["total"])
        self.assertGreater(np.ptp(total), 0)
        self.assertTrue(np.isfinite(total).all())

    def test_forces_can_be_applied(self):
        for kind in ("static", "implicit", "explicit"):
            with self.subTest(kind):
                by_scene = rod(kind, bonds=10)
                by_scene.load(on="rod.end", force=[0, "20 uN", "-10 uN"])
                sim, other = by_scene.simulation(), rod(kind, bonds=10).simulation()
                other.apply("rod.end", force=[0, 20e-6, -10e-6])
                if kind == "static":
                    sim.solve(), other.solve()
                else:
                    sim.step(20), other.step(20)
                np.testing.assert_allclose(other.x, sim.x, rtol=0, atol=1e-11)
                plain = rod(kind, bonds=10).simulation()
                plain.solve() if kind == "static" else plain.step(20)
                self.assertGreater(np.abs(plain.x - sim.x).max(), 1e-8)
                other.apply("rod.end")  # and taken away
                plain.solve(), other.solve()
                np.testing.assert_allclose(other.x, plain.x, atol=1e-8)
        self.refused(lambda: other.apply(99, [0, 0, 1]), "no node 99")
        self.refused(lambda: other.apply("rod[99]"), "from [0] to [10]")
        self.refused(lambda: other.apply("rood.end"), "bodies rod")
        self.refused(lambda: other.apply(1, [np.nan, 0, 0]), "not finite")

    def test_stiffness_is_the_slope_of_the_force(self):
        sim = rod("static", bonds=5).simulation()
        sim.solve()
        found = sim.stiffness()
        n = 6 * len(sim.x)
        if isinstance(found, tuple):
            k = np.zeros((n, n))
            np.add.at(k, (found[1], found[2]), found[0])
        else:
            k = found.toarray()
        np.testing.assert_allclose(k, k.T, atol=1e-9 * np.abs(k).max())
        h, rest = 1e-8, sim.x.copy()
        for node, axis in [(2, 0), (3, 1), (5, 2)]:
            forces = []
            for side in (-1, 1):
                sim.x = rest
                sim.x[node, axis] += side * h
                _ = sim.energy  # takes over what was written: force is that of the state
                forces.append(np.hstack([sim.force, sim.torque]).ravel())
            slope = (forces[1] - forces[0]) / (2 * h)
            np.testing.assert_allclose(-slope, k[:, 6 * node + axis], atol=1e-5 * np.abs(k).max())

    def test_modes_are_those_of_the_scene(self):
        scene = rod("static", bonds=10)
        found = scene.modes(3, self.folder / "m", progress=False)["frequency"]
        sim = scene.simulation()
        while not sim.done:
            sim.step(100)
        frequency, shape = sim.modes(3)
        np.testing.assert_allclose(frequency, found, rtol=1e-6)
        self.assertEqual(shape.shape, (3, 11, 6))
        np.testing.assert_array_equal(shape[:, 0], 0)  # clamped

    def test_a_saved_state_goes_on_to_the_same_bits(self):
        for kind in ("explicit", "implicit"):
            sim = rod(kind, bonds=10).simulation()
            sim.step(5)
            sim.set("B0", 5e-3)
            sim.step(5)
            sim.save(self.folder / "state.h5")
            sim.step(20)
            other = rod(kind, bonds=10).simulation()
            other.load(self.folder / "state.h5")
            self.assertEqual((other.steps, other.get("B0")), (10, 5e-3))
            other.step(20)
            for name in ("x", "q", "v", "w", "force"):
                np.testing.assert_array_equal(getattr(sim, name), getattr(other, name))
            self.refused(lambda: rod(kind, bonds=9).simulation().load(self.folder / "state.h5"), "changed")
        self.refused(lambda: other.load(self.folder / "none.h5"), "none.h5", error=lodestone.FileError)

    def test_advance_to_a_time(self):
        sim = rod("implicit", bonds=5, dt="0.1 ms").simulation()
        self.assertEqual(sim.advance_to(0.005), 50)
        self.assertAlmostEqual(sim.time, 0.005)
        self.assertEqual(sim.advance_to(0.005), 0)
        self.refused(lambda: sim.advance_to(0.004), "already")
        self.refused(lambda: sim.advance_to(1.0), "ends at 0.02 s")
        self.refused(lambda: sim.step(0), "at least 1")
        sim.advance_to(0.02)
        self.assertTrue(sim.done)

    def test_a_call_that_diverges_leaves_the_state_as_it_was(self):
        sim = rod("explicit", dt="0.5 ms").set("stage.stay.duration", "10 s").simulation()
        sim.step()
        before, time_before = sim.x.copy(), sim.time
        self.refused(lambda: sim.step(10000), error=lodestone.Diverged)
        np.testing.assert_array_equal(sim.x, before)
        self.assertEqual(sim.time, time_before)

    def test_two_threads_compute_side_by_side_and_give_the_same_bits(self):
        sims = [rod("explicit", bonds=30).set("stage.stay.duration", "1 s").simulation() for _ in range(3)]
        threads = [threading.Thread(target=s.step, args=(2000,)) for s in sims[:2]]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        sims[2].step(2000)
        for s in sims[:2]:
            np.testing.assert_array_equal(s.x, sims[2].x)

    def test_the_interpreter_goes_on_meanwhile_and_one_simulation_is_for_one_thread(self):
        sim = rod("explicit", bonds=60).set("stage.stay.duration", "1000 s").simulation()
        worker = threading.Thread(target=sim.step, args=(100000,))
        worker.start()
        turns = 0
        while worker.is_alive():
            turns += 1
            if turns == 3:
                self.refused(sim.step, "another thread")
            time.sleep(0.001)
        self.assertGreater(turns, 10)
        sim.step()

    def test_ctrl_c_stops_between_two_steps(self):
        import signal

        sim = rod("explicit").set("stage.stay.duration", "1000 s").simulation()
        timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            sim.step(10**9)
        taken = sim.steps
        self.assertGreater(taken, 100)
        other = rod("explicit").set("stage.stay.duration", "1000 s").simulation()
        other.step(taken)
        np.testing.assert_array_equal(sim.x, other.x)

    def test_events_and_the_state_in_expressions_work(self):
        scene = rod("implicit", bonds=10, dt="0.1 ms")
        scene.event(name="low", when="rod.end.position.z < -0.2 mm", set={"B0": "9 mT"})
        sim = scene.simulation()
        sim.advance_to(0.02)
        self.assertEqual([e["event"] for e in sim.events], ["low"])
        self.assertEqual(sim.get("B0"), 9e-3)


if __name__ == "__main__":
    main()
