"""Relaxed start: flexible links deformed by the forces at the start, so that they do not begin to vibrate.

    η̇ = 0,   η̈ = 0,      F(q, v, a, λ) = 0,      J a = γ

F = 0 are the equations of motion, with coordinates q, rates v, accelerations a and multipliers λ, and J a = γ the
constraints on the accelerations. The unknowns are the elastic coordinates η of the links to be relaxed, the multipliers
λ, and the accelerations of all coordinates that are neither prescribed nor relaxed. If no joint accelerates, the links
are in static equilibrium; otherwise they are in equilibrium in their accelerated frames, under loads and inertia
forces.

Theory: docs/theory/11-stable-inversion.md, eq. (11.8).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from multiloop.analyses.analysis_cache import cached_assembly, cached_plan
from multiloop.analyses.assemble import state_of
from multiloop.analyses.errors import analysis_error
from multiloop.analyses.signals import joints_in_efforts
from multiloop.analyses.stable_inversion.independent_rates import (
    IndependentRates,
    independent_rates,
    open_loops_text,
)
from multiloop.analyses.stable_inversion.internal_dynamics import Instants, InternalDynamics
from multiloop.analyses.steady_states import ForceBalance
from multiloop.kinematics import tree_rates
from multiloop.kinematics.assembly import StateValues
from multiloop.model import ETA, Mechanism, MultiloopError, short_repr
from multiloop.plan import Plan

RELAXED = "relaxed"
"""The value in the argument `start` that requests relaxed flexible links."""

LIMIT = 40
"""Largest number of Newton steps in the computation of a relaxed start."""

BALANCED = 1e-7
"""Largest accepted residual of the equations of motion, relative to the largest force in them; with stiff links,
round-off prevents smaller residuals."""

DIFFERENCE_STEP = 1e-5
"""Motion of the fastest coordinate, in radians or characteristic lengths, over which the rate of change of the relaxed
deformation is computed as a finite difference."""

SOFT_LINK_REMEDY = "Check for links that are too compliant for their loads, or start undeformed."


def relaxed_links(mechanism: Mechanism, start: Any) -> tuple[tuple[str, ...], Any]:
    """Names of the flexible links to be relaxed, and `start` without its requests for relaxation.

    All links are relaxed if `start` is "relaxed" or contains {"eta": "relaxed"}; otherwise the links with entries such
    as {"link.eta": "relaxed"}.
    """
    bending = tuple(body.name for body in mechanism.all_bodies if body.elastic)
    if start == RELAXED and isinstance(start, str):
        return bending, {}
    if not isinstance(start, Mapping):
        return (), start
    words = {name: value for name, value in start.items() if isinstance(value, str)}
    asked = {name for name, value in words.items() if value == RELAXED}
    for name, word in words.items():
        if word != RELAXED and (name == ETA or name.endswith(f".{ETA}")):
            remedy = f'Write "{RELAXED}", or give numbers by link: {{"{(*bending, "link")[0]}.{ETA}": (0.01, 0.0)}}.'
            raise analysis_error(mechanism, "S09", f"start '{name}'", f"is {short_repr(word)}.", remedy)
    everywhere = ETA in asked and ETA not in mechanism.joints_by_name
    links = tuple(name for name in bending if everywhere or f"{name}.{ETA}" in asked)
    taken = {*(f"{name}.{ETA}" for name in links), *([ETA] if everywhere else ())}
    return links, {name: value for name, value in start.items() if name not in taken or name not in asked}


@dataclass(frozen=True, eq=False)
class RelaxedStart:
    """Request for a relaxed start: names of the `links` to be relaxed, and the arguments `start` (without this
    request), `rates` and `efforts` of the simulation."""

    links: tuple[str, ...]
    start: Mapping[str, Any]
    rates: Mapping[str, Any]
    efforts: Mapping[str, Any]

    def relaxation(self, plan: Plan) -> Relaxation:
        """The Relaxation of the links, with the equations on the spanning tree of a plan."""
        balance = ForceBalance(plan, dict(self.efforts))
        balance.signals.require_covered(0.0, 0.0)
        return Relaxation(self.links, tuple(self.start), balance)


@dataclass(frozen=True, eq=False)
class Relaxation:
    """Computes the deformation with which `links` are in equilibrium in the initial state.

    `held` names the joints whose initial coordinates are given; these coordinates are kept where possible.
    """

    links: tuple[str, ...]
    held: tuple[str, ...]
    balance: ForceBalance

    def independent(self, q: np.ndarray, p: np.ndarray) -> IndependentRates:
        """The independent rates at a position q with closed loops, for parameter values p."""
        return independent_rates(self.balance.equations, q, p, 0.0, self.links, self.held)

    def dynamics(self, rates: IndependentRates, p: np.ndarray, *, still: bool = False) -> InternalDynamics:
        """The equations of motion in the independent rates; with `still` the drives are at rest, as before t = 0."""
        S = np.eye(self.balance.equations.skeleton.rates)[rates.places]
        moving = (float(np.nextafter(0.0, 1.0)), np.inf) if still else (-np.inf, np.inf)
        return InternalDynamics(self.balance, S, moving, design=p)

    def relaxed_instant(
        self, q: np.ndarray, v: np.ndarray, p: np.ndarray, t: float = 0.0, *, still: bool = False
    ) -> Instants:
        """The motion at time t with relaxed links, from a position q with closed loops and consistent rates v; with
        `still` the drives are at rest, as before t = 0."""
        rates = self.independent(q, p)
        dynamics, count = self.dynamics(rates, p, still=still), len(rates.relaxing)
        try:
            return _solve_relaxed(
                dynamics, dynamics.at_rest(np.array([t]), q[None]), (dynamics.S @ v)[None], count
            )
        except np.linalg.LinAlgError:
            what = (
                "the links have no static equilibrium: under their deformation the configuration "
                "becomes singular."
            )
            raise analysis_error(self.balance.mechanism, "E01", "start", what, SOFT_LINK_REMEDY) from None

    def drift(self, first: Instants, v: np.ndarray, p: np.ndarray) -> dict[str, np.ndarray]:
        """Rate η̇ at which the relaxed deformation of every link changes along the motion, by finite differences.

        `first` is the motion at t = 0 with relaxed links, v are the rates from which it was computed. A simulation with
        a relaxed start begins with zero elastic rates instead, so that the links vibrate about the changing
        deformation; the rate returned is their initial velocity relative to it, with the opposite sign.
        """
        eq = self.balance.equations
        fastest = float(np.abs(first.v / eq.chart.rate_units).max(initial=0.0))
        if not fastest:
            return {}
        ahead = DIFFERENCE_STEP / fastest
        q = eq.chart.apply_step(first.q[0], ahead * first.v[0])
        later = self.relaxed_instant(q, v + ahead * first.a[0], p, ahead)
        links = [link for link in eq.skeleton.links if link.reduced.elastic]
        return {link.body: (later.q[0] - first.q[0])[link.eta] / ahead for link in links}

    def relax_designs(
        self, q: np.ndarray, v: np.ndarray, p: np.ndarray, which: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates q and rates v of all designs, with links relaxed in the designs of the mask `which`.

        The arrays have one column per design; every design is relaxed under its own forces. The last array returned is
        the mask of the designs for which no equilibrium was found.
        """
        q, v, lost = q.copy(), v.copy(), np.zeros(q.shape[1], bool)
        for k in np.flatnonzero(which).tolist():
            try:
                at = self.relaxed_instant(q[:, k], v[:, k], p[:, k])
                q[:, k], v[:, k] = at.q[0], at.v[0]
            except MultiloopError:
                lost[k] = True
        return q, v, lost


