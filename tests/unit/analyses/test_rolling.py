"""Wheels without slip: closed forms in the plane and in space, and requirements on a start."""

import numpy as np
import pytest
from scipy.optimize import brentq

import multiloop as ml
from multiloop.spatial import quaternion_from_matrix

G = 9.81
MASS, INERTIA, RADIUS, SLOPE = 3.0, 0.05, 0.2, 0.3


def on_a_slope(com=(0.0, 0.0), **changes):
    """A disc on a line that descends to the right."""
    given = {
        "planar": True,
        "bodies": [
            ml.ground(road=ml.Marker((0.1, 0.2), angle=-SLOPE)),
            ml.Body("wheel", mass=MASS, inertia=INERTIA, com=com),
        ],
        "pairs": [ml.Rolling("contact", "wheel.origin", "ground.road", radius=ml.Parameter("r", RADIUS))],
    }
    return ml.Mechanism("slope", **(given | changes))


START = {"wheel floats": (0.5, None, 0.0)}
ALONG, NORMAL = np.array([np.cos(SLOPE), -np.sin(SLOPE)]), np.array([np.sin(SLOPE), np.cos(SLOPE)])


@pytest.mark.parametrize("method", ["sslm", "slm", "system", "embedding", "virtual_work", "augmented"])
def test_a_disc_rolls_down_a_slope(method):
    """a = g sin α / (1 + I/mr²); the normal force is m g cos α, the friction force m g sin α − m a up the slope.

    The multipliers of the augmented method have an error of 1e-10.
    """
    a = G * np.sin(SLOPE) / (1 + INERTIA / (MASS * RADIUS**2))
    found = ml.forward(on_a_slope(), START, method=method)
    x, y, angle = found["wheel floats"].acceleration[0]
    assert (x, y) == pytest.approx(a * ALONG, rel=1e-12)
    assert angle == pytest.approx(-a / RADIUS, rel=1e-12)  # to the right, clockwise
    on_road = -MASS * G * np.cos(SLOPE) * NORMAL + (MASS * G * np.sin(SLOPE) - MASS * a) * ALONG
    assert found["contact"].force[0] == pytest.approx(on_road, rel=1e-9)  # the wheel's on the road
    assert on_road @ ALONG == pytest.approx(INERTIA * a / RADIUS**2, rel=1e-12)


def test_named_the_other_way_round_it_is_the_road_that_is_felt():
    """The force acts at the point of contact: about the road's marker, the second, it has a moment."""
    found = ml.forward(on_a_slope(), START)
    arm = found.marker("wheel.origin")[0] - RADIUS * NORMAL - (0.1, 0.2)
    assert found["contact"].moment[0] == pytest.approx(np.cross(arm, found["contact"].force[0]), rel=1e-12)


def test_an_unbalanced_wheel_keeps_its_energy_and_never_slips():
    run = ml.simulate(on_a_slope(com=(0.05, 0.0)), start=START, until=2.0, samples=41, rtol=1e-10)
    assert run.energy_drift < 1e-8
    assert run.constraint_violation.max() < 1e-13
    rolled = (run.marker("wheel.origin") - run.marker("wheel.origin")[0]) @ ALONG
    assert rolled == pytest.approx(-RADIUS * run["wheel floats"].position[:, 2], abs=1e-9)


def test_a_start_gives_the_place_and_the_angle(texts):
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(on_a_slope(), {"wheel floats": (0.5, None, None)})
    texts.fault(caught.value, "K03", "1")
    state = ml.assemble(on_a_slope(), START, rates={"wheel floats": (None, None, -2.0)})
    assert state["wheel floats"].rate[:2] == pytest.approx(2.0 * RADIUS * ALONG)


