"""A planar 3-RRR manipulator with slender flexible links, under torques computed for rigid links."""

from math import pi
from typing import Any

import numpy as np

import multiloop as ml

BASE, SIDE = 2.0, 0.8
ARM, FOREARM, EI = 0.8, 1.2, 7.815
"""Lengths of arms and forearms (m), and bending stiffness E I of all links (N m²)."""

LIGHT, HEAVIER, PLATFORM = 0.1108, 0.1652, 0.384
"""Masses of one arm (LIGHT), of one forearm (HEAVIER) and of the platform, kg."""

CORNERS = {1: (0.0, 0.0), 2: (1.0, 0.0), 3: (0.5, 3**0.5 / 2)}
PATHS = {"A1": (pi / 3, 2 * pi / 3), "A2": (2 * pi / 3, pi / 3), "A3": (pi / 2, 2 * pi / 3)}


def light_manipulator() -> ml.Mechanism:
    """Build six links of 10 × 5 mm in a horizontal plane with motors at the base; no motion is prescribed.

    Source: [fattah], Table 5.2 and §5.3.2.
    """
    centre = np.array([0.5, 3**0.5 / 6])
    return ml.Mechanism(
        "light manipulator",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground({f"O{k}": tuple(BASE * np.array(point)) for k, point in CORNERS.items()}),
            *(_strip(f"arm {k}", ARM, LIGHT, modes=2, frame="a") for k in CORNERS),
            *(_strip(f"forearm {k}", FOREARM, HEAVIER, modes=1) for k in CORNERS),
            ml.Body(
                "platform",
                mass=PLATFORM,
                inertia=PLATFORM * SIDE**2 / 12,
                markers={f"c{k}": tuple(SIDE * (np.array(point) - centre)) for k, point in CORNERS.items()},
            ),
        ],
        joints=[
            *(ml.Revolute(f"A{k}", f"ground.O{k}", f"arm {k}.a") for k in CORNERS),
            *(ml.Revolute(f"B{k}", f"arm {k}.b", f"forearm {k}.a") for k in CORNERS),
            *(ml.Revolute(f"C{k}", f"forearm {k}.b", f"platform.c{k}") for k in CORNERS),
        ],
        actuators=[ml.Actuator(joint) for joint in PATHS],
        guess={"platform": (None, None, 1.7563)},
    )


def _strip(name: str, length: float, mass: float, **more: Any) -> ml.Beam:
    material = {"E": 75e9, "density": mass / (5e-5 * length), "damping": 0.01}
    return ml.beam(
        name, length=length, section=ml.Section(A=5e-5, Iz=EI / 75e9, y=0.0025), **material, **more
    )


def rigid_torques(mechanism: ml.Mechanism) -> ml.Result:
    """Motor torques over time that rigid links would need, for rotations by up to 60° in a second."""
    for k in CORNERS:
        mechanism = mechanism.with_body(ml.rod(f"arm {k}", length=ARM, mass=LIGHT))
        mechanism = mechanism.with_body(ml.rod(f"forearm {k}", length=FOREARM, mass=HEAVIER))
    drives = [
        ml.Motion(joint, ml.motion_laws.cycloidal(*span, duration=1.0)) for joint, span in PATHS.items()
    ]
    return ml.inverse(mechanism.replace(drives=drives), t=np.linspace(0.0, 1.0, 251))


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Simulate the flexible manipulator under the torques for rigid links, from rest and undeformed."""
    rigid = rigid_torques(mechanism)
    start = {joint: span[0] for joint, span in PATHS.items()}
    efforts = dict.fromkeys(PATHS, rigid)
    return ml.simulate(mechanism, start=start, efforts=efforts, until=1.0, samples=251, rtol=1e-8)


def answer(result: ml.Result) -> str:
    """The answer in a sentence, from the result of `ask`."""
    rigid = rigid_torques(result.mechanism)
    lead = abs(result["A1"].position - rigid["A1"].position).max()
    stray = np.linalg.norm(result.marker("platform.origin") - rigid.marker("platform.origin"), axis=1)
    bent = result.link("arm 1").largest("deflection").max()
    return (
        f"The platform deviates by up to {1e3 * stray.max():.1f} mm. Motor A1 runs up to {np.degrees(lead):.1f}° ahead "
        f"of that of the rigid manipulator, because its arm deflects by {1e3 * bent:.0f} mm, "
        f"{100 * bent / ARM:.0f} % of its length."
    )
