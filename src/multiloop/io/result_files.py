"""Files of results: tables as .csv, all quantities as netCDF, and deformed meshes as .vtu files for ParaView."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

from multiloop.io.atomic_file import as_path, atomic_file, file_error
from multiloop.io.result_archive import save_result
from multiloop.spatial import transform_points

if TYPE_CHECKING:
    from multiloop.analyses import Result
    from multiloop.analyses.results.histories.solid_history import SolidHistory


def write_result(
    result: Result,
    path: str | Path,
    *,
    markers: Sequence[str] | str = (),
    links: Sequence[str] | str = (),
) -> Path:
    """Write a result to a .csv or .nc file; the arguments are described in `Result.write`."""
    path = as_path(path)
    ending = path.suffix.lower()
    if ending == ".csv":
        table = result.to_table(markers=markers, links=links)
        with atomic_file(path) as file:
            table.to_csv(file)
    elif ending == ".nc":
        if len(markers) or len(links):
            raise file_error(path, "markers= and links= select columns of a .csv table.", "Give a .csv file.")
        save_result(result, path)
    else:
        raise file_error(
            path, f"the file extension '{path.suffix}' is unknown.", "Give a .csv or a .nc file."
        )
    return path


def write_deformed_meshes(
    link: SolidHistory, path: str | Path, *, times: Any = None, scale: float = 1.0
) -> list[Path]:
    """Write the deformed mesh of a flexible solid to .vtu and .pvd files, see `SolidHistory.write` for the
    arguments."""
    path, found, listed = as_path(path), [], []
    instants = link.instants_at(times)
    path.parent.mkdir(parents=True, exist_ok=True)
    for number, k in enumerate(instants):
        moved = link.mesh.displacement(link.eta[[k]])
        places = transform_points(link.poses[[k]], link.points + scale * moved)[0]
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
