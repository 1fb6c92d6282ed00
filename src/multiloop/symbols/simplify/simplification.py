"""Simplification of operation lists (tapes): equal values are computed once and common factors are extracted.

    −a + b → b − a,   c₁ (c₂ x) → (c₁c₂) x,   a b + a c → a (b + c),   a/x, b/x → y = 1/x, a y, b y

Signs are propagated and constants are merged. The operations are converted to a graph, sums are factored, and the graph
is converted to an operation list with few registers. Operations without effect on the outputs are omitted. Values
change only by round-off.

Theory: docs/theory/14-compiled-kernels.md, section 14.2.
"""

from __future__ import annotations

from collections import Counter

from multiloop.symbols.simplify.finite_field import high_precision
from multiloop.symbols.simplify.graph import Graph, Outputs, Ref, uses_of
from multiloop.symbols.tape import Operation, Tape

DIVISION_COST = 3
"""Cost of a division in addition to that of a product, in units of the cost of a product. A division takes four times
as long as a product, and longer with vector instructions."""

PASSES = 3
"""Largest number of passes of factor extraction; each pass may reveal further common factors."""


def simplify_tape(tape: Tape) -> Tape:
    """An equivalent operation list of lower cost, or the same list if none is found."""
    with high_precision():
        graph, outputs = _graph_of_tape(tape)
        found = [write_tape(graph, outputs)]
        for _ in range(PASSES):
            graph, outputs = factor_sums(graph, outputs)
            found.append(write_tape(graph, outputs))
            if _cost(found[-1]) >= _cost(found[-2]):
                break
    return min([*found, tape], key=_cost)


def _cost(tape: Tape) -> int:
    """Cost of an operation list in units of a product: a division costs 1 + `DIVISION_COST`, any other operation 1."""
    return tape.total + DIVISION_COST * (tape.counts.get("div", 0) + tape.counts.get("inv", 0))


# conversion of an operation list to a graph and back ----------------------------------------------------


def _graph_of_tape(tape: Tape) -> tuple[Graph, Outputs]:
    """Convert an operation list to a graph; returns the graph and references to the nodes of the outputs."""
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
            registers[op.writes[0]] = graph.operation(op.name, tuple(registers[k] for k in op.reads))
    return graph, outputs


def write_tape(graph: Graph, outputs: Outputs) -> Tape:
    """Convert a graph to a list (tape) of the operations on which the outputs depend."""
    return _TapeWriter(graph, outputs).tape()


class _TapeWriter:
    def __init__(self, graph: Graph, outputs: Outputs) -> None:
        self.graph, self.outputs = graph, outputs
        self.uses = uses_of(graph, outputs)
        # for each node, the number of products without constant factor that read it
        self.products = [0] * len(graph.ops)
        for node, name in enumerate(graph.ops):
            if self.uses[node] and name == "mul" and graph.constant(graph.reads[node][0]) is None:
                for ref in graph.reads[node]:
                    self.products[abs(ref) - 1] += 1
        self.turned: set[int] = set()  # nodes whose negative value is computed
        for ref in outputs.values():
            if ref < 0:
                self._turn(-ref - 1)
        # lines of the operation list: (operation, operands, result, constant)
        self.lines: list[tuple[str, tuple[int, ...], int, float]] = []
        self.at: dict[tuple[int, bool], int] = {}  # number of the line that computes (node, whether negated)
        self.numbers: dict[float, int] = {}

    def _turn(self, node: int) -> bool:
        """Decide to compute the negative of a node instead of the node; return whether this was possible.

        The negative is computed only if this requires no additional operation and only one node reads this node.
        """
        name, reads = self.graph.ops[node], self.graph.reads[node]
        if self.uses[node] != 1 or node in self.turned:
            return False
        free = name == "sub" or (name == "mul" and self.graph.constant(reads[0]) is not None)
        if not free and name == "mul":
            free = any(self._turn(abs(ref) - 1) for ref in reads)
            if free:
                return True  # one factor is computed with the opposite sign, and with it the product
        if free:
            self.turned.add(node)
        return free

    def _carries(self, node: int) -> bool:
        """Whether the value that is computed for a node is the negative of the node's value in the graph."""
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
        return _allocate_registers(self.lines, results)

    def _quotient(self, node: int) -> bool:
        """Whether an inverse 1/x is not computed, because the products a (1/x) that read it are computed as a/x.

        This is the case if at most two nodes read the inverse, all of them products.
        """
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
        """Number of the line whose result is used as the factor `ref` of a product. If the line computes the negative
        of the factor, the product becomes negative too (`_carries`)."""
        node = abs(ref) - 1
        return self.at[node, True] if (node, True) in self.at and self._carries(node) else self._value(ref)

    def _value(self, ref: Ref) -> int:
        node, negative = abs(ref) - 1, ref < 0
        c = self.graph.constant(ref)
        if c is not None:
            return self._number(c)
        if (node, False) not in self.at and self.graph.ops[node] == "input":
            self.at[node, False] = self._add("input", self.graph.reads[node])
        # inverses are computed here when they are read first, unless they were replaced by quotients
        if (node, False) not in self.at and (node, True) not in self.at:
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


