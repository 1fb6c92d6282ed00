"""Time history of a coupling: its multiplier, the efforts it exerts on joint coordinates, and its output quantities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from multiloop.analyses.results.histories.shared_forces import no_sharing, ranges_over_time, without_sharing
from multiloop.dynamics.outputs import outputs_of_mechanism, traced_instant_of
from multiloop.kinematics import Equations
from multiloop.model import attribute_error, count_text
from multiloop.plan import Plan


@dataclass(frozen=True, eq=False, repr=False)
class CouplingHistory:
    """The time history of a coupling.

    `effort` is the multiplier λ of the coupling, with one column per constraint equation if there are several.
    `efforts` are the efforts Φ_q λ along the coordinates q of every coupled joint, with the derivative Φ_q of the
    constraint Φ = 0: positive on the second body of the joint, with the opposite reaction on the first. They are not
    part of the effort, force or moment of the joint. `power` is the power that the coupling supplies, zero unless the
    coupling depends on time. A gear exerts no effort on a joint coordinate; its forces between the wheels are
    `tangential`, `radial`, `axial` and `force`, and the bearings transmit them. If `determined` is false, equilibrium
    does not determine the forces of the coupling and the minimum-norm solution is reported; `range("effort")` gives the
    smallest and largest admissible λ.
    """

    name: str
    effort: np.ndarray
    efforts: Mapping[str, np.ndarray]
    power: np.ndarray
    kind: str = "Coupling"
    values: Mapping[str, np.ndarray] = field(default_factory=dict)
    determined: bool = True
    # `shared`: for every instant the forces that equilibrium does not determine because unilateral loads can carry them
    # (`SharedForces`), or None; empty if there are none at any instant
    shared: np.ndarray = field(default_factory=no_sharing)
    units: Mapping[str, str] = field(default_factory=dict)  # of all quantities, by name

    def __getattr__(self, name: str) -> np.ndarray:
        told: Mapping[str, np.ndarray] = self.__dict__.get("values", {})
        if name not in told:
            raise attribute_error(self, name)
        return told[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.values]

    def range(self, quantity: str = "effort") -> np.ndarray:
        """Smallest and largest admissible `effort` at every instant, along a last axis of length two.

        Where the coupling and unilateral loads can carry the same forces, the range covers all solutions in which these
        loads only pull or only push. At the other instants it is infinite if redundant constraints leave the effort
        undetermined.
        """
        if quantity != "effort":
            raise AttributeError(f"coupling '{self.name}' has no range of '{quantity}'. Use \"effort\".")
        ends = ranges_over_time(self.effort, self.name, quantity, self.shared)
        if not self.determined:
            ends[without_sharing(self.shared, len(ends))] = (-np.inf, np.inf)
        return ends

    def at_instants(self, kept: np.ndarray) -> CouplingHistory:
        """The history of the coupling at the instants selected by the indices or mask `kept`."""
        efforts = {joint: effort[kept] for joint, effort in self.efforts.items()}
        values = {name: values[kept] for name, values in self.values.items()}
        shared = self.shared[kept] if len(self.shared) else self.shared
        own = {"effort": self.effort[kept], "power": self.power[kept], "shared": shared}
        return replace(self, efforts=efforts, values=values, **own)

    def __repr__(self) -> str:
        over = f"{self.kind} '{self.name}' over {count_text(len(self.effort), 'instant')}"
        told = [
            f"{name} up to {_size(values):.6g} {self.units.get(name, '')}".rstrip()
            for name, values in self.values.items()
            if values.any()
        ]
        pushed = (f"{joint} {np.abs(effort).max(initial=0.0):.6g}" for joint, effort in self.efforts.items())
        said = ", ".join(told) if self.values else f"efforts up to {', '.join(pushed)}"
        return f"{over}: {said or 'nothing'}{'' if self.determined else ', not determined'}."


def _size(values: np.ndarray) -> float:
    """The largest magnitude over time of a scalar (one-dimensional array) or of a vector (instants × components)."""
    return float((np.abs(values) if values.ndim == 1 else np.linalg.norm(values, axis=1)).max())


def coupling_histories(
    equations: Equations, plan: Plan, outputs: Mapping[str, Mapping[str, np.ndarray]], shared: np.ndarray
) -> dict[str, CouplingHistory]:
    """Time histories of all couplings by name, from the outputs over time by owner and quantity.

    `shared` contains for every instant the forces that unilateral loads share with couplings, or None.
    """
    at, found = traced_instant_of(equations), dict[str, CouplingHistory]()
    known = outputs_of_mechanism(equations)
    for coupling in plan.mechanism.couplings:
        name, own = coupling.name, outputs[coupling.name]
        joints = [link.joint.name for link in at.effort_links(name)]
        named = {"effort", "power", *(f"effort_{joint}" for joint in joints)}
        found[name] = CouplingHistory(
            name,
            own["effort"],
            {joint: own[f"effort_{joint}"] for joint in joints},
            own["power"],
            type(coupling).__name__,
            {quantity: values for quantity, values in own.items() if quantity not in named},
            all(flag for _, flag in plan.unique.get(name, ())) and not _is_shared(name, shared),
            shared,
            {quantity: known[f"{name}.{quantity}"].units[0] for quantity in own},
        )
    return found


def _is_shared(name: str, shared: np.ndarray) -> bool:
    """Whether, at some instant, equilibrium does not determine the forces of the coupling `name` because unilateral
    loads can carry them."""
    return any(one is not None and one.undetermined(name) for one in shared)
