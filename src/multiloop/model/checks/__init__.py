"""Everything that can be wrong with a description, found before anything is computed, all at once.

Each check takes the mechanism and yields faults; a new check is one function in a list below. The codes:

    M01 a name or parameter stands twice      M07 an expression where none may stand   T01 joint to itself
    M02 a name that cannot be used            M08 the point of an inertia              T02 unknown body
    M03 mass                                  M09 axes that are none                   T03 unknown marker
    M04 inertia                               M10 the ground                           T04 not connected
    M05 not a finite number                   M11 guess
    M06 wrong dimension or count              M12 wrong kind of thing
    M14 modes of an elastic body              M13 length, radius
    M15 beam: material, section, modes        M16 solid: mesh, faces, material, modes

    D01 moves nothing    D02 moved twice    D03 component    D04 depends on the state
    D05 no joint to act on    D06 limit    D07 reads what is not there    D08 rotor, gearbox

    L01 acts on nothing that moves    L02 spring of a body with itself    L03 frame    L04 count of components
    L05 changes as the mechanism moves    L06 sign of a stiffness, a damping or a length    L07 does nothing
    L08 friction that lacks a number, or has one too many    L09 play of what it may not read
    P01 a relation that ties nothing    P02 reads what is not there    P03 reads a quaternion    P04 reads rates
    P05 a wheel that is the ground
    P20 no outline of a cam, or two    P21 follower    P22 reads more than the cam angle    P23 does not close
    P24 cannot roll    P25 offset    P26 undercut    P27 pressure angle    P28 pivot and arm
    P01 a relation that ties nothing    P02 reads what is not there    P03 reads a quaternion
    P04 what a relation cannot hold    P05 a wheel that is the ground
    G01 no bearing    G02 no carrier    G03 several carriers    G04 teeth, radii, lead    G05 angle    G06 axes
    G07 sizes    G08 distance    G09 bends    G10 pretension, friction
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from multiloop.model.brief import brief
from multiloop.model.checks.bodies import body_faults
from multiloop.model.checks.drives import actuator_faults, drive_faults
from multiloop.model.checks.guess import guess_faults
from multiloop.model.checks.integrals import integral_faults
from multiloop.model.checks.joints import connection_faults, ground_faults, joint_faults
from multiloop.model.checks.kinds import sorted_out
from multiloop.model.checks.loads import load_faults
from multiloop.model.checks.markers import marker_faults
from multiloop.model.checks.names import name_faults
from multiloop.model.checks.numbers import gravity_faults, parameter_faults
from multiloop.model.checks.pairs import pair_faults
from multiloop.model.faults import Fault, first_faults

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

OF_EACH = (name_faults, parameter_faults, gravity_faults, body_faults, marker_faults)
"""Checks of things by themselves."""

BETWEEN = (
    ground_faults,
    joint_faults,
    pair_faults,
    connection_faults,
    drive_faults,
    actuator_faults,
    integral_faults,
    load_faults,
    guess_faults,
)
"""Checks of what refers to bodies and joints; left out while one of these is of the wrong kind."""

CHECKS = (*OF_EACH, *BETWEEN)


def faults_of(mechanism: Mechanism) -> list[Fault]:
    """The faults of a mechanism in the order of the checks, each once; a hundred are enough."""
    if not isinstance(mechanism.planar, bool):  # then nothing has a dimension to be checked against
        return [Fault("M12", "planar", f"is {brief(mechanism.planar)}.", "Give True or False.")]
    sound, faults = sorted_out(mechanism)
    whole = all(getattr(sound, part) is getattr(mechanism, part) for part in ("bodies", "joints", "pairs"))
    checks = CHECKS if whole else OF_EACH
    return first_faults(chain(faults, *(check(sound) for check in checks)))


__all__ = ["CHECKS", "faults_of"]
