"""Warnings added to a Result: energy error, initial guess not met, reaction-dependent forces, non-periodic cycles, and
round-off near singular configurations.

An error is raised for results with values that are not finite.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import tau

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.results.result import Result
from multiloop.analyses.results.state import missed_guess_text
from multiloop.dynamics import LAW_TOLERANCE, SOFTENING
from multiloop.kinematics import Equations
from multiloop.kinematics.assembly import Assembly
from multiloop.kinematics.continuation import motion_change
from multiloop.model import (
    JointSpring,
    Mechanism,
    ResultWarning,
    count_text,
    load_expressions,
    unique_warnings,
    value_of,
)
from multiloop.model.expressions import Position, nodes_of


def with_warnings(result: Result, found: Iterable[ResultWarning]) -> Result:
    """The result with further warnings of its computation."""
    found = unique_warnings([*result.reported, *found])
    return result if found == result.reported else replace(result, reported=found)


INTERRUPTED_CODE = "W32"
"""Code of the warning that a computation was interrupted."""


def interruption_warning(mechanism: Mechanism, text: str, t: float) -> ResultWarning:
    """The warning that a computation was interrupted; t is the last instant of its result."""
    return ResultWarning(INTERRUPTED_CODE, mechanism.name, text, time=t)


ENERGY_ERROR = 1e-3
"""Error of the energy balance, as a fraction of the peak kinetic energy, above which the error is reported."""

RESTING_SPEED = 1e-6
"""Speed, in characteristic lengths per duration of the run, below which the mechanism counts as at rest."""


def energy_warnings(result: Result) -> list[ResultWarning]:
    """The warning that the energy balance has an error, which shows that integration steps were too long.

    The list is empty if the error is small, or if the mechanism is at rest.
    """
    if result.work is None or result.energy_drift <= ENERGY_ERROR:
        return []
    mass = sum(value_of(body.mass) or 0.0 for body in result.mechanism.moving)
    slow = RESTING_SPEED * result.plan.length / (float(np.ptp(result.time)) or np.inf)
    if result.kinetic_energy.max(initial=0.0) < mass * slow**2 / 2:
        return []
    part = f"{result.energy_drift:.2g} of the peak kinetic energy is unaccounted for"
    text = f"{part}: give a smaller rtol or step, or another integrator"
    return [ResultWarning("W44", result.mechanism.name, text, float(result.energy_drift), "1")]


def guess_warnings(assembly: Assembly) -> list[ResultWarning]:
    """The warning that a motion begins more than 0.5 rad, or a tenth of the mechanism's size, from guessed values."""
    missed = assembly.guess_deviations
    return [
        ResultWarning("W30", worst.name, missed_guess_text(missed), worst.amount, worst.unit)
        for worst in missed[:1]
    ]


LARGEST_VALUE = 1e150
"""Magnitude above which values of a result are refused, because their squares and products could overflow."""

JOINT_QUANTITIES = (
    "position",
    "rate",
    "acceleration",
    "force",
    "moment",
    "effort",
    "effort_force",
    "effort_moment",
)


def require_finite_result(result: Result) -> Result:
    """The result, if all its values are finite and can be squared without overflow; otherwise an error is raised."""
    for what, values in _named_values(result):
        if not np.abs(values).max(initial=0.0) < LARGEST_VALUE:  # this condition is also true for NaN
            size = np.abs(values).reshape(len(values), -1).max(axis=1, initial=0.0)
            k = int(np.argmin(size < LARGEST_VALUE))
            t, said = float(result.time[k]), f"the {what} is {size[k]:g}, which is not a valid result."
            remedy = "Check lengths, masses, loads and speeds for values of a wrong magnitude."
            raise analysis_error(result.mechanism, "S07", f"t = {t:.6g} s", said, remedy, time=t)
    return result


def _named_values(result: Result) -> Iterator[tuple[str, np.ndarray]]:
    """All arrays of a result over time, each preceded by a text that names the quantity."""
    for joint in result.joints.values():
        for name in JOINT_QUANTITIES:
            yield f"{name.replace('effort_', 'effort as a ')} of joint '{joint.name}'", getattr(joint, name)
    for load in result.loads.values():
        for name, values in load.values.items():
            yield f"{name} of load '{load.name}'", values
    yield "kinetic energy", result.kinetic_energy
    yield "potential energy", result.potential_energy
    yield "momentum", result.momentum
    for name, values in result.integrals.items():
        yield f"integral '{name}'", values
    if result.work is not None:
        yield "work", result.work


CONVERGED_WITH_STICTION = 10 * SOFTENING
"""Largest residual of friction laws, relative to the largest force of the instant, that is accepted with stiction,
because the forces of stiction are no more accurate than round-off divided by their regularisation parameter."""

ROUND_OFF = 1e-12
"""Fraction of the largest reaction-dependent force of the run below which forces of an instant count as round-off."""


