"""A uniform slender beam as a modal body, by the Rayleigh–Ritz method.

Two families of shape functions φ_k, over ξ = x/L from marker `a` to marker `b`:

    frame "a"       φ_k = ξ^(k+1)        the frame is clamped to the beam at a
    frame "chord"   φ_k = sin k π ξ      the frame's x axis passes through both ends, which are pinned

Deflections are transverse and of first order: the beam keeps its length along x. The sines are the exact modes of a
simply supported beam; four powers give the first frequency of a cantilever to 1e-6. Integrals are by Gauss quadrature,
exact to round-off.

Source: the Rayleigh–Ritz method.
Theory: docs/theory/10-flexible-bodies.md, eqs. (10.15), (10.16).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.model import Fault, ModalBody, ModelError, name_text, rod, short_repr
from multiloop.model.expressions.expression import finite_number
from multiloop.model.modal_body import as_integer, is_mode_count

Shape = Callable[[Any, int], Any]
"""Type of functions (ξ, order) → value of a shape function φ at the position ξ = x/L, or of its derivative of this
order with respect to ξ."""

BENDING = {"y": (1, 2, 1.0), "z": (2, 1, -1.0)}
"""For each direction of deflection: the index of its axis, the index of the axis about which its slope rotates a
section, and the sign of this rotation."""


MOST_SHAPES = 100
"""Largest number of shape functions for one direction of deflection; higher shape functions have no physical
meaning."""


def uniform_beam(
    name: str,
    *,
    length: float,
    mass: float,
    EI: float,
    modes: int = 2,
    frame: str = "chord",
    across: Sequence[str] = ("y",),
    damping: float = 0.0,
    inertia: Any = None,
    markers: Mapping[str, float] | None = None,
) -> ModalBody:
    """A straight flexible beam along x from marker `a` to marker `b`, with `modes` coordinates for each direction.

    `EI` is the bending stiffness (N m²), `across` the directions of deflection ("y" in the plane, "y" and "z" in
    space), `damping` the damping ratio of the first mode; the damping matrix is proportional to the stiffness.
    `markers` maps the name of each further marker to its distance from `a`. The body frame is fixed to the marker `a`
    (`frame` is "a"), or its x axis passes through both ends ("chord"). `inertia` is as in `rod`.
    """
    faults = list(_faults(length, mass, EI, modes, frame, across))
    faults += _number_faults(damping, markers)
    if faults:
        raise ModelError(f"body '{name}'", faults)
    family: list[Shape] = [_power(k + 2) if frame == "a" else _sine(k + 1) for k in range(modes)]
    body = rod(name, length=length, mass=mass, inertia=inertia, markers=markers)
    places = {"a": 0.0, "b": 1.0} | {mark: at / length for mark, at in (markers or {}).items()}
    own = [(direction, phi) for direction in across for phi in family]
    stiffness = _stiffness(own, EI, length)
    integrals = _mass_integrals(own, mass, length)
    modal = np.einsum("ijaa->ij", integrals["products"])
    first = np.sqrt(np.linalg.eigvals(np.linalg.solve(modal, stiffness)).real.min())
    return ModalBody(
        name,
        mass=body.mass,
        com=body.com,
        inertia=body.inertia,
        markers=body.markers,
        outline=body.outline,
        shapes=tuple((mark, _shape(own, at, length)) for mark, at in places.items()),
        stiffness=stiffness,  # type: ignore[arg-type]  # ModalBody converts arrays to tuples
        damping=2 * damping / first * stiffness if damping else (),
        **integrals,
    )


def _shape(shapes: Sequence[tuple[str, Shape]], xi: float, length: float) -> Any:
    """Rotation and displacement of the section at the position ξ = x/L per unit of each elastic coordinate, 6 ×
    coordinates.

    `shapes` are the direction of deflection and the shape function of each coordinate.
    """
    found = np.zeros((6, len(shapes)))
    for i, (direction, phi) in enumerate(shapes):
        axis, about, sign = BENDING[direction]
        found[3 + axis, i], found[about, i] = phi(xi, 0), sign * phi(xi, 1) / length
    return found


def _stiffness(own: Sequence[tuple[str, Shape]], EI: float, length: float) -> np.ndarray:
    """Stiffness matrix EI ∫ φ_i'' φ_j'' dx of the shape functions φ; zero for two deflections in different
    directions."""
    xi, weight = _gauss(len(own))
    bent = np.array([phi(xi, 2) for _, phi in own])
    same = np.array([[one == other for other, _ in own] for one, _ in own])
    found: np.ndarray = EI / length**3 * same * ((bent * weight) @ bent.T)
    return found


def _mass_integrals(own: Sequence[tuple[str, Shape]], mass: float, length: float) -> dict[str, Any]:
    """Mass integrals ∫ Ψ dm, ∫ r₀ Ψᵀ dm and ∫ Ψ Ψᵀ dm, with Ψ the displacement of points per unit coordinate."""
    e = len(own)
    xi, weight = _gauss(e)
    phi = np.array([shape(xi, 0) for _, shape in own])
    axes = [BENDING[direction][0] for direction, _ in own]
    momentum, moments, products = np.zeros((3, e)), np.zeros((e, 3, 3)), np.zeros((e, e, 3, 3))
    for i in range(e):
        momentum[axes[i], i] = mass * weight @ phi[i]
        moments[i, 0, axes[i]] = mass * length * weight @ (xi * phi[i])
        for j in range(e):
            products[i, j, axes[i], axes[j]] = mass * weight @ (phi[i] * phi[j])
    return {"momentum": momentum, "moments": moments, "products": products}


def _gauss(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss points and weights on the interval from 0 to 1, enough for products of two of `count` shape functions."""
    xi, weight = np.polynomial.legendre.leggauss(8 + 4 * count)
    return (xi + 1) / 2, weight / 2


