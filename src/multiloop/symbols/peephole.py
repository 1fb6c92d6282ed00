"""Simplification of a tape: equal values once, signs propagated, constants merged, common factors extracted.

    −a + b → b − a,   c₁ (c₂ x) → (c₁c₂) x,   a b + a c → a (b + c),   a/x, b/x → y = 1/x, a y, b y

Operations that are not used are omitted. Values change by round-off only.
"""

from __future__ import annotations

from multiloop.symbols.emission import written
from multiloop.symbols.factors import factored
from multiloop.symbols.field import many_digits
from multiloop.symbols.graph import Graph, Outputs
from multiloop.symbols.tape import Tape

DIVIDING = 3
"""Additional cost of a quotient, in products: it takes four times as long as a product, in wide registers more."""

PASSES = 3
"""Maximal number of passes of factor extraction; each may reveal further common factors."""


def shortened(tape: Tape) -> Tape:
    """The tape with fewer operations, or the tape itself if there is no gain."""
    with many_digits():
        graph, outputs = _read(tape)
        found = [written(graph, outputs)]
        for _ in range(PASSES):
            graph, outputs = factored(graph, outputs)
            found.append(written(graph, outputs))
            if _cost(found[-1]) >= _cost(found[-2]):
                break
    return min([*found, tape], key=_cost)


def _cost(tape: Tape) -> int:
    """Number of operations, with quotients weighted by their duration."""
    return tape.total + DIVIDING * (tape.counts.get("div", 0) + tape.counts.get("inv", 0))


# reading a tape -----------------------------------------------------------------------------------------


def _read(tape: Tape) -> tuple[Graph, Outputs]:
    """The tape as a graph, and the references of its outputs."""
    graph, registers = Graph(), [0] * tape.registers
    outputs: Outputs = {}
    for op in tape.operations:
        if op.name == "output":
            outputs[op.writes[0], op.writes[1]] = registers[op.reads[0]]
        elif op.name == "input":
            registers[op.writes[0]] = graph.leaf(*op.reads)
        elif op.name == "const":
            registers[op.writes[0]] = graph.number(op.value)
        else:
            registers[op.writes[0]] = graph.made(op.name, tuple(registers[k] for k in op.reads))
    return graph, outputs
