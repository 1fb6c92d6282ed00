"""Comparison of a result with measured time histories of the same quantities.

The simulated values y are interpolated at the measured times by a piecewise cubic that is monotone between any two
instants, and therefore does not overshoot at jumps. With the measured values z at n times the differences are
d = y − z, and

    RMS difference = √(Σ d² / n),      r = Σ (y − ȳ)(z − z̄) / √(Σ (y − ȳ)² Σ (z − z̄)²)

r is the correlation coefficient; it is not defined if y or z is constant.

Source: [fritsch_butland], for the interpolation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.results.averages import is_increasing
from multiloop.analyses.results.output_curves import output_curves, outputs_of_result
from multiloop.analyses.results.table import columns_of_link, columns_of_marker, split_unit
from multiloop.model import (
    Fault,
    SolveError,
    SuggestsAttributes,
    UnknownNameError,
    count_text,
    implemented_in,
    name_text,
    suggestion,
)
from multiloop.model.expressions.units import UNITS, find_unit
from multiloop.model.faults import first_faults

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from multiloop.analyses.results.result import Result


@dataclass(frozen=True, eq=False)
class MeasuredTable:
    """Measured time histories: instants `time` in s, columns by title ("C.force_x [N]"), and the name of the source.

    Missing values are NaN.
    """

    source: str
    time: np.ndarray
    columns: Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class ComparedColumn:
    """One quantity, measured and simulated at the same times, in the unit of the measurement.

    `curve` are the simulated values at all instants of the result.
    """

    name: str
    unit: str
    time: np.ndarray
    measured: np.ndarray
    simulated: np.ndarray
    curve: np.ndarray

    @property
    def difference(self) -> np.ndarray:
        """Simulated minus measured values."""
        found: np.ndarray = self.simulated - self.measured
        return found

    @property
    def rms(self) -> float:
        """Root mean square of the differences."""
        return float(np.sqrt(np.mean(self.difference**2)))

    @property
    def largest(self) -> float:
        """The difference of largest magnitude, with its sign."""
        return float(self.difference[self._worst])

    @property
    def largest_time(self) -> float:
        """Time of the difference of largest magnitude, in s."""
        return float(self.time[self._worst])

    @property
    def _worst(self) -> int:
        return int(np.abs(self.difference).argmax())

    @property
    def correlation(self) -> float:
        """Correlation coefficient of measured and simulated values, −1 to 1; NaN if either is constant."""
        y, z = (part - part.mean() for part in (self.simulated, self.measured))
        size = float(np.sqrt((y @ y) * (z @ z)))
        varies = all(np.ptp(part) > 0 for part in (self.simulated, self.measured))
        return float(y @ z) / size if varies and size else float("nan")

    def __repr__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return (
            f"'{self.name}' at {count_text(len(self.time), 'measured instant')}: RMS difference {self.rms:.4g}{unit}, "
            f"largest {self.largest:.4g}{unit} at t = {self.largest_time:.6g} s, "
            f"correlation {self.correlation:.4f}."
        )


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(SuggestsAttributes):
    """A result compared with measured time histories; `comparison["C.force_x"]` is a `ComparedColumn`.

    `source` names the measurement, `shift` is the time added to the measured times (s), and `outside` the number of
    measured instants outside the time span of the result, which are not compared.
    """

    result: Result
    source: str
    columns: Mapping[str, ComparedColumn]
    shift: float = 0.0
    outside: int = 0

    @implemented_in("multiloop.view", "plot_comparison")
    def plot(self, *, path: str | Path | None = None) -> Figure:
        """Plot every compared quantity over time, simulated as a line and measured as points, one panel for each.

        With `path` the picture is saved. Nothing is shown on a screen.
        """
        raise NotImplementedError

    def __getitem__(self, name: str) -> ComparedColumn:
        if name not in self.columns:
            mechanism = self.result.mechanism.name
            raise UnknownNameError(
                mechanism, "compared column", name_text(name), suggestion(name, self.columns)
            )
        return self.columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row for every column: unit, number of compared instants, and the measures of the difference."""
        import pandas as pd

        rows = {
            name: {
                "unit": one.unit,
                "instants": len(one.time),
                "rms": one.rms,
                "largest": one.largest,
                "largest_time": one.largest_time,
                "correlation": one.correlation,
            }
            for name, one in self.columns.items()
        }
        return pd.DataFrame.from_dict(rows, orient="index")

    def __repr__(self) -> str:
        outside = (
            f"; {count_text(self.outside, 'measured instant')} outside the result" if self.outside else ""
        )
        shift = f"; measured times shifted by {self.shift:g} s" if self.shift else ""
        width = max(len("column"), *(len(name) for name in self.columns))
        broad = max(len("unit"), *(len(one.unit) for one in self.columns.values()))
        lines = [
            f"'{self.result.mechanism.name}' compared with {self.source}{shift}{outside}.",
            f"{'column':<{width}}  {'unit':<{broad}}  instants  RMS difference  largest difference      t (s)  "
            "correlation",
        ]
        lines += [
            f"{name:<{width}}  {one.unit:<{broad}}  {len(one.time):8d}  {one.rms:14.6g}  {one.largest:18.6g}  "
            f"{one.largest_time:9.4f}  {one.correlation:11.4f}"
            for name, one in self.columns.items()
        ]
        return "\n".join(lines)


