"""Are velocities and accelerations of markers and bodies the derivatives of their positions, for every test model?

Central differences of positions have an error of c h² + O(h⁴): with half the step it is a quarter of that, and (4
D(h/2) − D(h)) / 3 has an error of O(h⁴) alone.
"""

from functools import cache

import numpy as np
import pytest
from laws.closed_positions import DRIVEN, assembled, built, duration
from laws.elastic_loops import (
    BENT,
    MOVING,
    SPATIAL_RATES,
    SPATIAL_START,
    WHERE,
    four_bar,
    spatial_loop,
)
from laws.stencils import vee
from zoo import ZOO

import multiloop as ml

STEP = 4e-2
"""Step of differences, in radians of the fastest joint; a quarter of it if weight causes faster motion."""

AT = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
"""Instants about the middle, in steps."""

NEAR = 1e-2
"""The error of differences is less than this part of the largest."""

ORDER = 0.1
"""The remainder after extrapolation of the errors of order h², relative to these: the next order is h⁴."""

NOISE = 1e-12
"""Closure error of positions, in characteristic lengths; in differences it is divided by h or h²."""


@cache
def prescribed_motion(name):
    """Five instants of the prescribed motion, and the step."""
    mechanism, middle = built(name), 0.41 * duration(name)
    h = step_of(ml.inverse(mechanism, t=[0.0, middle]))
    return ml.inverse(mechanism, t=np.concatenate([[0.0], middle + h * AT])), h


@cache
def free_motion(name):
    """Five instants of a free motion with initial rates, and the step."""
    mechanism = built(name).without_drives()
    if name in DRIVEN:
        middle = 0.41 * duration(name)
        before = ml.inverse(built(name), t=[0.0, middle])
        return run(mechanism, step_of(before) / 4, start=before.at(middle), begin=middle)
    start = assembled(name).coordinates()
    return run(mechanism, STEP / 20.0, start=start, rates=ROLLING.get(name) or brisk(mechanism))


def run(mechanism, h, begin=0.0, **given):
    """Five instants, the first where the run begins."""
    times = begin + h * (1.0 + AT)
    target = "c" if any(load.modes for load in mechanism.loads) else "interpreter"
    asked = {"until": float(times[-1]), "samples": times, "rtol": 1e-12, "target": target}
    return ml.simulate(mechanism, **given, **asked), h


ROLLING = {
    "rolling-disc": {"disc": (None, None, None, 1.0, 2.0, 3.0)},
    "cart": {"rear axle": 3.0},
    "cart-resisting": {"rear axle": 3.0},
    "ball-on-plate": {"hinge": 1.0, "ball": (0.8, -0.5, None, None, None, None)},
    "trailer": {"sled slides": (1.0, None, 2.0)},
}
"""Rates of rolling and sliding mechanisms, for as many coordinates as degrees of freedom."""


def brisk(mechanism):
    """Rates of open chains, up to 3 rad/s or m/s."""
    parts = {joint.name: len(joint.components(mechanism.planar)) for joint in mechanism.connections}
    return {
        name: tuple(3.0 * np.sin(1.0 + k + 2 * j) for j in range(count))
        for k, (name, count) in enumerate(parts.items())
        if count
    }


def step_of(result):
    return STEP / fastest(result)


def fastest(result):
    """The rate of the fastest joint, in rad/s or m/s."""
    return max(*(np.abs(result[joint].rate).max(initial=0.0) for joint in result), 1.0)


def first(values, h):
    """First differences over the whole and over half the step."""
    a, b, _, d, e = values[-5:]
    return (e - a) / (2 * h), (d - b) / h


def second(values, h):
    """Second differences over the whole and over half the step."""
    a, b, c, d, e = values[-5:]
    return (a - 2 * c + e) / h**2, 4 * (b - 2 * c + d) / h**2


def turns(R, h):
    """ω from the rotation between two instants: vee exp(2hω) = sin(2h|ω|) ω/|ω|."""
    return vee(R[-1] @ R[-5].T) / (2 * h), vee(R[-2] @ R[-4].T) / h


def agree(found, differences, size, noise):
    """Compare values and orders of all quantities of a type; the result is the error of differences relative to their
    noise.

    `found` maps names to values at the middle, `differences` to those over the whole and over half the step.
    """
    missed = max(np.abs(differences[name][0] - value).max() for name, value in found.items())
    assert missed <= NEAR * size + noise
    for name, value in found.items():
        coarse, fine = differences[name]
        assert value == pytest.approx((4 * fine - coarse) / 3, abs=ORDER * missed + noise), name
    return missed / noise


def markers_agree(result, h, left_out=()):
    """Two markers of every body, off its origin if there are any: how clearly the order is seen for both."""
    named = {body.name: sorted(body.marker_names, key=off_the_origin) for body in moving(result, left_out)}
    markers = [f"{body}.{marker}" for body, found in named.items() for marker in found[-2:]]
    paths = {marker: result.marker(marker) for marker in markers}
    v, a = (
        {marker: read(marker)[-3] for marker in markers} for read in (result.velocity, result.acceleration)
    )
    L, speed = result.plan.length, fastest(result)
    by_first, by_second = ({marker: of(path, h) for marker, path in paths.items()} for of in (first, second))
    return (
        agree(v, by_first, max(largest(v), speed * L), NOISE * L / h),
        agree(a, by_second, max(largest(a), speed**2 * L), 16 * NOISE * L / h**2),
    )