def reaction_force_warnings(
    mechanism: Mechanism, t: np.ndarray, dependent_force_rows: np.ndarray
) -> list[ResultWarning]:
    """Warnings about forces x that depend on reactions F by their force laws, x = h(F), while the reactions depend
    linearly on these forces, F = F₀ + G x.

    `dependent_force_rows` has the axes instants × forces × columns; its columns are x, the residual x − h(F), and the
    matrix K of bounds of the slopes |∂hᵢ/∂xⱼ|. The warnings report the first instant without convergence, and the first
    at which the spectral radius ρ(K) ≥ 1, so that the solution may not be unique.
    """
    if not dependent_force_rows.shape[1]:
        return []
    names = [load.name for load in mechanism.all_loads for _ in range(load.reaction_dependent_forces)]
    size = np.abs(dependent_force_rows[:, :, 0]).max(axis=1)
    left = np.abs(dependent_force_rows[:, :, 1])
    met = CONVERGED_WITH_STICTION if any(load.modes for load in mechanism.all_loads) else LAW_TOLERANCE
    missed = ~(left.max(axis=1) <= met * size)
    found = []
    acting = size > ROUND_OFF * size.max(initial=0.0, where=np.isfinite(size))
    for k in np.flatnonzero(missed & acting | ~np.isfinite(size))[:1]:
        worst = names[int(np.argmax(left[k]))]
        text = f"at t = {t[k]:.6g} s no forces satisfy the friction law of '{worst}'"
        found.append(ResultWarning("W74", worst, text, time=float(t[k])))
    # the spectral radius ρ(K) is at most the largest row sum
    doubtful = ~(dependent_force_rows[:, :, 2:].sum(axis=2).max(axis=1) < 1)
    for k in (k for k in np.flatnonzero(doubtful) if not has_unique_solution(dependent_force_rows[k, :, 2:])):
        strongest = names[int(np.argmax(np.diag(dependent_force_rows[k, :, 2:])))]
        text = (
            f"from t = {t[k]:.6g} s on, friction '{strongest}' may have several solutions or none "
            "(Painlevé paradox)"
        )
        found.append(ResultWarning("W75", strongest, text, time=float(t[k])))
        break
    return found


def has_unique_solution(K: np.ndarray) -> bool:
    """Whether the spectral radius ρ(K) < 1 for a nonnegative matrix K.

    This holds if and only if the linear system y − K y = (1, 1, …, 1) has a positive solution y.
    """
    if not np.isfinite(K).all():
        return False
    try:
        y = np.linalg.solve(np.eye(len(K)) - K, np.ones(len(K)))
    except np.linalg.LinAlgError:
        return False
    return bool((y > 0).all())


CYCLE_TOLERANCE = 1e-5
"""Largest difference of efforts or forces between the two ends of a cycle, relative to their largest value, for which
the cycle counts as repeating."""

CYCLE_ROUND_OFF = 1e-6
"""Fraction of the largest force times the characteristic length, or of the largest kinetic energy, below which efforts
count as round-off."""

RETURN_TOLERANCE = 1e-6
"""Largest distance (rad) of a joint angle from its initial value, or from whole turns beyond it, at the end of a cycle
for which the joint counts as returned."""


def repetition_warnings(result: Result) -> list[ResultWarning]:
    """The warning that efforts or forces differ between the two ends of a cycle, with a joint that has not returned.

    The list is empty if the cycle repeats.
    """
    worst, what, joint = max(_differences(result), default=(0.0, "", ""))
    if worst <= CYCLE_TOLERANCE:
        return []
    text = "; ".join([f"the cycle does not repeat: {what}", *list(_joints_not_returned(result))[:1]])
    return [ResultWarning("W45", joint, text, worst, "1")]


def _differences(result: Result) -> Iterator[tuple[float, str, str]]:
    """Differences of efforts and forces between the first and last instant, relative to their largest value, each with
    a text that describes the difference, and the joint."""
    efforts = {name: joint.effort.reshape(len(result.time), -1) for name, joint in result.joints.items()}
    forces = {name: joint.force for name, joint in result.joints.items()}
    strongest, energy = _largest(forces), float(np.abs(result.kinetic_energy).max(initial=0.0))
    least = CYCLE_ROUND_OFF * max(strongest * result.plan.length, energy)
    for called, values, floor in (
        ("effort at", efforts, least),
        ("force in", forces, least / result.plan.length),
    ):
        largest = max(_largest(values), floor) or 1.0
        for name, x in values.items():
            first, last = (float(x[k, 0] if x.shape[1] == 1 else np.linalg.norm(x[k])) for k in (0, -1))
            part = float(np.abs(x[-1] - x[0]).max(initial=0.0)) / largest
            yield (
                part,
                f"the {called} '{name}' is {first:.4g} at its first and {last:.4g} at its last instant",
                name,
            )


def _largest(values: Mapping[str, np.ndarray]) -> float:
    return max((float(np.abs(x).max(initial=0.0)) for x in values.values()), default=0.0)


