"""Time history of a joint: coordinates, rates, reaction and effort, and for struts and contacts further quantities.

A strut has pressure and flow; a contact has normal and tangential force, contact point and pressure angle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from math import pi
from typing import Any

import numpy as np

from multiloop.analyses.results.averages import largest_signed, root_mean_square, time_mean
from multiloop.analyses.results.histories import bearing_life
from multiloop.analyses.results.histories.shared_forces import (
    RANGED_QUANTITIES,
    no_sharing,
    ranges_over_time,
    without_sharing,
)
from multiloop.kinematics import ContactMotion
from multiloop.model import Mechanism, Strut, SuggestsAttributes, UnknownNameError, count_text, suggestion
from multiloop.model.expressions import evaluate
from multiloop.model.expressions.units import quantity_text

ALONG = 1e-9
"""Cosine of the angle between a component and an axis below which the component takes no part in it."""


def _no_time() -> np.ndarray:
    return np.zeros(0)


@dataclass(frozen=True, eq=False)
class JointHistory(SuggestsAttributes):
    """One joint over time.

    `force` and `moment` are exerted by the first body on the second through the joint's constraint, at the origin of
    the second marker, in inertial axes (planar: two components and a number). `effort` is that of a drive or actuator
    on the second body along the joint's positive direction, and not part of them; `effort_force` and `effort_moment`
    are the same as vectors, including the efforts of couplings along the joint. `determined` states whether equilibrium
    determines the reaction; `undetermined` names the components that it does not, along the first marker's axes.
    `range("force")` gives the smallest and largest admissible values.
    """

    mechanism: str
    name: str
    first: str
    second: str
    position: np.ndarray
    rate: np.ndarray
    acceleration: np.ndarray
    force: np.ndarray
    moment: np.ndarray
    effort: np.ndarray
    effort_force: np.ndarray
    effort_moment: np.ndarray
    determined: bool
    undetermined: tuple[str, ...]
    poses: Mapping[str, np.ndarray] = field(repr=False)
    least: float = 0.0  # loads below this are round-off of the loads at other joints
    holding: np.ndarray | None = None
    time: np.ndarray = field(default_factory=_no_time, repr=False)
    turning: tuple[bool, ...] = field(default=(), repr=False)  # which of its coordinates are angles
    ratio: float = field(default=1.0, repr=False)  # gear ratio: turns of the motor per turn of the joint
    # forces shared with unilateral loads, by instant
    shared: np.ndarray = field(default_factory=no_sharing, repr=False)
    # components that redundant constraints leave undetermined
    redundant: tuple[str, ...] = field(default=(), repr=False)
    first_axes: tuple[tuple[float, ...], ...] = field(
        default=(), repr=False
    )  # axes of the first marker in its body

    def force_in(self, body: str) -> np.ndarray:
        """The force in the axes of a body's own frame, for strength calculations of that body.

        It is the force of the first body on the second; the first body experiences the opposite.
        """
        if body not in self.poses:
            raise UnknownNameError(self.mechanism, "body", body, suggestion(body, self.poses))
        d = self.force.shape[1]
        turned: np.ndarray = np.einsum("tij,ti->tj", self.poses[body][:, :d, :d], self.force)
        return turned

    @property
    def load(self) -> np.ndarray:
        """Magnitude of the force at every instant."""
        size: np.ndarray = np.linalg.norm(self.force, axis=-1)
        return size

    @property
    def effort_range(self) -> np.ndarray:
        """Smallest and largest effort at every instant; in `inverse` they differ where stiction acts."""
        return self.range("effort")

    def range(self, quantity: str) -> np.ndarray:
        """Smallest and largest admissible value of `force`, `moment` or `effort` at every instant, in a last
        axis of two.

        Where one-sided loads share forces with the joint, the range covers all solutions in which they only pull or
        push; it is infinite for components that redundant constraints alone leave undetermined.
        """
        if quantity not in RANGED_QUANTITIES:
            raise UnknownNameError(
                self.mechanism,
                "force of a joint",
                quantity,
                suggestion(quantity, dict.fromkeys(RANGED_QUANTITIES)),
            )
        if quantity == "effort" and self.holding is not None:
            return self.holding
        ends = ranges_over_time(getattr(self, quantity), self.name, quantity, self.shared)
        alone = without_sharing(self.shared, len(ends))
        ends[alone] = np.where(self._unbounded(quantity)[alone, ..., None], (-np.inf, np.inf), ends[alone])
        return ends

    def _unbounded(self, quantity: str) -> np.ndarray:
        """Mask of the components of its force or moment that redundant constraints leave undetermined, instants ×
        components."""
        values: np.ndarray = getattr(self, quantity)
        names = [name for name in self.redundant if quantity in name]
        if not names:
            return np.zeros(values.shape, bool)
        axes = [name[-1] for name in names if name[:-1] in ("force along ", "moment about ")]
        if len(axes) < len(names):  # some components are along other directions
            return np.full(values.shape, True)
        turned = self.poses[self.first.partition(".")[0]][:, :, :3] @ np.array(self.first_axes)
        part = np.abs(turned[:, :, ["xyz".index(axis) for axis in axes]]).max(axis=2) > ALONG
        open_ones: np.ndarray = part[:, 2] if values.ndim == 1 else part[:, : values.shape[1]]
        return open_ones

    @property
    def moment_size(self) -> np.ndarray:
        """Magnitude of the moment at every instant."""
        size: np.ndarray = abs(self.moment) if self.moment.ndim == 1 else np.linalg.norm(self.moment, axis=-1)
        return size

    @property
    def power(self) -> np.ndarray:
        """Power of its effort at every instant, τᵀ v."""
        each = np.atleast_2d(self.effort.T) * np.atleast_2d(self.rate.T)
        total: np.ndarray = each.sum(axis=0)
        return total

    @property
    def motor_effort(self) -> np.ndarray:
        """Effort of the motor before its gearbox, effort / ratio; the torque that accelerates its rotor is included."""
        own: np.ndarray = self.effort / self.ratio
        return own

    @property
    def motor_rate(self) -> np.ndarray:
        """Speed of the motor relative to the body that carries it, ratio q̇."""
        own: np.ndarray = self.ratio * self.rate
        return own

    # over the whole run -----------------------------------------------------------------------------------

    @property
    def rms_effort(self) -> float | np.ndarray:
        """Root mean square of its effort over time, √(∫ τ² dt / T), which heats a motor; one value per coordinate."""
        if self.effort.ndim == 1:
            return root_mean_square(self.time, self.effort)
        return np.array([root_mean_square(self.time, column) for column in self.effort.T])

    @property
    def peak_power(self) -> float:
        """The power of its effort with the largest magnitude, negative where power is taken."""
        return largest_signed(self.power)

    @property
    def mean_power(self) -> float:
        """Mean power of its effort."""
        return time_mean(self.time, self.power)

    @property
    def turns(self) -> bool:
        """Whether its bodies rotate relative to each other."""
        return any(self.turning)

    @property
    def travel_rate(self) -> np.ndarray:
        """Relative angular speed of its bodies; for joints without rotation, their sliding speed."""
        return bearing_life.travel_rate(self.rate, self.turning)

    def equivalent_load(self, exponent: float = bearing_life.BALL) -> float:
        """The equivalent constant bearing load of this run, (∫ |F|^p |ω| dt / ∫ |ω| dt)^(1/p), in N."""
        return bearing_life.equivalent_load(self, exponent)

    def rated_life(self, capacity: float, exponent: float = bearing_life.BALL) -> float:
        """Hours that 90 % of bearings with a dynamic load rating C (N) last, 10⁶ (C / P)^p turns."""
        return bearing_life.rated_life(self, capacity, exponent)

    def __repr__(self) -> str:
        doubt = "" if self.determined else f"; not determined: {', '.join(self.undetermined)}"
        most = float(self.load.max())
        shown = most if most > self.least else 0.0
        over = count_text(len(self.force), "instant")
        return f"Joint '{self.name}' over {over}: load up to {quantity_text(shown, 'N')}{doubt}."


@dataclass(frozen=True, eq=False, repr=False)
class StrutHistory(JointHistory):
    """The slide of a strut: `position` is its length, a positive `effort` extends it.

    The `pressure` (Pa) acts on the bore area where the strut pushes and on the annular area around the shaft where it
    pulls:

        p = F / A,   A = π D²/4  or  π (D² − d²)/4

    `flow` (m³/s) is the flow into the strut: into the bore side while it extends, into the annular side while it
    retracts.
    """

    bore: float | None = None
    shaft: float = 0.0

    @property
    def pressure(self) -> np.ndarray:
        """Pressure of the pushing or pulling side relative to the other side."""
        found: np.ndarray = np.abs(self.effort) / np.where(self.effort >= 0, *self._areas)
        return found

    @property
    def flow(self) -> np.ndarray:
        """Flow into the strut."""
        found: np.ndarray = np.abs(self.rate) * np.where(self.rate >= 0, *self._areas)
        return found

    @property
    def _areas(self) -> tuple[float, float]:
        """Bore area and annular area."""
        if self.bore is None:
            raise AttributeError(
                f"strut '{self.name}' has no bore. Give bore= and shaft= to compute pressures and flows."
            )
        return pi * self.bore**2 / 4, pi * (self.bore**2 - self.shaft**2) / 4


def joint_history_types(
    mechanism: Mechanism, values: Mapping[str, float]
) -> Mapping[str, Callable[..., JointHistory]]:
    """Constructors of the histories of joints with a type of history besides JointHistory, for given parameter
    values.
    """
    return {
        strut.name: partial(
            StrutHistory,
            bore=None if strut.bore is None else float(evaluate(strut.bore, parameters=values)),
            shaft=float(evaluate(strut.shaft, parameters=values)),
        )
        for strut in struts_of(mechanism)
    }


def struts_of(mechanism: Mechanism) -> list[Strut]:
    return [one for one in mechanism.composites if isinstance(one, Strut)]


STATIONARY = 1e-9
"""A point whose speed is below this part of its largest is at rest and has no direction of motion."""


def _nothing() -> np.ndarray:
    return np.zeros(0)


@dataclass(frozen=True, eq=False, repr=False)
class ContactHistory(JointHistory):
    """A pair with contact over time.

    `normal` is the force along the normal, on the second body away from the first: negative values mean separation.
    `tangential` is the rest of the force, in the plane along the normal turned by +90°, in space its magnitude.
    `contact` is the contact point; `radius_of_curvature` that of the first body there, negative where it is concave;
    `pressure_angle` is the angle between the normal and the velocity of the driven point, from 0 to π/2. While that
    point is at rest, the direction of its last motion is used.
    """

    normal: np.ndarray = field(default_factory=_nothing)
    tangential: np.ndarray = field(default_factory=_nothing)
    contact: np.ndarray = field(default_factory=_nothing)
    radius_of_curvature: np.ndarray = field(default_factory=_nothing)
    pressure_angle: np.ndarray = field(default_factory=_nothing)
    two_sided: bool = False
    limit: float | None = None

    @property
    def separated_at(self) -> float:
        """The first instant at which a pair that can only push would separate, its normal force negative; else NaN."""
        lost = np.flatnonzero(self.normal < -self.least)
        return float(self.time[lost[0]]) if len(lost) and not self.two_sided else float("nan")

    def __repr__(self) -> str:
        low, high = float(self.normal.min()), float(self.normal.max())
        steepest = float(np.degrees(self.pressure_angle.max()))
        return (
            f"Contact '{self.name}' over {count_text(len(self.force), 'instant')}: normal force {low:.6g} to "
            f"{high:.6g} N, pressure angle up to {steepest:.3g}°."
        )


def contact_history(history: JointHistory, at: ContactMotion) -> ContactHistory:
    """The history of a pair with the quantities of its contact."""
    d = history.force.shape[1]
    n = at.normal[:, :d]
    normal = np.einsum("ti,ti->t", history.force, n)
    rest = history.force - normal[:, None] * n
    along = rest[:, 1] * n[:, 0] - rest[:, 0] * n[:, 1] if d == 2 else np.linalg.norm(rest, axis=1)
    own: dict[str, Any] = {entry.name: getattr(history, entry.name) for entry in fields(history)}
    return ContactHistory(
        **own,
        normal=normal,
        tangential=along,
        contact=at.point[:, :d],
        radius_of_curvature=at.radius,
        pressure_angle=_angle_between(at.normal, at.velocity),
        two_sided=at.two_sided,
        limit=at.limit,
    )


def _angle_between(normal: np.ndarray, velocity: np.ndarray) -> np.ndarray:
    """The angle between normal and velocity; at rest, the last velocity is used."""
    speed = np.linalg.norm(velocity, axis=1)
    moves = np.flatnonzero(speed > STATIONARY * speed.max(initial=0.0))
    if not len(moves):
        return np.zeros(len(speed))
    last = moves[np.maximum(np.searchsorted(moves, np.arange(len(speed)), side="right") - 1, 0)]
    way = velocity[last] / speed[last, None]
    along = np.abs(np.einsum("ti,ti->t", normal, way))
    across = np.linalg.norm(np.cross(normal, way), axis=1)
    angle: np.ndarray = np.arctan2(across, along)
    return angle
