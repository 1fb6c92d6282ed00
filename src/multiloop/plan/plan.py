"""The plan of a mechanism: spanning tree, cut joints, mobility, redundancy and order of solution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from multiloop.kinematics.assembly import Assembly, closures
from multiloop.kinematics.equations import equations_of
from multiloop.model import AssemblyError, Mechanism
from multiloop.model.asking import verb
from multiloop.model.lazy_methods import opens
from multiloop.model.names import counted
from multiloop.plan.bending_room import BendingRoom, bending_room
from multiloop.plan.cost import elimination_order, tree_cost
from multiloop.plan.determinacy import Determinacy, determinacy_of, solved_in_turn
from multiloop.plan.massless import Massless, massless_links
from multiloop.plan.mobility import Idle, idle_freedoms, unique_reactions, with_open_bearings
from multiloop.plan.nearest_assembly import nearest_position
from multiloop.plan.rank import Rank, generic_rank
from multiloop.plan.weighing import Position, thin_joints
from multiloop.topology import (
    Tree,
    candidate_trees,
    count_mobility,
    gicm_pattern,
    graph_of,
    loop_pattern,
    tree_of,
)

LARGE = 200
"""Number of bodies above which the first tree is used without comparing candidates."""

CANDIDATES = 48
"""Number of candidate trees whose operations are counted."""


@dataclass(frozen=True, eq=False)
class Plan:
    """Properties of a mechanism that are known before any motion is computed.

    `count` is the mobility by the Grübler–Kutzbach criterion, `mobility` the true one. `gap` is the remaining gap of
    the loops; it is nonzero only if the dimensions do not allow them to close, and the rank is then doubtful. `unique`
    states for every joint which reaction components equilibrium determines, `bending` which modes of flexible bodies
    the loops lock. `values` are the parameter values for which the plan was made.
    """

    mechanism: Mechanism
    tree: Tree
    order: tuple[int, ...]
    operations: int
    count: int
    rank: Rank
    idle: tuple[Idle, ...]
    unique: Mapping[str, tuple[tuple[str, bool], ...]]
    determinacy: Determinacy
    massless: Massless
    bending: BendingRoom
    length: float
    gap: float
    assembly: Assembly
    values: Mapping[str, float]

    draw = opens(
        "multiloop.view",
        "draw_plan",
        "Draw the plan: graph, block patterns, order of solution.\n\nKeyword: path.",
    )
    _repr_html_ = opens("multiloop.view", "show_plan", "What a notebook shows.")

    @property
    def mobility(self) -> int:
        """Instantaneous degrees of freedom, idle ones included."""
        return self.rank.mobility

    @property
    def configurations(self) -> int:
        """Dimension of the configuration space; equal to the mobility unless there are nonholonomic constraints."""
        return self.rank.configurations

    @property
    def redundant(self) -> int:
        """Number of redundant constraints."""
        return self.rank.redundant

    @property
    def cuts(self) -> tuple[str, ...]:
        """The cut joints and the pairs, which are never part of the tree."""
        return self.tree.cuts

    @property
    def jacobian_pattern(self) -> tuple[tuple[bool, ...], ...]:
        """Blocks of J that differ from zero: loops × subsystems."""
        return loop_pattern(self.tree)

    @property
    def gicm_pattern(self) -> tuple[tuple[bool, ...], ...]:
        """Blocks of Ī that differ from zero: loops × loops."""
        return gicm_pattern(self.tree)

    def explain(self) -> str:
        """The whole plan as text."""
        from multiloop.plan.explain import explanation

        return explanation(self)

    def __getstate__(self) -> dict[str, Any]:
        """State for pickling; traced equations cannot be pickled and are replaced by the data that define them."""
        held = {entry.name: getattr(self.assembly, entry.name) for entry in fields(self.assembly)}
        equations = held.pop("equations")
        sources = (equations.skeleton.mechanism, equations.skeleton.tree, equations.targets, equations.spins)
        return vars(self) | {"assembly": (held, sources)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        held, sources = state["assembly"]
        vars(self).update(state | {"assembly": Assembly(equations=equations_of(*sources), **held)})

    def __repr__(self) -> str:
        return (
            f"Plan of '{self.mechanism.name}': {counted(len(self.tree.loops), 'independent loop')}, "
            f"{counted(len(self.tree.subsystems), 'subsystem')}, mobility {self.mobility} (count {self.count}), "
            f"{counted(self.redundant, 'redundant constraint')}, cut at {', '.join(self.cuts) or 'nothing'}."
        )


@verb
def analyse(
    mechanism: Mechanism,
    *,
    cuts: Sequence[str] | None = None,
    start: Mapping[str, Any] | None = None,
    guess: Mapping[str, Any] | None = None,
) -> Plan:
    """Plan a mechanism: choose its tree and find rank, redundant constraints, idle motions and undetermined reactions.

    The configuration is given by the drives at t = 0, the values in `start` and the `guess`. If several assembly modes
    remain, the one nearest to the guess is used, since the results are properties of the mechanism rather than of one
    configuration. Without `cuts` the tree with the smallest operation count is used.
    """
    try:
        assembly = closures(mechanism, start=start, guess=guess)[0]
    except AssemblyError as error:
        assembly = nearest_position(mechanism, error)
    return plan_at(assembly, cuts)


def plan_at(assembly: Assembly, cuts: Sequence[str] | None = None, prefer: Sequence[str] = ()) -> Plan:
    """The plan of a mechanism around an assembled configuration; `prefer` names joints that should not be cut."""
    mechanism = assembly.mechanism
    rank, screws = generic_rank(assembly)
    tree, massless = _chosen_tree(mechanism, cuts, assembly, prefer)
    order = elimination_order(tree)
    idle = idle_freedoms(mechanism, screws)
    return Plan(
        mechanism=mechanism,
        tree=tree,
        order=order,
        operations=tree_cost(tree, order),
        count=count_mobility(tree.graph),
        rank=rank,
        idle=idle,
        unique=with_open_bearings(unique_reactions(screws, rank), assembly.equations.own.constraints),
        determinacy=determinacy_of(mechanism, tree, [spin.bodies[0] for spin in idle]),
        massless=massless,
        bending=bending_room(assembly),
        length=assembly.equations.skeleton.length,
        gap=assembly.gap,
        assembly=assembly,
        values=dict(mechanism.parameters),
    )


def _chosen_tree(
    mechanism: Mechanism, cuts: Sequence[str] | None, assembly: Assembly, prefer: Sequence[str]
) -> tuple[Tree, Massless]:
    """The tree with the given cut joints, or the cheapest one whose joints all move some mass."""
    if cuts is not None:
        trees = [tree_of(mechanism, cuts)]
    elif len((first := tree_of(mechanism, prefer=prefer)).branches) > LARGE:
        trees = [first]
    else:
        trees = list(candidate_trees(graph_of(mechanism, prefer), CANDIDATES))
        trees.sort(key=lambda tree: (tree_cost(tree), not solved_in_turn(mechanism, tree)))
    position = Position(assembly)
    for tree in trees:
        if not thin_joints(position.along(tree)):
            return tree, Massless((), ())
    equations = equations_of(mechanism, trees[0])
    return trees[0], massless_links(equations, assembly.on(equations), assembly.p, assembly.t)
