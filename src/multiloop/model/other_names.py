"""Synonyms for the classes of a description, as textbooks and other programs use them, for suggestions."""

from __future__ import annotations

from collections.abc import Iterable

from multiloop.model.faults import suggestion

OTHER_NAMES = {
    "Revolute": "hinge pivot pinjoint hingejoint revolutejoint rotary rotational rotation turning bearing",
    "Prismatic": "slider slide sliding sliderjoint translational translation linear piston guide bore",
    "Cylindrical": "cylinder sleeve sleevebearing",
    "Spherical": "ball balljoint ballandsocket socket rodend",
    "Universal": "cardan cardanjoint hooke hookes hookejoint ujoint gimbal",
    "Helical": "screw screwjoint thread leadscrew spindle",
    "Fixed": "weld welded weldjoint rigid rigidjoint clamp clamped glue",
    "Free": "floating float sixdof freejoint",
    "Planar": "planarjoint plane",
    "Pin": "multipin commonpin",
    "Distance": "rope string cable binarylink twoforce twoforcemember",
    "Cam": "camfollower follower tappet camcontact",
    "PointOnCurve": "slot pininslot pointcurve curve2d",
    "Rolling": "wheel roll rollingcontact disc",
    "RollingBall": "marble sphere rollingsphere ballonplane",
    "Skate": "knifeedge knife blade runner keel sled",
    "Relation": "gearbox coupler coupling constraint",
    "Gear": "gears gearpair spurgear spur helicalgear planetary planet",
    "Bevel": "bevelgear bevelgears",
    "Rack": "rackandpinion rackpinion",
    "Worm": "wormgear wormdrive",
    "Belt": "pulley vbelt timingbelt",
    "Body": "link bar part base frame rigidbody",
    "Motion": "drive driver profile prescribed",
    "Actuator": "motor servo engine",
    "Spring": "damper springdamper shockabsorber strut",
    "JointSpring": "torsionspring rotationalspring torsionalspring",
    "Torque": "moment couple",
    "Force": "pointforce push pull",
}
"""Synonyms by the name of the class, in lower case without spaces or hyphens."""

MEANT = {other: name for name, others in OTHER_NAMES.items() for other in others.split()}


def meant_kind(kind: str, known: Iterable[str]) -> str:
    """A remedy for an unknown kind: the class of the same meaning, else the nearest spelling."""
    names = list(known)
    alike = next((name for name in names if name.casefold() == kind.casefold()), None)
    if alike is not None:
        return f"Did you mean '{alike}'?"
    plain = "".join(letter for letter in kind.casefold() if letter.isalnum())
    name = MEANT.get(plain) or MEANT.get(plain.removesuffix("joint"))
    return f"Did you mean '{name}'?" if name in names else suggestion(kind, names)
