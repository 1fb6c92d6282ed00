"""The mechanism in MuJoCo: built from the opened tree, with soft `connect` equalities at its cuts.

MuJoCo's constraints are soft: its accelerations agree with exact ones up to about 1e-4 of the loop forces. `unbalanced`
measures how exactly its model is the same mechanism.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np

from benchmarks.peers.build import address, mujoco_library
from benchmarks.peers.opened import Opened
from benchmarks.peers.rounds import Loop
from benchmarks.peers.states import Moment

HARDEST = (0.9999, 0.9999, 0.001, 0.5, 2.0)
"""`solimp` at the stiffest value of MuJoCo: constraint accelerations have a relative error of 1e-4."""

AXES = {"RX": (1, 0, 0), "RY": (0, 1, 0), "RZ": (0, 0, 1), "PX": (1, 0, 0), "PY": (0, 1, 0), "PZ": (0, 0, 1)}

SWITCHED_OFF = ("CONTACT", "LIMIT", "FRICTIONLOSS", "SPRING", "DAMPER", "SENSOR", "ACTUATION", "CLAMPCTRL")


@dataclass(frozen=True)
class Settings:
    """What may be tuned: storage of the Jacobian, separate islands, most iterations, time step and stiffness.

    `softness` is the time constant of `solref` in steps.
    """

    sparse: bool = False
    islands: bool = False
    iterations: int = 1
    dt: float = 1e-3
    softness: float = 2.0
    integrator: str = "EULER"

    def __str__(self) -> str:
        return f"{'sparse' if self.sparse else 'dense'}{', islands' if self.islands else ''}"


@dataclass(frozen=True, eq=False)
class MuJoCo:
    """One mechanism in MuJoCo with its settings."""

    opened: Opened
    settings: Settings = Settings()

    @cached_property
    def model(self) -> mujoco.MjModel:
        """Compiled from the opened tree."""
        spec = mujoco.MjSpec()
        spec.compiler.degree = False
        self._options(spec.option)
        bodies, leading = {-1: spec.worldbody}, None
        for k, step in enumerate(self.opened.steps):
            # where a step without mass leads here, both hinges belong to one body
            body = leading or bodies[step.parent].add_body(pos=step.p, quat=_quaternion(step.R))
            self._joint(body, k)
            leading = body if step.mass == 0.0 else None
            if leading:
                continue
            bodies[k] = body
            body.mass, body.ipos, body.explicitinertial = step.mass, step.com, True
            I = step.inertia
            body.fullinertia = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        for cut in self.opened.joined:
            names = []
            for side, at, point in (
                ("first", cut.first, cut.first_point),
                ("second", cut.second, cut.second_point),
            ):
                names.append(f"{cut.name} {side}")
                bodies[at].add_site(name=names[-1], pos=point)
            equality = spec.add_equality(
                type=mujoco.mjtEq.mjEQ_CONNECT,
                objtype=mujoco.mjtObj.mjOBJ_SITE,
                name1=names[0],
                name2=names[1],
            )
            equality.solref = (self.settings.softness * self.settings.dt, 1.0)
            equality.solimp = HARDEST
        self._further(spec)
        return spec.compile()

    def _further(self, spec: mujoco.MjSpec) -> None:
        """What acts besides weight and efforts."""

    def _options(self, option) -> None:  # type: ignore[no-untyped-def]
        settings, jacobian = self.settings, mujoco.mjtJacobian
        option.gravity = self.opened.gravity
        option.timestep = settings.dt
        option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{settings.integrator}")
        option.solver = mujoco.mjtSolver.mjSOL_NEWTON
        option.jacobian = jacobian.mjJAC_SPARSE if settings.sparse else jacobian.mjJAC_DENSE
        option.iterations, option.tolerance = settings.iterations, 1e-14
        off = [*SWITCHED_OFF, *([] if settings.islands else ["ISLAND"])]
        for name in off:
            option.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}"))

    def _joint(self, body, k: int) -> None:  # type: ignore[no-untyped-def]
        step, kinds = self.opened.steps[k], mujoco.mjtJoint
        if step.kind == "ball":
            body.add_joint(name=step.name, type=kinds.mjJNT_BALL)
        elif step.kind == "free":
            body.add_freejoint(name=step.name)
        else:
            kind = kinds.mjJNT_HINGE if step.kind[0] == "R" else kinds.mjJNT_SLIDE
            body.add_joint(name=step.name, type=kind, axis=AXES[step.kind])

    @cached_property
    def data(self) -> mujoco.MjData:
        """Where it computes."""
        return mujoco.MjData(self.model)

    # one state -----------------------------------------------------------------------------------------

    def pack(self, moment: Moment) -> np.ndarray:
        """[qpos, qvel, tau] of a state."""
        q = self.opened.positions(moment.positions)
        return np.concatenate([q, self.opened.rates(q, moment.rates), self.opened.efforts(moment.efforts)])

    def load(self, moment: Moment) -> mujoco.MjData:
        """The data at a state, everything computed."""
        d, nq, nv = self.data, self.model.nq, self.model.nv
        d.qpos[:], d.qvel[:], d.qfrc_applied[:] = np.split(self.pack(moment), [nq, nq + nv])
        d.qacc_warmstart[:] = 0.0
        mujoco.mj_forward(self.model, d)
        return d

    def accelerations(self, moment: Moment) -> np.ndarray:
        """Of the tree, in MuJoCo's coordinates."""
        return self.load(moment).qacc.copy()

    def unbalanced(self, moment: Moment, a: np.ndarray) -> float:
        """The part of M a + bias − tau that constraint forces cannot balance, relative to the largest of its terms.

        For the true accelerations it vanishes: the rest is a combination of the rows of MuJoCo's Jacobian.
        """
        d, m = self.load(moment), self.model
        inertial = np.zeros(m.nv)
        mujoco.mj_mulM(m, d, inertial, a)
        left = inertial + d.qfrc_bias - d.qfrc_applied
        size = max(np.abs(part).max() for part in (inertial, d.qfrc_bias, d.qfrc_applied))
        if d.nefc:
            J = np.zeros((d.nefc, m.nv))
            for row, unit in enumerate(np.eye(d.nefc)):
                mujoco.mj_mulJacTVec(m, d, J[row], unit)
            left = left - J.T @ np.linalg.lstsq(J.T, left, rcond=1e-9)[0]
        return float(np.abs(left).max() / size)

    # many states ---------------------------------------------------------------------------------------

    def states(
        self, moments: Sequence[Moment], accelerations: Sequence[np.ndarray] | None = None
    ) -> np.ndarray:
        """[qpos, qvel, tau, qacc] of many states; without accelerations the solver starts at its own answer."""
        if accelerations is None:
            accelerations = [self.accelerations(moment) for moment in moments]
        rows = zip(moments, accelerations, strict=True)
        return np.ascontiguousarray([np.concatenate([self.pack(moment), a]) for moment, a in rows])

    def loop(self, states: np.ndarray, question: str = "forward") -> Loop:
        """Evaluates the states in C: "forward", or "inverse" with the forces inside all joints."""
        run = getattr(mujoco_library(), f"{question}_loop")
        run.restype = ctypes.c_double
        model, data = ctypes.c_void_p(self.model._address), ctypes.c_void_p(self.data._address)

        def loop(repeats: int) -> None:
            run(model, data, address(states), len(states), ctypes.c_long(repeats))

        return loop


def _quaternion(R: np.ndarray) -> np.ndarray:
    found = np.zeros(4)
    mujoco.mju_mat2Quat(found, np.ascontiguousarray(R).ravel())
    return found
