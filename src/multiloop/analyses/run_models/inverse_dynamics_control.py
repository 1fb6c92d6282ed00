"""Efforts of a control law with inverse dynamics, traced on the inputs of a run.

Theory: docs/theory/06-forward-dynamics.md, eq. (6.24).
"""

from __future__ import annotations

from collections.abc import Mapping

import casadi as ca
import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.run_models.controller_model import controller_model_of
from multiloop.analyses.run_models.forward_model import ForwardModel
from multiloop.analyses.run_models.servo_constraints import require_reachable
from multiloop.analyses.signals.effort_inputs import CommandedEffort
from multiloop.analyses.signals.efforts import effort_place
from multiloop.analyses.signals.signals import Signals
from multiloop.dynamics.forward import computed_torque_efforts
from multiloop.kinematics import Equations, equations_of
from multiloop.kinematics.constraints import drive_targets
from multiloop.model import Mechanism
from multiloop.model.control import ControlLaw
from multiloop.spatial import Matrix


def efforts_with_control(
    model: ForwardModel, signals: Signals, inputs: Mapping[str, Matrix]
) -> tuple[Matrix, Matrix]:
    """Known efforts one by one and along all rates, including those of a control law."""
    if not signals.known.commanded:
        return signals.raw, signals.tau
    added = ca.densify(control_efforts(model, signals, inputs))
    raw, tau = ca.substitute([signals.raw, signals.tau], [signals.w], [added])
    return raw, tau


def control_efforts(model: ForwardModel, signals: Signals, inputs: Mapping[str, Matrix]) -> Matrix:
    """The efforts of a control law, in the order of `commanded`; `inputs` are the common inputs of the run."""
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
    """Refuse a desired motion that the efforts of the law cannot produce at the beginning."""
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
    """The rates along which commanded efforts act."""
    return tuple(effort_place(equations, name) for name in commanded)


def desired_equations(equations: Equations, desired: Mechanism) -> Equations:
    """The equations along the same tree with the desired motion as prescribed motion."""
    skeleton = equations.skeleton
    return equations_of(skeleton.mechanism, skeleton.tree, drive_targets(desired))


def _gains(law: ControlLaw, name: str, desired: Equations, signals: Signals) -> list[Matrix]:
    """One gain for every row of the desired motion."""
    found: list[Matrix] = []
    for target in desired.targets:
        for component in target.components:
            rows = 3 if component == "turn" else 1
            gain = law.gain(name, target.of, "orientation" if component == "turn" else component)
            found += [ca.SX(signals.traced(gain, f"{name} of '{target.of}'"))] * rows
    return found


def _first_command(commanded: Mapping[str, CommandedEffort]) -> CommandedEffort:
    return next(iter(commanded.values()))
