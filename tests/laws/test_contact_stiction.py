"""Stiction of contacts in closed form: inclines, tipping, redundant feet, friction in space."""

from __future__ import annotations

from math import atan, cos, pi, sin, sqrt, tan

import numpy as np
import pytest
from laws.impact_mechanisms import GRAVITY
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from texts import Texts
from zoo.plain import free_body

import multiloop as ml

METHODS = ("sslm", "slm", "system", "embedding", "virtual_work", "augmented")
MASS = 2.0


def point_on_incline(angle: float, mu: float, **more: object) -> ml.Mechanism:
    """A body that touches a slope below its mass centre; `floats` is measured along the slope."""
    return ml.Mechanism(
        "point on an incline",
        planar=True,
        gravity=(0, -GRAVITY),
        bodies=[ml.ground(slope=ml.marker((0, 0), angle=-angle)), ml.Body("block", mass=MASS, inertia=0.1)],
        joints=[ml.Free("floats", "ground.slope", "block.origin")],
        loads=[ml.Contact("floor", "block.origin", "ground.slope", coefficient=mu, **more)],  # type: ignore[arg-type]
    )


def box_on_incline(
    angle: float,
    mu: float | tuple[float, float],
    *,
    feet: tuple[float, float] = (-0.2, 0.2),
    height: float = 0.1,
    size: float = 1.0,
) -> ml.Mechanism:
    """A box on two feet, its mass centre `height` above the slope, the feet behind and before it."""
    upper, lower = mu if isinstance(mu, tuple) else (mu, mu)
    places = {"upper": (size * feet[0], -size * height), "lower": (size * feet[1], -size * height)}
    return ml.Mechanism(
        "box on an incline",
        planar=True,
        gravity=(0, -GRAVITY),
        bodies=[
            ml.ground(slope=ml.marker((0, 0), angle=-angle)),
            ml.Body("box", mass=MASS, inertia=0.05 * size**2, markers=places),
        ],
        joints=[ml.Free("floats", "ground.slope", "box.origin")],
        loads=[
            ml.Contact("upper", "box.upper", "ground.slope", coefficient=upper),
            ml.Contact("lower", "box.lower", "ground.slope", coefficient=lower),
        ],
    )


def within_cone(contact: ml.LoadHistory, axes: np.ndarray, mu: float) -> bool:
    """Whether the force is within its friction cone; `axes` has the normal first."""
    along = contact.force @ axes.T
    return bool((np.linalg.norm(along[:, 1:], axis=1) <= mu * along[:, 0] * (1 + 1e-9) + 1e-12).all())


def slope_axes(angle: float) -> np.ndarray:
    """The normal and the direction down a slope, in inertial axes."""
    return np.array([[sin(angle), cos(angle)], [cos(angle), -sin(angle)]])


# an incline -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("mu", [0.5, 5.0])
def test_below_the_friction_angle_nothing_moves(mu: float, method: str) -> None:
    """At 0.3 rad both coefficients suffice: no acceleration, and the contact bears the weight."""
    found = ml.forward(point_on_incline(0.3, mu), {"floats": (0, 0, 0)}, method=method)
    assert np.abs(found["floats"].acceleration).max() <= 1e-12
    assert found["floor"].force[0] == pytest.approx([0.0, MASS * GRAVITY], abs=1e-11)
    assert found["floor"].sticking.all()
    box = ml.forward(box_on_incline(0.3, mu), {"floats": (0, 0.1, 0)}, method=method)
    assert np.abs(box["floats"].acceleration).max() <= 1e-12
    both = box["upper"].force[0] + box["lower"].force[0]
    assert both == pytest.approx([0.0, MASS * GRAVITY], abs=1e-9)
    for foot in ("upper", "lower"):
        assert box[foot].sticking.all()
        assert within_cone(box[foot], slope_axes(0.3), mu)
    assert (found.status, box.status) == ("ok", "ok")


@pytest.mark.parametrize("method", METHODS)
def test_above_the_friction_angle_it_slides(method: str) -> None:
    """a = g (sin α − μ cos α), from rest; the friction force is at its limit."""
    angle, mu = 0.3, 0.2
    found = ml.forward(box_on_incline(angle, mu), {"floats": (0, 0.1, 0)}, method=method)
    known = GRAVITY * (sin(angle) - mu * cos(angle))
    assert found["floats"].acceleration[0] == pytest.approx([known, 0.0, 0.0], abs=1e-11)
    assert not found["upper"].sticking.any()
    for foot in ("upper", "lower"):
        normal, down = slope_axes(angle) @ found[foot].force[0]
        assert down == pytest.approx(-mu * normal, rel=1e-10)


