"""Exact friction, which sticks without creeping: closed forms, a separate complementarity problem, and the limit of
smooth friction."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from laws.dense_slider_crank import dense_cases, slider_crank
from laws.impact_mechanisms import CLOSED, GRAVITY, floating, four_bar, lift
from scipy.optimize import minimize
from texts import Texts
from zoo.plain import free_body, pinned_body, sliding_body

import multiloop as ml
from multiloop.analyses.results.friction_warnings import stiction_limit_warnings
from multiloop.kinematics.tree import characteristic_length


def rubbing(coefficient: float, radius: float, **more: object) -> list[ml.Friction]:
    """Friction in all joints of the four-bar."""
    return [ml.Friction(f"f{j}", j, coefficient=coefficient, radius=radius, **more) for j in "ABCD"]


def test_a_stuck_four_bar_stays_where_it_is() -> None:
    """Ten seconds under its own weight; the joints share the load, each within its limit."""
    machine = four_bar(*rubbing(0.5, 0.4, stiction="exact"))
    run = ml.simulate(machine, start={"A": 1.0}, guess=CLOSED, until=10.0, samples=101)
    assert np.abs(run["A"].position - 1.0).max() < 1e-12
    for joint in "ABCD":
        one = run[f"f{joint}"]
        assert one.sticking.all()
        assert (np.abs(one.effort) <= one.limit * (1 + 1e-9)).all()
    held = sum(run[f"f{joint}"].effort[0] * rate for joint, rate in rates_by_crank(machine).items())
    free = ml.forward(four_bar(), {"A": 1.0}, guess=CLOSED)
    pushed = free["A"].acceleration[0] * 2 * kinetic_by_crank(machine)
    assert held == pytest.approx(-pushed, rel=1e-9)


def rates_by_crank(machine: ml.Mechanism) -> dict[str, float]:
    """Rates of all joints for a unit rate of the crank."""
    state = ml.assemble(machine, {"A": 1.0}, guess=CLOSED, rates={"A": 1.0})
    return {joint: float(state[joint].rate) for joint in "ABCD"}


def kinetic_by_crank(machine: ml.Mechanism) -> float:
    """Kinetic energy for a unit rate of the crank."""
    return float(ml.forward(four_bar(), {"A": 1.0}, guess=CLOSED, rates={"A": 1.0}).kinetic_energy[0])


@pytest.mark.slow
def test_smooth_friction_tends_to_it() -> None:
    """The difference falls with the creep speed of smooth friction."""
    asked = {"start": {"A": 1.0}, "guess": CLOSED, "until": 2.0, "samples": 21, "rtol": 1e-9}
    exact = ml.simulate(four_bar(*rubbing(0.2, 0.02, stiction="exact")), **asked)
    apart = []
    for speed in (1e-2, 1e-3, 1e-4):
        smooth = ml.simulate(four_bar(*rubbing(0.2, 0.02, speed=speed)), **asked)
        apart.append(np.abs(smooth["A"].position - exact["A"].position).max())
    assert apart[0] > 5 * apart[1] > 25 * apart[2]
    assert apart[2] < 1e-5
    assert exact.energy_drift < 1e-8


@pytest.mark.parametrize(
    "seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(8, 40))]
)
def test_a_rough_guide_as_an_own_complementarity_problem_has_it(seed: int) -> None:
    """Acceleration, normal force and friction of a slider-crank, at rest and in motion, sticking and sliding."""
    some = np.random.default_rng(seed)
    angle, mu, torque = some.uniform(-3, 3), some.uniform(0.05, 0.6), some.uniform(-2, 2)
    rate = 0.0 if seed % 2 else some.uniform(-8, 8)
    (case,) = dense_cases(angle, rate, mu, torque)
    found = ml.forward(slider_crank(mu, torque), {"A": angle}, rates={"A": rate})
    assert found["A"].acceleration[0] == pytest.approx(case.crank, rel=1e-9, abs=1e-9)
    assert found["rough"].effort[0] == pytest.approx(case.friction, rel=1e-9, abs=1e-9)
    assert found["rough"].normal[0] == pytest.approx(abs(case.normal), rel=1e-9, abs=1e-9)
    assert found["rough"].sticking[0] == (rate == 0 and abs(case.slider) < 1e-9)


def test_stick_and_slip_of_a_dragged_block() -> None:
    """A spring drags a block at constant speed: it sticks until k (V t) = μ₀ m g, then slides as an oscillator does."""
    mass, k, pace, static, sliding = 2.0, 50.0, 0.1, 0.5, 0.3
    machine = dragged(mass, k, pace, (static, sliding))
    run = ml.simulate(machine, start={"block": 0.0}, until=8.0, samples=np.linspace(0, 8, 801).tolist())
    weight = mass * GRAVITY
    off = static * weight / (k * pace)
    omega = np.sqrt(k / mass)
    drop = (static - sliding) * weight / k
    t = run.time - off
    slides = (t > 0) & (t < np.pi / omega)
    known = pace * t + drop - drop * np.cos(omega * t) - pace / omega * np.sin(omega * t)
    assert run["block"].position[slides] == pytest.approx(known[slides], abs=1e-9)
    assert np.abs(run["block"].position[t < 0]).max() < 1e-13
    again = 2 * (np.pi - np.arctan2(omega * drop, pace)) / omega  # until its rate is zero again
    assert run["rub"].sticking[(t > again + 0.02) & (t < again + 0.1)].all()
    assert not run["rub"].sticking[(t > 0.02) & (t < again - 0.02)].any()


def dragged(mass: float, k: float, pace: float, coefficient: tuple[float, float]) -> ml.Mechanism:
    """A block on a rough floor, dragged by a spring whose other end has a prescribed motion."""
    return ml.Mechanism(
        "dragged block",
        planar=True,
        gravity=(0, -GRAVITY),
        bodies=[ml.ground(), ml.Body("hand", mass=1.0), ml.Body("weight", mass=mass)],
        joints=[
            ml.Prismatic("led", "ground.origin", "hand.origin"),
            ml.Prismatic("block", "ground.origin", "weight.origin"),
        ],
        drives=[ml.Motion("led", 10.0 + pace * ml.time)],
        loads=[
            ml.Spring("drag", "hand.origin", "weight.origin", stiffness=k, length=10.0),
            ml.Friction("rub", "block", coefficient=coefficient, stiction="exact"),
        ],
    )


@pytest.mark.parametrize("lean", [0.6, 1.0])
@pytest.mark.parametrize("mu", [0.5, 1.3, 1.5, 3.0])
@pytest.mark.parametrize("turning", [0.0, -6.0])
def test_a_rod_that_scrapes_along_a_floor(lean: float, mu: float, turning: float, texts: Texts) -> None:
    """N = −b/D; for D < 0 there is no force or there are two, and that is reported (Painlevé)."""
    r = 0.5 * np.array([np.cos(lean), np.sin(lean)])
    D = 1 + 12 * r[0] * (r[0] - mu * r[1])
    b = -GRAVITY + turning**2 * r[1]
    rates = (-1.0 - turning * r[1], turning * r[0], turning)
    machine = floating(ml.Contact("floor", "rod.tip", "ground.origin", coefficient=mu))

    def asked() -> ml.Result:
        return ml.forward(machine, {"floats": (*r, lean)}, rates={"floats": rates})

    if D < 0 and b < 0:
        with pytest.raises(ml.SolveError) as caught:
            asked()
        texts.fault(caught.value, "S17")
    elif D < 0:
        texts.warnings(asked(), ("W76", "floor"))
    else:
        assert asked()["floor"].normal[0] == pytest.approx(max(0.0, -b / D), rel=1e-10)
        assert asked().status == "ok"


def test_a_ball_slides_and_then_rolls() -> None:
    """A ball thrown along the floor ends rolling at 5/7 of its speed, whatever the friction."""
    ball = free_body(
        ml.Body("ball", mass=7.0, inertia=(2 / 5 * 7.0 * 0.1**2,) * 3),
        "bowling",
        gravity=(0, 0, -GRAVITY),
        loads=[ml.Contact("floor", "ball.origin", "ground.origin", radius=0.1, coefficient=0.2, slip=1e-4)],
    )
    start, rates = {"floats": (0, 0, 0.1, 1, 0, 0, 0)}, {"floats": (7.0, 0, 0, 0, 0, 0)}
    run = ml.simulate(ball, until=1.5, start=start, rates=rates, samples=16)
    assert run.velocity("ball.origin")[-1] == pytest.approx([5.0, 0, 0], abs=1e-9)
    assert run["floor"].sliding[-1] < 1e-9
    assert run["floor"].normal == pytest.approx(7.0 * GRAVITY, rel=1e-9)
    assert run.energy_drift < 1e-9


def test_a_freewheel_drives_one_way() -> None:
    """An alternating torque drives a flywheel through a clutch: engaged while it drives forward, otherwise
    overrunning."""
    inner, outer = 0.5, 2.0
    machine = ml.Mechanism(
        "clutch",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(), ml.Body("in", mass=1.0, inertia=inner), ml.Body("out", mass=1.0, inertia=outer)],
        joints=[
            ml.Revolute("shaft", "ground.origin", "in.origin"),
            ml.Revolute("clutch", "in.origin", "out.origin"),
        ],
        loads=[ml.Freewheel("free", "clutch")],
    )
    run = ml.simulate(
        machine,
        start={"shaft": 0.0, "clutch": 0.0},
        until=3.0,
        efforts={"shaft": ml.expr.sin(2 * ml.time)},
        samples=301,
    )
    push = np.sin(2 * run.time)
    together = run.time < np.pi / 2 - 1e-9
    assert run["clutch"].rate[together] == pytest.approx(0.0, abs=1e-14)
    assert run["free"].effort[together] == pytest.approx(push[together] * outer / (inner + outer), abs=1e-12)
    assert run["free"].holding[1:150].all()
    assert not run["free"].holding[160:310].any()
    spun = 2 * 0.5 / (inner + outer)
    speed = run["shaft"].rate + run["clutch"].rate
    assert speed[~together] == pytest.approx(spun, abs=1e-9)


def driven_arm(*loads: ml.Load) -> ml.Mechanism:
    """An arm that shall rise from rest to rest."""
    return pinned_body(
        ml.rod("arm", length=0.5, mass=2.0),
        drives=[ml.Motion("A", ml.motion_laws.polynomial_345(0.2, 1.0, duration=1.0))],
        loads=loads,
    )


def test_friction_of_a_given_effort_has_one_solution() -> None:
    """It does not depend on reactions, however large it is: Painlevé's paradox cannot occur."""
    led = driven_arm(ml.Friction("brake", "A", effort=20.0, stiction="exact"))
    assert ml.inverse(led, t=[0.2, 0.5, 0.8]).status == "ok"


