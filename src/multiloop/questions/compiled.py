"""The function `compile`: dynamics, loop closure and energies of a mechanism as compiled functions of arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from multiloop.dynamics.actions import acting_inputs
from multiloop.dynamics.energy import kinetic_energy, potential_energy
from multiloop.dynamics.forward import METHODS
from multiloop.dynamics.inverse import whole_inverse
from multiloop.kernels import Interpreted, Kernel, Recipe, kernel_of
from multiloop.kernels.cuda.kernel import CudaKernel, cuda_steps
from multiloop.kernels.cuda.launch import REMEDY, missing
from multiloop.kernels.cuda.steps import CudaSteps
from multiloop.kinematics.equations import Equations
from multiloop.model import Mechanism, SolveError
from multiloop.model.asking import verb
from multiloop.model.interrupts import obeying_interrupts
from multiloop.model.names import counted
from multiloop.plan import Plan, analyse, efforts_of
from multiloop.questions.body_feasibility import require_no_input
from multiloop.questions.choices import require
from multiloop.questions.leading.loads import Loads, load_keys
from multiloop.questions.numbered import Numbered
from multiloop.questions.refusal import refusal
from multiloop.questions.running.choice import choose
from multiloop.questions.running.forward_model import ForwardModel, motion_keys
from multiloop.questions.signals.cache_keys import identifying_keys
from multiloop.symbols import Traced

TARGETS = ("c", "cuda", "interpreter")
NAMES = ("forward", "multipliers", "inverse", "closure", "jacobian", "positions", "energy")

AnyKernel = Kernel | CudaKernel | Interpreted


@verb
def compile_mechanism(
    mechanism: Mechanism,
    *,
    target: str = "c",
    method: str = "sslm",
    start: Mapping[str, Any] | None = None,
    guess: Mapping[str, Any] | None = None,
    cuts: Sequence[str] | None = None,
) -> Kernels:
    """Compiled functions (kernels) of a mechanism; each is traced and built when it is first used.

    Drives are not prescribed in `forward`: the efforts along all rates are its input. With target="cuda" kernels accept
    batches only, as CuPy arrays.
    """
    require(mechanism, "target", target, TARGETS)
    require(mechanism, "forward method", method, METHODS)
    require_no_input(mechanism, mechanism.parameters)
    if target == "cuda" and missing():
        raise _not_here(mechanism, 'target "cuda"', missing(), REMEDY)
    return Kernels(analyse(mechanism, cuts=cuts, start=start, guess=guess), method, target)


@dataclass(frozen=True, eq=False)
class Kernels(Numbered):
    """Compiled functions of one mechanism along the plan's tree, for single states and for batches.

    Arrays are ordered as `joints`: q has the coordinates of the tree's joints one after another, v their rates, tau the
    forces along them. `pack` and `unpack` convert between names and arrays.
    """

    plan: Plan
    method: str
    target: str

    # numbers and names --------------------------------------------------------------------------------

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism that the kernels belong to."""
        return self.plan.mechanism

    @property
    def equations(self) -> Equations:
        """The equations along the plan's tree."""
        return self._model.equations

    @property
    def q(self) -> np.ndarray:
        """The closed position at which the kernels were built."""
        return self.plan.assembly.on(self.equations)

    # kernels ------------------------------------------------------------------------------------------

    @cached_property
    @obeying_interrupts()
    def forward(self) -> AnyKernel:
        """(q, v, tau) → a: accelerations of all coordinates under given forces."""
        return self._made("forward", lambda: self._model.functions.accelerations.only("forward", "a"))

    @cached_property
    @obeying_interrupts()
    def multipliers(self) -> AnyKernel:
        """(q, v, tau) → a and lam, the multipliers of the cut joints."""
        functions = self._model.functions
        return self._made("multipliers", lambda: functions.accelerations.only("multipliers", "a", "lam"))

    @cached_property
    @obeying_interrupts()
    def inverse(self) -> AnyKernel:
        """(q, v, a) → tau of the drives and actuators, and constraint wrenches [n; f] of all joints (6, joints)."""
        loads = self._loads()
        return self._made("inverse", lambda: _whole(loads), *load_keys(loads))

    @cached_property
    @obeying_interrupts()
    def closure(self) -> AnyKernel:
        """(q) → residuals Φ of the loop-closure equations, row by row."""
        return self._placed("closure", lambda eq: {"phi": eq.phi})

    @cached_property
    @obeying_interrupts()
    def jacobian(self) -> AnyKernel:
        """(q) → Jacobian J of the loops: J v = 0."""
        return self._placed("jacobian", lambda eq: {"J": eq.loop_jacobian})

    @cached_property
    @obeying_interrupts()
    def positions(self) -> AnyKernel:
        """(q) → poses [R | p] of all bodies' inboard frames, in the order of the joints, 3 × 4 each, in adjacent
        columns.
        """
        return self._placed(
            "positions",
            lambda eq: {
                "poses": ca.horzcat(ca.SX(3, 0), *(ca.horzcat(x.pose.R, x.pose.p) for x in eq.placed))
            },
        )

    @cached_property
    @obeying_interrupts()
    def energy(self) -> AnyKernel:
        """(q, v) → kinetic and potential energy."""
        eq = self.equations
        inputs = {"q": eq.q, "v": eq.v, **acting_inputs(eq), "p": eq.skeleton.symbols}
        return self._made(
            "energy",
            lambda: Traced(
                "energy", inputs, {"kinetic": kinetic_energy(eq), "potential": potential_energy(eq)}
            ),
        )

    @obeying_interrupts()
    def derivative(self, kernel: str, output: str, by: str) -> AnyKernel:
        """The exact Jacobian of a kernel's output with respect to one of its inputs, as a kernel."""
        require(self.mechanism, "kernel", kernel, NAMES)
        function: AnyKernel = getattr(self, kernel)
        recipe = function.recipe
        require(self.mechanism, f"output of '{kernel}'", output, [array.name for array in function.outputs])
        require(self.mechanism, f"input of '{kernel}'", by, [array.name for array in function.inputs])
        words = ("derivative", output, by, *recipe.words)
        return self._made(kernel, lambda: recipe.traced.derivative(output, by), *words)

    @cached_property
    @obeying_interrupts()
    def steps(self) -> CudaSteps:
        """Integration of many states at once on the GPU with fixed steps, under forces that are constant along a
        lane.
        """
        model = self._model
        if self.target != "cuda":
            remedy = 'Compile with target="cuda", or ask `simulate`.'
            raise _not_here(
                self.mechanism, "fixed steps", f'with target "{self.target}" there are none.', remedy
            )
        if model.skeleton.states:
            what = f"the states {', '.join(model.skeleton.states)} are not carried along."
            raise _not_here(self.mechanism, "fixed steps on the GPU", what, "Ask `simulate`.")
        if model.chooses or model.functions.independent is not None:
            what = "rows or coordinates must be chosen anew on the way."
            raise _not_here(self.mechanism, "fixed steps on the GPU", what, "Ask `simulate`.")
        if acting_inputs(self.equations):
            what = "a load or a relation depends on the time."
            raise _not_here(self.mechanism, "fixed steps on the GPU", what, "Ask `simulate`.")
        projection = model.projection(ca.SX(0, 1), ca.SX(0, 1))
        return cuda_steps(model.functions.accelerations, projection, self._given)

    @cached_property
    def _given(self) -> dict[str, np.ndarray]:
        """Inputs that are fixed at the closed position.

        Columns are given as vectors, which no batch takes for a single lane.
        """
        model, functions = self._model, self._model.functions
        chosen = (
            functions.independent is not None or functions.stiff or functions.takes in ("choice", "penalty")
        )
        given = (choose(model, self.q).given if chosen else {}) | {"p": model.p, "q": self.q}
        return {name: value.ravel() if value.shape[-1] == 1 else value for name, value in given.items()}

    def _placed(self, name: str, outputs: Callable[[Equations], dict[str, Any]]) -> AnyKernel:
        """A kernel that depends on the position, and on the time where a constraint depends on it."""
        eq = self.equations
        inputs = {"q": eq.q, **({"t": eq.t} if eq.times else {}), "p": eq.skeleton.symbols}
        return self._made(name, lambda: Traced(name, inputs, outputs(eq)))

    def _made(self, name: str, trace: Callable[[], Traced], *words: str) -> AnyKernel:
        """Build a kernel; `words` identify everything it depends on besides its name and the equations of motion."""
        whole = identifying_keys(self.equations.skeleton, name, *motion_keys(self._model), *words)
        recipe = Recipe(trace, whole, self._model.passes_singular)
        if self.target == "cuda":
            return CudaKernel(recipe, self._given)
        return kernel_of(recipe, self._given, self.target)

    # models of the kernels ---------------------------------------------------------------------------

    @cached_property
    @obeying_interrupts()
    def _model(self) -> ForwardModel:
        return ForwardModel(self.plan, self.plan.assembly, self.method, free=True)

    def _loads(self) -> Loads:
        plan, mechanism = self.plan, self.mechanism
        efforts = efforts_of(mechanism)
        freedoms = plan.mobility - len(plan.idle)
        if len(efforts) != freedoms:
            what = f"{counted(freedoms, 'freedom')} but {counted(len(efforts), 'effort')}."
            raise refusal(
                mechanism,
                "S01",
                "compiled inverse dynamics",
                what,
                "Give one drive or actuator for every freedom.",
            )
        return Loads(plan, self.equations, plan.assembly.p, "subsystem")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the description only: another process finds or builds the machine code itself."""
        return Kernels, (self.plan, self.method, self.target)

    def __repr__(self) -> str:
        return (
            f"Kernels of '{self.mechanism.name}' ({self.target}, forward dynamics by {self.method}): "
            f"q of {self.equations.skeleton.positions}, v of {self.equations.skeleton.rates}, cut at "
            f"{', '.join(self.plan.cuts) or 'nothing'}."
        )


def _not_here(mechanism: Mechanism, where: str, what: str, remedy: str) -> SolveError:
    """The error for a choice that this machine or this mechanism does not support."""
    return refusal(mechanism, "S08", where, what, remedy)


def _whole(loads: Loads) -> Traced:
    """Trace of inverse dynamics with all reactions."""
    blocks = loads.plan.determinacy.blocks
    whole = whole_inverse(loads.equations, loads.used, loads.B, loads.independent, blocks)
    return whole.only("inverse", "tau", "wrenches")
