"""Mechanisms with a control law, evaluated in continuous time or at samples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from multiloop.analyses.assemble import assemble
from multiloop.analyses.errors import analysis_error
from multiloop.analyses.results import Result, State, effort_name
from multiloop.analyses.run_models import (
    ForwardModel,
    LocalChoice,
    RunModel,
    efforts_with_control,
    make_local_choice,
    require_controllable,
    solved_efforts,
)
from multiloop.analyses.signals import CommandedEffort, Signals
from multiloop.kernels.runtime import StateLayout
from multiloop.kinematics.constraints import driven_targets
from multiloop.model import PD, ControlLaw, Mechanism, suggestion
from multiloop.model.expressions import evaluate, lift
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class ControlledMechanism:
    """A plant and its control law: `plant` moves freely, the drives of `desired` prescribe the desired motion.

    Drives of coordinates that the law does not control remain in the plant.
    """

    law: ControlLaw
    described: Mechanism
    plant: Mechanism
    desired: Mechanism

    @classmethod
    def of(cls, mechanism: Mechanism, law: ControlLaw) -> ControlledMechanism:
        """The control law applied to a mechanism; raises an error for motions and gains that the law does not
        support."""
        motions = law.motions(mechanism)
        if not motions:
            what, remedy = (
                "no desired motion is given.",
                'Give the control law a desired motion, {"A": profile}, or give the mechanism drives.',
            )
            raise analysis_error(mechanism, "S03", "control", what, remedy)
        drawn = {motion.of for motion in motions}
        free = mechanism.replace(drives=[motion for motion in mechanism.drives if motion.of not in drawn])
        desired = mechanism.replace(drives=motions)
        _require_joints(mechanism, law)
        _require_gains(desired, law)
        _require_model(mechanism, law)
        plant = free.replace(integrals=(*free.integrals, *law.integrals(mechanism)))
        return cls(law, mechanism, plant, desired)

    @property
    def efforts(self) -> dict[str, Any]:
        """Efforts of the control law by joint name: expressions or, for laws with inverse dynamics, commands to which
        terms of inverse dynamics are added."""
        own = self.law.efforts(self.desired)
        if not self.law.inverse_terms:
            return dict(own)
        names = list(own) or self._acting_names
        if not names:
            what = "the desired motion is that of a marker, but there is no actuator."
            remedy = "Add an Actuator for every desired coordinate, and do not specify its effort, which is computed."
            raise analysis_error(self.plant, "S05", "control", what, remedy)
        return {
            name: CommandedEffort(self.law, self.desired, name, own.get(name, lift(0.0))) for name in names
        }

    @property
    def _acting_names(self) -> list[str]:
        """Names of the joints, or "joint.component", at which the control law acts: the actuators without a known
        effort or, if there are none, the coordinates with a desired motion."""
        found = [effort_name(*effort) for effort in solved_efforts(self.plant)]
        planar = self.plant.planar
        single = {joint.name for joint in self.plant.binary_joints if len(joint.components(planar)) == 1}
        own = [
            effort_name(one.target.of, "" if one.target.of in single else component)
            for one in driven_targets(self.desired)
            if not one.target.on_marker
            for component in one.target.components
        ]
        return [
            name if name.partition(".")[0] not in single else name.partition(".")[0] for name in found or own
        ]

    def all_efforts(self, efforts: Mapping[str, Any] | None) -> dict[str, Any]:
        """Efforts of the control law together with the given `efforts`; raises an error for a joint that is in both."""
        own = self.efforts
        for name in efforts or {}:
            if name in own:
                what = f"gives an effort at '{name}', and so do the `efforts`."
                raise analysis_error(
                    self.plant,
                    "S03",
                    "control",
                    what,
                    "Give this effort in `control` or in `efforts`, not in both.",
                )
        return {**own, **(efforts or {})}

    def other_efforts(self, efforts: Mapping[str, Any] | None) -> dict[str, Any]:
        """Those of the given `efforts` that the control law does not produce."""
        own = self.efforts
        return {name: effort for name, effort in (efforts or {}).items() if name not in own}

    def require_reachable(self, model: ForwardModel, t: float, y: np.ndarray) -> None:
        """Raise an error for a desired motion that a law with inverse dynamics cannot produce in the initial state."""
        if self.law.inverse_terms:
            require_controllable(model, self.efforts, t, y[StateLayout.of(model.skeleton)["q"]])

    def start(self, guess: Mapping[str, Any] | None) -> State:
        """The state of the mechanism at the beginning of the desired motion."""
        return assemble(self.plant.replace(drives=(*self.plant.drives, *self.desired.drives)), guess=guess)

    def result_of(self, result: Result) -> Result:
        """The Result of the plant, converted to the mechanism that the user described, with the desired motion
        added."""
        return replace(result, mechanism=self.described, desired=self.desired_motion(result))

    def desired_motion(self, result: Result) -> dict[str, np.ndarray]:
        """Desired values at the times of a result, by "joint", "joint.component" or "marker.component"."""
        found: dict[str, np.ndarray] = {}
        for one in driven_targets(self.desired):
            single = not one.target.on_marker and len(one.target.components) == 1
            names = [*one.target.components]
            if names[-1] == "turn":
                names[-1:] = [f"orientation.{k}" for k in range(4)]
            for component, profile in zip(names, one.profiles, strict=True):
                name = one.target.of if single else f"{one.target.of}.{component}"
                values = evaluate(lift(profile), time=result.time, parameters=self.desired.parameters)
                found[name] = np.broadcast_to(np.asarray(values, float), result.time.shape).copy()
        return found


def _require_joints(mechanism: Mechanism, law: ControlLaw) -> None:
    """Raise an error for a PD law with a desired motion of a marker: PD controls coordinates of joints."""
    for motion in law.motions(mechanism):
        if isinstance(law, PD) and (motion.on_marker or motion.orientation is not None):
            what = (
                f"{type(law).__name__} controls joints, but the desired motion is that of marker "
                f"'{motion.of}'."
            )
            remedy = "Use ComputedTorque, or give desired motions of joints."
            raise analysis_error(mechanism, "S03", "control", what, remedy)


def _require_gains(desired: Mechanism, law: ControlLaw) -> None:
    """Raise an error for a gain of a joint or coordinate that has no desired motion."""
    known = {one.target.of for one in driven_targets(desired)}
    known |= {f"{one.target.of}.{c}" for one in driven_targets(desired) for c in one.target.components}
    known |= {f"{motion.of}.orientation" for motion in desired.drives if motion.orientation is not None}
    for name in sorted(law.named - known):
        what = f"{type(law).__name__} has a gain for '{name}', which has no desired motion."
        raise analysis_error(desired, "S03", "control", what, suggestion(name, known))


def _require_model(mechanism: Mechanism, law: ControlLaw) -> None:
    """Raise an error for a controller's model that does not have the same bodies, joints and pairs as the plant."""
    model = law.model
    if model is None:
        return
    kinds, believed = (
        {**{c.name: type(c) for c in m.connections}, **{c.name: type(c) for c in m.couplings}}
        for m in (mechanism, model)
    )
    for one, other, said in ((kinds, believed, "the controller's model"), (believed, kinds, "the plant")):
        for name, kind in one.items():
            if other.get(name) is not kind:
                what = f"{said} has no {kind.__name__} '{name}'."
                remedy = "Give a model with the same bodies, joints and pairs; only their numbers may differ."
                raise analysis_error(mechanism, "S03", "control", what, remedy)
    if (
        model.planar != mechanism.planar
        or len(model.integrals)
        or [b.name for b in model.bodies] != [b.name for b in mechanism.bodies]
    ):
        what, remedy = (
            "the controller's model has different bodies or integrals.",
            "Give a model with the same bodies and integrals.",
        )
        raise analysis_error(mechanism, "S03", "control", what, remedy)


