"""Impacts: jumps of velocities when contacts or stops close.

Theory: docs/theory/12-contact.md, eqs. (12.8), (12.12).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from multiloop.analyses.contact_events.impact_problem import ImpactProblem
from multiloop.analyses.contact_events.indeterminate_forces import ImpulseReactions, SharedImpulses
from multiloop.analyses.contact_events.set_valued_forces import ImpulseResponse, SetValuedForces
from multiloop.analyses.errors import analysis_error
from multiloop.analyses.results.histories import Impact, JointImpulse, SharedForces
from multiloop.analyses.run_models import LocalChoice
from multiloop.dynamics.actions import GAP, GAP_TOLERANCE, RATE, REST_RATE
from multiloop.model import Joint, SolveError

REST_ENERGY = 1e-6
"""A rebound is suppressed, which ends bouncing, if its energy is below this fraction of the largest impact energy of
the same load in the run."""

ENGAGEMENT_RATE = 10.0
"""Multiple of the rate that counts as rest, up to which closing rates are set to zero without recording an impact.

A freewheel engages as its shaft begins to turn, which is detected only when the shaft turns at such a rate.
"""

_SIGMA = np.polynomial.Polynomial([0.0, 15 / 8, 0.0, -10 / 8, 0.0, 3 / 8])
"""Regularised sign function σ of smooth friction, a polynomial in the speed divided by the creep speed, for values up
to 1 (`actions.friction_laws`)."""


def resolve_impact(
    set_valued: SetValuedForces, t: float, y: np.ndarray, choice: LocalChoice, peaks: np.ndarray
) -> tuple[np.ndarray, Impact | None]:
    """The state after all simultaneous impacts, and a description of them; None if there is no impact.

    Freewheels that engage at rest cause no impact. `peaks` holds the largest impact energy of each set-valued force so
    far and is updated.
    """
    values = set_valued.outputs(t, y, choice)
    rate = values[:, RATE]
    closed = np.flatnonzero(set_valued.are_unilateral(values) & (values[:, GAP] <= values[:, GAP_TOLERANCE]))
    striking = rate[closed] < -values[closed, REST_RATE]
    if not striking.any():
        return y, None
    # contacts in connected parts without an impact are not involved
    involved = np.isin(set_valued.connected_parts[closed], set_valued.connected_parts[closed[striking]])
    closed, striking = closed[involved], striking[involved]
    still = y.copy()
    still[set_valued.run.layout["v"]] = 0.0  # at rest the response to normal impulses contains no friction
    unit_response = set_valued.impulse_response(t, still, choice)
    _require_yielding(set_valued, t, y, unit_response, closed[striking])
    e = np.where(
        striking & _rebounds(unit_response, closed, rate[closed], peaks),
        unit_response.impact_laws[closed, 0],
        0.0,
    )
    problem, columns = _impact_problem(unit_response, closed, y[set_valued.run.layout["v"]])
    found = problem.impulses(e)
    if found is None:
        what = f"at t = {t:.6g} s an impact occurs, and no impulses satisfy the laws of restitution and friction."
        where, remedy = (
            set_valued.describe(closed[striking]),
            "Lower the coefficient of friction of the contact.",
        )
        raise analysis_error(set_valued.run.model.plan.mechanism, "S17", where, what, remedy)
    rates = unit_response.rates[closed]
    if unit_response.tangential is not None:
        rates = np.vstack([rates, unit_response.tangential.rates[columns]])

    def impact_jumps(found: np.ndarray) -> _ImpactJumps:
        impulses = np.zeros(len(set_valued.names))
        impulses[closed] = found[: len(closed)]
        across = np.zeros(0 if unit_response.tangential is None else unit_response.tangential.v.shape[1])
        across[columns] = found[len(closed) :]
        return _ImpactJumps(unit_response, impulses, across, problem.loss(found))

    def response(found: np.ndarray) -> ImpulseReactions:
        jumps = impact_jumps(found)
        return _joint_wrench_impulses(set_valued, t, y, jumps), jumps.jump("lam"), jumps.jump("forces")

    linear = unit_response.tangential is None or len(set_valued.stiction_contacts) == len(
        unit_response.tangential.contacts
    )
    together = SharedImpulses(set_valued, t, y, problem, closed, rates, e, response if linear else None)
    found, shared = together.minimum_norm(found)
    after, impact = _apply_jumps(set_valued, t, y, impact_jumps(found), shared)
    engages = bool((rate[closed] >= -ENGAGEMENT_RATE * values[closed, REST_RATE])[striking].all())
    return after, None if engages else impact


def _rebounds(
    unit_response: ImpulseResponse, closed: np.ndarray, rate: np.ndarray, peaks: np.ndarray
) -> np.ndarray:
    """Mask of the closed contacts that rebound with their restitution.

        e² E > r E_max,      E = ½ ġ² / D,      r = `REST_ENERGY`

    e is the restitution of a contact, E its impact energy, ġ its closing rate before the impact (`rate`), and D the
    change of this rate by a unit impulse. E_max is the largest impact energy of the contact in this run so far; these
    energies are kept in `peaks`, which is updated. A contact with a minimum rebound speed (argument `speed` of the
    load) rebounds instead if e |ġ| exceeds this speed.
    """
    e, speed, _ = unit_response.impact_laws[closed].T
    D = np.diag(unit_response.compliance)[closed]
    energy = np.where(D > 0, rate**2 / np.where(D > 0, D, 1.0) / 2, np.inf)
    peaks[closed] = np.maximum(peaks[closed], np.where((rate < 0) & (D > 0), energy, 0.0))
    found: np.ndarray = np.where(speed > 0, -e * rate > speed, e * e * energy > REST_ENERGY * peaks[closed])
    return found


@dataclass(frozen=True, eq=False)
class _ImpactJumps:
    """The impulses of an impact: response to unit impulses, normal and tangential impulses, and the energy that they
    dissipate (`loss`)."""

    unit_response: ImpulseResponse
    normal: np.ndarray
    tangential: np.ndarray
    loss: float

    def jump(self, of: str) -> np.ndarray:
        """The jump of the joint rates (`v`), or the impulses of the multipliers (`lam`) or of the drives (`forces`)."""
        found: np.ndarray = getattr(self.unit_response, of) @ self.normal
        return (
            found
            if self.unit_response.tangential is None
            else found + getattr(self.unit_response.tangential, of) @ self.tangential
        )


def _impact_problem(
    unit_response: ImpulseResponse, closed: np.ndarray, v: np.ndarray
) -> tuple[ImpactProblem, np.ndarray]:
    """The impact problem of the contacts `closed`, and the indices of the columns in `TangentialResponse` that belong
    to its tangential impulses."""
    places, mu = [np.zeros(0, int) for _ in closed], np.zeros(len(closed))
    rates, jumps, columns = unit_response.rates[closed], unit_response.v[:, closed], np.zeros(0, int)
    if unit_response.tangential is not None:
        rough, ways = unit_response.tangential, unit_response.tangential.directions
        used = [(k, j) for k, grip in enumerate(closed) for j in np.flatnonzero(rough.contacts == grip)]
        for count, (k, j) in enumerate(used):
            places[k], mu[k] = len(closed) + ways * count + np.arange(ways), rough.rough[j, 0]
        columns = np.concatenate([columns, *[ways * j + np.arange(ways) for _, j in used]])
        rates = np.vstack([rates, rough.rates[columns]])
        jumps = np.hstack([jumps, rough.v[:, columns]])
    return ImpactProblem(rates @ jumps, rates @ v, places, mu), columns


def _apply_jumps(
    set_valued: SetValuedForces, t: float, y: np.ndarray, jumps: _ImpactJumps, shared: SharedForces | None
) -> tuple[np.ndarray, Impact]:
    """Copy of the state y with the rates after the impact, and the description of the impact."""
    model, layout = set_valued.run.model, set_valued.run.layout
    jump, after = jumps.jump("v"), y.copy()
    after[layout["v"]] += jump
    mean = (y[layout["v"]] + after[layout["v"]]) / 2
    gained = float(mean @ model.inertia(y[layout["q"]]) @ jump)
    after[layout["work"].start] += gained
    by_load: dict[str, float] = {}
    for name, impulse in zip(set_valued.names, jumps.normal.tolist(), strict=True):
        if impulse:
            by_load[name] = by_load.get(name, 0.0) + impulse
    before, behind = (
        {link.joint.name: state[layout["v"]][link.v] for link in model.skeleton.links} for state in (y, after)
    )
    units = {name: f"{model.reaction_functions.load_units[name].get('effort', 'N')} s" for name in by_load}
    impact = Impact(
        model.plan.mechanism.name,
        t,
        by_load,
        units,
        _joint_impulses(set_valued, t, y, jumps),
        before,
        behind,
        jumps.loss,
        _friction_impulses(set_valued, jumps),
        dict(_coupling_impulses(set_valued, jumps)),
        dict(_drive_work(set_valued, mean, jumps, gained)),
        shared,
    )
    return after, impact


def _coupling_impulses(set_valued: SetValuedForces, jumps: _ImpactJumps) -> Iterator[tuple[str, np.ndarray]]:
    """The name of every coupling, with the impulses of its multipliers."""
    model, lam = set_valued.run.model, jumps.jump("lam")
    names, own = {one.name for one in model.plan.mechanism.couplings}, model.equations.loop_constraints
    for one, rows in zip(own.constraints, own.slices, strict=True):
        if one.name in names:
            yield one.name, lam[rows]


def _drive_work(
    set_valued: SetValuedForces, mean: np.ndarray, jumps: _ImpactJumps, gained: float
) -> Iterator[tuple[str, float]]:
    """Work of every drive in the impact, and of time-dependent relations, to which the remainder of the energy balance
    is assigned.

    `mean` are the mean values of the rates before and after the impact, `gained` is the increase of kinetic energy.
    """
    model, forces = set_valued.run.model, jumps.jump("forces")
    for link in model.skeleton.links:
        if forces[link.v].any():
            yield link.joint.name, float(forces[link.v] @ mean[link.v])
    moving = [one.name for one in model.equations.loop_constraints.constraints if one.rheonomic]
    if moving:
        yield " and ".join(moving), gained + jumps.loss - float(forces @ mean)


def _friction_impulses(set_valued: SetValuedForces, jumps: _ImpactJumps) -> dict[str, np.ndarray]:
    """Friction impulses on the first bodies of contacts, in inertial axes, by the names of the loads."""
    rough = jumps.unit_response.tangential
    if rough is None:
        return {}
    ways, axes = rough.directions, 2 if set_valued.run.model.skeleton.planar else 3
    found = {
        set_valued.names[grip]: rough.axes[:axes, ways * j : ways * (j + 1)]
        @ jumps.tangential[ways * j : ways * (j + 1)]
        for j, grip in enumerate(rough.contacts)
    }
    return {name: impulse for name, impulse in found.items() if impulse.any()}


def _joint_wrench_impulses(
    set_valued: SetValuedForces, t: float, y: np.ndarray, jumps: _ImpactJumps
) -> np.ndarray:
    """Wrench impulses of the joints, 6 × joints, which are linear in the jumps as reactions are in accelerations."""
    state = set_valued.run.layout.blocks(y)
    jump, lam, forces = (jumps.jump(of) for of in ("v", "lam", "forces"))
    rough = jumps.unit_response.tangential
    contacts = [] if rough is None else rough.contacts.tolist()
    exact = {contact.normal: list(contact.tangential) for contact in set_valued.stiction_contacts}
    known = np.array([0.0 if k in contacts and k not in exact else x for k, x in enumerate(jumps.normal)])
    for j, grip in enumerate(contacts):
        if rough is not None and grip in exact:
            known[exact[grip]] = jumps.tangential[rough.directions * j : rough.directions * (j + 1)]
    found = _reaction_change(set_valued, t, state, known, {"a": jump, "lam": lam, "tau": forces})
    for j, grip in enumerate(contacts):
        if grip not in exact and jumps.normal[grip]:
            alone = np.where(np.arange(len(jumps.normal)) == grip, jumps.normal, 0.0)
            found += _reaction_change(
                set_valued, t, state | {"v": _equivalent_sliding_rates(jumps, j)}, alone, {}
            )
    return found


def _joint_impulses(
    set_valued: SetValuedForces, t: float, y: np.ndarray, jumps: _ImpactJumps
) -> dict[str, JointImpulse]:
    """Impulses of all joints by name; they have minimum norm where redundant joints make them indeterminate."""
    model, state = set_valued.run.model, set_valued.run.layout.blocks(y)
    found, lam, forces = (
        _joint_wrench_impulses(set_valued, t, y, jumps),
        jumps.jump("lam"),
        jumps.jump("forces"),
    )
    one = (np.array([t]), state["q"][None], model.p, found[None], lam[None])
    found = model.minimum_norm(*one)[0]
    planar, joints = model.skeleton.planar, {}
    for k, joint in enumerate(model.plan.mechanism.connections):
        n, f = found[:3, k], found[3:, k]
        link = model.skeleton.link_of_joint.get(joint.name)
        freedoms = joint.degrees_of_freedom(planar) if isinstance(joint, Joint) else 0
        effort = np.zeros(freedoms) if link is None else forces[link.v]
        joints[joint.name] = (
            JointImpulse(f[:2], float(n[2]), effort) if planar else JointImpulse(f, n, effort)
        )
    return joints


def _reaction_change(
    set_valued: SetValuedForces,
    t: float,
    state: Mapping[str, np.ndarray],
    impulses: np.ndarray,
    jumps: Mapping[str, np.ndarray],
) -> np.ndarray:
    """The impulses of the joint reactions, 6 × joints, caused by `impulses` of set-valued forces and by `jumps`.

    The keys of `jumps` are "a" for the jumps of the rates, "lam" for the impulses of the multipliers and "tau" for the
    impulses of the drives.
    """
    model = set_valued.run.model
    nothing = {
        "a": model.skeleton.rates,
        "lam": model.equations.loop_constraints.count,
        "tau": model.skeleton.rates,
    }
    dependent_forces = np.zeros(model.dependent_force_count)
    dependent_forces[set_valued.dependent_force_indices] = impulses
    with_it, without = (
        model.reaction_functions.reactions(
            t=t,
            **state,
            **{name: k * jumps.get(name, np.zeros(size)) for name, size in nothing.items()},
            dependent_forces=k * dependent_forces,
            p=model.p,
        )[0].reshape(6, -1)
        for k in (1.0, 0.0)
    )
    found: np.ndarray = with_it - without
    return found


def _equivalent_sliding_rates(jumps: _ImpactJumps, j: int) -> np.ndarray:
    """Joint rates at which the friction force of contact j has the same direction and relative size as its friction
    impulse.

    A contact exerts the force x (n − μ σ(|v|/slip) v/|v|), with the normal force x, the normal n, the coefficient of
    friction μ, the regularised sign function σ and the creep speed `slip`: the direction of this force depends on the
    sliding velocity v.
    """
    from scipy.optimize import brentq  # imported only here, since the import takes 0.14 s

    rough = jumps.unit_response.tangential
    assert rough is not None
    columns = slice(rough.directions * j, rough.directions * (j + 1))
    (mu, slip), across = rough.rough[j], jumps.tangential[columns]
    part = float(np.linalg.norm(across)) / (mu * jumps.normal[rough.contacts[j]]) if across.any() else 0.0
    if part == 0.0:
        return np.zeros(rough.rates.shape[1])
    speed = 2.0 if part >= 1 - 1e-12 else float(brentq(lambda u: _SIGMA(u) - part, 0.0, 1.0, xtol=1e-16))
    way = -across / np.linalg.norm(across) * speed * slip
    found: np.ndarray = np.linalg.pinv(rough.rates[columns]) @ way
    return found


def _require_yielding(
    set_valued: SetValuedForces, t: float, y: np.ndarray, unit_response: ImpulseResponse, striking: np.ndarray
) -> None:
    """Raise an error if no impulse can end the impact of a contact in `striking`: against a driven body, or at a
    dead-centre position."""
    prescribed = set_valued.are_prescribed(y, unit_response)
    for k in striking[prescribed[striking]]:
        raise _unyielding_error(set_valued, t, k)


def _unyielding_error(set_valued: SetValuedForces, t: float, k: int) -> SolveError:
    mechanism = set_valued.run.model.plan.mechanism
    what = f"at t = {t:.6g} s a prescribed motion runs against this load."
    remedy = "End the prescribed motion earlier, or prescribe an effort instead."
    if not mechanism.drives:
        what = (
            f"it engages at a dead-centre position at t = {t:.6g} s, where its impulse cannot "
            "stop the motion."
        )
        remedy = "Engage it away from the dead-centre position, or put a Stop or Freewheel at another joint."
    return analysis_error(mechanism, "S17", set_valued.describe([k]), what, remedy)
