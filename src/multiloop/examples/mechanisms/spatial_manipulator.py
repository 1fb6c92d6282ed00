"""A spatial platform on three slender flexible R–R–S legs, under torques computed for rigid links."""

from math import cos, radians, sin

import numpy as np

import multiloop as ml

# For each leg: position of its foot (m); angle b (rad) about y from the z axis to the plane in which its lower link
# moves; length (m) and mass (kg) of each of its two links.
LEGS = {
    1: ((1.565, 0.0, -1.823), -3.555, 2.109, 0.292),
    2: ((1.733, 0.0, 3.033), 0.220, 2.470, 0.342),
    3: ((-3.191, 0.0, -0.289), -1.060, 2.700, 0.373),
}
E, DENSITY, WITHIN, ACROSS = 70e9, 2700.0, 7.815, 31.25
"""Young's modulus (Pa) and density (kg/m³) of all links, and their bending stiffness E I for deflections along y
(WITHIN) and z (ACROSS), N m²."""

LEAN, PLATFORM = radians(25.0), 2.748
"""Inclination (rad) of the elbow axes about the axes of their links, and mass of the platform (kg)."""

PATHS = {"A1": (1.872, 2.570), "A2": (2.340, 2.776), "A3": (2.987, 1.940)}
PART, DURATION = 1 / 9, 12.0
"""Fraction of the rotations in PATHS that the motors perform, and duration of this motion (s)."""


def spatial_manipulator() -> ml.Mechanism:
    """Build a triangular platform on six links of 10 × 5 mm, up to 2.7 m long, with motors at the base, without
    gravity.

    Source: [fattah], Table 6.1; the base is recovered from Tables 6.2 and 6.3.
    """
    return ml.Mechanism(
        "spatial manipulator",
        gravity=(0, 0, 0),
        bodies=[
            ml.ground({f"O{k}": _foot(foot, b) for k, (foot, b, *_) in LEGS.items()}),
            *(_link(f"{part} {k}", *LEGS[k][2:]) for part in ("lower", "upper") for k in LEGS),
            ml.plate("platform", corners=_corners(), mass=PLATFORM),
        ],
        joints=[
            *(ml.Revolute(f"A{k}", f"ground.O{k}", f"lower {k}.a") for k in LEGS),
            *(ml.Revolute(f"B{k}", f"lower {k}.b", f"upper {k}.a") for k in LEGS),
            *(ml.Spherical(f"C{k}", f"upper {k}.b", f"platform.c{k}") for k in LEGS),
        ],
        actuators=[ml.Actuator(joint) for joint in PATHS],
        guess={joint: begin for joint, (begin, _) in PATHS.items()} | {"B1": 1.34, "B2": 0.26, "B3": -0.52},
    )


def _foot(point: tuple[float, ...], b: float) -> ml.Marker:
    x = (sin(b), 0.0, cos(b))
    return ml.marker(point, z=tuple(np.cross(x, (0, 1, 0))), x=x)


def _link(name: str, length: float, mass: float) -> ml.Beam:
    """A flexible strip whose end marker is rotated about the strip's axis; the modes are selected automatically."""
    end = ml.marker((length, 0, 0), z=(0, -sin(LEAN), cos(LEAN)), x=(1, 0, 0))
    section = ml.Section(A=mass / length / DENSITY, Iz=WITHIN / E, Iy=ACROSS / E)
    shapes = {"frame": "a", "damping": 0.03}
    return ml.beam(name, length=length, E=E, density=DENSITY, section=section, markers={"b": end}, **shapes)


def _corners() -> dict[str, tuple[float, float, float]]:
    """Corners of the triangular platform, with sides of 2, 3 and 2 m."""
    return {"c1": (0.0, 0.0, 0.0), "c2": (1.5, 1.75**0.5, 0.0), "c3": (3.0, 0.0, 0.0)}


def rigid_torques(mechanism: ml.Mechanism) -> ml.Result:
    """Motor torques over time that rigid links would need."""
    for body in mechanism.bodies:
        if isinstance(body, ml.Beam):
            mechanism = mechanism.with_body(body.rigid())
    drives = [
        ml.Motion(joint, ml.motion_laws.cycloidal(begin, begin + PART * (end - begin), duration=DURATION))
        for joint, (begin, end) in PATHS.items()
    ]
    return ml.inverse(mechanism.replace(drives=drives), t=np.linspace(0.0, DURATION, 601))


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Simulate the flexible manipulator under the torques for rigid links, from rest and undeformed."""
    start = {joint: begin for joint, (begin, _) in PATHS.items()}
    efforts = dict.fromkeys(PATHS, rigid_torques(mechanism))
    return ml.simulate(mechanism, start=start, efforts=efforts, until=DURATION, samples=601, rtol=1e-8)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    rigid = rigid_torques(result.mechanism).marker("platform.com")
    way = np.linalg.norm(np.diff(rigid, axis=0), axis=1).sum()
    stray = np.linalg.norm(result.marker("platform.com") - rigid, axis=1)
    links = [body.name for body in result.mechanism.bodies if isinstance(body, ml.Beam)]
    bent = {name: result.link(name).largest("deflection").max() for name in links}
    most = max(bent, key=lambda name: bent[name])
    return (
        f"The platform deviates by up to {1e3 * stray.max():.0f} mm on its path of {1e3 * way:.0f} mm, and is still "
        f"{1e3 * stray[-1]:.0f} mm off at the end of the motion. Link {most} deflects most, "
        f"by {1e3 * bent[most]:.0f} mm."
    )
