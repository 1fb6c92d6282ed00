"""Printed summary of a result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import pi
from textwrap import wrap

import numpy as np

from multiloop.analyses.results.averages import is_increasing, root_mean_square, time_mean
from multiloop.analyses.results.effort_limits import rate_along
from multiloop.analyses.results.energy_balance import energy_balance
from multiloop.analyses.results.extremes import Extremes, crank_angle, crank_of, extremes_of, noise_floor
from multiloop.analyses.results.histories import hardest_impact
from multiloop.analyses.results.history_warnings import undetermined_note
from multiloop.analyses.results.result import Result
from multiloop.kinematics.tree import CLOSURE_TOLERANCE
from multiloop.model import count_text
from multiloop.model.expressions.units import in_display_unit, quantity_text, unsigned_zero

MOST = 10
"""Largest number of rows per quantity in the printed tables, since large mechanisms have hundreds of joints."""

WIDTH = 110
"""Number of characters per line of the summary."""

NOTHING = 1e-9
"""Fraction of the peak power below which the mean power counts as round-off."""


def summary_of(result: Result) -> str:
    """The summary as text: the largest values of `extremes()`, averages over time, warnings, and the residual of the
    loop closures."""
    found = extremes_of(result)
    quality = (line for text in _quality(result) for line in wrap(text, WIDTH, subsequent_indent="  "))
    impact = wrap(hardest_impact(result.impacts), WIDTH, subsequent_indent="  ")
    parts = [_heading(result), _largest(found), _drive_table(result, found), impact, _energy(result), quality]
    return "\n\n".join("\n".join(lines) for lines in map(list, parts) if lines)


def _heading(result: Result) -> Iterator[str]:
    """Lines with the mechanism, the instants, the method, and the turns and mean speed of the crank."""
    begin, end = float(result.time[0]), float(result.time[-1])
    span = f"at {begin:g} s" if len(result.time) == 1 else f"from {begin:g} to {end:g} s"
    yield f"{result.mechanism.name}: {count_text(len(result.time), 'instant')} {span}, by the {result.method} method."
    crank = crank_of(result.mechanism)
    if crank and end > begin:
        turned = np.degrees(crank_angle(result))
        speed = float(np.radians(turned[-1] - turned[0])) / (end - begin)
        first, last = (unsigned_zero(angle, 1) for angle in turned[[0, -1]])
        pace = f"{speed:.6g} rad/s ({speed * 30 / pi:.6g} rpm)"
        yield f"{crank} turns from {first:.1f}° to {last:.1f}°, on average at {pace}."


def _largest(found: Extremes) -> Iterator[str]:
    """The table of extremes with the first `MOST` rows of every quantity."""
    quantities = dict.fromkeys(row.what for row in found)
    shown = [[row for row in found if row.what == quantity] for quantity in quantities]
    yield str(
        replace(found, rows=tuple(row for rows in shown for row in rows[:MOST]), doubt="", undetermined="")
    )
    omitted = [f"{len(rows) - MOST} more of {rows[0].what}" for rows in shown if len(rows) > MOST]
    if omitted:
        yield f"… and {', '.join(omitted)}: `extremes()` lists all."


def _drive_table(result: Result, found: Extremes) -> Iterator[str]:
    """Table of efforts, one row per coordinate: root mean square, largest power and mean power."""
    efforts = [row for row in found if row.what == "effort"][:MOST]
    width = max([len(row.joint) for row in efforts] + [len("joint")])
    turn = f"at {found.drive}" if found.drive else ""
    if efforts:
        heads = f"{'RMS effort':>12}        {'peak power':>12}      {'t (s)':>9}  "
        yield f"{'joint':<{width}}  {heads}{f'{turn:<9}  ' if turn else ''}mean power"
    for row in efforts:
        effort = result.effort_along(row.joint)
        power = effort * rate_along(result, row.joint)
        k = int(np.abs(power).argmax())
        rms = root_mean_square(result.time, effort)
        mean = time_mean(result.time, power)
        mean = mean if abs(mean) > NOTHING * abs(power[k]) else 0.0
        (rms, unit), (most, watts) = in_display_unit(rms, row.unit), in_display_unit(power[k], "W")
        mean, of_mean = in_display_unit(mean, "W")
        angle = f"{unsigned_zero(np.degrees(crank_angle(result)[k]), 2):8.2f}°  " if found.drive else ""
        yield (
            f"{row.joint:<{width}}  {rms:12.6g} {unit:<6} {most:12.6g} {watts:<2}   "
            f"{unsigned_zero(result.time[k], 4):9.4f}  {angle}{mean:10.6g} {of_mean}"
        )


def _energy(result: Result) -> Iterator[str]:
    """Lines with the energy balance; none if no work is taken or lost."""
    balance = energy_balance(result) if is_increasing(result.time) else None
    if balance is not None and (balance.taken or balance.lost):
        yield from wrap(repr(balance), WIDTH, subsequent_indent="  ")


def _quality(result: Result) -> Iterator[str]:
    """Sentences on undetermined forces, the rule by which undetermined efforts are computed, shaking force and moment,
    residual of the loop closures, energy drift, and status."""
    undetermined = undetermined_note(result)
    if undetermined:
        yield f"{undetermined}."
    if result.rule:
        yield f"{'Shared by' if result.rule.startswith('least') else 'By the rule'} {result.rule}."
    floor = noise_floor(result)
    force, moment = _size(result.shaking_force, floor["N"]), _size(result.shaking_moment, floor["N m"])
    yield f"Shaking force up to {quantity_text(force, 'N')}, moment up to {quantity_text(moment, 'N m')}."
    errors = []
    if result.plan.cuts or result.mechanism.pairs:
        residual = max(CLOSURE_TOLERANCE, float(result.constraint_violation.max(initial=0.0)))
        errors.append(f"loops closed within {residual:.0e}")
    if result.work is not None:
        errors.append(f"relative energy drift {result.energy_drift:.1e}")
    accuracy = ", ".join(errors)
    yield f"{accuracy[:1].upper()}{accuracy[1:]}{'. ' if errors else ''}Status: {result.status}."


def _size(values: np.ndarray, floor: float) -> float:
    """The largest magnitude over time of a number or vector; zero if it is below `floor`, the limit of round-off."""
    largest = float((np.abs(values) if values.ndim == 1 else np.linalg.norm(values, axis=1)).max())
    return largest if largest > floor else 0.0
