"""Rolling resistance depends on the normal force: coasting wheels, balls and carts in closed form."""

import numpy as np
import pytest

import multiloop as ml

FORWARD = ("system", "slm", "sslm", "embedding", "virtual_work", "augmented")
INVERSE = ("traditional", "system", "subsystem", "virtual_work")
M, I, R, ARM, G = 3.0, 0.05, 0.2, 0.01, 9.81


def wheel(slope=0.0, **given):
    return ml.Mechanism(
        "wheel",
        planar=True,
        bodies=[ml.ground(road=ml.marker((0, 0), angle=-slope)), ml.Body("wheel", mass=M, inertia=I)],
        pairs=[ml.Rolling("tyre", "wheel.origin", "ground.road", radius=R, **{"resistance": ARM} | given)],
    )


def placed(slope=0.0):
    return {"wheel floats": (R * np.sin(slope), R * np.cos(slope), 0.0)}


@pytest.mark.parametrize("method", FORWARD)
@pytest.mark.parametrize("slope", [0.0, 0.2])
def test_a_wheel_rolls_down_a_slope(method, slope):
    """a (m + I/r²) = m g (sin α − (arm/r) cos α), the couple of arm N at the rim being arm N / r."""
    start = placed(slope)
    found = ml.forward(wheel(slope), start, rates={"wheel floats": (None, None, -5.0)}, method=method)
    along = np.array([np.cos(slope), -np.sin(slope)])
    expected = M * G * (np.sin(slope) - ARM / R * np.cos(slope)) / (M + I / R**2)
    assert found["wheel floats"].acceleration[0, :2] @ along == pytest.approx(expected, rel=1e-11)
    told = found["tyre/resistance"]
    assert told.normal[0] == pytest.approx(M * G * np.cos(slope), rel=1e-11)
    assert told.moment[0] == pytest.approx(ARM * told.normal[0], rel=1e-12)
    assert found.status == "ok"


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_it_coasts_to_a_stop(target):
    """v²/2 (m + I/r²) = arm m g s / r."""
    speed = 0.8
    way = speed**2 / 2 * (M + I / R**2) * R / (ARM * M * G)
    run = ml.simulate(
        wheel(),
        start=placed(),
        rates={"wheel floats": (speed, None, None)},
        until=5.0,
        samples=11,
        target=target,
    )
    assert run["wheel floats"].position[-1, 0] == pytest.approx(way, rel=1e-6), "it creeps below 2.3 mrad/s"
    assert run["tyre/resistance"].heat[-1] == pytest.approx(speed**2 / 2 * (M + I / R**2), rel=1e-9)
    assert run.energy_drift < 1e-9
    assert run.energy_balance().lost == {"tyre/resistance": pytest.approx(run["tyre/resistance"].heat[-1])}


@pytest.mark.parametrize("method", INVERSE)
def test_drawing_a_wheel_takes_arm_over_radius_of_its_load(method):
    cart = ml.Mechanism(
        "barrow",
        planar=True,
        bodies=[
            ml.ground(road=(0, 0), up=ml.marker((0, R))),
            ml.Body("barrow", mass=10.0, inertia=1.0),
            ml.Body("wheel", mass=M, inertia=I),
        ],
        joints=[
            ml.Planar("held", "ground.up", "barrow.origin"),
            ml.Revolute("axle", "barrow.origin", "wheel.origin"),
        ],
        pairs=[ml.Rolling("tyre", "wheel.origin", "ground.road", radius=R, resistance=ARM)],
        drives=[ml.Motion("held", x=2.0 * ml.time, angle=0.0)],
    )
    found = ml.inverse(cart, t=[0.0], start={"axle": 0.0}, method=method)
    assert found.effort_along("held.x") == pytest.approx([ARM / R * (10.0 + M) * G], rel=1e-11)
    followed = ml.inverse(cart, t=[0.0, 0.15, 0.3], start={"axle": 0.0})
    assert followed.effort_along("held.x") == pytest.approx(np.full(3, ARM / R * (10.0 + M) * G), rel=1e-10)
    assert followed["tyre/resistance"].heat[-1] == pytest.approx(ARM / R * (10.0 + M) * G * 0.6, rel=1e-9)


