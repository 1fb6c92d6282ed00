"""The recorded motion of a result: coordinates, efforts and reactions, from which outputs are computed on demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from multiloop.dynamics.actions import FLAG
from multiloop.dynamics.outputs import Readouts, find_output, readouts_of, traced_outputs
from multiloop.kinematics import Equations, equations_of
from multiloop.kinematics.constraints import CutJoint
from multiloop.plan import Plan

Arrays = Mapping[str, np.ndarray]
"""Arrays by name, with one row per instant."""

STATE_INPUTS = ("q", "v", "a", "tau", "x")
"""Inputs of traced functions at an instant, other than the time: coordinates, rates, accelerations, generalized forces
and further state variables."""


RECORDED = ("t", *STATE_INPUTS, "wrenches", "dependent_force_rows")
"""Names of the recorded arrays."""


@dataclass(frozen=True, eq=False)
class RecordedMotion:
    """The motion of a result along the spanning tree of its plan, with one row per instant.

    `arrays` are t, q, v, a, tau (efforts of drives and actuators along the rates), x (state variables), wrenches (6 ×
    joints) and dependent_force_rows (one row per reaction-dependent force, see `Recorder.add`); p are the parameter
    values.
    """

    plan: Plan
    p: np.ndarray
    arrays: Arrays

    @property
    def equations(self) -> Equations:
        """The equations along the spanning tree of the plan."""
        return equations_of(self.plan.mechanism, self.plan.tree)

    def subset(self, kept: Any) -> RecordedMotion:
        """The motion at the instants selected by the indices or mask `kept`."""
        return replace(self, arrays={name: part[kept] for name, part in self.arrays.items()})

    def with_states(self, values: Mapping[str, np.ndarray]) -> RecordedMotion:
        """The motion with other values of state variables over time, by the names of the states."""
        x, names = self.arrays["x"].copy(), self.equations.skeleton.states
        for name, column in values.items():
            x[:, names.index(name)] = column
        return replace(self, arrays={**self.arrays, "x": x})

    @cached_property
    def lam(self) -> np.ndarray:
        """Multipliers λ of all loop constraints, instants × constraint rows."""
        return loop_multipliers(readouts_of(self.equations), self.columns)

    @property
    def columns(self) -> dict[str, Any]:
        """Inputs of traced functions by name, with one column per instant."""
        return input_columns(self.arrays, self.p)

    def evaluate(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        """Values of outputs over time, by name: instants, or instants × entries; True or False for a flag."""
        traced = traced_outputs(self.equations, names)
        columns = self.columns | ({"lam": self.lam.T} if "lam" in traced.inputs else {})
        count = len(self.arrays["t"])
        values = traced.evaluate_many(**{name: columns[name] for name in traced.inputs})
        found = {}
        for name, part in zip(names, values, strict=True):
            output, entry = find_output(self.equations, name)
            rows = np.broadcast_to(part, (count, part.shape[1]))
            shaped = rows[:, 0] if entry is not None or not output.components else rows
            found[name] = shaped > 0 if output.unit == FLAG else shaped.copy()
        return found


def input_columns(arrays: Arrays, p: np.ndarray) -> dict[str, Any]:
    """Inputs of traced functions by name, with one column per instant, from arrays with one row per instant."""
    found = {"t": arrays["t"][None], "p": p} | {name: arrays[name].T for name in STATE_INPUTS}
    wrenches = arrays["wrenches"].transpose(2, 1, 0).reshape(-1, len(arrays["t"]))
    return found | {"dependent_forces": arrays["dependent_force_rows"][:, :, 0].T, "wrenches": wrenches}


def loop_multipliers(readouts: Readouts, columns: Mapping[str, Any]) -> np.ndarray:
    """Multipliers λ of all loop constraints, instants × rows, from the recorded reactions and efforts.

    The reaction of a cut joint is w = W λ with its unit wrenches W. The multipliers of couplings and of the closing
    joints of split bodies follow from the balance of generalized forces (`coupling_multipliers`).
    """
    own, equations = readouts.equations.loop_constraints, readouts.equations
    count = columns["t"].shape[1]
    lam = np.zeros((count, own.count))
    names = [joint.name for joint in equations.skeleton.mechanism.connections]
    cut = [
        (one, place)
        for one, place in zip(own.constraints, own.slices, strict=True)
        if isinstance(one, CutJoint) and one.name in names
    ]
    if cut:
        unit_wrenches = equations.cache.get("unit wrenches")
        if unit_wrenches is None:
            blocks = [one.interactions(equations)[0].W for one, _ in cut]
            stacked = ca.densify(ca.horzcat(*blocks))
            unit_wrenches = equations.function("unit_wrenches", "qt", W=stacked)
            equations.cache["unit wrenches"] = unit_wrenches
        (W,) = unit_wrenches.evaluate_many(q=columns["q"], t=columns["t"], p=columns["p"])
        W, first = np.broadcast_to(W.reshape(len(W), 6, -1), (count, 6, W.size // len(W) // 6)), 0
        wrenches = columns["wrenches"].reshape(len(names), 6, count)
        for one, place in cut:
            width = place.stop - place.start
            block, w = W[:, :, first : first + width], wrenches[names.index(one.name)].T
            lam[:, place] = np.einsum("trk,tk->tr", np.linalg.pinv(block), w)
            first += width
    others = {one.name: place for one, place in zip(own.constraints, own.slices, strict=True)}
    if readouts.other_constraints:
        found, at = coupling_multipliers(readouts, columns)[0], 0
        for other in readouts.other_constraints:
            place = others[other.name]
            width = place.stop - place.start
            lam[:, place] = found[:, at : at + width]
            at += width
    return lam


def coupling_multipliers(
    readouts: Readouts, columns: Mapping[str, Any]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Multipliers λ of the loop constraints that are not joints or pairs (instants × rows), the Jacobian J of these
    constraints, and the part J_e of J that is due to efforts (both instants × rows × rates).

    λ is the least-squares solution of Jᵀ λ = r, where r is the residual of the balance of generalized forces. A
    constraint exerts efforts on joint coordinates, as a relation between joint angles does, or wrenches on bodies, as a
    gear does: J_eᵀ λ are the efforts along the joint rates, (J − J_e)ᵀ λ the generalized forces of the wrenches.
    """
    count, rates = columns["v"].shape[1], columns["v"].shape[0]
    left, *rows = readouts.balance.evaluate_many(**columns)
    J, pushing = (part.reshape(count, -1, rates) for part in rows)
    lam = (np.linalg.pinv(J.transpose(0, 2, 1)) @ left.reshape(count, -1, 1))[:, :, 0]
    return lam, J, pushing
