"""`multiloop schema`: a JSON Schema of mechanism files, for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from multiloop.cli.arguments import require_suffix
from multiloop.cli.reporting import report_written


def schema(
    out: Annotated[
        Path | None,
        typer.Argument(
            metavar="OUT.json",
            help="The file to write; without it, the schema is printed.",
            callback=require_suffix(".json"),
            show_default=False,
        ),
    ] = None,
) -> None:
    """Write a JSON Schema of mechanism files.

    Editors that support JSON Schema complete and check a mechanism file as you write it: begin a YAML file with
    the line `# yaml-language-server: $schema=OUT.json`.
    """
    from multiloop.io.atomic_file import atomic_file
    from multiloop.io.schema import model_schema

    text = json.dumps(model_schema(), indent=1, ensure_ascii=False)
    if out is None:
        typer.echo(text)
        return
    with atomic_file(out) as file:
        file.write_text(text + "\n", encoding="utf-8")
    report_written(out)
