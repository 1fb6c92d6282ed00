"""`multiloop examples`: lists the example mechanisms, or runs one and prints its result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from multiloop.cli.arguments import MECHANISM_SUFFIXES, require_suffix
from multiloop.cli.reporting import report_written, show_progress
from multiloop.dependencies import install_command


def examples(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="The example to run; without it, all are listed.", show_default=False
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT.yaml",
            help="Also write its mechanism to this file.",
            callback=require_suffix(*MECHANISM_SUFFIXES),
            show_default=False,
        ),
    ] = None,
) -> None:
    """List the examples, or run one and print its result."""
    from multiloop import examples as gallery

    if name is None:
        if save is not None:
            raise typer.BadParameter("give the NAME of the example to write.", param_hint="'--save'")
        names = gallery.names()
        width = max(map(len, names))
        for one in names:
            extra = gallery.extra(one)
            needs = f" (needs {install_command(extra)})" if extra else ""
            typer.echo(f"{one:<{width}}  {gallery.question(one)}{needs}")
        return
    question = gallery.question(name)
    with show_progress(f"Running {name} …"):
        result = gallery.ask(name)
        answer = gallery.answer(name, result)
    typer.echo(f"{question}\n\n{answer}\n\n{result.summary()}")
    if save is not None:
        from multiloop.io import save as written

        written(result.mechanism, save)
        report_written(save)
