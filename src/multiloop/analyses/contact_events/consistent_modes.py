"""Consistent sets of contact modes at one instant, and whether the motion is unique.

At first all closed contacts and joints with stiction that are at rest are assumed to be held at rest. If the forces
required for this are within their limits, nothing moves. If they are not, but other forces that hold everything at rest
are within their limits (`AdmissibleForces`), nothing moves either, and these forces are used. Otherwise modes are
changed by pivoting (`principal_pivoting`). If pivoting does not terminate, Coulomb's law is solved for the
accelerations as for the rates in an impact (`ImpactProblem`). Finally all combinations of modes are tried; this is also
done where several solutions are possible.

Source: [painleve] for cases with several solutions or none.
Theory: docs/theory/12-contact.md, section 12.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np

from multiloop.analyses.contact_events.impact_problem import ImpactProblem
from multiloop.analyses.contact_events.principal_pivoting import (
    ACCELERATION_ROUND_OFF,
    AT_LIMIT,
    HELD_RESIDUAL,
    PrincipalPivoting,
)
from multiloop.analyses.contact_events.set_valued_forces import StictionContact
from multiloop.dynamics.actions import HIGH, SIGNIFICANT, SLACK, UNBOUNDED, UNHELD, Mode, departure_sign

MOST_SETS = 729
"""Number of possible combinations of modes up to which all combinations are tried."""

MOST_CONES = 14
"""Largest number of contacts with friction for which it is checked, for all combinations of directions of sliding,
whether several solutions are possible; with more contacts, several solutions are assumed to be possible."""

HOLDING_TOLERANCE = 1e-6
"""Largest remaining acceleration of a contact that counts as held at rest, as a fraction of the largest acceleration
without the forces that hold contacts and joints."""

ZERO_COMPLIANCE = 1e-9
"""Compliance (acceleration per unit force) below which a combination of forces causes no motion, relative to the
compliance of the spanning tree without loop constraints."""

LEAST_DEPARTURE = 1e-6
"""Smallest acceleration that distinguishes a motion from rest, as a fraction of the largest acceleration without the
forces that hold contacts and joints."""


@dataclass(frozen=True, eq=False)
class ModeSolution:
    """A state and a consistent set of modes; `several` states whether other motions satisfy all force laws as well.

    `unexamined` states that other motions may exist, but that there are too many combinations of modes to try all.
    """

    y: np.ndarray
    modes: np.ndarray
    several: bool = False
    unexamined: bool = False


@dataclass(frozen=True, eq=False)
class ModeSolutions:
    """Search for the consistent sets of contact modes at one instant."""

    pivots: PrincipalPivoting

    def solve(self, modes: np.ndarray) -> ModeSolution | None:
        """A consistent set of modes; None if there is none. In the initial set `modes`, all contacts and joints at rest
        are held.

        Another consistent set is used if some contacts cannot be held exactly at rest, for example because a drive has
        a small acceleration that contradicts rest.
        """
        found = self._solve(modes)
        if found is None or self._holds_exactly(found):
            return found
        others = (ModeSolution(self.pivots.y, other) for other, _ in self._consistent_modes(modes))
        return next((other for other in others if self._holds_exactly(other)), None)

    def _holds_exactly(self, found: ModeSolution) -> bool:
        """Whether the computed forces are accurate enough to hold the contacts at rest; they are not if masses differ
        by too many orders of magnitude."""
        values = self.pivots.in_state(found.y).outputs(found.modes)
        held = np.flatnonzero(self.pivots.set_valued.row_modes(found.modes) == Mode.HELD)
        held = held[np.isin(held, self.pivots.rows)]
        left, size = np.abs(values[held, UNHELD]), self._largest_free_acceleration
        exact, moves = (
            left <= HELD_RESIDUAL * values[held, SLACK],
            left * np.abs(np.diag(self.pivots.D)[held]),
        )
        usual = self.pivots.set_valued.characteristic_accelerations(self.pivots.y)[held]
        return bool((exact | (moves <= HOLDING_TOLERANCE * size + ACCELERATION_ROUND_OFF * usual)).all())

    @property
    def _largest_free_acceleration(self) -> float:
        """The largest acceleration along the forces of contacts and joints at rest if all of these forces are
        released."""
        return float(np.abs(self.pivots.free_accelerations[self.pivots.rows]).max(initial=0.0))

    def _solve(self, modes: np.ndarray) -> ModeSolution | None:
        """A consistent set of modes, found by the methods in the docstring of this module, one after another; None if
        there is none.

        Forces that have just reached their limits are released first, even if the initial set `modes` is still
        consistent to round-off.
        """
        ended = bool(np.isin(self.pivots.ended, self.pivots.rows).any())
        if not ended and self.pivots.agree(modes):
            return self._solution(
                self.pivots.y, modes, self._may_be_ambiguous and self._several(self._distinct_motions(modes))
            )
        at_rest = self.pivots.shared_rest_state(modes)
        if ended and (at_rest is None or self.pivots.in_state(at_rest).limits_still_reached(modes)):
            released = self.pivots.pivot(self.pivots.release(modes))
            if released is not None and self._slides_as_released(released):
                return ModeSolution(self.pivots.y, released)
            if released is not None:
                return self._without_rest(modes)
        if at_rest is not None:
            several = (self._may_be_ambiguous or self._can_wedge) and self._release(
                modes, moves=True
            ) is not None
            return self._solution(at_rest, modes, several)
        moving = self._release(modes)
        if moving is not None and not self._may_be_ambiguous:
            return ModeSolution(self.pivots.y, moving)
        solutions = self._distinct_motions(modes)
        if moving is None and not solutions:
            return None
        return self._solution(
            self.pivots.y, solutions[0] if moving is None else moving, self._several(solutions)
        )

    def _slides_as_released(self, modes: np.ndarray) -> bool:
        return not self._may_be_ambiguous or self.pivots.slide_as_released(modes)

    def _without_rest(self, modes: np.ndarray) -> ModeSolution | None:
        """A consistent set of modes in which no contact that has reached its friction cone remains at rest; None if
        there is none."""
        ended = [k for k in self.pivots.ended.tolist() if k in self.pivots.stiction_contacts]
        found = [
            other
            for other in self._distinct_motions(modes)
            if (other[ended] != Mode.HELD).all() and self.pivots.slide_as_released(other)
        ]
        return self._solution(self.pivots.y, found[0], self._several(found)) if found else None

    def _solution(self, y: np.ndarray, modes: np.ndarray, several: bool) -> ModeSolution:
        return ModeSolution(y, modes, several, not several and not self.countable and self._may_be_ambiguous)

    @cached_property
    def _allowed_modes(self) -> tuple[list[int], list[StictionContact], list[tuple[Mode, ...]]]:
        """Three lists: indices of the forces of contacts and joints at rest, except the friction of contacts; contacts
        with stiction at rest; and for every entry of these two lists the tuple of its possible modes."""
        two = self.pivots.outputs(self.pivots.set_valued.modes(self.pivots.y))[:, HIGH] < UNBOUNDED / 2
        contacts = list(self.pivots.stiction_contacts.values())
        loose = [k for k in self.pivots.candidates.tolist() if k not in self.pivots.stiction_contacts]
        three = [*(bool(two[k]) for k in loose), *(contact.direction is None for contact in contacts)]
        return (
            loose,
            contacts,
            [(Mode.HELD, Mode.FORWARD, *((Mode.BACKWARD,) if both else ())) for both in three],
        )

    @property
    def sets(self) -> float:
        """Number of possible combinations of the modes of contacts and joints at rest."""
        return float(np.prod([float(len(kind)) for kind in self._allowed_modes[2]]))

    @property
    def countable(self) -> bool:
        """Whether the number of possible combinations of modes is small enough to try all of them."""
        return self.sets <= MOST_SETS

    def _release(self, modes: np.ndarray, *, moves: bool = False) -> np.ndarray | None:
        """A consistent set of modes with some forces released; with `moves`, only a set in which some contact or joint
        moves. None if there is none.

        Pivoting starts from the given `modes`, or from the modes that follow from Coulomb's law for the accelerations.
        The latter are tried first if contacts in space are at rest, because they include directions of sliding.
        """
        starts = [lambda: modes, lambda: _modes_from_accelerations(self.pivots, modes)]
        for start in (
            reversed(starts) if self.pivots.set_valued.directions[self.pivots.rows].any() else starts
        ):
            begin = start()
            found = None if begin is None else self.pivots.pivot(begin)
            if found is not None and (not moves or self._clearly_moves(found)):
                return found
        return None

    def _clearly_moves(self, modes: np.ndarray) -> bool:
        """Whether with the given `modes` some contact or joint starts to move, with an acceleration above
        `LEAST_DEPARTURE` times the largest acceleration without the forces that hold contacts and joints."""
        values = self.pivots.outputs(modes)
        fast = bool(
            np.abs(values[self.pivots.rows, UNHELD]).max() > LEAST_DEPARTURE * self._largest_free_acceleration
        )
        return fast and any(self.pivots.departures(modes, values))

    def _several(self, solutions: list[np.ndarray]) -> bool:
        """Whether more than one of the given sets of modes counts as a separate solution.

        Sets in which a released contact does not open are not counted: this contact carries no load and other contacts
        carry its share, which is only another distribution of an indeterminate force. `load_sharing` reports such a
        distribution if it changes the motion.
        """
        return sum(not self._has_idle_contact(modes) for modes in solutions) > 1

    def _has_idle_contact(self, modes: np.ndarray) -> bool:
        values = self.pivots.outputs(modes)
        loose = [
            k
            for k in self.pivots.candidates.tolist()
            if k not in self.pivots.stiction_contacts and modes[k] != Mode.HELD
        ]
        return any(self.pivots.one_sided[k] and not departure_sign(modes[k], values[k]) for k in loose)

    @property
    def _can_wedge(self) -> bool:
        """Whether contact forces can be in equilibrium with each other without any other load, so that a body may be
        wedged."""
        rows, values = self.pivots.rows, self.pivots.outputs(self.pivots.set_valued.modes(self.pivots.y))
        forces, normals = self.pivots.admissible(values), np.zeros(len(rows))
        for cone in forces.cones:
            normals[cone.normal] = np.sqrt(self.pivots.D[rows[cone.normal], rows[cone.normal]])
        A, b = np.vstack([forces.A, normals]), np.append(0 * forces.b, 1.0)
        return bool(forces.cones) and replace(forces, A=A, b=b).feasible

    def _distinct_motions(self, modes: np.ndarray) -> list[np.ndarray]:
        """All distinct motions that satisfy the force laws, each represented by one set of modes, which differs from
        `modes` only for contacts and joints at rest; empty if there are too many combinations of modes to try."""
        found, found_values = list[np.ndarray](), list[np.ndarray]()
        for asked, values in self._consistent_modes(modes):
            if not any(self._is_same_motion(values, other) for other in found_values):
                found.append(asked)
                found_values.append(values)
        return found

    def _consistent_modes(self, modes: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """All consistent sets of modes that differ from `modes` only for contacts and joints at rest, each with the
        outputs of the set-valued forces; a force that is at a limit while its contact rests counts as held."""
        if not self.countable:
            return
        loose, contacts, kinds = self._allowed_modes
        seen = set()
        for tried in product(*kinds):
            asked = modes.copy()
            asked[loose] = tried[: len(loose)]
            for contact, mode in zip(contacts, tried[len(loose) :], strict=True):
                opened = contact.normal in loose and asked[contact.normal] != Mode.HELD
                asked[contact.mode] = Mode.OPEN if opened else mode
            key = tuple(asked[self.pivots.candidates].tolist())
            if key in seen:
                continue
            seen.add(key)
            self.pivots.tried.add(key)
            asked, values = self.pivots.with_directions(asked)
            if next(self.pivots.contradictions(asked, values), None) is None:
                yield asked, values

    def _is_same_motion(self, one: np.ndarray, other: np.ndarray) -> bool:
        """Whether two solutions, given by their outputs, have the same accelerations along the set-valued forces of
        contacts and joints at rest."""
        apart = np.abs(one[self.pivots.rows, UNHELD] - other[self.pivots.rows, UNHELD])
        return bool(
            (apart <= SIGNIFICANT * (one[self.pivots.rows, SLACK] + other[self.pivots.rows, SLACK])).all()
        )

    @cached_property
    def _may_be_ambiguous(self) -> bool:
        """Whether several solutions may exist, because for some directions of friction this matrix is not positive
        semidefinite:

            (D + Dᵀ)/2 − Σ sᵢ Fᵢ,      sᵢ = ±1

        D is the matrix of accelerations along the normal forces of contacts at rest per unit of these forces. Friction
        of contacts at rest counts as sliding friction in every possible direction: Fᵢ is the symmetric part of the
        contribution of contact i to D, and sᵢ the sign of its direction. Combinations of forces that cause no motion
        without friction are ignored.
        """
        normals = [k for k in self.pivots.candidates.tolist() if k not in self.pivots.stiction_contacts]
        if not normals:
            return False
        scale = np.where(self.pivots.size[normals] > 0, self.pivots.size[normals], 1.0)
        plain = self.pivots.D[np.ix_(normals, normals)] / np.outer(scale, scale)
        sizes, ways = np.linalg.eigh((plain + plain.T) / 2)
        ways = ways[:, np.abs(sizes) > ZERO_COMPLIANCE]
        if not ways.shape[1]:
            return False
        friction_coupling = np.array(
            [self._friction_compliance(contact, mu, normals) for contact, mu in self.pivots.stiction_cones]
        )
        friction_coupling = friction_coupling.reshape(-1, len(normals), len(normals)) / np.outer(scale, scale)
        friction_coupling = friction_coupling[np.abs(friction_coupling).max(axis=(1, 2), initial=0.0) > 0]
        if len(friction_coupling) > MOST_CONES:
            return True
        signs = np.array(list(product((1.0, -1.0), repeat=len(friction_coupling)))).reshape(
            2 ** len(friction_coupling), len(friction_coupling)
        )
        projected = ways.T @ ((friction_coupling + friction_coupling.swapaxes(1, 2)) / 2) @ ways
        found = ways.T @ ((plain + plain.T) / 2) @ ways - np.tensordot(signs, projected, 1)
        return bool(np.linalg.eigvalsh(found).min() < -ZERO_COMPLIANCE)

    def _friction_compliance(self, contact: StictionContact, mu: float, normals: list[int]) -> np.ndarray:
        """Contribution of the friction of a contact, in its most unfavourable direction, to the matrix D of
        accelerations along the normal forces per unit of these forces."""
        found, rows = np.zeros((len(normals), len(normals))), list(contact.tangential)
        way = self.pivots.D[contact.normal, rows]
        size = float(np.linalg.norm(way))
        if size > 0 and contact.normal in normals:
            found[:, normals.index(contact.normal)] = mu * self.pivots.D[np.ix_(normals, rows)] @ (way / size)
        return found

    def final_state(self, solved: ModeSolution) -> np.ndarray:
        """Copy of the state of the solution `solved` in which the contact modes are those of this solution.

        A force at its limit gets one of two modes, depending on whether its contact or joint starts to move or stays at
        rest.
        """
        modes, found = solved.modes, solved.modes.copy()
        y, values = self.pivots.in_state(solved.y).evaluate(modes)
        in_space = [
            contact.mode
            for contact in self.pivots.stiction_contacts.values()
            if contact.direction is not None
        ]
        for k in self.pivots.candidates.tolist():
            if modes[k] not in (Mode.HELD, Mode.OPEN) and not self.pivots.departure(modes, values, k):
                found[k] = 2 * modes[k]
            elif modes[k] == Mode.FORWARD and k in in_space:
                found[k] = Mode.BEGINS_TO_SLIP
        return self.pivots.set_valued.with_modes(y, found)


def _modes_from_accelerations(pivots: PrincipalPivoting, modes: np.ndarray) -> np.ndarray | None:
    """Contact modes that follow from Coulomb's law for the accelerations of all contacts at rest; other entries of
    `modes` are not changed. None if joints with stiction are at rest too, or if the law has no solution."""
    normals = [k for k in pivots.candidates.tolist() if k not in pivots.stiction_contacts]
    if not all(pivots.one_sided[k] for k in normals):
        return None
    order, across, mu = list(normals), [np.zeros(0, int) for _ in normals], np.zeros(len(normals))
    for contact, coefficient in pivots.stiction_cones:
        place = normals.index(contact.normal)
        across[place], mu[place] = len(order) + np.arange(len(contact.tangential)), coefficient
        order += contact.tangential
    problem = ImpactProblem(pivots.D[np.ix_(order, order)], pivots.free_accelerations[order], across, mu)
    forces = problem.impulses(np.zeros(len(normals)))
    if forces is None:
        return None
    x, moves = np.zeros(len(modes)), np.zeros(len(modes))
    x[order], moves[order] = forces, problem.u + problem.G @ forces
    return _modes_of_forces(pivots, modes, x, moves)


def _modes_of_forces(
    pivots: PrincipalPivoting, modes: np.ndarray, x: np.ndarray, moves: np.ndarray
) -> np.ndarray:
    """Copy of `modes` in which contacts at rest have the modes that correspond to the set-valued forces x and the
    accelerations `moves` along these forces.

    A contact without load that does not open counts as held, because other contacts may share their load with it.
    """
    found, size = modes.copy(), float(np.abs(pivots.free_accelerations[pivots.rows]).max(initial=0.0))
    for k in pivots.candidates.tolist():
        if k not in pivots.stiction_contacts:
            found[k] = Mode.FORWARD if moves[k] > AT_LIMIT * size else Mode.HELD
    for contact, mu in pivots.stiction_cones:
        rows = list(contact.tangential)
        if found[contact.normal] != Mode.HELD:
            found[contact.mode] = Mode.OPEN
        elif np.linalg.norm(x[rows]) < (1 - AT_LIMIT) * mu * x[contact.normal]:
            found[contact.mode] = Mode.HELD
        else:
            moving = np.linalg.norm(moves[rows]) > ACCELERATION_ROUND_OFF * size
            slip_direction = moves[rows] if moving else -x[rows]
            forward = contact.direction is not None or slip_direction[0] > 0
            found[contact.mode] = Mode.FORWARD if forward else Mode.BACKWARD
            if contact.direction is not None:
                found[contact.direction] = contact.angle(slip_direction)
    return found
