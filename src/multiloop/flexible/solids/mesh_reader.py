"""Script that reads one mesh file with meshio, in a separate process with limited memory and time.

    python -P mesh_reader.py PATH FORMAT BYTES SECONDS

meshio allocates arrays of the sizes that the header of a file states, decompresses without a limit and, in some
readers, does not terminate at an unexpected end of file. The process therefore limits its own memory and time. It
writes the data that a solid needs to its standard output: a line of JSON, then the arrays in NumPy's .npz format. This
file imports no other module of multiloop, so that the process starts quickly.
"""

from __future__ import annotations

import io
import json
import os
import sys
from typing import Any

import numpy as np

QUADRATIC_CELLS = ("hexahedron27", "hexahedron20", "tetra10")
"""Names of the supported solid elements in meshio."""

SURFACE_CELLS = ("triangle", "triangle6", "quad", "quad8", "quad9")


def named_faces(mesh: Any) -> dict[str, np.ndarray]:
    """Indices of the nodes of each named face of a meshio mesh.

    Named faces are node sets, sets of surface cells, and physical surfaces of Gmsh.
    """
    found: dict[str, list[np.ndarray]] = {}
    for name, nodes in (mesh.point_sets or {}).items():
        found.setdefault(name, []).append(np.asarray(nodes, int).ravel())
    for name, blocks in (mesh.cell_sets or {}).items():
        for block, chosen in zip(mesh.cells, blocks, strict=False):
            if block.type in SURFACE_CELLS and chosen is not None and len(chosen):
                found.setdefault(name, []).append(block.data[np.asarray(chosen, int)].ravel())
    tags = mesh.cell_data.get("gmsh:physical")
    for name, (tag, dimension) in (mesh.field_data or {}).items() if tags is not None else ():
        for block, own in zip(mesh.cells, tags, strict=True):
            if dimension == 2 and block.type in SURFACE_CELLS and (own == tag).any():
                found.setdefault(name, []).append(block.data[own == tag].ravel())
    return {
        str(name): np.unique(np.concatenate(parts))
        for name, parts in found.items()
        if not str(name).startswith("gmsh:")
    }


def _limit_resources(memory: int, seconds: int) -> None:
    """Limit the memory (bytes) and the processor time of this process, where the operating system supports it."""
    try:
        import resource
    except ImportError:  # Windows has no such limits; the parent process limits the time
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _mesh_bytes(path: str, file_format: str) -> bytes:
    """Read a mesh file and encode the output of this script.

    The output names the types of cells; the arrays follow if exactly one of the types is a quadratic solid element.
    """
    import meshio

    try:
        mesh = meshio.read(path, file_format=file_format)
    except SystemExit:  # raised by some readers of meshio for invalid content
        return _json_line(error="")
    except MemoryError:
        return _json_line(memory="too large")
    except Exception as error:  # meshio's readers raise errors of any type
        return _json_line(error=next(iter(str(error).strip().splitlines()), "") or type(error).__name__)
    kinds = [block.type for block in mesh.cells]
    if sum(kind in kinds for kind in QUADRATIC_CELLS) != 1:
        return _json_line(kinds=kinds)
    kind = next(kind for kind in QUADRATIC_CELLS if kind in kinds)
    faces = named_faces(mesh)
    held = io.BytesIO()
    arrays: dict[str, Any] = {f"face{k}": nodes for k, nodes in enumerate(faces.values())}
    np.savez(held, points=np.asarray(mesh.points, float), cells=mesh.cells_dict[kind], **arrays)
    return _json_line(kinds=kinds, faces=list(faces)) + held.getvalue()


def _json_line(**report: Any) -> bytes:
    return json.dumps(report).encode() + b"\n"


def main() -> None:
    """Read the mesh file named by the command-line arguments, and write its data to the standard output."""
    path, file_format, memory, seconds = sys.argv[1:]
    out = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)  # receives the error messages that meshio prints
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    _limit_resources(int(memory), int(seconds))
    try:
        answer = _mesh_bytes(path, file_format)
    except Exception as error:  # data that are inconsistent or too large
        answer = _json_line(error=f"{type(error).__name__}: {error}")
    with open(out, "wb") as file:
        file.write(answer)


if __name__ == "__main__":
    main()
