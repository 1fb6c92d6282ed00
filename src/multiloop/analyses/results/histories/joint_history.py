"""Time history of a joint: coordinates, rates, reaction and effort, and for struts and contacts further quantities.

A strut has pressure and flow; a contact has normal and tangential force, contact point and pressure angle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from multiloop.analyses.results.averages import largest_signed, root_mean_square, time_mean
from multiloop.analyses.results.histories import bearing_life
from multiloop.analyses.results.histories.shared_forces import (
    RANGED_QUANTITIES,
    no_sharing,
    ranges_over_time,
    without_sharing,
)
from multiloop.model import (
    Mechanism,
    Strut,
    SuggestsAttributes,
    UnknownNameError,
    attribute_error,
    count_text,
    suggestion,
)
from multiloop.model.expressions.units import quantity_text

ALONG = 1e-9
"""Cosine of the angle between a marker axis and an inertial axis below which the two count as perpendicular."""


def _no_time() -> np.ndarray:
    return np.zeros(0)


@dataclass(frozen=True, eq=False)
class JointHistory(SuggestsAttributes):
    """The time history of a joint.

    `force` and `moment` are exerted by the first body on the second through the joint's constraint, at the origin of
    the second marker, in inertial axes (planar: two components and a number). `effort` is the generalized force of a
    drive or actuator on the second body along the joint's positive direction; it is not part of `force` and `moment`.
    `effort_force` and `effort_moment` are the effort as vectors, including the efforts of couplings along the joint.
    `determined` states whether equilibrium determines the reaction; `undetermined` names the components of the
    reaction, along the axes of the first marker, that equilibrium does not determine. `range("force")` gives the
    smallest and largest admissible values.
    """

    mechanism: str
    name: str
    first: str
    second: str
    values: Mapping[str, np.ndarray] = field(repr=False)
    determined: bool
    undetermined: tuple[str, ...]
    poses: Mapping[str, np.ndarray] = field(repr=False)
    # `least`: force (N) below which the reaction counts as round-off of the reactions of other joints
    least: float = 0.0
    holding: np.ndarray | None = None
    time: np.ndarray = field(default_factory=_no_time, repr=False)
    turning: tuple[bool, ...] = field(default=(), repr=False)  # whether each coordinate is an angle
    ratio: float = field(default=1.0, repr=False)  # gear ratio: turns of the motor per turn of the joint
    # `shared`: for every instant the forces that unilateral loads share with the joint, or None
    shared: np.ndarray = field(default_factory=no_sharing, repr=False)
    # `redundant`: names of the reaction components that redundant constraints leave undetermined
    redundant: tuple[str, ...] = field(default=(), repr=False)
    # `first_axes`: rotation matrix of the first marker in the frame of its body
    first_axes: tuple[tuple[float, ...], ...] = field(default=(), repr=False)

    def __getattr__(self, name: str) -> np.ndarray:
        if hasattr(type(self), name):  # the property raised an AttributeError, which is raised again
            found: np.ndarray = object.__getattribute__(self, name)
            return found
        own: Mapping[str, np.ndarray] = self.__dict__.get("values", {})
        if name not in own:
            raise attribute_error(self, name)
        return own[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.values]

    def at_instants(self, kept: np.ndarray, poses: Mapping[str, np.ndarray]) -> Self:
        """The history of the joint at the instants selected by the indices or mask `kept`; `poses` are the poses of all
        bodies at these instants."""
        return replace(
            self,
            values={name: values[kept] for name, values in self.values.items()},
            time=self.time[kept],
            holding=None if self.holding is None else self.holding[kept],
            shared=self.shared[kept] if len(self.shared) else self.shared,
            poses=poses,
        )

    @property
    def position(self) -> np.ndarray:
        """Coordinates q of the joint at every instant."""
        return self._along_coordinates("position")

    @property
    def rate(self) -> np.ndarray:
        """Rates v of the coordinates at every instant."""
        return self._along_coordinates("rate")

    @property
    def acceleration(self) -> np.ndarray:
        """Accelerations v̇ of the coordinates at every instant."""
        return self._along_coordinates("acceleration")

    @property
    def effort(self) -> np.ndarray:
        """Generalized force of the drive or actuator along the coordinates at every instant."""
        return self._along_coordinates("effort")

    def _along_coordinates(self, quantity: str) -> np.ndarray:
        """An output with one entry per coordinate; without entries for a joint that has no coordinates."""
        found = self.values.get(quantity)
        return np.zeros((len(self.time), 0)) if found is None else found

    @property
    def force(self) -> np.ndarray:
        """Constraint force at every instant, in N."""
        return self.values["force"]

    @property
    def moment(self) -> np.ndarray:
        """Constraint moment at every instant, in N m."""
        return self.values["moment"]

    @property
    def effort_force(self) -> np.ndarray:
        """Force of all efforts along the joint's coordinates at every instant, in N."""
        return self.values.get("effort_force", np.zeros_like(self.force))

    @property
    def effort_moment(self) -> np.ndarray:
        """Moment of all efforts along the joint's coordinates at every instant, in N m."""
        return self.values.get("effort_moment", np.zeros_like(self.moment))

    def force_in(self, body: str) -> np.ndarray:
        """The joint force along the axes of a body's own frame, for strength calculations of that body.

        It is the force that the first body exerts on the second; the first body experiences the opposite force.
        """
        if body not in self.poses:
            raise UnknownNameError(self.mechanism, "body", body, suggestion(body, self.poses))
        d = self.force.shape[1]
        turned: np.ndarray = np.einsum("tij,ti->tj", self.poses[body][:, :d, :d], self.force)
        return turned

    @property
    def load(self) -> np.ndarray:
        """Magnitude of the joint force at every instant, in N."""
        return self.values["load"]

    @property
    def effort_range(self) -> np.ndarray:
        """Smallest and largest admissible effort at every instant; after `inverse` they differ where stiction acts."""
        return self.range("effort")

    def range(self, quantity: str) -> np.ndarray:
        """Smallest and largest admissible value of `force`, `moment` or `effort` at every instant, along a last axis
        of length two.

        Where one-sided loads share forces with the joint, the range covers all solutions in which these loads only pull
        or only push. The range is infinite for components that redundant constraints leave undetermined without
        one-sided loads.
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
        """Mask, instants × components, of the components of the joint's force or moment that redundant constraints
        leave undetermined."""
        values: np.ndarray = getattr(self, quantity)
        names = [name for name in self.redundant if quantity in name]
        if not names:
            return np.zeros(values.shape, bool)
        axes = [name[-1] for name in names if name[:-1] in ("force along ", "moment about ")]
        if len(axes) < len(names):  # some undetermined components are not along axes of the marker
            return np.full(values.shape, True)
        turned = self.poses[self.first.partition(".")[0]][:, :, :3] @ np.array(self.first_axes)
        part = np.abs(turned[:, :, ["xyz".index(axis) for axis in axes]]).max(axis=2) > ALONG
        open_ones: np.ndarray = part[:, 2] if values.ndim == 1 else part[:, : values.shape[1]]
        return open_ones

    @property
    def moment_size(self) -> np.ndarray:
        """Magnitude of the joint moment at every instant, in N m."""
        return self.values["moment_size"]

    @property
    def power(self) -> np.ndarray:
        """Power of the joint's effort τ at the rates v at every instant, τᵀ v, in W."""
        return self.values.get("power", np.zeros(len(self.time)))

    @property
    def motor_effort(self) -> np.ndarray:
        """Effort on the motor side of the gearbox, effort / ratio, including the torque that accelerates the rotor."""
        return self.values.get("motor_effort", self.effort)

    @property
    def motor_rate(self) -> np.ndarray:
        """Speed of the motor relative to the body on which it is mounted, gear ratio × joint rate."""
        return self.values.get("motor_rate", self.rate)

    # averages and extremes over the whole run -------------------------------------------------------------

    @property
    def rms_effort(self) -> float | np.ndarray:
        """Root mean square of the effort over the run, √(∫ τ² dt / T), on which the heating of a motor depends.

        It has one value per coordinate of the joint.
        """
        if self.effort.ndim == 1:
            return root_mean_square(self.time, self.effort)
        return np.array([root_mean_square(self.time, column) for column in self.effort.T])

    @property
    def peak_power(self) -> float:
        """The value with the largest magnitude of the effort's power over the run (W), negative if power is taken."""
        return largest_signed(self.power)

    @property
    def mean_power(self) -> float:
        """Time average of the power of the joint's effort, in W."""
        return time_mean(self.time, self.power)

    @property
    def turns(self) -> bool:
        """Whether the two bodies of the joint can rotate relative to each other."""
        return any(self.turning)

    @property
    def travel_rate(self) -> np.ndarray:
        """Relative angular speed of the joint's two bodies; for a joint without rotation, their sliding speed."""
        return bearing_life.travel_rate(self.rate, self.turning)

    def equivalent_load(self, exponent: float = bearing_life.BALL) -> float:
        """The equivalent constant bearing load of this run, (∫ |F|^p |ω| dt / ∫ |ω| dt)^(1/p), in N.

        |F| is the `load`, |ω| the `travel_rate`, and p the `exponent`, 3 for balls and 10/3 for rollers.
        """
        return bearing_life.equivalent_load(self, exponent)

    def rated_life(self, capacity: float, exponent: float = bearing_life.BALL) -> float:
        """Time in hours that 90 % of bearings last if the run is repeated: 10⁶ (C / P)^p turns.

        C is the `capacity`, the dynamic load rating (N), P the `equivalent_load`, and p the `exponent`.
        """
        return bearing_life.rated_life(self, capacity, exponent)

    def __repr__(self) -> str:
        doubt = "" if self.determined else f"; not determined: {', '.join(self.undetermined)}"
        most = float(self.load.max())
        shown = most if most > self.least else 0.0
        over = count_text(len(self.force), "instant")
        return f"Joint '{self.name}' over {over}: load up to {quantity_text(shown, 'N')}{doubt}."


