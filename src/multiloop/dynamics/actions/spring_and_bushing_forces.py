"""Wrenches and efforts of given forces and torques, springs and dampers, and bushings.

Theory: docs/theory/04-orthogonal-complement.md, eqs. (4.18)–(4.24).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca

from multiloop.dynamics.actions.action import Action, MarkerWrench, effort_units
from multiloop.dynamics.symbolic_solvers import solve_general
from multiloop.kinematics import Snapshot, Span, expression_value, marker_motion, span_between
from multiloop.kinematics.tree import Skeleton
from multiloop.model import Bushing, Force, JointSpring, Scalar, Spring, Torque
from multiloop.spatial import Matrix, rotation_vector, tangent


@dataclass(frozen=True)
class ForceAction(Action):
    """A prescribed force f at a marker: wrench w = [0; f], power f · v with the velocity v of the marker."""

    load: Force

    def _force(self, at: Snapshot) -> Matrix:
        """The prescribed force f at the marker, in inertial axes."""
        return inertial_vector(at, self.load.force, self.load.frame, self.load.at)

    def wrenches(self, at: Snapshot) -> tuple[MarkerWrench, ...]:
        return (MarkerWrench(self.load.at, ca.vertcat(ca.DM(3, 1), self._force(at))),)

    def power(self, at: Snapshot) -> Matrix:
        return ca.dot(self._force(at), marker_motion(at, self.load.at)[1].v)

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        return {"force": self._force(at)[: 2 if at.skeleton.planar else 3]}


def inertial_vector(at: Snapshot, components: tuple[Scalar, ...], frame: str, marker: str) -> Matrix:
    """A vector in inertial axes; `components` are in inertial axes, or in body axes at a marker if `frame` is
    "body"."""
    values = [expression_value(at, component) for component in components]
    vector = ca.sparsify(ca.vertcat(*values, *[0.0] * (3 - len(values))))
    return body_axes(at, marker) @ vector if frame == "body" else vector


def body_axes(at: Snapshot, reference: str) -> Matrix:
    """Inertial rotation matrix of the body axes at a marker; on a flexible body the axes rotate with the deformation at
    the marker."""
    body, _, marker = reference.partition(".")
    k = at.skeleton.index[body]
    if k < 0 or not at.skeleton.links[k].reduced.elastic:
        return marker_motion(at, f"{body}.origin")[0].R
    straight = at.skeleton.links[k].reduced.markers
    return marker_motion(at, reference)[0].R @ straight[marker].R.T @ straight["origin"].R


@dataclass(frozen=True)
class TorqueAction(Action):
    """A prescribed torque n on a body: wrench w = [n; 0], power n · ω with the angular velocity ω of the body."""

    load: Torque

    def _torque(self, at: Snapshot) -> Matrix:
        """The torque n in inertial axes; in a planar mechanism n is about z."""
        given = self.load.torque
        components = given if isinstance(given, tuple) else (given,)
        return inertial_vector(at, (0.0, 0.0, *components)[-3:], self.load.frame, self.load.markers[0])

    def wrenches(self, at: Snapshot) -> tuple[MarkerWrench, ...]:
        return (MarkerWrench(self.load.markers[0], ca.vertcat(self._torque(at), ca.DM(3, 1))),)

    def power(self, at: Snapshot) -> Matrix:
        return ca.dot(self._torque(at), marker_motion(at, self.load.markers[0])[1].omega)

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        n = self._torque(at)
        return {"torque": n[2] if at.skeleton.planar else n}


@dataclass(frozen=True)
class SpringAction(Action):
    """Spring and damper force along the line between two markers, positive in tension.

        F = F₀ + k (L − l) + c L̇,   f = F d/L on the first body, −f on the second,   V = k (L − l)²/2 + F₀ (L − l)

    F is the tension, V the potential energy, k the stiffness, c the damping, L the distance of the markers (d the
    vector between them), l the free length, and F₀ the preload. A variable preload has no potential; its power is −F₀
    L̇. If a damper acts in parallel with a variable preload, the power dissipated by the damper is the output `loss`.
    """

    load: Spring

    def _span(self, at: Snapshot) -> Span:
        return span_between(at, self.load.first, self.load.second)

    def _spring_values(self, at: Snapshot) -> tuple[Any, ...]:
        """Stiffness k, free length l, preload F₀ and damping c."""
        load = self.load
        return tuple(
            expression_value(at, value)
            for value in (load.stiffness, load.length or 0.0, load.preload, load.damping)
        )

    def _pull(self, at: Snapshot) -> Matrix:
        """Force f on the first body, in inertial axes. The part k d of the force (stiffness times the vector d between
        the markers) needs no unit vector and is therefore also valid at distance L = 0."""
        span, (k, free, preload, c) = self._span(at), self._spring_values(at)
        rest: Any = preload - k * free if _may_be_nonzero(k * free) else preload
        if _may_be_nonzero(c):
            rest = rest + c * (ca.dot(span.d, span.rate) / span.length)
        return k * span.d + (rest / span.length) * span.d if _may_be_nonzero(rest) else k * span.d

    def wrenches(self, at: Snapshot) -> tuple[MarkerWrench, ...]:
        w = ca.vertcat(ca.DM(3, 1), self._pull(at))
        return (MarkerWrench(self.load.first, w), MarkerWrench(self.load.second, -w))

    def potential(self, at: Snapshot) -> Matrix:
        k, free, preload, _ = self._spring_values(at)
        longer = self._span(at).length - free
        return k * longer**2 / 2 + (preload * longer if self.load.dissipates else 0.0)

    def power(self, at: Snapshot) -> Matrix:
        span, (_, _, preload, c) = self._span(at), self._spring_values(at)
        lost = c * span.length_rate**2
        return -lost if self.load.dissipates else -lost - preload * span.length_rate

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        span, (k, free, preload, c) = self._span(at), self._spring_values(at)
        force = preload + k * (span.length - free) + c * span.length_rate
        readouts = {"force": force, "length": span.length, "length_rate": span.length_rate}
        mixed = not self.load.dissipates and _may_be_nonzero(c)
        return readouts | ({"loss": c * span.length_rate**2} if mixed else {})


def _may_be_nonzero(value: Any) -> bool:
    """Whether a number or expression may differ from zero; False only for the number 0.0."""
    return not (isinstance(value, float) and value == 0.0)


@dataclass(frozen=True)
class JointSpringAction(Action):
    """Spring and damper along a joint coordinate q: effort −k (q − q₀) − c q̇, potential V = k (q − q₀)²/2, power −c
    q̇².

    k is the stiffness, q₀ the coordinate at which the spring is relaxed, and c the damping."""

    load: JointSpring

    def _spring_values(self, at: Snapshot) -> tuple[Any, Any, Any, Any]:
        """Stiffness k, deflection q − q₀, damping c and rate q̇."""
        load, link = self.load, at.skeleton.link_of_joint[self.load.joint]
        (rate,) = self.rates(at.skeleton)
        q = at.q[link.q.start + rate - link.v.start]
        k, rest, c = (expression_value(at, value) for value in (load.stiffness, load.rest, load.damping))
        return k, q - rest, c, at.v[rate]

    def efforts(self, at: Snapshot) -> tuple[Matrix, ...]:
        k, turned, c, rate = self._spring_values(at)
        return (-k * turned - c * rate,)

    def potential(self, at: Snapshot) -> Matrix:
        k, turned, _, _ = self._spring_values(at)
        return k * turned**2 / 2

    def power(self, at: Snapshot) -> Matrix:
        _, _, c, rate = self._spring_values(at)
        return -c * rate**2

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        return effort_units(skeleton, self.load.joint, self.load.component)

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        return {"effort": self.efforts(at)[0]}


@dataclass(frozen=True)
class _Strain:
    """Deformation y of a bushing (displacement, then rotation vector θ) and its rate ẏ in the axes of the first marker,
    the tangent operator T of ω = T θ̇, the inertial rotation R of the first marker, and the vector `apart` between the
    markers."""

    y: Matrix
    rate: Matrix
    T: Matrix
    R: Matrix
    apart: Matrix


@dataclass(frozen=True)
class BushingAction(Action):
    """Wrench of a bushing: elastic forces that derive from a potential of the deformation y, and damping forces along
    y.

        V = yᵀ K y / 2,   F = −K y − D ẏ,   f = F_p,   n = T⁻ᵀ F_θ,   power −ẏᵀ D ẏ

    V is the potential energy. y consists of the displacement and the rotation vector θ of the second marker relative to
    the first; K and D are the stiffness and damping matrices, and F_p, F_θ the parts of F along displacement and
    rotation. The force f acts at the origin of the second marker on both bodies. The tangent operator T of ω = T θ̇
    makes the moment n consistent with the potential at any angle; for small angles it is the identity.
    """

    load: Bushing

    def _strain(self, at: Snapshot) -> _Strain:
        (F, first), (S, second) = (marker_motion(at, marker) for marker in self.load.markers)
        apart = S.p - F.p
        turn = second.omega - first.omega
        slip = second.v - first.v - ca.cross(first.omega, apart)
        if at.skeleton.planar:
            R = F.R.T @ S.R
            y = ca.vertcat((F.R.T @ apart)[:2], ca.atan2(R[1, 0], R[0, 0]))
            return _Strain(y, ca.vertcat((F.R.T @ slip)[:2], turn[2]), ca.DM.eye(1), F.R, apart)
        theta = rotation_vector(F.R.T @ S.R)
        T = tangent(theta)
        rate = ca.vertcat(F.R.T @ slip, solve_general(T, F.R.T @ turn))
        return _Strain(ca.vertcat(F.R.T @ apart, theta), rate, T, F.R, apart)

    def _matrix(self, at: Snapshot, entry: str) -> Matrix:
        rows = self.load.matrix(entry, at.skeleton.planar)
        return ca.sparsify(
            ca.vertcat(*[ca.horzcat(*[expression_value(at, number) for number in row]) for row in rows])
        )

    def _force(self, at: Snapshot, strain: _Strain) -> Matrix:
        """Generalized force F along the deformation y."""
        return -(self._matrix(at, "stiffness") @ strain.y) - self._matrix(at, "damping") @ strain.rate

    def _exerted(self, at: Snapshot, strain: _Strain) -> tuple[Matrix, Matrix]:
        """Force f and moment n on the second body, in the axes of the first marker."""
        F = self._force(at, strain)
        if at.skeleton.planar:
            return F[:2], F[2]
        return F[:3], solve_general(strain.T.T, F[3:])

    def wrenches(self, at: Snapshot) -> tuple[MarkerWrench, ...]:
        strain = self._strain(at)
        f, n = self._exerted(at, strain)
        if at.skeleton.planar:
            f, n = strain.R @ ca.vertcat(f, 0), ca.vertcat(0, 0, n)
        else:
            f, n = strain.R @ f, strain.R @ n
        there = ca.vertcat(n, f)
        return (
            MarkerWrench(self.load.first, -ca.vertcat(n + ca.cross(strain.apart, f), f)),
            MarkerWrench(self.load.second, there),
        )

    def potential(self, at: Snapshot) -> Matrix:
        y = self._strain(at).y
        return ca.dot(y, self._matrix(at, "stiffness") @ y) / 2

    def power(self, at: Snapshot) -> Matrix:
        rate = self._strain(at).rate
        return -ca.dot(rate, self._matrix(at, "damping") @ rate)

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        strain, d = self._strain(at), 2 if at.skeleton.planar else 3
        f, n = self._exerted(at, strain)
        return {"displacement": strain.y[:d], "rotation": strain.y[d:], "force": f, "moment": n}
