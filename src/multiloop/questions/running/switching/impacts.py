"""Impacts: rates jump by impulses that act through all joints simultaneously, while positions are unchanged.

    I Δv = Jᵍᵀ Λ + Jᵀ λ̂,   J Δv = 0,      ġ⁺ + e ġ⁻ ≥ 0  ⟂  Λ ≥ 0

Source: [pfeiffer], ch. 6; Newton's impact law in every closed contact.
Differs: dry friction of joints is neglected during an impact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from multiloop.dynamics.actions.grip import GAP, RATE, STANDS, TOUCHES
from multiloop.model import Joint, SolveError
from multiloop.questions.answers.impact import Impact, JointImpulse
from multiloop.questions.answers.shared_forces import SharedForces
from multiloop.questions.refusal import refusal
from multiloop.questions.running.choice import Choice
from multiloop.questions.running.switching.grips import Grips, Struck
from multiloop.questions.running.switching.impulses import Strike
from multiloop.questions.running.switching.shared_impulses import Response, Together

REST = 1e-6
"""Bouncing ends with a rebound below this fraction of the largest impact energy of the same load."""

ENGAGES = 10.0
"""Rates up to this multiple of the rate that counts as rest are stopped without an impact: a freewheel engages as its
shaft begins to turn, which is detected only when it turns that fast."""

_SIGMA = np.polynomial.Polynomial([0.0, 15 / 8, 0.0, -10 / 8, 0.0, 3 / 8])
"""σ of a regularised friction, below its speed (`actions.friction`)."""


def impact_at(
    grips: Grips, t: float, y: np.ndarray, choice: Choice, peaks: np.ndarray
) -> tuple[np.ndarray, Impact | None]:
    """The state after all simultaneous impacts, and a description of them; None where there is no impact.

    Freewheels that engage at rest cause no impact. `peaks` holds the largest impact energy of each set-valued force so
    far and is updated.
    """
    told = grips.told(t, y, choice)
    rate = told[:, RATE]
    closed = np.flatnonzero(grips.one_sided(told) & (told[:, GAP] <= told[:, TOUCHES]))
    striking = rate[closed] < -told[closed, STANDS]
    if not striking.any():
        return y, None
    involved = np.isin(grips.parts[closed], grips.parts[closed[striking]])  # connected parts that are struck
    closed, striking = closed[involved], striking[involved]
    still = y.copy()
    still[grips.run.layout["v"]] = 0.0  # at rest the response to normal impulses contains no friction
    struck = grips.struck(t, still, choice)
    _require_yielding(grips, t, y, struck, closed[striking])
    e = np.where(striking & _rebounds(struck, closed, rate[closed], peaks), struck.laws[closed, 0], 0.0)
    strike, columns = _strike(struck, closed, y[grips.run.layout["v"]])
    found = strike.impulses(e)
    if found is None:
        what = f"at t = {t:.6g} s it strikes, and no impulses agree with its restitution."
        where, remedy = grips.called(closed[striking]), "Lower the friction of the contact."
        raise refusal(grips.run.model.plan.mechanism, "S17", where, what, remedy)
    rates = struck.rates[closed]
    if struck.across is not None:
        rates = np.vstack([rates, struck.across.rates[columns]])

    def blow(found: np.ndarray) -> _Blow:
        impulses = np.zeros(len(grips.names))
        impulses[closed] = found[: len(closed)]
        across = np.zeros(0 if struck.across is None else struck.across.v.shape[1])
        across[columns] = found[len(closed) :]
        return _Blow(struck, impulses, across, strike.loss(found))

    def response(found: np.ndarray) -> Response:
        made = blow(found)
        return _through_joints(grips, t, y, made), made.jump("lam"), made.jump("forces")

    linear = struck.across is None or len(grips.feet) == len(struck.across.contacts)
    together = Together(grips, t, y, strike, closed, rates, e, response if linear else None)
    found, shared = together.shared(found)
    after, impact = _jumped(grips, t, y, blow(found), shared)
    engages = bool((rate[closed] >= -ENGAGES * told[closed, STANDS])[striking].all())
    return after, None if engages else impact


def _rebounds(struck: Struck, closed: np.ndarray, rate: np.ndarray, peaks: np.ndarray) -> np.ndarray:
    """Mask of the closed contacts that rebound with their restitution.

        ½ (e ġ)² / (G M⁻¹ Gᵀ)  >  r · (its largest impact energy ½ ġ² / (G M⁻¹ Gᵀ) in this run),      r = `REST`

    Where a load has a `speed`, it rebounds if the rebound is faster than that.
    """
    e, speed, _ = struck.laws[closed].T
    D = np.diag(struck.compliance)[closed]
    energy = np.where(D > 0, rate**2 / np.where(D > 0, D, 1.0) / 2, np.inf)
    peaks[closed] = np.maximum(peaks[closed], np.where((rate < 0) & (D > 0), energy, 0.0))
    found: np.ndarray = np.where(speed > 0, -e * rate > speed, e * e * energy > REST * peaks[closed])
    return found


@dataclass(frozen=True, eq=False)
class _Blow:
    """Response to unit impulses, the normal and tangential impulses, and the energy that they dissipate."""

    struck: Struck
    along: np.ndarray
    across: np.ndarray
    loss: float

    def jump(self, of: str) -> np.ndarray:
        """The jump of `v`, `lam` or `forces`."""
        found: np.ndarray = getattr(self.struck, of) @ self.along
        return found if self.struck.across is None else found + getattr(self.struck.across, of) @ self.across


def _strike(struck: Struck, closed: np.ndarray, v: np.ndarray) -> tuple[Strike, np.ndarray]:
    """The impact problem of closed contacts, and the columns of its tangential impulses."""
    places, mu = [np.zeros(0, int) for _ in closed], np.zeros(len(closed))
    rates, jumps, columns = struck.rates[closed], struck.v[:, closed], np.zeros(0, int)
    if struck.across is not None:
        rough, ways = struck.across, struck.across.ways
        used = [(k, j) for k, grip in enumerate(closed) for j in np.flatnonzero(rough.contacts == grip)]
        for count, (k, j) in enumerate(used):
            places[k], mu[k] = len(closed) + ways * count + np.arange(ways), rough.rough[j, 0]
        columns = np.concatenate([columns, *[ways * j + np.arange(ways) for _, j in used]])
        rates = np.vstack([rates, rough.rates[columns]])
        jumps = np.hstack([jumps, rough.v[:, columns]])
    return Strike(rates @ jumps, rates @ v, places, mu), columns


def _jumped(
    grips: Grips, t: float, y: np.ndarray, blow: _Blow, shared: SharedForces | None
) -> tuple[np.ndarray, Impact]:
    """The state with the rates after the impact, and the description of the impact."""
    model, layout = grips.run.model, grips.run.layout
    jump, after = blow.jump("v"), y.copy()
    after[layout["v"]] += jump
    mean = (y[layout["v"]] + after[layout["v"]]) / 2
    gained = float(mean @ model.inertia(y[layout["q"]]) @ jump)
    after[layout["work"].start] += gained
    by_load: dict[str, float] = {}
    for name, impulse in zip(grips.names, blow.along.tolist(), strict=True):
        if impulse:
            by_load[name] = by_load.get(name, 0.0) + impulse
    before, behind = (
        {link.joint.name: state[layout["v"]][link.v] for link in model.skeleton.links} for state in (y, after)
    )
    units = {name: f"{model.readouts.load_units[name].get('effort', 'N')} s" for name in by_load}
    told = Impact(
        model.plan.mechanism.name,
        t,
        by_load,
        units,
        _joint_impulses(grips, t, y, blow),
        before,
        behind,
        blow.loss,
        _friction(grips, blow),
        dict(_couplings(grips, blow)),
        dict(_work(grips, mean, blow, gained)),
        shared,
    )
    return after, told


def _couplings(grips: Grips, blow: _Blow) -> Iterator[tuple[str, np.ndarray]]:
    """Impulses of couplings, by name."""
    model, lam = grips.run.model, blow.jump("lam")
    names, own = {one.name for one in model.plan.mechanism.couplings}, model.equations.own
    for one, rows in zip(own.constraints, own.slices, strict=True):
        if one.name in names:
            yield one.name, lam[rows]


def _work(grips: Grips, mean: np.ndarray, blow: _Blow, gained: float) -> Iterator[tuple[str, float]]:
    """Work of every drive in the impact; the remainder of the energy balance is that of time-dependent relations."""
    model, forces = grips.run.model, blow.jump("forces")
    for link in model.skeleton.links:
        if forces[link.v].any():
            yield link.joint.name, float(forces[link.v] @ mean[link.v])
    moving = [one.name for one in model.equations.own.constraints if one.rheonomic]
    if moving:
        yield " and ".join(moving), gained + blow.loss - float(forces @ mean)


def _friction(grips: Grips, blow: _Blow) -> dict[str, np.ndarray]:
    """Friction impulses on the first bodies of contacts, in inertial axes."""
    rough = blow.struck.across
    if rough is None:
        return {}
    ways, axes = rough.ways, 2 if grips.run.model.skeleton.planar else 3
    found = {
        grips.names[grip]: rough.axes[:axes, ways * j : ways * (j + 1)]
        @ blow.across[ways * j : ways * (j + 1)]
        for j, grip in enumerate(rough.contacts)
    }
    return {name: impulse for name, impulse in found.items() if impulse.any()}


def _through_joints(grips: Grips, t: float, y: np.ndarray, blow: _Blow) -> np.ndarray:
    """Wrench impulses of the joints, 6 × joints, which are linear in the jumps as reactions are in accelerations."""
    state = grips.run.layout.blocks(y)
    jump, lam, forces = (blow.jump(of) for of in ("v", "lam", "forces"))
    rough = blow.struck.across
    contacts = [] if rough is None else rough.contacts.tolist()
    exact = {foot.normal: list(foot.tangential) for foot in grips.feet}
    known = np.array([0.0 if k in contacts and k not in exact else x for k, x in enumerate(blow.along)])
    for j, grip in enumerate(contacts):
        if rough is not None and grip in exact:
            known[exact[grip]] = blow.across[rough.ways * j : rough.ways * (j + 1)]
    found = _reaction_change(grips, t, state, known, {"a": jump, "lam": lam, "tau": forces})
    for j, grip in enumerate(contacts):
        if grip not in exact and blow.along[grip]:
            alone = np.where(np.arange(len(blow.along)) == grip, blow.along, 0.0)
            found += _reaction_change(grips, t, state | {"v": _sliding_so(blow, j)}, alone, {})
    return found


def _joint_impulses(grips: Grips, t: float, y: np.ndarray, blow: _Blow) -> dict[str, JointImpulse]:
    """Impulses of the joints, of minimum norm where joints are redundant."""
    model, state = grips.run.model, grips.run.layout.blocks(y)
    found, lam, forces = _through_joints(grips, t, y, blow), blow.jump("lam"), blow.jump("forces")
    one = (np.array([t]), state["q"][None], model.p, found[None], lam[None])
    found = model.least(*one)[0]
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


def _reaction_change(
    grips: Grips,
    t: float,
    state: Mapping[str, np.ndarray],
    impulses: np.ndarray,
    jumps: Mapping[str, np.ndarray],
) -> np.ndarray:
    """The change of the reactions, 6 × joints, by impulses and by jumps of rates, multipliers and forces."""
    model = grips.run.model
    nothing = {"a": model.skeleton.rates, "lam": model.equations.own.count, "tau": model.skeleton.rates}
    strengths = np.zeros(model.strengths)
    strengths[grips.strengths] = impulses
    with_it, without = (
        model.readouts.reactions(
            t=t,
            **state,
            **{name: k * jumps.get(name, np.zeros(size)) for name, size in nothing.items()},
            strengths=k * strengths,
            p=model.p,
        )[0].reshape(6, -1)
        for k in (1.0, 0.0)
    )
    found: np.ndarray = with_it - without
    return found


def _sliding_so(blow: _Blow, j: int) -> np.ndarray:
    """Rates at which the friction force of a contact has the direction and the relative size of its friction impulse.

    The force of a contact is x (n − μ σ(|v|/slip) v/|v|): its direction depends on the sliding velocity.
    """
    from scipy.optimize import brentq  # takes a seventh of a second to import

    rough = blow.struck.across
    assert rough is not None
    columns = slice(rough.ways * j, rough.ways * (j + 1))
    (mu, slip), across = rough.rough[j], blow.across[columns]
    part = float(np.linalg.norm(across)) / (mu * blow.along[rough.contacts[j]]) if across.any() else 0.0
    if part == 0.0:
        return np.zeros(rough.rates.shape[1])
    speed = 2.0 if part >= 1 - 1e-12 else float(brentq(lambda u: _SIGMA(u) - part, 0.0, 1.0, xtol=1e-16))
    way = -across / np.linalg.norm(across) * speed * slip
    found: np.ndarray = np.linalg.pinv(rough.rates[columns]) @ way
    return found


def _require_yielding(grips: Grips, t: float, y: np.ndarray, struck: Struck, striking: np.ndarray) -> None:
    """Refuse an impact that no impulse can end: against a driven body, or at a dead-centre position."""
    prescribed = grips.prescribed(y, struck)
    for k in striking[prescribed[striking]]:
        raise _unyielding(grips, t, k)


def _unyielding(grips: Grips, t: float, k: int) -> SolveError:
    mechanism = grips.run.model.plan.mechanism
    what = f"at t = {t:.6g} s a drive runs against it."
    remedy = "Let the drive end before, or drive by an effort instead of a motion."
    if not mechanism.drives:
        what = (
            f"it engages at a dead-centre position at t = {t:.6g} s, where no impulse of it stops the motion."
        )
        remedy = "Engage it away from the dead centre, or put a Stop or Freewheel at another joint."
    return refusal(mechanism, "S17", grips.called([k]), what, remedy)
