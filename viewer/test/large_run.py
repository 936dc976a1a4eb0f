#!/usr/bin/python3
"""Writes the folder of a run of a million nodes, or of a fluid of 256 cubed cells, as far as its page reads it.

usage: large_run.py nodes|fluid DIR
"""
import json
import pathlib
import sys

import h5py
import numpy as np


def dataset(file, name, values, unit="1"):
    file.create_dataset(name, data=values).attrs["unit"] = np.bytes_(unit)


def attributes(file, number):
    file.attrs["time"] = np.float64(0.1 * number)
    file.attrs["step"] = np.int64(number)
    for name, text in {"format": "lodestone frame", "stage": "stage 1", "bodies": "rod"}.items():
        file.attrs.create(name, np.bytes_(text))


def write_nodes(path, number, count=1_000_000):
    """A coil of a single rod, which swells from frame to frame."""
    turn = np.linspace(0, 2000 * np.pi, count)
    place = np.stack([(1 + 0.1 * number) * np.cos(turn), np.sin(turn), np.linspace(0, 10, count)], axis=1)
    with h5py.File(path, "w") as f:
        attributes(f, number)
        dataset(f, "node/position", place, "m")
        dataset(f, "node/orientation", np.tile([1.0, 0, 0, 0], (count, 1)))
        for name in ("velocity", "spin", "force", "torque", "contact_force", "moment"):
            dataset(f, f"node/{name}", np.zeros((count, 3)))
        for name in ("contact_gap", "contacts", "mass"):
            dataset(f, f"node/{name}", np.zeros(count))
        dataset(f, "node/radius", np.full(count, 1e-3), "m")
        dataset(f, "node/body", np.zeros(count, np.int32))
        dataset(f, "bond/nodes", np.stack([np.arange(count - 1), np.arange(1, count)], axis=1).astype(np.int32))
        for part in ("stretch", "shear", "bend", "twist"):
            dataset(f, f"bond/energy_{part}", np.linspace(0, 1, count - 1))
            dataset(f, f"bond/strain_{part}", np.zeros(count - 1))
        dataset(f, "bond/broken", np.zeros(count - 1, np.uint8))


def write_fluid(path, number, cells=256):
    z, y, x = np.meshgrid(*3 * [np.linspace(0, 2 * np.pi, cells, dtype=np.float32)], indexing="ij")
    velocity = np.stack([np.sin(y + number), np.sin(z), np.sin(x)], axis=-1).reshape(-1, 3)
    with h5py.File(path, "w") as f:
        f.attrs["time"] = np.float64(number)
        f.attrs["spacing"] = np.float64(1e-3)
        f["grid/origin"] = np.zeros(3)
        f["grid/cells"] = np.array(3 * [cells], np.int32)
        f["cell/velocity"] = velocity
        f["cell/pressure"] = np.zeros(cells**3, np.float32)


def main(kind, folder):
    folder = pathlib.Path(folder)
    place = folder / ("frames" if kind == "nodes" else "fluid")
    place.mkdir(parents=True)
    log = [{"event": "started", "title": f"Many {kind}", "duration": 0.2}, {"event": "done"}]
    (folder / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in log))
    for number in range(3 if kind == "nodes" else 1):
        (write_nodes if kind == "nodes" else write_fluid)(place / f"{number:06}.h5", number)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("nodes", "fluid"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
