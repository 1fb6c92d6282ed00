"""The motion of a mechanism along one tree, traced on symbols once and asked with numbers.

q are the tree's coordinates, v their rates, a their accelerations, p the parameters. The symbols and the
placed bodies are open to other rooms, which trace further functions on them.
"""

from __future__ import annotations

from functools import cached_property

import casadi as ca
import numpy as np

from multiloop.kinematics.closure import cut_rates, ends_of
from multiloop.kinematics.skeleton import Skeleton, resolved
from multiloop.kinematics.snapshot import Snapshot
from multiloop.model import GROUND, Joint
from multiloop.model.expressions import evaluate
from multiloop.spatial import Matrix, Pose
from multiloop.symbols import Traced


class Trace(Snapshot):
    """A snapshot on symbols, with functions that answer in numbers; each is traced when first asked for."""

    def __init__(self, skeleton: Skeleton) -> None:
        super().__init__(skeleton, ca.SX.sym("q", skeleton.positions), ca.SX.sym("v", skeleton.rates))
        self.a = ca.SX.sym("a", skeleton.rates)
        self._constants: dict[tuple[int, str, tuple[float, ...]], Pose] = {}

    def function(self, name: str, inputs: str, **outputs: Matrix) -> Traced:
        """A function of some of the symbols (by letter, in order) and always the parameters p last."""
        symbols = {letter: getattr(self, letter) for letter in inputs}
        return Traced(name, symbols | {"p": self.skeleton.symbols}, outputs)

    @cached_property
    def _poses(self) -> Traced:
        stacked = [ca.horzcat(place.pose.R, place.pose.p) for place in self.placed]
        return self.function("poses", "q", poses=ca.horzcat(ca.SX(3, 0), *stacked))

    @cached_property
    def _complement(self) -> Traced:
        twists = ca.vertcat(ca.SX(0, 1), *[motion.twist for motion in self.moving])
        return self.function("complement", "q", N=ca.jacobian(twists, self.v))

    @cached_property
    def _cut_motion(self) -> Traced:
        """Rates f(q, v) of the cut joints and their accelerations ḟ = f_q E v + f_v a."""
        skeleton, q = self.skeleton, self.q
        parts = [
            cut_rates(skeleton, cut, ends_of(skeleton, cut, q, self.placed, (self.v, self.moving)))
            for cut in skeleton.cuts
        ]
        rates = ca.vertcat(ca.SX(0, 1), *parts)
        accelerations = ca.jtimes(rates, q, self.q_rate) + ca.jtimes(rates, self.v, self.a)
        return self.function("cut_motion", "qva", rates=rates, accelerations=accelerations)

    # numbers ------------------------------------------------------------------------------------------

    def poses(self, q: np.ndarray, p: np.ndarray) -> dict[str, Pose]:
        """Poses of the inboard frames of all bodies, the ground included."""
        (stacked,) = self._poses(q, p)
        found = {GROUND: Pose(np.eye(3), np.zeros(3))}
        for k, link in enumerate(self.skeleton.links):
            found[link.body] = Pose(stacked[:, 4 * k : 4 * k + 3], stacked[:, 4 * k + 3])
        return found

    def complement(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        """The tree's natural orthogonal complement N, 6n × rates: t = N v at the inboard origins."""
        (N,) = self._complement(q, p)
        return N.reshape(-1, self.skeleton.rates)

    def cut_motion(
        self, q: np.ndarray, v: np.ndarray, a: np.ndarray, p: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rates and accelerations of all cut joints, one after another."""
        rates, accelerations = self._cut_motion(q, v, a, p)
        return rates, accelerations

    def constant_pose(self, k: int, marker: str, p: np.ndarray) -> Pose:
        """Pose of a marker in the inboard frame of its undeformed body (−1 the ground)."""
        key = (k, marker, tuple(p))
        if key not in self._constants:
            pose = self.skeleton.body_of(k).markers[marker]
            read = ca.Function("marker", [self.skeleton.symbols], [ca.SX(pose.R), ca.SX(pose.p)])
            R, origin = read(ca.DM(p))
            self._constants[key] = Pose(R.full(), origin.full()[:, 0])
        return self._constants[key]

    def numeric_joint(self, joint: Joint, p: np.ndarray) -> Joint:
        """A joint with the parameters' values in place of its expressions."""
        values = dict(zip(self.skeleton.names, p, strict=True))
        return resolved(joint, lambda value: float(evaluate(value, parameters=values)))
