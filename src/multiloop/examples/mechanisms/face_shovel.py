"""A hydraulic face shovel: boom, stick and bucket moved by three cylinders, two of them on a rocker on the boom."""

from math import atan2, cos, dist, hypot, sin, sqrt

import multiloop as ml

FOOT, ROD_PIVOT, LIFT_PIVOT = (0.0, 0.0), (-0.55, 0.75), (0.90, -0.30)
ROCKER_PIVOT, CROWD_PIVOT = (1.7, 0.35), (1.5, -0.35)
"""Pins of the rocker and of the stick cylinder on the boom."""

ROCKER = {"boom": (0.0, 0.0), "bucket": (0.35, 0.55), "rod": (-0.20, 0.55), "lift": (-0.35, -0.15)}
CROWD_PIN, BUCKET_PIN = (0.6, -0.3), (0.28, 0.48)
"""Pin of the stick cylinder on the stick, and of the bucket cylinder on the bucket."""

BOOM, STICK, ROD = 3.6, 1.9, 1.72
CYLINDERS = {
    "bucket": (1.7, 150.0, 1.5, 80.0),
    "lift": (1.0, 180.0, 0.9, 90.0),
    "stick": (1.1, 130.0, 1.0, 70.0),
}
"""Length and mass of the barrel, length and mass of the piston with its rod (m, kg)."""

STROKES = {"4": ("bucket", 0.15), "10": ("lift", 0.12), "13": ("stick", 0.18)}
"""Name of the cylinder and its stroke (m), by its joint."""

Point = tuple[float, float]
Pose = tuple[float, float, float]


