"""A simulation by backward differentiation formulas (Gear's method), for checks of stiff and long simulations.

SUNDIALS' CVODES, called through CasADi, integrates the state over parts of the simulated time. Because a multistep
method cannot be interrupted for a projection, the state is projected onto the constraints only at the end of each part
and at every output.

Source: [fattah], §3.4, integrates with this method.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import casadi as ca
import numpy as np

from multiloop.analyses.results import Recorder
from multiloop.analyses.run_models import RunModel, make_local_choice
from multiloop.analyses.signals import Pieces
from multiloop.analyses.simulation.interpreted_run import InterpretedRun
from multiloop.analyses.simulation.run_options import RunOptions, require_usable_efforts
from multiloop.dynamics.outputs import links_stiffness
from multiloop.kernels.runtime import INTEGRATORS, step_limits
from multiloop.spatial import Matrix
from multiloop.symbols import Traced

MOST_STEPS = 1_000_000
"""Number of steps between two outputs after which the integration fails."""

TIME_GRAIN = 1e-8
"""Fraction of a time span below which CasADi does not distinguish two times; a state at a time so close to another one
is extrapolated linearly."""

PARTS = 25
"""Number of parts of the simulated time; after each part the state is projected onto the constraints and the method
restarts."""


class BdfRun(InterpretedRun):
    """One simulation by backward differentiation formulas."""

    interrupts_at_once = True

    def __init__(self, run: RunModel, how: RunOptions) -> None:
        super().__init__(run, how)
        require_usable_efforts(self.mechanism, run.signals.known.python_efforts, False, 0.0, self.integrator)

    @cached_property
    def _position_step(self) -> Traced:
        """Traced function of a Newton step that closes the loops by moving joints rather than by deforming links.

        The step is smallest in the metric I + (1 s)² K, with the mass matrix I and the stiffness K of the links.

        Between projections the loops open by up to the tolerance of a length. If the metric were I alone, closing the
        loops would deform stiff links slightly, which causes forces far larger than all others.
        """
        way = self.run.projection
        if way.inertia is not None:
            way = replace(way, inertia=way.inertia + links_stiffness(self.model.skeleton))
        return Traced("project_positions", self.run.inputs, way.position_outputs())

    def _ends(self, begin: float, until: float) -> list[float]:
        """Times at which spans end: corners of signals, knots of tables (between two knots a table is one polynomial),
        and ends of parts."""
        knots = set(np.linspace(begin, until, PARTS + 1).tolist())
        for breaks, _, periodic in self.run.signals.tables.curves:
            turns = range(*_repetitions(breaks, begin, until)) if periodic else (0,)
            knots.update(b + k * (breaks[-1] - breaks[0]) for k in turns for b in breaks.tolist())
        return sorted({*super()._ends(begin, until), *(t for t in knots if begin < t < until)})

    @cached_property
    def _equation(self) -> dict[str, Matrix]:
        """The differential equation dy/dτ for the state y divided by its scales, with τ from 0 to 1 over a span, as a
        CasADi problem.

        Time is scaled because CasADi compares times by their absolute difference. The parameters p consist of the span,
        the quantities of the `LocalChoice` (row basis, coordinates, weights), the parameters of the mechanism, and the
        polynomial pieces of the tables.
        """
        sizes, x = self._units, self.run.inputs
        y = ca.SX.sym("y", len(sizes))
        part, span = ca.SX.sym("part"), ca.SX.sym("span", 2)
        t = span[0] + part * (span[1] - span[0])
        given = {name: ca.SX.sym(name, *x[name].shape) for name in ("basis", "choice", "c", "p")}
        pieces = [ca.SX.sym("piece", 1 + len(curve[1])) for curve in self.run.signals.tables.curves]
        z = [ca.polyval(piece[1:], t - piece[0]) for piece in pieces]
        state = {name: (sizes * y)[self.layout[name]] for name in ("q", "v", "x")}
        rate = self.run.rate.on(**given, **state, t=t, u=x["u"], z=ca.vertcat(ca.SX(0, 1), *z))
        p = ca.vertcat(span, *map(ca.vec, given.values()), *pieces)
        return {"x": y, "t": part, "p": p, "ode": (span[1] - span[0]) * ca.vertcat(*rate.values()) / sizes}

    @property
    def _units(self) -> np.ndarray:
        """The scales of the entries of the state; the energies of single items have the scale of the total work."""
        sizes = self._sizes.copy()
        sizes[self.layout["work"]] = sizes[self.layout["work"].start]
        return sizes

    def _integrate_span(
        self,
        recorder: Recorder,
        waiting: list[float],
        y: np.ndarray,
        span: tuple[float, float],
        longest: float,
    ) -> np.ndarray:
        begin, until = span
        y, sizes = self._start_of_span(y, span), self._units
        self._record(recorder, waiting, begin, lambda t: y)
        first, last = self._smooth_span
        if last == first:  # shorter than the round-off of time
            return y
        parts = np.clip([(t - first) / (last - first) for t in waiting if t < until], 0.0, 1.0)
        grid = step_limits(0.0, 1.0, [part for part in parts.tolist() if TIME_GRAIN < part < 1 - TIME_GRAIN])
        options = {
            "reltol": max(self.rtol, 1e-14),
            "abstol": self.rtol,
            "max_step_size": longest / (last - first),
            "max_num_steps": MOST_STEPS,
        }
        plugin = INTEGRATORS[self.integrator].sundials
        gear = ca.integrator("gear", plugin, self._equation, 0.0, grid.tolist(), options)
        try:
            found = gear(x0=y / sizes, p=self._given(y, begin))["xf"].full()
        except RuntimeError as error:
            if self._interrupted():
                raise KeyboardInterrupt from None
            why = f"backward differences did not converge between {begin:.6g} and {until:.6g} s"
            raise self._integration_error(begin, y, why) from error
        self._show_progress(until)
        self._counts["steps"] += int(gear.stats()["nsteps"])
        self._counts["evaluations"] += int(gear.stats()["nfevals"])
        times = np.array([first, *(first + grid * (last - first))])
        states = [y, *(sizes[:, None] * found).T]
        for t, state in zip(times, states, strict=True):
            self._update_choice(t, self._project(t, state))
        self._record(
            recorder, waiting, self._end_of_records(until), lambda t: self._state_near(t, times, states)
        )
        return self._project(last, states[-1])

    def _state_near(self, t: float, times: np.ndarray, states: list[np.ndarray]) -> np.ndarray:
        """The state at a time that differs from one of `times` by at most `TIME_GRAIN`."""
        k = int(np.abs(times - t).argmin())
        state: np.ndarray = states[k] + (t - times[k]) * self._rate(t, states[k])
        return state

    def _given(self, y: np.ndarray, begin: float) -> np.ndarray:
        """The numerical values of the parameters p of `_equation`, for a span that begins in state y."""
        chosen = make_local_choice(
            self.model, y[self.layout["q"]], before=self._choice, t=begin
        ).kernel_inputs | {"p": self.model.p}
        given = [np.ravel(chosen.get(name, ()), order="F") for name in ("basis", "choice", "c", "p")]
        pieces = [_piece_at(curve, 0.5 * sum(self._smooth_span)) for curve in self.run.signals.tables.curves]
        return np.concatenate([self._smooth_span, *given, *pieces])


def _piece_at(curve: Pieces, t: float) -> np.ndarray:
    """The polynomial piece of a curve at time t: the time at which the piece begins, followed by its coefficients,
    highest power first."""
    breaks, coefficients, periodic = curve
    shift = _repetitions(breaks, t, t)[0] * (breaks[-1] - breaks[0]) if periodic else 0.0
    k = int(np.clip(np.searchsorted(breaks, t - shift, side="right") - 1, 0, coefficients.shape[1] - 1))
    return np.concatenate([[breaks[k] + shift], coefficients[:, k]])


def _repetitions(breaks: np.ndarray, begin: float, until: float) -> tuple[int, int]:
    """Index of the first period of a periodic table within a time span, and index of the last such period plus one."""
    first, last = (int(np.floor((t - breaks[0]) / (breaks[-1] - breaks[0]))) for t in (begin, until))
    return first, last + 1
