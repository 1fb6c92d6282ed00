"""C functions that call a kernel: with all addresses in one array, and for many instances."""

from __future__ import annotations

from multiloop.kernels.signature import Signature


def at_source(signature: Signature) -> str:
    """void NAME_at(double **a): the kernel with the addresses of its arrays in one array, inputs first."""
    count = len(signature.inputs) + len(signature.outputs)
    taken = ", ".join(f"a[{k}]" for k in range(count))
    return f"void {signature.symbol}_at(double **a) {{ {signature.symbol}({taken}); }}\n"


def batch_source(signature: Signature, width: int) -> str:
    """void NAME_batch(long from, long to, const long *stride, const long *step, double **a).

    Entry k of array i of instance t is a[i][k * stride[i] + t * step[i]]: step 1 for arrays with one column per
    instance, step 0 for arrays that all instances share (these are repeated `width` times, with stride `width`).
    Instances that do not fill a vector are gathered, computed one by one and scattered.
    """
    arrays = [*signature.inputs, *signature.outputs]
    numbers = range(len(arrays))
    lines = [
        f"void {signature.symbol}_batch(long from, long to, const long *stride, const long *step, double **a) {{",
        "    long t = from;",
    ]
    if width > 1:
        moved = ", ".join(f"a[{k}] + t * step[{k}]" for k in numbers)
        lines.append(f"    for (; t + {width} <= to; t += {width}) {signature.symbol}_wide(stride, {moved});")
    lines.append("    for (; t < to; t++) {")
    lines += [f"        double one{k}[{max(array.size, 1)}];" for k, array in enumerate(arrays)]
    for k, array in enumerate(signature.inputs):
        lines.append(
            f"        for (long k = 0; k < {array.size}; k++) one{k}[k] = a[{k}][k * stride[{k}] + t * step[{k}]];"
        )
    lines.append(f"        {signature.symbol}({', '.join(f'one{k}' for k in numbers)});")
    for k, array in enumerate(signature.outputs, len(signature.inputs)):
        lines.append(
            f"        for (long k = 0; k < {array.size}; k++) a[{k}][k * stride[{k}] + t * step[{k}]] = one{k}[k];"
        )
    return "\n".join([*lines, "    }", "}", ""])
