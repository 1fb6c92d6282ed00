"""Forward dynamics traced for a mechanism, a tree and a formulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import casadi as ca

from multiloop.dynamics.actions import Felt, acting_inputs
from multiloop.dynamics.following import follow_reactions
from multiloop.dynamics.forward.augmented import augmented
from multiloop.dynamics.forward.embedding import embedding
from multiloop.dynamics.forward.servo import Servo
from multiloop.dynamics.forward.slm import slm
from multiloop.dynamics.forward.sslm import sslm
from multiloop.dynamics.forward.system import system
from multiloop.dynamics.forward.virtual_work import virtual_work
from multiloop.dynamics.laws import Laws
from multiloop.dynamics.problem import NOTHING, Forward, Problem
from multiloop.dynamics.reactions import all_reactions
from multiloop.dynamics.wrenches import needed_wrenches
from multiloop.kinematics.constraints import RowSet
from multiloop.kinematics.equations import KEPT, Equations
from multiloop.spatial import Matrix, parted
from multiloop.symbols import Traced


@dataclass(frozen=True)
class Formulation:
    """A formulation and its further argument: the order of the plan, a choice of coordinates, or a penalty."""

    solve: Callable[..., Forward]
    takes: str = ""


FORMULATIONS = {
    "sslm": Formulation(sslm, "order"),
    "slm": Formulation(slm),
    "system": Formulation(system),
    "embedding": Formulation(embedding, "choice"),
    "virtual_work": Formulation(virtual_work, "choice"),
    "augmented": Formulation(augmented, "penalty"),
}
METHODS = tuple(FORMULATIONS)


@dataclass(frozen=True, eq=False)
class ForwardFunctions:
    """Traced forward dynamics.

    The targets of the equations are drives, whose prescribed values are inputs. Their multipliers, after those of the
    constraints of the description, are the efforts of the drives, unless efforts along the rates `pushing` are used
    (`Servo`). `independent` is the number of independent rows if some are redundant (a basis is then an input), `order`
    the elimination order of the plan, and `stiff` adds the term c JᵀJ for massless links.
    """

    equations: Equations
    method: str
    independent: int | None = None
    order: Sequence[int] | None = None
    stiff: bool = False
    pushing: tuple[int, ...] = ()

    @property
    def ideal(self) -> RowSet:
        """Rows of drives whose multipliers act along the rows themselves."""
        return RowSet() if self.pushing else self.equations.drives

    @property
    def rows(self) -> int:
        """Number of rows of the constraints of the description and of the ideal drives."""
        return self.equations.own.count + self.ideal.count

    @cached_property
    def accelerations(self) -> Traced:
        """(q, v, tau, s, ṡ, s̈, basis, choice, c, p) → q̇, v̇, λ of all rows, and forces along all rates; and
        reaction-dependent forces if there are any (`follow_reactions`).

        t and x, if loads depend on them, come before p; the time is no separate input if it is the first entry of s.
        """
        inputs, answer, forces = self._traced
        outputs = {"q_rate": self.equations.q_rate} | self._followed(answer, forces)
        return Traced(f"forward_{self.method}", inputs, outputs)

    @cached_property
    def of_strengths(self) -> Traced:
        """v̇, λ and forces with the reaction-dependent forces `strengths` as inputs; linear in these and in τ."""
        inputs, answer, forces = self._traced
        outputs = {"a": answer.a, "lam": answer.lam, "forces": forces}
        return Traced(f"open_{self.method}", inputs | {"strengths": self.equations.strengths}, outputs)

    @cached_property
    def _traced(self) -> tuple[dict[str, Matrix], Forward, Matrix]:
        """The inputs, the solution, and the forces along all rates, as functions of the reaction-dependent forces."""
        eq, n = self.equations, self.equations.skeleton.rates
        tau = parted(ca.SX.sym("tau", n))
        kept = self.rows if self.independent is None else self.independent
        basis = ca.SX.sym("basis", kept, self.rows) if self.independent is not None else ca.SX(0, 0)
        choice = ca.SX.sym("choice", n - kept, n) if self.takes == "choice" else ca.SX(0, 0)
        penalties = self.rows if self.takes == "penalty" else 1
        weight = ca.SX.sym("c", penalties) if self.stiff or self.takes == "penalty" else ca.SX(0, 0)
        problem = Problem(
            eq,
            tau,
            self.ideal,
            eq.given if self.ideal.count else NOTHING,
            basis if self.independent is not None else None,
            weight if self.stiff and self.takes != "penalty" else 0.0,
        )
        answer, forces = self._answer(problem, choice, weight)
        inputs = {
            "q": eq.q,
            "v": eq.v,
            "tau": tau,
            "s": eq.s,
            "s_rate": eq.s_rate,
            "s_second": eq.s_second,
            "basis": basis,
            "choice": choice,
        }
        acting = {name: symbol for name, symbol in acting_inputs(eq).items() if name != "t" or not eq.times}
        inputs |= {"c": weight, **acting, "p": eq.skeleton.symbols}
        return inputs, answer, forces

    def _followed(self, answer: Forward, forces: Matrix) -> dict[str, Matrix]:
        """v̇, λ and forces with reaction-dependent forces substituted, and outputs of these forces."""
        eq, outputs = self.equations, {"a": answer.a, "lam": answer.lam, "forces": forces}
        if not eq.strengths.shape[0]:
            return outputs
        found = follow_reactions(eq, outputs, self.felt(**outputs), answer.a)
        told = {"gripping": found.gripping} if found.gripping.shape[0] else {}
        return found.outputs | {"following": found.following} | told

    @cached_property
    def struck(self) -> Traced:
        """The same inputs → jumps of v, λ and forces along all rates for a unit impulse of every set-valued force; and
        the derivative Jᵍ of the rates of set-valued forces by v: Jᵍ R is the change of all these rates by unit
        impulses. Also the same for tangential impulses of rough contacts (`Slide`), their axes, and [μ, slip] of each.

        I Δv = F + Jᵀ Λ,  J Δv = 0      [pfeiffer], ch. 6: an impact changes only rates
        """
        eq, (inputs, answer, forces) = self.equations, self._traced
        found = {"a": answer.a, "lam": answer.lam, "forces": forces}
        x, m = eq.strengths, eq.strengths.shape[0]
        jumps = {name: _along(part, x, ca.DM.eye(m)) for name, part in found.items()}
        grips = Laws.of(eq).grips
        rates = ca.vertcat(ca.SX(0, 1), *[ca.SX(grip.rate) for grip in grips])
        numbers = [(grip.restitution, grip.speed, 0.0 if grip.gap is None else 1.0) for grip in grips]
        outputs = jumps | {"grip_rates": ca.jacobian(rates, eq.v)}
        outputs["laws"] = ca.vertcat(ca.SX(0, 3), *[ca.horzcat(*map(ca.SX, row)) for row in numbers])
        slides = [grip.slide for grip in grips if grip.slide is not None]
        across = ca.jacobian(ca.vertcat(ca.SX(0, 1), *[ca.SX(slide.v) for slide in slides]), eq.v)
        outputs |= {f"slid_{name}": _along(part, inputs["tau"], across.T) for name, part in found.items()}
        outputs["slid_forces"] = outputs["slid_forces"] - across.T
        outputs["slide_rates"] = across
        outputs["slide_axes"] = ca.horzcat(ca.SX(3, 0), *[ca.SX(slide.axes) for slide in slides])
        rough = [(slide.coefficient, slide.slip) for slide in slides]
        outputs["rough"] = ca.vertcat(ca.SX(0, 2), *[ca.horzcat(*map(ca.SX, row)) for row in rough])
        still = ca.substitute([ca.densify(ca.SX(part)) for part in outputs.values()], [x], [ca.SX.zeros(m)])
        return Traced("struck", inputs, dict(zip(outputs, still, strict=True)))

    def felt(self, a: Matrix, lam: Matrix, forces: Matrix) -> Felt:
        """The reactions of all joints for v̇, λ and forces along all rates."""
        eq = self.equations
        return all_reactions(eq, needed_wrenches(eq, a), lam[: eq.own.count], parted(forces))

    @property
    def takes(self) -> str:
        """The further argument of the formulation."""
        return FORMULATIONS[self.method].takes

    def _answer(self, problem: Problem, choice: ca.SX, weight: ca.SX) -> tuple[Forward, Matrix]:
        """The solution, and the forces along all rates, those of the drives included."""
        method = FORMULATIONS[self.method].solve
        extra = {"": (), "order": (self.order,), "choice": (choice,), "penalty": (weight,)}[self.takes]
        eq = self.equations
        if self.pushing:
            B = ca.DM.eye(eq.skeleton.rates)[:, list(self.pushing)]
            held, efforts = Servo(eq.drives, B).hold(problem, lambda other: method(other, *extra), eq.given)
            return held, problem.tau + B @ efforts
        answer = method(problem, *extra)
        if not self.ideal.count:
            return answer, problem.tau
        return answer, problem.tau + self.ideal.jacobian(eq).T @ answer.lam[eq.own.count :]


def _along(part: Matrix, inputs: Matrix, ways: Matrix) -> Matrix:
    """Directional derivatives of a part along columns of inputs."""
    if not ways.shape[1] or not part.shape[0]:
        return ca.SX(part.shape[0], ways.shape[1])
    return ca.jtimes(ca.densify(part), inputs, ways)


@lru_cache(maxsize=KEPT)
def forward_functions(
    equations: Equations,
    method: str,
    independent: int | None,
    order: tuple[int, ...],
    stiff: bool,
    pushing: tuple[int, ...] = (),
) -> ForwardFunctions:
    """Traced forward dynamics, cached."""
    return ForwardFunctions(equations, method, independent, order, stiff, pushing)
