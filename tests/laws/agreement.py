"""Differences between the results of two formulations, and the allowed differences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from laws.formulation_cases import (
    EPSILON,
    INVERSE,
    Case,
    Efforts,
    Known,
    Loaded,
    Moved,
    forward,
    inverse,
    known_motion,
    known_part,
    numbers,
)

from multiloop.dynamics.forward import METHODS
from multiloop.plan import joint_wrenches


def allowed(condition: float) -> float:
    """The allowed difference between two formulations.

    1e-9 up to a condition number of a million, which costs six of sixteen digits and leaves a margin of one; above it
    100 times the round-off that the condition number implies.
    """
    return 1e-9 if condition <= 1e6 else 100 * EPSILON * condition


def allowed_to(method: str, case: Case) -> float:
    """The same for one method: the accuracy of the augmented one is limited by round-off in I + α JᵀJ."""
    limit = allowed(case.condition)
    return max(limit, 2 * EPSILON * case.penalised) if method == "augmented" else limit


def moves_apart(case: Case, one: Moved, other: Moved) -> Iterator[tuple[str, float]]:
    """Differences of two results: accelerations, Jᵀ λ relative to the largest force, and λ where it is unique."""
    size = np.abs(one.a / case.col).max(initial=0.0) or 1.0
    yield "accelerations", float(np.abs((one.a - other.a) / case.col).max(initial=0.0) / size)
    forces = case.forces(case.J.T @ (one.lam - other.lam))
    yield "forces", float(np.abs(forces).max(initial=0.0) / case.force)
    if case.basis is None:
        size = np.abs(one.lam / case.row).max(initial=0.0) or 1.0
        yield "multipliers", float(np.abs((one.lam - other.lam) / case.row).max(initial=0.0) / size)


def loads_apart(known: Known, one: Loaded, other: Loaded) -> Iterator[tuple[str, float]]:
    """Differences of efforts and determined reactions, relative to the largest force."""
    case = known.case
    scale = np.array([1 / case.skeleton.characteristic_length] * 3 + [1.0] * 3)
    size = max(case.force, *(float(np.abs(scale * w).max()) for w in one.wrenches.values()))
    yield "efforts", float(np.abs(case.forces(known.B @ (one.tau - other.tau))).max(initial=0.0) / size)
    apart = {name: scale * (w - other.wrenches[name]) for name, w in one.wrenches.items()}
    if case.basis is not None:
        apart = determined(case, apart)
    yield "reactions", float(max(np.abs(w).max(initial=0.0) for w in apart.values()) / size)


def determined(case: Case, wrenches: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The components of wrenches (moments over L) that equilibrium determines, along the first markers' axes."""
    assert case.plan is not None
    bases = joint_wrenches(case.equations, case.q, case.skeleton.parameter_values)
    return {
        joint.name: (np.linalg.pinv(W) @ wrenches[joint.name])[
            [flag for _, flag in case.plan.unique[joint.name]]
        ]
        for joint, W in zip(case.skeleton.mechanism.connections, bases, strict=True)
    }


@dataclass
class Tally:
    """Statistics of many instants: the largest differences, and the number of rejected instants."""

    judged: int = 0
    rejected: int = 0
    worst: dict[str, float] = field(default_factory=dict)

    def hold(self, what: str, apart: float, limit: float) -> None:
        """Record a difference and compare it with its limit."""
        self.worst[what] = max(self.worst.get(what, 0.0), apart)
        assert apart <= limit, f"{what}: {apart:.1e} apart, {limit:.1e} allowed"

    def __str__(self) -> str:
        worst = ", ".join(f"{what} {apart:.0e}" for what, apart in sorted(self.worst.items()))
        return f"{self.judged} judged, {self.rejected} rejected; worst: {worst}"


def judge_forward(case: Case, tally: Tally) -> None:
    """All methods agree, and the reference method satisfies the equations of motion."""
    moved, limit = case.moved, allowed(case.condition)
    left = case.inertia @ moved.a - numbers(case.problem.phi) - case.J.T @ moved.lam
    tally.hold("motion left over", float(np.abs(case.forces(left)).max() / case.force), limit)
    size = np.abs(case.row[:, None] * case.J * case.col).max(initial=0.0) * np.abs(moved.a / case.col).max()
    rows = np.abs(case.row * (case.J @ moved.a - case.gamma)).max(initial=0.0)
    tally.hold("rows left over", float(rows / (size or 1.0)), limit)
    for method in METHODS:
        for what, apart in moves_apart(case, moved, forward(case, method)):
            tally.hold(f"{method} {what}", apart, allowed_to(method, case))


def judge_inverse(known: Known, tally: Tally) -> None:
    """All methods agree."""
    first, limit = inverse(known, "system"), allowed(max(known.case.condition, known.condition))
    for method in INVERSE:
        for what, apart in loads_apart(known, first, inverse(known, method)):
            tally.hold(f"{method} inverse {what}", apart, limit)


def judge_round_trips(case: Case, efforts: Efforts, tally: Tally) -> None:
    """The efforts of inverse dynamics equal the forces of forward dynamics, and give its motion again."""
    there = Known(case, case.moved.a, efforts, known_part(case, efforts))
    limit = allowed(max(case.condition, there.condition))
    back = inverse(there, "subsystem")
    apart = np.abs(case.forces(there.B @ back.tau + there.known - case.tau)).max(initial=0.0)
    tally.hold("inverse of forward", float(apart / case.force), limit)
    known = known_motion(case, efforts)
    tau = known.known + known.B @ inverse(known, "subsystem").tau
    again = forward(case, "sslm", tau).a
    apart = np.abs((again - known.a) / case.col).max() / np.abs(known.a / case.col).max()
    tally.hold("forward of inverse", float(apart), limit)