def test_inverse_dynamics_over_time_follows_the_wheel(texts):
    """Driven by its angle: its position follows from rolling, for any instants."""
    turning = 2 * ml.expr.sin(3 * ml.time)
    driven = on_a_slope(com=(0.05, 0.0), drives=[ml.Motion("wheel floats", angle=turning)])
    for times in ([0.0, 1.0, 2.0], np.linspace(0, 2, 11)):
        found = ml.inverse(driven, t=times, start={"wheel floats": (0.5, None, None)})
        rolled = (found.marker("wheel.origin") - found.marker("wheel.origin")[0]) @ ALONG
        assert rolled == pytest.approx(-RADIUS * 2 * np.sin(3 * found.time), abs=1e-8)
    alone = [
        ml.inverse(driven, t=0.0, start={"wheel floats": (0.5, None, None)}, method=method)[
            "wheel floats"
        ].effort
        for method in ("subsystem", "system", "virtual_work", "traditional")
    ]
    for effort in alone[1:]:
        assert effort == pytest.approx(alone[0], abs=1e-12)
    assert found["wheel floats"].effort[0] == pytest.approx(alone[0][0], rel=1e-9)
    with pytest.raises(ml.SolveError) as caught:
        ml.inverse(driven, t=[0.0, 1.0], start={"wheel floats": (0.5, None, None)}, method="system")
    texts.fault(caught.value, "S02", "'system'")


def test_designs_of_a_wheel_are_asked_one_after_another(texts):
    """Each as by `inverse` alone; a design whose wheel cannot be at its start is masked."""
    turning = 2 * ml.expr.sin(3 * ml.time)
    driven = on_a_slope(com=(0.05, 0.0), drives=[ml.Motion("wheel floats", angle=turning)])
    asked = {"t": [0.0, 0.5, 1.0], "start": {"wheel floats": (0.5, None, None)}}
    designs = ml.batch(driven, {"r": [0.2, 0.25, -0.1]}, keep="all", **asked)
    assert designs.ok.tolist() == [True, True, False]
    for k, radius in enumerate((0.2, 0.25)):
        alone = ml.inverse(driven, parameters={"r": radius}, **asked)
        effort = alone.effort_along("wheel floats.angle")
        assert designs.effort["wheel floats.angle"][k] == pytest.approx(effort, rel=1e-12)
        assert designs.peak_effort["wheel floats.angle"][k] == pytest.approx(np.abs(effort).max(), rel=1e-12)
        assert designs.load["contact"][k] == pytest.approx(alone["contact"].load, rel=1e-12)
    assert np.isnan(designs.peak_effort["wheel floats.angle"][2])
    texts(designs.reason(2), "-0.1")
    with pytest.raises(ml.SolveError) as caught:
        ml.batch(driven, {"r": [0.2, 0.25]}, t=[-1.0, 0.5], start={"wheel floats": (0.5, None, None)})
    texts.fault(caught.value, "S02", "0")


def steady_circle(lean, around, radius=0.3, mass=1.2):
    """A thin disc that leans inward by `lean` while its centre goes round a circle: (start, rates, rate of precession).

    In the frame that goes round with Ω about the vertical k, with the axle a = cos θ e_r + sin θ k and the contact at
    −R u, u = −sin θ e_r + cos θ k: not slipping gives ω = Ω k + s a, and Ω k × H = −R u × m (g k − Ω² ρ e_r) gives Ω.
    """
    A, C = mass * radius**2 / 4, mass * radius**2 / 2
    a = np.array([np.cos(lean), 0.0, np.sin(lean)])
    u = np.array([-np.sin(lean), 0.0, np.cos(lean)])
    r = -radius * u

    def moving(Omega):
        turn, v = np.array([0, 0, Omega]), np.array([0.0, Omega * around, 0.0])
        s = -(v + np.cross(turn, r))[1] / np.cross(a, r)[1]
        return turn, v, turn + s * a

    def balance(Omega):
        turn, _, omega = moving(Omega)
        H = A * (omega - (omega @ a) * a) + C * (omega @ a) * a
        force = mass * np.array([-(Omega**2) * around, 0.0, G])
        return (np.cross(turn, H) - np.cross(r, force))[1]

    Omega = brentq(balance, 0.1, 20.0, xtol=1e-15, rtol=1e-15)
    _, v, omega = moving(Omega)
    e = np.asarray(quaternion_from_matrix(np.column_stack([np.cross(u, a), u, a]))).ravel()
    height = radius * np.cos(lean)
    return {"disc": (around, 0.0, height, *e)}, {"disc": (*v, *omega)}, Omega


