"""Load sharing: unilateral loads, drives and redundant joints whose forces equilibrium does not determine.

    D n = 0      D = Jᵍ R, the rates of closed set-valued forces caused by unit forces

The forces may change by such an n without changing any of these rates. Multipliers and efforts of drives change with
them, and in mechanisms with redundant joints their reactions may also change by null(Aᵀ). All admissible forces are

    u = u₀ + Z z,      low ≤ x ≤ high for the set-valued forces x among u

and the solution of smallest |u|² is reported: components of all joints, multipliers of couplings, efforts of drives and
set-valued forces, with moments divided by the characteristic length, as `minimum_norm_reactions` does for joints alone.

Where R n ≠ 0, accelerations change as well, because friction depends on a shared normal force. The motion itself is
then not unique, which is reported with the names of the loads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from multiloop.dynamics.actions import FLAG, actions_of
from multiloop.dynamics.actions.grip import BOUNDLESS, HIGH, LOW, RATE, STANDS, Mode
from multiloop.dynamics.admissible_forces import AdmissibleForces, FrictionCone
from multiloop.dynamics.reaction_limits import ReactionLimit, StictionForces
from multiloop.kinematics.connected_parts import parts_of_connections, parts_of_rates
from multiloop.plan import ReactionComponents, joint_wrenches, rank_of, screws_of, shared_reactions
from multiloop.questions.answers.shared_forces import SharedForces, SharedParts
from multiloop.questions.running.choice import Choice
from multiloop.questions.running.forward_model import Answer, ForwardModel
from multiloop.questions.running.switching.friction_limits import (
    friction_limits,
    reaction_change,
    strengths_of,
)
from multiloop.questions.running.switching.grips import Grips, Struck

REPEATS = 1e-9
"""Relative compliance, compared with the open tree, below which a change of the forces causes no motion."""

TOUCHED = 1e-7
"""A component takes part in a direction when its entry is larger than this."""

NEGLIGIBLE = 1e-12
"""Coefficients of a force or moment below this fraction of the largest are round-off of the rotation into inertial
axes."""

MOVES = 1e-6
"""A direction changes accelerations when it causes more than this fraction of those in the open tree."""


def _closed(grips: Grips, y: np.ndarray) -> np.ndarray:
    """Indices of the set-valued forces that are held, or at rest at a limit of their force."""
    modes = grips.row_modes(grips.modes(y))
    return np.flatnonzero(np.abs(modes) > (Mode.FORWARD + Mode.STANDS_FORWARD) / 2)


def _driven_at_rest(grips: Grips, y: np.ndarray, told: np.ndarray, struck: Struck) -> np.ndarray:
    """Indices of friction forces of joints that drives or other joints keep at rest, with which they share load.

    Friction of a contact in space takes part with both components, also where only one of them is held.
    """
    resting = (grips.row_modes(grips.modes(y)) == Mode.OPEN) & (struck.laws[:, 2] == 0)
    resting &= np.abs(told[:, RATE]) <= told[:, STANDS]
    prescribed, closed = grips.prescribed(y, struck), _closed(grips, y)
    found = resting & prescribed
    for foot in grips.feet:
        rows = list(foot.tangential)
        found[rows] = resting[rows].all() and prescribed[rows].any() and foot.normal in closed
    return np.flatnonzero(found)


def repeating(
    grips: Grips, y: np.ndarray, struck: Struck, which: np.ndarray, brought: np.ndarray
) -> np.ndarray:
    """Changes of some set-valued forces, one for each column, that do not change any of their rates.

    `brought` are the forces caused by a unit of each (`Grips.brought_along`).
    """
    D, size = (struck.compliance @ brought)[np.ix_(which, which)], np.sqrt(grips.yields(y, struck)[which])
    size[size == 0] = 1.0
    _, sigma, Vt = np.linalg.svd(D / np.outer(size, size))
    found: np.ndarray = Vt[sigma <= REPEATS].T / size[:, None]
    return found


def shared_by(grips: Grips, y: np.ndarray, told: np.ndarray, struck: Struck) -> tuple[tuple[str, ...], bool]:
    """The closed loads whose forces are statically indeterminate, and whether any forces are.

    Friction of a joint that a drive keeps at rest is not determined either, but is reported as zero instead of shared.
    """
    which, brought = _closed(grips, y), grips.brought_along(grips.modes(y), told, struck)
    ways = repeating(grips, y, struck, which, brought)
    size = np.sqrt(grips.yields(y, struck)[which])[:, None]
    part = np.abs(size * ways).max(axis=1, initial=0.0) > TOUCHED
    names = tuple(dict.fromkeys(grips.names[k] for k in which[part]))
    return names, bool(names) or bool(_driven_at_rest(grips, y, told, struck).size)


@dataclass(frozen=True, eq=False)
class Shared:
    """An instant with minimum-norm forces: solution with shared forces, reactions, ranges, and warnings (`said`)."""

    answer: Answer
    wrenches: np.ndarray
    forces: SharedParts
    said: tuple[str, ...]


def share(
    grips: Grips, t: float, y: np.ndarray, choice: Choice, answer: Answer, wrenches: np.ndarray
) -> Shared | None:
    """The same instant with shared forces of unilateral loads; None where nothing is indeterminate.

    `wrenches` are the reactions of the answer, 6 × joints. Connected parts do not share forces with each other.
    """
    struck, told = grips.struck(t, y, choice), grips.told(t, y, choice)
    brought = grips.brought_along(grips.modes(y), told, struck)
    resting, found = _driven_at_rest(grips, y, told, struck), list[Shared]()
    which = np.union1d(_closed(grips, y), resting)
    driven = np.isin(which, resting)
    for part in dict.fromkeys(grips.parts[which].tolist()):
        own, layout, last = grips.parts[which] == part, Layout(grips, t, y, part), None
        # friction that a drive keeps at rest is reported as zero: it takes part in ranges, not in the minimum norm
        for some, as_found in ((own & ~driven, False), (own, True)) if driven[own].any() else ((own, False),):
            ways = repeating(grips, y, struck, which[some], brought)
            if ways.shape[1]:
                instant = _Instant(layout, answer, wrenches, which[some], struck, brought, ways)
                last = instant.shared(told, as_found=as_found) or last
                if last is not None:
                    answer, wrenches = last.answer, last.wrenches
        if last is not None:
            found.append(last)
    if not found:
        return None
    forces = SharedParts(tuple(part for one in found for part in one.forces.parts))
    return Shared(answer, wrenches, forces, tuple(what for one in found for what in one.said))


@dataclass(frozen=True, eq=False)
class Layout:
    """Layout of the vector u: components of joints, multipliers of couplings, efforts along rates, forces of loads.

    All are in newtons, or in newton seconds for impulses: moments are divided by the characteristic length. With a
    `part` given, redundant joints of other connected parts are ignored.
    """

    grips: Grips
    t: float
    y: np.ndarray
    part: int | None = None

    @cached_property
    def model(self) -> ForwardModel:
        """The forward model of the run."""
        return self.grips.run.model

    @cached_property
    def state(self) -> dict[str, np.ndarray]:
        """The blocks of the state."""
        return self.grips.run.layout.blocks(self.y)

    @cached_property
    def reactions(self) -> ReactionComponents:
        """Components of the joint reactions, the first entries of u."""
        bases = joint_wrenches(self.model.equations, self.state["q"], self.model.p)
        return ReactionComponents(bases, self.model.skeleton.length)

    @cached_property
    def _redundant(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Self-equilibrated reactions of joints and couplings, one for each column, and the sizes of the couplings."""
        mechanism = self.model.skeleton.mechanism
        if not (self.model.plan.redundant or mechanism.couplings):
            return np.zeros((self.reactions.count, 0)), {}
        screws = screws_of(self.model.equations, self.state["q"], self.model.p, self.t)
        return shared_reactions(screws, rank_of(screws.A)), dict(screws.sizes)

    @cached_property
    def _sizes(self) -> np.ndarray:
        """Sizes of the rows of all couplings."""
        return np.concatenate([np.zeros(0), *self._redundant[1].values()])

    @cached_property
    def of_tau(self) -> np.ndarray:
        """Scale of the efforts along rates."""
        scale: np.ndarray = self.model.equations.chart.scale / self.model.skeleton.length
        return scale

    @cached_property
    def of_grip(self) -> np.ndarray:
        """Scale of the set-valued forces."""
        return self.grips.force_scale

    def stacked(
        self, wrenches: np.ndarray, lam: np.ndarray, tau: np.ndarray, forces: np.ndarray
    ) -> np.ndarray:
        """u from reactions, 6 × joints, multipliers, efforts, and the scaled forces of loads."""
        sizes = self._sizes
        r, own = self.reactions.pack(wrenches), lam[len(lam) - len(sizes) :]
        return np.concatenate([r, own * sizes, self.of_tau * tau, forces])

    def directions(self, columns: list[np.ndarray]) -> np.ndarray:
        """Unit changes of u: the given columns, followed by self-equilibrated reactions of redundant joints.

        The latter are restricted to the connected part, within which they are in equilibrium as well.
        """
        redundant = self._redundant[0] * self.own[: len(self._redundant[0]), None]
        redundant = redundant[:, np.linalg.norm(redundant, axis=0) > TOUCHED]
        below = np.zeros((len(columns[0]) - len(redundant), redundant.shape[1]))
        found = np.column_stack([*columns, np.vstack([redundant, below])])
        found /= np.linalg.norm(found, axis=0)
        return found

    @cached_property
    def own(self) -> np.ndarray:
        """Mask of the entries of u that belong to the connected part."""
        skeleton, count = self.model.skeleton, self.efforts.stop + len(self.grips.names)
        if self.part is None:
            return np.full(count, True)
        parts, found = parts_of_connections(skeleton.mechanism), np.zeros(count, int)
        for joint, place in zip(skeleton.mechanism.connections, self.reactions.joints, strict=True):
            found[place] = parts[joint.name]
        first = self.reactions.count
        for name, sizes in self._redundant[1].items():
            found[first : first + len(sizes)], first = parts[name], first + len(sizes)
        found[self.efforts], found[self.efforts.stop :] = parts_of_rates(skeleton), self.grips.parts
        own: np.ndarray = found == self.part
        return own

    @cached_property
    def efforts(self) -> slice:
        """Slice of the efforts along rates in u; the forces of loads follow it."""
        start = self.reactions.count + len(self._sizes)
        return slice(start, start + self.model.skeleton.rates)

    def components(self, touched: np.ndarray) -> dict[str, dict[str, np.ndarray]]:
        """Rows that select joint components from the touched entries of u, by joint and component."""
        skeleton, found = self.model.skeleton, {}
        for joint, place in zip(skeleton.mechanism.connections, self.reactions.joints, strict=True):
            names = zip(joint.wrench_names(skeleton.planar), range(place.start, place.stop), strict=True)
            found[joint.name] = {
                name: (touched == k)[None].astype(float) for name, k in names if k in touched
            }
        return {joint: parts for joint, parts in found.items() if parts}

    def of_joints(self, count: int) -> dict[str, dict[str, np.ndarray]]:
        """Rows that give the force, moment and effort of joints and couplings from the `count` entries of u."""
        skeleton, found = self.model.skeleton, dict[str, dict[str, np.ndarray]]()
        forces, moments = (slice(3, 5), slice(2, 3)) if skeleton.planar else (slice(3, 6), slice(0, 3))
        parts = zip(skeleton.mechanism.connections, self.reactions.joints, self.reactions.bases, strict=True)
        for joint, place, W in parts:
            rows = np.zeros((6, count))
            rows[:, place] = W / self.reactions.scale[:, None]
            found[joint.name] = {"force": rows[forces], "moment": rows[moments]}
        for link in skeleton.links:
            if link.joint.name in found:
                own = np.zeros((link.v.stop - link.v.start, count))
                for row, k in enumerate(range(link.v.start, link.v.stop)):
                    own[row, self.efforts.start + k] = 1 / self.of_tau[k]
                found[link.joint.name]["effort"] = own
        place = self.efforts.start - len(self._sizes)
        for name, sizes in self._redundant[1].items():
            rows = np.zeros((len(sizes), count))
            rows[range(len(sizes)), range(place, place + len(sizes))] = 1 / sizes
            found[name], place = {"effort": rows}, place + len(sizes)
        return found


