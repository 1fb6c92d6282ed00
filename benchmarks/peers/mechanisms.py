"""The mechanisms that are compared, each described once: without drives, with a guess near a closed position."""

from __future__ import annotations

from math import atan2, cos, pi, radians, sin

import numpy as np

import multiloop as ml

BASE_ANGLES = (-10, 10, 110, 130, 230, 250)
PLATFORM_ANGLES = (-50, 50, 70, 170, 190, 290)


def four_bar() -> ml.Mechanism:
    """Crank 0.3, coupler 0.9, rocker 0.8 on a base of 1 m."""
    tip = 0.3 * _unit(pi / 3)
    joint = _meet(tip, 0.9, (1.0, 0.0), 0.8, left=True)
    return ml.Mechanism(
        "four-bar",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), D=(1.0, 0)),
            ml.rod("crank", length=0.3, mass=1.0),
            ml.rod("coupler", length=0.9, mass=2.0),
            ml.rod("rocker", length=0.8, mass=1.5),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Revolute("B", "crank.b", "coupler.a"),
            ml.Revolute("D", "ground.D", "rocker.a"),
            ml.Revolute("C", "coupler.b", "rocker.b"),
        ],
        guess={"A": pi / 3, "B": _heading(tip, joint) - pi / 3, "D": _heading((1.0, 0.0), joint)},
    )


def scraper() -> ml.Mechanism:
    """The carpet scraper with slender links: a four-bar that draws a pantograph."""
    length = {
        "crank": 0.038,
        "rocker": 0.1152,
        "coupler": 0.2304,
        "link4": 0.3346,
        "link5": 0.239,
        "link6": 0.8365,
        "link7": 0.239,
    }
    mass = {
        "crank": 1.5,
        "rocker": 3.0,
        "coupler": 5.0,
        "link4": 4.2,
        "link5": 3.0,
        "link6": 10.5,
        "link7": 3.0,
    }
    near, elbow = length["link4"] - 0.239, 0.239
    markers = {"coupler": {"m": 0.1152}, "link4": {"m": near}, "link6": {"m": elbow}}
    rocker_pivot, pivot, pin = (-0.089, 0.0), np.array((0.038, 0.410)), np.array((0.038, 0.0))
    middle = _meet(pin, 0.1152, rocker_pivot, 0.1152, left=False)
    tip = 2 * middle - pin
    fork = _meet(pivot, near, tip, 0.239, left=True)
    end = pivot + (fork - pivot) * length["link4"] / near
    knee = end + (tip - fork) * elbow / 0.239
    rocker, coupler = _heading(rocker_pivot, middle), _heading(pin, tip)
    link4, link5, link6 = _heading(pivot, end), _heading(fork, tip), _heading(end, knee)
    return ml.Mechanism(
        "scraper",
        planar=True,
        bodies=[
            ml.ground(rocker=rocker_pivot, crank=(0, 0), pantograph=tuple(pivot)),
            *(
                ml.rod(name, length=length[name], mass=mass[name], markers=markers.get(name, {}))
                for name in length
            ),
        ],
        joints=[
            ml.Revolute("rocker pivot", "ground.rocker", "rocker.a"),
            ml.Revolute("rocker-coupler", "rocker.b", "coupler.m"),
            ml.Revolute("crank pivot", "ground.crank", "crank.a"),
            ml.Revolute("pantograph pivot", "ground.pantograph", "link4.a"),
            ml.Revolute("link4-link5", "link4.m", "link5.a"),
            ml.Revolute("link4-link6", "link4.b", "link6.a"),
            ml.Revolute("link6-link7", "link6.m", "link7.a"),
            ml.Revolute("crank-coupler", "crank.b", "coupler.a"),
            ml.Pin("Q", carrier="link5.b", others=("coupler.b", "link7.b")),
        ],
        guess={
            "crank pivot": 0.0,
            "rocker pivot": rocker,
            "rocker-coupler": coupler - rocker,
            "pantograph pivot": link4,
            "link4-link5": link5 - link4,
            "link4-link6": link6 - link4,
            "link6-link7": _heading(knee, tip) - link6,
        },
    )


def three_rrr() -> ml.Mechanism:
    """Three legs of two links and a triangular platform on an equilateral base of side 1 m."""
    height = np.sqrt(3) / 2
    pivots = [(0.0, 0.0), (1.0, 0.0), (0.5, height)]
    corners = {"c1": (0.0, 0.0), "c2": (0.4, 0.0), "c3": (0.2, 0.4 * height)}
    tilt, middle = 0.2, np.array((0.2, 0.2 / np.sqrt(3)))
    turn = np.column_stack([_unit(tilt), _unit(tilt + pi / 2)])
    bodies, joints, guess = [], [], {}
    for k, (pivot, corner) in enumerate(zip(pivots, corners.values(), strict=True), start=1):
        end = np.array((0.5, 0.32)) + turn @ (np.array(corner) - middle)
        elbow = _meet(pivot, 0.4, end, 0.6, left=True)
        first, second = _heading(pivot, elbow), _heading(elbow, end)
        bodies += [ml.rod(f"proximal{k}", length=0.4, mass=3.0), ml.rod(f"distal{k}", length=0.6, mass=4.0)]
        joints += [
            ml.Revolute(f"A{k}", f"ground.A{k}", f"proximal{k}.a"),
            ml.Revolute(f"B{k}", f"proximal{k}.b", f"distal{k}.a"),
            ml.Revolute(f"C{k}", f"distal{k}.b", f"platform.c{k}"),
        ]
        guess |= {f"A{k}": first, f"B{k}": second - first, f"C{k}": tilt - second}
    return ml.Mechanism(
        "3-RRR",
        planar=True,
        bodies=[
            ml.ground({f"A{k}": pivot for k, pivot in enumerate(pivots, start=1)}),
            *bodies,
            ml.plate("platform", corners=corners, mass=8.0),
        ],
        joints=joints,
        guess=guess,
    )