def disc(radius=0.3, mass=1.2):
    thin = (mass * radius**2 / 4, mass * radius**2 / 4, mass * radius**2 / 2)
    return ml.Mechanism(
        "disc",
        bodies=[ml.ground(plane=(0, 0, 0)), ml.Body("disc", mass=mass, inertia=thin)],
        pairs=[ml.Rolling("contact", "disc.origin", "ground.plane", radius=radius)],
    )


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_a_leaning_disc_goes_round_in_circles(target):
    """Ten turns: the circle, the height and the angle covered, up to the error of an integration at 1e-12."""
    start, rates, Omega = steady_circle(np.deg2rad(25), 1.0)
    turns = 10 if target == "c" else 1
    run = ml.simulate(
        disc(),
        until=turns * 2 * np.pi / Omega,
        start=start,
        rates=rates,
        samples=41,
        rtol=1e-12,
        target=target,
    )
    x, y, z = run.marker("disc.origin").T
    assert np.hypot(x, y) == pytest.approx(np.ones(41), abs=1e-10)
    assert z == pytest.approx(np.full(41, 0.3 * np.cos(np.deg2rad(25))), abs=1e-10)
    assert np.unwrap(np.arctan2(y, x)) == pytest.approx(Omega * run.time, abs=1e-9)
    assert run.constraint_violation.max() < 1e-12
    assert run["contact"].force[:, 2] == pytest.approx(np.full(41, -1.2 * G), rel=1e-9)
    assert np.linalg.norm(run["contact"].force[:, :2], axis=1) == pytest.approx(
        1.2 * Omega**2 * np.ones(41), rel=1e-9
    )


def test_one_axle_on_the_road_goes_straight_or_round():
    """Two wheels on one axle: their rates determine the motion of the axle; it has no lateral velocity."""
    wheel = (0.05, 0.05, 0.09)
    up = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)  # the axle, z of its body, is perpendicular to the road
    cart = ml.Mechanism(
        "cart",
        bodies=[
            ml.ground(road=(0, 0, 0)),
            ml.Body(
                "axle", mass=10.0, inertia=(0.5, 0.4, 0.3), markers={"l": (0, 0, 0.4), "r": (0, 0, -0.4)}
            ),
            ml.Body("left", mass=2.0, inertia=wheel),
            ml.Body("right", mass=2.0, inertia=wheel),
        ],
        joints=[ml.Revolute("L", "axle.l", "left.origin"), ml.Revolute("R", "axle.r", "right.origin")],
        pairs=[
            ml.Rolling("left contact", "left.origin", "ground.road", radius=0.3),
            ml.Rolling("right contact", "right.origin", "ground.road", radius=0.3),
        ],
    )
    plan = ml.analyse(cart, guess={"axle": (0, 0, 0.3, *up)})
    assert (cart.floating, plan.mobility, plan.configurations, plan.redundant) == (("axle",), 3, 6, 1)
    start = {"axle": (0, 0, 0.3, *up), "L": 0.0, "R": 0.0}
    state = ml.assemble(
        cart, start, rates={"L": 2.0, "R": 1.0, "axle.com": (None, None, None, None, 0.0, None)}
    )
    assert np.abs(state["axle floats"].rate[0]) == pytest.approx(1.5 * 0.3)  # ahead, along x
    assert state["axle floats"].rate[1:3] == pytest.approx((0.0, 0.0), abs=1e-12)
    assert np.abs(state["axle floats"].rate[5]) == pytest.approx(0.3 / 0.8)  # (v_l − v_r) / track


@pytest.mark.parametrize("integrator", ["dop853", "implicit"])
def test_the_augmented_method_rolls_where_the_others_roll(integrator):
    """Rows that constrain rates alone do not affect the closure of the positions."""
    ends = [
        ml.simulate(
            on_a_slope((0.03, 0.0)), start=START, until=1.0, method=method, integrator=integrator
        ).final["wheel floats"]
        for method in ("sslm", "augmented")
    ]
    assert ends[0].position == pytest.approx(ends[1].position, abs=1e-8)
    assert ends[0].rate == pytest.approx(ends[1].rate, abs=1e-8)
