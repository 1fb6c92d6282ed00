"""Outputs of force transmission: transmission angle, velocity ratio, mechanical advantage and reflected inertia.

The transmission angle μ at a joint between a coupler and an output link is

    sin μ = |e · u|,      0 ≤ μ ≤ 90°

with the unit vectors e along the coupler, from the joint to its other joint, and u along the velocity of the joint if
the output link moves: perpendicular to the line from its bearing for a rocker, along the guide for a slider. For a
four-bar, μ is the acute angle between the lines of coupler and rocker. The coupler is a link without a bearing in the
ground and without gears, which two ball joints, or two revolute joints with parallel axes, connect with other links; e
is perpendicular to these axes. The output link is connected with the ground by one joint with one degree of freedom, on
which neither a drive nor an actuator acts.

The velocity ratio of a joint is r = q̇ / θ̇ for each input θ with the other inputs at rest (`input_motions`). The
mechanical advantage for one input is 1/r: the torque or force that the joint delivers per unit effort of the input, if
no power is lost or stored.

The reflected inertia at an input is Cᵀ I C, with the generalized inertia I of the spanning tree and the motion C per
unit rate of the input: the effort per unit acceleration of the input from rest, with the other inputs locked.

Source: [norton], ch. 4, transmission angle; ch. 6, mechanical advantage.
Differs: the transmission angle is defined by e and u, so that sliders and spatial four-bars are included.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import casadi as ca

from multiloop.dynamics.inertia_matrix import generalized_inertia
from multiloop.dynamics.outputs.input_motions import Coordinate, bodies_of, coordinate_of, input_motions_of
from multiloop.dynamics.outputs.output import Output, refused
from multiloop.dynamics.outputs.traced_instant import TracedInstant
from multiloop.kinematics import marker_motion
from multiloop.kinematics.tree import parameter_resolver
from multiloop.model import GROUND, Connection, Revolute, Spherical, body_of
from multiloop.model.gears.gearing import Gearing
from multiloop.spatial import Matrix

PARALLEL = 1e-9
"""Largest sine of the angle between axes that count as parallel."""


def transmission_outputs(at: TracedInstant) -> Iterator[Output]:
    """Transmission angles of joints between couplers and output links; velocity ratios and mechanical advantages of
    joints, reflected inertias at inputs."""
    couplers = Couplers(at)
    for joint in at.mechanism.connections:
        yield _transmission_angle(joint, couplers)
        yield from _ratio_outputs(at, joint)
    yield from _inertia_outputs(at)


# transmission angle -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Transmission:
    """A joint through which a coupler drives an output link: the far marker of the coupler, and the joint of the output
    link with the ground."""

    joint: Connection
    far: str
    bearing: Connection


@dataclass(frozen=True, eq=False)
class Couplers:
    """The joints and pairs of every body, and the joints with drives and actuators, by which couplers are found."""

    at: TracedInstant

    @cached_property
    def driven(self) -> set[str]:
        """Names of the joints on which drives and actuators act."""
        return {one.joint for one in input_motions_of(self.at.equations).inputs}

    @cached_property
    def joints_of(self) -> Mapping[str, list[Connection]]:
        """The joints and pairs of every body."""
        found: dict[str, list[Connection]] = {}
        for joint in self.at.mechanism.connections:
            for body in bodies_of(joint):
                found.setdefault(body, []).append(joint)
        return found

    @cached_property
    def geared(self) -> set[str]:
        """Names of the bodies with gears, or with pulleys of belts."""
        gearings = [one for one in self.at.mechanism.couplings if isinstance(one, Gearing)]
        return {body_of(end) for one in gearings for end in (one.first, one.second)}

    def transmission_at(self, joint: Connection) -> Transmission | str:
        """The coupler and output link at a joint, or the reason why the joint has no transmission angle."""
        if not isinstance(joint, Revolute | Spherical):
            return "it is not a revolute or ball joint."
        if GROUND in bodies_of(joint):
            return "it connects a link with the ground, not a coupler with an output link."
        if not self.driven:
            return "the mechanism has no drive or actuator at a joint, which would be its input."
        ends = bodies_of(joint)
        found = [
            Transmission(joint, far, bearing)
            for coupler, output in (ends, ends[::-1])
            if (far := self._far_end(coupler, joint)) and (bearing := self._free_bearing(output))
        ]
        if len(found) == 1:
            return found[0]
        if found:
            return "each of its links may be the coupler or the output link."
        return (
            "it does not connect a coupler (with two revolute or ball joints, parallel axes and no gear) to an output "
            "link with one free bearing or guide in the ground."
        )

    def _far_end(self, body: str, joint: Connection) -> str:
        """The marker at the other joint of a coupler; empty if the body is no coupler, so that its force is not along
        the line between its joints."""
        others = [one for one in self.joints_of[body] if one.name != joint.name]
        if len(others) != 1 or type(others[0]) is not type(joint) or GROUND in bodies_of(others[0]):
            return ""
        here, far = (one.first if body_of(one.first) == body else one.second for one in (joint, others[0]))
        if body in self.geared or not (isinstance(joint, Spherical) or self._parallel(body, here, far)):
            return ""
        return far

    def _parallel(self, body: str, *references: str) -> bool:
        """Whether the z axes of two markers of a body are parallel."""
        skeleton = self.at.equations.skeleton
        if skeleton.planar:
            return True
        markers = skeleton.body_of(skeleton.index[body]).markers
        one, other = (ca.SX(markers[reference.partition(".")[2]].R[:, 2]) for reference in references)
        read = ca.Function("across", [skeleton.parameter_symbols], [ca.norm_2(ca.cross(one, other))])
        return float(read(skeleton.parameter_values)) < PARALLEL

    def _free_bearing(self, body: str) -> Connection | None:
        """The only joint of a body with the ground, if it has one degree of freedom and neither drive nor actuator."""
        grounded = [one for one in self.joints_of[body] if GROUND in bodies_of(one)]
        if len(grounded) != 1 or len(grounded[0].components(self.at.planar)) != 1:
            return None
        return None if grounded[0].name in self.driven else grounded[0]


def _transmission_angle(joint: Connection, couplers: Couplers) -> Output:
    found = couplers.transmission_at(joint)
    if isinstance(found, str):
        return refused(joint.name, "transmission_angle", found)
    text = "acute angle between the coupler and the output link, or the normal of its guide; 90° is best"
    trace = partial(_angle, found=found)
    return Output(joint.name, "transmission_angle", "rad", text, trace, recorded=False, tabulated=False)


def _angle(at: TracedInstant, found: Transmission) -> Matrix:
    eq, planar = at.equations, at.planar
    resolve = parameter_resolver(eq.skeleton.parameter_names, eq.skeleton.parameter_symbols)
    here, far = (marker_motion(eq, one)[0].p for one in (found.joint.second, found.far))
    F, S = (marker_motion(eq, one)[0] for one in (found.bearing.first, found.bearing.second))
    P = found.bearing.resolved(resolve).motion_subspace(F.inverse() @ S, planar)
    # the twist of the output link relative to the ground, up to its sign, at the origin of the second marker
    u = F.R @ P[3:] + ca.cross(F.R @ P[:3], here - S.p)
    e, u = far - here, u / ca.norm_2(u)
    if isinstance(found.joint, Revolute) and not planar:
        axis = marker_motion(eq, found.joint.first)[0].R[:, 2]
        e = e - ca.dot(e, axis) * axis
    across = e - ca.dot(e, u) * u
    return ca.atan2(ca.fabs(ca.dot(e, u)), ca.sqrt(ca.dot(across, across)))


# velocity ratio and mechanical advantage --------------------------------------------------------------


def _ratio_outputs(at: TracedInstant, joint: Connection) -> Iterator[Output]:
    inputs, mechanism = input_motions_of(at.equations), at.mechanism
    parts = joint.components(at.planar)
    words = ("velocity_ratio", "mechanical_advantage")
    if len(parts) != 1:
        reason = "the joint does not have exactly one coordinate."
        yield from (refused(joint.name, word, reason) for word in words)
        return
    if inputs.refusal:
        yield from (refused(joint.name, word, inputs.refusal) for word in words)
        return
    one = coordinate_of(mechanism, joint.name, parts[0])
    if one in inputs.inputs:
        reason = "its coordinate is an input."
        yield from (refused(joint.name, word, reason) for word in words)
        return
    units = tuple(_ratio_unit(one, other) for other in inputs.inputs)
    several = inputs.names if len(inputs.names) > 1 else ()
    text = "rate of the coordinate per unit rate of each input, with the other inputs at rest"
    trace = partial(_ratios, coordinate=one)
    yield Output(joint.name, words[0], units, text, trace, several, recorded=False, tabulated=False)
    if several:
        yield refused(joint.name, words[1], "the mechanism has more than one input.")
        return
    units = (_ratio_unit(inputs.inputs[0], one),)
    text = (
        "torque or force at the coordinate per unit effort of the input, without losses: 1 / velocity ratio"
    )
    trace = partial(_advantage, coordinate=one)
    yield Output(joint.name, words[1], units, text, trace, recorded=False, tabulated=False)


def _ratio_unit(one: Coordinate, other: Coordinate) -> str:
    """Unit of a rate of `one` per unit rate of `other`."""
    if one.is_length == other.is_length:
        return "1"
    return "m/rad" if one.is_length else "rad/m"


def _ratios(at: TracedInstant, coordinate: Coordinate) -> Matrix:
    inputs = input_motions_of(at.equations)
    return (inputs.rate_row(coordinate) @ inputs.motions).T


def _advantage(at: TracedInstant, coordinate: Coordinate) -> Matrix:
    return 1 / _ratios(at, coordinate)


# reflected inertia ------------------------------------------------------------------------------------


def _inertia_outputs(at: TracedInstant) -> Iterator[Output]:
    inputs = input_motions_of(at.equations)
    by_joint: dict[str, list[int]] = {}
    for k, one in enumerate(inputs.inputs):
        by_joint.setdefault(one.joint, []).append(k)
    for joint in at.mechanism.connections:
        if joint.name not in by_joint:
            if joint.components(at.planar):
                reason = "no drive or actuator acts at the joint."
                yield refused(joint.name, "reflected_inertia", reason)
            continue
        if inputs.refusal:
            yield refused(joint.name, "reflected_inertia", inputs.refusal)
            continue
        own = [inputs.inputs[k] for k in by_joint[joint.name]]
        yield Output(
            joint.name,
            "reflected_inertia",
            tuple("kg" if one.is_length else "kg m2" for one in own),
            "inertia of the whole mechanism at the input: effort per unit acceleration from rest, other inputs locked",
            partial(_reflected, places=tuple(by_joint[joint.name])),
            tuple(one.component for one in own) if len(own) > 1 else (),
            recorded=False,
            tabulated=False,
        )


def _reflected(at: TracedInstant, places: tuple[int, ...]) -> Matrix:
    inputs = input_motions_of(at.equations)
    C = inputs.motions[:, list(places)]
    whole = ca.SX(generalized_inertia(at.equations))[inputs.joint_rates, inputs.joint_rates]
    return ca.vertcat(*[C[:, k].T @ whole @ C[:, k] for k in range(len(places))])
