"""`multiloop outputs`: the quantities that a mechanism has, with their units."""

from __future__ import annotations

import typer

from multiloop.cli.arguments import MechanismFile, SetOption, read_mechanism
from multiloop.cli.reporting import show_progress


def outputs(file: MechanismFile, settings: SetOption = None) -> None:
    """List the outputs of a mechanism: name, unit and meaning of every quantity.

    Markers have the outputs of bodies too, such as coupler.b.position.
    """
    mechanism = read_mechanism(file, settings)
    with show_progress("Listing …"):
        listed = mechanism.outputs()
    typer.echo(repr(listed))
