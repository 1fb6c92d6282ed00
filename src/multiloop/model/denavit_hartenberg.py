"""Serial and branched chains of links from a table of Denavit–Hartenberg parameters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import cos, sin
from typing import Any

from multiloop.model.bodies import GROUND, Body
from multiloop.model.expressions import Scalar
from multiloop.model.expressions.expression import finite_number
from multiloop.model.faults import short_repr
from multiloop.model.joints import Joint, Prismatic, Revolute
from multiloop.model.markers import Marker, marker
from multiloop.model.synonyms import SuggestsArguments

INBOARD = "inboard"
"""Name of the marker of a link at its inboard joint."""

ROUND_OFF = 1e-15
"""Magnitude below which a sine or cosine is set to zero, as round-off at a right angle."""

JOINT_KINDS: dict[str, type[Joint]] = {"revolute": Revolute, "prismatic": Prismatic}


@dataclass(frozen=True)
class DH(SuggestsArguments):
    """One row of a Denavit–Hartenberg table: a joint, the link that it moves, and the link's parameters θ, s, a, α.

        A = Rot_z(θ) Trans_z(s) Trans_x(a) Rot_x(α)

    A is the pose of the link's frame, which is at its outboard end, in the frame of the joint. The link's mass centre,
    inertia and markers are given in the link's frame. The coordinate of the joint is added to θ ("revolute") or s
    ("prismatic"). `on` is the body or marker that carries the joint, by default the link of the previous row; chains
    branch by giving `on`. `s` and `a` may be parameters, the angles θ and α are numbers in rad.

    Source: [denavit_hartenberg]; in this form [dado], eq. (A-1).
    """

    joint: str
    body: Body
    on: str | None = field(default=None, kw_only=True)
    theta: float = field(default=0.0, kw_only=True)
    s: Scalar = field(default=0.0, kw_only=True)
    a: Scalar = field(default=0.0, kw_only=True)
    alpha: float = field(default=0.0, kw_only=True)
    kind: str = field(default="revolute", kw_only=True)

    def __post_init__(self) -> None:
        where = f"D-H row {short_repr(self.joint)}"
        if not isinstance(self.body, Body):
            raise ValueError(f"{where}: its body is {short_repr(self.body)}. Give an ml.Body.")
        if self.kind not in JOINT_KINDS:
            raise ValueError(
                f"{where}: its kind is {short_repr(self.kind)}. Choose 'revolute' or 'prismatic'."
            )
        for name in ("theta", "alpha"):
            if finite_number(getattr(self, name)) is None:
                raise ValueError(
                    f"{where}: its {name} is {short_repr(getattr(self, name))}. Give a number in rad."
                )
        if any(name == INBOARD for name, _ in self.body.markers):
            raise ValueError(f"{where}: body '{self.body.name}' has a marker '{INBOARD}'. Rename it.")

    @property
    def inboard(self) -> Marker:
        """Marker at the joint, in the frame of the link; its pose is the inverse of the transformation A of the row."""
        ca, sa, ct, st = (_without_round_off(f(x)) for x in (self.alpha, self.theta) for f in (cos, sin))
        point = (-self.a, -sa * self.s, -ca * self.s)
        return marker(point, z=(0.0, sa, ca), x=(ct, -st * ca, st * sa))


def dh_chain(rows: Iterable[DH]) -> tuple[tuple[Body, ...], tuple[Joint, ...]]:
    """Bodies and joints of a serial or branched chain, from the rows of its Denavit–Hartenberg table.

    The first joint is at the ground's origin. Every other joint is on the body or marker that is given by the
    field `on` of the joint's row, by default on the link of the previous row.
    """
    bodies: list[Body] = []
    joints: list[Joint] = []
    before = GROUND
    for row in rows:
        if not isinstance(row, DH):
            raise ValueError(f"dh_chain: {short_repr(row)} is not a row. Give ml.DH(...).")
        seat = before if row.on is None else row.on
        markers: Any = {**dict(row.body.markers), INBOARD: row.inboard}
        bodies.append(replace(row.body, markers=markers))
        first = seat if "." in seat else f"{seat}.origin"
        joints.append(JOINT_KINDS[row.kind](row.joint, first, f"{row.body.name}.{INBOARD}"))
        before = row.body.name
    return tuple(bodies), tuple(joints)


def _without_round_off(value: float) -> float:
    return 0.0 if abs(value) < ROUND_OFF else value