def _allocate_registers(
    lines: list[tuple[str, tuple[int, ...], int, float]], results: list[tuple[tuple[int, int], int]]
) -> Tape:
    """Allocate registers to values; a register is used again after its value has been read for the last time."""
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


Term = tuple[float, list[Ref]]
"""Type of a product in a sum: its signed constant, and references to its other factors."""

MAX_TERMS = 400
"""Largest number of terms of a sum in which common factors are extracted. Longer sums occur in table look-ups; they
have a term for each piece of a table and no common factors."""


def factor_sums(old: Graph, outputs: Outputs) -> tuple[Graph, Outputs]:
    """Rewrite sums of products with a common factor as products of the factor and a sum.

    Returns the new graph and the references to its outputs.
    """
    uses = uses_of(old, outputs)
    sums = _Sums(old, uses, outputs)
    new = Graph()
    moved: dict[int, Ref] = {}

    def there(ref: Ref) -> Ref:
        return moved[abs(ref) - 1] if ref > 0 else -moved[abs(ref) - 1]

    for node in sorted(sums.needed):
        name, reads = old.ops[node], old.reads[node]
        if name == "input":
            moved[node] = new.leaf(*reads)
        elif name == "const":
            moved[node] = new.number(old.numbers[node])
        elif node in sums.terms:
            terms = [(c, [there(factor) for factor in factors]) for c, factors in sums.terms[node]]
            moved[node] = _sum(new, [_collect_constants(new, term) for term in terms])
        else:
            reads = _as_square(old, uses, reads) if name == "mul" else reads
            moved[node] = new.operation(name, tuple(there(ref) for ref in reads[:2]))
            for ref in reads[2:]:
                moved[node] = new.mul(moved[node], there(ref))
    return new, {place: there(ref) for place, ref in outputs.items()}