def bodies_agree(result, h, left_out=()):
    """Every body: ω from its rotation, α from ω."""
    bodies, axis = (
        [body.name for body in moving(result, left_out)],
        2 if result.mechanism.planar else slice(3),
    )
    whole = {body: result.angular_velocity(body) for body in bodies}
    omega = {body: whole[body][-3] for body in bodies}
    alpha = {body: result.angular_acceleration(body)[-3] for body in bodies}
    turned = {body: [turn[axis] for turn in turns(result.body(body)[:, :, :3], h)] for body in bodies}
    rates = {body: first(whole[body], h) for body in bodies}
    speed = fastest(result)
    agree(omega, turned, max(largest(omega), speed), NOISE / h)
    agree(alpha, rates, max(largest(alpha), speed**2), NOISE * speed / h)


def off_the_origin(marker):
    """Ends of links are sorted after the marker that usually connects them to the inboard body."""
    return marker not in ("origin", "a"), marker


def largest(found):
    return max(np.abs(values).max() for values in found.values())


def moving(result, left_out):
    return [body for body in result.mechanism.bodies[1:] if body.name not in left_out]


@pytest.mark.parametrize("name", DRIVEN)
def test_of_a_prescribed_motion(name):
    """The spin of an idle body follows from its inertia, but its positions from the closure of the loops."""
    result, h = prescribed_motion(name)
    markers_agree(result, h, ZOO[name].idle)
    bodies_agree(result, h, ZOO[name].idle)


@pytest.mark.slow
@pytest.mark.parametrize("name", ZOO)
def test_of_a_free_motion(name):
    result, h = free_motion(name)
    markers_agree(result, h)
    bodies_agree(result, h)


@pytest.mark.parametrize("name", ["four-bar", "slider-crank", "RSSR", "RCCC"])
def test_the_order_is_seen(name):
    """Guards the law: if differences were always accurate enough, a velocity with an error of lower order would
    pass."""
    assert min(markers_agree(*prescribed_motion(name), ZOO[name].idle)) > 100.0


def ends_turn(result, h):
    """The ends of flexible links rotate relative to them: α from ω."""
    for body in result.links:
        omega, own = result.angular_velocity(f"{body}.b"), result.angular_velocity(body)
        assert np.abs(omega - own).max() > 1e-3
        alpha, (coarse, fine) = result.angular_acceleration(f"{body}.b")[-3], first(omega, h)
        missed = np.abs(coarse - alpha).max()
        assert missed < NEAR * np.abs(alpha).max()
        assert alpha == pytest.approx((4 * fine - coarse) / 3, abs=ORDER * missed + NOISE / h)


SLOW = 2e-5
"""Seconds: the fastest mode of the links below has 1e3 rad/s."""


@pytest.mark.parametrize("frame", ["a", "chord"])
def test_of_flexible_links(frame):
    result, h = run(four_bar(frame), SLOW, start=BENT, rates=MOVING, guess=WHERE)
    markers_agree(result, h)
    bodies_agree(result, h)
    ends_turn(result, h)
    relative = result.angular_velocity("rocker.b") - result.angular_velocity("coupler.b")
    assert relative == pytest.approx(result["C"].rate, abs=1e-12), "the joint turns with the bent ends"
    relative = result.angular_acceleration("rocker.b") - result.angular_acceleration("coupler.b")
    assert relative == pytest.approx(result["C"].acceleration, rel=1e-9)


def test_of_flexible_links_in_space():
    start = SPATIAL_START | {"U": (0.3, -0.4), "S": (0.9, 0.1, 0.3, -0.2)}
    given = {"start": start, "rates": SPATIAL_RATES, "guess": {"rocker.b": (0.8, 0.1, 0.7)}}
    result, h = run(spatial_loop("chord"), SLOW, **given)
    markers_agree(result, h)
    bodies_agree(result, h)
    ends_turn(result, h)


def test_the_ground_rests():
    result, _ = prescribed_motion("four-bar")
    assert not result.velocity("ground.A").any()
    assert not result.angular_acceleration("ground").any()


def test_of_one_instant_of_forward_dynamics():
    """A crank at rest: its end accelerates by α r, perpendicular to the crank."""
    now = ml.forward(built("four-bar").without_drives(), {"A": 0.5}, efforts={"A": 3.0})
    alpha = now["A"].acceleration[0]
    assert now.angular_acceleration("crank") == pytest.approx([alpha])
    r = now.marker("crank.b")[0]
    assert now.acceleration("crank.b")[0] == pytest.approx(alpha * np.array([-r[1], r[0]]))
    assert not now.velocity("crank.b").any()
