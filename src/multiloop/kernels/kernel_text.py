"""C source of a kernel, in pieces that are compiled in parallel."""

from __future__ import annotations

from multiloop.kernels.batches import at_source, batch_source
from multiloop.kernels.dialects import scalar, vector
from multiloop.kernels.printer import printed
from multiloop.kernels.signature import Signature
from multiloop.symbols import Tape


def single_text(signature: Signature, tape: Tape, width: int) -> tuple[str, ...]:
    """Source of a kernel for one instance at a time; sines and cosines are computed by vectors of `width` doubles."""
    dialect = scalar(width)
    pieces = printed(signature, tape, dialect)
    pieces[-1] += at_source(signature)
    return tuple(dialect.head + piece for piece in pieces)


def batch_text(signature: Signature, tape: Tape, width: int) -> tuple[str, ...]:
    """Source of a kernel for many instances: in vectors of `width` instances, the remaining ones one by one."""
    plain = scalar()
    single = [plain.head + piece for piece in printed(signature, tape, plain)]
    declared = f"void {signature.symbol}({signature.arguments});\n"
    wide = vector(width) if width > 1 else plain
    pieces = printed(signature, tape, wide) if width > 1 else [""]
    pieces[-1] = declared + pieces[-1] + batch_source(signature, width)
    return (*single, *(wide.head + piece for piece in pieces))
