"""Independent rates of a mechanism with flexible links, where loops may couple elastic coordinates.

A loop that the joints alone can close leaves all elastic coordinates η independent, and the joint coordinates
follow. A loop with too few joints, as that of two leaf springs welded to a table, couples elastic coordinates: some
are chosen as independent, and the others follow with the joints.

    [J; S] v = [b; u],      S unit rows at the chosen places,      J N = 0 and S_joints N = 0 leave f columns in N

f of the rows of N at elastic coordinates are chosen by pivoting, each scaled so that it moves its body by a radian.

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
"""Ratio of the smallest singular value to that at the first instant below which rates are no longer independent."""


@dataclass(frozen=True)
class IndependentRates:
    """Indices of independent rates: of relaxing links, of other flexible links, and of joints."""

    relaxing: list[int]
    others: list[int]
    joints: list[int]

    @property
    def places(self) -> list[int]:
        """Indices of all independent rates: those of relaxing links first, those of joints last."""
        return [*self.relaxing, *self.others, *self.joints]


def elastic_rates(skeleton: Skeleton, links: Iterable[str] | None = None) -> list[int]:
    """Indices of the elastic rates of some links, or of all."""
    found = {link.body: range(link.eta_rate.start, link.eta_rate.stop) for link in skeleton.links}
    return [k for name in (found if links is None else links) for k in found[name]]


def independent_rates(
    eq: Equations, q: np.ndarray, p: np.ndarray, t: float, links: Iterable[str], held: Iterable[str] = ()
) -> IndependentRates:
    """Independent rates at a position: joints that move with undeformed links, `held` ones first, then elastic
    coordinates.

    Elastic coordinates of links that do not relax are chosen before those of the relaxing `links`, since they keep
    their values.
    """
    n, one, coordinates = eq.skeleton.rates, np.eye(eq.skeleton.rates), eq.skeleton.coordinates
    relaxing, elastic = elastic_rates(eq.skeleton, links), elastic_rates(eq.skeleton)
    others = [k for k in elastic if k not in relaxing]
    keeping_shape = null_space(np.vstack([_scaled_rows(eq, _undeformed(eq, q), p, t), one[elastic]]))
    asked = [k for name in held if name in coordinates for k in _indices(coordinates[name].v)]
    joints = independent_rows(keeping_shape, [np.isin(np.arange(n), asked)])
    bending = null_space(np.vstack([_scaled_rows(eq, q, p, t), one[joints]]))
    if bending.shape[1] == len(elastic):  # no elastic coordinates are coupled
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
    """Description, remedy and time where loops couple elastic coordinates that are independent at the first instant.

    At this time the smallest singular value of [J; S] is a small fraction of that at the first instant. None if there
    is no such time.
    """
    if len(S) == len(elastic_rates(eq.skeleton)):  # no elastic coordinates are coupled
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
    """Text that loops are not closed, with the gap if it is finite."""
    return f"stay open by {gap:.3g}" if np.isfinite(gap) else "do not close"


def _coupled_links(eq: Equations, J: np.ndarray) -> list[str]:
    """The links whose elastic coordinates take part in the loops."""
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
    """The position with undeformed links; motions of the joints alone there require little deformation of the links."""
    found = q.copy()
    for link in eq.skeleton.links:
        found[link.eta] = 0.0
    return found
