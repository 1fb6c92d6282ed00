"""A closed position of a mechanism: its tree coordinates, the prescribed values, and its distance from the guess."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from multiloop.kinematics.assembly.guess import GuessDeviation
from multiloop.kinematics.assembly.requests import Request
from multiloop.kinematics.conditioning import position_degrees_of_freedom
from multiloop.kinematics.constraints import Target
from multiloop.kinematics.equations import Equations, equations_of
from multiloop.kinematics.joint_coordinates import joint_coordinates, joint_points, marker_count
from multiloop.kinematics.tree import LENGTH_COMPONENTS
from multiloop.model import Mechanism
from multiloop.model.joints import nearest_angle

COORDINATE_TOLERANCE = 1e-6
"""Difference in radians or characteristic lengths up to which two coordinates count as equal."""


@dataclass(frozen=True, eq=False)
class Assembly:
    """A closed position: the equations along a spanning tree, the tree coordinates q, the prescribed values s (drives,
    start and elastic coordinates), the parameters p and the time t.

    `gap` is the largest residual of the position constraints, in radians or characteristic lengths; `held` are the
    prescribed values by name."""

    mechanism: Mechanism
    equations: Equations
    q: np.ndarray
    s: np.ndarray
    p: np.ndarray
    t: float
    gap: float
    distance: float  # largest distance of a body from its guess, in characteristic lengths
    held: tuple[Request, ...]
    guess_norm: float = 0.0  # distance from all guessed values (`GuessDistance.norm`)
    farthest: str = ""  # name of the body with the largest distance from its guess
    # names of joints whose angles differ between assembly modes with the same positions of all joints
    half_turned: tuple[str, ...] = ()
    # large deviations of this position from guessed values, the largest first
    guess_deviations: tuple[GuessDeviation, ...] = ()
    guess_places_all_bodies: bool = False  # whether the guess determines the poses of all bodies
    search_was_limited: bool = False  # whether the search was limited to a few assembly modes
    # guessed coordinates by joint; `coordinates` returns angles on the turn nearest to them
    guessed_coordinates: Mapping[str, np.ndarray] = field(default_factory=dict)

    def coordinates(self, near: Mapping[str, np.ndarray] | None = None) -> dict[str, np.ndarray]:
        """Coordinates of every joint and flexible body by name; those of cut joints are computed from the poses of
        their markers. Angles are on the turn nearest to `near`, or to the guess."""
        return dict(self._coordinates) if not near else self._coordinates_near(near)

    def coordinates_on(
        self, equations: Equations, near: Mapping[str, np.ndarray] | None = None
    ) -> np.ndarray:
        """This position as tree coordinates q of other equations, which may have another tree; angles are on the turn
        nearest to `near`, or to the guess."""
        found = self._coordinates if near is None else self._coordinates_near(near)
        q = equations.skeleton.neutral_position.copy()
        for name, own in equations.skeleton.coordinates.items():
            q[own.q] = found[name]
        return q

    @cached_property
    def _coordinates(self) -> dict[str, np.ndarray]:
        return self._coordinates_near(self.guessed_coordinates)

    def _coordinates_near(self, near: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        return joint_coordinates(self.equations, self.q, self.p, near)

    def differing_joints(self, other: Assembly) -> list[str]:
        """Names of the joints and flexible bodies whose coordinates differ from their values in another closed
        position."""
        both = ((name, q, other._coordinates[name]) for name, q in self._coordinates.items())
        return [
            name
            for name, q, its in both
            if np.any(np.abs(q - its) > COORDINATE_TOLERANCE * self._unit(name, len(q)))
        ]

    def _unit(self, name: str, count: int) -> np.ndarray:
        """Scale of each of the `count` coordinates of a joint or flexible body: the characteristic length for lengths,
        otherwise 1."""
        skeleton, joint = self.equations.skeleton, self.mechanism.joints_by_name.get(name)
        if joint is None:
            own = skeleton.coordinates.get(name)  # absent for a pair, which has no coordinates
            return np.ones(count) if own is None else self.equations.chart.rate_units[own.v]
        lengths = [part in LENGTH_COMPONENTS for part in joint.components(self.mechanism.planar)]
        return np.where([*lengths, *[False] * (count - len(lengths))], skeleton.characteristic_length, 1.0)

    def rigid_equations(self) -> tuple[Equations, np.ndarray]:
        """Equations along the same tree in which only the elastic coordinates are prescribed, at their present values,
        and the vector s of prescribed values."""
        skeleton = self.equations.skeleton
        held = [
            (name, own) for name, own in skeleton.coordinates.items() if name not in skeleton.link_of_joint
        ]
        targets = tuple(Target(name, own.names) for name, own in held)
        equations = equations_of(self.mechanism, skeleton.tree, targets)
        return equations, np.concatenate([equations.time_values(self.t), *(self.q[own.q] for _, own in held)])

    @cached_property
    def degrees_of_freedom(self) -> int:
        """Number of degrees of freedom that remain when all prescribed values are imposed, including rotations of
        bodies about the line through their two spherical joints."""
        return position_degrees_of_freedom(self.equations, self.q, self.s, self.p)

    @cached_property
    def joint_points(self) -> np.ndarray:
        """Positions and axes of all joint markers: two assemblies with the same points are the same assembly mode."""
        return joint_points(self.equations, self.q, self.p)

    @property
    def joint_places(self) -> np.ndarray:
        """Positions of all joint markers and those joint coordinates that are lengths, in characteristic lengths.

        In space, assembly modes for which these values are equal differ only by rotations of bodies about lines through
        all their joints.
        """
        joints, planar = self.mechanism.joints_by_name, self.mechanism.planar
        lengths = [
            x / self.equations.skeleton.characteristic_length
            for name, joint in joints.items()
            for x, part in zip(self._coordinates[name], joint.components(planar), strict=False)
            if part in LENGTH_COMPONENTS
        ]
        return np.concatenate([self.joint_points[: 3 * marker_count(self.mechanism)], lengths])

    @cached_property
    def distance_from_zero_pose(self) -> float:
        """Distance from the position in which all joint angles are zero: root of the sum of squares of all joint
        angles, each within ±π."""
        planar, angles = self.mechanism.planar, [0.0]
        joints = self.mechanism.joints_by_name
        for name, q in self._coordinates.items():
            if name in joints:
                turning = joints[name].turning(planar)
                angles += [
                    float(nearest_angle(x, 0.0)) for x, turns in zip(q, turning, strict=False) if turns
                ]
                if len(q) > joints[name].degrees_of_freedom(planar):
                    angles.append(2 * float(np.arccos(min(1.0, abs(q[-4])))))
        return float(np.linalg.norm(angles))
