"""A driven mechanism from one instant to the next, in one function: predicted, closed, moved, and loaded.

For sweeps over many designs: every lane has its own parameters, all lanes the same time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from multiloop.dynamics.elimination import solve_general, solve_positive
from multiloop.dynamics.inverse import whole_inverse
from multiloop.dynamics.projection import Projection
from multiloop.kernels import Interpreted, Kernel, Recipe, kernel_of
from multiloop.kinematics.equations import Equations, equations_of
from multiloop.kinematics.targets import coordinate_index, drive_targets
from multiloop.plan import Plan, efforts_of
from multiloop.questions.leading.loads import Loads, load_keys
from multiloop.questions.signals.cache_keys import identifying_keys, signal_keys, tree_keys
from multiloop.questions.signals.signals import Signals
from multiloop.spatial import Matrix
from multiloop.symbols import Traced

ROUNDS = 3
"""Newton steps after a prediction; from 0.03 away the third leaves round-off."""


@dataclass(frozen=True, eq=False)
class DrivenStep:
    """One driven mechanism along its plan, traced on t, z (tables), q and p."""

    plan: Plan
    method: str = "subsystem"

    @cached_property
    def equations(self) -> Equations:
        """Rows of the loops and the drives."""
        return equations_of(self.plan.mechanism, self.plan.tree, drive_targets(self.plan.mechanism))

    @cached_property
    def signals(self) -> Signals:
        """What the drives prescribe and the actuators are known to give."""
        return Signals(self.equations)

    def tables(self, t: float) -> np.ndarray:
        """z at a time."""
        return self.signals.tables.read(np.array([t]))[:, 0]

    @cached_property
    def driven(self) -> tuple[int, ...]:
        """Rates that the drives prescribe."""
        return self.equations.driven

    @property
    def _time(self) -> dict[str, Matrix]:
        return {"t": self.signals.t, "z": self.signals.z}

    @property
    def _p(self) -> Matrix:
        return self.equations.skeleton.symbols

    @cached_property
    def closing(self) -> Traced:
        """(t, z, q, p) → q after one Newton step, and how open the loops were before."""
        rows = Projection(self.equations, self.signals.s, self.signals.s_rate, damped=True)
        inputs = self._time | {"q": self.equations.q, "p": self._p}
        return Traced("closing", inputs, {"q_next": rows.closed(), "gap": rows.gap})

    @cached_property
    def moving(self) -> Traced:
        """(t, z, q, p) → v and a: what the drives leave open follows from the loops.

            J_d v_d = −J_l ṡ,      J_d a_d = γ − J_l s̈

        Where markers are driven, or own constraints depend on time, all rows are solved together.
        """
        if self._together:
            return self._moving_together()
        eq, signals, driven = self.equations, self.signals, list(self.driven)
        others = [k for k in range(eq.skeleton.rates) if k not in self.driven]
        J, p = eq.loop_jacobian, self._p
        rates = self._spread(
            signals.s_rate, solve_general(J[:, others], -J[:, driven] @ signals.s_rate), others
        )
        own = {"gamma": eq.own.gamma(eq, eq.given)}
        gamma = Traced("gamma", {"q": eq.q, "v": eq.v, "p": p}, own).on(eq.q, rates, p)["gamma"]
        follows = solve_general(J[:, others], gamma - J[:, driven] @ signals.s_second)
        inputs = self._time | {"q": eq.q, "p": p}
        return Traced("moving", inputs, {"v": rates, "a": self._spread(signals.s_second, follows, others)})

    @property
    def _together(self) -> bool:
        """Whether drives prescribe more than rates of the tree."""
        eq = self.equations
        return eq.own.rheonomic or any(target.on_marker for target in eq.targets)

    def _moving_together(self) -> Traced:
        """J v = b and J a = γ of all rows."""
        eq, signals, p = self.equations, self.signals, self._p
        J = eq.full_jacobian
        given = eq.drives_given(signals.s, signals.s_rate, signals.s_second)
        v = solve_general(J, eq.rows.bias(eq, given))
        inputs = self._time | {"q": eq.q, "p": p}
        gamma = Traced("gamma", inputs | {"v": eq.v}, {"gamma": eq.rows.gamma(eq, given)})
        return Traced("moving", inputs, {"v": v, "a": solve_general(J, gamma.on(**inputs, v=v)["gamma"])})

    def _spread(self, prescribed: Matrix, others: Matrix, places: list[int]) -> Matrix:
        """Prescribed and dependent entries in the order of the rates."""
        whole = ca.SX(self.equations.skeleton.rates, 1)
        for entries, where in ((prescribed, self.driven), (others, places)):
            for k, place in enumerate(where):
                whole[place] = entries[k]
        return whole

    @cached_property
    def loaded(self) -> Traced:
        """(t, z, q, v, a, p) → efforts, and the magnitude of the force in every joint."""
        eq, (tau, wrenches) = self.equations, self._found
        forces = [ca.sqrt(ca.sumsqr(wrenches[3:, k])) for k in range(wrenches.shape[1])]
        inputs = self._time | {"q": eq.q, "v": eq.v, "a": eq.a, "p": self._p}
        return Traced("loaded", inputs, {"efforts": tau, "loads": ca.vertcat(ca.SX(0, 1), *forces)})

    @cached_property
    def _found(self) -> tuple[Matrix, Matrix]:
        """Efforts, and constraint wrenches of all joints (6 × joints)."""
        eq, loads = self.equations, self._loads
        inverse = whole_inverse(eq, loads.used, loads.B, None, self.plan.determinacy.blocks)
        found = inverse.on(
            t=self.signals.t, q=eq.q, v=eq.v, a=eq.a, x=eq.x, known=self.signals.tau, p=self._p
        )
        return self._at_start(found["tau"]), self._at_start(found["wrenches"])

    def _at_start(self, value: Matrix) -> Matrix:
        """States that are no coordinates are as at the start."""
        x = self.equations.x
        return ca.substitute(value, x, self.signals.x_start) if x.numel() else value

    @cached_property
    def _loads(self) -> Loads:
        return Loads(self.plan, self.equations, self.plan.assembly.p, self.method)

    def _kernel(self, name: str, trace: Callable[[], Traced], *more: str) -> Kernel | Interpreted:
        """A kernel that is found again without tracing it."""
        words = (f"driven {name}", *tree_keys(self.equations.skeleton), *signal_keys(self.signals), *more)
        return kernel_of(Recipe(trace, identifying_keys(self.equations.skeleton, *words)))

    @cached_property
    def placed(self) -> Kernel | Interpreted:
        """(t, z, q, v, p) → q closed, v consistent, how far q was moved, and the gap.

        Rows may repeat one another, and what nothing drives is moved as little as can be.
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

    def _closed(self, q: Any) -> tuple[Any, Any]:
        """q after all Newton steps, and how open the loops still are."""
        t, z, p = self.signals.t, self.signals.z, self._p
        for _ in range(ROUNDS):
            q = self.closing.on(t, z, q, p)["q_next"]
        return q, self.closing.on(t, z, q, p)["gap"]

    @cached_property
    def rows(self) -> Kernel | Interpreted:
        """(t, q, p) → own rows, then those of the drives, lengths in characteristic lengths."""
        inputs = {"t": self.signals.t, "q": self.equations.q, "p": self._p}
        return self._kernel("rows", lambda: Traced("rows", inputs, {"J": self._rows}))

    @property
    def _rows(self) -> Matrix:
        return ca.vertcat(self._J, self._drive_rows)

    @property
    def _J(self) -> Matrix:
        eq = self.equations
        return ca.diag(ca.DM(eq.rate_row_scale[: eq.own.count])) @ eq.loop_jacobian @ ca.diag(eq.chart.scale)

    @property
    def _drive_rows(self) -> Matrix:
        eq = self.equations
        if not self._together:
            return ca.DM.eye(eq.skeleton.rates)[list(self.driven), :]
        scale = ca.DM(eq.rate_row_scale[eq.own.count :])
        return ca.diag(scale) @ eq.drives.jacobian(eq) @ ca.diag(eq.chart.scale)

    @cached_property
    def acting(self) -> tuple[int, ...]:
        """Rates along which the efforts act."""
        skeleton = self.equations.skeleton
        return tuple(coordinate_index(skeleton, *effort) for effort in efforts_of(self.plan.mechanism))

    @cached_property
    def evenness(self) -> Traced:
        """(t, q, p) → how even the rows are: of loops and drives, and of loops and efforts.

            √(least pivot / largest pivot) of A Aᵀ = L D Lᵀ,      A = [J; rows of the drives, or of the efforts]

        Never less than the closeness, the least singular value of A relative to the largest, but for round-off.
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
        return Traced("evenness", inputs, {"evenness": found})

    @cached_property
    def step(self) -> Kernel | Interpreted:
        """(h, t, z, q, v, a, p) → q, v, a, how far prediction and closure differ, the gap, evenness, efforts, loads.

        q, v, a are those a time h before t; with h = 0 the position is only closed again.
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
    """The largest of all magnitudes."""
    found: Any = ca.SX(0)
    for difference in ca.vertsplit(differences):
        found = ca.fmax(found, ca.fabs(difference))
    return found
