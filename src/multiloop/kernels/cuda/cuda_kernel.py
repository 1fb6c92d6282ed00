"""Kernels on a GPU: generation of CUDA source for batches of instances and for many simultaneous simulations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from multiloop.dynamics import ConstraintProjection, distance_and_size
from multiloop.kernels.codegen.c_source import kernel_functions
from multiloop.kernels.codegen.dialects import cuda_dialect
from multiloop.kernels.codegen.recipe import Recipe, dense_tape
from multiloop.kernels.cuda.device import CudaBatches, CudaSteps
from multiloop.kernels.kernel_arguments import Array, Signature
from multiloop.kernels.runtime import ROUNDS, Status
from multiloop.symbols import Tape, Traced


class CudaKernel(CudaBatches):
    """A traced function as a CUDA kernel; its method `batch` is called like `Kernel.batch`."""

    def __init__(self, recipe: Recipe, defaults: Mapping[str, np.ndarray] | None = None) -> None:
        super().__init__(kernel_source(*recipe.lowered), recipe.lowered[0], defaults)
        self.recipe = recipe

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the recipe, from which another process compiles the kernel for its own device."""
        return CudaKernel, (self.recipe, self.defaults)

    @property
    def operations(self) -> int:
        """Number of scalar operations of one evaluation."""
        return self.recipe.lowered[1].total

    def __call__(self, *arguments: Any, **named: Any) -> NoReturn:
        """Raise an error, because the evaluation of a single instance on a GPU is not supported."""
        raise TypeError(
            f"kernel '{self.signature.name}' runs on the GPU, which evaluates many instances at once: call `.batch` "
            'with arrays (entries, count), or compile with target="c" for single states'
        )


def cuda_steps(
    accelerations: Traced, projection: ConstraintProjection, defaults: Mapping[str, np.ndarray] | None = None
) -> CudaSteps:
    """Create the `CudaSteps` of a mechanism: time integration of many instances on the GPU with fixed steps.

    `accelerations` is the function (q, v, tau, …) → q̇, v̇, λ of the equations of motion, with the constraint forces λ,
    and `projection` the projection of coordinates and rates onto the constraints.
    """
    inputs = {name: x for name, x in accelerations.inputs.items() if x.shape[0] * x.shape[1]}
    rate = {name: accelerations.outputs[name] for name in ("q_rate", "a")}
    v, rows = projection.project_velocities()
    functions = (
        Traced("rate", inputs, rate),
        Traced(
            "project_positions", inputs, {"q_next": projection.project_positions(), "gap": projection.gap}
        ),
        Traced("project_velocities", inputs, {"v_next": v, "singularity_distance": distance_and_size(rows)}),
    )
    lowered = [dense_tape(function) for function in functions]
    return CudaSteps(steps_source(*lowered), lowered[0][0].inputs, defaults)


LAUNCH_BOUNDS = """
/* Threads per block, and blocks per multiprocessor: they determine the number of registers per thread. */
#ifndef BLOCK
#define BLOCK 128
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif
"""


def device_source(signature: Signature, tape: Tape) -> str:
    """CUDA source of the inlined function `__device__ void NAME(const double *q, …, double *out_a, …)` of one
    instance."""
    return "\n".join(kernel_functions(signature, tape, cuda_dialect()))


def cuda_batch_source(signature: Signature) -> str:
    """CUDA source of `__global__ void NAME_batch(count, q, q_stride, q_step, …)`, which evaluates all instances.

    Each array has two strides, from entry to entry and from instance to instance; the latter (step) is 0 for an array
    that all instances share.
    """
    lines = [
        f"{kernel_head(f'{signature.symbol}_batch', ['long long count'], signature.inputs, signature.outputs)} {{",
        *input_lines(signature.inputs),
        *(f"    double {array.name}_out[{max(array.size, 1)}];" for array in signature.outputs),
        f"    {signature.symbol}({register_arguments(signature)});",
        *(line for array in signature.outputs for line in output_lines(array, f"{array.name}_out")),
        "}",
        "",
    ]
    return "\n".join(lines)


def kernel_source(signature: Signature, tape: Tape) -> str:
    """Complete CUDA source of a kernel for many instances."""
    return "\n".join(
        [cuda_dialect().head, LAUNCH_BOUNDS, device_source(signature, tape), cuda_batch_source(signature)]
    )


