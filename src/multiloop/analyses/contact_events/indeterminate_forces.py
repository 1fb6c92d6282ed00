"""Forces and impulses that may be statically indeterminate, and the sets of their admissible values.

    u = u₀ + Z z,      low ≤ x ≤ high for the set-valued forces x among u

The vector u consists of components of joint reactions, multipliers of couplings, generalized forces along joint rates
and forces of loads, in newtons (moments are divided by the characteristic length). u₀ is one solution of the equations
of motion, the columns of Z are changes of u that leave the motion unchanged, and z are arbitrary coefficients; the
ranges of all forces follow from the bounds of the forces x. Impulses that several contacts share in one impact are
treated in the same way: they are not unique if they can be changed without altering any rate after the impact. The
minimum-norm solution that satisfies the laws of all contacts is then chosen.

The module also computes the joint reactions, and the friction limits that depend on them, as linear functions of the
set-valued forces.

Theory: docs/theory/09-redundancy.md, eq. (9.8); docs/theory/12-contact.md, section 12.7.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.analyses.contact_events.impact_problem import ImpactProblem
from multiloop.analyses.contact_events.set_valued_forces import ImpulseResponse, SetValuedForces
from multiloop.analyses.results.histories import SharedForces
from multiloop.analyses.run_models import ForwardModel, ForwardSolution
from multiloop.dynamics import AdmissibleForces, FrictionCone, ReactionLimit
from multiloop.kinematics.tree import parts_of_connections, parts_of_rates
from multiloop.plan import (
    ReactionComponents,
    constraint_matrix_at,
    joint_wrenches,
    rank_of,
    self_equilibrated_reactions,
)

SINGULAR_COMPLIANCE = 1e-9
"""Compliance (acceleration per unit force) below which a change of the forces causes no motion, relative to the
compliance of the spanning tree without loop constraints."""

PARTICIPATION = 1e-7
"""Magnitude of an entry in a unit change of the forces above which the force of this entry takes part in the change."""

NEGLIGIBLE = 1e-12
"""Coefficients with which a force or moment depends on the force vector u (`ForceLayout`) are round-off, due to the
rotation into inertial axes, below this fraction of the largest coefficient."""


@dataclass(frozen=True, eq=False)
class ForceLayout:
    """Order of the entries of the force vector u: components of joint reactions, multipliers of couplings, generalized
    forces along joint rates, and forces of loads.

    All are in newtons, or in newton seconds for impulses: moments are divided by the characteristic length. If the
    number `part` of a connected part of the mechanism is given, redundant joints of other connected parts are ignored.
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
        """The blocks of the state vector y, by name."""
        return self.set_valued.run.layout.blocks(self.y)

    @cached_property
    def reactions(self) -> ReactionComponents:
        """Conversion between joint reactions and their components, which are the first entries of the force vector
        u."""
        bases = joint_wrenches(self.model.equations, self.state["q"], self.model.p)
        return ReactionComponents(bases, self.model.skeleton.characteristic_length)

    @cached_property
    def _redundant(self) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Self-equilibrated reactions of joints and couplings, one per column, and for every coupling the norms by
        which its rows of the constraint matrix were divided."""
        mechanism = self.model.skeleton.mechanism
        if not (self.model.plan.redundant or mechanism.couplings):
            return np.zeros((self.reactions.count, 0)), {}
        screws = constraint_matrix_at(self.model.equations, self.state["q"], self.model.p, self.t)
        return self_equilibrated_reactions(screws, rank_of(screws.A)), dict(screws.sizes)

    @cached_property
    def _sizes(self) -> np.ndarray:
        """Norms by which the rows of all couplings in the constraint matrix were divided."""
        return np.concatenate([np.zeros(0), *self._redundant[1].values()])

    @cached_property
    def effort_scale(self) -> np.ndarray:
        """Factors that convert generalized forces along joint rates to newtons."""
        scale: np.ndarray = self.model.equations.chart.rate_units / self.model.skeleton.characteristic_length
        return scale

    @cached_property
    def force_scale(self) -> np.ndarray:
        """Factors that convert set-valued forces to newtons."""
        return self.set_valued.force_scale

    def stack(self, wrenches: np.ndarray, lam: np.ndarray, tau: np.ndarray, forces: np.ndarray) -> np.ndarray:
        """The force vector u from reactions (6 × joints), multipliers, efforts, and forces of loads in newtons (moments
        divided by the characteristic length)."""
        sizes = self._sizes
        r, own = self.reactions.pack(wrenches), lam[len(lam) - len(sizes) :]
        return np.concatenate([r, own * sizes, self.effort_scale * tau, forces])

    def directions(self, columns: list[np.ndarray]) -> np.ndarray:
        """Changes of the force vector u, one per column, scaled to unit norm: the given `columns`, followed by
        self-equilibrated reactions of redundant joints.

        If the layout is that of one connected part of the mechanism, only the reactions in this part are taken, which
        are in equilibrium by themselves.
        """
        redundant = self._redundant[0] * self.own_entries[: len(self._redundant[0]), None]
        redundant = redundant[:, np.linalg.norm(redundant, axis=0) > PARTICIPATION]
        below = np.zeros((len(columns[0]) - len(redundant), redundant.shape[1]))
        found = np.column_stack([*columns, np.vstack([redundant, below])])
        found /= np.linalg.norm(found, axis=0)
        return found

    @cached_property
    def own_entries(self) -> np.ndarray:
        """Mask of the entries of the force vector u that belong to the connected part with the number `part`; all
        entries if `part` is None."""
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
        """Slice of the generalized forces along joint rates in the force vector u; the forces of loads follow after
        this slice."""
        start = self.reactions.count + len(self._sizes)
        return slice(start, start + self.model.skeleton.rates)

    def component_rows(self, entries: np.ndarray) -> dict[str, dict[str, np.ndarray]]:
        """By joint and component, the matrix (1 × entries) that selects a reaction component from the entries `entries`
        of the force vector u; components that are not among these entries are omitted."""
        skeleton, found = self.model.skeleton, {}
        for joint, place in zip(skeleton.mechanism.connections, self.reactions.joints, strict=True):
            names = zip(joint.wrench_names(skeleton.planar), range(place.start, place.stop), strict=True)
            found[joint.name] = {
                name: (entries == k)[None].astype(float) for name, k in names if k in entries
            }
        return {joint: parts for joint, parts in found.items() if parts}

    def joint_rows(self, count: int) -> dict[str, dict[str, np.ndarray]]:
        """By joint or coupling and quantity, the matrix (components × `count`) that gives force, moment or effort from
        the `count` entries of the force vector u."""
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
    """The set of all force vectors u + Z z, with arbitrary coefficients z, that satisfy the bounds `low` and `high` and
    the friction `cones`, and the indices of the entries of u that this set describes.

    The columns of Z span the `directions`. The set is restricted to entries of u that change along Z or belong to a
    friction cone with such an entry. `size` is the force relative to which round-off is estimated, by default the
    largest entry of u.
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
    """The matrices `quantities`, which give forces and moments from the force vector u, restricted to the columns of
    the given `entries` of u; quantities that depend on these entries by round-off only are omitted."""
    selected_rows = dict[str, dict[str, np.ndarray]]()
    for owner, parts in quantities.items():
        clear = {
            name: np.where(np.abs(rows) > NEGLIGIBLE * np.abs(rows).max(initial=0.0), rows, 0.0)[:, entries]
            for name, rows in parts.items()
        }
        selected_rows[owner] = {name: rows for name, rows in clear.items() if rows.any()}
    return {owner: parts for owner, parts in selected_rows.items() if parts}


