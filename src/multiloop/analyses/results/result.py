"""The Result of an analysis over time: motion, efforts, reactions and energies by the user's names, with its status."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from multiloop.analyses.results.energies import KnownMotion
from multiloop.analyses.results.energy_balance import energy_drift
from multiloop.analyses.results.extremes import Extremes, extremes_of, headline_of
from multiloop.analyses.results.histories import (
    CouplingHistory,
    Impact,
    JointHistory,
    LinkHistory,
    LoadHistory,
    elastic_coordinates,
)
from multiloop.analyses.results.history_warnings import undetermined_note, warnings_of
from multiloop.analyses.results.quantities import Deviation, deviation, tracking_errors
from multiloop.analyses.results.recorded_motion import RecordedMotion
from multiloop.dynamics.outputs import EnergyItem
from multiloop.kinematics.continuation import Singularity
from multiloop.model import (
    Mechanism,
    ResultWarning,
    SuggestsAttributes,
    accept_earlier_fields,
    earlier_attribute,
    implemented_in,
    status_text,
)
from multiloop.plan import Plan

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from matplotlib.figure import Figure

    from multiloop.analyses.results.energy_balance import EnergyBalance
    from multiloop.analyses.results.exchange import Comparison
    from multiloop.analyses.results.flywheel import Flywheel
    from multiloop.analyses.results.state import State

RESULTS_PACKAGE = "multiloop.analyses.results"
"""The package of this module, from which methods are imported when they are first called."""


@accept_earlier_fields(notes="reported")
@dataclass(frozen=True, eq=False, repr=False)
class Result(SuggestsAttributes):
    """The result of an analysis over time; joints and loads are accessed by name, `result["A"].force`.

    `time` contains the instants (s), `constraint_violation` the residual of the loop closures at each instant,
    `singularities` the closest approaches to singular configurations, and `kinetic_energy` and `potential_energy` are
    in J."""

    mechanism: Mechanism
    plan: Plan
    method: str
    time: np.ndarray
    joints: Mapping[str, JointHistory]
    poses: Mapping[str, np.ndarray]  # poses [R | p] of the frame of each body, instants × 3 × 4
    constraint_violation: np.ndarray
    singularities: tuple[Singularity, ...]
    reported: tuple[ResultWarning, ...]  # warnings of the computation; `warnings` contains all warnings
    rule: str  # text: rules by which undetermined efforts, contact forces and idle rotations are computed
    kinetic_energy: np.ndarray
    potential_energy: np.ndarray
    # `momentum`: angular momentum about the inertial origin, then linear momentum; instants × 6, in the plane × 3
    momentum: np.ndarray
    work: np.ndarray | None  # integral of `power` minus the power of damping, if it was integrated
    # `events`: times at which each event occurred
    events: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    impacts: tuple[Impact, ...] = ()  # impacts in chronological order
    counts: Mapping[str, int] = field(default_factory=dict)  # steps, rejected steps and evaluations of a run
    # `integrals`: user-defined integrals over time, by name
    integrals: Mapping[str, np.ndarray] = field(default_factory=dict)
    # `links`: histories of the flexible bodies, by name
    links: Mapping[str, LinkHistory] = field(default_factory=dict)
    loads: Mapping[str, LoadHistory] = field(default_factory=dict)
    # `on_frame`: wrench [n; f] of all loads and couplings on the ground at the inertial origin, instants × 6
    on_frame: np.ndarray | None = None
    couplings: Mapping[str, CouplingHistory] = field(default_factory=dict)
    # `desired`: desired motion of a control law, by name
    desired: Mapping[str, np.ndarray] = field(default_factory=dict)
    # `item_work`: energy supplied or dissipated by each energy item over time, if it was integrated
    item_work: Mapping[EnergyItem, np.ndarray] = field(default_factory=dict)
    followed: KnownMotion | None = None  # the prescribed motion, for evaluation at any times
    # `whole_drift`: energy drift of the whole run, if the run was sampled at more instants than the result contains
    whole_drift: float | None = None
    # `startup`: function that returns warnings about a start-up transient of flexible links
    startup: Callable[[Result], list[ResultWarning]] | None = None
    recorded: RecordedMotion | None = None  # trajectory along the spanning tree, with multipliers and efforts
    # `whole_warnings`: warnings about the histories of the whole run, if it was sampled at more instants
    whole_warnings: tuple[ResultWarning, ...] | None = None
    # `item_energies`: energies of the items of a prescribed motion that was read from a file
    item_energies: Mapping[EnergyItem, float] = field(default_factory=dict)

    _elsewhere: ClassVar[Mapping[str, str]] = {
        name: f'result["joint"].{name}'
        for name in ("position", "rate", "acceleration", "effort", "force", "moment", "load")
    }

    @implemented_in("multiloop.view", "plot_result")
    def plot(
        self,
        *,
        show: str | Sequence[str] | None = None,
        of: str | Sequence[str] = (),
        over: str | None = None,
        frame: str | None = None,
        units: str | Sequence[str] | Mapping[str, str] | None = None,
        drawing: bool = False,
        traces: str | Sequence[str] = (),
        path: str | Path | None = None,
        axes: Sequence[Any] | None = None,
    ) -> Figure:
        """Plot quantities over the motion; a result of one instant is drawn as bars.

        `show` names the panels: "positions", "speeds", "accelerations" of the coordinates, "efforts", "loads",
        "moments", "forces" (components), "energy", "power", the diagrams "polar" (bearing loads), "hodograph"
        (velocities) and "paths", and along flexible links "deflection", "moment" and "stress". By default efforts,
        loads and moments are shown, after positions that no drive determines, if any. `of` selects joints, markers
        "body.marker" and links, by name. `over` is "time" or a joint; by default the angle of a single revolute drive
        that turns in one direction, otherwise time. If `over` is given, "deflection", "moment" and "stress" are the
        largest values along each link over the motion. `frame` is the body in whose axes forces and polar diagrams are
        drawn. `units` are those of the axes: `["kN", "deg"]`, or `{"force": "kN"}`.

        A joint has the same colour in all panels. Forces that equilibrium does not determine are dashed. A panel whose
        values are all round-off is left out, and a note states this. With `drawing` or `traces` the mechanism at its
        first instant is drawn next to the panels, with the paths of the markers named in `traces`. With `path` the
        picture is saved. `axes` are Matplotlib axes to plot in, one for each panel, curves first; without them a figure
        is made. Nothing is shown on a screen.
        """
        raise NotImplementedError

    @implemented_in("multiloop.view", "film_result")
    def film(
        self,
        path: str | Path,
        *,
        speed: float | None = None,
        traces: str | Sequence[str] = (),
        arrows: str | Sequence[str] = ("bearings", "efforts", "loads"),
        show: str | Sequence[str] | None = None,
        names: bool = True,
        rate: float | None = None,
        width: int | None = None,
        progress: bool | None = None,
        scale: float = 1.0,
    ) -> Path:
        """Make a film of the motion, in the format of the extension of `path`: .html, .gif or .mp4.

        The .html is a single file that any browser plays without a network, with play and pause, a slider, the speed,
        and layers that can be hidden. An .mp4 needs `pip install "multiloop-dynamics[film]"`.

        `speed` is seconds of motion per second of film. By default a motion of one second to a minute is shown in real
        time, a shorter one slower so that it lasts two to five seconds, a longer one faster so that it lasts up to a
        minute; the film displays the speed. `traces` are markers whose paths are drawn. `arrows` are forces and
        torques: "bearings" (joint forces on the second body, or on the first where the second is the ground),
        "efforts", "loads", or joints and loads by name; () for none. `show` names the curves below: "efforts"
        (default), "positions", "loads", or names such as "C.load" and "A.rate"; () for none. With `names`, bodies,
        joints and loads are labelled.

        `rate` is the number of frames per second (25 in a GIF, 30 in an MP4), at evenly spaced times. `width` is in
        pixels, by default such that neither side has more than 720; an HTML page has neither. `progress` shows a bar at
        once (True), never (False), or on a terminal where it takes long. Flexible links are drawn with deflections
        multiplied by `scale`; their joints are not displaced. If the computation is interrupted, no file is left.
        Returns the path, which a notebook displays as the film itself.
        """
        raise NotImplementedError

    @implemented_in(f"{RESULTS_PACKAGE}.marker_motion", "velocity")
    def velocity(self, reference: str) -> np.ndarray:
        """Velocity of a marker "body.marker" in inertial axes, instants × 2 or 3, in m/s."""
        raise NotImplementedError

    @implemented_in(f"{RESULTS_PACKAGE}.marker_motion", "acceleration")
    def acceleration(self, reference: str) -> np.ndarray:
        """Acceleration of a marker "body.marker" in inertial axes, instants × 2 or 3, in m/s²."""
        raise NotImplementedError

    @implemented_in(f"{RESULTS_PACKAGE}.marker_motion", "angular_velocity")
    def angular_velocity(self, reference: str) -> np.ndarray:
        """Angular velocity of a body in inertial axes, in rad/s: one number per instant in the plane, else
        instants × 3.

        For a marker "body.marker" of a flexible link it is the angular velocity of the link's section at the marker.
        """
        raise NotImplementedError

    @implemented_in(f"{RESULTS_PACKAGE}.marker_motion", "angular_acceleration")
    def angular_acceleration(self, reference: str) -> np.ndarray:
        """Angular acceleration of a body or marker in inertial axes, in rad/s²; shaped like the `angular_velocity`."""
        raise NotImplementedError

    @implemented_in(f"{RESULTS_PACKAGE}.table", "table_of")
    def to_table(self, *, markers: Sequence[str] | str = (), links: Sequence[str] | str = ()) -> pd.DataFrame:
        """All quantities over time as a pandas DataFrame; its index is the time.

        Columns are named like "A.position [rad]", "C.force_x [N]", "guide.effort [N]". The columns of one joint are
        adjacent; "A.angle [deg]", the crank angle in degrees, comes first. Efforts are included for joints with a
        drive, an actuator or a given effort, moments for joints that can transmit one. `markers` adds positions,
        velocities and accelerations of markers, "coupler.b.x [m]", "coupler.b.velocity_x [m/s]"; `links` adds the
        largest values along flexible links, "coupler.largest_stress [Pa]". `table.attrs` contains mechanism, method and
        status, and the reactions and forces of loads that equilibrium does not determine. If several unilateral loads
        can carry the same forces, columns with the smallest and largest admissible values are added,
        "rope.force_least [N]" and "rope.force_largest [N]".
        """
        raise NotImplementedError

    @implemented_in("multiloop.io.result_files", "write_result")
    def write(
        self,
        path: str | Path,
        *,
        markers: Sequence[str] | str = (),
        links: Sequence[str] | str = (),
    ) -> Path:
        """Write the result to a .csv file (the table of `to_table`) or to a .nc file (see `to_netcdf`).

        `markers` and `links` are those of `to_table`; a .nc file has no columns for them. An existing file of that name
        is replaced atomically and stays unchanged if writing fails. Returns the path.
        """
        raise NotImplementedError

    @implemented_in("multiloop.io.result_archive", "save_result")
    def to_netcdf(self, path: str | Path) -> Path:
        """Write the result to a netCDF-4 file (.nc), which `ml.Result.from_netcdf` and xarray can read.

        It contains the `dataset`, the recorded motion and the mechanism as text. Returns the path.
        """
        raise NotImplementedError

    @classmethod
    @implemented_in("multiloop.io.result_archive", "load_result")
    def from_netcdf(cls, path: str | Path) -> Result:
        """Read a result that `to_netcdf` wrote, without solving; user-defined types must be registered before."""
        raise NotImplementedError

    @implemented_in("multiloop.io.measured_data", "compare_measured")
    def compare(self, measured: str | Path | pd.DataFrame, *, shift: float = 0.0) -> Comparison:
        """Compare the result with measured time histories, from a CSV file or a pandas DataFrame.

        One column is the time, "time [s]"; the others are named like those of `to_table`, or like outputs, with their
        units: "A.angle [deg]", "C.force_x [N]", "gas.force [kN]". The simulated values are interpolated at the measured
        times within the span of the result. `shift` is added to the measured times, in s.
        """
        raise NotImplementedError

    @implemented_in(f"{RESULTS_PACKAGE}.summary", "summary_of")
    def summary(self) -> str:
        """The main results for design, as text: the largest values of `extremes()`, averages over time, warnings, and
        the residual of the loop closures."""
        raise NotImplementedError

    @implemented_in(f"{RESULTS_PACKAGE}.flywheel", "flywheel_for")
    def flywheel(self, Cs: float, *, joint: str | None = None) -> Flywheel:
        """The flywheel for a coefficient of speed fluctuation Cs, from a cycle of `inverse` at constant speed.

            I = ΔE / (Cs ω²)

        I is the inertia of the flywheel, ΔE the `energy_fluctuation` and ω the mean speed of the crank, the revolute
        drive or the one named `joint`. The inertia of the machine itself is neglected, which is conservative.
        """
        raise NotImplementedError

    @implemented_in(f"{RESULTS_PACKAGE}.flywheel", "energy_fluctuation")
    def energy_fluctuation(self, *, joint: str | None = None) -> float:
        """ΔE in J, the fluctuation of energy over a cycle if the crank is driven by the mean of the required effort."""
        raise NotImplementedError

    @implemented_in(f"{RESULTS_PACKAGE}.energy_balance", "energy_balance")
    def energy_balance(
        self, *, lost: Sequence[str] = (), useful: Sequence[str] | None = None
    ) -> EnergyBalance:
        """Energy balance: work supplied to the mechanism, work taken from it, and losses over the run.

        `lost` names forces or torques that count as losses, such as air drag. `useful` names the loads and joints whose
        work is the purpose of the machine, from which the efficiency is computed; by default they are the loads
        described with useful=True.
        """
        raise NotImplementedError

    @implemented_in("multiloop.view", "show_result")
    def _repr_html_(self) -> str:
        """The result as HTML with its default plots, shown in notebooks."""
        raise NotImplementedError

    def __post_init__(self) -> None:
        """Convert a text, which was the argument `notes` of version 0.1, to a warning."""
        if isinstance(self.reported, str):
            text = self.reported
            given = () if text == "ok" else (ResultWarning("W99", self.mechanism.name, text),)
            object.__setattr__(self, "reported", given)

    @cached_property
    def warnings(self) -> tuple[ResultWarning, ...]:
        """All warnings about the result, each with code, place, value, unit, time and text; docs/messages.md lists the
        codes. Of several warnings with the same code and place the first one is kept.

        They are evaluated when they are first read, since the truncation error of flexible links requires the loads on
        the links, and their start-up transient the quasi-static deformation.
        """
        return warnings_of(self)

    @property
    def status(self) -> str:
        """ "ok", or the texts of all warnings."""
        return status_text(self.warnings)

    notes = earlier_attribute("notes", "status")

    def __getstate__(self) -> dict[str, Any]:
        """Attributes for pickling; the warning about a start-up transient is evaluated before, since the function that
        estimates the transient cannot be pickled."""
        startup = self.startup(self) if self.startup else ()
        return self.__dict__ | {"reported": (*self.reported, *startup), "startup": None}

    @implemented_in(f"{RESULTS_PACKAGE}.named_parts", "history_of")
    def __getitem__(self, name: str) -> Any:
        """Time history of a joint, pair, coupling or load: a JointHistory, CouplingHistory or LoadHistory."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[str]:
        return iter(self.joints)

    def marker(self, reference: str) -> np.ndarray:
        """Path of a marker in the inertial frame, instants × 2 or 3."""
        from multiloop.analyses.results.marker_motion import marker_position

        return marker_position(self.mechanism, self.poses, reference, elastic_coordinates(self.links))

    def output(self, name: str) -> np.ndarray:
        """An output over time, instants or instants × entries, by its name in `mechanism.outputs()`: "C.load"."""
        assert self.recorded is not None
        return self.recorded.evaluate([name])[name]

    @implemented_in(f"{RESULTS_PACKAGE}.named_parts", "link_of")
    def link(self, name: str) -> LinkHistory:
        """Time history of a flexible link: `.eta`, and for beams `.deflection(s)`, `.moment(s)`, `.stress(s)` etc."""
        raise NotImplementedError

    @implemented_in(f"{RESULTS_PACKAGE}.named_parts", "effort_along")
    def effort_along(self, name: str) -> np.ndarray:
        """Effort over time along the coordinate `name`: "joint", or "joint.component" if the joint has several."""
        raise NotImplementedError

    @implemented_in(f"{RESULTS_PACKAGE}.named_parts", "poses_of")
    def body(self, name: str) -> np.ndarray:
        """Poses of a body's own frame, instants × 3 × 4, [rotation matrix | position]."""
        raise NotImplementedError

    @implemented_in(f"{RESULTS_PACKAGE}.state", "state_near")
    def at(self, t: float) -> State:
        """The State at the computed instant nearest to time t, which must lie within the time span of the result."""
        raise NotImplementedError

    @property
    def errors(self) -> dict[str, np.ndarray]:
        """Tracking errors of a run under a control law: desired minus actual values, by the names in `desired`."""
        return tracking_errors(self)

    @property
    @implemented_in(f"{RESULTS_PACKAGE}.named_parts", "results_by_effort")
    def efforts(self) -> dict[str, Result]:
        """A dictionary that maps every unknown effort to this Result, for the argument `efforts` of other analyses.

        Its keys are "joint", or "joint.component" if the joint has several coordinates.
        """
        raise NotImplementedError

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
        return self.output("mechanism.power")

    @property
    def losses(self) -> np.ndarray:
        """Power converted into heat at every instant (W) by friction, dampers, bushings, buffers and damped links."""
        return self.output("mechanism.losses")

    @cached_property
    def shaking_force(self) -> np.ndarray:
        """Force of the mechanism on its frame (N) at every instant, in inertial axes."""
        return self.output("mechanism.shaking_force")

    @cached_property
    def shaking_moment(self) -> np.ndarray:
        """Moment of the mechanism on its frame (N m) at every instant, about the inertial origin."""
        return self.output("mechanism.shaking_moment")

    @property
    def energy_drift(self) -> float:
        """Largest change of energy minus work, relative to the peak kinetic energy: a measure of the integration error.

        The reference is at least 1e-7 of the largest potential energy, which applies to a mechanism at rest. The
        energies are those of the whole run, which is sampled at 64 or more instants.
        """
        return self.whole_drift if self.whole_drift is not None else energy_drift(self)

    def deviation_from(self, desired: Result) -> Deviation:
        """Deviation of this motion from another motion, `desired`, at the same times, with its growth rate."""
        return deviation(self, desired)

    def extremes(self) -> Extremes:
        """The largest efforts, bearing loads, moments and deflections over the run, with their times."""
        return extremes_of(self)

    @cached_property
    @implemented_in(f"{RESULTS_PACKAGE}.table", "dataset_of")
    def dataset(self) -> xr.Dataset:
        """All quantities as a labelled xarray Dataset, with units."""
        raise NotImplementedError

    def __repr__(self) -> str:
        said = "" if self.status == "ok" else f"; {self.status}"
        left = undetermined_note(self)
        return f"{headline_of(self)}{said}.{f' {left}.' if left else ''}"
