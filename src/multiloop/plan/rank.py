"""Rank of the constraint matrix, its reliability, and the resulting mobility.

The rank is that of all joints together, evaluated at several configurations reached by small finite motions, because a
single configuration may be singular. The gap, the ratio of the smallest singular value taken as nonzero to the largest
taken as zero, is reported: it is about ten decades for exact dimensions, and small for overconstrained mechanisms whose
dimensions were entered with few digits.
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
"""Nonzero relative singular values below this, and far below the next larger one, are doubtful."""

LARGE = 400
"""Number of columns of the constraint matrix above which its rank is computed from the loop Jacobian."""


@dataclass(frozen=True)
class Rank:
    """Rank of the constraint matrix.

    `smallest` is the smallest singular value taken as nonzero and `largest_zero` the largest taken as zero, both
    relative to the largest singular value; `gap` is their ratio. `doubt` is the number of values that are taken as
    nonzero but suspiciously small: constraints that would be redundant if the dimensions were exact. `shaky` counts
    infinitesimal motions: they exist to first order at this configuration and no finite motion follows from them.
    `special` counts constraints that are independent near the configuration, but not at it: the configuration is
    singular. `bends` counts motions in which flexible bodies deform: they are vibrations against the stiffness and not
    counted as degrees of freedom of the mechanism.
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
    rates_alone: int = 0  # independent constraints of rates alone (nonholonomic)
    bends: int = 0

    @property
    def gap(self) -> float:
        """Ratio of the smallest nonzero singular value to the largest taken as zero; infinite if none is zero."""
        return self.smallest / self.largest_zero if self.largest_zero > 0 else np.inf

    @property
    def mobility(self) -> int:
        """Instantaneous degrees of freedom that belong to finite motions, flexible bodies held as deformed."""
        return self.columns - self.rank - self.shaky - self.bends

    @property
    def configurations(self) -> int:
        """Dimension of the configuration space; larger than the mobility by the number of nonholonomic constraints."""
        return self.mobility + self.rates_alone

    @property
    def redundant(self) -> int:
        """Number of redundant constraints."""
        return self.rows - self.rank


def rank_of(A: np.ndarray) -> Rank:
    """Rank of a matrix with its gap."""
    sigma = np.linalg.svd(A, compute_uv=False) if A.size else np.zeros(0)
    return rank_from(sigma, *A.shape)


def rank_from(sigma: np.ndarray, rows: int, columns: int) -> Rank:
    """Rank with its gap, from all singular values in decreasing order."""
    top = float(sigma.max(initial=0.0)) or 1.0
    relative = sigma / top
    rank = int(np.sum(relative > RANK))
    doubt = 0
    for k in range(rank - 1, 0, -1):  # a drop among the nonzero values
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
"""A rank, and a function that returns the constraint matrix to which it belongs."""


def rank_at(equations: Equations, q: np.ndarray, p: np.ndarray, t: float) -> Found:
    """Rank of all joints together at one configuration; `equations` without drives."""
    skeleton = equations.skeleton
    elastic = skeleton.rates - len(equations.chart.joint_rates)
    columns = (3 if skeleton.planar else 6) * len(skeleton.mechanism.moving) + elastic
    matrix = partial(screws_of, equations, q, p, t)
    if columns > LARGE:
        return _rank_by_loops(equations, equations.scaled_loops(q, p, t), columns, elastic), matrix
    screws = matrix()
    return _rank_of_all(screws, elastic), lambda: screws


def _rank_of_all(screws: Screws, elastic: int) -> Rank:
    """Rank from the singular values of the whole constraint matrix."""
    found = rank_of(screws.A)
    held = rank_of(screws.A[:, : screws.A.shape[1] - elastic]).rank if elastic else found.rank
    if any(screws.rate_only):
        placing = rank_of(screws.A[~np.array(screws.rate_only)]).rank
        found = replace(found, rates_alone=found.rank - placing)
    return replace(found, bends=elastic - (found.rank - held))


def _rank_by_loops(equations: Equations, J: sp.spmatrix, columns: int, elastic: int) -> Rank:
    """Rank of the constraint matrix of a large mechanism, from the loop Jacobian J.

    The constraints of the tree joints are independent and leave the rates v, which the loops constrain by J:

        null A = N null J,   so   rank A = d n + e − (rates − rank J)

    The singular values are then those of J, with rows and rates in characteristic lengths. They differ from those of
    A, but vanish together with them.
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
    """Sort key: of several configurations, the one with the largest key gives the rank of the mechanism."""
    return rank.certain, rank.rank, -rank.doubt


def generic_rank(assembly: Assembly) -> tuple[Rank, Screws]:
    """The largest rank over configurations around an assembly, with the constraint matrix at the best of them.

    If the rank is already full at the assembly, all motions are finite and no other configuration is evaluated. The
    deficit of the rank at the assembly with respect to its surroundings is counted as `special`. Motions of which no
    finite part remains after closing the loops again are infinitesimal and counted as `shaky`; the rank is then that of
    the assembly itself, since the loops return to it only to the square root of round-off.
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
    ):  # where motions bifurcate each is finite, though not all at once
        shaky = ways.count - (ways.finite if len(positions) > 1 else 0)
    best = here if shaky else best
    doubt = max(0, best[0].doubt - special)  # small near singularities, hence not doubtful
    return replace(best[0], shaky=shaky, special=special, doubt=doubt), best[1]()


def independent_loop_rows(assembly: Assembly, tree: Tree, mobility: int) -> int:
    """Number of independent loop rows of a tree in a generic configuration; flexible bodies may increase it."""
    loops = equations_of(assembly.mechanism, tree)
    if len(loops.chart.joint_rates) == loops.skeleton.rates:
        return loops.skeleton.rates - mobility
    return linearised(loops, assembly.on(loops), loops.own_values(assembly.t), assembly.p).rank
