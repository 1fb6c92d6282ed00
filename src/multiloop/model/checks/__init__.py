"""Everything that can be wrong with a description, found before anything is computed, all at once.

Each check takes the mechanism and yields faults; a new check is one function in the list below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from multiloop.model.checks.bodies import body_faults
from multiloop.model.checks.drives import actuator_faults, drive_faults
from multiloop.model.checks.joints import connection_faults, joint_faults
from multiloop.model.checks.markers import marker_faults
from multiloop.model.checks.names import guess_faults, name_faults
from multiloop.model.checks.numbers import gravity_faults, parameter_faults
from multiloop.model.faults import Fault

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

CHECKS = (
    name_faults,
    parameter_faults,
    gravity_faults,
    body_faults,
    marker_faults,
    joint_faults,
    connection_faults,
    drive_faults,
    actuator_faults,
    guess_faults,
)


def faults_of(mechanism: Mechanism) -> list[Fault]:
    """All faults of a mechanism in the order of the checks."""
    return [fault for check in CHECKS for fault in check(mechanism)]


__all__ = ["CHECKS", "faults_of"]