@pytest.mark.parametrize("coefficient", [0.05, 0.2, 0.4])
def test_a_joint_slides_off_under_the_effort_of_a_controller(coefficient: float) -> None:
    """A controller without a friction model increases its effort: the joint slides as soon as the limit is exceeded."""
    rub = ml.Friction("rub", "A", coefficient=coefficient, radius=0.03, stiction="exact")
    law = ml.ComputedTorque(kp=100.0, kd=20.0, model=driven_arm())
    run = ml.simulate(driven_arm(rub), control=law, until=1.3, samples=131)
    assert (np.abs(run["rub"].effort) <= run["rub"].limit * (1 + 1e-6)).all()
    assert run["rub"].sticking[0]
    # it rests where the effort I kp e is within the limit
    assert abs(run.errors["A"][-1]) <= run["rub"].limit[-1] / (2.0 * 0.5**2 / 3 * 100.0)


def test_computed_torque_with_exact_friction() -> None:
    """The law includes sliding friction, so that the error obeys its own equation; it increases the effort at a
    sticking joint until that slides."""
    rub = ml.Friction("rub", "A", effort=0.3, stiction="exact")
    run = ml.simulate(driven_arm(rub), control=ml.ComputedTorque(kp=100.0, kd=20.0), until=1.3, samples=131)
    slides = ~run["rub"].sticking & (run.time < 0.99)
    first = np.flatnonzero(slides)[0]
    t = run.time[slides] - run.time[first]
    e, rate = run.errors["A"][first], (run.errors["A"][first + 1] - run.errors["A"][first - 1]) / 0.02
    assert run.errors["A"][slides] == pytest.approx((e + (rate + 10 * e) * t) * np.exp(-10 * t), abs=2e-5)
    assert abs(run.errors["A"][-1]) < 1e-6


