"""The function `compile`: dynamics, loop closure, poses and energies of a mechanism as compiled kernels."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import casadi as ca
import numpy as np

from multiloop.analyses.designs import require_fixed_reduction, warn_redundancy_parameters
from multiloop.analyses.errors import analysis_error, require_choice
from multiloop.analyses.prescribed_motion import InverseSolver, inverse_keys, inverse_trace
from multiloop.analyses.run_models import ForwardModel, make_local_choice, motion_keys
from multiloop.analyses.signals import identifying_keys
from multiloop.dynamics.actions import load_inputs
from multiloop.dynamics.forward import METHODS
from multiloop.dynamics.outputs import SOURCES, is_built_in, kinetic_energy, potential_energy, traced_outputs
from multiloop.kernels import InterpretedKernel, Kernel, Recipe, build_kernel
from multiloop.kernels.cuda import GPU_REMEDY, CudaKernel, CudaSteps, cuda_steps, missing_gpu_reason
from multiloop.kinematics import Equations
from multiloop.kinematics.assembly import StateValues, named_state, start_conditions
from multiloop.model import (
    Mechanism,
    SolveError,
    UnknownNameError,
    count_text,
    guard_interrupts,
    public_function,
    short_repr,
    single_design,
    suggestion,
)
from multiloop.plan import Plan, analyse, unknown_efforts
from multiloop.symbols import Traced

TARGETS = ("c", "cuda", "interpreter")
KERNEL_NAMES = ("forward", "multipliers", "inverse", "closure", "jacobian", "positions", "energy")

CUT_JOINT_REMEDY = (
    "It is a cut joint, computed from the others: omit it, or choose other cut joints with `cuts=`."
)

AnyKernel = Kernel | CudaKernel | InterpretedKernel


@public_function
def compile_mechanism(
    mechanism: Mechanism,
    *,
    target: str = "c",
    method: str = "sslm",
    start: StateValues | None = None,
    guess: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    cuts: Sequence[str] | None = None,
) -> Kernels:
    """Compiled functions (kernels) of a mechanism; each is traced and built when it is first used.

    In `forward` no motion is prescribed by drives: its input is the generalized force along every joint coordinate of
    the spanning tree. With target="cuda" kernels accept batches only, as CuPy arrays. Kernels do not determine
    set-valued forces (contact, hard stops, ropes, freewheels, exact stiction); a UserWarning names the loads that exert
    such forces.

    `start`, where the search begins, is a mapping from joints to coordinates, a State (at its time) or an Equilibrium.
    `parameters` gives other parameter values by name. All parameters are inputs of the kernels; a UserWarning names
    those whose values must be changed together, so that redundant constraints remain consistent.
    """
    mechanism = single_design(mechanism, parameters)
    require_choice(mechanism, "target", target, TARGETS)
    require_choice(mechanism, "forward method", method, METHODS)
    require_fixed_reduction(mechanism, mechanism.parameters)
    if target == "cuda" and missing_gpu_reason():
        raise _unavailable_error(mechanism, 'target "cuda"', missing_gpu_reason(), GPU_REMEDY)
    _warn_set_valued_forces(mechanism)
    plan = analyse(mechanism, cuts=cuts, start=start, guess=guess)
    warn_redundancy_parameters(plan)
    return Kernels(plan, method, target)


@dataclass(frozen=True, eq=False)
class Kernels:
    """Compiled functions of one mechanism, formulated for the spanning tree of its plan, for single states and batches.

    Arrays are ordered as `joints`: q has the coordinates of the tree's joints one after another, v their rates, tau the
    generalized forces along these rates. `pack` and `unpack` convert between values by name and arrays.
    """

    plan: Plan
    method: str
    target: str

    # coordinates by name and as arrays -----------------------------------------------------------------

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism that the kernels belong to."""
        return self.plan.mechanism

    @property
    def equations(self) -> Equations:
        """The kinematic equations, formulated for the spanning tree of the plan."""
        return self._model.equations

    @property
    def joints(self) -> tuple[str, ...]:
        """The tree's joints, in the order of q and v."""
        return tuple(link.joint.name for link in self.equations.skeleton.links)

    def pack(self, values: StateValues, *, rates: bool = False) -> np.ndarray:
        """q (or v) from a State, or from values by the names of joints, and by "body.eta" of flexible bodies.

        From a State, the coordinates of the tree's joints are taken, and those of cut joints are ignored. With a
        mapping, joints that are not named are in their neutral position, or have zero rates; the loops are not closed.
        """
        skeleton = self.equations.skeleton
        places = self._coordinate_slices(rates)
        if not isinstance(values, Mapping):
            values = self._tree_values(named_state(values), rates)
        for name in values:
            if name not in places:
                cut = name in {joint.name for joint in skeleton.mechanism.binary_joints}
                remedy = CUT_JOINT_REMEDY if cut else suggestion(name, places)
                raise UnknownNameError(skeleton.mechanism.name, "joint of the tree", name, remedy)
        count = max((np.shape(value)[-1] for value in values.values() if np.ndim(value) == 2), default=0)
        packed = np.zeros(skeleton.rates) if rates else skeleton.neutral_position.copy()
        packed = np.repeat(packed[:, None], count, axis=1) if count else packed
        for name, value in values.items():
            packed[places[name]] = value
        return packed

    def _tree_values(self, state: Any, rates: bool) -> dict[str, Any]:
        """The coordinates (or rates) of the tree in a State; raises an error for a State of another mechanism."""
        mechanism = self.mechanism
        named = getattr(state, "rates" if rates else "positions", None)
        if not isinstance(named, Mapping):
            what, remedy = f"are {short_repr(state)}.", "Give a State, or values by the names of joints."
            raise analysis_error(mechanism, "S09", "values of `pack`", what, remedy)
        start_conditions(mechanism, state)
        return {name: named[name] for name in self._coordinate_slices(rates) if name in named}

    def unpack(self, array: np.ndarray, *, rates: bool = False) -> dict[str, np.ndarray]:
        """Values by name from q (or from v, a, tau with `rates`); the arrays are views."""
        return {name: array[place] for name, place in self._coordinate_slices(rates).items()}

    def _coordinate_slices(self, rates: bool) -> dict[str, slice]:
        named = self.equations.skeleton.coordinates
        return {name: own.v if rates else own.q for name, own in named.items()}

    @property
    def q(self) -> np.ndarray:
        """The coordinates q of the position with closed loops for which the kernels were built."""
        return self.plan.assembly.coordinates_on(self.equations)

    # kernels -------------------------------------------------------------------------------------------

    @cached_property
    @guard_interrupts()
    def forward(self) -> AnyKernel:
        """(q, v, tau) → a: accelerations of the tree's joints under given generalized forces tau."""
        return self._kernel(
            "forward", lambda: self._model.functions.accelerations.with_outputs("forward", "a")
        )

    @cached_property
    @guard_interrupts()
    def multipliers(self) -> AnyKernel:
        """(q, v, tau) → accelerations a of the tree's joints, and Lagrange multipliers lam of the cut joints."""
        functions = self._model.functions
        return self._kernel(
            "multipliers", lambda: functions.accelerations.with_outputs("multipliers", "a", "lam")
        )

    @cached_property
    @guard_interrupts()
    def inverse(self) -> AnyKernel:
        """(q, v, a, known) → efforts tau of the drives and actuators, and constraint wrenches [n; f] of all joints, 6 ×
        joints.

        n and f are the moment and the force that the first body exerts on the second, at the origin of the second
        marker and in inertial axes. The columns are in the order of the description, cut joints included. `known`
        contains further generalized forces along v, by default zero.
        """
        loads = self._loads()
        return self._kernel("inverse", lambda: inverse_trace(loads), *inverse_keys(loads))

    @cached_property
    @guard_interrupts()
    def closure(self) -> AnyKernel:
        """(q) → residuals Φ of the loop-closure equations, row by row."""
        return self._position_kernel("closure", lambda eq: {"phi": eq.phi})

    @cached_property
    @guard_interrupts()
    def jacobian(self) -> AnyKernel:
        """(q) → Jacobian J of the loops: J v = 0."""
        return self._position_kernel("jacobian", lambda eq: {"J": eq.loop_jacobian})

    @cached_property
    @guard_interrupts()
    def positions(self) -> AnyKernel:
        """(q) → poses [rotation matrix | position] of all bodies' inboard frames, in the order of the joints, 3 × 4
        each, in adjacent columns.
        """
        return self._position_kernel(
            "positions",
            lambda eq: {
                "poses": ca.horzcat(ca.SX(3, 0), *(ca.horzcat(x.pose.R, x.pose.p) for x in eq.placements))
            },
        )

    @cached_property
    @guard_interrupts()
    def energy(self) -> AnyKernel:
        """(q, v) → kinetic and potential energy."""
        eq = self.equations
        inputs = {"q": eq.q, "v": eq.v, **load_inputs(eq), "p": eq.skeleton.parameter_symbols}
        return self._kernel(
            "energy",
            lambda: Traced(
                "energy", inputs, {"kinetic": kinetic_energy(eq), "potential": potential_energy(eq)}
            ),
        )

    @guard_interrupts()
    def outputs(self, names: Sequence[str]) -> AnyKernel:
        """Outputs of the mechanism by name, as listed by `mechanism.outputs()`, as one kernel.

        Its inputs are those of t, q, v, a, lam, tau, x and dependent_forces on which the outputs depend: time,
        coordinates, rates, accelerations, multipliers of the loop constraints, efforts along the rates, further state
        variables and reaction-dependent forces. Its results are in the order of `names`.
        """
        asked, ours = tuple(names), all(map(is_built_in, SOURCES))
        trace = partial(traced_outputs, self.equations, asked)
        return self._kernel("outputs", trace, *asked, tracked=ours)

    @guard_interrupts()
    def derivative(self, kernel: str, output: str, by: str) -> AnyKernel:
        """The exact Jacobian of a kernel's output with respect to its input `by`, as a kernel."""
        require_choice(self.mechanism, "kernel", kernel, KERNEL_NAMES)
        function: AnyKernel = getattr(self, kernel)
        recipe = function.recipe
        require_choice(
            self.mechanism, f"output of '{kernel}'", output, [array.name for array in function.outputs]
        )
        require_choice(self.mechanism, f"input of '{kernel}'", by, [array.name for array in function.inputs])
        words = ("derivative", output, by, *recipe.key)
        return self._kernel(kernel, lambda: recipe.traced.derivative(output, by), *words)

    @cached_property
    @guard_interrupts()
    def steps(self) -> CudaSteps:
        """Integrator with fixed steps for many simulations at once on the GPU; the generalized forces of each
        simulation are constant in time."""
        model = self._model
        if self.target != "cuda":
            remedy = 'Compile with target="cuda", or use `simulate`.'
            raise _unavailable_error(
                self.mechanism, "fixed steps", f'are not available with target "{self.target}".', remedy
            )
        if model.skeleton.states:
            what = f"the state variables {', '.join(model.skeleton.states)} are not integrated."
            raise _unavailable_error(self.mechanism, "fixed steps on the GPU", what, "Use `simulate`.")
        if model.uses_independent_coordinates or model.functions.independent_count is not None:
            what = "the constraint rows or coordinates must be chosen anew during the motion."
            raise _unavailable_error(self.mechanism, "fixed steps on the GPU", what, "Use `simulate`.")
        if load_inputs(self.equations):
            what = "a load or a relation depends on the time."
            raise _unavailable_error(self.mechanism, "fixed steps on the GPU", what, "Use `simulate`.")
        projection = model.projection(ca.SX(0, 1), ca.SX(0, 1))
        return cuda_steps(model.functions.accelerations, projection, self._fixed_inputs)

    @cached_property
    def _fixed_inputs(self) -> dict[str, np.ndarray]:
        """Kernel inputs, by name, that are the same for all states, evaluated at the position `q` with closed loops.

        A matrix with one column is converted to a vector, since a batch would interpret its rows as values for
        different states.
        """
        model, functions = self._model, self._model.functions
        chosen = (
            functions.independent_count is not None
            or functions.stiff
            or functions.extra_input in ("choice", "penalty")
        )
        given = (make_local_choice(model, self.q).kernel_inputs if chosen else {}) | {
            "p": model.p,
            "q": self.q,
        }
        return {name: value.ravel() if value.shape[-1] == 1 else value for name, value in given.items()}

    def _position_kernel(self, name: str, outputs: Callable[[Equations], dict[str, Any]]) -> AnyKernel:
        """The kernel `name` of functions of the position, and of the time if a constraint depends on time; `outputs`
        returns these functions as symbolic expressions by name."""
        eq = self.equations
        inputs = {"q": eq.q, **({"t": eq.t} if eq.time_count else {}), "p": eq.skeleton.parameter_symbols}
        return self._kernel(name, lambda: Traced(name, inputs, outputs(eq)))

    def _kernel(self, name: str, trace: Callable[[], Traced], *words: str, tracked: bool = True) -> AnyKernel:
        """The kernel of the function that `trace` returns; `words` are the cache keys for all data on which this
        function depends besides its name and the equations of motion. A function that contains user-defined code, whose
        text is not `tracked`, is traced again in every process."""
        keys = (name, *motion_keys(self._model), *words)
        whole = identifying_keys(self.equations.skeleton, *keys) if tracked else ()
        recipe = Recipe(trace, whole, self._model.passes_singular)
        if self.target == "cuda":
            return CudaKernel(recipe, self._fixed_inputs)
        return build_kernel(recipe, self._fixed_inputs, self.target)

    # models from which the kernels are traced ----------------------------------------------------------

    @cached_property
    @guard_interrupts()
    def _model(self) -> ForwardModel:
        return ForwardModel(self.plan, self.plan.assembly, self.method, free=True)

    def _loads(self) -> InverseSolver:
        plan, mechanism = self.plan, self.mechanism
        efforts = unknown_efforts(mechanism)
        freedoms = plan.mobility - len(plan.idle)
        if len(efforts) != freedoms:
            what = (
                "the mechanism has "
                f"{count_text(freedoms, 'degree of freedom', 'degrees of freedom')}, but "
                f"{count_text(len(efforts), 'effort')}."
            )
            raise analysis_error(
                mechanism,
                "S01",
                "compiled inverse dynamics",
                what,
                "Give one drive or actuator for every degree of freedom.",
            )
        return InverseSolver(plan, self.equations, plan.assembly.p, "subsystem")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the plan, method and target only: another process loads or builds the machine code itself."""
        return Kernels, (self.plan, self.method, self.target)

    def __repr__(self) -> str:
        return (
            f"Kernels of '{self.mechanism.name}' ({self.target}, forward dynamics by "
            f"{self.method}): q of {self.equations.skeleton.positions}, v of "
            f"{self.equations.skeleton.rates}, cut joints: {', '.join(self.plan.cuts) or 'none'}."
        )


def _warn_set_valued_forces(mechanism: Mechanism) -> None:
    """Warn of loads with set-valued forces: kernels compute these forces for a given contact mode, by default for open
    contacts."""
    names = [f"'{load.name}'" for load in mechanism.all_loads if load.modes]
    if names:
        several = len(names) > 1
        warnings.warn(
            f"mechanism '{mechanism.name}': kernels do not determine the set-valued force{'s' * several} of "
            f"load{'s' * several} {', '.join(names)}. By default a contact, hard stop, rope or freewheel exerts no "
            "force in `forward`, `multipliers` and `inverse`, and exact stiction none at rest. Use `ml.forward`, "
            "`ml.inverse` or `ml.simulate`.",
            stacklevel=4,
        )


def _unavailable_error(mechanism: Mechanism, where: str, what: str, remedy: str) -> SolveError:
    """The error for a choice that this machine or this mechanism does not support."""
    return analysis_error(mechanism, "S08", where, what, remedy)
