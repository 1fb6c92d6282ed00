"""Suggestions for unknown kinds and keywords: the class of the same meaning, or the nearest spelling.

`OTHER_NAMES` lists terms of other programs and textbooks for the classes of multiloop.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import ParamSpec, TypeVar

from multiloop.model.faults import suggestion

SYNONYMS = {
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

KIND_BY_SYNONYM = {other: name for name, others in SYNONYMS.items() for other in others.split()}


def suggest_kind(kind: str, known: Iterable[str]) -> str:
    """A remedy for an unknown kind: the class of the same meaning, else the nearest spelling."""
    names = list(known)
    alike = next((name for name in names if name.casefold() == kind.casefold()), None)
    if alike is not None:
        return f"Did you mean '{alike}'?"
    plain = "".join(letter for letter in kind.casefold() if letter.isalnum())
    name = KIND_BY_SYNONYM.get(plain) or KIND_BY_SYNONYM.get(plain.removesuffix("joint"))
    return f"Did you mean '{name}'?" if name in names else suggestion(kind, names)


Given = ParamSpec("Given")
Returned = TypeVar("Returned")


def unknown_keyword_error(called: str, name: str, known: Iterable[str]) -> TypeError:
    """The error for an unknown keyword argument."""
    return TypeError(f"{called}() takes no '{name}'. {suggestion(name, known)}")


def suggest_keywords(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
    """The function with an error for unknown keywords that suggests the nearest known one."""
    known = list(inspect.signature(function).parameters)

    @wraps(function)
    def called(*arguments: Given.args, **options: Given.kwargs) -> Returned:
        for name in options:
            if name not in known:
                raise unknown_keyword_error(function.__name__, name, known)
        return function(*arguments, **options)

    return called
