"""Time histories of joints, contacts, couplings, loads, impacts and flexible links.

`solid_history` is imported where it is first needed, because it requires SciPy.
"""

from multiloop.analyses.results.histories.beam_history import BeamHistory, KnownTruncation, link_histories
from multiloop.analyses.results.histories.coupling_history import CouplingHistory, coupling_histories
from multiloop.analyses.results.histories.impact import Impact, JointImpulse, hardest_impact
from multiloop.analyses.results.histories.joint_history import (
    ContactHistory,
    JointHistory,
    StrutHistory,
    pressure_angles,
    struts_of,
)
from multiloop.analyses.results.histories.link_history import (
    LinkHistory,
    Truncation,
    elastic_coordinates,
    relative_deflection,
)
from multiloop.analyses.results.histories.load_history import LoadHistory, load_histories
from multiloop.analyses.results.histories.shared_forces import SharedForces, SharedParts, no_sharing

__all__ = [
    "BeamHistory",
    "ContactHistory",
    "CouplingHistory",
    "Impact",
    "JointHistory",
    "JointImpulse",
    "KnownTruncation",
    "LinkHistory",
    "LoadHistory",
    "SharedForces",
    "SharedParts",
    "StrutHistory",
    "Truncation",
    "coupling_histories",
    "elastic_coordinates",
    "hardest_impact",
    "link_histories",
    "load_histories",
    "no_sharing",
    "pressure_angles",
    "relative_deflection",
    "struts_of",
]
