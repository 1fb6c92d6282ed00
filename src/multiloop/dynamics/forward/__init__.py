"""Forward dynamics: accelerations and multipliers for known forces, by several formulations."""

from multiloop.dynamics.forward.augmented import augmented
from multiloop.dynamics.forward.embedding import complement, embedding
from multiloop.dynamics.forward.slm import slm
from multiloop.dynamics.forward.sslm import sslm
from multiloop.dynamics.forward.system import system
from multiloop.dynamics.forward.traced import FORMULATIONS, METHODS, ForwardFunctions, forward_functions
from multiloop.dynamics.forward.virtual_work import virtual_work

__all__ = [
    "FORMULATIONS",
    "METHODS",
    "ForwardFunctions",
    "augmented",
    "complement",
    "embedding",
    "forward_functions",
    "slm",
    "sslm",
    "system",
    "virtual_work",
]
