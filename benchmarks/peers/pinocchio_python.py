"""Pinocchio called from Python, as its wheel provides it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice

import numpy as np
import pinocchio as pin

from benchmarks.peers.opened import Opened
from benchmarks.peers.pinocchio_peer import Settings
from benchmarks.peers.rounds import Loop

JOINTS = {
    "RX": pin.JointModelRX,
    "RY": pin.JointModelRY,
    "RZ": pin.JointModelRZ,
    "PX": pin.JointModelPX,
    "PY": pin.JointModelPY,
    "PZ": pin.JointModelPZ,
    "ball": pin.JointModelSpherical,
    "free": pin.JointModelFreeFlyer,
}


def python_loop(opened: Opened, states: np.ndarray, settings: Settings) -> Loop:
    """A loop in Python through states [q, v, tau]."""
    model, cuts = _model(opened)
    data, nq, nv = model.createData(), model.nq, model.nv
    split = [(row[:nq].copy(), row[nq : nq + nv].copy(), row[nq + nv :].copy()) for row in states]
    if not opened.joined:
        return _loop(lambda q, v, tau: pin.aba(model, data, q, v, tau), split)
    kept = pin.StdVec_RigidConstraintData()
    kept.extend([cut.createData() for cut in cuts])
    pin.initConstraintDynamics(model, data, cuts, kept)
    proximal = pin.ProximalSettings(settings.accuracy, settings.mu, settings.iterations)
    return _loop(
        lambda q, v, tau: pin.constraintDynamics(model, data, q, v, tau, cuts, kept, proximal), split
    )


def _loop(call, states: Sequence[tuple]) -> Loop:  # type: ignore[no-untyped-def]
    def loop(repeats: int) -> None:
        for q, v, tau in islice(cycle(states), repeats * len(states)):
            call(q, v, tau)

    return loop


def _model(opened: Opened) -> tuple[pin.Model, pin.StdVec_RigidConstraintModel]:
    model = pin.Model()
    model.gravity.linear = opened.gravity
    numbers = {-1: 0}
    for k, step in enumerate(opened.steps):
        place = pin.SE3(step.R, step.p)
        numbers[k] = model.addJoint(numbers[step.parent], JOINTS[step.kind](), place, step.name)
        if step.mass:
            body = pin.Inertia(step.mass, step.com, step.inertia)
            model.appendBodyToJoint(numbers[k], body, pin.SE3.Identity())
    cuts = pin.StdVec_RigidConstraintModel()
    for cut in opened.joined:
        ends = (
            (numbers[cut.first], pin.SE3(np.eye(3), cut.first_point)),
            (
                numbers[cut.second],
                pin.SE3(np.eye(3), cut.second_point),
            ),
        )
        cuts.append(
            pin.RigidConstraintModel(
                pin.ContactType.CONTACT_3D, model, *ends[0], *ends[1], pin.ReferenceFrame.LOCAL
            )
        )
    return model, cuts
