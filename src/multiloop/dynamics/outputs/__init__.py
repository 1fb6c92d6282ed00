"""Outputs of a mechanism at one instant: the definition of every quantity, energies, and loads on flexible links."""

from multiloop.dynamics.outputs.body_outputs import ELASTIC
from multiloop.dynamics.outputs.energy import (
    HEAT,
    LOST,
    SUPPLIED,
    EnergyItem,
    dissipated_power,
    energy_items,
    kinetic_energy,
    links_stiffness,
    potential_energy,
)
from multiloop.dynamics.outputs.entries import at_solution, determined_entry, output_entry, state_entry
from multiloop.dynamics.outputs.output import AXES, WHOLE, Output, OutputSource
from multiloop.dynamics.outputs.output_list import (
    SOURCES,
    find_output,
    is_built_in,
    outputs_of_mechanism,
    register_outputs,
    traced_outputs,
)
from multiloop.dynamics.outputs.reaction_functions import ReactionFunctions, reaction_functions_of
from multiloop.dynamics.outputs.recorded_outputs import (
    RecordedOutputs,
    input_columns,
    recorded_outputs_of,
    shaped,
)
from multiloop.dynamics.outputs.section_loads import section_loads_of
from multiloop.dynamics.outputs.traced_instant import TracedInstant, traced_instant_of

__all__ = [
    "AXES",
    "ELASTIC",
    "HEAT",
    "LOST",
    "SOURCES",
    "SUPPLIED",
    "WHOLE",
    "EnergyItem",
    "Output",
    "OutputSource",
    "ReactionFunctions",
    "RecordedOutputs",
    "TracedInstant",
    "at_solution",
    "determined_entry",
    "dissipated_power",
    "energy_items",
    "find_output",
    "input_columns",
    "is_built_in",
    "kinetic_energy",
    "links_stiffness",
    "output_entry",
    "outputs_of_mechanism",
    "potential_energy",
    "reaction_functions_of",
    "recorded_outputs_of",
    "register_outputs",
    "section_loads_of",
    "shaped",
    "state_entry",
    "traced_instant_of",
    "traced_outputs",
]