def _joints_not_returned(result: Result) -> Iterator[str]:
    """Texts for joints that end the cycle at another angle, except driven joints; joints whose coordinates enter force
    laws come first."""
    mechanism = result.mechanism
    driven, read = {motion.of for motion in mechanism.drives}, set(_joints_read(mechanism))
    for name in sorted(set(result.joints) - driven, key=lambda name: name not in read):
        position = result.joints[name].position
        turning = name in mechanism.joints_by_name and any(mechanism.joint(name).turning(mechanism.planar))
        if position.ndim > 1 or not turning:
            continue
        off = float(position[-1] - position[0])
        turns = round(off / tau)
        if abs(off - tau * turns) > RETURN_TOLERANCE:
            yield f"joint '{name}' ends {off:.4g} rad from its initial angle"
        elif turns:
            yield f"joint '{name}' has advanced by {count_text(abs(turns), 'turn')}"


def _joints_read(mechanism: Mechanism) -> Iterator[str]:
    """Names of the joints on whose coordinates a spring, a known effort or a load depends."""
    yield from (load.joint for load in mechanism.all_loads if isinstance(load, JointSpring))
    for _, value in load_expressions(mechanism):
        yield from (node.joint for node in nodes_of(value) if isinstance(node, Position))


REPORTED_PART = 1e-10
"""Change of results by round-off, as a fraction of them, above which a warning is given: six of sixteen digits are
lost."""

BALANCED_PART = 1e-3
"""Smallest effort to which changes of efforts by round-off are related, as a fraction of the largest reaction.

It is also the smallest acceleration to which changes of accelerations are related, as a fraction of the accelerations
that the constraint forces give to the spanning tree. These bounds apply to nearly balanced mechanisms, whose efforts or
accelerations almost vanish.

"""


@dataclass(frozen=True)
class RoundOffEstimate:
    """The change that round-off causes in the results at one instant, as a fraction of them, and the quantities that
    change most.

    The change is infinite if round-off leaves the results undetermined.
    """

    time: float
    relative_change: float
    what: str

    def warning(self, mechanism: Mechanism) -> ResultWarning:
        """The warning that states this estimate."""
        if np.isfinite(self.relative_change):
            text = (
                f"at t = {self.time:.6g} s, near a singular configuration, round-off of the lengths "
                f"changes {self.what} by a relative amount of {self.relative_change:.1e}"
            )
        else:
            text = (
                f"at t = {self.time:.6g} s the configuration is singular within round-off, so "
                "that the forces are indeterminate"
            )
        return ResultWarning("W42", mechanism.name, text, float(self.relative_change), "1", float(self.time))


def round_off_warnings(mechanism: Mechanism, doubts: Iterable[RoundOffEstimate]) -> list[ResultWarning]:
    """The warning for the largest of all estimates of round-off if more than six digits are lost; otherwise an empty
    list."""
    worst = max(doubts, key=lambda doubt: doubt.relative_change, default=None)
    return [] if worst is None or worst.relative_change < REPORTED_PART else [worst.warning(mechanism)]


@dataclass(frozen=True, eq=False)
class InstantSolution:
    """Solution at one instant: rates `v`, accelerations `a`, generalized forces `tau` along the rates of the spanning
    tree, and constraint wrenches (6 × joints).

    `constraint_accelerations` are the accelerations that the constraint forces give to the tree.
    """

    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray
    wrenches: np.ndarray
    constraint_accelerations: np.ndarray | float = 0.0

    def round_off_from(
        self, equations: Equations, t: float, other: InstantSolution, singularity_distance: float
    ) -> RoundOffEstimate:
        """An estimate of the round-off: the relative difference from `other`, an equally accurate solution at the same
        time t.

        The estimate is at least the round-off of the lengths divided by `singularity_distance`.
        """
        least = BALANCED_PART * float(
            np.abs(self.constraint_accelerations / equations.chart.rate_units).max(initial=0.0)
        )
        change = motion_change(equations, self.v, self.a, other.v, other.a, least=least)
        parts = {"rates and accelerations": change}
        efforts, reactions = self._forces(equations)
        efforts_other, reactions_other = other._forces(equations)
        loaded = float(np.abs(reactions).max(initial=0.0))
        needed = max(float(np.abs(efforts).max(initial=0.0)), BALANCED_PART * loaded)
        parts["efforts"] = _relative(efforts - efforts_other, needed)
        parts["reactions"] = _relative(reactions - reactions_other, loaded)
        what = max(parts, key=lambda name: parts[name])
        lost = equations.skeleton.round_off / singularity_distance if singularity_distance else np.inf
        return RoundOffEstimate(t, max(parts[what], lost), what)

    def _forces(self, equations: Equations) -> tuple[np.ndarray, np.ndarray]:
        """Efforts and reactions in N; moments are divided by the characteristic length."""
        length = equations.skeleton.characteristic_length
        moments = np.array([[1 / length]] * 3 + [[1.0]] * 3)
        return self.tau * equations.chart.rate_units / length, moments * self.wrenches


def _relative(difference: np.ndarray, size: float) -> float:
    return float(np.abs(difference).max(initial=0.0)) / size if size else 0.0
