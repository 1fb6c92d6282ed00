"""The motion from rest in every other program, with the settings that may be tuned: positions at given times.

A `Motion` runs once and returns the angles of the links at `TIMES` and the seconds that it took; preparation (models,
libraries) is not included.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import mujoco
import numpy as np
from mujoco import rollout
from scipy.integrate import DOP853, RK45

from benchmarks.peers import mujoco_peer, pinocchio_peer
from benchmarks.peers.build import address
from benchmarks.peers.mujoco_peer import MuJoCo
from benchmarks.peers.opened import Opened
from benchmarks.peers.pinocchio_peer import Pinocchio
from benchmarks.peers.states import Moment

TIMES = (2.0, 5.0)
RATES = (
    100,
    125,
    160,
    200,
    250,
    320,
    400,
    500,
    640,
    800,
    1000,
    1250,
    1600,
    2000,
    2500,
    3200,
    4000,
    5000,
    8000,
    12500,
    16000,
)
"""Fixed steps a second, about ten a decade."""

TOLERANCES = tuple(10.0 ** (-k / 4) for k in range(16, 49))
SOFTNESS = (2.0, 3.0, 4.0)
PROXIMAL = (1e-10, 1e-12)
"""µ of Pinocchio's proximal solver, one iteration: the fastest that agree."""

GAINS = ((0.0, 0.0), (400.0, 40.0), (1e4, 200.0))
"""Baumgarte's gains: none, critically damped at 20 rad/s, and at 100 rad/s."""

Ran = tuple[np.ndarray, float]
"""Absolute angles of all links at TIMES, and the seconds that it took."""


@dataclass(frozen=True)
class Motion:
    """One way to compute the motion: tool, settings in words, the step or tolerance, and the run itself."""

    tool: str
    settings: str
    effort: float
    run: Callable[[], Ran]


def mujoco_motions(opened: Opened, start: Moment) -> Iterator[Motion]:
    """Runge–Kutta of order 4 by MuJoCo's own `rollout`, with several steps and stiffnesses of the loop constraints."""
    for softness in SOFTNESS:
        for dt in (1 / rate for rate in RATES):
            settings = mujoco_peer.Settings(dt=dt, softness=softness, integrator="RK4")
            peer = MuJoCo(opened, settings)
            yield Motion("MuJoCo RK4", f"solref {softness:g} dt", dt, lambda peer=peer: _rolled(peer, start))


def _rolled(peer: MuJoCo, start: Moment) -> Ran:
    mujoco.set_mju_user_warning(lambda _: None)  # instability of a run is visible in its error
    model, data, full = peer.model, peer.data, mujoco.mjtState.mjSTATE_FULLPHYSICS
    mujoco.mj_resetData(model, data)
    data.qpos[:] = peer.opened.positions(start.positions)
    state = np.zeros(mujoco.mj_stateSize(model, full))
    mujoco.mj_getState(model, data, state, full)
    dt = peer.settings.dt
    with rollout.Rollout(nthread=0) as roll:
        began = time.thread_time()
        states, _ = roll.rollout(model, data, state[None], nstep=round(TIMES[-1] / dt))
        took = time.thread_time() - began
    rows = [states[0, round(t / dt) - 1, 1 : 1 + model.nq] for t in TIMES]
    return peer.opened.angles(np.array(rows)), took


def pinocchio_motions(opened: Opened, start: Moment) -> Iterator[Motion]:
    """Fixed steps of order 4, and adaptive ones of orders 5 and 8, with Pinocchio's forward dynamics, all in C++.

    Pinocchio has no integrator: this is what a keen user writes. Loops are kept closed by Baumgarte's gains.
    """
    peer = Pinocchio(opened)
    for mu, (kp, kd) in product(PROXIMAL, GAINS):
        settings = pinocchio_peer.Settings("constraintDynamics", mu, 1, kp=kp, kd=kd)
        named = f"µ {mu:.0e}, gains {kp:g}, {kd:g}"
        for dt in (1 / rate for rate in RATES):
            yield Motion("Pinocchio RK4", named, dt, _integrated(peer, settings, start, "rk4", dt))
        for method, name in (("rk45", "Pinocchio RK45"), ("dop853", "Pinocchio DOP853")):
            for rtol in TOLERANCES:
                yield Motion(name, named, rtol, _integrated(peer, settings, start, method, rtol))


def tableau(method: str) -> tuple[int, int, list[np.ndarray | None]]:
    """Stages, order for the step size, and A, b, E5, E3 of a method, taken from SciPy; RK4 by hand."""
    if method == "rk4":
        A = np.zeros((4, 4))
        A[1, 0] = A[2, 1] = 0.5
        A[3, 2] = 1.0
        return 4, 4, [A, np.array([1, 2, 2, 1]) / 6, None, None]
    if method == "rk45":
        return 6, 5, [_square(RK45.A, 6), RK45.B, np.asarray(RK45.E), None]
    return 12, 8, [_square(DOP853.A, 12), DOP853.B, DOP853.E5, DOP853.E3]


def _square(A: np.ndarray, stages: int) -> np.ndarray:
    made = np.zeros((stages, stages))
    made[:, : A.shape[1]] = A[:stages, :stages]
    return made


def _integrated(
    peer: Pinocchio, settings: pinocchio_peer.Settings, start: Moment, method: str, effort: float
) -> Callable[[], Ran]:
    stages, order, arrays = tableau(method)
    arrays = [None if a is None else np.ascontiguousarray(a, float) for a in arrays]
    fixed = method == "rk4"
    dt, rtol = (effort, 0.0) if fixed else (1e-3, effort)

    def run() -> Ran:
        peer.use(settings)
        y = np.concatenate(
            [peer.opened.positions(start.positions), np.zeros(peer.opened.equations.skeleton.rates)]
        )
        peer.accelerations(start)  # puts its efforts, none, in place
        found, took, before = [], 0.0, 0.0
        for t in TIMES:
            reals = [ctypes.c_double(x) for x in (t - before, dt, rtol, rtol)]
            given = [ctypes.c_void_p(0) if a is None else address(a) for a in arrays]
            began = time.thread_time()
            count = peer.library.peer_motion(peer.peer, address(y), *reals, stages, order, *given)
            took += time.thread_time() - began
            found.append(y[: len(y) // 2].copy() if count > 0 else np.full(len(y) // 2, np.nan))
            before = t
        return peer.opened.angles(np.array(found)), took

    return run
