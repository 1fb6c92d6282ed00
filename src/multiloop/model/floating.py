"""Bodies that only pairs hold, such as a wheel on a road: they float, each with a Free joint of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from multiloop.model.bodies import GROUND
from multiloop.model.joints import Free
from multiloop.model.names import body_of

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def floating_bodies(mechanism: Mechanism) -> tuple[str, ...]:
    """Bodies that stand in a pair and in no joint."""
    joined = {body_of(end) for joint in mechanism.joints for end in _ends(joint)}
    paired = {body_of(end) for pair in mechanism.marker_pairs for end in (pair.first, pair.second)}
    moving = (body.name for body in mechanism.bodies if body.name != GROUND)
    return tuple(body for body in moving if body in paired - joined)


def floating_joint(body: str) -> Free:
    """Its joint to the ground."""
    return Free(f"{body} floats", f"{GROUND}.origin", f"{body}.origin")


def _ends(joint: object) -> tuple[str, ...]:
    """The markers that a joint or a pin holds together."""
    if hasattr(joint, "others"):
        return (joint.carrier, *joint.others)  # type: ignore[attr-defined]
    return (joint.first, joint.second)  # type: ignore[attr-defined]
