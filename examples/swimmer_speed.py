"""How fast a magnetic swimmer is, by the frequency of the field that wags it: one process a frequency.

A soft tail with a magnetic head, which a swinging field nods, in a viscous fluid (resistive drag): slow fields leave the
tail straight, fast ones no longer move it. The scene is scenes/flagellum.toml. usage: swimmer_speed.py [FOLDER]
"""
import multiprocessing
import pathlib
import sys

import numpy as np

import lodestone

SCENE = pathlib.Path(__file__).resolve().parents[1] / "scenes" / "flagellum.toml"
FREQUENCIES = [0.03, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2]  # Hz
PERIODS, STEPS = 4, 40  # of each run, and in each period


def swimmer(frequency):
    scene = lodestone.Scene.from_file(SCENE)
    scene.set("define.rate", f"2*pi * {frequency} Hz")
    scene.solver(duration=PERIODS / frequency, dt=1 / (STEPS * frequency))
    return scene.set("probe.0.every", 1).set("rod.tail.bonds", 15)


def speed(frequency, folder):
    """m/s, over the second half of the run: whole periods."""
    run = swimmer(frequency).run(pathlib.Path(folder) / f"swimmer-{frequency:g}", force=True, progress=False)
    t, x = run.probes["t"], -run.probes["head.mean_position.x"]  # head first
    half = 0.5 * PERIODS / frequency
    return (x[-1] - np.interp(half, t, x)) / (t[-1] - half)


def main(folder):
    jobs = [(f, str(folder)) for f in FREQUENCIES]
    with multiprocessing.get_context("spawn").Pool() as pool:
        speeds = np.array(pool.starmap(speed, jobs))
    best = int(np.argmax(speeds))
    print(f"fastest at {FREQUENCIES[best]:g} Hz: {1e3 * speeds[best]:.3g} mm/s")
    assert speeds[best] > 0 and 0 < best < len(FREQUENCIES) - 1
    plot = lodestone.Plot("Speed of a magnetic swimmer", "frequency (Hz)", "speed (mm/s)")
    plot.line(FREQUENCIES, 1e3 * speeds).points(FREQUENCIES, 1e3 * speeds).save(folder / "swimmer_speed.svg")
    print(folder / "swimmer_speed.svg")


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out")
    out.mkdir(parents=True, exist_ok=True)
    main(out)
