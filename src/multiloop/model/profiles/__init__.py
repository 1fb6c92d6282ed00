"""Motion laws for drives and cams, as expressions of time or of another variable."""

from collections.abc import Callable

from multiloop.model.expressions import Expression, table
from multiloop.model.expressions.breakpoints import period_of
from multiloop.model.profiles.motion_laws import (
    b_spline,
    constant_speed,
    cycloidal,
    modified_sine,
    polynomial_345,
    polynomial_4567,
    ramp,
    trapezoidal,
)

TRANSITIONS: dict[str, Callable[..., Expression]] = {
    "ramp": ramp,
    "trapezoidal": trapezoidal,
    "cycloidal": cycloidal,
    "polynomial_345": polynomial_345,
    "polynomial_4567": polynomial_4567,
    "modified_sine": modified_sine,
}
"""Motion laws from one value to another by name; their arguments are (start, end, *, duration, begin=0, of=time)."""

PROFILES: dict[str, Callable[..., Expression]] = {
    "constant_speed": constant_speed,
    **TRANSITIONS,
    "b_spline": b_spline,
}
"""Motion laws by the name under which the text of an expression may call them."""

__all__ = [
    "PROFILES",
    "TRANSITIONS",
    "b_spline",
    "constant_speed",
    "cycloidal",
    "modified_sine",
    "period_of",
    "polynomial_345",
    "polynomial_4567",
    "ramp",
    "table",
    "trapezoidal",
]
