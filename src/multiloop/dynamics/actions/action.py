"""The interface of applied forces: wrenches or generalized forces, potential energy, power, states and outputs.

Forces enter the equations of motion only through applied wrenches wᵉ, subtracted from the inertia wrenches w* of the
bodies (w* − wᵉ); the energy balance sums the potentials and powers of all forces.
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
"""Constraint wrenches [n; f] of joints by name; each acts on the joint's second body at its second marker, in inertial
axes."""

UNITS = {"force": "N", "torque": "N m", "length": "m", "length_rate": "m/s", "energy": "J", "power": "W"}
UNITS |= {"displacement": "m", "rotation": "rad", "moment": "N m", "loss": "W"}
"""Units of the outputs of loads, by name of the output."""

FLAG = "yes or no"
"""The unit of outputs that are true or false."""


@dataclass(frozen=True)
class MarkerWrench:
    """A wrench [n; f] on the body of a marker, at the marker's origin, in inertial axes."""

    marker: str
    wrench: Matrix


@dataclass(frozen=True)
class Action:
    """The forces of a load, as functions of a snapshot: time, state, parameter values, poses and twists.

    Wrenches w and efforts (torques or forces along joint coordinates) are consistent with the energy. For every motion
    with twists t of the markers and rates of the joint coordinates

        Σ wᵀ t + Σ effort · rate = −V̇ + power

    with the potential V and the `power` of forces without a potential, which is negative if they dissipate energy. A
    subclass defines wrenches at the markers of its load, efforts along the joint coordinates of the load, or both, and
    every other method whose result is not zero or empty. Outputs (`readouts`) are columns of numbers by name; `energy`
    and `power` are added for every load.
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
        """Indices of the links on which the load acts, −1 for the ground; known without evaluating forces."""
        found = {skeleton.index[body_of(marker)] for marker in self.load.markers}
        for joint, _ in self.load.coordinates:
            link = skeleton.link_of_joint[joint]
            found |= {skeleton.index[link.body], link.parent}
        return frozenset(found)

    def rates(self, skeleton: Skeleton) -> tuple[int, ...]:
        """Indices in v of the rates of the joint coordinates along which the load acts, in the order of
        `Load.coordinates`."""
        found = []
        for joint, component in self.load.coordinates:
            names = skeleton.link_of_joint[joint].joint.components(skeleton.planar)
            found.append(coordinate_index(skeleton, joint, component or names[0]))
        return tuple(found)

    def wrenches(self, at: Snapshot) -> tuple[MarkerWrench, ...]:
        """Wrenches of the load on bodies, at the markers of the load."""
        return ()

    def efforts(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Torques or forces (efforts) along the joint coordinates of the load, each on the second body of the joint."""
        return ()

    def potential(self, at: Snapshot) -> Matrix:
        """Potential energy V in J, which depends only on the position and on the state variables of the load."""
        return ca.DM(1, 1)

    def power(self, at: Snapshot) -> Matrix:
        """Power in W of the forces of the load that have no potential."""
        return ca.DM(1, 1)

    def state_rates(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Time derivatives of the state variables of the load, in the order of `Load.states`."""
        return ()

    def own_states(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Values of the state variables of the load, in the order of `Load.states`."""
        places = {name: k for k, name in enumerate(at.skeleton.states)}
        return tuple(at.x[places[f"{self.name}.{state}"]] for state in self.load.states)

    def reaction_sources(self, skeleton: Skeleton) -> Mapping[str, tuple[str, ...]]:
        """Reaction components on which the forces of the load depend: names of the components by name of the joint."""
        return {}

    @property
    def remedy(self) -> str:
        """Remedy in the error message for undetermined joint reactions on which the load depends."""
        return "give the load a limit that does not depend on reactions by its argument `effort`"

    def reaction_dependent_forces(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Magnitudes x of the reaction-dependent or set-valued forces of the load, on which its wrenches and efforts
        depend linearly."""
        first = 0
        for load in at.skeleton.mechanism.all_loads:
            if load.name == self.name:
                break
            first += load.reaction_dependent_forces
        return tuple(
            at.reaction_dependent_forces[first + k] for k in range(self.load.reaction_dependent_forces)
        )

    def law(self, at: Snapshot, reactions: JointReactions) -> tuple[Matrix, ...]:
        """Magnitudes x = h(F) of the reaction-dependent forces of the load, by its force law h for joint reactions
        F."""
        return ()

    def slope_bound(self, at: Snapshot, change: JointReactions) -> tuple[Matrix, ...]:
        """Upper bound of |h(F + δ) − h(F)| over all joint reactions F: the largest change of the forces of the load due
        to a change δ (`change`) of the reactions."""
        return tuple(ca.fabs(strength) for strength in self.law(at, change))

    def set_valued_forces(self, at: Snapshot, reactions: JointReactions) -> tuple[SetValuedForce, ...]:
        """Set-valued forces of the load, one for each of the magnitudes x of `reaction_dependent_forces`; they replace
        the force law if the load has contact or friction modes."""
        return ()

    def size_scale(self, skeleton: Skeleton) -> float:
        """Scale of displacements along the set-valued forces of the load: the characteristic length in m, or 1 rad if
        the forces act along an angle."""
        for joint, component in self.load.coordinates:
            names = skeleton.link_of_joint[joint].joint.components(skeleton.planar)
            return skeleton.characteristic_length if (component or names[0]) in LENGTH_COMPONENTS else 1.0
        return skeleton.characteristic_length

    def rest_rate(self, at: Snapshot) -> Matrix:
        """Rate, in m/s or rad/s, below which the motion along the set-valued forces of the load counts as rest."""
        return at.resolution * self.size_scale(at.skeleton) * at.rate_scale(self.name)

    def modes(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Contact and friction modes of the load (numbers of `Mode`), which are stored among its state variables."""
        states = dict(zip(self.load.states, self.own_states(at), strict=True))
        return tuple(states[name] for name in self.load.modes)

    def shared_forces(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Reference values of the set-valued forces of the load, one for each mode, which are stored among its state
        variables. If equilibrium does not determine these forces, those nearest to the reference values are chosen."""
        states = dict(zip(self.load.states, self.own_states(at), strict=True))
        return tuple(states[name] for name in self.load.shares)

    def force_modes(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Contact or friction modes of the load, one for each of its set-valued forces; some forces may have a common
        mode."""
        return self.modes(at)

    @property
    def can_stick(self) -> bool:
        """Whether the load has stiction: at rest its effort may have any value between −limit and limit."""
        return False

    def slip(self, at: Snapshot) -> Matrix:
        """Friction effort divided by its limit, between −1 and 1; positive for a positive rate, although the friction
        acts against it."""
        return ca.DM(1, 1)

    def limit(self, at: Snapshot, reactions: JointReactions, direction: Matrix) -> Matrix:
        """Largest magnitude of the friction effort against a motion in the `direction` (+1 or −1) of the
        coordinate."""
        return ca.DM(1, 1)

    def limit_parts(self, at: Snapshot, reactions: JointReactions) -> LimitParts | None:
        """Vectors and scalar that determine the friction limits in both directions (see `LimitParts`); None if the
        limits do not depend on joint reactions."""
        return None

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        """Outputs of the load besides energy and power."""
        return {}

    def reaction_readouts(self, at: Snapshot, reactions: JointReactions) -> dict[str, Matrix]:
        """Outputs of the load that depend on joint reactions."""
        return {}

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        """Units of the outputs of the load, by name of the output."""
        return UNITS


def effort_units(skeleton: Skeleton, joint: str, component: str) -> Mapping[str, str]:
    """Units of the outputs of a load that acts along a coordinate of a joint."""
    names = skeleton.link_of_joint[joint].joint.components(skeleton.planar)
    return {**UNITS, "effort": "N" if (component or names[0]) in LENGTH_COMPONENTS else "N m"}
