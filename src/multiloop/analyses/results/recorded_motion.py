"""The recorded motion of a result: the trajectory along the spanning tree, and the outputs evaluated from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from multiloop.dynamics.outputs import (
    Output,
    find_output,
    input_columns,
    shaped,
    traced_instant_of,
    traced_outputs,
)
from multiloop.kinematics import Equations, equations_of
from multiloop.model import Fault, Mechanism, SolveError
from multiloop.plan import Plan

UNDEFINED_REMEDY = "Omit such instants, or check that the drives and actuators determine the motion."
"""Text of the remedy in the error for undefined values."""


def _undefined_error(mechanism: Mechanism, output: Output, t: float) -> SolveError:
    what = f"is not defined at t = {t:.6g} s: the mechanism is in a singular configuration, or its inputs depend on "
    what += "each other."
    fault = Fault("R09", f"output '{output.name}'", what, UNDEFINED_REMEDY)
    return SolveError(f"mechanism '{mechanism.name}'", [fault], time=t)


Arrays = Mapping[str, np.ndarray]
"""Arrays by name, with one row per instant."""

TRAJECTORY = ("t", "q", "v", "a", "lam", "tau", "x")
"""Names of the recorded arrays: time, coordinates, rates, accelerations, multipliers of the loop constraints, efforts
of drives and actuators along the rates, and further state variables. The values of reaction-dependent forces are
recorded as well."""


@dataclass(frozen=True, eq=False)
class RecordedMotion:
    """The motion of a result along the spanning tree of its plan, with one row per instant.

    `arrays` are those in `TRAJECTORY`, where tau are the efforts of drives and actuators along the rates, and
    dependent_forces, the values of the reaction-dependent forces; p are the parameter values. `values` contains outputs
    that are evaluated already, by owner and quantity.
    """

    plan: Plan
    p: np.ndarray
    arrays: Arrays
    values: Mapping[str, Mapping[str, np.ndarray]] = field(default_factory=dict)

    @property
    def equations(self) -> Equations:
        """The equations along the spanning tree of the plan."""
        return equations_of(self.plan.mechanism, self.plan.tree)

    def subset(self, kept: Any) -> RecordedMotion:
        """The motion at the instants selected by the indices or mask `kept`."""
        values = {
            owner: {name: part[kept] for name, part in own.items()} for owner, own in self.values.items()
        }
        arrays = {name: part[kept] for name, part in self.arrays.items()}
        return replace(self, arrays=arrays, values=values)

    def with_states(self, changed: Mapping[str, np.ndarray]) -> RecordedMotion:
        """The motion with other values of state variables of loads over time, by the names "load.state"."""
        x, names = self.arrays["x"].copy(), self.equations.skeleton.states
        values = {owner: dict(own) for owner, own in self.values.items()}
        for name, column in changed.items():
            x[:, names.index(name)] = column
            owner, _, quantity = name.rpartition(".")
            values[owner][quantity] = column
        return replace(self, arrays={**self.arrays, "x": x}, values=values)

    @property
    def lam(self) -> np.ndarray:
        """Multipliers λ of all loop constraints, instants × constraint rows."""
        return self.arrays["lam"]

    @property
    def columns(self) -> dict[str, Any]:
        """Inputs of traced functions by name, with one column per instant."""
        return input_columns(self.arrays, self.p)

    def evaluate(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        """Values of outputs over time, by name: instants, or instants × entries; True or False for a flag.

        Outputs that are not recorded are evaluated for all instants together.
        """
        asked = {name: find_output(self.equations, name) for name in names}
        found = {}
        for name, (output, entry) in asked.items():
            values = self.values.get(output.owner, {}).get(output.quantity)
            if values is not None:
                found[name] = values if entry is None else values[:, entry]
        missing = {asked[name][0].name: asked[name][0] for name in names if name not in found}
        if missing:
            rows = self._rows(missing)
            for name, (output, entry) in asked.items():
                if name not in found:
                    own = rows[output.name]
                    found[name] = (shaped(output, own) if entry is None else own[:, entry]).copy()
        return {name: found[name] for name in names}

    def _rows(self, outputs: Mapping[str, Output]) -> dict[str, np.ndarray]:
        """Values of outputs that are not recorded, instants × entries, by name; values that are not defined raise a
        SolveError."""
        rows, at = dict[str, np.ndarray](), traced_instant_of(self.equations)
        traced = [name for name, one in outputs.items() if one.evaluate is None]
        if traced:
            parts = traced_outputs(self.equations, traced).evaluate_many(**self.columns)
            rows = dict(zip(traced, parts, strict=True))
        t = self.arrays["t"]
        for name, one in outputs.items():
            own = (
                one.evaluate(at, self.columns).reshape(-1, one.size)
                if one.evaluate is not None
                else rows[name]
            )
            rows[name] = np.broadcast_to(own, (len(t), one.size))
            undefined = np.flatnonzero(np.isnan(rows[name]).any(axis=1))
            if len(undefined):
                raise _undefined_error(self.plan.mechanism, one, float(t[undefined[0]]))
        return rows
