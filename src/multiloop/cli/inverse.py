"""`multiloop inverse`: inverse dynamics, the efforts of drives and the joint reactions over the motion."""

from __future__ import annotations

from typing import Annotated

import typer

from multiloop.cli.files import MechanismFile
from multiloop.cli.leaving import Plotted, Saved, Tabled, leave, print_extremes
from multiloop.cli.motions import Instants, Turns, Until, driven
from multiloop.cli.named_numbers import Guesses, Rates, Settings, Starts


def inverse(
    file: MechanismFile,
    cycle: Instants = 361,
    turns: Turns = None,
    until: Until = None,
    guess: Guesses = None,
    start: Starts = None,
    rates: Rates = None,
    settings: Settings = None,
    elastic: Annotated[
        str | None,
        typer.Option(
            metavar="stable",
            help="Links bend: find the motion that stays bounded, from rest to rest or over a cycle.",
            show_default=False,
        ),
    ] = None,
    plot: Plotted = None,
    csv: Tabled = None,
    save: Saved = None,
) -> None:
    """Print the largest efforts and joint loads over the motion."""
    result = driven(file, cycle, turns, until, guess, start, rates, elastic, settings)
    print_extremes(result)
    leave(result, plot, csv, save)
