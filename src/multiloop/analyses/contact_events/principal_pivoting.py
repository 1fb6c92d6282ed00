"""Principal pivoting on the modes of all contacts and joints at rest, until they agree with forces and accelerations.

A force beyond its limit is released, and a released contact or joint that would move against its force is held again,
in least-index order. The module also computes forces within their limits that hold all contacts and joints at rest;
`consistent_modes` applies these methods one after another.

Source: [murty], principal pivoting, here on laws that need not be linear.
Theory: docs/theory/12-contact.md, section 12.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from multiloop.analyses.contact_events.indeterminate_forces import friction_limits
from multiloop.analyses.contact_events.set_valued_forces import SetValuedForces, StictionContact
from multiloop.analyses.run_models import LocalChoice
from multiloop.dynamics import (
    CONE_ROUND_OFF,
    ROUND_OFF,
    AdmissibleForces,
    FrictionCone,
    ReactionLimit,
    admissible_set_near,
)
from multiloop.dynamics.actions import (
    ACCELERATION,
    BEYOND_LIMIT,
    FORCE,
    GAP,
    GUARD,
    HIGH,
    LOW,
    RATE,
    SIGNIFICANT,
    SLACK,
    UNBOUNDED,
    UNHELD,
    Mode,
    alternative_mode,
    departure_sign,
)

SHARING_TOLERANCE = 1e-6
"""Accuracy of forces that jointly hold contacts and joints at rest, as a fraction of the forces: the round-off of a
single force divided by the regularisation `SOFTENING`."""

MOST_EVALUATIONS, HELD_RESIDUAL = 12, 1e-5
"""Largest number of evaluations in which the forces that hold contacts and joints at rest are computed, and largest
remaining acceleration along such a force. The acceleration is expressed as a force, in units of the round-off of the
force."""

AT_LIMIT = 1e-7
"""Distance of a force from its limit, as a fraction of the limit, within which the force counts as being at the
limit."""

PIVOTS, PIVOTS_IN_SPACE = 50, 2
"""Largest number of mode changes per force of a contact or joint at rest, in the plane and in space; in space each
change takes many evaluations."""

ACCELERATION_ROUND_OFF = 1e-12
"""Accelerations are round-off below this fraction of the accelerations without the forces that hold contacts and joints
at rest, or of the characteristic accelerations."""

ZERO_RESPONSE = 1e-9
"""The acceleration along a friction force per unit of this force, including the effect of the other forces that hold
contacts and joints at rest, counts as zero below this fraction of its value without their effect."""

ALIGNMENT = 1e-6
"""Largest sine of the angle between a direction of sliding and the acceleration with which the two count as aligned."""

ROUNDS, STEPS, ANGLE_STEP = 20, 8, 1e-6
"""Number of fixed-point iterations for directions of sliding, largest number of the Newton steps that follow, and step
of the finite differences of Newton's method in rad."""


