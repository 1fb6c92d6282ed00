"""Forward dynamics with subsystem-level Lagrange multipliers (SSLM): subsystems are eliminated first, then loops.

Eliminating the unknowns u_j of the subsystems from the equations of motion with their rows leaves, one block for
every pair of loops that share a subsystem, the generalized inertia constraint matrix Ī (GICM):

    [I_u J_uᵀ; J_u 0] [u; −λ] = [φ_u; γ]      →      Ī λ = Ψ̄,   Ī_(r,s) = Σ_j J_(r,j) I_j⁻¹ J_(s,j)ᵀ

It is one sparse elimination: only half of Ī is formed, and u follows from the factors that exist already.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from multiloop.dynamics.articulated import articulated
from multiloop.dynamics.elimination import entries
from multiloop.dynamics.forward.order import Key, solved_in_order
from multiloop.dynamics.forward.slm import slm
from multiloop.dynamics.problem import Forward, Problem, column_of
from multiloop.dynamics.symmetric import Entries
from multiloop.dynamics.unknown_rows import constraint_rows
from multiloop.dynamics.unknowns import Unknowns
from multiloop.kinematics.chart import LENGTHS
from multiloop.spatial import Matrix

LONG = 5
"""Number of links from which a branch without loops is solved by recursion; a dense solve is cheaper below."""


def sslm(problem: Problem, order: Sequence[int] | None = None) -> Forward:
    """Subsystems, then loops in an order of least work; the plan's `order` decides between equals.

    Source: [koul], eqs. (18)–(24), (33)–(35).
    Differs: the unknowns are those of `members`, v̇ = T u; accelerations follow from the same factors instead of
    a second recursion; branches without loops are solved by recursion. A loop may be eliminated before the
    subsystems that it shares with others (`solved_in_order`). Redundant rows and massless links couple the
    subsystems; the mechanism is then one subsystem, and the method is `slm`.
    """
    if problem.basis is not None or not problem.regular:
        return slm(problem)
    tree = Unknowns(problem.at)
    rows = closing_rows(tree, problem)
    recursive = _open_branches(problem, tree, rows)
    keys: list[Key] = [
        ("u", k, i)
        for k in reversed(range(len(tree.links)))
        if k not in recursive
        for i in range(tree.members[k].S.shape[1])
    ]
    K, right = _dynamic_part(tree, problem.tau, recursive)
    own = len(problem.at.own.constraints)
    for r in [*(order or range(own)), *range(own, len(rows))]:
        columns, gamma = rows[r]
        keys += [("lam", r, i) for i in range(gamma.shape[0])]
        right |= {("lam", r, i): value for i, (value,) in enumerate(entries(gamma))}
        for k, block in columns.items():
            K |= _nonzero(("lam", r), ("u", k), block)
    x = solved_in_order(K, right, keys, _telescopic(tree))
    solved = recursive | {
        k: column_of([x["u", k, i] for i in range(member.S.shape[1])])
        for k, member in enumerate(tree.members)
        if k not in recursive
    }
    lam = [-x["lam", r, i] for r, (_, gamma) in enumerate(rows) for i in range(gamma.shape[0])]
    return Forward(tree.accelerations([solved[k] for k in range(len(tree.links))]), column_of(lam))


def _telescopic(tree: Unknowns) -> set[int]:
    """Indices of the links whose inboard joint has a sliding coordinate."""
    return {
        k
        for k, link in enumerate(tree.links)
        if not set(LENGTHS).isdisjoint(link.joint.components(tree.planar))
    }


def closing_rows(tree: Unknowns, problem: Problem) -> list[tuple[dict[int, Matrix], Matrix]]:
    """J_u by links and γ of every constraint."""
    rows, given = problem.rows, problem.given
    found = [
        constraint_rows(tree, one, rows.given_to(given, number))
        for number, one in enumerate(rows.constraints)
    ]
    if problem.beyond is None:
        return found
    return [
        (columns, gamma + problem.beyond[place])
        for (columns, gamma), place in zip(found, rows.slices, strict=True)
    ]


def _open_branches(
    problem: Problem, tree: Unknowns, rows: list[tuple[dict[int, Matrix], Matrix]]
) -> dict[int, Matrix]:
    """u of long subsystems without loops and drives, by recursion."""
    closed = {k for columns, _ in rows for k in columns}
    found: dict[int, Matrix] = {}
    for members in subsystem_links(problem):
        if len(members) >= LONG and closed.isdisjoint(members):
            found |= articulated(tree, problem.tau, members)
    return found


def _dynamic_part(
    tree: Unknowns, tau: Matrix, without: dict[int, Matrix]
) -> tuple[Entries[Key], dict[Key, Matrix]]:
    """Entries of I_u, one of each symmetric pair, and φ_u."""
    K: Entries[Key] = {}
    for (j, k), block in tree.inertia(without).items():
        found = _nonzero(("u", j), ("u", k), block)
        K |= {(a, b): value for (a, b), value in found.items() if j != k or a <= b}
    right: dict[Key, Matrix] = {}
    for k, force in enumerate(tree.forces(tau)):
        if k not in without:
            right |= {("u", k, i): value for i, (value,) in enumerate(entries(force))}
    return K, right


def _nonzero(row: tuple[str, int], column: tuple[str, int], block: Matrix) -> Entries[Key]:
    """The structurally nonzero entries of a block, by their keys."""
    sparse = ca.sparsify(block)
    return {
        ((*row, i), (*column, j)): value
        for i, line in enumerate(entries(sparse))
        for j, value in enumerate(line)
        if sparse.sparsity().has_nz(i, j)
    }


def subsystem_links(problem: Problem) -> list[list[int]]:
    """Indices in `links` of the bodies of each subsystem."""
    index = problem.at.skeleton.index
    return [[index[body] for body in subsystem.bodies] for subsystem in problem.at.skeleton.tree.subsystems]
