"""Checks of cams with translating and with swinging followers."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, isfinite, pi, tau
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from multiloop.model.cams import PROFILE_SAMPLES, Circle, Curve, SwingContour
from multiloop.model.cams.cam import FOLLOWERS, cam_profile, pressure_angles
from multiloop.model.checks.joint_checks import all_markers_valid, marker_exists
from multiloop.model.checks.value_checks import scalar_faults
from multiloop.model.expressions import (
    Expression,
    breakpoints,
    depends_on_state,
    derivative,
    evaluate,
    lift,
    parameters_of,
)
from multiloop.model.expressions.expression import is_number
from multiloop.model.expressions.expression_text import shortened_text
from multiloop.model.faults import Fault, short_repr
from multiloop.model.joints import Prismatic, Revolute
from multiloop.model.marker_poses import marker_pose, nominal_value
from multiloop.model.markers import body_of, value_of
from multiloop.model.pairs import Cam
from multiloop.spatial import numeric

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

LAW_REMEDY = (
    "Write it with `cam_angle`, e.g. 0.005 * (1 - cos(cam_angle)), or as a motion law over `cam_angle`."
)

CURVE_REMEDY = "Give a Circle, a Curve, or spline(points)."

CLOSING_TOLERANCE = 1e-9
"""Largest allowed difference between the values of a cam law at the beginning and the end of a turn, divided by the
range of its values (largest minus smallest) over the turn."""

CLOSING_REMEDY = "Make value and slope equal at the beginning and the end of one turn."

DEGREES_REMEDY = "The cam angle is in radians: one turn is 2π, not 360. Write `ml.deg(90)` for 90°."


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
        remedy = "Give the radius of the base circle in metres, above zero."
        yield Fault("M13", where, f"its base is {base:g}.", remedy)
    if roller is not None and roller < 0:
        yield Fault(
            "M13", where, f"its roller is {roller:g}.", "Give the radius of the roller in metres, above zero."
        )


def circle_faults(where: str, circle: Circle) -> Iterator[Fault]:
    """Errors of the radius and centre of a circle."""
    yield from scalar_faults(where, "the radius of its circle", circle.radius)
    for part in circle.centre:
        yield from scalar_faults(where, "the centre of its circle", part)
    radius = value_of(circle.radius)
    if radius is not None and radius <= 0:
        yield Fault(
            "M13", where, f"the radius of its circle is {radius:g}.", "Give a radius in metres, above zero."
        )


def _kind_faults(where: str, cam: Cam) -> Iterator[Fault]:
    """Errors of a cam without exactly one of `lift` and `profile`, or with contradictory data of the follower."""
    if (cam.lift is None) == (cam.profile is None):
        both = "both a lift and a profile" if cam.profile is not None else "neither a lift nor a profile"
        remedy = "Give `lift` with `base`, or `profile`: Circle(...), spline(...) or Curve(...)."
        yield Fault("P20", where, f"has {both}.", remedy)
    elif cam.profile is not None and not isinstance(cam.profile, Circle | Curve):
        yield Fault("M12", where, f"its profile is {short_repr(cam.profile)}.", CURVE_REMEDY)
    elif isinstance(cam.profile, Curve) and not cam.profile.closed:
        yield Fault("P23", where, "its profile is an open curve.", "Give a closed curve: closed=True.")
    elif cam.profile is not None and (cam.base != 0.0 or cam.offset != 0.0):
        spare = "base" if cam.base != 0.0 else "offset"
        yield Fault(
            "P20", where, f"has a {spare} and a profile.", f"Remove the {spare}: it applies to a lift only."
        )
    if cam.follower not in FOLLOWERS:
        remedy = 'Choose "flat", "knife", or give the radius of a `roller`.'
        yield Fault("P21", where, f"its follower is {short_repr(cam.follower)}.", remedy)
    elif (cam.follower == "roller") != (value_of(cam.roller) != 0.0):
        size = value_of(cam.roller) or 0.0
        what = f"its follower is {cam.follower!r}, but its roller has the radius {size:g}."
        yield Fault("P21", where, what, "Give either a flat or knife follower, or the radius of a roller.")
    elif cam.flat and (cam.groove or (cam.offset != 0.0 and cam.pivot is None)):
        spare = "groove" if cam.groove else "offset"
        yield Fault(
            "P21", where, f"a flat follower cannot have a {spare}.", f"Remove the {spare}, or use a roller."
        )


def curve_faults(where: str, curve: Any) -> Iterator[Fault]:
    """Errors of a circle or parametric curve: invalid numbers or expressions, or a `closed` curve with a gap."""
    if isinstance(curve, Circle):
        yield from circle_faults(where, curve)
    elif not isinstance(curve, Curve):
        yield Fault("M12", where, f"its curve is {short_repr(curve)}.", CURVE_REMEDY)
    elif not (is_number(curve.begin) and is_number(curve.end) and curve.begin < curve.end):
        what = f"its curve runs from {short_repr(curve.begin)} to {short_repr(curve.end)}."
        yield Fault("M05", where, what, "Give numbers, `begin` below `end`.")
    else:
        yield from _law_faults(where, {"x": curve.x, "y": curve.y}, (curve.begin, curve.end), curve.closed)


def _law_faults(
    where: str, laws: dict[str, Any], span: tuple[float, float] = (0.0, tau), closed: bool = True
) -> Iterator[Fault]:
    """Errors of expressions of the cam angle, such as a cam law or the coordinates of a curve.

    Each expression must contain no other variable, have a value for every cam angle in `span` and, if `closed`, equal
    values and slopes at both ends of `span`. `laws` maps names for messages to the expressions.
    """
    for what, law in laws.items():
        if not isinstance(law, Expression) and not is_number(law):
            yield Fault(
                "M12", where, f"its {what} is {short_repr(law)}, which is not an expression.", LAW_REMEDY
            )
        elif not isinstance(law, Expression) and not isfinite(law):
            yield Fault("M05", where, f"its {what} is {law:g}.", LAW_REMEDY)
        elif depends_on_state(law):
            yield Fault(
                "P22",
                where,
                f"its {what} is {shortened_text(law)}, which depends on other variables than the cam angle.",
                LAW_REMEDY,
            )
        else:
            try:
                values = evaluate(lift(law), time=np.linspace(*span, 721)) + np.zeros(721)
            except ValueError as problem:
                yield Fault("P22", where, f"its {what} has no value: {problem}", LAW_REMEDY)
                continue
            if closed:
                yield from _closing_faults(where, what, lift(law), span, max(float(np.ptp(values)), 1e-12))


def _closing_faults(
    where: str, what: str, law: Expression, span: tuple[float, float], size: float
) -> Iterator[Fault]:
    """Errors of an expression whose value or slope differs between the beginning and the end of `span`, its period.

    `what` names the expression in messages; `size` is the range of its values, to which the difference is compared.
    """
    given = law
    for word in ("", "the slope "):
        try:
            first, last = (float(evaluate(law, time=u)) for u in span)
        except ValueError as problem:
            yield Fault(
                "P22", where, f"{word or 'the value '}of its {what} does not exist: {problem}", LAW_REMEDY
            )
            return
        if abs(last - first) > CLOSING_TOLERANCE * size:
            differs = f"its {what} begins with {word}{first:.6g} and ends with {word}{last:.6g}."
            yield Fault("P23", where, differs, _closing_remedy(given, span))
            return
        law = derivative(law)


def _closing_remedy(law: Expression, span: tuple[float, float]) -> str:
    """The remedy for an expression with different values at both ends of its period."""
    if not _closes_at_360(law):
        return CLOSING_REMEDY
    farthest = max(breakpoints(law, knots=True), default=0.0)
    if span == (0.0, tau) and tau < farthest <= 2 * tau:
        return (
            f"It still changes up to a cam angle of {farthest:.4g} rad, but one turn ends at 2π, 6.283 rad: let it "
            "begin earlier. Cam angles are in radians: write `ml.deg(90)` for 90°."
        )
    return DEGREES_REMEDY


def _closes_at_360(law: Expression) -> bool:
    """Whether a cam law has the period 360 instead of 2π, as if its cam angle were in degrees."""
    try:
        values = evaluate(law, time=np.linspace(0.0, 360.0, 721)) + np.zeros(721)
    except ValueError:
        return False
    return bool(abs(values[-1] - values[0]) <= CLOSING_TOLERANCE * np.ptp(values))


def _rolling_faults(mechanism: Mechanism, where: str, cam: Cam) -> Iterator[Fault]:
    """Errors of a rolling follower, which needs a roller, a planar mechanism and a profile without parameters."""
    if not cam.rolling:
        return
    if not mechanism.planar:
        remedy = "Remove `rolling`. In space the spin of the roller is the coordinate of the roller's joint."
        yield Fault("P24", where, "rolling=True is for planar mechanisms only.", remedy)
    if cam.follower != "roller":
        yield Fault(
            "P24", where, f"a {cam.follower} follower does not roll.", "Give the radius of a `roller`."
        )
    own = (cam.lift, cam.base, cam.roller, cam.offset, cam.arm, *(cam.pivot or ()))
    laws = (*own, *getattr(cam.profile, "coordinates", ()))
    named = [p.name for law in laws if isinstance(law, Expression) for p in parameters_of(law)]
    if named and not isinstance(cam.profile, Circle):
        what = f"the length of its profile depends on the parameter '{named[0]}'."
        yield Fault("P24", where, what, "Give numbers, or remove `rolling`.")


def _shape_faults(where: str, cam: Cam) -> Iterator[Fault]:
    """Errors of an offset that exceeds the base circle, of undercut, and of an excessive pressure angle."""
    base, r, e = (value_of(getattr(cam, name)) or 0.0 for name in ("base", "roller", "offset"))
    if cam.lift is not None and cam.pivot is None and abs(e) >= base + r:
        remedy = "Reduce the offset, or increase `base`."
        yield Fault("P25", where, f"its offset {e:g} m is not below base + roller, {base + r:g} m.", remedy)
        return
    outline = cam_profile(cam)
    radius = outline.radius
    bad = radius <= 0 if cam.flat else (radius <= 0) & (radius >= -r) & (r > 0)
    if bad.any():
        # For a cam law, report the smallest radius of curvature: it shows by how much to enlarge the base circle.
        # For a given profile, report the concave point with the smallest magnitude of the radius of curvature.
        worst = radius if cam.lift is not None else -radius
        k = int(np.flatnonzero(bad)[np.argmin(worst[bad])])
        yield _undercut_fault(where, cam, float(outline.u[k]), float(radius[k]), r)
    elif cam.lift is not None and cam.pressure_limit is not None:
        yield from _pressure_faults(where, cam)


def _undercut_fault(where: str, cam: Cam, u: float, radius: float, r: float) -> Fault:
    kind = "undercut" if cam.lift is not None else "concave"
    what = f"its profile is {kind}: at a cam angle of {degrees(u):.4g}° its radius of curvature is {radius:.4g} m."
    if cam.flat and cam.pivot is not None:
        remedy = "A flat face needs a convex profile. Increase `base`, or make the swing slower."
    elif cam.flat and cam.lift is not None:
        remedy = f"A flat face needs a convex profile. Increase `base` by more than {-radius:.4g} m, or lift slower."
    elif cam.flat:
        remedy = "A flat face needs a convex profile. Use a roller, or another profile."
    else:
        larger = (
            ", `base` larger or the lift slower"
            if cam.lift is not None
            else ", or the profile less curved there"
        )
        remedy = f"The roller radius of {r:g} m is too large. Make it smaller{larger}."
    return Fault("P26", where, what, remedy)


def _pressure_faults(where: str, cam: Cam) -> Iterator[Fault]:
    limit, angles = value_of(cam.pressure_limit), pressure_angles(cam)
    if limit is None or angles is None:
        return
    k = int(np.argmax(np.abs(angles)))
    if abs(angles[k]) > limit:
        u = degrees(float(cam.contour.variable(len(angles))[k]))
        what = (
            f"its pressure angle is {degrees(abs(float(angles[k]))):.3g}° at a cam angle of {u:.4g}°, above "
        )
        move = "move the follower by an `offset`" if cam.pivot is None else "move the pivot"
        remedy = f"Increase `base`, make the lift slower, or {move}."
        yield Fault("P27", where, f"{what}its limit {degrees(limit):.3g}°.", remedy)


PIVOT_REMEDY = "Give the position of the follower's pivot in the cam frame at cam angle 0: (-0.08, 0.03)."

LENGTHS_AGREE = 1e-6
"""Largest relative difference between a length given for the cam and the same length between markers."""


def swing_faults(where: str, cam: Cam) -> Iterator[Fault]:
    """Errors of the fields `pivot`, `arm` and `clockwise` of a swinging follower."""
    if not isinstance(cam.clockwise, bool):
        yield Fault("M12", where, f"its `clockwise` is {short_repr(cam.clockwise)}.", "Give True or False.")
    if cam.pivot is None:
        if cam.arm != 0.0 or cam.clockwise is True:
            spare = "arm" if cam.arm != 0.0 else "sense of turning"
            yield Fault("P28", where, f"has an {spare} but no pivot.".replace("an s", "a s"), PIVOT_REMEDY)
        return
    if not isinstance(cam.pivot, tuple) or len(cam.pivot) != 2:
        yield Fault("P28", where, f"its pivot is {short_repr(cam.pivot)}.", PIVOT_REMEDY)
        return
    for part in cam.pivot:
        yield from scalar_faults(where, "its pivot", part)
    yield from scalar_faults(where, "its arm", cam.arm)
    if cam.lift is None:
        remedy = "Remove the pivot: with a profile, the joints of the follower define its motion."
        yield Fault("P28", where, "has a pivot and a profile.", remedy)
    arm = value_of(cam.arm)
    if cam.flat and cam.arm != 0.0:
        remedy = "Give the distance of the face from the pivot, `offset=`, or use a knife edge or a roller."
        yield Fault("P28", where, "a flat follower cannot have an arm.", remedy)
    elif not cam.flat and cam.offset != 0.0:
        yield Fault(
            "P28", where, "has an offset and an arm.", "Remove the offset: `arm` defines the position."
        )
    elif not cam.flat and arm is not None and arm <= 0:
        remedy = "Give the distance of the knife edge or roller centre from the pivot, in metres."
        yield Fault("P28", where, f"its arm is {arm:g}.", remedy)


def swing_shape_faults(where: str, cam: Cam) -> Iterator[Fault]:
    """Errors of a swinging follower that cannot reach the base circle or passes the cam's axis, and of a flat one that
    rotates faster than the cam."""
    contour = cam.contour
    if not isinstance(contour, SwingContour):
        return
    u, r = contour.variable(PROFILE_SAMPLES), value_of(cam.roller) or 0.0
    found = contour.angles(u, r, cam.flat)
    if np.isnan(found).any():
        d, low = _pivot_distance(cam), nominal_value(cam.base) + r
        far = (
            f"an offset of {nominal_value(cam.offset):g} m"
            if cam.flat
            else f"an arm of {nominal_value(cam.arm):g} m"
        )
        what = (
            f"with the pivot {d:.4g} m from the cam axis and {far}, its follower cannot reach the distance "
            f"{low:.4g} m from this axis."
        )
        yield Fault("P25", where, what, "Move the pivot, or change the base.")
        return
    outside = (found <= 0) | (found >= pi)
    if outside.any():
        at = degrees(float(u[int(np.flatnonzero(outside)[0])]))
        part = "face" if cam.flat else "arm"
        what = f"at a cam angle of {at:.4g}° its {part} has passed the line from the pivot to the cam axis."
        yield Fault(
            "P25", where, what, "Reduce the swing, or move the pivot. The motion law is an angle in radians."
        )
    elif cam.flat:
        turning = contour.sense * contour.swing.numbers(u, 1)
        k = int(np.argmax(turning))
        if turning[k] >= 1:
            then = f"at a cam angle of {degrees(float(u[k])):.4g}°"
            what = f"{then} its face turns {turning[k]:.3g} times as fast as the cam."
            yield Fault(
                "P26", where, what, "A flat face must turn slower than its cam. Make the swing slower."
            )


def mounting_faults(mechanism: Mechanism, where: str, cam: Cam) -> Iterator[Fault]:
    """Errors of a swinging follower whose `pivot`, `arm` or `offset` disagrees with the markers of its bearing."""
    if cam.pivot is None or not all_markers_valid(mechanism):
        return
    if not (marker_exists(mechanism, cam.first) and marker_exists(mechanism, cam.second)):
        return
    mounting = swing_mounting(mechanism, cam)
    if mounting is None:
        return
    shaft, pivot, arm_end = mounting
    apart = _offset_in_plane(mechanism, pivot.there, shaft.there)
    tip = _offset_in_plane(mechanism, arm_end, pivot.here, inside=cam.flat)
    lengths = [("pivot", "a pivot", "from the cam axis", _pivot_distance(cam), float(np.hypot(*apart)))]
    if cam.flat:
        lengths.append(("offset", "an offset", "from its face", nominal_value(cam.offset), float(tip[1])))
    else:
        far = f"from '{cam.second}'"
        lengths.append(("arm", "an arm", far, nominal_value(cam.arm), float(np.hypot(*tip))))
    for field, given_as, far, given, found in lengths:
        if abs(given - found) > LENGTHS_AGREE * max(abs(given), abs(found), value_of(cam.base) or 0.0):
            distance = f"at {given:.6g} m {far}" if field == "pivot" else f"of {given:.6g} m"
            what = f"has {given_as} {distance}, but joint '{pivot.name}' is {found:.6g} m {far}."
            yield Fault(
                "P28", where, what, f"Give the {field} that agrees with the joints, or move the marker."
            )


class Bearing(NamedTuple):
    """A revolute joint of a body: name of the joint, marker on this body and marker on the other body."""

    name: str
    here: str
    there: str


def swing_mounting(mechanism: Mechanism, cam: Cam) -> tuple[Bearing, Bearing, str] | None:
    """The bearing of a cam shaft, that of the swinging follower on the same body, and the marker at the end of the
    follower's arm; None if the bearings are not unique. All markers must exist."""
    arm_end, arm_body = cam.second, body_of(cam.second)
    if cam.rolling:  # the roller is connected to the arm by a revolute joint
        pins = _bearings(mechanism, arm_body)
        if len(pins) != 1:
            return None
        arm_end, arm_body = pins[0].there, body_of(pins[0].there)
    shafts, pivots = _bearings(mechanism, body_of(cam.first)), _bearings(mechanism, arm_body)
    pairs = [(one, other) for one in shafts for other in pivots if body_of(one.there) == body_of(other.there)]
    return (*pairs[0], arm_end) if len(pairs) == 1 else None


