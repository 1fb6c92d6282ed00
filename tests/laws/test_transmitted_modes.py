"""Default mode shapes of a beam follow from the wrench components that its joints transmit.

An arm is clamped at `a` and carries a body on a revolute joint at `b` whose axis is tilted about the arm. References:
closed forms of Euler and Bernoulli's beam in statics, and for frequencies a finite element model written here, which
shares nothing with the library.
"""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigh

import multiloop as ml

TILTS = (0.0, 10.0, 25.0, 45.0, 70.0, 90.0)
LENGTH, MASS_PER_METRE, EI_Y, EI_Z = 2.109, 0.1385, 31.25, 7.815
E, DENSITY = 70e9, 2700.0
BODY = {"mass": 0.3, "com": (0.25, 0.05, 0.1), "inertia": (2e-3, 3e-3, 4e-3)}
SMALL = 1e-7
"""N and N m: deflections of 1e-7 of the length, whose second-order part is 1e-7 of the first."""


def axis_of(tilt: float) -> np.ndarray:
    """The revolute axis at `b`."""
    return np.array([0.0, -sin(radians(tilt)), cos(radians(tilt))])


def arm(tilt: float, loads: Any = (), **beam: Any) -> ml.Mechanism:
    """A strip on a wall, with a body on a tilted revolute joint at its far end."""
    end = ml.marker((LENGTH, 0, 0), z=tuple(axis_of(tilt)), x=(1, 0, 0))
    section = ml.Section(A=MASS_PER_METRE / DENSITY, Iz=EI_Z / E, Iy=EI_Y / E)
    strip = ml.beam("strip", length=LENGTH, E=E, density=DENSITY, section=section, markers={"b": end}, **beam)
    hinge = ml.Revolute("hinge", "strip.b", "body.origin")
    return ml.Mechanism(
        f"arm with a hinge tilted by {tilt:g} degrees",
        gravity=(0, 0, 0),
        bodies=[ml.ground(), strip, ml.Body("body", **BODY)],
        joints=[ml.Fixed("wall", "ground.origin", "strip.a"), hinge],
        loads=loads,
    )


def static_errors(tilt: float, **beam: Any) -> tuple[float, float]:
    """Largest relative errors of the tip's displacement and rotation under a force and a moment at the tip."""
    force, about = SMALL * np.array([0.0, 0.8, 0.6]), np.cross(axis_of(tilt), [1.0, 0.0, 0.0])
    found = []
    for f, n in ((force, 0 * about), (0 * force, SMALL * about), (force, SMALL * about)):
        loads = [
            ml.Force("push", "body.origin", tuple(f)),
            ml.Torque("turn", "body", tuple(n)),
            ml.JointSpring("hold", "hinge", stiffness=1.0),
        ]
        strip = ml.equilibrium(arm(tilt, loads, **beam), guess={"hinge": 0.0}).result.link("strip")
        L = LENGTH
        v = f[1] * L**3 / 3 / EI_Z + n[2] * L**2 / 2 / EI_Z
        w = f[2] * L**3 / 3 / EI_Y - n[1] * L**2 / 2 / EI_Y
        turned = (
            n[1] * L / EI_Y - f[2] * L**2 / 2 / EI_Y,
            n[2] * L / EI_Z + f[1] * L**2 / 2 / EI_Z,
        )
        frame = strip.poses[0]
        moved = strip.position(L)[0] - (L, 0, 0)
        spun = _rotation_vector(frame[:, :3]) + strip.rotation(L)[0]
        shift, spin = np.array([0.0, v, w]), np.array([0.0, *turned])
        found.append(
            [
                np.linalg.norm(moved - shift) / np.linalg.norm(shift),
                np.linalg.norm(spun - spin) / np.linalg.norm(spin),
            ]
        )
    shifts, spins = np.max(found, axis=0)
    return float(shifts), float(spins)


def _rotation_vector(R: np.ndarray) -> np.ndarray:
    """Of a small rotation."""
    return np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2


