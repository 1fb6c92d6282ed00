"""Description of a mechanism: bodies, joints, constraints, drives and loads, by name.

Every part is a frozen dataclass that only holds data; nothing is computed here except for checking the data. The
packages `kinematics`, `dynamics` and `analyses` read the description.

Names in `__all__` are public. Names imported `as` themselves are for the other packages of the library.
"""

from multiloop.model.beams.beam import Beam
from multiloop.model.beams.make_beam import beam
from multiloop.model.beams.sections import Section, rectangle, tube
from multiloop.model.bodies import GROUND, Body
from multiloop.model.cams.plane_curves import Circle, Curve, spline
from multiloop.model.connection import (
    Connection,
    ContactGeometry as ContactGeometry,
    accepts_pose_stacks as accepts_pose_stacks,
)
from multiloop.model.control_laws import PD, PID, ComputedTorque, ControlLaw
from multiloop.model.denavit_hartenberg import DH, dh_chain
from multiloop.model.deprecation import (
    accept_earlier_arguments as accept_earlier_arguments,
    accept_earlier_names as accept_earlier_names,
    earlier_attribute as earlier_attribute,
)
from multiloop.model.drives import (
    MOTION_COMPONENTS as MOTION_COMPONENTS,
    Actuator,
    Motion,
    load_expressions as load_expressions,
    overshoot_messages as overshoot_messages,
    overshooting_tables as overshooting_tables,
)
from multiloop.model.expressions import (
    Expression,
    Parameter,
    Scalar,
    cam_angle,
    integral,
    length,
    length_rate,
    normal,
    output,
    position,
    rate,
    time,
)
from multiloop.model.expressions.units import deg, mm, rpm
from multiloop.model.faults import (
    AssemblyError,
    DrawingError,
    Fault,
    ModelError,
    MultiloopError,
    SolveError,
    TopologyError,
    UnknownNameError,
    coordinate_text as coordinate_text,
    count_text as count_text,
    name_text as name_text,
    short_repr as short_repr,
    suggestion,
)
from multiloop.model.floating_frame import Modes, ReducedBody
from multiloop.model.interrupts import (
    accept_partial_result as accept_partial_result,
    guard_interrupts as guard_interrupts,
    interruptible as interruptible,
    partial_result_clock as partial_result_clock,
)
from multiloop.model.joints import (
    IN_PLANE,
    JOINTS,
    Cylindrical,
    Fixed,
    Free,
    Helical,
    Joint,
    Payload,
    Pin,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Strut,
    Universal,
)
from multiloop.model.lazy_methods import implemented_in as implemented_in
from multiloop.model.loads import (
    LOADS,
    Backlash,
    Bushing,
    Contact,
    Force,
    Freewheel,
    Friction,
    JointSpring,
    Load,
    Rope,
    Spring,
    Stop,
    ToothFriction,
    Torque,
)
from multiloop.model.marker_poses import (
    Resolve as Resolve,
    marker_pose as marker_pose,
    nominal_value as nominal_value,
    rigid_body as rigid_body,
)
from multiloop.model.markers import (
    ETA as ETA,
    Marker,
    Vector as Vector,
    body_of as body_of,
    elastic_names as elastic_names,
    is_elastic_name as is_elastic_name,
    marker,
    percent_text as percent_text,
    value_of as value_of,
)
from multiloop.model.mechanism import (
    Mechanism,
    joint_markers as joint_markers,
    with_rigid_bodies as with_rigid_bodies,
)
from multiloop.model.modal_body import ModalBody, Rayleigh
from multiloop.model.motors import motor_envelope, motor_limit, with_rotor
from multiloop.model.numbers import DescribedNumber, NumberTable
from multiloop.model.pairs import (
    GEARINGS,
    PAIRS,
    Belt,
    Bevel,
    Cam,
    Chain,
    Coupling,
    Distance,
    Gear,
    Gearing,
    Pair,
    PointOnCurve,
    Rack,
    Relation,
    Rolling,
    RollingBall,
    RollingContact,
    Skate,
    Worm,
)
from multiloop.model.parameters import (
    apply_parameters as apply_parameters,
    design_arrays as design_arrays,
    parameter_error as parameter_error,
    single_design as single_design,
)
from multiloop.model.plausibility import implausible_numbers as implausible_numbers
from multiloop.model.profiles import (
    b_spline,
    constant_speed,
    cycloidal,
    modified_sine,
    period_of,
    polynomial_345,
    polynomial_4567,
    ramp,
    table,
    trapezoidal,
)
from multiloop.model.profiles.orientations import axis_angle, quaternion_table
from multiloop.model.profiles.paths import arc, line, turn, waypoints
from multiloop.model.public_functions import public_function as public_function
from multiloop.model.rods_and_plates import ground, plate, rod
from multiloop.model.serialise.plain_data import from_data, from_text, to_data, to_text
from multiloop.model.solids.mesh import box_mesh
from multiloop.model.solids.solid import Solid
from multiloop.model.states import (
    RESOLUTION as RESOLUTION,
    Integral,
    additional_states as additional_states,
    contact_scales as contact_scales,
    initial_states as initial_states,
    rate_scale_of as rate_scale_of,
    return_rate_of as return_rate_of,
)
from multiloop.model.synonyms import (
    SuggestsAttributes as SuggestsAttributes,
    attribute_error as attribute_error,
)

__all__ = [
    "DH",
    "GEARINGS",
    "GROUND",
    "IN_PLANE",
    "JOINTS",
    "LOADS",
    "PAIRS",
    "PD",
    "PID",
    "Actuator",
    "AssemblyError",
    "Backlash",
    "Beam",
    "Belt",
    "Bevel",
    "Body",
    "Bushing",
    "Cam",
    "Chain",
    "Circle",
    "ComputedTorque",
    "Connection",
    "Contact",
    "ControlLaw",
    "Coupling",
    "Curve",
    "Cylindrical",
    "DescribedNumber",
    "Distance",
    "DrawingError",
    "Expression",
    "Fault",
    "Fixed",
    "Force",
    "Free",
    "Freewheel",
    "Friction",
    "Gear",
    "Gearing",
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
    "NumberTable",
    "Pair",
    "Parameter",
    "Payload",
    "Pin",
    "Planar",
    "PointOnCurve",
    "Prismatic",
    "Rack",
    "Rayleigh",
    "ReducedBody",
    "Relation",
    "Revolute",
    "Rolling",
    "RollingBall",
    "RollingContact",
    "Rope",
    "Scalar",
    "Section",
    "Skate",
    "Solid",
    "SolveError",
    "Spherical",
    "Spring",
    "Stop",
    "Strut",
    "ToothFriction",
    "TopologyError",
    "Torque",
    "Universal",
    "UnknownNameError",
    "Worm",
    "arc",
    "axis_angle",
    "b_spline",
    "beam",
    "box_mesh",
    "cam_angle",
    "constant_speed",
    "cycloidal",
    "deg",
    "dh_chain",
    "from_data",
    "from_text",
    "ground",
    "integral",
    "length",
    "length_rate",
    "line",
    "marker",
    "mm",
    "modified_sine",
    "motor_envelope",
    "motor_limit",
    "normal",
    "output",
    "period_of",
    "plate",
    "polynomial_345",
    "polynomial_4567",
    "position",
    "quaternion_table",
    "ramp",
    "rate",
    "rectangle",
    "rod",
    "rpm",
    "spline",
    "suggestion",
    "table",
    "time",
    "to_data",
    "to_text",
    "trapezoidal",
    "tube",
    "turn",
    "waypoints",
    "with_rotor",
]
