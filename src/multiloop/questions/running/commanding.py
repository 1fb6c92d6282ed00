"""What inverse dynamics in the loop adds to the efforts of a run, on the symbols of the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import casadi as ca
import numpy as np

from multiloop.dynamics.actions.grip import Mode, is_closed
from multiloop.dynamics.forward import ForwardFunctions
from multiloop.dynamics.forward.commanded import commanded_efforts
from multiloop.kinematics.equations import Equations, equations_of
from multiloop.kinematics.skeleton import Skeleton
from multiloop.kinematics.targets import drive_targets
from multiloop.model import Mechanism
from multiloop.model.control import ControlLaw
from multiloop.questions.refusal import refusal
from multiloop.questions.running.forward_model import ForwardModel
from multiloop.questions.running.pushing import require_reach
from multiloop.questions.signals.commanded import Commanded
from multiloop.questions.signals.efforts import effort_place
from multiloop.questions.signals.signals import Signals
from multiloop.spatial import Matrix


def acting_efforts(
    model: ForwardModel, signals: Signals, inputs: Mapping[str, Matrix]
) -> tuple[Matrix, Matrix]:
    """Known efforts one by one and along all rates, with what a law adds put in."""
    if not signals.known.commanded:
        return signals.raw, signals.tau
    added = ca.densify(command_of(model, signals, inputs))
    raw, tau = ca.substitute([signals.raw, signals.tau], [signals.w], [added])
    return raw, tau


def command_of(model: ForwardModel, signals: Signals, inputs: Mapping[str, Matrix]) -> Matrix:
    """The efforts that a law adds, in the order of the commanded ones; `inputs` are the common inputs of the run."""
    commanded = signals.known.commanded
    law, functions = _first(commanded).law, _believed(model, _first(commanded).law)
    desired = desired_equations(functions.equations, _first(commanded).desired)
    trace = commanded_efforts(functions, desired, acting_rates(model, commanded), law.inverse_terms)
    known = ca.substitute(signals.tau, signals.w, ca.SX.zeros(signals.w.shape[0]))
    given = dict(inputs) | {"tau": known, "s": signals.s, "s_rate": signals.s_rate}
    given |= {"s_second": signals.s_second}
    given |= dict(zip(("want", "want_rate", "want_second"), signals.wanted, strict=True))
    for name in ("kp", "kd"):
        given[name] = ca.vertcat(ca.SX(0, 1), *_gains(law, name, desired, signals))
    if functions.independent is not None:
        given["basis"] = inputs["basis"][: functions.independent, : functions.rows]
    if law.model is not None:
        given["p"] = ca.DM(list(law.model.parameters.values()))
    given["x"] = _believed_states(model.skeleton, functions.equations.skeleton, inputs["x"])
    return trace.on(**given)["efforts"]


def require_commanded(
    model: ForwardModel, commanded: Mapping[str, Commanded], t: float, q: np.ndarray
) -> None:
    """Refuse a desired motion that the efforts of the law cannot produce at the beginning."""
    desired = desired_equations(model.equations, _first(commanded).desired)
    rates = acting_rates(model, commanded)
    if len(rates) < desired.drives.count:
        what = f"{desired.drives.count} coordinates are desired, but only {', '.join(commanded)} can act."
        raise refusal(model.skeleton.mechanism, "S05", "control", what, "Add an Actuator for each of them.")
    held, inertia = model.rank - model.equations.drives.count, model.inertia(q)
    require_reach(desired, rates, held, inertia, t, q, model.p)


def acting_rates(model: ForwardModel, commanded: Mapping[str, Commanded]) -> tuple[int, ...]:
    """The rates along which commanded efforts act."""
    return tuple(effort_place(model.equations, name) for name in commanded)


def desired_equations(equations: Equations, desired: Mechanism) -> Equations:
    """The equations along the same tree whose targets are what is desired."""
    skeleton = equations.skeleton
    return equations_of(skeleton.mechanism, skeleton.tree, drive_targets(desired))


def _believed(model: ForwardModel, law: ControlLaw) -> ForwardFunctions:
    """Forward dynamics of the mechanism that the controller believes in, along the plant's tree."""
    if law.model is None:
        return model.functions
    believed = equations_of(law.model, model.skeleton.tree, model.equations.targets)
    return replace(model.functions, equations=believed)


def _believed_states(plant: Skeleton, believed: Skeleton, x: Matrix) -> Matrix:
    """States of loads as the controller has them: the plant's by name, else as they start.

    What sticks, stands against a stop or locks a freewheel leaves its joint no acceleration, whatever the effort: there
    is nothing to invert. So the controller counts what acts along a joint as it slides, and not while it holds.
    """
    places = {name: k for k, name in enumerate(plant.states)}
    start = believed.initial(np.array(list(believed.mechanism.parameters.values())))
    along = {
        f"{load.name}.{mode}"
        for load in believed.mechanism.all_loads
        for mode in (load.modes if load.coordinates else ())
    }
    found = [ca.SX(0, 1)]
    for name, value in zip(believed.states, start.tolist(), strict=True):
        state = x[places[name]] if name in places else ca.SX(value)
        found.append(ca.if_else(is_closed(state), Mode.OPEN, state) if name in along else state)
    return ca.vertcat(*found)


def _gains(law: ControlLaw, name: str, desired: Equations, signals: Signals) -> list[Matrix]:
    """One for every row of what is desired."""
    found: list[Matrix] = []
    for target in desired.targets:
        for component in target.components:
            rows = 3 if component == "turn" else 1
            gain = law.gain(name, target.of, "orientation" if component == "turn" else component)
            found += [ca.SX(signals.traced(gain, f"{name} of '{target.of}'"))] * rows
    return found


def _first(commanded: Mapping[str, Commanded]) -> Commanded:
    return next(iter(commanded.values()))
