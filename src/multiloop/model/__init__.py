"""What the user says: a mechanism of named things, frozen, checked, and free of any computation."""

from multiloop.model.bodies import GROUND, Body, ground, plate, rod
from multiloop.model.connection import Connection
from multiloop.model.drives import Actuator, Motion
from multiloop.model.expressions import Expression, Parameter, Scalar, position, rate, time
from multiloop.model.faults import (
    AssemblyError,
    Fault,
    ModelError,
    MultiloopError,
    SolveError,
    TopologyError,
    UnknownNameError,
    suggestion,
)
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
from multiloop.model.markers import Marker, marker
from multiloop.model.mechanism import Mechanism
from multiloop.model.pairs import PAIRS, Coupling, Distance, Pair, Relation, Rolling
from multiloop.model.profiles import constant_speed, cycloidal, period_of, table
from multiloop.model.reduced import ReducedBody
from multiloop.model.text import from_data, from_text, register, to_data, to_text

__all__ = [
    "GROUND",
    "IN_PLANE",
    "JOINTS",
    "PAIRS",
    "Actuator",
    "AssemblyError",
    "Body",
    "Connection",
    "Coupling",
    "Cylindrical",
    "Distance",
    "Expression",
    "Fault",
    "Fixed",
    "Free",
    "Helical",
    "Joint",
    "Marker",
    "Mechanism",
    "ModelError",
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
    "TopologyError",
    "Universal",
    "UnknownNameError",
    "constant_speed",
    "cycloidal",
    "from_data",
    "from_text",
    "ground",
    "marker",
    "period_of",
    "plate",
    "position",
    "rate",
    "register",
    "rod",
    "suggestion",
    "table",
    "time",
    "to_data",
    "to_text",
]
