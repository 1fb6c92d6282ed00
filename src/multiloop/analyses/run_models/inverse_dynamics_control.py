"""Efforts of a control law that contains inverse dynamics, as expressions in the inputs of a simulation.

The controller has its own model of the plant, whose forward dynamics is formulated for the plant's spanning tree.
Coordinates, rates and state variables of the plant are passed to the model by name. If links are flexible in the plant
and rigid in the model, the loops of the model are closed by projection.

Theory: docs/theory/06-forward-dynamics.md, eq. (6.24).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import casadi as ca
import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.run_models.forward_model import ForwardModel
from multiloop.analyses.run_models.servo_constraints import require_reachable
from multiloop.analyses.signals import CommandedEffort, Signals, effort_place
from multiloop.dynamics import ConstraintProjection
from multiloop.dynamics.actions import Mode, is_closed
from multiloop.dynamics.forward import ForwardFunctions, computed_torque_efforts
from multiloop.kinematics import Equations, equations_of
from multiloop.kinematics.conditioning import numerical_rank
from multiloop.kinematics.constraints import drive_targets
from multiloop.kinematics.tree import Skeleton
from multiloop.model import ETA, ControlLaw, Mechanism, Modes, count_text, with_rigid_bodies
from multiloop.spatial import Matrix
from multiloop.symbols import Traced


def efforts_with_control(
    model: ForwardModel, signals: Signals, inputs: Mapping[str, Matrix]
) -> tuple[Matrix, Matrix]:
    """Known efforts, including those of a control law, and the generalized forces of these efforts along all rates."""
    if not signals.known.commanded:
        return signals.raw, signals.tau
    added = ca.densify(control_efforts(model, signals, inputs))
    raw, tau = ca.substitute([signals.raw, signals.tau], [signals.w], [added])
    return raw, tau


def control_efforts(model: ForwardModel, signals: Signals, inputs: Mapping[str, Matrix]) -> Matrix:
    """The efforts of a control law, in the order of `commanded`; `inputs` are the inputs of the traced functions of the
    simulation."""
    commanded = signals.known.commanded
    law = _first_command(commanded).law
    found = controller_model_of(model, law)
    desired = desired_equations(found.functions.equations, _first_command(commanded).desired)
    acting = commanded_rates(found.functions.equations, commanded)
    trace = computed_torque_efforts(found.functions, desired, acting, law.inverse_terms)
    known = ca.substitute(signals.tau, signals.w, ca.SX.zeros(signals.w.shape[0]))
    given = dict(inputs) | {"tau": known, "s": signals.s, "s_rate": signals.s_rate}
    given |= {"s_second": signals.s_second}
    given |= dict(zip(("want", "want_rate", "want_second"), signals.wanted, strict=True))
    for name in ("kp", "kd"):
        given[name] = ca.vertcat(ca.SX(0, 1), *_gains(law, name, desired, signals))
    return trace.on(**found.inputs(given, acting))["efforts"]


def require_controllable(
    model: ForwardModel, commanded: Mapping[str, CommandedEffort], t: float, q: np.ndarray
) -> None:
    """Raise an error for a desired motion that the efforts of the law cannot produce in the initial state."""
    desired = desired_equations(model.equations, _first_command(commanded).desired)
    controller_model_of(model, _first_command(commanded).law).require_rank(t, q)
    rates = commanded_rates(model.equations, commanded)
    if len(rates) < desired.drives.count:
        what = (
            f"{desired.drives.count} coordinates have a desired motion, but there are efforts at "
            f"{', '.join(commanded)} only."
        )
        raise analysis_error(
            model.skeleton.mechanism, "S05", "control", what, "Add an Actuator for each coordinate."
        )
    held, inertia = model.rank - model.equations.drives.count, model.inertia(q)
    require_reachable(desired, rates, held, inertia, t, q, model.p)


def commanded_rates(equations: Equations, commanded: Mapping[str, CommandedEffort]) -> tuple[int, ...]:
    """The indices of the joint rates along which the efforts of the control law act."""
    return tuple(effort_place(equations, name) for name in commanded)


def desired_equations(equations: Equations, desired: Mechanism) -> Equations:
    """The kinematic equations for the same spanning tree, with the desired motion as prescribed motion."""
    skeleton = equations.skeleton
    return equations_of(skeleton.mechanism, skeleton.tree, drive_targets(desired))


def _gains(law: ControlLaw, name: str, desired: Equations, signals: Signals) -> list[Matrix]:
    """The gains `name` (kp or kd) of the law, one for every prescribed component of the desired motion."""
    found: list[Matrix] = []
    for target in desired.targets:
        for component in target.components:
            rows = 3 if component == "turn" else 1
            gain = law.gain(name, target.of, "orientation" if component == "turn" else component)
            found += [ca.SX(signals.traced(gain, f"{name} of '{target.of}'"))] * rows
    return found


def _first_command(commanded: Mapping[str, CommandedEffort]) -> CommandedEffort:
    return next(iter(commanded.values()))


CLOSING_STEPS = 3
"""Number of Newton steps that close the loops of a rigid model. If the links of the plant are deflected by a tenth of
their length, the remaining gap is 1e-8 in characteristic lengths."""

MEASURED_WEIGHT = 1e8
"""Weight of a measured joint coordinate, relative to a coordinate that is not measured, in the projection that closes
the loops of the model."""

SHAPE_TOLERANCE = 0.5
"""Largest difference between mode shapes of the controller's model and of the plant that are taken as equal, relative
to the largest entry of the mode shape."""


@dataclass(frozen=True, eq=False)
class ControllerModel:
    """Forward dynamics of the controller's model of the plant.

    `q` and `v` are the indices of the model's coordinates and rates among those of the plant.
    """

    plant: ForwardModel
    functions: ForwardFunctions
    q: list[int]
    v: list[int]

    @property
    def skeleton(self) -> Skeleton:
        """The kinematic tree of the model."""
        return self.functions.equations.skeleton

    @property
    def is_stiffer(self) -> bool:
        """Whether some links are flexible in the plant and rigid in the model."""
        return len(self.v) < self.plant.skeleton.rates

    def inputs(self, given: Mapping[str, Matrix], measured: Sequence[int]) -> dict[str, Matrix]:
        """Inputs of the model's forward dynamics from those of the plant, with the parameters of the model.

        If links are rigid in the model and flexible in the plant, measured coordinates do not close the model's loops
        exactly; the coordinates of joints that are not measured are then adjusted. `measured` are the indices, among
        the model's rates, of the joints that keep the plant's values.
        """
        functions, plant = self.functions, self.plant.skeleton
        found = dict(given) | {"q": given["q"][self.q], "v": given["v"][self.v], "tau": given["tau"][self.v]}
        if self.skeleton.mechanism is not plant.mechanism:
            found["p"] = ca.DM(self.skeleton.parameter_values)
        if self.is_stiffer and functions.equations.rows.count:
            found |= self._project(found, measured)
        if functions.independent_count is not None:
            found["basis"] = given["basis"][: functions.independent_count, : functions.rows]
        if functions.extra_input != "choice":
            found["choice"] = ca.SX(0, 0)
        return found | {"x": _controller_states(plant, self.skeleton, given["x"])}

    def _project(self, given: Mapping[str, Matrix], measured: Sequence[int]) -> dict[str, Matrix]:
        """q and v that satisfy the constraints of the model, nearest to those of the plant."""
        eq, basis = self.functions.equations, ca.SX.sym("basis", *given["basis"].shape)
        weights = eq.chart.rate_units**-2
        weights[list(measured)] *= MEASURED_WEIGHT
        projection = ConstraintProjection(
            eq,
            eq.s,
            eq.s_rate,
            basis if self.plant.redundant else None,
            self.plant.position_rows,
            self.functions.order,
            self.plant.passes_singular,
            ca.diag(ca.DM(weights)),
        )
        inputs = {"q": eq.q, "s": eq.s, "basis": basis, "p": eq.skeleton.parameter_symbols}
        positions = Traced("model_positions", inputs, {"q_next": projection.project_positions()})
        q = {name: given[name] for name in inputs}
        for _ in range(CLOSING_STEPS):
            q["q"] = positions.on(**q)["q_next"]
        inputs |= {"v": eq.v, "s_rate": eq.s_rate}
        velocities = Traced("model_velocities", inputs, {"v_next": projection.project_velocities()[0]})
        v = velocities.on(**q, v=given["v"], s_rate=given["s_rate"])["v_next"]
        return {"q": q["q"], "v": v}

    def require_rank(self, t: float, q: np.ndarray) -> None:
        """Raise an error if the loop constraints of the model do not have the same rank as those of the plant, since
        model and plant use the same choice of independent rows."""
        if not self.is_stiffer:
            return
        model, eq = self.plant, self.functions.equations
        J = (
            eq.rate_row_scale[:, None]
            * eq.rows_jacobian(q[self.q], self.skeleton.parameter_values, t)
            * eq.chart.rate_units
        )
        rank = numerical_rank(np.linalg.svd(J[: self.functions.rows], compute_uv=False)) if len(J) else 0
        if rank != model.solved_rows:
            held = count_text(rank, "independent constraint")
            what = f"the loops of the controller's model have {held}, those of the plant {model.solved_rows}."
            remedy = (
                "Make the same links flexible in the model, or use a mechanism that is not overconstrained."
            )
            raise analysis_error(model.skeleton.mechanism, "S03", "control", what, remedy)


def controller_model_of(model: ForwardModel, law: ControlLaw) -> ControllerModel:
    """The controller's model of a plant; links that are rigid in the plant are rigid in the model too."""
    plant = model.skeleton
    if law.model is None:
        return ControllerModel(model, model.functions, list(range(plant.positions)), list(range(plant.rates)))
    stiff = [body.name for body in plant.mechanism.bodies if not body.elastic]
    equations = equations_of(with_rigid_bodies(law.model, stiff), plant.tree, model.equations.targets)
    found = equations.skeleton
    _require_shapes(plant, found)
    q, v = (_coordinate_indices(plant, found, which) for which in ("q", "v"))
    pushing = tuple(v.index(place) for place in model.functions.effort_rates)
    functions = replace(model.functions, equations=equations, effort_rates=pushing)
    if (
        len(v) != plant.rates and functions.extra_input == "choice"
    ):  # the independent coordinates were chosen for the plant, which has more rates
        functions = replace(functions, method="sslm")
    return ControllerModel(model, functions, q, v)


