"""The verb `simulate`: how does it move when it is let go, or driven, or both?

An explicit Runge–Kutta method of SciPy carries q, v and the work done; after every accepted step positions
and rates are put back onto the constraints, and outputs are interpolated and then put back as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.integrate import DOP853, RK45

from multiloop.kinematics.newton import close
from multiloop.kinematics.path import Instant
from multiloop.kinematics.rates import linearised
from multiloop.model import Fault, Mechanism, SolveError
from multiloop.plan import plan_at
from multiloop.questions.assembling import assembled_with_rates
from multiloop.questions.choices import require
from multiloop.questions.efforts import joints_in
from multiloop.questions.motion import Motions
from multiloop.questions.recorder import Recorder
from multiloop.questions.result import Result

LOST = 1e-8
"""Loops that stay open by more than this after a step, relative to the mechanism's size, are lost."""

STUCK = 200
"""Steps in a row shorter than 1e-9 of the run after which the integrator is stopped."""

INTEGRATORS = {"dop853": DOP853, "rk45": RK45}


def simulate(
    mechanism: Mechanism,
    *,
    until: float,
    start: Mapping[str, Any] | None = None,
    guess: Mapping[str, Any] | None = None,
    rates: Mapping[str, Any] | None = None,
    efforts: Mapping[str, Any] | None = None,
    outputs: int | Sequence[float] = 501,
    rtol: float = 1e-10,
    method: str = "sslm",
    integrator: str = "dop853",
    cuts: Sequence[str] | None = None,
) -> Result:
    """Motion from t = 0 to `until`.

    Motions of the mechanism are prescribed; every other freedom moves freely under gravity and the given
    `efforts` (by joint name: a number, an expression, or the Result of another question).
    """
    require(mechanism, "integrator", integrator, INTEGRATORS)
    if not 0 < rtol < 1:
        fault = Fault("S09", "rtol", f"is {rtol!r}.", "Give a relative tolerance between 1e-13 and 1e-2.")
        raise SolveError(f"mechanism '{mechanism.name}'", [fault])
    assembly, rates_found = assembled_with_rates(mechanism, start, guess, rates, 0.0)
    plan = plan_at(assembly, cuts, joints_in(mechanism, efforts))
    motions = Motions(plan, assembly, method, efforts)
    q, v = assembly.on(motions.equations), motions.rates_of(rates_found)
    times = np.linspace(0.0, until, outputs) if isinstance(outputs, int) else np.asarray(outputs, float)
    if not (
        until >= 0 and len(times) and (np.diff(times) > 0).all() and times[0] >= 0 and times[-1] <= until
    ):
        what = f"outputs {outputs!r} do not rise from 0 to until = {until:g} s."
        fault = Fault(
            "S09",
            "outputs",
            what,
            "Give an `until` that is not negative, and times in rising order within it.",
        )
        raise SolveError(f"mechanism '{mechanism.name}'", [fault])
    return _Run(motions, rtol, integrator).over(times, q, v)


class _Run:
    """One simulation: the state y = [q, v, work] and how it is kept on the constraints."""

    def __init__(self, motions: Motions, rtol: float, integrator: str) -> None:
        self.motions, self.rtol, self.integrator = motions, rtol, integrator
        self.nq, self.nv = motions.skeleton.positions, motions.skeleton.rates

    def over(self, times: np.ndarray, q: np.ndarray, v: np.ndarray) -> Result:
        """Integrate, recording at the given times."""
        motions = self.motions
        y = self._projected(0.0, np.concatenate([q, v, [0.0]]))
        motions.prepare(y[: self.nq], 0.0)
        recorder = Recorder(motions.equations, motions.plan, motions.p)
        waiting = list(times)
        self._record(recorder, waiting, 0.0, lambda t: y)
        if not waiting:
            return recorder.result(motions.used)
        tolerance = {"rtol": max(self.rtol, 3e-14), "atol": self.rtol * self._scale()}
        solver = INTEGRATORS[self.integrator](self._rate, 0.0, y, times[-1], **tolerance)
        tiny = 0
        while waiting:
            message = solver.step()
            tiny = tiny + 1 if solver.t - solver.t_old < 1e-9 * times[-1] else 0
            if solver.status == "failed" or tiny > STUCK:
                raise self._failed(solver.t, message or "its steps became too short")
            between = solver.dense_output()
            solver.y = self._projected(solver.t, solver.y)
            motions.prepare(solver.y[: self.nq], solver.t)
            solver.f = self._rate(solver.t, solver.y)
            self._record(recorder, waiting, solver.t, between)
        return recorder.result(motions.used)

    def _rate(self, t: float, y: np.ndarray) -> np.ndarray:
        answer = self.motions.answer(t, y[: self.nq], y[self.nq : -1])
        return np.concatenate([answer.q_rate, answer.a, [answer.power]])

    def _scale(self) -> np.ndarray:
        """Absolute tolerances: lengths in characteristic lengths, rates the same per second, work loose."""
        chart, motions = self.motions.equations.chart, self.motions
        in_q, in_v = chart.plain
        q_scale = np.ones(self.nq)
        q_scale[in_q] = chart.scale[in_v]
        energy = max(float(np.trace(motions.inertia(motions.skeleton.neutral))), 1e-12)
        return np.concatenate([q_scale, chart.scale, [energy]])

    def _projected(self, t: float, y: np.ndarray) -> np.ndarray:
        """Positions closed and rates made consistent again, quaternions of unit length."""
        motions = self.motions
        equations, p = motions.equations, motions.p
        s = motions.drive(t, 0)
        q = equations.chart.moved(y[: self.nq], np.zeros(self.nv))
        closing = close(equations, q, s, p, limit=6)
        if closing.gap > LOST:
            what = f"the loops cannot be kept closed (gap {closing.gap:.1e}): a drive may have reached a dead point."
            fault = Fault("S07", f"t = {t:.6g} s", what, "Shorten the stroke, or drive another joint.")
            raise SolveError(f"mechanism '{motions.plan.mechanism.name}'", [fault], time=t)
        q = closing.q
        v = y[self.nq : -1]
        linear = linearised(equations, q, s, p)
        right = np.concatenate([np.zeros(motions.skeleton.rows), motions.drive(t, 1)])
        v = v + linear.solve(right - equations.rate_jacobian(q, s, p) @ v)
        return np.concatenate([q, v, y[-1:]])

    def _record(self, recorder: Recorder, waiting: list[float], reached: float, between: Any) -> None:
        """Outputs up to the time reached: interpolate, project, and work out everything there."""
        motions = self.motions
        while waiting and waiting[0] <= reached + 1e-14 * max(1.0, abs(reached)):
            t = float(waiting.pop(0))
            y = self._projected(t, np.asarray(between(t), float))
            q, v = y[: self.nq], y[self.nq : -1]
            answer = motions.answer(t, q, v)
            recorder.add(
                Instant(t, q, v, answer.a, motions.closeness),
                answer.a,
                answer.tau,
                motions.reactions(q, v, answer),
            )
            recorder.works.append(float(y[-1]))

    def _failed(self, t: float, message: str | None) -> SolveError:
        fault = Fault(
            "S07",
            f"t = {t:.6g} s",
            f"the integrator gave up: {message}.",
            "Loosen rtol, or look for a singular position.",
        )
        return SolveError(f"mechanism '{self.motions.plan.mechanism.name}'", [fault], time=t)
