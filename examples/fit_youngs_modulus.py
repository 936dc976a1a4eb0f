"""Young's modulus of a soft rod from the curve in which it sags under its weight.

The measured curve here was made up: a finer model at 0.83 MPa, with noise of 0.1 mm, seed 4. Put your own in `measured`.
usage: fit_youngs_modulus.py [FOLDER]
"""
import pathlib
import sys

import numpy as np

import lodestone


def rod(bonds):
    scene = lodestone.Scene(title="A rod that sags")
    scene.solver(kind="static")
    scene.material("silicone", young="1 MPa", poisson=0.48, density=1080)
    scene.rod(name="rod", material="silicone", section={"diameter": "3 mm"}, bonds=bonds, clamp=["start"],
              line={"from": [0, 0, 0], "to": ["100 mm", 0, 0]})
    scene.gravity(g=[0, 0, -9.81])
    scene.stage(name="hang", duration="1 s")
    return scene


def curve(scene, young):
    """The places of the nodes along the rod, (nodes, 2): x and z."""
    sim = scene.copy().set("material.silicone.young", young).simulation()
    sim.solve()
    return sim.x[:, ::2].copy()


def measured():
    """Ten points along the rod, (10, 2), in m, and their shares of its length."""
    share = np.linspace(0.1, 1, 10)
    exact = curve(rod(200), 0.83e6)[np.round(200 * share).astype(int)]
    return share, exact + np.random.default_rng(4).normal(0, 1e-4, exact.shape)


def fit(scene, share, points, young=2e6):
    """Gauss and Newton's method in the logarithm of the modulus: E, its standard error and the curve that fits."""
    nodes = np.round(share * (len(curve(scene, young)) - 1)).astype(int)
    for _ in range(12):
        here = curve(scene, young)[nodes]
        slope = (curve(scene, young * 1.001)[nodes] - here).ravel() / 0.001
        step = slope @ (points - here).ravel() / (slope @ slope)
        young *= np.exp(np.clip(step, -1, 1))
        if abs(step) < 1e-6:
            break
    left = (points - curve(scene, young)[nodes]).ravel()
    error = young * np.sqrt(left @ left / (left.size - 1) / (slope @ slope))
    return young, error, curve(scene, young)


def main(folder):
    share, points = measured()
    young, error, best = fit(rod(40), share, points)
    print(f"E = {1e-6 * young:.4f} +- {1e-6 * error:.4f} MPa")
    assert abs(young - 0.83e6) < 3 * error + 0.002 * young
    plot = lodestone.Plot(f"Young's modulus from a curve: {1e-6 * young:.3f} MPa", "x (mm)", "z (mm)")
    plot.line(*(1e3 * curve(rod(40), 2e6).T), "first guess, 2 MPa").line(*(1e3 * best.T), "fitted")
    plot.points(*(1e3 * points.T), "measured").save(folder / "fit_youngs_modulus.svg")
    print(folder / "fit_youngs_modulus.svg")


if __name__ == "__main__":
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out")
    out.mkdir(parents=True, exist_ok=True)
    main(out)
