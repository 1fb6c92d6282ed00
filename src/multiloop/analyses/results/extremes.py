"""Largest efforts, bearing loads, moments and deflections of a run with their instants and crank angles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from multiloop.analyses.results.history_warnings import undetermined_note
from multiloop.analyses.results.output_curves import unit_of
from multiloop.model import Mechanism, count_text, value_of
from multiloop.model.expressions.units import in_display_unit, quantity_text, unsigned_zero
from multiloop.model.loads.unilateral import SwitchingLoad

if TYPE_CHECKING:
    from multiloop.analyses.results.result import Result


def crank_of(mechanism: Mechanism) -> str:
    """Name of the first driven joint whose single coordinate is an angle; an empty string if there is no such joint."""
    turning = (
        motion.of
        for motion in mechanism.drives
        if not motion.on_marker and mechanism.joint(motion.of).turning(mechanism.planar) == (True,)
    )
    return next(turning, "")


def crank_angle(result: Result) -> np.ndarray:
    """The crank angle over time, in rad; zeros if the mechanism has no crank."""
    crank = crank_of(result.mechanism)
    angle: np.ndarray = result[crank].position if crank else np.zeros(len(result.time))
    return angle


ROUND_OFF = 1e-9
"""Fraction of the largest force below which forces count as round-off; for moments, fraction of the largest force
times the characteristic length."""

EXERTED = ("force", "normal", "effort", "torque", "moment")
"""Names of the quantities of a load that are exerted forces or moments."""


@dataclass(frozen=True)
class Extreme:
    """The value of a quantity with the largest magnitude over a run, its time, and the crank angle `drive` (rad).

    `joint` is the name of the joint, load, coupling or flexible link, and "joint.component" for an effort at a joint
    with several coordinates. `what` is the quantity, such as "load". `place` is given for flexible links only: metres
    from marker `a` along a beam, the index of a node for a solid. `determined` is false where equilibrium does not
    determine the quantity at some instant.
    """

    joint: str
    what: str
    value: float
    unit: str
    time: float
    drive: float
    place: float | None = None
    determined: bool = True


@dataclass(frozen=True, repr=False)
class Extremes:
    """Table of the largest efforts, bearing loads, moments, forces of one-sided loads and gears, and deflections.

    Bearing loads, moments and forces of one-sided loads are each sorted by size. `drive` names the crank. `doubt`
    contains the warnings of the result, and `undetermined` a sentence on forces that equilibrium does not determine;
    both are empty if there is nothing to report.
    """

    rows: tuple[Extreme, ...]
    drive: str
    doubt: str = ""
    undetermined: str = ""

    def __iter__(self) -> Iterator[Extreme]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> Extreme:
        return self.rows[place]

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        width = max([len(row.joint) for row in self.rows] + [len("joint")])
        turn = f"at {self.drive}" if self.drive else ""
        status = f"Status: {self.doubt}" if self.doubt else ""
        wide = max([len(row.what) for row in self.rows] + [8])
        lines = [
            f"{'joint':<{width}}  {'quantity':<{wide}} {'largest':>12}        {'t (s)':>9}  {turn}".rstrip()
        ]
        for row in self.rows:
            angle = f"{unsigned_zero(np.degrees(row.drive), 2):8.2f}°" if self.drive else ""
            value, unit = in_display_unit(row.value, row.unit)
            t, place = unsigned_zero(row.time, 4), _place_in_words(row.place)
            text = f"{row.joint:<{width}}  {row.what:<{wide}} {value:12.6g} {unit:<6} {t:9.4f}  {angle}"
            lines.append(f"{text}{place}{'' if row.determined else '  not determined'}".rstrip())
        return "\n".join([*lines, *(f"{note}." for note in (status, self.undetermined) if note)])


def extremes_of(result: Result) -> Extremes:
    """The table of the largest efforts, bearing loads, moments, forces of one-sided loads, and deflections of links.

    Efforts have one row per coordinate; moments are listed for joints that transmit one. A joint without constraints
    (`Free`) transmits no force, and therefore has no row for the bearing load.
    """
    mechanism = result.mechanism
    drive, angle = crank_of(mechanism), crank_angle(result)

    floor = noise_floor(result)

    def extreme(name: str, what: str, values: np.ndarray, unit: str, determined: bool) -> Extreme:
        values = np.where(np.abs(values) > floor[unit], values, 0.0)
        k = int(np.abs(values).argmax())
        drive_at = float(angle[k])
        return Extreme(
            name, what, float(values[k]), unit, float(result.time[k]), drive_at, determined=determined
        )

    efforts = []
    for name in result.joints:
        parts = mechanism.connection(name).components(mechanism.planar)
        for k, part in enumerate(parts):
            label = name if len(parts) == 1 else f"{name}.{part}"
            if np.abs(result.effort_along(label)).max() > 0:
                unit = unit_of(result, f"{name}.effort", k)
                known = "effort" not in result[name].undetermined
                efforts.append(extreme(label, "effort", result.effort_along(label), unit, known))
    loads, moments = [], []
    for name in bearings(result):
        determined, unit = not any(map(_is_force, result[name].undetermined)), unit_of(result, f"{name}.load")
        loads.append(extreme(name, "load", result[name].load, unit, determined))
    for name in joints_with_moments(result):
        determined = not any(map(_is_moment, result[name].undetermined))
        unit = unit_of(result, f"{name}.moment_size")
        moments.append(extreme(name, "moment", result[name].moment_size, unit, determined))
    teeth = [
        extreme(name, "teeth" if "radial" in one.values else "pull", one.tangential, "N", one.determined)
        for name, one in result.couplings.items()
        if "tangential" in one.values
    ]
    one_sided = [extreme(*one) for one in _one_sided_forces(result)]
    for rows in (loads, moments, one_sided):
        rows.sort(key=lambda row: -row.value)
    bent = [
        Extreme(name, one.what, one.value, one.unit, float(result.time[k]), float(angle[k]), one.place)
        for name, link in result.links.items()
        for one, k in ((peak, peak.instant) for peak in link.peaks)
    ]
    doubt = "" if result.status == "ok" else result.status
    return Extremes(
        (*efforts, *loads, *moments, *one_sided, *teeth, *bent), drive, doubt, undetermined_note(result)
    )


def _is_moment(component: str) -> bool:
    """Whether a component of a reaction is a moment."""
    return component.startswith("moment")


def _is_force(component: str) -> bool:
    """Whether a component of a reaction is a force; the effort of a joint is not."""
    return not _is_moment(component) and component != "effort"


def _place_in_words(place: float | None) -> str:
    """Text of a position on a flexible link: metres along a beam, or the index of a node of a solid; empty for None."""
    if place is None:
        return ""
    return f"  at node {place}" if isinstance(place, int) else f"  at {place:.3g} m"


def joints_with_moments(result: Result) -> tuple[str, ...]:
    """Names of the joints whose reaction moment exceeds round-off at some instant."""
    least = noise_floor(result)["N m"]
    return tuple(
        name
        for name, joint in result.joints.items()
        if any(_is_moment(component) for component, _ in result.plan.unique[name])
        and joint.moment_size.max(initial=0.0) > least
    )


def bearings(result: Result) -> tuple[str, ...]:
    """Names of the joints that have constraints; only such joints transmit a reaction."""
    return tuple(name for name in result.joints if result.plan.unique[name])


def _one_sided_forces(result: Result) -> Iterator[tuple[str, str, np.ndarray, str, bool]]:
    """For every rope, contact, stop and freewheel: name, "force" or "torque", magnitude over time, unit, and whether
    equilibrium determines the value at all instants.
    """
    for load in result.mechanism.all_loads:
        if isinstance(load, SwitchingLoad):
            history = result.loads[load.name]
            quantity = next(name for name in ("effort", "force") if name in history.values)
            values, unit = history.values[quantity], history.units[quantity]
            size = np.abs(values) if values.ndim == 1 else np.linalg.norm(values, axis=1)
            known = quantity not in history.undetermined
            yield load.name, "force" if unit == "N" else "torque", size, unit, known


def headline_of(result: Result) -> str:
    """One line of text: mechanism and method, time span, largest force, and the largest residual of loop closures if
    there are loops."""
    closed = ""
    if result.plan.cuts or result.mechanism.pairs:
        closed = f", loops closed to {result.constraint_violation.max(initial=0.0):.1e}"
    return (
        f"Result of '{result.mechanism.name}' by the {result.method} method: {count_text(len(result.time), 'instant')} "
        f"from {result.time[0]:g} to {result.time[-1]:g} s, {_largest_force(result)}{closed}"
    )


def _largest_force(result: Result) -> str:
    """Text with the largest bearing load, or, if no joint has constraints, the largest force of a unilateral load."""
    floor = noise_floor(result)["N"]
    loads = {name: float(result[name].load.max(initial=0.0)) for name in bearings(result)}
    one_sided = {
        name: float(size.max(initial=0.0))
        for name, _, size, unit, _ in _one_sided_forces(result)
        if unit == "N"
    }
    what, found = (
        ("bearing load", loads) if loads or not one_sided else ("force of a unilateral load", one_sided)
    )
    if not found:
        return "no bearing loads"
    name = max(found, key=lambda one: found[one])
    return f"largest {what} {quantity_text(found[name] if found[name] > floor else 0.0, 'N')} at '{name}'"


def noise_floor(result: Result) -> dict[str, float]:
    """Magnitudes below which forces ("N") and moments ("N m") of a result count as round-off."""
    return {unit: ROUND_OFF * size for unit, size in force_scales(result).items()}


def force_scales(result: Result) -> dict[str, float]:
    """Scales of force ("N") and moment ("N m"): the largest values over all joints, efforts, loads and weights.

    The scale of moments is at least that of forces times the characteristic length, and vice versa.
    """
    joints, length = result.joints.values(), result.plan.length
    forces = [_largest(values) for joint in joints for values in (joint.load, joint.effort_force)]
    moments = [_largest(joint.effort_moment) for joint in joints]
    for load in result.loads.values():
        for name in EXERTED:
            if name in load.values and load.units.get(name) in ("N", "N m"):
                (forces if load.units[name] == "N" else moments).append(_largest(load.values[name]))
    gravity = [value_of(part) or 0.0 for part in result.mechanism.gravity or ()]
    mass = sum(value_of(body.mass) or 0.0 for body in result.mechanism.moving)
    force, moment = max([*forces, mass * float(np.linalg.norm(gravity))]), max(moments, default=0.0)
    return {"N": max(force, moment / length), "N m": max(force * length, moment)}


def _largest(values: np.ndarray) -> float:
    """The largest magnitude in an array; 0 for an empty array."""
    return float(np.abs(values).max(initial=0.0))
