"""The methods of inverse dynamics as traced functions, cached for recent mechanisms."""

from __future__ import annotations

from functools import lru_cache

from multiloop.dynamics.inverse import InverseFunctions, effort_columns
from multiloop.kinematics.equations import KEPT, Equations
from multiloop.plan import Block
from multiloop.symbols import Traced


@lru_cache(maxsize=KEPT)
def traced_solver(
    equations: Equations,
    method: str,
    unknown: tuple[tuple[str, str], ...],
    independent: int | None,
    blocks: tuple[Block, ...],
) -> Traced:
    """A method for the unknown efforts; `independent` is the number of independent rows where some are redundant."""
    functions, B = InverseFunctions(equations), effort_columns(equations, unknown)
    if method == "traditional":
        return functions.all_at_once(B, independent, multipliers=True)
    return functions.solved(method, B, independent, blocks)