@pytest.mark.parametrize(("part", "rests"), [(1 - 1e-6, True), (1 + 1e-6, False)])
def test_the_friction_angle_itself(part: float, rests: bool) -> None:
    """tan α = μ, to the sixth digit."""
    angle = atan(0.4 * part)
    found = ml.forward(box_on_incline(angle, 0.4), {"floats": (0, 0.1, 0)})
    moved = float(np.abs(found["floats"].acceleration).max())
    known = GRAVITY * (sin(angle) - 0.4 * cos(angle))
    assert moved == pytest.approx(max(known, 0.0), abs=1e-11)
    assert found["upper"].sticking.all() == rests


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_a_box_rests_for_as_long_as_it_is_watched(size: float) -> None:
    """It does not creep, whatever its size."""
    run = ml.simulate(
        box_on_incline(0.3, 0.5, size=size), start={"floats": (0, 0.1 * size, 0)}, until=10.0, samples=11
    )
    units = np.array([size, size, 1.0])
    assert np.abs((run["floats"].position - run["floats"].position[0]) / units).max() <= 1e-12
    # gaps of 1e-16 of the size are closed again at ω² = 400/s²
    assert np.abs(run["floats"].acceleration / units).max() <= 1e-12 * max(1.0, 1 / size)
    assert run["upper"].sticking.all()
    assert run["lower"].sticking.all()


def test_thrown_up_a_slope_it_stops_and_sticks_or_slides_back() -> None:
    """Upward it decelerates by g (sin α + μ cos α); it sticks for μ > tan α, else it returns with g (sin α − μ cos
    α)."""
    angle, speed = 0.3, 1.0
    for mu in (0.5, 0.2):
        run = ml.simulate(
            box_on_incline(angle, mu),
            start={"floats": (0, 0.1, 0)},
            rates={"floats": (-speed, 0, 0)},
            until=2.0,
            samples=201,
        )
        slows, back = (GRAVITY * (sin(angle) + sign * mu * cos(angle)) for sign in (1, -1))
        stops = speed / slows
        t = run.time
        up = -speed * t + slows * t**2 / 2
        top = -(speed**2) / (2 * slows)
        after = top + max(back, 0.0) * (t - stops) ** 2 / 2
        assert run["floats"].position[:, 0] == pytest.approx(np.where(t < stops, up, after), abs=1e-9)
        assert run["upper"].sticking.tolist() == [bool(back < 0 and time > stops) for time in t]
        assert run.status == "ok"


# one foot more loaded than the other ------------------------------------------------------------------------------


@pytest.mark.parametrize("feet", [(-0.2, 0.2), (-0.39, 0.05), (-0.6, 0.04)])
@pytest.mark.parametrize("mu", [(0.5, 0.5), (0.9, 0.2), (0.1, 0.8)])
@pytest.mark.parametrize(("part", "rests"), [(0.999, True), (1.001, False)])
def test_feet_that_are_loaded_differently(
    feet: tuple[float, float], mu: tuple[float, float], part: float, rests: bool
) -> None:
    """It slides if m g sin α > μ₁ N₁ + μ₂ N₂; N₁ and N₂ follow from the moments about the mass centre.

    A lightly loaded foot cannot transmit half of the friction: the other foot transmits the rest.
    """
    height, (back, front) = 0.02, feet

    def normals(angle: float, drag: float) -> np.ndarray:
        """Of both feet for a sum of friction forces `drag` up the slope, by moments about the mass centre."""
        balance = np.array([[1.0, 1.0], [back, front]])
        return np.linalg.solve(balance, [MASS * GRAVITY * cos(angle), -height * -drag])

    low, high = 0.0, 1.2
    for _ in range(60):
        angle = (low + high) / 2
        drag = MASS * GRAVITY * sin(angle)
        low, high = (angle, high) if np.dot(mu, normals(angle, drag)) > drag else (low, angle)
    angle = atan(part * tan(low))
    machine = box_on_incline(angle, mu, feet=feet, height=height)
    found = ml.forward(machine, {"floats": (0, height, 0)})
    for name, most in zip(("upper", "lower"), mu, strict=True):
        assert within_cone(found[name], slope_axes(angle), most)
        assert found[name].sticking.all() == rests
    if rests:
        assert np.abs(found["floats"].acceleration).max() <= 1e-12
        pushes = np.array([slope_axes(angle)[0] @ found[name].force[0] for name in ("upper", "lower")])
        assert pushes == pytest.approx(normals(angle, MASS * GRAVITY * sin(angle)), rel=1e-9)
    else:
        # μ₁ N₁ + μ₂ N₂ with N of a drag that is the same sum
        balance = np.array([[1.0, 1.0], [back - height * mu[0], front - height * mu[1]]])
        pushes = np.linalg.solve(balance, [MASS * GRAVITY * cos(angle), 0.0])
        known = GRAVITY * sin(angle) - np.dot(mu, pushes) / MASS
        assert found["floats"].acceleration[0] == pytest.approx([known, 0.0, 0.0], abs=1e-10)


@pytest.mark.parametrize(("part", "rests"), [(0.999, True), (1.001, False)])
@pytest.mark.parametrize("front", [0.2, 0.05])
def test_a_tall_box_tips_over_its_lower_foot(front: float, part: float, rests: bool) -> None:
    """tan α > b/h, b the distance of the mass centre from the lower foot; then it turns about that foot."""
    height = 0.3
    angle = atan(part * front / height)
    found = ml.forward(
        box_on_incline(angle, 2.0, feet=(-0.2, front), height=height), {"floats": (0, height, 0)}
    )
    pushed = GRAVITY * (sin(angle) * height - cos(angle) * front)
    turned = -MASS * pushed / (0.05 + MASS * (front**2 + height**2))
    known = [0.0, 0.0, 0.0] if rests else [-turned * height, -turned * front, turned]
    assert found["floats"].acceleration[0] == pytest.approx(known, abs=1e-11)
    assert found["lower"].sticking.all()
    assert found["upper"].touching.all() == rests


