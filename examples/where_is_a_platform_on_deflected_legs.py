"""Where is a platform on three deflected legs, and how far from there does a thesis place it?

Check: 69.0 mm by NumPy; the printed points, with rigid legs, and with user-defined beams with the printed tip, R A F.
Source: [fattah], §6.2, eqs. (6.11b), (6.14), and Table 6.2, to which the base is fitted; see tests/published/fattah.
"""

from dataclasses import dataclass, fields
from functools import cache
from math import cos, sin

import casadi as ca
import numpy as np

import multiloop as ml
from multiloop.cli.demonstration import compare_results
from multiloop.extension import Pose, ReducedBody, skew

EXPECTED = {"rigid": (0.0, 5e-3, "m"), "printed": (0.0, 5e-3, "m"), "beams": (0.0690, 1e-4, "m")}
RIGID, PRINTED, TIP = (0.05, 2.35, -1.55), (0.03, 2.11, -1.72), (0.14, 0.07)
FEET = (("O1", 1.5644, -1.8224, -3.5550), ("O2", 1.7323, 3.0335, 0.2196), ("O3", -3.1907, -0.2894, -1.0598))
ANGLES, ELBOWS = {"A1": 2.570, "A2": 2.732, "A3": 2.027}, {"B1": -1.2, "B2": 0.12, "B3": 1.19}


class PrintedTip(ReducedBody):  # F is about twisted axes, has a wrong sign of γ₃, and is no rotation matrix
    def marker_pose(self, name, eta):
        pose, shift = self.markers[name], self.modes.shapes[name][3:, :] @ eta
        gamma = ca.vertcat(0, *(ca.atan(shift[k] / pose.p[0]) if self.moves(name) else 0 for k in (2, 1)))
        return Pose(pose.R @ (ca.DM.eye(3) + skew(gamma)), pose.p + shift)


@ml.register
@dataclass(frozen=True)
class PrintedBeam(ml.Beam):
    def reduced(self, handle, resolve, planar, share=1.0):
        return PrintedTip(**vars(super().reduced(handle, resolve, planar, share)))


@cache
def platform(tip=(0.0, 0.0), kind=ml.Beam):
    made, shapes = ml.examples.spatial_manipulator(), {"modes": {"y": 1, "z": 1}, "basis": "natural"}
    feet = {k: ml.marker((x, 0, z), x=(sin(b), 0, cos(b)), z=(-cos(b), 0, sin(b))) for k, x, z, b in FEET}
    bodies = [ml.ground(feet), made.body("platform")]
    for link in (body for body in made.bodies if isinstance(body, ml.Beam)):
        given = {entry.name: getattr(link, entry.name) for entry in fields(link) if entry.init}
        bodies.append(kind(**given | shapes | {"stiffening": False}))
    joints = [*made.joints, ml.Free("pose", "ground.origin", "platform.com")]
    made = made.replace(bodies=bodies, joints=joints)
    if kind is PrintedBeam:  # joints with actuators are not cut; C1 to C3 use positions of tips alone
        made = made.replace(actuators=[*map(ml.Actuator, ANGLES | ELBOWS), ml.Actuator("pose", "x")])
    return ml.assemble(made, ANGLES | {f"{link.name}.eta": tip for link in bodies[2:]}, guess=ELBOWS)


centre = cache(lambda *case: platform(*case).marker("platform.com"))


def results():
    off = {"rigid": abs(centre() - RIGID).max(), "printed": abs(centre(TIP, PrintedBeam) - PRINTED).max()}
    return off | {"beams": np.linalg.norm(centre(TIP) - PRINTED)}


def answer():
    c, off = ", ".join(f"{x:.3f}" for x in centre(TIP)), 1e3 * results()["beams"]
    return f"Its mass centre is at ({c}) m, {off:.0f} mm from the printed point."


def figure():
    return platform(TIP).draw()


def main():
    print(answer(), *compare_results(results(), EXPECTED), sep="\n")


if __name__ == "__main__":
    main()