@dataclass(frozen=True, eq=False)
class PrincipalPivoting:
    """Principal pivoting on the modes of the set-valued forces of contacts and joints that are closed and at rest.

    `rows` are the indices of these forces. D maps set-valued forces to accelerations along them. `size`, the square
    root of the diagonal that D has in the spanning tree without loop constraints, is the reference for round-off in D.
    `mu` are the friction coefficients of the contacts with stiction. `ended` are the indices of forces that held a
    contact or joint at rest until now and have reached their limits.
    """

    set_valued: SetValuedForces
    t: float
    y: np.ndarray
    choice: LocalChoice
    rows: np.ndarray
    D: np.ndarray
    size: np.ndarray
    mu: np.ndarray
    ended: np.ndarray
    tried: set[tuple[float, ...]] = field(default_factory=set)  # sets of modes whose forces were computed

    @cached_property
    def candidates(self) -> np.ndarray:
        """The indices of the forces of contacts and joints at rest that have an independent mode: all except the second
        friction force of contacts in space."""
        return np.array([k for k in self.rows if not self.set_valued.directions[k]], int)

    @cached_property
    def stiction_contacts(self) -> dict[int, StictionContact]:
        """The contacts with stiction at rest, by the index of their friction force."""
        return {
            contact.mode: contact
            for contact in self.set_valued.stiction_contacts
            if contact.mode in self.rows
        }

    def in_state(self, y: np.ndarray) -> PrincipalPivoting:
        """The same pivoting problem for another state y."""
        return replace(self, y=y)

    def outputs(self, modes: np.ndarray) -> np.ndarray:
        """Outputs of every set-valued force for given modes.

        A contact in space that begins to slide is evaluated as a contact at rest whose friction is at the limit of its
        friction cone: friction then acts exactly along the chosen direction, independent of velocities that are
        round-off.
        """
        return self.evaluate(modes)[1]

    def evaluate(self, modes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Copy of the state y with the given contact modes, and the outputs of the set-valued forces in this state,
        with the forces that hold contacts and joints at rest converged to round-off.

        The Newton steps of one evaluation do not converge where a light body carries a heavy one: if the effective
        masses along the holding forces differ by a factor 1/`SOFTENING`, several times as many steps are needed. The
        evaluation is therefore repeated, each time starting from the forces of the previous evaluation.
        """
        final_modes = modes.copy()
        slides = [
            contact.mode for contact in self.stiction_contacts.values() if contact.direction is not None
        ]
        final_modes[slides] = np.where(modes[slides] == Mode.FORWARD, Mode.STANDS_FORWARD, modes[slides])
        y = self.set_valued.with_modes(self.y, final_modes)
        values, held = self.set_valued.outputs(self.t, y, self.choice), self.set_valued.are_held(y)
        for _ in range(MOST_EVALUATIONS):
            residual = np.abs(values[held, UNHELD])
            if (residual <= HELD_RESIDUAL * values[held, SLACK]).all():
                break
            tried = self.set_valued.with_shares(y, np.where(held, values[:, FORCE], 0.0))
            there = self.set_valued.outputs(self.t, tried, self.choice)
            if not np.abs(there[held, UNHELD]).max() < residual.max() / 2:
                break
            y, values = tried, there
        return self.set_valued.with_modes(y, modes), values

    def limits_still_reached(self, modes: np.ndarray) -> bool:
        """Whether, with the given `modes`, some of the forces that had reached their limits are still at their limits,
        within the accuracy of these forces."""
        which = np.intersect1d(self.ended, self.rows)
        values, yields = self.outputs(modes)[which], np.abs(np.diag(self.D)[which])
        margin = yields * (values[:, GUARD] - values[:, SLACK])
        return bool((margin <= SHARING_TOLERANCE * np.abs(self.free_accelerations[which])).any())

    def release(self, modes: np.ndarray) -> np.ndarray:
        """Copy of the given modes in which all forces that have reached their limits are released."""
        found, values = modes.copy(), self.outputs(modes)
        for k in np.intersect1d(self.ended, self.rows).tolist():
            contact = self.stiction_contacts.get(k)
            if contact is not None and contact.direction is not None:
                self._set_mode(
                    found, k, Mode.FORWARD, contact.angle(-values[list(contact.tangential), FORCE])
                )
            elif not self.set_valued.directions[k]:
                low = values[k, FORCE] - values[k, LOW] <= values[k, HIGH] - values[k, FORCE]
                self._set_mode(found, k, Mode.FORWARD if low else Mode.BACKWARD)
        return found

    def slide_as_released(self, modes: np.ndarray) -> bool:
        """Whether contacts that have reached their friction cones slide in the directions of these modes.

        At the instant when the force that holds a contact reaches the cone, the acceleration of this contact is zero in
        every mode. Beyond this instant the acceleration along the direction of sliding e, per unit by which the holding
        force would exceed the cone, is eᵀ D e − eᵀ D W (Wᵀ D W')⁻¹ Wᵀ D e, where D maps forces to accelerations, the
        columns of W are the forces of the contacts that remain closed or at rest, and of W' these forces with the
        friction that they cause. The contact slides against its friction only if this acceleration is positive. It can
        be negative where (D + Dᵀ)/2 with the contribution of friction is not positive definite.
        """
        held = [k for k in self.rows.tolist() if modes[k] == Mode.HELD and not self.set_valued.directions[k]]
        sliding, ways = list[StictionContact](), list[np.ndarray]()
        causes = np.eye(len(self.D))
        for contact, mu in self.stiction_cones:
            if modes[contact.mode] in (Mode.OPEN, Mode.HELD) or modes[contact.normal] != Mode.HELD:
                continue
            angle = modes[contact.direction] if contact.direction is not None else 0.0
            way = np.zeros(len(self.D))
            way[list(contact.tangential)] = (
                [modes[contact.mode]] if contact.direction is None else [np.cos(angle), np.sin(angle)]
            )
            causes[:, contact.normal] -= mu * way
            sliding.append(contact)
            ways.append(way)
        D = self.D @ causes
        for contact, way in zip(sliding, ways, strict=True):
            if contact.mode not in self.ended:
                continue
            plain = float(way @ self.D @ way)
            follow = np.linalg.lstsq(D[np.ix_(held, held)], self.D[held] @ way, rcond=ZERO_RESPONSE)[0]
            if plain - float(way @ D[:, held] @ follow) < -ZERO_RESPONSE * plain:
                return False
        return True

    def agree(self, modes: np.ndarray) -> bool:
        """Whether the forces and accelerations with the given contact modes are consistent with these modes."""
        values = self.outputs(modes)
        return next(self.contradictions(modes, values), None) is None

    def pivot(self, modes: np.ndarray) -> np.ndarray | None:
        """Consistent modes found by pivoting from the given `modes`; None if pivoting does not terminate."""
        modes = modes.copy()
        each = PIVOTS_IN_SPACE if self.set_valued.directions[self.rows].any() else PIVOTS
        for _ in range(each * (len(self.candidates) + 1)):
            modes, values = self.with_directions(modes)
            self.tried.add(tuple(modes[self.candidates].tolist()))
            change = next(self.contradictions(modes, values), None)
            if change is None:
                return modes
            self._set_mode(modes, *change)
        return None

    def _set_mode(self, modes: np.ndarray, k: int, mode: float, angle: float = 0.0) -> None:
        """Set the mode of force k in `modes` to `mode`.

        If k is the friction of a contact in space, the `angle` of its direction of sliding is set too. If k is the
        normal force of a contact with stiction, the friction is held if `mode` is HELD, and otherwise released (OPEN).
        """
        modes[k] = mode
        contact = self.stiction_contacts.get(k)
        if contact is not None and contact.direction is not None:
            modes[contact.direction] = angle
        for key, other in self.stiction_contacts.items():
            if other.normal == k:
                modes[key] = Mode.HELD if mode == Mode.HELD else Mode.OPEN

    def contradictions(self, modes: np.ndarray, values: np.ndarray) -> Iterator[tuple[int, float, float]]:
        """Indices of forces whose outputs `values` contradict their modes, each with the mode to try instead and the
        angle of sliding."""
        for k in self.candidates.tolist():
            if k not in self.stiction_contacts:
                other = alternative_mode(modes[k], values[k])
                if other is not None:
                    yield k, float(other), 0.0
            elif modes[k] != Mode.OPEN:
                yield from self._friction_change(modes, values, self.stiction_contacts[k])

    def _friction_change(
        self, modes: np.ndarray, values: np.ndarray, contact: StictionContact
    ) -> Iterator[tuple[int, float, float]]:
        k, rows = contact.mode, list(contact.tangential)
        if contact.direction is None:
            other = alternative_mode(modes[k], values[k])
            if other is not None:
                yield k, float(other), 0.0
            return
        force, residual, slack = values[rows, FORCE], values[rows, UNHELD], values[rows, SLACK].max()
        a = values[rows, ACCELERATION]
        angle = float(modes[contact.direction])
        if modes[k] == Mode.HELD:
            if np.linalg.norm(force) > max(values[k, HIGH], 0.0) + BEYOND_LIMIT * slack:
                yield k, float(Mode.FORWARD), contact.angle(-force)
            return
        e = np.array([np.cos(angle), np.sin(angle)])
        if residual @ e < -slack:
            yield k, float(Mode.HELD), angle
        elif (
            abs(e[0] * a[1] - e[1] * a[0]) > ALIGNMENT * np.linalg.norm(a)
            and np.linalg.norm(residual) > SIGNIFICANT * slack
        ):
            yield k, float(Mode.FORWARD), contact.angle(a)

    def with_directions(self, modes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The modes with directions of sliding e that agree with the accelerations a, and the outputs for these modes.

            e ← (μ x e + r a) / |μ x e + r a|

        The friction force, of magnitude μ x with the normal force x, is the point of its cone nearest to the force that
        would hold the contact; r a is the difference between these two forces, with a step size r. A fixed point of the
        iteration satisfies a = |a| e. Near the fixed point, Newton's method solves e × a = 0 with finite-difference
        derivatives.
        """
        contacts = [contact for contact in self.stiction_contacts.values() if contact.direction is not None]
        contacts = [contact for contact in contacts if modes[contact.mode] == Mode.FORWARD]
        modes, values = modes.copy(), self.outputs(modes)
        if not contacts:
            return modes, values
        places = [contact.tangential[1] for contact in contacts]
        rows = np.array([contact.tangential for contact in contacts])
        most = [np.linalg.eigvalsh(self.D[np.ix_(pair, pair)]).max() for pair in rows]
        across = self._misalignment(modes, values, rows)
        size = np.abs(values[rows, ACCELERATION] @ (1, 1j)).max()
        for _ in range(ROUNDS if np.abs(across).max() > ALIGNMENT * size else 0):
            e, a = np.exp(1j * modes[places]), values[rows, ACCELERATION] @ (1, 1j)
            towards = np.maximum(values[rows[:, 0], HIGH], 0.0) * e + a / most
            modes[places] = np.where(np.abs(towards) > 0, np.angle(towards), modes[places])
            values = self.outputs(modes)
        across = self._misalignment(modes, values, rows)
        for _ in range(STEPS):
            slopes = np.empty((len(contacts), len(contacts)))
            for column, place in enumerate(places):
                beside = modes.copy()
                beside[place] += ANGLE_STEP
                slopes[:, column] = (
                    self._misalignment(beside, self.outputs(beside), rows) - across
                ) / ANGLE_STEP
            tried = modes.copy()
            tried[places] -= np.linalg.lstsq(slopes, across, rcond=1e-12)[0]
            there = self.outputs(tried)
            residual = self._misalignment(tried, there, rows)
            if not np.abs(residual).max() < np.abs(across).max():
                break
            modes, values, across = tried, there, residual
        return modes, values

    def _misalignment(self, modes: np.ndarray, values: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The cross product e × a of the direction of sliding and the acceleration of contacts that begin to slide;
        `rows` are the indices of their friction forces."""
        found: np.ndarray = (np.exp(-1j * modes[rows[:, 1]]) * (values[rows, ACCELERATION] @ (1, 1j))).imag
        return found

    def departures(self, modes: np.ndarray, values: np.ndarray) -> tuple[int, ...]:
        """The sign of the motion with which each contact or joint leaves rest (`departure`), for the forces with the
        indices `candidates`."""
        return tuple(self.departure(modes, values, k) for k in self.candidates.tolist())

    def departure(self, modes: np.ndarray, values: np.ndarray, k: int) -> int:
        """The sign of the motion with which the contact or joint of force k leaves rest: ±1, or 0 if it stays at
        rest."""
        contact = self.stiction_contacts.get(k)
        if contact is None or contact.direction is None:
            if contact is None:
                return departure_sign(modes[k], values[k])
            return (
                0
                if modes[k] == Mode.OPEN
                else departure_sign(modes[k], values[k], ROUND_OFF / CONE_ROUND_OFF)
            )
        rows = list(contact.tangential)
        if (
            modes[k] != Mode.FORWARD
            or np.linalg.norm(values[rows, UNHELD]) <= SIGNIFICANT * values[rows, SLACK].max()
        ):
            return 0
        return 1

    @cached_property
    def one_sided(self) -> np.ndarray:
        """Mask of the unilateral forces, which have no upper limit."""
        return self.set_valued.are_unilateral(self.outputs(self.set_valued.modes(self.y)))

    @cached_property
    def free_accelerations(self) -> np.ndarray:
        """Accelerations along all set-valued forces if all contacts and joints at rest are released, plus 2 ω ġ + ω² g,
        the correction that returns gaps g from round-off to zero at the rate ω."""
        modes = self.set_valued.modes(self.y).copy()
        for k in self.candidates.tolist():
            modes[k] = Mode.FORWARD if self.one_sided[k] else Mode.OPEN
        values, omega = self.outputs(modes), self.set_valued.return_rates(self.y)
        found: np.ndarray = values[:, ACCELERATION] + 2 * omega * values[:, RATE] + omega**2 * values[:, GAP]
        return found

    @cached_property
    def stiction_cones(self) -> list[tuple[StictionContact, float]]:
        """The contacts with stiction at rest, with their friction coefficients."""
        return [
            (contact, float(mu))
            for contact, mu in zip(self.set_valued.stiction_contacts, self.mu, strict=True)
            if contact.mode in self.stiction_contacts
        ]

    def shared_rest_state(self, modes: np.ndarray) -> np.ndarray | None:
        """Copy of the state y in which the reference forces for load sharing hold all contacts and joints at rest and
        are within their limits; None if there are no such forces."""
        values = self.outputs(modes)
        bounded, follow = self.admissible(values), np.isin(self.rows, self._reaction_limited)
        low, high = np.where(follow, -np.inf, bounded.low), np.where(follow, np.inf, bounded.high)
        bounded = replace(bounded, low=low, high=high)
        forces = admissible_set_near(bounded, self._limits(values), values[self.rows, FORCE])
        if forces is None:
            return None
        x = self.set_valued.shares(self.y)
        least = forces.minimum_norm()
        inwards = forces.interior_point() - least
        far = float(np.linalg.norm(inwards) / max(float(np.linalg.norm(least)), 1e-300))
        x[self.rows] = least + inwards / max(far, 1.0)
        y = self.set_valued.with_shares(self.y, x)
        return y if self.in_state(y).agree(modes) else None

    def admissible(self, values: np.ndarray) -> AdmissibleForces:
        """The set of forces that hold all contacts and joints at rest.

        Limits that depend on reactions have the values contained in the outputs `values`.
        """
        rows = self.rows
        places = {int(k): place for place, k in enumerate(rows)}
        low, high = values[rows, LOW].copy(), values[rows, HIGH].copy()
        high[high > UNBOUNDED / 2] = np.inf
        cones = []
        for contact, mu in self.stiction_cones:
            across = tuple(places[k] for k in contact.tangential)
            low[list(across)], high[list(across)] = -np.inf, np.inf
            cones.append(FrictionCone(places[contact.normal], across, mu))
        sizes = np.abs(np.diag(self.D)[rows])
        weights = np.where(sizes > 0, sizes, sizes.max() or 1.0)
        normal = [
            place
            for place, k in enumerate(rows.tolist())
            if k in self.candidates and k not in self.stiction_contacts
        ]
        known = np.sqrt(weights[normal]) * values[rows[normal], SLACK] / ROUND_OFF
        size = float(known.max(initial=0.0))
        return AdmissibleForces(
            self.D[np.ix_(rows, rows)], -self.free_accelerations[rows], low, high, cones, weights, size
        )

    @cached_property
    def _reaction_limited(self) -> list[int]:
        """The indices of the forces of contacts and joints at rest whose limits depend on reactions."""
        names = self.set_valued.run.model.reaction_functions.limit_places
        return [k for k in self.rows.tolist() if self.set_valued.names[k] in names]

    def _limits(self, values: np.ndarray) -> list[ReactionLimit]:
        """Reaction-dependent limits of the forces with the indices `rows`, as functions of all of these forces."""
        if not self._reaction_limited:
            return []
        answer = self.set_valued.run.solve_at(self.t, self.y, self.choice)
        response = self.set_valued.impulse_response(self.t, self.y, self.choice)
        limits = friction_limits(self.set_valued, self.t, self.y, answer, response)
        others = values[:, FORCE].copy()
        others[self.rows] = 0.0
        S = np.eye(len(others))[:, self.rows]
        return [limits[k].in_unknowns(S, others) for k in self._reaction_limited]