def test_computed_torque_pushes_against_a_hard_stop() -> None:
    """At its stop the joint has no acceleration to invert; the law continues as if it were free."""
    stop = ml.Stop("wall", "A", high=0.7, restitution=0.0)
    run = ml.simulate(driven_arm(stop), control=ml.ComputedTorque(kp=100.0, kd=20.0), until=1.5, samples=151)
    assert run["A"].position[-1] == pytest.approx(0.7, abs=1e-9)
    inertia, weight = 2.0 * 0.5**2 / 3, 2.0 * GRAVITY * 0.25 * np.cos(0.7)
    assert run["A"].effort[-1] == pytest.approx(inertia * 100.0 * 0.3 + weight, rel=1e-9)
    assert run["wall"].effort[-1] == pytest.approx(-inertia * 100.0 * 0.3, rel=1e-8)


def test_friction_of_a_joint_that_its_drive_holds_at_rest() -> None:
    """In a dwell friction may be anything up to its limit: it is reported as zero, as in `inverse`, and as sticking."""
    moves = [ml.motion_laws.cycloidal(0.0, 1.0, duration=0.5, begin=begin) for begin in (0.0, 1.0)]
    led = sliding_body(
        ml.Body("hand", mass=1.0),
        "led",
        drives=[ml.Motion("slide", moves[0] + moves[1])],
        loads=[ml.Friction("wear", "slide", effort=2.0, stiction="exact")],
    )
    found = ml.simulate(led, until=2.0, samples=401)
    dwell = (found.time > 0.501) & (found.time < 0.999)
    assert found["wear"].sticking[dwell].all()
    assert abs(found["slide"].effort[dwell]).max() < 1e-9
    swift = abs(found["slide"].rate) > 1e-6
    by_hand = found["slide"].acceleration + 2.0 * np.sign(found["slide"].rate)
    assert found["slide"].effort[swift] == pytest.approx(by_hand[swift], abs=1e-9)
    assert (found.status, found.rule) == ("ok", "")


