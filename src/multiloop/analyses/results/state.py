"""The state of a mechanism at one instant, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.kinematics.assembly import GuessDeviation, named_state
from multiloop.kinematics.tree import named_coordinates_text
from multiloop.model import (
    ETA,
    Mechanism,
    SuggestsAttributes,
    UnknownNameError,
    implemented_in,
    initial_states,
    short_repr,
    suggestion,
)
from multiloop.model.expressions.expression import is_number

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from multiloop.analyses.matrices import Matrices
    from multiloop.analyses.results.result import Result

MOST_NAMED = 3
"""Number of deviations from the guess, or of joints with other assembly modes, that are listed in one line."""


@dataclass(frozen=True, eq=False)
class JointState(SuggestsAttributes):
    """Coordinates and rates of one joint: numbers if the joint has one coordinate, arrays if it has several."""

    position: float | np.ndarray
    rate: float | np.ndarray


@dataclass(frozen=True, eq=False)
class State(SuggestsAttributes):
    """Positions and rates of all joints at a time, with all loops closed.

    `positions` and `rates` map joint names to q and v, and "body.eta" to the elastic coordinates of a body and their
    rates; `integrals` maps the names of integrals to their values. All functions accept a State as their `start` or
    `state`. `gap` is the residual of the loop closures. `distance` is the distance of the position from the guess that
    selected it: the largest distance of a marker from its guessed place, relative to the mechanism's size (the largest
    distance between two joints of one body); `farthest` names the body of that marker. `missed` are the guessed values
    from which the position differs by more than 0.5 rad or a tenth of that size, each with its `name`, `amount` and
    `unit`. `half_turned` names joints whose angles differ between assembly modes with the same positions of all joints:
    a rod with two universal joints, such as a leg of a hexapod, can be turned about its own line by half a turn. Of
    such assembly modes the one nearest to the zero pose of the joints is used.
    """

    mechanism: Mechanism
    time: float
    positions: Mapping[str, tuple[float, ...]]
    rates: Mapping[str, tuple[float, ...]]
    poses: Mapping[str, np.ndarray]  # pose of the own frame of every body, 3×4 [R | p]
    gap: float
    integrals: Mapping[str, float] = field(default_factory=dict)
    distance: float = 0.0
    farthest: str = ""
    missed: tuple[GuessDeviation, ...] = ()
    half_turned: tuple[str, ...] = ()

    @implemented_in("multiloop.view", "draw_state")
    def draw(
        self,
        *,
        traces: Sequence[Any] | Mapping[str, Any] = (),
        path: str | Path | None = None,
        axes: Any = None,
        scale: float = 1.0,
    ) -> Figure:
        """Draw the mechanism in this state, with its time; the keywords are those of `Mechanism.draw`.

        Flexible links are drawn with deflections multiplied by `scale`; their joints are not displaced.
        """
        raise NotImplementedError

    @implemented_in("multiloop.view", "show_state")
    def _repr_html_(self) -> str:
        """The state as HTML, shown in notebooks."""
        raise NotImplementedError

    def __getitem__(self, joint: str) -> JointState:
        if joint not in self.positions:
            raise UnknownNameError(self.mechanism.name, "joint", joint, suggestion(joint, self.positions))
        return JointState(_scalar_or_array(self.positions[joint]), _scalar_or_array(self.rates[joint]))

    def __iter__(self) -> Iterator[str]:
        return iter(self.positions)

    def marker(self, reference: str) -> np.ndarray:
        """The position of a marker in the inertial frame (2 or 3 coordinates)."""
        from multiloop.analyses.results.marker_motion import marker_position

        return marker_position(self.mechanism, self.poses, reference, self.eta)

    def body(self, name: str) -> np.ndarray:
        """The pose of a body's own frame, 3×4, [rotation matrix | position]."""
        if name not in self.poses:
            raise UnknownNameError(self.mechanism.name, "body", name, suggestion(name, self.poses))
        return self.poses[name]

    @implemented_in("multiloop.analyses.matrices", "state_matrices")
    def matrices(self, *, independent: Sequence[str] = (), cuts: Sequence[str] | None = None) -> Matrices:
        """The matrices of the equations of motion in this state, as labelled arrays.

        They are the constraint matrix A, the natural orthogonal complement N = N_l N_d of the spanning tree, the mass
        matrix M, the generalized inertia I and the convective matrix C of the tree, the loop Jacobian J, and the
        generalized inertia constraint matrix Ī = J I⁻¹ Jᵀ (`GICM`).

        `independent` names as many joint coordinates as there are degrees of freedom, "A" or "C.angle"; the attribute
        `reduced` then contains I(θ) and C(θ, θ̇) in these coordinates θ, and the natural orthogonal complement T of the
        closed mechanism. The constraints of drives are not included. `cuts` names the cut joints of the spanning tree;
        by default they are those of `analyse`.

        Source: [saha], eqs. (6)–(17); [chaudhary], eqs. (21)–(33); [koul], eqs. (6), (7), (12), (22)–(24).
        """
        raise NotImplementedError

    @property
    def eta(self) -> dict[str, np.ndarray]:
        """The elastic coordinates of every flexible body, by the name of the body."""
        return {
            name.removesuffix(f".{ETA}"): np.array(values)
            for name, values in self.positions.items()
            if name.endswith(f".{ETA}")
        }

    def __repr__(self) -> str:
        movable = [(name, q) for name, q in self.positions.items() if np.size(q)]
        values = ", ".join(
            f"{name} {named_coordinates_text(self.mechanism, name, q)}" for name, q in movable[:6]
        )
        more = ", …" if len(movable) > 6 else "."
        notes = "".join(
            f" {note[0].upper()}{note[1:]}."
            for note in (missed_guess_text(self.missed), self._choice)
            if note
        )
        return f"State of '{self.mechanism.name}' at t = {self.time:g} s: {values}{more}{notes}"

    @property
    def _choice(self) -> str:
        """Text stating that half turns of rods give equivalent assembly modes; empty if there are none."""
        if not self.half_turned:
            return ""
        return (
            f"Half turns at {_names_text(self.half_turned)} rotate rods about their own axes and give equivalent "
            "assembly modes; the one nearest to the zero pose is used"
        )


