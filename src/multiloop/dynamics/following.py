"""Forces that follow the reactions, as friction does: found together with these at one instant.

    x = h(F),      F = F₀ + G x

x are the strengths of loads; all wrenches of loads are linear in them, so every formulation is, and so are the
reactions F that it gives, but for teeth that push their wheels apart by |λ|: there G is taken anew in every step. Its
tape, derived along x, has the response G with the factors that are there already, as `respond` has it along forces. h
is solved by a fixed number of Newton's steps from x = 0, or for forces that hold from those that they share from, and
what they leave is told.

The solution is the only one where the bounds K of the slopes contract, the spectral radius ρ(K) < 1 with
K_ij ≥ |∂h_i/∂x_j| for all F. For one friction this is the limit of Painlevé: beyond it there are two solutions or none.

Source: ours; [painleve] for what may happen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions import Felt
from multiloop.dynamics.elimination import solve_dominant
from multiloop.dynamics.laws import Laws
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
    """What a formulation answers, with the strengths found: outputs by name, for every strength a row
    [x, what h leaves of it, K], and a row for every grip (`actions.grip.TOLD`)."""

    outputs: dict[str, Matrix]
    following: Matrix
    gripping: Matrix


def follow_reactions(at: Snapshot, outputs: Mapping[str, Matrix], felt: Felt, a: Matrix) -> Followed:
    """The same outputs with the strengths found; outputs, reactions `felt` and accelerations `a` are linear in
    `at.strengths`, but for teeth."""
    x, laws = at.strengths, Laws.of(at)
    m, whole = x.shape[0], ca.vertcat(*[ca.vec(ca.densify(ca.SX(part))) for part in outputs.values()])
    both = ca.vertcat(whole, laws.followed(felt, a, x))
    start, response = ca.substitute(both, x, ca.SX.zeros(m)), ca.jtimes(both, x, ca.DM.eye(m))
    bent = ca.depends_on(response, x)  # forces of teeth push apart whichever way λ points

    def answer(strengths: Matrix) -> tuple[Matrix, Matrix]:
        if bent:
            there = ca.substitute([both, response], [x], [ca.densify(ca.SX(strengths))])
            return there[0], there[1]
        return start + response @ strengths, response

    n, found = whole.shape[0], laws.start
    laws = laws.weighed(start[n:, :], response[n:, :])
    for _ in range(STEPS):
        felt_here, G = (part[n:, :] for part in answer(found))
        here, slopes = laws.at_felt(felt_here)
        found = ca.densify(found - solve_dominant(ca.DM.eye(m) + laws.soft - slopes @ G, found - here))
    solved, response = answer(found)
    left, _ = laws.at_felt(solved[n:, :])
    following = ca.horzcat(found, found - left, laws.slope_bounds(response[n:, :]))
    return Followed(_like(outputs, solved[:n, :]), following, laws.told(solved[n:, :]))


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


def _like(outputs: Mapping[str, Matrix], column: Matrix) -> dict[str, Matrix]:
    """Outputs of the same names and shapes from their entries one under the other."""
    found, place = {}, 0
    for name, part in outputs.items():
        rows, columns = part.shape
        found[name] = ca.reshape(column[place : place + rows * columns, :], rows, columns)
        place += rows * columns
    return found
