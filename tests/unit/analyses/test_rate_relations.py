"""Relations of rates: a sleigh in closed form, the work of time-dependent ones, quaternions as factors, files."""

import numpy as np
import pytest
from zoo.plain import two_shafts

import multiloop as ml

FORWARD = ["sslm", "slm", "system", "embedding", "virtual_work", "augmented"]
MASS, INERTIA, ARM = 2.0, 0.3, 0.2
sin, cos = ml.expr.sin, ml.expr.cos
TURN = ml.position("S", 2)
EDGE = sin(TURN) * ml.rate("S", 0) - cos(TURN) * ml.rate("S", 1)


def sleigh(equation=EDGE, **changes):
    """Chaplygin's sleigh: its blade at the origin of its frame, its mass centre ahead of it."""
    given = {
        "planar": True,
        "gravity": (0, 0),
        "bodies": [ml.ground(), ml.Body("sleigh", mass=MASS, inertia=INERTIA, com=(ARM, 0))],
        "joints": [ml.Free("S", "ground.origin", "sleigh.origin")],
        "pairs": [ml.Relation("edge", equation)],
    }
    return ml.Mechanism("sleigh", **(given | changes))


def start(u=1.0, omega=0.7, turn=0.3):
    return {"S": (0, 0, turn)}, {"S": (u * np.cos(turn), None, omega)}


@pytest.mark.parametrize("method", FORWARD)
def test_a_sleigh_turns_by_the_textbook(method):
    """u̇ = d ω²,   (I + m d²) ω̇ = −m d u ω;   perpendicular to the blade m (u ω + d ω̇)."""
    at, rates = start()
    found = ml.forward(sleigh(), at, rates=rates, method=method)
    u, omega = 1.0, 0.7
    u_rate, omega_rate = ARM * omega**2, -MASS * ARM * u * omega / (INERTIA + MASS * ARM**2)
    ahead, side = np.array([np.cos(0.3), np.sin(0.3)]), np.array([-np.sin(0.3), np.cos(0.3)])
    x, y, angle = found["S"].acceleration[0]
    assert angle == pytest.approx(omega_rate, rel=1e-12)
    assert (x, y) == pytest.approx(u_rate * ahead + u * omega * side, rel=1e-12)
    push = MASS * (u * omega + ARM * omega_rate) * side
    assert found["edge"].efforts["S"][0] == pytest.approx((*push, 0.0), rel=1e-9, abs=1e-12)
    assert found["edge"].power == pytest.approx([0.0], abs=1e-12)


@pytest.mark.parametrize(
    ("integrator", "target"), [("dop853", "c"), ("dop853", "interpreter"), ("implicit", "c")]
)
def test_in_the_long_run_it_goes_straight_ahead(integrator, target):
    """E = ½ m u² + ½ (I + m d²) ω²: finally the mass centre leads, u = √(2E/m)."""
    at, rates = start()
    asked = {"rtol": 1e-10, "integrator": integrator, "target": target}
    run = ml.simulate(sleigh(), start=at, rates=rates, until=40.0, samples=41, **asked)
    energy = (MASS + (INERTIA + MASS * ARM**2) * 0.7**2) / 2
    assert run.energy_drift < 1e-8
    x, y, angle = run["S"].rate.T
    turn = run["S"].position[:, 2]
    assert np.abs(np.sin(turn) * x - np.cos(turn) * y).max() < 1e-12
    assert np.hypot(x[-1], y[-1]) == pytest.approx(np.sqrt(2 * energy / MASS), rel=1e-8)
    assert abs(angle[-1]) < 1e-8


def gears(*equations, **changes):
    return two_shafts(
        ml.Body("one", mass=1.0, inertia=0.02),
        ml.Body("two", mass=2.0, inertia=0.08, com=(0.05, 0)),
        name="gears",
        pairs=[ml.Relation(f"tie {k}", equation) for k, equation in enumerate(equations)],
        **changes,
    )


