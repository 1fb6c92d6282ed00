"""The interface of applied forces: wrenches or generalized forces, potential energy, power, states and outputs.

Forces enter the equations of motion in one place, w* − wᵉ; the energy balance sums their potentials and powers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca

from multiloop.dynamics.actions.set_valued_force_law import LimitParts, SetValuedForce
from multiloop.kinematics import Snapshot
from multiloop.kinematics.tree import LENGTH_COMPONENTS, Skeleton, coordinate_index
from multiloop.model import Load, accept_earlier_names, body_of
from multiloop.spatial import Matrix

JointReactions = Mapping[str, Matrix]
"""Constraint wrenches [n; f] of joints by name, on the second body at the second marker, in inertial axes."""

UNITS = {"force": "N", "torque": "N m", "length": "m", "length_rate": "m/s", "energy": "J", "power": "W"}
UNITS |= {"displacement": "m", "rotation": "rad", "moment": "N m", "loss": "W"}
"""Units of the outputs of loads."""

FLAG = "yes or no"
"""The unit of outputs that are true or false."""


@dataclass(frozen=True)
class MarkerWrench:
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

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        accept_earlier_names(
            cls,
            {
                "follows": "reaction_sources",
                "otherwise": "remedy",
                "own_strengths": "reaction_dependent_forces",
                "grips": "set_valued_forces",
                "reach": "size_scale",
                "still": "rest_rate",
                "shares": "shared_forces",
                "grip_modes": "force_modes",
                "holds": "can_stick",
                "felt_readouts": "reaction_readouts",
            },
        )

    @property
    def name(self) -> str:
        """The name of the load."""
        described: Load = self.load
        return described.name

    def links(self, skeleton: Skeleton) -> frozenset[int]:
        """Indices of the links on which it acts, −1 for the ground; known before tracing."""
        found = {skeleton.index[body_of(marker)] for marker in self.load.markers}
        for joint, _ in self.load.coordinates:
            link = skeleton.link_of_joint[joint]
            found |= {skeleton.index[link.body], link.parent}
        return frozenset(found)

    def rates(self, skeleton: Skeleton) -> tuple[int, ...]:
        """Places in v of the coordinates along which it acts, in the order of the load."""
        found = []
        for joint, component in self.load.coordinates:
            names = skeleton.link_of_joint[joint].joint.components(skeleton.planar)
            found.append(coordinate_index(skeleton, joint, component or names[0]))
        return tuple(found)

    def wrenches(self, at: Snapshot) -> tuple[MarkerWrench, ...]:
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

    def reaction_sources(self, skeleton: Skeleton) -> Mapping[str, tuple[str, ...]]:
        """Joints on whose reactions its forces depend, with the names of these reaction components."""
        return {}

    @property
    def remedy(self) -> str:
        """Remedy for messages if these reactions are not determined."""
        return "give it an explicit effort="

    def reaction_dependent_forces(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Magnitudes x of its reaction-dependent or set-valued forces; its wrenches and efforts are linear in x."""
        first = 0
        for load in at.skeleton.mechanism.all_loads:
            if load.name == self.name:
                break
            first += load.reaction_dependent_forces
        return tuple(
            at.reaction_dependent_forces[first + k] for k in range(self.load.reaction_dependent_forces)
        )

    def law(self, at: Snapshot, reactions: JointReactions) -> tuple[Matrix, ...]:
        """Force law x = h(F) of its reaction-dependent forces, for reactions F."""
        return ()

    def slope_bound(self, at: Snapshot, change: JointReactions) -> tuple[Matrix, ...]:
        """Upper bound of |h(F + δ) − h(F)| over all F: the change of its forces due to a change δ of the reactions."""
        return tuple(ca.fabs(strength) for strength in self.law(at, change))

    def set_valued_forces(self, at: Snapshot, reactions: JointReactions) -> tuple[SetValuedForce, ...]:
        """Set-valued forces of a load with modes, one for each of its magnitudes x, instead of a law."""
        return ()

    def size_scale(self, skeleton: Skeleton) -> float:
        """Scale of the motion that it may hold: the characteristic length in m, or 1 rad for an angle."""
        for joint, component in self.load.coordinates:
            names = skeleton.link_of_joint[joint].joint.components(skeleton.planar)
            return skeleton.characteristic_length if (component or names[0]) in LENGTH_COMPONENTS else 1.0
        return skeleton.characteristic_length

    def rest_rate(self, at: Snapshot) -> Matrix:
        """Rate below which the motion that it may hold counts as at rest, in m/s or rad/s."""
        return at.resolution * self.size_scale(at.skeleton) * at.rate_scale(self.name)

    def modes(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Modes of the load, which are among its state variables."""
        states = dict(zip(self.load.states, self.own_states(at), strict=True))
        return tuple(states[name] for name in self.load.modes)

    def shared_forces(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Initial values for the computation of the set-valued forces that hold a motion; they are state variables
        of the load."""
        states = dict(zip(self.load.states, self.own_states(at), strict=True))
        return tuple(states[name] for name in self.load.shares)

    def force_modes(self, at: Snapshot) -> tuple[Matrix, ...]:
        """The mode of each of its set-valued forces."""
        return self.modes(at)

    @property
    def can_stick(self) -> bool:
        """Whether it may hold its coordinate at rest, with an effort between −limit and limit (stiction)."""
        return False

    def slip(self, at: Snapshot) -> Matrix:
        """Friction effort relative to its limit, between −1 and 1; positive for a positive rate, which the friction
        opposes."""
        return ca.DM(1, 1)

    def limit(self, at: Snapshot, reactions: JointReactions, way: Matrix) -> Matrix:
        """Largest friction effort against a motion in the direction `way`, ±1."""
        return ca.DM(1, 1)

    def limit_parts(self, at: Snapshot, reactions: JointReactions) -> LimitParts | None:
        """Parts of the limits in both directions if they depend on reactions; else None."""
        return None

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        """Outputs of the load besides energy and power."""
        return {}

    def reaction_readouts(self, at: Snapshot, reactions: JointReactions) -> dict[str, Matrix]:
        """Outputs of the load that depend on reactions."""
        return {}

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        """Units of the outputs by name."""
        return UNITS


def effort_units(skeleton: Skeleton, joint: str, component: str) -> Mapping[str, str]:
    """Units of the outputs of a load that acts along a coordinate of a joint."""
    names = skeleton.link_of_joint[joint].joint.components(skeleton.planar)
    return {**UNITS, "effort": "N" if (component or names[0]) in LENGTH_COMPONENTS else "N m"}
