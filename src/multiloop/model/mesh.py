"""Meshes of solid links as they are described: a box, a file, or arrays packed into text."""

from __future__ import annotations

import base64
import hashlib
import io
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from multiloop.model.beam_fields import as_whole
from multiloop.model.bounded_file import read_regular_file
from multiloop.model.brief import brief
from multiloop.model.faults import Fault, ModelError
from multiloop.model.markers import scalar, value_of
from multiloop.model.numbers_in_words import product_in_words

MOST_NODES = 100_000
"""Nodes of a mesh: the modes of a larger one do not fit into the memory of a workstation."""

LARGEST_MESH_FILE = 20_000_000
"""Bytes of a mesh file that is read; the largest meshes take 10 MB as text."""

MOST_UNPACKED = 32 * MOST_NODES * 8
"""Bytes of a packed array: 27 nodes of a cell, with room to spare, for every node."""

PACKED_CELLS = ("hexahedron27", "tetra10")
"""Cells of packed meshes, by meshio's names."""

BOX_CELLS = ("hexahedron", "tetrahedron")
"""What a box may be made of."""


@dataclass(frozen=True)
class BoxMesh:
    """A box of quadratic elements along x, y and z; `corner` is where its coordinates are smallest.

    Its faces are called x0, x1, y0, y1, z0 and z1.
    """

    size: tuple[float, float, float]
    elements: tuple[int, int, int]
    corner: tuple[float, float, float]
    cell: str = "hexahedron"

    def __repr__(self) -> str:
        size, counts = product_in_words(self.size), product_in_words(self.elements)
        return f"Box of {size} m from {brief(self.corner)} m on, {counts} elements ({self.cell})."


@dataclass(frozen=True)
class MeshFile:
    """A file that meshio reads, with the digest of its content: a file that has changed is another mesh."""

    path: str
    digest: str = ""

    def __post_init__(self) -> None:
        """Without a digest the file is meant as it is now: a mesh is cached by it."""
        if not self.digest and isinstance(self.path, str):
            object.__setattr__(self, "digest", self.found_digest)

    @property
    def found_digest(self) -> str:
        """That of the file as it is now; empty where there is none to read."""
        try:
            return digest_of(read_regular_file(self.path, LARGEST_MESH_FILE))
        except (OSError, ValueError):  # ValueError: a name that cannot be one
            return ""


@dataclass(frozen=True)
class MeshArrays:
    """Points (n × 3) and cells (m × nodes, in the order of VTK) of one kind, and nodes of named faces, packed."""

    cell: str
    points: str
    cells: str
    faces: tuple[tuple[str, str], ...] = ()

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
        """All of it unpacked."""
        return (
            unpacked(self.points),
            unpacked(self.cells),
            {name: unpacked(text) for name, text in self.faces},
        )


def digest_of(content: bytes) -> str:
    """By which a file is known again."""
    return hashlib.sha256(content).hexdigest()


Mesh = BoxMesh | MeshFile | MeshArrays
"""A mesh as it is described."""


def box_mesh(
    length: float,
    width: float,
    height: float,
    *,
    elements: tuple[int, int, int] = (8, 1, 1),
    corner: tuple[float, float, float] | None = None,
    cell: str = "hexahedron",
) -> BoxMesh:
    """A box of quadratic elements: `length` along x, `width` along y, `height` along z.

    (A `rectangle` has its width along z and its height along y.) It reaches from x = 0 to its length, with y and z
    about their middle, unless its `corner` is given. Its faces are called x0, x1, y0, y1, z0 and z1.
    """
    sides = tuple(scalar(side) for side in (length, width, height))
    middle = (0.0, *(-side / 2 if isinstance(side, float) else 0.0 for side in sides[1:]))
    begin = middle if corner is None else tuple(map(scalar, _entries(corner)))
    box = BoxMesh(sides, tuple(map(as_whole, _entries(elements))), begin, cell)  # type: ignore[arg-type]
    faults = list(box_faults(box, elements, corner))
    if faults:
        raise ModelError("the box", faults)
    return box


def box_faults(box: BoxMesh, elements: Any = None, corner: Any = None) -> Iterator[Fault]:
    """What is wrong with a box; `elements` and `corner` as they were given, for the message."""
    for name, side in zip(("length", "width", "height"), (*box.size, None, None, None), strict=False):
        if not isinstance(side, float) or not (value_of(side) or 0.0) > 0:
            yield Fault("M16", f"its {name}", f"is {brief(side)}.", "Give a number of metres above zero.")
    counts, shown = box.elements, brief(box.elements if elements is None else elements)
    if len(counts) != 3 or not all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in counts):
        remedy = "Give three whole numbers above zero, along x, y and z: (8, 1, 1)."
        yield Fault("M16", "its elements", f"are {shown}.", remedy)
    elif (nodes := prod(2 * n + 1 for n in counts)) > MOST_NODES:
        what = f"are {shown}, with {brief(nodes) if nodes > 1e15 else f'{nodes:,}'} nodes in all."
        yield Fault("M16", "its elements", what, f"Give fewer, for up to {MOST_NODES:,} nodes.")
    if len(box.corner) != 3 or any(value_of(c) is None for c in box.corner):
        shown = brief(box.corner if corner is None else corner)
        yield Fault("M16", "its corner", f"is {shown}.", "Give three numbers of metres.")
    if not isinstance(box.cell, str) or box.cell not in BOX_CELLS:
        yield Fault("M16", "its cell", f"is {brief(box.cell)}.", 'Give "hexahedron" or "tetrahedron".')


def _entries(given: Any) -> tuple[Any, ...]:
    """The entries of a list or an array; none of anything else."""
    given = given.tolist() if isinstance(given, np.ndarray) else given
    return tuple(given) if isinstance(given, list | tuple) else ()


def packed_mesh(
    cell: str, points: np.ndarray, cells: np.ndarray, faces: Mapping[str, np.ndarray]
) -> MeshArrays:
    """Arrays as a description."""
    named = tuple((name, packed(np.asarray(nodes, np.int32))) for name, nodes in faces.items())
    return MeshArrays(cell, packed(np.asarray(points, float)), packed(np.asarray(cells, np.int32)), named)


def packed(array: np.ndarray) -> str:
    """An array as text, to the last bit."""
    held = io.BytesIO()
    np.save(held, np.ascontiguousarray(array), allow_pickle=False)
    return base64.b64encode(zlib.compress(held.getvalue(), 9)).decode("ascii")


def unpacked(text: str) -> np.ndarray:
    """The array of a text; no more than MOST_UNPACKED bytes are unpacked, and a ValueError says what is wrong."""
    try:
        reading = zlib.decompressobj()
        content = reading.decompress(base64.b64decode(text, validate=True), MOST_UNPACKED)
    except (ValueError, zlib.error):
        raise ValueError(f"{brief(text, 30)} is not compressed data") from None
    if not reading.eof:
        more = len(content) >= MOST_UNPACKED
        raise ValueError(f"an array has more than {MOST_UNPACKED:,} bytes" if more else "an array is cut off")
    held = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(held)
        readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        shape, by_columns, kind = readers[version](held)
    except Exception:  # the header is read as Python, which raises errors of many kinds
        raise ValueError(f"{brief(text, 30)} is not an array of NumPy") from None
    body = content[held.tell() :]
    if kind.kind not in "fiu" or any(side < 0 for side in shape) or prod(shape) * kind.itemsize != len(body):
        raise ValueError(f"an array of shape {brief(shape)}, {kind} has {len(body):,} bytes")
    found: np.ndarray = np.frombuffer(body, kind).reshape(shape, order="F" if by_columns else "C")
    return found
