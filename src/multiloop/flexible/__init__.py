"""Flexible bodies: mode shapes, mass integrals, stiffness and damping of beams and of meshed solids."""

from typing import TYPE_CHECKING, Any

from multiloop.flexible.beams.uniform_beam import uniform_beam
from multiloop.flexible.beams.uniform_centreline import uniform_centreline
from multiloop.flexible.beams.uniform_reduction import reduce_uniform_beam

if TYPE_CHECKING:
    from multiloop.flexible.solids.solid_definition import solid

__all__ = ["reduce_uniform_beam", "solid", "uniform_beam", "uniform_centreline"]


def __getattr__(name: str) -> Any:
    """Import `solid` on first use, because it needs scikit-fem, whose import is slow."""
    if name == "solid":
        from multiloop.flexible.solids.solid_definition import solid

        return solid
    raise AttributeError(name)
