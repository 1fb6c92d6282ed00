"""Measured time histories from CSV files and pandas DataFrames.

A file has one header line with the titles of the columns, "time [s]" or "t [ms]" and titles such as "C.force_x [N]",
and one line for each instant. Columns are separated by commas, semicolons or tabs; where they are not separated by
commas, numbers may have a decimal comma. Empty cells are missing values; lines that begin with "#" are comments.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.analyses import Result
from multiloop.analyses.results.exchange import Comparison, MeasuredTable, compare, split_unit
from multiloop.io.atomic_file import as_path
from multiloop.io.files import read_text
from multiloop.model import Fault, ModelError, count_text, short_repr
from multiloop.model.expressions.expression import is_number
from multiloop.model.expressions.units import UNITS, find_unit
from multiloop.model.faults import first_faults

if TYPE_CHECKING:
    import pandas as pd

TIME_NAMES = ("time", "t")
"""Names of the column of the time, in lower case."""

SEPARATORS = ("\t", ";", ",")
"""Separators of columns; the first that occurs in the header line is used."""

NO_TIME = 'Add a column "time [s]".'
NO_ROWS = "Give one row for every measured instant."


def compare_measured(
    result: Result, measured: str | Path | pd.DataFrame, *, shift: float = 0.0
) -> Comparison:
    """The comparison of a result with measured time histories; the arguments are described in `Result.compare`."""
    import pandas as pd

    if not is_number(shift) or not np.isfinite(shift):
        fault = Fault("R10", "shift", f"is {short_repr(shift)}.", "Give a time in seconds.")
        raise ModelError("the comparison", [fault])
    if isinstance(measured, pd.DataFrame):
        return compare(result, _table_of_frame(measured), float(shift))
    return compare(result, _table_of_file(as_path(measured)), float(shift))


def _table_of_file(path: Path) -> MeasuredTable:
    """The time histories in a CSV file."""
    lines = [
        (number, line)
        for number, line in enumerate(read_text(path).lstrip("\ufeff").split("\n"), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if len(lines) < 2:
        raise _error(f"file '{path}'", [_fault("the file", "contains no measured values.", NO_ROWS)])
    separator = next((one for one in SEPARATORS if one in lines[0][1]), ",")
    rows = [next(csv.reader([line], delimiter=separator, skipinitialspace=True)) for _, line in lines]
    titles, body = [title.strip() for title in rows[0]], rows[1:]
    places = [f"line {number}" for number, _ in lines[1:]]
    wrong = [
        _fault(
            place,
            f"has {count_text(len(row), 'cell')} instead of {len(titles)}.",
            "Give one cell for every column.",
        )
        for place, row in zip(places, body, strict=True)
        if len(row) != len(titles)
    ]
    if wrong:
        raise _error(f"file '{path}'", wrong)
    cells = {k: [row[k].strip() for row in body] for k in range(len(titles))}
    if separator != ",":
        cells = {k: [cell.replace(",", ".") for cell in column] for k, column in cells.items()}
    return _table(f"file '{path}'", titles, list(cells.values()), places)


def _table_of_frame(frame: pd.DataFrame) -> MeasuredTable:
    """The time histories in a DataFrame; its index is the time if no column is and the index has a name of the time."""
    titles, columns = (
        [str(title) for title in frame.columns],
        [frame.iloc[:, k] for k in range(frame.shape[1])],
    )
    if not any(_is_time(title) for title in titles) and _is_time(str(frame.index.name)):
        titles, columns = [str(frame.index.name), *titles], [frame.index.to_series(), *columns]
    places = [f"row {k}" for k in range(len(frame))]
    if not places:
        raise _error("the DataFrame", [_fault("the DataFrame", "contains no measured values.", NO_ROWS)])
    return _table("the DataFrame", titles, [list(column) for column in columns], places)


def _table(
    source: str, titles: Sequence[str], columns: Sequence[Sequence[Any]], places: Sequence[str]
) -> MeasuredTable:
    """The time histories in columns of cells; all faults are reported together."""
    faults: list[Fault] = []
    found: dict[str, np.ndarray] = {}
    for title, cells in zip(titles, columns, strict=True):
        if title in found:
            faults.append(_fault(f"column '{title}'", "occurs twice.", "Give every column once."))
        found[title] = _numbers(title, cells, places, faults)
    times = [title for title in found if _is_time(title)]
    if len(times) != 1:
        names = " and ".join(f"'{title}'" for title in times)
        what = f"has {len(times)} columns of the time, {names}." if times else "has no column of the time."
        faults.append(_fault("the header", what, "Leave out all but one." if times else NO_TIME))
    elif len(found) == 1:
        faults.append(_fault("the header", "has no column besides the time.", "Add measured quantities."))
    if faults:
        raise _error(source, faults)
    time = found.pop(times[0]) * _seconds(source, times[0])
    for k in np.flatnonzero(~np.isfinite(time))[:1].tolist():
        fault = _fault(places[k], "has no time.", "Give the time of every measured instant.")
        raise _error(source, [fault])
    for k in np.flatnonzero(np.diff(time) <= 0)[:1].tolist():
        what = f"has the time {time[k + 1]:g} s, not later than {time[k]:g} s before."
        raise _error(source, [_fault(places[k + 1], what, "Give the instants in increasing order.")])
    return MeasuredTable(source, time, found)


def _numbers(title: str, cells: Sequence[Any], places: Sequence[str], faults: list[Fault]) -> np.ndarray:
    """The numbers in the cells of a column, NaN for empty ones; a fault for the first cell that is not a number."""
    values = np.full(len(cells), np.nan)
    for k, cell in enumerate(cells):
        try:
            values[k] = np.nan if _is_missing(cell) else float(cell)
            if np.isinf(values[k]):
                raise ValueError("infinite")
        except (TypeError, ValueError):
            what = f"has {short_repr(cell)} in {places[k]}, which is not a number."
            faults.append(_fault(f"column '{title}'", what, "Correct it, or leave the cell empty."))
            break
    return values


def _is_missing(cell: Any) -> bool:
    """Whether a cell is empty; pandas marks missing values of some columns by `pd.NA`."""
    return cell is None or type(cell).__name__ == "NAType" or (isinstance(cell, str) and not cell.strip())


def _is_time(title: str) -> bool:
    return split_unit(title)[0].lower() in TIME_NAMES


def _seconds(source: str, title: str) -> float:
    """The unit of the time column in s; s without a unit."""
    unit = split_unit(title)[1] or "s"
    found = find_unit(unit)
    if found is None or found[0] != "time":
        remedy = f"Use one of: {', '.join(UNITS['time'])}."
        raise _error(
            source, [_fault(f"column '{title}'", f"has '{unit}' instead of a unit of time.", remedy)]
        )
    return UNITS["time"][found[1]]


def _fault(where: str, what: str, remedy: str) -> Fault:
    return Fault("R10", where, what, remedy)


def _error(source: str, faults: Sequence[Fault]) -> ModelError:
    return ModelError(source, first_faults(faults))