def admissible_along(
    u: np.ndarray,
    directions: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    cones: Sequence[FrictionCone] = (),
    size: float | None = None,
) -> tuple[AdmissibleForces, np.ndarray]:
    """All u + Z z within bounds and cones, restricted to the entries that directions change or a cone needs.

    `size` is the size of forces by which round-off is judged, by default that of u.
    """
    U, sigma, _ = np.linalg.svd(directions, full_matrices=False)
    Z = U[:, sigma > TOUCHED]
    part = np.linalg.norm(Z, axis=1) > TOUCHED
    for cone in cones:
        part[[cone.normal, *cone.tangential]] |= part[[cone.normal, *cone.tangential]].any()
    touched = np.flatnonzero(part)
    place = {int(k): n for n, k in enumerate(touched)}
    kept = [
        FrictionCone(place[cone.normal], tuple(place[k] for k in cone.tangential), cone.coefficient)
        for cone in cones
        if cone.normal in place
    ]
    across = np.linalg.svd(Z[touched])[0][:, Z.shape[1] :].T
    size = float(np.abs(u).max(initial=0.0)) if size is None else size
    found = AdmissibleForces(across, across @ u[touched], low[touched], high[touched], kept, size=size)
    return found, touched


def on_touched(
    quantities: Mapping[str, Mapping[str, np.ndarray]], touched: np.ndarray
) -> dict[str, dict[str, np.ndarray]]:
    """Rows on the touched entries of u, for the quantities that depend on them by more than round-off."""
    seen = dict[str, dict[str, np.ndarray]]()
    for owner, parts in quantities.items():
        clear = {
            name: np.where(np.abs(rows) > NEGLIGIBLE * np.abs(rows).max(initial=0.0), rows, 0.0)[:, touched]
            for name, rows in parts.items()
        }
        seen[owner] = {name: rows for name, rows in clear.items() if rows.any()}
    return {owner: parts for owner, parts in seen.items() if parts}


