"""The rolling disc of textbooks: steady circles, small motions about straight rolling, a hundred turns."""

import numpy as np
import pytest
from small_motions import small_motion

import multiloop as ml
from multiloop.spatial import quaternion_from_matrix

G, RADIUS, MASS = 9.81, 0.3, 1.2
DISC, HOOP = (0.25, 0.5), (0.5, 1.0)
"""Inertia about a diameter and about the axle, per m R²."""
FORWARD = ["sslm", "slm", "system", "embedding", "virtual_work", "augmented"]


def wheel(shape):
    A, C = (part * MASS * RADIUS**2 for part in shape)
    return ml.Mechanism(
        "disc",
        bodies=[ml.ground(), ml.Body("disc", mass=MASS, inertia=(A, A, C))],
        pairs=[ml.Rolling("contact", "disc.origin", "ground.origin", radius=RADIUS)],
    )


def placed(axle):
    """At the origin, the axle along a direction; the height follows."""
    up = np.array([0, 0, 1.0]) - axle[2] * axle
    up /= np.linalg.norm(up)
    e = np.asarray(quaternion_from_matrix(np.column_stack([np.cross(up, axle), up, axle]))).ravel()
    return {"disc": (0.0, 0.0, None, *e)}


def steady(shape, lean, precession):
    """Axle and angular velocity of a steady circle.

        (C + m R²) ω₃ Ω cos α = A Ω² sin α cos α − m g R sin α

    α is the lean from the vertical, ω₃ the whole spin about the axle, Ω the precession about the vertical; the axle
    points outward and up.
    """
    A, C = (part * MASS * RADIUS**2 for part in shape)
    s, c = np.sin(lean), np.cos(lean)
    spin = (A * precession**2 * s * c - MASS * G * RADIUS * s) / ((C + MASS * RADIUS**2) * precession * c)
    axle = np.array([c, 0.0, s])
    return axle, precession * np.array([0, 0, 1.0]) + (spin - precession * s) * axle


@pytest.mark.parametrize("method", FORWARD)
@pytest.mark.parametrize(
    ("shape", "lean", "precession"), [(DISC, 0.4, 3.0), (DISC, 1.2, -9.0), (HOOP, -0.3, 2.0)]
)
def test_a_steady_circle_stays_one(method, shape, lean, precession):
    """The angular velocity rotates with Ω and is otherwise constant: ω̇ = Ω k × ω."""
    axle, omega = steady(shape, lean, precession)
    found = ml.forward(wheel(shape), placed(axle), rates={"disc": (None, None, None, *omega)}, method=method)
    turned = np.cross([0, 0, precession], omega)
    a = found["disc floats"].acceleration[0]
    assert a[3:] == pytest.approx(turned, abs=1e-10 * np.linalg.norm(turned))
    assert a[:3] == pytest.approx(np.cross([0, 0, precession], found["disc floats"].rate[0, :3]), abs=1e-9)


def test_a_hundred_turns_leave_no_constraint_open():
    axle, omega = steady(DISC, 0.4, 3.0)
    run = ml.simulate(
        wheel(DISC),
        start=placed(axle),
        rates={"disc": (None, None, None, *omega)},
        until=100 * 2 * np.pi / 3.0,
        samples=101,
        rtol=1e-12,
    )
    assert run.constraint_violation.max() < 1e-12
    assert run.energy_drift < 1e-10
    assert run.marker("disc.origin")[:, 2] == pytest.approx(np.full(101, RADIUS * np.cos(0.4)), abs=1e-8)
    assert run.marker("disc.origin") == pytest.approx(
        np.tile(run.marker("disc.origin")[0], (101, 1)), abs=1e-7
    )


@pytest.mark.parametrize("spin", [0.0, 2.0, 5.0])
@pytest.mark.parametrize(("shape", "factor", "gyration"), [(DISC, 4 / 5, 3.0), (HOOP, 2 / 3, 4.0)])
def test_straight_rolling_is_as_stable_as_the_textbook_says(shape, factor, gyration, spin):
    """λ² = (4/5)(g/R − 3 ω²) of a disc, (2/3)(g/R − 4 ω²) of a hoop, and twice zero: its heading is arbitrary."""
    mechanism = wheel(shape)

    def second_rates(lean, yaw, leaning, yawing):
        """Of lean and yaw, a_z and −a_x of the axle a as long as they are small: ä = ω̇ × a + ω × (ω × a)."""
        axle = np.array([-np.sin(yaw) * np.cos(lean), np.cos(yaw) * np.cos(lean), np.sin(lean)])
        ahead = np.array([np.cos(yaw), np.sin(yaw), 0.0])
        turn = leaning * ahead + np.array([0, 0, yawing])
        omega = turn + (spin - turn @ axle) * axle
        found = ml.forward(mechanism, placed(axle), rates={"disc": (None, None, None, *omega)})
        away = np.cross(found["disc floats"].acceleration[0, 3:], axle) + np.cross(
            omega, np.cross(omega, axle)
        )
        return np.array([away[2], -away[0]])

    values = np.linalg.eigvals(small_motion(second_rates, 2))
    largest = values[np.argsort(np.abs(values))][2:]
    assert largest**2 == pytest.approx(np.full(2, factor * (G / RADIUS - gyration * spin**2)), rel=1e-9)
    assert largest.sum() == pytest.approx(0.0, abs=1e-8)
