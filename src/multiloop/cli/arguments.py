"""Arguments of commands: files with permitted suffixes, and options with named values such as `--guess NAME=N,N`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from multiloop.model import Mechanism

PICTURE_SUFFIXES = (".png", ".pdf", ".svg", ".jpg")
DATA_SUFFIXES = (".nc",)
TABLE_SUFFIXES = (".csv",)
MECHANISM_SUFFIXES = (".yaml", ".yml", ".json")
FILM_SUFFIXES = (".html", ".gif", ".mp4")


def require_suffix(*allowed: str) -> Callable[[Path | None], Path | None]:
    """Create a callback that checks the suffix of the name of an output file, and that its folder exists."""

    def checked(path: Path | None) -> Path | None:
        if path is not None and path.suffix.lower() not in allowed:
            raise typer.BadParameter(f"'{path.name}' must end in {' or '.join(allowed)}.")
        if path is not None and not path.parent.is_dir():
            raise typer.BadParameter(f"there is no folder '{path.parent}' to write '{path.name}' into.")
        return path

    return checked


def read_mechanism(file: Path, settings: list[str] | None) -> Mechanism:
    """Read a mechanism from a file, and set the parameters and numbers given by the option `--set`.

    A name that is a parameter sets the parameter; any other name with a dot is the path of a number.
    """
    given = parse_settings(settings)
    from multiloop.io import load

    mechanism = load(file)
    if not given:
        return mechanism
    from multiloop.model.numbers import require_fitting_number_units
    from multiloop.model.parameters import require_fitting_units, single_design

    known, texts = mechanism.parameters, setting_texts(settings)
    numbers = [name for name in given if name not in known and "." in name]
    require_fitting_units(mechanism, texts)
    require_fitting_number_units(mechanism, {path: texts[path] for path in numbers})
    mechanism = mechanism.with_numbers({path: given[path] for path in numbers})
    return single_design(mechanism, {name: value for name, value in given.items() if name not in numbers})


MechanismFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="The mechanism, a .json, .yaml or .yml file.", show_default=False),
]

PictureFile = Annotated[
    Path,
    typer.Argument(
        metavar="OUT.png",
        help=f"The picture: {', '.join(PICTURE_SUFFIXES)}.",
        callback=require_suffix(*PICTURE_SUFFIXES),
        show_default=False,
    ),
]


NUMBERS_METAVAR = "NAME=N,N"

GuessOption = Annotated[
    list[str] | None,
    typer.Option(
        "--guess",
        metavar=NUMBERS_METAVAR,
        help="Approximate position of a joint, body or marker, instead of the file's guess; may be repeated. "
        "The word none leaves a value unspecified.",
        show_default=False,
    ),
]

StartOption = Annotated[
    list[str] | None,
    typer.Option(
        "--start",
        metavar=NUMBERS_METAVAR,
        help="Initial position of a joint, body or marker; may be repeated. The word relaxed starts flexible bodies in "
        "elastic equilibrium.",
        show_default=False,
    ),
]

RatesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--rates",
        metavar=NUMBERS_METAVAR,
        help="Initial rate of a joint, in rad/s or m/s; may be repeated.",
        show_default=False,
    ),
]

SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="The value of a parameter or of a number in the mechanism file, in SI units or with its unit, e.g. "
        "L2=800mm or crank.mass=1.2; may be repeated.",
        show_default=False,
    ),
]

Numbers = dict[str, tuple[float | None, ...]]

Start = dict[str, tuple[float | None, ...] | str]

RELAXED = "relaxed"
"""Value of the option `--start` with which flexible bodies start in elastic equilibrium."""


def parse_guess(entries: list[str] | None) -> Numbers | None:
    """Values given by the options `--guess`; None without such options, so that the guess in the file is used."""
    return _parse_values(entries, "guess", "coupler.b=0.8,0.7") or None


def parse_start(entries: list[str] | None) -> Start:
    """Values given by the options `--start`; the value of all flexible bodies, or of named ones, may be "relaxed"."""
    words = {name: RELAXED for name in map(_relaxed_name, entries or ()) if name}
    return {
        **_parse_values([one for one in entries or () if not _relaxed_name(one)], "start", "A=0.3"),
        **words,
    }


def _relaxed_name(entry: str) -> str:
    """Name of the elastic coordinates for which an entry of `--start` is "relaxed"; empty for any other entry."""
    name, _, word = entry.rpartition("=")
    return (name.strip() or "eta") if word.strip().lower() == RELAXED else ""


def parse_rates(entries: list[str] | None) -> Numbers:
    """Initial rates given by the options `--rates`."""
    return _parse_values(entries, "rates", "A=4.7")


def parse_settings(entries: list[str] | None) -> dict[str, float]:
    """Values of parameters given by the options `--set`, as numbers in SI units."""
    found = _parse_values(entries, "set", "L2=0.8")
    several = next((name for name, numbers in found.items() if len(numbers) != 1 or numbers[0] is None), None)
    if several is not None:
        raise _option_error(f"'{several}' needs one number", "set", "L2=0.8")
    return {name: float(numbers[0] or 0.0) for name, numbers in found.items()}


def setting_texts(entries: list[str] | None) -> dict[str, str]:
    """Values of parameters as the user has written them in the options `--set`, by name."""
    split = [entry.rpartition("=") for entry in entries or ()]
    return {name.strip(): text.strip() for name, _, text in split}


def _parse_values(entries: list[str] | None, option: str, example: str) -> Numbers:
    found: Numbers = {}
    for entry in entries or ():
        name, _, numbers = entry.rpartition("=")
        name = name.strip()
        if not name:
            raise _option_error(f"'{entry}' is not of the form NAME=N,N", option, example)
        if name in found:
            raise _option_error(f"'{name}' is given in two options instead of one", option, example)
        found[name] = tuple(_number(entry, number.strip(), option, example) for number in numbers.split(","))
    return found


def _number(entry: str, text: str, option: str, example: str) -> float | None:
    if text.lower() == "none":
        return None
    try:
        return float(text)
    except ValueError:
        from multiloop.model.expressions.units import number_with_unit

        number = number_with_unit(text)
    if number is None:
        raise _option_error(f"'{text}' in '{entry}' is not a number", option, example)
    return number


def _option_error(what: str, option: str, example: str) -> typer.BadParameter:
    return typer.BadParameter(f"{what}; write e.g. {example}.", param_hint=f"'--{option}'")
