"""The plan of a mechanism: tree, cuts, order of solution, and what the constraints do and do not determine."""

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
"""Bodies beyond which the first tree is taken without comparing."""

CANDIDATES = 48
"""Trees that are counted before one is chosen."""


@dataclass(frozen=True, eq=False)
class Plan:
    """What was found out about a mechanism before any motion.

    `count` is the mobility by counting, `mobility` the true one; `gap` is how far the loops are from closing
    (not zero only when the dimensions do not allow them to close, which the rank's doubt then explains).
    `unique` tells for every joint which reaction components equilibrium determines, `bending` what loops leave of
    the shapes of links. `values` are the parameter values at which it was checked.
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
        """Independent ways of moving at an instant, idle ones included."""
        return self.rank.mobility

    @property
    def configurations(self) -> int:
        """Independent ways of being placed: the same number, unless rolling wheels hold rates alone."""
        return self.rank.configurations

    @property
    def redundant(self) -> int:
        """Constraints that repeat others."""
        return self.rank.redundant

    @property
    def cuts(self) -> tuple[str, ...]:
        """The joints opened to make the tree, and the pairs, which are never in it."""
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
        """The whole plan in words."""
        from multiloop.plan.explain import explanation

        return explanation(self)

    def __getstate__(self) -> dict[str, Any]:
        """All of it but traced equations, which cannot be written down: what they are made from stands for them."""
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
    """Plan a mechanism: choose its tree, find its rank, name what is redundant, idle and not unique.

    The position is that of the drives at t = 0, the held `start` and the `guess`; where several closures
    remain the nearest to the guess serves, since the findings belong to the mechanism rather than to one
    position of it. Without `cuts` the tree with the smallest operation count is taken.
    """
    try:
        assembly = closures(mechanism, start=start, guess=guess)[0]
    except AssemblyError as error:
        assembly = nearest_position(mechanism, error)
    return plan_at(assembly, cuts)


def plan_at(assembly: Assembly, cuts: Sequence[str] | None = None, prefer: Sequence[str] = ()) -> Plan:
    """The plan of a mechanism around a position in which it is assembled; `prefer` names joints to keep uncut."""
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
    """The given tree, or the cheapest one whose joints all move some mass."""
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
