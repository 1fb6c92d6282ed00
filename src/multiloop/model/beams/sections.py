"""Cross sections of beams, and how their properties vary along a tapered beam.

Properties are polynomials in ξ = x/L, the position along the beam divided by its length. If the outer dimensions y, z
(and y', z' of a hole) are known at both ends, they vary linearly along the beam, and

    A = α (y z − y' z'),   Iz = β (y³ z − y'³ z'),   Iy = γ (y z³ − y' z'³),   J = δ (y² z² − y'² z'²)

with factors α, β, γ, δ that follow from the sections at the ends and vary linearly between them. This is exact for
rectangles, round bars and tubes, whose factors α, β, γ (and δ of round sections) are equal at both ends. For sections
given by area and second moments only, these vary linearly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, make_dataclass
from math import inf, pi
from typing import Annotated, Any, Union

import numpy as np
from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from multiloop.model.expressions import Expression, Scalar, functions
from multiloop.model.faults import short_repr, suggestion
from multiloop.model.markers import Vector, number_text, scalar, value_of, vector
from multiloop.model.synonyms import SuggestsArguments


@dataclass(frozen=True)
class Section(SuggestsArguments):
    """A cross section normal to x: area A (m²), Iz = ∫ y² dA and Iy = ∫ z² dA (m⁴), torsion constant J (m⁴).

    Iz is for bending with deflection along y, the only bending in a planar mechanism, Iy for deflection along z. `y`
    and `z` are the distances of the outer fibres from the centroid, for stresses and tapers; `hole` contains these
    distances for a hole of the same form. `shear_factor` is the fraction of the area that carries shear in a beam with
    shear deformation. Numbers may be expressions of parameters.
    """

    A: Scalar
    Iz: Scalar
    Iy: Scalar = 0.0
    J: Scalar = 0.0
    y: Scalar = field(default=0.0, kw_only=True)
    z: Scalar = field(default=0.0, kw_only=True)
    hole: Vector = field(default=(0.0, 0.0), kw_only=True)
    shear_factor: Scalar = field(default=5 / 6, kw_only=True)

    def __post_init__(self) -> None:
        for name in ("A", "Iz", "Iy", "J", "y", "z", "shear_factor"):
            object.__setattr__(self, name, scalar(getattr(self, name)))
        object.__setattr__(self, "hole", (*vector(self.hole), 0.0)[:2])

    def __repr__(self) -> str:
        known = [("Iy", self.Iy, " m⁴"), ("J", self.J, " m⁴"), ("y", self.y, " m"), ("z", self.z, " m")]
        more = "".join(
            f", {name} = {number_text(value, unit)}" for name, value, unit in known if value != 0.0
        )
        return f"Section: A = {number_text(self.A, ' m²')}, Iz = {number_text(self.Iz, ' m⁴')}{more}."


def rectangle(width: Scalar, height: Scalar) -> Section:
    """A rectangular section: `width` along z, `height` along y, so that Iz grows with height³.

    J = a b³ (1/3 − 0.21 b/a (1 − b⁴/12 a⁴)),  a ≥ b      [roark], accurate to 0.5 %

    J is the torsion constant, a the longer and b the shorter side. The order of the arguments, z before y, differs from
    that of `box_mesh`, whose sizes are along x, y and z.
    """
    b, h = scalar(width), scalar(height)
    a, thin = functions.maximum(b, h), functions.minimum(b, h)
    ratio = thin / a
    J = a * _bounded_power(thin, 3) * (1 / 3 - 0.21 * ratio * (1 - ratio**4 / 12))
    return Section(b * h, b * _bounded_power(h, 3) / 12, h * _bounded_power(b, 3) / 12, J, y=h / 2, z=b / 2)


def tube(outer: Scalar, inner: Scalar = 0.0) -> Section:
    """A circular section with the outer diameter D and the inner diameter d; a solid bar by default.

    κ = 6 (1 + m²)² / (7 (1 + m²)² + 20 m²),  m = d/D      [cowper], Table 1, at ν = 0

    κ is the shear factor, taken at Poisson's ratio ν = 0 like the value 5/6 of a rectangle.
    """
    D, d = scalar(outer), scalar(inner)
    I = pi / 64 * (_bounded_power(D, 4) - _bounded_power(d, 4))
    m = (d / D) ** 2 if (value_of(D) or 0.0) > 0 else 0.0
    factor = 6 * (1 + m) ** 2 / (7 * (1 + m) ** 2 + 20 * m)
    section = pi / 4 * (_bounded_power(D, 2) - _bounded_power(d, 2))
    return Section(section, I, I, 2 * I, y=D / 2, z=D / 2, hole=(d / 2, d / 2), shear_factor=factor)


def _bounded_power(size: Scalar, exponent: int) -> Scalar:
    """The power size^exponent of a length `size`; infinity on overflow, which the checks then report with the name of
    the body."""
    try:
        return size**exponent
    except OverflowError:
        return inf


NAMED_SECTIONS: dict[str, tuple[Callable[..., Section], tuple[int, ...], str]] = {
    "rectangle": (rectangle, (2,), "{rectangle: [0.02, 0.006]}, width and height"),
    "tube": (tube, (1, 2), "{tube: [0.03, 0.02]}, the outer and the inner diameter"),
}
"""Section types that are described by dimensions: for each the function that creates the section, the allowed numbers
of dimensions, and an example for files."""

SECTION_FIELDS = tuple(entry.name for entry in fields(Section))

SECTION_REMEDY = "Write {rectangle: [0.02, 0.006]}, {tube: [0.03, 0.02]} or {A: 1.2e-4, Iz: 3.6e-10}"


def _read_section(value: Any) -> Any:
    """Data of a section in a file; dimensions such as {rectangle: [0.02, 0.006]} are converted to a `Section`."""
    if not isinstance(value, Mapping):
        if isinstance(value, Section):
            return value
        raise ValueError(f"{short_repr(value)} is not a section. {SECTION_REMEDY}")
    named = [name for name in NAMED_SECTIONS if name in value]
    if not named:
        meant = [suggestion(name, NAMED_SECTIONS) for name in value if name not in SECTION_FIELDS]
        if meant and len(value) == 1 and meant[0].startswith("Did you mean"):
            raise ValueError(f"{short_repr(dict(value))} is not a section. {meant[0]}")
        return value
    make, counts, written = NAMED_SECTIONS[named[0]]
    try:
        given = TypeAdapter(Vector).validate_python(value[named[0]])
    except ValidationError:
        given = ()
    if len(value) > 1 or len(given) not in counts:
        raise ValueError(f"{short_repr(dict(value))} is not a section. Write {written}")
    return make(*given)


def _section_class(name: str, counts: tuple[int, ...]) -> type:
    """A dataclass for the file schema whose only field is the section type, {rectangle: [0.02, 0.006]} for example.

    `counts` are the possible numbers of dimensions.
    """
    numbers = Annotated[Vector, Field(min_length=min(counts), max_length=max(counts))]
    found = make_dataclass(name, [(name, numbers)], frozen=True)
    found.__pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[attr-defined]
    return found


SectionInFile: Any = Union[
    (Section, *(_section_class(name, counts) for name, (_, counts, _) in NAMED_SECTIONS.items()))
]

SectionField = Annotated[Section, BeforeValidator(_read_section, json_schema_input_type=SectionInFile)]
"""A section in a file: given by A, Iz, …, or by its type and dimensions, {rectangle: [0.02, 0.006]} for example."""


Polynomial = tuple[Any, ...]
"""Coefficients of 1, ξ, ξ², …, with the position ξ = x/L along the beam divided by its length."""

DIMENSION_POWERS = {"A": (1, 1), "Iz": (3, 1), "Iy": (1, 3), "J": (2, 2)}
"""Exponents of the outer fibre distances y and z in each section property."""

SMALLEST_DIMENSION = 1e-70
"""Outer dimension of a section (m) below which powers of the dimension could underflow to zero."""

EQUAL_FACTORS = 1e-12
"""Relative difference below which the values of a quantity at both ends of a beam are taken as equal."""


def section_properties(at_a: Section, at_b: Section | None = None) -> dict[str, Polynomial]:
    """A, Iz, Iy, J, the shear area As = κ A with the shear factor κ, and the outer fibre distances y and z, as
    polynomials in ξ = x/L.

    `at_a` and `at_b` are the sections at the ends of the beam; without `at_b` the section `at_a` is constant.
    """
    if at_b is None or at_b == at_a:
        found: dict[str, Polynomial] = {
            name: (getattr(at_a, name),) for name in (*DIMENSION_POWERS, "y", "z")
        }
        return found | {"As": (at_a.shear_factor * at_a.A,)}
    if all(_has_dimensions(end) for end in (at_a, at_b)):
        found = {name: _by_dimensions(name, at_a, at_b) for name in DIMENSION_POWERS}
    else:
        found = {name: _linear(getattr(at_a, name), getattr(at_b, name)) for name in DIMENSION_POWERS}
    found |= {name: _linear(getattr(at_a, name), getattr(at_b, name)) for name in ("y", "z")}
    return found | {"As": _polynomial_product(_linear(at_a.shear_factor, at_b.shear_factor), found["A"])}


def _has_dimensions(section: Section) -> bool:
    """Whether the outer dimensions of a section are known and larger than the dimensions of its hole."""
    halves = [value_of(half) or 0.0 for half in (section.y, section.z)]
    hole = [value_of(half) or 0.0 for half in section.hole]
    return all(
        half > max(inner, SMALLEST_DIMENSION) and inner >= 0 for half, inner in zip(halves, hole, strict=True)
    )


def _by_dimensions(name: str, at_a: Section, at_b: Section) -> Polynomial:
    """The section property `name` as a polynomial in ξ = x/L, for a beam whose outer dimensions and hole vary linearly
    between the sections `at_a` and `at_b`."""
    along_y, along_z = DIMENSION_POWERS[name]

    def product(section: Section) -> Scalar:
        whole, *hole = (
            _integer_power(y, along_y) * _integer_power(z, along_z)
            for y, z in ((section.y, section.z), section.hole)
        )
        return whole - hole[0] if any(value_of(half) for half in section.hole) else whole

    def course(y: Polynomial, z: Polynomial) -> Polynomial:
        return _polynomial_product(*(y,) * along_y, *(z,) * along_z)

    factor = _linear(getattr(at_a, name) / product(at_a), getattr(at_b, name) / product(at_b))
    whole = course(_linear(at_a.y, at_b.y), _linear(at_a.z, at_b.z))
    if any(value_of(half) for half in (*at_a.hole, *at_b.hole)):
        hole = course(*(_linear(one, other) for one, other in zip(at_a.hole, at_b.hole, strict=True)))
        whole = _polynomial_sum(whole, tuple(-1.0 * c for c in hole))
    return _polynomial_product(factor, whole)


def _integer_power(base: Scalar, exponent: int) -> Scalar:
    return base if exponent == 1 else base**exponent


def _linear(one: Scalar, other: Scalar) -> Polynomial:
    """The linear polynomial with the values `one` at ξ = 0 and `other` at ξ = 1; a constant if they are equal."""
    if one == other:
        return (one,)
    numbers = [float(end) for end in (one, other) if not isinstance(end, Expression)]
    if len(numbers) == 2 and np.ptp(numbers) <= EQUAL_FACTORS * np.abs(numbers).max():
        return (one,)
    return (one, other - one)


def _polynomial_product(*factors: Polynomial) -> Polynomial:
    found = factors[0]
    for factor in factors[1:]:
        size = len(found) + len(factor) - 1
        found = tuple(
            _sum_terms([found[i] * factor[k - i] for i in range(len(found)) if 0 <= k - i < len(factor)])
            for k in range(size)
        )
    return found


def _polynomial_sum(one: Polynomial, other: Polynomial) -> Polynomial:
    size = max(len(one), len(other))
    return tuple(_sum_terms([p[k] for p in (one, other) if k < len(p)]) for k in range(size))


def _sum_terms(terms: Sequence[Scalar]) -> Scalar:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total
