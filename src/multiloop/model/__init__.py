"""What the user says: a mechanism of named things, frozen, checked, and free of any computation."""

from multiloop.model.bodies import GROUND, Body, ground, plate, rod
from multiloop.model.connection import Connection
from multiloop.model.drives import Actuator, Motion
from multiloop.model.expressions import (
    Expression,
    Parameter,
    Scalar,
    integral,
    length,
    length_rate,
    position,
    rate,
    time,
)
from multiloop.model.faults import (
    AssemblyError,
    DrawingError,
    Fault,
    ModelError,
    MultiloopError,
    SolveError,
    TopologyError,
    UnknownNameError,
    suggestion,
)
from multiloop.model.integrals import Integral
from multiloop.model.joints import (
    IN_PLANE,
    JOINTS,
    Cylindrical,
    Fixed,
    Free,
    Helical,
    Joint,
    Pin,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
)
from multiloop.model.loads import LOADS, Force, Friction, JointSpring, Load, Spring, Torque
from multiloop.model.markers import Marker, marker
from multiloop.model.mechanism import Mechanism
from multiloop.model.modal import ModalBody
from multiloop.model.orientation import axis_angle, quaternion_table
from multiloop.model.pairs import PAIRS, Coupling, Distance, Pair, Relation, Rolling
from multiloop.model.profiles import constant_speed, cycloidal, period_of, table
from multiloop.model.reduced import Modes, ReducedBody
from multiloop.model.text import from_data, from_text, register, to_data, to_text
from multiloop.model.units import deg, mm, rpm

__all__ = [
    "GROUND",
    "IN_PLANE",
    "JOINTS",
    "LOADS",
    "PAIRS",
    "Actuator",
    "AssemblyError",
    "Body",
    "Connection",
    "Coupling",
    "Cylindrical",
    "Distance",
    "DrawingError",
    "Expression",
    "Fault",
    "Fixed",
    "Force",
    "Free",
    "Friction",
    "Helical",
    "Integral",
    "Joint",
    "JointSpring",
    "Load",
    "Marker",
    "Mechanism",
    "ModalBody",
    "ModelError",
    "Modes",
    "Motion",
    "MultiloopError",
    "Pair",
    "Parameter",
    "Pin",
    "Planar",
    "Prismatic",
    "ReducedBody",
    "Relation",
    "Revolute",
    "Rolling",
    "Scalar",
    "SolveError",
    "Spherical",
    "Spring",
    "TopologyError",
    "Torque",
    "Universal",
    "UnknownNameError",
    "axis_angle",
    "constant_speed",
    "cycloidal",
    "deg",
    "from_data",
    "from_text",
    "ground",
    "integral",
    "length",
    "length_rate",
    "marker",
    "mm",
    "period_of",
    "plate",
    "position",
    "quaternion_table",
    "rate",
    "register",
    "rod",
    "rpm",
    "suggestion",
    "table",
    "time",
    "to_data",
    "to_text",
]
