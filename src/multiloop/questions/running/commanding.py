"""Efforts that a control law with inverse dynamics adds to those of a run, traced on the inputs of the run."""

from __future__ import annotations

from collections.abc import Mapping

import casadi as ca
import numpy as np

from multiloop.dynamics.forward.commanded import commanded_efforts
from multiloop.kinematics.equations import Equations, equations_of
from multiloop.kinematics.targets import drive_targets
from multiloop.model import Mechanism
from multiloop.model.control import ControlLaw
from multiloop.questions.refusal import refusal
from multiloop.questions.running.believing import believed
from multiloop.questions.running.forward_model import ForwardModel
from multiloop.questions.running.pushing import require_reach
from multiloop.questions.signals.commanded import Commanded
from multiloop.questions.signals.efforts import effort_place
from multiloop.questions.signals.signals import Signals
from multiloop.spatial import Matrix


def acting_efforts(
    model: ForwardModel, signals: Signals, inputs: Mapping[str, Matrix]
) -> tuple[Matrix, Matrix]:
    """Known efforts one by one and along all rates, including those of a control law."""
    if not signals.known.commanded:
        return signals.raw, signals.tau
    added = ca.densify(command_of(model, signals, inputs))
    raw, tau = ca.substitute([signals.raw, signals.tau], [signals.w], [added])
    return raw, tau


def command_of(model: ForwardModel, signals: Signals, inputs: Mapping[str, Matrix]) -> Matrix:
    """The efforts of a control law, in the order of the commanded ones; `inputs` are the common inputs of the run."""
    commanded = signals.known.commanded
    law = _first(commanded).law
    found = believed(model, law)
    desired = desired_equations(found.functions.equations, _first(commanded).desired)
    acting = acting_rates(found.functions.equations, commanded)
    trace = commanded_efforts(found.functions, desired, acting, law.inverse_terms)
    known = ca.substitute(signals.tau, signals.w, ca.SX.zeros(signals.w.shape[0]))
    given = dict(inputs) | {"tau": known, "s": signals.s, "s_rate": signals.s_rate}
    given |= {"s_second": signals.s_second}
    given |= dict(zip(("want", "want_rate", "want_second"), signals.wanted, strict=True))
    for name in ("kp", "kd"):
        given[name] = ca.vertcat(ca.SX(0, 1), *_gains(law, name, desired, signals))
    return trace.on(**found.inputs(given, acting))["efforts"]


def require_commanded(
    model: ForwardModel, commanded: Mapping[str, Commanded], t: float, q: np.ndarray
) -> None:
    """Refuse a desired motion that the efforts of the law cannot produce at the beginning."""
    desired = desired_equations(model.equations, _first(commanded).desired)
    believed(model, _first(commanded).law).require_rank(t, q)
    rates = acting_rates(model.equations, commanded)
    if len(rates) < desired.drives.count:
        what = f"{desired.drives.count} coordinates are desired, but only {', '.join(commanded)} can act."
        raise refusal(model.skeleton.mechanism, "S05", "control", what, "Add an Actuator for each of them.")
    held, inertia = model.rank - model.equations.drives.count, model.inertia(q)
    require_reach(desired, rates, held, inertia, t, q, model.p)


def acting_rates(equations: Equations, commanded: Mapping[str, Commanded]) -> tuple[int, ...]:
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


def _first(commanded: Mapping[str, Commanded]) -> Commanded:
    return next(iter(commanded.values()))
