"""One instant of a mechanism along its tree, in numbers or symbols: where all bodies are and how they move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from multiloop.kinematics.chart import Chart
from multiloop.kinematics.constraints import RowSet, constraints_of
from multiloop.kinematics.motion import STEADY, Accelerated, Moving, accelerate_bodies, move_bodies
from multiloop.kinematics.placing import Placed, place_bodies
from multiloop.kinematics.skeleton import Skeleton
from multiloop.model.own_states import GRAIN, PACE, RETURN
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

    @property
    def pace(self) -> Matrix:
        """The characteristic rate ν of a run, in 1/s, where loads hold and let go."""
        return self.x[self.skeleton.states.index(PACE)]

    @property
    def grain(self) -> Matrix:
        """The part of a length, an angle or a rate that counts as nothing in such a run."""
        return self.x[self.skeleton.states.index(GRAIN)]

    @property
    def returns(self) -> Matrix:
        """The rate ω at which what is held comes back from round-off in such a run, in 1/s."""
        return self.x[self.skeleton.states.index(RETURN)]

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