def relaxed_start(
    mechanism: Mechanism,
    asked: StateValues | str | None,
    guess: Mapping[str, Any] | None,
    rates: Mapping[str, Any] | None,
    efforts: Mapping[str, Any] | None,
    control: Any,
) -> tuple[StateValues | None, Mapping[str, Any] | None, RelaxedStart | None]:
    """Start, rates and relaxation request: `asked` and `rates` unchanged, and None, if no link is to be relaxed.

    Otherwise the start is the State with relaxed links, which includes the rates. Links are relaxed under gravity,
    loads and efforts, with the joints at their start values and moving with the given rates. The relaxation request is
    used to relax the links of other designs. A SolveError is raised if a `control` is given, whose efforts are not
    known in advance.
    """
    links, start = relaxed_links(mechanism, asked)
    if not links:
        return start, rates, None
    if control is not None:
        what = (
            "the relaxed deformation cannot be computed: the efforts of the control are not known in advance."
        )
        raise analysis_error(mechanism, "S09", "start", what, "Start undeformed, or from a State.")
    relaxing = RelaxedStart(links, start, rates or {}, efforts or {})
    assembly, moving = cached_assembly(mechanism, start, guess, rates, 0.0)
    relaxation = relaxing.relaxation(cached_plan(assembly, None, joints_in_efforts(mechanism, efforts)))
    eq = relaxation.balance.equations
    at = relaxation.relaxed_instant(assembly.coordinates_on(eq), tree_rates(eq, moving), assembly.p)
    s, near = at.s[0][0], assembly.coordinates()
    bent = replace(assembly, equations=eq, q=at.q[0], s=s, distance=0.0, guessed_coordinates=near)
    return state_of(bent, at.v[0], 0.0), None, relaxing