class SampledLaw:
    """Computes the efforts `names` of a control law as numbers, at given times and states.

    It uses the expressions of these efforts in `run`, the simulation with the same law in continuous time.
    """

    def __init__(self, run: RunModel, names: tuple[str, ...], t: float, q: np.ndarray) -> None:
        self.run, self.names = run, names
        order = list(run.signals.known.sources)
        self._places = [order.index(name) for name in names]
        self._choice: LocalChoice = make_local_choice(run.model, q, t=t)
        efforts, _ = efforts_with_control(run.model, run.signals, run.inputs)
        self._commands = Traced("commands", run.inputs, {"efforts": efforts})

    def efforts(self, t: float, y: np.ndarray) -> list[float]:
        """Efforts of the law in the state y at time t, in the order of `names`."""
        model, signals = self.run.model, self.run.signals
        if self.run.changes_choice:
            self._choice = make_local_choice(model, y[self.run.layout["q"]], before=self._choice, t=t)
        given = signals.inputs_at(t, y) | self._choice.kernel_inputs
        (found,) = self._commands(**given, p=model.p)
        signals.require_values(t, y, model.p, found)
        return [float(found[place]) for place in self._places]


def sampled_run(run: RunModel, names: tuple[str, ...], others: Mapping[str, Any], **given: Any) -> RunModel:
    """A simulation under continuous control, changed so that the efforts `names` of the law are held constant between
    samples; `others` are all other efforts."""
    t, y = given["at"]
    law = SampledLaw(run, names, t, y[run.layout["q"]])
    return RunModel(run.model, Signals(run.model.equations, others, law, **given))
