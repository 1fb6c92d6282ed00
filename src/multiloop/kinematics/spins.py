"""Rate-only rows: freedoms that no position equation holds but whose rate is prescribed.

An idle spin (the coupler of an RSSR) is held by the rule that its body does not turn about the line through
its two outer joints, e · ω = 0. There is no Φ behind such a row; it enters with its rates alone:

    S v = 0,   S a = −Ṡ v,     S = e ᵀ ∂ω/∂v

For a body that is symmetric about the line this is also how it moves when nothing acts on the spin.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.kinematics.motion import Moving
from multiloop.kinematics.placing import Placed
from multiloop.kinematics.skeleton import Skeleton
from multiloop.kinematics.targets import marker_in_space
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class Spin:
    """The turning of a body about the line from one of its joints to another, by their markers."""

    body: str
    start: str
    end: str


def spin_rate(
    skeleton: Skeleton, spin: Spin, q: Matrix, placed: list[Placed], moving: list[Moving]
) -> Matrix:
    """e · ω of the body; e is not normalised, only its direction matters for a row that vanishes."""
    e = marker_in_space(skeleton, spin.end, q, placed).p - marker_in_space(skeleton, spin.start, q, placed).p
    return ca.dot(e / skeleton.length, moving[skeleton.index[spin.body]].omega)
