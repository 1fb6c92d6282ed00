"""One time step of a driven mechanism in one function: prediction, loop closure, rates and accelerations, loads.

It is used for sweeps over many designs: every lane has its own parameters, all lanes have the same time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import casadi as ca

from multiloop.dynamics.elimination import orientation, solve_positive
from multiloop.dynamics.following import is_known
from multiloop.dynamics.projection import Projection
from multiloop.kernels import Interpreted, Kernel, Recipe, kernel_of
from multiloop.questions.leading.driven_traces import DrivenTraces
from multiloop.questions.leading.loads import load_keys
from multiloop.questions.signals.cache_keys import identifying_keys, signal_keys, tree_keys
from multiloop.spatial import Matrix
from multiloop.symbols import Traced


class DrivenStep(DrivenTraces):
    """Traced functions of a driven mechanism for many designs, from one instant to the next."""

    @cached_property
    def loaded(self) -> Traced:
        """(t, z, q, v, a, p) → efforts, and the magnitude of the force in every joint."""
        eq, tau, wrenches = self.equations, self._found["tau"], self._found["wrenches"]
        if "following" in self._found:
            tau = tau / is_known(self._found["following"])  # NaN where friction has several solutions or none
        forces = [ca.sqrt(ca.sumsqr(wrenches[3:, k])) for k in range(wrenches.shape[1])]
        inputs = self._time | {"q": eq.q, "v": eq.v, "a": eq.a, "p": self._p}
        return Traced("loaded", inputs, {"efforts": tau, "loads": ca.vertcat(ca.SX(0, 1), *forces)})

    def _kernel(self, name: str, trace: Callable[[], Traced], *more: str) -> Kernel | Interpreted:
        """A kernel that is found in the cache without tracing it."""
        words = (f"driven {name}", *tree_keys(self.equations.skeleton), *signal_keys(self.signals), *more)
        return kernel_of(Recipe(trace, identifying_keys(self.equations.skeleton, *words)))

    @cached_property
    def placed(self) -> Kernel | Interpreted:
        """(t, z, q, v, p) → closed q, consistent v, how far q was moved, and the gap.

        Rows may be redundant; coordinates that are not driven are moved as little as possible.
        """
        return self._kernel("placed", self._placed)

    def _placed(self) -> Traced:
        eq, p, t, z = self.equations, self._p, self.signals.t, self.signals.z
        rows = Projection(eq, self.signals.s, self.signals.s_rate, damped=True)
        inputs = self._time | {"q": eq.q, "v": eq.v, "p": p}
        straightening = Traced("straightening", inputs, {"v_next": rows.straightened()[0]})
        q, gap = self._closed(eq.q)
        v = straightening.on(t, z, q, eq.v, p)["v_next"]
        return Traced("placed", inputs, {"q_next": q, "v_next": v, "away": _farthest(q - eq.q), "gap": gap})

    @cached_property
    def rows(self) -> Kernel | Interpreted:
        """(t, q, p) → rows of the loops, then those of the drives, lengths in characteristic lengths."""
        inputs = {"t": self.signals.t, "q": self.equations.q, "p": self._p}
        return self._kernel("rows", lambda: Traced("rows", inputs, {"J": self._rows}))

    @cached_property
    def evenness(self) -> Traced:
        """(t, q, p) → pivot ratio of the rows: of loops and drives, and of loops and efforts.

            √(least pivot / largest pivot) of A Aᵀ = L D Lᵀ,      A = [J; rows of the drives, or of the efforts]

        Apart from round-off it is never less than the closeness, the least singular value of A relative to the largest.
        It has the sign of det [J; rows of the drives], which does not change along a motion that avoids singular
        positions.
        """
        found: Any = ca.SX(1)
        unit = ca.DM.eye(self.equations.skeleton.rates)
        added = {tuple(sorted(places)): unit[list(places), :] for places in (self.acting,) if places}
        if self._together:
            added[()] = self._drive_rows
        elif self.driven:
            added = {tuple(sorted(self.driven)): unit[sorted(self.driven), :]} | added
        for rows in added.values():
            A = ca.vertcat(self._J, rows)
            reciprocals: list[Any] = []
            solve_positive(ca.sparsify(A @ A.T), ca.SX.ones(A.shape[0], 1), reciprocals)
            most, least = reciprocals[0], reciprocals[0]
            for reciprocal in reciprocals[1:]:
                most, least = ca.fmax(most, reciprocal), ca.fmin(least, reciprocal)
            found = ca.fmin(found, ca.sqrt(ca.fmax(least / most, 0)))
        inputs = {"t": self.signals.t, "q": self.equations.q, "p": self._p}
        return Traced("evenness", inputs, {"evenness": ca.copysign(found, orientation(self._dependent_rows))})

    @property
    def _dependent_rows(self) -> Matrix:
        """The square matrix that `moving` solves, whose determinant has the sign of all rows."""
        if self._together:
            return self.equations.full_jacobian
        others = [k for k in range(self.equations.skeleton.rates) if k not in self.driven]
        return self.equations.loop_jacobian[:, others]

    @cached_property
    def step(self) -> Kernel | Interpreted:
        """(h, t, z, q, v, a, p) → q, v, a, difference of prediction and closure, gap, pivot ratio, efforts, loads.

        The inputs q, v, a are those at time t − h; with h = 0 the position is only closed again.
        """
        return self._kernel("step", self._step, *load_keys(self._loads), repr((self.driven, self.acting)))

    def _step(self) -> Traced:
        eq, h, p = self.equations, ca.SX.sym("h"), self._p
        t, z = self.signals.t, self.signals.z
        predicted = eq.q + eq.chart.rate_map(eq.q) @ (h * eq.v + h * h / 2 * eq.a)
        q, gap = self._closed(predicted)
        moved = self.moving.on(t, z, q, p)
        loads = self.loaded.on(t, z, q, moved["v"], moved["a"], p)
        inputs = {"h": h, "t": t, "z": z, "q": eq.q, "v": eq.v, "a": eq.a, "p": p}
        outputs = {"q_next": q, "v_next": moved["v"], "a_next": moved["a"], "away": _farthest(q - predicted)}
        outputs |= {"gap": gap} | self.evenness.on(t, q, p) | loads
        return Traced("step", inputs, outputs)


def _farthest(differences: Matrix) -> Matrix:
    """The largest magnitude of all entries."""
    found: Any = ca.SX(0)
    for difference in ca.vertsplit(differences):
        found = ca.fmax(found, ca.fabs(difference))
    return found