def test_a_brake_of_a_given_effort_has_one_solution() -> None:
    """A limit that does not depend on reactions cannot depend on itself, however large it is."""
    block = lift(ml.Friction("brake", "guide", effort=50.0, stiction="exact"))
    found = ml.simulate(block, start={"guide": 0.0}, rates={"guide": 1.0}, until=0.5)
    assert found["guide"].position[-1] == pytest.approx(0.5 / (25.0 + GRAVITY), rel=1e-9)
    assert found.status == "ok"


def by_efforts(joints: str) -> tuple[np.ndarray, np.ndarray]:
    """Acceleration of the crank and forces of all joints of the four-bar at rest, without efforts and by unit efforts.

    Rows: A's acceleration, then the force of A, B, C and D along x and y. Friction is not included.
    """
    bare = four_bar().replace(guess=CLOSED)

    def response(efforts: dict[str, float]) -> np.ndarray:
        found = ml.forward(bare, {"A": 1.0}, efforts=efforts)
        return np.concatenate([found["A"].acceleration[:1], *(found[joint].force[0] for joint in "ABCD")])

    none = response({"A": 0.0})
    return none, np.column_stack([response({joint: 1.0}) - none for joint in joints])


def test_joints_that_stick_together_and_have_nothing_to_hold() -> None:
    """An effort that balances the weight leaves zero net friction of two joints, whose frictions may oppose each other.

    The limit 0.2 · 0.03 m |F| of 'other' depends on the force of its joint, which this friction changes: formerly it
    was that of the force without friction, and the reported friction exceeded the limit of the reported force by 4 %.
    Here the ends of the admissible frictions are roots of a quadratic equation.
    """
    rubbing_twice = [
        ml.Friction("one", "D", effort=1.4, stiction="exact"),
        ml.Friction("other", "A", coefficient=0.2, radius=0.03, stiction="exact"),
    ]
    bare, rubbed = (four_bar(*loads).replace(guess=CLOSED) for loads in ([], rubbing_twice))
    needed = ml.inverse(bare, state={"A": 1.0}, accelerations={"A": 0.0})["A"].effort[0]
    found = ml.simulate(rubbed, start={"A": 1.0}, efforts={"A": float(needed)}, until=0.1, samples=11)
    assert found.status == "ok"
    assert abs(found["A"].position - 1.0).max() < 1e-12
    one, other = found["one"], found["other"]

    none, unit = by_efforts("AD")
    still, by_other = none + needed * unit[:, 0], unit @ (1.0, -unit[0, 0] / unit[0, 1])
    assert one.effort == pytest.approx(-unit[0, 0] / unit[0, 1] * other.effort, rel=1e-12)
    P, Q, c = still[1:3], by_other[1:3], 0.2 * 0.03
    roots = np.roots([c**2 * Q @ Q - 1, 2 * c**2 * P @ Q, c**2 * P @ P])
    ends = np.sort(roots)
    assert ends[0] < 0 < ends[1] < 1.4 * abs(unit[0, 1] / unit[0, 0])  # 'one' is not exhausted
    assert other.undetermined == one.undetermined == ("effort",)
    assert other.range("effort") == pytest.approx(np.tile(ends, (11, 1)), rel=1e-9)
    assert one.range("effort") == pytest.approx(
        np.sort(-unit[0, 0] / unit[0, 1] * other.range("effort")), rel=1e-9
    )

    for joint, rows in zip("ABCD", np.arange(1, 9).reshape(4, 2), strict=True):
        forces = still[rows] + np.outer(other.effort, by_other[rows])
        assert found[joint].force == pytest.approx(forces, abs=1e-12)
    assert other.limit == pytest.approx(c * np.linalg.norm(found["A"].force, axis=1), rel=1e-12)
    assert (abs(other.effort) <= other.limit * (1 + 1e-9)).all()
    assert (abs(one.effort) <= one.limit).all()
    some, length = (
        np.linspace(*ends, 101),
        characteristic_length(rubbed),
    )  # minimum norm, moments divided by the length
    squares = ((still[1:, None] + np.outer(by_other[1:], some)) ** 2).sum(axis=0)
    squares += some**2 * (1 + (unit[0, 0] / unit[0, 1]) ** 2) / length**2
    assert other.effort == pytest.approx(some[squares.argmin()], rel=1e-9)


