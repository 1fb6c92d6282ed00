"""Graph of scalar operations in which equal values are represented by one node, also if they were written differently.

A reference to the value of node n is the integer n + 1; −(n + 1) refers to its negative, so that a change of sign costs
an operation only where the negative value is needed.

Two nodes are equal if they have the same operation and operands, or if their values agree at random points of a finite
field, where sums, products and quotients are exact. A polynomial identity that holds at such a point holds everywhere,
except with a probability of 10⁻¹⁸ (Schwartz–Zippel lemma). The sine and cosine of an angle are the coordinates of a
random point of the unit circle in the field, so that cos² + sin² = 1 also holds. The result of any other operation
(root, absolute value, comparison) is treated as an unknown that equals only itself. Successive iterates of a convergent
iteration, which may be equal in floating point, are not equal in the field.

Theory: docs/theory/14-compiled-kernels.md, eq. (14.3).
"""

from __future__ import annotations

import random
from decimal import Decimal
from math import cos, isfinite, sin
from typing import Any

from multiloop.symbols.simplify.finite_field import (
    PRIME,
    NodeValues,
    in_field,
    loses_more_digits,
    lost_in_sum,
    may_be_equal,
    nearest_simple_number,
    ratio_in_field,
    readings_agree,
)

Ref = int
Outputs = dict[tuple[int, int], Ref]
"""Type of the outputs of a graph: references to nodes, by (index of the output, index of its entry)."""