@pytest.mark.parametrize(("floor", "wall"), [(0.4, 0.3), (0.3, 0.6), (0.7, 0.0)])
@pytest.mark.parametrize(("part", "rests"), [(1.001, True), (0.999, False)])
def test_a_ladder_on_a_rough_floor_and_wall(floor: float, wall: float, part: float, rests: bool) -> None:
    """It stands if tan θ ≥ (1 − μ ν)/(2 μ): four forces and three equations, so that only the friction cones decide."""
    lean = atan(part * (1 - floor * wall) / (2 * floor))
    ladder = free_body(
        ml.Body("ladder", mass=5.0, inertia=5 / 3, markers={"foot": (1, 0), "top": (-1, 0)}),
        "ladder",
        ground=ml.ground(wall=ml.marker((0, 0), angle=-pi / 2)),
        planar=True,
        gravity=(0, -GRAVITY),
        loads=[
            ml.Contact("floor", "ladder.foot", "ground.origin", coefficient=floor),
            ml.Contact("wall", "ladder.top", "ground.wall", coefficient=wall),
        ],
    )
    found = ml.forward(ladder, {"floats": (cos(lean), sin(lean), -lean)})
    moved = float(np.abs(found["floats"].acceleration).max())
    assert (moved <= 1e-12) == rests
    assert rests or moved > 1e-4
    assert within_cone(found["floor"], np.array([[0.0, 1.0], [1.0, 0.0]]), floor)
    assert within_cone(found["wall"], np.array([[1.0, 0.0], [0.0, 1.0]]), wall)
    assert found["floor"].sticking.all() == rests


def test_a_box_on_a_belt_goes_along_as_long_as_friction_can_take_it() -> None:
    """The plane may move: the box sticks for |a| ≤ μ g and slides beyond; g sin α has no part here."""
    mu, stroke, duration = 0.4, 0.3, 0.8
    swing = 2 * pi * stroke / duration**2  # largest acceleration of the cycloidal law
    for top in (0.9 * mu * GRAVITY, 1.1 * mu * GRAVITY):
        belt = ml.Mechanism(
            "belt",
            planar=True,
            gravity=(0, -GRAVITY),
            bodies=[
                ml.ground(),
                ml.Body("belt", mass=1.0),
                ml.Body("box", mass=MASS, inertia=0.05, markers={"l": (-0.2, -0.1), "r": (0.2, -0.1)}),
            ],
            joints=[
                ml.Prismatic("runs", "ground.origin", "belt.origin"),
                ml.Free("floats", "ground.origin", "box.origin"),
            ],
            drives=[
                ml.Motion("runs", ml.motion_laws.cycloidal(0.0, stroke * top / swing, duration=duration))
            ],
            loads=[ml.Contact(f"on {k}", f"box.{k}", "belt.origin", coefficient=mu) for k in "lr"],
        )
        run = ml.simulate(belt, start={"floats": (0, 0.1, 0)}, until=1.0, samples=101)
        apart = run["floats"].position[:, 0] - run["runs"].position
        if top < mu * GRAVITY:
            assert np.abs(apart).max() < 1e-9
            assert run["on l"].sticking.all()
        else:
            assert np.abs(apart).max() > 1e-4
            assert not run["on l"].sticking.all()


def test_a_plank_wedged_between_two_walls_may_stay_or_fall(texts: Texts) -> None:
    """Any normal force in it is in balance, and friction bears its weight; without one it falls: that is reported."""
    plank = free_body(
        ml.Body("plank", mass=1.0, inertia=1 / 12, markers={"l": (-0.5, 0), "r": (0.5, 0)}),
        "plank",
        ground=ml.ground(left=ml.marker((-0.5, 0), angle=-pi / 2), right=ml.marker((0.5, 0), angle=pi / 2)),
        planar=True,
        gravity=(0, -GRAVITY),
        loads=[
            ml.Contact("left", "plank.l", "ground.left", coefficient=0.5),
            ml.Contact("right", "plank.r", "ground.right", coefficient=0.5),
        ],
    )
    found = ml.forward(plank, {"floats": (0, 0, 0)})
    assert np.abs(found["floats"].acceleration).max() <= 1e-12
    texts.warnings(found, ("W76", "left, right"))


# in space ------------------------------------------------------------------------------------------------------


def stool(
    mu: float, gravity: np.ndarray, *, legs: int = 3, height: float = 0.1, **more: object
) -> ml.Mechanism:
    """A body on feet at equal distances from its axis, on the plane z = 0."""
    around = 2 * pi * np.arange(legs) / legs + 0.2
    places = {f"foot{k}": (0.25 * cos(a), 0.25 * sin(a), -height) for k, a in enumerate(around)}
    middle = {"middle": (0.0, 0.0, -height)}
    return free_body(
        ml.Body("stool", mass=MASS, inertia=(0.03, 0.04, 0.05), markers=places | middle),
        "stool",
        gravity=tuple(gravity),
        loads=[
            *(ml.Contact(f"on {k}", f"stool.{k}", "ground.origin", coefficient=mu) for k in places),
            *more.values(),  # type: ignore[misc]
        ],
    )


