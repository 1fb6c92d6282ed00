"""Links that bend, made from what an engineer knows of them."""

from multiloop.flexible.uniform_beam import uniform_beam

__all__ = ["uniform_beam"]
