"""A simulation by Gear's method: SUNDIALS' CVODES through CasADi, an independent check of stiff and of long runs.

Backward differences of variable order carry q, v and the work done over a part of the run. They remember many steps,
so that nothing is put back onto the constraints within it; its end is, and every output. The thesis integrates with
this method ([fattah], §3.4).
"""

from __future__ import annotations

from functools import cached_property

import casadi as ca
import numpy as np

from multiloop.kernels.system import limits_of
from multiloop.questions.answers.recorder import Recorder
from multiloop.questions.running.interpreted_run import InterpretedRun
from multiloop.questions.running.looping import Looping
from multiloop.questions.running.options import require_honoured
from multiloop.questions.running.signals import Pieces, Signals
from multiloop.questions.running.stops import gave_up
from multiloop.spatial import Matrix

MOST_STEPS = 1_000_000
"""Steps between two outputs after which the method gives up."""

PARTS = 25
"""Of a run, after each of which the state is put back onto the constraints and the method starts afresh."""


class GearRun(InterpretedRun):
    """One simulation by backward differences."""

    torn = True

    @cached_property
    def _looping(self) -> Looping:
        signals = Signals(self.motions.equations, self.motions.efforts)
        require_honoured(self.mechanism, signals.exact, False, 0.0, "gear")
        return Looping(self.motions, signals)

    def _ends(self, begin: float, until: float) -> list[float]:
        """Corners, the knots of all tables (between two a table is one polynomial), and the ends of the parts."""
        knots = set(np.linspace(begin, until, PARTS + 1).tolist())
        for breaks, _, periodic in self._looping.signals.tables:
            turns = range(*_turns(breaks, begin, until)) if periodic else (0,)
            knots.update(b + k * (breaks[-1] - breaks[0]) for k in turns for b in breaks.tolist())
        return sorted({*super()._ends(begin, until), *(t for t in knots if begin < t < until)})

    @cached_property
    def _equation(self) -> dict[str, Matrix]:
        """ẏ for y in its own sizes; p are span, row basis, choice, weights, parameters, and the curves' pieces."""
        sizes, x = self.motions.sizes(), self._looping.inputs
        y = ca.SX.sym("y", len(sizes))
        t, span = ca.SX.sym("t"), ca.SX.sym("span", 2)
        given = {name: ca.SX.sym(name, *x[name].shape) for name in ("basis", "choice", "c", "p")}
        pieces = [ca.SX.sym("piece", 1 + len(curve[1])) for curve in self._looping.signals.tables]
        z = [ca.polyval(piece[1:], t - piece[0]) for piece in pieces]
        put = given | {
            "t": ca.fmin(ca.fmax(t, span[0]), span[1]),
            "q": (sizes * y)[: self.nq],
            "v": (sizes * y)[self.nq : -1],
            "z": ca.vertcat(ca.SX(0, 1), *z),
        }
        rate = self._looping.rate.on(*(put.get(name, symbol) for name, symbol in x.items()))
        p = ca.vertcat(span, *map(ca.vec, given.values()), *pieces)
        return {"x": y, "t": t, "p": p, "ode": ca.vertcat(*rate.values()) / sizes}

    def _piece(
        self,
        recorder: Recorder,
        waiting: list[float],
        y: np.ndarray,
        span: tuple[float, float],
        longest: float,
    ) -> np.ndarray:
        begin, until = span
        y, sizes = self._begun(y, span), self.motions.sizes()
        times = limits_of(begin, until, [t for t in waiting if t < until])
        options = {
            "reltol": max(self.rtol, 1e-14),
            "abstol": self.rtol,
            "max_step_size": longest,
            "max_num_steps": MOST_STEPS,
        }
        gear = ca.integrator("gear", "cvodes", self._equation, begin, times.tolist(), options)
        try:
            found = gear(x0=y / sizes, p=self._given(y, begin))["xf"].full()
        except RuntimeError as error:
            if self._asked():
                raise KeyboardInterrupt from None
            raise gave_up(self.mechanism, begin, str(error).splitlines()[-1]) from None
        self._shown(until)
        self._counts["steps"] += int(gear.stats()["nsteps"])
        self._counts["evaluations"] += int(gear.stats()["nfevals"])
        states = dict(zip(times.tolist(), (sizes[:, None] * found).T, strict=True))
        self._record(recorder, waiting, until, lambda t: states[min(states, key=lambda at: abs(at - t))])
        return self._projected(self._smooth[1], states[times[-1]])

    def _given(self, y: np.ndarray, begin: float) -> np.ndarray:
        """The numbers for p."""
        chosen = self.motions.given(y[: self.nq], begin)
        given = [np.ravel(chosen.get(name, ()), order="F") for name in ("basis", "choice", "c", "p")]
        pieces = [_piece_at(curve, 0.5 * sum(self._smooth)) for curve in self._looping.signals.tables]
        return np.concatenate([self._smooth, *given, *pieces])


def _piece_at(curve: Pieces, t: float) -> np.ndarray:
    """Where the polynomial that holds at t begins, and its coefficients, highest power first."""
    breaks, coefficients, periodic = curve
    shift = _turns(breaks, t, t)[0] * (breaks[-1] - breaks[0]) if periodic else 0.0
    k = int(np.clip(np.searchsorted(breaks, t - shift, side="right") - 1, 0, coefficients.shape[1] - 1))
    return np.concatenate([[breaks[k] + shift], coefficients[:, k]])


def _turns(breaks: np.ndarray, begin: float, until: float) -> tuple[int, int]:
    """The first repetition of a periodic table that a span touches, and the one after the last."""
    first, last = (int(np.floor((t - breaks[0]) / (breaks[-1] - breaks[0]))) for t in (begin, until))
    return first, last + 1
