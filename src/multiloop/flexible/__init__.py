"""Links that bend, made from what an engineer knows of them."""

from multiloop.flexible.reduced_beam import reduced_beam
from multiloop.flexible.uniform_beam import uniform_beam

__all__ = ["reduced_beam", "uniform_beam"]
