"""A hydraulic excavator: boom, stick and bucket, three struts, and a rocker with a link that turns the bucket."""

from math import atan2, cos, dist, sin

import multiloop as ml

LIFT_FOOT = (0.45, -0.50)
BOOM = {"foot": (0, 0), "top": (2.7, 0.9), "tip": (5.7, 0)}
BOOM_PINS = {"lift": (2.5, 0.45), "crowd": (2.9, 0.80)}
STICK = {"tail": (-0.8, 0.3), "pivot": (0, 0), "tip": (2.9, 0)}
STICK_PINS = {"curl": (0.45, 0.40), "rocker": (2.45, 0.10)}
BUCKET = {"hinge": (0, 0), "pin": (0.40, -0.20), "back": (0.75, -0.85), "teeth": (-0.15, -1.25)}
ROCKER, LINK = 0.60, 0.42
STRUTS = {"lift": (1.6, 2.9), "crowd": (2.1, 3.8), "curl": (1.4, 2.6)}
"""Smallest and largest length of each hydraulic cylinder (strut), in m."""

BORES = {"lift": 0.13, "crowd": 0.15, "curl": 0.12}
"""Bores of the cylinders (m); the rod diameter is 0.7 of the bore."""

STROKES = {"lift": 0.04, "crowd": 0.25, "curl": 0.25}
"""Changes of the lengths of the cylinders while digging (m)."""

MASSES = {"boom": 1600.0, "stick": 900.0, "bucket": 900.0, "rocker": 60.0}
"""Masses in kg, which include the cylinders on each body; the mass of the bucket link is neglected."""

DIGGING = (40e3, 10e3)
"""Components x and y of the force of the soil on the teeth of the bucket (N)."""

Point = tuple[float, float]
Pose = tuple[float, float, float]


def excavator() -> ml.Mechanism:
    """Build an excavator of about 20 t whose bucket digs towards the machine within 3 s, from rest to rest."""
    poses, lengths = _initial_poses()
    bodies = [
        ml.ground(boom=(0, 0), lift=LIFT_FOOT),
        ml.plate("boom", corners=BOOM, mass=MASSES["boom"], markers=BOOM_PINS),
        ml.plate("stick", corners=STICK, mass=MASSES["stick"], markers=STICK_PINS),
        ml.plate("bucket", corners=BUCKET, mass=MASSES["bucket"]),
        ml.rod("rocker", length=ROCKER, mass=MASSES["rocker"]),
        ml.rod("link", length=LINK, mass=0.0),
    ]
    ends = {
        "lift": ("ground.lift", "boom.lift"),
        "crowd": ("boom.crowd", "stick.tail"),
        "curl": ("stick.curl", "rocker.b"),
    }
    return ml.Mechanism(
        "excavator",
        planar=True,
        bodies=bodies,
        joints=[
            ml.Revolute("boom foot", "ground.boom", "boom.foot"),
            ml.Revolute("stick pin", "boom.tip", "stick.pivot"),
            ml.Revolute("bucket hinge", "stick.tip", "bucket.hinge"),
            ml.Revolute("rocker pin", "stick.rocker", "rocker.a"),
            ml.Revolute("knuckle", "rocker.b", "link.a"),
            ml.Revolute("bucket pin", "link.b", "bucket.pin"),
            *(
                ml.Strut(name, *ends[name], length=STRUTS[name], bore=bore, shaft=0.7 * bore)
                for name, bore in BORES.items()
            ),
        ],
        loads=[ml.Force("soil", "bucket.teeth", DIGGING)],
        drives=[
            ml.Motion(name, ml.motion_laws.cycloidal(lengths[name], lengths[name] + out, duration=3.0))
            for name, out in STROKES.items()
        ],
        guess=poses,
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute the forces of the three cylinders while the excavator digs."""
    return ml.inverse(mechanism, t=[k / 50 for k in range(151)])


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    most = {name: result[name].effort[abs(result[name].effort).argmax()] / 1e3 for name in STRUTS}
    forces = ", ".join(f"{force:.0f} kN ({name})" for name, force in most.items())
    return f"Up to {forces}, at pressures of up to {max(result[name].pressure.max() for name in STRUTS) / 1e5:.0f} bar."


def _initial_poses() -> tuple[dict[str, Pose], dict[str, float]]:
    """Approximate initial poses of the bodies and lengths of the struts: boom raised, stick extended."""
    boom = (0.0, 0.0, 0.6)
    stick = (*_in_inertial_frame(boom, BOOM["tip"]), -1.3)
    bucket = (*_in_inertial_frame(stick, STICK["tip"]), 0.6)
    rocker = (*_in_inertial_frame(stick, STICK_PINS["rocker"]), 0.0)
    knuckle, pin = _in_inertial_frame(rocker, (ROCKER, 0)), _in_inertial_frame(bucket, BUCKET["pin"])
    poses = {
        "boom": boom,
        "stick": stick,
        "bucket": bucket,
        "rocker": rocker,
        "link": _rod_pose(knuckle, pin),
    }
    ends = {
        "lift": (LIFT_FOOT, _in_inertial_frame(boom, BOOM_PINS["lift"])),
        "crowd": (_in_inertial_frame(boom, BOOM_PINS["crowd"]), _in_inertial_frame(stick, STICK["tail"])),
        "curl": (_in_inertial_frame(stick, STICK_PINS["curl"]), knuckle),
    }
    return poses, {name: round(dist(foot, head), 2) for name, (foot, head) in ends.items()}


def _in_inertial_frame(pose: Pose, point: Point) -> Point:
    """Transform a point from the frame of a body to the inertial frame."""
    x, y, angle = pose
    c, s = cos(angle), sin(angle)
    return x + c * point[0] - s * point[1], y + s * point[0] + c * point[1]


def _rod_pose(start: Point, end: Point) -> Pose:
    """Pose of a rod that begins at one point and points towards another."""
    return *start, atan2(end[1] - start[1], end[0] - start[0])
