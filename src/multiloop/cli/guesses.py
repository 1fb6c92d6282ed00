"""Which of its closures is a mechanism assembled in: the option `--guess` of the commands that assemble it."""

from __future__ import annotations

from typing import Annotated

import typer

Guesses = Annotated[
    list[str] | None,
    typer.Option(
        "--guess",
        metavar="NAME=N,N",
        help="Rough values for a joint, body or marker, instead of the file's guess; may be repeated. "
        "The word none leaves a value open.",
        show_default=False,
    ),
]

Guess = dict[str, tuple[float | None, ...]]


def guess_of(entries: list[str] | None) -> Guess | None:
    """The guess that the options say, by name; None where there are none, so that the file's own holds."""
    if not entries:
        return None
    guess: Guess = {}
    for entry in entries:
        name, _, numbers = entry.rpartition("=")
        name = name.strip()
        if not name:
            raise _refused(f"'{entry}' is no guess")
        if name in guess:
            raise _refused(f"'{name}' is guessed twice")
        guess[name] = tuple(_number(entry, number.strip()) for number in numbers.split(","))
    return guess


def _number(entry: str, text: str) -> float | None:
    if text.lower() == "none":
        return None
    try:
        return float(text)
    except ValueError:
        raise _refused(f"'{text}' in '{entry}' is no number") from None


def _refused(what: str) -> typer.BadParameter:
    return typer.BadParameter(f"{what}; write e.g. coupler.b=0.8,0.7.", param_hint="'--guess'")
