"""Idle spins: free rotations of bodies about their lines, their rates, and undetermined motions of a start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from multiloop.kinematics.assembly import Assembly
from multiloop.kinematics.constraints import Spin
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.independence import RANK
from multiloop.kinematics.rates import linearised
from multiloop.kinematics.readings import marker_frames
from multiloop.plan import Idle, plan_at, screws_of
from multiloop.plan.mobility import idle_freedoms
from multiloop.spatial import numeric

SEEN = 1e-6
"""A coordinate takes part in a direction if its component is larger than this."""


def spin_motions(equations: Equations, q: np.ndarray, p: np.ndarray, idle: Iterable[Idle]) -> np.ndarray:
    """Rates in which one group of bodies after another turns about its line at 1 rad/s, all other bodies at rest.

        ω = e,   v = e × r          (r from the line to the body's origin)

    One column per idle spin.
    """
    frames, origins = marker_frames(equations, q, p), equations.poses(q, p)
    skeleton, scale = equations.skeleton, equations.chart.scale
    originals = {split.twin: split.body for split in skeleton.tree.splits}
    moved = equations.twists(q, p, np.diag(scale))
    found = []
    for one in idle:
        start = numeric(frames[one.spin.start].p)
        e = numeric(frames[one.spin.end].p) - start
        e = e / np.linalg.norm(e)
        wanted = [np.zeros(len(moved[k])) for k in range(len(skeleton.links))]
        for link, twist in zip(skeleton.links, wanted, strict=True):
            if originals.get(link.body, link.body) in one.bodies:
                twist[:6] = [*e, *np.cross(e, numeric(origins[link.body].p) - start)]
        rows = np.vstack([moved[k] for k in range(len(wanted))])
        found.append(scale * np.linalg.lstsq(rows, np.concatenate(wanted), rcond=RANK)[0])
    return np.array(found).reshape(-1, skeleton.rates).T


def spin_rates(
    equations: Equations, q: np.ndarray, p: np.ndarray, v: np.ndarray, spins: Sequence[Spin]
) -> np.ndarray:
    """e · ω of every spin, for rates v or for accelerations."""
    frames, index = marker_frames(equations, q, p), equations.skeleton.index
    twists = equations.twists(q, p, v[:, None])
    lines = [numeric(frames[spin.end].p) - numeric(frames[spin.start].p) for spin in spins]
    turning = [twists[index[spin.body]][:3, 0] for spin in spins]
    return np.array([e @ omega / np.linalg.norm(e) for e, omega in zip(lines, turning, strict=True)])


def without_spins(
    equations: Equations,
    q: np.ndarray,
    p: np.ndarray,
    v: np.ndarray,
    idle: Sequence[Idle],
    spoken: np.ndarray | None = None,
) -> np.ndarray:
    """Rates in which no group of bodies turns about its line, all other bodies moving as with v.

    `spoken` are rows of requested rates: a spin that takes part in one of them is not changed.
    """
    Z = spin_motions(equations, q, p, idle)
    free = np.eye(Z.shape[1]) if spoken is None else _unseen(spoken @ Z)
    turning = spin_rates(equations, q, p, v, [one.spin for one in idle])
    least: np.ndarray = v - Z @ (free @ (free.T @ turning))
    return least


def _unseen(rows: np.ndarray) -> np.ndarray:
    """Orthonormal basis of the null space of rows whose entries are of order 1."""
    _, sigma, Vt = np.linalg.svd(rows, full_matrices=True)
    return Vt[int(np.sum(sigma > RANK)) :].T


@lru_cache(maxsize=16)
def idle_spins(assembly: Assembly) -> tuple[Idle, ...]:
    """The idle spins of an assembled mechanism: those that exist at the position as well as in its neighbourhood."""
    here = screws_of(assembly.equations, assembly.q, assembly.p, assembly.t)
    return plan_at(assembly).idle if idle_freedoms(assembly.mechanism, here) else ()


@dataclass(frozen=True, eq=False)
class LeftOpen:
    """Motions that a start leaves undetermined: `ways` spans all of them, `idle` the idle spins among them."""

    equations: Equations
    ways: np.ndarray
    idle: np.ndarray

    @property
    def count(self) -> int:
        """Number of undetermined degrees of freedom that are not idle spins."""
        return int(self.ways.shape[1] - self.idle.shape[1])

    def joints(self) -> list[str]:
        """The joints that could determine one of them; joints that only move in an idle spin are left out."""
        return [
            link.joint.name
            for link in self.equations.skeleton.links
            if _seen(self.ways[link.v]) > _seen(self.idle[link.v])
        ]


def left_open(assembly: Assembly) -> LeftOpen:
    """The directions that loops, drives and held values leave undetermined, lengths in characteristic lengths."""
    eq, scale = assembly.equations, assembly.equations.chart.scale
    linear = linearised(eq, assembly.q, assembly.s, assembly.p, placed=True)
    ways = linear.open_directions() / scale[:, None]
    Z = spin_motions(eq, assembly.q, assembly.p, idle_spins(assembly)) / scale[:, None]
    Z = Z / np.linalg.norm(Z, axis=0)
    moved = Z - ways @ (ways.T @ Z)  # part of the spins that held values determine
    return LeftOpen(eq, ways, np.linalg.qr(Z @ _unseen(moved))[0])


def _seen(rows: np.ndarray) -> int:
    """Number of independent directions in which some coordinates move."""
    return int(np.sum(np.linalg.svd(rows, compute_uv=False) > SEEN))
