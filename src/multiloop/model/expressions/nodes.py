"""Nodes of expression trees: leaves (constants, parameters, variables) and branches (operations, steps, clips)."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite
from numbers import Integral

from multiloop.model.expressions.expression import Expression, Scalar, is_number, lift, node
from multiloop.model.faults import short_repr


@node
class Constant(Expression):
    """A constant in an expression."""

    value: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", require_finite(self.value, "an expression"))

    def __neg__(self) -> Expression:
        return Constant(-self.value)


@node
class Parameter(Expression):
    """A named number that can be changed without compiling the equations again; `value` is its default."""

    name: str
    value: float

    def __post_init__(self) -> None:
        _check_name(self.name, "a parameter", 'Parameter("L2", 0.3)')
        object.__setattr__(self, "value", require_finite(self.value, f"parameter '{self.name}'"))


@node
class Time(Expression):
    """The time, in s."""


time = Time()


class CamAngle(Time):
    """The variable of cam laws and curves: the rotation of the cam relative to its follower, in rad.

    In cam laws this variable takes the place of the time, so that every motion law can be used as a cam law.
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
                f"{kind} of joint '{self.joint}': its component is {short_repr(component)}. "
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
class IntegralValue(Expression):
    """The value of the state variable that an `Integral` of the mechanism defines, named `integral`."""

    integral: str

    def __post_init__(self) -> None:
        _check_name(self.integral, "an integral", 'integral("error")')


@node
class _SpringVariable(Expression):
    spring: str

    def __post_init__(self) -> None:
        kind = "length" if type(self).__name__ == "Length" else "length_rate"
        _check_name(self.spring, f"the spring of a {kind}", f'{kind}("return")')


class Length(_SpringVariable):
    """The length of a spring: the distance between the origins of its two markers, in m."""

    __slots__ = ()


class LengthRate(_SpringVariable):
    """The time derivative of the length of a spring, in m/s."""

    __slots__ = ()


@node
class NormalForce(Expression):
    """The normal force between the two bodies of a contact pair, in N; only events of a simulation may read it."""

    pair: str

    def __post_init__(self) -> None:
        _check_name(self.pair, "the pair of a normal force", 'normal("valve")')


@node
class OutputValue(Expression):
    """The value of an output of the mechanism, or of one of its entries, by name; `mechanism.outputs()` lists them."""

    output: str

    def __post_init__(self) -> None:
        _check_name(self.output, "an output", 'output("C.load")')


StateVariable = Position | Rate | IntegralValue | Length | LengthRate | NormalForce | OutputValue
"""Variables of expressions that depend on the state of the mechanism."""


def position(joint: str, component: int = 0) -> Position:
    """The position of a joint (rad or m) as a variable in an expression; `component` counts its coordinates from 0."""
    return Position(joint, component)


def rate(joint: str, component: int = 0) -> Rate:
    """The rate of a joint (rad/s or m/s) as a variable in an expression; `component` counts its coordinates from 0."""
    return Rate(joint, component)


def integral(name: str) -> IntegralValue:
    """The value of the `Integral` of the mechanism with this name, as a variable in an expression."""
    return IntegralValue(name)


def length(spring: str) -> Length:
    """The length (m) of the spring with this name, as a variable in an expression."""
    return Length(spring)


def length_rate(spring: str) -> LengthRate:
    """The time derivative of the length (m/s) of the spring with this name, as a variable in an expression."""
    return LengthRate(spring)


def output(name: str) -> OutputValue:
    """The value of an output, "C.load", or of one of its entries, "C.force.x", as a variable in an expression.

    `mechanism.outputs()` lists the names. Events may read all outputs; efforts and the outputs of `linearise` may read
    those that depend on positions and rates only.
    """
    return OutputValue(name)


def normal(pair: str) -> NormalForce:
    """The normal force (N) of the contact pair with this name, for use in an event.

    A negative force means that the bodies of the pair would separate.
    """
    return NormalForce(pair)


def require_finite(value: object, where: str) -> float:
    """The number as a float, with 0.0 for -0.0; `where` names it in errors.

    Raises a TypeError for a value that is not a number, and a ValueError for one that is not finite.
    """
    if not is_number(value):
        raise TypeError(
            f"{where} takes numbers, not {type(value).__name__} {short_repr(value)}. Give a number."
        )
    try:
        number = float(value)  # type: ignore[arg-type]
    except OverflowError:
        number = float("inf")
    if not isfinite(number):
        raise ValueError(f"{where} cannot be {number}. Give a finite number.")
    return number + 0.0


