"""Forces that follow the reactions, as friction does: found together with these at one instant.

    x = h(F),      F = F₀ + G x

x are the strengths of loads; all wrenches of loads are linear in them, so every formulation is, and so are the
reactions F that it gives, but for teeth that push their wheels apart by |λ|: there G is taken anew in every step. Its
tape, derived along x, has the response G with the factors that are there already, as `respond` has it along forces. h
is solved by a fixed number of Newton's steps from x = 0, and what they leave is told.

The solution is the only one where the bounds K of the slopes contract, the spectral radius ρ(K) < 1 with
K_ij ≥ |∂h_i/∂x_j| for all F. For one friction this is the limit of Painlevé: beyond it there are two solutions or none.

Source: ours; [painleve] for what may happen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions import Action, Felt, actions_of
from multiloop.dynamics.elimination import solve_dominant
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix

STEPS = 5
"""Newton's steps: an error falls with κ², κ⁴, … κ³², κ being the part of the force that friction changes."""

MET = 1e-9
"""What may be left of a strength, relative to the largest of the instant."""

TINY = 1e-280
"""Strengths below this are none."""


@dataclass(frozen=True, eq=False)
class Followed:
    """What a formulation answers, with the strengths found: outputs by name, and for every strength a row
    [x, what h leaves of it, K]."""

    outputs: dict[str, Matrix]
    following: Matrix


def follow_reactions(at: Snapshot, outputs: Mapping[str, Matrix], felt: Felt) -> Followed:
    """The same outputs with the strengths found; outputs and reactions `felt` are linear in `at.strengths`."""
    x, laws = at.strengths, [one for one in actions_of(at.skeleton) if one.load.strengths]
    m, names = x.shape[0], [name for one in laws for name in one.follows(at.skeleton)]
    names = list(dict.fromkeys(names))
    F = ca.SX.sym("F", 6 * len(names))
    h = _stacked([part for one in laws for part in one.law(at, _by_name(names, F))])
    H = ca.jacobian(h, F)
    used = [k for k in range(F.shape[0]) if H[:, k].nnz()]
    whole = ca.vertcat(*[ca.vec(ca.densify(ca.SX(part))) for part in outputs.values()])
    reactions = ca.vertcat(ca.SX(0, 1), *[ca.SX(felt[name]) for name in names])[used]
    both = ca.vertcat(whole, reactions)
    start, response = ca.substitute(both, x, ca.SX.zeros(m)), ca.jtimes(both, x, ca.DM.eye(m))
    bent = ca.depends_on(response, x)  # forces of teeth push apart whichever way λ points

    def answer(strengths: Matrix) -> tuple[Matrix, Matrix]:
        if bent:
            there = ca.substitute([both, response], [x], [ca.densify(ca.SX(strengths))])
            return there[0], there[1]
        return start + response @ strengths, response

    n, found = whole.shape[0], ca.DM(m, 1)
    for _ in range(STEPS):
        felt_here, G = (part[n:, :] for part in answer(found))
        here, slopes = ca.substitute([h, H[:, used]], [F[used]], [ca.densify(felt_here)])
        found = ca.densify(found - solve_dominant(ca.DM.eye(m) - slopes @ G, found - here))
    solved, response = answer(found)
    (left,) = ca.substitute([h], [F[used]], [ca.densify(solved[n:, :])])
    bounds = _slope_bounds(at, laws, names, used, response[n:, :])
    return Followed(_like(outputs, solved[:n, :]), ca.horzcat(found, found - left, bounds))


def is_known(following: Matrix) -> Matrix:
    """1 where the strengths were found and are the only ones, else 0: (1 − K) y = 1 has a positive y where ρ(K) < 1."""
    m = following.shape[0]
    size, left, least = ca.SX(TINY), ca.SX(0), ca.SX(1)
    y = solve_dominant(ca.DM.eye(m) - following[:, 2:], ca.SX.ones(m))
    for k in range(m):
        size = ca.fmax(size, ca.fabs(following[k, 0]))
        left = ca.fmax(left, ca.fabs(following[k, 1]))
        least = ca.fmin(least, y[k])
    return (left <= MET * size) * (least > 0)


def _by_name(names: list[str], F: Matrix) -> dict[str, Matrix]:
    return {name: F[6 * k : 6 * k + 6] for k, name in enumerate(names)}


def _stacked(parts: list[Matrix]) -> Matrix:
    return ca.vertcat(ca.SX(0, 1), *parts)


def _slope_bounds(at: Snapshot, laws: list[Action], names: list[str], used: list[int], G: Matrix) -> Matrix:
    """K, column by column: what one strength changes of the reactions changes the others by so much at most."""
    columns = []
    for j in range(G.shape[1]):
        change = ca.SX(6 * len(names), 1)
        change[used] = G[:, j]
        felt = _by_name(names, change)
        columns.append(_stacked([part for one in laws for part in one.slope_bound(at, felt)]))
    return ca.horzcat(*columns)


def _like(outputs: Mapping[str, Matrix], column: Matrix) -> dict[str, Matrix]:
    """Outputs of the same names and shapes from their entries one under the other."""
    found, place = {}, 0
    for name, part in outputs.items():
        rows, columns = part.shape
        found[name] = ca.reshape(column[place : place + rows * columns, :], rows, columns)
        place += rows * columns
    return found
