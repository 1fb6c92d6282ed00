"""Interface of all constraints: rows Φ, J, b, γ, and the wrenches that the multipliers exert.

An ideal constraint is defined by the wrenches W that it can exert. The components along W of the relative twists of its
bodies are its rows:

    Φ(q, s) = 0,      J v = b,      J a = γ,      J = Σ Wᵀ (relative twist per unit of v)

s(t) are prescribed values; rows that constrain only rates (nonholonomic rows) have no Φ. Where all rows are satisfied,
J v − b is the rate of Φ. A new type of constraint is one file with a subclass of `Constraint` and one entry in the
registry `COUPLINGS`; a pair between two markers needs neither.

Theory: docs/theory/03-constraints.md, eqs. (3.1), (3.2).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np

from multiloop.model import accept_earlier_names
from multiloop.spatial import Matrix

if TYPE_CHECKING:
    from multiloop.kinematics.equations import Equations
    from multiloop.kinematics.snapshot import Snapshot


@dataclass(frozen=True)
class Row:
    """One row: its name, whether it is a length (else an angle), and whether it constrains only rates."""

    name: str
    is_length: bool
    rate_only: bool = False


@dataclass(frozen=True)
class End:
    """A marker of a body of the tree, by the body's index in `Skeleton.links`; −1 is the ground."""

    body: int
    marker: str


@dataclass(frozen=True)
class WrenchInteraction:
    """Wrench W λ that the first body exerts on the second body, at the origin of the second marker.

    W is 6×c in inertial axes. With `holds_point` the two origins coincide where the rows are satisfied, and the last
    columns of W are unit forces along the inertial axes.
    """

    first: End
    second: End
    W: Matrix
    holds_point: bool = False


@dataclass(frozen=True)
class EffortInteraction:
    """Effort `weight` λ (1×c) along one rate of a tree joint; it acts on the second body of the joint in the
    positive direction."""

    link: int
    component: int
    weight: Matrix


Interaction = WrenchInteraction | EffortInteraction


@dataclass(frozen=True, eq=False)
class Prescribed:
    """Prescribed values s with their first and second time derivatives, as columns."""

    s: Matrix
    rate: Matrix
    second_rate: Matrix

    def subset(self, place: slice) -> Prescribed:
        """The values in a slice."""
        return Prescribed(self.s[place], self.rate[place], self.second_rate[place])


class Constraint(ABC):
    """Base class of constraints with one or more rows."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        accept_earlier_names(
            cls,
            {
                "values": "value_count",
                "position": "position_residual",
                "exerted": "exerted_interactions",
                "accompanied": "has_workless_forces",
                "accompanying": "workless_forces",
                "leaves_open": "undetermined_joints",
                "told": "outputs",
                "advice": "remedy",
            },
        )

    @property
    def value_count(self) -> int:
        """Number of prescribed values."""
        return 0

    @property
    def rheonomic(self) -> bool:
        """Whether it depends on the time `at.t` or requires nonzero rates; it then supplies the power λᵀ b."""
        return False

    @property
    @abstractmethod
    def name(self) -> str:
        """Its name in messages and results."""

    @property
    def called(self) -> str:
        """The noun for its type in messages."""
        return "constraint"

    @property
    def hint(self) -> str:
        """Advice for messages if it cannot be satisfied; may be empty."""
        return ""

    @property
    @abstractmethod
    def rows(self) -> tuple[Row, ...]:
        """Its rows, those that constrain positions first."""

    @property
    @abstractmethod
    def links(self) -> tuple[int, ...]:
        """Indices of the links whose rates its rows depend on; known before tracing."""

    def position_residual(self, at: Snapshot, s: Matrix) -> Matrix:
        """Φ(q, s), one entry for every row that constrains positions."""
        return ca.DM(0, 1)

    def opening(self, equations: Equations, p: np.ndarray, row: float) -> float:
        """The gap, in metres or radians, that corresponds to this value of a position row."""
        return abs(row)

    @abstractmethod
    def interactions(self, at: Snapshot) -> tuple[Interaction, ...]:
        """Wrenches and efforts per unit of the multipliers, from which the rows are formed; one column per row."""

    def exerted_interactions(self, at: Snapshot) -> tuple[Interaction, ...]:
        """Wrenches and efforts that the multipliers exert on the bodies, where these differ from `interactions`.

        Rows may be written in joint coordinates while the forces act between bodies, as in a gear: the power is the
        same, but the reactions of the bearings differ.
        """
        return self.interactions(at)

    @property
    def has_workless_forces(self) -> bool:
        """Whether it also exerts forces that do no work along any rate of the tree (`workless_forces`)."""
        return False

    def workless_forces(self, at: Snapshot, lam: Matrix) -> tuple[WrenchInteraction, ...]:
        """Workless forces at given multipliers, not necessarily linear in them; W of each is the wrench itself, 6×1.

        They change reactions but no acceleration. An example is the separating force |λ| tan α of gear teeth.
        """
        return ()

    def undetermined_joints(self, unique: bool) -> tuple[str, ...]:
        """Joints whose reactions it leaves undetermined; `unique` states whether equilibrium determines its
        multipliers."""
        return ()

    def outputs(self, at: Snapshot, lam: Matrix) -> Mapping[str, Matrix]:
        """Outputs of the constraint at given multipliers, by name: forces, in N."""
        return {}

    def remedy(self, held: Mapping[str, tuple[float, ...]]) -> str:
        """Advice for messages if held values (by joint) contradict it; may be empty."""
        return ""

    def bias(self, at: Snapshot, given: Prescribed) -> Matrix:
        """Right-hand side b of J v = b."""
        return ca.DM(len(self.rows), 1)

    def gamma(self, at: Snapshot, given: Prescribed) -> Matrix:
        """Right-hand side γ of J a = γ:  −(Wᵀ ṫ + Ẇᵀ t), where ṫ is the convective relative twist rate (a = 0)."""
        from multiloop.kinematics.constraints.constraint_jacobian import convective_gamma

        return convective_gamma(at, self.interactions)
