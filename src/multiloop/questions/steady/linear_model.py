"""A mechanism near a steady motion, as control engineers have it: A, B, C and D with names.

ẏ = A y + B w,      z = C y + D w

y are deviations of independent coordinates at rest, of independent rates and of own states, w those of efforts and
parameters.
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
"""A parameter that shifts positions by more than this, in characteristic lengths per unit, is no input."""


@dataclass(frozen=True, eq=False)
class LinearModel:
    """The reduced linear model about `state`; `states`, `inputs` and `outputs` name rows and columns.

    States are "A" and "A rate" of joints, "J.x" where a joint has several coordinates, and own states by their names.
    Coordinates that turn steadily are not among them.
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
        """Those of A, 1/s, that which grows most first."""
        return self.poles

    @property
    def stable(self) -> bool:
        """Whether no small motion grows."""
        return not bool((self.poles.real > 1e-6 * np.abs(self.poles).max(initial=0.0)).any())

    def to_scipy(self) -> Any:
        """The same as a `scipy.signal.StateSpace`."""
        from scipy.signal import StateSpace

        return StateSpace(self.A, self.B, self.C, self.D)

    def __repr__(self) -> str:
        shown = ", ".join(f"{_without_round_off(pole):.6g}" for pole in self.poles[:6])
        more = ", …" if len(self.poles) > 6 else ""
        sizes = {"state": self.states, "input": self.inputs, "output": self.outputs}
        told = ", ".join(counted(len(names), one) for one, names in sizes.items())
        return f"Linear model of '{self.mechanism.name}': {told}; poles {shown}{more} 1/s."


def _without_round_off(pole: complex) -> complex:
    """A pole whose real or imaginary part is nothing beside the other shows none."""
    real, imaginary = (part if abs(part) > 1e-12 * abs(pole) else 0.0 for part in (pole.real, pole.imag))
    return complex(real, imaginary)


def linear_model(pencil: Pencil, state: State, inputs: Sequence[str], outputs: Sequence[str]) -> LinearModel:
    """The model of small motions; M must be regular. Without outputs the coordinates are read."""
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
    """The column of one input on the right of E ẏ = A y + …, and what it does to the outputs at once."""
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
