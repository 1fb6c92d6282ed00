"""Loads on a mechanism; a new type needs one file here, one entry in LOADS, and an action in `dynamics.actions`."""

from multiloop.model.loads.friction import Friction, ToothFriction
from multiloop.model.loads.load import Load
from multiloop.model.loads.springs_bushings_forces import Bushing, Force, JointSpring, Spring, Torque
from multiloop.model.loads.unilateral import Backlash, Contact, Freewheel, Rope, Stop

KINDS = (
    Force,
    Torque,
    Spring,
    JointSpring,
    Bushing,
    Stop,
    Backlash,
    Friction,
    ToothFriction,
    Rope,
    Contact,
    Freewheel,
)

LOADS: dict[str, type[Load]] = {kind.__name__: kind for kind in KINDS}
"""Load types by the name that files use for them; user-defined types may be added."""

__all__ = [
    "LOADS",
    "Backlash",
    "Bushing",
    "Contact",
    "Force",
    "Freewheel",
    "Friction",
    "JointSpring",
    "Load",
    "Rope",
    "Spring",
    "Stop",
    "ToothFriction",
    "Torque",
]
