"""Cam profiles made from the motion law of a translating or a swinging follower.

Theory: docs/theory/03-constraints.md, eq. (3.10).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import tau
from typing import Any, NamedTuple

import casadi as ca
import numpy as np

from multiloop.model.cams.contour import (
    LEAST_SQUARED_DISTANCE,
    CamLaw,
    Contour,
    PitchPoint,
    ProfilePoints,
    Support,
    arc_length,
    panel_edges,
)
from multiloop.model.markers import value_of
from multiloop.spatial import Matrix
from multiloop.symbols.lookup import lookup


@dataclass(frozen=True, eq=False)
class LiftContour(Contour):
    """A cam profile made from the lift l(u) of a translating follower.

    The cam angle u is the counter-clockwise rotation of the cam relative to the follower's marker. A flat face y =
    const. of the follower is at h = base + l(u), the support function, with the normal (sin u, cos u) in the cam's
    frame:

        h′ = −l′,   h″ = l″       (with respect to the angle of the normal, π/2 − u)

    A knife edge, or the centre of a roller, that slides along y with the offset e from the axis of the cam is at
    g = (e, s), s = s₀ + l(u), s₀² = (base + r)² − e². Rotated back by u this is the pitch curve, and with w = l′ − e

        n ~ (−w, s),   tan α = w/s,   κ = (s (s − l″) + w (w + l′)) / (s² + w²)^(3/2)

    in the axes of the follower, where n is the normal of the pitch curve (up to its length), α the pressure angle and κ
    the curvature; r is the radius of the roller and l′ = dl/du. An arbitrary point p of the plane is assigned the cam
    angle u at which the line of translation passes through p, s² = p·p − e²; the distance of p from the curve is (s −
    s₀ − l) cos α. A swinging follower may run on the same profile; its motion then differs from the law l.

    Source: [norton], ch. 8, for α; we derived κ and the form that needs no iteration for the point of contact.
    """

    lift: CamLaw
    base: Any
    offset: Any = 0.0

    def _laws(self, u: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        u = u - tau * ca.floor(u / tau)
        return self.lift(u), self.lift(u, 1), self.lift(u, 2)

    def support(self, n: tuple[Matrix, Matrix]) -> Support:
        lift, slope, second = self._laws(ca.atan2(*n))
        return Support(self.base + lift, -slope, second)

    def pitch(self, p: tuple[Matrix, Matrix], r: Any) -> PitchPoint:
        (x, y), e = p, self.offset
        s = ca.sqrt(ca.fmax(x * x + y * y - e * e, LEAST_SQUARED_DISTANCE * (self.base + r) ** 2))
        d = s * s + e * e
        across, along = s * x - e * y, e * x + s * y  # (s² + e²) times sin u and cos u, u: cam angle
        u = ca.atan2(across, along)
        lift, slope, second = self._laws(u)
        w = slope - e
        size = ca.sqrt(s * s + w * w)
        above = s - self._least(r) - lift
        normal = ((s * across - w * along) / (d * size), (w * across + s * along) / (d * size))
        curvature = (s * (s - second) + w * (w + slope)) / size**3

        def arc() -> tuple[Matrix, Matrix]:
            length, whole = arc_length(lambda v: self._speed(v, r), u, panel_edges(self.lift.value), -1)
            return length - above * w / size, whole  # arc length at the nearest point of the curve

        return PitchPoint(above * s / size, normal, curvature, arc)

    def _least(self, r: Any) -> Any:
        """The distance s₀ of a follower with the roller radius r from the cam's axis at zero lift, measured along the
        line of translation (m)."""
        height, e = self.base + r, self.offset
        return height if isinstance(e, float) and e == 0 else ca.sqrt(height**2 - e**2)

    def _speed(self, u: Matrix, r: Any) -> Matrix:
        """Derivative of the arc length of the pitch curve with respect to the cam angle (m/rad)."""
        lift, slope, _ = self._laws(u)
        return ca.sqrt((self._least(r) + lift) ** 2 + (slope - self.offset) ** 2)

    def variable(self, count: int) -> np.ndarray:
        return np.arange(count) * (tau / count)

    def flat_face_profile(self, u: np.ndarray) -> ProfilePoints:
        """Points of the profile for a flat face, at the cam angles u."""
        lift, slope, second = (self.lift.numbers(u, order) for order in range(3))
        n = np.column_stack([np.sin(u), np.cos(u)])
        t = np.column_stack([-n[:, 1], n[:, 0]])
        h = (value_of(self.base) or 0.0) + lift
        points = h[:, None] * n - slope[:, None] * t
        return ProfilePoints(u, points, n, h + second, points)

    def pressure_angles(self, u: np.ndarray, r: float, flat: bool) -> np.ndarray:
        """Pressure angles α (rad) at the cam angles u: tan α = (l′ − e) / s, or α = 0 for a flat face.

        l′ is the slope of the lift, e the offset of the follower, and s its distance from the cam's axis along the line
        of translation, which depends on the roller radius r.
        """
        if flat:
            return np.zeros(len(u))
        found, way = self.outline(u, r), np.column_stack([np.sin(u), np.cos(u)])
        across = way[:, 0] * found.normals[:, 1] - way[:, 1] * found.normals[:, 0]
        angles: np.ndarray = np.arctan2(across, np.einsum("ti,ti->t", way, found.normals))
        return angles

    def outline(self, u: np.ndarray, r: float) -> ProfilePoints:
        e, base = (value_of(number) or 0.0 for number in (self.offset, self.base))
        lift, slope, second = (self.lift.numbers(u, order) for order in range(3))
        s, w = np.sqrt((base + r) ** 2 - e**2) + lift, slope - e
        size = np.hypot(s, w)
        sin, cos = np.sin(u), np.cos(u)
        pitch = np.column_stack([e * cos + s * sin, s * cos - e * sin])
        normals = np.column_stack([s * sin - w * cos, w * sin + s * cos]) / size[:, None]
        bend = (s * (s - second) + w * (w + slope)) / size**3
        with np.errstate(divide="ignore"):
            radius = 1 / bend - r
        return ProfilePoints(u, pitch - r * normals, normals, radius, pitch)


STARTS = 96
"""Number of intervals of the cam angle for the initial guess of the contact angle of a flat face."""

STEPS = 4
"""Number of steps of Newton's method for the contact angle of a flat face.

