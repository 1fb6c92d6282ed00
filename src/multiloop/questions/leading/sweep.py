"""Many designs carried through the same motion side by side, each lane with its own parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from multiloop.plan import efforts_of
from multiloop.questions.leading.led import Led

STAGES = (12, 150)
"""Steps from the described design to the asked one, and how many where these were too few."""

POLISH = 2
"""Rounds of Newton steps at the asked design itself."""

LONGEST = 0.1
"""Longest step of a drive between two instants that are solved, in radians or characteristic lengths."""

FINE = 24
"""Parts of a step that is tried again for designs that were lost in it."""

APART = 0.1
"""Prediction and closure may differ by this much, else the design has jumped to another closure."""

CLOSED = 1e-10
"""Designs whose loops stay open by more than this have failed."""

OK, CANNOT_CLOSE, DEAD_POINT = range(3)
WORDS = ("ok", "cannot be put together", "reaches a dead point")
"""How a design ends, by its code."""


@dataclass(frozen=True, eq=False)
class Sweep:
    """Designs side by side over the same times.

    `first` is the described design's position at the first of the times, `speed` that of its fastest drive;
    `whole` keeps efforts and loads over time.
    """

    led: Led
    times: np.ndarray
    first: np.ndarray
    speed: float
    whole: bool
    threads: int | None = None

    def block(self, p: np.ndarray) -> dict[str, np.ndarray]:
        """Put designs together and follow their drives; p is parameters × designs.

        Codes and times of failure, peaks and root mean squares of efforts, peaks of loads, and where wanted all
        of them over time; designs are the second axis, or the only one.
        """
        step, count = self.led.step, p.shape[1]
        q = self.assembled(p)
        v, a = np.zeros((2, self.led.equations.skeleton.rates, count))
        codes = np.where(np.isnan(q).any(axis=0), CANNOT_CLOSE, OK).astype(np.int8)
        failed_at = np.where(codes == OK, np.nan, self.times[0])
        rooms = [np.empty((array.size, count)) for array in step.outputs]
        efforts = len(efforts_of(self.led.plan.mechanism))
        peak, squares = np.zeros((efforts, count)), np.zeros((efforts, count))
        loads = np.zeros((len(self.led.plan.mechanism.pairs), count))
        kept: list[tuple[np.ndarray, np.ndarray]] = []
        for before, t, recorded in self._steps():
            self._advance(before, t, (q, v, a), p, rooms)
            lost = self._lost(rooms) & (codes == OK)
            if lost.any() and t > before:
                self._finely(before, t, (q, v, a), p, rooms, lost)
                lost = self._lost(rooms) & (codes == OK)
            rooms, (q, v, a) = [q, v, a, *rooms[3:]], rooms[:3]
            effort, load = rooms[5:]
            codes[lost], failed_at[lost] = DEAD_POINT, t
            q[:, lost] = effort[:, lost] = load[:, lost] = np.nan
            if recorded:
                np.maximum(peak, np.abs(effort), out=peak)
                np.maximum(loads, load, out=loads)
                squares += effort * effort
                if self.whole:
                    kept.append((effort.copy(), load.copy()))
        found = {"codes": codes, "failed_at": failed_at, "peak": peak, "loads": loads}
        found["rms"] = np.sqrt(squares / len(self.times))
        for name in ("peak", "rms", "loads"):
            found[name][:, codes != OK] = np.nan
        if self.whole:
            found["effort"], found["load"] = (np.stack(parts, axis=-1) for parts in zip(*kept, strict=True))
        return found

    def _advance(
        self,
        before: float,
        t: float,
        at: tuple[np.ndarray, np.ndarray, np.ndarray],
        p: np.ndarray,
        rooms: list[np.ndarray],
    ) -> None:
        """One step of all designs, from q, v, a at the time before to the rooms of the answers."""
        h, now = np.array([t - before]), np.array([t])
        self.led.step.batch(h, now, self._z(t), *at, p, out=rooms, threads=self.threads)

    @staticmethod
    def _lost(rooms: list[np.ndarray]) -> np.ndarray:
        """Designs whose loops are open, or which have jumped or are no numbers."""
        q, away, gap = rooms[0], rooms[3], rooms[4]
        return ~((gap[0] < CLOSED) & (away[0] < APART) & np.isfinite(q).all(axis=0))

    def _finely(
        self,
        before: float,
        t: float,
        at: tuple[np.ndarray, np.ndarray, np.ndarray],
        p: np.ndarray,
        rooms: list[np.ndarray],
        lost: np.ndarray,
    ) -> None:
        """The same step in small ones for designs that were lost: their drives may be faster than the described."""
        few = [np.ascontiguousarray(part[:, lost]) for part in at]
        own = np.ascontiguousarray(p[:, lost])
        answers = [np.empty((array.shape[0], few[0].shape[1])) for array in rooms]
        edges = np.linspace(before, t, FINE + 1).tolist()
        for earlier, later in pairwise(edges):
            self._advance(earlier, later, (few[0], few[1], few[2]), own, answers)
            answers[0][:, self._lost(answers)] = np.nan
            few, answers = answers[:3], [*few, *answers[3:]]
        for room, found in zip(rooms, [*few, *answers[3:]], strict=True):
            room[:, lost] = found

    def assembled(self, p: np.ndarray) -> np.ndarray:
        """Closed positions at the first time; what cannot be reached by large steps is tried with small ones."""
        q = np.full((len(self.first), p.shape[1]), np.nan)
        for stages in STAGES:
            open_still = np.isnan(q).any(axis=0)
            if open_still.any():
                q[:, open_still] = self._reached(p[:, open_still], stages)
        return q

    def _reached(self, p: np.ndarray, stages: int) -> np.ndarray:
        """Positions of designs p, from the described one by so many steps; not a number where one is lost."""
        led, t, count = self.led, float(self.times[0]), p.shape[1]
        q = np.repeat(self.first[:, None], count, axis=1)
        still = np.zeros((led.equations.skeleton.rates, count))
        described = led.plan.assembly.p[:, None]
        for stage in [*range(1, stages + 1), *[stages] * POLISH]:
            between = described + (p - described) * (stage / stages)
            closed, _, _, away, gap, *_ = led.step.batch(
                np.zeros(1), np.array([t]), self._z(t), q, still, still, between, threads=self.threads
            )
            q = np.where(away[0] < 1.0, closed, np.nan)
        return np.where(gap[0] < CLOSED, q, np.nan)

    def _steps(self) -> Iterator[tuple[float, float, bool]]:
        """(before, t, whether t was asked for), the first of them standing still."""
        yield float(self.times[0]), float(self.times[0]), True
        for before, t in zip(self.times[:-1].tolist(), self.times[1:].tolist(), strict=True):
            parts = max(1, int(np.ceil(self.speed * (t - before) / LONGEST)))
            edges = np.linspace(before, t, parts + 1).tolist()
            for k in range(parts):
                yield edges[k], edges[k + 1], k == parts - 1

    def _z(self, t: float) -> np.ndarray:
        """Tables at a time."""
        return self.led.signals.read(np.array([t]))[:, 0]
