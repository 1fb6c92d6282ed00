"""Independent rates of a mechanism with flexible links, where loops may couple elastic coordinates.

If the joints alone can close a loop, all elastic coordinates η are independent, and the joint coordinates depend on
them. A loop with too few joints, such as that of two leaf springs welded to a table, couples elastic coordinates: some
of them are chosen as independent, and the others depend on these, as the joint coordinates do.

    [J; S] v = [b; u],      S: unit rows that select the independent rates u from v

J v = b are the constraints on the rates v of joints and elastic coordinates. The columns of N are a basis of the rates
that satisfy J N = 0 and S_joints N = 0, where S_joints are the rows of S for the independent rates of joints. As many
rows of N as it has columns are chosen by pivoting, among those of elastic coordinates; the units of the rates are
chosen such that a unit of each rate moves its body by one radian.

Theory: docs/theory/11-stable-inversion.md, eq. (11.1).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from multiloop.analyses.steady_states import independent_rows
from multiloop.kinematics import Equations
from multiloop.kinematics.conditioning import RANK_TOLERANCE, null_space
from multiloop.kinematics.tree import Skeleton

DEPENDENT = 0.05
"""The chosen rates no longer count as independent if the smallest singular value of [J; S], the loop Jacobian and the
rows that select the rates, is below this fraction of its value at the first instant."""


@dataclass(frozen=True)
class IndependentRates:
    """Indices of the independent rates, among all rates: of links to be relaxed, of other links, and of joints.

    A link is relaxed by a deformation with which it is in equilibrium. If no links are to be relaxed, as in stable
    inversion, `relaxing` contains the rates of all flexible links.
    """

    relaxing: list[int]
    others: list[int]
    joints: list[int]

    @property
    def places(self) -> list[int]:
        """Indices of all independent rates: first those of relaxed links, then of other links, then of joints."""
        return [*self.relaxing, *self.others, *self.joints]


def elastic_rates(skeleton: Skeleton, links: Iterable[str] | None = None) -> list[int]:
    """Indices of the elastic rates of the given links, or of all flexible links if none are given."""
    found = {link.body: range(link.eta_rate.start, link.eta_rate.stop) for link in skeleton.links}
    return [k for name in (found if links is None else links) for k in found[name]]


def independent_rates(
    eq: Equations, q: np.ndarray, p: np.ndarray, t: float, links: Iterable[str], held: Iterable[str] = ()
) -> IndependentRates:
    """Independent rates at a position q: first rates of joints that can move with undeformed links, then elastic rates.

    Among the joints those in `held` are preferred. Elastic rates of other links are chosen before those of `links`, the
    links to be relaxed, so that the other links keep their shape.
    """
    n, one, coordinates = eq.skeleton.rates, np.eye(eq.skeleton.rates), eq.skeleton.coordinates
    relaxing, elastic = elastic_rates(eq.skeleton, links), elastic_rates(eq.skeleton)
    others = [k for k in elastic if k not in relaxing]
    keeping_shape = null_space(np.vstack([_scaled_rows(eq, _undeformed(eq, q), p, t), one[elastic]]))
    asked = [k for name in held if name in coordinates for k in _indices(coordinates[name].v)]
    joints = independent_rows(keeping_shape, [np.isin(np.arange(n), asked)])
    bending = null_space(np.vstack([_scaled_rows(eq, q, p, t), one[joints]]))
    if bending.shape[1] == len(elastic):  # the loops couple no elastic coordinates
        return IndependentRates(relaxing, others, joints)
    groups = [np.isin(np.arange(n), group) for group in (others, relaxing)]
    chosen = independent_rows(bending, groups)
    return IndependentRates(
        [k for k in relaxing if k in chosen],
        [k for k in others if k in chosen],
        [*joints, *(k for k in chosen if k not in elastic)],
    )


def find_dependent_modes(
    eq: Equations, times: np.ndarray, q: np.ndarray, p: np.ndarray, S: np.ndarray
) -> tuple[str, str, float] | None:
    """Error text, remedy and time if the loops couple elastic coordinates that are independent at the first instant.

    S selects the independent rates. At the time returned, the smallest singular value of [J; S], with the loop Jacobian
    J, is less than `DEPENDENT` times its value at the first instant. None if there is no such time.
    """
    if len(S) == len(elastic_rates(eq.skeleton)):  # the loops couple no elastic coordinates
        return None
    rows = [_scaled_rows(eq, one, p, float(t)) for t, one in zip(times, q, strict=True)]
    n = eq.skeleton.rates
    least = np.array([np.linalg.svd(np.vstack([J, S]), compute_uv=False)[n - 1] for J in rows])
    worst = int(np.argmin(least))
    if least[worst] > DEPENDENT * least[0]:
        return None
    names, t = ", ".join(f"'{name}'" for name in _coupled_links(eq, rows[worst])), float(times[worst])
    what = (
        f"at t = {t:.6g} s the loops couple modes of {names} that are independent at the start of the motion."
    )
    return what, "Prescribe a shorter motion, or use `simulate` with the same Motions.", t


def open_loops_text(gap: float) -> str:
    """Text stating that loops are not closed, with the residual of the loop closures if it is finite."""
    return f"stay open by {gap:.3g}" if np.isfinite(gap) else "do not close"


def _coupled_links(eq: Equations, J: np.ndarray) -> list[str]:
    """Names of the links whose elastic coordinates appear in the loop constraints with Jacobian J."""
    return [
        link.body
        for link in eq.skeleton.links
        if np.abs(J[:, link.eta_rate]).max(initial=0.0) > RANK_TOLERANCE
    ]


def _indices(own: slice) -> range:
    return range(own.start, own.stop)


def _scaled_rows(eq: Equations, q: np.ndarray, p: np.ndarray, t: float) -> np.ndarray:
    found: np.ndarray = eq.rate_row_scale[:, None] * eq.rows_jacobian(q, p, t) * eq.chart.rate_units
    return found


def _undeformed(eq: Equations, q: np.ndarray) -> np.ndarray:
    """The coordinates q with all elastic coordinates set to zero; the loops may then be open."""
    found = q.copy()
    for link in eq.skeleton.links:
        found[link.eta] = 0.0
    return found
