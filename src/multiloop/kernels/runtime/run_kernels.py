"""Data of a run of the time loop: the kernels of the mechanism, and integration settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from multiloop.kernels.kernel import Kernel
from multiloop.kernels.runtime.structs import StateLayout
from multiloop.kernels.runtime.tolerances import OPEN_LIMIT, StateScales
from multiloop.kinematics.conditioning import RowGroups

Control = Callable[[float, np.ndarray], Sequence[float]]
"""Control function (t, y) → u."""

Projector = Callable[[float, np.ndarray, bool], Sequence[float]]
"""Projection function (t, y, whether a drive may change its speed at t) → y on the constraints, and their remaining
residual."""

Chooser = Callable[[float, np.ndarray], tuple[dict[str, np.ndarray], float]]
"""Function (t, y) → newly chosen inputs, and the closeness to a singular configuration."""


NO_PLACES = np.zeros(0, np.int_)


@dataclass(frozen=True, eq=False)
class CoordinatePlaces:
    """Indices in q and v of elastic coordinates, and of all coordinates whose time derivative is a rate itself."""

    stiff_q: np.ndarray = field(default_factory=lambda: NO_PLACES)
    stiff_v: np.ndarray = field(default_factory=lambda: NO_PLACES)
    plain_q: np.ndarray = field(default_factory=lambda: NO_PLACES)
    plain_v: np.ndarray = field(default_factory=lambda: NO_PLACES)


@dataclass(frozen=True, eq=False)
class RunKernels:
    """Kernels of a mechanism with common inputs, sizes, and constant inputs, as the time loop needs them.

    rate → q̇, v̇, ẋ, power; close → q, gap; straighten → v, pivots and sizes of the rows, work of the correction;
    matrix → scaled rows (only if rows or coordinates are chosen during the run); slope → ∂f/∂[q v x], ∂f/∂t, ∂f/∂z
    (implicit method); stiffness → ∂v̇/∂η, ∂v̇/∂η̇ of flexible bodies (additive method); watch → event values.
    """

    layout: StateLayout
    rate: Kernel
    close: Kernel | None  # either both `close` and `straighten`, or `projector`
    straighten: Kernel | None
    given: dict[str, np.ndarray]  # inputs that are constant between choices: basis, choice, c, p
    rank: int = 0
    solved: int = 0  # number of independent rows in the equations of motion
    grouping: RowGroups = RowGroups((), ())  # noqa: RUF009 (frozen)
    sizes: np.ndarray = field(default_factory=lambda: np.zeros(0))  # squared sizes of the rows at the start
    rate_weights: np.ndarray = field(
        default_factory=lambda: np.zeros(0)
    )  # weights for the choice of independent rates
    row_scale: np.ndarray = field(default_factory=lambda: np.zeros(0))
    choices: bool = False
    matrix: Kernel | None = None
    slope: Kernel | None = None
    stiffness: Kernel | None = None
    places: CoordinatePlaces = field(default_factory=CoordinatePlaces)
    watch: Kernel | None = None
    tables: Sequence[tuple[np.ndarray, np.ndarray, bool]] = ()
    controlled: int = 0
    control: Control | None = None
    projector: Projector | None = None
    chooser: Chooser | None = None  # replaces the choice by pivoting


@dataclass(frozen=True, eq=False)
class LoopSettings:
    """Integration settings."""

    integrator: str
    rtol: float
    sizes: StateScales  # scales of the absolute tolerances
    step: float = 0.0  # fixed step of rk4
    sample: float = 0.0  # sample time of the control; 0 for a continuous control
    singular: float = 0.0  # closeness below which the run ends
    open: float = OPEN_LIMIT  # gap above which the run ends
    longest: float = np.inf  # largest step
    directions: Sequence[int] = ()
    stops: Sequence[bool] = ()
    pace: float = 0.0  # characteristic rate ν if it is known; 0 if it is computed at the start of the run


def step_limits(begin: float, finish: float, ends: Sequence[float]) -> np.ndarray:
    """Times at which steps must end, the last being the end of the run; times equal to round-off are merged."""
    apart = 1e-12 * max(abs(begin), abs(finish), finish - begin)
    found = [finish]
    for end in sorted((end for end in ends if begin + apart < end), reverse=True):
        if end < found[-1] - apart:
            found.append(end)
    return np.array(found[::-1])
