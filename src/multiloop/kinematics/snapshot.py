"""One instant of a mechanism along its tree, on numbers or symbols: poses, twists and twist rates of all bodies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from multiloop.kinematics.chart import Chart
from multiloop.kinematics.constraints import RowSet, constraints_of
from multiloop.kinematics.motion import STEADY, Accelerated, Moving, accelerate_bodies, move_bodies
from multiloop.kinematics.placing import Placed, place_bodies
from multiloop.kinematics.skeleton import Skeleton
from multiloop.model.own_states import GRAIN, pace_of, return_of
from multiloop.spatial import Matrix, zeros

T = TypeVar("T")


class Kept(Generic[T]):
    """A property that is computed at first access and cached in `keeps`, which several snapshots may share."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self.work, self.name, self.__doc__ = work, work.__name__, work.__doc__

    def __get__(self, at: Any, owner: type | None = None) -> T:
        if at is None:
            return self  # type: ignore[return-value]
        if self.name not in at.keeps:
            at.keeps[self.name] = self.work(at)
        kept: T = at.keeps[self.name]
        return kept


class Snapshot:
    """Poses, twists and convective twist rates at (q, v); each is computed at first access.

    With CasADi symbols (SX) an algorithm on a snapshot builds an expression graph; with numbers (DM) it returns values.
    """

    def __init__(
        self, skeleton: Skeleton, q: Matrix, v: Matrix, t: Matrix = 0.0, x: Matrix | None = None
    ) -> None:
        """`t` is the time, `x` are the state variables that are not coordinates; the attribute `strengths` contains the
        magnitudes of reaction-dependent and set-valued forces."""
        self.skeleton = skeleton
        self.chart = Chart(skeleton)
        self.q = q
        self.v = v
        self.t = t
        self.x = zeros(len(skeleton.states)) if x is None else x
        self.strengths: Matrix = zeros(sum(load.strengths for load in skeleton.mechanism.all_loads))
        self.keeps: dict[str, Any] = {}

    def pace(self, load: str) -> Matrix:
        """Characteristic rate ν, in 1/s, of the connected part on which a set-valued force acts."""
        return self.x[self.skeleton.states.index(pace_of(load))]

    @property
    def grain(self) -> Matrix:
        """Relative resolution of lengths, angles and rates in a simulation with set-valued forces."""
        return self.x[self.skeleton.states.index(GRAIN)]

    def returns(self, load: str) -> Matrix:
        """Rate ω, in 1/s, with which drift of a motion that a set-valued force holds is corrected (Baumgarte)."""
        return self.x[self.skeleton.states.index(return_of(load))]

    @Kept
    def placed(self) -> list[Placed]:
        """Poses of all bodies with their joint-rate propagation matrices P."""
        return place_bodies(self.skeleton, self.q)

    @Kept
    def moving(self) -> list[Moving]:
        """Twists of all bodies."""
        return move_bodies(self.skeleton, self.placed, self.v)

    @Kept
    def convective(self) -> list[Accelerated]:
        """Convective twist rates of all bodies (v̇ = 0)."""
        return self.accelerated(None)

    def accelerated(self, a: Matrix | None, base: Accelerated = STEADY) -> list[Accelerated]:
        """Twist rates of all bodies for given v̇ and twist rate `base` of the ground."""
        return accelerate_bodies(self.skeleton, self.placed, self.moving, self.v, a, base)

    @Kept
    def q_rate(self) -> Matrix:
        """q̇ = E(q) v."""
        return self.chart.rate_map(self.q) @ self.v

    @Kept
    def own(self) -> RowSet:
        """The constraints of the description: cut joints, pairs and couplings, without drives."""
        return constraints_of(self.skeleton)

    @Kept
    def loop_jacobian(self) -> Matrix:
        """J of the constraints of the description ([koul], eq. (12)); zero blocks are not formed."""
        return self.own.jacobian(self)
