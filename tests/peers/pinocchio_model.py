"""The same mechanism in another library: a description and its spanning tree as a Pinocchio model.

Masses, markers and types of joints come from the description, only the parent of each body from the tree. Multiloop's
recursions and joint matrices are not used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import pinocchio as pin
from laws.newton_euler import gravity_of, three, weight_of

from multiloop import Joint, Marker, Mechanism
from multiloop.model import GROUND
from multiloop.model.expressions import evaluate
from multiloop.topology import Tree

Values = Mapping[str, np.ndarray]
"""Numbers of joints by name: coordinates, rates, accelerations or efforts, as multiloop orders them."""

HERE = pin.SE3.Identity()

STEPS = {
    "Revolute": ("RZ",),
    "Prismatic": ("PZ",),
    "Cylindrical": ("RZ", "PZ"),
    "Universal": ("RZ", "RX"),
    "Spherical": ("ball",),
    "Planar": ("PX", "PY", "RZ"),
    "Helical": ("screw",),
    "Fixed": ("weld",),
    "Free": ("PX", "PY", "PZ", "ball"),
}
"""Each joint as elementary ones, from the first marker to the second, in the order of its coordinates."""

FLAT_STEPS = STEPS | {"Prismatic": ("PX",), "Free": STEPS["Planar"]}
"""The same in a planar mechanism."""

MODELS = {
    "RZ": pin.JointModelRZ,
    "RX": pin.JointModelRX,
    "PX": pin.JointModelPX,
    "PY": pin.JointModelPY,
    "PZ": pin.JointModelPZ,
    "ball": pin.JointModelSpherical,
    "weld": pin.JointModelRZ,
}
"""A weld is a hinge that one more row holds still, so that it carries a force like every other joint."""


def frame_of(marker: Marker, planar: bool) -> pin.SE3:
    """A marker in its body's frame; when x is not given it is along the first body axis over 30° from z."""
    if planar:
        return pin.SE3(pin.utils.rotate("z", float(evaluate(marker.angle))), three(marker.point))
    z = three(marker.z or (0.0, 0.0, 1.0))
    z = z / np.linalg.norm(z)
    x = next(axis for axis in np.eye(3) if abs(axis @ z) < np.sqrt(0.75))
    x = x if marker.x is None else three(marker.x)
    x = x - (x @ z) * z
    x = x / np.linalg.norm(x)
    return pin.SE3(np.column_stack([x, np.cross(z, x), z]), three(marker.point))


@dataclass(frozen=True, eq=False)
class Step:
    """An elementary joint in Pinocchio: its kind, its number there, and whether it runs outward."""

    kind: str
    number: int
    forward: bool


class Peer:
    """A mechanism along one of its spanning trees as a Pinocchio model; markers are frames of it."""

    def __init__(self, mechanism: Mechanism, tree: Tree) -> None:
        if tree.splits:
            raise ValueError(f"bodies in two halves are not converted: {tree.splits}")
        self.mechanism, self.planar = mechanism, mechanism.planar
        self.cuts = [mechanism.joint(name) for name in tree.cuts]
        self.forward = {branch.joint: branch.forward for branch in tree.branches}
        self.steps: dict[str, list[Step]] = {}
        self.model = pin.Model()
        self.model.gravity.linear = gravity_of(mechanism)
        places = {GROUND: (0, HERE)}  # for every body the last of its steps, and its frame relative to it
        for branch in tree.branches:
            joint = mechanism.joint(branch.joint)
            seat, handle = (joint.first, joint.second) if branch.forward else (joint.second, joint.first)
            number, parent = places[branch.parent]
            number = self._add_steps(joint, branch.forward, number, parent * self._marker(seat))
            own = self._marker(handle).inverse()
            self.model.appendBodyToJoint(number, pin.Inertia(*weight_of(mechanism, branch.body)), own)
            places[branch.body] = (number, own)
        self.frames = {}
        for reference in dict.fromkeys(
            end for joint in mechanism.connections for end in (joint.first, joint.second)
        ):
            number, body = places[reference.partition(".")[0]]
            frame = pin.Frame(reference, number, body * self._marker(reference), pin.FrameType.OP_FRAME)
            self.frames[reference] = self.model.addFrame(frame)

    def _marker(self, reference: str) -> pin.SE3:
        return frame_of(self.mechanism.marker(reference), self.planar)

    def _add_steps(self, joint: Joint, forward: bool, number: int, place: pin.SE3) -> int:
        """The steps of a joint one after another; backward they are inverted, in the opposite order.

        X = E₁(q₁) … Eₙ(qₙ),     X⁻¹ = Eₙ(−qₙ) … E₁(−q₁)
        """
        kinds = (FLAT_STEPS if self.planar else STEPS)[type(joint).__name__]
        steps = []
        for kind in kinds if forward else reversed(kinds):
            new = pin.JointModelHZ(float(evaluate(joint.pitch))) if kind == "screw" else MODELS[kind]()
            number = self.model.addJoint(number, new, place, f"{joint.name} {len(steps)}")
            steps.append(Step(kind, number, forward))
            place = HERE
        self.steps[joint.name] = steps if forward else steps[::-1]
        return number

    def coordinates(self, positions: Values) -> np.ndarray:
        """Pinocchio's q; its quaternions have the scalar last, and welds stand at zero."""
        q = pin.neutral(self.model)
        for name, steps in self.steps.items():
            values = iter(np.atleast_1d(positions[name]))
            for step in steps:
                sign, at = 1.0 if step.forward else -1.0, self.model.joints[step.number].idx_q
                if step.kind == "ball":
                    scalar = next(values)
                    q[at : at + 4] = [*(sign * next(values) for _ in range(3)), scalar]
                elif step.kind != "weld":
                    q[at] = sign * next(values)
        return q

    def rate_maps(self, q: np.ndarray) -> dict[str, np.ndarray]:
        """For every joint the matrix T of v_pin = T v; its columns are orthonormal, so τ_pin = T τ as well.

        A ball's rate is there in the axes of the outer body and here in those of the first marker, which is
        the inner one when the joint runs outward. ω × ω = 0, so accelerations go over with the same T.
        """
        found = {}
        for name, steps in self.steps.items():
            columns = [np.zeros((self.model.nv, 0))]
            for step in (step for step in steps if step.kind != "weld"):
                at = self.model.joints[step.number]
                size = at.nv
                block = np.eye(size) if step.forward else -np.eye(size)
                if step.kind == "ball" and step.forward:
                    block = pin.Quaternion(q[at.idx_q : at.idx_q + 4]).matrix().T
                columns.append(np.zeros((self.model.nv, size)))
                columns[-1][at.idx_v : at.idx_v + size] = block
            found[name] = np.hstack(columns)
        return found

    @cached_property
    def weld_rows(self) -> np.ndarray:
        """A unit row for every hinge that stands for a weld."""
        welds = [step.number for step in chain(*self.steps.values()) if step.kind == "weld"]
        return np.eye(self.model.nv)[[self.model.joints[number].idx_v for number in welds]]
