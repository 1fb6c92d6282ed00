"""The modes in which a mechanism goes on, and whether other motions agree with all forces too.

Everything is held at first. Where the forces are then within their limits nothing moves. Where they are not, but other
forces are that hold the same (`AdmissibleForces`), nothing moves either, and forces are shared from these. Otherwise
modes are pivoted (`pivots`). Where this does not end, Coulomb's law is solved for the accelerations as it is solved for
the rates in an impact (`Strike`), and then all sets of modes are tried, as also where forces may have several
solutions.

Source: [painleve] for what may happen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np

from multiloop.dynamics.actions.grip import BOUNDLESS, HIGH, LEFT, SLACK, Mode
from multiloop.questions.running.switching.grips import Foot
from multiloop.questions.running.switching.pivots import CLEAR, RESTS, SETTLED, Pivots, way_off

MOST = 729
"""Sets of modes that are all tried, …"""

MOST_CONES = 14
"""… and contacts with friction for whose directions of sliding it is tried whether forces may have several solutions;
with more of them several are taken to be possible."""

HOLDS = 1e-6
"""What is held has accelerations of less than this part of those without what holds."""

REPEATS = 1e-9
"""Forces hold nothing where they change this part of what they would in the opened tree."""

MOVES_OFF = 1e-6
"""A motion beside rest has accelerations of at least this part of those of free bodies."""


@dataclass(frozen=True, eq=False)
class Solved:
    """A state, the modes that agree in it, and whether other motions agree with all forces too.

    `unexamined` tells that there may be others, and that there are too many sets of modes to try them all.
    """

    y: np.ndarray
    modes: np.ndarray
    several: bool = False
    unexamined: bool = False


@dataclass(frozen=True, eq=False)
class Solutions:
    """The sets of modes that agree at one instant."""

    pivots: Pivots

    def solved(self, modes: np.ndarray) -> Solved | None:
        """Modes that agree, from those in which everything is held; None where there are none.

        Other modes that agree are taken where what is held is not held exactly, as beside a drive whose acceleration is
        small and contradicts rest.
        """
        found = self._solved(modes)
        if found is None or self._holds(found):
            return found
        others = (Solved(self.pivots.y, other) for other, _ in self._agreeing(modes))
        return next((other for other in others if self._holds(other)), None)

    def _holds(self, found: Solved) -> bool:
        """Whether holding forces were found as exactly as is needed to hold: not where masses differ too much."""
        told = self.pivots.at(found.y).told(found.modes)
        held = np.flatnonzero(self.pivots.grips.row_modes(found.modes) == Mode.HELD)
        held = held[np.isin(held, self.pivots.rows)]
        left, size = np.abs(told[held, LEFT]), self._free
        exact, moves = left <= SETTLED * told[held, SLACK], left * np.abs(np.diag(self.pivots.D)[held])
        usual = self.pivots.grips.accelerations(self.pivots.y)[held]
        return bool((exact | (moves <= HOLDS * size + RESTS * usual)).all())

    @property
    def _free(self) -> float:
        """The largest acceleration of what is at rest, if nothing held it."""
        return float(np.abs(self.pivots.free[self.pivots.rows]).max(initial=0.0))

    def _solved(self, modes: np.ndarray) -> Solved | None:
        ended = bool(np.isin(self.pivots.ended, self.pivots.rows).any())
        if not ended and self.pivots.agree(modes):
            return self._judged(self.pivots.y, modes, self._doubtful and self._several(self._all(modes)))
        standing = self.pivots.standing(modes)
        if ended and (standing is None or self.pivots.at(standing).at_end(modes)):
            released = self.pivots.pivoted(self.pivots.released(modes))
            if released is not None:
                return Solved(self.pivots.y, released)
        if standing is not None:
            several = (self._doubtful or self._jams) and self._let_go(modes, moves=True) is not None
            return self._judged(standing, modes, several)
        moving = self._let_go(modes)
        if moving is not None and not self._doubtful:
            return Solved(self.pivots.y, moving)
        solutions = self._all(modes)
        if moving is None and not solutions:
            return None
        return self._judged(
            self.pivots.y, solutions[0] if moving is None else moving, self._several(solutions)
        )

    def _judged(self, y: np.ndarray, modes: np.ndarray, several: bool) -> Solved:
        return Solved(y, modes, several, not several and not self.countable and self._doubtful)

    @cached_property
    def _kinds(self) -> tuple[list[int], list[Foot], list[tuple[Mode, ...]]]:
        """Grips with a mode of their own, feet, and the modes that each of all these may have."""
        two = self.pivots.told(self.pivots.grips.modes(self.pivots.y))[:, HIGH] < BOUNDLESS / 2
        feet = list(self.pivots.feet.values())
        loose = [k for k in self.pivots.candidates.tolist() if k not in self.pivots.feet]
        three = [*(bool(two[k]) for k in loose), *(foot.direction is None for foot in feet)]
        return (
            loose,
            feet,
            [(Mode.HELD, Mode.FORWARD, *((Mode.BACKWARD,) if both else ())) for both in three],
        )

    @property
    def sets(self) -> float:
        """How many sets of modes there are."""
        return float(np.prod([float(len(kind)) for kind in self._kinds[2]]))

    @property
    def countable(self) -> bool:
        """Whether there are so few sets of modes that all can be tried."""
        return self.sets <= MOST

    def _let_go(self, modes: np.ndarray, *, moves: bool = False) -> np.ndarray | None:
        """Modes that agree where not all is held, with `moves` such in which something moves off; None without any.

        In space Coulomb's law is solved first, which gives the directions of sliding as well.
        """
        starts = [lambda: modes, lambda: self.pivots.by_accelerations(modes)]
        for start in reversed(starts) if self.pivots.grips.directions[self.pivots.rows].any() else starts:
            begin = start()
            found = None if begin is None else self.pivots.pivoted(begin)
            if found is not None and (not moves or self._clearly_moves(found)):
                return found
        return None

    def _clearly_moves(self, modes: np.ndarray) -> bool:
        """Whether something moves off, by more than a small part of the accelerations without what holds."""
        told = self.pivots.told(modes)
        fast = bool(np.abs(told[self.pivots.rows, LEFT]).max() > MOVES_OFF * self._free)
        return fast and any(self.pivots.motion(modes, told))

    def _several(self, solutions: list[np.ndarray]) -> bool:
        """Whether more than one of these is a motion of its own.

        A contact that is let go and does not move off carries nothing while others carry what it might: that is one of
        the ways in which contacts share a force, which is reported where motions differ by it (`shared_loads`).
        """
        return sum(not self._spares(modes) for modes in solutions) > 1

    def _spares(self, modes: np.ndarray) -> bool:
        told = self.pivots.told(modes)
        loose = [
            k for k in self.pivots.candidates.tolist() if k not in self.pivots.feet and modes[k] != Mode.HELD
        ]
        return any(self.pivots.one_sided[k] and not way_off(modes[k], told[k]) for k in loose)

    @property
    def _jams(self) -> bool:
        """Whether contacts can press against each other with nothing else that presses: then a body may be wedged."""
        rows, told = self.pivots.rows, self.pivots.told(self.pivots.grips.modes(self.pivots.y))
        forces, normals = self.pivots.admissible(told), np.zeros(len(rows))
        for cone in forces.cones:
            normals[cone.normal] = np.sqrt(self.pivots.D[rows[cone.normal], rows[cone.normal]])
        A, b = np.vstack([forces.A, normals]), np.append(0 * forces.b, 1.0)
        return bool(forces.cones) and replace(forces, A=A, b=b).feasible

    def _all(self, modes: np.ndarray) -> list[np.ndarray]:
        """All motions that agree, each by one set of modes, as far as these can be counted."""
        found, tolds = list[np.ndarray](), list[np.ndarray]()
        for asked, told in self._agreeing(modes):
            if not any(self._alike(told, other) for other in tolds):
                found.append(asked)
                tolds.append(told)
        return found

    def _agreeing(self, modes: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """All sets of modes that agree, with what is known of each; what stands at an end counts as held."""
        if not self.countable:
            return
        loose, feet, kinds = self._kinds
        seen = set()
        for tried in product(*kinds):
            asked = modes.copy()
            asked[loose] = tried[: len(loose)]
            for foot, mode in zip(feet, tried[len(loose) :], strict=True):
                opened = foot.normal in loose and asked[foot.normal] != Mode.HELD
                asked[foot.mode] = Mode.OPEN if opened else mode
            key = tuple(asked[self.pivots.candidates].tolist())
            if key in seen:
                continue
            seen.add(key)
            self.pivots.tried.add(key)
            asked, told = self.pivots.directed(asked)
            if next(self.pivots.changes(asked, told), None) is None:
                yield asked, told

    def _alike(self, one: np.ndarray, other: np.ndarray) -> bool:
        """Whether what is at rest moves off in the same way."""
        apart = np.abs(one[self.pivots.rows, LEFT] - other[self.pivots.rows, LEFT])
        return bool((apart <= CLEAR * (one[self.pivots.rows, SLACK] + other[self.pivots.rows, SLACK])).all())

    @cached_property
    def _doubtful(self) -> bool:
        """Whether some forces together push what they hold away from them: then there may be several solutions.

            (D + Dᵀ)/2 − Σ sᵢ Fᵢ,      sᵢ = ±1

        Friction of what is at rest counts as if it slid, in every direction that it may oppose: F are the symmetric
        parts of what it adds to D. Forces that hold nothing without friction do not count.
        """
        normals = [k for k in self.pivots.candidates.tolist() if k not in self.pivots.feet]
        if not normals:
            return False
        scale = np.where(self.pivots.size[normals] > 0, self.pivots.size[normals], 1.0)
        plain = self.pivots.D[np.ix_(normals, normals)] / np.outer(scale, scale)
        sizes, ways = np.linalg.eigh((plain + plain.T) / 2)
        ways = ways[:, np.abs(sizes) > REPEATS]
        if not ways.shape[1]:
            return False
        brought = np.array([self._brought_by(foot, mu, normals) for foot, mu in self.pivots.cones])
        brought = brought.reshape(-1, len(normals), len(normals)) / np.outer(scale, scale)
        brought = brought[np.abs(brought).max(axis=(1, 2), initial=0.0) > 0]
        if len(brought) > MOST_CONES:
            return True
        signs = np.array(list(product((1.0, -1.0), repeat=len(brought)))).reshape(
            2 ** len(brought), len(brought)
        )
        projected = ways.T @ ((brought + brought.swapaxes(1, 2)) / 2) @ ways
        found = ways.T @ ((plain + plain.T) / 2) @ ways - np.tensordot(signs, projected, 1)
        return bool(np.linalg.eigvalsh(found).min() < -REPEATS)

    def _brought_by(self, foot: Foot, mu: float, normals: list[int]) -> np.ndarray:
        """What the friction of a foot adds to D of the normal forces where it opposes most what these hold."""
        found, rows = np.zeros((len(normals), len(normals))), list(foot.tangential)
        way = self.pivots.D[foot.normal, rows]
        size = float(np.linalg.norm(way))
        if size > 0 and foot.normal in normals:
            found[:, normals.index(foot.normal)] = mu * self.pivots.D[np.ix_(normals, rows)] @ (way / size)
        return found

    def state(self, solved: Solved) -> np.ndarray:
        """The state in its modes, told apart whether what is at an end of its force moves off or stands."""
        modes, found = solved.modes, solved.modes.copy()
        y, told = self.pivots.at(solved.y).settled(modes)
        in_space = [foot.mode for foot in self.pivots.feet.values() if foot.direction is not None]
        for k in self.pivots.candidates.tolist():
            if modes[k] not in (Mode.HELD, Mode.OPEN) and not self.pivots.moves(modes, told, k):
                found[k] = 2 * modes[k]
            elif modes[k] == Mode.FORWARD and k in in_space:
                found[k] = Mode.BEGINS_TO_SLIP
        return self.pivots.grips.in_modes(y, found)
