"""States of a finished run as a Result: accelerations, efforts and reactions of all of them in one go."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import PPoly

from multiloop.questions.least import least_reactions
from multiloop.questions.looping import Looping
from multiloop.questions.recorder import Recorder
from multiloop.questions.result import Result


def recorded(looping: Looping, times: np.ndarray, states: np.ndarray) -> Result:
    """The Result of states y = [q, v, work], one row each time."""
    motions = looping.motions
    nq, rows = motions.skeleton.positions, motions.skeleton.rows
    q, v = states[:, :nq].T, states[:, nq:-1].T
    a, lam, tau = looping.answers.many(
        times[None, :], q, v, *_signals(looping, times, q, v), *_given(looping, times, q)
    )
    lam = lam[:, :rows].T
    (wrenches,) = motions.measured.reactions.many(q, v, a.T, lam, tau.T, motions.p)
    recorder = Recorder(motions.equations, motions.plan, motions.p)
    for k, t in enumerate(times.tolist()):
        wrench = wrenches[k].reshape(6, -1)
        if motions.plan.redundant:
            wrench = least_reactions(motions.equations, q[:, k], motions.p, wrench)
        recorder.add(t, q[:, k], v[:, k], a[k], tau[k], wrench)
    recorder.works = states[:, -1].tolist()
    return recorder.result(motions.used)


def _signals(
    looping: Looping, times: np.ndarray, q: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """u and z at all times."""
    signals = looping.signals
    u = np.zeros((signals.u.shape[0], len(times)))
    if signals.control is not None:
        u = np.array([signals.control(t, q[:, k], v[:, k]) for k, t in enumerate(times.tolist())]).T
    z = [
        PPoly(coefficients, breaks, extrapolate="periodic" if periodic else True)(times)
        for breaks, coefficients, periodic in signals.tables
    ]
    return u, np.array(z).reshape(len(z), len(times))


def _given(looping: Looping, times: np.ndarray, q: np.ndarray) -> list[np.ndarray]:
    """Basis, choice, weight and parameters; chosen anew at every state where they are chosen at all."""
    motions = looping.motions
    names = ("basis", "choice", "c", "p")
    shapes = [looping.inputs[name].shape for name in names]
    if not looping.chooses:
        given = motions.given(q[:, 0], float(times[0]))
        return [given.get(name, np.zeros(shape)) for name, shape in zip(names, shapes, strict=True)]
    each = [motions.given(q[:, k], t) for k, t in enumerate(times.tolist())]
    found = []
    for name, shape in zip(names, shapes, strict=True):
        if name in each[0] and name != "p":
            found.append(np.stack([one[name] for one in each], axis=-1).reshape(*shape, len(times)))
        else:
            found.append(each[0].get(name, np.zeros(shape)))
    return found
