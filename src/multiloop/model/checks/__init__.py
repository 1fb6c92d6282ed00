"""Validation of the description of a mechanism: all errors are collected before anything is computed.

Each check is a function of the mechanism that yields faults, and is listed in INDEPENDENT_CHECKS or REFERENCE_CHECKS.
Codes of the faults:

    M01 duplicate name or parameter           M07 invalid expression                   T01 joint to itself
    M02 invalid name                          M08 reference point of an inertia        T02 unknown body
    M03 mass                                  M09 invalid axes                         T03 unknown marker
    M04 inertia                               M10 ground                               T04 not connected
    M05 not a finite number                   M11 guess
    M06 wrong dimension or number of values   M12 wrong type
    M14 modes of an elastic body              M13 length, radius
    M15 beam: material, section, modes        M16 solid: mesh, faces, material, modes
    M17 flexible body of a type that is not registered
    M18 user-defined type

    D01 nothing to move    D02 prescribed twice    D03 component    D04 depends on the state
    D05 unknown joint of an actuator    D06 limit    D07 unknown variable    D08 rotor, gearbox

    L01 acts on no moving body    L02 both ends on one body    L03 frame    L04 number of components
    L05 constant expected    L06 sign of a stiffness, a damping or a length    L07 without effect
    L08 missing or superfluous value of friction    L09 invalid variable of a backlash

    P01 relation without joints    P02 unknown variable    P03 component of a quaternion
    P04 variable or rate that a relation cannot constrain    P05 wheel on the ground
    P20 no cam profile, or two    P21 follower    P22 variable other than the cam angle    P23 not closed
    P24 cannot roll    P25 offset    P26 undercut    P27 pressure angle    P28 pivot and arm

    G01 no bearing    G02 no carrier    G03 several carriers    G04 teeth, radii, lead    G05 angle    G06 axes
    G07 sizes    G08 centre distance    G09 flexible body    G10 pretension, friction
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from multiloop.model.checks.body_checks import body_faults, marker_faults
from multiloop.model.checks.drive_checks import actuator_faults, drive_faults, guess_faults, load_faults
from multiloop.model.checks.joint_checks import connection_faults, ground_faults, joint_faults
from multiloop.model.checks.pair_checks import pair_faults
from multiloop.model.checks.type_checks import name_faults, without_wrong_types
from multiloop.model.checks.value_checks import gravity_faults, integral_faults, parameter_faults
from multiloop.model.faults import Fault, first_faults, short_repr
from multiloop.model.interrupts import guard_interrupts

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

INDEPENDENT_CHECKS = (name_faults, parameter_faults, gravity_faults, body_faults, marker_faults)
"""Checks of single objects, which need no other object to be valid."""

REFERENCE_CHECKS = (
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
"""Checks of references to bodies and joints; they are omitted if a body, joint or pair has the wrong type."""

CHECKS = (*INDEPENDENT_CHECKS, *REFERENCE_CHECKS)


def faults_of(mechanism: Mechanism) -> list[Fault]:
    """The errors of a mechanism without duplicates, in the order of the checks; at most a hundred."""
    if not isinstance(mechanism.planar, bool):  # the sizes of vectors depend on `planar`
        return [Fault("M12", "planar", f"is {short_repr(mechanism.planar)}.", "Give True or False.")]
    sound, faults = without_wrong_types(mechanism)
    whole = all(getattr(sound, part) is getattr(mechanism, part) for part in ("bodies", "joints", "pairs"))
    checks = CHECKS if whole else INDEPENDENT_CHECKS
    with guard_interrupts():  # checks evaluate expressions by CasADi, which may swallow Ctrl-C
        return first_faults(chain(faults, *(check(sound) for check in checks)))


__all__ = ["CHECKS", "faults_of"]
