"""Modes of flexible bodies that loops lock, to first and to second order.

    J n = 0                        motions, drives released; a mode without a component in any n is locked
    uᵀ J = 0,  uᵀ dJ[n] m ≠ 0      a redundant row u that constrains deformation along n and m to second order

The second case is an inextensible flexible link between ends whose distance the loops fix: it cannot bend by any
amount, and the equations are singular in its straight configuration. With an axial mode it can bend.

Source: ours, first-order perturbation of the rank of J along its null space.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from multiloop.kinematics.assembly import Assembly
from multiloop.kinematics.equations import Equations, equations_of
from multiloop.kinematics.independence import RANK
from multiloop.kinematics.skeleton import Link
from multiloop.model import Beam, Fault, Mechanism, SolveError

STEP = 1e-4
"""Step of the finite difference of J, in radians or characteristic lengths."""

MOVES = 1e-6
"""Component of a unit motion below which a mode is taken not to take part in it."""

FELT = 1e-3
"""Threshold of uᵀ dJ[n] m with rows and rates in characteristic lengths: round-off is about 1e-11, locking about 1."""

ACROSS = ("y", "z", "space")
"""Directions of bending; locked axial and torsional modes are often intended and not reported."""


ONLY_BENDS = (
    "only bends, and keeps its length, between ends whose distance loops hold: it cannot bend by any amount"
)
LET_STRETCH = (
    'Let it stretch too, modes={"y": 2, "x": 1}; in space "twist": 1 as well, which bending both ways makes.'
)


@dataclass(frozen=True)
class BendingRoom:
    """Links and directions in which loops lock all modes, and links whose bending they lock to second order."""

    held: tuple[tuple[str, str, int], ...] = ()  # link, direction, number of its modes
    locked: tuple[str, ...] = ()

    @property
    def said(self) -> tuple[str, ...]:
        """The locked modes, one sentence for each link and direction."""
        told = []
        for link, way, count in self.held:
            shapes = {1: "its one shape", 2: "both of its shapes"}.get(count, f"all {count} of its shapes")
            told.append(f"'{link}' cannot bend along {way}: its joints hold {shapes}, give it more")
        return tuple(told)


def require_bending_room(mechanism: Mechanism, found: BendingRoom) -> None:
    """Raise `SolveError` for links locked to second order: when they are straight, their loads are undetermined."""
    if found.locked:
        faults = [Fault("S21", f"link '{name}'", f"{ONLY_BENDS}.", LET_STRETCH) for name in found.locked]
        raise SolveError(f"mechanism '{mechanism.name}'", faults)


def bending_room(assembly: Assembly) -> BendingRoom:
    """Find the locked modes at an assembled configuration, with flexible bodies in their initial shape."""
    equations = equations_of(assembly.mechanism, assembly.equations.skeleton.tree)
    links = [link for link in equations.skeleton.links if link.reduced.elastic]
    if not links or not equations.own.count:
        return BendingRoom()
    J = _rows(equations, assembly, assembly.q)
    left, sizes, right = np.linalg.svd(J)
    rank = int((sizes > RANK * sizes.max(initial=0.0)).sum())
    U, N = left[:, rank:], right[rank:].T
    held = tuple(found for link in links for found in _held(equations, link, N))
    return BendingRoom(held, _locked(equations, assembly, links, U, N))


def _rows(equations: Equations, assembly: Assembly, q: np.ndarray) -> np.ndarray:
    return np.asarray(equations.scaled_loops(q, assembly.p, assembly.t).toarray())


def _held(equations: Equations, link: Link, N: np.ndarray) -> list[tuple[str, str, int]]:
    """Directions of bending in which no mode of a link can move."""
    body = equations.skeleton.mechanism.body(link.body)
    if not isinstance(body, Beam):
        return []
    moves = np.linalg.norm(N[link.eta_rate], axis=1) > MOVES
    ways = [way for way, _ in body.ways]
    found = []
    for way in dict.fromkeys(ways):
        own = [moved for one, moved in zip(ways, moves, strict=True) if one == way]
        if way in ACROSS and not any(own):
            found.append((link.body, way, len(own)))
    return found


def _locked(
    equations: Equations, assembly: Assembly, links: list[Link], U: np.ndarray, N: np.ndarray
) -> tuple[str, ...]:
    """The links with the largest share in deformations along which redundant rows become independent."""
    places = np.concatenate([np.arange(link.eta_rate.start, link.eta_rate.stop) for link in links])
    if not U.shape[1] or not N.shape[1]:
        return ()
    _, sizes, turned = np.linalg.svd(N[places], full_matrices=False)
    bending = N @ turned[sizes > MOVES].T
    found: dict[str, None] = {}
    for n in bending.T:
        step = STEP * n * equations.chart.scale
        ahead, behind = (
            _rows(equations, assembly, equations.chart.moved(assembly.q, way * step)) for way in (1, -1)
        )
        felt = np.abs(U.T @ (ahead - behind) @ bending / (2 * STEP)).max(axis=0)
        for m in bending.T[felt > FELT]:
            worst = max(links, key=lambda link: float(np.linalg.norm(m[link.eta_rate])))
            found[worst.body] = None
    return tuple(found)
