"""The nine joint types and the composite joints; a new joint type needs one file here and one entry in JOINTS."""

from multiloop.model.connection import IN_PLANE
from multiloop.model.joints.composite import Composite, Payload, Pin, Strut
from multiloop.model.joints.fixed_and_free import Fixed, Free
from multiloop.model.joints.joint import AXES, Joint, nearest_angle
from multiloop.model.joints.lower_pairs import Cylindrical, Helical, Planar, Prismatic, Revolute, Spherical
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
    "nearest_angle",
]
