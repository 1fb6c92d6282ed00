"""Is there room to bend? What loops leave of the shapes of links, to first and to second order.

    J n = 0                        ways of moving, drives let go; a shape without a part in any n is held
    uᵀ J = 0,  uᵀ dJ[n] m ≠ 0      a row that repeats others here, and holds bending along n and m by its square

The second is a link that keeps its length between ends that keep their distance: it may not bend by any amount, and the
equations are singular where it is straight. One that can stretch bends as much as that lets it.

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
"""Of the difference of J, in radians or characteristic lengths."""

MOVES = 1e-6
"""Part of a unit way of moving below which a shape has none in it."""

FELT = 1e-3
"""Of rows and rates in characteristic lengths: round-off leaves 1e-11 of what is not felt, and bending makes some 1."""

ACROSS = ("y", "z", "space")
"""Ways of deforming that bend a link: what cannot be stretched or twisted is often meant so."""


ONLY_BENDS = (
    "only bends, and keeps its length, between ends whose distance loops hold: it cannot bend by any amount"
)
LET_STRETCH = (
    'Let it stretch too, modes={"y": 2, "x": 1}; in space "twist": 1 as well, which bending both ways makes.'
)


@dataclass(frozen=True)
class BendingRoom:
    """Links, and ways, whose shapes loops hold altogether; links that they hold by the square of their bending."""

    held: tuple[tuple[str, str, int], ...] = ()  # link, way, number of its shapes
    locked: tuple[str, ...] = ()

    @property
    def said(self) -> tuple[str, ...]:
        """What is held, one sentence a link and way."""
        told = []
        for link, way, count in self.held:
            shapes = {1: "its one shape", 2: "both of its shapes"}.get(count, f"all {count} of its shapes")
            told.append(f"'{link}' cannot bend along {way}: its joints hold {shapes}, give it more")
        return tuple(told)


def require_bending_room(mechanism: Mechanism, found: BendingRoom) -> None:
    """Refuse links that loops hold by the square of their bending: straight, nothing decides what they carry."""
    if found.locked:
        faults = [Fault("S21", f"link '{name}'", f"{ONLY_BENDS}.", LET_STRETCH) for name in found.locked]
        raise SolveError(f"mechanism '{mechanism.name}'", faults)


def bending_room(assembly: Assembly) -> BendingRoom:
    """At an assembled position, where links are as they begin."""
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
    """Ways in which a link bends and none of whose shapes can move."""
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
    """Links with the largest part in ways of bending along which redundant rows cease to be so."""
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
