"""Time history of a coupling: its multiplier, the efforts it exerts along joints, and its own output quantities."""

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
    """One coupling over time.

    `effort` is its multiplier λ, one column per row if it has several. `efforts` are the efforts along the coordinates
    of every coupled joint, Φ_q λ: positive on the joint's second body, with the opposite reaction on the first. They
    are not part of the effort, force or moment of the joint. `power` is the power it supplies, zero unless it depends
    on time. A gear acts between its wheels and along no joint: its forces are `tangential`, `radial`, `axial` and
    `force`, which act on the bearings. Where `determined` is false, equilibrium does not determine its forces and the
    minimum-norm solution is reported; `range("effort")` gives the smallest and largest admissible λ.
    """

    name: str
    effort: np.ndarray
    efforts: Mapping[str, np.ndarray]
    power: np.ndarray
    kind: str = "Coupling"
    values: Mapping[str, np.ndarray] = field(default_factory=dict)
    determined: bool = True
    shared: np.ndarray = field(default_factory=no_sharing)  # forces shared with unilateral loads, by instant

    def __getattr__(self, name: str) -> np.ndarray:
        told: Mapping[str, np.ndarray] = self.__dict__.get("values", {})
        if name not in told:
            raise attribute_error(self, name)
        return told[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.values]

    def range(self, quantity: str = "effort") -> np.ndarray:
        """Smallest and largest admissible `effort` at every instant, in a last axis of two.

        It is infinite where other constraints alone leave it undetermined.
        """
        if quantity != "effort":
            raise AttributeError(f"coupling '{self.name}' has no range of '{quantity}'. Use \"effort\".")
        ends = ranges_over_time(self.effort, self.name, quantity, self.shared)
        if not self.determined:
            ends[without_sharing(self.shared, len(ends))] = (-np.inf, np.inf)
        return ends

    def at_instants(self, kept: np.ndarray) -> CouplingHistory:
        """The history at some of its instants."""
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
    """The largest magnitude."""
    return float((np.abs(values) if values.ndim == 1 else np.linalg.norm(values, axis=1)).max())


def coupling_histories(
    readouts: Readouts, plan: Plan, found: Mapping[str, np.ndarray], shared: np.ndarray
) -> dict[str, CouplingHistory]:
    """Every coupling by name, from its multipliers (instants × rows) and their forces."""
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
    """Whether it is undetermined at some instant because unilateral loads share its forces."""
    return any(one is not None and one.undetermined(name) for one in shared)


def _output_columns(
    readouts: Readouts, found: Mapping[str, np.ndarray]
) -> Iterator[tuple[str, dict[str, np.ndarray]]]:
    """Output quantities of every coupling over time."""
    shapes, place = readouts.constraint_output_sizes, 0
    columns = found["constraint_outputs"].reshape(len(found["t"]), -1)
    for name, words in shapes.items():
        outputs = {}
        for word, count in words.items():
            outputs[word] = _squeeze(columns[:, place : place + count])
            place += count
        yield name, outputs


def _squeeze(rows: np.ndarray) -> np.ndarray:
    """A one-dimensional array if there is one column."""
    return rows[:, 0] if rows.shape[1] == 1 else rows
