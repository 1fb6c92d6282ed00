"""Checks of integrals (user-defined state variables): names, integrands and initial values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from multiloop.model.checks.names import distinct_faults, usable_faults
from multiloop.model.checks.numbers import scalar_faults
from multiloop.model.checks.readings import reading_faults
from multiloop.model.faults import Fault

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def integral_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of names, integrands and initial values of integrals."""
    yield from distinct_faults("integral", [integral.name for integral in mechanism.integrals])
    for integral in mechanism.integrals:
        where = f"integral '{integral.name}'"
        yield from usable_faults("integral", integral.name)
        yield from reading_faults(mechanism, where, "expression", integral.of)
        yield from scalar_faults(where, "its start", integral.start)
