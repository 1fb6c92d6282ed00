"""Other versions of a mechanism, made from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from multiloop.model.bodies import Body
from multiloop.model.faults import UnknownNameError, suggestion

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

RIGID = ("name", "mass", "com", "inertia", "inertia_at", "markers", "outline")
"""What a link that does not bend is described by."""


def with_body(mechanism: Mechanism, body: Body) -> Mechanism:
    """The same mechanism with the body of that name replaced, a rod by a beam; it needs the same markers."""
    names = [one.name for one in mechanism.bodies]
    if body.name not in names:
        raise UnknownNameError(mechanism.name, "body", body.name, suggestion(body.name, names))
    return mechanism.replace(bodies=[body if one.name == body.name else one for one in mechanism.bodies])


def with_rigid_links(mechanism: Mechanism) -> Mechanism:
    """The same mechanism with links that do not bend, of the same mass properties and markers."""
    if not any(body.elastic for body in mechanism.bodies):
        return mechanism
    return mechanism.replace(bodies=[_rigid(body) if body.elastic else body for body in mechanism.bodies])


def _rigid(body: Body) -> Body:
    return Body(**{name: getattr(body, name) for name in RIGID})