STANDING = {"floats": (0, 0, 0.1, 1, 0, 0, 0)}
UPRIGHT = np.eye(3)[[2, 0, 1]]


def tilted(angle: float, azimuth: float) -> np.ndarray:
    """Gravity seen from an incline that falls towards an azimuth."""
    return GRAVITY * np.array([sin(angle) * cos(azimuth), sin(angle) * sin(azimuth), -cos(angle)])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("legs", [3, 4])
def test_a_stool_on_an_incline(legs: int, method: str) -> None:
    """It rests below the friction angle, and slides straight down above it, for any direction of the incline."""
    for azimuth in (0.0, 0.7, -2.3):
        steep = atan(0.4)
        for angle in (0.99 * steep, 1.01 * steep):
            found = ml.forward(stool(0.4, tilted(angle, azimuth), legs=legs), STANDING, method=method)
            known = max(0.0, GRAVITY * (sin(angle) - 0.4 * cos(angle)))
            along = [known * cos(azimuth), known * sin(azimuth), 0.0, 0.0, 0.0, 0.0]
            assert found["floats"].acceleration[0] == pytest.approx(along, abs=1e-12 if not known else 1e-10)
            for k in range(legs):
                assert within_cone(found[f"on foot{k}"], UPRIGHT, 0.4)
                assert found[f"on foot{k}"].sticking.all() == (known == 0)
            assert found.status == "ok"


@pytest.mark.parametrize(("part", "rests"), [(0.999, True), (1.001, False)])
def test_a_stool_that_is_twisted_about_its_axis(part: float, rests: bool) -> None:
    """It sustains a moment up to μ m g r, at which every foot slides in its own direction; then (M − μ m g r)/J."""
    mu, limit = 0.4, 0.4 * MASS * GRAVITY * 0.25
    twist = ml.Torque("twist", "stool", (0.0, 0.0, part * limit))
    found = ml.forward(stool(mu, tilted(0.0, 0.0), twist=twist), STANDING)
    known = 0.0 if rests else (part - 1) * limit / 0.05
    assert found["floats"].acceleration[0] == pytest.approx([0, 0, 0, 0, 0, known], abs=1e-10)
    assert found["on foot1"].sticking.all() == rests


@pytest.mark.parametrize("push", [0.6, 0.9, 1.4])
def test_a_stool_pushed_and_twisted_at_once(push: float) -> None:
    """At the onset of sliding: equations of the three feet, each with friction opposite to its acceleration."""
    mu, limit = 0.4, 0.4 * MASS * GRAVITY
    twist = ml.Torque("twist", "stool", (0.0, 0.0, 0.8 * limit * 0.25))
    force = ml.Force("push", "stool.middle", (push * limit, 0.0, 0.0))
    found = ml.forward(stool(mu, tilted(0.0, 0.0), twist=twist, force=force), STANDING)
    a = found["floats"].acceleration[0]
    places = np.array([0.25 * np.array([cos(p), sin(p)]) for p in 2 * pi * np.arange(3) / 3 + 0.2])
    normals = np.array([found[f"on foot{k}"].normal[0] for k in range(3)])
    forces = np.array([found[f"on foot{k}"].force[0, :2] for k in range(3)])
    moves = a[:2] + a[5] * np.column_stack([-places[:, 1], places[:, 0]])
    assert np.linalg.norm(moves, axis=1).min() > 1e-3
    opposed = -mu * normals[:, None] * moves / np.linalg.norm(moves, axis=1)[:, None]
    assert forces == pytest.approx(opposed, abs=1e-9)
    pushed = np.array([push * limit, 0.0])
    assert MASS * a[:2] == pytest.approx(forces.sum(axis=0) + pushed, abs=1e-9)
    moment = (places[:, 0] * forces[:, 1] - places[:, 1] * forces[:, 0]).sum()
    assert 0.05 * a[5] == pytest.approx(0.8 * limit * 0.25 + moment, abs=1e-9)
    assert a[2:5] == pytest.approx(0.0, abs=1e-10)


def test_a_puck_thrown_across_an_incline_turns_downhill_and_stops() -> None:
    """v̇ = g sin α e − μ g cos α v/|v| by a separate integrator; it stops, and sticks."""
    from scipy.integrate import solve_ivp

    angle, mu = 0.3, 0.45
    pulls, drags = GRAVITY * sin(angle), mu * GRAVITY * cos(angle)
    run = ml.simulate(
        stool(mu, tilted(angle, 0.0), height=1e-9),
        start={"floats": (0, 0, 1e-9, 1, 0, 0, 0)},
        rates={"floats": (0, 1.0, 0, 0, 0, 0)},
        until=1.5,
        samples=16,
    )

    def rate(_: float, y: np.ndarray) -> np.ndarray:
        speed = sqrt(y[2] ** 2 + y[3] ** 2)
        return np.array([y[2], y[3], pulls - drags * y[2] / speed, -drags * y[3] / speed])

    def slow(_: float, y: np.ndarray) -> float:
        return float(np.hypot(y[2], y[3])) - 1e-6

    slow.terminal = True  # type: ignore[attr-defined]
    known = solve_ivp(rate, (0, 1.5), [0, 0, 0, 1.0], rtol=1e-11, atol=1e-13, events=slow, dense_output=True)
    stops = known.t[-1]
    moving = run.time < stops
    assert 0.3 < stops < 1.4
    assert run["floats"].position[moving, :2] == pytest.approx(known.sol(run.time[moving])[:2].T, abs=1e-8)
    assert run["floats"].position[-1, :2] == pytest.approx(known.y[:2, -1], abs=1e-8)
    assert run["on foot0"].sticking.tolist() == [not flag for flag in moving]
    assert run["floats"].rate[-1] == pytest.approx(0.0, abs=1e-12)


