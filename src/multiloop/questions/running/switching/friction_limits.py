"""Limits of joint friction that depend on reactions, as functions of all set-valued forces at one instant.

    F = F₀ + G (x − x₀),      |x_k + f(F)| ≤ L(F)

F are the reactions of all joints, x the set-valued forces. L is a sum of magnitudes of vectors that are linear in F
(`actions.grip.LimitParts`), and hence a sum of magnitudes of vectors that are affine in x
(`dynamics.reaction_limits`). f is zero except for screws, whose limits differ in the two directions.
"""

from __future__ import annotations

import numpy as np

from multiloop.dynamics.reaction_limits import ReactionLimit
from multiloop.questions.running.forward_model import Answer
from multiloop.questions.running.switching.grips import Grips, Struck


def friction_limits(
    grips: Grips, t: float, y: np.ndarray, answer: Answer, struck: Struck
) -> dict[int, ReactionLimit]:
    """Limits of the set-valued forces whose limits depend on reactions, by their indices.

    `answer` is the solution in the state y. Forces of sliding joints are kept.
    """
    model = grips.run.model
    places = model.readouts.limit_places
    if not places:
        return {}
    state, count = grips.run.layout.blocks(y), len(grips.names)
    known = {name: state[name] for name in ("q", "v", "x")}
    slopes = model.readouts.limit_slopes(**known, t=np.array([t]), p=model.p)[0]
    slopes = slopes.reshape(-1, 6 * len(model.skeleton.mechanism.connections), order="F")
    x = strengths_of(grips, answer)[grips.strengths]
    G = np.column_stack(
        [reaction_change(grips, t, y, answer, struck, e).ravel(order="F") for e in np.eye(count)]
    )
    F = _reactions(grips, t, y, answer).ravel(order="F")
    V, v = slopes @ G, slopes @ (F - G @ x)
    found = {}
    for name, (*vectors, shift) in places.items():
        k = grips.names.index(name)
        parts = tuple((V[rows], v[rows]) for rows in vectors)
        found[k] = ReactionLimit(np.eye(count)[k] + V[shift][0], float(v[shift][0]), parts)
    return found


def strengths_of(grips: Grips, answer: Answer) -> np.ndarray:
    """The reaction-dependent forces of all loads in a solution."""
    found: np.ndarray = np.asarray(answer.following).reshape(-1, grips.run.model.strengths + 2)[:, 0]
    return found


def reaction_change(
    grips: Grips, t: float, y: np.ndarray, answer: Answer, struck: Struck, change: np.ndarray
) -> np.ndarray:
    """The change of the reactions of all joints, 6 × joints, for a change of the set-valued forces.

    It is the difference of two solutions, for a multiple of the change that is as large as the reactions and the
    set-valued forces, because the difference would lose the digits of a smaller change.
    """
    here, length = _reactions(grips, t, y, answer), grips.run.model.skeleton.length
    forces = grips.force_scale * strengths_of(grips, answer)[grips.strengths]
    size = float(np.abs(np.concatenate([here[:3].ravel() / length, here[3:].ravel(), forces])).max()) or 1.0
    by = size / float(np.abs(grips.force_scale * change).max())
    a, lam, tau = (by * getattr(struck, of) @ change for of in ("v", "lam", "forces"))
    following = np.asarray(answer.following).reshape(-1, grips.run.model.strengths + 2).copy()
    following[grips.strengths, 0] += by * change
    there = Answer(answer.a + a, answer.lam + lam, answer.tau + tau, following)
    found: np.ndarray = (_reactions(grips, t, y, there) - here) / by
    return found


def _reactions(grips: Grips, t: float, y: np.ndarray, answer: Answer) -> np.ndarray:
    """Reactions of all joints in a solution, 6 × joints."""
    model = grips.run.model
    found = model.readouts.reactions(
        **grips.run.layout.blocks(y),
        t=t,
        a=answer.a,
        lam=answer.lam,
        tau=answer.tau,
        strengths=strengths_of(grips, answer),
        p=model.p,
    )
    return found[0].reshape(6, -1)
