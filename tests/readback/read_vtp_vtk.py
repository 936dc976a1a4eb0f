#!/usr/bin/python3
"""Prints what VTK itself reads from a result file, for a test to compare.

read_vtp_vtk.py FRAME.vtp    (or GRID.vts) "name: width value value ..." for points, bonds, point/..., cell/..., "name= text"
read_vtp_vtk.py INDEX.xdmf   the same for each time step, names behind "frame number/"; exits with status 3 where this
                             VTK was built without XDMF (Debian's python3-vtk9 is, its python3-paraview is not)
"""

import os
import sys

try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLStructuredGridReader
except ImportError:
    sys.exit("VTK for Python is missing: apt-get install python3-vtk9")


def print_array(name, array):
    width = array.GetNumberOfComponents()
    values = vtk_to_numpy(array).ravel()
    words = [float(v).hex() for v in values] if values.dtype.kind == "f" else [str(int(v)) for v in values]
    print(f"{name}: {width} " + " ".join(words))


def print_data(data, before=""):
    if data.GetPoints() is not None:  # none at all where there are no nodes
        print_array(before + "points", data.GetPoints().GetData())
    print(f"{before}cells: 1 {data.GetNumberOfCells()}")
    pairs = []
    for i in range(data.GetNumberOfCells()):
        ids = data.GetCell(i).GetPointIds()
        pairs += [str(ids.GetId(k)) for k in range(ids.GetNumberOfIds())]
    print(f"{before}bonds: 2 " + " ".join(pairs))
    for where, attributes in (("node", data.GetPointData()), ("cell", data.GetCellData())):
        for i in range(attributes.GetNumberOfArrays()):
            print_array(f"{before}{where}/{attributes.GetArrayName(i)}", attributes.GetArray(i))


def print_vtp(path, reader):
    reader.SetFileName(path)
    reader.Update()
    if reader.GetErrorCode():
        sys.exit(f"VTK cannot read {path}")
    data = reader.GetOutput()
    print_data(data)
    orientation = data.GetPointData().GetArray("orientation")
    if orientation is not None:
        print("components=", "".join(orientation.GetComponentName(i) or "?" for i in range(4)))
    fields = data.GetFieldData()
    for i in range(fields.GetNumberOfArrays()):
        array = fields.GetAbstractArray(i)
        if array.GetDataTypeAsString() == "string":
            print(f"{array.GetName()}=", "|".join(array.GetValue(k) for k in range(array.GetNumberOfValues())))
        else:
            print_array(f"field/{array.GetName()}", array)


def print_xdmf(path):
    try:
        from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
    except ImportError:
        print("this VTK is built without XDMF")
        sys.exit(3)
    reader = vtkXdmfReader()
    reader.SetFileName(path)
    reader.UpdateInformation()
    information = reader.GetOutputInformation(0)
    times = information.Get(reader.GetExecutive().TIME_STEPS()) or ()
    print("frames: 1", len(times))
    for number, time in enumerate(times):
        print(f"{number}/time: 1", float(time).hex())
        reader.UpdateTimeStep(time)
        data = reader.GetOutputDataObject(0)
        if data.IsA("vtkMultiBlockDataSet"):
            data = data.GetBlock(0)
        print_data(data, f"{number}/")


READERS = {".vtp": vtkXMLPolyDataReader, ".vts": vtkXMLStructuredGridReader}
kind = os.path.splitext(sys.argv[1])[1]
if kind in READERS:
    print_vtp(sys.argv[1], READERS[kind]())
else:
    print_xdmf(sys.argv[1])
