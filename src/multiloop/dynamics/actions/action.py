"""Interface of all applied forces: wrenches, efforts, potential, power, state variables, force laws and outputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca

from multiloop.dynamics.actions.grip import Grip, LimitParts
from multiloop.kinematics.chart import LENGTHS
from multiloop.kinematics.skeleton import Skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.targets import coordinate_index
from multiloop.model import Load
from multiloop.model.names import body_of
from multiloop.spatial import Matrix

Felt = Mapping[str, Matrix]
"""Constraint wrenches [n; f] of joints by name, on the second body at the second marker, in inertial axes."""

UNITS = {"force": "N", "torque": "N m", "length": "m", "length_rate": "m/s", "energy": "J", "power": "W"}
UNITS |= {"displacement": "m", "rotation": "rad", "moment": "N m", "loss": "W"}
"""Units of the outputs of loads."""

FLAG = "yes or no"
"""The unit of outputs that are true or false."""


@dataclass(frozen=True)
class Applied:
    """A wrench [n; f] on the body of a marker, at the marker's origin, in inertial axes."""

    marker: str
    wrench: Matrix


@dataclass(frozen=True)
class Action:
    """The forces of a load at a snapshot, which provides time, state, parameters, poses and twists.

    Wrenches w and efforts are consistent with the energy. For every motion

        Σ wᵀ t + Σ effort · rate = −V̇ + power

    with the potential V, and the `power` of forces without a potential, negative where they dissipate. A subclass
    defines wrenches at the markers of its load, efforts along its coordinates, or both, and all other methods whose
    result is not zero or empty. Readouts are columns of numbers by name; `energy` and `power` are always added.
    """

    load: Any

    @property
    def name(self) -> str:
        """The name of the load."""
        described: Load = self.load
        return described.name

    def links(self, skeleton: Skeleton) -> frozenset[int]:
        """Indices of the links on which it acts, −1 for the ground; known before tracing."""
        found = {skeleton.index[body_of(marker)] for marker in self.load.markers}
        for joint, _ in self.load.coordinates:
            link = skeleton.carrier[joint]
            found |= {skeleton.index[link.body], link.parent}
        return frozenset(found)

    def rates(self, skeleton: Skeleton) -> tuple[int, ...]:
        """Places in v of the coordinates along which it acts, in the order of the load."""
        found = []
        for joint, component in self.load.coordinates:
            names = skeleton.carrier[joint].joint.components(skeleton.planar)
            found.append(coordinate_index(skeleton, joint, component or names[0]))
        return tuple(found)

    def wrenches(self, at: Snapshot) -> tuple[Applied, ...]:
        """Wrenches at the markers of the load."""
        return ()

    def efforts(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Efforts along the coordinates of the load, on the second body of each joint."""
        return ()

    def potential(self, at: Snapshot) -> Matrix:
        """Potential V, which depends only on the position and on the state variables of the load."""
        return ca.DM(1, 1)

    def power(self, at: Snapshot) -> Matrix:
        """Power of the forces without a potential."""
        return ca.DM(1, 1)

    def state_rates(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Time derivatives of the state variables of the load, in its order."""
        return ()

    def own_states(self, at: Snapshot) -> tuple[Matrix, ...]:
        """State variables of the load, in its order."""
        places = {name: k for k, name in enumerate(at.skeleton.states)}
        return tuple(at.x[places[f"{self.name}.{state}"]] for state in self.load.states)

    def follows(self, skeleton: Skeleton) -> Mapping[str, tuple[str, ...]]:
        """The joints on whose reactions its forces depend, with the names of the reaction components concerned."""
        return {}

    @property
    def otherwise(self) -> str:
        """Remedy in messages for the case that these reactions are not determined."""
        return "give it an effort= of its own"

    def own_strengths(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Magnitudes x of its reaction-dependent or set-valued forces; its wrenches and efforts are linear in them."""
        first = 0
        for load in at.skeleton.mechanism.all_loads:
            if load.name == self.name:
                break
            first += load.strengths
        return tuple(at.strengths[first + k] for k in range(self.load.strengths))

    def law(self, at: Snapshot, felt: Felt) -> tuple[Matrix, ...]:
        """Force law x = h(F) of its reaction-dependent forces, for reactions F."""
        return ()

    def slope_bound(self, at: Snapshot, change: Felt) -> tuple[Matrix, ...]:
        """Bound of the change of its forces by a change of the reactions, |h(F + δ) − h(F)| for every F."""
        return tuple(ca.fabs(strength) for strength in self.law(at, change))

    def grips(self, at: Snapshot, felt: Felt) -> tuple[Grip, ...]:
        """Set-valued forces of a load with modes, one for each of its magnitudes x, instead of a law."""
        return ()

    def reach(self, skeleton: Skeleton) -> float:
        """Scale of the motion that it may hold: the characteristic length in m, or 1 rad for an angle."""
        for joint, component in self.load.coordinates:
            names = skeleton.carrier[joint].joint.components(skeleton.planar)
            return skeleton.length if (component or names[0]) in LENGTHS else 1.0
        return skeleton.length

    def still(self, at: Snapshot) -> Matrix:
        """Rate below which the motion that it may hold counts as at rest, in m/s or rad/s."""
        return at.grain * self.reach(at.skeleton) * at.pace(self.name)

    def modes(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Modes of the load, which are among its state variables."""
        states = dict(zip(self.load.states, self.own_states(at), strict=True))
        return tuple(states[name] for name in self.load.modes)

    def shares(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Start values of the set-valued forces that hold a motion, which are among the state variables of the load."""
        states = dict(zip(self.load.states, self.own_states(at), strict=True))
        return tuple(states[name] for name in self.load.shares)

    def grip_modes(self, at: Snapshot) -> tuple[Matrix, ...]:
        """The mode of each of its set-valued forces."""
        return self.modes(at)

    @property
    def holds(self) -> bool:
        """Whether it may hold its coordinate at rest, with an effort between −limit and limit (stiction)."""
        return False

    def slip(self, at: Snapshot) -> Matrix:
        """Friction effort relative to the limit, between −1 and 1; positive for a positive rate, which it opposes."""
        return ca.DM(1, 1)

    def limit(self, at: Snapshot, felt: Felt, way: Matrix) -> Matrix:
        """Largest friction effort against a motion in the direction `way`, ±1."""
        return ca.DM(1, 1)

    def limit_parts(self, at: Snapshot, felt: Felt) -> LimitParts | None:
        """Parts of the limits in both directions if they depend on reactions; else None."""
        return None

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        """Outputs of the load besides energy and power."""
        return {}

    def felt_readouts(self, at: Snapshot, felt: Felt) -> dict[str, Matrix]:
        """Outputs of the load that depend on reactions."""
        return {}

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        """Units of the outputs by name."""
        return UNITS
