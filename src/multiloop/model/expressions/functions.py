"""Functions for expressions: sin, cos, sqrt, clip and others; called with numbers they return a number."""

# ruff: noqa: PLW0108 (the derivative of a function may be a function defined below it)

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from multiloop.model.expressions.branches import Clip, Step
from multiloop.model.expressions.registry import Operation, define

# An entry: name, function on NumPy arrays, function on CasADi matrices, then the partial derivative by each argument.

define("+", np.add, operator.add, lambda a, b: 1, lambda a, b: 1)
define("-", np.subtract, operator.sub, lambda a, b: 1, lambda a, b: -1)
define("*", np.multiply, operator.mul, lambda a, b: b, lambda a, b: a)
define("/", np.divide, operator.truediv, lambda a, b: 1 / b, lambda a, b: -a / b**2)
define("**", np.power, operator.pow, lambda a, b: b * a ** (b - 1), lambda a, b: a**b * log(a))
negative: Operation = define("negative", np.negative, operator.neg, lambda a: -1)

sin: Operation = define("sin", np.sin, "sin", lambda a: cos(a))
cos: Operation = define("cos", np.cos, "cos", lambda a: -sin(a))
tan: Operation = define("tan", np.tan, "tan", lambda a: 1 + tan(a) ** 2)
asin: Operation = define("asin", np.arcsin, "asin", lambda a: 1 / sqrt(1 - a**2))
acos: Operation = define("acos", np.arccos, "acos", lambda a: -1 / sqrt(1 - a**2))
atan: Operation = define("atan", np.arctan, "atan", lambda a: 1 / (1 + a**2))
atan2: Operation = define(
    "atan2", np.arctan2, "atan2", lambda y, x: x / (x**2 + y**2), lambda y, x: -y / (x**2 + y**2)
)
sinh: Operation = define("sinh", np.sinh, "sinh", lambda a: cosh(a))
cosh: Operation = define("cosh", np.cosh, "cosh", lambda a: sinh(a))
tanh: Operation = define("tanh", np.tanh, "tanh", lambda a: 1 - tanh(a) ** 2)
exp: Operation = define("exp", np.exp, "exp", lambda a: exp(a))
log: Operation = define("log", np.log, "log", lambda a: 1 / a)
sqrt: Operation = define("sqrt", np.sqrt, "sqrt", lambda a: 1 / (2 * sqrt(a)))

abs: Operation = define("abs", np.abs, "fabs", lambda a: sign(a))
sign: Operation = define("sign", np.sign, "sign", lambda a: 0)
minimum: Operation = define(
    "minimum", np.minimum, "fmin", lambda a, b: step(b - a), lambda a, b: 1 - step(b - a)
)
maximum: Operation = define(
    "maximum", np.maximum, "fmax", lambda a, b: step(a - b), lambda a, b: 1 - step(a - b)
)


def _clipped(x: Any, low: Any, high: Any) -> Any:
    return np.minimum(np.maximum(x, low), high)


def _clipped_symbol(x: Any, low: Any, high: Any) -> Any:
    import casadi

    return casadi.fmin(casadi.fmax(x, low), high)


# At a bound the derivative of a clip is the one-sided derivative from inside.
step: Operation = define("step", lambda a: np.heaviside(a, 1.0), lambda a: a >= 0, lambda a: 0, node=Step)
clip: Operation = define(
    "clip",
    _clipped,
    _clipped_symbol,
    lambda a, low, high: step(a - low) * step(high - a),
    lambda a, low, high: (1 - step(a - low)) * step(high - low),
    lambda a, low, high: 1 - step(high - maximum(a, low)),
    node=Clip,
)
