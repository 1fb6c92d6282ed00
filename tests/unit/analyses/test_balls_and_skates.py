"""Balls, crowned wheels and skates: closed forms on planes at rest, in translation and in rotation."""

import numpy as np
import pytest

import multiloop as ml

G = 9.81
FORWARD = ["sslm", "slm", "system", "embedding", "virtual_work", "augmented"]
MASS, RADIUS = 0.7, 0.1
SOLID = (0.4 * MASS * RADIUS**2,) * 3
TURNED = (0.8, 0.0, 0.6, 0.0)


def ball(*, ground=None, pairs=None, **changes):
    given = {
        "bodies": [ground or ml.ground(), ml.Body("ball", mass=MASS, inertia=SOLID)],
        "pairs": pairs or [ml.RollingBall("contact", "ball.origin", "ground.origin", radius=RADIUS)],
    }
    return ml.Mechanism("ball", **(given | changes))


@pytest.mark.parametrize("method", FORWARD)
@pytest.mark.parametrize("planar", [False, True])
def test_a_ball_rolls_down_a_slope(method, planar):
    """a = 5/7 g sin α, in space and in the plane; friction is 2/7 m g sin α."""
    slope = 0.3
    if planar:
        mechanism = ml.Mechanism(
            "ball",
            planar=True,
            bodies=[
                ml.ground(road=ml.marker((0, 0), angle=-slope)),
                ml.Body("ball", mass=MASS, inertia=SOLID[0]),
            ],
            pairs=[ml.RollingBall("contact", "ball.origin", "ground.road", radius=RADIUS)],
        )
        found = ml.forward(mechanism, {"ball": (0.5, None, 0.4)}, method=method)
    else:
        road = ml.ground(road=ml.marker((0, 0, 0), z=(np.sin(slope), 0, np.cos(slope))))
        pair = ml.RollingBall("contact", "ball.origin", "ground.road", radius=RADIUS)
        found = ml.forward(
            ball(ground=road, pairs=[pair]), {"ball": (0.5, 0.2, None, *TURNED)}, method=method
        )
    a = np.linalg.norm(found["ball floats"].acceleration[0, : 2 if planar else 3])
    assert a == pytest.approx(5 / 7 * G * np.sin(slope), rel=1e-11)
    force = np.linalg.norm(found["contact"].force[0])
    assert force == pytest.approx(MASS * G * np.hypot(np.cos(slope), 2 / 7 * np.sin(slope)), rel=1e-9)


def turntable(speed=3.0, pivots=True):
    """A ball on a table that turns about the vertical."""
    return ball(
        bodies=[
            ml.ground(),
            ml.Body("table", mass=5.0, inertia=(0.1, 0.1, 0.2)),
            ml.Body("ball", mass=MASS, inertia=SOLID),
        ],
        joints=[ml.Revolute("axle", "ground.origin", "table.origin")],
        pairs=[ml.RollingBall("contact", "ball.origin", "table.origin", radius=RADIUS, pivots=pivots)],
        drives=[ml.Motion("axle", ml.motion_laws.constant_speed(speed))],
    )


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_on_a_turntable_it_goes_in_circles(target):
    """The centre moves on a circle with 2/7 Ω, whatever the start: v̇ = 2/7 Ω k × v."""
    speed, T = 3.0, 2 * np.pi / (2 / 7 * 3.0)
    start, rates = {"ball": (0.5, 0.0, RADIUS, *TURNED)}, {"ball": (0.2, 0.1, None, None, None, 0.4)}
    asked = {"until": T, "samples": 9, "rtol": 1e-11, "target": target}
    run = ml.simulate(turntable(speed), start=start, rates=rates, **asked)
    w, v = 2 / 7 * speed, np.array([0.2, 0.1])
    middle = np.array([0.5, 0.0]) + np.array([-v[1], v[0]]) / w
    c, s = np.cos(w * run.time), np.sin(w * run.time)
    off = np.array([0.5, 0.0]) - middle
    expected = middle + np.column_stack([c * off[0] - s * off[1], s * off[0] + c * off[1]])
    assert run.marker("ball.origin")[:, :2] == pytest.approx(expected, abs=1e-9)
    assert run.constraint_violation.max() < 1e-14
    assert run["ball floats"].rate[:, 5] == pytest.approx(
        np.full(9, 0.4), abs=1e-10
    )  # its own spin is constant