@dataclass(frozen=True, eq=False, repr=False)
class StrutHistory(JointHistory):
    """The time history of a strut: `position` is the length of the strut, and a positive `effort` extends it.

    The `pressure` p (Pa) acts on the bore area while the strut pushes, and on the annular area around the shaft while
    the strut pulls, with the magnitude F of the effort, the bore diameter D and the shaft diameter d:

        p = F / A,   A = π D²/4  or  π (D² − d²)/4

    `flow` (m³/s) is the flow into the strut: into the bore side while it extends, into the annular side while it
    retracts. Both require the bore of the strut.
    """

    @property
    def pressure(self) -> np.ndarray:
        """Pressure (Pa) on the side of the piston that pushes or pulls, relative to the other side."""
        return self._with_bore("pressure")

    @property
    def flow(self) -> np.ndarray:
        """Volume flow into the strut (m³/s)."""
        return self._with_bore("flow")

    def _with_bore(self, quantity: str) -> np.ndarray:
        if quantity not in self.values:
            raise AttributeError(
                f"strut '{self.name}' has no bore. Give bore= and shaft= to compute pressures and flows."
            )
        return self.values[quantity]


def struts_of(mechanism: Mechanism) -> list[Strut]:
    return [one for one in mechanism.composites if isinstance(one, Strut)]


