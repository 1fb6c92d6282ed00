"""The outputs of a mechanism as a table of names, units and meanings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from multiloop.dynamics.outputs import Output, outputs_of_mechanism
from multiloop.kinematics import equations_of
from multiloop.model import Mechanism, UnknownNameError, suggestion
from multiloop.topology import tree_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class ListedOutput:
    """An output as listed: its name, the names of its entries ("" for a scalar), its unit and its meaning.

    `unit` contains all units that occur among the entries, separated by commas.
    """

    name: str
    entries: tuple[str, ...]
    unit: str
    meaning: str


@dataclass(frozen=True, repr=False)
class OutputTable(Mapping[str, ListedOutput]):
    """The outputs of a mechanism by name; printed, it is a table of names, units and meanings."""

    mechanism: str
    listed: tuple[ListedOutput, ...]

    def __getitem__(self, name: str) -> ListedOutput:
        found = next((one for one in self.listed if one.name == name), None)
        if found is None:
            raise UnknownNameError(self.mechanism, "output", name, suggestion(name, list(self)))
        return found

    def __iter__(self) -> Iterator[str]:
        return (one.name for one in self.listed)

    def __len__(self) -> int:
        return len(self.listed)

    def to_table(self) -> pd.DataFrame:
        """The outputs as a pandas DataFrame with one row per output."""
        import pandas as pd

        rows = [(one.name, " ".join(one.entries), one.unit, one.meaning) for one in self.listed]
        return pd.DataFrame(rows, columns=["output", "entries", "unit", "meaning"]).set_index("output")

    def __repr__(self) -> str:
        names = [_name_text(one) for one in self.listed]
        widths = max(map(len, names), default=0), max((len(one.unit) for one in self.listed), default=0)
        rows = [
            f"{name:{widths[0]}}  {one.unit:{widths[1]}}  {one.meaning}"
            for name, one in zip(names, self.listed, strict=True)
        ]
        return "\n".join([f"Outputs of '{self.mechanism}':", *rows])

    def _repr_html_(self) -> str:
        cells = [(_name_text(one), one.unit, one.meaning) for one in self.listed]
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in cells
        )
        return f"<table><tr><th>output</th><th>unit</th><th>meaning</th></tr>{rows}</table>"


def _name_text(one: ListedOutput) -> str:
    return f"{one.name}.{{{','.join(one.entries)}}}" if one.entries else one.name


def list_outputs(mechanism: Mechanism) -> Mapping[str, Any]:
    """The outputs of all joints, loads, couplings and bodies, and of the whole mechanism.

    Markers have the outputs of body frames, "coupler.b.position" for example; they are not listed.
    """
    equations = equations_of(mechanism, tree_of(mechanism))
    return OutputTable(mechanism.name, tuple(map(_listed, outputs_of_mechanism(equations).values())))


def _listed(output: Output) -> ListedOutput:
    units = ", ".join(dict.fromkeys(output.units))
    return ListedOutput(output.name, output.components, "" if units == "1" else units, output.description)
