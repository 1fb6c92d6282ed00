"""`multiloop draw`: what does the mechanism look like?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from multiloop.cli.files import PICTURES, MechanismFile, ending
from multiloop.cli.named_numbers import Guesses, guess_of
from multiloop.cli.progress import working, wrote


def draw(
    file: MechanismFile,
    out: Annotated[
        Path,
        typer.Argument(
            metavar="OUT.png",
            help=f"The picture: {', '.join(PICTURES)}.",
            callback=ending(*PICTURES),
            show_default=False,
        ),
    ],
    guess: Guesses = None,
) -> None:
    """Draw the mechanism at its assembled pose, drives at t = 0."""
    wished = guess_of(guess)
    from multiloop.io import load

    mechanism = load(file)
    with working("Drawing …"):
        mechanism.draw(guess=wished, path=out)
    wrote(out)
