"""Is the cost of a tree, with the order of its loops, that of the plain algorithm, in time proportional to its size?"""

from itertools import combinations, islice

import numpy as np
import pytest
from laws.closed_positions import built
from unit.line_counts import lines_run
from zoo import ZOO

from multiloop.plan import Stage
from multiloop.plan.block_decomposition import _solution_stages
from multiloop.plan.operation_count import elimination_order, tree_cost
from multiloop.topology import Edge, Graph, candidate_trees, graph_of, spanning_tree


def random_graph(seed):
    """A connected graph with more joints than bodies, several of them on the ground."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 14))
    names = ["ground", *(f"b{k}" for k in range(count))]
    ends = [(names[int(rng.integers(0, k + 1) * rng.integers(0, 2))], names[k + 1]) for k in range(count)]
    ends += [tuple(rng.choice(names, 2, replace=False)) for _ in range(int(rng.integers(1, 12)))]
    freedoms = rng.integers(1, 4, len(ends)).tolist()
    edges = [
        Edge(f"J{k}", *map(str, pair), f, 6 - f)
        for k, (pair, f) in enumerate(zip(ends, freedoms, strict=True))
    ]
    return Graph("ground", tuple(names[1:]), tuple(edges))


def coupled(tree):
    """Loops that share a subsystem, pair by pair."""
    of = {joint: subsystem.name for subsystem in tree.subsystems for joint in subsystem.joints}
    touched = [{of[joint] for joint in closure.joints} for closure in tree.row_groups]
    return {
        k: {j for j, other in enumerate(touched) if j != k and own & other} for k, own in enumerate(touched)
    }


def plain_elimination(tree):
    """Fewest coupled rows first; the neighbours of an eliminated loop become coupled. Order and multiplications."""
    near, rows = coupled(tree), [closure.rows for closure in tree.row_groups]
    order, total = [], 0
    while near:
        chosen = min(near, key=lambda k: (sum(rows[j] for j in near[k]), k))
        others = near.pop(chosen)
        r, f = rows[chosen], sum(rows[j] for j in others)
        total += r * (r + 1) * (r + 2) // 6 + r * r * f + r * f * (f + 1) // 2
        order.append(chosen)
        for j in others:
            near[j] = (near[j] | others) - {j, chosen}
    return tuple(order), total


def plain_loops(tree):
    """Rows, their images and blocks, two loops at a time."""
    depth = {branch.joint: len(tree.path(branch.body)) for branch in tree.branches}
    freedom = {branch.joint: tree.edge(branch.joint).degrees_of_freedom for branch in tree.branches}
    total = 0
    for closure in tree.row_groups:
        m, r = sum(freedom[j] for j in closure.joints), closure.rows
        total += r * m + r * (r + 1) // 2 * m + 2 * r * sum(depth[j] * freedom[j] for j in closure.joints)
    for one, other in combinations(tree.row_groups, 2):
        total += one.rows * other.rows * sum(freedom[j] for j in set(one.joints) & set(other.joints))
    return total


def plain_branches(tree):
    total = 0
    for branch in tree.branches:
        above = sum(tree.edge(joint).degrees_of_freedom for joint in tree.path(branch.parent))
        total += 30 if tree.graph.dimension == 3 else 120
        total += sum(
            a * (a + 1) // 2 + 2 * a
            for a in range(above + 1, above + tree.edge(branch.joint).degrees_of_freedom + 1)
        )
    return total


def assert_counted(tree):
    order, elimination = plain_elimination(tree)
    assert elimination_order(tree) == order
    assert tree_cost(tree) == tree_cost(tree, order) == plain_branches(tree) + plain_loops(tree) + elimination


@pytest.mark.parametrize("name", ZOO)
def test_trees_of_the_zoo(name):
    for tree in islice(candidate_trees(graph_of(built(name))), 6):
        assert_counted(tree)


@pytest.mark.parametrize("seed", range(40))
def test_trees_of_random_graphs(seed):
    assert_counted(spanning_tree(random_graph(seed)))


@pytest.mark.parametrize("seed", range(40))
def test_the_largest_subsystem_that_is_determinate_is_always_solved_next(seed):
    """The stages against a literal implementation of the rule."""
    rng = np.random.default_rng(seed)
    size = {f"u{k}": int(rng.integers(1, 3)) for k in range(8)}
    touching = {f"s{k}": [u for u in size if rng.random() < 0.3] for k in range(6)}
    equations = {name: int(rng.integers(0, 5)) for name in touching}
    left, solved, expected = dict(touching), set(), []
    while left:
        new = {name: [u for u in unknowns if u not in solved] for name, unknowns in left.items()}
        ready = [name for name in left if sum(size[u] for u in new[name]) == equations[name]]
        together = [max(ready, key=equations.get)] if ready else list(left)
        found = list(dict.fromkeys(u for name in together for u in new[name]))
        count = sum(size[u] for u in found)
        expected.append(Stage(tuple(together), tuple(found), count, sum(equations[n] for n in together)))
        solved |= set(found)
        left = {name: unknowns for name, unknowns in left.items() if name not in together}
    assert _solution_stages(touching, size, equations) == tuple(expected)


def test_the_cost_of_a_long_ladder_is_counted_in_time_that_grows_with_it():
    def lines(windows):
        edges = [Edge(f"G{k}", "ground", f"v{k}", 1, 2) for k in range(windows + 1)]
        edges += [Edge(f"L{k}", f"v{k}", f"h{k}", 1, 2) for k in range(windows)]
        edges += [Edge(f"R{k}", f"h{k}", f"v{k + 1}", 1, 2) for k in range(windows)]
        bodies = (*(f"v{k}" for k in range(windows + 1)), *(f"h{k}" for k in range(windows)))
        tree = spanning_tree(Graph("ground", bodies, tuple(edges), dimension=3))
        return lines_run(tree_cost, tree)

    assert lines(800) < 8 * lines(100) * 1.1  # pairs of loops would take 64 times as long
