"""Newton's and Euler's equations for every body in plain NumPy: a check that shares no code with the library.

It reads the description (masses, markers, types of joints) and a Result, nothing else. The motion of the bodies is
found in two ways: from differences of their poses, and from the reported joint motions, evaluated outward from the
ground along any joints.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from laws.stencils import first, second, vee
from zoo.pitch_points import pitch_point

from multiloop import (
    Cylindrical,
    Fixed,
    Free,
    Helical,
    Joint,
    Mechanism,
    Planar,
    Prismatic,
    Result,
    Revolute,
    Spherical,
    Universal,
)
from multiloop.model import GROUND
from multiloop.model.expressions import evaluate

ORIGIN = np.zeros(3)


@dataclass(frozen=True)
class Motion:
    """Of one body at one instant: where its frame is, and twist and twist rate of its frame's origin."""

    R: np.ndarray
    p: np.ndarray
    omega: np.ndarray
    v: np.ndarray
    alpha: np.ndarray
    a: np.ndarray

    def velocity(self, r: np.ndarray) -> np.ndarray:
        """Of the body's point at r (inertial axes) from its origin."""
        return self.v + np.cross(self.omega, r)

    def acceleration(self, r: np.ndarray) -> np.ndarray:
        """Of the same point."""
        return self.a + np.cross(self.alpha, r) + np.cross(self.omega, np.cross(self.omega, r))


AT_REST = Motion(np.eye(3), ORIGIN, ORIGIN, ORIGIN, ORIGIN, ORIGIN)


# the description in numbers ---------------------------------------------------------------------------


def three(values: object) -> np.ndarray:
    """A vector of the description, with one or two components, as three numbers."""
    numbers = [float(evaluate(value)) for value in values]  # type: ignore[attr-defined]
    return np.array([*numbers, 0.0, 0.0, 0.0][:3])


def weight_of(mechanism: Mechanism, name: str) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, mass centre and inertia about it, in the body's frame."""
    body = mechanism.body(name)
    mass, com = float(evaluate(body.mass)), three(body.com)
    given = body.inertia if isinstance(body.inertia, tuple) else (0.0, 0.0, body.inertia)
    if isinstance(given[0], tuple):
        inertia = np.array([[float(evaluate(entry)) for entry in row] for row in given])
    else:
        inertia = np.diag([float(evaluate(entry)) for entry in given])
    d = com - three(body.marker(body.inertia_at).point)
    return mass, com, inertia - mass * (d @ d * np.eye(3) - np.outer(d, d))


def ends(joint: Joint) -> tuple[str, str]:
    """The two bodies of a joint."""
    return joint.first.partition(".")[0], joint.second.partition(".")[0]


# the motion -------------------------------------------------------------------------------------------


def by_differences(result: Result, k: int, h: float) -> dict[str, Motion]:
    """Motion of all bodies at instant k, with two neighbours on either side, h apart."""
    found = {GROUND: AT_REST}
    for body in result.mechanism.moving:
        X = result.body(body.name)[k - 2 : k + 3]
        R, p = X[:, :, :3], X[:, :, 3]
        found[body.name] = Motion(
            R[2],
            p[2],
            vee(first(R, h) @ R[2].T),
            first(p, h),
            vee(second(R, h) @ R[2].T),  # the antisymmetric part of R̈ Rᵀ = α~ + ω~ω~
            second(p, h),
        )
    return found


def by_joints(result: Result, k: int) -> dict[str, Motion]:
    """Motion of all bodies at instant k from the rates and accelerations that the joints report."""
    mechanism = result.mechanism
    found = {GROUND: AT_REST}
    while len(found) < len(mechanism.moving) + 1:
        for joint in mechanism.connections:
            one, other = ends(joint)
            if (one in found) != (other in found):
                known, new = (one, other) if one in found else (other, one)
                found[new] = _across(result, joint, k, found[known], new, forward=known == one)
    return found


