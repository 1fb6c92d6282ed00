"""Bevel gears, whose axes intersect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from multiloop.model.faults import Fault
from multiloop.model.pairs.gearing import Contact, across
from multiloop.model.pairs.mounting import SAME, Axis
from multiloop.model.pairs.toothed import Toothed
from multiloop.spatial import Matrix, numeric


@dataclass(frozen=True)
class Bevel(Toothed):
    """A straight bevel gear pair: pitch cones with a common apex roll on each other.

        tan γ₁ = sin Σ / (z₂/z₁ + cos Σ),   ρ₁ = h₁ tan γ₁,   c = p₁ + ρ₁ e

    Σ is the angle between the axes, directed from the apex to the centres p of the (mean) pitch circles, h₁ the
    distance of p₁ from the apex, and e perpendicular to the first axis towards the second. The first gear exerts on
    the second

        f = −λ a₁ × e + |λ| tan α n,      n = cos γ₁ e − sin γ₁ (p₁ − apex)/h₁

    n is perpendicular to the pitch cones: each gear is pushed towards its axis and away from the apex.

    Source: [shigley], ch. 13, force analysis of bevel gearing; [saha], §5.
    Differs: the tangential force is signed, the separating force is not.
    """

    tells_second = True

    def axis_faults(self, where: str, first: Axis, second: Axis) -> Iterator[Fault]:
        (p1, a1), (p2, a2) = ((numeric(x).ravel() for x in (axis.p, axis.a)) for axis in (first, second))
        n, d = np.cross(a1, a2), p2 - p1
        size = max(float(np.linalg.norm(d)), 1e-3)
        if np.linalg.norm(n) < SAME:
            yield Fault("G06", where, "its axes are parallel.", "Gears on parallel axes are a Gear.")
            return
        if (gap := abs(float(d @ n)) / float(np.linalg.norm(n))) > SAME * size:
            remedy = (
                "Let them meet in one point, the apex of the cones; axes that pass each other take a Worm."
            )
            yield Fault("G06", where, f"its axes pass each other at {gap:.6g} m.", remedy)
            return
        apex = numeric(apex_of(first, second)).ravel()
        far = [float(np.linalg.norm(p - apex)) for p in (p1, p2)]
        if min(far) < SAME * size:
            which = "first" if far[0] < far[1] else "second"
            remedy = "Put it into the middle of the gear's pitch circle: its distance from the apex gives the radius."
            yield Fault("G06", where, f"the centre of its {which} gear is the apex of the cones.", remedy)
            return
        t1, t2 = (float(np.tan(float(g))) for g in cone_angles(self, first, second))
        fits = far[0] * np.hypot(1, t1) / np.hypot(1, t2)
        if min(t1, t2) <= 0:
            remedy = "Turn a centre to the other side of the apex."
            yield Fault("G07", where, "one of its cones would open backwards.", remedy)
        elif abs(far[1] - fits) > SAME * fits:
            what = f"with its first centre {far[0]:.9g} m from the apex, the second has to be {fits:.9g} m from it"
            yield Fault(
                "G08", where, f"{what}, and is {far[1]:.9g} m.", "Move a centre, or change the teeth."
            )

    def contact(self, first: Axis, second: Axis) -> Contact:
        apex = apex_of(first, second)
        b1 = first.p - apex
        h1 = ca.norm_2(b1)
        b1 = b1 / h1
        e = across(second.p - apex, b1)
        e = e / ca.norm_2(e)
        gamma, _ = cone_angles(self, first, second)
        alpha: Any = self.pressure_angle
        apart = ca.cos(gamma) * e - ca.sin(gamma) * b1
        return Contact.of_forces(
            first.p + h1 * ca.tan(gamma) * e, -ca.cross(first.a, e), ca.tan(alpha) * apart
        )


def apex_of(first: Axis, second: Axis) -> Matrix:
    """The intersection of the axes."""
    n = ca.cross(first.a, second.a)
    along = ca.dot(ca.cross(second.p - first.p, second.a), n) / ca.dot(n, n)
    return first.p + along * first.a


def cone_angles(bevel: Bevel, first: Axis, second: Axis) -> tuple[Matrix, Matrix]:
    """Half-angles γ of both pitch cones."""
    apex = apex_of(first, second)
    b1, b2 = ((axis.p - apex) / ca.norm_2(axis.p - apex) for axis in (first, second))
    cosine, sine = ca.dot(b1, b2), ca.norm_2(ca.cross(b1, b2))
    n1, n2 = bevel.sizes
    return ca.atan2(sine, n2 / n1 + cosine), ca.atan2(sine, n1 / n2 + cosine)
