"""One instant of a mechanism along its tree, in numbers or symbols: where all bodies are and how they move."""

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
    """Worked out when first asked for and kept with the instant: whoever shares the instant shares it."""

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
    """Poses, twists and convective twist rates at (q, v); each is worked out when it is first asked for.

    With CasADi symbols it is the trace of an algorithm, with numbers (DM) the algorithm itself.
    """

    def __init__(
        self, skeleton: Skeleton, q: Matrix, v: Matrix, t: Matrix = 0.0, x: Matrix | None = None
    ) -> None:
        """`t` is the time, `x` the states that are no coordinates; `strengths` are those of loads that follow
        reactions."""
        self.skeleton = skeleton
        self.chart = Chart(skeleton)
        self.q = q
        self.v = v
        self.t = t
        self.x = zeros(len(skeleton.states)) if x is None else x
        self.strengths: Matrix = zeros(sum(load.strengths for load in skeleton.mechanism.all_loads))
        self.keeps: dict[str, Any] = {}

    def pace(self, load: str) -> Matrix:
        """The characteristic rate ν, in 1/s, of the connected part of a load that holds and lets go."""
        return self.x[self.skeleton.states.index(pace_of(load))]

    @property
    def grain(self) -> Matrix:
        """The part of a length, an angle or a rate that counts as nothing in such a run."""
        return self.x[self.skeleton.states.index(GRAIN)]

    def returns(self, load: str) -> Matrix:
        """The rate ω, in 1/s, at which what such a load holds comes back from round-off."""
        return self.x[self.skeleton.states.index(return_of(load))]

    @Kept
    def placed(self) -> list[Placed]:
        """Poses of all bodies with their joint-rate propagation matrices."""
        return place_bodies(self.skeleton, self.q)

    @Kept
    def moving(self) -> list[Moving]:
        """Twists of all bodies."""
        return move_bodies(self.skeleton, self.placed, self.v)

    @Kept
    def convective(self) -> list[Accelerated]:
        """Twist rates of all bodies when the coordinates do not accelerate."""
        return self.accelerated(None)

    def accelerated(self, a: Matrix | None, base: Accelerated = STEADY) -> list[Accelerated]:
        """Twist rates of all bodies for given accelerations of the coordinates and of the ground."""
        return accelerate_bodies(self.skeleton, self.placed, self.moving, self.v, a, base)

    @Kept
    def q_rate(self) -> Matrix:
        """q̇ = E(q) v."""
        return self.chart.rate_map(self.q) @ self.v

    @Kept
    def own(self) -> RowSet:
        """The constraints of the description itself: cut joints and pairs."""
        return constraints_of(self.skeleton)

    @Kept
    def loop_jacobian(self) -> Matrix:
        """J of the description's own constraints ([koul], eq. (12)); zero blocks are not formed."""
        return self.own.jacobian(self)
