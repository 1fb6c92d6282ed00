"""Branches of expressions: functions of one and of two arguments, steps, and clips between bounds."""

from __future__ import annotations

from multiloop.model.expressions.expression import Expression, lift, node


@node
class Unary(Expression):
    """A function of one expression, named as in the registry; "negative" is the minus sign."""

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
    """1 if the argument is zero or positive, else 0."""

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
        hash(operand)  # hash from the leaves upward, so that hashing a long sum does not recurse deeply
        object.__setattr__(branch, name, operand)


def _check_operation(name: str, arity: int) -> None:
    from multiloop.model.expressions.registry import OPERATIONS, generic_names
    from multiloop.model.faults import suggestion

    operation = OPERATIONS.get(name)
    if operation is None or operation.arity != arity or operation.own_node:
        kind = "function of one expression" if arity == 1 else "operation on two expressions"
        raise ValueError(f"'{name}' is no {kind}. {suggestion(name, generic_names(arity))}")
