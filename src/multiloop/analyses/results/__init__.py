"""Results of analyses, accessed by the names in the description of the mechanism.

The package contains states, time histories, energies, largest values, tables and warnings.
"""

from multiloop.analyses.results.effort_limits import (
    at_limit_warnings,
    described_limits,
    effort_name,
    over_limit_warning,
    over_limit_warnings,
)
from multiloop.analyses.results.extremes import ROUND_OFF, headline_of, joints_with_moments, noise_floor
from multiloop.analyses.results.friction_warnings import (
    equilibrium_friction_warnings,
    penetration_warnings,
    penetrations,
    rest_friction_warnings,
    smooth_friction_warnings,
    stiction_limit_warnings,
)
from multiloop.analyses.results.histories import ContactHistory
from multiloop.analyses.results.history_warnings import (
    separation_warning,
    undetermined_note,
    warnings_of_histories,
)
from multiloop.analyses.results.marker_motion import marker_frame, marker_position
from multiloop.analyses.results.output_curves import OutputCurve, output_curves, outputs_of_result
from multiloop.analyses.results.quantities import Deviation
from multiloop.analyses.results.recorder import Recorder
from multiloop.analyses.results.result import Result
from multiloop.analyses.results.result_warnings import (
    INTERRUPTED_CODE,
    REPORTED_PART,
    InstantSolution,
    RoundOffEstimate,
    energy_warnings,
    guess_warnings,
    interruption_warning,
    repetition_warnings,
    round_off_warnings,
    with_warnings,
)
from multiloop.analyses.results.state import MOST_NAMED, JointState, State, initial_state_values

__all__ = [
    "INTERRUPTED_CODE",
    "MOST_NAMED",
    "REPORTED_PART",
    "ROUND_OFF",
    "ContactHistory",
    "Deviation",
    "InstantSolution",
    "JointState",
    "OutputCurve",
    "Recorder",
    "Result",
    "RoundOffEstimate",
    "State",
    "at_limit_warnings",
    "described_limits",
    "effort_name",
    "energy_warnings",
    "equilibrium_friction_warnings",
    "guess_warnings",
    "headline_of",
    "initial_state_values",
    "interruption_warning",
    "joints_with_moments",
    "marker_frame",
    "marker_position",
    "noise_floor",
    "output_curves",
    "outputs_of_result",
    "over_limit_warning",
    "over_limit_warnings",
    "penetration_warnings",
    "penetrations",
    "repetition_warnings",
    "rest_friction_warnings",
    "round_off_warnings",
    "separation_warning",
    "smooth_friction_warnings",
    "stiction_limit_warnings",
    "undetermined_note",
    "warnings_of_histories",
    "with_warnings",
]
