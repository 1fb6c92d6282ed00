"""A uniform slender beam as a modal body, its integrals in closed form.

Two families of shapes, over ξ = x/L from marker `a` to marker `b`:

    frame "a"       φ_k = ξ^(k+1)        the frame is fixed to the beam at a, as if it were clamped there
    frame "chord"   φ_k = sin k π ξ      the frame's x axis goes through both ends, as if they were pinned

Deflections are across the axis, to first order: the beam keeps its length along x. Source: the Ritz method; the sines
are the exact modes of a beam on two pins, and four powers give the first frequency of a cantilever to 1e-6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.model import Fault, ModelError
from multiloop.model.bodies import rod
from multiloop.model.modal import ModalBody

FRAMES = ("a", "chord")


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
    """A straight elastic link along x from marker `a` to marker `b`, with `modes` coordinates for each direction.

    `EI` is the bending stiffness (N m²), `across` the directions in which it bends ("y" in the plane, "y" and "z"
    in space), `damping` the part of critical that the first mode has, others in proportion to their stiffness.
    A number for a further marker is its distance from `a`. `inertia` is that of `rod`.
    """
    _require(name, frame, across, modes)
    powers = (
        [_power(k) for k in range(2, modes + 2)] if frame == "a" else [_sine(k) for k in range(1, modes + 1)]
    )
    body = rod(name, length=length, mass=mass, inertia=inertia, markers=markers)
    places = {"a": 0.0, "b": 1.0} | {mark: at / length for mark, at in (markers or {}).items()}
    xi, weight = np.polynomial.legendre.leggauss(8 + 4 * modes)
    xi, weight = (xi + 1) / 2, weight / 2
    phi = np.array([shape(xi, 0) for shape in powers])
    bend = np.array([shape(xi, 2) for shape in powers]) / length**2
    own = [(direction, k) for direction in across for k in range(modes)]
    e = len(own)
    shapes = {mark: np.zeros((6, e)) for mark in places}
    momentum, moments, products = np.zeros((3, e)), np.zeros((e, 3, 3)), np.zeros((e, e, 3, 3))
    stiffness = np.zeros((e, e))
    for i, (direction, k) in enumerate(own):
        axis, sign = ("y", "z").index(direction) + 1, 1.0 if direction == "y" else -1.0
        slope = 2 if direction == "y" else 1
        for mark, at in places.items():
            shapes[mark][3 + axis, i] = powers[k](at, 0)
            shapes[mark][slope, i] = sign * powers[k](at, 1) / length
        momentum[axis, i] = mass * weight @ phi[k]
        moments[i, 0, axis] = mass * length * (weight @ (xi * phi[k]))
        for j, (other, l) in enumerate(own):
            products[i, j, axis, ("y", "z").index(other) + 1] = mass * weight @ (phi[k] * phi[l])
            if other == direction:
                stiffness[i, j] = EI * length * weight @ (bend[k] * bend[l])
    modal = np.einsum("ijaa->ij", products)
    first = np.sqrt(np.linalg.eigvals(np.linalg.solve(modal, stiffness)).real.min())
    data: dict[str, Any] = {"shapes": shapes, "momentum": momentum, "moments": moments, "products": products}
    data |= {"stiffness": stiffness, "damping": 2 * damping / first * stiffness if damping else ()}
    return ModalBody(
        name,
        mass=body.mass,
        com=body.com,
        inertia=body.inertia,
        markers=body.markers,
        outline=body.outline,
        **data,
    )


def _power(k: int) -> Any:
    """ξᵏ and its derivatives by ξ."""
    return lambda x, order: np.polynomial.polynomial.polyval(
        x, np.polynomial.polynomial.polyder([0.0] * k + [1.0], order)
    )


def _sine(k: int) -> Any:
    """sin kπξ and its derivatives by ξ, exactly zero at the ends where it is."""
    return lambda x, order: (
        (k * np.pi) ** order * np.round(np.sin(k * np.pi * np.asarray(x) + order * np.pi / 2), 15)
    )


def _require(name: str, frame: str, across: Sequence[str], modes: int) -> None:
    faults = []
    if frame not in FRAMES:
        faults.append(Fault("M14", "its frame", f"is {frame!r:.60}.", 'Give "a" or "chord".'))
    if not across or set(across) - {"y", "z"}:
        faults.append(Fault("M14", "across", f"is {across!r:.60}.", 'Give ("y",), ("z",) or ("y", "z").'))
    if not isinstance(modes, int) or modes < 1:
        faults.append(Fault("M14", "modes", f"is {modes!r:.60}.", "Give a whole number above zero."))
    if faults:
        raise ModelError(f"body '{name}'", faults)
