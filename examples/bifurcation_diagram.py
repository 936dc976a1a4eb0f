"""A magnetised rod that a field against its magnetisation buckles: all branches, and where they are stable.

A clamped rod of length L with bending stiffness EI, magnetisation M and area A buckles where M A B L^2/EI = pi^2/4.
usage: bifurcation_diagram.py [FOLDER]
"""
import pathlib
import sys

import numpy as np

import lodestone

LENGTH, DIAMETER, YOUNG, MAGNETISATION = 30e-3, 1e-3, 1.2e6, 80e3
UNIT = YOUNG * DIAMETER**2 / 16 / (MAGNETISATION * LENGTH**2)  # T, of the field where M A B L^2/EI = 1


def rod():
    scene = lodestone.Scene(title="Buckling in a field")
    scene.define(B="0 T")
    scene.solver(kind="static")
    scene.material("soft", young=YOUNG, poisson=0.45, density=1800, magnetisation=MAGNETISATION)
    scene.rod(name="rod", material="soft", section={"diameter": DIAMETER}, bonds=40, clamp=["start"],
              line={"from": [0, 0, 0], "to": [LENGTH, 0, 0]}, magnetisation_direction=[1, 0, 0])
    scene.field(uniform=["-B", 0, 0])
    scene.stage(name="hold", duration="1 s", set={"B": 0})
    return scene


def branch(sim, fields, side):
    """The deflection of the tip over the fields, from the last one back: a buckled rod unbends on its own branch."""
    tip, deflection = sim.node("rod.end"), []
    sim.set("B", fields[-1])
    sim.x[:, 1] += side * 0.2 * sim.x[:, 0] ** 2 / LENGTH  # pushed aside
    for b in fields[::-1]:
        sim.set("B", b)
        sim.solve()
        deflection.append(sim.x[tip, 1])
    return np.array(deflection[::-1])


def straight(sim, fields):
    """The square of the lowest frequency of the straight rod: negative where it is not stable."""
    squared = []
    for b in fields:
        sim.set("B", b)
        frequency = sim.modes(1)[0][0]
        squared.append(np.sign(frequency) * frequency**2)
    return np.array(squared)


def main(folder):
    loads = np.linspace(1.5, 5, 57)
    squared = straight(rod().simulation(), loads * UNIT)
    critical = np.interp(0, -squared, loads)
    print(f"the straight rod is stable up to {critical:.4f}, by theory {np.pi**2 / 4:.4f}")
    assert abs(critical / (np.pi**2 / 4) - 1) < 0.005
    plot = lodestone.Plot("A rod buckles in a field against its magnetisation", "M A B L²/EI", "deflection of the tip / L")
    stable = []
    for side in (1, -1):
        tips = branch(rod().simulation(), loads * UNIT, side) / LENGTH
        assert np.all(np.abs(tips[loads < 0.98 * critical]) < 1e-3) and np.all(side * tips[loads > 1.02 * critical] > 0.1)
        stable += [*tips, np.nan]  # a gap between the branches
    plot.line(2 * [*loads, np.nan], stable, "stable")
    plot.line(loads, np.where(loads > critical, 0, np.nan), "unstable")
    plot.save(folder / "bifurcation_diagram.svg")
    print(folder / "bifurcation_diagram.svg")


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out")
    out.mkdir(parents=True, exist_ok=True)
    main(out)