STATIONARY = 1e-9
"""Fraction of its largest speed over the run below which a point counts as at rest and has no direction of motion."""


@dataclass(frozen=True, eq=False, repr=False)
class ContactHistory(JointHistory):
    """The time history of a pair with a contact, such as a cam and its follower.

    `normal` is the normal force on the second body, positive away from the first body: negative values mean separation.
    `tangential` is the rest of the force: in the plane its component along the normal turned by +90°, in space its
    magnitude. `contact` is the contact point, and `radius_of_curvature` the radius of curvature of the first body at
    this point, negative where the body is concave. `pressure_angle` is the angle between the normal and the velocity of
    the driven point, from 0 to π/2; while the driven point is at rest, the direction of its last motion is used.
    """

    two_sided: bool = False
    limit: float | None = None

    @property
    def normal(self) -> np.ndarray:
        """Normal force on the second body at every instant, in N."""
        return self.values["normal"]

    @property
    def tangential(self) -> np.ndarray:
        """Force across the normal at every instant, in N."""
        return self.values["tangential"]

    @property
    def contact(self) -> np.ndarray:
        """Position of the contact point at every instant, in m."""
        return self.values["contact"]

    @property
    def radius_of_curvature(self) -> np.ndarray:
        """Radius of curvature of the first body at the contact point, in m."""
        return self.values["radius_of_curvature"]

    @property
    def pressure_angle(self) -> np.ndarray:
        """Angle between the normal and the velocity of the driven point at every instant, in rad."""
        return self.values["pressure_angle"]

    @property
    def separated_at(self) -> float:
        """The first time (s) at which the normal force is negative, so that a pair that can only push would separate.

        NaN if there is no such time, or if the contact is two-sided.
        """
        lost = np.flatnonzero(self.normal < -self.least)
        return float(self.time[lost[0]]) if len(lost) and not self.two_sided else float("nan")

    def __repr__(self) -> str:
        low, high = float(self.normal.min()), float(self.normal.max())
        steepest = float(np.degrees(self.pressure_angle.max()))
        return (
            f"Contact '{self.name}' over {count_text(len(self.force), 'instant')}: normal force {low:.6g} to "
            f"{high:.6g} N, pressure angle up to {steepest:.3g}°."
        )


def pressure_angles(normal: np.ndarray, velocity: np.ndarray) -> np.ndarray:
    """Pressure angles: angles (rad) between the normal and the line of the velocity of the driven point at every
    instant, from 0 to π/2.

    While the velocity is zero, its last direction is used; before the first motion, the first direction.
    """
    speed = np.linalg.norm(velocity, axis=1)
    moves = np.flatnonzero(speed > STATIONARY * speed.max(initial=0.0))
    if not len(moves):
        return np.zeros(len(speed))
    last = moves[np.maximum(np.searchsorted(moves, np.arange(len(speed)), side="right") - 1, 0)]
    way = velocity[last] / speed[last, None]
    along = np.abs(np.einsum("ti,ti->t", normal, way))
    if normal.shape[1] == 2:
        across = np.abs(normal[:, 0] * way[:, 1] - normal[:, 1] * way[:, 0])
    else:
        across = np.linalg.norm(np.cross(normal, way), axis=1)
    angle: np.ndarray = np.arctan2(across, along)
    return angle