IMPULSE = "impulse"
"""Name under which the impulse of a load is reported."""

RATE_ROUND_OFF = 1e-9
"""A rate after an impact counts as zero below this fraction of the sum of the magnitudes of its terms: the rate before
the impact, and its changes by the single impulses."""

IMPULSE_ROUND_OFF = 1e-10
"""Impulses below this fraction of the largest impulse count as zero."""

ImpulseReactions = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Wrench impulses of the joints (6 × joints), impulses of the constraint multipliers, and impulses of the generalized
forces along joint rates."""


@dataclass(frozen=True, eq=False)
class SharedImpulses:
    """Impulses of closed contacts at one instant, first the normal and then the tangential ones.

    `closed` are the indices of the normal forces of these contacts. `rates` is the matrix that maps joint rates to the
    relative rates along the impulses, `e` are the restitutions of the contacts. `response` gives the joint impulses
    caused by contact impulses; it is None if joint impulses do not depend linearly on contact impulses.
    """

    set_valued: SetValuedForces
    t: float
    y: np.ndarray
    problem: ImpactProblem
    closed: np.ndarray
    rates: np.ndarray
    e: np.ndarray
    response: Callable[[np.ndarray], ImpulseReactions] | None

    def minimum_norm(self, found: np.ndarray) -> tuple[np.ndarray, SharedForces | None]:
        """The minimum-norm impulses and their ranges; if the impulses `found` are unique, these impulses and None."""
        if len(found) == 1 and self.problem.G[0, 0] > 0:
            return found, None
        ways = self._free_directions(found)
        if not ways.shape[1]:
            return found, None
        layout = ForceLayout(self.set_valued, self.t, self.y)
        scale = np.ones(len(found))
        scale[: len(self.closed)] = layout.force_scale[self.closed]
        u = self._stack(layout, found, scale)
        place = len(u) - len(found)
        low, high = np.full(len(u), -np.inf), np.full(len(u), np.inf)
        low[place : place + len(self.closed)] = 0.0
        cones = [
            FrictionCone(place + k, tuple((place + across).tolist()), float(self.problem.mu[k]))
            for k, across in enumerate(self.problem.tangential)
            if len(across) and not self._sliding_speed(k, found)
        ]
        columns = [self._stack(layout, way, scale) for way in ways.T]
        admissible, entries = admissible_along(u, layout.directions(columns), low, high, cones)
        if not admissible.feasible:
            return found, None
        least = u.copy()
        least[entries] = admissible.minimum_norm()
        quantities = layout.joint_rows(len(u))
        for k, grip in enumerate(self.closed):
            rows = quantities.setdefault(self.set_valued.names[grip], {}).setdefault(
                IMPULSE, np.zeros((1, len(u)))
            )
            rows[0, place + k] = 1 / scale[k]
        selected_rows = rows_on_entries(quantities, entries)
        shared = SharedForces(admissible, least[entries], selected_rows, layout.component_rows(entries))
        return self._rounded(least[place:] / scale), shared

    def _rounded(self, impulses: np.ndarray) -> np.ndarray:
        """Copy of the impulses in which values at the level of round-off are set to zero."""
        found, n = impulses.copy(), len(self.closed)
        for k in np.flatnonzero(impulses[:n] <= IMPULSE_ROUND_OFF * np.abs(impulses).max(initial=0.0)):
            found[[k, *self.problem.tangential[k]]] = 0.0
        return found

    def _rates_after(self, found: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Relative rates along the impulses after the impact with the impulses `found`, and for each rate the sum of
        the magnitudes of its terms: the rate before the impact, and its changes by the single impulses."""
        G, u = self.problem.G, self.problem.u
        return u + G @ found, np.abs(u) + np.abs(G) @ np.abs(found)

    def _opens(self, k: int, found: np.ndarray) -> bool:
        """Whether contact k opens faster than its restitution requires after the impulses `found`; it then exerts no
        impulse."""
        after, size = self._rates_after(found)
        return bool(found[k] <= 0 and after[k] + self.e[k] * self.problem.u[k] > RATE_ROUND_OFF * size[k])

    def _sliding_speed(self, k: int, found: np.ndarray) -> float:
        """The sliding speed of contact k after the impulses `found`; 0 if it sticks or has no friction."""
        (after, size), across = self._rates_after(found), self.problem.tangential[k]
        speed = float(np.linalg.norm(after[across]))
        return speed if speed > RATE_ROUND_OFF * float(size[across].max(initial=0.0)) else 0.0

    def _free_directions(self, found: np.ndarray) -> np.ndarray:
        """Changes of the impulses `found` that change no rate after the impact and satisfy the laws of all contacts: a
        basis, one change per column."""
        inertia = self.set_valued.run.model.inertia(self.y[self.set_valued.run.layout["q"]])
        yields = np.sqrt(np.einsum("ki,ij,kj->k", self.rates, np.linalg.pinv(inertia), self.rates))
        yields[yields == 0] = 1.0
        rows, after = [self.problem.G / np.outer(yields, yields)], self._rates_after(found)[0]
        for k, across in enumerate(self.problem.tangential):
            if self._opens(k, found):
                rows.append(np.eye(len(found))[[k, *across]])
            elif speed := self._sliding_speed(k, found):
                slides = np.zeros((len(across), len(found)))
                slides[range(len(across)), across] = 1 / yields[across]
                slides[:, k] = self.problem.mu[k] * after[across] / speed / yields[k]
                rows.append(slides / np.linalg.norm(slides, axis=1)[:, None])
        _, sigma, Vt = np.linalg.svd(np.vstack(rows))
        ways: np.ndarray = Vt[int(np.sum(sigma > SINGULAR_COMPLIANCE)) :].T / yields[:, None]
        return ways

    def _stack(self, layout: ForceLayout, impulses: np.ndarray, scale: np.ndarray) -> np.ndarray:
        """The vector u of joint impulses and contact impulses: the given contact `impulses`, multiplied by the factors
        `scale`, and the joint impulses that they cause."""
        if self.response is None:
            rows, rates = layout.model.equations.loop_constraints.count, layout.model.skeleton.rates
            nothing = np.zeros((6, len(layout.reactions.bases))), np.zeros(rows), np.zeros(rates)
            return layout.stack(*nothing, scale * impulses)
        return layout.stack(*self.response(impulses), scale * impulses)


