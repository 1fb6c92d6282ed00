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

from multiloop.model.faults import Fault, ModelError, short_repr
from multiloop.model.markers import product_text, scalar, value_of
from multiloop.model.modal_body import as_integer
from multiloop.model.serialise.bounded_input import read_regular_file

MAX_NODES = 100_000
"""Maximal number of nodes of a mesh: the modes of a larger one do not fit into the memory of a workstation."""

MAX_MESH_FILE_SIZE = 20_000_000
"""Maximal size of a mesh file in bytes; the largest meshes take 10 MB as text."""

MAX_ARRAY_BYTES = 32 * MAX_NODES * 8
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
        size, counts = product_text(self.size), product_text(self.elements)
        return f"Box of {size} m with corner {short_repr(self.corner)} m, {counts} elements ({self.cell})."


@dataclass(frozen=True)
class MeshFile:
    """A mesh file that meshio reads, with the digest of its content: a file that has changed is another mesh."""

    path: str
    digest: str = ""

    def __post_init__(self) -> None:
        """Without a digest that of the present file is taken; meshes are cached by their digest."""
        if not self.digest and isinstance(self.path, str):
            object.__setattr__(self, "digest", self.current_digest)

    @property
    def current_digest(self) -> str:
        """The digest of the present file; empty if it cannot be read."""
        try:
            return file_digest(read_regular_file(self.path, MAX_MESH_FILE_SIZE))
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
            unpack_array(self.points),
            unpack_array(self.cells),
            {name: unpack_array(text) for name, text in self.faces},
        )


def file_digest(content: bytes) -> str:
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
    box = BoxMesh(sides, tuple(map(as_integer, _entries(elements))), begin, cell)  # type: ignore[arg-type]
    faults = list(box_faults(box, elements, corner))
    if faults:
        raise ModelError("the box", faults)
    return box


def box_faults(box: BoxMesh, elements: Any = None, corner: Any = None) -> Iterator[Fault]:
    """Faults of a box; `elements` and `corner` are the values as given, for the message."""
    for name, side in zip(("length", "width", "height"), (*box.size, None, None, None), strict=False):
        if not isinstance(side, float) or not (value_of(side) or 0.0) > 0:
            yield Fault(
                "M16", f"its {name}", f"is {short_repr(side)}.", "Give a length above zero, in metres."
            )
    counts, shown = box.elements, short_repr(box.elements if elements is None else elements)
    if len(counts) != 3 or not all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in counts):
        remedy = "Give three whole numbers above zero, along x, y and z: (8, 1, 1)."
        yield Fault("M16", "its elements", f"are {shown}.", remedy)
    elif (nodes := prod(2 * n + 1 for n in counts)) > MAX_NODES:
        what = f"are {shown}, with {short_repr(nodes) if nodes > 1e15 else f'{nodes:,}'} nodes in all."
        yield Fault("M16", "its elements", what, f"Give fewer, for up to {MAX_NODES:,} nodes.")
    if len(box.corner) != 3 or any(value_of(c) is None for c in box.corner):
        shown = short_repr(box.corner if corner is None else corner)
        yield Fault("M16", "its corner", f"is {shown}.", "Give three numbers, in metres.")
    if not isinstance(box.cell, str) or box.cell not in BOX_CELLS:
        yield Fault("M16", "its cell", f"is {short_repr(box.cell)}.", 'Give "hexahedron" or "tetrahedron".')


def _entries(given: Any) -> tuple[Any, ...]:
    """The entries of a list or an array; empty for anything else."""
    given = given.tolist() if isinstance(given, np.ndarray) else given
    return tuple(given) if isinstance(given, list | tuple) else ()


def pack_mesh(
    cell: str, points: np.ndarray, cells: np.ndarray, faces: Mapping[str, np.ndarray]
) -> MeshArrays:
    """The description of a mesh given by arrays."""
    named = tuple((name, pack_array(np.asarray(nodes, np.int32))) for name, nodes in faces.items())
    return MeshArrays(
        cell, pack_array(np.asarray(points, float)), pack_array(np.asarray(cells, np.int32)), named
    )


def pack_array(array: np.ndarray) -> str:
    """An array as text, without loss."""
    held = io.BytesIO()
    np.save(held, np.ascontiguousarray(array), allow_pickle=False)
    return base64.b64encode(zlib.compress(held.getvalue(), 9)).decode("ascii")


def unpack_array(text: str) -> np.ndarray:
    """The array of a text, at most MOST_UNPACKED bytes; raises a ValueError that states the fault."""
    try:
        reading = zlib.decompressobj()
        content = reading.decompress(base64.b64decode(text, validate=True), MAX_ARRAY_BYTES)
    except (ValueError, zlib.error):
        raise ValueError(f"{short_repr(text, 30)} is not compressed data") from None
    if not reading.eof:
        more = len(content) >= MAX_ARRAY_BYTES
        raise ValueError(
            f"an array has more than {MAX_ARRAY_BYTES:,} bytes" if more else "an array is cut off"
        )
    held = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(held)
        readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        shape, by_columns, kind = readers[version](held)
    except Exception:  # the header is parsed as Python, which raises exceptions of many types
        raise ValueError(f"{short_repr(text, 30)} is not an array of NumPy") from None
    body = content[held.tell() :]
    if kind.kind not in "fiu" or any(side < 0 for side in shape) or prod(shape) * kind.itemsize != len(body):
        raise ValueError(f"an array of shape {short_repr(shape)}, {kind} has {len(body):,} bytes")
    found: np.ndarray = np.frombuffer(body, kind).reshape(shape, order="F" if by_columns else "C")
    return found
