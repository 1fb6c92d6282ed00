"""Quantities computed from a known motion: energies, outputs at an instant, and loads on flexible links."""

from multiloop.dynamics.outputs.energy import (
    LOST,
    SUPPLIED,
    EnergyItem,
    dissipated_power,
    energy_items,
    kinetic_energy,
    links_stiffness,
    potential_energy,
)
from multiloop.dynamics.outputs.readouts import Readouts, readouts_of
from multiloop.dynamics.outputs.section_loads import section_loads_of

__all__ = [
    "LOST",
    "SUPPLIED",
    "EnergyItem",
    "Readouts",
    "dissipated_power",
    "energy_items",
    "kinetic_energy",
    "links_stiffness",
    "potential_energy",
    "readouts_of",
    "section_loads_of",
]
