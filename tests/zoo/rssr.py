"""The RSSR: a crank, a coupler on two balls, a rocker with an axis perpendicular to the crank's."""

from __future__ import annotations

import casadi as ca
import numpy as np

from multiloop import Body, Mechanism, Motion, Revolute, Spherical, Universal, ground, marker, rod
from multiloop.model import constant_speed
from multiloop.spatial import Pose
from zoo.body_poses import along, assembled
from zoo.entry import Entry

CRANK, COUPLER, ROCKER = 0.10, 0.32, 0.22
ROCKER_PIVOT = np.array([0.25, 0.05, 0.10])
PERIOD = 0.6
AXIAL = 6e-5
"""The coupler's own axial moment of inertia, a bar 20 mm thick; slender rods have none."""


def rssr(axial: float = AXIAL) -> Mechanism:
    """Ball joints at both ends of the coupler, whose spin about itself then does not affect other bodies."""
    mechanism = Mechanism(
        "RSSR",
        bodies=[_ground(), _crank(), _coupler(axial), _rocker()],
        joints=[
            Revolute("A", "ground.A", "crank.a"),
            Spherical("B", "crank.b", "coupler.a"),
            Spherical("C", "coupler.b", "rocker.b"),
            Revolute("D", "ground.D", "rocker.a"),
        ],
        drives=[_drive()],
    )
    return assembled(mechanism, _poses())


def rssr_with_cross() -> Mechanism:
    """A universal joint in place of the second ball, its axes across the coupler and along the rocker's axis."""
    mechanism = Mechanism(
        "RSUR",
        bodies=[_ground(), _crank(), _coupler(0.0), _rocker()],
        joints=[
            Revolute("A", "ground.A", "crank.a"),
            Spherical("B", "crank.b", "coupler.a"),
            Universal("C", "coupler.b", "rocker.cross"),
            Revolute("D", "ground.D", "rocker.a"),
        ],
        drives=[_drive()],
    )
    return assembled(mechanism, _poses())


def rssr_of_revolutes() -> Mechanism:
    """Seven revolutes: the ball is three of them and the universal joint two, with massless links between.

    Source: [chaudhary], §6.2; the order of the axes is our choice.
    """
    across = marker((0, 0, 0), z=(0, 1, 0))
    mechanism = Mechanism(
        "RSSR of revolutes",
        bodies=[
            _ground(),
            _crank(),
            Body("yaw", markers={"pitch": across}),
            Body("pitch", markers={"yaw": across, "roll": marker((0, 0, 0), z=(1, 0, 0))}),
            _coupler(0.0),
            Body("cross", markers={"first": (0, 0, 0), "second": marker((0, 0, 0), z=(1, 0, 0))}),
            _rocker(),
        ],
        joints=[
            Revolute("A", "ground.A", "crank.a"),
            Revolute("B1", "crank.b", "yaw.origin"),
            Revolute("B2", "yaw.pitch", "pitch.yaw"),
            Revolute("B3", "pitch.roll", "coupler.roll"),
            Revolute("C1", "coupler.b", "cross.first"),
            Revolute("C2", "cross.second", "rocker.b"),
            Revolute("D", "ground.D", "rocker.a"),
        ],
        drives=[_drive()],
    )
    poses = _poses()
    tip, x = np.array(poses["coupler"].p.full()[:, 0]), np.array(poses["coupler"].R.full()[:, 0])
    level = np.array([x[0], x[1], 0.0])
    end = np.array(poses["rocker"].p.full()[:, 0]) + ROCKER * np.array(poses["rocker"].R.full()[:, 0])
    across_coupler = np.array(poses["coupler"].R.full()[:, 2])
    poses["yaw"] = along(tip, x=level)
    poses["pitch"] = along(tip, x=x)
    poses["cross"] = along(end, x=(0, 1, 0), z=across_coupler)
    return assembled(mechanism, poses)


def _ground() -> Body:
    return ground(A=(0, 0, 0), D=marker(ROCKER_PIVOT, z=(0, 1, 0), x=(1, 0, 0)))


def _crank() -> Body:
    return rod("crank", length=CRANK, mass=0.8)


def _coupler(axial: float) -> Body:
    across = 1.2 * COUPLER**2 / 12
    roll = marker((0, 0, 0), z=(1, 0, 0))
    return rod("coupler", length=COUPLER, mass=1.2, inertia=(axial, across, across), markers={"roll": roll})


def _rocker() -> Body:
    """The marker `cross` has its x along the rocker's own axis of turning."""
    cross = marker((ROCKER, 0, 0), z=(1, 0, 0), x=(0, 0, 1))
    return rod("rocker", length=ROCKER, mass=1.0, markers={"cross": cross})


def _drive() -> Motion:
    return Motion("A", constant_speed(2 * np.pi / PERIOD))


def _poses() -> dict[str, Pose]:
    """The crank along x. The rocker's tip is where its circle pierces the sphere about the crank's tip.

    |p + ρ (cos φ, 0, −sin φ) − c|² = l²  gives  A cos φ + B sin φ = C.  The coupler's z is put across
    itself and across the rocker's axis, as the cross wants it.
    """
    tip = np.array([CRANK, 0.0, 0.0])
    d = ROCKER_PIVOT - tip
    A, B = 2 * ROCKER * d[0], -2 * ROCKER * d[2]
    C = COUPLER**2 - ROCKER**2 - d @ d
    phi = np.arctan2(B, A) - np.arccos(C / np.hypot(A, B))
    x_rocker = np.array([np.cos(phi), 0.0, -np.sin(phi)])
    x_coupler = ROCKER_PIVOT + ROCKER * x_rocker - tip
    y_axis = np.array([0.0, 1.0, 0.0])
    return {
        "crank": Pose(ca.DM.eye(3), ca.DM(3, 1)),
        "coupler": along(tip, x=x_coupler, z=np.cross(x_coupler, y_axis)),
        "rocker": along(ROCKER_PIVOT, x=x_rocker, z=y_axis),
    }


FAMILY = (
    Entry("RSSR", rssr, 3, 1, count=2, mobility=2, idle=("coupler",), turns=True, source="chaudhary"),
    Entry("RSUR", rssr_with_cross, 3, 1, count=1, mobility=1, turns=True, source="chaudhary"),
    Entry(
        "RSSR-revolutes",
        rssr_of_revolutes,
        6,
        1,
        count=1,
        mobility=1,
        turns=True,
        source="chaudhary",
        massless=True,
    ),
)
