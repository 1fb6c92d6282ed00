"""Cross sections of beams: area, second moments, torsion constant and outer fibres."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, make_dataclass
from math import inf, pi
from typing import Annotated, Any, Union

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from multiloop.model.brief import brief
from multiloop.model.expressions import Scalar, functions
from multiloop.model.faults import suggestion
from multiloop.model.markers import Vector, scalar, value_of, vector
from multiloop.model.numbers_in_words import in_words


@dataclass(frozen=True)
class Section:
    """A cross section normal to x: area A (m²), Iz = ∫ y² dA and Iy = ∫ z² dA (m⁴), torsion constant J (m⁴).

    Iz is for bending along y, the only bending in a planar mechanism, Iy for bending along z. `y` and `z` are the
    distances of the outer fibres from the centroid, for stresses and tapers; `hole` are those of a hole of the same
    form. `shear_factor` is the fraction of the area that carries shear in a beam with shear deformation. Numbers may be
    expressions of parameters.
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
        more = "".join(f", {name} = {in_words(value, unit)}" for name, value, unit in known if value != 0.0)
        return f"Section: A = {in_words(self.A, ' m²')}, Iz = {in_words(self.Iz, ' m⁴')}{more}."


def rectangle(width: Scalar, height: Scalar) -> Section:
    """A rectangle: `width` along z, `height` along y, so that Iz grows with height³. (`box_mesh` takes x, y, z.)

    J = a b³ (1/3 − 0.21 b/a (1 − b⁴/12 a⁴)),  a ≥ b      [roark], to half a percent
    """
    b, h = scalar(width), scalar(height)
    a, thin = functions.maximum(b, h), functions.minimum(b, h)
    ratio = thin / a
    J = a * _power(thin, 3) * (1 / 3 - 0.21 * ratio * (1 - ratio**4 / 12))
    return Section(b * h, b * _power(h, 3) / 12, h * _power(b, 3) / 12, J, y=h / 2, z=b / 2)


def tube(outer: Scalar, inner: Scalar = 0.0) -> Section:
    """A round tube by its diameters; a round bar without an inner diameter.

    κ = 6 (1 + m²)² / (7 (1 + m²)² + 20 m²),  m = d/D      [cowper], Table 1, at ν = 0, as the 5/6 of a rectangle
    """
    D, d = scalar(outer), scalar(inner)
    I = pi / 64 * (_power(D, 4) - _power(d, 4))
    m = (d / D) ** 2 if (value_of(D) or 0.0) > 0 else 0.0
    factor = 6 * (1 + m) ** 2 / (7 * (1 + m) ** 2 + 20 * m)
    section = pi / 4 * (_power(D, 2) - _power(d, 2))
    return Section(section, I, I, 2 * I, y=D / 2, z=D / 2, hole=(d / 2, d / 2), shear_factor=factor)


def _power(size: Scalar, exponent: int) -> Scalar:
    """A power of a length; infinite on overflow, which the checks report with the name of the body."""
    try:
        return size**exponent
    except OverflowError:
        return inf


FORMS: dict[str, tuple[Callable[..., Section], tuple[int, ...], str]] = {
    "rectangle": (rectangle, (2,), "{rectangle: [0.02, 0.006]}, width and height"),
    "tube": (tube, (1, 2), "{tube: [0.03, 0.02]}, the outer and the inner diameter"),
}
"""Sections by their dimensions: the function, the possible numbers of arguments, and an example in a file."""

OWN_FIELDS = tuple(entry.name for entry in fields(Section))

IN_FILES = "Write {rectangle: [0.02, 0.006]}, {tube: [0.03, 0.02]} or {A: 1.2e-4, Iz: 3.6e-10}"


def _read(value: Any) -> Any:
    """A section from a file, also by its dimensions, {rectangle: [0.02, 0.006]}."""
    if not isinstance(value, Mapping):
        if isinstance(value, Section):
            return value
        raise ValueError(f"{brief(value)} is no section. {IN_FILES}")
    named = [name for name in FORMS if name in value]
    if not named:
        meant = [suggestion(name, FORMS) for name in value if name not in OWN_FIELDS]
        if meant and len(value) == 1 and meant[0].startswith("Did you mean"):
            raise ValueError(f"{brief(dict(value))} is no section. {meant[0]}")
        return value
    make, counts, written = FORMS[named[0]]
    try:
        given = TypeAdapter(Vector).validate_python(value[named[0]])
    except ValidationError:
        given = ()
    if len(value) > 1 or len(given) not in counts:
        raise ValueError(f"{brief(dict(value))} is no section. Write {written}")
    return make(*given)


def _form(name: str, counts: tuple[int, ...]) -> type:
    """A class for a section by its dimensions, whose only field is the name of its form."""
    numbers = Annotated[Vector, Field(min_length=min(counts), max_length=max(counts))]
    found = make_dataclass(name, [(name, numbers)], frozen=True)
    found.__pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[attr-defined]
    return found


IN_FILE: Any = Union[(Section, *(_form(name, counts) for name, (_, counts, _) in FORMS.items()))]

NamedSection = Annotated[Section, BeforeValidator(_read, json_schema_input_type=IN_FILE)]
"""A section as files may contain it: by A, Iz, …, or by the dimensions of a named form."""