def largest_effort(joints: str, limits: np.ndarray, way: float) -> float:
    """The effort at the crank, the largest along `way`, at which frictions |x| ≤ c |F| can hold the four-bar at rest.

    It is found by sequential quadratic programming from several initial values.
    """
    none, unit = by_efforts("ABCD")
    places = ["ABCD".index(joint) for joint in joints]

    def response(z: np.ndarray) -> np.ndarray:
        efforts = np.zeros(4)
        efforts[places] = z[1:]
        efforts[0] += z[0]
        found: np.ndarray = none + unit @ efforts
        return found

    def slack(z: np.ndarray) -> np.ndarray:
        forces = response(z)[1:].reshape(4, 2)[places]
        most = limits * np.linalg.norm(forces, axis=1)
        return np.concatenate([most - z[1:], most + z[1:]])

    rules = ({"type": "eq", "fun": lambda z: response(z)[:1] / 10}, {"type": "ineq", "fun": slack})
    best, some = -np.inf, np.random.default_rng(1)
    for _ in range(12):
        start = 3 * some.normal(size=1 + len(joints))
        found = minimize(
            lambda z: -way * z[0],
            start,
            constraints=rules,
            method="SLSQP",
            options={"maxiter": 500, "ftol": 1e-13},
        )
        if found.success and abs(response(found.x)[0]) < 1e-8 and slack(found.x).min() > -1e-9:
            best = max(best, way * float(found.x[0]))
    return way * best


