"""Outputs: the definition of every quantity of a mechanism at one instant, with its name, unit and traced expression.

An output is a column of numbers that belongs to a joint, load, coupling, body, marker or to the whole mechanism:

    y = h(t, q, v, v̇, λ, τ, x, f, p)

q, v and v̇ are the coordinates, rates and accelerations of the spanning tree, λ the multipliers of the loop constraints,
τ the efforts of drives and actuators along the rates, x the further state variables, f the reaction-dependent forces
and p the parameter values. Its name is "owner.quantity", an entry of a column with several entries
"owner.quantity.component", for instance "C.force.x".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.spatial import Matrix

if TYPE_CHECKING:
    from multiloop.dynamics.outputs.traced_instant import TracedInstant

WHOLE = "mechanism"
"""Owner of the outputs of the whole mechanism."""

AXES = ("x", "y", "z")
"""Components of vectors in inertial axes; in the plane the first two."""


@dataclass(frozen=True, eq=False)
class Output:
    """A quantity at one instant: `owner` and `quantity` are its name, `trace` returns its column of expressions.

    `components` names the entries of the column; it is empty for a scalar. `unit` is the unit of all entries, or a
    tuple with the unit of each entry; "1" for numbers without unit. If `trace` is None, the output is computed after an
    analysis and cannot be traced: by `evaluate`, which returns one row per instant, or from the whole motion.

    `refusal` states why the quantity is not defined for its owner. Such outputs are not listed; a request for one is
    answered with an error that contains this text.

    Results contain the values of all outputs that are `recorded`; other outputs are evaluated when they are requested.
    Datasets and tables contain those that are `tabulated` as well.
    """

    owner: str
    quantity: str
    unit: str | tuple[str, ...]
    description: str
    trace: Callable[[TracedInstant], Matrix] | None
    components: tuple[str, ...] = ()
    recorded: bool = True
    tabulated: bool = True
    evaluate: Callable[[TracedInstant, Mapping[str, Any]], np.ndarray] | None = None
    refusal: str = ""

    @property
    def name(self) -> str:
        """The name "owner.quantity"."""
        return f"{self.owner}.{self.quantity}"

    @property
    def size(self) -> int:
        """Number of entries."""
        return len(self.components) or 1

    @property
    def units(self) -> tuple[str, ...]:
        """Unit of every entry."""
        return (self.unit,) * self.size if isinstance(self.unit, str) else self.unit

    @property
    def entries(self) -> tuple[str, ...]:
        """Name of every entry."""
        return tuple(f"{self.name}.{part}" for part in self.components) or (self.name,)


OutputSource = Callable[["TracedInstant"], Iterator[Output]]
"""Function that yields outputs of a mechanism, of all its joints for example."""


def refused(owner: str, quantity: str, reason: str) -> Output:
    """An output that is not defined for its owner, with the reason as a clause for messages."""
    return Output(owner, quantity, "1", "", None, recorded=False, tabulated=False, refusal=reason)
