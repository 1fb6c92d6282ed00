"""Gathers what was computed instant by instant and gives the names back."""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.kinematics.path import Instant
from multiloop.kinematics.readings import joint_coordinates, joint_motion
from multiloop.kinematics.singularity import Singularity
from multiloop.model import GROUND
from multiloop.plan import Plan
from multiloop.questions.places import body_poses
from multiloop.questions.result import JointHistory, Result


class Recorder:
    """Rows for a Result, one instant after another; angles of cut joints run on from turn to turn."""

    def __init__(self, equations: Equations, plan: Plan, p: np.ndarray) -> None:
        self.equations, self.plan, self.p = equations, plan, p
        self.names = [joint.name for joint in plan.mechanism.pairs]
        self.times: list[float] = []
        self.positions: list[dict[str, np.ndarray]] = []
        self.rates: list[dict[str, np.ndarray]] = []
        self.accelerations: list[dict[str, np.ndarray]] = []
        self.efforts: list[np.ndarray] = []
        self.wrenches: list[np.ndarray] = []
        self.poses: list[dict[str, np.ndarray]] = []
        self.violation: list[float] = []
        self.energies: list[tuple[float, float, float]] = []

    def add(self, instant: Instant, a: np.ndarray, tau: np.ndarray, wrenches: np.ndarray) -> None:
        """One instant: accelerations and efforts along the tree's rates, wrenches 6 × joints."""
        equations, q, v, p = self.equations, instant.q, instant.v, self.p
        near = self.positions[-1] if self.positions else self.plan.assembly.coordinates()
        rates, accelerations = joint_motion(equations, q, v, a, p)
        self.times.append(instant.t)
        self.positions.append(joint_coordinates(equations, q, p, near))
        self.rates.append(rates)
        self.accelerations.append(accelerations)
        self.efforts.append(tau)
        self.wrenches.append(wrenches)
        self.poses.append(body_poses(equations, q, p))
        targets = np.zeros(equations.s.shape[0])
        rows = equations.row_scale * equations.closure(q, targets, p)
        self.violation.append(float(np.abs(rows[: equations.skeleton.rows]).max(initial=0.0)))

    def add_energy(self, kinetic: float, potential: float, work: float) -> None:
        """Energy of the instant just added, and the work done since the first."""
        self.energies.append((kinetic, potential, work))

    def result(self, method: str, singularities: tuple[Singularity, ...] = (), rule: str = "") -> Result:
        """Everything gathered, by name."""
        mechanism, planar = self.plan.mechanism, self.plan.mechanism.planar
        wrenches = np.array(self.wrenches)
        joints = {}
        for k, joint in enumerate(mechanism.pairs):
            n, f = wrenches[:, :3, k], wrenches[:, 3:, k]
            link = self.equations.skeleton.carrier.get(joint.name)
            free = joint.freedoms(planar)
            effort = (
                np.array(self.efforts)[:, link.v] if link is not None else np.zeros((len(self.times), free))
            )
            unique = self.plan.unique[joint.name]
            joints[joint.name] = JointHistory(
                name=joint.name,
                first=joint.first,
                second=joint.second,
                position=_single(np.array([q[joint.name] for q in self.positions])),
                rate=_single(np.array([v[joint.name] for v in self.rates])),
                acceleration=_single(np.array([a[joint.name] for a in self.accelerations])),
                force=f[:, :2] if planar else f,
                moment=n[:, 2] if planar else n,
                effort=_single(effort),
                determined=all(flag for _, flag in unique),
                undetermined=tuple(name for name, flag in unique if not flag),
            )
        bodies = [body.name for body in mechanism.moving]
        poses = {body: np.array([poses[body] for poses in self.poses]) for body in (GROUND, *bodies)}
        return Result(
            mechanism=mechanism,
            plan=self.plan,
            method=method,
            time=np.array(self.times),
            joints=joints,
            poses=poses,
            constraint_violation=np.array(self.violation),
            singularities=singularities,
            status="ok",
            rule=rule,
            energies=np.array(self.energies).reshape(-1, 3),
        )


def _single(rows: np.ndarray) -> np.ndarray:
    """One number an instant where a joint has one coordinate."""
    return rows[:, 0] if rows.ndim == 2 and rows.shape[1] == 1 else rows
