"""How loads that hold one way share what they hold with each other, with drives and with redundant joints.

    D n = 0      D = Jᵍ R, the rates that closed grips hold by unit strengths

Strengths may change by such an n without changing what is held. With them change multipliers and efforts of drives, and
in mechanisms with redundant joints their reactions may change by null(Aᵀ) besides. All admissible forces together are

    u = u₀ + Z z,      low ≤ x ≤ high for the strengths x among u

and the solution of smallest |u|² is reported: components of all joints, multipliers of couplings, efforts of drives and
strengths, moments divided by the characteristic length, as `minimum_norm_reactions` has it without strengths.

Where R n ≠ 0 accelerations change as well: friction that follows a shared normal force. Then the motion itself is one
of several, which is reported by the names of the loads.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from multiloop.dynamics.actions import FLAG, actions_of
from multiloop.dynamics.actions.grip import BOUNDLESS, HIGH, LOW, Mode
from multiloop.dynamics.admissible_forces import AdmissibleForces
from multiloop.plan import joint_wrenches, rank_of, screws_of, shared_reactions
from multiloop.questions.answers.shared_forces import SharedForces
from multiloop.questions.running.choice import Choice
from multiloop.questions.running.forward_model import Answer, ForwardModel
from multiloop.questions.running.switching.grips import Grips, Struck

REPEATS = 1e-9
"""Strengths change nothing that is held where they change this part of what they would in the opened tree."""

TOUCHED = 1e-7
"""A component takes part in a direction when more of it than this does."""

MOVES = 1e-6
"""Accelerations differ where a direction changes them by this part of what its strengths would in the opened tree."""


def closed_grips(modes: np.ndarray) -> np.ndarray:
    """Places of the grips that are held, or stand at an end of their force."""
    return np.flatnonzero(np.abs(modes) > (Mode.FORWARD + Mode.STANDS_FORWARD) / 2)


def repeating(grips: Grips, y: np.ndarray, struck: Struck, which: np.ndarray) -> np.ndarray:
    """Changes of the strengths of some grips that change nothing of what these hold, one a column."""
    D, size = struck.compliance[np.ix_(which, which)], np.sqrt(grips.yields(y, struck)[which])
    size[size == 0] = 1.0
    _, sigma, Vt = np.linalg.svd(D / np.outer(size, size))
    found: np.ndarray = Vt[sigma <= REPEATS].T / size[:, None]
    return found


def shared_by(grips: Grips, y: np.ndarray, struck: Struck, which: np.ndarray) -> tuple[str, ...]:
    """The loads among closed grips whose forces are not determined by what they hold."""
    ways = repeating(grips, y, struck, which)
    size = np.sqrt(grips.yields(y, struck)[which])[:, None]
    part = np.abs(size * ways).max(axis=1, initial=0.0) > TOUCHED
    return tuple(dict.fromkeys(grips.names[k] for k in which[part]))


@dataclass(frozen=True, eq=False)
class Shared:
    """An instant with forces of minimum norm: strengths and efforts in the answer, reactions, ranges, and warnings."""

    answer: Answer
    wrenches: np.ndarray
    forces: SharedForces
    said: tuple[str, ...]


def share(
    grips: Grips, t: float, y: np.ndarray, choice: Choice, answer: Answer, wrenches: np.ndarray
) -> Shared | None:
    """The same instant with what one-sided loads share; None where they share nothing.

    `wrenches` are the reactions that go with the answer, 6 × joints.
    """
    which = closed_grips(grips.modes(y))
    struck = grips.struck(t, y, choice)
    ways = repeating(grips, y, struck, which)
    if not ways.shape[1]:
        return None
    return _Instant(grips, t, y, answer, wrenches, which, struck, ways).shared(grips.told(t, y, choice))


@dataclass(frozen=True, eq=False)
class _Instant:
    """One instant with closed grips `which` whose strengths may change along `ways`."""

    grips: Grips
    t: float
    y: np.ndarray
    answer: Answer
    wrenches: np.ndarray
    which: np.ndarray
    struck: Struck
    ways: np.ndarray

    # in newtons ---------------------------------------------------------------------------------------------------

    @cached_property
    def _model(self) -> ForwardModel:
        return self.grips.run.model

    @cached_property
    def _state(self) -> dict[str, np.ndarray]:
        return self.grips.run.layout.blocks(self.y)

    @cached_property
    def _bases(self) -> list[np.ndarray]:
        """Wrenches that the joints can transmit, from components in newtons."""
        return joint_wrenches(self._model.equations, self._state["q"], self._model.p)

    @cached_property
    def _redundant(self) -> tuple[np.ndarray, np.ndarray]:
        """Reactions of joints and couplings that balance themselves, one a column, and the sizes of the couplings."""
        mechanism = self._model.skeleton.mechanism
        if not (self._model.plan.redundant or mechanism.couplings):
            return np.zeros((sum(W.shape[1] for W in self._bases), 0)), np.zeros(0)
        screws = screws_of(self._model.equations, self._state["q"], self._model.p, self.t)
        sizes = np.concatenate([np.zeros(0), *screws.sizes.values()])
        return shared_reactions(screws, rank_of(screws.A)), sizes

    @cached_property
    def _scales(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of wrenches, of efforts along rates and of strengths: moments are divided by the characteristic length."""
        L = self._model.skeleton.length
        strengths = [1 / L if self.grips.unit(k) == "rad" else 1.0 for k in range(len(self.grips.names))]
        return (
            np.array([1 / L] * 3 + [1.0] * 3),
            self._model.equations.chart.scale / L,
            np.array(strengths),
        )

    def _stacked(
        self, wrenches: np.ndarray, lam: np.ndarray, tau: np.ndarray, strengths: np.ndarray
    ) -> np.ndarray:
        """u."""
        of_wrench, of_tau, of_strength = self._scales
        sizes = self._redundant[1]
        components = [
            np.linalg.pinv(W) @ (of_wrench * w) for W, w in zip(self._bases, wrenches.T, strict=True)
        ]
        parts = [lam[len(lam) - len(sizes) :] * sizes, of_tau * tau, of_strength * strengths]
        return np.concatenate([*components, *parts])

    @cached_property
    def _places(self) -> tuple[list[slice], slice, slice]:
        """Of the joints' components, of efforts and of strengths in u."""
        ends = np.cumsum([0, *(W.shape[1] for W in self._bases)]).tolist()
        joints = [slice(begin, end) for begin, end in pairwise(ends)]
        efforts = slice(
            ends[-1] + len(self._redundant[1]), ends[-1] + len(self._redundant[1]) + len(self._scales[1])
        )
        return joints, efforts, slice(efforts.stop, efforts.stop + len(self.grips.names))

    # changes ------------------------------------------------------------------------------------------------------

    @cached_property
    def _strengths(self) -> np.ndarray:
        """Of all loads, as they were found."""
        return self.answer.following.reshape(-1, self._model.strengths + 2)[:, 0]

    def _along(self, way: np.ndarray) -> tuple[np.ndarray, ...]:
        """Changes of the reactions, multipliers, efforts and strengths of grips."""
        along, model, here = np.zeros(len(self.grips.names)), self._model, self.answer
        size = (np.abs(self._strengths).max(initial=0.0) or 1.0) / np.abs(way).max()
        along[self.which] = size * way
        a, lam, tau = (getattr(self.struck, of) @ along for of in ("v", "lam", "forces"))
        strengths = self._strengths.copy()
        strengths[self.grips.strengths] += along
        changed = Answer(here.a + a, here.lam + lam, here.tau + tau)
        there, before = (
            model.readouts.reactions(
                **self._state, t=self.t, a=one.a, lam=one.lam, tau=one.tau, strengths=x, p=model.p
            )[0].reshape(6, -1)
            for one, x in ((changed, strengths), (here, self._strengths))
        )
        return (there - before) / size, lam / size, tau / size, along / size

    @cached_property
    def _directions(self) -> np.ndarray:
        """Z, those of the strengths first."""
        redundant = self._redundant[0]
        columns = [self._stacked(*self._along(way)) for way in self.ways.T]
        below = np.zeros((len(columns[0]) - len(redundant), redundant.shape[1]))
        return np.column_stack([*columns, np.vstack([redundant, below])])

    # found --------------------------------------------------------------------------------------------------------

    def shared(self, told: np.ndarray) -> Shared | None:
        """The admissible forces, and the reported ones among them."""
        strengths = self._strengths[self.grips.strengths]
        u = self._stacked(self.wrenches, self.answer.lam, self.answer.tau, strengths)
        size = np.linalg.norm(self._directions, axis=0)
        U, sigma, _ = np.linalg.svd(self._directions / size, full_matrices=False)
        Z = U[:, sigma > TOUCHED]
        touched = np.flatnonzero(np.linalg.norm(Z, axis=1) > TOUCHED)
        low, high = np.full(len(u), -np.inf), np.full(len(u), np.inf)
        place, scale = self._places[2].start + self.which, self._scales[2][self.which]
        low[place] = told[self.which, LOW] * scale
        ends = told[self.which, HIGH]
        high[place] = np.where(ends > BOUNDLESS / 2, np.inf, ends * scale)
        across = np.linalg.svd(Z[touched])[0][:, Z.shape[1] :].T
        admissible = AdmissibleForces(
            across, across @ u[touched], low[touched], high[touched], size=float(np.abs(u).max(initial=0.0))
        )
        if not admissible.feasible:
            return None
        said = (*self._moving(), *self._following(touched, admissible))
        least = u.copy()
        if not said:
            least[touched] = admissible.minimum_norm()
        forces = SharedForces(
            admissible, least[touched], self._quantities(touched), self._components(touched)
        )
        return Shared(*self._changed(least - u), forces, said)

    def _changed(self, change: np.ndarray) -> tuple[Answer, np.ndarray]:
        """The answer and the reactions with forces changed."""
        joints, efforts, strengths = self._places
        of_wrench, of_tau, of_strength = self._scales
        following = self.answer.following.reshape(-1, self._model.strengths + 2).copy()
        following[self.grips.strengths, 0] += change[strengths] / of_strength
        wrenches = [(W @ change[place]) / of_wrench for W, place in zip(self._bases, joints, strict=True)]
        tau = self.answer.tau + change[efforts] / of_tau
        return replace(self.answer, tau=tau, following=following), self.wrenches + np.column_stack(wrenches)

    # named --------------------------------------------------------------------------------------------------------

    def _components(self, touched: np.ndarray) -> dict[str, dict[str, np.ndarray]]:
        """Rows of the joints' components on the touched entries of u, by name."""
        skeleton, found = self._model.skeleton, {}
        for joint, place in zip(skeleton.mechanism.connections, self._places[0], strict=True):
            names = zip(joint.wrench_names(skeleton.planar), range(place.start, place.stop), strict=True)
            found[joint.name] = {
                name: (touched == k)[None].astype(float) for name, k in names if k in touched
            }
        return {joint: parts for joint, parts in found.items() if parts}

    def _quantities(self, touched: np.ndarray) -> dict[str, dict[str, np.ndarray]]:
        """Rows of forces, moments and efforts of joints and of all that loads report, on the touched entries of u."""
        skeleton = self._model.skeleton
        (joints, efforts, strengths), (of_wrench, of_tau, of_strength) = self._places, self._scales
        planar, found = skeleton.planar, dict[str, dict[str, np.ndarray]]()
        count, forces = strengths.stop, slice(3, 5) if planar else slice(3, 6)
        for joint, place, W in zip(skeleton.mechanism.connections, joints, self._bases, strict=True):
            rows = np.zeros((6, count))
            rows[:, place] = W / of_wrench[:, None]
            found[joint.name] = {"force": rows[forces], "moment": rows[2:3] if planar else rows[:3]}
        for link in skeleton.links:
            if link.joint.name in found:
                own = np.zeros((link.v.stop - link.v.start, count))
                rates = range(link.v.start, link.v.stop)
                own[range(len(own)), [efforts.start + k for k in rates]] = 1 / of_tau[link.v]
                found[link.joint.name]["effort"] = own
        slopes = self._model.readouts.load_slopes(
            **{name: self._state.get(name) for name in ("q", "v", "x")},
            t=self.t,
            strengths=self._strengths,
            wrenches=self.wrenches.ravel(order="F"),
            p=self._model.p,
        )[0].reshape(-1, self._model.strengths, order="F")[:, self.grips.strengths]
        at = 0
        for load, shapes in self._model.readouts.load_shapes.items():
            found[load] = {}
            for name, length in shapes.items():
                rows = np.zeros((length, count))
                rows[:, strengths] = slopes[at : at + length] / of_strength
                at += length
                if self._model.readouts.load_units[load].get(name) != FLAG:
                    found[load][name] = rows
        seen = {
            owner: {name: rows[:, touched] for name, rows in parts.items() if rows[:, touched].any()}
            for owner, parts in found.items()
        }
        return {owner: parts for owner, parts in seen.items() if parts}

    # warnings -----------------------------------------------------------------------------------------------------

    def _moving(self) -> list[str]:
        """That accelerations differ over the admissible forces."""
        inertia = self._model.inertia(self._state["q"])
        size = np.sqrt(self.grips.yields(self.y, self.struck)[self.which])[:, None]
        jumps = self.struck.v[:, self.which] @ self.ways
        energy = np.einsum("ik,ij,jk->k", jumps, inertia, jumps)
        differs = np.sqrt(np.abs(energy)) > MOVES * np.linalg.norm(size * self.ways, axis=0)
        if not differs.any():
            return []
        moved = np.abs(size * self.ways[:, differs]).max(axis=1) > TOUCHED
        which = self.grips.called(self.which[moved])
        what = f"the forces of {which} are not determined, and accelerations depend on them through friction"
        return [f"{what}: the motion is one of several"]

    def _following(self, touched: np.ndarray, admissible: AdmissibleForces) -> list[str]:
        """That friction follows a reaction which is not determined."""
        skeleton, said = self._model.skeleton, []
        rows = self._components(touched)
        for action in actions_of(skeleton):
            for joint, components in action.follows(skeleton).items():
                parts = rows.get(joint, {})
                left = [
                    name for name in components if name in parts and admissible.undetermined(parts[name])[0]
                ]
                if left:
                    what = f"load '{action.name}' follows the {' and the '.join(left)} at '{joint}'"
                    why = f"which equilibrium does not determine beside {self.grips.called(self.which)}"
                    said.append(f"{what}, {why}: the motion is one of several")
        return said
