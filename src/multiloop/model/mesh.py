"""Meshes of solid links as they are described: a box, a file, or arrays packed into text."""

from __future__ import annotations

import base64
import hashlib
import io
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from multiloop.model.beam_fields import as_whole
from multiloop.model.brief import brief
from multiloop.model.expressions.expression import finite_number
from multiloop.model.faults import Fault, ModelError
from multiloop.model.markers import scalar, value_of
from multiloop.model.numbers_in_words import product_in_words

MOST_ELEMENTS = 100_000
"""Elements of a box: more than a computer holds the shapes of."""

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

    @property
    def found_digest(self) -> str:
        """That of the file as it is now; empty where there is none to read."""
        try:
            return hashlib.sha256(Path(self.path).read_bytes()).hexdigest()
        except OSError:
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
    sides = {"length": scalar(length), "width": scalar(width), "height": scalar(height)}
    counts, begin = (_three(given) for given in (elements, (0.0,) * 3 if corner is None else corner))
    faults = [
        Fault("M16", f"its {name}", f"is {brief(side)}.", "Give a number of metres above zero.")
        for name, side in sides.items()
        if not isinstance(side, float) or not 0 < (value_of(side) or 0.0) < float("inf")
    ]
    if len(counts) != 3 or not all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in counts):
        remedy = "Give three whole numbers above zero, along x, y and z: (8, 1, 1)."
        faults.append(Fault("M16", "its elements", f"are {brief(elements)}.", remedy))
    elif np.prod(counts, dtype=float) > MOST_ELEMENTS:
        what = f"are {brief(elements)}, {np.prod(counts, dtype=float):,.0f} in all."
        faults.append(Fault("M16", "its elements", what, f"Give no more than {MOST_ELEMENTS:,}."))
    if len(begin) != 3 or any(finite_number(c) is None for c in begin):
        faults.append(Fault("M16", "its corner", f"is {brief(corner)}.", "Give three numbers of metres."))
    if not isinstance(cell, str) or cell not in BOX_CELLS:
        remedy = 'Give "hexahedron" or "tetrahedron".'
        faults.append(Fault("M16", "its cell", f"is {brief(cell)}.", remedy))
    if faults:
        raise ModelError("the box", faults)
    size = tuple(float(side) for side in sides.values())
    at = (0.0, -size[1] / 2, -size[2] / 2) if corner is None else tuple(float(c) for c in begin)
    return BoxMesh(size, counts, at, cell)  # type: ignore[arg-type]


def _three(given: Any) -> tuple[Any, ...]:
    """The entries of a list, NumPy's numbers as Python's."""
    given = given.tolist() if isinstance(given, np.ndarray) else given
    return tuple(as_whole(entry) for entry in given) if isinstance(given, list | tuple) else ()


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
    """The array of a text."""
    found: np.ndarray = np.load(io.BytesIO(zlib.decompress(base64.b64decode(text))), allow_pickle=False)
    return found
