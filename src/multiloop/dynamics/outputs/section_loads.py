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
    dependent_force_inputs,
    effort_wrench,
    effort_wrench_pair,
    efforts_of,
    load_inputs,
    wrenches_of,
)
from multiloop.dynamics.outputs.readouts import Readouts
from multiloop.dynamics.tree_members import inertial_twist_rates
from multiloop.kinematics import CACHE_SIZE, marker_motion
from multiloop.kinematics.constraints import RowSet, WrenchInteraction, end_poses
from multiloop.kinematics.tree import Link
from multiloop.spatial import Matrix, Pose, as_column, transport_wrench
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class SectionLoads:
    """CasADi function of the wrenches on all flexible links with a centreline (beams)."""

    readouts: Readouts

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The flexible links with a centreline (beams)."""
        skeleton = self.readouts.equations.skeleton
        return tuple(
            link
            for link in skeleton.links
            if link.reduced.elastic and skeleton.mechanism.body(link.body).centreline() is not None
        )

    def markers(self, link: Link) -> tuple[str, ...]:
        """Names of the markers of a link, in the order of the outputs of `function`."""
        return self.readouts.equations.skeleton.mechanism.body(link.body).marker_names

    @cached_property
    def function(self) -> Traced:
        """CasADi function (q, v, a, efforts τ, joint wrenches, multipliers λ of `other_constraints`, p) → `frames` and
        `acting` of every link, which are arguments of `Loading`.

        `frames` are the angular velocity ω, the angular acceleration α and the acceleration minus gravity a − g of the
        origin of each link frame (3 × 3 links); `acting` are, for each marker, the sum of the wrenches [n; f] on it,
        reduced to the origin of the link frame (6 × markers of all links). Both are in the axes of the link.
        """
        eq, skeleton = self.readouts.equations, self.readouts.equations.skeleton
        tau = as_column(ca.SX.sym("tau", skeleton.rates))
        flat = ca.SX.sym("wrenches", 6 * len(skeleton.mechanism.connections))
        lam = ca.SX.sym("lam", RowSet(self.readouts.other_constraints).count)
        inputs = {"q": eq.q, "v": eq.v, "a": eq.a, "tau": tau, "wrenches": flat, "lam": lam}
        ends = [
            *self._joint_ends(flat),
            *self._effort_ends(tau),
            *self._load_ends(),
            *self._coupled_ends(lam),
        ]
        outputs = {
            "frames": ca.horzcat(*[self._frame(link) for link in self.links]),
            "acting": ca.horzcat(*[self._marker_wrenches(link, ends) for link in self.links]),
        }
        inputs |= load_inputs(eq) | dependent_force_inputs(eq) | {"p": skeleton.parameter_symbols}
        return Traced("held_links", inputs, {name: ca.densify(ca.SX(m)) for name, m in outputs.items()})

    def _own_pose(self, link: Link) -> Pose:
        """Inertial pose of the frame of a link as defined by the user."""
        eq = self.readouts.equations
        return eq.placements[eq.skeleton.index[link.body]].pose @ link.reduced.markers["origin"]

    def _frame(self, link: Link) -> Matrix:
        eq = self.readouts.equations
        k, own = eq.skeleton.index[link.body], self._own_pose(link)
        omega, rate = eq.body_twists[k].omega, inertial_twist_rates(eq, eq.a)[k]
        a = rate.acceleration_at(own.p - eq.placements[k].pose.p, omega)
        return ca.horzcat(*[own.R.T @ part for part in (omega, rate.alpha, a)])

    def _marker_wrenches(self, link: Link, ends: list[WrenchOnMarker]) -> Matrix:
        """For every marker of a link, the sum of those of the wrenches `ends` that act on it, reduced to the origin of
        the link frame in link axes, 6 × markers."""
        own, k = self._own_pose(link), self.readouts.equations.skeleton.index[link.body]
        found: dict[str, Matrix] = {name: ca.SX(6, 1) for name in self.markers(link)}
        for end in ends:
            if end.body == k:
                w = transport_wrench(end.wrench, end.point - own.p)
                found[end.marker] += ca.vertcat(own.R.T @ w[:3], own.R.T @ w[3:])
        return ca.horzcat(*found.values())

    # wrenches on the markers

    def _joint_ends(self, flat: Matrix) -> Iterator[WrenchOnMarker]:
        """Constraint wrenches of joints and pairs on both of their bodies; `flat` contains the wrenches on the second
        bodies as one column."""
        eq = self.readouts.equations
        for k, joint in enumerate(eq.skeleton.mechanism.connections):
            w, point = flat[6 * k : 6 * k + 6], marker_motion(eq, joint.second)[0].p
            for reference, sign in ((joint.second, 1), (joint.first, -1)):
                body, _, marker = reference.partition(".")
                yield WrenchOnMarker(eq.skeleton.index[body], marker, point, sign * w)

    def _effort_ends(self, tau: Matrix) -> Iterator[WrenchOnMarker]:
        """Wrenches of the efforts along joint coordinates: of drives, actuators, and couplings such as relations."""
        eq = self.readouts.equations
        for k, link in enumerate(eq.skeleton.links):
            place = eq.placements[k]
            w = effort_wrench(link, place, tau[link.v], eq.skeleton.planar)
            point = place.inboard_frame.p if link.forward else place.parent_frame.p
            sign = 1 if link.forward else -1
            yield WrenchOnMarker(k, link.inboard_marker, point, sign * w)
            yield WrenchOnMarker(link.parent, link.parent_marker, point, -sign * w)

    def _load_ends(self) -> Iterator[WrenchOnMarker]:
        """Wrenches of the loads that act at markers or along joint coordinates."""
        eq = self.readouts.equations
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

    def _coupled_ends(self, lam: Matrix) -> Iterator[WrenchOnMarker]:
        """Wrenches of couplings that act between bodies, such as gears, and of closing joints of split bodies."""
        eq, rows = self.readouts.equations, RowSet(self.readouts.other_constraints)
        for constraint, place in zip(rows.constraints, rows.slices, strict=True):
            exerted = [
                (x, x.W @ lam[place])
                for x in constraint.exerted_interactions(eq)
                if isinstance(x, WrenchInteraction)
            ]
            exerted += [(x, x.W) for x in constraint.workless_forces(eq, lam[place])]
            for one, w in exerted:
                point = end_poses(eq, one.first, one.second).S.p
                for end, sign in ((one.second, 1), (one.first, -1)):
                    yield WrenchOnMarker(end.body, end.marker, point, sign * w)


@lru_cache(maxsize=CACHE_SIZE)
def section_loads_of(readouts: Readouts) -> SectionLoads:
    """The section loads of a mechanism, cached for repeated use."""
    return SectionLoads(readouts)
