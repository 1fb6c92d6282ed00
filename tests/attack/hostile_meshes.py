"""Malicious mesh files and packed meshes, each with the expected error."""

import base64
import io
import os
import zlib

import numpy as np
import yaml

import multiloop as ml
from multiloop.flexible.solids.mesh_files import raw_mesh
from multiloop.model.solids.mesh import pack_array


def machine(mesh):
    """A mechanism file with one solid body of this mesh."""
    solid = {"kind": "Solid", "name": "bar", "E": 2e11, "density": 7800.0, "mesh": mesh}
    solid |= {"interfaces": {"a": {"x": 0.0}}, "modes": 2, "basis": "natural"}
    bodies = [{"kind": "Body", "name": "ground", "markers": {"A": [0, 0]}}, solid]
    joints = [{"kind": "Revolute", "name": "A", "first": "ground.A", "second": "bar.a"}]
    data = {"kind": "Mechanism", "name": "m", "planar": True, "bodies": bodies, "joints": joints}
    return yaml.safe_dump(data)


def sound_arrays():
    raw = raw_mesh(ml.box_mesh(0.3, 0.02, 0.01, elements=(1, 1, 1)))
    return {"cell": "hexahedron27", "points": raw.points, "cells": raw.cells.astype(np.int32)}


def packed_mesh(**changed):
    """A packed mesh with some of its fields changed; arrays are packed."""
    given = sound_arrays() | changed
    return {
        name: pack_array(value) if isinstance(value, np.ndarray) else value for name, value in given.items()
    }


def compressed(content):
    return base64.b64encode(zlib.compress(content, 9)).decode()


def objects():
    held = io.BytesIO()
    np.save(held, np.array([{}, []], dtype=object), allow_pickle=True)
    return compressed(held.getvalue())


def header(shape):
    held = io.BytesIO()
    np.lib.format.write_array_header_1_0(held, {"descr": "<f8", "fortran_order": False, "shape": shape})
    return compressed(held.getvalue())


def with_node(value):
    cells = sound_arrays()["cells"].copy()
    cells[0, 0] = value
    return cells


def with_coordinate(value):
    points = sound_arrays()["points"].copy()
    points[0, 0] = value
    return points


PACKED = {
    "bad base64": (packed_mesh(points="%%%"), ("[M16]", "[T03]", "'%%%'")),
    "bad zlib": (packed_mesh(points="AAAA"), ("[M16]", "[T03]", "'AAAA'")),
    "no text": (packed_mesh(points=""), ("[M16]", "[T03]")),
    "not an array": (packed_mesh(points=compressed(b"x" * 100)), ("[M16]", "[T03]")),
    "a zip archive": (packed_mesh(points=compressed(b"PK\x03\x04" * 9)), ("[M16]", "[T03]")),
    "Python objects": (packed_mesh(points=objects()), ("[M16]", "[T03]", "(2,)")),
    "a bomb": (packed_mesh(points=compressed(bytes(10**8))), ("[M16]", "[T03]", "25,600,000")),
    "a huge header": (packed_mesh(points=header((10**9, 3))), ("[M16]", "[T03]", "(1000000000, 3)")),
    "a negative header": (packed_mesh(points=header((-1, 3))), ("[M16]", "[T03]", "(-1, 3)")),
    "cut off": (packed_mesh(points=pack_array(sound_arrays()["points"])[:-40]), ("[M16]", "[T03]")),
    "points in the plane": (
        packed_mesh(points=sound_arrays()["points"][:, :2]),
        ("[M16]", "[T03]", "(27, 2)"),
    ),
    "a number of points": (packed_mesh(points=np.array(1.0)), ("[M16]", "[T03]", "(1,)")),
    "a hole": (packed_mesh(points=with_coordinate(np.nan)), ("[M16]", "[T03]")),
    "far away": (packed_mesh(points=with_coordinate(1e300)), ("[M16]", "[T03]")),
    "no cells": (packed_mesh(cells=sound_arrays()["cells"][:0]), ("[M16]", "[T03]", "(0, 27)")),
    "short cells": (packed_mesh(cells=sound_arrays()["cells"][:, :26]), ("[M16]", "[T03]", "(1, 26)")),
    "real cells": (packed_mesh(cells=sound_arrays()["cells"] * 1.0), ("[M16]", "[T03]", "(1, 27)")),
    "a negative node": (packed_mesh(cells=with_node(-1)), ("[M16]", "[T03]", "-1", "26", "27")),
    "a node too many": (packed_mesh(cells=with_node(27)), ("[M16]", "[T03]", "1", "27")),
    "another cell": (packed_mesh(cell="tetra"), ("[M16]", "[T03]", "'tetra'")),
    "a negative node of a face": (
        packed_mesh(faces=[["a", pack_array(np.array([-1]))]]),
        ("[M16]", "[T03]", "-1", "'a'"),
    ),
    "a face of real numbers": (
        packed_mesh(faces=[["a", pack_array(np.array([0.5]))]]),
        ("[M16]", "[T03]", "(1,)", "'a'"),
    ),
    "a box of 1e10 elements": (
        {"size": [1.0, 1.0, 1.0], "elements": [100000, 100000, 1], "corner": [0.0, 0.0, 0.0]},
        ("[M16]", "[T03]", "(100000, 100000, 1)", "120,001,200,003"),
    ),
    "a huge box": (
        {"size": [1.0, 1.0, 1.0], "elements": [10**300, 1, 1], "corner": [0.0, 0.0, 0.0]},
        ("[M16]", "[T03]"),
    ),
    "a box without an end": (
        {"size": [float("inf"), 1.0, 1.0], "elements": [1, 1, 1], "corner": [0.0, 0.0, 0.0]},
        ("[M16]", "[T03]", "inf"),
    ),
}
"""By name: the mesh, and the expected parts of the error."""

