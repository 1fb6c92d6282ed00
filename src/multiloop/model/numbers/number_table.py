"""The numbers of a description by path, as a mapping that prints as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from html import escape

from multiloop.model.faults import Fault, ModelError, name_text, printable

Place = tuple[str | int, ...]
"""Names of fields, and indices of tuples, that lead from a mechanism to a number."""

MOST_SUGGESTIONS = 3
"""Largest number of known paths that an error suggests for an unknown one."""

SIMILAR = 0.7
"""Similarity (0 to 1) above which a known path is suggested for an unknown one."""


@dataclass(frozen=True)
class DescribedNumber:
    """One number of a description.

    `path` is its address, `value` its value in SI units for the described parameters (None if it varies with time or
    state), `unit` its SI unit; where several are possible, they are joined by "or". `expression` is the text of the
    expression that describes the number, empty for a plain number. `refusal` is the reason why the number cannot become
    a parameter, empty if it can. `quantities` are the possible physical quantities, None if any is possible, and
    `places` the fields of the description that contain the number.
    """

    path: str
    value: float | None
    unit: str = ""
    expression: str = ""
    refusal: str = ""
    quantities: tuple[str, ...] | None = field(default=None, repr=False)
    places: tuple[Place, ...] = field(default=(), repr=False)

    @property
    def can_vary(self) -> bool:
        """Whether the number can become a parameter."""
        return not self.refusal

    @property
    def value_text(self) -> str:
        """The value with six digits; the expression of a number that varies with time or state."""
        return self.expression if self.value is None else f"{self.value:.6g}"

    @property
    def note(self) -> str:
        """The expression of the number if its value is shown, or the reason why it cannot become a parameter."""
        shown = self.expression if self.value is not None else ""
        return "; ".join(part for part in (shown, self.refusal) if part)


class NumberTable(Mapping[str, DescribedNumber]):
    """The numbers of a mechanism, a mapping from path to `DescribedNumber`; its text is a table."""

    def __init__(self, mechanism: str, numbers: Mapping[str, DescribedNumber]) -> None:
        self.mechanism = mechanism
        self._numbers = dict(numbers)

    def __getitem__(self, path: str) -> DescribedNumber:
        if path not in self._numbers:
            raise unknown_numbers(self, [path])
        return self._numbers[path]

    def __contains__(self, path: object) -> bool:
        return path in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def matching(self, text: str) -> NumberTable:
        """The numbers whose path contains `text`: `mechanism.numbers().matching("crank")`."""
        return NumberTable(self.mechanism, {path: one for path, one in self._numbers.items() if text in path})

    @property
    def variable(self) -> NumberTable:
        """The numbers that can become parameters."""
        return NumberTable(self.mechanism, {path: one for path, one in self._numbers.items() if one.can_vary})

    def __repr__(self) -> str:
        rows = [("path", "value", "unit", "remark"), *self._rows()]
        widths = [max(len(row[k]) for row in rows) for k in range(3)]
        lines = [
            f"{path:<{widths[0]}}  {value:>{widths[1]}}  {unit:<{widths[2]}}  {note}".rstrip()
            for path, value, unit, note in rows
        ]
        return "\n".join([f"{len(self)} numbers of '{name_text(self.mechanism)}':", *lines])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in self._rows()
        )
        head = "<tr><th>path</th><th>value</th><th>unit</th><th>remark</th></tr>"
        return f"<table>{head}{rows}</table>"

    def _rows(self) -> list[tuple[str, str, str, str]]:
        return [
            (printable(one.path), printable(one.value_text), one.unit, printable(one.note))
            for one in self._numbers.values()
        ]


def unknown_numbers(table: NumberTable, paths: list[str]) -> ModelError:
    """The error for paths that the description does not have, each with the most similar paths."""
    return ModelError(f"mechanism '{table.mechanism}'", [_unknown_number(table, path) for path in paths])


def _unknown_number(table: NumberTable, path: str) -> Fault:
    name = name_text(path)
    close = get_close_matches(name, list(table), n=MOST_SUGGESTIONS, cutoff=SIMILAR)
    if close:
        listed = [f"'{one}'" for one in close]
        remedy = (
            f"Did you mean {' or '.join([', '.join(listed[:-1]), listed[-1]] if listed[1:] else listed)}?"
        )
    else:
        same = [one for one in table if one.startswith(f"{name.partition('.')[0]}.")][:12]
        remedy = f"Available: {', '.join(same)}." if same else "`mechanism.numbers()` lists all numbers."
    return Fault("M07", f"number '{name}'", "does not exist in the mechanism.", remedy)