def compare(result: Result, measured: MeasuredTable, shift: float = 0.0) -> Comparison:
    """The comparison of a result with measured time histories; `shift` (s) is added to the measured times.

    A column without a quantity of its name, or with a unit of another quantity, raises an error.
    """
    if len(result.time) < 2 or not is_increasing(result.time):
        what = "needs a result with several instants in increasing order."
        raise analysis_error(result.mechanism, "R10", "compare", what, "Compute the result over a time span.")
    simulated, found = _Simulated(result), dict[str, ComparedColumn]()
    t = measured.time + shift
    begin, end = float(result.time[0]), float(result.time[-1])
    slack = 1e-9 * (end - begin)
    inside = (t >= begin - slack) & (t <= end + slack)
    if not inside.any():
        what = f"has its instants from {t.min():g} to {t.max():g} s, outside the result from {begin:g} to {end:g} s."
        raise analysis_error(
            result.mechanism, "R10", measured.source, what, "Give `shift`, or compute the result there."
        )
    faults: list[Fault] = []
    for title, values in measured.columns.items():
        name, unit = split_unit(title)
        if name in found:
            fault = Fault("R10", f"column '{title}'", f"gives '{name}' again.", "Give every quantity once.")
            faults.append(fault)
            continue
        try:
            own, curve = simulated.in_unit(title, name, unit)
            known = inside & np.isfinite(values) & _between_finite(result.time, curve, t)
            times = np.clip(t[known], begin, end)
            if not known.any():
                what = "has no value within the time span of the result."
                raise analysis_error(result.mechanism, "R10", f"column '{title}'", what, "Leave it out.")
        except (SolveError, UnknownNameError) as error:
            faults += error.faults
            continue
        at_times = _interpolated(result.time, curve, times)
        found[name] = ComparedColumn(name, own, times, values[known], at_times, curve)
    if faults:
        raise SolveError(f"mechanism '{result.mechanism.name}'", first_faults(faults))
    return Comparison(result, measured.source, found, shift, int(np.sum(~inside)))