def test_where_it_does_not_pivot_it_turns_with_the_table():
    """n · ω is that of the table; on an accelerating table the contact transmits a moment I Ω̇."""
    held = turntable(pivots=False).replace(drives=[ml.Motion("axle", 2.0 * ml.time**2 / 2)])
    plan = ml.analyse(held, guess={"ball": (0.5, 0, RADIUS, *TURNED)})
    assert (plan.mobility, plan.configurations) == (3, 6)
    run = ml.simulate(held, start={"ball": (0.0, 0.0, RADIUS, *TURNED)}, until=1.0, samples=5, rtol=1e-11)
    assert run["ball floats"].rate[:, 5] == pytest.approx(2.0 * run.time, abs=1e-10)
    assert run["contact"].moment[:, 2] == pytest.approx(np.full(5, -2.0 * SOLID[2]), abs=1e-10)
    assert run["axle"].effort == pytest.approx(np.full(5, 2.0 * (0.2 + SOLID[2])), rel=1e-9)


def test_all_methods_agree_on_a_table_that_turns():
    start, rates = {"ball": (0.5, 0.0, RADIUS, *TURNED)}, {"ball": (0.2, 0.1, None, None, None, None)}
    found = [ml.forward(turntable(pivots=False), start, rates=rates, method=method) for method in FORWARD]
    for one in found[1:]:
        assert one["ball floats"].acceleration == pytest.approx(
            found[0]["ball floats"].acceleration, abs=1e-9
        )
        assert one["contact"].force == pytest.approx(found[0]["contact"].force, abs=1e-8)
        assert one["axle"].effort == pytest.approx(found[0]["axle"].effort, abs=1e-8)


def test_a_disc_on_a_sliding_plate_moves_as_on_the_ground():
    """The plate moves at constant velocity: relative to it, the motion is that on the ground (Galilei), leaning and
    turning."""
    disc = ml.Body("disc", mass=1.2, inertia=(0.03, 0.03, 0.055), com=(0.02, 0.0, 0.0))
    still = ml.Mechanism(
        "disc",
        bodies=[ml.ground(), disc],
        pairs=[ml.Rolling("contact", "disc.origin", "ground.origin", radius=0.3)],
    )
    along = ml.marker((0, 0, 0), z=(1, 0, 0))
    sliding = ml.Mechanism(
        "disc",
        bodies=[
            ml.ground(rail=along),
            ml.Body("plate", mass=4.0, inertia=(1, 1, 1), markers={"rail": along}),
            disc,
        ],
        joints=[ml.Prismatic("rail", "ground.rail", "plate.rail")],
        pairs=[ml.Rolling("contact", "disc.origin", "plate.origin", radius=0.3)],
        drives=[ml.Motion("rail", ml.motion_laws.constant_speed(0.5))],
    )
    start = {"disc": (0.1, 0.0, None, np.cos(0.6), np.sin(0.6), 0, 0)}
    asked = {"until": 1.0, "samples": 6, "rtol": 1e-11}
    seen = ml.simulate(still, start=start, rates={"disc": (None, None, None, 0.3, 4.0, 1.0)}, **asked)
    moved = ml.simulate(sliding, start=start, rates={"disc": (None, None, None, 0.3, 4.0, 1.0)}, **asked)
    carried = 0.5 * seen.time[:, None] * np.array([1.0, 0.0, 0.0])
    assert moved.marker("disc.origin") == pytest.approx(seen.marker("disc.origin") + carried, abs=1e-9)
    assert moved["contact"].force == pytest.approx(seen["contact"].force, abs=1e-7)
    assert moved["rail"].effort == pytest.approx(-moved["contact"].force[:, 0], abs=1e-8)


def crowned(crown, radius=0.3):
    thin = (1.2 * radius**2 / 4, 1.2 * radius**2 / 4, 1.2 * radius**2 / 2)
    return ml.Mechanism(
        "wheel",
        bodies=[ml.ground(), ml.Body("wheel", mass=1.2, inertia=thin)],
        pairs=[ml.Rolling("contact", "wheel.origin", "ground.origin", radius=radius, crown=crown)],
    )


@pytest.mark.parametrize("crown", [0.0, 0.1, ml.Parameter("crown", 0.1)])
def test_a_wheel_on_a_round_tread_falls_sideways(crown):
    """(A + m s²) θ̈ + ½ m (s²)′ θ̇² = m g (R − ρ) sin θ,   s² = (R − ρ)² + ρ² + 2 (R − ρ) ρ cos θ."""
    R, rho, theta, rate = 0.3, getattr(crown, "value", crown), 0.4, 1.3
    height = (R - rho) * np.cos(theta) + rho
    half = np.pi / 4 - theta / 2  # the axle, z, is inclined upward from y by θ
    start = {"wheel": (0, 0, height, np.cos(half), -np.sin(half), 0, 0)}
    found = ml.forward(crowned(crown), start, rates={"wheel": (None, None, None, rate, 0.0, 0.0)})
    s2, slope = (
        (R - rho) ** 2 + rho**2 + 2 * (R - rho) * rho * np.cos(theta),
        -2 * (R - rho) * rho * np.sin(theta),
    )
    A = 1.2 * R**2 / 4
    expected = (1.2 * G * (R - rho) * np.sin(theta) - 0.5 * 1.2 * slope * rate**2) / (A + 1.2 * s2)
    assert found["wheel floats"].acceleration[0, 3] == pytest.approx(expected, rel=1e-11)


