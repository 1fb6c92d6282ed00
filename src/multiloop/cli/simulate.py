"""`multiloop simulate`: forward dynamics, which computes the free or driven motion of a mechanism over time."""

from __future__ import annotations

from typing import Annotated

import typer

from multiloop.cli.arguments import (
    GuessOption,
    MechanismFile,
    RatesOption,
    SetOption,
    StartOption,
    parse_guess,
    parse_rates,
    parse_start,
    read_mechanism,
)
from multiloop.cli.failures import warn_renamed_option
from multiloop.cli.motion_options import UntilOption, end_of_motion, require_span
from multiloop.cli.reporting import (
    CsvOption,
    PlotOption,
    SaveOption,
    print_extremes,
    show_progress,
    write_outputs,
)


def simulate(
    file: MechanismFile,
    until: UntilOption = None,
    start: StartOption = None,
    rates: RatesOption = None,
    guess: GuessOption = None,
    settings: SetOption = None,
    samples: Annotated[int, typer.Option(metavar="N", min=2, help="Number of instants to record.")] = 501,
    outputs: Annotated[int | None, typer.Option("--outputs", min=2, hidden=True)] = None,
    method: Annotated[str, typer.Option(metavar="NAME", help="The method of forward dynamics.")] = "sslm",
    integrator: Annotated[
        str,
        typer.Option(metavar="NAME", help="Integration method: dop853, rk45, rk4, implicit, imex or gear."),
    ] = "dop853",
    step: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Step size of rk4.", show_default=False)
    ] = None,
    rtol: Annotated[float, typer.Option(metavar="NUMBER", help="Relative tolerance.")] = 1e-10,
    plot: PlotOption = None,
    csv: CsvOption = None,
    save: SaveOption = None,
) -> None:
    """Simulate the mechanism, and print its final state.

    Also prints the largest joint loads, deflections of flexible bodies, impacts, and the error of the energy balance.
    A mechanism without drives needs --until.
    """
    require_span(until, None)
    if outputs is not None:
        samples = outputs
        warn_renamed_option("--outputs", "--samples")
    wished, held, moving = parse_guess(guess), parse_start(start), parse_rates(rates)
    mechanism = read_mechanism(file, settings)
    end = end_of_motion(mechanism, until)
    with show_progress(f"Simulating {end:g} s …"):
        from multiloop.analyses import simulate as run

        result = run(
            mechanism,
            until=end,
            start=held,
            rates=moving,
            guess=wished,
            samples=samples,
            method=method,
            integrator=integrator,
            step=step,
            rtol=rtol,
            progress=False,
        )
    print_extremes(result)
    typer.echo()
    for link in result.links.values():
        typer.echo(repr(link))
    if result.impacts:
        from multiloop.analyses.results.histories import hardest_impact

        typer.echo(hardest_impact(result.impacts))
    typer.echo(f"At the end: {result.final!r}")
    typer.echo(f"Error of the energy balance: {result.energy_drift:.1e} of the peak kinetic energy.")
    write_outputs(result, plot, csv, save)