@dataclass(frozen=True, eq=False)
class _Instant:
    """One instant with closed set-valued forces `which` that may change along `ways`, with friction by `brought`."""

    layout: Layout
    answer: Answer
    wrenches: np.ndarray
    which: np.ndarray
    struck: Struck
    brought: np.ndarray
    ways: np.ndarray

    @property
    def _grips(self) -> Grips:
        return self.layout.grips

    @cached_property
    def _strengths(self) -> np.ndarray:
        """Reaction-dependent forces of all loads in the solution."""
        return strengths_of(self._grips, self.answer)

    def _along(self, way: np.ndarray) -> np.ndarray:
        """The change of u by a change of the forces `which`."""
        along, layout = np.zeros(len(self._grips.names)), self.layout
        along[self.which] = way
        along = self.brought @ along
        lam, tau = (getattr(self.struck, of) @ along for of in ("lam", "forces"))
        change = reaction_change(self._grips, layout.t, layout.y, self.answer, self.struck, along)
        return layout.stacked(change, lam, tau, layout.of_grip * along)

    def shared(self, told: np.ndarray, *, as_found: bool = False) -> Shared | None:
        """The admissible forces, and the reported ones among them: of minimum norm, or as in the solution."""
        layout, of_grip = self.layout, self.layout.of_grip
        forces = of_grip * self._strengths[self._grips.strengths]
        u = layout.stacked(self.wrenches, self.answer.lam, self.answer.tau, forces)
        low, high = np.full(len(u), -np.inf), np.full(len(u), np.inf)
        place, ends = layout.efforts.stop + self.which, told[self.which, HIGH]
        low[place] = told[self.which, LOW] * of_grip[self.which]
        high[place] = np.where(ends > BOUNDLESS / 2, np.inf, ends * of_grip[self.which])
        directions = layout.directions([self._along(way) for way in self.ways.T])
        cones = self._cones(layout.efforts.stop)
        for cone in cones:
            low[list(cone.tangential)], high[list(cone.tangential)] = -np.inf, np.inf
        limits = self._limits()
        low[layout.efforts.stop + np.array(list(limits), int)] = -np.inf
        high[layout.efforts.stop + np.array(list(limits), int)] = np.inf
        size = float(np.abs(u[layout.own]).max(initial=0.0))
        convex, touched = admissible_along(u, directions, low, high, cones, size)
        admissible = self._with_limits(convex, touched, u, limits)
        if not admissible.feasible:
            return None
        said = (*self._moving(), *self._following(touched, admissible))
        least = u.copy()
        if not said and not as_found:
            least[touched] = admissible.minimum_norm()
            admissible = self._with_limits(convex, touched, least, limits)
        quantities = on_touched(layout.of_joints(len(u)) | self._of_loads(len(u), told), touched)
        found = SharedForces(admissible, least[touched], quantities, layout.components(touched))
        return Shared(*self._changed(least - u), SharedParts((found,)), said)

    def _limits(self) -> dict[int, ReactionLimit]:
        """Reaction-dependent limits of sticking joints, as functions of all set-valued forces."""
        layout = self.layout
        found = friction_limits(self._grips, layout.t, layout.y, self.answer, self.struck)
        return {k: limit for k, limit in found.items() if k in self.which}

    def _with_limits(
        self,
        convex: AdmissibleForces,
        touched: np.ndarray,
        u: np.ndarray,
        limits: Mapping[int, ReactionLimit],
    ) -> AdmissibleForces | StictionForces:
        """The admissible forces within limits that depend on reactions, starting from those of the solution."""
        if not limits:
            return convex
        first, of_grip = self.layout.efforts.stop, self.layout.of_grip
        S, x = np.zeros((len(of_grip), len(touched))), u[first:] / of_grip
        for place, k in enumerate((touched - first).tolist()):
            if k >= 0:
                S[k, place], x[k] = 1 / of_grip[k], 0.0
        found = [limit.on(S, x) for limit in limits.values()]
        return StictionForces(convex, found, u[touched])

    def _cones(self, first: int) -> list[FrictionCone]:
        """Friction cones of the sticking contacts, as entries of u, where the forces of loads begin at `first`."""
        mu = self._grips.coefficients(self.struck)
        return [
            FrictionCone(first + foot.normal, tuple(first + k for k in foot.tangential), float(most))
            for foot, most in zip(self._grips.feet, mu, strict=True)
            if foot.mode in self.which
        ]

    def _changed(self, change: np.ndarray) -> tuple[Answer, np.ndarray]:
        """The solution and the reactions after a change of u."""
        layout, following = (
            self.layout,
            self.answer.following.reshape(-1, self.layout.model.strengths + 2).copy(),
        )
        following[self._grips.strengths, 0] += change[layout.efforts.stop :] / layout.of_grip
        wrenches = self.wrenches + layout.reactions.unpack(change)
        tau = self.answer.tau + change[layout.efforts] / layout.of_tau
        return replace(self.answer, tau=tau, following=following), wrenches

    def _of_loads(self, count: int, told: np.ndarray) -> dict[str, dict[str, np.ndarray]]:
        """Rows that give the reported quantities of loads from the `count` entries of u.

        The derivative of a power is the rate of its force; rates that count as rest are set to zero.
        """
        layout, readouts, at = self.layout, self.layout.model.readouts, 0
        slopes = readouts.load_slopes(
            **{name: layout.state[name] for name in ("q", "v", "x")},
            t=layout.t,
            strengths=self._strengths,
            wrenches=self.wrenches.ravel(order="F"),
            p=layout.model.p,
        )[0].reshape(-1, layout.model.strengths, order="F")[:, self._grips.strengths]
        found = dict[str, dict[str, np.ndarray]]()
        for load, shapes in readouts.load_shapes.items():
            units, found[load] = readouts.load_units[load], {}
            for name, length in shapes.items():
                rows = np.zeros((length, count))
                own = slopes[at : at + length]
                if units.get(name) == "W":
                    own = np.where(np.abs(own) > told[:, STANDS], own, 0.0)
                rows[:, layout.efforts.stop :] = own / layout.of_grip
                at += length
                if units.get(name) != FLAG:
                    found[load][name] = rows
        return found

    def _slope_bounds(self) -> dict[str, float]:
        """Bounds of the change of the forces of every load by the shared forces."""
        loads, m = self.layout.model.skeleton.mechanism.all_loads, self.layout.model.strengths
        K = np.asarray(self.answer.following).reshape(-1, m + 2)[:, 2:]
        along = np.zeros((m, self.ways.shape[1]))
        along[self._grips.strengths] = np.abs(self.brought[:, self.which]) @ np.abs(self.ways)
        names = [load.name for load in loads for _ in range(load.strengths)]
        found = dict.fromkeys(names, 0.0)
        for name, row in zip(names, K @ along / np.abs(along).max(), strict=True):
            found[name] = max(found[name], float(row.max()))
        return {name: size for name, size in found.items() if size > REPEATS}

    # warnings -----------------------------------------------------------------------------------------------------

    def _moving(self) -> list[str]:
        """A warning where accelerations differ over the admissible forces."""
        inertia = self.layout.model.inertia(self.layout.state["q"])
        size = np.sqrt(self._grips.yields(self.layout.y, self.struck)[self.which])[:, None]
        jumps = self.struck.v @ self.brought[:, self.which] @ self.ways
        energy = np.einsum("ik,ij,jk->k", jumps, inertia, jumps)
        differs = np.sqrt(np.abs(energy)) > MOVES * np.linalg.norm(size * self.ways, axis=0)
        if not differs.any():
            return []
        moved = np.abs(size * self.ways[:, differs]).max(axis=1) > TOUCHED
        which = self._grips.called(self.which[moved])
        what = f"the forces of {which} are not determined, and accelerations depend on them through friction"
        return [f"{what}: the motion is one of several"]

    def _following(self, touched: np.ndarray, admissible: AdmissibleForces | StictionForces) -> list[str]:
        """Warnings where friction depends on an indeterminate reaction, so that accelerations differ.

        Friction of joints at rest does not depend on reactions: the bounds K of its derivatives vanish
        (`dynamics.following`).
        """
        skeleton, said = self.layout.model.skeleton, []
        rows, bounds = self.layout.components(touched), self._slope_bounds()
        for action in actions_of(skeleton):
            if not bounds.get(action.name, 0.0):
                continue
            for joint, components in action.follows(skeleton).items():
                parts = rows.get(joint, {})
                left = [
                    name for name in components if name in parts and admissible.undetermined(parts[name])[0]
                ]
                if left:
                    what = f"load '{action.name}' follows the {' and the '.join(left)} at '{joint}'"
                    why = f"which equilibrium does not determine beside {self._grips.called(self.which)}"
                    said.append(f"{what}, {why}: the motion is one of several")
        return said