def friction_limits(
    set_valued: SetValuedForces, t: float, y: np.ndarray, answer: ForwardSolution, response: ImpulseResponse
) -> dict[int, ReactionLimit]:
    """Friction limits that depend on joint reactions, as functions of all set-valued forces, by the indices of the
    friction forces.

    From the solution `answer` in the state y and the `response` to unit impulses, the reactions follow as linear
    functions of the set-valued forces. Other forces that depend on reactions are constant, with their values in this
    solution.
    """
    model = set_valued.run.model
    places = model.reaction_functions.limit_places
    if not places:
        return {}
    state, count = set_valued.run.layout.blocks(y), len(set_valued.names)
    known = {name: state[name] for name in ("q", "v", "x")}
    slopes = model.reaction_functions.limit_slopes(**known, t=np.array([t]), p=model.p)[0]
    slopes = slopes.reshape(-1, 6 * len(model.skeleton.mechanism.connections), order="F")
    x = reaction_dependent_forces(set_valued, answer)[set_valued.dependent_force_indices]
    G = np.column_stack(
        [reaction_change(set_valued, t, y, answer, response, e).ravel(order="F") for e in np.eye(count)]
    )
    F = _reactions(set_valued, t, y, answer).ravel(order="F")
    V, v = slopes @ G, slopes @ (F - G @ x)
    found = {}
    for name, (*vectors, shift) in places.items():
        k = set_valued.names.index(name)
        parts = tuple((V[rows], v[rows]) for rows in vectors)
        found[k] = ReactionLimit(np.eye(count)[k] + V[shift][0], float(v[shift][0]), parts)
    return found


