"""A mechanism under a control law: its efforts and states, and the start on the desired motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from multiloop.kernels.state_layout import StateLayout
from multiloop.kinematics.targets import driven_targets
from multiloop.model import Mechanism, suggestion
from multiloop.model.control import ControlLaw
from multiloop.model.control.pd import PD
from multiloop.model.expressions import evaluate, lift
from multiloop.questions.answers.result import Result
from multiloop.questions.answers.state import State
from multiloop.questions.assembling import assemble
from multiloop.questions.refusal import refusal
from multiloop.questions.running.commanding import require_commanded
from multiloop.questions.running.forward_model import ForwardModel
from multiloop.questions.running.pushing import found_efforts
from multiloop.questions.signals.commanded import Commanded
from multiloop.questions.signals.efforts import effort_name


@dataclass(frozen=True, eq=False)
class Controlled:
    """A plant and its control law: `plant` moves freely, the drives of `desired` prescribe the desired motion.

    Drives of coordinates that the law does not control remain in the plant.
    """

    law: ControlLaw
    asked: Mechanism
    plant: Mechanism
    desired: Mechanism

    @classmethod
    def of(cls, mechanism: Mechanism, law: ControlLaw) -> Controlled:
        """The law applied to a mechanism; motions and gains that it does not support are refused."""
        motions = law.motions(mechanism)
        if not motions:
            what, remedy = (
                "no motion is desired.",
                'Give the law one, {"A": profile}, or the mechanism drives.',
            )
            raise refusal(mechanism, "S03", "control", what, remedy)
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
        """Efforts of the law by name: expressions, to which inverse dynamics may add."""
        own = self.law.efforts(self.desired)
        if not self.law.inverse_terms:
            return dict(own)
        names = list(own) or self._acting
        if not names:
            what = "the motion of a marker is desired, but there is no actuator to act."
            remedy = "Add an Actuator without effort for every coordinate that is desired."
            raise refusal(self.plant, "S05", "control", what, remedy)
        return {name: Commanded(self.law, self.desired, name, own.get(name, lift(0.0))) for name in names}

    @property
    def _acting(self) -> list[str]:
        """Actuators without an effort; without any, the joints whose motion is desired."""
        found = [effort_name(*effort) for effort in found_efforts(self.plant)]
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

    def joined(self, efforts: Mapping[str, Any] | None) -> dict[str, Any]:
        """Efforts of the law together with the given ones."""
        own = self.efforts
        for name in efforts or {}:
            if name in own:
                what = f"gives an effort at '{name}', and so do the `efforts`."
                raise refusal(self.plant, "S03", "control", what, "Give it in one of them.")
        return {**own, **(efforts or {})}

    def others(self, efforts: Mapping[str, Any] | None) -> dict[str, Any]:
        """The given efforts that the law does not produce."""
        own = self.efforts
        return {name: effort for name, effort in (efforts or {}).items() if name not in own}

    def require_reached(self, model: ForwardModel, t: float, y: np.ndarray) -> None:
        """Refuse a desired motion that inverse dynamics in the loop cannot produce at the beginning."""
        if self.law.inverse_terms:
            require_commanded(model, self.efforts, t, y[StateLayout.of(model.skeleton)["q"]])

    def start(self, guess: Mapping[str, Any] | None) -> State:
        """The state on the desired motion at its beginning."""
        return assemble(self.plant.replace(drives=(*self.plant.drives, *self.desired.drives)), guess=guess)

    def result_of(self, result: Result) -> Result:
        """The Result of the mechanism as described, with the desired motion."""
        return replace(result, mechanism=self.asked, desired=self.told(result))

    def told(self, result: Result) -> dict[str, np.ndarray]:
        """The desired motion over the time of a result: by joint, or "marker.component"."""
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
    """Refuse a PD law on the motion of a marker: PD controls coordinates of joints."""
    for motion in law.motions(mechanism):
        if isinstance(law, PD) and (motion.on_marker or motion.orientation is not None):
            what = f"{type(law).__name__} acts joint by joint, but the motion of marker '{motion.of}' is desired."
            remedy = "Take ComputedTorque, or give what is desired of the joints."
            raise refusal(mechanism, "S03", "control", what, remedy)


def _require_gains(desired: Mechanism, law: ControlLaw) -> None:
    """Refuse gains for names whose motion is not desired."""
    known = {one.target.of for one in driven_targets(desired)}
    known |= {f"{one.target.of}.{c}" for one in driven_targets(desired) for c in one.target.components}
    known |= {f"{motion.of}.orientation" for motion in desired.drives if motion.orientation is not None}
    for name in sorted(law.named - known):
        what = f"{type(law).__name__} has a gain for '{name}', whose motion is not desired."
        raise refusal(desired, "S03", "control", what, suggestion(name, known))


def _require_model(mechanism: Mechanism, law: ControlLaw) -> None:
    """Refuse a controller's model without the bodies, joints and pairs of the plant."""
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
                remedy = "Give a model with the same bodies, joints and pairs, and other numbers."
                raise refusal(mechanism, "S03", "control", what, remedy)
    if (
        model.planar != mechanism.planar
        or len(model.integrals)
        or [b.name for b in model.bodies] != [b.name for b in mechanism.bodies]
    ):
        what, remedy = "the controller's model has other bodies or integrals.", "Give one of the same build."
        raise refusal(mechanism, "S03", "control", what, remedy)
