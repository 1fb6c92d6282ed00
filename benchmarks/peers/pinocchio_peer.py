"""The mechanism in Pinocchio: built from the opened tree, its cuts as rigid point constraints, timed in C++.

The forward dynamics of closed loops is `constraintDynamics` or the recursive `lcaba`, of open trees `aba`. Points of
planar loops are constrained in three directions, one of which is redundant; the proximal solver accepts that.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from benchmarks.peers.build import address, pinocchio_library
from benchmarks.peers.opened import Opened, rotation
from benchmarks.peers.rounds import Loop
from benchmarks.peers.states import Moment

KINDS = ("RX", "RY", "RZ", "PX", "PY", "PZ", "ball", "free")
METHODS = ("constraintDynamics", "lcaba", "aba", "rnea")

LARGEST = 500
"""Rates beyond which it is not built: its workspace holds four tensors of rates³ numbers."""


@dataclass(frozen=True)
class Settings:
    """What may be tuned: the method, the proximal solver, and Baumgarte's gains of position and rate."""

    method: str
    mu: float = 1e-8
    iterations: int = 20
    accuracy: float = 1e-12
    kp: float = 0.0
    kd: float = 0.0

    def __str__(self) -> str:
        return "" if self.method in ("aba", "rnea") else f"µ {self.mu:.0e} × {self.iterations}"


LOOPED = tuple(
    Settings(method, mu, iterations)
    for method in ("constraintDynamics", "lcaba")
    for mu, iterations in ((1e-6, 10), (1e-8, 10), (1e-10, 1), (1e-12, 1))
)
"""Settings for mechanisms with loops; the fastest one that agrees counts."""

OPEN = (Settings("aba"),)


@dataclass(frozen=True, eq=False)
class Pinocchio:
    """One mechanism in Pinocchio."""

    opened: Opened

    @cached_property
    def library(self) -> ctypes.CDLL:
        """The compiled loop with the types of its functions."""
        library = pinocchio_library()
        library.peer_new.restype = ctypes.c_void_p
        library.peer_loop.restype = ctypes.c_double
        library.peer_motion.restype = ctypes.c_long
        return library

    @cached_property
    def peer(self) -> ctypes.c_void_p:
        """The model with its workspace."""
        steps, joined = self.opened.steps, self.opened.joined
        parent = np.array([step.parent for step in steps], np.int32)
        kind = np.array([KINDS.index(step.kind) for step in steps], np.int32)
        place = np.array([[*step.R.ravel(), *step.p] for step in steps])
        body = np.array(
            [[step.mass, *step.com, *step.inertia[[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2]]] for step in steps]
        )
        ends = np.array([[cut.first, cut.second] for cut in joined], np.int32)
        points = np.array([[*cut.first_point, *cut.second_point] for cut in joined])
        arrays = [address(a) for a in (parent, kind, place, body, self.opened.gravity)]
        made = self.library.peer_new(len(steps), *arrays, len(joined), address(ends), address(points))
        return ctypes.c_void_p(made)

    def release(self) -> None:
        """Free the memory of the model."""
        if "peer" in self.__dict__:
            self.library.peer_free(self.__dict__.pop("peer"))

    def use(self, settings: Settings) -> None:
        """Choose the method and its settings."""
        reals = (ctypes.c_double(settings.mu), ctypes.c_double(settings.accuracy))
        gains = (ctypes.c_double(settings.kp), ctypes.c_double(settings.kd))
        self.library.peer_set(self.peer, METHODS.index(settings.method), *reals, settings.iterations, *gains)

    def pack(self, moment: Moment) -> np.ndarray:
        """[q, v, tau]: quaternions with the scalar last, rates of a free body in its own axes."""
        q = self.opened.positions(moment.positions)
        v = self.opened.rates(q, moment.rates)
        for link in self.opened.links:
            if type(link.joint).__name__ == "Free":
                linear = slice(link.v.start, link.v.start + 3)
                v[linear] = rotation(q[link.q][3:]).T @ v[linear]
        for at, _ in self.opened.equations.chart.quaternions:
            q[at] = np.roll(q[at], -1)
        return np.concatenate([q, v, self.opened.efforts(moment.efforts)])

    def accelerations(self, moment: Moment) -> np.ndarray:
        """Of the tree, in Pinocchio's coordinates."""
        answer = np.zeros(self.opened.equations.skeleton.rates)
        self.evaluate(self.pack(moment), answer)
        return answer

    def evaluate(self, state: np.ndarray, answer: np.ndarray) -> None:
        """One evaluation at a state [q, v, tau] into an array."""
        self.library.peer_evaluate(self.peer, address(state), address(answer))

    def states(self, moments: Sequence[Moment]) -> np.ndarray:
        """[q, v, tau] of many states."""
        return np.ascontiguousarray([self.pack(moment) for moment in moments])

    def loop(self, states: np.ndarray) -> Loop:
        """Evaluates the states by the selected method."""

        def loop(repeats: int) -> None:
            self.library.peer_loop(self.peer, address(states), len(states), ctypes.c_long(repeats))

        return loop

    def chosen(self, settings: Settings) -> Callable[[], None]:
        """A call that selects these settings."""
        return lambda: self.use(settings)
