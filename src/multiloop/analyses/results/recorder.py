"""Recorder: collects the computed instants of a motion, evaluates all derived quantities, and returns a Result."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.analyses.load_checks import undefined_force_error
from multiloop.analyses.results.extremes import ROUND_OFF
from multiloop.analyses.results.histories import (
    JointHistory,
    SharedParts,
    contact_history,
    coupling_histories,
    joint_history_types,
    link_histories,
    load_histories,
    no_sharing,
)
from multiloop.analyses.results.marker_motion import marker_frame
from multiloop.analyses.results.recorded_motion import (
    RECORDED,
    STATE_INPUTS,
    RecordedMotion,
    coupling_multipliers,
    input_columns,
)
from multiloop.analyses.results.result import Result
from multiloop.analyses.results.result_warnings import (
    reaction_force_warnings,
    require_finite_result,
    with_warnings,
)
from multiloop.dynamics.outputs import EnergyItem, readouts_of
from multiloop.kinematics import Equations, contact_motions
from multiloop.kinematics.continuation import Singularity
from multiloop.kinematics.tree import LENGTH_COMPONENTS
from multiloop.model import GROUND, IN_PLANE, Mechanism, contact_scales
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


def joint_motions(
    equations: Equations, plan: Plan, p: np.ndarray, found: Mapping[str, np.ndarray]
) -> dict[str, tuple[np.ndarray, ...]]:
    """By the name of the joint, its coordinates q, rates v, accelerations v̇ and effort over time; `found` contains
    those of the spanning tree."""
    skeleton, mechanism = equations.skeleton, plan.mechanism
    q, rates = found["q"], [found[name] for name in ("v", "a", "tau")]
    motion = {
        link.joint.name: (q[:, link.q], *(part[:, link.v] for part in rates)) for link in skeleton.links
    }
    at, known = 0, {joint.name for joint in mechanism.connections}
    begun = plan.assembly.coordinates() if skeleton.cuts else {}
    for k, cut in enumerate(skeleton.cuts):
        name, f = cut.joint.name, len(cut.joint.components(mechanism.planar))
        if name in known:  # the Fixed joint that closes a split body is not a joint of the description
            joint = equations.skeleton.numeric_joint(mechanism.connection(name), p)
            frames = found["cut_poses"][:, :, 4 * k : 4 * k + 4]
            read = joint.read_trajectory(frames, begun[name], mechanism.planar)
            moving = (found[part][:, at : at + f] for part in ("cut_rates", "cut_accelerations"))
            motion[name] = (read, *moving, np.zeros((len(q), f)))
        at += f
    return motion


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
        self.readouts = readouts_of(equations)
        self.shared: dict[int, SharedParts] = {}  # undetermined forces, by the index of the instant
        self._filled: list[Arrays] = []

    def add(
        self,
        t: float,
        q: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        tau: np.ndarray,
        wrenches: np.ndarray,
        x: np.ndarray | None = None,
        dependent_force_rows: np.ndarray | None = None,
    ) -> None:
        """Add one instant: coordinates q, rates v, accelerations a and generalized forces tau of the spanning tree, and
        constraint wrenches (6 × joints).

        `x` are the state variables that are not coordinates or rates, by default their initial values;
        `dependent_force_rows` has one row per reaction-dependent force: its value, the residual of its force law, and
        bounds of the slopes of this law (`dynamics.reaction_dependent_forces`).
        """
        q, v, a, tau, wrenches = (part[None] for part in (q, v, a, tau, wrenches))
        more = (None if part is None else part[None] for part in (x, dependent_force_rows))
        self.add_many(np.array([t]), q, v, a, tau, wrenches, *more)

    def add_many(
        self,
        t: np.ndarray,
        q: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        tau: np.ndarray,
        wrenches: np.ndarray,
        x: np.ndarray | None = None,
        dependent_force_rows: np.ndarray | None = None,
    ) -> None:
        """Add many instants; the arguments are those of `add`, with one row per instant."""
        finite = [np.isfinite(part).reshape(len(t), -1).all(axis=1) for part in (a, tau, wrenches)]
        for k in np.flatnonzero(~np.logical_and.reduce(finite))[:1]:
            raise undefined_force_error(self.equations, float(t[k]), q[k], v[k], self.p)
        if x is None:
            x = np.tile(self.equations.skeleton.initial_states(self.p), (len(t), 1))
        count = self.equations.reaction_dependent_forces.shape[0]
        rows = np.zeros((len(t), 0, 2)) if dependent_force_rows is None else dependent_force_rows
        rows = rows.reshape(len(t), count, count + 2)
        found = {"t": t, "q": q, "v": v, "a": a, "tau": tau, "wrenches": wrenches, "x": x}
        self._filled.append(found | {"dependent_force_rows": rows})
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
        mechanism, found = self.plan.mechanism, self._read_off(interrupted)
        poses, count = self._poses(found["poses"]), len(found["t"])
        result = Result(
            mechanism=mechanism,
            plan=self.plan,
            method=method,
            time=found["t"],
            joints=self._joints(found, poses),
            poses=poses,
            constraint_violation=np.abs(found["open"]).max(axis=1, initial=0.0),
            singularities=singularities,
            notes="ok",
            rule=rule,
            kinetic_energy=found["kinetic"][:, 0],
            potential_energy=found["potential"][:, 0],
            momentum=found["momentum"][:, IN_PLANE] if mechanism.planar else found["momentum"],
            work=np.array(self.works[:count])[:, 0] if self.works else None,
            item_work=self._item_work(count),
            integrals=state_histories(mechanism, self.equations.skeleton.states, found["x"]),
            links=link_histories(self.readouts, self.p, found, poses, lambda: self._columns(found)),
            **self._loads(found),
            couplings=coupling_histories(self.readouts, self.plan, found, self._shared(count)),
            recorded=RecordedMotion(self.plan, self.p, {name: found[name] for name in RECORDED}),
        )
        doubts = reaction_force_warnings(mechanism, found["t"], found["dependent_force_rows"])
        return with_warnings(require_finite_result(result), [*self.plan.bending.messages, *doubts])

    def _item_work(self, count: int) -> dict[EnergyItem, np.ndarray]:
        """Energy of every item over time as integrated during the run; empty if only the total work was integrated."""
        if not self.works:
            return {}
        columns = np.array(self.works[:count]).T
        return dict(zip(self.items, columns[1:], strict=True))

    # evaluation of output quantities ----------------------------------------------------------------------

    def _read_off(self, interrupted: Callable[[], bool]) -> Arrays:
        """The collected arrays and all quantities evaluated from them, by name.

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
            read = self._multipliers(block) if self.plan.mechanism.couplings else {}
            read |= self._readings(block | read)
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

    def _multipliers(self, block: Arrays) -> Arrays:
        """Arrays by name with one row per instant of a block: the multipliers "lam" of all couplings, the Jacobian "J"
        of the couplings, the part "pushing" of J that is due to efforts (`coupling_multipliers`), and output
        quantities."""
        lam, J, pushing = coupling_multipliers(self.readouts, self._columns(block))
        traced, at = self.readouts.constraint_outputs, self._columns(block) | {"lam": lam.T}
        values = traced.evaluate_many(**{name: at[name] for name in traced.inputs})
        found = dict(zip(traced.outputs, values, strict=True))
        on_ground = {"coupled": found["frame"]} if "frame" in found else {}
        return {"lam": lam, "J": J, "pushing": pushing, "constraint_outputs": found["outputs"]} | on_ground

    def _readings(self, block: Arrays) -> Arrays:
        """All output quantities at the instants of a block.

        For a structure without degrees of freedom or dependence on time they are evaluated once and repeated.
        """
        readings, at = self.readouts.readings, self._columns(block)
        if block["q"].shape[1] or "t" in readings.inputs:
            return dict(zip(readings.outputs, readings.evaluate_many(**at), strict=True))
        standing = readings(**at | {name: at[name][:, 0] for name in ("t", *STATE_INPUTS)})
        still = zip(readings.outputs, standing, strict=True)
        return {name: np.array([value] * len(block["t"])) for name, value in still}

    def _columns(self, block: Arrays) -> dict[str, Any]:
        """Inputs of traced functions by name, with one column per instant of a block.

        The generalized forces `tau` include those of couplings if the block contains the multipliers `lam`.
        """
        found = input_columns(block, self.p)
        if "lam" in block:
            found["tau"] = found["tau"] + np.einsum("trk,tr->kt", block["pushing"], block["lam"])
            found["lam"] = block["lam"].T
        return found

    # histories by name ------------------------------------------------------------------------------------

    def _loads(self, found: Arrays) -> dict[str, Any]:
        """Arguments of Result: the histories of the loads, and the wrenches of loads and couplings on the ground."""
        mechanism, readouts = self.plan.mechanism, self.readouts
        frame = sum(found[name].reshape(-1, 6) for name in ("frame", "coupled") if name in found)
        on_frame = {} if isinstance(frame, int) else {"on_frame": frame}
        if not mechanism.all_loads:
            return on_frame
        loads = load_histories(
            mechanism,
            found["loads"],
            readouts.load_output_sizes,
            readouts.load_units,
            self._shared(len(found["t"])),
        )
        return {"loads": loads, **on_frame}

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
        for k, body in enumerate(self.readouts.bodies):
            poses[body] = stacked[:, :, 4 * k : 4 * k + 4]
        return poses

    def _joints(self, found: Arrays, poses: dict[str, np.ndarray]) -> dict[str, JointHistory]:
        """Time histories of all joints, by name; coordinates of cut joints are computed from their marker poses."""
        planar, count, motion = (
            self.plan.mechanism.planar,
            len(found["t"]),
            joint_motions(self.equations, self.plan, self.p, found),
        )
        efforts, histories = found["efforts"].reshape(count, 6, -1), {}
        touching = contact_motions(self.equations, self.p, found["q"], found["v"])
        values = dict(zip(self.equations.skeleton.parameter_names, self.p, strict=True))
        kinds = joint_history_types(self.plan.mechanism, values)
        ratios = motor_ratios(self.plan.mechanism, values)
        least = ROUND_OFF * float(np.abs(found["wrenches"][:, 3:]).max(initial=0.0))
        shared = self._shared(count)
        for k, joint in enumerate(self.plan.mechanism.connections):
            wrench = found["wrenches"][:, :, k]
            if not self.plan.unique[joint.name]:  # a joint without constraints: its reaction is round-off
                wrench = np.zeros_like(wrench)
            force, moment = _force_and_moment(wrench, planar)
            effort_force, effort_moment = _force_and_moment(efforts[:, :, k], planar)
            undetermined = self._undetermined_components(joint.name)
            redundant = tuple(name for name, unique in self.plan.unique[joint.name] if not unique)
            position, rate, acceleration, effort = (_squeeze(rows) for rows in motion[joint.name])
            history = kinds.get(joint.name, JointHistory)(
                mechanism=self.plan.mechanism.name,
                name=joint.name,
                first=joint.first,
                second=joint.second,
                position=position,
                rate=rate,
                acceleration=acceleration,
                force=force,
                moment=moment,
                effort=effort,
                effort_force=effort_force,
                effort_moment=effort_moment,
                determined=not undetermined,
                undetermined=tuple(undetermined),
                shared=shared,
                redundant=redundant,
                first_axes=_axes_of(self.plan.mechanism, joint.first) if redundant else (),
                poses=poses,
                least=least,
                time=found["t"],
                ratio=ratios.get(joint.name, 1.0),
                turning=tuple(part not in LENGTH_COMPONENTS for part in joint.components(planar)),
            )
            histories[joint.name] = (
                contact_history(history, touching[joint.name]) if joint.name in touching else history
            )
        return histories


def _axes_of(mechanism: Mechanism, reference: str) -> tuple[tuple[float, ...], ...]:
    """Rotation matrix of a marker in the own frame of its body, as a tuple of rows; the axes are its columns."""
    return tuple(map(tuple, numeric(marker_frame(mechanism, reference).R).tolist()))


def _concatenate(parts: Sequence[Arrays]) -> Arrays:
    """The arrays of several blocks of instants, joined along the instants."""
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _force_and_moment(wrenches: np.ndarray, planar: bool) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment over time from wrenches [moment; force]: instants × 3 each, or instants × 2 and instants in the
    plane."""
    n, f = wrenches[:, :3], wrenches[:, 3:]
    return (f[:, :2], n[:, 2]) if planar else (f, n)


def _squeeze(rows: np.ndarray) -> np.ndarray:
    """`rows` as a one-dimensional array if they have a single column; otherwise unchanged."""
    return rows[:, 0] if rows.ndim == 2 and rows.shape[1] == 1 else rows