def elements_frequencies(tilt: float, count: int = 12) -> np.ndarray:
    """The two lowest frequencies by cubic elements in both planes, inextensible and rigid in torsion (rad/s).

    Unknowns are (v, θz) and (w, θy) of the nodes and the angle φ of the hinge. The mass centre of the body moves by
    (0, v, w) + (θ + n φ) × c, and turns by θ + n φ.
    """
    h, n = LENGTH / count, 2 * count + 2
    m = (
        MASS_PER_METRE
        * h
        / 420
        * np.array(
            [
                [156, 22 * h, 54, -13 * h],
                [22 * h, 4 * h * h, 13 * h, -3 * h * h],
                [54, 13 * h, 156, -22 * h],
                [-13 * h, -3 * h * h, -22 * h, 4 * h * h],
            ]
        )
    )
    k = (
        np.array(
            [
                [12, 6 * h, -12, 6 * h],
                [6 * h, 4 * h * h, -6 * h, 2 * h * h],
                [-12, -6 * h, 12, -6 * h],
                [6 * h, 2 * h * h, -6 * h, 4 * h * h],
            ]
        )
        / h**3
    )
    M, K = np.zeros((2 * n + 1, 2 * n + 1)), np.zeros((2 * n + 1, 2 * n + 1))
    for plane, stiff in ((0, EI_Z), (n, EI_Y)):
        for e in range(count):
            own = slice(plane + 2 * e, plane + 2 * e + 4)
            M[own, own] += m
            K[own, own] += stiff * k
    about, axis = np.cross(axis_of(tilt), [1.0, 0.0, 0.0]), axis_of(tilt)
    turned = np.column_stack([[1.0, 0.0, 0.0], about, axis])  # axes of the body, those of the marker b
    c = turned @ np.array(BODY["com"])
    inertia = turned @ np.diag(BODY["inertia"]) @ turned.T
    shift, spin = np.zeros((3, 2 * n + 1)), np.zeros((3, 2 * n + 1))
    shift[1, n - 2] = shift[2, 2 * n - 2] = 1.0
    spin[2, n - 1], spin[1, 2 * n - 1], spin[:, 2 * n] = 1.0, -1.0, axis
    of_centre = shift - np.cross(c, spin, axisb=0, axisc=0)
    M += BODY["mass"] * of_centre.T @ of_centre + spin.T @ inertia @ spin
    free = [j for j in range(2 * n + 1) if j not in (0, 1, n, n + 1)]
    squares = eigh(K[np.ix_(free, free)], M[np.ix_(free, free)], eigvals_only=True)
    return np.sqrt(squares[1:3])  # the first one is the free turn of the body


@pytest.mark.parametrize("tilt", TILTS)
def test_constraint_modes_are_exact_in_statics(tilt: float) -> None:
    """With default modes: tip displacement and rotation under end loads, up to second-order terms."""
    assert max(static_errors(tilt)) < 1e-6


@pytest.mark.parametrize("tilt", TILTS)
def test_two_modes_in_each_plane_are_constraint_modes(tilt: float) -> None:
    """Two modes requested by number: exact in statics as well."""
    assert max(static_errors(tilt, modes={"y": 2, "z": 2})) < 1e-6
    assert max(static_errors(tilt, modes={"y": 2, "z": 2}, frame="a")) < 1e-6


@pytest.mark.parametrize("tilt", TILTS)
def test_two_frequencies_of_the_assembled_arm(tilt: float) -> None:
    """With default modes, against elements written here."""
    found = ml.eigenmodes(arm(tilt), {"hinge": 0.0}).frequencies
    found = found[found > 1e-3]
    assert found[:2] == pytest.approx(elements_frequencies(tilt), rel=1e-2)
    assert (found[:2] > (1 - 1e-6) * elements_frequencies(tilt)).all()  # Ritz's method bounds them from above


@pytest.mark.parametrize("tilt", TILTS)
def test_one_fixed_interface_mode_in_each_plane(tilt: float) -> None:
    """A moment along an axis of the beam has a constraint mode if the hinge transmits a part of it."""
    modes = dict(arm(tilt).body("strip").modes)
    assert modes == {"y": 2 if tilt == 0.0 else 3, "z": 2 if tilt == 90.0 else 3}
