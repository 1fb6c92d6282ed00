"""A mechanism 16⁵ times as large, as heavy or as slow has the same results: no threshold is an absolute number.

Lengths, masses and times are multiplied by powers of 16, which floating-point numbers represent without round-off. If
every operation is homogeneous, results are equal to the last bit, and so are all sequences of impacts, events, modes
and steps.
"""

from __future__ import annotations

from functools import cache

import pytest
from laws.scaled_machines import MACHINES, Answers, differences
from laws.units import Units

FAR = 16.0**5
"""Some million."""

SCALES = {
    "longer": Units(m=FAR),
    "shorter": Units(m=1 / FAR),
    "heavier": Units(kg=FAR),
    "lighter": Units(kg=1 / FAR),
    "slower": Units(s=FAR),
    "faster": Units(s=1 / FAR),
}

WITHIN = {
    "thrown_ball": 1e-100,  # √(v² + 1e-300) of what does not slide
    "bending_four_bar": 1e-12,  # eigenvectors are normalised by sums over several units
    "platform_in_space": 1e-12,  # assembled by least squares over lengths and angles
}
"""For results that are not equal to the last bit, their allowed difference relative to the largest value."""


@cache
def known(machine: str) -> Answers:
    return MACHINES[machine](Units())


def check(machine: str, units: Units) -> None:
    found = MACHINES[machine](units)
    assert not list(differences(found, known(machine), WITHIN.get(machine, 0.0)))


@pytest.mark.parametrize(
    "machine", ["bouncing_weight", "stick_and_slip", "ratchet", "falling_arm", "coasting_wheel"]
)
def test_a_machine_of_any_size_mass_and_pace_moves_alike(machine: str) -> None:
    check(machine, Units(m=FAR, kg=1 / FAR, s=FAR))


@pytest.mark.slow
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("machine", MACHINES)
def test_units_of_length_mass_and_time_change_nothing(machine: str, scale: str) -> None:
    check(machine, SCALES[scale])


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_nor_do_all_of_them_together(machine: str) -> None:
    check(machine, Units(m=1 / FAR, kg=FAR, s=1 / FAR))