def reaction_dependent_forces(set_valued: SetValuedForces, answer: ForwardSolution) -> np.ndarray:
    """The values of the reaction-dependent forces of all loads in the solution `answer`."""
    found: np.ndarray = np.asarray(answer.dependent_force_rows).reshape(
        -1, set_valued.run.model.dependent_force_count + 2
    )[:, 0]
    return found


def reaction_change(
    set_valued: SetValuedForces,
    t: float,
    y: np.ndarray,
    answer: ForwardSolution,
    response: ImpulseResponse,
    change: np.ndarray,
) -> np.ndarray:
    """The change of the reactions of all joints, 6 × joints, for a change of the set-valued forces.

    The change is computed as the difference of two solutions, for a multiple of `change` that is as large as the
    reactions and the set-valued forces, because the difference would lose digits for a smaller change.
    """
    here, length = _reactions(set_valued, t, y, answer), set_valued.run.model.skeleton.characteristic_length
    forces = (
        set_valued.force_scale
        * reaction_dependent_forces(set_valued, answer)[set_valued.dependent_force_indices]
    )
    size = float(np.abs(np.concatenate([here[:3].ravel() / length, here[3:].ravel(), forces])).max()) or 1.0
    by = size / float(np.abs(set_valued.force_scale * change).max())
    a, lam, tau = (by * getattr(response, of) @ change for of in ("v", "lam", "forces"))
    dependent_force_rows = (
        np.asarray(answer.dependent_force_rows)
        .reshape(-1, set_valued.run.model.dependent_force_count + 2)
        .copy()
    )
    dependent_force_rows[set_valued.dependent_force_indices, 0] += by * change
    there = ForwardSolution(answer.a + a, answer.lam + lam, answer.tau + tau, dependent_force_rows)
    found: np.ndarray = (_reactions(set_valued, t, y, there) - here) / by
    return found


def _reactions(set_valued: SetValuedForces, t: float, y: np.ndarray, answer: ForwardSolution) -> np.ndarray:
    """Reactions of all joints in the solution `answer`, 6 × joints."""
    model = set_valued.run.model
    found = model.reaction_functions.reactions(
        **set_valued.run.layout.blocks(y),
        t=t,
        a=answer.a,
        lam=answer.lam,
        tau=answer.tau,
        dependent_forces=reaction_dependent_forces(set_valued, answer),
        p=model.p,
    )
    return found[0].reshape(6, -1)
