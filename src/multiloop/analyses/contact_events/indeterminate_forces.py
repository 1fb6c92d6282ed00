"""The vector u of all forces that may be statically indeterminate, and the set of admissible values of it.

    u = u₀ + Z z,      low ≤ x ≤ high for the set-valued forces x among u

u holds components of joint reactions, multipliers of couplings, efforts along rates and forces of loads, in newtons
(moments divided by the characteristic length). The columns of Z are changes of u that leave the motion unchanged, from
which the ranges of all forces follow.

Theory: docs/theory/09-redundancy.md, eq. (9.8); docs/theory/12-contact.md, section 12.7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.analyses.contact_events.set_valued_forces import SetValuedForces
from multiloop.analyses.run_models import ForwardModel
from multiloop.dynamics import AdmissibleForces, FrictionCone
from multiloop.kinematics.tree import parts_of_connections, parts_of_rates
from multiloop.plan import (
    ReactionComponents,
    constraint_matrix_at,
    joint_wrenches,
    rank_of,
    self_equilibrated_reactions,
)

PARTICIPATION = 1e-7
"""Size of an entry of a direction above which the component takes part in it."""

NEGLIGIBLE = 1e-12
"""Coefficients of a force or moment below this fraction of the largest are round-off due to the rotation into
inertial axes."""


@dataclass(frozen=True, eq=False)
class ForceLayout:
    """Layout of the vector u: components of joints, multipliers of couplings, efforts along rates, forces of loads.

    All are in newtons, or in newton seconds for impulses: moments are divided by the characteristic length. With a
    `part` given, redundant joints of other connected parts are ignored.
    """

    set_valued: SetValuedForces
    t: float
    y: np.ndarray
    part: int | None = None

    @cached_property
    def model(self) -> ForwardModel:
        """The forward model of the run."""
        return self.set_valued.run.model

    @cached_property
    def state(self) -> dict[str, np.ndarray]:
        """The blocks of the state."""
        return self.set_valued.run.layout.blocks(self.y)

    @cached_property
    def reactions(self) -> ReactionComponents:
        """Components of the joint reactions, the first entries of u."""
        bases = joint_wrenches(self.model.equations, self.state["q"], self.model.p)
        return ReactionComponents(bases, self.model.skeleton.characteristic_length)

    @cached_property
    def _redundant(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Self-equilibrated reactions of joints and couplings, one per column, and the scale factors of the rows of
        couplings."""
        mechanism = self.model.skeleton.mechanism
        if not (self.model.plan.redundant or mechanism.couplings):
            return np.zeros((self.reactions.count, 0)), {}
        screws = constraint_matrix_at(self.model.equations, self.state["q"], self.model.p, self.t)
        return self_equilibrated_reactions(screws, rank_of(screws.A)), dict(screws.sizes)

    @cached_property
    def _sizes(self) -> np.ndarray:
        """Scale factors of the rows of all couplings."""
        return np.concatenate([np.zeros(0), *self._redundant[1].values()])

    @cached_property
    def effort_scale(self) -> np.ndarray:
        """Scale of the efforts along rates."""
        scale: np.ndarray = self.model.equations.chart.rate_units / self.model.skeleton.characteristic_length
        return scale

    @cached_property
    def force_scale(self) -> np.ndarray:
        """Scale of the set-valued forces."""
        return self.set_valued.force_scale

    def stack(self, wrenches: np.ndarray, lam: np.ndarray, tau: np.ndarray, forces: np.ndarray) -> np.ndarray:
        """The vector u from reactions (6 × joints), multipliers, efforts, and scaled forces of loads."""
        sizes = self._sizes
        r, own = self.reactions.pack(wrenches), lam[len(lam) - len(sizes) :]
        return np.concatenate([r, own * sizes, self.effort_scale * tau, forces])

    def directions(self, columns: list[np.ndarray]) -> np.ndarray:
        """Unit changes of u: the given columns, followed by self-equilibrated reactions of redundant joints.

        These reactions are restricted to the connected part, within which they are also in equilibrium.
        """
        redundant = self._redundant[0] * self.own_entries[: len(self._redundant[0]), None]
        redundant = redundant[:, np.linalg.norm(redundant, axis=0) > PARTICIPATION]
        below = np.zeros((len(columns[0]) - len(redundant), redundant.shape[1]))
        found = np.column_stack([*columns, np.vstack([redundant, below])])
        found /= np.linalg.norm(found, axis=0)
        return found

    @cached_property
    def own_entries(self) -> np.ndarray:
        """Mask of the entries of u that belong to the connected part."""
        skeleton, count = self.model.skeleton, self.efforts.stop + len(self.set_valued.names)
        if self.part is None:
            return np.full(count, True)
        parts, found = parts_of_connections(skeleton.mechanism), np.zeros(count, int)
        for joint, place in zip(skeleton.mechanism.connections, self.reactions.joints, strict=True):
            found[place] = parts[joint.name]
        first = self.reactions.count
        for name, sizes in self._redundant[1].items():
            found[first : first + len(sizes)], first = parts[name], first + len(sizes)
        found[self.efforts], found[self.efforts.stop :] = (
            parts_of_rates(skeleton),
            self.set_valued.connected_parts,
        )
        own: np.ndarray = found == self.part
        return own

    @cached_property
    def efforts(self) -> slice:
        """Slice of the efforts along rates in u; the forces of loads follow it."""
        start = self.reactions.count + len(self._sizes)
        return slice(start, start + self.model.skeleton.rates)

    def component_rows(self, entries: np.ndarray) -> dict[str, dict[str, np.ndarray]]:
        """Rows that select joint components from the entries of u in `entries`, by joint and component."""
        skeleton, found = self.model.skeleton, {}
        for joint, place in zip(skeleton.mechanism.connections, self.reactions.joints, strict=True):
            names = zip(joint.wrench_names(skeleton.planar), range(place.start, place.stop), strict=True)
            found[joint.name] = {
                name: (entries == k)[None].astype(float) for name, k in names if k in entries
            }
        return {joint: parts for joint, parts in found.items() if parts}

    def joint_rows(self, count: int) -> dict[str, dict[str, np.ndarray]]:
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
                    own[row, self.efforts.start + k] = 1 / self.effort_scale[k]
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
    """The set of all u + Z z within bounds and cones, restricted to the entries that change along Z or belong to a
    cone.

    `size` is the force relative to which round-off is estimated, by default the size of u.
    """
    U, sigma, _ = np.linalg.svd(directions, full_matrices=False)
    Z = U[:, sigma > PARTICIPATION]
    part = np.linalg.norm(Z, axis=1) > PARTICIPATION
    for cone in cones:
        part[[cone.normal, *cone.tangential]] |= part[[cone.normal, *cone.tangential]].any()
    entries = np.flatnonzero(part)
    place = {int(k): n for n, k in enumerate(entries)}
    kept = [
        FrictionCone(place[cone.normal], tuple(place[k] for k in cone.tangential), cone.coefficient)
        for cone in cones
        if cone.normal in place
    ]
    across = np.linalg.svd(Z[entries])[0][:, Z.shape[1] :].T
    size = float(np.abs(u).max(initial=0.0)) if size is None else size
    found = AdmissibleForces(across, across @ u[entries], low[entries], high[entries], kept, size=size)
    return found, entries


def rows_on_entries(
    quantities: Mapping[str, Mapping[str, np.ndarray]], entries: np.ndarray
) -> dict[str, dict[str, np.ndarray]]:
    """Rows on the entries of u in `entries`, for the quantities that depend on these by more than round-off."""
    selected_rows = dict[str, dict[str, np.ndarray]]()
    for owner, parts in quantities.items():
        clear = {
            name: np.where(np.abs(rows) > NEGLIGIBLE * np.abs(rows).max(initial=0.0), rows, 0.0)[:, entries]
            for name, rows in parts.items()
        }
        selected_rows[owner] = {name: rows for name, rows in clear.items() if rows.any()}
    return {owner: parts for owner, parts in selected_rows.items() if parts}
