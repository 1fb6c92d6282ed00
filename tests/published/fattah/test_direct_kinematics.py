"""Direct kinematics of a spatial manipulator with given deflections of its links: every assembly mode.

The three legs R–R–S of [fattah], ch. 6, with the base of `test_spatial_manipulator` and tips deflected as in Tables 6.2
and 6.3. Here a tip rotates by the slope of the clamped mode, exp((0, −w_z', w_y')), w' = 1.3765 w/L; the thesis rotates
it about twisted axes and with another sign (`test_printed_tables`), so that the platform is 69 mm from the printed
point. By hand: with one elbow chosen, each other one
follows from the length of a side in closed form, in two ways; the length of the last side is scanned for zeros over the
first.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from published.fattah.test_spatial_manipulator import (
    ANGLES,
    BASE,
    LENGTHS,
    RATES,
    SIDES,
    TABLES,
    TIPS,
    TURNED,
    about_z,
)
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

import multiloop as ml

ALPHA = np.radians(25.0)
SLOPE = 1.3764955
"""w' L/w at the tip of a clamped beam in its first mode."""


def link(name: str, length: float, bends: bool) -> ml.Body:
    """A link whose end `t` is twisted by α about it."""
    twisted = {"t": ml.marker((length, 0, 0), x=(1, 0, 0), z=(0, -np.sin(ALPHA), np.cos(ALPHA)))}
    if not bends:
        return ml.rod(name, length=length, mass=0.3, markers=twisted)
    section = ml.Section(A=5e-5, Iz=1.1e-10, Iy=1.1e-10, J=2e-10)
    made = {"E": 70e9, "density": 2700.0, "section": section, "modes": {"y": 1, "z": 1}, "frame": "a"}
    return ml.beam(name, length=length, markers=twisted, stiffening=False, **made)


@cache
def manipulator(bends: bool = True) -> ml.Mechanism:
    frame, bodies, joints = {}, [], []
    for k, (length, b) in enumerate(zip(LENGTHS, TURNED, strict=True)):
        x = (np.sin(b), 0.0, np.cos(b))
        frame[f"O{k}"] = ml.marker(tuple(BASE[k]), x=x, z=tuple(np.cross(x, (0, 1, 0))))
        bodies += [link(f"first {k}", length, bends), link(f"second {k}", length, bends)]
        joints += [
            ml.Revolute(f"A{k}", f"ground.O{k}", f"first {k}.a"),
            ml.Revolute(f"B{k}", f"first {k}.t", f"second {k}.a"),
            ml.Spherical(f"C{k}", f"second {k}.b", f"platform.c{k}"),
        ]
    corners = np.array([(0, 0, 0), (1.5, np.sqrt(4 - 2.25), 0), (3.0, 0, 0)])
    markers = {f"c{k}": tuple(corner) for k, corner in enumerate(corners - corners.mean(axis=0))}
    platform = ml.Body("platform", mass=2.748, inertia=(1.0, 1.0, 2.0), markers=markers)
    return ml.Mechanism("3-RRS", bodies=[ml.ground(frame), *bodies, platform], joints=joints)


def asked(values: np.ndarray, tips: np.ndarray) -> dict[str, object]:
    """Motor angles and tips of all links by name; the unit of a coordinate is the deflection of its tip."""
    bent = {f"{which} {k}.eta": tuple(tips) for which in ("first", "second") for k in range(3)}
    return {f"A{k}": float(x) for k, x in enumerate(values)} | bent


