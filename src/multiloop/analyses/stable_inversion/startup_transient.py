"""Warning that a simulation of a driven mechanism includes a start-up transient of its flexible links.

The elastic coordinates η of a link begin undeformed or relaxed, at rest in either case, whereas the prescribed
motion requires the quasi-static deformation η_s, which changes at the rate η̇_s. The difference is a free
vibration. In the mode shapes φᵢ of the driven mechanism at t = 0 it has the amplitudes

    aᵢ² = (φᵢᵀ M δ)² + (φᵢᵀ M δ̇)² / ωᵢ²,      K φᵢ = ωᵢ² M φᵢ,      φᵢᵀ M φᵢ = 1

with δ = η − η_s and δ̇ = η̇ − η̇_s. The strain energy of link k in this vibration, ½ Σ aᵢ² φᵢᵀ K_k φᵢ, is compared with
the largest strain energy of this link in the run. The inertia matrix M includes all bodies that move with the links
while the drives are held; the stiffness matrix K, the sum of the matrices K_k of the links, and the damping are those
of the links alone. ωᵢ are the natural frequencies.

A motion that begins from rest is preceded by rest: η_s is then the static equilibrium before the motion, without the
acceleration with which the motion may begin, and η̇_s = 0. The response to that acceleration is part of the motion.

Theory: docs/theory/11-stable-inversion.md, eq. (11.9).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from multiloop.analyses.analysis_cache import cached_assembly, cached_plan, cached_value
from multiloop.analyses.results import Result
from multiloop.analyses.signals import joints_in_efforts, prescribed_values
from multiloop.analyses.stable_inversion.internal_dynamics import Instants, InternalDynamics
from multiloop.analyses.stable_inversion.relaxation import Relaxation, RelaxedStart, relaxed_links
from multiloop.kinematics import tree_rates
from multiloop.kinematics.assembly import Assembly
from multiloop.kinematics.tree import elastic_matrices
from multiloop.model import ETA, Mechanism, MultiloopError, ResultWarning

TRANSIENT = 0.05
"""Amplitude of the start-up vibration above which it is reported, as a fraction of the largest deformation of the link
in the run; both are measured by √(strain energy)."""

BEFORE = 1e-7
"""Time before the start of a run, as a fraction of its duration, at which the drives are evaluated to determine whether
the motion is preceded by rest."""

ROUND_OFF = 1e-10
"""Elastic displacement of a body, in radians or characteristic lengths, below which its deformation counts as
round-off."""

RIGID = 1e-12
"""Fraction of the largest squared natural frequency ω² below which a mode counts as a rigid-body motion."""

SETTLED = 0.1
"""Ratio of the final to the initial amplitude of a vibration, below which the vibration counts as settled during the
run."""


@dataclass(frozen=True, eq=False)
class StartupTransient:
    """Function that returns warnings about a start-up transient of the flexible links of a simulation.

    It contains the arguments of the simulation. `eta` are the elastic coordinates over the whole run, by link; if the
    Result has few instants, `eta` has additional ones.
    """

    mechanism: Mechanism
    start: Mapping[str, Any] | str | None
    guess: Mapping[str, Any] | None
    rates: Mapping[str, Any] | None
    efforts: Mapping[str, Any] | None
    until: float
    eta: Mapping[str, np.ndarray] = field(default_factory=dict)

    def of(self, result: Result) -> StartupTransient:
        """The same arguments with the mechanism (of one design) and the elastic coordinates of a result."""
        eta = {name: link.eta for name, link in result.links.items()}
        return replace(self, mechanism=result.mechanism, eta=eta)

    def __call__(self, result: Result) -> list[ResultWarning]:
        """The list of warnings: empty if there is no transient, or if no quasi-static deformation can be computed."""
        with suppress(MultiloopError, np.linalg.LinAlgError):
            return self._warnings(float(result.time[0]))
        return []

    def _warnings(self, first: float) -> list[ResultWarning]:
        """The warning about the transient that remains at the time `first`, the first instant of a result."""
        relaxed, others = relaxed_links(self.mechanism, self.start)
        start = dict(others or {})
        links = _links_without_values(self.mechanism, start, self.rates) if self.mechanism.drives else relaxed
        assembly, moving = cached_assembly(self.mechanism, start, self.guess, self.rates, 0.0)
        relaxation, p = self._relaxation(assembly, links, start), assembly.p
        eq = relaxation.balance.equations
        q, v = assembly.coordinates_on(eq), tree_rates(eq, moving)
        still = _preceded_by_rest(relaxation, p, BEFORE * self.until)
        # If joints are released at the start, the user intends the given initial values: only relaxed links, whose
        # deformation is computed, are checked.
        if still and relaxation.independent(q, p).joints:
            links, still = relaxed, False
            relaxation = self._relaxation(assembly, links, start)
        if not links:
            return []
        at = relaxation.relaxed_instant(q, v, p, still=still)
        dynamics = relaxation.dynamics(relaxation.independent(q, p), p)
        vibration = _Vibration(dynamics, at, {name: self.eta[name] for name in links})
        shapes = {name: at.q[0][link.eta] for name, link in vibration.links.items() if name not in relaxed}
        changing = {} if still else relaxation.drift(at, v, p)
        part, name = vibration.largest(shapes, changing, first)
        if part <= TRANSIENT:
            return []
        left, _ = vibration.largest(shapes, changing, self.until)
        settles = left < SETTLED * part
        if vibration.largest({}, changing, first)[0] <= TRANSIENT:
            remedy = 'give "eta": "relaxed" in start' if start else 'use start="relaxed"'
        elif not self.mechanism.drives:
            remedy = "discard the initial transient, or start from rest" if settles else "start from rest"
        else:
            later = "discard the first cycles, or " if settles else ""
            remedy = (
                f'for the steady cycle {later}use `inverse` with elastic="stable" and cycle=; '
                "otherwise let the drives start from rest"
            )
        begins = "relaxed with its static deformation" if name in relaxed else "undeformed"
        lasts = "until it is damped out" if settles else "throughout the run"
        text = (
            f"a start-up transient is included: '{name}' starts {begins}, and vibrates by about "
            f"{100 * min(part, 1.0):.2g} % of its largest deformation {lasts}; {remedy}"
        )
        return [ResultWarning("W31", name, text, min(part, 1.0), "1", first)]

    def _relaxation(self, assembly: Assembly, links: tuple[str, ...], start: Mapping[str, Any]) -> Relaxation:
        """The Relaxation of the links; it is cached, so that it is traced once for all results of an analysis."""
        plan = cached_plan(assembly, None, joints_in_efforts(self.mechanism, self.efforts))
        asked = RelaxedStart(links, start, self.rates or {}, self.efforts or {})
        return cached_value(
            lambda: asked.relaxation(plan), "relaxation", plan, links, tuple(start), self.efforts
        )


def startup_transient(
    mechanism: Mechanism,
    start: Any,
    guess: Mapping[str, Any] | None,
    rates: Mapping[str, Any] | None,
    efforts: Mapping[str, Any] | None,
    until: float,
) -> StartupTransient | None:
    """The function that returns warnings about a start-up transient of a simulation that begins at t = 0, or None.

    None is returned if the elastic coordinates or rates are given as numbers or by a State, since these are initial
    values intended by the user. None is also returned for undeformed links if no motion is prescribed, since there is
    no prescribed motion with which the links could disagree.
    """
    if not isinstance(start, Mapping | str | None) or not _links_without_values(mechanism, start, rates):
        return None
    if not mechanism.drives and not relaxed_links(mechanism, start)[0]:
        return None
    return StartupTransient(mechanism, start, guess, rates, efforts, until)


def _links_without_values(
    mechanism: Mechanism, start: Any, rates: Mapping[str, Any] | None
) -> tuple[str, ...]:
    """Names of the flexible links whose initial elastic coordinates and rates are not given as numbers."""
    words = start if isinstance(start, Mapping) else {}
    given = {name for name, value in words.items() if not isinstance(value, str)} | {*(rates or {})}
    return tuple(
        body.name for body in mechanism.all_bodies if body.elastic and f"{body.name}.{ETA}" not in given
    )


def _preceded_by_rest(relaxation: Relaxation, p: np.ndarray, before: float) -> bool:
    """Whether all drives are at rest at t = 0 and at the time −`before`.

    Tables that begin at t = 0 are continued before it by their first value.
    """
    signals = relaxation.balance.signals
    z = signals.tables.read(np.zeros(2))
    _, rate, second = prescribed_values(signals).evaluate_many(t=np.array([[0.0, -before]]), z=z, p=p)
    return not rate.any() and not second[1].any()


class _Vibration:
    """Free vibration, by modes, of flexible links about their quasi-static deformation while the drives are held."""

    def __init__(self, dynamics: InternalDynamics, at: Instants, eta: Mapping[str, np.ndarray]) -> None:
        eq, self.dynamics = dynamics.equations, dynamics
        self.links = {link.body: link for link in eq.skeleton.links if link.body in eta}
        C, inertia = dynamics.directions(at)
        own = {name: elastic_matrices(eq.skeleton, link) for name, link in self.links.items()}
        strain, loss = (
            {name: C[link.eta_rate].T @ own[name][k] @ C[link.eta_rate] for name, link in self.links.items()}
            for k in range(2)
        )
        self.weights = np.linalg.cholesky(C.T @ inertia @ C)  # the factor L of the inertia matrix M = L Lᵀ
        inverse = np.linalg.inv(self.weights)
        # the columns of `shapes` are Lᵀ φ for mode shapes φ
        squares, self.shapes = np.linalg.eigh(inverse @ sum(strain.values()) @ inverse.T)
        bending = squares > RIGID * squares.max(initial=0.0)
        self.squares, self.shapes = squares[bending], self.shapes[:, bending]
        phi = inverse.T @ self.shapes
        self.strain = {name: np.einsum("ki,kl,li->i", phi, K, phi) for name, K in strain.items()}
        self.decay = np.einsum("ki,kl,li->i", phi, sum(loss.values()), phi) / 2
        self.peaks = {}
        for name, link in self.links.items():
            K, shape = own[name][0], np.vstack([eta[name], at.q[0][link.eta]])
            noise = ROUND_OFF * eq.chart.rate_units[link.eta_rate]
            if (np.abs(shape) > noise).any():
                self.peaks[name] = float(np.einsum("ti,ij,tj->t", shape, K, shape).max())

    def largest(
        self, away: Mapping[str, np.ndarray], changing: Mapping[str, np.ndarray], t: float
    ) -> tuple[float, str]:
        """The largest ratio, over all links, of the vibration amplitude at time t to the largest deformation of the
        link in the run, and the name of the link.

        `away` are the initial differences η_s − η (their sign has no influence), `changing` the rates η̇_s, both by
        link.
        """
        first, second = (self.shapes.T @ self.weights.T @ self._independent(one) for one in (away, changing))
        amplitudes = (first**2 + second**2 / self.squares) * np.exp(-2 * self.decay * t)
        parts = [
            (float(np.sqrt(amplitudes @ self.strain[name] / peak)), name)
            for name, peak in self.peaks.items()
            if peak > 0
        ]
        return max(parts, default=(0.0, ""))

    def _independent(self, values: Mapping[str, np.ndarray]) -> np.ndarray:
        """The vector of independent coordinates from elastic coordinates by link; other coordinates are zero."""
        everywhere = np.zeros(self.dynamics.equations.skeleton.positions)
        for name, link in self.links.items():
            everywhere[link.eta] = values.get(name, 0.0)
        found = np.zeros(len(self.dynamics.S))
        found[: self.dynamics.elastic_count] = everywhere[self.dynamics.elastic_places]
        return found
