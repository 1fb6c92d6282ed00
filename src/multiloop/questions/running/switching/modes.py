"""Which mode is everything in that holds and lets go? The one that its own forces and accelerations bear out.

What slides, or is open, stays so. For all that is closed and at rest, the modes are found together: everything is held
at first; what would have to exceed its force is let go, what would be driven back is held again, the least in order
first. Where this does not end, and where forces may have several solutions, all sets of modes are tried.

Source: [murty], principal pivoting, on laws that need not be linear; [painleve] for what may happen.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from multiloop.dynamics.actions.grip import (
    ACCELERATION,
    BOUNDLESS,
    FORCE,
    GAP,
    HIGH,
    LEFT,
    LOW,
    RATE,
    SLACK,
    STANDS,
    TOUCHES,
    Mode,
)
from multiloop.model import SolveError
from multiloop.model.markers import value_of
from multiloop.questions.refusal import refusal
from multiloop.questions.running.choice import Choice
from multiloop.questions.running.run_model import RunModel
from multiloop.questions.running.switching.grips import Grips, Struck
from multiloop.questions.running.switching.shared_loads import closed_grips, shared_by

MOST = 729
"""Sets of modes that are all tried."""

INSIDE = 1e-6
"""How far, in m or rad, a run may begin beyond a closed gap: it comes back from there smoothly."""

STILL = 1e-9
"""Accelerations below this part of those of the mechanism are none."""

DIGITS = 4.0
"""Last digits of the time within which an event is found."""

CLEAR = 10.0
"""What is this many times its round-off is something."""

BEYOND = 0.5
"""A force is beyond its end by this part of its round-off. A guard falls at the whole of it (`Grip.guard`), so that
what a run has stopped for is let go for certain: a mode that stayed would not be watched any more."""


@dataclass(frozen=True, eq=False)
class Chosen:
    """A state in its modes, and what is to be said of them; `shared` are the loads that hold more than there is to
    hold, so that equilibrium does not tell how they share it."""

    y: np.ndarray
    said: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()


def choose_modes(grips: Grips, t: float, y: np.ndarray, choice: Choice) -> Chosen:
    """The state with the modes that hold from now on; what is held has no rate any more."""
    struck, told = grips.struck(t, y, choice), grips.told(t, y, choice)
    modes, at_rest = _moving(told, struck.laws[:, 2] > 0, t)
    driven, gap = at_rest & grips.prescribed(y, struck), struck.laws[:, 2] > 0
    modes[driven & ~gap], at_rest = Mode.OPEN, at_rest & ~(driven & ~gap)
    if (driven & gap).any():
        carried = driven & gap & _unmoved(grips, t, y, choice, told, struck)
        modes[carried], at_rest = Mode.STANDS_FORWARD, at_rest & ~carried
    if not at_rest.any():
        shared = shared_by(grips, y, struck, closed_grips(modes))
        return Chosen(grips.in_modes(y, modes), (), shared)
    candidates = np.flatnonzero(at_rest)
    y = _stopped(grips, y, candidates, told, struck.v, struck.compliance)
    pivots = _Pivots(grips, t, y, choice, candidates)
    modes[candidates] = Mode.HELD
    found = pivots.from_modes(modes)
    said: tuple[str, ...] = ()
    D = struck.compliance[np.ix_(candidates, candidates)]
    if found is None or _doubtful(D, grips.yields(y, struck)[candidates]):
        solutions = pivots.all_of(modes)
        if found is None and solutions:
            found = solutions[0]
        if len(solutions) > 1:
            what = "may hold or let go: both agree with all forces (Painlevé)"
            said = (f"at t = {t:.6g} s {grips.called(candidates)} {what}",)
    if found is None:
        raise _none(grips, t, candidates)
    named = pivots.named(found)
    return Chosen(grips.in_modes(y, named), said, shared_by(grips, y, struck, closed_grips(named)))


def modes_at(run: RunModel, t: float, y: np.ndarray, choice: Choice) -> Chosen:
    """The same at one instant alone, at which nothing may strike."""
    grips = Grips(run)
    require_apart(grips, t, y, choice)
    told = grips.told(t, y, choice)
    for k in np.flatnonzero(
        grips.one_sided(told) & (told[:, GAP] <= TOUCHES) & (told[:, RATE] < -STANDS)
    ).tolist():
        speed = f"{-told[k, RATE]:.3g} {grips.unit(k)}/s"
        what = f"it strikes at {speed}: accelerations have no value in an impact."
        remedy = (
            "Ask `simulate`, which finds the impulses and goes on; or give rates at which it opens or rests."
        )
        raise refusal(run.model.plan.mechanism, "S17", grips.called([k]), what, remedy, time=t)
    return choose_modes(grips, t, y, choice)


def require_apart(grips: Grips, t: float, y: np.ndarray, choice: Choice) -> None:
    """Refuse a start at which something is where its stop, rope or plane does not let it be."""
    told = grips.told(t, y, choice)
    for k in np.flatnonzero(told[:, GAP] < -INSIDE).tolist():
        found = f"{told[k, GAP]:.6g} {grips.unit(k)}"
        what = f"its gap is {found} at t = {t:g} s: it begins beyond where it holds."
        remedy = (
            "Start where the gap is open or closed, a rope no longer than it is; or move what it touches."
        )
        mechanism = grips.run.model.plan.mechanism
        raise refusal(mechanism, "S17", grips.called([k]), what, remedy, time=t)


def _moving(told: np.ndarray, with_gap: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
    """Modes of all that moves or is open, and which of all are closed and at rest.

    A rate that comes to nothing is found within the last digit of the time, in which it still changes.
    """
    rate, gap = told[:, RATE], told[:, GAP]
    still = STANDS + DIGITS * np.spacing(abs(t)) * np.abs(told[:, ACCELERATION])
    away = np.where(with_gap, (gap > TOUCHES) | (rate > STANDS), np.abs(rate) > still)
    modes = np.where(with_gap, float(Mode.FORWARD), np.sign(rate))
    return modes, ~away


def _unmoved(
    grips: Grips, t: float, y: np.ndarray, choice: Choice, told: np.ndarray, struck: Struck
) -> np.ndarray:
    """Which of all have no acceleration, as far as round-off of all accelerations and of gravity tells."""
    model = grips.run.model
    a = np.abs(grips.run.answer_at(t, y, choice).a)
    length = np.array([model.skeleton.length if grips.unit(k) == "rad" else 1.0 for k in range(len(told))])
    gravity = [value_of(part) or 0.0 for part in model.skeleton.mechanism.gravity or ()]
    falling = float(np.linalg.norm(gravity)) / length
    found: np.ndarray = np.abs(told[:, ACCELERATION]) <= STILL * (np.abs(struck.rates) @ a + falling)
    return found


def _stopped(
    grips: Grips, y: np.ndarray, candidates: np.ndarray, told: np.ndarray, jumps: np.ndarray, D: np.ndarray
) -> np.ndarray:
    """The state with rates of all that is at rest made nothing, by the least impulses."""
    layout, found = grips.run.layout, y.copy()
    block = D[np.ix_(candidates, candidates)]
    impulses = np.linalg.lstsq(block, -told[candidates, RATE], rcond=1e-9)[0]
    found[layout["v"]] += jumps[:, candidates] @ impulses
    return found


@dataclass(frozen=True, eq=False)
class _Pivots:
    """Modes of the candidates changed one after another until all agree."""

    grips: Grips
    t: float
    y: np.ndarray
    choice: Choice
    candidates: np.ndarray

    def told(self, modes: np.ndarray) -> np.ndarray:
        return self.grips.told(self.t, self.grips.in_modes(self.y, modes), self.choice)

    def from_modes(self, modes: np.ndarray) -> np.ndarray | None:
        """Modes that agree, or None where the pivots do not end."""
        modes = modes.copy()
        for _ in range(50 * (len(self.candidates) + 1)):
            told = self.told(modes)
            changes = [
                (k, other) for k in self.candidates if (other := _other(modes[k], told[k])) is not None
            ]
            if not changes:
                return modes
            k, other = changes[0]
            modes[k] = other
        return None

    def all_of(self, modes: np.ndarray) -> list[np.ndarray]:
        """All sets of modes that agree, as far as these can be counted; what stands at an end counts as held."""
        two = self.told(modes)[:, HIGH] < BOUNDLESS / 2
        kinds = [(Mode.HELD, Mode.FORWARD, *((Mode.BACKWARD,) if two[k] else ())) for k in self.candidates]
        if np.prod([len(kind) for kind in kinds]) > MOST:
            return []
        found, seen = [], set()
        for tried in product(*kinds):
            modes[self.candidates] = tried
            told = self.told(modes)
            if all(_other(modes[k], told[k]) is None for k in self.candidates):
                moves = tuple(_moves(modes[k], told[k]) for k in self.candidates)
                if moves not in seen:
                    seen.add(moves)
                    found.append(modes.copy())
        return found

    def named(self, modes: np.ndarray) -> np.ndarray:
        """The same, told apart whether what is at an end of its force moves off or stands."""
        told, found = self.told(modes), modes.copy()
        for k in self.candidates:
            if modes[k] != Mode.HELD and not _moves(modes[k], told[k]):
                found[k] = 2 * modes[k]
        return found


def _other(mode: float, told: np.ndarray) -> Mode | None:
    """The mode to try instead where forces or accelerations contradict this one."""
    x, slack, left = told[FORCE], told[SLACK], told[LEFT]
    if mode == Mode.HELD:
        if abs(left) > CLEAR * slack:  # a drive prescribes it
            return Mode.FORWARD if left > 0 or told[HIGH] > BOUNDLESS / 2 else Mode.BACKWARD
        if x < told[LOW] - BEYOND * slack:
            return Mode.FORWARD
        return Mode.BACKWARD if x > told[HIGH] + BEYOND * slack else None
    against = left if mode > 0 else -left
    return Mode.HELD if against < -slack else None


def _moves(mode: float, told: np.ndarray) -> int:
    """Which way it moves off, 0 where it stands."""
    if mode == Mode.HELD or abs(told[LEFT]) <= CLEAR * told[SLACK]:
        return 0
    return 1 if mode > 0 else -1


def _doubtful(D: np.ndarray, yields: np.ndarray) -> bool:
    """Whether some impulses together push what they hold away from them: then there may be several solutions.

    `yields` are what impulses would do in the opened tree, to tell D ≤ 0 from what nothing moves, D = 0.
    """
    scale = np.sqrt(yields)
    scale[scale == 0] = 1.0
    return bool(np.linalg.eigvalsh((D + D.T) / 2 / np.outer(scale, scale)).min() < -1e-9)


def _none(grips: Grips, t: float, candidates: np.ndarray) -> SolveError:
    mechanism = grips.run.model.plan.mechanism
    what = f"at t = {t:.6g} s it can neither hold nor let go: no forces agree with rigid bodies (Painlevé)."
    remedy = "Lower the coefficient of friction, or hold it by a spring instead, a Stop with a stiffness or a Bushing."
    return refusal(mechanism, "S17", grips.called(candidates), what, remedy)
