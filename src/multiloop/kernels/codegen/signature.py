"""The arrays that a kernel takes and returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Array:
    """One input or output: its name and shape; entries are stored column by column."""

    name: str
    rows: int
    columns: int

    @property
    def size(self) -> int:
        """Number of entries."""
        return self.rows * self.columns


@dataclass(frozen=True)
class Signature:
    """A kernel's name, its inputs and its outputs.

    There are three functions in C: `NAME(const double *q, …, double *out_a, …)` computes one instance,
    `NAME_at(double **)` the same with all addresses in one array, and `NAME_batch` many instances.
    """

    name: str
    inputs: tuple[Array, ...]
    outputs: tuple[Array, ...]

    @property
    def symbol(self) -> str:
        """Name in C, with a prefix that avoids reserved words."""
        return f"ml_{self.name}"

    @property
    def arguments(self) -> str:
        """The parameter list in C."""
        taken = [f"const double *restrict {array.name}" for array in self.inputs]
        given = [f"double *restrict out_{array.name}" for array in self.outputs]
        return ", ".join([*taken, *given])

    @property
    def call_arguments(self) -> str:
        """The argument list of a call in C."""
        return ", ".join([*(a.name for a in self.inputs), *(f"out_{a.name}" for a in self.outputs)])

    def to_data(self) -> dict[str, object]:
        """The signature as plain data for a file."""
        return {
            "name": self.name,
            "inputs": [[a.name, a.rows, a.columns] for a in self.inputs],
            "outputs": [[a.name, a.rows, a.columns] for a in self.outputs],
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Signature:
        """The signature from the data of `to_data`."""
        inputs = tuple(Array(*row) for row in data["inputs"])
        return cls(data["name"], inputs, tuple(Array(*row) for row in data["outputs"]))