def kernel_head(name: str, first: Sequence[str], inputs: Sequence[Array], outputs: Sequence[Array]) -> str:
    """First lines of a CUDA kernel: name, the arguments `first`, then each array with its two strides."""
    arguments = [*first]
    for array in inputs:
        arguments += [f"const double *restrict {array.name}", *stride_arguments(array.name)]
    for array in outputs:
        arguments += [f"double *restrict out_{array.name}", *stride_arguments(f"out_{array.name}")]
    listed = ",\n    ".join(arguments)
    return f'extern "C" __global__ void __launch_bounds__(BLOCK, BLOCKS) {name}(\n    {listed})'


def stride_arguments(name: str) -> tuple[str, str]:
    """Declarations of the strides of an array from entry to entry and from instance to instance."""
    return f"long long {name}_stride", f"long long {name}_step"


def input_lines(inputs: Sequence[Array]) -> list[str]:
    """Lines of CUDA code that compute the index of the thread's instance and load its inputs into registers."""
    lines = [
        "    const long long t = blockIdx.x * (long long)blockDim.x + threadIdx.x;",
        "    if (t >= count) return;",
    ]
    for array in inputs:
        name, size = array.name, array.size
        lines.append(f"    double {name}_in[{max(size, 1)}];")
        lines.append("    #pragma unroll")
        lines.append(
            f"    for (int k = 0; k < {size}; k++) {name}_in[k] = {name}[k * {name}_stride + t * {name}_step];"
        )
    return lines


def output_lines(array: Array, registers: str) -> list[str]:
    """Lines of CUDA code that store the registers with the name `registers` in the memory of the output `array`."""
    name = f"out_{array.name}"
    place = f"{name}[k * {name}_stride + t * {name}_step]"
    return ["    #pragma unroll", f"    for (int k = 0; k < {array.size}; k++) {place} = {registers}[k];"]


def register_arguments(signature: Signature) -> str:
    """Argument list of a call of the kernel's function on the arrays in registers."""
    taken = [f"{array.name}_in" for array in signature.inputs]
    return ", ".join([*taken, *(f"{array.name}_out" for array in signature.outputs)])


STEP_FUNCTIONS = """
/* Whether all entries are finite numbers. */
__device__ __forceinline__ bool all_finite(int n, const double *x) {
    double sum = 0;
    #pragma unroll
    for (int k = 0; k < n; k++) sum = fma(0.0, x[k], sum);
    return sum == 0;
}

__device__ __forceinline__ void copy(int n, const double *from, double *to) {
    #pragma unroll
    for (int k = 0; k < n; k++) to[k] = from[k];
}

/* Adds the weighted rate of a stage to the state at the end of the step, and computes the state of the next stage. */
__device__ __forceinline__ void along(int n, double weight, double ahead, const double *start, const double *rate,
                                      double *end, double *at) {
    #pragma unroll
    for (int k = 0; k < n; k++) {
        end[k] = fma(weight, rate[k], end[k]);
        at[k] = fma(ahead, rate[k], start[k]);
    }
}

/* One step of the classical Runge-Kutta method of order 4. */
__device__ __forceinline__ void step_of(const Given &given, double h, const double *q, const double *v, double *q_end,
                                        double *v_end) {
    double q_at[NQ], v_at[NV];
    copy(NQ, q, q_end), copy(NQ, q, q_at), copy(NV, v, v_end), copy(NV, v, v_at);
    #pragma unroll 1
    for (int stage = 0; stage < 4; stage++) {
        double q_rate[NQ], a[NV];
        rate(given, q_at, v_at, q_rate, a);
        const double weight = stage == 0 || stage == 3 ? h / 6 : h / 3, ahead = stage == 2 ? h : h / 2;
        along(NQ, weight, ahead, q, q_rate, q_end, q_at);
        along(NV, weight, ahead, v, a, v_end, v_at);
    }
}

/* Projects positions onto the constraints by Newton's method, with a new Jacobian at each step, and then the rates. */
__device__ __forceinline__ int back_onto_the_loops(const Given &given, double open, double singular, double *q,
                                                   double *v, double &size) {
    double gap = 0, rows[] = {1, 1};
    #pragma unroll 1
    for (int round = 0; round < ROUNDS; round++) {
        double q_next[NQ];
        project_positions(given, q, v, q_next, &gap);
        copy(NQ, q_next, q);
        if (gap < 1e-9) break; /* after this step the residual is about the square of the gap */
    }
    if (!all_finite(NQ, q)) return NOT_FINITE;
    if (gap > open) return OPEN;
    double v_next[NV];
    project_velocities(given, q, v, v_next, rows);
    copy(NV, v_next, v);
    if (!all_finite(NV, v)) return NOT_FINITE;
    size = rows[1] > size ? rows[1] : size; /* largest size so far, because all rows may become zero together */
    return rows[0] * rows[1] < singular * size ? SINGULAR : FINISHED;
}
"""

