"""Links that bend, made from what an engineer knows of them."""

from multiloop.flexible.centreline import centreline
from multiloop.flexible.reduced_beam import reduced_beam
from multiloop.flexible.uniform_beam import uniform_beam

__all__ = ["centreline", "reduced_beam", "uniform_beam"]