def translates(mechanism: Mechanism, cam: Cam) -> bool:
    """Whether the follower slides on a Prismatic of a body that carries the cam shaft."""
    frames = {body_of(shaft.there) for shaft in _bearings(mechanism, body_of(cam.first))}
    slides = (joint for joint in mechanism.binary_joints if isinstance(joint, Prismatic))
    ends = [{body_of(joint.first), body_of(joint.second)} for joint in slides]
    return any({body_of(cam.second), frame} in ends for frame in frames)


def _bearings(mechanism: Mechanism, body: str) -> list[Bearing]:
    """The revolute joints that connect a body to other bodies."""
    joints = [joint for joint in mechanism.binary_joints if isinstance(joint, Revolute)]
    ends = [
        (joint.name, *way)
        for joint in joints
        for way in ((joint.first, joint.second), (joint.second, joint.first))
    ]
    return [Bearing(*one) for one in ends if body_of(one[1]) == body != body_of(one[2])]


def _pivot_distance(cam: Cam) -> float:
    """Distance of the follower's pivot from the axis of the cam (m)."""
    x, y = (nominal_value(part) for part in cam.pivot or (0.0, 0.0))
    return float(np.hypot(x, y))


def _offset_in_plane(mechanism: Mechanism, point: str, seen_from: str, inside: bool = False) -> np.ndarray:
    """Vector (m) from the marker `seen_from` to the marker `point` of the same body, projected on the x–y plane of one
    of the two.

    The two components of the vector are along the x and y axes of `seen_from` or, if `inside` is True, of `point`.
    """
    one, other = (
        marker_pose(mechanism.marker(m), nominal_value, mechanism.planar) for m in (point, seen_from)
    )
    frame = one if inside else other
    found: np.ndarray = (numeric(frame.R).T @ (numeric(one.p) - numeric(other.p)).ravel())[:2]
    return found
