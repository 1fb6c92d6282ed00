"""Belt drives, open or crossed, and chain drives."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import pi
from typing import Any, ClassVar

import casadi as ca

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.gears.gearing import (
    Gearing,
    TransmittedWrenches,
    are_tooth_numbers,
    numbers_text,
    perpendicular_part,
    require_two,
    whole_teeth,
)
from multiloop.model.gears.mounting import Axis
from multiloop.model.gears.toothed_gears import parallel_faults
from multiloop.model.markers import Vector, value_of
from multiloop.spatial import Matrix, transport_wrench


@dataclass(frozen=True)
class WrappedDrive(Gearing):
    """A belt or chain with two spans between two wheels: r₁ θ₁ ∓ r₂ θ₂ = r₁ phase (− if open, + if crossed).

    θ are the angles of the wheels and r their radii. With the unit vector e from the first to the second axis, the unit
    vector a₁ of the first axis, t = a₁ × e and sin δ = (r₁ ∓ r₂)/a, where a is the centre distance, the spans run along
    s± = cos δ e ∓ sin δ t and touch the first wheel at r₁ n±, n± = sin δ e ± cos δ t. Their tensions

        T₋ − T₊ = λ,      T₋ + T₊ = 2 T₀ (pretension), or |λ| if the slack span has no tension

    pull the wheels towards each other; λ is the multiplier. The sum of both tensions does no work.
    """

    crossed: bool = field(default=False, kw_only=True)

    multiplier_name: ClassVar[str] = "pull"

    @property
    @abstractmethod
    def pitch_radii(self) -> tuple[Any, Any]:
        """The pitch radii r₁ and r₂ of the wheels (m)."""

    @property
    def tension(self) -> Any:
        """The pretension T₀ (N); None if it is not given."""
        return None

    def contact(self, first: Axis, second: Axis) -> TransmittedWrenches:
        upper, lower = (self._span(first, second, side) for side in (1, -1))
        half = 0.5 * (upper + lower)
        known = self.tension is not None
        return TransmittedWrenches(
            second.p,
            0.5 * (lower - upper),
            ca.DM(6, 1) if known else half,
            2 * self.tension * half if known else ca.DM(6, 1),
        )

    def _span(self, first: Axis, second: Axis, side: int) -> Matrix:
        """The wrench, at the centre of the second wheel, that a unit tension in a span, s₊ (`side` 1) or s₋
        (−1), exerts on this wheel."""
        d = perpendicular_part(second.p - first.p, first.a)
        e = d / ca.norm_2(d)
        t, sine = ca.cross(first.a, e), self._sine(d)
        cosine = ca.sqrt(1 - sine**2)
        r2 = self.pitch_radii[1]
        touch = (-r2 if self.crossed else r2) * (sine * e + side * cosine * t)
        pull = -(cosine * e - side * sine * t)
        return transport_wrench(ca.vertcat(ca.DM(3, 1), pull), touch)

    def _sine(self, d: Matrix) -> Matrix:
        r1, r2 = self.pitch_radii
        return (r1 + r2 if self.crossed else r1 - r2) / ca.norm_2(d)

    def wrap(self, first: Axis, second: Axis) -> Matrix:
        """The smaller of the wrap angles of the two wheels (rad)."""
        delta = ca.asin(self._sine(perpendicular_part(second.p - first.p, first.a)))
        return pi + 2 * delta if self.crossed else pi - 2 * ca.fabs(delta)

    def axis_faults(self, where: str, first: Axis, second: Axis) -> Iterator[Fault]:
        faults = list(parallel_faults(where, first, second))
        yield from faults
        distance = float(ca.norm_2(perpendicular_part(second.p - first.p, first.a)))
        radii = [value_of(r) for r in self.pitch_radii]
        if not faults and None not in radii and distance <= (least := float(sum(map(float, radii)))):  # type: ignore[arg-type]
            what = f"the axes are {distance:.9g} m apart; its two wheels need more than {least:.9g} m."
            yield Fault("G08", where, what, "Move a bearing, or use smaller wheels.")

    def outputs(
        self, first: Axis, second: Axis, contact: TransmittedWrenches, lam: Matrix
    ) -> Mapping[str, Matrix]:
        """Tangential force on the first wheel, positive in its positive sense of rotation, and tensions of the tight
        and slack spans, by name; `lam` is the multiplier, the difference of the tensions."""
        size = ca.fabs(lam)
        mean = size / 2 if self.tension is None else self.tension
        return {"tangential": lam, "tight": mean + size / 2, "slack": mean - size / 2}


@dataclass(frozen=True)
class Belt(WrappedDrive):
    """A belt on two pulleys. The `pretension` T₀ determines the tensions of both spans, T₁ + T₂ = 2 T₀.

    With a coefficient of `friction` μ it transmits forces up to Euler's limit T₁ ≤ T₂ exp(μ β), where β is the
    smaller wrap angle:

        |T₁ − T₂| ≤ limit = 2 T₀ tanh(μ β / 2)

    Without a pretension the bearing loads are not determined; the smallest possible loads are reported, with zero
    tension in the slack span.

    Source: [shigley], ch. 17, flat belts.
    """

    radii: Vector | None = field(default=None, kw_only=True)
    pretension: Scalar | None = field(default=None, kw_only=True)
    friction: Scalar | None = field(default=None, kw_only=True)

    called: ClassVar[str] = "belt"

    @property
    def pitch_radii(self) -> tuple[Any, Any]:
        return require_two(self, self.radii or (0, 0))

    @property
    def tension(self) -> Any:
        return self.pretension

    @property
    def leaves_bearings_undetermined(self) -> bool:
        return self.pretension is None

    @property
    def lengths(self) -> Mapping[str, Any]:
        pair = isinstance(self.radii, tuple) and len(self.radii) == 2
        return dict(zip(("first radius", "second radius"), self.radii or (), strict=True)) if pair else {}

    def number_faults(self, where: str) -> Iterator[Fault]:
        if not self.lengths:
            remedy = "Give the radii of both pulleys in metres, radii=(0.05, 0.1)."
            what = "has no radii." if self.radii is None else f"its radii are {numbers_text(self.radii)}."
            yield Fault("G04", where, what, remedy)
        for name in ("pretension", "friction"):
            number = value_of(getattr(self, name))
            if number is not None and number <= 0:
                yield Fault(
                    "G10", where, f"its {name} is {number:g}.", "Give a number above zero, or remove it."
                )
        if self.friction is not None and self.pretension is None:
            remedy = "Give pretension= too: friction depends on it."
            yield Fault("G10", where, "has friction but no pretension.", remedy)

    @property
    def scalars(self) -> Mapping[str, Any]:
        more = {name: x for name in ("pretension", "friction") if (x := getattr(self, name)) is not None}
        return {**super().scalars, **more}

    def outputs(
        self, first: Axis, second: Axis, contact: TransmittedWrenches, lam: Matrix
    ) -> Mapping[str, Matrix]:
        outputs = dict(super().outputs(first, second, contact, lam))
        if self.friction is not None:
            outputs["limit"] = 2 * self.tension * ca.tanh(self.friction * self.wrap(first, second) / 2)
        return outputs


@dataclass(frozen=True)
class Chain(WrappedDrive):
    """A chain on two sprockets with z teeth and the mean radii r = z pitch / 2π; its slack span has no tension."""

    teeth: tuple[int, ...] | None = field(default=None, kw_only=True)
    pitch: Scalar | None = field(default=None, kw_only=True)

    called: ClassVar[str] = "chain"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "teeth", whole_teeth(self.teeth))

    @property
    def pitch_radii(self) -> tuple[Any, Any]:
        first, second = require_two(self, self.teeth or (0, 0))
        pitch: Any = self.pitch
        return first * pitch / (2 * pi), second * pitch / (2 * pi)

    @property
    def lengths(self) -> Mapping[str, Any]:
        return {} if self.pitch is None else {"pitch": self.pitch}

    def number_faults(self, where: str) -> Iterator[Fault]:
        if not are_tooth_numbers(self.teeth):
            what = "has no teeth." if self.teeth is None else f"its teeth are {numbers_text(self.teeth)}."
            yield Fault("G04", where, what, "Give two whole numbers above zero, e.g. teeth=(18, 36).")
        if self.pitch is None:
            yield Fault(
                "G04",
                where,
                "has no pitch.",
                "Give the pitch of the chain or toothed belt in metres, pitch=0.0127.",
            )
