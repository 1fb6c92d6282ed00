"""The plan of a mechanism: spanning tree, rank, mobility, redundancy, determinacy and order of solution.

`analyse` assembles the mechanism and plans it; `plan_at` plans it around a given assembled configuration. A
mechanism whose loops close only approximately, because its dimensions were entered with few digits, is planned
at the nearest configuration found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.kinematics import equations_of
from multiloop.kinematics.assembly import Assembly, StateValues, find_assembly_modes, start_conditions
from multiloop.model import (
    AssemblyError,
    Mechanism,
    ResultWarning,
    SuggestsAttributes,
    count_text,
    implausible_numbers,
    implemented_in,
    public_function,
    single_design,
)
from multiloop.plan.block_decomposition import Determinacy, determinacy_of, is_recursive
from multiloop.plan.massless_links import AssembledPosition, MasslessLinks, massless_joints, massless_links
from multiloop.plan.mobility import (
    IdleMotion,
    LockedModes,
    find_locked_modes,
    idle_motions,
    unique_reactions,
    with_undetermined_bearings,
)
from multiloop.plan.operation_count import elimination_order, tree_cost
from multiloop.plan.rank import Rank, generic_rank
from multiloop.topology import (
    Tree,
    candidate_trees,
    count_mobility,
    gicm_pattern,
    graph_of,
    jacobian_pattern,
    tree_of,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LARGEST_GAP = 1e-2
"""Largest gap of loops that do not close, relative to the size of the mechanism, that is attributed to rounded
dimensions."""


def nearest_assembly(mechanism: Mechanism, error: AssemblyError) -> Assembly:
    """The best configuration of a failed assembly if its gap is small enough; otherwise raises `error`."""
    if error.gap is None or error.best is None or error.gap > LARGEST_GAP:
        raise error
    tree = tree_of(mechanism)
    equations = equations_of(mechanism, tree)
    q = equations.skeleton.neutral_position.copy()
    for link in equations.skeleton.links:
        q[link.q] = error.best[link.joint.name]
    p = np.array(list(mechanism.parameters.values()))
    return Assembly(mechanism, equations, q, equations.time_values(0.0), p, 0.0, error.gap, 0.0, ())


LARGE_TREE = 200
"""Number of moving bodies above which the first spanning tree is used, without a comparison of operation counts."""

CANDIDATES = 48
"""Largest number of candidate spanning trees whose operation counts are compared."""


@dataclass(frozen=True, eq=False)
class Plan(SuggestsAttributes):
    """Properties of a mechanism that are known before any motion is computed.

    `count` is the mobility by the Grübler–Kutzbach criterion, `mobility` the true one. `gap` is the remaining gap of
    the loops, relative to the size of the mechanism; it is nonzero only if the dimensions do not allow the loops to
    close, and the rank is then uncertain. `unique` states for every joint which reaction components equilibrium
    determines, `bending` which modes of flexible bodies the loops lock. `order` is the order in which the loops are
    eliminated, `operations` the estimated number of multiplications of one evaluation of forward dynamics, `length` the
    characteristic length in metres. `values` are the parameter values for which the plan was made.
    """

    mechanism: Mechanism
    tree: Tree
    order: tuple[int, ...]
    operations: int
    count: int
    rank: Rank
    idle: tuple[IdleMotion, ...]
    unique: Mapping[str, tuple[tuple[str, bool], ...]]
    determinacy: Determinacy
    massless: MasslessLinks
    bending: LockedModes
    length: float
    gap: float
    assembly: Assembly
    values: Mapping[str, float]

    @implemented_in("multiloop.view", "draw_plan")
    def draw(self, *, path: str | Path | None = None) -> Figure:
        """Draw the plan.

        On the left the graph: boxes are bodies, coloured by subsystem, solid lines are tree joints, dashed lines are
        cut joints with the number of the loop that each closes. On the right the nonzero blocks of the loop Jacobian J
        (loops × subsystems) and of the generalized inertia constraint matrix Ī (loops × loops), and the order in which
        inverse dynamics solves for its unknowns. With `path` the picture is saved. Nothing is shown on a screen.
        """
        raise NotImplementedError

    @implemented_in("multiloop.view", "show_plan")
    def _repr_html_(self) -> str:
        """The plan as HTML, shown in notebooks."""
        raise NotImplementedError

    @cached_property
    def mobility(self) -> int:
        """Instantaneous degrees of freedom, idle ones included."""
        return self.rank.mobility

    @property
    def configurations(self) -> int:
        """Dimension of the configuration space; equal to the mobility unless there are nonholonomic constraints."""
        return self.rank.configurations

    @cached_property
    def redundant(self) -> int:
        """Number of redundant constraints."""
        return self.rank.redundant

    @property
    def cuts(self) -> tuple[str, ...]:
        """The cut joints and the pairs, which are never part of the tree."""
        return self.tree.cuts

    @property
    def jacobian_pattern(self) -> tuple[tuple[bool, ...], ...]:
        """For every loop and every subsystem, whether their block of the loop Jacobian J is nonzero."""
        return jacobian_pattern(self.tree)

    @property
    def gicm_pattern(self) -> tuple[tuple[bool, ...], ...]:
        """For every two loops, whether their block of the generalized inertia constraint matrix Ī is nonzero."""
        return gicm_pattern(self.tree)

    @property
    def warnings(self) -> tuple[ResultWarning, ...]:
        """Warnings about implausible values in the description, and about elastic modes that the joints lock."""
        return (*implausible_numbers(self.mechanism), *self.bending.warnings)

    def explain(self) -> str:
        """Text that describes the plan: mobility, drives, reactions and masses, and how the equations are solved."""
        from multiloop.plan.explanation import explain_plan

        return explain_plan(self)

    def __getstate__(self) -> dict[str, Any]:
        """Attributes of the plan for pickling; traced equations cannot be pickled and are replaced by the data that
        define them."""
        held = {entry.name: getattr(self.assembly, entry.name) for entry in fields(self.assembly)}
        equations = held.pop("equations")
        sources = (equations.skeleton.mechanism, equations.skeleton.tree, equations.targets, equations.spins)
        return vars(self) | {"assembly": (held, sources)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        held, sources = state["assembly"]
        vars(self).update(state | {"assembly": Assembly(equations=equations_of(*sources), **held)})

    def __repr__(self) -> str:
        return (
            f"Plan of '{self.mechanism.name}': {count_text(len(self.tree.loops), 'independent loop')}, "
            f"{count_text(len(self.tree.subsystems), 'subsystem')}, mobility {self.mobility} "
            f"(Grübler–Kutzbach count {self.count}), "
            f"{count_text(self.redundant, 'redundant constraint')}, cut joints: {', '.join(self.cuts) or 'none'}."
        )


@public_function
def analyse(
    mechanism: Mechanism,
    *,
    cuts: Sequence[str] | None = None,
    start: StateValues | None = None,
    guess: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Plan:
    """Plan a mechanism: choose its tree and find rank, redundant constraints, idle motions and undetermined reactions.

    The configuration is given by the drives at t = 0, the values in `start` and the `guess`. If several assembly modes
    remain, the one nearest to the guess is used, since the results are properties of the mechanism rather than of one
    configuration. Without `cuts` the tree with the smallest operation count is used.

    `start`, where the search begins, is a mapping from joints to coordinates, a State (at its time) or an Equilibrium.
    `parameters` gives other parameter values by name.
    """
    mechanism = single_design(mechanism, parameters)
    t, held, _ = start_conditions(mechanism, start)
    try:
        assembly = find_assembly_modes(mechanism, start=held, guess=guess, t=t)[0]
    except AssemblyError as error:
        assembly = nearest_assembly(mechanism, error)
    return plan_at(assembly, cuts)


def plan_at(assembly: Assembly, cuts: Sequence[str] | None = None, prefer: Sequence[str] = ()) -> Plan:
    """The plan of a mechanism around an assembled configuration; `prefer` names joints that should not be cut."""
    mechanism = assembly.mechanism
    rank, screws = generic_rank(assembly)
    tree, massless = _choose_tree(mechanism, cuts, assembly, prefer)
    order = elimination_order(tree)
    idle = idle_motions(mechanism, screws)
    return Plan(
        mechanism=mechanism,
        tree=tree,
        order=order,
        operations=tree_cost(tree, order),
        count=count_mobility(tree.graph),
        rank=rank,
        idle=idle,
        unique=with_undetermined_bearings(
            unique_reactions(screws, rank), assembly.equations.loop_constraints.constraints
        ),
        determinacy=determinacy_of(mechanism, tree, [spin.bodies[0] for spin in idle]),
        massless=massless,
        bending=find_locked_modes(assembly),
        length=assembly.equations.skeleton.characteristic_length,
        gap=assembly.gap,
        assembly=assembly,
        values=dict(mechanism.parameters),
    )


def _choose_tree(
    mechanism: Mechanism, cuts: Sequence[str] | None, assembly: Assembly, prefer: Sequence[str]
) -> tuple[Tree, MasslessLinks]:
    """The spanning tree, and the result of its test for massless links.

    The tree is the one with the given cut joints or, without `cuts`, the one with the smallest operation count among
    those whose joints all move some mass. `prefer` names joints that should not be cut.
    """
    if cuts is not None:
        trees = [tree_of(mechanism, cuts)]
    elif len((first := tree_of(mechanism, prefer=prefer)).branches) > LARGE_TREE:
        trees = [first]
    else:
        trees = list(candidate_trees(graph_of(mechanism, prefer), CANDIDATES))
        trees.sort(key=lambda tree: (tree_cost(tree), not is_recursive(mechanism, tree)))
    position = AssembledPosition(assembly)
    for tree in trees:
        if not massless_joints(position.links_along(tree)):
            return tree, MasslessLinks((), ())
    equations = equations_of(mechanism, trees[0])
    return trees[0], massless_links(equations, assembly.coordinates_on(equations), assembly.p, assembly.t)
