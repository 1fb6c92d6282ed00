"""Order in which the unknown multipliers and efforts of inverse dynamics are computed.

A subsystem is determinate when it has as many unknown multipliers and efforts as equations; its solution may make
others determinate. In addition to the subsystems, the irreducible blocks of the equations are found by a maximum
matching (Dulmage–Mendelsohn decomposition). These blocks may be smaller than subsystems, and they exist even if no
subsystem is determinate by itself.

The matching is computed here instead of by SciPy or networkx, whose maximum matchings have the same size, but may leave
other unknowns unmatched, so that blocks and compiled code would change. In addition networkx takes ten times as long,
and SciPy is faster only above a thousand equations.

Source: [chaudhary], §2 and §5(3) for the subsystems; Berge (1957) for the matching by augmenting paths.
Differs: an idle degree of freedom gives no equation, since no reaction or effort acts along it.
Theory: docs/theory/05-inverse-dynamics.md, eqs. (5.4), (5.5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import networkx as nx

from multiloop.kinematics.constraints import drive_targets
from multiloop.model import Mechanism
from multiloop.topology import Tree


def maximum_matching(pattern: Sequence[Sequence[int]]) -> dict[int, int]:
    """A maximum matching of a sparse matrix: the matched row of each matched column.

    `pattern` lists for every row the columns with nonzero entries.
    """
    column_of: dict[int, int] = {}
    row_of: dict[int, int] = {}
    for root in range(len(pattern)):
        reached, column = _augmenting_path(pattern, root, row_of)
        # from the end of the path to its root, each row is matched with the column that follows it on the path
        while column is not None:
            row = row_of[column] = reached[column]
            before = column_of.get(row)
            column_of[row] = column
            column = before
    return {column: row for row, column in sorted(column_of.items())}


def _augmenting_path(
    pattern: Sequence[Sequence[int]], root: int, row_of: dict[int, int]
) -> tuple[dict[int, int], int | None]:
    """Search for an augmenting path from the unmatched row `root`.

    `pattern` lists the columns of the nonzero entries of each row, `row_of` the row that is matched with each column.

    Returns the columns reached by alternating paths, each with the row that precedes it on the path, and the first
    unmatched column (None if there is none).
    """
    reached: dict[int, int] = {}
    rows = [root]
    for row in rows:
        for column in pattern[row]:
            if column in reached:
                continue
            reached[column] = row
            if column not in row_of:
                return reached, column
            rows.append(row_of[column])
    return reached, None


@dataclass(frozen=True)
class Stage:
    """One step in the solution of inverse dynamics: the subsystems that are solved together, their unknowns, and the
    numbers of unknowns (`count`) and equations."""

    subsystems: tuple[str, ...]
    unknowns: tuple[str, ...]  # cut and driven joints whose multipliers and efforts are solved in this step
    count: int
    equations: int

    @property
    def determinate(self) -> bool:
        """Whether there are as many unknowns as equations."""
        return self.count == self.equations


@dataclass(frozen=True)
class Block:
    """An irreducible block of the equations of inverse dynamics.

    `equations` are the indices of the joint rates whose equations of motion belong to the block. The unknowns of the
    block are the multipliers with the indices `multipliers` and the efforts with the indices `efforts`; `unknowns` are
    the names of the joints to which these unknowns belong.
    """

    equations: tuple[int, ...]
    multipliers: tuple[int, ...]
    efforts: tuple[int, ...]
    unknowns: tuple[str, ...]


@dataclass(frozen=True)
class Determinacy:
    """Result of the block decomposition of inverse dynamics: the stages in which the unknowns are solved one after
    another, and the irreducible blocks of all equations, both in the order of solution."""

    stages: tuple[Stage, ...]
    blocks: tuple[Block, ...]

    @property
    def complete(self) -> bool:
        """Whether every stage has as many unknowns as equations, so that all unknowns can be solved."""
        return all(stage.determinate for stage in self.stages)

    @property
    def recursive(self) -> bool:
        """Whether all stages are determinate and each consists of a single subsystem."""
        return self.complete and all(len(stage.subsystems) == 1 for stage in self.stages)


def unknown_efforts(mechanism: Mechanism) -> tuple[tuple[str, str], ...]:
    """The unknown efforts, each as (joint, component).

    These are the efforts of the actuators without a given effort or, if there are no actuators, of all driven joints.
    """
    planar = mechanism.planar
    if mechanism.actuators:
        return tuple(
            (a.joint, a.component or mechanism.joint(a.joint).components(planar)[0])
            for a in mechanism.actuators
            if a.effort is None
        )
    targets = [target for target in drive_targets(mechanism) if not target.on_marker]
    return tuple((target.of, component) for target in targets for component in target.components)


def determinacy_of(mechanism: Mechanism, tree: Tree, idle: Sequence[str] = ()) -> Determinacy:
    """The stages of inverse dynamics, found by counting the unknowns and equations of each subsystem, and the
    irreducible blocks of all equations, found by a maximum matching.

    `idle` contains the name of one body for every idle degree of freedom. Each idle degree of freedom removes one
    equation from the subsystem of its body.
    """
    return Determinacy(_stages(mechanism, tree, idle), _blocks(mechanism, tree))


def is_recursive(mechanism: Mechanism, tree: Tree) -> bool:
    """Whether the subsystems of a tree can be solved one at a time, judged by their numbers of unknowns and
    equations."""
    return Determinacy(_stages(mechanism, tree, ()), ()).recursive


def _stages(mechanism: Mechanism, tree: Tree, idle: Sequence[str]) -> tuple[Stage, ...]:
    size = {closure.name: closure.rows for closure in tree.row_groups}
    efforts = unknown_efforts(mechanism)
    home = {joint: subsystem.name for subsystem in tree.subsystems for joint in subsystem.joints}
    touching: dict[str, list[str]] = {subsystem.name: [] for subsystem in tree.subsystems}
    equations: dict[str, int] = {}
    for closure in tree.row_groups:
        for name in {home[joint] for joint in closure.joints}:
            touching[name].append(closure.name)
    spins = Counter(tree.subsystem_of(body).name for body in idle)
    for subsystem in tree.subsystems:
        freedoms = sum(tree.edge(joint).degrees_of_freedom for joint in subsystem.joints)
        equations[subsystem.name] = freedoms - spins[subsystem.name]
    often = Counter(joint for joint, _ in efforts)
    for joint, component in efforts:
        if joint in home:
            name = f"{joint} ({component})" if often[joint] > 1 else joint
            touching[home[joint]].append(name)
            size[name] = 1
    return _solution_stages(touching, size, equations)


def _solution_stages(
    touching: Mapping[str, Sequence[str]], size: Mapping[str, int], equations: Mapping[str, int]
) -> tuple[Stage, ...]:
    """Stages of solution: in each one determinate subsystem is solved, in a last stage all subsystems that never become
    determinate are solved together.

    If several subsystems are determinate, the one with the most equations is solved next. `touching` contains the names
    of the cut joints, couplings and efforts that are unknown in every subsystem, `size` the number of scalar unknowns
    of each of these names, and `equations` the number of equations of every subsystem.
    """
    beside: dict[str, list[str]] = {u: [] for u in size}
    for name, unknowns in touching.items():
        for u in unknowns:
            beside[u].append(name)
    number = {name: sum(size[u] for u in unknowns) for name, unknowns in touching.items()}
    place = {name: k for k, name in enumerate(touching)}
    ready = [(-equations[name], k, name) for name, k in place.items() if number[name] == equations[name]]
    heapify(ready)
    solved: set[str] = set()
    waiting = dict.fromkeys(touching)
    stages: list[Stage] = []
    while ready:
        *_, chosen = heappop(ready)
        if chosen not in waiting or number[chosen] != equations[chosen]:
            continue
        del waiting[chosen]
        unknowns = [u for u in touching[chosen] if u not in solved]
        stages.append(Stage((chosen,), tuple(unknowns), number[chosen], equations[chosen]))
        solved |= set(unknowns)
        for u in unknowns:
            for name in beside[u]:
                number[name] -= size[u]
                if name in waiting and number[name] == equations[name]:
                    heappush(ready, (-equations[name], place[name], name))
    if waiting:
        left = dict.fromkeys(u for name in waiting for u in touching[name] if u not in solved)
        total = sum(size[u] for u in left)
        stages.append(Stage(tuple(waiting), tuple(left), total, sum(equations[n] for n in waiting)))
    return tuple(stages)


def _blocks(mechanism: Mechanism, tree: Tree) -> tuple[Block, ...]:
    """Irreducible blocks of the equations, one equation per degree of freedom of the tree, in order of solution."""
    equations: list[str] = []
    rates: list[int] = []  # for each equation, the index of its rate; elastic rates give no equation
    next_rate, elastic = 0, dict(tree.graph.elastic)
    for b in tree.branches:
        freedom = tree.edge(b.joint).degrees_of_freedom
        equations += [b.joint] * freedom
        rates += [next_rate + k for k in range(freedom)]
        next_rate += freedom + elastic.get(b.body, 0)
    multipliers = [closure for closure in tree.row_groups for _ in range(closure.rows)]
    efforts = unknown_efforts(mechanism)
    names = [closure.name for closure in multipliers] + [joint for joint, _ in efforts]
    if not names or not equations:
        return ()
    places: dict[str, list[int]] = {joint: [] for joint in equations}
    for u, joints in enumerate([*(closure.joints for closure in multipliers), *([j] for j, _ in efforts)]):
        for joint in joints:
            if joint in places:
                places[joint].append(u)
    pattern = [places[joint] for joint in equations]
    solves = maximum_matching(pattern)
    graph = nx.DiGraph()
    graph.add_nodes_from(solves)
    # unknown u is solved from equation e once the other unknowns of this equation are known
    for u, e in solves.items():
        graph.add_edges_from((other, u) for other in pattern[e] if other in solves)
    condensed = nx.condensation(graph)
    found = []
    for node in nx.topological_sort(condensed):
        members = sorted(condensed.nodes[node]["members"])
        found.append(
            Block(
                equations=tuple(sorted(rates[solves[u]] for u in members)),
                multipliers=tuple(u for u in members if u < len(multipliers)),
                efforts=tuple(u - len(multipliers) for u in members if u >= len(multipliers)),
                unknowns=tuple(names[u] for u in members),
            )
        )
    return tuple(found)
