"""Meshes of solid links as they are described: a box, a file, or arrays packed into text."""

from __future__ import annotations

import base64
import hashlib
import io
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

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
    at = (0.0, -width / 2, -height / 2) if corner is None else corner
    x, y, z = (float(c) for c in at)
    along, across, up = (int(n) for n in elements)
    return BoxMesh((float(length), float(width), float(height)), (along, across, up), (x, y, z), cell)


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