A, B, A_RATE, B_RATE = ml.position("A"), ml.position("B"), ml.rate("A"), ml.rate("B")
APART = {"A": 0.4, "B": 0.1}
MOVING_BY_THEMSELVES = {
    "time": (A_RATE - 3 * B_RATE - sin(3 * ml.time), lambda r: np.sin(3 * r.time)),
    "a position": (A_RATE - 3 * B_RATE - 0.5 * A, lambda r: 0.5 * r["A"].position),
    "both, as factors": (
        A_RATE - 3 * B_RATE - 0.5 * cos(A) * ml.time * A_RATE,
        lambda r: 0.5 * np.cos(r["A"].position) * r.time * r["A"].rate,
    ),
}


@pytest.mark.parametrize("case", MOVING_BY_THEMSELVES)
def test_energy_is_kept_less_the_work_of_the_relation(case):
    equation, rest = MOVING_BY_THEMSELVES[case]
    run = ml.simulate(gears(equation), start=APART, rates={"A": 1.0}, until=2.0, samples=21, rtol=1e-11)
    assert run.energy_drift < 1e-9
    assert np.abs(run["A"].rate - 3 * run["B"].rate - rest(run)).max() < 1e-12
    does_work = case != "both, as factors"  # if all rates may be zero together it does none
    assert (np.abs(run["tie 0"].power).max() > 0.01) == does_work


@pytest.mark.parametrize("case", MOVING_BY_THEMSELVES)
def test_gamma_agrees_with_differences_of_the_rates(case):
    """The second derivatives of `forward` satisfy the equation: compared with a run of a millisecond."""
    equation, rest = MOVING_BY_THEMSELVES[case]
    h = 1e-3
    run = ml.simulate(gears(equation), start=APART, rates={"A": 1.0}, until=2 * h, samples=3, rtol=1e-13)
    kept = run["A"].acceleration - 3 * run["B"].acceleration
    # central differences are off by h²/6 of the third derivative
    assert kept[1] == pytest.approx((rest(run)[2] - rest(run)[0]) / (2 * h), abs=1e-5)


def test_an_integrable_relation_of_rates_equals_the_relation_of_positions(texts):
    """The same motion from the same position, the same efforts; only the choice of initial positions is free."""
    asked = {"until": 1.0, "samples": 5, "rtol": 1e-11}
    tied = ml.simulate(gears(A - 3 * B - 0.1), start={"A": 0.4}, rates={"A": 1.0}, **asked)
    loose = ml.simulate(gears(A_RATE - 3 * B_RATE), start=APART, rates={"A": 1.0}, **asked)
    for name in "AB":
        assert loose[name].position == pytest.approx(tied[name].position, abs=1e-10)
    assert loose["tie 0"].effort == pytest.approx(tied["tie 0"].effort, abs=1e-10)
    plan = ml.analyse(gears(A_RATE - 3 * B_RATE), guess=APART)
    assert (plan.mobility, plan.configurations) == (1, 2)
    texts(plan.explain(), "1", "2")


def test_parts_of_a_quaternion_may_be_factors():
    """A body spins about its own z, which its quaternion gives, by rates that are along fixed axes."""
    e0, e1, e2, e3 = (ml.position("S", k) for k in range(4))
    z = (2 * (e1 * e3 + e0 * e2), 2 * (e2 * e3 - e0 * e1), e0**2 - e1**2 - e2**2 + e3**2)
    spin = z[0] * ml.rate("S", 0) + z[1] * ml.rate("S", 1) + z[2] * ml.rate("S", 2)
    top = ml.Mechanism(
        "top",
        bodies=[ml.ground(), ml.Body("top", mass=2.0, inertia=(0.05, 0.04, 0.01), com=(0.0, 0.02, 0.3))],
        joints=[ml.Spherical("S", "ground.origin", "top.origin")],
        pairs=[ml.Relation("no spin", spin - 5.0)],
    )
    at, rates = {"S": (np.cos(0.2), np.sin(0.2), 0, 0)}, {"S": (0.3, 0.5, None)}
    run = ml.simulate(top, start=at, rates=rates, until=1.0, samples=11, rtol=1e-11)
    R = np.array([frame[:, :3] for frame in run.poses["top"]])
    held = np.einsum("ti,ti->t", R[:, :, 2], run["S"].rate)
    assert held == pytest.approx(np.full(11, 5.0), abs=1e-12)
    assert run.energy_drift < 1e-9
    found = [ml.forward(top, at, rates=rates, method=method)["S"].acceleration for method in FORWARD]
    for other in found[1:]:
        assert other == pytest.approx(found[0], rel=1e-9)


