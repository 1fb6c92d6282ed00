"""Gathers what was computed instant by instant and gives the names back."""

from __future__ import annotations

import numpy as np

from multiloop.dynamics.measured import Measured
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
        self.effort_wrenches: list[np.ndarray] = []
        self.energies: list[tuple[float, float]] = []
        self.momenta: list[np.ndarray] = []
        self.works: list[float] = []  # filled by verbs that integrate the work done
        self.measured = Measured(equations)

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
        self.effort_wrenches.append(self.measured.efforts(q, tau, p)[0].reshape(6, -1))
        kinetic, potential, momentum = self.measured.energy(q, v, p)
        self.energies.append((float(kinetic[0]), float(potential[0])))
        self.momenta.append(momentum)
        targets = np.zeros(equations.s.shape[0])
        rows = equations.row_scale * equations.closure(q, targets, p)
        self.violation.append(float(np.abs(rows[: equations.skeleton.rows]).max(initial=0.0)))

    def result(self, method: str, singularities: tuple[Singularity, ...] = (), rule: str = "") -> Result:
        """Everything gathered, by name."""
        mechanism, planar = self.plan.mechanism, self.plan.mechanism.planar
        wrenches, effort_wrenches = np.array(self.wrenches), np.array(self.effort_wrenches)
        bodies = [body.name for body in mechanism.moving]
        poses = {body: np.array([poses[body] for poses in self.poses]) for body in (GROUND, *bodies)}
        joints = {}
        for k, joint in enumerate(mechanism.pairs):
            force, moment = _shaped(wrenches[:, :, k], planar)
            effort_force, effort_moment = _shaped(effort_wrenches[:, :, k], planar)
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
                force=force,
                moment=moment,
                effort=_single(effort),
                effort_force=effort_force,
                effort_moment=effort_moment,
                determined=all(flag for _, flag in unique),
                undetermined=tuple(name for name, flag in unique if not flag),
                poses=poses,
            )
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
            kinetic_energy=np.array([kinetic for kinetic, _ in self.energies]),
            potential_energy=np.array([potential for _, potential in self.energies]),
            momentum=np.array(self.momenta),
            work=np.array(self.works) if self.works else None,
        )


def _shaped(wrenches: np.ndarray, planar: bool) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment over time: two components and a number in the plane, three and three in space."""
    n, f = wrenches[:, :3], wrenches[:, 3:]
    return (f[:, :2], n[:, 2]) if planar else (f, n)


def _single(rows: np.ndarray) -> np.ndarray:
    """One number an instant where a joint has one coordinate."""
    return rows[:, 0] if rows.ndim == 2 and rows.shape[1] == 1 else rows
