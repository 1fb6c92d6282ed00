"""Conversion of a graph of operations to a tape: explicit signs and quotients, and allocation of few registers."""

from __future__ import annotations

from multiloop.symbols.graph import Graph, Outputs, Ref, uses_of
from multiloop.symbols.tape import Operation, Tape


def written(graph: Graph, outputs: Outputs) -> Tape:
    """The tape of the operations on which the outputs depend, in order."""
    return _Writing(graph, outputs).tape()


class _Writing:
    def __init__(self, graph: Graph, outputs: Outputs) -> None:
        self.graph, self.outputs = graph, outputs
        self.uses = uses_of(graph, outputs)
        self.products = [0] * len(graph.ops)  # how many products with a non-constant factor read a node
        for node, name in enumerate(graph.ops):
            if self.uses[node] and name == "mul" and graph.constant(graph.reads[node][0]) is None:
                for ref in graph.reads[node]:
                    self.products[abs(ref) - 1] += 1
        self.turned: set[int] = set()  # nodes whose negative is computed instead
        for ref in outputs.values():
            if ref < 0:
                self._turn(-ref - 1)
        self.lines: list[tuple[str, tuple[int, ...], int, float]] = []  # name, values read, value, constant
        self.at: dict[tuple[int, bool], int] = {}  # value of a node or its negative
        self.numbers: dict[float, int] = {}

    def _turn(self, node: int) -> bool:
        """Compute the negative of a node instead, if that costs no operation and only one node reads it."""
        name, reads = self.graph.ops[node], self.graph.reads[node]
        if self.uses[node] != 1 or node in self.turned:
            return False
        free = name == "sub" or (name == "mul" and self.graph.constant(reads[0]) is not None)
        if not free and name == "mul":
            free = any(self._turn(abs(ref) - 1) for ref in reads)
            if free:
                return True  # the factor has the opposite sign
        if free:
            self.turned.add(node)
        return free

    def _carries(self, node: int) -> bool:
        """Whether the computed value of a node is the negative of that in the graph."""
        if node in self.turned:
            return True
        if self.uses[node] != 1 or self.graph.ops[node] != "mul":
            return False
        return any(self._carries(abs(ref) - 1) for ref in self.graph.reads[node])

    def tape(self) -> Tape:
        graph = self.graph
        for node, name in enumerate(graph.ops):
            if not self.uses[node] or name in ("const", "input") or self._quotient(node):
                continue
            self.at[node, self._carries(node)] = self._line(node, name, graph.reads[node])
        results = [(place, self._value(ref)) for place, ref in self.outputs.items()]
        return _allotted(self.lines, results)

    def _quotient(self, node: int) -> bool:
        """Whether 1/x is replaced by quotients: if only products read it, at most two."""
        return self.graph.ops[node] == "inv" and self.products[node] == self.uses[node] <= 2

    def _line(self, node: int, name: str, reads: tuple[Ref, ...]) -> int:
        if name == "mul":
            first, second = reads
            c = self.graph.constant(first)
            if c is not None:
                if c == 2.0 and node not in self.turned:
                    return self._add("twice", (self._value(second),))
                return self._add("mul", (self._number(-c if node in self.turned else c), self._value(second)))
            for a, b in ((first, second), (second, first)):
                if self._quotient(abs(b) - 1):
                    return self._add("div", (self._read(a), self._value(self.graph.reads[abs(b) - 1][0])))
            return self._add("mul", (self._read(first), self._read(second)))
        if name == "sub" and node in self.turned:
            reads = (reads[1], reads[0])
        return self._add(name, tuple(self._value(ref) for ref in reads))

    def _read(self, ref: Ref) -> int:
        """A factor, negated or not: the sign is accounted for in the product."""
        node = abs(ref) - 1
        return self.at[node, True] if (node, True) in self.at and self._carries(node) else self._value(ref)

    def _value(self, ref: Ref) -> int:
        node, negative = abs(ref) - 1, ref < 0
        c = self.graph.constant(ref)
        if c is not None:
            return self._number(c)
        if (node, False) not in self.at and self.graph.ops[node] == "input":
            self.at[node, False] = self._add("input", self.graph.reads[node])
        if (node, False) not in self.at and (node, True) not in self.at:  # an inverse that became no quotient
            self.at[node, False] = self._add("inv", (self._value(self.graph.reads[node][0]),))
        if (node, negative) not in self.at:
            self.at[node, negative] = self._add("neg", (self.at[node, not negative],))
        return self.at[node, negative]

    def _number(self, c: float) -> int:
        if c not in self.numbers:
            self.numbers[c] = self._add("const", (), c)
        return self.numbers[c]

    def _add(self, name: str, reads: tuple[int, ...], value: float = 0.0) -> int:
        self.lines.append((name, reads, len(self.lines), value))
        return len(self.lines) - 1


def _allotted(
    lines: list[tuple[str, tuple[int, ...], int, float]], results: list[tuple[tuple[int, int], int]]
) -> Tape:
    """Allocate registers to values; a register is reused after the last reading of its value."""
    last = {value: k for k, (name, reads, _, _) in enumerate(lines) if name != "input" for value in reads}
    ends = {value for _, value in results}
    free: list[int] = []
    register: dict[int, int] = {}
    count, found = 0, []
    for k, (name, reads, value, c) in enumerate(lines):
        places = reads if name == "input" else tuple(register[read] for read in reads)
        if name != "input":
            free += [register[read] for read in sorted(set(reads)) if last[read] == k and read not in ends]
        if free:
            register[value] = free.pop()
        else:
            register[value], count = count, count + 1
        found.append(Operation(name, places, (register[value],), c))
    found += [Operation("output", (register[value],), place) for place, value in results]
    return Tape(tuple(found), count)
