"""Limit of BLAS to one thread for small mechanisms: many small matrices are slower with several threads."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from threadpoolctl import ThreadpoolController

SMALL = 64
"""Moving bodies up to which all dense matrices are too small for several threads to help."""

LOADED_LATER = ("scipy.linalg", "scipy.sparse.linalg")
"""Modules that load a further BLAS library."""

_limiting = Lock()
_controllers: dict[tuple[bool, ...], ThreadpoolController] = {}


@contextmanager
def one_blas_thread(bodies: int) -> Iterator[None]:
    """Limit BLAS to one thread in this block, for a mechanism with up to SMALL moving bodies.

    OpenBLAS uses all processors from about 40 × 40 entries on. The threads then wait for each other longer than they
    compute, ten times as long if other programs occupy the processors. The limit holds for the whole process: the
    outermost block sets it and restores the previous one, inner blocks change nothing.
    """
    if bodies > SMALL or not _limiting.acquire(blocking=False):
        yield
        return
    try:
        with _controller().limit(limits=1, user_api="blas"):
            yield
    finally:
        _limiting.release()


def _controller() -> ThreadpoolController:
    """The loaded BLAS libraries; the search takes a millisecond and is done once for each set of modules."""
    loaded = tuple(name in sys.modules for name in LOADED_LATER)
    if loaded not in _controllers:
        _controllers[loaded] = ThreadpoolController()
    return _controllers[loaded]
