"""CUDA source of a kernel: one instance per thread; entry k of instance t is at k·stride + t·step."""

from __future__ import annotations

from collections.abc import Sequence

from multiloop.kernels.dialects import cuda
from multiloop.kernels.printer import printed
from multiloop.kernels.signature import Array, Signature
from multiloop.symbols import Tape

BOUNDS = """
/* Threads of a block and blocks at a time on a multiprocessor: they decide how many registers a thread may have. */
#ifndef BLOCK
#define BLOCK 128
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif
"""


def device_source(signature: Signature, tape: Tape) -> str:
    """__device__ void NAME(const double *q, …, double *out_a, …): one instance, an inlined function."""
    return "\n".join(printed(signature, tape, cuda()))


def batch_source(signature: Signature) -> str:
    """__global__ void NAME_batch(count, q, q_stride, q_step, …): all instances; step 0 for shared arrays."""
    lines = [
        f"{opening(f'{signature.symbol}_batch', ['long long count'], signature.inputs, signature.outputs)} {{",
        *beginning(signature.inputs),
        *(f"    double {array.name}_out[{max(array.size, 1)}];" for array in signature.outputs),
        f"    {signature.symbol}({passed(signature)});",
        *(line for array in signature.outputs for line in ending(array, f"{array.name}_out")),
        "}",
        "",
    ]
    return "\n".join(lines)


def kernel_source(signature: Signature, tape: Tape) -> str:
    """Complete source of a batch kernel."""
    return "\n".join([cuda().head, BOUNDS, device_source(signature, tape), batch_source(signature)])


def opening(name: str, first: Sequence[str], inputs: Sequence[Array], outputs: Sequence[Array]) -> str:
    """Head of a kernel: its scalar arguments, then each array with its two strides."""
    arguments = [*first]
    for array in inputs:
        arguments += [f"const double *restrict {array.name}", *strides(array.name)]
    for array in outputs:
        arguments += [f"double *restrict out_{array.name}", *strides(f"out_{array.name}")]
    listed = ",\n    ".join(arguments)
    return f'extern "C" __global__ void __launch_bounds__(BLOCK, BLOCKS) {name}(\n    {listed})'


def strides(name: str) -> tuple[str, str]:
    """Declarations of the strides from entry to entry and from instance to instance."""
    return f"long long {name}_stride", f"long long {name}_step"


def beginning(inputs: Sequence[Array]) -> list[str]:
    """Lines that compute the instance of a thread and load its inputs into registers."""
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


def ending(array: Array, held: str) -> list[str]:
    """Lines that store an output from registers to memory."""
    name = f"out_{array.name}"
    place = f"{name}[k * {name}_stride + t * {name}_step]"
    return ["    #pragma unroll", f"    for (int k = 0; k < {array.size}; k++) {place} = {held}[k];"]


def passed(signature: Signature) -> str:
    """The arrays in registers as arguments of the kernel."""
    taken = [f"{array.name}_in" for array in signature.inputs]
    return ", ".join([*taken, *(f"{array.name}_out" for array in signature.outputs)])
