"""Extraction of common factors from sums, a b + a c → a (b + c), through intermediate results used only once."""

from __future__ import annotations

from collections import Counter

from multiloop.symbols.graph import Graph, Outputs, Ref, uses_of

Term = tuple[float, list[Ref]]
"""A product: its signed constant, and its other factors."""

LONG = 400
"""Number of terms beyond which a sum is unchanged: such sums select a piece of a table and have no common factors."""


def factored(old: Graph, outputs: Outputs) -> tuple[Graph, Outputs]:
    """The graph with sums of products that have a common factor rewritten as products of sums."""
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
            moved[node] = _sum(new, [_normal(new, term) for term in terms])
        else:
            reads = _squared(old, uses, reads) if name == "mul" else reads
            moved[node] = new.made(name, tuple(there(ref) for ref in reads[:2]))
            for ref in reads[2:]:
                moved[node] = new.mul(moved[node], there(ref))
    return new, {place: there(ref) for place, ref in outputs.items()}


def _squared(graph: Graph, uses: list[int], reads: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """a (a b) as (a a) b, since the square may be used more than once."""
    for a, ref in (reads, reads[::-1]):
        node = abs(ref) - 1
        if uses[node] == 1 and graph.ops[node] == "mul" and a in graph.reads[node]:
            first, second = graph.reads[node]
            return (a, a, second if a == first else first)
    return reads


class _Sums:
    """The sums in which several terms have a common factor, and all other nodes on which the outputs depend."""

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
                if _common(terms) is not None:
                    self.terms[node] = terms
                    read = tuple(factor for _, factors in terms for factor in factors)
            self.needed.update(abs(ref) - 1 for ref in read)

    def _terms(self, node: int) -> list[Term]:
        """All terms of a sum, through inner sums that are used only once; empty for very long sums."""
        found: list[Term] = []
        waiting = [(node + 1, 1)]
        while waiting and len(found) <= LONG:
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


def _normal(graph: Graph, term: Term) -> Term:
    """The term with constants and signs of its factors collected in its constant."""
    c, rest = term[0], []
    for factor in term[1]:
        value = graph.constant(factor)
        if value is not None:
            c *= value
        else:
            c, factor = (c, factor) if factor > 0 else (-c, -factor)
            rest.append(factor)
    return c, rest


def _common(terms: list[Term]) -> Ref | float | None:
    """The factor, or else the constant, that most terms share; None if no two terms share one."""
    shared = Counter(factor for _, factors in terms for factor in set(factors))
    factor, times = max(shared.items(), key=lambda item: (item[1], -item[0]), default=(0, 0))
    constants = Counter(abs(c) for c, factors in terms if factors and abs(c) != 1.0)
    c, often = max(constants.items(), key=lambda item: (item[1], -item[0]), default=(0.0, 0))
    if max(times, often) < 2:
        return None
    return factor if times >= often else float(c)


def _sum(graph: Graph, terms: list[Term]) -> Ref:
    """A sum with its common factors extracted, the most frequent first; terms that cancel are omitted."""
    terms = [term for term in terms if term[0] != 0.0]
    common = _common(terms)
    if common is None:
        total = graph.number(0.0)
        for term in terms:
            total = graph.add(total, _multiplied(graph, term))
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
    return _sum(graph, [*outside, _normal(graph, front)])


def _multiplied(graph: Graph, term: Term) -> Ref:
    c, factors = term
    product = graph.number(1.0)
    for factor in factors:
        product = graph.mul(product, factor)
    return graph.mul(graph.number(c), product)
