"""Set-valued forces of a simulation: numerical evaluation of their outputs, their modes, and the response to impulses.

Hard stops, ropes, contacts, freewheels and exact friction exert set-valued forces. The mode of such a force (open,
sliding forward or backward, held at rest by the force, or at rest while the force is at a limit) is a state variable of
its load.

Theory: docs/theory/12-contact.md, eqs. (12.3), (12.8).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.analyses.run_models import LocalChoice, RunModel
from multiloop.dynamics.actions import (
    DIRECTION_DELAY,
    DRIFT_FACTOR,
    HIGH,
    RATE,
    REST_RATE,
    SLOW_SPEED,
    UNBOUNDED,
    Mode,
    actions_of,
)
from multiloop.kernels.runtime import least_characteristic_rate
from multiloop.kinematics.tree import parts_of_loads, parts_of_rates
from multiloop.model import RESOLUTION, Contact, rate_scale_of, return_rate_of, value_of
from multiloop.model.states import DEFAULT_RESOLUTION, RATE_SCALE

RETURN_RATE = 2.0
"""Rate ω in g̈ = −2 ω ġ − ω² g, which returns gaps g of closed contacts from round-off to zero, as a multiple of the
characteristic rate ν of the motion."""

STEP_LIMIT = 1.0
"""Largest product of the rate ω, at which closed gaps return from round-off to zero, and the longest step of the
integrator, so that a mechanism at rest is integrated stably."""

GRAIN_FACTOR = 1.0
"""Relative resolution of positions in a simulation, as a multiple of the relative tolerance of its integrator."""

IMMOBILE = 100.0
"""A gap rate counts as independent of the joint rates of the tree if all its derivatives with respect to these rates
are below this multiple of the round-off of lengths."""

RIGID = 1e-10
"""A set-valued force counts as unable to change its gap rate if its compliance (change of this rate per unit impulse)
is below this fraction of its compliance in the spanning tree without loop constraints."""


@dataclass(frozen=True, eq=False)
class TangentialResponse:
    """Response to unit impulses tangential to contacts with friction, as in `ImpulseResponse`.

    `contacts` are the indices of the normal forces of these contacts. Each contact has one column for each tangential
    axis, `axes` are the tangential axes in the inertial frame (3 × columns), and `rough` has a row [coefficient of
    friction μ, creep speed] for each contact.
    """

    contacts: np.ndarray
    v: np.ndarray
    lam: np.ndarray
    forces: np.ndarray
    rates: np.ndarray
    axes: np.ndarray
    rough: np.ndarray

    @property
    def directions(self) -> int:
        """Number of tangential axes of a contact: one in the plane, two in space."""
        return int(self.rates.shape[0]) // len(self.contacts)


@dataclass(frozen=True, eq=False)
class ImpulseResponse:
    """Response to unit impulses of all set-valued forces, one column per force.

    `v` are the jumps of the joint rates, `lam` the impulses of the multipliers, `forces` the impulses of the drives.
    `rates` is the matrix Jᵍ (forces × rates) that maps joint rates to gap rates. `impact_laws` has a row [restitution,
    minimum rebound speed or 0 if none is given, whether there is a gap] for every force. `tangential` is the response
    to tangential impulses of contacts with friction, None if there are no such contacts.
    """

    v: np.ndarray
    lam: np.ndarray
    forces: np.ndarray
    rates: np.ndarray
    impact_laws: np.ndarray
    tangential: TangentialResponse | None = None

    @property
    def compliance(self) -> np.ndarray:
        """Compliance D = Jᵍ R: changes of the gap rates caused by unit impulses (Delassus matrix); R are the jumps of
        the joint rates."""
        found: np.ndarray = self.rates @ self.v
        return found


@dataclass(frozen=True, eq=False)
class StictionContact:
    """A contact with stiction: the indices of its normal force and of its friction forces, two in space."""

    normal: int
    tangential: tuple[int, ...]

    @property
    def mode(self) -> int:
        """Index of the mode of the friction in the array of the modes of all forces."""
        return self.tangential[0]

    @property
    def direction(self) -> int | None:
        """In space, index of the angle of sliding in the array of the modes of all forces."""
        return self.tangential[1] if len(self.tangential) == 2 else None

    def sliding_direction(self, modes: np.ndarray, values: np.ndarray) -> np.ndarray:
        """The unit vector along which the contact slides or begins to slide, from the modes of all forces and the
        outputs of its friction forces."""
        rate = values[:, RATE]
        if self.direction is not None and modes[self.mode] == Mode.BEGINS_TO_SLIP:
            rate = rate + DIRECTION_DELAY * values[0, SLOW_SPEED] * self.start_direction(modes)
        speed = float(np.linalg.norm(rate))
        if speed > values[0, REST_RATE]:
            return np.array(rate / speed)
        return (
            np.array([np.sign(modes[self.mode])]) if self.direction is None else self.start_direction(modes)
        )

    def start_direction(self, modes: np.ndarray) -> np.ndarray:
        """In space, the unit vector e in the plane of contact along which the contact begins to slide."""
        angle = modes[self.tangential[1]]
        return np.array([np.cos(angle), np.sin(angle)])

    def angle(self, along: np.ndarray) -> float:
        """The angle (rad) of a vector in the plane of contact, from the x to the y axis of the contact's marker."""
        return float(np.arctan2(along[1], along[0]))


