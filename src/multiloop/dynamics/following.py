"""Forces that depend on joint reactions, as friction does: found together with the reactions at one instant.

    x = h(F),      F = F₀ + G x

x are the magnitudes of these forces (`strengths`). All wrenches of loads are linear in them, so every formulation is,
and so are the reactions F, except for the separating force of gear teeth, which is proportional to |λ|: there G is
evaluated again in every step. The derivative of the expression graph along x gives the response G with the factors that
exist already, as `respond` does along forces. h is solved by a fixed number of Newton steps from x = 0, or for a
set-valued force that holds a motion from the force stored in its state; the residual is an output.

The solution is unique where the bounds K of the slopes contract, the spectral radius ρ(K) < 1 with
K_ij ≥ |∂h_i/∂x_j| for all F. For a single friction force this is Painlevé's limit: beyond it there are two solutions
or none.

Source: derived here; [painleve] for the cases without a unique solution.
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
"""Number of Newton steps: the error falls as κ², κ⁴, … κ³², where κ is the relative effect of friction on forces."""

MET = 1e-9
"""Largest residual of a force law, relative to the largest force of the instant."""

TINY = 1e-280
"""Forces below this count as zero."""


@dataclass(frozen=True, eq=False)
class Followed:
    """Outputs of a formulation by name, with the forces x substituted; for every force a row [x, residual of its law,
    K]; and for every set-valued force a row of the columns in `actions.grip`."""

    outputs: dict[str, Matrix]
    following: Matrix
    gripping: Matrix


def follow_reactions(at: Snapshot, outputs: Mapping[str, Matrix], felt: Felt, a: Matrix) -> Followed:
    """Solve x = h(F) and substitute x in the outputs; outputs, reactions `felt` and accelerations `a` are linear in
    `at.strengths`, except for separating forces of gear teeth."""
    x, laws = at.strengths, Laws.of(at)
    m, whole = x.shape[0], ca.vertcat(*[ca.vec(ca.densify(ca.SX(part))) for part in outputs.values()])
    both = ca.vertcat(whole, laws.followed(felt, a, x))
    start, response = ca.substitute(both, x, ca.SX.zeros(m)), ca.jtimes(both, x, ca.DM.eye(m))
    bent = ca.depends_on(response, x)  # separating forces of gear teeth are proportional to |λ|

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
    """1 if the forces were found and are unique, else 0: (1 − K) y = 1 has a positive solution y if ρ(K) < 1."""
    m = following.shape[0]
    size, left, least = ca.SX(TINY), ca.SX(0), ca.SX(1)
    y = solve_dominant(ca.DM.eye(m) - following[:, 2:], ca.SX.ones(m))
    for k in range(m):
        size = ca.fmax(size, ca.fabs(following[k, 0]))
        left = ca.fmax(left, ca.fabs(following[k, 1]))
        least = ca.fmin(least, y[k])
    return (left <= MET * size) * (least > 0)


def _like(outputs: Mapping[str, Matrix], column: Matrix) -> dict[str, Matrix]:
    """Outputs of the same names and shapes from a column of all their entries."""
    found, place = {}, 0
    for name, part in outputs.items():
        rows, columns = part.shape
        found[name] = ca.reshape(column[place : place + rows * columns, :], rows, columns)
        place += rows * columns
    return found