# smooth friction -------------------------------------------------------------------------------------------------


def test_smooth_friction_at_rest_creeps_with_a_warning(texts: Texts) -> None:
    """The acceleration from rest is g sin α: this model does not stick, and the warning states the creep speed."""
    angle = 0.3
    found = ml.forward(point_on_incline(angle, 0.5, stiction="smooth"), {"floats": (0, 0, 0)})
    assert found["floats"].acceleration[0, 0] == pytest.approx(GRAVITY * sin(angle), rel=1e-12)
    assert not found["floor"].sticking.any()
    assert found["floor"].creeping.all()
    radius = sqrt(0.1 / MASS)  # radius of gyration: the only length in the description
    assert found["floor"].creep_speed[0] == pytest.approx(sqrt(GRAVITY * radius) / 3000, rel=1e-12)
    texts.warnings(found, ("W70", "floor"))
    guided = ml.Mechanism(
        "guided",
        planar=True,
        bodies=[ml.ground(A=ml.marker((0, 0), angle=-angle)), ml.Body("block", mass=MASS)],
        joints=[ml.Prismatic("slide", "ground.A", "block.origin")],
        loads=[ml.Friction("wear", "slide", coefficient=0.5)],
    )
    joint = ml.forward(guided, {"slide": 0.0})
    assert joint["slide"].acceleration[0] == pytest.approx(9.81 * sin(angle), rel=1e-12)
    assert not joint["wear"].sticking.any()
    texts.warnings(joint, ("W70", "wear"))


@pytest.mark.parametrize("size", [16.0**-3, 16.0**3])
def test_the_creep_speed_scales_with_the_mechanism(size: float) -> None:
    """If a mechanism is n times as large, smooth contacts creep √n times as fast, and joints rotate 1/√n times as
    fast."""

    def creeps(size: float) -> np.ndarray:
        machine = ml.Mechanism(
            "arm",
            planar=True,
            bodies=[
                ml.ground(A=(0, 0)),
                ml.Body("arm", mass=1.0, inertia=size**2, markers={"tip": (size, 0), "end": (2 * size, 0)}),
                ml.Body("shoe", mass=1.0, inertia=size**2),
            ],
            joints=[ml.Revolute("A", "ground.A", "arm.origin"), ml.Revolute("B", "arm.end", "shoe.origin")],
            loads=[
                ml.Contact("tip", "arm.tip", "ground.A", coefficient=0.3, stiction="smooth"),
                ml.Friction("pin", "A", effort=1.0),
            ],
        )
        found = ml.forward(machine, {"A": 0.1, "B": 0.0})
        return np.array([found["tip"].creep_speed[0], found["pin"].creep_speed[0]])

    assert creeps(size) / creeps(1.0) == pytest.approx([sqrt(size), 1 / sqrt(size)], rel=1e-14)


# a push that grows ----------------------------------------------------------------------------------------------


def test_a_push_that_grows_moves_a_box_at_its_limit() -> None:
    """Feet of different coefficients share friction until both are exhausted: k t = μ₁ N₁ + μ₂ N₂, then m ẍ = k (t −
    t₀)."""
    height, grows = 0.02, 4.0
    box = box_on_incline(0.0, (0.5, 0.2), feet=(-0.3, 0.1), height=height)
    push = ml.Force("push", "box.origin", (grows * ml.time, 0.0))
    run = ml.simulate(
        box.replace(loads=[*box.loads, push]), start={"floats": (0, height, 0)}, until=1.6, samples=9
    )
    # N₁ + N₂ = m g and moments about the mass centre, with the sum of friction forces k t at the height h
    share = np.linalg.inv([[1.0, 1.0], [-0.3, 0.1]])
    weight, leaning = share @ [MASS * GRAVITY, 0.0], share @ [0.0, height]
    limit = np.dot([0.5, 0.2], weight) / (1 - np.dot([0.5, 0.2], leaning))
    begins = limit / grows
    rests = run.time < begins
    assert 1.2 < begins < 1.4
    assert np.abs(run["floats"].position[rests, 0]).max() < 1e-12
    assert run["upper"].sticking.tolist() == rests.tolist()
    known = grows / MASS * (run.time[~rests] - begins) ** 3 / 6
    assert run["floats"].position[~rests, 0] == pytest.approx(
        known, rel=1e-3
    )  # N changes with the sum of friction
    assert run.status == "ok"


