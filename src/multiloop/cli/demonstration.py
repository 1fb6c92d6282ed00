"""Demonstration of a gallery example: prints plan, results and checks, and writes a picture and a mechanism file."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import typer

from multiloop.cli.reporting import report_written
from multiloop.io import save
from multiloop.io.atomic_file import atomic_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from multiloop.analyses import Result
    from multiloop.model import Mechanism

Expected = Mapping[str, tuple[float, float, str]]
"""Type of known results of an example, by name: value, tolerance and unit."""

OUTPUT_FOLDER = Path("build") / "demo"


def demonstrate(
    name: str,
    mechanism: Mechanism,
    *,
    solve: Callable[[], Result],
    results: Callable[[], Mapping[str, float]],
    expected: Expected,
    figure: Callable[[], Figure],
    answer: Callable[[], str],
) -> None:
    """Explain and solve the mechanism, print and check results; write a picture and a mechanism file to build/demo.

    The functions compute the solution (`solve`), the numbers to be compared with `expected` (`results`), the picture
    (`figure`) and a sentence that answers the question of the example (`answer`).
    """
    from multiloop.plan import analyse

    typer.echo(f"{analyse(mechanism).explain()}\n")
    typer.echo("Solving … ", nl=False)
    began = monotonic()
    result = solve()
    typer.echo(f"{len(result.time)} instants in {monotonic() - began:.1f} s.\n")
    typer.echo(f"{result.extremes()}\n")
    typer.echo(f"{answer()}\n")
    for line in compare_results(results(), expected):
        typer.echo(line)
    OUTPUT_FOLDER.mkdir(parents=True, exist_ok=True)
    picture, description = OUTPUT_FOLDER / f"{name}.png", OUTPUT_FOLDER / f"{name}.yaml"
    typer.echo()
    with atomic_file(picture) as file:
        figure().savefig(file, dpi=160)
    report_written(picture)
    save(mechanism, description)
    report_written(description)
    program = _program()
    typer.echo("\nNow try:")
    typer.echo(f"  {program} explain {description} --draw {OUTPUT_FOLDER / f'{name}_plan.png'}")
    if mechanism.drives:
        typer.echo(
            f"  {program} inverse {description} --until {result.time[-1]:g} --plot "
            f"{OUTPUT_FOLDER / f'{name}_loads.png'}"
        )


def compare_results(found: Mapping[str, float], expected: Expected) -> list[str]:
    """One line of text for every known result: the value in `found`, that in `expected`, and whether they agree."""
    lines = []
    for name, (known, tolerance, unit) in expected.items():
        verdict = "agrees" if abs(found[name] - known) <= tolerance else "DIFFERS"
        lines.append(f"Check, {name}: {found[name]:.6g} {unit}, known {known:g} {unit}: {verdict}.")
    return lines


def _program() -> str:
    """Command that runs multiloop: its name, or its path if the name is not on the search path of the shell."""
    beside = Path(sys.executable).parent / "multiloop"
    if shutil.which("multiloop") or not beside.exists():
        return "multiloop"
    return os.path.relpath(beside)
