"""Time history of a coupling: its multiplier, the efforts it exerts on joint coordinates, and its output quantities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from multiloop.analyses.results.histories.shared_forces import no_sharing, ranges_over_time, without_sharing
from multiloop.dynamics.outputs import Readouts
from multiloop.kinematics.constraints import RowSet
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
        told = [f"{name} up to {_size(values):.6g} N" for name, values in self.values.items() if values.any()]
        pushed = (f"{joint} {np.abs(effort).max(initial=0.0):.6g}" for joint, effort in self.efforts.items())
        said = ", ".join(told) if self.values else f"efforts up to {', '.join(pushed)}"
        return f"{over}: {said or 'nothing'}{'' if self.determined else ', not determined'}."


def _size(values: np.ndarray) -> float:
    """The largest magnitude over time of a scalar (one-dimensional array) or of a vector (instants × components)."""
    return float((np.abs(values) if values.ndim == 1 else np.linalg.norm(values, axis=1)).max())


def coupling_histories(
    readouts: Readouts, plan: Plan, found: Mapping[str, np.ndarray], shared: np.ndarray
) -> dict[str, CouplingHistory]:
    """Time histories of all couplings by name, from their multipliers (instants × constraint equations) and forces.

    `found` contains the quantities evaluated at all instants. `shared` contains for every instant the forces that
    equilibrium does not determine because unilateral loads can carry them (`SharedForces`), or None; it is empty if
    there are none at any instant.
    """
    if not plan.mechanism.couplings:
        return {}
    rows, values = RowSet(readouts.other_constraints), dict(_output_columns(readouts, found))
    kinds = {one.name: type(one).__name__ for one in plan.mechanism.couplings}
    named = {}
    for one, place in zip(rows.constraints, rows.slices, strict=True):
        lam = found["lam"][:, place]
        pushed = np.einsum("trk,tr->tk", found["pushing"][:, place], lam)
        named[one.name] = CouplingHistory(
            one.name,
            _squeeze(lam),
            {link.joint.name: _squeeze(pushed[:, link.v]) for link in readouts.effort_links(one)},
            np.einsum("tr,trk,tk->t", lam, found["J"][:, place], found["v"]) * one.rheonomic,
            kinds.get(one.name, ""),
            values.get(one.name, {}),
            all(flag for _, flag in plan.unique.get(one.name, ())) and not _is_shared(one.name, shared),
            shared,
        )
    return {name: named[name] for name in kinds}


def _is_shared(name: str, shared: np.ndarray) -> bool:
    """Whether, at some instant, equilibrium does not determine the forces of the coupling `name` because unilateral
    loads can carry them."""
    return any(one is not None and one.undetermined(name) for one in shared)


def _output_columns(
    readouts: Readouts, found: Mapping[str, np.ndarray]
) -> Iterator[tuple[str, dict[str, np.ndarray]]]:
    """The name of every coupling, with its output quantities over time by name."""
    shapes, place = readouts.constraint_output_sizes, 0
    columns = found["constraint_outputs"].reshape(len(found["t"]), -1)
    for name, words in shapes.items():
        outputs = {}
        for word, count in words.items():
            outputs[word] = _squeeze(columns[:, place : place + count])
            place += count
        yield name, outputs


def _squeeze(rows: np.ndarray) -> np.ndarray:
    """`rows` as a one-dimensional array if they have a single column; otherwise unchanged."""
    return rows[:, 0] if rows.shape[1] == 1 else rows