def _across(result: Result, joint: Joint, k: int, known: Motion, new: str, forward: bool) -> Motion:
    """From one body of a joint to the other; the joint's frame F rotates with the first of them.

    ω_S = ω_F + Ω,  α_S = α_F + ω_F × Ω + Ω°,
    v_S = v_F + ω_F × r + u,  a_S = a_F + α_F × r + ω_F × (ω_F × r) + 2 ω_F × u + u°
    """
    R, p = result.body(new)[k][:, :3], result.body(new)[k][:, 3]
    at = {reference: _point(result, reference, k) for reference in (joint.first, joint.second)}
    Omega, u, Omega_rate, u_rate = _relative(result, joint, k)
    r = at[joint.second] - at[joint.first]
    if forward:
        own = at[joint.first] - known.p
        omega, alpha = known.omega, known.alpha
        spin, turn = omega + Omega, alpha + np.cross(omega, Omega) + Omega_rate
        v = known.velocity(own) + np.cross(omega, r) + u
        a = (
            known.acceleration(own)
            + np.cross(alpha, r)
            + np.cross(omega, np.cross(omega, r) + 2 * u)
            + u_rate
        )
        arm = p - at[joint.second]
    else:
        own = at[joint.second] - known.p
        spin = known.omega - Omega
        turn = known.alpha - np.cross(spin, Omega) - Omega_rate
        v = known.velocity(own) - np.cross(spin, r) - u
        a = known.acceleration(own) - np.cross(turn, r) - np.cross(spin, np.cross(spin, r) + 2 * u) - u_rate
        arm = p - at[joint.first]
    return Motion(
        R,
        p,
        spin,
        v + np.cross(spin, arm),
        turn,
        a + np.cross(turn, arm) + np.cross(spin, np.cross(spin, arm)),
    )


def _point(result: Result, reference: str, k: int) -> np.ndarray:
    """Position of a marker in the inertial frame."""
    X = result.body(reference.partition(".")[0])[k]
    return X[:, :3] @ three(result.mechanism.marker(reference).point) + X[:, 3]


