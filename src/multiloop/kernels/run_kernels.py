"""What a run of the time loop is made of: the mechanism's kernels, and how to integrate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from multiloop.kernels.absolute_tolerances import StateSizes
from multiloop.kernels.kernel import Kernel
from multiloop.kernels.state_layout import StateLayout
from multiloop.kernels.tolerances import LOST
from multiloop.kinematics.conditioning import Grouping

Control = Callable[[float, np.ndarray], Sequence[float]]
"""(t, y) → u."""

Projector = Callable[[float, np.ndarray, bool], Sequence[float]]
"""(t, y, whether a drive may change its speed at t) → y on the constraints, and how open they still are."""

Chooser = Callable[[float, np.ndarray], tuple[dict[str, np.ndarray], float]]
"""(t, y) → inputs chosen anew, and the closeness to a singular position."""


NONE = np.zeros(0, np.int_)


@dataclass(frozen=True, eq=False)
class Places:
    """Where elastic coordinates, and all coordinates that are their own rates, stand in q and in v."""

    stiff_q: np.ndarray = field(default_factory=lambda: NONE)
    stiff_v: np.ndarray = field(default_factory=lambda: NONE)
    plain_q: np.ndarray = field(default_factory=lambda: NONE)
    plain_v: np.ndarray = field(default_factory=lambda: NONE)


@dataclass(frozen=True, eq=False)
class RunKernels:
    """A mechanism as the loop needs it: kernels of the common inputs, sizes, and given inputs.

    rate → q̇, v̇, ẋ, power; close → q, gap; straighten → v, pivots and sizes of the rows, work of the push; matrix →
    scaled rows (only where rows or coordinates are chosen on the way); slope → ∂f/∂[q v x], ∂f/∂t, ∂f/∂z (implicit
    method); stiffness → ∂v̇/∂η, ∂v̇/∂η̇ of links that bend (additive method); watch → event values.
    """

    layout: StateLayout
    rate: Kernel
    close: Kernel | None  # these two, or a projector
    straighten: Kernel | None
    given: dict[str, np.ndarray]  # basis, choice, c, p
    rank: int = 0
    solved: int = 0  # independent rows that the rate solves for
    grouping: Grouping = Grouping((), ())  # noqa: RUF009 (frozen)
    sizes: np.ndarray = field(default_factory=lambda: np.zeros(0))  # of the rows, squared, at the start
    rate_weights: np.ndarray = field(default_factory=lambda: np.zeros(0))  # where rates are chosen among
    row_scale: np.ndarray = field(default_factory=lambda: np.zeros(0))
    choices: bool = False
    matrix: Kernel | None = None
    slope: Kernel | None = None
    stiffness: Kernel | None = None
    places: Places = field(default_factory=Places)
    watch: Kernel | None = None
    tables: Sequence[tuple[np.ndarray, np.ndarray, bool]] = ()
    controlled: int = 0
    control: Control | None = None
    projector: Projector | None = None
    chooser: Chooser | None = None  # in place of the choice by pivots


@dataclass(frozen=True, eq=False)
class Settings:
    """How to integrate."""

    integrator: str
    rtol: float
    sizes: StateSizes  # by which absolute tolerances are measured
    step: float = 0.0  # of rk4
    sample: float = 0.0  # over which control is held; 0: none
    singular: float = 0.0  # closeness below which the run ends
    open: float = LOST  # gap above which the run ends
    longest: float = np.inf  # step
    directions: Sequence[int] = ()
    stops: Sequence[bool] = ()
    pace: float = 0.0  # ν of the sizes where it is known already; 0: from the start of the run


def limits_of(begin: float, finish: float, ends: Sequence[float]) -> np.ndarray:
    """Where steps must end, the last of them the run; limits a few units of round-off apart are one."""
    apart = 1e-12 * max(abs(begin), abs(finish), finish - begin)
    found = [finish]
    for end in sorted((end for end in ends if begin + apart < end), reverse=True):
        if end < found[-1] - apart:
            found.append(end)
    return np.array(found[::-1])
