"""A hydraulic face shovel: boom, stick and bucket moved by three cylinders through a rocker on the boom."""

from __future__ import annotations

import numpy as np

from multiloop import Body, Mechanism, Motion, Prismatic, Revolute, ground, plate, rod
from multiloop.model import cycloidal
from zoo.body_poses import assembled, between, meet
from zoo.entry import Entry

PAPER_CUTS = ("15", "14", "5", "11")
"""The joints at which [koul], Fig. 1(b), opens the four loops."""

FOOT, ROD_PIVOT, LIFT_PIVOT = (0.0, 0.0), (-0.55, 0.75), (0.90, -0.30)
ROCKER_PIVOT, CROWD_PIVOT = (1.7, 0.35), (1.5, -0.35)  # on the boom
ROCKER = {"boom": (0.0, 0.0), "bucket": (0.35, 0.55), "rod": (-0.20, 0.55), "lift": (-0.35, -0.15)}
CROWD_PIN, BUCKET_PIN = (0.6, -0.3), (0.28, 0.48)  # on the stick; on the bucket
BOOM, STICK, ROD = 3.6, 1.9, 1.72

CYLINDERS = {
    "bucket": (1.7, 150.0, 1.5, 80.0),
    "lift": (1.0, 180.0, 0.9, 90.0),
    "stick": (1.1, 130.0, 1.0, 70.0),
}
"""Length and mass of the barrel, length and mass of the piston with its rod."""

STROKES = {"4": ("bucket", 0.15), "10": ("lift", 0.12), "13": ("stick", 0.18)}


def excavator() -> Mechanism:
    """Three subsystems and four loops as in the paper; a machine of about 25 t.

    Source: [koul], Fig. 1 and §3, for the joints and their numbers. The dimensions are chosen.
    """
    poses, reach = _poses()
    bodies: list[Body] = [
        ground(boom=FOOT, rod=ROD_PIVOT, lift=LIFT_PIVOT),
        rod("rod", length=ROD, mass=120.0),
        plate("rocker", corners=ROCKER, mass=250.0),
        rod("boom", length=BOOM, mass=1800.0, markers={"rocker": ROCKER_PIVOT, "crowd": CROWD_PIVOT}),
        rod("stick", length=STICK, mass=900.0, markers={"crowd": CROWD_PIN}),
        Body(
            "bucket",
            mass=1100.0,
            com=(0.5, -0.3),
            inertia=350.0,
            markers={"stick": (0, 0), "pin": BUCKET_PIN},
        ),
    ]
    starts = {}
    for name, (barrel, barrel_mass, piston, piston_mass) in CYLINDERS.items():
        bodies += [rod(f"{name}cyl", length=barrel, mass=barrel_mass)]
        bodies += [rod(f"{name}piston", length=piston, mass=piston_mass)]
        starts[name] = round(float(reach[name]) - piston, 3)
    mechanism = Mechanism(
        "excavator",
        planar=True,
        bodies=bodies,
        joints=[
            Revolute("1", "ground.rod", "rod.a"),
            Revolute("2", "rod.b", "rocker.rod"),
            Revolute("3", "rocker.bucket", "bucketcyl.a"),
            Prismatic("4", "bucketcyl.a", "bucketpiston.a"),
            Revolute("5", "bucketpiston.b", "bucket.pin"),
            Revolute("6", "ground.boom", "boom.a"),
            Revolute("7", "boom.b", "stick.a"),
            Revolute("8", "stick.b", "bucket.stick"),
            Revolute("9", "ground.lift", "liftcyl.a"),
            Prismatic("10", "liftcyl.a", "liftpiston.a"),
            Revolute("11", "liftpiston.b", "rocker.lift"),
            Revolute("12", "boom.crowd", "stickcyl.a"),
            Prismatic("13", "stickcyl.a", "stickpiston.a"),
            Revolute("14", "stickpiston.b", "stick.crowd"),
            Revolute("15", "rocker.boom", "boom.rocker"),
        ],
        drives=[
            Motion(joint, cycloidal(starts[name], starts[name] + stroke, duration=2.0))
            for joint, (name, stroke) in STROKES.items()
        ],
    )
    return assembled(mechanism, poses)


def _poses() -> tuple[dict[str, tuple[float, float, float]], dict[str, float]]:
    """Boom raised, stick vertical, bucket horizontal; the lengths of the cylinders follow."""
    boom, stick, bucket = 0.7, -1.1, 0.0
    tip = _seen((*FOOT, boom), (BOOM, 0.0))
    wrist = _seen((*tip, stick), (STICK, 0.0))
    pivot = _seen((*FOOT, boom), ROCKER_PIVOT)
    pin = meet(ROD_PIVOT, ROD, pivot, np.hypot(*ROCKER["rod"]), left=True)
    rocker = between(pivot, pin)[2] - np.arctan2(*reversed(ROCKER["rod"]))
    poses = {
        "rod": between(ROD_PIVOT, pin),
        "rocker": (*pivot, rocker),
        "boom": (*FOOT, boom),
        "stick": (*tip, stick),
        "bucket": (*wrist, bucket),
    }
    ends = {
        "bucket": (_seen(poses["rocker"], ROCKER["bucket"]), _seen(poses["bucket"], BUCKET_PIN)),
        "lift": (np.array(LIFT_PIVOT), _seen(poses["rocker"], ROCKER["lift"])),
        "stick": (_seen(poses["boom"], CROWD_PIVOT), _seen(poses["stick"], CROWD_PIN)),
    }
    reach = {}
    for name, (start, end) in ends.items():
        reach[name] = float(np.hypot(*(end - start)))
        head = start + (end - start) * (1 - CYLINDERS[name][2] / reach[name])
        poses[f"{name}cyl"] = between(start, end)
        poses[f"{name}piston"] = between(head, end)
    return poses, reach


def _seen(pose: tuple[float, float, float], point: tuple[float, float]) -> np.ndarray:
    """A point of a body in the inertial frame."""
    x, y, angle = pose
    c, s = np.cos(angle), np.sin(angle)
    return np.array([x + c * point[0] - s * point[1], y + s * point[0] + c * point[1]])


FAMILY = (Entry("excavator", excavator, 11, 4, count=3, mobility=3, source="koul"),)
