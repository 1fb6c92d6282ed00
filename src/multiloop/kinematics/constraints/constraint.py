"""Interface of all constraints: residuals Φ, Jacobian J, right-hand sides b and γ, and the wrenches of the multipliers.

An ideal constraint is defined by the wrenches W that it can exert, and requires that the relative twist of its bodies
has no power with these wrenches (except through prescribed values s). Each column of W gives one constraint row:

    Φ(q, s) = 0,      J v = b,      J a = γ,      J = Σ Wᵀ (relative twist per unit of v)

q are the coordinates of the tree, v its joint rates and a = v̇; the sum extends over the wrenches of the constraint.
Rows that constrain only rates (nonholonomic rows) have no Φ. In closed positions (Φ = 0) J v − b is the time derivative
of Φ. A new type of constraint is one file with a subclass of `Constraint` and one entry in the registry `COUPLINGS`; a
new pair between two markers needs neither of them.

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
    """One constraint row: its name, whether its residual is a length (otherwise an angle), and whether it constrains
    only rates."""

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

    W is 6×c in inertial axes, for c multipliers λ. With `holds_point` the constraint makes the origins of the two
    markers coincide, and the last columns of W are unit forces along the inertial axes.
    """

    first: End
    second: End
    W: Matrix
    holds_point: bool = False


@dataclass(frozen=True)
class EffortInteraction:
    """Torque or force `weight` λ along one rate of a tree joint, with `weight` 1×c for c multipliers λ; a positive
    value acts on the second body of the joint in the positive direction of the rate."""

    link: int
    component: int
    weight: Matrix


Interaction = WrenchInteraction | EffortInteraction


@dataclass(frozen=True, eq=False)
class Prescribed:
    """Prescribed values s(t) with their first and second time derivatives, as column vectors."""

    s: Matrix
    rate: Matrix
    second_rate: Matrix

    def subset(self, place: slice) -> Prescribed:
        """The prescribed values whose indices are in the slice `place`, with their derivatives."""
        return Prescribed(self.s[place], self.rate[place], self.second_rate[place])


class Constraint(ABC):
    """Base class of all constraints; each constraint has one or more rows in the equations Φ = 0, J v = b and J a =
    γ."""

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
        """Number of prescribed values s(t) of this constraint."""
        return 0

    @property
    def rheonomic(self) -> bool:
        """Whether the constraint depends explicitly on time or requires nonzero rates (b ≠ 0); its multipliers λ then
        supply the power λᵀ b."""
        return False

    @property
    @abstractmethod
    def name(self) -> str:
        """Name of the constraint in messages and results."""

    @property
    def called(self) -> str:
        """The noun by which messages call this type of constraint, such as "joint"."""
        return "constraint"

    @property
    def hint(self) -> str:
        """Advice for the message that the constraint cannot be satisfied; may be empty."""
        return ""

    @property
    @abstractmethod
    def rows(self) -> tuple[Row, ...]:
        """The rows of this constraint; rows that constrain positions come first."""

    @property
    @abstractmethod
    def links(self) -> tuple[int, ...]:
        """Indices of the links on whose joint rates the rows depend; known without evaluating the Jacobian."""

    def position_residual(self, at: Snapshot, s: Matrix) -> Matrix:
        """The residuals Φ(q, s), with one entry for each row that constrains positions; s are the prescribed values."""
        return ca.DM(0, 1)

    def opening(self, equations: Equations, p: np.ndarray, row: float) -> float:
        """The gap of the joint, in metres or radians, from the residual `row` of one of its rows that constrain
        positions."""
        return abs(row)

    @abstractmethod
    def interactions(self, at: Snapshot) -> tuple[Interaction, ...]:
        """Wrenches and efforts per unit of the multipliers, with one column per row; the Jacobian follows from them."""

    def exerted_interactions(self, at: Snapshot) -> tuple[Interaction, ...]:
        """Wrenches and efforts that the multipliers exert on the bodies, by default those of `interactions`.

        They differ if a row is an equation between joint coordinates while its force acts between bodies, as in a gear:
        the power of both is the same, but the bearing reactions differ.
        """
        return self.interactions(at)

    @property
    def has_workless_forces(self) -> bool:
        """Whether the constraint also exerts forces that do no work for any joint rates of the tree
        (`workless_forces`)."""
        return False

    def workless_forces(self, at: Snapshot, lam: Matrix) -> tuple[WrenchInteraction, ...]:
        """Forces without power for given multipliers `lam`, not necessarily linear in `lam`; the field W of each result
        is the wrench itself, 6×1.

        They change reactions but not accelerations. An example is the separating force |λ| tan α of gear teeth with the
        tooth force λ and the pressure angle α.
        """
        return ()

    def undetermined_joints(self, unique: bool) -> tuple[str, ...]:
        """Names of the joints whose reactions cannot be determined because of this constraint; `unique` states whether
        equilibrium determines the multipliers of the constraint."""
        return ()

    def outputs(self, at: Snapshot, lam: Matrix) -> Mapping[str, Matrix]:
        """Further outputs of the constraint for multipliers `lam`, by name; they are forces in N."""
        return {}

    def remedy(self, held: Mapping[str, tuple[float, ...]]) -> str:
        """Advice for the message that prescribed values (`held`, by joint) contradict the constraint; may be empty."""
        return ""

    def bias(self, at: Snapshot, given: Prescribed) -> Matrix:
        """Right-hand side b of the velocity constraint J v = b, from the prescribed values `given`."""
        return ca.DM(len(self.rows), 1)

    def gamma(self, at: Snapshot, given: Prescribed) -> Matrix:
        """Right-hand side γ = −(Wᵀ ṫ + Ẇᵀ t) of J a = γ; W are the constraint wrenches, t is the relative twist and ṫ
        its rate at zero joint accelerations."""
        from multiloop.kinematics.constraints.constraint_jacobian import convective_gamma

        return convective_gamma(at, self.interactions)
