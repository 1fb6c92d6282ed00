"""Inverse dynamics as one traced function: from a motion to all efforts and joint reactions."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca
import numpy as np

from multiloop.dynamics.inverse.problem import InverseProblem
from multiloop.dynamics.inverse.traced import InverseFunctions
from multiloop.dynamics.reactions import all_reactions
from multiloop.kinematics.equations import Equations
from multiloop.plan import Block
from multiloop.spatial import parted
from multiloop.symbols import Traced


def whole_inverse(
    equations: Equations, method: str, B: np.ndarray, independent: int | None, blocks: Sequence[Block]
) -> Traced:
    """(q, v, a, known, basis, choice, p) → efforts τ of B's columns and constraint wrenches, 6 × joints."""
    solved = InverseFunctions(equations).solved(method, B, independent, blocks)
    forces = parted(solved.inputs["known"] + ca.DM(B) @ solved.outputs["tau"])
    needed = InverseProblem(equations, equations.a, ca.DM(B), forces).needed
    found = all_reactions(equations, needed, solved.outputs["lam"], forces)
    wrenches = [found[joint.name] for joint in equations.skeleton.mechanism.connections]
    outputs = {"tau": solved.outputs["tau"], "wrenches": ca.horzcat(ca.SX(6, 0), *wrenches)}
    if "following" in solved.outputs:
        following = solved.outputs["following"]
        (outputs["wrenches"],) = ca.substitute(
            [outputs["wrenches"]], [equations.strengths], [following[:, 0]]
        )
        outputs["following"] = following
    return Traced("inverse", solved.inputs, outputs)
