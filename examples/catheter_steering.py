"""A catheter with a soft, magnetised tip is steered along a circle by a closed loop.

The loop sees where the tip is and changes the field across it; it knows nothing of the catheter but how far the tip
went after the last change (Broyden's rule). usage: catheter_steering.py [FOLDER]
"""
import pathlib
import sys

import numpy as np

import lodestone


def catheter():
    scene = lodestone.Scene(title="Catheter")
    scene.define(By="0 T", Bz="0 T")
    scene.solver(kind="static")
    scene.material("braided", young="20 MPa", poisson=0.45, density=1200)
    scene.material("magnetic", young="3 MPa", poisson=0.45, density=2500, magnetisation="90 kA/m")
    shared = {"section": {"diameter": "1.2 mm"}}
    scene.rod(name="shaft", material="braided", line={"from": [0, 0, 0], "to": ["40 mm", 0, 0]}, bonds=20,
              clamp=["start"], **shared)
    scene.rod(name="tip", material="magnetic", line={"from": ["40 mm", 0, 0], "to": ["60 mm", 0, 0]},
              start="shaft.end", bonds=20,
              magnetisation_direction=[1, 0, 0], **shared)
    scene.gravity(g=[0, 0, -9.81])
    scene.field(uniform=[0, "By", "Bz"])
    scene.stage(name="steer", duration="1 s", set={"By": 0, "Bz": 0})
    return scene


def follow(sim, targets):
    """Moves the tip from target to target; returns where it came to and the fields that it took, in T."""
    tip, field = sim.node("tip.end"), np.zeros(2)
    sim.solve()
    x = sim.x  # a view: it goes with the simulation
    slope, before = np.full((2, 2), 0.0), x[tip, 1:].copy()
    for k, name in enumerate(("By", "Bz")):  # how far the tip goes at first
        sim.set(name, 1e-3)
        sim.solve()
        slope[:, k] = (x[tip, 1:] - before) / 1e-3
        sim.set(name, 0.0)
    sim.solve()
    reached, fields = [], []
    for target in targets:
        for _ in range(5):
            before = x[tip, 1:].copy()
            change = np.linalg.solve(slope, target - before)
            field += change
            sim.set("By", field[0])
            sim.set("Bz", field[1])
            sim.solve()
            moved = x[tip, 1:] - before
            if np.linalg.norm(change) > 1e-9:
                slope += np.outer(moved - slope @ change, change) / (change @ change)
        reached.append(x[tip, 1:].copy())
        fields.append(field.copy())
    return np.array(reached), np.array(fields)


def main(folder):
    sim = catheter().simulation()
    angle = np.linspace(0, 2 * np.pi, 49)
    targets = 8e-3 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    reached, fields = follow(sim, targets)
    error = np.linalg.norm(reached - targets, axis=1).max()
    print(f"the tip is at most {1e6 * error:.2g} um from its targets, with fields up to "
          f"{1e3 * np.linalg.norm(fields, axis=1).max():.3g} mT")
    assert error < 10e-6
    plot = lodestone.Plot("A catheter steered along a circle", "y (mm), or By (mT)", "z (mm), or Bz (mT)", equal=True)
    plot.points(*(1e3 * targets.T), "targets").line(*(1e3 * reached.T), "tip (mm)")
    plot.line(*(1e3 * fields.T), "field (mT)").save(folder / "catheter_steering.svg")
    print(folder / "catheter_steering.svg")


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out")
    out.mkdir(parents=True, exist_ok=True)
    main(out)