def test_inverse_dynamics_satisfies_a_relation_of_rates():
    """Driven along the blade and rotated: the efforts are m u̇ − m d ω² and (I + m d²) ω̇ + m d u ω."""
    ahead = cos(TURN) * ml.rate("S", 0) + sin(TURN) * ml.rate("S", 1) - (1.0 + 0.5 * ml.time)
    driven = sleigh(
        drives=[ml.Motion("S", angle=0.3 + 0.4 * ml.time)], pairs=[*sleigh().pairs, ml.Relation("tow", ahead)]
    )
    found = ml.inverse(driven, t=[0.0, 0.5, 1.0], start={"S": (0, 0, None)})
    u = 1.0 + 0.5 * found.time
    assert found["tow"].effort == pytest.approx(MASS * (0.5 - ARM * 0.4**2), rel=1e-9)
    assert found["S"].effort[:, 2] == pytest.approx(MASS * ARM * u * 0.4, rel=1e-9)
    assert np.hypot(*found["S"].rate[:, :2].T) == pytest.approx(u, rel=1e-12)


def test_runs_of_many_designs():
    """Each as it runs alone; the start holds three coordinates, though there are two freedoms."""
    arm = ml.Parameter("arm", ARM)
    many = sleigh(bodies=[ml.ground(), ml.Body("sleigh", mass=MASS, inertia=INERTIA, com=(arm, 0))])
    at, rates = start()
    asked = {"start": at, "rates": rates, "until": 2.0, "samples": 5}
    runs = ml.simulate(many, parameters={"arm": [0.1, 0.3]}, **asked)
    assert list(runs.status) == ["ok", "ok"]
    for k, value in enumerate((0.1, 0.3)):
        alone = ml.simulate(many, parameters={"arm": value}, **asked)
        assert runs[k].final["S"].position == pytest.approx(alone.final["S"].position, abs=1e-8)


def test_designs_are_asked_for_their_efforts():
    arm = ml.Parameter("arm", ARM)
    drives = [ml.Motion("S", x=ml.time, angle=0.3 * ml.time)]
    many = sleigh(
        drives=drives, bodies=[ml.ground(), ml.Body("sleigh", mass=MASS, inertia=INERTIA, com=(arm, 0))]
    )
    asked = {"t": [0.0, 0.5, 1.0], "start": {"S": (None, 0.0, None)}}
    designs = ml.batch(many, {"arm": [0.1, 0.3]}, keep="all", **asked)
    for k, value in enumerate((0.1, 0.3)):
        alone = ml.inverse(many, parameters={"arm": value}, **asked)
        assert designs.effort["S.angle"][k] == pytest.approx(alone.effort_along("S.angle"), rel=1e-10)


def test_events_and_controllers_act_on_it():
    at, rates = start()
    run = ml.simulate(
        sleigh(), start=at, rates=rates, until=5.0, events={"turned": TURN - 0.6}, stop="turned", rtol=1e-11
    )
    assert run["S"].position[-1, 2] == pytest.approx(0.6, abs=1e-9)
    held = ml.simulate(
        sleigh(), start=at, rates=rates, until=1.0, efforts={"S.angle": -3.0 * ml.rate("S", 2)}
    )
    assert abs(held.final["S"].rate[2]) < abs(
        ml.simulate(sleigh(), start=at, rates=rates, until=1.0).final["S"].rate[2]
    )


@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_it_goes_to_files_and_back(tmp_path, ending):
    ml.save(sleigh(), tmp_path / f"sleigh.{ending}")
    assert ml.load(tmp_path / f"sleigh.{ending}") == sleigh()
