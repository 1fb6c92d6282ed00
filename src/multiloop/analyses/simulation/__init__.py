"""Simulation: forward dynamics integrated over time, compiled or interpreted, for one design or for many."""

from multiloop.analyses.simulation.bdf_run import BdfRun
from multiloop.analyses.simulation.compiled_run import CompiledRun
from multiloop.analyses.simulation.controlled_mechanism import ControlledMechanism, sampled_run
from multiloop.analyses.simulation.interpreted_run import InterpretedRun
from multiloop.analyses.simulation.run_options import (
    RunOptions,
    delay_in_samples,
    require_continuous_drives,
    require_usable_efforts,
    run_instants,
    sampling_times,
    select_instants,
    stopping_events,
)
from multiloop.analyses.simulation.runs import Runs

__all__ = [
    "BdfRun",
    "CompiledRun",
    "ControlledMechanism",
    "InterpretedRun",
    "RunOptions",
    "Runs",
    "delay_in_samples",
    "require_continuous_drives",
    "require_usable_efforts",
    "run_instants",
    "sampled_run",
    "sampling_times",
    "select_instants",
    "stopping_events",
]
