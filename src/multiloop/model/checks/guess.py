"""Checks of the initial guess: names and numbers of values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from multiloop.model.addresses import asked_faults, degree_faults, slots_by_name
from multiloop.model.faults import Fault

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def guess_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of the guess in a description, checked like a guess given to a function."""
    known = slots_by_name(mechanism) if mechanism.guess else {}
    asked = [
        fault for name, numbers in mechanism.guess for fault in asked_faults(known, "guess", name, numbers)
    ]
    for fault in asked or degree_faults(mechanism, "guess", mechanism.guess):
        yield replace(fault, code="M11")
