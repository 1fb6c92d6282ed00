"""How many constraints are independent, how sure that is, and how many ways of moving are left.

The rank is that of all joints together, at several positions reached by small finite motions, so that a
single unlucky position does not decide. The gap between the smallest singular value that counts and the
largest that does not is kept: a mechanism whose exact proportions were typed with a few digits shows a small
gap where an exact one shows ten decades.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from multiloop.kinematics.assembly import Assembly
from multiloop.kinematics.constraints import CutJoint
from multiloop.kinematics.equations import Equations, equations_of
from multiloop.kinematics.independence import RANK, singular_values
from multiloop.kinematics.rates import linearised
from multiloop.kinematics.sparse_matrices import sp
from multiloop.plan.screw_rows import screws_of
from multiloop.plan.screws import Screws
from multiloop.plan.strokes import NEARLY, ways_of
from multiloop.topology import Tree

DOUBTFUL = 3e-3
"""Singular values that count, but below this part of the largest and far below their neighbour, raise doubt."""

LARGE = 400
"""Columns of the constraint matrix from which its rank is taken from the loops alone."""


@dataclass(frozen=True)
class Rank:
    """Rank of the constraint matrix.

    `smallest` is the least singular value that counts and `largest_zero` the largest that does not, both
    relative to the largest of all; `gap` is their ratio. `doubt` is the number of values that count but are
    suspiciously small: constraints that would be redundant if the dimensions were exact. `shaky` counts ways of
    moving that exist at this position only, to first order: no finite motion follows from them. `special` counts
    constraints that are independent around the position, but not at it: there the mechanism is singular. `bends`
    counts ways of moving in which links change their shape: they vibrate against their stiffness and are no freedoms
    of the mechanism.
    """

    rows: int
    columns: int
    rank: int
    smallest: float
    largest_zero: float
    doubt: int
    doubt_value: float
    shaky: int = 0
    special: int = 0
    certain: int = 0  # singular values far from zero
    rates_alone: int = 0  # independent constraints that hold rates and no position
    bends: int = 0

    @property
    def gap(self) -> float:
        """How many times smaller the first value that does not count is; infinite when there is none."""
        return self.smallest / self.largest_zero if self.largest_zero > 0 else np.inf

    @property
    def mobility(self) -> int:
        """Ways of moving that the constraints leave at an instant, finite ones, links held as they are deformed."""
        return self.columns - self.rank - self.shaky - self.bends

    @property
    def configurations(self) -> int:
        """Ways of being placed that they leave: more than of moving where some hold rates alone, as a rolling wheel."""
        return self.mobility + self.rates_alone

    @property
    def redundant(self) -> int:
        """Constraints that repeat others."""
        return self.rows - self.rank


def rank_of(A: np.ndarray) -> Rank:
    """Rank with its gap."""
    sigma = np.linalg.svd(A, compute_uv=False) if A.size else np.zeros(0)
    return rank_from(sigma, *A.shape)


def rank_from(sigma: np.ndarray, rows: int, columns: int) -> Rank:
    """Rank with its gap, from all singular values in falling order."""
    top = float(sigma.max(initial=0.0)) or 1.0
    relative = sigma / top
    rank = int(np.sum(relative > RANK))
    doubt = 0
    for k in range(rank - 1, 0, -1):  # a drop inside the values that count
        if relative[k] < DOUBTFUL and relative[k - 1] / relative[k] > 50:
            doubt = rank - k
            break
    return Rank(
        rows=rows,
        columns=columns,
        rank=rank,
        smallest=float(relative[rank - 1]) if rank else 1.0,
        largest_zero=float(relative[rank]) if rank < len(relative) else 0.0,
        doubt=doubt,
        doubt_value=float(relative[rank - doubt]) if doubt else 0.0,
        certain=int(np.sum(relative > NEARLY)),
    )


Found = tuple[Rank, Callable[[], Screws]]
"""A rank, and the constraint matrix that it belongs to, worked out when it is asked for."""


def rank_at(equations: Equations, q: np.ndarray, p: np.ndarray, t: float) -> Found:
    """The rank of all joints together at one position; `equations` without drives."""
    skeleton = equations.skeleton
    elastic = skeleton.rates - len(equations.chart.joint_rates)
    columns = (3 if skeleton.planar else 6) * len(skeleton.mechanism.moving) + elastic
    matrix = partial(screws_of, equations, q, p, t)
    if columns > LARGE:
        return _rank_by_loops(equations, equations.scaled_loops(q, p, t), columns, elastic), matrix
    screws = matrix()
    return _rank_of_all(screws, elastic), lambda: screws


def _rank_of_all(screws: Screws, elastic: int) -> Rank:
    """By the singular values of the whole constraint matrix."""
    found = rank_of(screws.A)
    held = rank_of(screws.A[:, : screws.A.shape[1] - elastic]).rank if elastic else found.rank
    if any(screws.rate_only):
        placing = rank_of(screws.A[~np.array(screws.rate_only)]).rank
        found = replace(found, rates_alone=found.rank - placing)
    return replace(found, bends=elastic - (found.rank - held))


def _rank_by_loops(equations: Equations, J: sp.spmatrix, columns: int, elastic: int) -> Rank:
    """In a large mechanism the tree is taken out of the matrix first.

    Its joints are independent, and what they leave are the rates v, on which the loops act by their J:

        null A = N null J,   so   rank A = d n + e − (rates − rank J)

    The singular values are then those of J, each row and rate in characteristic lengths. They need not be
    those of A, but vanish together with them.
    """
    loops = rank_from(singular_values(J), *J.shape)
    if len(equations.own.held) < equations.own.count:
        placing = rank_from(singular_values(J[equations.own.held]), len(equations.own.held), J.shape[1]).rank
        loops = replace(loops, rates_alone=loops.rank - placing)
    joints = J[:, equations.chart.joint_rates] if elastic else J
    held = rank_from(singular_values(joints), *joints.shape).rank if elastic else loops.rank
    rank, certain = (columns - (J.shape[1] - count) for count in (loops.rank, loops.certain))
    mechanism, planar = equations.skeleton.mechanism, equations.skeleton.planar
    rows = sum(joint.rows(planar) for joint in mechanism.connections)
    rows += sum(len(one.rows) for one in equations.own.constraints if not isinstance(one, CutJoint))
    bends = elastic - (loops.rank - held)
    return replace(loops, rows=rows, columns=columns, rank=rank, certain=certain, bends=bends)


def _sureness(rank: Rank) -> tuple[int, int, int]:
    """By which of two positions the better one tells the rank of the mechanism."""
    return rank.certain, rank.rank, -rank.doubt


def generic_rank(assembly: Assembly) -> tuple[Rank, Screws]:
    """The largest rank over the positions around an assembly, with the constraint matrix there.

    Where it is as large as it can be at the assembly already, there is no need to look elsewhere: all ways of
    moving are finite. What it lacks at the assembly itself is special there. Ways of moving of which no finite stroke
    is left once the loops are closed again are infinitesimal and counted as shaky; the rank is then the one here, since
    elsewhere the loops come back to it to the root of round-off only.
    """
    equations = equations_of(assembly.mechanism, assembly.equations.skeleton.tree)
    here = best = rank_at(equations, assembly.q, assembly.p, assembly.t)
    if here[0].certain == min(here[0].rows, here[0].columns) and not here[0].doubt:
        return here[0], here[1]()
    ways = ways_of(assembly)
    positions = ways.positions()
    for q in positions[1:]:
        found = rank_at(equations, q, assembly.p, assembly.t)
        if _sureness(found[0]) > _sureness(best[0]):
            best = found
    special = max(0, best[0].certain - here[0].certain)
    closed = assembly.gap <= equations.chart.closed_at(assembly.q)
    shaky = 0
    if (
        closed and here[0].certain == here[0].rank and not special
    ):  # where ways cross each is finite, if not at once
        shaky = ways.count - (ways.finite if len(positions) > 1 else 0)
    best = here if shaky else best
    doubt = max(0, best[0].doubt - special)  # what is small beside a singular position need not be doubted
    return replace(best[0], shaky=shaky, special=special, doubt=doubt), best[1]()


def independent_loop_rows(assembly: Assembly, tree: Tree, mobility: int) -> int:
    """Rows of a tree's loops that are independent at most positions; links that bend may make more of them so."""
    loops = equations_of(assembly.mechanism, tree)
    if len(loops.chart.joint_rates) == loops.skeleton.rates:
        return loops.skeleton.rates - mobility
    return linearised(loops, assembly.on(loops), loops.own_values(assembly.t), assembly.p).rank
