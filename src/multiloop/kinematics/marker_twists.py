"""Motion of markers at one instant, and the values of expressions that depend on this motion.

The functions return the pose, twist and twist rate of a marker, the distance between two markers, the elastic motion of
markers, and points of contact. The velocity v and the acceleration a of a marker are

    v = v_O + ω × r + ṙ_el,    a = a_O + α × r + ω × (ω × r) + 2 ω × ṙ_el + r̈_el

ω and α are the angular velocity and acceleration of the body, r is the vector from the origin O of its frame to the
marker; ṙ_el and r̈_el are the velocity and acceleration of the marker relative to this frame, which are zero on a rigid
body.

Source: [chaudhary], eq. (17) and its time derivative; on an elastic body [fattah], ch. 2.
Theory: docs/theory/10-flexible-bodies.md, eq. (10.4).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import casadi as ca
import numpy as np

from multiloop.kinematics.constraints import end_twists
from multiloop.kinematics.equations import CACHE_SIZE, Equations
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.tree import (
    ZERO_TWIST,
    Skeleton,
    Twist,
    TwistRate,
    marker_deformation_twists,
    marker_pose_in_space,
    marker_twist,
    marker_twist_rate,
)
from multiloop.model import ContactGeometry, Pair
from multiloop.model.expressions import Scalar, Table, trace
from multiloop.spatial import Matrix, Pose
from multiloop.symbols import Traced

TINY = 1e-300
"""Lower bound of a length in metres in a denominator, which avoids a division by zero."""


@dataclass(frozen=True)
class Span:
    """Vector d from the origin of one marker to the origin of another, and its time derivative, in inertial axes."""

    d: Matrix
    rate: Matrix

    @property
    def length(self) -> Matrix:
        """Length L = √(d·d) of the vector d."""
        return ca.sqrt(ca.dot(self.d, self.d))

    @property
    def length_rate(self) -> Matrix:
        """Time derivative L̇ = d·ḋ / L of the length."""
        return ca.dot(self.d, self.rate) / ca.fmax(self.length, TINY)


def marker_motion(at: Snapshot, reference: str) -> tuple[Pose, Twist]:
    """Pose and twist of a marker "body.marker" in the inertial frame, the twist at the origin of the marker."""
    skeleton, (body, _, marker) = at.skeleton, reference.partition(".")
    pose, k = marker_pose_in_space(skeleton, reference, at.q, at.placements), skeleton.index[body]
    if k < 0:
        return pose, ZERO_TWIST
    r = pose.p - at.placements[k].pose.p
    return pose, marker_twist(skeleton, at.placements, k, marker, r, at.body_twists[k], at.v)


def span_between(at: Snapshot, first: str, second: str) -> Span:
    """Vector from the origin of the first marker to the origin of the second, with its rate."""
    (one, one_moves), (other, other_moves) = (marker_motion(at, marker) for marker in (first, second))
    return Span(other.p - one.p, other_moves.v - one_moves.v)


def load_span(at: Snapshot, load: str) -> Span:
    """Vector between the two markers of a load, such as a spring, with its rate; `load` is its name."""
    ends = next(other.span for other in at.skeleton.mechanism.all_loads if other.name == load)
    assert ends is not None, f"load '{load}' has no length"
    return span_between(at, *ends)


@lru_cache(maxsize=CACHE_SIZE)
def traced_lengths(equations: Equations) -> Traced:
    """CasADi function (q, v, p) → lengths of all loads between two markers, and rates of these lengths, in the order
    of the loads."""
    spans = [load_span(equations, load) for load in loads_with_length(equations.skeleton)]
    outputs = {
        "lengths": ca.vertcat(ca.SX(0, 1), *[span.length for span in spans]),
        "rates": ca.vertcat(ca.SX(0, 1), *[span.length_rate for span in spans]),
    }
    return equations.function("lengths", "qv", **outputs)


def loads_with_length(skeleton: Skeleton) -> tuple[str, ...]:
    """Names of the loads, such as springs, that act between two markers and thus have a length."""
    return tuple(load.name for load in skeleton.mechanism.all_loads if load.span)


def traced_marker_motion(equations: Equations, reference: str) -> Traced:
    """CasADi function (q, v, a, p) → twist [ω; v] and twist rate [α; a] at the origin of a marker "body.marker", in
    inertial axes.

        v = v_O + ω × r + ṙ_el,    a = a_O + α × r + ω × (ω × r) + 2 ω × ṙ_el + r̈_el

    ω and α are the angular velocity and acceleration of the body, r is the vector from the origin O of its frame to the
    marker; ṙ_el and r̈_el are the velocity and acceleration of the marker relative to this frame, which are zero on a
    rigid body. A `reference` "body" without a marker means the frame of the body. Markers of the ground are not
    permitted.

    Source: [chaudhary], eq. (17) and its time derivative; on an elastic body [fattah], ch. 2.
    """
    kept = f"motion of {reference}"
    if kept not in equations.cache:
        moving, accelerated = (
            _motion_of_marker(equations, reference)
            if "." in reference
            else _motion_of_frame(equations, reference)
        )
        equations.cache[kept] = equations.function(
            "marker_motion", "qva", twist=moving.column, twist_rate=accelerated.column
        )
    found: Traced = equations.cache[kept]
    return found


def _motion_of_marker(equations: Equations, reference: str) -> tuple[Twist, TwistRate]:
    body, _, marker = reference.partition(".")
    k, (pose, moving) = equations.skeleton.index[body], marker_motion(equations, reference)
    r = pose.p - equations.placements[k].pose.p
    own = (equations.body_twists[k], _cached_twist_rates(equations)[k])
    rates = (equations.v, equations.a)
    return moving, marker_twist_rate(equations.skeleton, equations.placements, k, marker, r, own, rates)


def _motion_of_frame(equations: Equations, body: str) -> tuple[Twist, TwistRate]:
    k = equations.skeleton.index[body]
    r = equations.placements[k].pose.R @ equations.skeleton.links[k].reduced.markers["origin"].p
    moving, accelerated = equations.body_twists[k], _cached_twist_rates(equations)[k]
    return (
        Twist(moving.omega, moving.velocity_at(r)),
        TwistRate(accelerated.alpha, accelerated.acceleration_at(r, moving.omega)),
    )


def _cached_twist_rates(equations: Equations) -> list[TwistRate]:
    """Symbolic twist rates of all bodies, cached with the equations."""
    if "accelerated" not in equations.cache:
        equations.cache["accelerated"] = equations.twist_rates(equations.a)
    found: list[TwistRate] = equations.cache["accelerated"]
    return found


MarkerDeformations = dict[tuple[int, str], np.ndarray]


def marker_deformations(equations: Equations, q: np.ndarray, p: np.ndarray) -> MarkerDeformations:
    """For every marker that moves relative to the frame of its flexible body, the matrix, 6×e, that maps the e elastic
    rates to its relative twist, at the origin of the marker in inertial axes."""
    function, names, ends = _traced_deformations(equations)
    (stack,) = function(q, p)
    parts = np.split(stack.reshape(6, -1), ends, axis=1)
    return dict(zip(names, parts, strict=False))


def _traced_deformations(equations: Equations) -> tuple[Traced, list[tuple[int, str]], list[int]]:
    if "bends" not in equations.cache:
        names, stacked = [], [ca.SX(6, 0)]
        for k, link in enumerate(equations.skeleton.links):
            place = equations.placements[k]
            for marker in filter(link.reduced.moves, link.reduced.markers):
                point = place.pose.point(link.reduced.marker_pose(marker, place.eta).p)
                names.append((k, marker))
                stacked.append(
                    marker_deformation_twists(equations.skeleton, equations.placements, k, marker, point)
                )
        ends = np.cumsum([part.shape[1] for part in stacked[1:]]).tolist()
        function = equations.function("bends", "q", bends=ca.densify(ca.horzcat(*stacked)))
        equations.cache["bends"] = (function, names, ends)
    found: tuple[Traced, list[tuple[int, str]], list[int]] = equations.cache["bends"]
    return found


def one_sided_normals(equations: Equations) -> dict[str, Matrix]:
    """Contact normal, from the first body to the second, of every pair that can only push (unilateral contact), as an
    expression in the symbols q and p."""
    at = {"q": equations.q, "v": equations.v, "p": equations.skeleton.parameter_symbols}
    return {
        name: traced.on(**at)["normal"]
        for name, (traced, contact) in _contacts_of(equations).items()
        if not contact.two_sided
    }


def contact_expressions(equations: Equations) -> dict[str, dict[str, Matrix]]:
    """For every pair with a point of contact, by name, expressions in the symbols q, v and p: `point`, `normal`,
    `velocity` and `radius` as in `ContactMotion`."""
    return {name: traced.outputs for name, (traced, _) in _contacts_of(equations).items()}


def contacts_of(equations: Equations) -> dict[str, ContactGeometry]:
    """Symbolic contact geometry of every pair with a point of contact, by the name of the pair."""
    return {name: contact for name, (_, contact) in _contacts_of(equations).items()}


@lru_cache(maxsize=CACHE_SIZE)
def _contacts_of(equations: Equations) -> dict[str, tuple[Traced, ContactGeometry]]:
    """For every pair with a point of contact, by name, the CasADi function (q, v, p) → `point`, `normal`, `velocity`
    and `radius` as in `ContactMotion`, and the symbolic contact geometry."""
    found = {}
    for cut in equations.cut_joints:
        pair = cut.cut.joint
        if not isinstance(pair, Pair) or not pair.touches:
            continue
        ends = end_twists(equations, *cut.ends)
        contact = pair.contact(ends.relative, cut.planar)
        if contact is not None:
            S, carried = ends.second_twist, ends.F.point(contact.carried)
            outputs = {
                "point": ends.F.point(contact.point),
                "normal": ends.F.R @ contact.normal,
                "velocity": S.v + ca.cross(S.omega, carried - ends.S.p),
                "radius": contact.radius,
            }
            dense = {name: ca.densify(ca.SX(part)) for name, part in outputs.items()}
            found[pair.name] = (equations.function("contact", "qv", **dense), contact)
    return found


def expression_value(
    at: Snapshot,
    value: Scalar,
    table: Callable[[Table], Any] | None = None,
    output: Callable[[str], Any] | None = None,
) -> Any:
    """Value of a user's expression at an instant; it may depend on time, coordinates, rates, user-defined state
    variables, lengths of loads and parameters.

    The optional functions `table` and `output` evaluate tables over time and outputs of the mechanism.
    """
    skeleton = at.skeleton
    symbols = ca.vertsplit(skeleton.parameter_symbols) if skeleton.parameter_names else []

    def span(load: str) -> tuple[Matrix, Matrix]:
        found = load_span(at, load)
        return found.length, found.length_rate

    return trace(
        value,
        time=at.t,
        position=lambda joint, component: at.q[skeleton.link_of_joint[joint].q.start + component],
        rate=lambda joint, component: at.v[skeleton.link_of_joint[joint].v.start + component],
        integral=lambda name: at.x[skeleton.states.index(name)],
        span=span,
        parameters=dict(zip(skeleton.parameter_names, symbols, strict=True)),
        table=table,
        output=output,
    )