def _solve_relaxed(dynamics: InternalDynamics, at: Instants, u: np.ndarray, count: int) -> Instants:
    """The motion with the elastic coordinates and accelerations that satisfy the equations of motion, by Newton's
    method; steps are made as long as the residual decreases.

    `at` is the initial guess, `u` are the independent rates, and `count` is the number of elastic coordinates to be
    relaxed.
    """
    unknown = np.zeros(len(dynamics.S))
    eta = at.q[0, dynamics.elastic_places]
    size, before = 0.0, np.inf
    for _ in range(LIMIT):
        at = _close_loops(dynamics, at, eta, unknown, count)
        w = np.concatenate([np.zeros(count), unknown[count:]])[None]
        at, found = dynamics.linearise(at, u, w)
        acting = np.abs(found.K[0][:, :count] * unknown[:count]).max(initial=0.0)
        size = max(size, float(np.abs(found.g).max(initial=0.0)), float(acting))
        left = float(np.abs(found.g).max(initial=0.0))
        if left == 0.0 or (left <= BALANCED * size and left >= before):
            break
        before = left
        system = np.hstack([found.K[0][:, :count], found.M[0][:, count:]])
        unknown = unknown - np.linalg.lstsq(system, found.g[0], rcond=None)[0]
    if not left <= BALANCED * size:
        what = (
            f"no static equilibrium of the links was found (relative residual {left / size:.1e} "
            "of the forces)."
        )
        remedy = "Give initial elastic coordinates, or start undeformed and let damping settle the links."
        raise analysis_error(dynamics.balance.mechanism, "E01", "start", what, remedy)
    return at


def _close_loops(
    dynamics: InternalDynamics, at: Instants, eta: np.ndarray, unknown: np.ndarray, count: int
) -> Instants:
    """The motion with closed loops and deformed links; an error is raised if the loops cannot be closed.

    The first `count` entries of `unknown` are changes of the elastic coordinates `eta`, and are added to these.
    """
    bent = eta.copy()
    bent[:count] += unknown[:count]
    found, gap = dynamics.close_loops(at, bent[None])
    if gap[0] <= dynamics.equations.skeleton.closure_tolerance:
        return found
    what = f"with the links deformed by their forces, the loops {open_loops_text(gap[0])}."
    raise analysis_error(dynamics.balance.mechanism, "E01", "start", what, SOFT_LINK_REMEDY)
