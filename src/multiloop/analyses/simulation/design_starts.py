"""Initial states of many designs: positions with the given joint coordinates and closed loops, and consistent rates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from multiloop.analyses.assemble import assemble_with_rates
from multiloop.analyses.assembly_modes import choose_assembly_mode
from multiloop.analyses.designs import DrivenStep, close_designs
from multiloop.analyses.idle_spins import without_spins
from multiloop.analyses.prescribed_motion import DrivenTraces
from multiloop.analyses.run_models import ForwardModel
from multiloop.kinematics import Equations, joint_coordinates, joint_motion, tree_rates
from multiloop.kinematics.assembly import Request, position_requests, rate_requests
from multiloop.kinematics.tree import Skeleton
from multiloop.model import (
    ETA,
    MOTION_COMPONENTS,
    Mechanism,
    Motion,
    MultiloopError,
    SolveError,
    count_text,
    parameter_error,
    time,
    with_rigid_bodies,
)
from multiloop.plan import IdleMotion, Plan, plan_at


@dataclass(frozen=True, eq=False)
class DesignStarts:
    """Computation of the initial states of many designs at the time `begin`, from prescribed coordinates `held` and
    `rates`."""

    model: ForwardModel
    begin: float
    held: Mapping[str, Any]
    rates: Mapping[str, Any]

    def states(self, values: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Positions with closed loops and consistent rates, arrays (entries, designs) with NaN for designs that cannot
        be assembled.

        Given coordinates and rates are prescribed by drives whose profiles have these values at the time `begin`. An
        idle degree of freedom is at rest, at the position that it has with the mechanism's own parameter values.
        Flexible links start undeformed, so that positions are those of rigid links. Designs are assembled one by one if
        there are nonholonomic constraints, if the start gives elastic coordinates, or if no joint has coordinates.
        """
        if self.model.plan.rank.rates_alone or self._starts_deformed or not self._has_joint_coordinates:
            return self._assemble_each(values)
        plan = self._locked_plan()
        driven = DrivenStep(DrivenTraces(plan))
        t, z = np.array([self.begin]), driven.traces.tables(self.begin)
        p = parameter_values(driven.traces.equations.skeleton, values)
        moving = self._described_rates(driven.traces.equations.skeleton)[:, None]

        def placed(q: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, ...]:
            return tuple(driven.consistent_state.batch(t, z, q, np.repeat(moving, q.shape[1], axis=1), p))

        def close(q: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            closed, _, away, gap = placed(q, p)
            return closed, away[0], gap[0]

        q = close_designs(close, plan.assembly.coordinates_on(driven.traces.equations), plan.assembly.p, p)
        return self._to_run_coordinates(driven, plan.idle, q, placed(q, p)[1], values)

    def _assemble_each(self, values: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Positions and rates of all designs, where each design is assembled as for a single simulation."""
        equations, count = self.model.equations, len(next(iter(values.values())))
        q = np.full((equations.skeleton.positions, count), np.nan)
        v = np.full((equations.skeleton.rates, count), np.nan)
        for k in range(count):
            design = {name: float(given[k]) for name, given in values.items()}
            with suppress(MultiloopError):  # stays NaN: the design cannot be assembled
                own = self.model.plan.mechanism.with_parameters(design)
                assembly, rates = assemble_with_rates(
                    own, self.held, self._described_positions, self.rates, self.begin
                )
                q[:, k], v[:, k] = assembly.coordinates_on(equations), tree_rates(equations, rates)
        return q, v

    @cached_property
    def _mechanism(self) -> Mechanism:
        """The mechanism with all links rigid, with which the loops are closed."""
        return with_rigid_bodies(self.model.plan.mechanism)

    @property
    def _starts_deformed(self) -> bool:
        """Whether the start has nonzero elastic coordinates or elastic rates."""
        elastic_values = [
            value for asked in (self.held, self.rates) for name, value in asked.items() if _is_elastic(name)
        ]
        return any(np.any(np.asarray(value, float)) for value in elastic_values)

    @property
    def _has_joint_coordinates(self) -> bool:
        """Whether joints of the tree have coordinates."""
        return any(link.q.stop > link.q.start for link in self.model.skeleton.links)

    @property
    def _described_positions(self) -> dict[str, tuple[float, ...]]:
        """Joint coordinates of the assembled mechanism with its own parameter values, by joint."""
        found = self.model.plan.assembly.coordinates()
        return {name: tuple(map(float, q)) for name, q in found.items() if len(q) and not _is_elastic(name)}

    def _described_rates(self, skeleton: Skeleton) -> np.ndarray:
        """Initial rates v of the mechanism with its own parameter values, for the spanning tree of `skeleton`."""
        asked = (_joint_entries(self.held), self._described_positions, _joint_entries(self.rates))
        _, rates = assemble_with_rates(self._mechanism, *asked, self.begin)
        v = np.zeros(skeleton.rates)
        for link in skeleton.links:
            v[link.v] = rates[link.joint.name]
        return v

    def _locked_plan(self) -> Plan:
        """The plan of the mechanism with the given joints driven, without loads, because only positions are needed."""
        held = position_requests(self._mechanism, _joint_entries(self.held), "start")
        self._require_holdable(held)
        drives = {motion.of: motion for motion in self._mechanism.drives}
        for joint, profiles in self._profiles_through(held).items():
            names = self._mechanism.joint(joint).components(self._mechanism.planar)
            own = {"profile": profiles[names[0]]} if len(names) == 1 else profiles
            drives[joint] = replace(drives.get(joint, Motion(joint)), **own)
        idle = [one.unpowered for one in self._mechanism.actuators if one.rotor_inertia is not None]
        locked = self._mechanism.replace(drives=tuple(drives.values()), actuators=idle, loads=())
        # loops cut at a split body cannot be specified by the name of a joint
        cuts, split = self.model.plan.cuts, self.model.plan.tree.splits
        return plan_at(
            choose_assembly_mode(locked, {}, self._described_positions, self.begin),
            None if split or set(cuts) & set(drives) else cuts,
        )

    def _profiles_through(self, held: tuple[Request, ...]) -> dict[str, dict[str, Any]]:
        """By joint and component, profiles of drives that have the given values and rates at the time `begin`."""
        speeds = {
            (request.target.of, component): speed
            for request in rate_requests(self._mechanism, _joint_entries(self.rates))
            for component, speed in zip(request.target.components, request.values, strict=True)
        }
        found: dict[str, dict[str, Any]] = {}
        for request in held:
            for component, value in zip(request.target.components, request.values, strict=True):
                speed = speeds.pop((request.target.of, component), 0.0)
                found.setdefault(request.target.of, {})[component] = value + speed * (time - self.begin)
        if speeds:
            what = f"a rate is given for '{next(iter(speeds))[0]}', which is not in `start`."
            raise self._start_error(
                "rates", what, "For many designs give rates of the joints in `start` only."
            )
        return found

    def _require_holdable(self, held: tuple[Request, ...]) -> None:
        """Raise an error for a start that drives of joints cannot prescribe: coordinates of markers or of joints with
        several axes, or more coordinates than degrees of freedom."""
        mobility = self.model.plan.mobility
        for request in held:
            if request.target.on_marker or set(request.target.components) - set(MOTION_COMPONENTS):
                what = f"it prescribes '{request.target.of}', which is not a joint with one axis."
                remedy = "For many designs prescribe joints with one axis of rotation or sliding."
                raise self._start_error("start", what, remedy)
        count = sum(len(request.values) for request in held)
        if count > mobility:
            what = (
                f"it prescribes {count_text(count, 'coordinate')}, but there "
                f"{'is' if mobility == 1 else 'are'} "
                f"{count_text(mobility, 'degree of freedom', 'degrees of freedom')}."
            )
            remedy = "For many designs prescribe as many coordinates as there are degrees of freedom."
            raise self._start_error("start", what, remedy)

    def _start_error(self, where: str, what: str, remedy: str) -> SolveError:
        return parameter_error(self._mechanism, where, what, remedy)

    def _to_run_coordinates(
        self,
        driven: DrivenStep,
        idle: Sequence[IdleMotion],
        q: np.ndarray,
        v: np.ndarray,
        values: Mapping[str, np.ndarray],
    ) -> tuple[np.ndarray, np.ndarray]:
        """q and v converted to the coordinates of the simulated model, with zero rates of idle degrees of freedom.

        The coordinates q and rates v are those of `driven`, whose equations lack the parameters of the loads; `values`
        are the parameter values of the designs.
        """
        equations, own = self.model.equations, driven.traces.equations
        if own.skeleton.tree.branches == equations.skeleton.tree.branches and not idle:
            return self._to_flexible_links(driven, q, v)
        near = {name: np.array(x) for name, x in self._described_positions.items()}
        found_q = np.full((equations.skeleton.positions, q.shape[1]), np.nan)
        found_v = np.full((equations.skeleton.rates, q.shape[1]), np.nan)
        p_own, p = parameter_values(own.skeleton, values), parameter_values(equations.skeleton, values)
        placing = np.vstack([q, v, p_own[geometric_parameters(own)], p[geometric_parameters(equations)]])
        alike: dict[bytes, int] = {}  # designs that differ only in masses have the same positions and rates
        for k in np.flatnonzero(np.isfinite(q).all(axis=0)).tolist():
            same = alike.setdefault(placing[:, k].tobytes(), k)
            if same < k:
                found_q[:, k], found_v[:, k] = found_q[:, same], found_v[:, same]
                continue
            positions = joint_coordinates(own, q[:, k], p_own[:, k], near)
            rates, _ = joint_motion(own, q[:, k], v[:, k], np.zeros(len(v)), p_own[:, k])
            for name, own_q in equations.skeleton.coordinates.items():
                place = np.zeros(own_q.q.stop - own_q.q.start) if _is_elastic(name) else positions[name]
                found_q[own_q.q, k], found_v[own_q.v, k] = place, 0.0 if _is_elastic(name) else rates[name]
            if idle:
                found_v[:, k] = without_spins(equations, found_q[:, k], p[:, k], found_v[:, k], idle)
        return found_q, found_v

    def _to_flexible_links(
        self, driven: DrivenStep, q: np.ndarray, v: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """q and v converted from a spanning tree with rigid links to the same tree with flexible, undeformed links."""
        skeleton = self.model.equations.skeleton
        found_q = np.where(np.isfinite(q).all(axis=0), np.zeros((skeleton.positions, 1)), np.nan)
        found_v = np.where(np.isfinite(v).all(axis=0), np.zeros((skeleton.rates, 1)), np.nan)
        for own, link in zip(driven.traces.equations.skeleton.links, skeleton.links, strict=True):
            found_q[link.q], found_v[link.v] = q[own.q], v[own.v]
        return found_q, found_v


def parameter_values(skeleton: Skeleton, values: Mapping[str, np.ndarray]) -> np.ndarray:
    """Parameters p of many designs in the order of a skeleton, an array (parameters, designs)."""
    names, count = skeleton.parameter_names, len(next(iter(values.values())))
    return np.array([values[name] for name in names]).reshape(len(names), count)


def geometric_parameters(equations: Equations) -> np.ndarray:
    """Mask of the parameters on which positions and rates of bodies and joints depend."""
    symbols = equations.skeleton.parameter_symbols
    tree = equations.tree_functions
    traces = (tree._poses, tree._markers, tree._propagation, tree._cut_motion)
    outputs = [ca.vec(ca.SX(x)) for traced in traces for x in traced.outputs.values()]
    if not symbols.numel():
        return np.zeros(0, bool)
    return np.array(ca.which_depends(ca.vertcat(*outputs, ca.vec(ca.SX(equations.phi))), symbols, 1, False))


def _is_elastic(name: str) -> bool:
    """Whether a name denotes the elastic coordinates of a body."""
    return name.endswith(f".{ETA}")


def _joint_entries(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of `asked` that belong to joints, without those of elastic coordinates."""
    return {name: value for name, value in asked.items() if not _is_elastic(name)}
