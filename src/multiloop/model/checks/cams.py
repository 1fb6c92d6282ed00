"""Checks of cams and curves: values, cam law, curvature of the profile (undercut) and pressure angle."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, isfinite, tau
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.model.brief import brief
from multiloop.model.cam_outline import outline_of, pressure_angles
from multiloop.model.checks.numbers import scalar_faults
from multiloop.model.checks.swinging_cams import mounting_faults, swing_faults, swing_shape_faults
from multiloop.model.curves import Circle, Curve
from multiloop.model.expressions import Expression, depends_on_state, evaluate, lift, parameters_of
from multiloop.model.expressions.calculus import derivative
from multiloop.model.expressions.expression import is_number
from multiloop.model.expressions.text import shown
from multiloop.model.faults import Fault
from multiloop.model.markers import value_of
from multiloop.model.pairs import Cam
from multiloop.model.pairs.cam import FOLLOWERS

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

LAW = "Write it with `cam_angle`, e.g. 0.005 * (1 - cos(cam_angle)), or as a law of motion over it."

CURVES = "Give a Circle, a Curve, or spline(points)."

JOINED = 1e-9
"""Relative tolerance for the closing of a profile."""


def cam_faults(mechanism: Mechanism, where: str, cam: Cam) -> Iterator[Fault]:
    """Errors of the values of a cam; if these are valid, errors of the profile and of the mounting."""
    faults = [*_number_faults(where, cam), *_kind_faults(where, cam), *swing_faults(where, cam)]
    if not faults:
        made = (
            curve_faults(where, cam.profile)
            if cam.profile is not None
            else _law_faults(where, {"lift": cam.lift})
        )
        faults = [*made, *_rolling_faults(mechanism, where, cam)]
    faults = faults or list(swing_shape_faults(where, cam)) or list(_shape_faults(where, cam))
    yield from faults or mounting_faults(mechanism, where, cam)


def _number_faults(where: str, cam: Cam) -> Iterator[Fault]:
    for what in ("base", "roller", "offset"):
        yield from scalar_faults(where, f"its {what}", getattr(cam, what))
    if cam.pressure_limit is not None:
        yield from scalar_faults(where, "its pressure limit", cam.pressure_limit)
    base, roller = value_of(cam.base), value_of(cam.roller)
    if cam.lift is not None and base is not None and base <= 0:
        remedy = "Give the radius of the circle from which the follower is lifted, in metres."
        yield Fault("M13", where, f"its base is {base:g}.", remedy)
    if roller is not None and roller < 0:
        yield Fault("M13", where, f"its roller is {roller:g}.", "Give the radius of the roller in metres.")


def circle_faults(where: str, circle: Circle) -> Iterator[Fault]:
    """Errors of the radius and centre of a circle."""
    yield from scalar_faults(where, "the radius of its circle", circle.radius)
    for part in circle.centre:
        yield from scalar_faults(where, "the centre of its circle", part)
    radius = value_of(circle.radius)
    if radius is not None and radius <= 0:
        yield Fault("M13", where, f"the radius of its circle is {radius:g}.", "Give a radius in metres.")


def _kind_faults(where: str, cam: Cam) -> Iterator[Fault]:
    """Errors unless there is one profile and one type of follower."""
    if (cam.lift is None) == (cam.profile is None):
        both = "both a lift and a profile" if cam.profile is not None else "neither a lift nor a profile"
        remedy = "Give `lift` with `base`, or `profile`: Circle(...), spline(...) or Curve(...)."
        yield Fault("P20", where, f"has {both}.", remedy)
    elif cam.profile is not None and not isinstance(cam.profile, Circle | Curve):
        yield Fault("M12", where, f"its profile is {brief(cam.profile)}.", CURVES)
    elif isinstance(cam.profile, Curve) and not cam.profile.closed:
        yield Fault("P23", where, "its profile is an open curve.", "Give a closed one: closed=True.")
    elif cam.profile is not None and (cam.base != 0.0 or cam.offset != 0.0):
        spare = "base" if cam.base != 0.0 else "offset"
        yield Fault(
            "P20", where, f"has a {spare} beside its profile.", "These belong to a lift: leave it out."
        )
    if cam.follower not in FOLLOWERS:
        remedy = 'Choose "flat", "knife", or give the radius of a `roller`.'
        yield Fault("P21", where, f"its follower is {brief(cam.follower)}.", remedy)
    elif (cam.follower == "roller") != (value_of(cam.roller) != 0.0):
        size = value_of(cam.roller) or 0.0
        what = f"its follower is {cam.follower!r}, but its roller has the radius {size:g}."
        yield Fault("P21", where, what, "Give either a flat or knife follower, or the radius of a roller.")
    elif cam.flat and (cam.groove or (cam.offset != 0.0 and cam.pivot is None)):
        spare = "groove" if cam.groove else "offset"
        yield Fault("P21", where, f"a flat face has no {spare}.", "Leave it out, or take a roller.")


def curve_faults(where: str, curve: Any) -> Iterator[Fault]:
    """Errors of a circle, or of a curve whose expressions have no values or do not close."""
    if isinstance(curve, Circle):
        yield from circle_faults(where, curve)
    elif not isinstance(curve, Curve):
        yield Fault("M12", where, f"its curve is {brief(curve)}.", CURVES)
    elif not (is_number(curve.begin) and is_number(curve.end) and curve.begin < curve.end):
        what = f"its curve runs from {brief(curve.begin)} to {brief(curve.end)}."
        yield Fault("M05", where, what, "Give numbers, `begin` below `end`.")
    else:
        yield from _law_faults(where, {"x": curve.x, "y": curve.y}, (curve.begin, curve.end), curve.closed)


def _law_faults(
    where: str, laws: dict[str, Any], span: tuple[float, float] = (0.0, tau), closed: bool = True
) -> Iterator[Fault]:
    """Errors of expressions that read other variables than the cam angle, have no value somewhere, or do not close."""
    for what, law in laws.items():
        if not isinstance(law, Expression) and not is_number(law):
            yield Fault("M12", where, f"its {what} is {brief(law)}, which is no expression.", LAW)
        elif not isinstance(law, Expression) and not isfinite(law):
            yield Fault("M05", where, f"its {what} is {law:g}.", LAW)
        elif depends_on_state(law):
            yield Fault(
                "P22", where, f"its {what} is {shown(law)}, which reads more than the cam angle.", LAW
            )
        else:
            try:
                values = evaluate(lift(law), time=np.linspace(*span, 721)) + np.zeros(721)
            except ValueError as problem:
                yield Fault("P22", where, f"its {what} has no value: {problem}", LAW)
                continue
            if closed:
                yield from _joint_faults(where, what, lift(law), span, max(float(np.ptp(values)), 1e-12))


def _joint_faults(
    where: str, what: str, law: Expression, span: tuple[float, float], size: float
) -> Iterator[Fault]:
    """Errors of a jump of value or slope where a periodic expression closes."""
    for word in ("", "the slope "):
        try:
            first, last = (float(evaluate(law, time=u)) for u in span)
        except ValueError as problem:
            yield Fault("P22", where, f"{word or 'the value '}of its {what} does not exist: {problem}", LAW)
            return
        if abs(last - first) > JOINED * size:
            said = f"its {what} begins with {word}{first:.6g} and ends with {word}{last:.6g}."
            yield Fault("P23", where, said, "Let it end as it began, value and slope, after one round.")
            return
        law = derivative(law)


def _rolling_faults(mechanism: Mechanism, where: str, cam: Cam) -> Iterator[Fault]:
    """Errors of a rolling follower: it needs a roller, a planar mechanism, and a profile of known length."""
    if not cam.rolling:
        return
    if not mechanism.planar:
        remedy = "Let it slide: leave `rolling` out. The spin of a roller in space is that of its own joint."
        yield Fault("P24", where, "a roller rolls in planar mechanisms alone.", remedy)
    if cam.follower != "roller":
        yield Fault(
            "P24", where, f"a {cam.follower} follower does not roll.", "Give the radius of a `roller`."
        )
    own = (cam.lift, cam.base, cam.roller, cam.offset, cam.arm, *(cam.pivot or ()))
    laws = (*own, *getattr(cam.profile, "coordinates", ()))
    named = [p.name for law in laws if isinstance(law, Expression) for p in parameters_of(law)]
    if named and not isinstance(cam.profile, Circle):
        what = f"the length of its outline depends on the parameter '{named[0]}'."
        yield Fault("P24", where, what, "Give numbers, or let the roller slide: leave `rolling` out.")


def _shape_faults(where: str, cam: Cam) -> Iterator[Fault]:
    """Errors of an unsuitable offset, of undercut, and of the pressure angle."""
    base, r, e = (value_of(getattr(cam, name)) or 0.0 for name in ("base", "roller", "offset"))
    if cam.lift is not None and cam.pivot is None and abs(e) >= base + r:
        remedy = "Guide the follower nearer to the axis of the cam, or make the base larger."
        yield Fault("P25", where, f"its offset {e:g} m is not below base + roller, {base + r:g} m.", remedy)
        return
    outline = outline_of(cam)
    radius = outline.radius
    bad = radius <= 0 if cam.flat else (radius <= 0) & (radius >= -r) & (r > 0)
    if bad.any():
        # For a cam law, report the smallest radius, which shows how much too small the base is; for a given profile,
        # report the tightest hollow.
        worst = radius if cam.lift is not None else -radius
        k = int(np.flatnonzero(bad)[np.argmin(worst[bad])])
        yield _undercut(where, cam, float(outline.u[k]), float(radius[k]), r)
    elif cam.lift is not None and cam.pressure_limit is not None:
        yield from _pressure_faults(where, cam)


def _undercut(where: str, cam: Cam, u: float, radius: float, r: float) -> Fault:
    kind = "undercut" if cam.lift is not None else "hollow"
    what = f"its outline is {kind}: at {degrees(u):.4g}° of the cam angle its radius of curvature is {radius:.4g} m."
    if cam.flat and cam.pivot is not None:
        remedy = "A face touches only what bulges. Make `base` larger, or swing more slowly."
    elif cam.flat and cam.lift is not None:
        remedy = f"A face touches only what bulges. Raise `base` by more than {-radius:.4g} m, or lift more slowly."
    elif cam.flat:
        remedy = "A face touches only what bulges. Take a roller, or another outline."
    else:
        larger = (
            ", `base` larger or the lift slower" if cam.lift is not None else ", or the outline wider there"
        )
        remedy = f"The roller of {r:g} m does not fit. Make it smaller{larger}."
    return Fault("P26", where, what, remedy)


def _pressure_faults(where: str, cam: Cam) -> Iterator[Fault]:
    limit, angles = value_of(cam.pressure_limit), pressure_angles(cam)
    if limit is None or angles is None:
        return
    k = int(np.argmax(np.abs(angles)))
    if abs(angles[k]) > limit:
        u = degrees(float(cam.contour.variable(len(angles))[k]))
        what = f"its pressure angle is {degrees(abs(float(angles[k]))):.3g}° at {u:.4g}° of the cam angle, "
        move = "move the follower by an `offset`" if cam.pivot is None else "move the pivot"
        remedy = f"Make `base` larger, lift more slowly, or {move}."
        yield Fault("P27", where, f"{what}its limit {degrees(limit):.3g}°.", remedy)
