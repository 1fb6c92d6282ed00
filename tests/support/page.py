"""The tables of supported combinations as a page of the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.cells import AT_ONCE, COLUMNS, GIVEN_BACK, IN_THE_END, INVERSE, METHODS, UNTIL, Cell
from support.functions import FUNCTIONS
from support.items import ITEMS

PAGE = Path(__file__).parents[2] / "docs" / "support.md"

HEAD = f"""# Supported combinations

This page states which method and integrator supports which constraint, load, control law and flexible body.
Every cell was tested with a small mechanism that contains the item, for every method with every integrator.
`ok` means that the motion agrees with the reference (method `system`, `dop853`, rtol 1e-12) over
{1e3 * UNTIL:g} ms: accelerations, efforts and reactions at the beginning agree to {AT_ONCE["system"]:g} of the
largest ({AT_ONCE["augmented"]:g} for `augmented`, whose multipliers are iterated), positions and rates at the
end to {IN_THE_END:g}. A code is the code of the error that is raised, see [Error codes](messages.md); – means
not applicable.

`python -m support` (in `tests/`) writes this page; with names of items it tests only these. `make test-slow`
tests every cell, `make test` a few of them. Several items in one mechanism are tested in
`tests/laws/test_combinations.py`.
"""

REFUSED = """S08: steps of fixed length, and contact, impact and stiction, need compiled code; `gear` cannot pass
singular configurations, for which `augmented` is intended. S14: prescribed motion does not determine the elastic
coordinates; `inverse(…, elastic="stable")` computes the inverse dynamics of flexible mechanisms from rest to
rest or over a cycle, see [Inverse dynamics of flexible
mechanisms](functions.md#inverse-dynamics-of-flexible-mechanisms).
"""


FUNCTIONS_HEAD = """Each result is compared with another one: the equilibrium of `equilibrium` persists in a simulation,
the eigenvalues of `linearise` are those of `eigenmodes`, the accelerations of `compile` are those of `forward`, and a
file gives an equal mechanism. The results along a flexible body are described in [Flexible
bodies](flexible.md)."""


@dataclass(frozen=True)
class Verdicts:
    """Content of the page: for every item the cells of its forward table and of its inverse row, for links all
    functions."""

    forward: dict[str, dict[Cell, str]] = field(default_factory=dict)
    inverse: dict[str, dict[str, str]] = field(default_factory=dict)
    functions: dict[str, dict[str, str]] = field(default_factory=dict)


def text_of(found: Verdicts) -> str:
    """The page: items with equal tables are listed together, and so are methods with equal rows."""
    cells_of = ({item.name: of[item.name] for item in ITEMS} for of in (found.forward, found.inverse))
    found = Verdicts(*cells_of, found.functions)
    lines = [HEAD, "## Forward dynamics: method and integrator", ""]
    lines += [
        "The first five are compiled; `gear` is SUNDIALS CVODES with the interpreter; the others use the interpreter.",
        "",
    ]
    for names, cells in _alike(found.forward):
        lines += [f"**{'; '.join(names)}**", "", *_forward_table(cells), ""]
    lines += [REFUSED, "## Inverse dynamics", ""]
    lines += [
        f"The efforts of a forward computation are recovered from its accelerations, to {GIVEN_BACK:g} of the largest.",
        "",
        *_table(["", *INVERSE]),
        *(_row("; ".join(names), cells.values()) for names, cells in _alike(found.inverse)),
    ]
    lines += ["", "## All functions, with flexible bodies", "", FUNCTIONS_HEAD, "", *_table(["", *FUNCTIONS])]
    lines += [_row("; ".join(names), cells.values()) for names, cells in _alike(found.functions)]
    return "\n".join(lines) + "\n"


def _alike(of: Mapping[str, Mapping[Any, str]]) -> list[tuple[list[str], Mapping[Any, str]]]:
    """Names with equal cells, and these cells."""
    groups: list[tuple[list[str], Mapping[Any, str]]] = []
    for name, cells in of.items():
        same = next((names for names, other in groups if other == cells), None)
        if same is None:
            groups.append(([name], cells))
        else:
            same.append(name)
    return groups


def _forward_table(cells: Mapping[Cell, str]) -> list[str]:
    rows = {method: {column: cells[method, column] for column in COLUMNS} for method in METHODS}
    body = [_row(", ".join(names), one.values()) for names, one in _alike(rows)]
    return [*_table(["", *COLUMNS]), *body]


def _table(names: Sequence[str]) -> list[str]:
    return [_row(names[0], names[1:]), "|---|" + "---|" * (len(names) - 1)]


def _row(first: str, cells: Iterable[str]) -> str:
    return "| " + " | ".join([first, *cells]) + " |"


def written() -> Verdicts:
    """The cells of the present page."""
    found, names, heads = Verdicts(), [""], list[str]()
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("**"):
            names = line.strip("*").split("; ")
        elif line.startswith("| |") or line.startswith("|  |"):
            heads = [cell.strip() for cell in line.strip("|").split("|")][1:]
        elif line.startswith("| "):
            first, *cells = (cell.strip() for cell in line.strip("|").split("|"))
            cells_of = dict(zip(heads, cells, strict=True))
            if heads == list(FUNCTIONS):
                found.functions.update((name, cells_of) for name in first.split("; "))
            elif heads == list(COLUMNS):
                for name in names:
                    own = found.forward.setdefault(name, {})
                    own |= {(method, c): v for method in first.split(", ") for c, v in cells_of.items()}
            else:
                found.inverse.update((name, cells_of) for name in first.split("; "))
    return found