@pytest.mark.slow
def test_a_push_that_grows_moves_a_stool_at_its_limit() -> None:
    """Four feet in space: at rest until |F| = μ m g, then along F."""
    mu, grows = 0.4, np.array([4.0, 2.0])
    push = ml.Force("push", "stool.middle", (grows[0] * ml.time, grows[1] * ml.time, 0.0))
    run = ml.simulate(stool(mu, tilted(0.0, 0.0), legs=4, push=push), start=STANDING, until=2.4, samples=7)
    begins = mu * MASS * GRAVITY / np.linalg.norm(grows)
    rests = run.time < begins
    assert np.abs(run["floats"].position[rests, :2]).max() < 1e-12
    assert run["on foot0"].sticking.tolist() == rests.tolist()
    known = grows / MASS * ((run.time[~rests, None] - begins) ** 3 / 6)
    assert run["floats"].position[~rests, :2] == pytest.approx(
        known, rel=1e-5
    )  # stiction ends 1e-7 beyond the cone


def test_a_table_that_comes_to_rest_is_not_reported_as_ambiguous(texts: Texts) -> None:
    """Normal forces are shared when one foot stops first: that is reported, and is not Painlevé's paradox."""
    feet = {
        f"f{k}": (x, y, -0.5) for k, (x, y) in enumerate([(0.4, 0.3), (-0.4, 0.3), (-0.4, -0.3), (0.4, -0.3)])
    }
    table = free_body(
        ml.Body("table", mass=10.0, inertia=(1.0, 1.2, 1.5), markers=feet),
        "table",
        loads=[ml.Contact(name, f"table.{name}", "ground.origin", coefficient=0.3) for name in feet],
    )
    run = ml.simulate(
        table,
        until=0.35,
        start={"floats": (0, 0, 0.5, 1, 0, 0, 0)},
        rates={"floats": (0.5, 0, 0, 0, 0, 2)},
        samples=8,
    )
    assert all(run[name].sticking[-1] for name in feet)
    texts.warnings(
        run, ("W78", "f0, f1, f2, f3")
    )  # normal forces are shared while it slides; no other warning


def table_with_feet(count: int, height: float) -> ml.Mechanism:
    """A table on a level floor, its feet on a circle."""
    turns = 2 * np.pi * np.arange(count) / count
    feet = {f"f{k}": (0.3 * np.cos(turn), 0.3 * np.sin(turn), -height) for k, turn in enumerate(turns)}
    return free_body(
        ml.Body("table", mass=2.0, inertia=(0.1, 0.1, 0.1), markers=feet),
        "table",
        loads=[ml.Contact(name, f"table.{name}", "ground.origin", coefficient=0.5) for name in feet],
    )


@pytest.mark.parametrize(("height", "certain"), [(0.05, True), (1.0, False)])
def test_the_status_of_many_feet_states_whether_other_motions_were_searched(
    height: float, certain: bool, texts: Texts
) -> None:
    """Seven feet have 16384 combinations. Below a low table friction cannot lift it: its rest is the only solution."""
    found = ml.forward(table_with_feet(7, height), {"floats": (0, 0, height, 1, 0, 0, 0)})
    assert np.abs(found["floats"].acceleration).max() < 1e-12
    assert (found.status == "ok") is certain
    texts(found.status)


@pytest.mark.parametrize("slow", [1.0, 16.0**-5])
def test_smooth_friction_at_rest_has_a_warning_in_slow_mechanisms_too(slow: float, texts: Texts) -> None:
    """Accelerations of 3 m/s², and of 3e-12 m/s² under a gravity that is reduced by the same factor."""
    block = point_on_incline(0.3, 0.5, stiction="smooth").replace(gravity=(0, -GRAVITY * slow**2))
    found = ml.forward(block, {"floats": (0, 0, 0)})
    texts.warnings(found, ("W70", "floor"))


def crate_on_a_tilting_table(feet: int, spin: float, mu: float) -> ml.Mechanism:
    """A crate on feet at the corners of a polygon, on a table that rotates about a horizontal axis."""
    axis = ml.marker((0, 0, 0), z=(0, 1, 0), x=(1, 0, 0))
    angles = 0.3 + 2 * np.pi * np.arange(feet) / feet
    places = {f"f{k}": (0.2 * np.cos(a), 0.2 * np.sin(a), -0.05) for k, a in enumerate(angles)}
    return ml.Mechanism(
        "tilt",
        bodies=[
            ml.ground(A=axis),
            ml.Body("table", mass=5.0, inertia=(1, 1, 1), markers={"h": axis}),
            ml.Body("crate", mass=2.0, inertia=(0.05, 0.05, 0.05), markers=places),
        ],
        joints=[
            ml.Revolute("T", "ground.A", "table.h"),
            ml.Free("F", "table.origin", "crate.origin"),
        ],
        drives=[ml.Motion("T", spin * ml.time)],
        loads=[ml.Contact(foot, f"crate.{foot}", "table.origin", coefficient=mu) for foot in places],
    )


