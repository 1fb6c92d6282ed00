"""Deformed meshes in files for ParaView: one .vtu file per instant, and a .pvd file that lists them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

from multiloop.io.atomic_file import atomic_file
from multiloop.io.refusals import path_of
from multiloop.spatial.turns import moved_points

if TYPE_CHECKING:
    from multiloop.questions.answers.solid_links import SolidHistory


def write_deformed_meshes(
    link: SolidHistory, path: str | Path, *, times: Any = None, scale: float = 1.0
) -> list[Path]:
    """Write the deformed mesh to .vtu files, one per instant, and a .pvd file that lists them with their times.

    Nodes are in the inertial frame, with displacements magnified by `scale`; fields are `displacement` (in the body's
    axes, not magnified) and `von Mises stress`. Open the .pvd file in ParaView. Every file is written atomically, the
    .pvd last. Returns the paths.
    """
    path, found, listed = path_of(path), [], []
    instants = link.instants_at(times)
    path.parent.mkdir(parents=True, exist_ok=True)
    for number, k in enumerate(instants):
        moved = link.mesh.displacement(link.eta[[k]])
        places = moved_points(link.poses[[k]], link.points + scale * moved)[0]
        fields = {"displacement": moved[0], "von Mises stress": link.mesh.stress(link.eta[[k]])[0]}
        mesh = link.mesh.as_meshio(places, **fields)
        name = path.with_name(f"{path.stem}_{number:04d}.vtu")
        with atomic_file(name) as file:
            mesh.write(file)
        found.append(name)
        listed.append(f'<DataSet timestep="{float(link.time[k])!r}" file={quoteattr(name.name)}/>')
    collection, body = path.with_name(f"{path.stem}.pvd"), "\n".join(listed)
    with atomic_file(collection) as file:
        file.write_text(
            f'<VTKFile type="Collection" version="0.1">\n<Collection>\n{body}\n</Collection>\n</VTKFile>\n',
            encoding="utf-8",
        )
    return [*found, collection]
