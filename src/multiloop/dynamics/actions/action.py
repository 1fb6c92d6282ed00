"""What a force has to say of itself so that every formulation, reaction, energy and result takes it."""

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
"""Units of what loads tell of themselves."""

FLAG = "yes or no"
"""The unit of what holds or does not."""


@dataclass(frozen=True)
class Applied:
    """A wrench [n; f] on the body of a marker, at the marker's origin, in inertial axes."""

    marker: str
    wrench: Matrix


@dataclass(frozen=True)
class Action:
    """A load at work. At a snapshot everything is known: time, state, parameters, poses, twists, marker frames.

    Power is what holds it together. For every motion

        Σ wᵀ t + Σ effort · rate = −V̇ + power

    with V its potential and `power` what has none: negative where it dissipates. A subclass gives wrenches at the
    markers of its load, efforts along its coordinates, or both, and of the rest what is not zero. Readouts are
    columns of numbers by name; `energy` and `power` are always among them.
    """

    load: Any

    @property
    def name(self) -> str:
        """The name of its load."""
        described: Load = self.load
        return described.name

    def links(self, skeleton: Skeleton) -> frozenset[int]:
        """The bodies that it acts on, by their places in the tree, −1 for the ground: known before tracing."""
        found = {skeleton.index[body_of(marker)] for marker in self.load.markers}
        for joint, _ in self.load.coordinates:
            link = skeleton.carrier[joint]
            found |= {skeleton.index[link.body], link.parent}
        return frozenset(found)

    def rates(self, skeleton: Skeleton) -> tuple[int, ...]:
        """The places in v of the coordinates along which it acts, in the order of its load."""
        found = []
        for joint, component in self.load.coordinates:
            names = skeleton.carrier[joint].joint.components(skeleton.planar)
            found.append(coordinate_index(skeleton, joint, component or names[0]))
        return tuple(found)

    def wrenches(self, at: Snapshot) -> tuple[Applied, ...]:
        """What it does at the markers of its load."""
        return ()

    def efforts(self, at: Snapshot) -> tuple[Matrix, ...]:
        """What it does along the coordinates of its load, on the second body of each joint."""
        return ()

    def potential(self, at: Snapshot) -> Matrix:
        """V, which depends on the position and its own states alone."""
        return ca.DM(1, 1)

    def power(self, at: Snapshot) -> Matrix:
        """The power of what has no potential."""
        return ca.DM(1, 1)

    def state_rates(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Rates of its own states, in the order of its load."""
        return ()

    def own_states(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Its own states, in the order of its load."""
        places = {name: k for k, name in enumerate(at.skeleton.states)}
        return tuple(at.x[places[f"{self.name}.{state}"]] for state in self.load.states)

    def follows(self, skeleton: Skeleton) -> Mapping[str, tuple[str, ...]]:
        """The joints whose reactions decide its strengths, with the components that count, as the joint names them."""
        return {}

    @property
    def otherwise(self) -> str:
        """What to do where the reactions that it follows are not determined."""
        return "give it an effort= of its own"

    def own_strengths(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Its strengths; what it does is linear in them."""
        first = 0
        for load in at.skeleton.mechanism.all_loads:
            if load.name == self.name:
                break
            first += load.strengths
        return tuple(at.strengths[first + k] for k in range(self.load.strengths))

    def law(self, at: Snapshot, felt: Felt) -> tuple[Matrix, ...]:
        """h: its strengths as the reactions make them, x = h(F)."""
        return ()

    def slope_bound(self, at: Snapshot, change: Felt) -> tuple[Matrix, ...]:
        """The most by which a change of the reactions changes its strengths, |h(F + δ) − h(F)| for every F."""
        return tuple(ca.fabs(strength) for strength in self.law(at, change))

    def grips(self, at: Snapshot, felt: Felt) -> tuple[Grip, ...]:
        """What its strengths hold, where its load has modes: one for each of them, instead of a law."""
        return ()

    def reach(self, skeleton: Skeleton) -> float:
        """What it holds is measured by the characteristic length, or as an angle by 1 rad."""
        for joint, component in self.load.coordinates:
            names = skeleton.carrier[joint].joint.components(skeleton.planar)
            return skeleton.length if (component or names[0]) in LENGTHS else 1.0
        return skeleton.length

    def still(self, at: Snapshot) -> Matrix:
        """The rate below which what it holds is at rest, in m/s or rad/s."""
        return at.grain * self.reach(at.skeleton) * at.pace(self.name)

    def modes(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Their modes, which are among its own states."""
        states = dict(zip(self.load.states, self.own_states(at), strict=True))
        return tuple(states[name] for name in self.load.modes)

    def shares(self, at: Snapshot) -> tuple[Matrix, ...]:
        """The forces from which those that hold are shared, which are among its own states."""
        states = dict(zip(self.load.states, self.own_states(at), strict=True))
        return tuple(states[name] for name in self.load.shares)

    def grip_modes(self, at: Snapshot) -> tuple[Matrix, ...]:
        """The mode of each of its grips."""
        return self.modes(at)

    @property
    def holds(self) -> bool:
        """Whether it may hold its coordinate at rest, with any effort between −limit and limit."""
        return False

    def slip(self, at: Snapshot) -> Matrix:
        """The part of its limit with which it is against the rate, −1 to 1."""
        return ca.DM(1, 1)

    def limit(self, at: Snapshot, felt: Felt, way: Matrix) -> Matrix:
        """The most with which it can be against a motion along `way`, ±1."""
        return ca.DM(1, 1)

    def limit_parts(self, at: Snapshot, felt: Felt) -> LimitParts | None:
        """The limits both ways by their parts where they follow reactions; None where they do not."""
        return None

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        """What a result tells of it besides energy and power."""
        return {}

    def felt_readouts(self, at: Snapshot, felt: Felt) -> dict[str, Matrix]:
        """What a result tells of it that follows from reactions."""
        return {}

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        """Units of its readouts by name."""
        return UNITS
