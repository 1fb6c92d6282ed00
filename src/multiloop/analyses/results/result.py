"""The Result of an analysis over time: motion, efforts, reactions and energies by the user's names, with its status.

The shaking force and moment on the frame are summed over the joints on the ground.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.analyses.results.energies import KnownMotion, supplied_power
from multiloop.analyses.results.energy_balance import energy_drift, lost_power
from multiloop.analyses.results.extremes import Extremes, extremes_of, headline_of
from multiloop.analyses.results.histories.coupling_history import CouplingHistory
from multiloop.analyses.results.histories.impact import Impact
from multiloop.analyses.results.histories.joint_history import JointHistory
from multiloop.analyses.results.histories.link_history import LinkHistory, elastic_coordinates
from multiloop.analyses.results.histories.load_history import LoadHistory
from multiloop.analyses.results.history_warnings import (
    contact_warnings,
    large_deflection_warnings,
    stroke_warnings,
    truncation_warnings,
    undetermined_note,
)
from multiloop.analyses.results.quantities import Deviation, deviation, tracking_errors
from multiloop.dynamics.outputs.energy import EnergyItem
from multiloop.kinematics.continuation.singular_approach import Singularity
from multiloop.model import GROUND, Mechanism, UnknownNameError, suggestion
from multiloop.model.drives import overshooting_tables
from multiloop.model.lazy_methods import lazy_method
from multiloop.plan import Plan, unknown_efforts

if TYPE_CHECKING:
    import xarray as xr

    from multiloop.analyses.results.state import State

RESULTS_PACKAGE = "multiloop.analyses.results"
"""The package of this module, from which methods are imported when they are first called."""


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """The result of an analysis over time; joints and loads are accessed by name, `result["A"].force`."""

    mechanism: Mechanism
    plan: Plan
    method: str
    time: np.ndarray
    joints: Mapping[str, JointHistory]
    poses: Mapping[str, np.ndarray]  # instants × 3 × 4; [R | p] of the frame of each body
    constraint_violation: np.ndarray
    singularities: tuple[Singularity, ...]
    notes: str  # "ok", or the warnings of the computation; `status` contains all warnings
    rule: str  # rules for redundant efforts and for idle spins
    kinetic_energy: np.ndarray
    potential_energy: np.ndarray
    momentum: np.ndarray  # angular about the inertial origin, then linear: instants × 6, in the plane × 3
    work: np.ndarray | None  # integral of `power` minus the power of damping, if it was integrated
    events: Mapping[str, tuple[float, ...]] = field(
        default_factory=dict
    )  # times at which each event occurred
    impacts: tuple[Impact, ...] = ()  # in the order in which they happened
    counts: Mapping[str, int] = field(default_factory=dict)  # steps, rejected steps and evaluations of a run
    integrals: Mapping[str, np.ndarray] = field(default_factory=dict)  # by name, over time
    links: Mapping[str, LinkHistory] = field(default_factory=dict)  # flexible bodies
    loads: Mapping[str, LoadHistory] = field(default_factory=dict)
    # wrenches [n; f] of loads and couplings on the ground at the origin, instants × 6
    on_frame: np.ndarray | None = None
    couplings: Mapping[str, CouplingHistory] = field(default_factory=dict)
    desired: Mapping[str, np.ndarray] = field(
        default_factory=dict
    )  # desired motion of a control law, by name
    item_work: Mapping[EnergyItem, np.ndarray] = field(
        default_factory=dict
    )  # energies of single items, if they were integrated
    followed: KnownMotion | None = None  # a prescribed motion that can be evaluated at other times
    whole_drift: float | None = (
        None  # energy drift of the whole run, if it was sampled more often than the result
    )
    # function that warns of a start-up transient of flexible links
    startup: Callable[[Result], list[str]] | None = None

    plot = lazy_method(
        "multiloop.view",
        "plot_result",
        "Plot motion, efforts, loads and more.\n\n"
        "Keywords: show, of, over, frame, units, drawing, traces, path, axes.",
    )
    film = lazy_method(
        "multiloop.view",
        "film_result",
        "Make a film of the motion: a path that ends in .html, .gif or .mp4.\n\n"
        "Keywords: speed, traces, arrows, show, names, rate, width, progress, scale.",
    )
    velocity = lazy_method(
        f"{RESULTS_PACKAGE}.velocities", "velocity", "Velocity of a marker, instants × 2 or 3."
    )
    acceleration = lazy_method(
        f"{RESULTS_PACKAGE}.velocities", "acceleration", "Acceleration of a marker, instants × 2 or 3."
    )
    angular_velocity = lazy_method(
        f"{RESULTS_PACKAGE}.velocities", "angular_velocity", "Angular velocity of a body."
    )
    angular_acceleration = lazy_method(
        f"{RESULTS_PACKAGE}.velocities", "angular_acceleration", "Angular acceleration of a body."
    )
    to_table = lazy_method(
        f"{RESULTS_PACKAGE}.table",
        "table_of",
        "A pandas DataFrame, one row per instant.\n\nKeywords: markers, links.",
    )
    write = lazy_method(
        "multiloop.io.result_files",
        "write_result",
        "Write a .csv table or a .nc (netCDF) file.\n\nKeywords: markers, links.",
    )
    summary = lazy_method(
        f"{RESULTS_PACKAGE}.summary", "summary_of", "The main results for design, as a short text."
    )
    flywheel = lazy_method(
        f"{RESULTS_PACKAGE}.flywheel",
        "flywheel_for",
        "The flywheel for a given coefficient of speed fluctuation Cs.\n\nKeywords: Cs, joint.",
    )
    energy_fluctuation = lazy_method(
        f"{RESULTS_PACKAGE}.flywheel", "energy_fluctuation", "Over a cycle, in J.\n\nKeyword: joint."
    )
    energy_balance = lazy_method(
        f"{RESULTS_PACKAGE}.energy_balance",
        "energy_balance",
        "Input, output, losses, efficiency.\n\nKeywords: useful, lost.",
    )
    _repr_html_ = lazy_method("multiloop.view", "show_result", "HTML representation in notebooks.")

    def __post_init__(self) -> None:
        """Add warnings about the description itself to the notes."""
        doubts = [*overshooting_tables(self.mechanism), *stroke_warnings(self.mechanism, self.joints)]
        told = [doubt for doubt in doubts if doubt not in self.notes]
        begun_so = [*contact_warnings(self.joints, self.time), *large_deflection_warnings(self.links)]
        told += [said for begun, said in begun_so if begun not in self.notes]
        said = [] if self.notes == "ok" else [self.notes]
        object.__setattr__(self, "notes", "; ".join([*said, *told]) or "ok")

    @cached_property
    def status(self) -> str:
        """ "ok", or all warnings about the result.

        The truncation error and the start-up transient of flexible links are estimated when the status is first read:
        the former needs their loads, the latter their quasi-static deformation.
        """
        said = [] if self.notes == "ok" else [self.notes]
        found = [
            *(self.startup(self) if self.startup else ()),
            *truncation_warnings(self.links, self.mechanism),
        ]
        return "; ".join([*said, *(warning for warning in found if warning not in self.notes)]) or "ok"

    def __getstate__(self) -> dict[str, Any]:
        """State for pickling: a warning of a start-up transient is added to the notes, since the object that
        estimates it is not pickled."""
        found = [
            warning for warning in (self.startup(self) if self.startup else ()) if warning not in self.notes
        ]
        said = [] if self.notes == "ok" else [self.notes]
        return self.__dict__ | {"notes": "; ".join([*said, *found]) or "ok", "startup": None}

    def __getitem__(self, name: str) -> Any:
        """A joint, pair, coupling or load over time: a JointHistory, a CouplingHistory, a LoadHistory."""
        known: dict[str, Any] = {**self.joints, **self.couplings, **self.loads}
        if name not in known:
            kind = "joint or load" if self.loads else "joint"
            of_pin = [f'"{joint}"' for joint in self.joints if joint.startswith(f"{name}/")]
            remedy = (
                f"It is a pin of several joints: use {' or '.join(of_pin)}."
                if of_pin
                else suggestion(name, known)
            )
            if name in self.poses:
                asked = "a flexible body: use `link" if name in self.links else "a body: its poses are `body"
                remedy = f'It is {asked}("{name}")`.'
            raise UnknownNameError(self.mechanism.name, kind, name, remedy)
        return known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.joints)

    def marker(self, reference: str) -> np.ndarray:
        """Path of a marker in the inertial frame, instants × 2 or 3."""
        from multiloop.analyses.results.marker_poses import marker_position

        return marker_position(self.mechanism, self.poses, reference, elastic_coordinates(self.links))

    def link(self, name: str) -> LinkHistory:
        """A flexible link over time: `.eta`, and for beams `.deflection(s)`, `.moment(s)`, `.stress(s)` and more."""
        if name not in self.links:
            remedy = suggestion(name, self.links)
            if name in self.poses:
                remedy = f'It is a rigid body: its poses are `body("{name}")`.'
            raise UnknownNameError(self.mechanism.name, "flexible body", name, remedy)
        return self.links[name]

    def effort_along(self, name: str) -> np.ndarray:
        """The effort over time at a joint, "joint.component" where the joint has several coordinates."""
        joint, _, component = name.partition(".")
        effort: np.ndarray = self[joint].effort
        parts = self.mechanism.connection(joint).components(self.mechanism.planar)
        if component in parts or (not component and len(parts) == 1):
            return effort if effort.ndim == 1 else effort[:, parts.index(component)]
        known = [f"{joint}.{part}" for part in parts]
        raise UnknownNameError(self.mechanism.name, "effort along", name, suggestion(name, known))

    def body(self, name: str) -> np.ndarray:
        """Poses of a body's own frame, instants × 3 × 4, [R | p]."""
        if name not in self.poses:
            raise UnknownNameError(self.mechanism.name, "body", name, suggestion(name, self.poses))
        return self.poses[name]

    def at(self, t: float) -> State:
        """The State at the computed instant nearest to t, which must lie within the run."""
        from multiloop.analyses.results.state import state_near

        return state_near(self, t)

    @property
    def errors(self) -> dict[str, np.ndarray]:
        """Desired minus actual values of a run under a control law, by the names of `desired`."""
        return tracking_errors(self)

    @property
    def efforts(self) -> dict[str, Result]:
        """This Result for every effort that it contains, in the form that `efforts` of other analyses accepts."""
        names = dict[str, Result]()
        for joint, component in unknown_efforts(self.mechanism):
            several = len(self.mechanism.connection(joint).components(self.mechanism.planar)) > 1
            names[f"{joint}.{component}" if several else joint] = self
        return names

    @property
    def initial(self) -> State:
        """The State at the first instant."""
        return self.at(float(self.time[0]))

    @property
    def final(self) -> State:
        """The State at the last instant."""
        return self.at(float(self.time[-1]))

    @property
    def power(self) -> np.ndarray:
        """Power supplied at every instant by drives, efforts, relations, and loads that store no energy.

            d/dt (kinetic + potential energy) = power − power dissipated by the damping of flexible links

        Forces, torques and dampers count here; energy stored in springs is part of the potential energy.
        """
        supplied = supplied_power(self.joints.values(), self.loads.values(), self.couplings.values())
        return np.zeros(len(self.time)) + supplied

    @property
    def losses(self) -> np.ndarray:
        """Power that becomes heat at every instant: of friction, dampers, bushings, buffers and damped links."""
        return lost_power(self)

    @cached_property
    def shaking_force(self) -> np.ndarray:
        """Force of the mechanism on its frame."""
        return shaking_loads(self)[0]

    @cached_property
    def shaking_moment(self) -> np.ndarray:
        """Moment of the mechanism on its frame, about the inertial origin."""
        return shaking_loads(self)[1]

    @property
    def energy_drift(self) -> float:
        """Largest change of energy minus work, relative to the peak kinetic energy: a measure of the integration error.

        For a mechanism at rest it is relative to 1e-7 of the potential energy. Both are those of the whole run, which
        is sampled at 64 instants at least.
        """
        return self.whole_drift if self.whole_drift is not None else energy_drift(self)

    def deviation_from(self, desired: Result) -> Deviation:
        """Deviation of this motion from another at the same times, with its growth rate."""
        return deviation(self, desired)

    def extremes(self) -> Extremes:
        """Largest efforts and bearing loads over the run, with the instants where they occur."""
        return extremes_of(self)

    @cached_property
    def dataset(self) -> xr.Dataset:
        """All quantities as a labelled xarray Dataset, with units."""
        from multiloop.analyses.results.table import dataset_of

        return dataset_of(self)

    def __repr__(self) -> str:
        said = "" if self.status == "ok" else f"; {self.status}"
        left = undetermined_note(self)
        return f"{headline_of(self)}{said}.{f' {left}.' if left else ''}"


