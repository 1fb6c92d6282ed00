"""Text summary of a result: the analysis, efforts and power of the drives, bearing loads, and accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import pi
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np

from multiloop.kinematics.skeleton import CLOSED
from multiloop.model.names import counted
from multiloop.model.unit_table import displayed, in_words, unsigned_zero
from multiloop.questions.answers.averages import rises, root_mean_square, time_mean
from multiloop.questions.answers.crank import crank_angle, crank_of
from multiloop.questions.answers.energy_balance import energy_balance
from multiloop.questions.answers.extremes import Extremes, extremes_of, noise_floor
from multiloop.questions.answers.impact import hardest_impact
from multiloop.questions.answers.undetermined import undetermined_note

if TYPE_CHECKING:
    from multiloop.questions.answers.result import Result

MOST = 10
"""Rows of a kind that are shown; large mechanisms have hundreds."""

WIDTH = 110
"""Characters per line."""

NOTHING = 1e-9
"""A mean below this part of the largest is round-off."""


def summary_of(result: Result) -> str:
    """The text: the largest values of `extremes()`, averages over time, warnings, and the residual of the loops."""
    found = extremes_of(result)
    told = (line for said in _trust(result) for line in wrap(said, WIDTH, subsequent_indent="  "))
    struck = wrap(hardest_impact(result.impacts), WIDTH, subsequent_indent="  ")
    parts = [_asked(result), _largest(found), _drives(result, found), struck, _energy(result), told]
    return "\n\n".join("\n".join(lines) for lines in map(list, parts) if lines)


def _asked(result: Result) -> Iterator[str]:
    begin, end = float(result.time[0]), float(result.time[-1])
    span = f"at {begin:g} s" if len(result.time) == 1 else f"from {begin:g} to {end:g} s"
    yield f"{result.mechanism.name}: {counted(len(result.time), 'instant')} {span}, by the {result.method} method."
    crank = crank_of(result.mechanism)
    if crank and end > begin:
        turned = np.degrees(crank_angle(result))
        speed = time_mean(result.time, result[crank].rate)
        first, last = (unsigned_zero(angle, 1) for angle in turned[[0, -1]])
        pace = f"{speed:.6g} rad/s ({speed * 30 / pi:.6g} rpm)"
        yield f"{crank} goes from {first:.1f}° to {last:.1f}°, on average at {pace}."


def _largest(found: Extremes) -> Iterator[str]:
    """The table of extremes with the first few of every kind."""
    kinds = dict.fromkeys(row.what for row in found)
    shown = [[row for row in found if row.what == kind] for kind in kinds]
    yield str(
        replace(found, rows=tuple(row for rows in shown for row in rows[:MOST]), doubt="", undetermined="")
    )
    left = [f"{len(rows) - MOST} more of {rows[0].what}" for rows in shown if len(rows) > MOST]
    if left:
        yield f"… and {', '.join(left)}: `extremes()` has all."


def _drives(result: Result, found: Extremes) -> Iterator[str]:
    """For every coordinate with an effort: its root mean square, the largest power and the mean power."""
    efforts = [row for row in found if row.what == "effort"][:MOST]
    width = max([len(row.joint) for row in efforts] + [len("joint")])
    turn = f"at {found.drive}" if found.drive else ""
    if efforts:
        heads = f"{'RMS effort':>12}        {'peak power':>12}      {'t (s)':>9}  {turn:<9}"
        yield f"{'joint':<{width}}  {heads}  mean power"
    for row in efforts:
        effort = result.effort_along(row.joint)
        power = effort * rate_along(result, row.joint)
        k = int(np.abs(power).argmax())
        rms = root_mean_square(result.time, effort)
        mean = time_mean(result.time, power)
        mean = mean if abs(mean) > NOTHING * abs(power[k]) else 0.0
        (rms, unit), (most, watts) = displayed(rms, row.unit), displayed(power[k], "W")
        mean, of_mean = displayed(mean, "W")
        angle = f"{unsigned_zero(np.degrees(crank_angle(result)[k]), 2):8.2f}°" if found.drive else " " * 9
        yield (
            f"{row.joint:<{width}}  {rms:12.6g} {unit:<6} {most:12.6g} {watts:<2}   "
            f"{unsigned_zero(result.time[k], 4):9.4f}  {angle}  {mean:10.6g} {of_mean}"
        )


def _energy(result: Result) -> Iterator[str]:
    """The energy balance, if work is taken or lost."""
    balance = energy_balance(result) if rises(result.time) else None
    if balance is not None and (balance.taken or balance.lost):
        yield from wrap(repr(balance), WIDTH, subsequent_indent="  ")


def _trust(result: Result) -> Iterator[str]:
    """Undetermined forces, sharing of efforts, residual of loops and energy, and the status."""
    left = undetermined_note(result)
    if left:
        yield f"{left}."
    if result.rule:
        yield f"{'Shared by' if result.rule.startswith('least') else 'By the rule'} {result.rule}."
    floor = noise_floor(result)
    force, moment = _size(result.shaking_force, floor["N"]), _size(result.shaking_moment, floor["N m"])
    yield f"Shaking force up to {in_words(force, 'N')}, moment up to {in_words(moment, 'N m')}."
    kept = f", energy kept to {result.energy_drift:.1e}" if result.work is not None else ""
    left_open = max(CLOSED, float(result.constraint_violation.max(initial=0.0)))
    yield f"Loops closed within {left_open:.0e}{kept}. Status: {result.status}."


def rate_along(result: Result, name: str) -> np.ndarray:
    """Rate of a coordinate, "joint" or "joint.component"."""
    joint, _, component = name.partition(".")
    rate: np.ndarray = result[joint].rate
    parts = result.mechanism.connection(joint).components(result.mechanism.planar)
    return rate if rate.ndim == 1 else rate[:, parts.index(component)]


def _size(values: np.ndarray, floor: float) -> float:
    """The largest magnitude; zero where it is round-off."""
    largest = float((np.abs(values) if values.ndim == 1 else np.linalg.norm(values, axis=1)).max())
    return largest if largest > floor else 0.0
