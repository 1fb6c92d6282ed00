"""Wrenches on the markers of flexible links and motion of the link frames, from which section forces are computed.

Theory: docs/theory/10-flexible-bodies.md, eq. (10.19).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import casadi as ca

from multiloop.dynamics.actions import (
    WrenchOnMarker,
    actions_of,
    effort_wrench_pair,
    efforts_of,
    wrenches_of,
)
from multiloop.dynamics.outputs.output_list import needed_inputs
from multiloop.dynamics.outputs.traced_instant import TracedInstant, traced_instant_of
from multiloop.dynamics.tree_members import inertial_twist_rates
from multiloop.kinematics import CACHE_SIZE, Equations, marker_motion
from multiloop.kinematics.constraints import WrenchInteraction, end_poses
from multiloop.kinematics.tree import Link
from multiloop.spatial import Matrix, Pose, transport_wrench
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class SectionLoads:
    """CasADi function of the wrenches on all flexible links with a centreline (beams)."""

    at: TracedInstant

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The flexible links with a centreline (beams)."""
        skeleton = self.at.equations.skeleton
        return tuple(
            link
            for link in skeleton.links
            if link.reduced.elastic and skeleton.mechanism.body(link.body).centreline() is not None
        )

    def markers(self, link: Link) -> tuple[str, ...]:
        """Names of the markers of a link, in the order of the outputs of `function`."""
        return self.at.mechanism.body(link.body).marker_names

    @cached_property
    def function(self) -> Traced:
        """CasADi function of an instant (`TracedInstant.inputs`) → `frames` and `acting` of every link, which are
        arguments of `Loading`.

        `frames` are the angular velocity ω, the angular acceleration α and the acceleration minus gravity a − g of the
        origin of each link frame (3 × 3 links); `acting` are, for each marker, the sum of the wrenches [n; f] on it,
        reduced to the origin of the link frame (6 × markers of all links). Both are in the axes of the link.
        """
        ends = [*self._joint_ends(), *self._effort_ends(), *self._load_ends(), *self._coupled_ends()]
        outputs = {
            "frames": ca.horzcat(*[self._frame(link) for link in self.links]),
            "acting": ca.horzcat(*[self._marker_wrenches(link, ends) for link in self.links]),
        }
        dense = {name: ca.densify(ca.SX(m)) for name, m in outputs.items()}
        inputs = needed_inputs(self.at, [ca.reshape(m, -1, 1) for m in dense.values()])
        return Traced("section_loads", inputs, dense)

    def _own_pose(self, link: Link) -> Pose:
        """Inertial pose of the frame of a link that the user described."""
        eq = self.at.equations
        return eq.placements[eq.skeleton.index[link.body]].pose @ link.reduced.markers["origin"]

    def _frame(self, link: Link) -> Matrix:
        eq = self.at.equations
        k, own = eq.skeleton.index[link.body], self._own_pose(link)
        omega, rate = eq.body_twists[k].omega, inertial_twist_rates(eq, eq.a)[k]
        a = rate.acceleration_at(own.p - eq.placements[k].pose.p, omega)
        return ca.horzcat(*[own.R.T @ part for part in (omega, rate.alpha, a)])

    def _marker_wrenches(self, link: Link, ends: list[WrenchOnMarker]) -> Matrix:
        """For every marker of a link, the sum of those of the wrenches `ends` that act on it, reduced to the origin of
        the link frame in link axes, 6 × markers."""
        own, k = self._own_pose(link), self.at.equations.skeleton.index[link.body]
        found: dict[str, Matrix] = {name: ca.SX(6, 1) for name in self.markers(link)}
        for end in ends:
            if end.body == k:
                w = transport_wrench(end.wrench, end.point - own.p)
                found[end.marker] += ca.vertcat(own.R.T @ w[:3], own.R.T @ w[3:])
        return ca.horzcat(*found.values())

    # wrenches on the markers

    def _joint_ends(self) -> Iterator[WrenchOnMarker]:
        """Constraint wrenches of joints and pairs on both of their bodies."""
        eq = self.at.equations
        for joint in self.at.mechanism.connections:
            w, point = self.at.reactions[joint.name], marker_motion(eq, joint.second)[0].p
            for reference, sign in ((joint.second, 1), (joint.first, -1)):
                body, _, marker = reference.partition(".")
                yield WrenchOnMarker(eq.skeleton.index[body], marker, point, sign * w)

    def _effort_ends(self) -> Iterator[WrenchOnMarker]:
        """Wrenches of the efforts along joint coordinates: of drives, actuators, and couplings such as relations."""
        eq = self.at.equations
        for k, link in enumerate(eq.skeleton.links):
            place, w = eq.placements[k], self.at.effort_wrenches[link.joint.name]
            point = place.inboard_frame.p if link.forward else place.parent_frame.p
            sign = 1 if link.forward else -1
            yield WrenchOnMarker(k, link.inboard_marker, point, sign * w)
            yield WrenchOnMarker(link.parent, link.parent_marker, point, -sign * w)

    def _load_ends(self) -> Iterator[WrenchOnMarker]:
        """Wrenches of the loads that act at markers or along joint coordinates."""
        eq = self.at.equations
        skeleton = eq.skeleton
        for action in actions_of(skeleton):
            for applied in wrenches_of(action, eq):
                body, _, marker = applied.marker.partition(".")
                point = marker_motion(eq, applied.marker)[0].p
                yield WrenchOnMarker(skeleton.index[body], marker, point, applied.wrench)
            for rate, effort in zip(action.rates(skeleton), efforts_of(action, eq), strict=True):
                k = next(k for k, link in enumerate(skeleton.links) if link.v.start <= rate < link.v.stop)
                for end in effort_wrench_pair(eq, k, rate - skeleton.links[k].v.start):
                    yield replace(end, wrench=effort * end.wrench)

    def _coupled_ends(self) -> Iterator[WrenchOnMarker]:
        """Wrenches of couplings that act between bodies, such as gears, and of closing joints of split bodies."""
        eq, joints = self.at.equations, {joint.name for joint in self.at.mechanism.connections}
        own = eq.loop_constraints
        for constraint, place in zip(own.constraints, own.slices, strict=True):
            if constraint.name in joints:
                continue
            lam = self.at.lam[place]
            exerted = [
                (x, x.W @ lam)
                for x in constraint.exerted_interactions(eq)
                if isinstance(x, WrenchInteraction)
            ]
            exerted += [(x, x.W) for x in constraint.workless_forces(eq, lam)]
            for one, w in exerted:
                point = end_poses(eq, one.first, one.second).S.p
                for end, sign in ((one.second, 1), (one.first, -1)):
                    yield WrenchOnMarker(end.body, end.marker, point, sign * w)


@lru_cache(maxsize=CACHE_SIZE)
def section_loads_of(equations: Equations) -> SectionLoads:
    """The section loads of a mechanism along a spanning tree, cached for repeated use."""
    return SectionLoads(traced_instant_of(equations))