def _between_finite(time: np.ndarray, values: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Mask of the times `at` between two instants with finite values, at which values may be interpolated."""
    finite = np.isfinite(values)
    after = np.clip(np.searchsorted(time, at), 1, len(time) - 1)
    found: np.ndarray = finite[after - 1] & finite[after]
    return found


def _interpolated(time: np.ndarray, values: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Values at other times, each between two instants with finite values."""
    from scipy.interpolate import PchipInterpolator

    known = np.isfinite(values)
    found: np.ndarray = PchipInterpolator(time[known], values[known])(at)
    return found


@dataclass(frozen=True, eq=False)
class _Simulated:
    """Simulated time histories by the names of measured columns."""

    result: Result

    @cached_property
    def _tabulated(self) -> dict[str, tuple[str, np.ndarray]]:
        """Unit and values of every column of the table, by its name without unit."""
        table = self.result.to_table()
        parts = ((*split_unit(title), table[title].to_numpy(float)) for title in table)
        return {name: (unit, values) for name, unit, values in parts}

    def in_unit(self, title: str, name: str, unit: str) -> tuple[str, np.ndarray]:
        """Unit of the measurement and the simulated values of a column in this unit; without a unit, in SI units."""
        own, values = self._values(title, name)
        known = find_unit(own) if own else None
        if not unit and known is not None:
            unit = next(one for one, size in UNITS[known[0]].items() if size == 1.0)
        if {unit, own} <= {"", "1"} or not unit or unit.replace(" ", "") == own.replace(" ", ""):
            return own, values
        asked = find_unit(unit)
        if asked is None or known is None or asked[0] != known[0]:
            raise self._unit_error(title, unit, own)
        return unit, values * (UNITS[known[0]][known[1]] / UNITS[asked[0]][asked[1]])

    def _unit_error(self, title: str, unit: str, own: str) -> SolveError:
        """The error for a column whose unit is unknown, or a unit of another quantity than `own`, the simulated one."""
        asked, known = find_unit(unit), find_unit(own) if own else None
        measured = f"the unit {unit} of {asked[0]}" if asked else f"the unknown unit '{unit}'"
        simulated = f"a {known[0]} in {own}" if known else f"in {own}" if own else "a number without unit"
        remedy = (
            f"Use one of: {', '.join(UNITS[known[0]])}."
            if known
            else f"Give it in {own}."
            if own
            else "Omit the unit."
        )
        what = f"has {measured}, but the quantity is {simulated}."
        return analysis_error(self.result.mechanism, "R10", f"column '{title}'", what, remedy)

    def _values(self, title: str, name: str) -> tuple[str, np.ndarray]:
        """Unit and values of a quantity, looked up in the table, then among the outputs, then along markers and
        flexible bodies."""
        if name in self._tabulated:
            return self._tabulated[name]
        for columns in (self._of_output, self._of_marker, self._of_link):
            found = columns(name)
            if name in found:
                return found[name]
        raise self._unknown(title, name)

    def _of_output(self, name: str) -> dict[str, tuple[str, np.ndarray]]:
        try:
            curves = output_curves(self.result, name)
        except UnknownNameError:
            return {}
        if len(curves) > 1:
            what = f"names a vector of {len(curves)} entries."
            remedy = f"Give one column for each: {', '.join(curves[0].output.entries)}."
            raise analysis_error(self.result.mechanism, "R10", f"column '{name}'", what, remedy)
        return {name: (curves[0].unit, curves[0].values)}

    def _of_marker(self, name: str) -> dict[str, tuple[str, np.ndarray]]:
        body, _, rest = name.partition(".")
        marker = f"{body}.{rest.partition('.')[0]}"
        known = {one.name: one.marker_names for one in self.result.mechanism.all_bodies}
        if marker.partition(".")[2] not in known.get(body, ()):
            return {}
        return _by_name(columns_of_marker(self.result, marker))

    def _of_link(self, name: str) -> dict[str, tuple[str, np.ndarray]]:
        body = name.partition(".")[0]
        return _by_name(columns_of_link(self.result, body)) if body in self.result.links else {}

    def _unknown(self, title: str, name: str) -> UnknownNameError:
        """The error for a column whose name is unknown; it names the nearest quantity."""
        outputs = outputs_of_result(self.result).values()
        known = list(dict.fromkeys([*self._tabulated, *(entry for one in outputs for entry in one.entries)]))
        owner = name.partition(".")[0]
        of_owner = [one for one in known if one.startswith(f"{owner}.")]
        mechanism = self.result.mechanism.name
        return UnknownNameError(
            mechanism, "quantity of the column", title, suggestion(name, of_owner or known)
        )


def _by_name(columns: Iterator[tuple[str, str, np.ndarray]]) -> dict[str, tuple[str, Any]]:
    """Unit and values of columns of a table, by their names without units."""
    parts = ((*split_unit(title), values) for _, title, values in columns)
    return {name: (unit, values) for name, unit, values in parts}
