"""Dependencies that are optional, and those that are imported at first use.

The name `multiloop` on the public package index belongs to another project: this distribution is called
`multiloop-dynamics`, while the import name is `multiloop`. SciPy's linear algebra and sparse matrices take a sixth of a
second to import, and mechanisms with few bodies need no sparse matrices.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["DISTRIBUTION", "graphs", "install_command", "la", "sp", "spla"]

DISTRIBUTION = "multiloop-dynamics"


def install_command(extra: str) -> str:
    """The command that installs the extra of this name, for messages."""
    return f'`pip install "{DISTRIBUTION}[{extra}]"`'


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
