"""The kinematic equations of one mechanism along one tree, ready to be asked with numbers.

Traced once on symbols; CasADi's interpreter runs them. q are the tree's coordinates, s the values of the
targets (drives, held starts), p the parameters.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

import casadi as ca
import numpy as np
import scipy.sparse as sp

from multiloop.kinematics.chart import LENGTHS, Chart
from multiloop.kinematics.closure import closure_rows, cut_gamma, cut_jacobian, cut_rates, ends_of
from multiloop.kinematics.motion import accelerate_bodies, move_bodies, place_bodies
from multiloop.kinematics.skeleton import Skeleton, build_skeleton, resolved
from multiloop.kinematics.spins import Spin, spin_rate
from multiloop.kinematics.targets import Target, target_gamma, target_rows
from multiloop.model import GROUND, Joint, Mechanism
from multiloop.model.expressions import evaluate
from multiloop.spatial import Matrix, Pose
from multiloop.topology import Tree


class Equations:
    """Closure and target rows of a mechanism with their tangent Jacobian and convective terms.

    The symbols q, v, a, s and the placed bodies are open to other rooms, which trace further functions on
    them; every function below is traced when it is first asked for.
    """

    def __init__(
        self, skeleton: Skeleton, targets: tuple[Target, ...] = (), spins: tuple[Spin, ...] = ()
    ) -> None:
        self.skeleton = skeleton
        self.targets = targets
        self.spins = spins
        self.chart = Chart(skeleton)
        self.q = ca.SX.sym("q", skeleton.positions)
        self.v = ca.SX.sym("v", skeleton.rates)
        self.a = ca.SX.sym("a", skeleton.rates)
        self.s = ca.SX.sym("s", sum(target.values() for target in targets))
        self.placed = place_bodies(skeleton, self.q)
        self._constants: dict[tuple[int, str, tuple[float, ...]], Pose] = {}

    # traced -------------------------------------------------------------------------------------------

    def traced(self, name: str, inputs: str, *outputs: Matrix) -> ca.Function:
        """A function of some of q, v, a, s (by letter, in order) and always the parameters last."""
        return ca.Function(
            name, [*(getattr(self, letter) for letter in inputs), self.skeleton.symbols], list(outputs)
        )

    @cached_property
    def moving(self) -> list:
        """Twists of all bodies, as symbols."""
        return move_bodies(self.skeleton, self.placed, self.v)

    @cached_property
    def _phi(self) -> Matrix:
        skeleton, q = self.skeleton, self.q
        cuts = [closure_rows(skeleton, cut, ends_of(skeleton, cut, q, self.placed)) for cut in skeleton.cuts]
        at, rows = 0, []
        for target in self.targets:
            rows.append(target_rows(skeleton, target, q, self.placed, self.s[at : at + target.values()]))
            at += target.values()
        return ca.vertcat(ca.SX(0, 1), *cuts, *rows)

    @cached_property
    def _closure(self) -> ca.Function:
        return self.traced("closure", "qs", self._phi)

    @cached_property
    def _jacobian(self) -> ca.Function:
        return self.traced("jacobian", "qs", ca.jacobian(self._phi, self.q) @ self.chart.rate_map(self.q))

    @cached_property
    def _spin_rates(self) -> Matrix:
        rates = [spin_rate(self.skeleton, spin, self.q, self.placed, self.moving) for spin in self.spins]
        return ca.vertcat(ca.SX(0, 1), *rates)

    @cached_property
    def _rate_jacobian(self) -> ca.Function:
        position_rows = ca.jacobian(self._phi, self.q) @ self.chart.rate_map(self.q)
        return self.traced(
            "rate_jacobian", "qs", ca.vertcat(position_rows, ca.jacobian(self._spin_rates, self.v))
        )

    @cached_property
    def _gamma(self) -> ca.Function:
        skeleton, q, placed = self.skeleton, self.q, self.placed
        convective = accelerate_bodies(skeleton, placed, self.moving, self.v)
        cuts = [
            cut_gamma(skeleton, cut, ends_of(skeleton, cut, q, placed, self.moving, convective))
            for cut in skeleton.cuts
        ]
        rows = [target_gamma(skeleton, t, q, placed, self.moving, convective) for t in self.targets]
        spins = -ca.jtimes(self._spin_rates, q, self.chart.rate_map(q) @ self.v)
        return self.traced("gamma", "qv", ca.vertcat(ca.SX(0, 1), *cuts, *rows, spins))

    @cached_property
    def loop_jacobian(self) -> Matrix:
        """J of all cuts from the joint-rate propagation matrices, as symbols ([koul], eq. (12))."""
        skeleton = self.skeleton
        blocks = [
            cut_jacobian(skeleton, cut, ends_of(skeleton, cut, self.q, self.placed), self.placed)
            for cut in skeleton.cuts
        ]
        return ca.vertcat(ca.SX(0, skeleton.rates), *blocks)

    @cached_property
    def _geometric(self) -> ca.Function:
        return self.traced("geometric", "q", self.loop_jacobian)

    @cached_property
    def _poses(self) -> ca.Function:
        stacked = [ca.horzcat(place.pose.R, place.pose.p) for place in self.placed]
        return self.traced("poses", "q", ca.densify(ca.horzcat(ca.SX(3, 0), *stacked)))

    @cached_property
    def _complement(self) -> ca.Function:
        twists = ca.vertcat(ca.SX(0, 1), *[motion.twist for motion in self.moving])
        return self.traced("complement", "q", ca.densify(ca.jacobian(twists, self.v)))

    @cached_property
    def _cut_motion(self) -> ca.Function:
        """Rates and accelerations of the cut joints; ḟ = f_q E v + f_v a for f(q, v)."""
        skeleton, q, v = self.skeleton, self.q, self.v
        parts = [
            cut_rates(skeleton, cut, ends_of(skeleton, cut, q, self.placed, self.moving))
            for cut in skeleton.cuts
        ]
        rates = ca.vertcat(ca.SX(0, 1), *parts)
        q_rate = self.chart.rate_map(q) @ v
        accelerations = ca.jtimes(rates, q, q_rate) + ca.jtimes(rates, v, self.a)
        return self.traced("cut_motion", "qva", ca.densify(rates), ca.densify(accelerations))

    # numbers ------------------------------------------------------------------------------------------

    def closure(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Φ: rows of the cuts, then of the targets."""
        return self._closure(q, s, p).full()[:, 0]

    def jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Tangent Jacobian Φ_q E(q), exact also away from the closed position."""
        return self._jacobian(q, s, p).full()

    def rate_jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """The same with the rate-only rows below."""
        return self._rate_jacobian(q, s, p).full()

    def sparse_jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> sp.csc_matrix:
        """The same as a SciPy sparse matrix."""
        return self._jacobian(q, s, p).sparse()

    def geometric_jacobian(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        """J of the cuts by `loop_jacobian`."""
        return self._geometric(q, p).full()

    def gamma(self, q: np.ndarray, v: np.ndarray, p: np.ndarray) -> np.ndarray:
        """−J̇ v of all rows, rate-only ones last: J a = γ + s̈."""
        return self._gamma(q, v, p).full()[:, 0]

    def complement(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        """The tree's natural orthogonal complement N, 6n × rates: t = N v at the inboard origins."""
        return self._complement(q, p).full()

    def cut_motion(
        self, q: np.ndarray, v: np.ndarray, a: np.ndarray, p: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rates and accelerations of all cut joints, one after another."""
        rates, accelerations = self._cut_motion(q, v, a, p)
        return rates.full()[:, 0], accelerations.full()[:, 0]

    def poses(self, q: np.ndarray, p: np.ndarray) -> dict[str, Pose]:
        """Poses of the inboard frames of all bodies, the ground included, in numbers."""
        stacked = self._poses(q, p).full()
        found = {GROUND: Pose(np.eye(3), np.zeros(3))}
        for k, link in enumerate(self.skeleton.links):
            found[link.body] = Pose(stacked[:, 4 * k : 4 * k + 3], stacked[:, 4 * k + 3])
        return found

    def constant_pose(self, k: int, marker: str, p: np.ndarray) -> Pose:
        """Pose of a marker in the inboard frame of its undeformed body (−1 the ground), in numbers."""
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

    @cached_property
    def row_scale(self) -> np.ndarray:
        """Divides rows that are lengths by the characteristic length."""
        L, planar = self.skeleton.length, self.skeleton.planar
        scale: list[float] = []
        for cut in self.skeleton.cuts:
            scale += [1 / L if name.startswith("force") else 1.0 for name in cut.joint.wrench_names(planar)]
        for target in self.targets:
            for component in target.components:
                scale += [1.0] * 3 if component == "turn" else [1 / L if component in LENGTHS else 1.0]
        return np.array(scale)

    @cached_property
    def rate_row_scale(self) -> np.ndarray:
        """The same for all rows of rates."""
        return np.concatenate([self.row_scale, np.ones(len(self.spins))])


@lru_cache(maxsize=64)
def equations_of(
    mechanism: Mechanism, tree: Tree, targets: tuple[Target, ...] = (), spins: tuple[Spin, ...] = ()
) -> Equations:
    """The equations of a mechanism along a tree, traced once and kept."""
    return Equations(build_skeleton(mechanism, tree), targets, spins)
