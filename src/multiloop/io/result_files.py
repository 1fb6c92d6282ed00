"""Results in files: a .csv table, or all quantities with names and units as netCDF."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from multiloop.io.atomic_file import atomic_file
from multiloop.io.refusals import path_of, refused

if TYPE_CHECKING:
    from multiloop.questions import Result


def write_result(
    result: Result,
    path: str | Path,
    *,
    markers: Sequence[str] | str = (),
    links: Sequence[str] | str = (),
) -> Path:
    """Write a result to a .csv file (the table of `to_table`) or to a .nc file (the `dataset`, netCDF).

    `markers` and `links` are those of `to_table`; a .nc file has no columns for them. An existing file of that name is
    replaced atomically and stays unchanged if writing fails. Returns the path.
    """
    path = path_of(path)
    ending = path.suffix.lower()
    if ending == ".csv":
        table = result.to_table(markers=markers, links=links)
        with atomic_file(path) as file:
            table.to_csv(file)
    elif ending == ".nc":
        if len(markers) or len(links):
            raise refused(path, "markers= and links= are columns of a table.", "Give a .csv file.")
        dataset = result.dataset
        with atomic_file(path) as file:
            dataset.to_netcdf(file, engine="scipy")
    else:
        raise refused(path, f"its ending '{path.suffix}' is not known.", "Give a .csv or a .nc file.")
    return path
