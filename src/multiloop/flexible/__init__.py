"""Links that bend, made from what an engineer knows of them."""

from typing import TYPE_CHECKING, Any

from multiloop.flexible.uniform.centreline import centreline
from multiloop.flexible.uniform.reduced import reduced_beam
from multiloop.flexible.uniform_beam import uniform_beam

if TYPE_CHECKING:
    from multiloop.flexible.solids.make import solid

__all__ = ["centreline", "reduced_beam", "solid", "uniform_beam"]


def __getattr__(name: str) -> Any:
    """Solids are fetched when they are first asked for: nobody else waits for what they need."""
    if name == "solid":
        from multiloop.flexible.solids.make import solid

        return solid
    raise AttributeError(name)
