"""`multiloop draw`: draws the assembled mechanism."""

from __future__ import annotations

from multiloop.cli.files import MechanismFile, PictureFile, read_mechanism
from multiloop.cli.motions import Scale
from multiloop.cli.named_numbers import Guesses, Settings, Starts, guess_of, start_of
from multiloop.cli.progress import working, wrote


def draw(
    file: MechanismFile,
    out: PictureFile,
    guess: Guesses = None,
    start: Starts = None,
    settings: Settings = None,
    scale: Scale = 1.0,
) -> None:
    """Draw the mechanism at its assembled pose, drives at t = 0."""
    wished, held = guess_of(guess), start_of(start)
    mechanism = read_mechanism(file, settings)
    with working("Drawing …"):
        mechanism.draw(start=held or None, guess=wished, path=out, scale=scale)
    wrote(out)