ADVANCE_BODY = """    int status = FINISHED;
    double size = 0;
    long long step = 0;
    #pragma unroll 1
    for (; step < steps; step++) {{
        double q_end[NQ], v_end[NV];
        step_of(given, h, q_in, v_in, q_end, v_end);
        status = {after};
        if (status != FINISHED) break;
        copy(NQ, q_end, q_in), copy(NV, v_end, v_in);
    }}
    out_status[t] = status;
    out_taken[t] = step;
"""

PROJECT_BODY = """    double size = 0;
    out_status[t] = back_onto_the_loops(given, open, singular, q_in, v_in, size);
"""

AFTER_STEP = {
    "steps": "all_finite(NQ, q_end) && all_finite(NV, v_end) ? FINISHED : NOT_FINITE",
    "projected_steps": "back_onto_the_loops(given, open, singular, q_end, v_end, size)",
}
"""C expression of the status after a step, for steps without and with projection onto the constraints."""


Lowered = tuple[Signature, Tape]


def steps_source(rate: Lowered, project_positions: Lowered, project_velocities: Lowered) -> str:
    """CUDA source of the kernels `ml_project`, `ml_steps` and `ml_projected_steps` of a mechanism.

    The arguments are functions of the mechanism, each with its operation list: rate → q̇, v̇; project_positions → q
    after one Newton step and the largest residual; project_velocities → v and the distance from singularity. All have
    the same inputs, with q and v first.
    """
    q, v, *given = rate[0].inputs
    functions = [
        cuda_dialect().head,
        LAUNCH_BOUNDS,
        *(device_source(*function) for function in (rate, project_positions, project_velocities)),
    ]
    limits = ["double open", "double singular"]
    kernels = [_kernel("project", [*limits, "int *restrict out_status"], PROJECT_BODY, q, v, given)]
    outputs = ["int *restrict out_status", "long long *restrict out_taken"]
    for name, after in AFTER_STEP.items():
        own = ["long long steps", "double h", *limits, *outputs]
        kernels.append(_kernel(name, own, ADVANCE_BODY.format(after=after), q, v, given))
    return "\n".join([*functions, _constants(q, v), _given_struct(rate[0], given), STEP_FUNCTIONS, *kernels])


def _constants(q: Array, v: Array) -> str:
    statuses = ", ".join(f"{status.name} = {status.value}" for status in Status)
    return f"enum {{ NQ = {q.size}, NV = {v.size}, ROUNDS = {ROUNDS}, {statuses} }};\n"


def _given_struct(rate: Signature, given: Sequence[Array]) -> str:
    """CUDA source of a struct with the constant inputs of an instance, and of wrappers that take this struct."""
    lines = [
        "struct Given {",
        *(f"    double {array.name}[{array.size}];" for array in given),
        *([] if given else ["    double none;"]),
        "};",
    ]
    passed = ", ".join(["q", "v", *(f"given.{array.name}" for array in given), "one", "two"])
    for name in ("rate", "project_positions", "project_velocities"):
        taken = "const Given &given, const double *q, const double *v, double *one, double *two"
        lines.append(f"__device__ __forceinline__ void {name}({taken}) {{ ml_{name}({passed}); }}")
    return "\n".join([*lines, ""])


def _kernel(name: str, own: Sequence[str], body: str, q: Array, v: Array, given: Sequence[Array]) -> str:
    lines = [
        f"{kernel_head(f'ml_{name}', ['long long count', *own], [q, v, *given], [q, v])} {{",
        *input_lines([q, v, *given]),
        "    Given given;",
        *(f"    copy({array.size}, {array.name}_in, given.{array.name});" for array in given),
        body.rstrip("\n"),
        *output_lines(q, f"{q.name}_in"),
        *output_lines(v, f"{v.name}_in"),
        "}",
        "",
    ]
    return "\n".join(lines)
