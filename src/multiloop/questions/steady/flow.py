"""Flow map of a mechanism: the compiled simulation as a map of independent coordinates, rates and state variables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca
import numpy as np

from multiloop.kernels.loop import FINISHED, UNFINISHED, TimeLoop
from multiloop.kernels.run_kernels import RunKernels, Settings
from multiloop.kernels.tolerances import SINGULAR_BELOW
from multiloop.questions.running.choice import choose
from multiloop.questions.running.loop_kernels import loop_kernels
from multiloop.questions.running.run_model import RunModel
from multiloop.questions.signals.corners import LONGEST
from multiloop.questions.steady.placing import moved
from multiloop.questions.steady.standing import Place, Standing

INTEGRATOR = "dop853"
"""Integrator of the flow map."""


@dataclass(frozen=True, eq=False)
class Flow:
    """Simulations from states near a base state, given by deviations z = [ζ, u, x] of coordinates, rates and states x.

    All are scaled; state variables on which nothing depends are not part of z.
    """

    run: RunModel
    base: Standing
    rtol: float

    @cached_property
    def fed(self) -> list[int]:
        """Indices of the state variables on which forces or rates depend."""
        balance = self.base.balance
        found = ca.vertcat(balance.residual.force, balance.signals.x_rate)
        J = ca.jacobian(found, balance.equations.x)
        return [k for k in range(J.shape[1]) if J[:, k].nnz()]

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Numbers of ζ, u and x in z."""
        return len(self.base.B_q), len(self.base.B), len(self.fed)

    def start(self, z: np.ndarray, p: np.ndarray) -> Standing | None:
        """The state with deviations z, on the constraints; None if the loops do not close."""
        (n, m, _), at = self.sizes, self.base.place
        x = at.x.copy()
        x[self.fed] += z[n + m :]
        place = moved(self.base.balance, replace(at, p=p), self.base.C_q @ z[:n], x=x)
        if place is None:
            return None
        return Standing(self.base.balance, place, self.base.B, self.base.u + z[n : n + m], self.base.B_q)

    def after(self, start: Standing, period: float) -> tuple[np.ndarray, np.ndarray] | None:
        """Coordinates of the tree and changes of u and x after a time `period`; None if the simulation fails."""
        at, layout = start.place, self.run.layout
        y = layout.pack(q=at.q, v=start.v, x=at.x)
        until = at.t + period
        ends = self.run.signals.ends(at.t, until)
        times = np.array([until])
        loop = TimeLoop(self._system(at), self._settings(period), at.t, y, times, ends, until)
        status = loop.begin()
        while status == UNFINISHED:
            status = loop.advance()
        if status != FINISHED or not np.isfinite(loop.outputs).all():
            return None
        end = layout.blocks(loop.outputs[0])
        rates = self.base.B @ (end["v"] / self.base.scale)
        return end["q"], np.concatenate([rates - start.u, end["x"][self.fed] - at.x[self.fed]])

    def change(self, start: Standing, end: np.ndarray) -> np.ndarray:
        """Change of ζ from the start to tree coordinates `end`, including whole turns."""
        return np.asarray(
            self.base.B_q
            @ (self.base.balance.equations.chart.step_between(start.place.q, end) / self.base.scale)
        )

    @cached_property
    def _kernels(self) -> RunKernels:
        at = self.base.place
        return loop_kernels(self.run, choose(self.run.model, at.q, p=at.p, t=at.t), INTEGRATOR)

    def _system(self, at: Place) -> RunKernels:
        """The kernels with the independent coordinates chosen at the initial state."""
        choice = choose(self.run.model, at.q, p=at.p, t=at.t)
        return replace(self._kernels, given=choice.given | {"p": at.p}, sizes=choice.sizes)

    def _settings(self, span: float) -> Settings:
        watchful = self.run.signals.known.unsteady
        return Settings(
            INTEGRATOR,
            self.rtol,
            self.run.sizes,
            singular=SINGULAR_BELOW,
            longest=LONGEST * span if watchful else np.inf,
        )
