"""Functions for expressions: sin, cos, sqrt, clip and others; if all arguments are numbers, they return a number."""

# ruff: noqa: PLW0108 (the derivative of a function may be a function defined below it)

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from multiloop.model.expressions.nodes import Clip, Step
from multiloop.model.expressions.operations import Operation, define_operation

# Arguments of `define_operation`: name, function on NumPy arrays, function on CasADi matrices, partial derivatives.
# The partial derivatives are functions of all operands, one for each operand.

define_operation("+", np.add, operator.add, lambda a, b: 1, lambda a, b: 1)
define_operation("-", np.subtract, operator.sub, lambda a, b: 1, lambda a, b: -1)
define_operation("*", np.multiply, operator.mul, lambda a, b: b, lambda a, b: a)
define_operation("/", np.divide, operator.truediv, lambda a, b: 1 / b, lambda a, b: -a / b**2)
define_operation("**", np.power, operator.pow, lambda a, b: b * a ** (b - 1), lambda a, b: a**b * log(a))
negative: Operation = define_operation("negative", np.negative, operator.neg, lambda a: -1)

sin: Operation = define_operation("sin", np.sin, "sin", lambda a: cos(a))
cos: Operation = define_operation("cos", np.cos, "cos", lambda a: -sin(a))
tan: Operation = define_operation("tan", np.tan, "tan", lambda a: 1 + tan(a) ** 2)
asin: Operation = define_operation("asin", np.arcsin, "asin", lambda a: 1 / sqrt(1 - a**2))
acos: Operation = define_operation("acos", np.arccos, "acos", lambda a: -1 / sqrt(1 - a**2))
atan: Operation = define_operation("atan", np.arctan, "atan", lambda a: 1 / (1 + a**2))
atan2: Operation = define_operation(
    "atan2", np.arctan2, "atan2", lambda y, x: x / (x**2 + y**2), lambda y, x: -y / (x**2 + y**2)
)
sinh: Operation = define_operation("sinh", np.sinh, "sinh", lambda a: cosh(a))
cosh: Operation = define_operation("cosh", np.cosh, "cosh", lambda a: sinh(a))
tanh: Operation = define_operation("tanh", np.tanh, "tanh", lambda a: 1 - tanh(a) ** 2)
exp: Operation = define_operation("exp", np.exp, "exp", lambda a: exp(a))
log: Operation = define_operation("log", np.log, "log", lambda a: 1 / a)
sqrt: Operation = define_operation("sqrt", np.sqrt, "sqrt", lambda a: 1 / (2 * sqrt(a)))

abs: Operation = define_operation("abs", np.abs, "fabs", lambda a: sign(a))
sign: Operation = define_operation("sign", np.sign, "sign", lambda a: 0)
minimum: Operation = define_operation(
    "minimum", np.minimum, "fmin", lambda a, b: step(b - a), lambda a, b: 1 - step(b - a)
)
maximum: Operation = define_operation(
    "maximum", np.maximum, "fmax", lambda a, b: step(a - b), lambda a, b: 1 - step(a - b)
)


def _clipped(x: Any, low: Any, high: Any) -> Any:
    return np.minimum(np.maximum(x, low), high)


def _clipped_symbol(x: Any, low: Any, high: Any) -> Any:
    import casadi

    return casadi.fmin(casadi.fmax(x, low), high)


# At a bound, the derivative of a clip is the one-sided derivative from the interior of its range.
step: Operation = define_operation(
    "step", lambda a: np.heaviside(a, 1.0), lambda a: a >= 0, lambda a: 0, node=Step
)
clip: Operation = define_operation(
    "clip",
    _clipped,
    _clipped_symbol,
    lambda a, low, high: step(a - low) * step(high - a),
    lambda a, low, high: (1 - step(a - low)) * step(high - low),
    lambda a, low, high: 1 - step(high - maximum(a, low)),
    node=Clip,
)
