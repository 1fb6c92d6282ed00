"""Symbolic scalar expressions of time, joint positions and rates, parameters, functions and tables."""

from multiloop.model.expressions import functions
from multiloop.model.expressions.branches import Binary, Clip, Step, Unary
from multiloop.model.expressions.breakpoints import breakpoints, line_in_time
from multiloop.model.expressions.calculus import derivative, simplified
from multiloop.model.expressions.dependence import (
    depends_on_state,
    depends_on_time,
    integrals_of,
    joints_of,
    nodes_of,
    parameters_of,
)
from multiloop.model.expressions.evaluation import evaluate, trace
from multiloop.model.expressions.expression import Expression, Scalar, lift
from multiloop.model.expressions.grammar import parse
from multiloop.model.expressions.leaves import (
    CamAngle,
    Constant,
    Integrated,
    Length,
    LengthRate,
    Normal,
    Parameter,
    Position,
    Rate,
    Time,
    cam_angle,
    integral,
    length,
    length_rate,
    normal,
    position,
    rate,
    time,
)
from multiloop.model.expressions.tables import Table, table

__all__ = [
    "Binary",
    "CamAngle",
    "Clip",
    "Constant",
    "Expression",
    "Integrated",
    "Length",
    "LengthRate",
    "Normal",
    "Parameter",
    "Position",
    "Rate",
    "Scalar",
    "Step",
    "Table",
    "Time",
    "Unary",
    "breakpoints",
    "cam_angle",
    "depends_on_state",
    "depends_on_time",
    "derivative",
    "evaluate",
    "functions",
    "integral",
    "integrals_of",
    "joints_of",
    "length",
    "length_rate",
    "lift",
    "line_in_time",
    "nodes_of",
    "normal",
    "parameters_of",
    "parse",
    "position",
    "rate",
    "simplified",
    "table",
    "time",
    "trace",
]
