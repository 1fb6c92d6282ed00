"""Gathers what was computed instant by instant, reads off the rest in one go, and gives the names back."""

from __future__ import annotations

from typing import Any

import numpy as np

from multiloop.dynamics.readouts import readouts_of
from multiloop.kinematics.constraints import RowSet
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.singularity import Singularity
from multiloop.model import GROUND, IN_PLANE
from multiloop.plan import Plan
from multiloop.questions.answers.coupling_history import CouplingHistory
from multiloop.questions.answers.extremes import ROUND_OFF
from multiloop.questions.answers.finite import only_finite
from multiloop.questions.answers.joint_history import JointHistory
from multiloop.questions.answers.links import link_histories
from multiloop.questions.answers.load_history import load_histories
from multiloop.questions.answers.result import Result
from multiloop.questions.load_refusals import without_value
from multiloop.spatial import Pose


class Recorder:
    """Instants for a Result; angles of cut joints run on from turn to turn."""

    def __init__(self, equations: Equations, plan: Plan, p: np.ndarray) -> None:
        self.equations, self.plan, self.p = equations, plan, p
        self.times: list[float] = []
        self.states: list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = []
        self.wrenches: list[np.ndarray] = []
        self.own_states: list[np.ndarray] = []
        self.works: list[float] = []  # filled by verbs that integrate the work done
        self.readouts = readouts_of(equations)

    def add(
        self,
        t: float,
        q: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        tau: np.ndarray,
        wrenches: np.ndarray,
        x: np.ndarray | None = None,
    ) -> None:
        """One instant: motion and forces along the tree's rates, constraint wrenches 6 × joints.

        `x` are the states that are no coordinates, without them as at the start.
        """
        if not all(np.isfinite(found).all() for found in (a, tau, wrenches)):
            raise without_value(self.equations, t, q, v, self.p)
        self.times.append(t)
        self.states.append((q, v, a, tau))
        self.wrenches.append(wrenches)
        self.own_states.append(self.equations.skeleton.initial(self.p) if x is None else x)

    def result(self, method: str, singularities: tuple[Singularity, ...] = (), rule: str = "") -> Result:
        """Everything gathered and read off, by name."""
        mechanism = self.plan.mechanism
        q, v, a, tau = (np.array(column) for column in zip(*self.states, strict=True))
        couplings, pushed = self._couplings(q, v, a, tau)
        found = self._readings(q, v, a, tau + pushed)
        found["efforts"] = found["efforts"].reshape(len(q), 6, -1)
        poses = self._poses(found["poses"])
        result = Result(
            mechanism=mechanism,
            plan=self.plan,
            method=method,
            time=np.array(self.times),
            joints=self._joints(q, v, a, tau, found, poses),
            poses=poses,
            constraint_violation=np.abs(found["open"]).max(axis=1, initial=0.0),
            singularities=singularities,
            status="ok",
            rule=rule,
            kinetic_energy=found["kinetic"][:, 0],
            potential_energy=found["potential"][:, 0],
            momentum=found["momentum"][:, IN_PLANE] if mechanism.planar else found["momentum"],
            work=np.array(self.works) if self.works else None,
            integrals=dict(zip(self.equations.skeleton.states, np.array(self.own_states).T, strict=True)),
            links=link_histories(self.equations.skeleton, q, v, a),
            **self._loads(found),
            couplings=couplings,
        )
        return only_finite(result)

    def _couplings(
        self, q: np.ndarray, v: np.ndarray, a: np.ndarray, tau: np.ndarray
    ) -> tuple[dict[str, CouplingHistory], np.ndarray]:
        """Every coupling over time, its multipliers from what the joints leave of the balance of forces; and what all
        of them exert along the rates."""
        if not self.plan.mechanism.couplings:
            return {}, np.zeros_like(tau)
        count = len(q)
        wrenches = np.array(self.wrenches).transpose(2, 1, 0).reshape(-1, count)
        known = {"t": np.array([self.times]), "x": np.array(self.own_states).T, "p": self.p}
        motion = {"q": q.T, "v": v.T, "a": a.T, "tau": tau.T}
        left, *rows = self.readouts.balance.many(**known, **motion, wrenches=wrenches)
        J, pushing = (part.reshape(count, -1, v.shape[1]) for part in rows)
        lam = (np.linalg.pinv(J.transpose(0, 2, 1)) @ left.reshape(count, -1, 1))[:, :, 0]
        untold, found = RowSet(self.readouts.untold), {}
        for one, place in zip(untold.constraints, untold.slices, strict=True):
            pushed = np.einsum("trk,tr->tk", pushing[:, place], lam[:, place])
            efforts = {link.joint.name: _single(pushed[:, link.v]) for link in self.readouts.pushed(one)}
            power = np.einsum("tr,trk,tk->t", lam[:, place], J[:, place], v) * one.rheonomic
            found[one.name] = CouplingHistory(one.name, _single(lam[:, place]), efforts, power)
        named = {coupling.name: found[coupling.name] for coupling in self.plan.mechanism.couplings}
        return named, np.einsum("trk,tr->tk", pushing, lam)

    def _readings(
        self, q: np.ndarray, v: np.ndarray, a: np.ndarray, tau: np.ndarray
    ) -> dict[str, np.ndarray]:
        """All that is read off the states; where nothing can move, the same at every instant."""
        readings = self.readouts.readings
        if q.shape[1] or "t" in readings.inputs:
            known = {"t": np.array([self.times]), "x": np.array(self.own_states).T, "p": self.p}
            found = readings.many(**known, q=q.T, v=v.T, a=a.T, tau=tau.T)
            return dict(zip(readings.outputs, found, strict=True))
        standing = readings(t=self.times[0], q=q[0], v=v[0], a=a[0], tau=tau[0], p=self.p)
        return {name: np.array([x] * len(q)) for name, x in zip(readings.outputs, standing, strict=True)}

    def _loads(self, found: dict[str, np.ndarray]) -> dict[str, Any]:
        """What the loads tell of themselves, and what they do to the frame."""
        mechanism, readouts = self.plan.mechanism, self.readouts
        if not mechanism.loads:
            return {}
        loads = load_histories(mechanism, found["loads"], readouts.load_shapes, readouts.load_units)
        return {"loads": loads, "on_frame": found["frame"]}

    def _poses(self, stacked: np.ndarray) -> dict[str, np.ndarray]:
        """[R | p] of every body over time, the ground included."""
        count = len(stacked)
        grounded = np.column_stack([np.eye(3), np.zeros(3)])
        poses = {GROUND: np.repeat(grounded[None], count, axis=0)}
        for k, body in enumerate(self.readouts.bodies):
            poses[body] = stacked[:, :, 4 * k : 4 * k + 4]
        return poses

    def _joints(
        self,
        q: np.ndarray,
        v: np.ndarray,
        a: np.ndarray,
        tau: np.ndarray,
        found: dict[str, np.ndarray],
        poses: dict[str, np.ndarray],
    ) -> dict[str, JointHistory]:
        """Every joint over time, cut ones read from their markers."""
        skeleton, planar = self.equations.skeleton, self.plan.mechanism.planar
        motion = {
            link.joint.name: (q[:, link.q], v[:, link.v], a[:, link.v], tau[:, link.v])
            for link in skeleton.links
        }
        at, known = 0, {joint.name for joint in self.plan.mechanism.connections}
        for k, cut in enumerate(skeleton.cuts):
            f = len(cut.joint.components(planar))
            if cut.joint.name in known:  # the closing Fixed of a split body is nobody's joint
                rates, accelerations = (
                    found["cut_rates"][:, at : at + f],
                    found["cut_accelerations"][:, at : at + f],
                )
                read = self._read(cut.joint.name, found["cut_poses"][:, :, 4 * k : 4 * k + 4])
                motion[cut.joint.name] = (read, rates, accelerations, np.zeros((len(q), f)))
            at += f
        wrenches, histories = np.array(self.wrenches), {}
        least = ROUND_OFF * float(np.linalg.norm(wrenches[:, 3:], axis=1).max(initial=0.0))
        for k, joint in enumerate(self.plan.mechanism.connections):
            force, moment = _shaped(wrenches[:, :, k], planar)
            effort_force, effort_moment = _shaped(found["efforts"][:, :, k], planar)
            unique = self.plan.unique[joint.name]
            position, rate, acceleration, effort = (_single(rows) for rows in motion[joint.name])
            histories[joint.name] = JointHistory(
                mechanism=self.plan.mechanism.name,
                name=joint.name,
                first=joint.first,
                second=joint.second,
                position=position,
                rate=rate,
                acceleration=acceleration,
                force=force,
                moment=moment,
                effort=effort,
                effort_force=effort_force,
                effort_moment=effort_moment,
                determined=all(flag for _, flag in unique),
                undetermined=tuple(name for name, flag in unique if not flag),
                poses=poses,
                least=least,
            )
        return histories

    def _read(self, name: str, frames: np.ndarray) -> np.ndarray:
        """Coordinates of a cut joint from its second marker's frames in its first, running on from the assembly."""
        mechanism = self.plan.mechanism
        joint = self.equations.numeric_joint(mechanism.connection(name), self.p)
        near, rows = self.plan.assembly.coordinates()[name], []
        for frame in frames:
            near = joint.read(Pose(frame[:, :3], frame[:, 3]), near, mechanism.planar)
            rows.append(near)
        return np.array(rows)


def _shaped(wrenches: np.ndarray, planar: bool) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment over time: two components and a number in the plane, three and three in space."""
    n, f = wrenches[:, :3], wrenches[:, 3:]
    return (f[:, :2], n[:, 2]) if planar else (f, n)


def _single(rows: np.ndarray) -> np.ndarray:
    """One number an instant where a joint has one coordinate."""
    return rows[:, 0] if rows.ndim == 2 and rows.shape[1] == 1 else rows
