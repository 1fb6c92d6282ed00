"""All that holds and lets go in a run, in numbers: what it does in a state, and the modes it is in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.dynamics.actions.grip import BOUNDLESS, HIGH
from multiloop.model import Contact
from multiloop.questions.running.choice import Choice
from multiloop.questions.running.run_model import RunModel

RIGID = 1e-10
"""Below this part of what the opened tree would yield a grip does not yield at all."""


@dataclass(frozen=True, eq=False)
class Across:
    """What unit impulses along the axes of rough contacts do, as in `Struck`; `contacts` are the grips, each with as
    many columns as it has axes, `axes` along inertial ones (3 × columns), and a row [μ, slip] in `rough`."""

    contacts: np.ndarray
    v: np.ndarray
    lam: np.ndarray
    forces: np.ndarray
    rates: np.ndarray
    axes: np.ndarray
    rough: np.ndarray

    @property
    def ways(self) -> int:
        """Axes a contact has: one in the plane, two in space."""
        return int(self.rates.shape[0]) // len(self.contacts)


@dataclass(frozen=True, eq=False)
class Struck:
    """What a unit impulse of every grip does: jumps of v, λ and forces (columns), the rates Jᵍ that grips hold.

    `laws` has a row [restitution, speed, whether there is a gap] for every grip. `across` is the same of impulses
    across the normals of rough contacts, None where there are none.
    """

    v: np.ndarray
    lam: np.ndarray
    forces: np.ndarray
    rates: np.ndarray
    laws: np.ndarray
    across: Across | None = None

    @property
    def compliance(self) -> np.ndarray:
        """D = Jᵍ R: how impulses change what grips hold."""
        found: np.ndarray = self.rates @ self.v
        return found


@dataclass(frozen=True, eq=False)
class Grips:
    """The grips of a run."""

    run: RunModel

    @cached_property
    def names(self) -> list[str]:
        """The load of each."""
        loads = self.run.model.skeleton.mechanism.all_loads
        return [load.name for load in loads for _ in load.modes]

    def called(self, which: Iterable[int]) -> str:
        """Some of them in words, by their loads."""
        names = list(dict.fromkeys(f"'{self.names[k]}'" for k in which))
        return f"load {names[0]}" if len(names) == 1 else f"loads {', '.join(names)}"

    def unit(self, k: int) -> str:
        """In which what it holds is measured, m or rad."""
        turns = self.run.model.readouts.load_units[self.names[k]].get("effort") == "N m"
        return "rad" if turns else "m"

    @cached_property
    def _places(self) -> list[int]:
        """Of the modes in y."""
        skeleton, first = self.run.model.skeleton, self.run.layout["x"].start
        states = list(skeleton.states)
        loads = skeleton.mechanism.all_loads
        return [first + states.index(f"{load.name}.{mode}") for load in loads for mode in load.modes]

    @cached_property
    def strengths(self) -> list[int]:
        """Which strengths they are."""
        loads = self.run.model.skeleton.mechanism.all_loads
        flags = [bool(load.modes) for load in loads for _ in range(load.strengths)]
        return [k for k, flag in enumerate(flags) if flag]

    def modes(self, y: np.ndarray) -> np.ndarray:
        """The mode of each."""
        return y[self._places]

    def in_modes(self, y: np.ndarray, modes: np.ndarray) -> np.ndarray:
        """The state with other modes."""
        found = y.copy()
        found[self._places] = modes
        return found

    def told(self, t: float, y: np.ndarray, choice: Choice) -> np.ndarray:
        """What is to be known of each, by columns (`actions.grip`)."""
        given = self.run.signals.inputs_at(t, y) | choice.given
        (found,) = self.run.gripping(**given, p=self.run.model.p)
        return found.reshape(len(self.names), -1, order="F")

    def struck(self, t: float, y: np.ndarray, choice: Choice) -> Struck:
        """What impulses do in a state."""
        given = self.run.signals.inputs_at(t, y) | choice.given
        v, lam, forces, rates, laws, *across = self.run.struck(**given, p=self.run.model.p)
        m, rows = self.run.model.strengths, self.run.model.equations.own.count
        columns = [part.reshape(-1, m, order="F")[:, self.strengths] for part in (v, lam, forces)]
        count = len(self.names)
        return Struck(
            columns[0],
            columns[1][:rows],
            columns[2],
            rates.reshape(count, -1, order="F"),
            laws.reshape(count, 3, order="F"),
            self._across(*across) if self._rough else None,
        )

    @cached_property
    def _rough(self) -> list[int]:
        """The contacts that have friction."""
        loads = self.run.model.skeleton.mechanism.all_loads
        each = [load for load in loads for _ in load.modes]
        return [k for k, load in enumerate(each) if isinstance(load, Contact) and load.is_rough]

    def _across(self, *found: np.ndarray) -> Across:
        rates, axes, rough = found[3:]
        columns = rough.size // 2 * (1 if self.run.model.skeleton.planar else 2)
        v, lam, forces = (part.reshape(-1, columns, order="F") for part in found[:3])
        return Across(
            np.array(self._rough),
            v,
            lam[: self.run.model.equations.own.count],
            forces,
            rates.reshape(columns, -1, order="F"),
            axes.reshape(3, columns, order="F"),
            rough.reshape(-1, 2, order="F"),
        )

    def yields(self, y: np.ndarray, struck: Struck) -> np.ndarray:
        """How far a unit impulse of each changes its own rate in the opened tree, Jᵍ I⁻¹ Jᵍᵀ."""
        free = np.linalg.pinv(self.run.model.inertia(y[self.run.layout["q"]]))
        found: np.ndarray = np.einsum("ki,ij,kj->k", struck.rates, free, struck.rates)
        return found

    def prescribed(self, y: np.ndarray, struck: Struck) -> np.ndarray:
        """Which of them hold what drives prescribe: no impulse changes that."""
        found: np.ndarray = np.abs(np.diag(struck.compliance)) <= RIGID * self.yields(y, struck)
        return found

    def one_sided(self, told: np.ndarray) -> np.ndarray:
        """Which of them have no upper end: these can exert impulses."""
        found: np.ndarray = told[:, HIGH] > BOUNDLESS / 2
        return found
