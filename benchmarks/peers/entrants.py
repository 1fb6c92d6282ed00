"""One mechanism in all programs, each with its fastest settings: checked for agreement, then selected by short runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from benchmarks.peers import mujoco_peer, pinocchio_peer
from benchmarks.peers.agreement import RIGID, SAME, SOFT, difference, unbalanced
from benchmarks.peers.cases import Case
from benchmarks.peers.mujoco_peer import MuJoCo
from benchmarks.peers.opened import Opened
from benchmarks.peers.ours import Ours
from benchmarks.peers.pinocchio_peer import LARGEST, Pinocchio
from benchmarks.peers.rounds import Contestant, quick
from benchmarks.peers.states import Moment, random_states

MUJOCO_SETTINGS = tuple(
    mujoco_peer.Settings(sparse=sparse, islands=islands)
    for sparse in (False, True)
    for islands in (False, True)
)

DENSE_UP_TO = 200
"""Rates beyond which MuJoCo is not tried with dense Jacobians."""


@dataclass(frozen=True, eq=False)
class Entrant:
    """A program with its opening and settings: its name, its difference from multiloop, and the model."""

    tool: str
    settings: Any
    peer: MuJoCo | Pinocchio
    difference: float
    contestant: Contestant
    seconds: float

    @property
    def row(self) -> dict[str, Any]:
        """The row of the table of agreement."""
        cuts = len(self.peer.opened.joined)
        return {
            "tool": self.tool,
            "settings": f"{self.settings}",
            "cuts": cuts,
            "difference": self.difference,
        }


@dataclass(frozen=True, eq=False)
class Field:
    """A case, its states, our model, and the other programs that agree."""

    case: Case

    @cached_property
    def ours(self) -> Ours:
        """multiloop."""
        return Ours(self.case.build())

    @cached_property
    def openings(self) -> list[Opened]:
        """The spanning trees with which the other programs are tried."""
        mechanism = self.case.for_peers()
        return [Opened(mechanism, cuts) for cuts in self.case.openings]

    @cached_property
    def moments(self) -> list[Moment]:
        """Closed states in motion, with efforts at driven joints, which no program cuts."""
        loaded = [name for name in self.case.driven if name in self.ours.kernels.joints]
        return random_states(self.case, self.openings[0], loaded)

    @cached_property
    def entrants(self) -> dict[str, Entrant]:
        """The fastest agreeing variant of each program and method, by name."""
        best: dict[str, Entrant] = {}
        for entrant in (*self._mujoco(), *self._pinocchio()):
            if entrant.tool not in best or entrant.seconds < best[entrant.tool].seconds:
                best[entrant.tool] = entrant
        return best

    def _mujoco(self) -> list[Entrant]:
        found = []
        for opened in self.openings:
            rates = opened.equations.skeleton.rates
            for settings in MUJOCO_SETTINGS:
                if rates > DENSE_UP_TO and not settings.sparse:
                    continue
                peer = MuJoCo(opened, settings)
                left = unbalanced(self.ours, peer, self.moments) if rates <= DENSE_UP_TO else None
                if left is not None and left > SAME:
                    raise ValueError(
                        f"'{self.case.name}' in MuJoCo is another mechanism: {left:.1e} is unbalanced"
                    )
                soft = difference(self.ours, opened, peer.accelerations, self.moments)
                if not soft < SOFT:
                    raise ValueError(f"'{self.case.name}': MuJoCo's accelerations differ by {soft:.1e}")
                states = peer.states(self.moments)
                contestant = Contestant(peer.loop(states), len(states))
                found.append(Entrant("MuJoCo", settings, peer, soft, contestant, quick(contestant)))
        return found

    def _pinocchio(self) -> list[Entrant]:
        found, apart = [], []
        for opened in self.openings:
            if opened.equations.skeleton.rates > LARGEST:
                continue
            peer = Pinocchio(opened)
            states = peer.states(self.moments)
            for settings in pinocchio_peer.LOOPED if opened.joined else pinocchio_peer.OPEN:
                peer.use(settings)
                apart.append(difference(self.ours, opened, peer.accelerations, self.moments))
                if not apart[-1] < RIGID:
                    continue
                contestant = Contestant(peer.loop(states), len(states), peer.chosen(settings))
                name = f"Pinocchio {settings.method}"
                found.append(Entrant(name, settings, peer, apart[-1], contestant, quick(contestant)))
        if apart and not found:
            raise ValueError(
                f"'{self.case.name}': Pinocchio's accelerations differ by {min(apart):.1e} at least"
            )
        return found

    def release(self) -> None:
        """Free the memory of the other programs."""
        for entrant in self.__dict__.get("entrants", {}).values():
            if isinstance(entrant.peer, Pinocchio):
                entrant.peer.release()
