"""Worm gears on skew axes at a right angle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import pi
from typing import Any

import casadi as ca
import numpy as np

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.markers import value_of
from multiloop.model.pairs.gear import tooth_contact
from multiloop.model.pairs.gearing import Contact, across
from multiloop.model.pairs.mounting import SAME, Axis
from multiloop.model.pairs.toothed import Toothed
from multiloop.spatial import Matrix, numeric


@dataclass(frozen=True)
class Worm(Toothed):
    """Worm gear: the first marker is on the worm, whose number of teeth is that of its starts, the second on the wheel.

        ρ₁ tan γ / z₁ = ρ₂ / z₂,   ρ₁ + ρ₂ = a

    a is the centre distance and γ the lead angle of the thread, positive for a right-handed thread; the pitch `radius`
    ρ₁ of the worm may be given instead. A worm is a helical gear with β = 90° − γ: forces are those of a Gear. Without
    friction it can be driven from both sides for any lead angle; a ToothFriction may make it self-locking.

    Source: [shigley], ch. 13, force analysis of worm gearing, without friction.
    """

    lead_angle: Scalar | None = field(default=None, kw_only=True)
    radius: Scalar | None = field(default=None, kw_only=True)

    called = "worm"
    tells_second = True

    @property
    def lengths(self) -> Mapping[str, Any]:
        return {} if self.radius is None else {"radius": self.radius}

    @property
    def angles(self) -> Mapping[str, tuple[Any, float, float]]:
        lead = {} if self.lead_angle is None else {"lead angle": (self.lead_angle, -pi / 2 + 1e-6, pi / 2)}
        return {**super().angles, **lead}

    def number_faults(self, where: str) -> Iterator[Fault]:
        if self.radii is not None:
            remedy = "Give teeth=(starts, teeth of the wheel), and lead_angle= or radius= of the worm."
            yield Fault("G04", where, "has radii.", remedy)
        elif (self.lead_angle is None) == (self.radius is None):
            both = "has a lead angle and a radius" if self.radius is not None else "has no lead angle"
            yield Fault("G04", where, f"{both}.", "Give lead_angle= of the thread, or radius= of the worm.")
        elif value_of(self.lead_angle) == 0.0:
            yield Fault("G05", where, "its lead angle is 0.", "Give the angle of the thread, e.g. deg(5).")
        if self.radii is None:
            yield from super().number_faults(where)

    def axis_faults(self, where: str, first: Axis, second: Axis) -> Iterator[Fault]:
        (p1, a1), (p2, a2) = ((numeric(x).ravel() for x in (axis.p, axis.a)) for axis in (first, second))
        d = p2 - p1
        distance = float(np.linalg.norm(d))
        if abs(float(a1 @ a2)) > SAME:
            remedy = "Put them at a right angle."
            yield Fault("G06", where, f"its axes are at {np.degrees(np.arccos(a1 @ a2)):.6g}°.", remedy)
        elif distance < 1e-9:
            yield Fault("G06", where, "its axes meet.", "Axes that meet take a Bevel.")
        elif (off := max(abs(float(a1 @ d)), abs(float(a2 @ d)))) > SAME * distance:
            remedy = "Put both markers where the axes come nearest to each other."
            yield Fault(
                "G06", where, f"its centres are {off:.6g} m beside the shortest way between the axes.", remedy
            )
        elif (radius := value_of(self.radius)) is not None and radius >= distance:
            what = f"its radius is {radius:.9g} m, and the axes are {distance:.9g} m apart."
            yield Fault("G07", where, what, "The worm has to leave room for its wheel.")

    def contact(self, first: Axis, second: Axis) -> Contact:
        d = across(second.p - first.p, first.a)
        a = ca.norm_2(d)
        z1, z2 = self.sizes
        if self.radius is not None:
            rho: Any = self.radius
            slope = (a - rho) * z1 / (rho * z2)
        else:
            lead: Any = self.lead_angle
            slope = ca.tan(lead)
            rho = a / (1 + z2 / z1 * ca.fabs(slope))
        e = d / a
        return tooth_contact(first, e, first.p + rho * e, e, self.pressure_angle, _helix(slope))


def _helix(slope: Matrix) -> Matrix:
    """Helix angle β = 90° − γ of the same hand."""
    return ca.atan(1 / slope)
