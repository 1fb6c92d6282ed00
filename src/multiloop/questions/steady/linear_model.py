"""Result of `linearise`: the state-space model of a mechanism about a steady motion, with named states and signals.

    ẏ = A y + B w,      z = C y + D w

y are the deviations of independent resting coordinates, of independent rates and of further state variables, w those
of efforts and parameters, z those of outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.model import Mechanism
from multiloop.model.names import counted
from multiloop.questions.answers.state import State
from multiloop.questions.signals.efforts import effort_place, require_free
from multiloop.questions.steady.observed import refused
from multiloop.questions.steady.pencil import Pencil

MOVES = 1e-9
"""Largest change of position per unit of a parameter, in characteristic lengths, for which it may be an input."""


@dataclass(frozen=True, eq=False)
class LinearModel:
    """Linear state-space model about `state`; `states`, `inputs` and `outputs` are the names of rows and columns.

    States are "A" and "A rate" of joints, "J.x" for a joint with several coordinates, and further state variables by
    their names. Coordinates that rotate steadily are not among them.
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
        """Eigenvalues of A, 1/s, with the largest real part first."""
        return self.poles

    @property
    def stable(self) -> bool:
        """Whether no small motion grows."""
        return not bool((self.poles.real > 1e-6 * np.abs(self.poles).max(initial=0.0)).any())

    def to_scipy(self) -> Any:
        """The model as a `scipy.signal.StateSpace`."""
        from scipy.signal import StateSpace

        return StateSpace(self.A, self.B, self.C, self.D)

    def __repr__(self) -> str:
        shown = ", ".join(f"{_without_round_off(pole):.6g}" for pole in self.poles[:6])
        more = ", …" if len(self.poles) > 6 else ""
        sizes = {"state": self.states, "input": self.inputs, "output": self.outputs}
        told = ", ".join(counted(len(names), one) for one, names in sizes.items())
        return f"Linear model of '{self.mechanism.name}': {told}; poles {shown}{more} 1/s."


def _without_round_off(pole: complex) -> complex:
    """The pole with a real or imaginary part at the level of round-off set to zero."""
    real, imaginary = (part if abs(part) > 1e-12 * abs(pole) else 0.0 for part in (pole.real, pole.imag))
    return complex(real, imaginary)


def linear_model(pencil: Pencil, state: State, inputs: Sequence[str], outputs: Sequence[str]) -> LinearModel:
    """The linear model of small motions; M must be regular. By default the outputs are the coordinates."""
    E, A = pencil.scaled
    unit, small, zeta = pencil.unit, pencil.small, len(pencil.kept)
    by_q, by_u, by_x = small.read_slopes()
    columns = [_input(pencil, name) for name in inputs]
    W = np.column_stack([np.zeros((len(E), 0)), *(column for column, _ in columns)])
    C = np.hstack([by_q[:, pencil.kept], by_u, by_x]) / unit
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


def _input(pencil: Pencil, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Column of one input on the right-hand side of E ẏ = A y + …, and its direct effect on the outputs."""
    small, st = pencil.small, pencil.small.standing
    balance, zeta, u = st.balance, len(pencil.kept), len(small.M)
    column = np.zeros(len(pencil.unit))
    if name in balance.mechanism.parameters:
        k = balance.equations.skeleton.names.index(name)
        q_p, f_p, x_p = small.along_parameter(k)
        if (
            np.abs(q_p).max(initial=0.0) > MOVES
            or np.abs(st.slopes["rates_p"][:, k]).max(initial=0.0) > MOVES
        ):
            remedy = "Put in parameters of forces; follow an equilibrium along it with ml.equilibrium(..., along=...)."
            raise refused(
                balance.mechanism, f"input '{name}'", "it changes lengths or drives, not forces.", remedy
            )
        column[zeta : zeta + u], column[zeta + u :] = -f_p, x_p
        return column, st.slopes["read_p"][:, k]
    place = effort_place(balance.equations, name)
    require_free(balance.equations, name, place)
    column[zeta : zeta + u] = st.T[place] * st.scale[place]
    return column, np.zeros(len(st.slopes["read"]))