@pytest.mark.parametrize(
    ("joints", "limits", "way"),
    [
        ("ABCD", (0.0724, 0.1009, 0.0543, 0.0396), 1.0),  # slid off below the limit
        pytest.param("AD", (0.0158, 0.0078), -1.0, marks=pytest.mark.slow),
        pytest.param("AC", (0.2172, 0.2593), 1.0, marks=pytest.mark.slow),
        pytest.param("ABD", (0.0725, 0.1238, 0.0744), -1.0, marks=pytest.mark.slow),
        pytest.param("ABCD", (0.0320, 0.0892, 0.0964, 0.0744), 1.0, marks=pytest.mark.slow),
        pytest.param("ABCD", (0.0632, 0.0405, 0.0645, 0.0433), -1.0, marks=pytest.mark.slow),
        pytest.param("ABD", (0.3333, 0.3295, 0.2605), 1.0, marks=pytest.mark.slow),  # large enough to jam
        pytest.param("ABCD", (0.241, 0.444, 0.3283, 0.3288), 1.0, marks=pytest.mark.slow),  # the same
    ],
)
def test_joints_hold_as_long_as_there_are_admissible_frictions(
    joints: str, limits: tuple[float, ...], way: float
) -> None:
    """Frictions of all joints together hold an effort up to the largest that a separate optimisation finds, and no
    more."""
    rough = [
        ml.Friction(f"f{joint}", joint, coefficient=limit, radius=1.0, stiction="exact")
        for joint, limit in zip(joints, limits, strict=True)
    ]
    machine = four_bar(*rough).replace(guess=CLOSED)
    none, unit = by_efforts("A")
    balanced = -none[0] / unit[0, 0]
    most = largest_effort(joints, np.array(limits), way)
    for part in (0.6, 0.9999):
        held = ml.forward(machine, {"A": 1.0}, efforts={"A": float(balanced + part * (most - balanced))})
        assert abs(held["A"].acceleration[0]) < 1e-9
        for load in rough:
            one = held[load.name]
            assert one.sticking[0]
            assert abs(one.effort[0]) <= one.limit[0] * (1 + 1e-9)
            low, high = one.range("effort")[0]
            assert low <= one.effort[0] <= high
        assert held.status == "ok"
    moves = ml.forward(machine, {"A": 1.0}, efforts={"A": float(balanced + 1.0001 * (most - balanced))})
    assert abs(moves["A"].acceleration[0]) > 1e-6
    assert not moves["fA"].sticking[0]


@pytest.mark.parametrize("how", ["smooth", "exact"])
def test_computed_torque_makes_up_for_the_friction_that_it_knows(how: str) -> None:
    """Friction by the bearing's own force, which the effort itself changes; at rest its direction is unknown."""
    rub = ml.Friction("rub", "A", coefficient=0.2, radius=0.03, stiction=how)
    turns = ml.Motion("A", 1.0 + ml.motion_laws.cycloidal(0, 1.0, duration=0.5))
    machine = four_bar(rub).replace(drives=[turns], actuators=[ml.Actuator("A")], guess=CLOSED)
    law = ml.ComputedTorque(kp=100.0, kd=20.0)
    run = ml.simulate(machine, control=law, start={"A": 1.0}, until=1.0, samples=101)
    assert abs(run.errors["A"]).max() < (1e-10 if how == "smooth" else 1e-3)
    assert abs(run.errors["A"][-1]) < 1e-6


