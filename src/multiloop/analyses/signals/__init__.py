"""Time-dependent inputs of a mechanism: drives, known efforts, tables and controllers, traced symbolically."""

from multiloop.analyses.signals.controllers import Controller, argument_count
from multiloop.analyses.signals.effort_inputs import (
    LONGEST,
    CommandedEffort,
    Curve,
    corners,
    corners_depend_on_parameters,
    profile_corners,
)
from multiloop.analyses.signals.efforts import (
    effort_place,
    effort_sources,
    joints_in_efforts,
    require_readable,
    require_undriven,
)
from multiloop.analyses.signals.signals import (
    Pieces,
    Signals,
    TracedDrive,
    driven_signals,
    identifying_keys,
    prescribed_values,
    signal_keys,
    tree_keys,
)

__all__ = [
    "LONGEST",
    "CommandedEffort",
    "Controller",
    "Curve",
    "Pieces",
    "Signals",
    "TracedDrive",
    "argument_count",
    "corners",
    "corners_depend_on_parameters",
    "driven_signals",
    "effort_place",
    "effort_sources",
    "identifying_keys",
    "joints_in_efforts",
    "prescribed_values",
    "profile_corners",
    "require_readable",
    "require_undriven",
    "signal_keys",
    "tree_keys",
]
