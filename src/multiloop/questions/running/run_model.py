"""The model of a run that all integrators share: rate of the state, projection onto the constraints, and events.

All functions are traced once on common inputs. The compiled loop uses them as kernels; other integrators evaluate the
same traces numerically.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from multiloop.dynamics.actions import supplied_power
from multiloop.dynamics.actions.grip import GUARD
from multiloop.dynamics.energy import dissipated_power
from multiloop.dynamics.energy_items import Item, energy_items
from multiloop.dynamics.projection import Projection
from multiloop.kernels import Kernel
from multiloop.kernels.absolute_tolerances import StateSizes
from multiloop.kernels.state_layout import StateLayout
from multiloop.kernels.tolerances import CLOSE, CLOSED, ROUNDS
from multiloop.questions.running.choice import Choice
from multiloop.questions.running.commanding import acting_efforts
from multiloop.questions.running.forward_model import Answer, ForwardModel, motion_keys
from multiloop.questions.running.lightest_projection import lightest_projection
from multiloop.questions.running.state_units import state_units
from multiloop.questions.running.traced_outputs import link_stiffness, slopes, straightening
from multiloop.questions.signals.cache_keys import signal_keys
from multiloop.questions.signals.signals import Signals
from multiloop.spatial import Matrix
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class RunModel:
    """Forward dynamics and signals of one run, traced on the common inputs t, q, v, x, u, z, basis, choice, c, p."""

    model: ForwardModel
    signals: Signals

    def __reduce__(self) -> tuple[Any, ...]:
        """Traced functions cannot be pickled: another process traces them again."""
        acting = self.signals
        return _made_again, (self.model, *(getattr(acting, entry.name) for entry in fields(acting)[1:]))

    @property
    def layout(self) -> StateLayout:
        """The blocks of the state; energies of single items are integrated where there are several."""
        return replace(self.signals.layout, work=1 + len(self.items))

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The items whose energies are integrated, in the order of the state."""
        return tuple(self._item_powers)

    @cached_property
    def _item_powers(self) -> dict[Item, Matrix]:
        """The power of every item, where there are several."""
        eq = self.model.equations
        found = energy_items(eq, self.forces, self._answer["lam"][: eq.own.count])
        return found if len(found) > 1 else {}

    @cached_property
    def inputs(self) -> dict[str, Matrix]:
        """The common inputs, in the loop's order."""
        given = self.model.functions.accelerations.inputs
        eq, signals = self.model.equations, self.signals
        found = {"t": signals.t, "q": eq.q, "v": eq.v, "x": eq.x, "u": signals.u, "z": signals.z}
        found["basis"] = (
            ca.SX.sym("basis", self.model.rank, eq.rows.count) if self.model.redundant else ca.SX(0, 0)
        )
        return found | {name: given[name] for name in ("choice", "c", "p")}

    @cached_property
    def _answer(self) -> dict[str, Matrix]:
        """Accelerations and multipliers with efforts and prescribed motions substituted."""
        return self._put(self.model.functions.accelerations)

    def _put(self, traced: Traced) -> dict[str, Matrix]:
        """Outputs of the forward functions on the common inputs, with efforts and prescribed motions substituted."""
        x, signals = self.inputs, self.signals
        given = {"s": signals.s, "s_rate": signals.s_rate, "s_second": signals.s_second}
        functions = self.model.functions
        if functions.independent is not None:  # the rows of servo constraints are not among its rows
            x = x | {"basis": x["basis"][: functions.independent, : functions.rows]}
        return traced.on(**x, tau=self._acting[1], **given)

    @cached_property
    def _acting(self) -> tuple[Matrix, Matrix]:
        """Known efforts one by one and along all rates, including those of a control law."""
        return acting_efforts(self.model, self.signals, self.inputs)

    @cached_property
    def forces(self) -> Matrix:
        """Forces along all rates: known efforts, and those of the drives."""
        return self._answer["forces"]

    @cached_property
    def answers(self) -> Traced:
        """The common inputs → a, λ of all rows, forces along all rates, known efforts one by one."""
        outputs = {"a": self._answer["a"], "lam": self._answer["lam"], "forces": self.forces}
        outputs["efforts"] = self._acting[0]
        if "following" in self._answer:
            outputs["following"] = ca.densify(self._answer["following"])
        return Traced("answers", self.inputs, outputs)

    @cached_property
    def gripping(self) -> Traced:
        """The common inputs → output columns of all set-valued forces, one row each (`actions.grip.TOLD`)."""
        return Traced("gripping", self.inputs, {"told": self._answer["gripping"]})

    @cached_property
    def struck(self) -> Traced:
        """The common inputs → jumps by unit impulses (`ForwardFunctions.struck`)."""
        return Traced("struck", self.inputs, self._put(self.model.functions.struck))

    @property
    def grips(self) -> int:
        """Number of set-valued forces."""
        return sum(len(load.modes) for load in self.model.skeleton.mechanism.all_loads)

    @property
    def chooses(self) -> bool:
        """Whether rows or coordinates are chosen again during the run."""
        return self.model.redundant or self.model.chooses

    @cached_property
    def _rate(self) -> dict[str, Matrix]:
        eq = self.model.equations
        power = ca.dot(self.forces, eq.v) + self._constraint_power + supplied_power(eq)
        power, x_rate = power - dissipated_power(eq), self.signals.x_rate
        power = ca.vertcat(power, *self._item_powers.values())
        if "following" in self._answer:
            strengths = self._answer["following"][:, 0]
            power, x_rate = ca.substitute([power, x_rate], [eq.strengths], [strengths])
        return {
            "q_rate": self._answer["q_rate"],
            "a": self._answer["a"],
            "x_rate": x_rate,
            "power": power,
        }

    @property
    def _constraint_power(self) -> Matrix:
        """λᵀ b, the power of constraints of the mechanism that depend on time explicitly."""
        eq = self.model.equations
        if not eq.own.rheonomic:
            return ca.SX(0)
        return ca.dot(self._answer["lam"][: eq.own.count], eq.own.bias(eq, eq.given))

    @cached_property
    def rate(self) -> Traced:
        """The common inputs → q̇, v̇, ẋ, the total power and that of single items."""
        return Traced("rate", self.inputs, self._rate)

    @cached_property
    def projection(self) -> Projection:
        """The projection onto the constraints."""
        return self.model.projection(self.signals.s, self.signals.s_rate, self.inputs["basis"])

    @cached_property
    def closed(self) -> Traced:
        """The common inputs → positions after one Newton step onto the constraints, and the gap before it."""
        return Traced("close", self.inputs, self.projection.closure())

    @cached_property
    def _straightened(self) -> Traced:
        return Traced("straighten", self.inputs, self._straightening())

    def _straightening(self) -> dict[str, Matrix]:
        return straightening(self.model, self.projection)

    def _matrix(self) -> dict[str, Matrix]:
        return {"J": ca.diag(ca.DM(self.model.row_scale)) @ self.model.equations.full_jacobian}

    def _watching(self) -> dict[str, Matrix]:
        """Values of the user's events, then the guards of the modes of all set-valued forces."""
        watched, normals = self.signals.watched, self.signals.normals
        if self.grips:
            watched = ca.vertcat(watched, self._answer["gripping"][:, GUARD])
        if not normals:
            return {"values": watched}
        own = self.model.equations.own
        rows = {one.name: place.start for one, place in zip(own.constraints, own.slices, strict=True)}
        forces = [self._answer["lam"][rows[name]] for name in normals]
        return {"values": ca.substitute(watched, ca.vertcat(*normals.values()), ca.vertcat(*forces))}

    # numerical evaluation ---------------------------------------------------------------------------------

    @cached_property
    def sizes(self) -> StateSizes:
        """The scale of every entry of the state."""
        return state_units(self.model, self.layout)

    def rate_at(self, t: float, y: np.ndarray, choice: Choice) -> np.ndarray:
        """ẏ in a state y at time t."""
        given = self.signals.inputs_at(t, y) | choice.given
        return np.concatenate(self.rate(**given, p=self.model.p))

    def projected_at(
        self, t: float, y: np.ndarray, choice: Choice, closed: Traced, *, at_once: bool = False
    ) -> tuple[np.ndarray, float]:
        """The state projected onto the constraints, x unchanged, and the remaining gap of the rows.

        Newton's method for the positions, each step of `closed` with a new Jacobian, then the nearest consistent
        rates. With `at_once` the speed of a drive may have jumped at t.
        """
        if self.model.passes_singular:
            return lightest_projection(self.model, self.layout, t, y, self.model.p, at_once=at_once)
        last, open_by = np.inf, 0.0
        given = self.signals.inputs_at(t, y) | choice.given | {"p": self.model.p}
        for _ in range(ROUNDS):
            q, (gap,) = closed(**given)
            open_by = float(gap)
            if not np.isfinite(gap) or (gap >= last and last < CLOSED):
                break
            given["q"] = q
            if gap < CLOSE:  # Newton's method squares the gap in one step
                open_by = float(gap * gap)
                break
            last = gap
        v, _, (pushed,) = self._straightened(**given)
        work = y[self.layout["work"]].copy()
        work[0] += pushed
        return self.layout.pack(q=given["q"], v=v, x=given["x"], work=work), open_by

    def answer_at(self, t: float, y: np.ndarray, choice: Choice) -> Answer:
        """Accelerations, multipliers and forces in a state; raises, by name, where an effort has no value."""
        p, rows = self.model.p, self.model.equations.own.count
        given = self.signals.inputs_at(t, y) | choice.given
        a, lam, tau, efforts, *following = self.answers(**given, p=p)
        self.signals.require_values(t, y, p, efforts)
        return Answer(a, lam[:rows], tau, *following)

    # for the compiled loop ------------------------------------------------------------------------------

    @property
    def pieces(self) -> dict[str, Callable[[], dict[str, Matrix]]]:
        """All functions that the loop may call, by name; each is traced on demand."""
        return {
            "rate": lambda: self._rate,
            "close": self.projection.closure,
            "straighten": self._straightening,
            "matrix": self._matrix,
            "slope": lambda: slopes(self._rate, self.inputs),
            "stiffness": lambda: link_stiffness(self.model, self._put),
            "watch": self._watching,
        }

    @cached_property
    def built(self) -> dict[str, Kernel]:
        """Kernels built so far; their machine code stays loaded as long as this object exists."""
        return {}

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Cache keys that identify its kernels."""
        return (*motion_keys(self.model), *signal_keys(self.signals))


def _made_again(model: ForwardModel, *acting: Any) -> RunModel:
    return RunModel(model, Signals(model.equations, *acting))
