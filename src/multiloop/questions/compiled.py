"""The verb `compile`: the mechanism's own functions as machine code, by number instead of by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from multiloop.dynamics.energy import kinetic_energy, potential_energy
from multiloop.dynamics.inverse import effort_columns, whole_inverse
from multiloop.dynamics.projection import Projection
from multiloop.kernels import Interpreted, Kernel, Recipe, kernel_of
from multiloop.kernels.cuda import CudaKernel, cuda_steps
from multiloop.kernels.cuda_launch import REMEDY, missing
from multiloop.kernels.cuda_steps import CudaSteps
from multiloop.kinematics.equations import Equations
from multiloop.model import Fault, Mechanism, SolveError, UnknownNameError, suggestion
from multiloop.plan import Plan, analyse, efforts_of
from multiloop.questions.choices import require
from multiloop.questions.loads import Loads
from multiloop.questions.motion import Motions
from multiloop.symbols import Traced

TARGETS = ("c", "cuda", "interpreter")

AnyKernel = Kernel | CudaKernel | Interpreted


def compile_mechanism(
    mechanism: Mechanism,
    *,
    target: str = "c",
    method: str = "sslm",
    start: Mapping[str, Any] | None = None,
    guess: Mapping[str, Any] | None = None,
    cuts: Sequence[str] | None = None,
) -> Kernels:
    """Kernels of a mechanism; each is traced and built when it is first asked for.

    Motions of the mechanism are not prescribed in `forward`: efforts along all rates are its input. With
    target="cuda" kernels answer batches only, on arrays of CuPy.
    """
    require(mechanism, "target", target, TARGETS)
    if target == "cuda" and missing():
        raise _not_here(mechanism, 'target "cuda"', missing(), REMEDY)
    return Kernels(analyse(mechanism, cuts=cuts, start=start, guess=guess), method, target)


@dataclass(frozen=True, eq=False)
class Kernels:
    """Functions of one mechanism along the plan's tree, on single states and on batches.

    Arrays are numbered by `names`: q holds the coordinates of the tree's joints one after another, v their
    rates, tau the forces along them. `pack` and `unpack` go from names to numbers and back.
    """

    plan: Plan
    method: str
    target: str

    # numbers and names --------------------------------------------------------------------------------

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism they were made for."""
        return self.plan.mechanism

    @property
    def equations(self) -> Equations:
        """The equations along the plan's tree."""
        return self._motions.equations

    @property
    def joints(self) -> tuple[str, ...]:
        """The tree's joints, in the order of q and v."""
        return tuple(link.joint.name for link in self.equations.skeleton.links)

    @property
    def q(self) -> np.ndarray:
        """The closed position at which the kernels were made."""
        return self.plan.assembly.on(self.equations)

    def pack(self, values: Mapping[str, Any], *, rates: bool = False) -> np.ndarray:
        """q (or v) from values by joint name; joints left out are at their neutral coordinate (or at rest)."""
        skeleton = self.equations.skeleton
        places = self._places(rates)
        for name in values:
            if name not in places:
                raise UnknownNameError(
                    self.mechanism.name, "joint of the tree", name, suggestion(name, places)
                )
        count = max((np.shape(value)[-1] for value in values.values() if np.ndim(value) == 2), default=0)
        packed = np.zeros(skeleton.rates) if rates else skeleton.neutral.copy()
        packed = np.repeat(packed[:, None], count, axis=1) if count else packed
        for name, value in values.items():
            packed[places[name]] = value
        return packed

    def unpack(self, array: np.ndarray, *, rates: bool = False) -> dict[str, np.ndarray]:
        """Values by joint name from q (or from v, a, tau with `rates`); views, not copies."""
        return {name: array[place] for name, place in self._places(rates).items()}

    def _places(self, rates: bool) -> dict[str, slice]:
        links = self.equations.skeleton.links
        return {link.joint.name: link.v if rates else link.q for link in links}

    # kernels ------------------------------------------------------------------------------------------

    @cached_property
    def forward(self) -> AnyKernel:
        """(q, v, tau) → a: accelerations of all coordinates under given forces."""
        return self._made(lambda: _only(self._motions.functions.accelerations, "forward", "a"))

    @cached_property
    def multipliers(self) -> AnyKernel:
        """(q, v, tau) → a and lam, the forces in the cuts."""
        return self._made(lambda: _only(self._motions.functions.accelerations, "multipliers", "a", "lam"))

    @cached_property
    def inverse(self) -> AnyKernel:
        """(q, v, a) → tau of the drives and actuators, and constraint wrenches [n; f] of all joints (6, joints)."""
        return self._made(self._inverse)

    @cached_property
    def closure(self) -> AnyKernel:
        """(q) → how far the loops are from closing, row by row."""
        eq = self.equations
        return self._made(lambda: Traced("closure", {"q": eq.q, "p": eq.skeleton.symbols}, {"phi": eq.phi}))

    @cached_property
    def jacobian(self) -> AnyKernel:
        """(q) → J of the loops: J v = 0."""
        eq = self.equations
        inputs = {"q": eq.q, "p": eq.skeleton.symbols}
        return self._made(lambda: Traced("jacobian", inputs, {"J": eq.loop_jacobian}))

    @cached_property
    def positions(self) -> AnyKernel:
        """(q) → poses [R | p] of all bodies' inboard frames, 3 × 4 each, side by side."""
        eq = self.equations
        inputs = {"q": eq.q, "p": eq.skeleton.symbols}
        poses = [ca.horzcat(place.pose.R, place.pose.p) for place in eq.placed]
        return self._made(lambda: Traced("positions", inputs, {"poses": ca.horzcat(ca.SX(3, 0), *poses)}))

    @cached_property
    def energy(self) -> AnyKernel:
        """(q, v) → kinetic and potential energy."""
        eq = self.equations
        inputs = {"q": eq.q, "v": eq.v, "p": eq.skeleton.symbols}
        return self._made(
            lambda: Traced(
                "energy", inputs, {"kinetic": kinetic_energy(eq), "potential": potential_energy(eq)}
            )
        )

    def derivative(self, kernel: str, output: str, by: str) -> AnyKernel:
        """The exact Jacobian of a kernel's output with respect to one of its inputs, as a kernel."""
        function: AnyKernel = getattr(self, kernel)
        return self._made(lambda: function.recipe.traced.derivative(output, by))

    @cached_property
    def steps(self) -> CudaSteps:
        """Fixed steps of many states at once on the GPU, under forces that stay the same along a lane."""
        motions = self._motions
        if self.target != "cuda":
            remedy = 'Compile with target="cuda", or ask `simulate`.'
            raise _not_here(
                self.mechanism, "fixed steps", f'with target "{self.target}" there are none.', remedy
            )
        if motions.chooses or motions.functions.independent is not None:
            what = "rows or coordinates must be chosen anew on the way."
            raise _not_here(self.mechanism, "fixed steps on the GPU", what, "Ask `simulate`.")
        nothing, order = ca.SX(0, 1), motions.functions.order
        damped = motions.passes_singular
        projection = Projection(motions.equations, (), nothing, nothing, None, order, damped)
        return cuda_steps(motions.functions.accelerations, projection, motions.given(self.q))

    def _made(self, trace: Any) -> AnyKernel:
        if self.target == "cuda":
            return CudaKernel(Recipe(trace), self._motions.given(self.q))
        return kernel_of(Recipe(trace), self._motions.given(self.q), self.target)

    # what they are made from --------------------------------------------------------------------------

    @cached_property
    def _motions(self) -> Motions:
        return Motions(self.plan, self.plan.assembly, self.method, free=True)

    def _inverse(self) -> Traced:
        plan, mechanism = self.plan, self.mechanism
        efforts = efforts_of(mechanism)
        freedoms = plan.mobility - len(plan.idle)
        if len(efforts) != freedoms:
            what = f"{freedoms} freedoms but {len(efforts)} efforts."
            fault = Fault(
                "S01", "compiled inverse dynamics", what, "Give one drive or actuator for every freedom."
            )
            raise SolveError(f"mechanism '{mechanism.name}'", [fault])
        loads = Loads(plan, self.equations, plan.assembly.p, "subsystem")
        B = effort_columns(self.equations, efforts)
        return whole_inverse(self.equations, loads.used, B, loads.independent, plan.determinacy.blocks)

    def __repr__(self) -> str:
        return (
            f"Kernels of '{self.mechanism.name}' ({self.target}, forward dynamics by {self.method}): "
            f"q of {self.equations.skeleton.positions}, v of {self.equations.skeleton.rates}, cut at "
            f"{', '.join(self.plan.cuts) or 'nothing'}."
        )


def _not_here(mechanism: Mechanism, where: str, what: str, remedy: str) -> SolveError:
    """The error of a choice that this machine or this mechanism does not offer."""
    return SolveError(f"mechanism '{mechanism.name}'", [Fault("S08", where, what, remedy)])


def _only(traced: Traced, name: str, *outputs: str) -> Traced:
    """A traced function with some of its outputs, and without the inputs that are empty."""
    inputs = {key: symbol for key, symbol in traced.inputs.items() if symbol.shape[0] * symbol.shape[1]}
    return Traced(name, inputs, {key: traced.outputs[key] for key in outputs})
