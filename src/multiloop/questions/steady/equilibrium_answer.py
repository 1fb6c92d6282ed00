"""Result of `equilibrium`: position, loads in all joints, stiffness, poles and stability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.model.lazy_methods import opens
from multiloop.questions.answers.creeping import friction_absent_at_rest
from multiloop.questions.answers.doubts import with_doubts
from multiloop.questions.answers.recorder import Recorder
from multiloop.questions.answers.result import Result
from multiloop.questions.answers.state import MOST_NAMED, JointState, State
from multiloop.questions.answers.undetermined import undetermined_note
from multiloop.questions.assembling import state_of
from multiloop.questions.idle_spins import spin_motions
from multiloop.questions.limits import over_limits
from multiloop.questions.minimum_norm import minimum_norm_reactions
from multiloop.questions.steady.coordinates import (
    RESTING,
    independent_places,
    rate_names,
    with_named_coordinates,
)
from multiloop.questions.steady.pencil import Pencil
from multiloop.questions.steady.search import moments, unbalanced_part
from multiloop.questions.steady.small_motion import SmallMotion
from multiloop.questions.steady.standing import Standing
from multiloop.questions.steady.steadiness import steady_pencil

NEUTRAL = 1e-9
"""Eigenvalues of the stiffness below this part of the acting moments are treated as zero."""

FLAT = 1e-13
"""Singular values of the stiffness below this part of the acting moments are round-off."""


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A position, or a steady motion, in which all forces are in equilibrium.

    `state` is the State from which other functions can start, `result` the Result at that instant: loads in all
    joints, efforts of the drives, outputs of springs and other loads. `eigenvalues` are the poles of small motions.
    `smallest` is the smallest eigenvalue of the stiffness against small displacements, in N·m, with lengths relative to
    the characteristic length: zero at a fold point. `stable` is True if no small motion grows. `status` is "ok", or the
    warnings to read before the position and its forces are used.
    """

    pencil: Pencil

    draw = opens(
        "multiloop.view", "draw_equilibrium", "Draw the mechanism there.\n\nKeywords: traces, path, axes."
    )

    @cached_property
    def state(self) -> State:
        """Positions and rates of all joints."""
        return state_at(self.standing)

    @cached_property
    def result(self) -> Result:
        """Result of one instant, with loads in all joints."""
        result = result_at(self.standing)
        warnings = [*over_limits(result), *friction_absent_at_rest(result), *_not_resisted(self.neutral)]
        return with_doubts(result, warnings)

    @cached_property
    def status(self) -> str:
        """ "ok", or the warnings of `result` and the forces that equilibrium does not determine."""
        said = [] if self.result.status == "ok" else [self.result.status]
        left = undetermined_note(self.result)
        shared = [f"{left[0].lower()}{left[1:]}"] if left else []
        return "; ".join([*said, *shared]) or "ok"

    @property
    def positions(self) -> Mapping[str, tuple[float, ...]]:
        """Coordinates of each joint, as in a State."""
        return self.state.positions

    def __getitem__(self, joint: str) -> JointState:
        return self.state[joint]

    @property
    def _small(self) -> SmallMotion:
        return self.pencil.small

    @property
    def standing(self) -> Standing:
        """The steady state in the coordinates of the tree."""
        return self.pencil.small.standing

    @property
    def eigenvalues(self) -> np.ndarray:
        """Poles of small motions, 1/s, with the largest real part first; empty for a mechanism without masses."""
        return self.pencil.poles

    @cached_property
    def smallest(self) -> float:
        """Smallest eigenvalue of the stiffness, in N·m."""
        return float(self._stiffness.min(initial=np.inf))

    @cached_property
    def _stiffness(self) -> np.ndarray:
        """Eigenvalues of the stiffness, in ascending order."""
        return np.sort(np.linalg.eigvals(self._stiffness_along_motions[0]).real)

    @cached_property
    def _stiffness_along_motions(self) -> tuple[np.ndarray, np.ndarray]:
        """Stiffness with respect to orthonormal motions of the resting coordinates, and these motions as columns."""
        st, small, kept = self.standing, self._small, self.pencil.kept
        motions, ways = (
            np.linalg.qr(st.C_q[:, kept]) if kept else (np.zeros((len(st.v), 0)), np.zeros((0, 0)))
        )
        change = np.linalg.inv(ways) if kept else ways
        own = [k for k, place in enumerate(self.pencil.in_v) if place in {self.pencil.in_q[j] for j in kept}]
        if len(own) != len(kept):
            return np.zeros((0, 0)), motions[:, :0]
        return change.T @ small.K[np.ix_(own, kept)] @ change, motions

    @cached_property
    def neutral(self) -> tuple[str, ...]:
        """Coordinates along which no force resists a small displacement, one for each such motion.

        These are the null vectors of the stiffness; idle spins of single bodies are left out.
        """
        st = self.standing
        K, motions = self._stiffness_along_motions
        _, sizes, vectors = np.linalg.svd(K)
        free = motions @ vectors[sizes <= FLAT * moments(st)].T
        plan, eq, at = st.balance.plan, st.balance.equations, st.place
        if plan.idle and free.size:
            idle = np.linalg.qr(spin_motions(eq, at.q, at.p, plan.idle) / st.scale[:, None])[0]
            left, sizes, _ = np.linalg.svd(free - idle @ (idle.T @ free), full_matrices=False)
            free = left[:, sizes > RESTING]
        names = [name for name, _ in rate_names(eq)]
        places = independent_places(free, [np.isin(np.arange(len(names)), self.pencil.in_q)])
        return tuple(dict.fromkeys(names[k] for k in places))

    @cached_property
    def stable(self) -> bool:
        """Whether no small motion grows; at rest with conservative forces, whether the stiffness is non-negative."""
        still = not self.standing.v.any() and not len(self.standing.x_rate)
        K, found, size = self._small.K, self._stiffness, moments(self.standing)
        if still and len(found) == len(K) and np.abs(K - K.T).max(initial=0.0) <= NEUTRAL * size:
            return bool((found >= -NEUTRAL * size).all())
        return not self.pencil.grows

    @property
    def residual(self) -> float:
        """Largest unbalanced moment, relative to the acting moments."""
        return unbalanced_part(self.standing)

    def __repr__(self) -> str:
        kind = "stable" if self.stable else "unstable"
        warned = "" if self.status == "ok" else f" Status: {self.status}."
        return f"Equilibrium, {kind}. {self.state!r}{warned}"