def circle(k: int, angle: float, bent: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The tip of a leg is c + u cos θ + w sin θ over its elbow."""
    b, L = TURNED[k], LENGTHS[k]
    x, y = np.array([np.sin(b), 0, np.cos(b)]), np.array([0, 1.0, 0])
    R = np.column_stack([x, y, np.cross(x, y)]) @ about_z(angle)
    F = Rotation.from_rotvec([0, -SLOPE * bent[1] / L, SLOPE * bent[0] / L]).as_matrix()
    A = Rotation.from_rotvec([ALPHA, 0, 0]).as_matrix()
    S, tip = R @ F @ A, np.array([L, *bent])
    centre = BASE[k] + R @ tip + S @ np.array([0, 0, tip[2]])
    return centre, S @ np.array([L, bent[0], 0]), S @ np.array([-bent[0], L, 0])


def by_hand(angles: np.ndarray, bent: np.ndarray, steps: int = 4001) -> np.ndarray:
    """Elbows of every assembly, one row each."""
    legs = [circle(k, angles[k], bent) for k in range(3)]

    def tip(k: int, theta: np.ndarray) -> np.ndarray:
        c, u, w = legs[k]
        return np.asarray(c + np.cos(theta)[..., None] * u + np.sin(theta)[..., None] * w)

    def other(k: int, r: np.ndarray, way: int) -> np.ndarray:
        c, u, w = legs[k]
        off, side = c - r, SIDES[(0, k)]
        a, b, e = 2 * off @ u, 2 * off @ w, np.sum(off**2, axis=-1) + u @ u - side**2
        return np.asarray(np.arctan2(b, a) + way * np.arccos(-e / np.hypot(a, b)))

    def elbows(theta: np.ndarray, ways: tuple[int, int]) -> list[np.ndarray]:
        r = tip(0, theta)
        return [theta, *(other(k, r, way) for k, way in zip((1, 2), ways, strict=True))]

    def gap(theta: np.ndarray, ways: tuple[int, int]) -> np.ndarray:
        _, one, two = elbows(theta, ways)
        return np.asarray(np.sum((tip(1, one) - tip(2, two)) ** 2, axis=-1) - SIDES[(1, 2)] ** 2)

    found, grid = [], np.linspace(-np.pi, np.pi, steps)
    with np.errstate(invalid="ignore"):
        for ways in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            values = gap(grid, ways)
            for k in np.flatnonzero(values[:-1] * values[1:] < 0):
                root = brentq(
                    lambda x, own=ways: float(gap(np.array(x), own)), grid[k], grid[k + 1], xtol=1e-13
                )
                found.append([float(one) for one in elbows(np.array(root), ways)])
    turned = (np.array(found) + np.pi) % (2 * np.pi) - np.pi
    return np.asarray(turned[np.argsort(turned[:, 0])])


@pytest.mark.parametrize("kind", ["rigid", "flexible"])
def test_every_assembly_is_found(kind: str) -> None:
    """As many as by hand, and the same elbows; one of them near the printed position."""
    bent = TIPS[kind][0]
    found = ml.branches(manipulator(), asked(ANGLES, bent))
    elbows = np.array([[float(state[f"B{k}"].position) for k in range(3)] for state in found])
    assert elbows[np.argsort(elbows[:, 0])] == pytest.approx(by_hand(ANGLES, bent), abs=1e-6)
    printed = np.array(TABLES[kind][0])
    near = min(float(np.linalg.norm(state.marker("platform.origin") - printed)) for state in found)
    assert near < (0.01 if kind == "rigid" else 0.1)


def test_links_that_are_not_bent_are_rigid_ones() -> None:
    straight, rigid = (
        ml.branches(machine, start)
        for machine, start in (
            (manipulator(), asked(ANGLES, np.zeros(2))),
            (manipulator(bends=False), {f"A{k}": float(x) for k, x in enumerate(ANGLES)}),
        )
    )
    one, other = (sorted(tuple(s.marker("platform.origin")) for s in found) for found in (straight, rigid))
    assert np.array(one) == pytest.approx(np.array(other), abs=1e-9)


def test_rates_follow_from_motor_rates_and_elastic_rates() -> None:
    """The input of Table 6.3: elbow rates against differences of the assembly by hand."""
    bent, bending = TIPS["flexible"]
    guess = {f"B{k}": x for k, x in enumerate((-1.27, 0.14, 1.20))}
    state = ml.assemble(manipulator(), asked(ANGLES, bent), guess=guess, rates=asked(RATES, bending))
    h, row = 1e-5, 1
    ahead, back = (by_hand(ANGLES + s * h * RATES, bent + s * h * bending, 801)[row] for s in (1, -1))
    found = [float(state[f"B{k}"].rate) for k in range(3)]
    assert found == pytest.approx((ahead - back) / (2 * h), rel=1e-5)
