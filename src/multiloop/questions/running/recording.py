"""States of a finished run as a Result: accelerations, efforts and reactions of all of them in one go."""

from __future__ import annotations

from copy import copy

import numpy as np

from multiloop.questions.answers.recorder import Recorder
from multiloop.questions.answers.result import Result
from multiloop.questions.least import least_reactions
from multiloop.questions.running.looping import Looping
from multiloop.questions.running.motion import Motions


def recorded(
    looping: Looping, times: np.ndarray, states: np.ndarray, u: np.ndarray, p: np.ndarray | None = None
) -> Result:
    """The Result of states y = [q, v, work] under the inputs u, one row each time.

    `p` are the parameters where they are not the described ones.
    """
    motions = looping.motions
    p = motions.p if p is None else p
    nq, rows = motions.skeleton.positions, motions.equations.own.count
    q, v = states[:, :nq].T, states[:, nq:-1].T
    known = {"t": times[None, :], "q": q, "v": v, "u": u.T, "z": looping.signals.read(times)}
    a, lam, tau = looping.answers.many(**known, **_given(looping, times, q, p))
    forces = {"a": a.T, "lam": lam[:, :rows].T, "tau": tau.T}
    (wrenches,) = motions.measured.reactions.many(**known, **forces, p=p)
    recorder = Recorder(motions.equations, motions.plan, p)
    for k, t in enumerate(times.tolist()):
        wrench = wrenches[k].reshape(6, -1)
        if motions.plan.redundant:
            wrench = least_reactions(motions.equations, q[:, k], p, wrench)
        recorder.add(t, q[:, k], v[:, k], a[k], tau[k], wrench)
    recorder.works = states[:, -1].tolist()
    return recorder.result(motions.used)


def _given(looping: Looping, times: np.ndarray, q: np.ndarray, p: np.ndarray) -> dict[str, np.ndarray]:
    """Basis, choice, weight and parameters; chosen anew at every state where they are chosen at all."""
    motions = of_design(looping.motions, p)
    asked = times.tolist() if looping.chooses else times[:1].tolist()
    each = [motions.given(q[:, k], t) for k, t in enumerate(asked)]
    found = {"p": p}
    for name in ("basis", "choice", "c"):
        shape = looping.inputs[name].shape
        lanes = [one.get(name, np.zeros(shape)).reshape(shape) for one in each]
        found[name] = np.stack(lanes, axis=-1) if looping.chooses else lanes[0]
    return found


def of_design(motions: Motions, p: np.ndarray) -> Motions:
    """The same motions for other parameters: basis, choice and weights are then chosen by these."""
    own = copy(motions)
    own.p = p
    return own
