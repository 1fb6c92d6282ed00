"""Sums over all loads of a mechanism: applied wrenches on every body, stored energy and supplied power.

Applied forces enter the equations of motion only through these sums: in every formulation the joints of a body transmit
its inertia wrench minus the applied wrench, w* − wᵉ. `effort_wrench_pair` returns the wrenches on the two bodies of a
tree joint that are equivalent to an effort (torque or force) along a coordinate of the joint.

Source: [chaudhary], eq. (11), term wᵉ.
Theory: docs/theory/04-orthogonal-complement.md, section 4.1; docs/theory/05-inverse-dynamics.md, eqs. (5.7), (5.8).
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions.action import Action, JointReactions
from multiloop.dynamics.actions.action_results import (
    efforts_of,
    outputs_of,
    potential_of,
    power_of,
    reaction_outputs_of,
    require_named_bodies,
    state_rates_of,
    wrenches_of,
)
from multiloop.dynamics.actions.registry import actions_of
from multiloop.kinematics import Snapshot, marker_motion
from multiloop.kinematics.tree import BodyPlacement, Link, Skeleton, marker_deformation_twists
from multiloop.model import contact_scales
from multiloop.model.expressions import depends_on_time, integrals_of
from multiloop.spatial import Matrix, transport_wrench


def applied_wrenches(at: Snapshot) -> dict[int, Matrix]:
    """Applied wrenches wᵉ by body index, each at the origin of the body in inertial axes; for a flexible body followed
    by its modal forces.

    The index −1 is the ground, whose wrench is at the inertial origin. Bodies without applied forces are omitted. The
    wrenches are computed once for each snapshot.
    """
    if "applied_wrenches" not in at.cache:
        found: dict[int, Matrix] = {}
        for action in actions_of(at.skeleton):
            for body, w in action_wrenches(at, action):
                found[body] = found[body] + w if body in found else w
        at.cache["applied_wrenches"] = found
    kept: dict[int, Matrix] = at.cache["applied_wrenches"]
    return kept


def action_wrenches(at: Snapshot, action: Action) -> list[tuple[int, Matrix]]:
    """Wrenches of one action as (body index, wrench at the origin of the body); an error is raised for bodies that are
    not in `Action.links`."""
    skeleton, found = at.skeleton, []
    for applied in wrenches_of(action, at):
        body, _, marker = applied.marker.partition(".")
        point = marker_motion(at, applied.marker)[0].p
        end = WrenchOnMarker(skeleton.index[body], marker, point, applied.wrench)
        found.append((end.body, end.at_origin(at)))
    for rate, effort in zip(action.rates(skeleton), efforts_of(action, at), strict=True):
        k = next(k for k, link in enumerate(skeleton.links) if link.v.start <= rate < link.v.stop)
        ends = effort_wrench_pair(at, k, rate - skeleton.links[k].v.start)
        found += [(end.body, effort * end.at_origin(at)) for end in ends]
    require_named_bodies(action, skeleton, {body for body, _ in found})
    return found


def ground_wrench(at: Snapshot) -> Matrix:
    """Sum of the wrenches [n; f] of all actions on the ground, at the inertial origin."""
    return applied_wrenches(at).get(-1, ca.DM(6, 1))


def stored_energy(at: Snapshot) -> Matrix:
    """Sum of the potential energies V of all actions, in J."""
    return _sum([potential_of(action, at) for action in actions_of(at.skeleton)])


def supplied_power(at: Snapshot) -> Matrix:
    """Sum of the powers, in W, of all forces without a potential; dissipated power is negative."""
    return _sum([power_of(action, at) for action in actions_of(at.skeleton)])


def _sum(parts: list[Matrix]) -> Matrix:
    total: Matrix = ca.DM(1, 1)
    for part in parts:
        total = total + part
    return total


def state_rates(at: Snapshot) -> Matrix:
    """Time derivatives of the state variables of all loads, in the order of `Skeleton.states`."""
    rates = [rate for action in actions_of(at.skeleton) for rate in state_rates_of(action, at)]
    constant = ca.DM(len(contact_scales(at.skeleton.mechanism)), 1)
    return ca.vertcat(ca.SX(0, 1), *rates, constant)


def load_readouts(at: Snapshot, reactions: JointReactions) -> dict[str, dict[str, Matrix]]:
    """Outputs of every load, by name of the load and of the output; energy and power come last. `reactions` are the
    joint reactions."""
    return {
        action.name: outputs_of(action, at)
        | reaction_outputs_of(action, at, reactions)
        | {"energy": potential_of(action, at), "power": power_of(action, at)}
        for action in actions_of(at.skeleton)
    }


def load_inputs(at: Snapshot) -> dict[str, Matrix]:
    """Inputs, by name, that CasADi functions need besides q and v: the time t and the state variables x, if required.

    The time is required if a load or a loop constraint depends on it, the state variables if the forces of loads depend
    on the state variables of loads or on integrals over time (`multiloop.integral`).
    """
    found: dict[str, Matrix] = {}
    if at.loop_constraints.rheonomic or needs_time(at.skeleton):
        found["t"] = at.t
    if needs_states(at.skeleton):
        found["x"] = at.x
    return found


def dependent_force_inputs(at: Snapshot) -> dict[str, Matrix]:
    """The input of CasADi functions for the reaction-dependent forces, as a dictionary from its name to its symbols;
    empty if no load has such forces."""
    return {"dependent_forces": at.reaction_dependent_forces} if at.reaction_dependent_forces.shape[0] else {}


def needs_time(skeleton: Skeleton) -> bool:
    """Whether a load depends explicitly on time."""
    return any(depends_on_time(value) for load in skeleton.mechanism.all_loads for value in load.expressions)


def needs_states(skeleton: Skeleton) -> bool:
    """Whether the forces of a load depend on its state variables or on an integral over time."""
    return any(
        (load.states and load.acts_by_states) or any(map(integrals_of, load.expressions))
        for load in skeleton.mechanism.all_loads
    )


def effort_wrench(link: Link, place: BodyPlacement, effort: Matrix, planar: bool) -> Matrix:
    """Wrench of the efforts along the coordinates of a tree joint, on its second body at the origin of the second
    marker.

    The wrench consists of a torque about each axis of rotation and a force along each sliding direction; the effort of
    a screw joint is a torque.
    """
    local = link.joint.motion_subspace(place.joint_pose, planar)
    R_F = place.parent_frame.R if link.forward else place.inboard_frame.R
    parts = ca.DM(6, 1)
    for i in range(local.shape[1]):
        turns = bool(ca.sparsify(local[:3, i]).nnz())
        n = R_F @ local[:3, i] if turns else ca.DM(3, 1)
        f = ca.DM(3, 1) if turns else R_F @ local[3:, i]
        parts = parts + effort[i] * ca.vertcat(n, f)
    return parts


@dataclass(frozen=True)
class WrenchOnMarker:
    """A wrench [n; f] in inertial axes, reduced to `point`, that acts on a body (−1 is the ground) through one of its
    markers."""

    body: int
    marker: str
    point: Matrix
    wrench: Matrix

    def at_origin(self, at: Snapshot) -> Matrix:
        """The wrench at the origin of the body; for a flexible body it is followed by the modal forces."""
        origin = at.placements[self.body].pose.p if self.body >= 0 else ca.DM(3, 1)
        w = transport_wrench(self.wrench, self.point - origin)
        if not at.skeleton.body_of(self.body).elastic:
            return w
        bend = marker_deformation_twists(at.skeleton, at.placements, self.body, self.marker, self.point)
        return ca.vertcat(w, bend.T @ self.wrench)


def effort_wrench_pair(at: Snapshot, k: int, component: int) -> tuple[WrenchOnMarker, WrenchOnMarker]:
    """Wrenches that a unit effort along the coordinate with index `component` of the inboard joint of body k exerts on
    the joint's second and first body."""
    link, place = at.skeleton.links[k], at.placements[k]
    w = effort_wrench(link, place, ca.DM.eye(link.v.stop - link.v.start)[:, component], at.skeleton.planar)
    point = place.inboard_frame.p if link.forward else place.parent_frame.p
    own, carrier = (k, link.inboard_marker), (link.parent, link.parent_marker)
    second, first = (own, carrier) if link.forward else (carrier, own)
    return WrenchOnMarker(*second, point, w), WrenchOnMarker(*first, point, -w)


def effort_wrenches(at: Snapshot) -> list[list[Matrix]]:
    """For every rate in v, the wrenches on all bodies, at their origins, of a unit effort along this rate."""
    found: list[list[Matrix]] = []
    for k, link in enumerate(at.skeleton.links):
        for component in range(link.v.stop - link.v.start):
            on_bodies: list[Matrix] = [ca.DM(6, 1)] * len(at.skeleton.links)
            for end in effort_wrench_pair(at, k, component):
                if end.body >= 0:
                    on_bodies[end.body] = end.at_origin(at)[:6]
            found.append(on_bodies)
        found += [
            [ca.DM(6, 1)] * len(at.skeleton.links)
        ] * link.reduced.elastic  # no wrenches for elastic rates, along which modal forces act
    return found
