"""Interpreter, scalar C and vector C agree, and exact derivatives agree with differences.

The tolerance is the round-off of the problem itself: 1e-13 + 10 ε cond(Ī), normwise, with lengths divided by the
characteristic length.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
import pytest
from laws.closed_positions import built
from zoo import ZOO

import multiloop as ml
from multiloop.analyses.run_models.local_choice import make_local_choice
from multiloop.dynamics.inverse import effort_columns
from multiloop.kernels import InterpretedKernel, Kernel, compiler_available
from multiloop.plan import unknown_efforts
from multiloop.plan.rank import first_order_motions

EPSILON = float(np.finfo(float).eps)
STATES = 11
"""One vector of eight, and three further states."""

pytestmark = pytest.mark.skipif(not compiler_available(), reason="no C compiler")


@dataclass(frozen=True, eq=False)
class States:
    """A mechanism's kernels, and states that keep its loops closed: positions, rates, forces, in columns."""

    kernels: ml.Kernels

    @cached_property
    def q(self) -> np.ndarray:
        """Closed positions around the first, in turn."""
        kernels, assembly = self.kernels, self.kernels.plan.assembly
        found = [
            replace(assembly, q=q).coordinates_on(kernels.equations)
            for q in first_order_motions(assembly).positions()
        ]
        return np.column_stack([found[k % len(found)] for k in range(STATES)])

    @cached_property
    def drawn(self) -> tuple[np.ndarray, np.ndarray]:
        """Rates of about one radian or length a second, and forces of the size of the weight."""
        rng, scale = np.random.default_rng(5), self.scale
        length = self.kernels.equations.skeleton.characteristic_length
        rates = [self.loops(k)[1] @ rng.normal(size=self.loops(k)[1].shape[1]) for k in range(STATES)]
        weight = 9.81 * sum(float(body.mass) for body in self.kernels.mechanism.moving if _number(body.mass))
        forces = weight * length * rng.normal(size=(len(scale), STATES)) / scale[:, None]
        return scale[:, None] * np.column_stack(rates), forces

    @property
    def scale(self) -> np.ndarray:
        """Multiplies rates that are lengths by the characteristic length."""
        return self.kernels.equations.chart.rate_units

    def loops(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Independent scaled rows of the loops at a state, and motions (scaled) that they allow."""
        model = self.kernels._model
        rows = model.scaled_jacobian(self.q[:, k], model.p, 0.0) * self.scale
        if not len(rows):
            return rows, np.eye(len(self.scale))
        U, sigma, Vt = np.linalg.svd(rows)
        rank = int(np.sum(sigma > 1e-9 * sigma[0]))
        return U[:, :rank].T @ rows, Vt[rank:].T

    @cached_property
    def given(self) -> dict[str, np.ndarray]:
        """Bases, coordinates and weights, chosen at every state."""
        model = self.kernels._model
        each = [make_local_choice(model, self.q[:, k]).kernel_inputs for k in range(STATES)]
        stacked = {name: np.stack([one[name] for one in each], axis=-1) for name in each[0]}
        return {name: x[:, 0] if x.shape[1] == 1 else x for name, x in stacked.items()}

    def allowed(self, k: int) -> float:
        """1e-13 + 10 ε cond(Ī) at a state; cond(I) without constraints or with idle spins."""
        model, (J, _) = self.kernels._model, self.loops(k)
        inertia = self.scale[:, None] * model.inertia(self.q[:, k]) * self.scale
        if model.functions.stiff:
            inertia = inertia + np.trace(inertia) / np.sum(J**2) * J.T @ J
        conditions = [np.linalg.cond(J @ np.linalg.solve(inertia, J.T))] if len(J) else []
        if not len(J) or self.kernels.plan.idle:
            conditions.append(np.linalg.cond(inertia))
        return 1e-13 + 10 * EPSILON * max(conditions)

    def inputs(self, kernel: Kernel | InterpretedKernel, *first: np.ndarray) -> dict[str, np.ndarray]:
        """Inputs of a kernel by name."""
        named = dict(zip([array.name for array in kernel.inputs], first, strict=False))
        return named | {a.name: self.given[a.name] for a in kernel.inputs if a.name in self.given}


def _number(value: object) -> bool:
    return isinstance(value, float | int)


@cache
def states(name: str) -> States:
    """Kernels of a mechanism of the zoo, built once."""
    return States(ml.compile(built(name)))


def answers(kernel: Kernel, inputs: dict[str, np.ndarray]) -> dict[str, list[np.ndarray]]:
    """Results of interpreter, scalar C and vector C: for every output (rows, columns, states)."""
    plain = InterpretedKernel(kernel.recipe, kernel.defaults)
    single = [kernel(**{n: x[..., k] for n, x in inputs.items()}) for k in range(STATES)]
    single = [one if isinstance(one, tuple) else (one,) for one in single]
    found = {
        "interpreter": plain.batch(**inputs),
        "scalar C": tuple(np.stack(column, axis=-1) for column in zip(*single, strict=True)),
        "vector C": kernel.batch(**inputs),
    }
    return {name: list(x) if isinstance(x, tuple) else [x] for name, x in found.items()}


def apart(found: np.ndarray, expected: np.ndarray, k: int) -> float:
    """The largest difference at a state, relative to the largest number of all states: random forces may nearly
    balance."""
    size = np.abs(expected).max(initial=0.0) or 1.0
    return float(np.abs(found[..., k] - expected[..., k]).max(initial=0.0) / size)


@pytest.mark.parametrize("name", ZOO)
def test_all_kernels_of_forward_dynamics_agree(name: str) -> None:
    here = states(name)
    kernel = here.kernels.forward
    found = answers(kernel, here.inputs(kernel, here.q, *here.drawn))
    expected = found["interpreter"][0] / here.scale[:, None]
    assert np.isfinite(expected).all()
    for kind in ("scalar C", "vector C"):
        for k in range(STATES):
            assert apart(found[kind][0] / here.scale[:, None], expected, k) <= here.allowed(k), (kind, k)


@pytest.mark.parametrize("name", ZOO)
def test_all_kernels_of_inverse_dynamics_agree(name: str) -> None:
    here = states(name)
    plan = here.kernels.plan
    if len(unknown_efforts(plan.mechanism)) != plan.mobility - len(plan.idle):
        with pytest.raises(ml.SolveError, match=r"\[S01\]"):
            _ = here.kernels.inverse
        return
    v, tau = here.drawn
    a = here.kernels.forward.batch(**here.inputs(here.kernels.forward, here.q, v, tau))
    kernel = here.kernels.inverse
    found = answers(kernel, here.inputs(kernel, here.q, v, a))
    forces = {kind: _as_forces(here, *x) for kind, x in found.items()}
    for kind in ("scalar C", "vector C"):
        for k in range(STATES):
            assert apart(forces[kind], forces["interpreter"], k) <= here.allowed(k), (kind, k)


def _as_forces(here: States, tau: np.ndarray, wrenches: np.ndarray) -> np.ndarray:
    """Efforts and wrenches, moments over the characteristic length."""
    equations, efforts = here.kernels.equations, unknown_efforts(here.kernels.mechanism)
    length = equations.skeleton.characteristic_length
    along = here.scale[:, None] / length * (effort_columns(equations, efforts) @ tau)
    scaled = wrenches / np.array([length] * 3 + [1.0] * 3)[:, None, None]
    return np.concatenate([along, scaled.reshape(-1, STATES)])


# derivatives --------------------------------------------------------------------------------------------

HANDFUL = ("four-bar-parameters", "3-RRR", "RSSR", "bennett", "spatial-chain-6")
"""A plane loop with parameters, several loops, balls, redundant rows, no loop."""

STEP = 2e-4
"""Of the positions: exact up to STEP⁴ of the fifth derivative, round-off is magnified by 1 / STEP."""


def _slopes_agree(name: str) -> None:
    """Accelerations are quadratic in the rates and linear in the forces: differences there are exact at any step."""
    here = states(name)
    kernels, k = here.kernels, 1
    inputs = {n: x[..., k] for n, x in here.inputs(kernels.forward, here.q, *here.drawn).items()}
    a, scale = kernels.forward(**inputs), here.scale[:, None]
    for by, unit in {"q": 1.0, "v": 1.0, "tau": float(np.abs(inputs["tau"]).max())}.items():
        step = STEP if by == "q" else unit
        slope = kernels.derivative("forward", "a", by)(**inputs) / scale
        expected = _differences(kernels.forward, inputs, by, step) / scale
        size = max(np.abs(expected).max(), np.abs(a / here.scale).max() / unit)
        assert np.abs(slope - expected).max() <= (1e-9 + 10 * here.allowed(k) * unit / step) * size, by


def _differences(kernel: Kernel, inputs: dict[str, np.ndarray], by: str, step: float) -> np.ndarray:
    """The Jacobian with respect to one input by differences of fourth order, all in one batch."""
    count = len(inputs[by])
    moved = np.concatenate([inputs[by][:, None] + k * step * np.eye(count) for k in (-2, -1, 1, 2)], axis=1)
    a, b, d, e = np.split(kernel.batch(**(inputs | {by: moved})), 4, axis=1)
    return (a - 8 * b + 8 * d - e) / (12 * step)


@pytest.mark.parametrize("name", HANDFUL)
def test_exact_derivatives_are_those_of_differences(name: str) -> None:
    _slopes_agree(name)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name in ZOO if name not in HANDFUL and not ZOO[name].build().all_loads]
)
def test_exact_derivatives_are_those_of_differences_on_all_of_the_zoo(name: str) -> None:
    _slopes_agree(name)
