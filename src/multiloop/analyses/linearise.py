"""The function `linearise`: linear state-space model of a mechanism about an equilibrium or a steady motion.

Theory: docs/theory/13-equilibrium-and-vibrations.md, eq. (13.10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.analyses.designs import require_fixed_reduction
from multiloop.analyses.equilibrium import given_steady_state
from multiloop.analyses.idle_spins import undetermined_motion_error
from multiloop.analyses.results import State
from multiloop.analyses.signals import effort_place, require_undriven
from multiloop.analyses.steady_states import (
    Pencil,
    SteadyState,
    named_outputs,
    observed_joints,
    output_error,
    require_balance,
    state_at,
    steady_pencil,
    with_named_coordinates,
)
from multiloop.kinematics import Equations
from multiloop.kinematics.assembly import StateValues
from multiloop.model import (
    Expression,
    Mechanism,
    ResultWarning,
    SuggestsAttributes,
    count_text,
    implausible_numbers,
    public_function,
    single_design,
)


@public_function
def linearise(
    mechanism: Mechanism,
    state: StateValues | None = None,
    *,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str | Expression] | Mapping[str, Expression] = (),
    guess: Mapping[str, Any] | None = None,
    rates: Mapping[str, Any] | None = None,
    efforts: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    held: bool = False,
    t: float | None = None,
    cuts: Sequence[str] | None = None,
) -> LinearModel:
    """The linear state-space model ẋ = A x + B u, y = C x + D u about an equilibrium or a steady motion, with states x,
    inputs u and outputs y.

    `inputs` are efforts by joint name, or parameters of forces; `outputs` are joints, markers ("rod.b") or expressions,
    named by the keys of a mapping. Coordinates that rotate steadily are omitted; an error is raised if the model
    depends on them. Drives move as described, or are fixed with `held`.

    `state`, at which the function is evaluated, is a mapping from joints to coordinates, a State or an Equilibrium;
    the time and the rates are those of the State, unless they are given. By default it is the equilibrium computed from
    `guess`. `parameters` gives other parameter values by name.
    """
    mechanism = single_design(mechanism, parameters)
    inputs, observed = list(inputs or ()), named_outputs(mechanism, () if outputs is None else outputs)
    require_fixed_reduction(mechanism, inputs)
    keep = observed_joints(inputs, observed, mechanism)
    asked: Any = {"guess": guess, "rates": rates, "t": t, "cuts": cuts}
    steady = given_steady_state(mechanism, state, efforts, held, keep, tuple(observed.values()), **asked)
    pencil = balanced_state_pencil(steady, preferred_rates(steady.balance.equations, keep))
    return linear_model(pencil, state_at(steady), inputs, tuple(observed))


def preferred_rates(equations: Equations, joints: Sequence[str]) -> list[int]:
    """Indices, among the rates of the spanning tree, of the rates of the given joints (inputs and outputs)."""
    places = [equations.skeleton.coordinates.get(joint) for joint in joints]
    return [k for own in places if own is not None for k in range(own.v.start, own.v.stop)]


def balanced_state_pencil(steady: SteadyState, preferred: Sequence[int] = ()) -> Pencil:
    """Linearised equations about a state, as a matrix pencil; an error is raised if the state is not steady, or if the
    masses do not determine all motions.

    `preferred` are indices of the rates that are chosen as independent if possible.
    """
    balance = steady.balance
    if not balance.masses_determine_motion:
        raise undetermined_motion_error(balance.mechanism, balance.massless)
    require_balance(steady)
    return steady_pencil(with_named_coordinates(steady, preferred), timed=True)


LEAST_DISPLACEMENT = 1e-9
"""Change of position per unit of a parameter, in radians or characteristic lengths, above which the parameter counts as
one that moves the mechanism; such a parameter cannot be an input."""


@dataclass(frozen=True, eq=False)
class LinearModel(SuggestsAttributes):
    """Linear state-space model ẋ = A x + B u, y = C x + D u about the steady motion `state`.

    `states`, `inputs` and `outputs` are the names of the entries of x, u and y; `poles` are the eigenvalues (1/s).
    States are "A" and "A rate" of joints, "J.x" for a joint with several coordinates, and further state variables by
    their names. Coordinates that rotate steadily are not among the states.
    """

    mechanism: Mechanism
    state: State
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    poles: np.ndarray

    @property
    def eigenvalues(self) -> np.ndarray:
        """Eigenvalues of the state matrix A, 1/s, with the largest real part first."""
        return self.poles

    @property
    def stable(self) -> bool:
        """Whether no pole has a positive real part beyond round-off, so that no small motion grows."""
        return not bool((self.poles.real > 1e-6 * np.abs(self.poles).max(initial=0.0)).any())

    def to_scipy(self) -> Any:
        """The model as a `scipy.signal.StateSpace`."""
        from scipy.signal import StateSpace

        return StateSpace(self.A, self.B, self.C, self.D)

    @property
    def warnings(self) -> tuple[ResultWarning, ...]:
        """Warnings about implausible values in the description of the mechanism."""
        return implausible_numbers(self.mechanism)

    def __repr__(self) -> str:
        shown = ", ".join(f"{_without_round_off(pole):.6g}" for pole in self.poles[:6])
        more = ", …" if len(self.poles) > 6 else ""
        sizes = {"state": self.states, "input": self.inputs, "output": self.outputs}
        sizes_text = ", ".join(count_text(len(names), one) for one, names in sizes.items())
        warnings = "".join(f" Warning: {warning}." for warning in self.warnings)
        return f"Linear model of '{self.mechanism.name}': {sizes_text}; poles {shown}{more} 1/s.{warnings}"


def _without_round_off(pole: complex) -> complex:
    """The pole with a real or imaginary part at the level of round-off set to zero."""
    real, imaginary = (part if abs(part) > 1e-12 * abs(pole) else 0.0 for part in (pole.real, pole.imag))
    return complex(real, imaginary)


def linear_model(pencil: Pencil, state: State, inputs: Sequence[str], outputs: Sequence[str]) -> LinearModel:
    """The linear state-space model of small motions; the mass matrix must be regular. By default the outputs are the
    coordinates."""
    E, A = pencil.scaled
    unit, small, zeta = pencil.unit, pencil.linearised, len(pencil.resting)
    by_q, by_u, by_x = small.output_derivatives()
    columns = [_input_column(pencil, name) for name in inputs]
    W = np.column_stack([np.zeros((len(E), 0)), *(column for column, _ in columns)])
    C = np.hstack([by_q[:, pencil.resting], by_u, by_x]) / unit
    D = np.column_stack([np.zeros((len(C), 0)), *(direct for _, direct in columns)])
    names = tuple(outputs)
    if not names:
        names, C, D = pencil.states[:zeta], np.eye(zeta, len(E)), np.zeros((zeta, len(columns)))
    mechanism = state.mechanism
    return LinearModel(
        mechanism=mechanism,
        state=state,
        states=pencil.states,
        inputs=tuple(inputs),
        outputs=names,
        A=unit[:, None] * np.linalg.solve(E, A) / unit,
        B=unit[:, None] * np.linalg.solve(E, W),
        C=C,
        D=D,
        poles=pencil.poles,
    )


def _input_column(pencil: Pencil, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The column b of one input u in the linearised equations E ẏ = A y + b u for the state vector y (`Pencil`), and
    the direct effect of u on the outputs."""
    small, st = pencil.linearised, pencil.linearised.steady_state
    balance, zeta, u = st.balance, len(pencil.resting), len(small.M)
    column = np.zeros(len(pencil.unit))
    if name in balance.mechanism.parameters:
        k = balance.equations.skeleton.parameter_names.index(name)
        q_p, f_p, x_p = small.parameter_derivatives(k)
        if (
            np.abs(q_p).max(initial=0.0) > LEAST_DISPLACEMENT
            or np.abs(st.derivatives["rates_p"][:, k]).max(initial=0.0) > LEAST_DISPLACEMENT
        ):
            remedy = (
                f"Use parameters of forces as inputs; to vary '{name}', use ml.equilibrium(..., along=...)."
            )
            raise output_error(
                balance.mechanism, f"input '{name}'", "it changes lengths or drives, not forces.", remedy
            )
        column[zeta : zeta + u], column[zeta + u :] = -f_p, x_p
        return column, st.derivatives["read_p"][:, k]
    place = effort_place(balance.equations, name)
    require_undriven(balance.equations, name, place)
    column[zeta : zeta + u] = st.T[place] * st.scale[place]
    return column, np.zeros(len(st.derivatives["read"]))
