"""The nine joint types and the composite joints; a new joint type is one file here and one entry in JOINTS."""

from multiloop.model.connection import IN_PLANE
from multiloop.model.joints.composite import Composite
from multiloop.model.joints.cylindrical import Cylindrical
from multiloop.model.joints.fixed import Fixed
from multiloop.model.joints.free import Free
from multiloop.model.joints.helical import Helical
from multiloop.model.joints.joint import AXES, Joint, nearest_turn
from multiloop.model.joints.payload import Payload
from multiloop.model.joints.pin import Pin
from multiloop.model.joints.planar import Planar
from multiloop.model.joints.prismatic import Prismatic
from multiloop.model.joints.revolute import Revolute
from multiloop.model.joints.spherical import Spherical
from multiloop.model.joints.strut import Strut
from multiloop.model.joints.universal import Universal

JOINTS = (Revolute, Prismatic, Cylindrical, Universal, Spherical, Planar, Helical, Fixed, Free)
COMPOSITES = (Pin, Strut, Payload)

__all__ = [
    "AXES",
    "COMPOSITES",
    "IN_PLANE",
    "JOINTS",
    "Composite",
    "Cylindrical",
    "Fixed",
    "Free",
    "Helical",
    "Joint",
    "Payload",
    "Pin",
    "Planar",
    "Prismatic",
    "Revolute",
    "Spherical",
    "Strut",
    "Universal",
    "nearest_turn",
]
