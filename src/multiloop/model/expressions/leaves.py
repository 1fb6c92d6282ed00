"""Leaves of expressions: constants, parameters, time, joint positions and rates, integrals, lengths, normal forces."""

from __future__ import annotations

from math import isfinite
from numbers import Integral

from multiloop.model.brief import brief
from multiloop.model.expressions.expression import Expression, is_number, node


@node
class Constant(Expression):
    """A plain number."""

    value: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", finite(self.value, "an expression"))

    def __neg__(self) -> Expression:
        return Constant(-self.value)


@node
class Parameter(Expression):
    """A named number that can be changed without compiling again; `value` is its default."""

    name: str
    value: float

    def __post_init__(self) -> None:
        _check_name(self.name, "a parameter", 'Parameter("L2", 0.3)')
        object.__setattr__(self, "value", finite(self.value, f"parameter '{self.name}'"))


@node
class Time(Expression):
    """The time, in s."""


time = Time()


class CamAngle(Time):
    """The variable of cam laws and curves: the rotation of the cam relative to its follower, in rad.

    It replaces the time there, so that every motion law over time can be used as a cam law.
    """

    __slots__ = ()


cam_angle = CamAngle()


@node
class _Coordinate(Expression):
    joint: str
    component: int = 0

    def __post_init__(self) -> None:
        kind = type(self).__name__.lower()
        _check_name(self.joint, f"the joint of a {kind}", f'{kind}("A")')
        component = self.component
        if isinstance(component, bool) or not isinstance(component, Integral) or component < 0:
            raise ValueError(
                f"{kind} of joint '{self.joint}': its component is {brief(component)}. "
                "Count the joint's coordinates 0, 1, 2, …"
            )
        object.__setattr__(self, "component", int(component))


class Position(_Coordinate):
    """One coordinate of a joint, in rad or m."""

    __slots__ = ()


class Rate(_Coordinate):
    """The rate of one coordinate of a joint, in rad/s or m/s."""

    __slots__ = ()


@node
class Integrated(Expression):
    """The value of an integral of the mechanism, by its name."""

    integral: str

    def __post_init__(self) -> None:
        _check_name(self.integral, "an integral", 'integral("error")')


@node
class _Span(Expression):
    spring: str

    def __post_init__(self) -> None:
        kind = "length" if type(self).__name__ == "Length" else "length_rate"
        _check_name(self.spring, f"the spring of a {kind}", f'{kind}("return")')


class Length(_Span):
    """The length of a spring, between the origins of its two markers, in m."""

    __slots__ = ()


class LengthRate(_Span):
    """The rate of the length of a spring, in m/s."""

    __slots__ = ()


@node
class Normal(Expression):
    """The normal force between the two bodies of a contact pair, in N; only events of a simulation may read it."""

    pair: str

    def __post_init__(self) -> None:
        _check_name(self.pair, "the pair of a normal force", 'normal("valve")')


StateLeaf = Position | Rate | Integrated | Length | LengthRate | Normal
"""Leaves that depend on the state of the mechanism."""


def position(joint: str, component: int = 0) -> Position:
    """The position of a joint, for use in an expression; `component` counts a joint's coordinates from 0."""
    return Position(joint, component)


def rate(joint: str, component: int = 0) -> Rate:
    """The rate of a joint, for use in an expression; `component` counts a joint's coordinates from 0."""
    return Rate(joint, component)


def integral(name: str) -> Integrated:
    """The value of an integral of the mechanism, for use in an expression."""
    return Integrated(name)


def length(spring: str) -> Length:
    """The length of a spring, by its name, for use in an expression."""
    return Length(spring)


def length_rate(spring: str) -> LengthRate:
    """The rate of the length of a spring, by its name, for use in an expression."""
    return LengthRate(spring)


def normal(pair: str) -> Normal:
    """The normal force of a contact pair, by its name, for use in an event: if negative, its bodies would separate."""
    return Normal(pair)


def finite(value: object, where: str) -> float:
    """The number as a float, never -0.0; raises for values that are not numbers or not finite."""
    if not is_number(value):
        raise TypeError(f"{where} holds numbers, not {type(value).__name__} {brief(value)}. Give a number.")
    try:
        number = float(value)  # type: ignore[arg-type]
    except OverflowError:
        number = float("inf")
    if not isfinite(number):
        raise ValueError(f"{where} cannot hold {number}. Give a finite number.")
    return number + 0.0


def _check_name(name: object, what: str, example: str) -> None:
    if not isinstance(name, str):
        raise TypeError(
            f"{what} is named by text, not by {type(name).__name__} {brief(name)}. Write {example}."
        )
    if not name:
        raise ValueError(f"{what} has an empty name. Write {example}.")
