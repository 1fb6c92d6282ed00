"""Links of Fattah's spatial manipulator whose tips rotate as the thesis prints it, for Tables 6.2 and 6.3.

Coordinates of a link are the deflections v and w of its tip along y and z. The library rotates a tip by the slope θ =
(0, −w', v') of its mode shapes, R exp(θ~) A, with the twist A of the elbow axis behind it. [fattah] prints, with
γ₂ = atan(v/L) and γ₃ = atan(w/L),

    R A F,   F = 1 + γ~,   γ = (0, γ₃, γ₂)      (6.11b), (6.14)       configuration
    R (0, −ẇ, v̇)/L                              (6.23)                angular velocity of the tip in the link

A link with any linear rotation vector is a `ModalBody`, so that these differences can be made one after the other.
`PrintedLink` has the last two: F, which is no rotation, and a rate that is not the derivative of F.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import casadi as ca
import numpy as np
from published.fattah.spatial import MOTORS, manipulator
from published.fattah.test_spatial_manipulator import ANGLES, BASE, ELBOWS, RATES, TIPS, TURNED

import multiloop as ml
from multiloop.examples.mechanisms.spatial_manipulator import LEAN
from multiloop.extension import Matrix, Pose, ReducedBody, skew

TWIST = np.array([[1, 0, 0], [0, np.cos(LEAN), -np.sin(LEAN)], [0, np.sin(LEAN), np.cos(LEAN)]])
"""A of (6.13)."""

SLOPE = np.array([[0.0, 0.0], [0.0, -1.0], [1.0, 0.0]])
"""Direction of the rotation (0, −w', v') of a tip per unit of v and w, as in (6.23)."""

PRINTED = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
"""That of (6.14a): a tip that deflects along +z points to −z."""

ELBOW_JOINTS, TIP_JOINTS = ("B1", "B2", "B3"), ("C1", "C2", "C3")


class PrintedTip(ReducedBody):
    """A link clamped at `a` with the pose of its tip by (6.14) and the twist of its tip by (6.23)."""

    def marker_pose(self, name: str, eta: Matrix) -> Pose:
        pose = self.markers[name]
        if not self.moves(name):
            return pose
        g2, g3 = ca.atan(eta[0] / pose.p[0]), ca.atan(eta[1] / pose.p[0])
        F = ca.DM.eye(3) + skew(ca.vertcat(0, g3, g2))
        return Pose(pose.R @ F, pose.p + self.modes.shapes[name][3:, :] @ eta)

    def marker_shape(self, name: str, eta: Matrix) -> Matrix:
        return self.modes.shapes[name]

    def marker_drift(self, name: str, eta: Matrix, eta_rate: Matrix) -> Matrix:
        return ca.DM(6, 1)


@ml.register
@dataclass(frozen=True)
class PrintedLink(ml.ModalBody):
    """A `ModalBody` with a `PrintedTip`, for kinematics alone: forces would do work by its constraints."""

    def reduced(self, handle, resolve, planar, share=1.0):
        found = super().reduced(handle, resolve, planar, share)
        return PrintedTip(found.mass, found.com, found.inertia, found.markers, found.modes)


def modal_link(beam: ml.Beam, turn: np.ndarray, kind: type[ml.ModalBody] = ml.ModalBody) -> ml.ModalBody:
    """The beam with its own mass and stiffness, but rotating by turn/L at its tip, 3×2."""
    found = beam.reduced("a", lambda value: value, False)
    modes = found.modes

    def numbers(matrix: Matrix) -> np.ndarray:
        return ca.DM(matrix).full()

    shapes = {name: numbers(modes.shapes[name]) for name, _ in beam.markers}
    shapes["b"][:3] = turn / beam.length
    return kind(
        beam.name,
        mass=beam.mass,
        com=beam.com,
        inertia=tuple(np.diag(beam.inertia)) if np.ndim(beam.inertia) == 2 else beam.inertia,
        markers=beam.markers,
        shapes=shapes,
        momentum=numbers(modes.momentum),
        moments=[numbers(S) for S in modes.moments],
        products=[[numbers(S) for S in row] for row in modes.products],
        stiffness=numbers(modes.stiffness),
    )


@cache
def mechanism(turn: str = "mode", kind: type[ml.ModalBody] = ml.ModalBody) -> ml.Mechanism:
    """The manipulator of the tables, with the pose of its platform as a joint.

    The tips of its links rotate by the slope of the first natural mode, or by one of `TURNS`. Joints with actuators
    stay in the tree, so that the spherical ones are cut, which constrain positions only.
    """
    options = {"frame": "a", "basis": "natural", "stiffening": False}
    made = manipulator({"y": 1, "z": 1}, base=BASE, turned=TURNED, **options)
    links = [body for body in made.bodies if isinstance(body, ml.Beam)]
    if turn != "mode":
        links = [modal_link(link, TURNS[turn], kind) for link in links]
    return made.replace(
        bodies=[made.body("ground"), *links, made.body("platform")],
        joints=[*made.joints, ml.Free("pose", "ground.origin", "platform.com")],
        actuators=[*map(ml.Actuator, (*MOTORS, *ELBOW_JOINTS)), ml.Actuator("pose", "x")],
        drives=(),
    )


TURNS = {
    "slope": 1.3764955 * SLOPE,
    "chord": SLOPE,
    "chord behind the twist": TWIST @ SLOPE,
    "printed sign": TWIST @ PRINTED,
    "printed rate": SLOPE,
}
"""Rotation vector of a tip, times L, per unit of v and w; of a `PrintedLink` it is the rate alone.

"slope" is w' L/w of the first mode of a clamped beam.
"""


def by_name(motors: np.ndarray, tip: np.ndarray) -> dict[str, object]:
    """Motor angles and deflections, or their rates, by name."""
    links = [f"{part} {k}.eta" for part in ("lower", "upper") for k in (1, 2, 3)]
    return dict(zip(MOTORS, map(float, motors), strict=True)) | dict.fromkeys(links, tuple(map(float, tip)))


@cache
def state(column: str, turn: str = "mode", kind: type[ml.ModalBody] = ml.ModalBody) -> ml.State:
    """The manipulator as in a column of the tables, "rigid" or "flexible"; rates are derivatives of positions."""
    bent, bending = TIPS[column]
    guess = dict(zip(ELBOW_JOINTS, ELBOWS[column], strict=True))
    return ml.assemble(
        mechanism(turn, kind), by_name(ANGLES, bent), guess=guess, rates=by_name(RATES, bending)
    )


@cache
def printed_twist(column: str) -> np.ndarray:
    """ċ and ω_C by (6.24), J v = 0 with the twists (6.23) of the tips: J v_d = −J v_i for the joints not given."""
    kernels = ml.compile(
        mechanism("printed rate", PrintedLink), start=state(column, "printed rate", PrintedLink)
    )
    J = kernels.jacobian(kernels.q)
    given = kernels.pack(by_name(RATES, TIPS[column][1]), rates=True)
    unknown = [*kernels.unpack(np.arange(len(given)), rates=True)["pose"]]
    unknown += [int(kernels.unpack(np.arange(len(given)), rates=True)[joint][0]) for joint in ELBOW_JOINTS]
    return np.linalg.solve(J[:, unknown], -J @ given)[:6]
