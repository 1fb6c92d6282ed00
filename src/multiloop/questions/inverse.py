"""The verb `inverse`: what effort must each drive give, and what force does each joint carry, over a known motion?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.dynamics.inverse import InverseFunctions, effort_columns
from multiloop.kinematics.assembly import drive_values
from multiloop.kinematics.equations import Equations, equations_of
from multiloop.kinematics.path import Drive, Instant, follow
from multiloop.kinematics.rates import RANK
from multiloop.kinematics.singularity import closest_approaches
from multiloop.kinematics.targets import drive_targets
from multiloop.model import Fault, Mechanism, SolveError, period_of
from multiloop.plan import Plan, efforts_of, plan_at
from multiloop.questions.assembling import chosen_closure
from multiloop.questions.least import least_reactions
from multiloop.questions.recorder import Recorder
from multiloop.questions.result import Result

METHODS = ("system",)


def inverse(
    mechanism: Mechanism,
    *,
    t: float | Sequence[float] | np.ndarray | None = None,
    cycle: int | None = None,
    guess: Mapping[str, Any] | None = None,
    start: Mapping[str, Any] | None = None,
    cuts: Sequence[str] | None = None,
    method: str = "system",
) -> Result:
    """Inverse dynamics along the mechanism's drives.

    Give times `t`, or `cycle`: that many instants, evenly spaced over one turn of the first drive, both ends
    included. The result holds the effort of every drive and force and moment in every joint.
    """
    if method not in METHODS:
        raise ValueError(f"there is no inverse method '{method}'; there is {', '.join(METHODS)}")
    times = instants(mechanism, t, cycle)
    assembly = chosen_closure(mechanism, start, guess, float(times[0]))
    plan = plan_at(assembly, cuts)
    _require_exactly_actuated(mechanism, plan)
    spins = tuple(idle.spin for idle in plan.idle)
    equations = equations_of(mechanism, plan.tree, drive_targets(mechanism), spins)
    drive = _drive(mechanism)
    path = follow(equations, assembly.on(equations), times.tolist(), drive, assembly.p)
    solver = _Solver(mechanism, equations, plan, assembly.p)
    recorder = Recorder(equations, plan, assembly.p)
    for instant in path:
        recorder.add(instant, *solver.solve(instant))
    near = closest_approaches(equations, path, drive, assembly.p)
    return recorder.result(method, near)


def instants(mechanism: Mechanism, t: Any, cycle: int | None) -> np.ndarray:
    """The times asked for."""
    if (t is None) == (cycle is None):
        raise ValueError("give either times `t` or a number of instants `cycle`, and not both")
    if t is not None:
        return np.atleast_1d(np.asarray(t, float))
    if not mechanism.drives:
        raise _solve_error(
            mechanism, "S02", "cycle", "there is no drive that could make one.", "Add a Motion, or give t=."
        )
    motion = mechanism.drives[0]
    profile = next(iter(motion.named().values()))
    turns = not motion.on_marker and mechanism.joint(motion.of).turning(mechanism.planar)[:1] == (True,)
    period = period_of(profile, 2 * np.pi if turns else 0.0)
    if period is None:
        raise _solve_error(
            mechanism,
            "S02",
            "cycle",
            f"the drive of '{motion.of}' does not come round.",
            "Give the times with t=.",
        )
    return np.linspace(0.0, period, int(cycle or 0))


class _Solver:
    """Solves the system's equations instant by instant, in numbers."""

    def __init__(self, mechanism: Mechanism, equations: Equations, plan: Plan, p: np.ndarray) -> None:
        self.mechanism, self.plan, self.p = mechanism, plan, p
        self.system = InverseFunctions(equations)
        self.equations = equations
        self.efforts = efforts_of(mechanism)
        self.B = effort_columns(equations, self.efforts)

    def solve(self, instant: Instant) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Accelerations, efforts along every rate, and constraint wrenches (6 × joints)."""
        a = self._idle_forward(instant)
        needed, J = self._reduced(instant, a)
        unknown = self._unknown(J)
        x, *_ = np.linalg.lstsq(unknown, needed, rcond=RANK)
        rows = J.shape[0]
        lam = self.equations.row_scale[:rows] * x[:rows]
        tau = self.B @ x[rows:]
        wrenches = self.system.reactions(instant.q, instant.v, a, lam, tau, self.p)[0].reshape(6, -1)
        return (
            a,
            tau,
            least_reactions(self.equations, instant.q, self.p, wrenches) if self.plan.redundant else wrenches,
        )

    def _reduced(self, instant: Instant, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        needed, J = self.system.reduced(instant.q, instant.v, a, self.p)
        return needed, J.reshape(-1, len(needed))

    def _unknown(self, J: np.ndarray) -> np.ndarray:
        """[Jᵀ B], with the multipliers that are moments divided by the characteristic length."""
        return np.column_stack([(self.equations.row_scale[: J.shape[0], None] * J).T, self.B])

    def _idle_forward(self, instant: Instant) -> np.ndarray:
        """Accelerations in which every idle freedom follows its own inertia: no effort acts on it."""
        if not self.plan.idle:
            return instant.a
        needed, J = self._reduced(instant, instant.a)
        U, sigma, _ = np.linalg.svd(self._unknown(J), full_matrices=True)
        free = U[:, int(np.sum(sigma > RANK * sigma[0])) :]
        inertia = np.column_stack(
            [free.T @ (self._reduced(instant, instant.a + z)[0] - needed) for z in free.T]
        )
        scale = np.abs(inertia).max(initial=0.0)
        if scale < 1e-14 * max(1.0, float(np.abs(needed).max())):
            return instant.a
        return instant.a - free @ np.linalg.lstsq(inertia, free.T @ needed, rcond=1e-9)[0]


def _drive(mechanism: Mechanism) -> Drive:
    """All drives as one function of time and order of derivative."""

    def drive(t: float, order: int) -> np.ndarray:
        return np.array([x for request in drive_values(mechanism, t, order) for x in request.values])

    return drive


def _require_exactly_actuated(mechanism: Mechanism, plan: Plan) -> None:
    """As many efforts as freedoms, idle ones aside."""
    efforts, freedoms = len(efforts_of(mechanism)), plan.mobility - len(plan.idle)
    if efforts == freedoms:
        return
    listed = ", ".join(joint for joint, _ in efforts_of(mechanism)) or "none"
    free = f"{freedoms} freedom{'s' if freedoms != 1 else ''}"
    remedy = (
        "Drive the others, or add actuators."
        if efforts < freedoms
        else "Leave out the drives that are not needed."
    )
    raise _solve_error(
        mechanism, "S01", "inverse dynamics", f"{efforts} efforts (at {listed}) for {free}.", remedy
    )


def _solve_error(mechanism: Mechanism, code: str, where: str, what: str, remedy: str) -> SolveError:
    return SolveError(f"mechanism '{mechanism.name}'", [Fault(code, where, what, remedy)])