def six_ups() -> ml.Mechanism:
    """Gough and Stewart's platform: six struts, each a cross, a slide and a ball."""
    feet = [0.5 * np.array([*_unit(radians(a)), 0.0]) for a in BASE_ANGLES]
    heads = [0.3 * np.array([*_unit(radians(a)), 0.0]) for a in PLATFORM_ANGLES]
    cross = {"z": (1, 0, 0), "x": (0, 1, 0)}  # the first pin along x, the second along y, the strut along z
    bodies, joints, guess = [], [], {}
    for k, (foot, head) in enumerate(zip(feet, heads, strict=True), start=1):
        way = np.array([0.0, 0.0, 0.6]) + head - foot
        length = float(np.linalg.norm(way))
        u = way / length
        bodies += [
            ml.Body(
                f"lower{k}",
                mass=1.0,
                com=(0, 0, 0.15),
                inertia=(0.0075, 0.0075, 2e-4),
                markers={"foot": ml.marker((0, 0, 0), **cross)},
            ),
            ml.Body(f"upper{k}", mass=0.5, com=(0, 0, -0.15), inertia=(0.00375, 0.00375, 1e-4)),
        ]
        joints += [
            ml.Universal(f"U{k}", f"ground.f{k}", f"lower{k}.foot"),
            ml.Prismatic(f"P{k}", f"lower{k}.origin", f"upper{k}.origin"),
            ml.Spherical(f"S{k}", f"upper{k}.origin", f"platform.h{k}"),
        ]
        guess |= {f"U{k}": (atan2(-u[1], u[2]), float(np.arcsin(u[0]))), f"P{k}": length}
    return ml.Mechanism(
        "6-UPS",
        bodies=[
            ml.ground({f"f{k}": ml.marker(foot, **cross) for k, foot in enumerate(feet, start=1)}),
            *bodies,
            ml.Body(
                "platform",
                mass=10.0,
                inertia=(0.25, 0.25, 0.45),
                markers={f"h{k}": head for k, head in enumerate(heads, start=1)},
            ),
        ],
        joints=joints,
        guess=guess,
    )


def ladder(windows: int) -> ml.Mechanism:
    """N four-bars in a row: uprights of 1 m on pivots 1 m apart, joined at their ends by rods of 1 m.

    Source: M. González et al., Multibody RunKernels Dynamics 16 (2006) 179.
    """
    start, counted = -pi / 6, range(1, windows + 1)
    joints, guess = [ml.Revolute("P0", "ground.p0", "v0.a")], {"P0": start}
    for k in counted:
        joints += [
            ml.Revolute(f"A{k}", f"v{k - 1}.b", f"h{k}.a"),
            ml.Revolute(f"P{k}", f"ground.p{k}", f"v{k}.a"),
            ml.Revolute(f"B{k}", f"h{k}.b", f"v{k}.b"),
        ]
        guess |= {f"A{k}": -start, f"P{k}": start, f"B{k}": start}
    return ml.Mechanism(
        f"ladder {windows}",
        planar=True,
        bodies=[
            ml.ground({f"p{k}": (k, 0) for k in range(windows + 1)}),
            *(ml.rod(f"v{k}", length=1.0, mass=1.0) for k in range(windows + 1)),
            *(ml.rod(f"h{k}", length=1.0, mass=1.0) for k in counted),
        ],
        joints=joints,
        guess=guess,
    )


def chain(links: int) -> ml.Mechanism:
    """A planar chain of rods of 0.1 m that hangs from one pivot."""
    seats = ["ground.origin", *(f"b{k}.b" for k in range(links))]
    return ml.Mechanism(
        f"chain {links}",
        planar=True,
        bodies=[ml.ground(), *(ml.rod(f"b{k}", length=0.1, mass=0.1) for k in range(links))],
        joints=[ml.Revolute(f"J{k}", seats[k], f"b{k}.a") for k in range(links)],
        guess={f"J{k}": -0.3 if k == 0 else 0.1 * sin(k) for k in range(links)},
    )


def _unit(angle: float) -> np.ndarray:
    return np.array([cos(angle), sin(angle)])


def _heading(start: object, end: object) -> float:
    d = np.asarray(end, float) - np.asarray(start, float)
    return atan2(d[1], d[0])


def _meet(centre: object, radius: float, other: object, other_radius: float, *, left: bool) -> np.ndarray:
    """Where two circles meet, on the left or the right of the way from the first centre to the second."""
    c, d = np.asarray(centre, float), np.asarray(other, float) - np.asarray(centre, float)
    distance = np.hypot(*d)
    along = (radius**2 - other_radius**2 + distance**2) / (2 * distance)
    across = np.sqrt(radius**2 - along**2) * (1 if left else -1)
    return c + (along * d + across * np.array([-d[1], d[0]])) / distance
