"""Impacts: time, impulses of loads and joints, rates before and after the impact, and energy loss."""

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
    """Impulse that the first body exerts on the second through a joint at an impact, at the second marker.

    `force` (N s) has two components in the plane and three in space; `moment` (N m s) is a number in the plane and has
    three components in space. `effort` is the impulse of a drive along the coordinates of the joint.
    """

    force: np.ndarray
    moment: np.ndarray | float
    effort: np.ndarray


@dataclass(frozen=True, eq=False)
class Impact(SuggestsAttributes):
    """An impact at one instant: impulses of loads, joints and couplings, rates before and after, and energy loss.

    `impulses` and `units` map names of loads to their impulses and the units of these; `impact["A"]` is the impulse in
    joint "A". `loss` is the energy loss in J; `before` and `after` map the joints of the spanning tree to their rates.
    The impulse of a Contact is its normal impulse; `friction` is its friction impulse on the first body, in inertial
    axes. `couplings` are the impulses of the multipliers λ of gears and relations; `work` is the work (J) of drives and
    time-dependent relations. If the rates after the impact do not determine all impulses, because several unilateral
    loads can exert them, `undetermined` names the loads and joints concerned, and `range("left stop")` gives the
    smallest and largest impulse that agree with these rates.
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
        """Names of loads and joints whose impulses have several admissible values; the minimum-norm one is reported."""
        if self.shared is None:
            return ()
        return tuple(name for name in self.shared.quantities if self.shared.undetermined(name))

    def range(self, name: str, quantity: str = "impulse") -> np.ndarray:
        """Smallest and largest admissible impulse of the load `name`, or of a joint's `force`, `moment` or `effort`.

        For a joint, `quantity` selects one of these three; the array has one row per component if there are several.
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
        """The name of the joint with the largest force impulse, and the magnitude of this impulse in N s."""
        sizes = {name: float(np.linalg.norm(joint.force)) for name, joint in self.joints.items()}
        return max(sizes.items(), key=lambda size: size[1], default=("", 0.0))

    def __repr__(self) -> str:
        struck = " and ".join(
            f"'{name}' by {impulse:.4g} {self.units[name]}" for name, impulse in self.impulses.items()
        )
        shared = "" if self.determined else " (the admissible impulses of minimum norm)"
        return f"Impact on {struck}{shared} at t = {self.time:.6g} s; {self.loss:.4g} J of energy lost"


def hardest_impact(impacts: Sequence[Impact]) -> str:
    """Text on the number of impacts and the one with the largest joint impulse; empty if there are no impacts."""
    if not impacts:
        return ""
    worst = max(impacts, key=lambda impact: impact.hardest[1])
    joint, size = worst.hardest
    many = "" if len(impacts) == 1 else f"{len(impacts)} impacts, the hardest: "
    through = f" Up to {size:.4g} N s act in a joint, '{joint}'." if size else ""
    return f"{many}{worst!r}.{through}"
