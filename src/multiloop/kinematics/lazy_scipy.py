"""SciPy's linear-algebra and sparse-matrix modules, imported at first use.

Their import takes a sixth of a second, and mechanisms with few bodies need no sparse matrices.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["graphs", "la", "sp", "spla"]


class _Deferred(ModuleType):
    """A module that is imported at the first access to an attribute."""

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    import scipy.linalg as la
    import scipy.sparse as sp
    import scipy.sparse.csgraph as graphs
    import scipy.sparse.linalg as spla
else:
    la = _Deferred("scipy.linalg")
    sp = _Deferred("scipy.sparse")
    graphs = _Deferred("scipy.sparse.csgraph")
    spla = _Deferred("scipy.sparse.linalg")