def face_shovel() -> ml.Mechanism:
    """Build a face shovel of about 25 t whose three cylinders extend within 2 s, from rest to rest.

    Joints have the numbers of the source: 4, 10 and 13 are the cylinders of bucket, lift and stick, and 15 is the pin
    of the rocker on the boom. It has four loops, and three subsystems if it is cut at 15, 14, 5 and 11.

    Source: [koul], §2 and Fig. 1, for the structure; dimensions and masses are ours.
    """
    poses, lengths = initial_poses()
    barrels = [ml.rod(f"{name}cyl", length=row[0], mass=row[1]) for name, row in CYLINDERS.items()]
    pistons = [ml.rod(f"{name}piston", length=row[2], mass=row[3]) for name, row in CYLINDERS.items()]
    starts = {name: round(lengths[name] - row[2], 3) for name, row in CYLINDERS.items()}
    return ml.Mechanism(
        "face shovel",
        planar=True,
        bodies=[
            ml.ground(boom=FOOT, rod=ROD_PIVOT, lift=LIFT_PIVOT),
            ml.rod("rod", length=ROD, mass=120.0),
            ml.plate("rocker", corners=ROCKER, mass=250.0),
            ml.rod("boom", length=BOOM, mass=1800.0, markers={"rocker": ROCKER_PIVOT, "crowd": CROWD_PIVOT}),
            ml.rod("stick", length=STICK, mass=900.0, markers={"crowd": CROWD_PIN}),
            ml.Body(
                "bucket",
                mass=1100.0,
                com=(0.5, -0.3),
                inertia=350.0,
                markers={"stick": (0, 0), "pin": BUCKET_PIN},
            ),
            *(cylinder for pair in zip(barrels, pistons, strict=True) for cylinder in pair),
        ],
        joints=[
            ml.Revolute("1", "ground.rod", "rod.a"),
            ml.Revolute("2", "rod.b", "rocker.rod"),
            ml.Revolute("3", "rocker.bucket", "bucketcyl.a"),
            ml.Prismatic("4", "bucketcyl.a", "bucketpiston.a"),
            ml.Revolute("5", "bucketpiston.b", "bucket.pin"),
            ml.Revolute("6", "ground.boom", "boom.a"),
            ml.Revolute("7", "boom.b", "stick.a"),
            ml.Revolute("8", "stick.b", "bucket.stick"),
            ml.Revolute("9", "ground.lift", "liftcyl.a"),
            ml.Prismatic("10", "liftcyl.a", "liftpiston.a"),
            ml.Revolute("11", "liftpiston.b", "rocker.lift"),
            ml.Revolute("12", "boom.crowd", "stickcyl.a"),
            ml.Prismatic("13", "stickcyl.a", "stickpiston.a"),
            ml.Revolute("14", "stickpiston.b", "stick.crowd"),
            ml.Revolute("15", "rocker.boom", "boom.rocker"),
        ],
        drives=[
            ml.Motion(joint, ml.motion_laws.cycloidal(starts[name], starts[name] + stroke, duration=2.0))
            for joint, (name, stroke) in STROKES.items()
        ],
        guess=poses,
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute the forces of the three cylinders while they extend."""
    return ml.inverse(mechanism, t=[k / 50 for k in range(101)])


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    rise = result.marker("bucket.com")[-1][1] - result.marker("bucket.com")[0][1]
    parts = []
    for joint, (name, _) in STROKES.items():
        force = max(result[joint].effort, key=abs)
        parts.append(
            f"{abs(force) / 1e3:.1f} kN ({name} cylinder, which {'pushes' if force > 0 else 'pulls'})"
        )
    return f"Up to {', '.join(parts)}, while the bucket rises by {rise:.2f} m."


def initial_poses() -> tuple[dict[str, Pose], dict[str, float]]:
    """Initial poses of the bodies and lengths of the cylinders: boom raised, bucket horizontal."""
    boom = (*FOOT, 0.7)
    stick = (*_in_inertial_frame(boom, (BOOM, 0)), -1.1)
    bucket = (*_in_inertial_frame(stick, (STICK, 0)), 0.0)
    pivot = _in_inertial_frame(boom, ROCKER_PIVOT)
    pin = _intersection(ROD_PIVOT, ROD, pivot, hypot(*ROCKER["rod"]))
    rocker = (*pivot, _pose(pivot, pin)[2] - atan2(ROCKER["rod"][1], ROCKER["rod"][0]))
    poses = {"rod": _pose(ROD_PIVOT, pin), "rocker": rocker, "boom": boom, "stick": stick, "bucket": bucket}
    ends = {
        "bucket": (_in_inertial_frame(rocker, ROCKER["bucket"]), _in_inertial_frame(bucket, BUCKET_PIN)),
        "lift": (LIFT_PIVOT, _in_inertial_frame(rocker, ROCKER["lift"])),
        "stick": (_in_inertial_frame(boom, CROWD_PIVOT), _in_inertial_frame(stick, CROWD_PIN)),
    }
    for name, (start, end) in ends.items():
        inside = 1 - CYLINDERS[name][2] / dist(start, end)
        head = (start[0] + inside * (end[0] - start[0]), start[1] + inside * (end[1] - start[1]))
        poses |= {f"{name}cyl": _pose(start, end), f"{name}piston": _pose(head, end)}
    return poses, {name: dist(start, end) for name, (start, end) in ends.items()}


def _intersection(first: Point, radius: float, second: Point, other: float) -> Point:
    """Intersection of two circles, to the left of the line from the first centre to the second."""
    x, y, angle = _pose(first, second)
    distance = dist(first, second)
    along = (radius**2 - other**2 + distance**2) / (2 * distance)
    return _in_inertial_frame((x, y, angle), (along, sqrt(radius**2 - along**2)))


def _in_inertial_frame(pose: Pose, point: Point) -> Point:
    """Transform a point from the frame of a body to the inertial frame."""
    x, y, angle = pose
    c, s = cos(angle), sin(angle)
    return x + c * point[0] - s * point[1], y + s * point[0] + c * point[1]


def _pose(start: Point, end: Point) -> Pose:
    """Pose of a rod that begins at one point and points towards another."""
    return *start, atan2(end[1] - start[1], end[0] - start[0])