def missed_guess_text(missed: Sequence[GuessDeviation]) -> str:
    """Text with the guessed values that a position does not match, the largest deviation first; empty if all match."""
    return f"guess not reached: {_names_text([str(miss) for miss in missed])}" if missed else ""


def _names_text(names: Sequence[str]) -> str:
    """Text with the first MOST_NAMED names, and the number of the other names."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def state_near(result: Result, t: float) -> State:
    """The State at the computed instant nearest to the time t, which must lie within the time span of the result."""
    if not is_number(t):
        raise analysis_error(result.mechanism, "R02", "t", f"is {short_repr(t)}.", "Give a time in seconds.")
    begin, end = float(result.time.min()), float(result.time.max())
    slack = 1e-9 * max(abs(begin), abs(end))
    if not begin - slack <= t <= end + slack:
        what = f"is outside the simulated time span, {begin:g} to {end:g} s."
        raise analysis_error(
            result.mechanism,
            "R02",
            f"t = {t:g} s",
            what,
            "Give a time within this span, or simulate longer.",
            time=t,
        )
    k = int(np.argmin(np.abs(result.time - t)))
    positions = {name: tuple(np.atleast_1d(joint.position[k])) for name, joint in result.joints.items()}
    rates = {name: tuple(np.atleast_1d(joint.rate[k])) for name, joint in result.joints.items()}
    positions |= {f"{name}.{ETA}": tuple(link.eta[k]) for name, link in result.links.items()}
    rates |= {f"{name}.{ETA}": tuple(link.eta_rate[k]) for name, link in result.links.items()}
    poses = {body: X[k] for body, X in result.poses.items()}
    integrals = {name: float(x[k]) for name, x in result.integrals.items()}
    gap = float(result.constraint_violation[k])
    return State(result.mechanism, float(result.time[k]), positions, rates, poses, gap, integrals)


def _scalar_or_array(values: tuple[float, ...]) -> float | np.ndarray:
    """The single value as a number, or several values as an array."""
    return values[0] if len(values) == 1 else np.array(values)


def initial_state_values(mechanism: Mechanism, start: Any) -> dict[str, float]:
    """Initial values, by name, of all state variables that are not coordinates or rates, such as integrals.

    Values that `start` contains, if it is a State, take precedence over those in the description of the mechanism.
    """
    described = initial_states(mechanism, mechanism.parameters)
    given = getattr(named_state(start), "integrals", {})
    return {name: float(given.get(name, value)) for name, value in described.items()}