@pytest.mark.parametrize("feet", [*(pytest.param(n, marks=pytest.mark.slow) for n in (3, 4)), 5])
def test_a_crate_slides_straight_down_a_table_that_is_tilted(feet: int) -> None:
    """With equal coefficients it does not rotate: one equation in the frame of the table, x̊̊ = g sin α + ω² x − μ
    N/m."""
    spin, mu, place = 0.2, 0.5, 0.1

    def push(t: float, x: float, v: float) -> float:
        normal = GRAVITY * np.cos(spin * t) - 2 * spin * v - spin**2 * 0.05
        return float(GRAVITY * np.sin(spin * t) + spin**2 * x - mu * normal)

    slips = brentq(lambda t: push(t, place, 0.0), 1.0, 3.0)
    own = solve_ivp(lambda t, y: [y[1], push(t, *y)], (slips, 2.6), [place, 0.0], rtol=1e-11, atol=1e-13)
    run = ml.simulate(
        crate_on_a_tilting_table(feet, spin, mu),
        start={"F": (place, 0.03, 0.05, 1, 0, 0, 0)},
        rates={"F": (0,) * 6},
        until=2.6,
        samples=[0.0, slips - 1e-3, slips + 1e-3, 2.6],
    )
    assert run.status == "ok"
    assert [run["f0"].sticking[k] for k in range(4)] == [True, True, False, False]
    assert np.abs(run["F"].position[:2, 0] - place).max() < 1e-10
    assert run["F"].position[-1, 0] - place == pytest.approx(own.y[0, -1] - place, rel=1e-6)
    assert np.abs(run["F"].position[:, 1] - 0.03).max() < 1e-9


def crate_and_bead(mass: float, push: float, feet: str, *, on_top: bool) -> ml.Mechanism:
    """A crate of 1 kg on two feet, and a light bead beside it or on top of it, pushed by a fraction of its weight."""
    sole = {"l": (-0.1, -0.1), "r": (0.1, -0.1), "c": (0.0, -0.1)}
    floor = "crate.top" if on_top else "ground.origin"
    return ml.Mechanism(
        "crate and bead",
        planar=True,
        bodies=[
            ml.ground(),
            ml.Body("crate", mass=1.0, inertia=0.1, markers={**sole, "top": (0.0, 0.1)}),
            ml.Body("bead", mass=mass, inertia=0.1 * mass, markers=sole),
        ],
        joints=[
            ml.Free("A", "ground.origin", "crate.origin"),
            ml.Free("B", "ground.origin", "bead.origin"),
        ],
        loads=[
            *[ml.Contact(f"crate {k}", f"crate.{k}", "ground.origin", coefficient=0.5) for k in "lr"],
            *[ml.Contact(f"bead {k}", f"bead.{k}", floor, coefficient=0.2) for k in feet],
            ml.Force("push", "bead.origin", (push * GRAVITY * mass, 0.0)),
        ],
    )


@pytest.mark.parametrize("on_top", [False, True])
@pytest.mark.parametrize("mass", [1e-9, 1e-6, 1e-3])
def test_a_light_bead_beside_a_heavy_crate_slides_as_it_does_alone(mass: float, on_top: bool) -> None:
    """Its limit follows from its weight alone: at 1 ± 1e-4 of the limit the bead slides or rests, for any weight of the
    crate."""
    place = {"A": (0.0, 0.1, 0.0), "B": (0.0 if on_top else 5.0, 0.3 if on_top else 0.1, 0.0)}
    for push in (0.2 * (1 - 1e-4), 0.2 * (1 + 1e-4), 0.3):
        found = ml.forward(crate_and_bead(mass, push, "lr", on_top=on_top), place)
        assert found.status == "ok"
        right = max(push - 0.2, 0.0) * GRAVITY
        assert found["B"].acceleration[0, 0] == pytest.approx(right, rel=1e-6, abs=1e-12)
        assert np.abs(found["A"].acceleration).max() < 1e-11
        pushed = found["bead l"].force[0, 0] + found["bead r"].force[0, 0]
        assert pushed == pytest.approx(-min(push, 0.2) * GRAVITY * mass, rel=1e-6)


def test_a_light_bead_on_one_foot_slides_and_turns() -> None:
    """The friction of its foot alone accelerates it and turns it: 0.1 g, and −0.2 m g h/J."""
    found = ml.forward(
        crate_and_bead(1e-9, 0.3, "c", on_top=False), {"A": (0.0, 0.1, 0.0), "B": (5.0, 0.1, 0.0)}
    )
    assert found["B"].acceleration[0] == pytest.approx(
        [0.1 * GRAVITY, 0.0, -0.2 * GRAVITY], rel=1e-9, abs=1e-9
    )


@pytest.mark.parametrize("mass", [1e2, 1e4, 1e6])
@pytest.mark.parametrize("push", [0.1, 0.3])
def test_a_heavy_block_on_a_light_one_slides_or_rests(mass: float, push: float) -> None:
    """The light block bears up to a million times its own weight, and remains at rest in both cases."""
    found = ml.forward(
        crate_and_bead(mass, push, "lr", on_top=True), {"A": (0.0, 0.1, 0.0), "B": (0.0, 0.3, 0.0)}
    )
    right = max(push - 0.2, 0.0) * GRAVITY
    # round-off of forces that are up to a million times the weight of the lower block
    assert found["B"].acceleration[0] == pytest.approx([right, 0.0, 0.0], abs=1e-5)
    assert np.abs(found["A"].acceleration).max() < 1e-5
    carried = found["crate l"].normal[0] + found["crate r"].normal[0]
    assert carried == pytest.approx((1 + mass) * GRAVITY, rel=1e-9)
    pushed = found["crate l"].force[0, 0] + found["crate r"].force[0, 0]
    assert pushed == pytest.approx(-min(push, 0.2) * mass * GRAVITY, rel=1e-6)


