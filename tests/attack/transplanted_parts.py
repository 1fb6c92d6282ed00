"""Further invalid files: parts of all types in mechanisms to which they do not belong, and invalid meshes.

File number n is always the same: its random numbers are drawn from the seed n. A file may come with a mesh file beside
it.
"""

import base64
import io
import json
import struct
import tempfile
import zlib
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random

import meshio
import numpy as np
import yaml
from attack.damaged_files import (
    NAMES,
    NUMBERS,
    SOURCES,
    VALUES,
    by_bytes,
    by_numbers,
    by_structure,
    by_tokens,
)

import multiloop as ml
from multiloop.flexible.solids.mesh_files import raw_mesh
from multiloop.model.solids.mesh import pack_array, pack_mesh

LISTS = ("bodies", "joints", "pairs", "drives", "actuators", "integrals", "loads")

MESH_SHARE = 0.04
"""The fraction of files with a mesh file, which a separate process reads."""

FORMATS = {
    ".msh": ({"file_format": "gmsh22", "binary": False}, {"file_format": "gmsh", "binary": True}),
    ".inp": ({},),
    ".vtu": ({"binary": False}, {"binary": True, "compression": "zlib"}),
    ".vtk": ({"binary": False}, {"binary": True}),
    ".bdf": ({},),
}
"""Endings of mesh files, and how meshio writes each."""

SHORT = """
kind: Mechanism
name: short
planar: true
bodies:
- {kind: ground, markers: {A: [0, 0], D: [300 mm, 0]}}
- {kind: rod, name: crank, length: 30 mm, mass: 0.1}
- {kind: plate, name: p, corners: {a: [0, 0], b: [0.1, 0], c: [0, 20 mm]}, mass: 0.2}
- {kind: beam, name: b, length: 0.2, section: {rectangle: [0.02, 0.006]}, E: 2.0e+11, density: 7800, modes: 2}
joints:
- {kind: Revolute, name: A, first: ground.A, second: crank.a}
- {kind: Revolute, name: B, first: crank.b, second: b.a}
- {kind: Revolute, name: C, first: b.b, second: p.a}
drives:
- {kind: Motion, of: A, profile: constant_speed(45 rpm)}
actuators:
- {kind: Actuator, joint: B, effort: -0.5 * rate("B"), limit: 20}
integrals:
- {kind: Integral, name: turned, of: rate("B"), start: 0}
"""
"""A handwritten file: short forms, units, an actuator and an integral."""


def solid(mesh):
    """A solid body of a mesh, and its mechanism, as plain data."""
    body = {"kind": "Solid", "name": "bar", "E": 2e11, "density": 7800.0, "mesh": mesh}
    body |= {"interfaces": {"a": {"x": 0.0}}, "modes": 2, "basis": "natural"}
    bodies = [{"kind": "Body", "name": "ground", "markers": {"A": [0, 0]}}, body]
    joints = [{"kind": "Revolute", "name": "A", "first": "ground.A", "second": "bar.a"}]
    return {"kind": "Mechanism", "name": "m", "planar": True, "bodies": bodies, "joints": joints}


@cache
def arrays(cell):
    """Points, cells and faces of a small box."""
    return raw_mesh(ml.box_mesh(0.3, 0.02, 0.01, elements=(2, 1, 1), cell=cell))


@cache
def mesh_content(ending, way):
    """A mesh file written by meshio."""
    raw = arrays("tetrahedron")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"m{ending}"
        meshio.Mesh(raw.points, {raw.kind: raw.cells}, point_sets={}).write(path, **FORMATS[ending][way])
        return path.read_bytes()


@cache
def pool():
    """Every part of every source, by the list that contains it."""
    found = {part: [] for part in LISTS}
    for build in SOURCES.values():
        data = ml.to_data(build())
        for part in LISTS:
            found[part] += data.get(part, [])
    return found


def new_file(number):
    """The ending of a file's name, its bytes, and the files beside it by their names."""
    draw = Random(f"transplanting {number}")
    if draw.random() < MESH_SHARE:
        return with_mesh_file(draw)
    damage = draw.choice((transplanted, transplanted, transplanted, by_packing, by_hand, *OLD))
    ending = draw.choice((".yaml", ".yaml", ".json"))
    if damage in OLD:
        return ending, damage(draw, draw.choice(NAMES), ending), {}
    return ending, damage(draw, ending), {}


OLD = (by_bytes, by_tokens, by_structure, by_numbers)


def transplanted(draw, ending):
    """A mechanism with parts of others, whose references are replaced by existing names."""
    data = deepcopy(ml.to_data(SOURCES[draw.choice(NAMES)]()))
    for _ in range(draw.randint(1, 4)):
        part = draw.choice(LISTS)
        if not pool()[part]:
            continue
        taken = deepcopy(draw.choice(pool()[part]))
        into = part if draw.random() < 0.9 else draw.choice(LISTS)
        for _ in range(draw.randint(0, 3)):
            _turn(draw, taken, data)
        data.setdefault(into, []).insert(draw.randint(0, len(data.get(into, []))), taken)
    return _written(draw, data, ending)


def _turn(draw, part, data):
    """One field of a part: it refers to an existing name, or contains an implausible number."""
    key = draw.choice(list(part))
    markers = [
        f"{body.get('name')}.{marker}"
        for body in data.get("bodies", [])
        for marker in (*_names_in(body.get("markers")), "origin", "com")
    ]
    names = [one.get("name") for part_ in LISTS for one in data.get(part_, []) if one.get("name")]
    if isinstance(part[key], str) and key != "kind":
        part[key] = draw.choice([*markers, *names, *names])
    elif isinstance(part[key], float):
        part[key] = draw.choice(NUMBERS)
    elif key == "kind":
        part[key] = draw.choice([one["kind"] for part_ in LISTS for one in pool()[part_]])
    else:
        part[key] = deepcopy(draw.choice(VALUES))


