"""Recorder: collects the computed instants of a motion, evaluates all derived quantities, and returns a Result."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.analyses.load_checks import undefined_force_error
from multiloop.analyses.results.extremes import ROUND_OFF
from multiloop.analyses.results.histories import (
    ContactHistory,
    JointHistory,
    SharedParts,
    StrutHistory,
    coupling_histories,
    link_histories,
    load_histories,
    no_sharing,
    pressure_angles,
    struts_of,
)
from multiloop.analyses.results.marker_motion import marker_frame
from multiloop.analyses.results.recorded_motion import TRAJECTORY, RecordedMotion
from multiloop.analyses.results.result import Result
from multiloop.analyses.results.result_warnings import (
    reaction_force_warnings,
    require_finite_result,
    with_warnings,
)
from multiloop.dynamics.outputs import (
    WHOLE,
    EnergyItem,
    input_columns,
    reaction_functions_of,
    recorded_outputs_of,
)
from multiloop.kinematics import Equations, contacts_of
from multiloop.kinematics.continuation import Singularity
from multiloop.kinematics.tree import LENGTH_COMPONENTS
from multiloop.model import GROUND, Mechanism, contact_scales
from multiloop.model.motors import motor_ratios
from multiloop.plan import Plan
from multiloop.spatial import numeric


def state_histories(mechanism: Mechanism, states: Sequence[str], x: np.ndarray) -> dict[str, np.ndarray]:
    """Integrals and state variables of loads over time, by name, from the values x (instants × `states`).

    Contact and friction modes are omitted, because the histories of the loads contain them.
    """
    switched = {f"{load.name}.{name}" for load in mechanism.all_loads for name in (*load.modes, *load.shares)}
    switched |= set(contact_scales(mechanism))
    return {name: values for name, values in zip(states, x.T, strict=True) if name not in switched}


def cut_joint_positions(
    equations: Equations, plan: Plan, p: np.ndarray, cut_poses: np.ndarray
) -> dict[str, np.ndarray]:
    """Coordinates of all cut joints over time, by the name of the joint.

    `cut_poses` are the poses of their second markers relative to the first, instants × 3 × 4, side by side. Angles are
    continuous over time.
    """
    mechanism, known = plan.mechanism, {joint.name for joint in plan.mechanism.connections}
    begun = plan.assembly.coordinates() if equations.skeleton.cuts else {}
    found = {}
    for k, cut in enumerate(equations.skeleton.cuts):
        name = cut.joint.name
        if name in known:  # the Fixed joint that closes a split body is not a joint of the description
            joint = equations.skeleton.numeric_joint(mechanism.connection(name), p)
            frames = cut_poses[:, :, 4 * k : 4 * k + 4]
            found[name] = _squeeze(joint.read_trajectory(frames, begun[name], mechanism.planar))
    return found


BLOCK = 4096
"""Number of instants that are evaluated between two checks for an interruption."""

PROMPT_TIME = 0.6
"""Seconds since the start of the evaluation: after Ctrl-C, the Result contains the instants evaluated in this time."""

Arrays = dict[str, np.ndarray]
"""Arrays by name, with one row per instant."""


class Recorder:
    """Collects the computed instants of a motion and returns them as a Result.

    The angles of cut joints are made continuous over time.
    """

    def __init__(self, equations: Equations, plan: Plan, p: np.ndarray) -> None:
        self.equations, self.plan, self.p = equations, plan, p
        self.times: list[float] = []
        # per instant the total work and then the energy of every item, from analyses that integrate them
        self.works: list[list[float]] = []
        self.items: tuple[EnergyItem, ...] = ()  # energy items in the order of the entries of `works`
        self.reaction_functions, self.outputs = (
            reaction_functions_of(equations),
            recorded_outputs_of(equations),
        )
        self.shared: dict[int, SharedParts] = {}  # undetermined forces, by the index of the instant
        # known positions of cut joints over time, by joint; without them they are computed from poses
        self.cut_positions: Mapping[str, np.ndarray] | None = None
        self._filled: list[Arrays] = []

    def add(
        self,
        t: float,
        q: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        tau: np.ndarray,
        x: np.ndarray | None = None,
        dependent_force_rows: np.ndarray | None = None,
        *,
        lam: np.ndarray | None = None,
        wrenches: np.ndarray | None = None,
    ) -> None:
        """Add one instant: coordinates q, rates v, accelerations a and generalized forces tau of the spanning tree.

        Either `lam` is given, the multipliers of the loop constraints, or, if equilibrium does not determine them,
        `wrenches`, the constraint wrenches (6 × joints). `x` are the state variables that are not coordinates or rates,
        by default their initial values; `dependent_force_rows` has one row per reaction-dependent force: its value, the
        residual of its force law, and bounds of the slopes of this law (`dynamics.reaction_dependent_forces`).
        """
        given = (x, dependent_force_rows, lam, wrenches)
        x, rows, lam, wrenches = (None if part is None else part[None] for part in given)
        self.add_many(
            np.array([t]), q[None], v[None], a[None], tau[None], x, rows, lam=lam, wrenches=wrenches
        )

    def add_many(
        self,
        t: np.ndarray,
        q: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        tau: np.ndarray,
        x: np.ndarray | None = None,
        dependent_force_rows: np.ndarray | None = None,
        *,
        lam: np.ndarray | None = None,
        wrenches: np.ndarray | None = None,
    ) -> None:
        """Add many instants; the arguments are those of `add`, with one row per instant."""
        given = (a, tau, *(part for part in (lam, wrenches) if part is not None))
        finite = [np.isfinite(part).reshape(len(t), -1).all(axis=1) for part in given]
        for k in np.flatnonzero(~np.logical_and.reduce(finite))[:1]:
            raise undefined_force_error(self.equations, float(t[k]), q[k], v[k], self.p)
        if x is None:
            x = np.tile(self._initial_states, (len(t), 1))
        count = self.equations.reaction_dependent_forces.shape[0]
        rows = np.zeros((len(t), 0, 2)) if dependent_force_rows is None else dependent_force_rows
        rows = rows.reshape(len(t), count, count + 2)
        found = {"t": t, "q": q, "v": v, "a": a, "tau": tau, "x": x}
        found |= {"dependent_force_rows": rows, "dependent_forces": rows[:, :, 0]}
        if lam is None:
            assert wrenches is not None
            lam = self.reaction_functions.multipliers(input_columns(found, self.p), wrenches)
        self._filled.append(found | {"lam": lam})
        self.times += t.tolist()

    def result(
        self,
        method: str,
        singularities: tuple[Singularity, ...] = (),
        rule: str = "",
        interrupted: Callable[[], bool] = lambda: False,
    ) -> Result:
        """The Result of all instants.

        `rule` is the text of the rule by which undetermined efforts and idle rotations are computed, empty if there is
        none. If `interrupted` returns true during the evaluation (after Ctrl-C), the Result ends at an instant
        evaluated before.
        """
        mechanism, found = self.plan.mechanism, self._evaluate(interrupted)
        poses, count = self._poses(found["poses"]), len(found["t"])
        values = self.outputs.by_owner(found["values"])
        known, cut_poses = self.cut_positions, found["cut_poses"]
        if known is None:
            known = cut_joint_positions(self.equations, self.plan, self.p, cut_poses)
        for name, position in known.items():
            values[name]["position"] = position
        for name in contacts_of(self.equations):
            own = values[name]
            own["pressure_angle"] = pressure_angles(own["contact_normal"], own["driven_velocity"])
        whole, shared = values[WHOLE], self._shared(count)
        arrays = {name: found[name] for name in (*TRAJECTORY, "dependent_forces")}
        momentum = [whole[name] for name in ("angular_momentum", "momentum")]
        result = Result(
            mechanism=mechanism,
            plan=self.plan,
            method=method,
            time=found["t"],
            joints=self._joints(values, found["t"], poses),
            poses=poses,
            constraint_violation=whole["constraint_violation"],
            singularities=singularities,
            reported=(),
            rule=rule,
            kinetic_energy=whole["kinetic_energy"],
            potential_energy=whole["potential_energy"],
            momentum=np.column_stack(momentum),
            work=np.array(self.works[:count])[:, 0] if self.works else None,
            item_work=self._item_work(count),
            integrals=state_histories(mechanism, self.equations.skeleton.states, found["x"])
            if len(found["x"].T)
            else {},
            links=link_histories(self.equations, self.p, arrays, values, poses) if self._elastic else {},
            loads=load_histories(self.equations, values, shared) if mechanism.all_loads else {},
            on_frame=whole["loads_on_frame"] if mechanism.all_loads or mechanism.couplings else None,
            couplings=coupling_histories(self.equations, self.plan, values, shared)
            if mechanism.couplings
            else {},
            recorded=RecordedMotion(self.plan, self.p, arrays, values),
        )
        doubts = reaction_force_warnings(mechanism, found["t"], found["dependent_force_rows"])
        return with_warnings(require_finite_result(result), [*self.plan.bending.warnings, *doubts])

    @property
    def _elastic(self) -> bool:
        """Whether the mechanism has flexible bodies."""
        return self.equations.skeleton.is_flexible

    @property
    def _initial_states(self) -> np.ndarray:
        skeleton = self.equations.skeleton
        return skeleton.initial_states(self.p) if skeleton.states else np.zeros(0)

    def _item_work(self, count: int) -> dict[EnergyItem, np.ndarray]:
        """Energy of every item over time as integrated during the run; empty if only the total work was integrated."""
        if not self.works:
            return {}
        columns = np.array(self.works[:count]).T
        return dict(zip(self.items, columns[1:], strict=True))

    def _evaluate(self, interrupted: Callable[[], bool]) -> Arrays:
        """The collected arrays and the outputs evaluated from them (`RecordedOutputs`), by name.

        If `interrupted` returns true (after Ctrl-C), only the instants evaluated within `PROMPT_TIME` are included.
        """
        whole, found, done, prompt = _concatenate(self._filled), dict[str, np.ndarray](), 0, 0
        began = time.monotonic()
        for begin in range(0, len(self.times), BLOCK):
            if found and interrupted():
                done = prompt
                break
            block = {name: part[begin : begin + BLOCK] for name, part in whole.items()}
            count = len(block["t"])
            read = self.outputs.evaluate(input_columns(block, self.p), count)
            # arrays for all instants are allocated once, because joining blocks would take as long as evaluating them
            if not found:
                found = {
                    name: np.empty((len(self.times), *part.shape[1:]), part.dtype)
                    for name, part in read.items()
                }
            for name, part in read.items():
                found[name][begin : begin + count] = part
            done = begin + count
            if begin == 0:  # the clock starts after the first block, which may include compilation
                began = time.monotonic()
            prompt = done if time.monotonic() - began < PROMPT_TIME else prompt
        return {name: part[:done] for name, part in (whole | found).items()}

    # histories by name ------------------------------------------------------------------------------------

    def _shared(self, count: int) -> np.ndarray:
        """For every instant the forces that equilibrium does not determine because several unilateral loads can carry
        them (`SharedForces`), or None; an empty array if there are none at any instant."""
        if not self.shared:
            return no_sharing()
        found = np.full(count, None, object)
        for k, one in self.shared.items():
            if k < count:
                found[k] = one
        return found

    def _undetermined_components(self, joint: str) -> list[str]:
        """Names of the reaction components of a joint that equilibrium does not determine at some instant; "effort" is
        appended if its effort is not determined."""
        shared = dict.fromkeys(
            name for one in self.shared.values() for name in one.undetermined_components(joint)
        )
        found = [name for name, unique in self.plan.unique[joint] if not unique or name in shared]
        open_effort = any("effort" in one.undetermined(joint) for one in self.shared.values())
        return [*found, "effort"] if open_effort else found

    def _poses(self, stacked: np.ndarray) -> dict[str, np.ndarray]:
        """Poses [rotation matrix | position] of all bodies and the ground, instants × 3 × 4, by the name of the
        body."""
        count = len(stacked)
        grounded = np.column_stack([np.eye(3), np.zeros(3)])
        poses = {GROUND: np.repeat(grounded[None], count, axis=0)}
        for k, body in enumerate(self.outputs.bodies):
            poses[body] = stacked[:, :, 4 * k : 4 * k + 4]
        return poses

    def _joints(
        self, values: Mapping[str, dict[str, np.ndarray]], t: np.ndarray, poses: dict[str, np.ndarray]
    ) -> dict[str, JointHistory]:
        """Time histories of all joints, by name, from the outputs of all owners."""
        planar, mechanism = self.plan.mechanism.planar, self.plan.mechanism
        struts, touching = {one.name: one for one in struts_of(mechanism)}, contacts_of(self.equations)
        least = ROUND_OFF * max(
            (float(np.abs(values[one.name]["force"]).max(initial=0.0)) for one in mechanism.connections),
            default=0.0,
        )
        shared, histories = self._shared(len(t)), dict[str, JointHistory]()
        parameters = zip(self.equations.skeleton.parameter_names, self.p, strict=True)
        ratios = motor_ratios(mechanism, dict(parameters)) if mechanism.actuators else {}
        for joint in mechanism.connections:
            undetermined = self._undetermined_components(joint.name)
            redundant = tuple(name for name, unique in self.plan.unique[joint.name] if not unique)
            fields: dict[str, Any] = {
                "mechanism": mechanism.name,
                "name": joint.name,
                "first": joint.first,
                "second": joint.second,
                "values": values[joint.name],
                "determined": not undetermined,
                "undetermined": tuple(undetermined),
                "shared": shared,
                "redundant": redundant,
                "first_axes": _axes_of(mechanism, joint.first) if redundant else (),
                "poses": poses,
                "least": least,
                "time": t,
                "turning": tuple(part not in LENGTH_COMPONENTS for part in joint.components(planar)),
                "ratio": ratios.get(joint.name, 1.0),
            }
            contact = touching.get(joint.name)
            if contact is not None:
                fields |= {"two_sided": contact.two_sided, "limit": contact.limit}
                histories[joint.name] = ContactHistory(**fields)
            else:
                histories[joint.name] = (StrutHistory if joint.name in struts else JointHistory)(**fields)
        return histories


def _axes_of(mechanism: Mechanism, reference: str) -> tuple[tuple[float, ...], ...]:
    """Rotation matrix of a marker in the own frame of its body, as a tuple of rows; the axes are its columns."""
    return tuple(map(tuple, numeric(marker_frame(mechanism, reference).R).tolist()))


def _concatenate(parts: Sequence[Arrays]) -> Arrays:
    """The arrays of several blocks of instants, joined along the instants."""
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _squeeze(rows: np.ndarray) -> np.ndarray:
    """`rows` as a one-dimensional array if they have a single column; otherwise unchanged."""
    return rows[:, 0] if rows.ndim == 2 and rows.shape[1] == 1 else rows
