"""An impact: its time, the loads and rates concerned, and the impulses in all joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from multiloop.analyses.results.histories.shared_forces import (
    RANGED_QUANTITIES,
    SharedForces,
    ranges_over_time,
)
from multiloop.model import SuggestsAttributes, UnknownNameError, suggestion


@dataclass(frozen=True, eq=False)
class JointImpulse:
    """Impulse that the first body exerts on the second through a joint, at the second marker: N s and N m s.

    In the plane two components and a number, in space three and three; `effort` is the impulse of a drive along the
    coordinates of the joint.
    """

    force: np.ndarray
    moment: np.ndarray | float
    effort: np.ndarray


@dataclass(frozen=True, eq=False)
class Impact(SuggestsAttributes):
    """An impact at a time: `impulses` by the name of the load, with `units`; `impact["A"]` is the impulse in a joint.

    `loss` is the energy loss in J; `before` and `after` are the rates of all joints of the tree. The impulse of a
    Contact is that along its normal; `friction` is that of its friction on the first body, in inertial axes.
    `couplings` are the impulses λ of gears and relations, `work` the work of drives and relations in time, in J. Where
    several one-sided loads share an impulse, `undetermined` names them, and `range("left stop")` gives the smallest and
    largest impulse that agree with the rates after the impact.
    """

    mechanism: str
    time: float
    impulses: Mapping[str, float]
    units: Mapping[str, str]
    joints: Mapping[str, JointImpulse]
    before: Mapping[str, np.ndarray]
    after: Mapping[str, np.ndarray]
    loss: float
    friction: Mapping[str, np.ndarray] = field(default_factory=dict)
    couplings: Mapping[str, np.ndarray] = field(default_factory=dict)
    work: Mapping[str, float] = field(default_factory=dict)
    shared: SharedForces | None = None

    def __getitem__(self, joint: str) -> JointImpulse:
        if joint not in self.joints:
            raise UnknownNameError(self.mechanism, "joint", joint, suggestion(joint, self.joints))
        return self.joints[joint]

    @property
    def determined(self) -> bool:
        """Whether the rates after the impact determine all impulses."""
        return not self.undetermined

    @property
    def undetermined(self) -> tuple[str, ...]:
        """The loads and joints whose impulses have more than one admissible value; the minimum norm is reported."""
        if self.shared is None:
            return ()
        return tuple(name for name in self.shared.quantities if self.shared.undetermined(name))

    def range(self, name: str, quantity: str = "impulse") -> np.ndarray:
        """Smallest and largest admissible impulse of a load, or of a joint's `force`, `moment` or `effort` by
        components.
        """
        if name in self.joints:
            if quantity not in RANGED_QUANTITIES:
                told = suggestion(quantity, dict.fromkeys(RANGED_QUANTITIES))
                raise UnknownNameError(self.mechanism, "impulse of a joint", quantity, told)
            value = np.asarray(getattr(self.joints[name], quantity))
        elif name in self.impulses or (self.shared is not None and name in self.shared.quantities):
            value = np.asarray(self.impulses.get(name, 0.0))
        else:
            told = suggestion(name, {**self.joints, **self.impulses})
            raise UnknownNameError(self.mechanism, "joint or load", name, told)
        ends: np.ndarray = ranges_over_time(value[None], name, quantity, [self.shared])[0]
        return ends

    @property
    def hardest(self) -> tuple[str, float]:
        """The joint with the largest impulse, and its magnitude in N s."""
        sizes = {name: float(np.linalg.norm(joint.force)) for name, joint in self.joints.items()}
        return max(sizes.items(), key=lambda size: size[1], default=("", 0.0))

    def __repr__(self) -> str:
        struck = " and ".join(
            f"'{name}' by {impulse:.4g} {self.units[name]}" for name, impulse in self.impulses.items()
        )
        shared = "" if self.determined else ", shared by minimum norm"
        return f"Impact on {struck}{shared} at t = {self.time:.6g} s; {self.loss:.4g} J of energy lost"


def hardest_impact(impacts: Sequence[Impact]) -> str:
    """A sentence on the number of impacts and the hardest of them; empty if there are none."""
    if not impacts:
        return ""
    worst = max(impacts, key=lambda impact: impact.hardest[1])
    joint, size = worst.hardest
    many = "" if len(impacts) == 1 else f"{len(impacts)} impacts, the hardest: "
    through = f" Up to {size:.4g} N s act in a joint, '{joint}'." if size else ""
    return f"{many}{worst!r}.{through}"