def _names_in(markers):
    return markers if isinstance(markers, dict) else ()


def by_packing(draw, ending):
    """A packed mesh with invalid text, invalid arrays, or arrays that are inconsistent with each other."""
    raw = arrays(draw.choice(("hexahedron", "tetrahedron")))
    mesh = pack_mesh(raw.kind, raw.points, raw.cells, dict(raw.faces))
    plain = {
        "cell": mesh.cell,
        "points": mesh.points,
        "cells": mesh.cells,
        "faces": list(map(list, mesh.faces)),
    }
    for _ in range(draw.randint(1, 3)):
        key = draw.choice(("points", "cells", "cells", "cell", "faces"))
        match draw.randrange(5):
            case 0 if isinstance(plain[key], str) and key != "cell":
                plain[key] = _torn_text(draw, plain[key])
            case 1 | 2:
                plain["points" if key == "points" else "cells"] = pack_array(_odd_array(draw, raw, key))
            case 3:
                plain[key] = deepcopy(draw.choice(VALUES))
            case 4:
                plain["faces"] = [
                    [draw.choice(("a", "", 3)), pack_array(_odd_array(draw, raw, "cells").ravel())]
                ]
    return _written(draw, solid(plain), ending)


def _torn_text(draw, text):
    """Damage to base64, to the compressed data, or to the NumPy array inside."""
    try:
        inside = base64.b64decode(text)
        plain = zlib.decompress(inside)
    except (ValueError, zlib.error):  # it is damaged already
        return text
    match draw.randrange(3):
        case 0:
            at = draw.randrange(len(text) + 1)
            return text[:at] + draw.choice(("", "A", "%", "====", "é")) + text[at + draw.randint(0, 30) :]
        case 1:
            content = bytearray(inside)
            content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
            return base64.b64encode(bytes(content)).decode()
        case _:
            content = bytearray(plain)
            at = draw.randrange(min(len(content), 160))
            content[at : at + 1] = draw.choice((b"", b"9", b"-", b"(", b"\0", b"1" * 30))
            return base64.b64encode(zlib.compress(bytes(content))).decode()


def _odd_array(draw, raw, key):
    """Points or cells with another shape, type or numbers."""
    found = (raw.points if key == "points" else raw.cells).copy()
    match draw.randrange(6):
        case 0:
            found = found[:, : draw.randrange(found.shape[1])]
        case 1:
            found = found[: draw.randrange(len(found) + 1)]
        case 2:
            flat = found.reshape(-1)
            for _ in range(draw.randint(1, 4)):
                flat[draw.randrange(len(flat))] = draw.choice((-1, 0, 5, 2**31 - 1, -(2**31)))
        case 3:
            found = found.astype(draw.choice(("f4", "f8", "i1", "i8", "u2", "c16", "bool", "U4")))
        case 4:
            found = found.astype(float)
            found.reshape(-1)[draw.randrange(found.size)] = draw.choice(
                (np.nan, np.inf, 1e300, 1e-300, -1e61)
            )
        case 5:
            found = found.ravel() if draw.random() < 0.5 else found[None]
    return found


def by_hand(draw, ending):
    """The handwritten mechanism with some of its words replaced."""
    lines = SHORT.splitlines()
    words = [
        "30 mm",
        "45 rpm",
        "-1 kg",
        "1e400 mm",
        "mm",
        "3 furlong",
        "rod",
        "plate",
        "beam",
        "Solid",
        "{}",
        "[]",
        "~",
    ]
    for _ in range(draw.randint(1, 4)):
        k = draw.randrange(1, len(lines))
        pieces = lines[k].split(" ")
        pieces[draw.randrange(len(pieces))] = draw.choice([*words, str(draw.choice(NUMBERS))])
        lines[k] = " ".join(pieces)
    return "\n".join(lines).encode()


def with_mesh_file(draw):
    """A mechanism with a mesh file that is damaged by bytes, by numbers or by size."""
    ending = draw.choice(list(FORMATS))
    content = bytearray(mesh_content(ending, draw.randrange(len(FORMATS[ending]))))
    for _ in range(draw.randint(1, 6)):
        at = draw.randrange(len(content) + 1)
        match draw.randrange(6):
            case 0 if at < len(content):
                content[at] ^= 1 << draw.randrange(8)
            case 1:
                content[at:at] = draw.choice(
                    (b"0", b"-", b"999999999", b"\n", b"*INCLUDE,INPUT=m\n", b"$End", b"<")
                )
            case 2:
                del content[at : at + draw.choice((1, 8, 100))]
            case 3:
                content[at : at + 8] = struct.pack("<q", draw.choice((-1, 0, 2**31, 2**62, 10**9)))
            case 4:
                content[at:at] = content[at : at + 200] * draw.choice((1, 3))
            case 5 if draw.random() < 0.3:
                del content[at:]
    name = (
        f"mesh{ending}"
        if draw.random() < 0.95
        else f"mesh{draw.choice(('.ele', '.node', '.xdmf', '.stl', ''))}"
    )
    data = solid(name if draw.random() < 0.5 else {"path": name})
    return ".yaml", yaml.safe_dump(data).encode(), {name: bytes(content)}


def _written(draw, data, ending):
    """The text of plain data."""
    if ending == ".json":
        return json.dumps(data, default=str).encode()
    held = io.StringIO()
    yaml.safe_dump(data, held, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)
    return held.getvalue().encode("utf-8", "surrogatepass")
