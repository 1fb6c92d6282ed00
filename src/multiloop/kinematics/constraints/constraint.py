"""The one contract for everything that constrains a motion.

An ideal constraint is the wrenches that it can exert. Read along them, the relative twists of the bodies that it
touches are its rows:

    Φ(q, s) = 0,      J v = b,      J a = γ,      J = Σ Wᵀ (relative twist per unit of v)

s(t) are values prescribed from outside; rows that hold rates alone have no Φ. Where all rows
hold, J v − b is the rate of Φ. A new kind of constraint is one file with a class of this kind and one line in a
registry (`COUPLINGS`; a pair between two markers needs neither).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np

from multiloop.spatial import Matrix

if TYPE_CHECKING:
    from multiloop.kinematics.equations import Equations
    from multiloop.kinematics.snapshot import Snapshot


@dataclass(frozen=True)
class Row:
    """One row: what it holds, whether that is a length (else an angle), and whether it holds rates alone."""

    name: str
    length: bool
    rate_only: bool = False


@dataclass(frozen=True)
class End:
    """A marker of a body of the tree, by the body's position in `Skeleton.links`; −1 is the ground."""

    body: int
    marker: str


@dataclass(frozen=True)
class Between:
    """Wrenches that the body of `first` exerts on that of `second`: W λ, at the origin of the second marker.

    W is 6×c in inertial axes. With `holds_point` the two origins coincide where the rows hold, and the last columns
    of W are the forces along the inertial axes.
    """

    first: End
    second: End
    W: Matrix
    holds_point: bool = False


@dataclass(frozen=True)
class Along:
    """Efforts along one rate of a tree joint: `weight` λ (1×c) on its second body in the positive direction."""

    link: int
    component: int
    weight: Matrix


Interaction = Between | Along


@dataclass(frozen=True, eq=False)
class Prescribed:
    """The values s that constraints take from outside, with their first and second rates; one column each."""

    s: Matrix
    rate: Matrix
    second: Matrix

    def part(self, place: slice) -> Prescribed:
        """Some of them."""
        return Prescribed(self.s[place], self.rate[place], self.second[place])


class Constraint(ABC):
    """Rows that hold together."""

    @property
    def values(self) -> int:
        """How many prescribed values it takes."""
        return 0

    @property
    def rheonomic(self) -> bool:
        """Whether it depends on the time `at.t`, or asks for rates where all could be zero: it then does work, λᵀ b."""
        return False

    @property
    @abstractmethod
    def name(self) -> str:
        """What it is called in messages and results."""

    @property
    def called(self) -> str:
        """What kind of thing it is called in messages."""
        return "constraint"

    @property
    def hint(self) -> str:
        """What to look at where it cannot be met; empty where there is nothing special."""
        return ""

    @property
    @abstractmethod
    def rows(self) -> tuple[Row, ...]:
        """Its rows, those of positions first."""

    @property
    @abstractmethod
    def links(self) -> tuple[int, ...]:
        """Links whose joints, or bodies, move its rows; known before anything is traced."""

    def position(self, at: Snapshot, s: Matrix) -> Matrix:
        """Φ(q, s), one entry for every row that holds positions."""
        return ca.DM(0, 1)

    def opening(self, equations: Equations, p: np.ndarray, row: float) -> float:
        """How far it is open, in metres or radians, where a position row has this value."""
        return abs(row)

    @abstractmethod
    def interactions(self, at: Snapshot) -> tuple[Interaction, ...]:
        """What its multipliers do; W and weights have one column a row."""

    def exerted(self, at: Snapshot) -> tuple[Interaction, ...]:
        """What its multipliers do to the bodies, where that is not along what its rows read.

        Rows may be written in coordinates while the forces act between bodies that these move, as in a gear: the
        power is the same, the bearings feel the difference.
        """
        return self.interactions(at)

    @property
    def accompanied(self) -> bool:
        """Whether forces come with its multipliers that do no work along any rate of the tree."""
        return False

    def accompanying(self, at: Snapshot, lam: Matrix) -> tuple[Between, ...]:
        """These forces at given multipliers, which need not be linear in them: each has the wrench for its W, 6×1.

        They change reactions and no acceleration, since along every rate of the tree they do no work. A gear's teeth
        push its wheels apart in this way, by |λ| tan α.
        """
        return ()

    def leaves_open(self, unique: bool) -> tuple[str, ...]:
        """Joints whose reactions it leaves open; `unique` says whether equilibrium tells its multipliers."""
        return ()

    def told(self, at: Snapshot, lam: Matrix) -> Mapping[str, Matrix]:
        """What it tells of itself at given multipliers, by name: forces, in N."""
        return {}

    def advice(self, held: Mapping[str, tuple[float, ...]]) -> str:
        """What else would help where values that are held contradict it, by joints; empty where nothing would."""
        return ""

    def bias(self, at: Snapshot, given: Prescribed) -> Matrix:
        """b of J v = b."""
        return ca.DM(len(self.rows), 1)

    def gamma(self, at: Snapshot, given: Prescribed) -> Matrix:
        """γ of J a = γ:  −(Wᵀ ṫ + Ẇᵀ t), ṫ the relative twist rate while the coordinates do not accelerate."""
        from multiloop.kinematics.constraints.rates import convective_gamma

        return convective_gamma(at, self.interactions)