def _power(k: int) -> Shape:
    """Shape function ξᵏ with its derivatives."""
    powers = np.polynomial.polynomial
    return lambda xi, order: powers.polyval(xi, powers.polyder([0.0] * k + [1.0], order))


def _sine(k: int) -> Shape:
    """Shape function sin kπξ with its derivatives; exactly zero at its zeros, despite round-off."""
    return lambda xi, order: (
        (k * np.pi) ** order * np.round(np.sin(k * np.pi * np.asarray(xi) + order * np.pi / 2), 15)
    )


def _faults(length: Any, mass: Any, EI: Any, modes: Any, frame: Any, across: Any) -> Iterator[Fault]:
    for what, value in (("length", length), ("mass", mass), ("EI", EI)):
        if not (finite_number(value) or 0.0) > 0:
            yield Fault("M14", f"its {what}", f"is {short_repr(value)}.", "Give a number above zero.")
    if not isinstance(frame, str) or frame not in ("a", "chord"):
        yield Fault("M14", "its frame", f"is {short_repr(frame)}.", 'Give "a" or "chord".')
    given = list(across) if isinstance(across, str | list | tuple) else []
    if not given or any(direction not in list(BENDING) or given.count(direction) > 1 for direction in given):
        yield Fault("M14", "its `across`", f"is {short_repr(across)}.", 'Give ("y",), ("z",) or ("y", "z").')
    if not is_mode_count(as_integer(modes)) or modes > MOST_SHAPES:
        yield Fault(
            "M14", "its modes", f"are {short_repr(modes)}.", f"Give a whole number from 1 to {MOST_SHAPES}."
        )


def _number_faults(damping: Any, markers: Any) -> Iterator[Fault]:
    part = finite_number(damping)
    if part is None or part < 0:
        remedy = "Give a damping ratio, 0 or more, e.g. 0.01."
        yield Fault("M14", "its damping", f"is {short_repr(damping)}.", remedy)
    if markers is not None and not isinstance(markers, Mapping):
        yield Fault(
            "M14", "its markers", f"are {short_repr(markers)}.", 'Give distances by name, {"m": 0.3}.'
        )
        return
    for name, at in (markers or {}).items():
        if finite_number(at) is None:
            remedy = "Give its distance from `a` along the beam in metres."
            yield Fault("M14", f"its marker '{name_text(name)}'", f"is {short_repr(at)}.", remedy)