def test_computed_torque_presses_on_a_stop() -> None:
    """At a stop the law demands K_p e, as if there were no stop."""
    turns = ml.Motion("A", 1.0 + ml.motion_laws.cycloidal(0, 1.0, duration=0.5))
    stop = ml.Stop("end", "A", high=1.5, restitution=0.0)
    machine = four_bar(stop).replace(drives=[turns], actuators=[ml.Actuator("A")], guess=CLOSED)
    run = ml.simulate(machine, control=ml.ComputedTorque(kp=100.0, kd=20.0), start={"A": 1.0}, until=1.0)
    assert run["A"].position[-1] == pytest.approx(1.5, abs=1e-9)
    free = four_bar().replace(actuators=[ml.Actuator("A")], guess=CLOSED)
    asked = ml.inverse(free, state={"A": 1.5}, accelerations={"A": 100.0 * 0.5})["A"].effort[0]
    assert run["A"].effort[-1] == pytest.approx(asked, rel=1e-6)
    held = ml.inverse(free, state={"A": 1.5}, accelerations={"A": 0.0})["A"].effort[0]
    assert run["end"].effort[-1] == pytest.approx(held - asked, rel=1e-6)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1.0001, 2.0, 1e3])
def test_stiction_ends_at_its_limit_in_all_units(scale: float) -> None:
    """A block rides on another, on a slope: for all units of mass and stiffness they move alike, and no friction
    exceeds its limit.

    Formerly the last digit decided at the limit itself: with some masses the lower block stuck under any force.
    """
    pile = ml.Mechanism(
        "pile",
        planar=True,
        bodies=[
            ml.ground(slope=ml.marker((0, 0), angle=-0.45)),
            ml.Body("lower", mass=2.0 * scale),
            ml.Body("upper", mass=1.0 * scale),
        ],
        joints=[
            ml.Prismatic("s", "ground.slope", "lower.origin"),
            ml.Prismatic("r", "lower.origin", "upper.origin"),
        ],
        loads=[
            ml.Friction("floor", "s", coefficient=0.6, stiction="exact"),
            ml.Friction("between", "r", coefficient=0.5, stiction="exact"),
            ml.JointSpring("spring", "r", stiffness=100.0 * scale),
        ],
    )
    found = ml.simulate(pile, start={"s": 0.0, "r": 0.3}, until=3.0, samples=301)
    for name in ("floor", "between"):
        assert (abs(found[name].effort) <= found[name].limit * (1 + 1e-8)).all()
    # a separate time-stepping scheme with 1e-5 s and projected friction ends at 0.1408142 and 0.0769932
    assert found["s"].position[-1] == pytest.approx(0.14081421839, abs=1e-9)
    assert found["r"].position[-1] == pytest.approx(0.07699317317, abs=1e-9)


@pytest.mark.parametrize("late", [0.1, 1e5])
def test_a_light_block_comes_to_rest_late_in_a_run(late: float) -> None:
    """With a deceleration of 10⁴ m/s² its rate changes by 10⁻⁷ m/s in the last digit of the time: formerly neither the
    block nor the run stopped."""
    rise = ml.expr.clip((ml.time - late) / 1e-4, 0, 1)
    fall = ml.expr.clip((late + 1e-2 - ml.time) / 1e-4, 0, 1)
    block = sliding_body(
        ml.Body("block", mass=1e-3),
        "light block",
        gravity=(0, 0),
        loads=[
            ml.Friction("wear", "slide", effort=10.0, stiction="exact"),
            ml.Force("push", "block.origin", (20.0 * rise * fall, 0.0)),
        ],
    )
    run = ml.simulate(block, start={"slide": 0.0}, until=late + 1.0, samples=11)
    pushed, slowed = 25e-6 / 6 + 0.00245 + 0.4802, 0.009825 + 1e-4 / 6 + 98.25**2 / 2e4  # by hand
    assert run["slide"].position[-1] == pytest.approx(pushed + slowed, rel=1e-6)
    assert run["wear"].sticking[-1]
    assert run["slide"].rate[-1] == 0.0


