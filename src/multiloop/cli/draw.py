"""`multiloop draw`: draws a mechanism in its assembled configuration."""

from __future__ import annotations

from multiloop.cli.arguments import (
    GuessOption,
    MechanismFile,
    PictureFile,
    SetOption,
    StartOption,
    parse_guess,
    parse_start,
    read_mechanism,
)
from multiloop.cli.motion_options import ScaleOption
from multiloop.cli.reporting import report_written, show_progress


def draw(
    file: MechanismFile,
    out: PictureFile,
    guess: GuessOption = None,
    start: StartOption = None,
    settings: SetOption = None,
    scale: ScaleOption = 1.0,
) -> None:
    """Draw the assembled mechanism, with its drives at t = 0."""
    wished, held = parse_guess(guess), parse_start(start)
    mechanism = read_mechanism(file, settings)
    with show_progress("Drawing …"):
        mechanism.draw(start=held or None, guess=wished, path=out, scale=scale)
    report_written(out)
