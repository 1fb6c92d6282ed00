"""Flexible bodies: mode shapes, mass integrals, stiffness and damping of beams and of meshed solids."""

from typing import TYPE_CHECKING, Any

from multiloop.flexible.uniform.centreline import centreline
from multiloop.flexible.uniform.reduced import reduced_beam
from multiloop.flexible.uniform_beam import uniform_beam

if TYPE_CHECKING:
    from multiloop.flexible.solids.make import solid

__all__ = ["centreline", "reduced_beam", "solid", "uniform_beam"]


def __getattr__(name: str) -> Any:
    """Import `solid` on first use: it needs scikit-fem, which takes long to import."""
    if name == "solid":
        from multiloop.flexible.solids.make import solid

        return solid
    raise AttributeError(name)
