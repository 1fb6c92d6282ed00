"""Mechanisms derived from another one: with a body replaced, or with rigid bodies in place of flexible ones."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from multiloop.model.bodies import Body
from multiloop.model.faults import UnknownNameError, suggestion

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

RIGID = ("name", "mass", "com", "inertia", "inertia_at", "markers", "outline")
"""The fields of a rigid body."""


def with_body(mechanism: Mechanism, body: Body) -> Mechanism:
    """The mechanism with the body of that name replaced, e.g. a rod by a beam; the new body needs the same markers."""
    names = [one.name for one in mechanism.bodies]
    if body.name not in names:
        raise UnknownNameError(mechanism.name, "body", body.name, suggestion(body.name, names))
    return mechanism.replace(bodies=[body if one.name == body.name else one for one in mechanism.bodies])


def with_rigid_links(mechanism: Mechanism, names: Collection[str] | None = None) -> Mechanism:
    """The mechanism with flexible bodies replaced by rigid ones of the same mass properties and markers.

    `names` selects the bodies; by default all are replaced.
    """
    stiff = {body.name for body in mechanism.bodies if body.elastic and (names is None or body.name in names)}
    if not stiff:
        return mechanism
    return mechanism.replace(
        bodies=[_rigid(body) if body.name in stiff else body for body in mechanism.bodies]
    )


def _rigid(body: Body) -> Body:
    return Body(**{name: getattr(body, name) for name in RIGID})
