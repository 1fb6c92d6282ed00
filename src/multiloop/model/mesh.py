"""Descriptions of the meshes of solids: a box, a file, or arrays packed into text."""

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
"""Maximal number of nodes of a mesh: the modes of a larger one do not fit into the memory of a workstation."""

LARGEST_MESH_FILE = 20_000_000
"""Maximal size of a mesh file in bytes; the largest meshes take 10 MB as text."""

MOST_UNPACKED = 32 * MOST_NODES * 8
"""Maximal size of a packed array in bytes: more than the 27 node numbers of one cell for every node."""

PACKED_CELLS = ("hexahedron27", "tetra10")
"""Cell types of packed meshes, by meshio's names."""

BOX_CELLS = ("hexahedron", "tetrahedron")
"""Cell types of a box."""


@dataclass(frozen=True)
class BoxMesh:
    """A box of quadratic elements along x, y and z; `corner` is the corner with the smallest coordinates.

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
    """A mesh file that meshio reads, with the digest of its content: a file that has changed is another mesh."""

    path: str
    digest: str = ""

    def __post_init__(self) -> None:
        """Without a digest that of the present file is taken; meshes are cached by their digest."""
        if not self.digest and isinstance(self.path, str):
            object.__setattr__(self, "digest", self.found_digest)

    @property
    def found_digest(self) -> str:
        """The digest of the present file; empty if it cannot be read."""
        try:
            return digest_of(read_regular_file(self.path, LARGEST_MESH_FILE))
        except (OSError, ValueError):  # ValueError: an invalid file name
            return ""


@dataclass(frozen=True)
class MeshArrays:
    """Packed arrays: points (n × 3), cells of one type (m × nodes, in VTK order), and nodes of named faces."""

    cell: str
    points: str
    cells: str
    faces: tuple[tuple[str, str], ...] = ()

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
        """Points, cells and nodes of faces as arrays."""
        return (
            unpacked(self.points),
            unpacked(self.cells),
            {name: unpacked(text) for name, text in self.faces},
        )


def digest_of(content: bytes) -> str:
    """The SHA-256 digest of the content of a file."""
    return hashlib.sha256(content).hexdigest()


Mesh = BoxMesh | MeshFile | MeshArrays
"""The description of a mesh."""


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

    (A `rectangle` has its width along z and its height along y.) By default it extends from x = 0 to its length and is
    centred in y and z; `corner` gives the corner with the smallest coordinates. Its faces are called x0, x1, y0, y1, z0
    and z1.
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
    """Faults of a box; `elements` and `corner` are the values as given, for the message."""
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
    """The entries of a list or an array; empty for anything else."""
    given = given.tolist() if isinstance(given, np.ndarray) else given
    return tuple(given) if isinstance(given, list | tuple) else ()


def packed_mesh(
    cell: str, points: np.ndarray, cells: np.ndarray, faces: Mapping[str, np.ndarray]
) -> MeshArrays:
    """The description of a mesh given by arrays."""
    named = tuple((name, packed(np.asarray(nodes, np.int32))) for name, nodes in faces.items())
    return MeshArrays(cell, packed(np.asarray(points, float)), packed(np.asarray(cells, np.int32)), named)


def packed(array: np.ndarray) -> str:
    """An array as text, without loss."""
    held = io.BytesIO()
    np.save(held, np.ascontiguousarray(array), allow_pickle=False)
    return base64.b64encode(zlib.compress(held.getvalue(), 9)).decode("ascii")


def unpacked(text: str) -> np.ndarray:
    """The array of a text, at most MOST_UNPACKED bytes; raises a ValueError that states the fault."""
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
    except Exception:  # the header is parsed as Python, which raises exceptions of many types
        raise ValueError(f"{brief(text, 30)} is not an array of NumPy") from None
    body = content[held.tell() :]
    if kind.kind not in "fiu" or any(side < 0 for side in shape) or prod(shape) * kind.itemsize != len(body):
        raise ValueError(f"an array of shape {brief(shape)}, {kind} has {len(body):,} bytes")
    found: np.ndarray = np.frombuffer(body, kind).reshape(shape, order="F" if by_columns else "C")
    return found
