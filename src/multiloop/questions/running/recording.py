"""States of a finished run as a Result: accelerations, efforts and reactions of all of them in one go."""

from __future__ import annotations

import numpy as np

from multiloop.questions.answers.recorder import Recorder
from multiloop.questions.answers.result import Result
from multiloop.questions.running.choice import Choice, choose, require_met
from multiloop.questions.running.closer_look import CloserLook
from multiloop.questions.running.forward_model import Answer
from multiloop.questions.running.run_model import RunModel


def recorded(
    run: RunModel,
    times: np.ndarray,
    states: np.ndarray,
    u: np.ndarray,
    p: np.ndarray | None = None,
    look: CloserLook | None = None,
) -> Result:
    """The Result of states under the inputs u, one row each time.

    `p` are the parameters where they are not the described ones; by `look` states of the described design are told
    round-off apart.
    """
    model, blocks = run.model, run.layout.blocks(states)
    p = model.p if p is None else p
    motion = {name: blocks[name].T for name in ("q", "v", "x")}
    known = {"t": times[None, :], **motion, "u": u.T, "z": run.signals.tables.read(times)}
    chosen = _chosen(run, times, blocks["q"], p)
    a, lam, tau, _ = run.answers.many(**known, **_given(run, chosen), p=p)
    forces = {"a": a.T, "lam": lam[:, : model.equations.own.count].T, "tau": tau.T}
    (wrenches,) = model.readouts.reactions.many(**known, **forces, p=p)
    recorder = Recorder(model.equations, model.plan, p)
    for k, t in enumerate(times.tolist()):
        q, v, choice = blocks["q"][k], blocks["v"][k], chosen[min(k, len(chosen) - 1)]
        answer = found = Answer(a[k], lam[k, : model.equations.own.count], tau[k])
        model.require_reach(t, q, p)
        if look is None:
            require_met(model, choice, t, q, v, answer, p)
        else:
            y, answer = look.told(t, states[k], found, choice, u[k])
            q, v = y[run.layout["q"]], y[run.layout["v"]]
        if answer is found:
            wrench = model.least(t, q, p, wrenches[k].reshape(6, -1))
        else:
            wrench = model.reactions(answer, t=t, **run.layout.blocks(y))
        recorder.add(t, q, v, answer.a, answer.tau, wrench, blocks["x"][k])
    recorder.works = blocks["work"][:, 0].tolist()
    return recorder.result(model.used)


def _chosen(run: RunModel, times: np.ndarray, q: np.ndarray, p: np.ndarray) -> list[Choice]:
    """The choice at every state where there is one to make on the way, else that at the first."""
    anew = run.chooses or run.model.passes_singular
    found: list[Choice] = []
    for k, t in enumerate(times.tolist() if anew else times[:1].tolist()):
        found.append(choose(run.model, q[k], p=p, before=found[-1] if found else None, t=t))
    return found


def _given(run: RunModel, chosen: list[Choice]) -> dict[str, np.ndarray]:
    """Basis, choice and weights, one lane a state or one for all."""
    found = {}
    for name in ("basis", "choice", "c"):
        shape = run.inputs[name].shape
        lanes = [one.given.get(name, np.zeros(shape)).reshape(shape) for one in chosen]
        found[name] = np.stack(lanes, axis=-1) if len(lanes) > 1 else lanes[0]
    return found