@dataclass(frozen=True, eq=False)
class SetValuedForces:
    """The set-valued forces of a simulation: names, modes in the state vector, outputs and responses to impulses."""

    run: RunModel

    @cached_property
    def names(self) -> list[str]:
        """The names of the loads that exert the set-valued forces, one entry for each force."""
        loads = self.run.model.skeleton.mechanism.all_loads
        return [load.name for load in loads for _ in load.modes]

    def describe(self, which: Iterable[int]) -> str:
        """Text for messages with the names of the loads that exert the forces `which`."""
        names = list(dict.fromkeys(f"'{self.names[k]}'" for k in which))
        return f"load {names[0]}" if len(names) == 1 else f"loads {', '.join(names)}"

    def unit(self, k: int) -> str:
        """The unit of the gap of a force, m or rad."""
        turns = self.run.model.reaction_functions.load_units[self.names[k]].get("effort") == "N m"
        return "rad" if turns else "m"

    @cached_property
    def force_scale(self) -> np.ndarray:
        """Factors that turn all forces into newtons: moments are divided by the characteristic length."""
        length = self.run.model.skeleton.characteristic_length
        return np.array([1 / length if self.unit(k) == "rad" else 1.0 for k in range(len(self.names))])

    @cached_property
    def _places(self) -> list[int]:
        """Indices of the modes in the state y."""
        loads = self.run.model.skeleton.mechanism.all_loads
        return self._state_places(f"{load.name}.{mode}" for load in loads for mode in load.modes)

    @cached_property
    def _share_places(self) -> list[int]:
        """Indices in the state y of the reference forces for load sharing (`shares`)."""
        loads = self.run.model.skeleton.mechanism.all_loads
        return self._state_places(f"{load.name}.{share}" for load in loads for share in load.shares)

    def _state_places(self, names: Iterable[str]) -> list[int]:
        """Indices in the state y of the state variables with these names."""
        states, first = list(self.run.model.skeleton.states), self.run.layout["x"].start
        return [first + states.index(name) for name in names]

    @cached_property
    def dependent_force_indices(self) -> list[int]:
        """Indices, among all reaction-dependent forces, of those that loads with contact or friction modes exert."""
        loads = self.run.model.skeleton.mechanism.all_loads
        flags = [bool(load.modes) for load in loads for _ in range(load.reaction_dependent_forces)]
        return [k for k, flag in enumerate(flags) if flag]

    @cached_property
    def stiction_contacts(self) -> list[StictionContact]:
        """The contacts with exact stiction, in the order of the loads."""
        found, first = [], 0
        for load in self.run.model.skeleton.mechanism.all_loads:
            if isinstance(load, Contact) and load.exact:
                found.append(StictionContact(first, tuple(range(first + 1, first + len(load.modes)))))
            first += len(load.modes)
        return found

    @cached_property
    def directions(self) -> np.ndarray:
        """Mask of the entries of the modes that contain the direction of sliding of a contact in space."""
        found = np.zeros(len(self.names), bool)
        found[[contact.direction for contact in self.stiction_contacts if contact.direction is not None]] = (
            True
        )
        return found

    def row_modes(self, modes: np.ndarray) -> np.ndarray:
        """The mode of every force; both friction components of a contact in space have the mode of the contact."""
        found = modes.copy()
        for contact in self.stiction_contacts:
            found[list(contact.tangential)] = modes[contact.mode]
        return found

    def coefficients(self, response: ImpulseResponse) -> np.ndarray:
        """Friction coefficient μ of every contact with stiction."""
        if response.tangential is None:
            return np.zeros(0)
        mu = dict(
            zip(response.tangential.contacts.tolist(), response.tangential.rough[:, 0].tolist(), strict=True)
        )
        return np.array([mu[contact.normal] for contact in self.stiction_contacts])

    def friction_coupling(
        self, modes: np.ndarray, values: np.ndarray, response: ImpulseResponse
    ) -> np.ndarray:
        """Matrix E of which column k contains all set-valued forces that a unit of force k causes, including itself.

        A unit normal force of a sliding contact causes the friction force −μ d, with the direction of sliding d.
        """
        E = np.eye(len(self.names))
        for contact, mu in zip(self.stiction_contacts, self.coefficients(response), strict=True):
            rows = list(contact.tangential)
            slides = np.linalg.norm(values[rows, RATE]) > values[contact.mode, REST_RATE]
            if abs(modes[contact.mode]) == Mode.FORWARD or (modes[contact.mode] == Mode.OPEN and slides):
                E[rows, contact.normal] = -mu * contact.sliding_direction(modes, values[rows])
        return E

    def modes(self, y: np.ndarray) -> np.ndarray:
        """The modes of all forces; for the second friction force of a contact in space, the angle of sliding
        instead."""
        return y[self._places]

    def with_modes(self, y: np.ndarray, modes: np.ndarray) -> np.ndarray:
        """Copy of the state y in which the contact modes are replaced by `modes`."""
        found = y.copy()
        found[self._places] = modes
        return found

    def are_held(self, y: np.ndarray) -> np.ndarray:
        """Mask of the forces in the mode HELD."""
        found: np.ndarray = self.row_modes(self.modes(y)) == Mode.HELD
        return found

    def same_modes(self, y: np.ndarray, other: np.ndarray) -> bool:
        """Whether two states have the same modes and the same reference forces for load sharing."""
        places = [*self._places, *self._share_places]
        return bool((y[places] == other[places]).all())

    def shares(self, y: np.ndarray) -> np.ndarray:
        """The reference forces for load sharing in the state y; the admissible forces nearest to them are used."""
        return y[self._share_places]

    def with_shares(self, y: np.ndarray, forces: np.ndarray) -> np.ndarray:
        """Copy of the state y in which the reference forces for load sharing are replaced by `forces`."""
        found = y.copy()
        found[self._share_places] = forces
        return found

    def with_scales(
        self,
        t: float,
        y: np.ndarray,
        choice: LocalChoice,
        span: float = 0.0,
        rtol: float = 0.0,
        longest: float = np.inf,
    ) -> np.ndarray:
        """Copy of the state y with the resolution and the characteristic rates of a simulation that starts in y.

        These scales determine below which gap a contact counts as closed, and below which rate it counts as at rest.
        `span` is the duration of the run, `rtol` the tolerance and `longest` the longest step of its integrator.
        """
        found = y.copy()
        found[self._place_of(RESOLUTION)] = max(DEFAULT_RESOLUTION, GRAIN_FACTOR * rtol)
        found[[*self._pace_places, self._place_of(RATE_SCALE)]] = 0.0
        return self.with_paces(t, found, choice, longest, span=span)

    def _place_of(self, state: str) -> int:
        return int(self.run.layout["x"].start) + self.run.model.skeleton.states.index(state)

    @cached_property
    def _pace_places(self) -> list[int]:
        """For every force, the index in y of the characteristic rate of its connected part of the mechanism."""
        return self._state_places(rate_scale_of(name) for name in self.names)

    @cached_property
    def connected_parts(self) -> np.ndarray:
        """The number of the connected part of the mechanism to which each force belongs."""
        parts = parts_of_loads(self.run.model.skeleton)
        return np.array([parts[name] for name in self.names], int)

    @cached_property
    def _rates_of_parts(self) -> np.ndarray:
        """Mask (forces, y) of the entries of y that are rates of the connected part of each force."""
        found = np.zeros((len(self.names), self.run.layout.size), bool)
        found[:, self.run.layout["v"]] = self.connected_parts[:, None] == parts_of_rates(
            self.run.model.skeleton
        )
        return found

    def with_paces(
        self,
        t: float,
        y: np.ndarray,
        choice: LocalChoice,
        longest: float,
        *,
        span: float = 0.0,
        peaks: np.ndarray | None = None,
    ) -> np.ndarray:
        """Copy of the state y with updated characteristic rates ν, of the whole run and of the connected part of each
        force; they never decrease.

        ν follows from the duration `span`, the rates, and the accelerations with all set-valued forces open. `longest`
        is the longest step, `peaks` the largest contribution of each rate to ν since the last choice of modes.
        """
        loose = self.with_modes(y, np.full(len(self.names), float(Mode.OPEN)))
        own = self.run.sizes.entry_rates(loose, self.run.rate_at(t, loose, choice))
        own = own if peaks is None else np.maximum(own, peaks)
        found, least = y.copy(), least_characteristic_rate(span)
        found[self._place_of(RATE_SCALE)] = max(
            float(y[self._place_of(RATE_SCALE)]), float(own.max(initial=0.0)), least
        )
        of_parts = np.where(self._rates_of_parts, own, 0.0).max(axis=1, initial=0.0)
        paces = np.maximum(np.maximum(y[self._pace_places], of_parts), least)
        found[self._pace_places] = paces
        found[self._return_places] = np.minimum(RETURN_RATE * paces, STEP_LIMIT / longest)
        return found

    @cached_property
    def _return_places(self) -> list[int]:
        return self._state_places(return_rate_of(name) for name in self.names)

    def penetrations(self, y: np.ndarray) -> dict[str, float]:
        """Largest penetration of each load that integration errors may cause, in m or rad."""
        skeleton = self.run.model.skeleton
        grain = float(y[self._place_of(RESOLUTION)])
        return {
            action.name: DRIFT_FACTOR * grain * action.size_scale(skeleton)
            for action in actions_of(skeleton)
            if action.load.modes
        }

    def return_rates(self, y: np.ndarray) -> np.ndarray:
        """The rate ω in 1/s at which the gap of each closed contact or joint returns from round-off to zero."""
        return y[self._return_places]

    def pace(self, y: np.ndarray) -> float:
        """The characteristic rate ν of the simulation, in 1/s."""
        return float(y[self._place_of(RATE_SCALE)])

    def characteristic_accelerations(self, y: np.ndarray) -> np.ndarray:
        """Characteristic accelerations along the gaps, from gravity and the characteristic rates ν of the connected
        parts."""
        skeleton = self.run.model.skeleton
        gravity = [value_of(part) or 0.0 for part in skeleton.mechanism.gravity or ()]
        most = float(np.linalg.norm(gravity)) + skeleton.characteristic_length * y[self._pace_places] ** 2
        turns = np.array([self.unit(k) == "rad" for k in range(len(self.names))])
        return np.where(turns, most / skeleton.characteristic_length, most)

    def outputs(self, t: float, y: np.ndarray, choice: LocalChoice) -> np.ndarray:
        """Outputs of all forces, one row each; the columns are named in `actions.set_valued_force_law`."""
        given = self.run.signals.inputs_at(t, y) | choice.kernel_inputs
        (found,) = self.run.set_valued_outputs(**given, p=self.run.model.p)
        return found.reshape(len(self.names), -1, order="F")

    def impulse_response(self, t: float, y: np.ndarray, choice: LocalChoice) -> ImpulseResponse:
        """The response to unit impulses of all set-valued forces, in the state y at time t."""
        given = self.run.signals.inputs_at(t, y) | choice.kernel_inputs
        v, lam, forces, rates, laws, *across = self.run.impulse_response(**given, p=self.run.model.p)
        m, rows = self.run.model.dependent_force_count, self.run.model.equations.loop_constraints.count
        columns = [
            part.reshape(-1, m, order="F")[:, self.dependent_force_indices] for part in (v, lam, forces)
        ]
        count = len(self.names)
        return ImpulseResponse(
            columns[0],
            columns[1][:rows],
            columns[2],
            rates.reshape(count, -1, order="F"),
            laws.reshape(count, 3, order="F"),
            self._tangential_response(*across) if self._rough_contacts else None,
        )

    @cached_property
    def _rough_contacts(self) -> list[int]:
        """Indices of the normal forces of contacts with friction."""
        loads = self.run.model.skeleton.mechanism.all_loads
        each = [(load, place) for load in loads for place in range(len(load.modes))]
        rough = [isinstance(load, Contact) and load.is_rough and place == 0 for load, place in each]
        return np.flatnonzero(rough).tolist()

    def _tangential_response(self, *found: np.ndarray) -> TangentialResponse:
        rates, axes, rough = found[3:]
        columns = rough.size // 2 * (1 if self.run.model.skeleton.planar else 2)
        v, lam, forces = (part.reshape(-1, columns, order="F") for part in found[:3])
        return TangentialResponse(
            np.array(self._rough_contacts),
            v,
            lam[: self.run.model.equations.loop_constraints.count],
            forces,
            rates.reshape(columns, -1, order="F"),
            axes.reshape(3, columns, order="F"),
            rough.reshape(-1, 2, order="F"),
        )

    def tree_compliance(self, y: np.ndarray, response: ImpulseResponse) -> np.ndarray:
        """Compliance of each force in the spanning tree without loop constraints: the change of its gap rate per unit
        impulse, Jᵍ I⁻¹ Jᵍᵀ, with the row Jᵍ of the gap rate and the mass matrix I of the tree.

        If Jᵍ is zero to round-off (a contact whose joints permit no motion along the normal, a rope at a dead centre),
        the compliance of the characteristic inertia is returned, as a reference for changes of the rate.
        """
        skeleton, chart = self.run.model.skeleton, self.run.model.equations.chart
        free = np.linalg.pinv(self.run.model.inertia(y[self.run.layout["q"]]))
        found = np.einsum("ki,ij,kj->k", response.rates, free, response.rates)
        reach = np.array(
            [1.0 if self.unit(k) == "rad" else skeleton.characteristic_length for k in range(len(self.names))]
        )
        parts = np.abs(response.rates * chart.rate_units) / reach[:, None]
        immobile = parts.max(axis=1, initial=0.0) <= IMMOBILE * skeleton.round_off
        yields: np.ndarray = np.where(immobile, reach**2 / skeleton.characteristic_inertia, found)
        return yields

    def are_prescribed(self, y: np.ndarray, response: ImpulseResponse) -> np.ndarray:
        """Mask of the forces whose gap rates are prescribed by drives: no impulse changes them."""
        found: np.ndarray = np.abs(np.diag(response.compliance)) <= RIGID * self.tree_compliance(y, response)
        return found

    def are_unilateral(self, values: np.ndarray) -> np.ndarray:
        """Mask of the unilateral forces, which have no upper limit and can exert impulses."""
        found: np.ndarray = values[:, HIGH] > UNBOUNDED / 2
        return found