def _relative(result: Result, joint: Joint, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Relative rotation and translation of a joint, and their rates relative to F, in inertial axes."""
    mechanism, history = result.mechanism, result[joint.name]
    v, a = np.atleast_1d(history.rate[k]), np.atleast_1d(history.acceleration[k])
    F = _marker_axes(result, joint.first, k)
    S = _marker_axes(result, joint.second, k)
    x, y, z = F.T
    none = ORIGIN
    if isinstance(joint, Revolute):
        return z * v[0], none, z * a[0], none
    if isinstance(joint, Prismatic):
        along = x if mechanism.planar else z
        return none, along * v[0], none, along * a[0]
    if isinstance(joint, Cylindrical):
        return z * v[0], z * v[1], z * a[0], z * a[1]
    if isinstance(joint, Helical):
        pitch = float(evaluate(joint.pitch))
        return z * v[0], pitch * z * v[0], z * a[0], pitch * z * a[0]
    if isinstance(joint, Universal):
        pin = S[:, 0]
        return z * v[0] + pin * v[1], none, z * a[0] + pin * a[1] + v[0] * v[1] * np.cross(z, pin), none
    if isinstance(joint, Spherical):
        return F @ v, none, F @ a, none
    if isinstance(joint, Free) and not mechanism.planar:
        return F @ v[3:], F @ v[:3], F @ a[3:], F @ a[:3]
    if isinstance(joint, Planar | Free):
        return z * v[2], x * v[0] + y * v[1], z * a[2], x * a[0] + y * a[1]
    if isinstance(joint, Fixed):
        return none, none, none, none
    raise TypeError(type(joint).__name__)


def _marker_axes(result: Result, reference: str, k: int) -> np.ndarray:
    """Axes of a marker in the inertial frame, as columns; x by the library's rule if only z is given."""
    mechanism = result.mechanism
    marker, R = mechanism.marker(reference), result.body(reference.partition(".")[0])[k][:, :3]
    if mechanism.planar:
        c, s = np.cos(float(evaluate(marker.angle))), np.sin(float(evaluate(marker.angle)))
        return R @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    z = three(marker.z or (0.0, 0.0, 1.0))
    z /= np.linalg.norm(z)
    if marker.x is not None:
        x = three(marker.x)
    else:
        x = next(axis for axis in np.eye(3) if abs(axis @ z) < np.cos(np.pi / 6))
    x = x - (x @ z) * z
    x /= np.linalg.norm(x)
    return R @ np.column_stack([x, np.cross(z, x), z])


# the balance ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Acting:
    """A force at a point and a moment of a joint on its second body: constraint and effort together."""

    joint: Joint  # or the gear
    point: np.ndarray
    force: np.ndarray
    moment: np.ndarray


def actions(result: Result, k: int) -> Iterator[Acting]:
    """The action of every joint at instant k."""
    mechanism, planar = result.mechanism, result.mechanism.planar
    for joint in mechanism.connections:
        history = result[joint.name]
        force = np.array([*history.force[k], 0.0][:3])
        moment = np.array([0.0, 0.0, history.moment[k]]) if planar else np.array(history.moment[k])
        effort = np.atleast_1d(history.effort[k])
        for coupling in result.couplings.values():
            if joint.name in coupling.efforts:
                effort = effort + coupling.efforts[joint.name][k]
        for load in mechanism.loads:
            if joint.name in dict(load.coordinates):
                effort = effort + result[load.name].effort[k]
        if np.any(effort != 0.0):
            assert len(effort) == 1, "only joints of one freedom are driven here"
            F = _marker_axes(result, joint.first, k)
            if isinstance(joint, Prismatic):
                force = force + effort[0] * F[:, 0 if planar else 2]
            else:
                moment = moment + effort[0] * F[:, 2]
        yield Acting(joint, _point(result, joint.second, k), force, moment)
    for name, coupling in result.couplings.items():
        if "force" in coupling.values:
            gear = next(pair for pair in mechanism.pairs if pair.name == name)
            force = np.array([*coupling.force[k], 0.0][:3])
            point = pitch_point(gear, lambda r: (_point(result, r, k), _marker_axes(result, r, k)))
            yield Acting(gear, point, force, ORIGIN)


def gravity_of(mechanism: Mechanism) -> np.ndarray:
    """The acceleration of free fall, three components."""
    return three(mechanism.gravity or ())


def needs(result: Result, motion: dict[str, Motion]) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """For every body its mass centre, the force m (a − g) and the moment I α + ω × I ω about the mass centre."""
    mechanism, found = result.mechanism, {}
    for body in mechanism.moving:
        mass, com, inertia = weight_of(mechanism, body.name)
        m = motion[body.name]
        arm, I = m.R @ com, m.R @ inertia @ m.R.T
        force = mass * (m.acceleration(arm) - gravity_of(mechanism))
        found[body.name] = (m.p + arm, force, I @ m.alpha + np.cross(m.omega, I @ m.omega))
    return found


def imbalance(result: Result, k: int, motion: dict[str, Motion]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """For every body the residuals of Σ f − m (a − g) and of Σ n about the mass centre − (I α + ω × I ω)."""
    left = {
        body: [centre, -force, -moment] for body, (centre, force, moment) in needs(result, motion).items()
    }
    for acting in actions(result, k):
        for body, sign in zip(ends(acting.joint), (-1.0, 1.0), strict=True):
            if body != GROUND:
                centre = left[body][0]
                left[body][1] = left[body][1] + sign * acting.force
                left[body][2] = left[body][2] + sign * (
                    acting.moment + np.cross(acting.point - centre, acting.force)
                )
    return {body: (force, moment) for body, (_, force, moment) in left.items()}


def scales(result: Result) -> tuple[float, float]:
    """The largest force and the largest moment, relative to which residuals are stated."""
    mechanism = result.mechanism
    joints = result.joints.values()
    weights = [weight_of(mechanism, body.name)[0] for body in mechanism.moving]
    heavy = np.linalg.norm(gravity_of(mechanism)) * sum(weights)
    force = max(heavy, *(float(joint.load.max()) for joint in joints))
    moment = max(float(np.abs(joint.moment).max()) for joint in joints)
    effort = max(float(np.abs(joint.effort).max(initial=0.0)) for joint in joints)
    return force, max(moment, effort, force * result.plan.length)