def test_a_stiction_force_beyond_its_own_limit_is_reported(texts: Texts) -> None:
    """A joint and a contact that stick at most of their limits, beside a crate that is a million times heavier; the
    recorded forces are then changed to exceed the limits, which only a comparison with the limits themselves can
    detect."""
    light = ml.Body("bead", mass=1e-6, inertia=1e-8)
    machine = ml.Mechanism(
        "bead",
        planar=True,
        bodies=[
            ml.ground(),
            light,
            ml.Body("crate", mass=1.0, inertia=0.1),
            ml.Body("rod", mass=0.1, inertia=0.1),
        ],
        joints=[
            ml.Free("B", "ground.origin", "bead.origin"),
            ml.Free("C", "ground.origin", "crate.origin"),
            ml.Revolute("R", "ground.origin", "rod.origin"),
        ],
        loads=[
            ml.Contact("small", "bead.origin", "ground.origin", coefficient=0.2),
            ml.Contact("large", "crate.origin", "ground.origin", coefficient=0.2),
            ml.Friction("bearing", "R", effort=1e-3, stiction="exact"),
            ml.Force("push", "bead.origin", (0.15 * 1e-6 * GRAVITY, 0.0)),
            ml.Torque("twist", "rod", 0.9e-3),
        ],
    )
    found = ml.forward(machine, {"B": (0.0, 0.0, 0.0), "C": (1.0, 0.0, 0.0), "R": 0.0})
    assert found.status == "ok"
    assert not list(stiction_limit_warnings(found))
    for name, changed in {"small": "force", "bearing": "effort"}.items():
        load = found.loads[name]
        values = {**load.values, changed: load.values[changed] * ([1.4, 1.0] if name == "small" else 1.2)}
        tampered = replace(found, loads={**found.loads, name: replace(load, values=values)})
        (warning,) = stiction_limit_warnings(tampered)
        assert (warning.code, warning.place) == ("W73", name)
        texts(warning, f"'{name}'")


@pytest.mark.parametrize(
    "ratio", [1e6, *(pytest.param(10.0**n, marks=pytest.mark.slow) for n in (-6, 0, 2, 3, 4, 5))]
)
def test_a_geared_shaft_keeps_its_rate_when_its_stiction_ends(ratio: float) -> None:
    """Friction 0.3 k on a shaft that turns k times slower than the driven one, torque 0.5 t: it begins to slide at 0.6
    s.

    A(1 s) = 0.5 · 0.4³/6/0.04 for the inertia 0.04 of both reduced to the fast shaft. The slow one passes the threshold
    of rest when the fast one has turned for a while already: meanwhile its friction is at the limit.
    """
    geared = ml.Mechanism(
        "geared",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(),
            ml.Body("a", mass=1.0, inertia=0.02),
            ml.Body("b", mass=1.0, inertia=0.02 * ratio**2),
        ],
        joints=[ml.Revolute("A", "ground.origin", "a.origin"), ml.Revolute("B", "ground.origin", "b.origin")],
        pairs=[ml.Relation("gear", ml.position("A") - ratio * ml.position("B"))],
        loads=[
            ml.Friction("wear", "B", effort=0.3 * ratio, stiction="exact"),
            ml.Torque("motor", "a", 0.5 * ml.time),
        ],
    )
    found = ml.simulate(geared, start={"A": 0.0}, until=1.0, samples=101)
    t = np.maximum(found.time - 0.6, 0.0)
    np.testing.assert_allclose(found["A"].position, 0.5 * t**3 / 6 / 0.04, rtol=1e-6, atol=1e-12)
    effort = np.where(found.time < 0.6, -0.5 * found.time * ratio, -0.3 * ratio)
    np.testing.assert_allclose(found["wear"].effort, effort, rtol=1e-6, atol=1e-9 * ratio)
    assert found.status == "ok"
