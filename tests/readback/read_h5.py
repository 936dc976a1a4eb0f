#!/usr/bin/python3
"""Prints an HDF5 frame or the field on a grid, as h5py reads it, for a test to compare.

read_h5.py FRAME.h5         every dataset: "name: width value value ..." (floats in hexadecimal), the root's
                            attributes: "name= text"
read_h5.py --index X.xdmf   the same for every frame an XDMF index refers to, found through the index alone, names
                            behind "frame number/"; checks that stated extents and types are those of the file
"""

import os
import sys
import xml.etree.ElementTree as ElementTree

import h5py
import numpy as np

DTYPES = {("Float", "8"): np.float64, ("Int", "4"): np.int32, ("UChar", "1"): np.uint8}


def print_array(name, values):
    values = np.asarray(values)
    width = values.shape[1] if values.ndim == 2 else 1
    if values.dtype.kind == "f":
        words = [float(v).hex() for v in values.ravel()]
    else:
        words = [str(int(v)) for v in values.ravel()]
    print(f"{name}: {width} " + " ".join(words))


def print_frame(path):
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: print_array(name, item) if isinstance(item, h5py.Dataset) else None)
        for name, value in file.attrs.items():
            print(f"{name}= {repr(value.decode()) if isinstance(value, bytes) else repr(value.item())}")
        for name in ("node/velocity", "point/B"):
            if name in file:
                print(f"unit of {name.split('/')[1]}= {file[name].attrs['unit'].decode()}")


def resolve(item, folder):
    name, dataset = item.text.strip().rsplit(":", 1)
    with h5py.File(os.path.join(folder, name), "r") as file:
        values = file[dataset][()]
    extents = tuple(int(n) for n in item.get("Dimensions").split())
    if values.shape != extents:
        sys.exit(f"{item.text}: extents {values.shape}, the index says {extents}")
    if values.dtype != DTYPES[item.get("NumberType"), item.get("Precision")]:
        sys.exit(f"{item.text}: type {values.dtype}, the index says otherwise")
    return values


def print_index(path):
    folder = os.path.dirname(path)
    collection = ElementTree.parse(path).getroot().find("Domain/Grid")
    if collection.get("CollectionType") != "Temporal":
        sys.exit("not a temporal collection")
    grids = collection.findall("Grid")
    print("frames: 1", len(grids))
    for number, grid in enumerate(grids):
        print(f"{number}/time: 1", float(grid.find("Time").get("Value")).hex())
        print(f"{number}/cells: 1", grid.find("Topology").get("NumberOfElements"))
        if grid.find("Topology/DataItem") is not None:
            print_array(f"{number}/bonds", resolve(grid.find("Topology/DataItem"), folder))
        print_array(f"{number}/points", resolve(grid.find("Geometry/DataItem"), folder))
        for attribute in grid.findall("Attribute"):
            where = attribute.get("Center").lower()
            print_array(f"{number}/{where}/{attribute.get('Name')}", resolve(attribute.find("DataItem"), folder))


if sys.argv[1] == "--index":
    print_index(sys.argv[2])
else:
    print_frame(sys.argv[1])
