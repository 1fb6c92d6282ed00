"""Descriptions of finite-element meshes of solids: a box, a mesh file, or arrays that are stored as text."""

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
"""Maximum number of nodes of a mesh: the modes of a larger mesh do not fit into the memory of a workstation."""

MAX_MESH_FILE_SIZE = 20_000_000
"""Maximum size of a mesh file in bytes; text files with MAX_NODES nodes have about 10 MB."""

MAX_ARRAY_BYTES = 32 * MAX_NODES * 8
"""Maximum size in bytes of an array that is stored as text, decoded: 32 numbers of 8 bytes for each of MAX_NODES nodes,
enough for the node numbers of as many cells with 27 nodes each."""

PACKED_CELLS = ("hexahedron27", "tetra10")
"""Types of the cells of meshes that are stored as arrays, by their names in meshio."""

BOX_CELLS = ("hexahedron", "tetrahedron")
"""Cell types of a box mesh."""


@dataclass(frozen=True)
class BoxMesh:
    """A mesh of a box with edges along x, y and z, of quadratic elements.

    `size` contains the lengths of its edges (m), `elements` the numbers of elements along each edge, and `corner` the
    corner with the smallest coordinates (m). The faces of the box are named x0, x1, y0, y1, z0 and z1.
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
    """A mesh file that meshio reads.

    `digest` is a hash of the content of the file; two files with different content are therefore different meshes.
    """

    path: str
    digest: str = ""

    def __post_init__(self) -> None:
        """Set the digest, by which meshes are cached, to that of the present file if it is not given."""
        if not self.digest and isinstance(self.path, str):
            object.__setattr__(self, "digest", self.current_digest)

    @property
    def current_digest(self) -> str:
        """The digest of the present content of the file; empty if the file cannot be read."""
        try:
            return file_digest(read_regular_file(self.path, MAX_MESH_FILE_SIZE))
        except (OSError, ValueError):  # a ValueError is raised for an invalid file name
            return ""


@dataclass(frozen=True)
class MeshArrays:
    """A mesh given by arrays, each stored as text.

    The arrays are the positions of the nodes (nodes × 3, in m), the node numbers of the cells of one type (cells ×
    nodes per cell, in VTK order), and the node numbers of named faces.
    """

    cell: str
    points: str
    cells: str
    faces: tuple[tuple[str, str], ...] = ()

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
        """Positions of the nodes, node numbers of the cells, and node numbers of every face, as arrays."""
        return (
            unpack_array(self.points),
            unpack_array(self.cells),
            {name: unpack_array(text) for name, text in self.faces},
        )


def file_digest(content: bytes) -> str:
    """The SHA-256 hash of the content of a file, as hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


Mesh = BoxMesh | MeshFile | MeshArrays
"""The description of a mesh: a box, a mesh file or arrays."""


def box_mesh(
    length: float,
    width: float,
    height: float,
    *,
    elements: tuple[int, int, int] = (8, 1, 1),
    corner: tuple[float, float, float] | None = None,
    cell: str = "hexahedron",
) -> BoxMesh:
    """A mesh of a box, of quadratic elements, with `length` along x, `width` along y and `height` along z (m).

    `elements` are the numbers of elements along x, y and z. By default the box extends from x = 0 to its length and is
    centred in y and z; otherwise `corner` is its corner with the smallest coordinates. Its faces are named x0, x1, y0,
    y1, z0 and z1. `cell` is the type of the elements, "hexahedron" or "tetrahedron". The axes differ from the section
    `rectangle`, which has its width along z and its height along y.
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
    """Faults of a box mesh; `elements` and `corner` are the user's values, which the messages quote."""
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
    """The entries of a list, tuple or array as a tuple; empty for other values."""
    given = given.tolist() if isinstance(given, np.ndarray) else given
    return tuple(given) if isinstance(given, list | tuple) else ()


def pack_mesh(
    cell: str, points: np.ndarray, cells: np.ndarray, faces: Mapping[str, np.ndarray]
) -> MeshArrays:
    """The `MeshArrays` of a mesh given by arrays of nodes, cells and faces."""
    named = tuple((name, pack_array(np.asarray(nodes, np.int32))) for name, nodes in faces.items())
    return MeshArrays(
        cell, pack_array(np.asarray(points, float)), pack_array(np.asarray(cells, np.int32)), named
    )


def pack_array(array: np.ndarray) -> str:
    """Convert an array to text without loss: NumPy's file format, compressed, in Base64."""
    held = io.BytesIO()
    np.save(held, np.ascontiguousarray(array), allow_pickle=False)
    return base64.b64encode(zlib.compress(held.getvalue(), 9)).decode("ascii")


def unpack_array(text: str) -> np.ndarray:
    """Convert text from `pack_array` to an array; raises a ValueError for invalid text or more than MAX_ARRAY_BYTES."""
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
    except Exception:  # NumPy parses the header as a Python literal, which raises exceptions of many types
        raise ValueError(f"{short_repr(text, 30)} is not an array of NumPy") from None
    body = content[held.tell() :]
    if kind.kind not in "fiu" or any(side < 0 for side in shape) or prod(shape) * kind.itemsize != len(body):
        raise ValueError(
            f"{len(body):,} bytes are not an array of numbers of shape {short_repr(shape)}, {kind}"
        )
    found: np.ndarray = np.frombuffer(body, kind).reshape(shape, order="F" if by_columns else "C")
    return found