def _not_resisted(names: Sequence[str]) -> list[str]:
    """Warning that the position may belong to a continuous range of equilibria."""
    if not names:
        return []
    listed = ", ".join(f"'{name}'" for name in names[:MOST_NAMED]) + (
        ", …" if len(names) > MOST_NAMED else ""
    )
    return [
        f"no force resists a small displacement of {listed}: positions beside this one may be in equilibrium too"
    ]


def answer_of(standing: Standing) -> Equilibrium:
    """The Equilibrium of a steady state, in joint coordinates; raises an error if the motion is not steady."""
    return Equilibrium(steady_pencil(with_named_coordinates(standing)))


def state_at(standing: Standing) -> State:
    """The steady state as a State."""
    balance, at = standing.balance, standing.place
    plan, eq = balance.plan, balance.equations
    values = dict(zip(eq.skeleton.names, map(float, at.p), strict=True))
    mechanism = plan.mechanism
    changed = any(mechanism.parameters[name] != value for name, value in values.items())
    mechanism = mechanism.with_parameters(values) if changed else mechanism
    assembly: Any = replace(
        plan.assembly,
        equations=eq,
        q=at.q,
        s=balance.prescribed(at.t, at.p),
        p=at.p,
        t=at.t,
        gap=standing.gap,
        distance=0.0,
        missed=(),
        near=plan.assembly.coordinates(),
    )
    state = state_of(assembly, standing.v, at.t)
    return replace(state, mechanism=mechanism, integrals=dict(zip(eq.skeleton.states, at.x, strict=True)))


def result_at(standing: Standing) -> Result:
    """The steady state as a Result of one instant."""
    balance, at, v, a = standing.balance, standing.place, standing.v, standing.a
    eq, own = balance.equations, balance.equations.own.count
    recorder = Recorder(eq, balance.plan, at.p)
    y = balance.signals.layout.pack(q=at.q, v=v, x=at.x)
    drives = standing._rows["holding"][:, own:] @ standing.lam[own:]
    tau = balance.signals.forces_at(at.t, y, at.p) + drives
    known = {"t": at.t, "q": at.q, "v": v, "a": a, "x": at.x, "p": at.p}
    lam, following = standing.lam[:own], standing.following
    felt = {} if following is None else {"strengths": following[:, 0]}
    wrenches = recorder.readouts.reactions(**known, **felt, lam=lam, tau=tau)[0].reshape(6, -1)
    if balance.plan.redundant:
        one = (np.array([at.t]), at.q[None], at.p, wrenches[None], lam[None])
        wrenches = minimum_norm_reactions(eq, *one)[0]
    recorder.add(at.t, at.q, v, a, tau, wrenches, at.x, following)
    return replace(recorder.result("equilibrium"), mechanism=state_at(standing).mechanism)