The error of the initial guess is of the order of the square of the interval between two tabulated cam angles; each step
squares the error.
"""


@dataclass(frozen=True, eq=False)
class SwingContour(Contour):
    """A cam profile made from the motion law l(u) of a swinging follower.

    The follower rotates by σ l(u) about a pivot at the polar coordinates (d, β) from the cam's axis; σ is 1 for
    counter-clockwise, −1 for clockwise. The cam angle u is the counter-clockwise rotation of the cam from the position
    in which the pivot is at β in its frame.

    **A knife edge, or the centre of a roller,** is at the end of an arm of length a. With the angle ψ = ψ₀ + l(u)
    between the arm and the line from the pivot to the cam's axis, its position, in axes whose first axis points from
    the cam's axis to the pivot, is

        g = (d − a cos ψ, −σ a sin ψ),   g·g = d² + a² − 2 d a cos ψ,   ψ₀ by g·g = (base + r)²

    Rotated by β − u this is the pitch curve; r is the radius of the roller. Its normal n is g + l′ a (σ cos ψ, sin ψ),
    divided by the norm m; pressure angle α and curvature κ follow from

        cos α = d sin ψ / m,     κ = −n·(g″ − 2 E g′ − g)/m³      with ′ = d/du and E the rotation by 90°

    An arbitrary point p of the plane is assigned the angle ψ that follows from g·g = p·p, and the cam angle u at which
    the end of the arm then is at p; its distance from the curve is (ψ − ψ₀ − l) a cos α.

    **A flat face** is at the distance f from the pivot, positive away from the cam. With γ = γ₀ − l(u), where d cos γ₀
    + f = base, the normal has the angle φ = β − σ γ − u in the cam's frame; the support function h and the pressure
    angle α are

        h = d cos γ + f,    h′ = −d l′ sin γ / (1 − σ l′),    tan α = f (1 − σ l′) / (d sin γ)

        h″ = d (−l′² (1 − σ l′) cos γ + l″ sin γ) / (1 − σ l′)³

    u(φ) is computed by a fixed number of steps of Newton's method; it is unique if the follower always rotates more
    slowly than the cam, σ l′ < 1.

    Source: [norton], ch. 8, has the geometry; we derived the forms that need no iteration for a roller's contact.
    """

    swing: CamLaw
    base: Any
    pivot: tuple[Any, Any]
    arm: Any = 0.0
    offset: Any = 0.0
    sense: int = 1

    def _laws(self, u: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        u = u - tau * ca.floor(u / tau)
        return self.swing(u), self.swing(u, 1), self.swing(u, 2)

    # knife edge or roller -------------------------------------------------------------------------------------

    def pitch(self, p: tuple[Matrix, Matrix], r: Any) -> PitchPoint:
        (x, y), (bx, by), a = p, self.pivot, self.arm
        d = ca.sqrt(bx * bx + by * by)
        far = ca.fmax(x * x + y * y, LEAST_SQUARED_DISTANCE * (self.base + r) ** 2)
        cosine = ca.fmax(
            ca.fmin((d * d + a * a - far) / (2 * d * a), 1 - LEAST_SQUARED_DISTANCE),
            LEAST_SQUARED_DISTANCE - 1,
        )
        sine = ca.sqrt(1 - cosine * cosine)
        gx, gy = d - a * cosine, -self.sense * a * sine
        # position of the arm's end in the cam's axes at cam angle 0, times the distance d of the pivot
        hx, hy = bx * gx - by * gy, bx * gy + by * gx
        u = ca.atan2(hy * x - hx * y, hx * x + hy * y)
        lift, slope, second = self._laws(u)
        curve = _pitch_curve_point(d, a, self.sense, (sine, cosine), slope, second)
        above = ca.atan2(sine, cosine) - _arm_angle(d, a, self.base + r, ca) - lift
        size = ca.sqrt(far * (gx * gx + gy * gy))
        c, s = (x * gx + y * gy) / size, (y * gx - x * gy) / size  # cosine, sine of β − u (`SwingContour`)
        nx, ny = curve.n

        def arc() -> tuple[Matrix, Matrix]:
            length, whole = arc_length(lambda v: self._speed(v, r), u, panel_edges(self.swing.value), -1)
            # tangential component of the derivative of the position g of the arm's end with respect to its angle ψ
            aside = -a * (self.sense * nx * cosine + ny * sine)
            return length + above * aside, whole

        gap = above * a * d * sine / curve.size
        return PitchPoint(gap, (c * nx - s * ny, s * nx + c * ny), curve.bend, arc)

    def _speed(self, u: Matrix, r: Any) -> Matrix:
        """Derivative of the arc length of the pitch curve with respect to the cam angle (m/rad)."""
        lift, slope, second = self._laws(u)
        d = ca.sqrt(self.pivot[0] ** 2 + self.pivot[1] ** 2)
        psi = _arm_angle(d, self.arm, self.base + r, ca) + lift
        return _pitch_curve_point(d, self.arm, self.sense, (ca.sin(psi), ca.cos(psi)), slope, second).size

    # flat face ------------------------------------------------------------------------------------------------

    def support(self, n: tuple[Matrix, Matrix]) -> Support:
        (nx, ny), (bx, by) = n, self.pivot
        d = ca.sqrt(bx * bx + by * by)
        least = ca.acos((self.base - self.offset) / d)
        # the value that u − σ l(u) must have at the contact, with the motion law l and the sense of rotation σ
        wanted = ca.atan2(by * nx - bx * ny, bx * nx + by * ny) - self.sense * least
        u = self._contact_angle(wanted)
        lift, slope, second = self._laws(u)
        gamma, slower = least - lift, 1 - self.sense * slope
        return Support(*_face_support(d, self.offset, (ca.sin(gamma), ca.cos(gamma)), slope, second, slower))

    def _contact_angle(self, wanted: Matrix) -> Matrix:
        """The cam angle u at which a flat face has a given normal: the solution of u − σ l(u) = `wanted`, with the
        motion law l and the sense of rotation σ = ±1; `wanted` is computed from the normal."""
        turns, angles = self._starts
        wanted = wanted - tau * ca.floor((wanted - turns[0]) / tau)
        steep = np.diff(angles) / np.diff(turns)
        u = lookup(wanted, turns, np.vstack([steep, angles[:-1]]))
        for _ in range(STEPS):
            lift, slope, _ = self._laws(u)
            u = u - (u - self.sense * lift - wanted) / (1 - self.sense * slope)
        return u

    @cached_property
    def _starts(self) -> tuple[np.ndarray, np.ndarray]:
        """Two arrays over one revolution for initial guesses: increasing values of u − σ l(u), with the motion law l
        and the sense σ = ±1, and the cam angles u (rad)."""
        angles = np.linspace(0.0, tau, STARTS + 1)
        turns = angles - self.sense * self.swing.numbers(angles)
        turns[-1] = turns[0] + tau
        return turns, angles

    # numerical values -----------------------------------------------------------------------------------------------

    def variable(self, count: int) -> np.ndarray:
        return np.arange(count) * (tau / count)

    def _numbers(self) -> tuple[float, float, float, float, float]:
        """Distance d and angle β of the pivot, length of the arm, radius of the base circle, and offset of the face.

        Parameters have their described values.
        """
        x, y, *others = (value_of(one) or 0.0 for one in (*self.pivot, self.arm, self.base, self.offset))
        return float(np.hypot(x, y)), float(np.arctan2(y, x)), others[0], others[1], others[2]

    def angles(self, u: np.ndarray, r: float, flat: bool) -> np.ndarray:
        """The angles (rad) of the follower at the cam angles u: ψ of an arm with a roller of radius r, or γ of a flat
        face, as defined in `SwingContour`. `flat` states whether the follower is a flat face.

        The follower has a position only where the angle is between 0 and π. All angles are NaN if the follower cannot
        reach the base circle.
        """
        d, _, a, base, f = self._numbers()
        with np.errstate(invalid="ignore"):
            least = np.arccos((base - f) / d) if flat else _arm_angle(d, a, base + r, np)
        found: np.ndarray = least + (-1 if flat else 1) * self.swing.numbers(u)
        return found

    def _pitch_curve(self, u: np.ndarray, r: float) -> _PitchCurve:
        d, _, a, _, _ = self._numbers()
        psi = self.angles(u, r, flat=False)
        slope, second = (self.swing.numbers(u, order) for order in (1, 2))
        return _pitch_curve_point(d, a, self.sense, (np.sin(psi), np.cos(psi)), slope, second)

    def outline(self, u: np.ndarray, r: float) -> ProfilePoints:
        curve, turn = self._pitch_curve(u, r), self._numbers()[1] - u
        pitch, normals = (_rotate_each(turn, pair) for pair in (curve.g, curve.n))
        with np.errstate(divide="ignore"):
            radius = 1 / curve.bend - r
        return ProfilePoints(u, pitch - r * normals, normals, radius, pitch)

    def flat_face_profile(self, u: np.ndarray) -> ProfilePoints:
        d, beta, _, _, f = self._numbers()
        gamma = self.angles(u, 0.0, flat=True)
        slope, second = (self.swing.numbers(u, order) for order in (1, 2))
        slower = 1 - self.sense * slope
        with np.errstate(divide="ignore", invalid="ignore"):
            h, along, further = _face_support(d, f, (np.sin(gamma), np.cos(gamma)), slope, second, slower)
        turn = beta - self.sense * gamma - u
        n = np.column_stack([np.cos(turn), np.sin(turn)])
        points = h[:, None] * n + along[:, None] * np.column_stack([-n[:, 1], n[:, 0]])
        return ProfilePoints(u, points, n, h + further, points)

    def pressure_angles(self, u: np.ndarray, r: float, flat: bool) -> np.ndarray:
        d, _, _, _, f = self._numbers()
        if flat:
            lever = d * np.sin(self.angles(u, r, flat=True)) / (1 - self.sense * self.swing.numbers(u, 1))
            found: np.ndarray = np.arctan2(-self.sense * f, lever)
            return found
        psi, (nx, ny) = self.angles(u, r, flat=False), self._pitch_curve(u, r).n
        way = np.sin(psi), -self.sense * np.cos(psi)
        found = np.arctan2(way[0] * ny - way[1] * nx, way[0] * nx + way[1] * ny)
        return found


class _PitchCurve(NamedTuple):
    """A point of the pitch curve: position g and unit normal n in the follower's axes, the derivative `size` of the arc
    length with respect to the cam angle, and the curvature `bend`."""

    g: tuple[Any, Any]
    n: tuple[Any, Any]
    size: Any
    bend: Any


def _pitch_curve_point(
    d: Any, a: Any, sense: int, of_psi: tuple[Any, Any], slope: Any, second: Any
) -> _PitchCurve:
    """The point of the pitch curve at the end of a swinging arm; arguments are symbols or numbers.

    d is the distance of the pivot from the cam's axis, a the length of the arm, `sense` 1 if the arm swings
    counter-clockwise, −1 if clockwise. `of_psi` is (sin ψ, cos ψ) of the angle ψ at the pivot between the arm and the
    line to the cam's axis; `slope` and `second` are the first and second derivative of the motion law.
    """
    sine, cosine = of_psi
    gx, gy = d - a * cosine, -sense * a * sine
    wx, wy = a * sine, -sense * a * cosine  # derivative of the position g with respect to the arm's angle ψ
    nx, ny = gx - slope * wy, gy + slope * wx
    size = (nx * nx + ny * ny) ** 0.5
    x = second * wx + slope * slope * a * cosine + 2 * slope * wy - gx
    y = second * wy + slope * slope * sense * a * sine - 2 * slope * wx - gy
    return _PitchCurve((gx, gy), (nx / size, ny / size), size, -(nx * x + ny * y) / size**3)


def _arm_angle(d: Any, a: Any, far: Any, by: Any) -> Any:
    """The angle (rad) at the pivot between an arm of length a and the line to the cam's axis.

    d is the distance of the pivot, and `far` that of the arm's end, from the cam's axis; `by` is the module that
    computes the arc cosine, NumPy or CasADi.
    """
    cosine = (d * d + a * a - far * far) / (2 * d * a)
    return by.arccos(cosine) if by is np else by.acos(cosine)


def _face_support(
    d: Any, f: Any, of_gamma: tuple[Any, Any], slope: Any, second: Any, slower: Any
) -> tuple[Any, Any, Any]:
    """Support function h of a swinging flat face and its derivatives h′ and h″; arguments are symbols or numbers.

    d is the distance of the pivot from the cam's axis, f that of the face from the pivot, and `of_gamma` = (sin γ, cos
    γ) of the angle γ of the face (`SwingContour`). `slope` and `second` are the derivatives l′ and l″ of the motion
    law; `slower` is 1 − σ l′ with the sense of rotation σ = ±1.
    """
    sine, cosine = of_gamma
    further = d * (second * sine - slope * slope * slower * cosine) / slower**3
    return d * cosine + f, -d * slope * sine / slower, further


def _rotate_each(angle: np.ndarray, pair: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Plane vectors, each rotated by its own `angle`, as an array with one row for each vector.

    `pair` contains the array of the x and that of the y components of the vectors.
    """
    (x, y), c, s = pair, np.cos(angle), np.sin(angle)
    found: np.ndarray = np.column_stack([c * x - s * y, s * x + c * y])
    return found