def shaking_loads(result: Result) -> tuple[np.ndarray, np.ndarray]:
    """Force on the frame and moment about the inertial origin, at every instant.

        f = −Σ f_j + f_l,    n = −Σ (n_j + r_j × f_j + efforts) + n_l     over the joints on the ground

    f_j, n_j are exerted by the ground, f_l, n_l by loads on the ground. By the balance of momentum this equals weight
    and external forces and torques, less the rate of momentum.
    """
    planar = result.mechanism.planar
    force, moment = np.zeros((len(result.time), 3)), np.zeros((len(result.time), 3))
    if result.on_frame is not None:
        moment, force = result.on_frame[:, :3].copy(), result.on_frame[:, 3:].copy()
    for joint in result.joints.values():
        bodies = (joint.first.partition(".")[0], joint.second.partition(".")[0])
        if GROUND not in bodies:
            continue
        sign = -1.0 if bodies[0] == GROUND else 1.0  # reaction on the ground
        f, n = _spatial_wrench(joint.force, joint.moment, planar)
        effort_f, effort_n = _spatial_wrench(joint.effort_force, joint.effort_moment, planar)
        point = result.marker(joint.second)
        r = np.column_stack([point, np.zeros(len(point))]) if planar else point
        force += sign * (f + effort_f)
        moment += sign * (n + effort_n + np.cross(r, f + effort_f))
    return (force[:, :2], moment[:, 2]) if planar else (force, moment)


def _spatial_wrench(force: np.ndarray, moment: np.ndarray, planar: bool) -> tuple[np.ndarray, np.ndarray]:
    if not planar:
        return force, moment
    flat = np.zeros(len(force))
    return np.column_stack([force, flat]), np.column_stack([flat, flat, moment])