def test_resistance_shifts_the_load_from_wheel_to_wheel():
    """On massless wheels, about the mass centre: b N_f − a N_r − h T + arm W = 0, T = arm W / r, N_f + N_r = W."""
    a, b, h, arm = 0.6, 0.9, 0.5, 0.03
    cart = ml.Mechanism(
        "cart",
        planar=True,
        bodies=[
            ml.ground(),
            ml.Body(
                "frame", mass=40.0, com=(a, h - R), inertia=3.0, markers={"rear": (0, 0), "front": (a + b, 0)}
            ),
            ml.Body("rear"),
            ml.Body("front"),
        ],
        joints=[
            ml.Revolute("rear axle", "frame.rear", "rear.origin"),
            ml.Revolute("front axle", "frame.front", "front.origin"),
        ],
        pairs=[
            ml.Rolling(f"{end} tyre", f"{end}.origin", "ground.origin", radius=R, resistance=arm)
            for end in ("rear", "front")
        ],
    )
    found = ml.forward(
        cart,
        {"frame floats": (0.0, R, 0.0), "rear axle": 0.0, "front axle": 0.0},
        rates={"frame floats": (3.0, None, None)},
    )
    W = 40.0 * G
    assert found["frame floats"].acceleration[0, 0] == pytest.approx(-arm * G / R, rel=1e-10)
    expected = W * (a + arm * h / R - arm) / (a + b)
    assert found["front tyre/resistance"].normal[0] == pytest.approx(expected, rel=1e-10)
    assert found["rear tyre/resistance"].normal[0] == pytest.approx(W - expected, rel=1e-10)


@pytest.mark.parametrize("method", FORWARD)
def test_a_ball_on_a_plane_goes_straight_on(method):
    """a = (arm/r) g / (1 + 2/5) against its velocity, in any direction, and pivoting is free."""
    ball = ml.Mechanism(
        "ball",
        bodies=[ml.ground(), ml.Body("ball", mass=M, inertia=(0.4 * M * R**2,) * 3)],
        pairs=[ml.RollingBall("rolls", "ball.origin", "ground.origin", radius=R, resistance=ARM)],
    )
    v = np.array([0.6, -0.8])
    rates = (v[0], v[1], None, None, None, 3.0)
    found = ml.forward(ball, {"ball": (0, 0, R, 1, 0, 0, 0)}, rates={"ball floats": rates}, method=method)
    expected = -ARM / R * G / 1.4 * v
    assert found["ball floats"].acceleration[0, :2] == pytest.approx(expected, rel=1e-10)
    assert np.linalg.norm(found["rolls/resistance"].moment[0]) == pytest.approx(ARM * M * G, rel=1e-11)
    assert found["rolls/resistance"].power[0] == pytest.approx(-ARM * M * G / R, rel=1e-10), "|v| = 1 m/s"


@pytest.mark.parametrize(("part", "of_limit"), [(0.5, 203 / 256), (1.0, 1.0), (2.0, 1.0)])
def test_without_a_speed_it_vanishes_below_one_that_follows_from_gravity_and_size(part, of_limit):
    """σ(u) = u (15 − 10 u² + 3 u⁴)/8 of u = ω / (√(g/r)/3000), where r is the radius of the wheel."""
    rates = {"wheel floats": (None, None, -part * np.sqrt(G / R) / 3000)}
    told = ml.forward(wheel(), placed(), rates=rates)["tyre/resistance"]
    assert told.moment[0] == pytest.approx(of_limit * ARM * M * G, rel=1e-9)


def test_without_resistance_there_are_no_implied_loads():
    assert wheel(resistance=0.0).all_loads == ()
    described = wheel(resistance=ml.Parameter("f", ARM), resistance_speed=1e-2)
    assert ml.from_text(ml.to_text(described)) == described
    assert [load.name for load in described.all_loads] == ["tyre/resistance"]


def test_a_load_that_is_not_determined_is_refused(texts):
    three = ml.Mechanism(
        "tandem",
        planar=True,
        bodies=[
            ml.ground(),
            ml.Body("frame", mass=40.0, inertia=3.0, markers={f"m{k}": (0.5 * k, 0) for k in range(3)}),
            *(ml.Body(f"w{k}", mass=1.0, inertia=0.02) for k in range(3)),
        ],
        joints=[ml.Revolute(f"axle{k}", f"frame.m{k}", f"w{k}.origin") for k in range(3)],
        pairs=[
            ml.Rolling(f"tyre{k}", f"w{k}.origin", "ground.origin", radius=R, resistance=ARM)
            for k in range(3)
        ],
    )
    start = {"frame floats": (0.0, R, 0.0)} | {f"axle{k}": 0.0 for k in range(3)}
    with pytest.raises(ml.SolveError) as refused:
        ml.forward(three, start, rates={"frame floats": (1.0, None, None)})
    texts.fault(refused.value, "S16", "'tyre0'")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"resistance": -0.1}, ("-0.1",)),
        ({"resistance": 0.3}, ("0.3", "0.2")),
        ({"resistance_speed": 0.0}, ("0",)),
    ],
)
def test_invalid_rolling_resistances_are_refused(given, expected, texts):
    with pytest.raises(ml.ModelError) as refused:
        wheel(**given)
    texts.fault(refused.value, "M13", "'wheel'", "'tyre'", *expected)