def _as_square(graph: Graph, uses: list[int], reads: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """Rewrite the operands of a product a (a b) as (a, a, b), since the square a a may be used more than once."""
    for a, ref in (reads, reads[::-1]):
        node = abs(ref) - 1
        if uses[node] == 1 and graph.ops[node] == "mul" and a in graph.reads[node]:
            first, second = graph.reads[node]
            return (a, a, second if a == first else first)
    return reads


class _Sums:
    """The sums of a graph that `factor_sums` rewrites, and the nodes that the rewritten graph needs.

    `terms` contains, by node, the terms of every sum in which several terms have a common factor. `needed` are the
    nodes on which the outputs depend if these sums are computed from the factors of their terms.
    """

    def __init__(self, graph: Graph, uses: list[int], outputs: Outputs) -> None:
        self.graph, self.uses = graph, uses
        self.terms: dict[int, list[Term]] = {}
        self.needed = {abs(ref) - 1 for ref in outputs.values()}
        for node in reversed(range(len(graph.ops))):
            if node not in self.needed or graph.ops[node] in ("input", "const"):
                continue
            read = graph.reads[node]
            if graph.ops[node] in ("add", "sub"):
                terms = self._terms(node)
                if _common_factor(terms) is not None:
                    self.terms[node] = terms
                    read = tuple(factor for _, factors in terms for factor in factors)
            self.needed.update(abs(ref) - 1 for ref in read)

    def _terms(self, node: int) -> list[Term]:
        """All terms of a sum, including the terms of inner sums that are used only once; empty for very long sums."""
        found: list[Term] = []
        waiting = [(node + 1, 1)]
        while waiting and len(found) <= MAX_TERMS:
            ref, sign = waiting.pop()
            inner = abs(ref) - 1
            if inner == node or (self.uses[inner] == 1 and self.graph.ops[inner] in ("add", "sub")):
                sign = sign if ref > 0 else -sign
                first, second = self.graph.reads[inner]
                waiting += [(second, -sign if self.graph.ops[inner] == "sub" else sign), (first, sign)]
            else:
                c, factors = self._product(ref)
                found.append((sign * c, factors))
        return [] if waiting else found

    def _product(self, ref: Ref) -> Term:
        node, c = abs(ref) - 1, self.graph.constant(ref)
        if c is not None:
            return c, []
        if self.uses[node] != 1 or self.graph.ops[node] not in ("mul", "sq"):
            return (1.0, [ref]) if ref > 0 else (-1.0, [-ref])
        parts = [self._product(read) for read in self.graph.reads[node]]
        parts *= 2 if self.graph.ops[node] == "sq" else 1
        whole = 1.0 if ref > 0 else -1.0
        for c, _ in parts:
            whole *= c
        return whole, [factor for _, factors in parts for factor in factors]


def _collect_constants(graph: Graph, term: Term) -> Term:
    """The term with the constants and signs of its factors multiplied into its constant."""
    c, rest = term[0], []
    for factor in term[1]:
        value = graph.constant(factor)
        if value is not None:
            c *= value
        else:
            c, factor = (c, factor) if factor > 0 else (-c, -factor)
            rest.append(factor)
    return c, rest


def _common_factor(terms: list[Term]) -> Ref | float | None:
    """The factor or the absolute value of a constant that occurs in most terms; None if each occurs only once."""
    shared = Counter(factor for _, factors in terms for factor in set(factors))
    factor, times = max(shared.items(), key=lambda item: (item[1], -item[0]), default=(0, 0))
    constants = Counter(abs(c) for c, factors in terms if factors and abs(c) != 1.0)
    c, often = max(constants.items(), key=lambda item: (item[1], -item[0]), default=(0.0, 0))
    if max(times, often) < 2:
        return None
    return factor if times >= often else float(c)


def _sum(graph: Graph, terms: list[Term]) -> Ref:
    """Reference to a sum of terms with common factors extracted, the most frequent factor first.

    Terms with the constant 0 are omitted.
    """
    terms = [term for term in terms if term[0] != 0.0]
    common = _common_factor(terms)
    if common is None:
        total = graph.number(0.0)
        for term in terms:
            total = graph.add(total, _product(graph, term))
        return total
    inside: list[Term] = []
    outside: list[Term] = []
    for c, factors in terms:
        if isinstance(common, float) and factors and abs(c) == common:
            inside.append((c / common, factors))
        elif not isinstance(common, float) and common in factors:
            place = factors.index(common)
            inside.append((c, factors[:place] + factors[place + 1 :]))
        else:
            outside.append((c, factors))
    inner = _sum(graph, inside)
    front: Term = (common, [inner]) if isinstance(common, float) else (1.0, [common, inner])
    return _sum(graph, [*outside, _collect_constants(graph, front)])


def _product(graph: Graph, term: Term) -> Ref:
    c, factors = term
    product = graph.number(1.0)
    for factor in factors:
        product = graph.mul(product, factor)
    return graph.mul(graph.number(c), product)
