"""Load sharing: unilateral loads, drives and redundant joints whose forces equilibrium does not determine.

    D n = 0,     D = Jᵍ R

R are the changes of the joint rates caused by unit impulses of the closed set-valued forces, and Jᵍ maps them to
changes of the rates along these forces. A change n of the forces that satisfies this equation changes none of these
rates. Multipliers and efforts of drives change with the forces, and in mechanisms with redundant joints the reactions
may also change by self-equilibrated reactions, null(Aᵀ) of the constraint matrix A. All admissible forces are

    u = u₀ + Z z,      low ≤ x ≤ high for the set-valued forces x among u

where u contains all forces and reactions (`indeterminate_forces`), u₀ is one solution, the columns of Z are such
changes of u, and z are arbitrary coefficients. The solution of smallest |u|² is reported, as `minimum_norm_reactions`
does for joints alone.

If R n ≠ 0, accelerations change as well, because friction depends on a shared normal force. The motion itself is then
not unique, which is reported with the names of the loads.

Theory: docs/theory/09-redundancy.md, section 9.5; docs/theory/12-contact.md, section 12.7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from multiloop.analyses.contact_events.indeterminate_forces import (
    PARTICIPATION,
    SINGULAR_COMPLIANCE,
    ForceLayout,
    admissible_along,
    friction_limits,
    reaction_change,
    reaction_dependent_forces,
    rows_on_entries,
)
from multiloop.analyses.contact_events.set_valued_forces import ImpulseResponse, SetValuedForces
from multiloop.analyses.results.histories import SharedForces, SharedParts
from multiloop.analyses.run_models import ForwardSolution, LocalChoice
from multiloop.dynamics import AdmissibleForces, FrictionCone, ReactionLimit, StictionForces
from multiloop.dynamics.actions import FLAG, HIGH, LOW, RATE, REST_RATE, UNBOUNDED, Mode, actions_of
from multiloop.model import ResultWarning

MOTION_CHANGE = 1e-6
"""A change of the forces counts as changing the motion if it causes more than this fraction of the accelerations that
it would cause in the spanning tree without loop constraints."""


def _closed_forces(set_valued: SetValuedForces, y: np.ndarray) -> np.ndarray:
    """Indices of the set-valued forces that hold a contact or joint at rest, or are at a limit while it rests."""
    modes = set_valued.row_modes(set_valued.modes(y))
    return np.flatnonzero(np.abs(modes) > (Mode.FORWARD + Mode.STANDS_FORWARD) / 2)


def _driven_at_rest(
    set_valued: SetValuedForces, y: np.ndarray, values: np.ndarray, response: ImpulseResponse
) -> np.ndarray:
    """Indices of the friction forces at joints and contacts that drives or other joints keep at rest: the friction and
    these drives or joints share the load.

    For a contact in space both friction components are included, even if only one of the two sliding rates is
    prescribed.
    """
    resting = (set_valued.row_modes(set_valued.modes(y)) == Mode.OPEN) & (response.impact_laws[:, 2] == 0)
    resting &= np.abs(values[:, RATE]) <= values[:, REST_RATE]
    prescribed, closed = set_valued.are_prescribed(y, response), _closed_forces(set_valued, y)
    found = resting & prescribed
    for contact in set_valued.stiction_contacts:
        rows = list(contact.tangential)
        found[rows] = resting[rows].all() and prescribed[rows].any() and contact.normal in closed
    return np.flatnonzero(found)


def undetermined_directions(
    set_valued: SetValuedForces,
    y: np.ndarray,
    response: ImpulseResponse,
    which: np.ndarray,
    coupling_matrix: np.ndarray,
) -> np.ndarray:
    """Changes of the set-valued forces `which`, one per column, that do not change the rates along these forces.

    The columns of `coupling_matrix` are all forces that a unit of each force causes
    (`SetValuedForces.friction_coupling`).
    """
    D, size = (
        (response.compliance @ coupling_matrix)[np.ix_(which, which)],
        np.sqrt(set_valued.tree_compliance(y, response)[which]),
    )
    size[size == 0] = 1.0
    _, sigma, Vt = np.linalg.svd(D / np.outer(size, size))
    found: np.ndarray = Vt[sigma <= SINGULAR_COMPLIANCE].T / size[:, None]
    return found


def indeterminate_loads(
    set_valued: SetValuedForces, y: np.ndarray, values: np.ndarray, response: ImpulseResponse
) -> tuple[tuple[str, ...], bool]:
    """The names of the loads at closed contacts and joints at rest whose forces are statically indeterminate, and
    whether any forces are indeterminate.

    Friction of a joint that a drive keeps at rest is indeterminate too, but counts for the second value only: it is
    reported as zero instead of shared.
    """
    which, coupling_matrix = (
        _closed_forces(set_valued, y),
        set_valued.friction_coupling(set_valued.modes(y), values, response),
    )
    free_directions = undetermined_directions(set_valued, y, response, which, coupling_matrix)
    size = np.sqrt(set_valued.tree_compliance(y, response)[which])[:, None]
    part = np.abs(size * free_directions).max(axis=1, initial=0.0) > PARTICIPATION
    names = tuple(dict.fromkeys(set_valued.names[k] for k in which[part]))
    return names, bool(names) or bool(_driven_at_rest(set_valued, y, values, response).size)


@dataclass(frozen=True, eq=False)
class SharedInstant:
    """Minimum-norm forces at one instant: solution of the equations of motion, joint reactions `wrenches` (6 × joints),
    ranges of the indeterminate forces, and warnings."""

    answer: ForwardSolution
    wrenches: np.ndarray
    forces: SharedParts
    warnings: tuple[ResultWarning, ...]


def share_forces(
    set_valued: SetValuedForces,
    t: float,
    y: np.ndarray,
    choice: LocalChoice,
    answer: ForwardSolution,
    wrenches: np.ndarray,
) -> SharedInstant | None:
    """The solution with minimum-norm forces of unilateral loads at one instant; None if no force is indeterminate.

    `wrenches` are the reactions of the solution `answer`, 6 × joints. The forces are computed for each connected part
    of the mechanism separately.
    """
    response, values = set_valued.impulse_response(t, y, choice), set_valued.outputs(t, y, choice)
    coupling_matrix = set_valued.friction_coupling(set_valued.modes(y), values, response)
    resting, found = _driven_at_rest(set_valued, y, values, response), list[SharedInstant]()
    which = np.union1d(_closed_forces(set_valued, y), resting)
    driven = np.isin(which, resting)
    for part in dict.fromkeys(set_valued.connected_parts[which].tolist()):
        own, layout, last = (
            set_valued.connected_parts[which] == part,
            ForceLayout(set_valued, t, y, part),
            None,
        )
        # friction at joints kept at rest by drives is reported as zero: it is excluded when the minimum-norm forces are
        # computed, and included when the ranges are computed
        for some, as_found in ((own & ~driven, False), (own, True)) if driven[own].any() else ((own, False),):
            free_directions = undetermined_directions(set_valued, y, response, which[some], coupling_matrix)
            if free_directions.shape[1]:
                instant = _SharingProblem(
                    layout, answer, wrenches, which[some], response, coupling_matrix, free_directions
                )
                last = instant.solve(values, as_found=as_found) or last
                if last is not None:
                    answer, wrenches = last.answer, last.wrenches
        if last is not None:
            found.append(last)
    if not found:
        return None
    forces = SharedParts(tuple(part for one in found for part in one.forces.parts))
    return SharedInstant(answer, wrenches, forces, tuple(what for one in found for what in one.warnings))


@dataclass(frozen=True, eq=False)
class _SharingProblem:
    """Load sharing at one instant among the closed set-valued forces with the indices `which`.

    The columns of `free_directions` are changes of these forces that do not change the rates along them. The columns of
    `coupling_matrix` are the set-valued forces, including sliding friction, that a unit of each force causes.
    """

    layout: ForceLayout
    answer: ForwardSolution
    wrenches: np.ndarray
    which: np.ndarray
    response: ImpulseResponse
    coupling_matrix: np.ndarray
    free_directions: np.ndarray

    @property
    def _set_valued(self) -> SetValuedForces:
        return self.layout.set_valued

    @cached_property
    def _dependent_forces(self) -> np.ndarray:
        """Values of the reaction-dependent forces of all loads in the solution `answer`."""
        return reaction_dependent_forces(self._set_valued, self.answer)

    def _change_along(self, direction: np.ndarray) -> np.ndarray:
        """The change of the force vector u that a change `direction` of the forces `which` causes."""
        along, layout = np.zeros(len(self._set_valued.names)), self.layout
        along[self.which] = direction
        along = self.coupling_matrix @ along
        lam, tau = (getattr(self.response, of) @ along for of in ("lam", "forces"))
        change = reaction_change(self._set_valued, layout.t, layout.y, self.answer, self.response, along)
        return layout.stack(change, lam, tau, layout.force_scale * along)

    def solve(self, values: np.ndarray, *, as_found: bool = False) -> SharedInstant | None:
        """The solution with the reported forces, and the set of admissible forces.

        The reported forces are those of minimum norm; with `as_found`, or if the motion is not unique, they are those
        of the solution `answer`. `values` are the outputs of all set-valued forces. None if no forces are within all
        limits.
        """
        layout, force_scale = self.layout, self.layout.force_scale
        forces = force_scale * self._dependent_forces[self._set_valued.dependent_force_indices]
        u = layout.stack(self.wrenches, self.answer.lam, self.answer.tau, forces)
        low, high = np.full(len(u), -np.inf), np.full(len(u), np.inf)
        place, ends = layout.efforts.stop + self.which, values[self.which, HIGH]
        low[place] = values[self.which, LOW] * force_scale[self.which]
        high[place] = np.where(ends > UNBOUNDED / 2, np.inf, ends * force_scale[self.which])
        directions = layout.directions(
            [self._change_along(direction) for direction in self.free_directions.T]
        )
        cones = self._cones(layout.efforts.stop)
        for cone in cones:
            low[list(cone.tangential)], high[list(cone.tangential)] = -np.inf, np.inf
        limits = self._limits()
        low[layout.efforts.stop + np.array(list(limits), int)] = -np.inf
        high[layout.efforts.stop + np.array(list(limits), int)] = np.inf
        size = float(np.abs(u[layout.own_entries]).max(initial=0.0))
        convex, entries = admissible_along(u, directions, low, high, cones, size)
        admissible = self._with_limits(convex, entries, u, limits)
        if not admissible.feasible:
            return None
        messages = (*self._motion_warnings(), *self._friction_warnings(entries, admissible))
        least = u.copy()
        if not messages and not as_found:
            least[entries] = admissible.minimum_norm()
            admissible = self._with_limits(convex, entries, least, limits)
        quantities = rows_on_entries(layout.joint_rows(len(u)) | self._load_rows(len(u), values), entries)
        found = SharedForces(admissible, least[entries], quantities, layout.component_rows(entries))
        return SharedInstant(*self._apply_change(least - u), SharedParts((found,)), messages)

    def _limits(self) -> dict[int, ReactionLimit]:
        """Reaction-dependent friction limits of sticking joints, as functions of all set-valued forces, by the indices
        of the friction forces."""
        layout = self.layout
        found = friction_limits(self._set_valued, layout.t, layout.y, self.answer, self.response)
        return {k: limit for k, limit in found.items() if k in self.which}

    def _with_limits(
        self,
        convex: AdmissibleForces,
        entries: np.ndarray,
        u: np.ndarray,
        limits: Mapping[int, ReactionLimit],
    ) -> AdmissibleForces | StictionForces:
        """The admissible forces `convex`, further restricted by friction limits that depend on reactions (`limits`).

        The search for admissible forces starts from the force vector u of the solution; `entries` are the indices of
        the entries of u that `convex` describes.
        """
        if not limits:
            return convex
        first, force_scale = self.layout.efforts.stop, self.layout.force_scale
        S, x = np.zeros((len(force_scale), len(entries))), u[first:] / force_scale
        for place, k in enumerate((entries - first).tolist()):
            if k >= 0:
                S[k, place], x[k] = 1 / force_scale[k], 0.0
        found = [limit.in_unknowns(S, x) for limit in limits.values()]
        return StictionForces(convex, found, u[entries])

    def _cones(self, first: int) -> list[FrictionCone]:
        """Friction cones of the sticking contacts, as indices in the force vector u, in which the forces of loads begin
        at `first`."""
        mu = self._set_valued.coefficients(self.response)
        return [
            FrictionCone(first + contact.normal, tuple(first + k for k in contact.tangential), float(most))
            for contact, most in zip(self._set_valued.stiction_contacts, mu, strict=True)
            if contact.mode in self.which
        ]

    def _apply_change(self, change: np.ndarray) -> tuple[ForwardSolution, np.ndarray]:
        """The solution and the joint reactions after the force vector u has been changed by `change`."""
        layout, dependent_force_rows = (
            self.layout,
            self.answer.dependent_force_rows.reshape(-1, self.layout.model.dependent_force_count + 2).copy(),
        )
        dependent_force_rows[self._set_valued.dependent_force_indices, 0] += (
            change[layout.efforts.stop :] / layout.force_scale
        )
        wrenches = self.wrenches + layout.reactions.unpack(change)
        tau = self.answer.tau + change[layout.efforts] / layout.effort_scale
        return replace(self.answer, tau=tau, dependent_force_rows=dependent_force_rows), wrenches

    def _load_rows(self, count: int, values: np.ndarray) -> dict[str, dict[str, np.ndarray]]:
        """By load and quantity, the matrix (components × `count`) that gives a reported quantity from the `count`
        entries of the force vector u.

        For a power the matrix contains the rate along the force, or zero where this rate is so small that it counts as
        rest.
        """
        layout, reaction_functions, at = self.layout, self.layout.model.reaction_functions, 0
        slopes = reaction_functions.load_slopes(
            **{name: layout.state[name] for name in ("q", "v", "x")},
            t=layout.t,
            dependent_forces=self._dependent_forces,
            wrenches=self.wrenches.ravel(order="F"),
            p=layout.model.p,
        )[0].reshape(-1, layout.model.dependent_force_count, order="F")[
            :, self._set_valued.dependent_force_indices
        ]
        found = dict[str, dict[str, np.ndarray]]()
        for load, shapes in reaction_functions.load_output_sizes.items():
            units, found[load] = reaction_functions.load_units[load], {}
            for name, length in shapes.items():
                rows = np.zeros((length, count))
                own = slopes[at : at + length]
                if units.get(name) == "W":
                    own = np.where(np.abs(own) > values[:, REST_RATE], own, 0.0)
                rows[:, layout.efforts.stop :] = own / layout.force_scale
                at += length
                if units.get(name) != FLAG:
                    found[load][name] = rows
        return found

    def _slope_bounds(self) -> dict[str, float]:
        """By load, an upper bound of the change of its forces per unit of the largest change of a shared force; loads
        whose forces do not change are omitted."""
        loads, m = self.layout.model.skeleton.mechanism.all_loads, self.layout.model.dependent_force_count
        K = np.asarray(self.answer.dependent_force_rows).reshape(-1, m + 2)[:, 2:]
        along = np.zeros((m, self.free_directions.shape[1]))
        along[self._set_valued.dependent_force_indices] = np.abs(
            self.coupling_matrix[:, self.which]
        ) @ np.abs(self.free_directions)
        names = [load.name for load in loads for _ in range(load.reaction_dependent_forces)]
        found = dict.fromkeys(names, 0.0)
        for name, row in zip(names, K @ along / np.abs(along).max(), strict=True):
            found[name] = max(found[name], float(row.max()))
        return {name: size for name, size in found.items() if size > SINGULAR_COMPLIANCE}

    # warnings -----------------------------------------------------------------------------------------------------

    def _motion_warnings(self) -> list[ResultWarning]:
        """The warning that accelerations depend on which of the admissible forces act; empty if they do not."""
        inertia = self.layout.model.inertia(self.layout.state["q"])
        size = np.sqrt(self._set_valued.tree_compliance(self.layout.y, self.response)[self.which])[:, None]
        jumps = self.response.v @ self.coupling_matrix[:, self.which] @ self.free_directions
        energy = np.einsum("ik,ij,jk->k", jumps, inertia, jumps)
        differs = np.sqrt(np.abs(energy)) > MOTION_CHANGE * np.linalg.norm(
            size * self.free_directions, axis=0
        )
        if not differs.any():
            return []
        moved = np.abs(size * self.free_directions[:, differs]).max(axis=1) > PARTICIPATION
        which = self._set_valued.describe(self.which[moved])
        what = f"the forces of {which} are not determined, and accelerations depend on them through friction"
        place = ", ".join(dict.fromkeys(self._set_valued.names[k] for k in self.which[moved]))
        return [ResultWarning("W78", place, f"{what}: the motion is not unique")]

    def _friction_warnings(
        self, entries: np.ndarray, admissible: AdmissibleForces | StictionForces
    ) -> list[ResultWarning]:
        """Warnings that friction depends on an indeterminate reaction, so that accelerations are not unique.

        There is no warning for the friction of joints at rest: the bounds K of the derivatives of such friction with
        respect to the reactions are zero (`dynamics.reaction_dependent_forces`).
        """
        skeleton, messages = self.layout.model.skeleton, list[ResultWarning]()
        rows, bounds = self.layout.component_rows(entries), self._slope_bounds()
        for action in actions_of(skeleton):
            if not bounds.get(action.name, 0.0):
                continue
            for joint, components in action.reaction_sources(skeleton).items():
                parts = rows.get(joint, {})
                left = [
                    name for name in components if name in parts and admissible.undetermined(parts[name])[0]
                ]
                if left:
                    what = f"load '{action.name}' depends on the {' and the '.join(left)} at '{joint}'"
                    why = (
                        "but equilibrium does not determine this reaction and the forces of "
                        f"{self._set_valued.describe(self.which)} separately"
                    )
                    text = f"{what}, {why}: the motion is not unique"
                    messages.append(ResultWarning("W79", action.name, text))
        return messages