def _check_name(name: object, what: str, example: str) -> None:
    if not isinstance(name, str):
        raise TypeError(
            f"the name of {what} must be text, not {type(name).__name__} {short_repr(name)}. Write {example}."
        )
    if not name:
        raise ValueError(f"{what} has an empty name. Write {example}.")


@node
class Unary(Expression):
    """A function of one expression, named as in OPERATIONS; "negative" is the minus sign."""

    function: str
    argument: Expression

    def __post_init__(self) -> None:
        _check_operation(self.function, 1)
        _lift_fields(self, "argument")

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.argument,)

    @property
    def operation(self) -> str:
        return self.function


@node
class Binary(Expression):
    """Two expressions combined by `+ - * / **` or by a function of two arguments."""

    operator: str
    left: Expression
    right: Expression

    def __post_init__(self) -> None:
        _check_operation(self.operator, 2)
        _lift_fields(self, "left", "right")

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.left, self.right)

    @property
    def operation(self) -> str:
        return self.operator


@node
class Step(Expression):
    """The unit step of the argument: 1 if it is zero or positive, otherwise 0."""

    argument: Expression

    def __post_init__(self) -> None:
        _lift_fields(self, "argument")

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.argument,)

    @property
    def operation(self) -> str:
        return "step"


@node
class Clip(Expression):
    """The argument limited to two bounds: min(max(argument, low), high)."""

    argument: Expression
    low: Expression
    high: Expression

    def __post_init__(self) -> None:
        _lift_fields(self, "argument", "low", "high")

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.argument, self.low, self.high)

    @property
    def operation(self) -> str:
        return "clip"


def _lift_fields(branch: Expression, *names: str) -> None:
    for name in names:
        operand = lift(getattr(branch, name))
        hash(operand)  # operands cache their hashes first, so that hashing a long sum does not recurse deeply
        object.__setattr__(branch, name, operand)


def _check_operation(name: str, arity: int) -> None:
    from multiloop.model.expressions.operations import OPERATIONS, generic_operation_names
    from multiloop.model.faults import suggestion

    operation = OPERATIONS.get(name)
    if operation is None or operation.arity != arity or operation.has_own_node:
        kind = "function of one expression" if arity == 1 else "operation on two expressions"
        raise ValueError(f"'{name}' is not a {kind}. {suggestion(name, generic_operation_names(arity))}")


@lru_cache(maxsize=1024)
def evaluation_order(expression: Expression) -> tuple[tuple[Expression, tuple[int, ...]], ...]:
    """All distinct nodes of an expression, operands before operations, each with the indices of its operands.

    The indices refer to positions in the returned tuple. An expression is evaluated in one pass along this tuple, in
    which equal subexpressions are computed once.
    """
    places: dict[Expression, int] = {}
    order: list[tuple[Expression, tuple[int, ...]]] = []
    waiting = [(expression, False)]
    while waiting:
        node, operands_done = waiting.pop()
        if node in places:
            continue
        if operands_done or not node.operands:
            places[node] = len(order)
            order.append((node, tuple(places[operand] for operand in node.operands)))
        else:
            waiting.append((node, True))
            waiting.extend((operand, False) for operand in reversed(node.operands))
    return tuple(order)


def nodes_of(value: Scalar) -> tuple[Expression, ...]:
    """All distinct nodes of an expression, operands before operations; for a number, the corresponding constant."""
    return tuple(node for node, _ in evaluation_order(lift(value)))


def parameters_of(value: Scalar) -> tuple[Parameter, ...]:
    """The parameters of an expression, sorted by name."""
    found = [node for node in nodes_of(value) if isinstance(node, Parameter)]
    return tuple(sorted(found, key=lambda parameter: (parameter.name, parameter.value)))


def joints_of(value: Scalar) -> tuple[str, ...]:
    """Names of the joints whose position or rate an expression reads, sorted."""
    return tuple(sorted({node.joint for node in nodes_of(value) if isinstance(node, Position | Rate)}))


def integrals_of(value: Scalar) -> tuple[str, ...]:
    """Names of the integrals that an expression reads, sorted."""
    return tuple(sorted({node.integral for node in nodes_of(value) if isinstance(node, IntegralValue)}))


def depends_on_time(value: Scalar) -> bool:
    """Whether an expression contains the time."""
    return any(isinstance(node, Time) for node in nodes_of(value))


def depends_on_state(value: Scalar) -> bool:
    """Whether an expression reads the position or rate of any joint, an integral, or the length of a spring."""
    return any(isinstance(node, StateVariable) for node in nodes_of(value))