class Graph:
    """Graph of scalar operations, each of whose nodes has a different value.

    `ops[n]`, `reads[n]` and `values[n]` are the operation, the operands and the values of node n; operands precede the
    nodes that read them. `numbers` are the values of constant nodes.
    """

    def __init__(self) -> None:
        self.ops: list[str] = []
        self.reads: list[tuple[Any, ...]] = []
        self.values: list[NodeValues] = []
        self.numbers: dict[int, float] = {}
        self._written: dict[tuple[Any, ...], int] = {}
        self._valued: dict[int, int] = {}
        self._angles: dict[int, tuple[NodeValues, NodeValues]] = {}
        self._random = random.Random(1)

    # inputs and constants -----------------------------------------------------------------------------

    def leaf(self, argument: int, entry: int) -> Ref:
        """Reference to the node of the entry with index `entry` of the input with index `argument`."""
        key = ("input", argument, entry)
        return self._written.get(key, -1) + 1 or self._new(
            key, "input", (argument, entry), self._random_values()
        )

    def number(self, c: float) -> Ref:
        """Reference to the node of a constant; a negative constant is a negative reference to its absolute value."""
        key = ("const", abs(c))
        if key not in self._written:
            exact = in_field(abs(c)) if isfinite(c) else self._random_values().f
            node = self._new(key, "const", (), NodeValues(exact, exact, Decimal(abs(c)), Decimal(abs(c)))) - 1
            self.numbers[node] = abs(c)
        node = self._written[key]
        return -(node + 1) if c < 0 else node + 1

    def constant(self, a: Ref) -> float | None:
        """The number to which a reference refers if its node is a constant, otherwise None."""
        c = self.numbers.get(abs(a) - 1)
        return None if c is None else (c if a > 0 else -c)

    # arithmetic operations on references --------------------------------------------------------------

    def add(self, a: Ref, b: Ref) -> Ref:
        """Reference to the sum a + b, which is a difference if one of the references is negative."""
        c, d = self.constant(a), self.constant(b)
        if c is not None and d is not None:
            return self.number(c + d)
        if c == 0.0:
            return b
        if d == 0.0 or a == -b:
            return a if d == 0.0 else self.number(0.0)
        if a == b:
            return self.mul(self.number(2.0), a)
        first, second = sorted((a, b), key=abs)
        if (first > 0) == (second > 0):
            sign = 1 if first > 0 else -1
            return sign * self._node("add", (abs(first), abs(second)))
        return (1 if first > 0 else -1) * self._node("sub", (abs(first), abs(second)))

    def mul(self, a: Ref, b: Ref) -> Ref:
        """Reference to the product a b.

        A constant becomes the first operand; if the other operand is a multiple of a constant, the constants are
        merged.
        """
        c, d = self.constant(a), self.constant(b)
        if d is not None and c is None:
            a, b, c, d = b, a, d, c
        if c is not None:
            return self._scaled(c, b)
        sign = 1 if (a > 0) == (b > 0) else -1
        first, second = sorted((abs(a), abs(b)))
        if first == second:
            return sign * self._node("sq", (first,))
        return sign * self._node("mul", (first, second))

    def _scaled(self, c: float, b: Ref) -> Ref:
        """Reference to the product c b with a constant c."""
        d, node = self.constant(b), abs(b) - 1
        if d is not None:
            return self.number(c * d)
        if c in (0.0, 1.0, -1.0):
            return self.number(0.0) if c == 0.0 else (b if c > 0 else -b)
        if self.ops[node] == "mul" and self.constant(self.reads[node][0]) is not None:
            inner, rest = self.reads[node]
            product = c * (self.constant(inner) or 0.0)
            return self._scaled(product if b > 0 else -product, rest)
        sign = 1 if (c > 0) == (b > 0) else -1
        return sign * self._node("mul", (self.number(abs(c)), abs(b)))

    def inv(self, a: Ref) -> Ref:
        """Reference to the inverse 1 / a."""
        c = self.constant(a)
        if c is not None and c != 0.0:
            return self.number(1 / c)
        if self.ops[abs(a) - 1] == "inv":
            below: Ref = self.reads[abs(a) - 1][0]
            return (1 if a > 0 else -1) * below
        return (1 if a > 0 else -1) * self._node("inv", (abs(a),))

    def sin(self, a: Ref) -> Ref:
        """Reference to sin a; sin(−a) is written as −sin a."""
        c = self.constant(a)
        return self.number(sin(c)) if c is not None else (1 if a > 0 else -1) * self._node("sin", (abs(a),))

    def cos(self, a: Ref) -> Ref:
        """Reference to cos a; cos(−a) is written as cos a."""
        c = self.constant(a)
        return self.number(cos(c)) if c is not None else self._node("cos", (abs(a),))

    def operation(self, name: str, reads: tuple[Ref, ...]) -> Ref:
        """Reference to the result of an operation on the operands `reads`; `name` is its name in operation lists
        (tapes)."""
        a, b = reads[0], reads[-1]
        if name in ("div", "inv") and self.constant(b) != 0.0:
            return self.mul(a, self.inv(b)) if name == "div" else self.inv(a)
        if name == "mul":
            return self.mul(a, b)
        if name in ("add", "sub"):
            return self.add(a, b if name == "add" else -b)
        if name in ("neg", "assign"):
            return a if name == "assign" else -a
        if name in ("sq", "twice"):
            return self.mul(a if name == "sq" else self.number(2.0), a)
        if name in ("sin", "cos"):
            return self.sin(a) if name == "sin" else self.cos(a)
        return self._node(name, reads)

    # equality of nodes --------------------------------------------------------------------------------

    def _node(self, name: str, reads: tuple[Ref, ...]) -> Ref:
        key = (name, *reads)
        if key in self._written:
            return self._written[key] + 1
        values = self._evaluated(name, reads)
        if values is None:
            return self._new(key, name, reads, self._random_values())
        same = self._equal(name, reads, values)
        return self._new(key, name, reads, values) if same is None else same

    def _equal(self, name: str, reads: tuple[Ref, ...], values: NodeValues) -> Ref | None:
        """Reference to a value equal to the result of an operation: a constant, an existing node, or a constant
        multiple of an existing node. None if there is no such value.

        The operation is given by its name and operands, and `values` are the values of its result.
        """
        f, g, x, y, _ = values
        if f == 0 or g == 0:
            return self.number(0.0) if f == g else None
        if f == g:
            return (
                self.number(nearest_simple_number(x))
                if values.is_significant and readings_agree(x, y)
                else None
            )
        known = self._valued.get(ratio_in_field(values))
        if known is None:
            return None
        other = self.values[known]
        if loses_more_digits(other, values):
            return None
        if f in (other.f, PRIME - other.f):
            sign = 1 if f == other.f else -1
            return (
                sign * (known + 1)
                if may_be_equal(x, sign * other.x) and may_be_equal(y, sign * other.y)
                else None
            )
        if name == "mul" and self.constant(reads[0]) is not None:
            return None  # the operation is itself the product of a constant and a node
        if not (values.is_significant and other.is_significant and readings_agree(x / other.x, y / other.y)):
            return None
        return self._scaled(nearest_simple_number(x / other.x), known + 1)

    def _new(self, key: tuple[Any, ...], name: str, reads: tuple[Any, ...], values: NodeValues) -> Ref:
        node = len(self.ops)
        self.ops.append(name)
        self.reads.append(reads)
        self.values.append(values)
        self._written[key] = node
        if name != "const" and values.f and values.g:
            known = self._valued.setdefault(ratio_in_field(values), node)
            if loses_more_digits(self.values[known], values):
                self._valued[ratio_in_field(values)] = node
        return node + 1

    def _random_values(self) -> NodeValues:
        """Random values in the field and in decimals, for an input or for an operation that is treated as an
        unknown."""
        draw = self._random
        x, y = (draw.choice((-1, 1)) * draw.uniform(0.3, 1.7) for _ in range(2))
        return NodeValues(draw.randrange(1, PRIME), draw.randrange(1, PRIME), Decimal(x), Decimal(y))

    def _angle_values(self, angle: int) -> tuple[NodeValues, NodeValues]:
        """Values of the cosine and sine of node `angle`.

        They are cos = (1 − t²)/(1 + t²) and sin = 2t/(1 + t²) with random numbers t for each angle.
        """
        if angle not in self._angles:
            drawn = self._random_values()
            (c, s), (d, r) = (_circle_in_field(t) for t in drawn[:2])
            (x, u), (y, v) = (((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)) for t in drawn[2:4])
            self._angles[angle] = NodeValues(c, d, x, y), NodeValues(s, r, u, v)
        return self._angles[angle]

    def _evaluated(self, name: str, reads: tuple[Ref, ...]) -> NodeValues | None:
        """Values of an operation in the field and in decimals.

        None for operations other than sums, differences, products, squares, inverses, sines and cosines.
        """
        a = self.values[abs(reads[0]) - 1]
        if name in ("add", "sub", "mul"):
            b = self.values[abs(reads[1]) - 1]
            if name == "mul":
                lost = max(a.lost, b.lost)
                return NodeValues(a.f * b.f % PRIME, a.g * b.g % PRIME, a.x * b.x, a.y * b.y, lost)
            sign = 1 if name == "add" else -1
            x, y = a.x + sign * b.x, a.y + sign * b.y
            f, g = (a.f + sign * b.f) % PRIME, (a.g + sign * b.g) % PRIME
            return NodeValues(f, g, x, y, lost_in_sum(a, b, x, y))
        if name == "sq":
            return NodeValues(a.f**2 % PRIME, a.g**2 % PRIME, a.x * a.x, a.y * a.y, a.lost)
        if name == "inv" and a.f and a.g and a.x and a.y:
            f, g = pow(a.f, -1, PRIME), pow(a.g, -1, PRIME)
            return NodeValues(f, g, 1 / a.x, 1 / a.y, a.lost)
        if name in ("cos", "sin"):
            return self._angle_values(abs(reads[0]) - 1)[name == "sin"]
        return None


def _circle_in_field(t: int) -> tuple[int, int]:
    """Coordinates (1 − t²)/(1 + t²) and 2t/(1 + t²) of a point of the unit circle in the field."""
    under = pow(1 + t * t, -1, PRIME)
    return (1 - t * t) * under % PRIME, 2 * t * under % PRIME


def uses_of(graph: Graph, outputs: Outputs) -> list[int]:
    """Number of operations and outputs that read each node, counting only operations on which outputs depend."""
    uses = [0] * len(graph.ops)
    for ref in outputs.values():
        uses[abs(ref) - 1] += 1
    for node in reversed(range(len(graph.ops))):
        if uses[node] and graph.ops[node] != "input":
            for ref in graph.reads[node]:
                uses[abs(ref) - 1] += 1
    return uses
