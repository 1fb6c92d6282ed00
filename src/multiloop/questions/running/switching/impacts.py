"""Impacts: rates jump by impulses that go through all joints at once, while positions stay.

    I Δv = Jᵍᵀ Λ + Jᵀ λ̂,   J Δv = 0,      ġ⁺ + e ġ⁻ ≥ 0  ⟂  Λ ≥ 0

Source: [pfeiffer], ch. 6; Newton's law of impact in every contact that is closed.
Differs: dry friction of joints is not counted while something strikes.
"""

from __future__ import annotations

import numpy as np

from multiloop.dynamics.actions.grip import GAP, RATE, STANDS, TOUCHES
from multiloop.model import Joint, SolveError
from multiloop.questions.answers.impact import Impact, JointImpulse
from multiloop.questions.refusal import refusal
from multiloop.questions.running.choice import Choice
from multiloop.questions.running.switching.complementarity import complementary
from multiloop.questions.running.switching.grips import Grips, Struck


def impact_at(grips: Grips, t: float, y: np.ndarray, choice: Choice) -> tuple[np.ndarray, Impact | None]:
    """The state after all that strikes in it has struck, and what happened; None where nothing does."""
    told = grips.told(t, y, choice)
    rate = told[:, RATE]
    if not (grips.one_sided(told) & (told[:, GAP] <= TOUCHES) & (rate < -STANDS)).any():
        return y, None
    struck = grips.struck(t, y, choice)
    closed = np.flatnonzero(grips.one_sided(told) & (told[:, GAP] <= TOUCHES))
    striking = rate[closed] < -STANDS
    D = struck.compliance[np.ix_(closed, closed)]
    _require_yielding(grips, t, y, struck, closed[striking])
    e, slow = struck.laws[closed, 0], struck.laws[closed, 1]
    e = np.where(striking & (-e * rate[closed] > slow), e, 0.0)
    found = complementary(D, rate[closed] * (1 + e))
    if found is None:
        what = f"at t = {t:.6g} s it strikes, and no impulses agree with its restitution."
        where, remedy = grips.called(closed[striking]), "Lower the friction of the contact."
        raise refusal(grips.run.model.plan.mechanism, "S17", where, what, remedy)
    impulses = np.zeros(len(grips.names))
    impulses[closed] = found
    return _jumped(grips, t, y, struck, impulses)


def _jumped(
    grips: Grips, t: float, y: np.ndarray, struck: Struck, impulses: np.ndarray
) -> tuple[np.ndarray, Impact]:
    """The state with its rates after the impulses, and what is told of them."""
    model, layout = grips.run.model, grips.run.layout
    jump, after = struck.v @ impulses, y.copy()
    after[layout["v"]] += jump
    mean = (y[layout["v"]] + after[layout["v"]]) / 2
    gained = float(mean @ model.inertia(y[layout["q"]]) @ jump)
    after[layout["work"]] += gained
    by_load: dict[str, float] = {}
    for name, impulse in zip(grips.names, impulses.tolist(), strict=True):
        if impulse:
            by_load[name] = by_load.get(name, 0.0) + impulse
    before, behind = (
        {link.joint.name: state[layout["v"]][link.v] for link in model.skeleton.links} for state in (y, after)
    )
    loss = float(mean @ struck.forces @ impulses) - gained
    joints = _joint_impulses(grips, t, y, struck, impulses)
    units = {name: f"{model.readouts.load_units[name].get('effort', 'N')} s" for name in by_load}
    return after, Impact(model.plan.mechanism.name, t, by_load, units, joints, before, behind, loss)


def _joint_impulses(
    grips: Grips, t: float, y: np.ndarray, struck: Struck, impulses: np.ndarray
) -> dict[str, JointImpulse]:
    """What goes through the joints: reactions are linear in accelerations and forces, and so they are in jumps."""
    model, state = grips.run.model, grips.run.layout.blocks(y)
    jump, lam, forces = (part @ impulses for part in (struck.v, struck.lam, struck.forces))
    strengths = np.zeros(model.strengths)
    strengths[grips.strengths] = impulses
    with_it, without = (
        model.readouts.reactions(
            t=t, **state, a=k * jump, lam=k * lam, tau=k * forces, strengths=k * strengths, p=model.p
        )[0].reshape(6, -1)
        for k in (1.0, 0.0)
    )
    found = model.least(t, state["q"], model.p, with_it - without, lam)
    planar, joints = model.skeleton.planar, {}
    for k, joint in enumerate(model.plan.mechanism.connections):
        n, f = found[:3, k], found[3:, k]
        link = model.skeleton.carrier.get(joint.name)
        freedoms = joint.freedoms(planar) if isinstance(joint, Joint) else 0
        effort = np.zeros(freedoms) if link is None else forces[link.v]
        joints[joint.name] = (
            JointImpulse(f[:2], float(n[2]), effort) if planar else JointImpulse(f, n, effort)
        )
    return joints


def _require_yielding(grips: Grips, t: float, y: np.ndarray, struck: Struck, striking: np.ndarray) -> None:
    """Refuse an impact on what a drive moves: no impulse stops it."""
    prescribed = grips.prescribed(y, struck)
    for k in striking[prescribed[striking]]:
        raise _driven_through(grips, t, k)


def _driven_through(grips: Grips, t: float, k: int) -> SolveError:
    what = f"at t = {t:.6g} s a drive runs against it."
    remedy = "Let the drive end before, or drive by an effort instead of a motion."
    return refusal(grips.run.model.plan.mechanism, "S17", grips.called([k]), what, remedy)