def _coordinate_indices(plant: Skeleton, found: Skeleton, which: str) -> list[int]:
    """Indices of the model's coordinates (`which` is "q") or rates ("v"), in their order, among those of the plant."""
    ordered = sorted(found.coordinates, key=lambda name: getattr(found.coordinates[name], which).start)
    slices: list[slice] = [getattr(plant.coordinates[name], which) for name in ordered]
    return [place for own in slices for place in range(own.start, own.stop)]


def _require_shapes(plant: Skeleton, found: Skeleton) -> None:
    """Raise an error for links whose mode shapes differ between model and plant: their elastic coordinates would have
    different meanings."""
    mine = {link.body: link.reduced.modes for link in plant.links if link.reduced.modes is not None}
    for link in found.links:
        modes = link.reduced.modes
        if modes is None or _are_similar(
            _marker_mode_shapes(plant, mine[link.body]), _marker_mode_shapes(found, modes)
        ):
            continue
        what = f"the controller's model has other modes of '{link.body}' than the plant."
        remedy = f"Give '{link.body}' the same modes and frame in both, or make it rigid in the model."
        raise analysis_error(plant.mechanism, "S03", f"control of '{link.body}.{ETA}'", what, remedy)


def _marker_mode_shapes(skeleton: Skeleton, modes: Modes) -> np.ndarray:
    """Numerical mode shapes at all markers, (6 · markers) × elastic coordinates."""
    below = [ca.SX(shape)[:, : modes.count] for _, shape in sorted(modes.shapes.items())]
    shapes = ca.Function(
        "shapes", [skeleton.parameter_symbols], [ca.densify(ca.vertcat(ca.SX(0, modes.count), *below))]
    )
    return np.array(shapes(skeleton.parameter_values))


def _are_similar(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether mode shapes agree within a tolerance, column by column."""
    if one.shape != other.shape:
        return False
    return bool(np.all(np.abs(one - other).max(axis=0) <= SHAPE_TOLERANCE * np.abs(one).max(axis=0)))


def _controller_states(plant: Skeleton, model: Skeleton, x: Matrix) -> Matrix:
    """State variables of the loads in the controller's model: the values of the plant by name, otherwise initial
    values.

    A joint that sticks, rests against a stop or is locked by a freewheel has no acceleration, whatever the effort, so
    that its dynamics cannot be inverted. The controller therefore takes the forces of such loads into account while the
    joint slides, but not while the load holds the joint.
    """
    places = {name: k for k, name in enumerate(plant.states)}
    start = model.initial_states(model.parameter_values)
    along = {
        f"{load.name}.{mode}"
        for load in model.mechanism.all_loads
        for mode in (load.modes if load.coordinates else ())
    }
    found = [ca.SX(0, 1)]
    for name, value in zip(model.states, start.tolist(), strict=True):
        state = x[places[name]] if name in places else ca.SX(value)
        found.append(ca.if_else(is_closed(state), Mode.OPEN, state) if name in along else state)
    return ca.vertcat(*found)