VTK = "# vtk DataFile Version 3.0\nx\nASCII\nDATASET {}\n"
MSH = "$MeshFormat\n{} 0 8\n$EndMeshFormat\n"


def bomb_vtu():
    """A .vtu file of 1 MB whose points are 1 GB."""
    block = zlib.compress(bytes(10**9), 9)
    head = np.array([1, 10**9, 0, len(block)], np.uint32).tobytes()
    text = (base64.b64encode(head) + base64.b64encode(block)).decode()
    attributes = 'type="UnstructuredGrid" version="0.1" compressor="vtkZLibDataCompressor"'
    array = '<DataArray type="Float64" NumberOfComponents="3" format="binary">'
    piece = f'<Piece NumberOfPoints="1" NumberOfCells="1"><Points>{array}{text}</DataArray></Points></Piece>'
    return f"<VTKFile {attributes}><UnstructuredGrid>{piece}</UnstructuredGrid></VTKFile>"


FILES = {
    "an include": ("m.inp", "*NODE\n1,0,0,0\n*INCLUDE, INPUT=/dev/zero\n", ("[M16]", "[T03]")),
    "an include of itself": ("m.inp", "*Include,input=m.inp\n", ("[M16]", "[T03]")),
    "an endless file of Nastran": ("m.bdf", "CEND\nBEGIN BULK\n", ("[M16]", "[T03]", "3 s", "1")),
    "a generated set": (
        "m.inp",
        "*NODE\n1,0,0,0\n*NSET,NSET=a,GENERATE\n1,2000000000,1\n",
        ("[M16]", "[T03]"),
    ),
    "a huge tag": (
        "m.msh",
        MSH.format("2.2")
        + "$Nodes\n1\n2000000000 0 0 0\n$EndNodes\n$Elements\n1\n1 15 0 2000000000\n$EndElements\n",
        ("[M16]", "[T03]"),
    ),
    "a structured grid": (
        "m.vtk",
        VTK.format("STRUCTURED_POINTS") + "DIMENSIONS 5000 5000 5000\nORIGIN 0 0 0\nSPACING 1 1 1\n",
        ("[M16]", "[T03]"),
    ),
    "many points announced": (
        "m.vtk",
        VTK.format("UNSTRUCTURED_GRID") + "POINTS 100000000000 double\n0 0 0\n",
        ("[M16]", "[T03]"),
    ),
    "a bomb": ("m.vtu", bomb_vtu, ("[M16]", "[T03]")),
    "nested elements": ("m.vtu", lambda: "<a>" * 6_000_000, ("[M16]", "[T03]")),
    "an empty file": ("m.vtu", "", ("[M16]", "[T03]")),
    "empty files of TetGen": ("m.node", "", ("[M16]", "[T03]")),
    "cells of TetGen": ("m.ele", "", ("[M16]", "[T03]")),
    "another format": ("m.xdmf", "<Xdmf/>", ("[M16]", "[T03]")),
    "more than is read": ("m.inp", lambda: "*" * 20_000_001, ("[M16]", "[T03]", "20")),
    "no name": ("m\0.inp", None, ("[M16]", "[T03]")),
}
"""By name: the file's name, its content, and the expected parts of the error."""

ODD = {
    "a device": (lambda path: path.symlink_to("/dev/zero"), ("[M16]", "[T03]")),
    "a pipe": (os.mkfifo, ("[M16]", "[T03]")),
    "a folder": (lambda path: path.mkdir(), ("[M16]", "[T03]")),
    "a sparse file": (lambda path: sparse(path, 200 * 10**9), ("[M16]", "[T03]", "20")),
    "a broken link": (lambda path: path.symlink_to("nowhere"), ("[M16]", "[T03]")),
}
"""By name: a function that makes a special or very large file, and the expected parts of the error."""


def sparse(path, size):
    with path.open("wb") as file:
        file.truncate(size)


def write_case(folder, kind, name):
    """The mechanism file of a case, and its expected error."""
    path = folder / "m.yaml"
    if kind == "packed":
        mesh, expected = PACKED[name]
    elif kind == "file":
        file, content, expected = FILES[name]
        if content is not None:
            text = content() if callable(content) else content
            (folder / file).write_text(text, encoding="utf-8")
        mesh = file
    else:
        make, expected = ODD[name]
        make(folder / "odd.msh")
        mesh = "odd.msh"
    path.write_text(machine(mesh), encoding="utf-8")
    return path, expected


CASES = [
    (kind, name) for kind, cases in (("packed", PACKED), ("file", FILES), ("odd", ODD)) for name in cases
]