def test_masses_that_differ_beyond_all_digits_are_refused() -> None:
    """A block of 1e10 kg on one of 1 kg: its forces are not accurate to a part of the smaller weight."""
    with pytest.raises(ml.SolveError, match="S17"):
        ml.forward(crate_and_bead(1e10, 0.3, "lr", on_top=True), {"A": (0.0, 0.1, 0.0), "B": (0.0, 0.3, 0.0)})


@pytest.mark.parametrize("feet", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_the_onset_of_sliding_in_space_is_as_exact_as_the_run(feet: int) -> None:
    """A push that grows with time, beyond μ m g at 1 s: v = g μ (t − 1)²/2 and no part of it is lost, nor is any
    `sticking` reported while it grows; the error falls with the tolerance."""
    angles = 0.3 + 2 * np.pi * np.arange(feet) / feet
    places = {f"f{k}": (0.2 * np.cos(a), 0.2 * np.sin(a), -0.05) for k, a in enumerate(angles)}
    machine = free_body(
        ml.Body("crate", mass=2.0, inertia=(0.05, 0.05, 0.05), markers=places),
        "pushed",
        joint="F",
        loads=[
            *[ml.Contact(foot, f"crate.{foot}", "ground.origin", coefficient=0.5) for foot in places],
            ml.Force("push", "crate.com", (GRAVITY * ml.time, 0.0, 0.0)),
        ],
    )
    times = np.array([0.99, 1.0001, 1.0005, 1.001, 1.5])
    for rtol, speed, place in ((None, 1e-9, 1e-9), (1e-11, 5e-10, 3e-10)):
        more = {} if rtol is None else {"rtol": rtol}
        run = ml.simulate(
            machine,
            start={"F": (0, 0, 0.05, 1, 0, 0, 0)},
            until=1.5,
            samples=[0.0, *times.tolist()],
            **more,
        )
        assert run.status == "ok"
        past = np.maximum(times - 1, 0.0)
        assert np.abs(run["F"].rate[1:, 0] - 0.25 * GRAVITY * past**2).max() < speed
        assert run["F"].position[-1, 0] == pytest.approx(0.5 * GRAVITY * 0.5**3 / 6, abs=place)
        assert run["f0"].sticking.tolist() == [True, True, False, False, False, False]


def landing_leg() -> ml.Mechanism:
    """A leg with a four-bar linkage as its knee, above a rough floor."""
    return ml.Mechanism(
        "leg",
        planar=True,
        gravity=(0, -GRAVITY),
        bodies=[
            ml.ground(),
            ml.Body("trunk", mass=8.0, inertia=0.15, markers={"hip": (0, -0.05)}),
            ml.Body(
                "thigh",
                mass=2.0,
                com=(0.16, 0),
                inertia=0.02,
                markers={"hip": (0, 0), "front": (0.34, -0.02), "rear": (0.36, 0.03)},
            ),
            ml.rod("front link", length=0.09, mass=0.12),
            ml.rod("rear link", length=0.08, mass=0.10),
            ml.Body(
                "shank",
                mass=1.1,
                com=(0.15, 0),
                inertia=0.012,
                markers={"front": (0.03, -0.025), "rear": (0, 0.02), "foot": (0.38, 0)},
            ),
        ],
        joints=[
            ml.Free("floats", "ground.origin", "trunk.origin"),
            ml.Revolute("hip", "trunk.hip", "thigh.hip"),
            ml.Revolute("front upper", "thigh.front", "front link.a"),
            ml.Revolute("rear upper", "thigh.rear", "rear link.a"),
            ml.Revolute("front lower", "front link.b", "shank.front"),
            ml.Revolute("rear lower", "rear link.b", "shank.rear"),
        ],
        loads=[
            ml.Contact("foot", "shank.foot", "ground.origin", coefficient=0.7),
            ml.JointSpring("knee spring", "front upper", stiffness=60.0, damping=0.3, rest=0.5),
            ml.JointSpring("hip spring", "hip", stiffness=120.0, damping=3.0, rest=-1.4),
        ],
    )


def test_a_foot_that_reaches_its_friction_cone_in_a_painleve_configuration_lifts_off() -> None:
    """At t = 0.172 s the foot reaches its friction cone. If it slid, friction would push it along: the compliance along
    the normal, friction included, is negative. Only lifting off satisfies Coulomb's law."""
    run = ml.simulate(
        landing_leg(),
        start={"floats": (0, 0.9, 0), "hip": -1.4, "front upper": 0.5},
        guess={"front lower": -1.2},
        until=0.25,
        samples=501,
    )
    foot = run["foot"]
    power = (run.velocity("shank.foot") * foot.force).sum(axis=1)
    assert power.max() < 1e-9 * foot.normal.max()
    cone = 0.7 * foot.normal - np.abs(foot.force[:, 0])
    assert (cone[foot.touching] > -1e-6 * foot.normal.max()).all()
    lifted = run.time[foot.touching.argmax() :][~foot.touching[foot.touching.argmax() :]]
    assert lifted[0] == pytest.approx(0.1725, abs=5e-4)
