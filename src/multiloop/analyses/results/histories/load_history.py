"""Time history of a load: its output quantities by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from multiloop.analyses.results.histories.shared_forces import no_sharing, ranges_over_time
from multiloop.dynamics.outputs import outputs_of_mechanism
from multiloop.kinematics import Equations
from multiloop.model import UnknownNameError, attribute_error, count_text, suggestion

ROUND_OFF = 1e-12
"""Fraction of the largest magnitude below which the smallest or largest value of a quantity is printed as zero."""

SHARED_UNITS = ("N", "N m", "W")
"""Units of the quantities of a load that may differ between admissible solutions: forces, torques and powers."""


@dataclass(frozen=True, eq=False, repr=False)
class LoadHistory:
    """The time history of a load, for example `result["return"].force`, `.length`, `.energy`, `.power`.

    `energy` is the energy stored in the load; `power` is the power that the load supplies to the mechanism from
    outside, negative where it dissipates. Energy that a spring stores and returns is part of `energy` only, and not of
    `power`. Other quantities depend on the type of the load: a Spring has `force` (tension is positive), `length` and
    `length_rate`, a Force its `force` along inertial axes, a Torque its `torque`, a JointSpring or a Backlash its
    `effort`, a Friction its `effort` and `limit`, whether it is `sticking`, its `heat` up to each instant and, if the
    friction depends on the joint's force, the `normal` force.

    Where equilibrium does not determine the forces of the load, because several unilateral loads can carry them,
    `undetermined` names the quantities concerned, the solution of minimum norm is reported, and `range("force")` gives
    the smallest and largest value of all admissible solutions at every instant.
    """

    mechanism: str
    name: str
    kind: str
    values: Mapping[str, np.ndarray]
    units: Mapping[str, str]
    loss: (
        np.ndarray
    )  # power that the load converts into heat (W), as dampers, friction, bushings and buffers do
    dissipates: bool = False
    shared: np.ndarray = field(default_factory=no_sharing)

    def __getattr__(self, name: str) -> np.ndarray:
        told: Mapping[str, np.ndarray] = self.__dict__.get("values", {})
        if name not in told:
            raise attribute_error(self, name)
        return told[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.values]

    @property
    def determined(self) -> bool:
        """Whether equilibrium determines all forces of the load at every instant."""
        return not self.undetermined

    @property
    def undetermined(self) -> tuple[str, ...]:
        """Names of the quantities of the load that have more than one admissible value at some instant."""
        return tuple(name for name in self.values if name in self._undetermined_instants)

    @cached_property
    def _undetermined_instants(self) -> dict[str, list[int]]:
        """By the name of a quantity, the indices of the instants at which it has more than one admissible value."""
        found: dict[str, list[int]] = {}
        for k, one in enumerate(self.shared):
            for name in () if one is None else one.undetermined(self.name):
                found.setdefault(name, []).append(k)
        return found

    def largest_undetermined(self, quantity: str) -> int:
        """Index of the instant with the largest reported magnitude of a quantity, among the instants at which it is
        undetermined."""
        instants = self._undetermined_instants[quantity]
        values = self.values[quantity][instants]
        sizes = np.abs(values) if values.ndim == 1 else np.linalg.norm(values, axis=1)
        return instants[int(sizes.argmax())]

    def range(self, quantity: str) -> np.ndarray:
        """Smallest and largest admissible value of a force, torque or power at every instant.

        The two values are along a last axis of length two. They equal the reported value at instants at which
        equilibrium determines the quantity, and are infinite where the quantity is not bounded.
        """
        known = {name: None for name in self.values if self.units.get(name) in SHARED_UNITS}
        if quantity not in known and quantity not in self.undetermined:
            remedy = suggestion(str(quantity), known)
            raise UnknownNameError(self.mechanism, f"load '{self.name}': the quantity", str(quantity), remedy)
        return ranges_over_time(getattr(self, quantity), self.name, quantity, self.shared)

    @property
    def heats(self) -> bool:
        """Whether the load reports `heat`, the energy that it has converted into heat since the beginning."""
        return "heat" in self.values

    def at_instants(self, kept: np.ndarray) -> LoadHistory:
        """The history of the load at the instants selected by the indices or mask `kept`."""
        values = {name: values[kept] for name, values in self.values.items()}
        shared = self.shared[kept] if len(self.shared) else self.shared
        return replace(self, values=values, loss=self.loss[kept], shared=shared)

    def __repr__(self) -> str:
        parts = [
            _range(name, values, self.units.get(name, ""))
            for name, values in self.values.items()
            if values.any()
        ]
        count = len(next(iter(self.values.values())))
        left = f"; not determined: {', '.join(self.undetermined)}" if self.undetermined else ""
        return f"{self.kind} '{self.name}' over {count_text(count, 'instant')}: {', '.join(parts) or 'nothing'}{left}."


def _range(name: str, values: np.ndarray, unit: str) -> str:
    """Text with the smallest and largest value of a quantity; for a vector with its largest magnitude, for a flag with
    the number of instants at which it is true."""
    if values.dtype == bool:
        return f"{name} at {int(values.sum())}"
    if values.ndim > 1:
        return f"{name} up to {np.linalg.norm(values, axis=1).max():.6g} {unit}"
    least = ROUND_OFF * np.abs(values).max()
    ends = (end if abs(end) > least else 0.0 for end in (values.min(), values.max()))
    low, high = (f"{end + 0.0:.6g}" for end in ends)  # adding 0.0 avoids "-0"
    return f"{name} {low if low == high else f'{low} to {high}'} {unit}".rstrip()


def load_histories(
    equations: Equations, outputs: Mapping[str, Mapping[str, np.ndarray]], shared: np.ndarray
) -> dict[str, LoadHistory]:
    """Time histories of all loads by name, from the outputs over time by owner and quantity.

    `shared` contains for every instant the forces that unilateral loads share, or None.
    """
    mechanism, known = equations.skeleton.mechanism, outputs_of_mechanism(equations)
    found: dict[str, LoadHistory] = {}
    for load in mechanism.all_loads:
        listed = [known[f"{load.name}.{quantity}"] for quantity in outputs[load.name]]
        values = {one.quantity: outputs[load.name][one.quantity] for one in listed if one.tabulated}
        units = {one.quantity: one.units[0] for one in listed if one.tabulated}
        own = (values, units, outputs[load.name]["loss"], load.dissipates, shared)
        found[load.name] = LoadHistory(mechanism.name, load.name, type(load).__name__, *own)
    return found
