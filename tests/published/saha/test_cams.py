"""[saha] §§4.3–4.4: cams as one equation, I ψ̈ = C ψ̇ + τ, with contact and bearing forces, over a turn.

The scalar equations are evaluated here as printed but for the errata, the forces by hand from Newton's and Euler's
equations of each body, and both are held against the library.

Errata: in C of the flat-face cam (i·a₁)(j·a₁) stands where −(i·a₁)(i·a₁)′ is meant, (i·a₁)′ = ρ − j·a₁, and m₁ ‖r₁‖²
does not belong there; the rolling contact is ṡ j − θ̇ E r₂ = ψ̇ E a₁ with r₂ from Q to the middle of the roller; primes
of r₂ and r₃ are lost in C; gravity has the wrong sign for g along −j.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from zoo.cams import C1, I1, M1, E, R, flat_face, roller, sprung

import multiloop as ml

G, TURN = 9.81, 2 * np.pi
UP = np.array([0, G])
M2 = 0.3
RATE, ACCELERATION = 30.0, 5.0


def turning(rate, acceleration, start=0.0):
    return start + rate * ml.time + acceleration / 2 * ml.time**2


@dataclass
class Flat:
    """Closed forms of the flat-face cam at the angle ψ of the eccentricity."""

    psi: float
    rate: float
    acceleration: float

    @property
    def across(self):
        """i·a₁, the slope of the lift."""
        return E * np.cos(self.psi)

    @property
    def s(self):
        """j·a₁."""
        return R + E * np.sin(self.psi)

    @property
    def inertia(self):
        return I1 + M1 * C1**2 + M2 * self.across**2

    @property
    def convective(self):
        return -M2 * self.across * (R - self.s) * self.rate

    @property
    def spring(self):
        return 100 * (self.s - (R - E)) + 8

    @property
    def torque(self):
        weight = -M1 * G * C1 * np.cos(self.psi) - self.across * (M2 * G + self.spring)
        return self.inertia * self.acceleration - self.convective * self.rate - weight

    @property
    def lift_acceleration(self):
        return self.across * self.acceleration + (R - self.s) * self.rate**2

    @property
    def normal(self):
        return M2 * (self.lift_acceleration + G) + self.spring

    @property
    def bearing(self):
        """On the cam."""
        u = np.array([np.cos(self.psi), np.sin(self.psi)])
        centre = C1 * (self.acceleration * np.array([-u[1], u[0]]) - self.rate**2 * u)
        return M1 * (centre + UP) + [0, self.normal]

    @property
    def guide_moment(self):
        """On the follower, about its origin: the contact force and the weight act at a distance from the guide."""
        return M2 * (self.lift_acceleration + G) * 0.004 - self.normal * self.across


@pytest.mark.parametrize("method", ["subsystem", "system", "virtual_work", "traditional"])
def test_flat_face_follower_over_a_turn(method):
    mechanism = sprung(flat_face(turning(RATE, ACCELERATION)))
    result = ml.inverse(mechanism, t=np.linspace(0.0, 0.22, 45), method=method)
    assert result["O"].position[-1] > TURN
    for k, t in enumerate(result.time):
        known = Flat(result["O"].position[k], RATE + ACCELERATION * t, ACCELERATION)
        assert result["guide"].position[k] == pytest.approx(known.s, abs=1e-13)
        assert result["guide"].acceleration[k] == pytest.approx(known.lift_acceleration, abs=1e-11)
        assert result["O"].effort[k] == pytest.approx(known.torque, abs=1e-12)
        assert result["contact"].normal[k] == pytest.approx(known.normal, rel=1e-11)
        assert result["contact"].contact[k] == pytest.approx([known.across, known.s], abs=1e-12)
        assert result["O"].force[k] == pytest.approx(known.bearing, abs=1e-10)
        assert result["guide"].force[k] == pytest.approx([0.0, 0.0], abs=1e-10)
        assert result["guide"].moment[k] == pytest.approx(known.guide_moment, abs=1e-12)


def inertia_and_convective(made, psi, rate):
    """I and C of the library: the torque of a unit of ψ̈, and the torque at zero ψ̈ without weight and springs."""

    def torque(acceleration, rate):
        bare = made(turning(rate, acceleration, psi), gravity=(0, 0))
        return ml.inverse(bare, t=[0.0])["O"].effort[0]

    return torque(1.0, 0.0) - torque(0.0, 0.0), -(torque(0.0, rate) - torque(0.0, 0.0)) / rate


@pytest.mark.parametrize("psi", np.linspace(0.1, 6.0, 7))
def test_flat_face_inertia_and_convective_term(psi):
    inertia, convective = inertia_and_convective(flat_face, psi, RATE)
    known = Flat(psi, RATE, 0.0)
    assert inertia == pytest.approx(known.inertia, rel=1e-11)
    assert convective == pytest.approx(known.convective, rel=1e-10)


def test_the_printed_convective_term_is_wrong():
    """With −m₂ (i·a₁)(j·a₁) + m₁ ‖r₁‖² its error exceeds its own size."""
    _, convective = inertia_and_convective(flat_face, 0.7, RATE)
    known = Flat(0.7, RATE, 0.0)
    printed = RATE * (M1 * C1**2 - M2 * known.across * known.s)
    assert abs(printed - convective) > abs(convective)


r, RHO, I2, M23, M3, SPEED = 0.012, R + 0.012, 7.2e-6, 0.5, 0.4, 25.0


@dataclass
class Rolled:
    """Closed forms of the roller cam; β is the angle of the line from the cam's middle to the roller's, n along it.

    e cos ψ + ρ cos β = 0,      r θ′ = ρ β′ − R       (no slip of the roller on the turning cam)
    """

    psi: float
    rate: float
    acceleration: float

    def __post_init__(self):
        c, s = np.cos(self.psi), np.sin(self.psi)
        self.n = n = np.array([-E * c / RHO, np.sqrt(1 - (E * c / RHO) ** 2)])
        b1 = -E * s / (RHO * n[1])
        b2 = n[0] * (1 - b1**2) / n[1]
        self.y = E * s + RHO * n[1]
        self.y1 = E * c + RHO * n[0] * b1
        self.y2 = -E * s + RHO * (n[0] * b2 - n[1] * b1**2)
        self.turn1, self.turn2 = (RHO * b1 - R) / r, RHO * b2 / r
        self.spring = 100 * (self.y - (R + r - E)) + 10

    @property
    def inertia(self):
        return I1 + M1 * C1**2 + I2 * self.turn1**2 + M23 * self.y1**2

    @property
    def convective(self):
        return -self.rate * (I2 * self.turn1 * self.turn2 + M23 * self.y1 * self.y2)

    @property
    def torque(self):
        weight = -M1 * G * C1 * np.cos(self.psi) - self.y1 * (M23 * G + self.spring)
        return self.inertia * self.acceleration - self.convective * self.rate - weight

    @property
    def lift_acceleration(self):
        return self.y1 * self.acceleration + self.y2 * self.rate**2

    @property
    def contact(self):
        """Normal and tangential force on the roller: −r F = I₂ θ̈, and the balance along the guide."""
        tangential = -I2 * (self.turn1 * self.acceleration + self.turn2 * self.rate**2) / r
        lifted = M23 * (self.lift_acceleration + G) + self.spring
        return (lifted - tangential * self.n[0]) / self.n[1], tangential

    @property
    def force(self):
        normal, tangential = self.contact
        return normal * self.n + tangential * np.array([-self.n[1], self.n[0]])

    @property
    def bearing(self):
        u = np.array([np.cos(self.psi), np.sin(self.psi)])
        centre = C1 * (self.acceleration * np.array([-u[1], u[0]]) - self.rate**2 * u)
        return M1 * (centre + UP) + self.force

    @property
    def pin(self):
        """Of the follower on the roller."""
        return 0.1 * np.array([0, self.lift_acceleration + G]) - self.force


@pytest.mark.parametrize("method", ["subsystem", "system", "virtual_work", "traditional"])
def test_roller_follower_over_a_turn(method):
    mechanism = sprung(roller(turning(SPEED, ACCELERATION)))
    result = ml.inverse(mechanism, t=np.linspace(0.0, 0.26, 53), method=method)
    assert result["O"].position[-1] > TURN
    for k, t in enumerate(result.time):
        known = Rolled(result["O"].position[k], SPEED + ACCELERATION * t, ACCELERATION)
        normal, tangential = known.contact
        assert result["guide"].position[k] == pytest.approx(known.y, abs=1e-13)
        assert result["pin"].rate[k] == pytest.approx(known.turn1 * known.rate, rel=1e-11)
        assert result["O"].effort[k] == pytest.approx(known.torque, abs=1e-11)
        assert result["contact"].normal[k] == pytest.approx(normal, rel=1e-11)
        assert result["contact"].tangential[k] == pytest.approx(tangential, abs=1e-11)
        assert result["contact"].contact[k] == pytest.approx([0, known.y] - r * known.n, abs=1e-12)
        assert np.tan(result["contact"].pressure_angle[k]) == pytest.approx(
            abs(known.n[0] / known.n[1]), abs=1e-12
        )
        assert result["O"].force[k] == pytest.approx(known.bearing, abs=1e-10)
        assert result["pin"].force[k] == pytest.approx(known.pin, abs=1e-10)
        assert result["guide"].force[k] == pytest.approx([-known.force[0], 0.0], abs=1e-10)
        moment = M3 * (known.lift_acceleration + G) * 0.003
        assert result["guide"].moment[k] == pytest.approx(moment, abs=1e-11)


@pytest.mark.parametrize("psi", np.linspace(0.1, 6.0, 7))
def test_roller_inertia_and_convective_term(psi):
    inertia, convective = inertia_and_convective(roller, psi, SPEED)
    known = Rolled(psi, SPEED, 0.0)
    assert inertia == pytest.approx(known.inertia, rel=1e-11)
    assert convective == pytest.approx(known.convective, rel=1e-10)


# At the top: m (g − y″ ω²) + spring = 0;  y″ = e for the face, e (1 + e/ρ) for the roller.
PARTING = {
    "flat": (flat_face, np.sqrt((M2 * G + 2 + 8) / (M2 * E)), 65.684),
    "roller": (roller, np.sqrt((M23 * G + 2 + 10) / (M23 * E * (1 + E / RHO))), 52.257),
}


@pytest.mark.parametrize("kind", PARTING)
def test_contact_is_lost_at_the_speed_of_the_closed_form(kind, texts):
    made, speed, printed = PARTING[kind]
    assert speed == pytest.approx(printed, abs=5e-4)  # printed digits
    top = ml.inverse(sprung(made(ml.motion_laws.constant_speed(speed))), t=[TURN / 4 / speed])
    assert top["contact"].normal[0] == pytest.approx(0.0, abs=1e-11)
    slower, faster = (
        ml.inverse(sprung(made(ml.motion_laws.constant_speed(f * speed))), cycle=721)
        for f in (0.9999, 1.0001)
    )
    assert slower.status == "ok"
    texts.warnings(faster, ("W60", "contact", "0.0"))
    # Between two of 720 instants a turn, by a straight line; the force is zero over half a degree before the top.
    assert faster.warnings[0].time == pytest.approx(TURN / 4 / speed, rel=0.02)


@pytest.mark.parametrize("kind", PARTING)
def test_a_run_up_stops_where_contact_is_lost(kind, texts):
    made, speed, _ = PARTING[kind]
    motion = sprung(made(turning(0.99 * speed, 5.0)))  # by less than one percent in a turn
    run = ml.simulate(motion, until=1.0, events={"parts": ml.normal("contact")}, stop="parts")
    texts.warnings(run, ("W33", "parts"))
    assert run.events["parts"] == (run.time[-1],)
    assert run["contact"].normal[-1] == pytest.approx(0.0, abs=1e-9)
    assert speed < run["O"].rate[-1] < 1.02 * speed


def test_the_roller_keeps_its_phase_for_a_hundred_turns():
    """It turns back R/r times for each turn of the cam: to round-off of 1570 rad, whatever the steps of the run."""
    run = ml.simulate(roller(turning(SPEED, 0.0)), until=100 * TURN / SPEED, samples=101, rtol=1e-6)
    known = run["pin"].position[0] - np.arange(101) * TURN * R / r
    assert run["pin"].position == pytest.approx(known, abs=1e-10)
    assert run.constraint_violation.max() < 1e-12
