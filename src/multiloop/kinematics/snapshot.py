"""Poses, twists and twist rates of all bodies of a mechanism at one instant, as numbers or symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from multiloop.kinematics.constraints import CutJoint, Ends, RowSet, constraints_of, end_poses
from multiloop.kinematics.tree import (
    ZERO_TWIST_RATE,
    BodyPlacement,
    Chart,
    Skeleton,
    Twist,
    TwistRate,
    body_twist_rates,
    body_twists,
    place_bodies,
)
from multiloop.model import RESOLUTION, rate_scale_of, return_rate_of
from multiloop.spatial import Matrix, zeros

T = TypeVar("T")


class SharedProperty(Generic[T]):
    """A property that is computed at first access and cached in `cache`, which several snapshots may share."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self.work, self.name, self.__doc__ = work, work.__name__, work.__doc__

    def __get__(self, at: Any, owner: type | None = None) -> T:
        if at is None:
            return self  # type: ignore[return-value]
        if self.name not in at.cache:
            at.cache[self.name] = self.work(at)
        kept: T = at.cache[self.name]
        return kept


class Snapshot:
    """Poses, twists and convective twist rates (for zero joint accelerations) of all bodies at joint coordinates q and
    rates v; each is computed at first access.

    If q and v are CasADi symbols (SX), the results are expressions; if they are numbers (DM), the results are numbers.
    """

    def __init__(
        self, skeleton: Skeleton, q: Matrix, v: Matrix, t: Matrix = 0.0, x: Matrix | None = None
    ) -> None:
        """`t` is the time, `x` are the state variables that are not coordinates; the attribute
        `reaction_dependent_forces` contains the magnitudes of reaction-dependent and set-valued forces.
        """
        self.skeleton = skeleton
        self.chart = Chart(skeleton)
        self.q = q
        self.v = v
        self.t = t
        self.x = zeros(len(skeleton.states)) if x is None else x
        self.reaction_dependent_forces: Matrix = zeros(
            sum(load.reaction_dependent_forces for load in skeleton.mechanism.all_loads)
        )
        self.cache: dict[str, Any] = {}

    def rate_scale(self, load: str) -> Matrix:
        """Characteristic rate ν, in 1/s, of the connected part of the mechanism on which the set-valued force of the
        load acts."""
        return self.x[self.skeleton.states.index(rate_scale_of(load))]

    @property
    def resolution(self) -> Matrix:
        """Accuracy with which a simulation with set-valued forces resolves lengths, angles and rates, as a fraction of
        the characteristic length, of one radian or of a characteristic rate."""
        return self.x[self.skeleton.states.index(RESOLUTION)]

    def return_rate(self, load: str) -> Matrix:
        """Rate ω, in 1/s, with which drift is corrected (Baumgarte stabilisation) while the set-valued force of the
        load acts as a constraint, such as in stiction or contact."""
        return self.x[self.skeleton.states.index(return_rate_of(load))]

    @SharedProperty
    def placements(self) -> list[BodyPlacement]:
        """Poses of all bodies with the motion subspaces P of their inboard joints."""
        return place_bodies(self.skeleton, self.q)

    @SharedProperty
    def body_twists(self) -> list[Twist]:
        """Twists of all bodies."""
        return body_twists(self.skeleton, self.placements, self.v)

    @SharedProperty
    def convective_twist_rates(self) -> list[TwistRate]:
        """Convective twist rates of all bodies, that is for zero joint accelerations (v̇ = 0)."""
        return self.twist_rates(None)

    def twist_rates(self, a: Matrix | None, base: TwistRate = ZERO_TWIST_RATE) -> list[TwistRate]:
        """Twist rates of all bodies for joint accelerations a (None for zero) and the twist rate `base` of the
        ground."""
        return body_twist_rates(self.skeleton, self.placements, self.body_twists, self.v, a, base)

    @SharedProperty
    def q_rate(self) -> Matrix:
        """Time derivative q̇ = E(q) v of the joint coordinates."""
        return self.chart.rate_map(self.q) @ self.v

    @SharedProperty
    def loop_constraints(self) -> RowSet:
        """The loop constraints: cut joints, pairs and couplings, without drives."""
        return constraints_of(self.skeleton)

    @SharedProperty
    def loop_jacobian(self) -> Matrix:
        """Jacobian J of the loop constraints ([koul], eq. (12)); structurally zero blocks are not formed."""
        return self.loop_constraints.jacobian(self)

    @property
    def cut_joints(self) -> list[CutJoint]:
        """The cut joints and pairs among the loop constraints."""
        return [one for one in self.loop_constraints.constraints if isinstance(one, CutJoint)]

    @property
    def cut_ends(self) -> list[Ends]:
        """Poses of the two markers of every cut joint and pair."""
        return [end_poses(self, *cut.ends) for cut in self.cut_joints]