def test_the_roundest_wheel_is_a_ball():
    start, rates = {"wheel": (0, 0, None, *TURNED)}, {"wheel": (None, None, None, 1.0, 2.0, 3.0)}
    nearly = ml.forward(crowned(0.3 * (1 - 1e-9)), start, rates=rates)
    whole = crowned(0.1).replace(
        pairs=[ml.RollingBall("contact", "wheel.origin", "ground.origin", radius=0.3)]
    )
    assert nearly["wheel floats"].acceleration == pytest.approx(
        ml.forward(whole, start, rates=rates)["wheel floats"].acceleration, rel=1e-7, abs=1e-7
    )


def sleigh(planar):
    """On a plane, to which a Planar joint constrains it in space."""
    body = {
        "mass": 2.0,
        "inertia": 0.3 if planar else (0.2, 0.25, 0.3),
        "com": (0.2, 0.05) if planar else (0.2, 0.05, 0.1),
    }
    return ml.Mechanism(
        "sleigh",
        planar=planar,
        bodies=[ml.ground(), ml.Body("sleigh", **body)],
        joints=[ml.Planar("ice", "ground.origin", "sleigh.origin")],
        pairs=[ml.Skate("edge", "sleigh.origin", "ground.origin")],
    ).replace(gravity=(0.7, 0.2) if planar else (0.7, 0.2, -9.0))


@pytest.mark.parametrize("method", FORWARD)
def test_a_skate_does_in_space_what_it_does_in_the_plane(method):
    """The same as by a relation of rates; the force acts on the ice, perpendicular to the blade."""
    start, rates = {"ice": (0, 0, 0.3)}, {"ice": (1.0, None, 0.7)}
    flat, deep = (ml.forward(sleigh(planar), start, rates=rates, method=method) for planar in (True, False))
    assert deep["ice"].acceleration == pytest.approx(flat["ice"].acceleration, rel=1e-10)
    assert deep["edge"].force[0] == pytest.approx((*flat["edge"].force[0], 0.0), rel=1e-8, abs=1e-9)
    turn = ml.position("ice", 2)
    across = ml.expr.sin(turn) * ml.rate("ice", 0) - ml.expr.cos(turn) * ml.rate("ice", 1)
    tied = ml.forward(
        sleigh(True).replace(pairs=[ml.Relation("edge", across)]), start, rates=rates, method=method
    )
    assert tied["ice"].acceleration == pytest.approx(flat["ice"].acceleration, rel=1e-10)
    assert tied["edge"].efforts["ice"][0, :2] == pytest.approx(-flat["edge"].force[0], rel=1e-8)


def test_a_skate_on_ice_that_moves():
    """A rotating floe: perpendicular to the blade its velocity is that of the ice, v = Ω × r, and along the blade it is
    free."""
    floe = ml.Mechanism(
        "floe",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(), ml.Body("floe", mass=50.0, inertia=9.0), ml.Body("sled", mass=2.0, inertia=0.3)],
        joints=[ml.Revolute("axle", "ground.origin", "floe.origin")],
        pairs=[ml.Skate("edge", "sled.origin", "floe.origin")],
        drives=[ml.Motion("axle", ml.motion_laws.constant_speed(0.8))],
    )
    state = ml.assemble(floe, {"sled": (1.0, 0.0, 0.0)}, rates={"sled": (0.25, None, 0.0)})
    assert state["sled floats"].rate == pytest.approx((0.25, 0.8, 0.0))
    run = ml.simulate(
        floe, start={"sled": (1.0, 0.0, 0.0)}, rates={"sled": (0.25, None, 0.0)}, until=2.0, rtol=1e-10
    )
    assert run.energy_drift < 1e-8


@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_they_go_to_files_and_back(tmp_path, ending):
    for k, one in enumerate((turntable(pivots=False), crowned(0.1), sleigh(False))):
        ml.save(one, tmp_path / f"{k}.{ending}")
        assert ml.load(tmp_path / f"{k}.{ending}") == one
