"""Names of references and elastic coordinates, and text of counts and coordinates in messages."""

from __future__ import annotations

from collections.abc import Iterable

ETA = "eta"
"""Suffix of the elastic coordinates of a body: "coupler.eta"."""

ROUND_OFF = 1e-12
"""Numbers smaller than this, in radians or metres, are shown as zero."""


def body_of(reference: str) -> str:
    """The body of a reference "body.marker"."""
    return str(reference).partition(".")[0]


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: 1 loop, 2 loops."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def shown(values: Iterable[float], digits: int = 6) -> str:
    """Coordinates as messages show them: one number bare, several in brackets, round-off as zero."""
    numbers = [f"{0.0 if abs(value) < ROUND_OFF else float(value):.{digits}g}" for value in values]
    return numbers[0] if len(numbers) == 1 else "(" + ", ".join(numbers) + ")"


def elastic_names(count: int) -> tuple[str, ...]:
    """The names of the elastic coordinates of a body: eta1, eta2, …"""
    return tuple(f"{ETA}{k}" for k in range(1, count + 1))


def is_elastic_name(component: str) -> bool:
    """Whether a component name is that of an elastic coordinate."""
    return component.startswith(ETA)
