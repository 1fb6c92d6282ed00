"""An equilibrium by name: the position, the loads in all joints, and whether small motions about it grow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.model.lazy_methods import opens
from multiloop.questions.answers.links import deflected_far
from multiloop.questions.answers.recorder import Recorder
from multiloop.questions.answers.result import Result
from multiloop.questions.answers.state import JointState, State
from multiloop.questions.assembling import state_of
from multiloop.questions.minimum_norm import minimum_norm_reactions
from multiloop.questions.steady.coordinates import with_named_coordinates
from multiloop.questions.steady.pencil import Pencil
from multiloop.questions.steady.search import moments, unbalanced_part
from multiloop.questions.steady.small_motion import SmallMotion
from multiloop.questions.steady.standing import Standing
from multiloop.questions.steady.steadiness import steady_pencil

NEUTRAL = 1e-9
"""Eigenvalues of the stiffness below this part of the largest are nothing."""


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A position in which all forces balance, or a steady motion in which they do.

    `state` is what other verbs begin from, `result` holds that one instant: loads in all joints, efforts of the
    drives, what springs and other loads tell. `eigenvalues` are the poles of small motions. `smallest` is the least
    eigenvalue of the stiffness against small displacements, in N·m, lengths in those of the mechanism: nothing at a
    fold, where an equilibrium ends. `stable` says that no small motion grows.
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
        """Loads in all joints, and everything else that a Result of one instant has."""
        return result_at(self.standing)

    @property
    def positions(self) -> Mapping[str, tuple[float, ...]]:
        """q of every joint, as a State has them."""
        return self.state.positions

    def __getitem__(self, joint: str) -> JointState:
        return self.state[joint]

    @property
    def _small(self) -> SmallMotion:
        return self.pencil.small

    @property
    def standing(self) -> Standing:
        """Where it stands, in the coordinates of the tree."""
        return self.pencil.small.standing

    @property
    def eigenvalues(self) -> np.ndarray:
        """Poles of small motions, 1/s, those that grow most first; without masses there are none."""
        return self.pencil.poles

    @cached_property
    def smallest(self) -> float:
        """The least eigenvalue of the stiffness, in N·m."""
        return float(self._stiffness.min(initial=np.inf))

    @cached_property
    def _stiffness(self) -> np.ndarray:
        """Eigenvalues of the stiffness along orthonormal motions of the resting coordinates."""
        st, small, kept = self.standing, self._small, self.pencil.kept
        ways = np.linalg.qr(st.C_q[:, kept])[1] if kept else np.zeros((0, 0))
        change = np.linalg.inv(ways) if kept else ways
        own = [k for k, place in enumerate(self.pencil.in_v) if place in {self.pencil.in_q[j] for j in kept}]
        if len(own) != len(kept):
            return np.zeros(0)
        K = change.T @ small.K[np.ix_(own, kept)] @ change
        return np.sort(np.linalg.eigvals(K).real)

    @cached_property
    def stable(self) -> bool:
        """Whether no small motion grows; where nothing moves and forces have a potential, by the stiffness."""
        still = not self.standing.v.any() and not len(self.standing.x_rate)
        K, found, size = self._small.K, self._stiffness, moments(self.standing)
        if still and len(found) == len(K) and np.abs(K - K.T).max(initial=0.0) <= NEUTRAL * size:
            return bool((found >= -NEUTRAL * size).all())
        return not self.pencil.grows

    @property
    def residual(self) -> float:
        """The largest moment out of balance, as a part of those that act."""
        return unbalanced_part(self.standing)

    def __repr__(self) -> str:
        kind = "stable" if self.stable else "unstable"
        far = "".join(f" {said}." for _, said in deflected_far(self.result.links))
        return f"Equilibrium, {kind}.{far} {self.state!r}"


def answer_of(standing: Standing) -> Equilibrium:
    """The answer in named coordinates; what turns out of balance is refused."""
    return Equilibrium(steady_pencil(with_named_coordinates(standing)))


def state_at(standing: Standing) -> State:
    """A Standing as a State."""
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
    """A Standing as a Result of one instant."""
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
