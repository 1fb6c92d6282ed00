"""Results near singular positions are correct, and their stated uncertainty is right within a factor of a hundred."""

import re
from math import cos

import numpy as np
import pytest
from laws.closed_positions import built
from laws.singular_passages import PASSAGES, Passage, three_ruu, with_other_lengths
from zoo import chains

import multiloop as ml

FACTOR = 100
"""An estimate is right within this factor."""

LOST = 1e-10
"""Six of sixteen digits."""


WHEN = (r"(?<=t = )[\d.]+",)
"""Instants that round-off selects if all are equally near."""


def estimate(result):
    """The stated part of round-off; 0 without a statement."""
    found = [warning.value for warning in result.warnings if warning.code == "W42"]
    return found[0] if found else 0.0


def change(one, other):
    """The differences of two results: rates, accelerations, reactions and efforts, relative to the largest."""

    def largest(name, *results):
        parts = [
            np.concatenate([np.ravel(getattr(joint, name)) for joint in r.joints.values()]) for r in results
        ]
        return float(np.abs(parts[0] - parts[-1] * (len(parts) > 1)).max())

    speed, load = largest("rate", one), largest("force", one)
    sizes = {"rate": speed, "acceleration": largest("acceleration", one) + speed**2, "force": load}
    sizes["effort"] = max(largest("effort", one), 1e-3 * load)
    return max(largest(name, one, other) / size for name, size in sizes.items())


def result_near(passage, distance):
    """The result at a distance; None where the position is refused, which is allowed within 1e-5.

    It is then called singular, or the efforts do not act on a degree of freedom that appears there.
    """
    try:
        return passage.at(distance)
    except ml.SolveError as error:
        if distance > 1e-5 or error.faults[0].code not in ("S04", "S01"):
            raise
        return None


def sweep(name, distances, seed):
    passage = PASSAGES[name]()
    other = Passage(with_other_lengths(passage.mechanism, seed), passage.guess)
    for distance in distances:
        found, twin = (result_near(one, distance) for one in (passage, other))
        true = 0.0 if found is None or twin is None else change(found, twin)
        if true > LOST:
            estimated = estimate(found)
            assert estimated / FACTOR < true < FACTOR * estimated, f"{name} at {distance}"


QUICK = ["parallelogram", "sarrus", "four-bar-space", "RSSR"]


@pytest.mark.parametrize("name", QUICK)
def test_the_estimate_is_what_other_last_digits_of_all_lengths_do(name):
    sweep(name, (1e-2, 1e-5), seed=1)


@pytest.mark.parametrize(("origin", "distance"), [(1e3, 1e-2), (1e3, 1e-3), (4.5e6, 1e-2)])
def test_the_estimate_knows_where_the_mechanism_stands(origin, distance):
    """Coordinates far from the origin have fewer digits left for the lengths between them."""
    passage = PASSAGES["parallelogram"]()
    ground = ml.ground(A=(origin, 0), D=(origin + 0.5, 0))
    far = passage.mechanism.replace(bodies=[ground, *passage.mechanism.moving])
    found, other = (Passage(m, passage.guess).at(distance) for m in (far, with_other_lengths(far, seed=1)))
    true = change(found, other)
    assert true > LOST
    assert estimate(found) / FACTOR < true < FACTOR * estimate(found)


def test_a_flat_sarrus_linkage_is_singular_and_not_under_actuated(texts):
    with pytest.raises(ml.SolveError) as caught:
        PASSAGES["sarrus"]().at(1e-9)
    texts.fault(caught.value, "S04", "1e-09 s")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 3, 4])
@pytest.mark.parametrize("name", PASSAGES)
def test_the_estimate_is_right_at_every_distance(name, seed):
    sweep(name, [10.0**-k for k in range(2, 10)], seed)


@pytest.mark.parametrize(("name", "method"), [("parallelogram", "sslm"), ("sarrus", "augmented")])
def test_the_same_holds_for_released_mechanisms(name, method):
    passage = PASSAGES[name]()
    joint = passage.mechanism.drives[0].of
    free = passage.mechanism.without_drives()
    for distance in (1e-3, 1e-6):
        asked = {"guess": passage.guess(distance), "rates": {joint: 1.0}, "method": method}
        found, other = (
            ml.forward(m, {joint: distance}, **asked) for m in (free, with_other_lengths(free, seed=1))
        )
        true, estimated = change(found, other), estimate(found)
        assert true > LOST
        assert estimated / FACTOR < true < FACTOR * estimated


@pytest.mark.parametrize("distance", [1e-3, 1e-5, 1e-6])
@pytest.mark.parametrize("method", ["subsystem", "virtual_work"])
def test_a_nearly_flat_chain_of_parallelograms_needs_the_moment_of_its_weight(distance, method):
    """Verticals and rods of 1 kg and 1 m that move together: τ = g (3/2 + 2) cos θ, no acceleration."""
    found = PASSAGES["ladder of 2"]().at(distance, method=method)
    assert found["P0"].effort[0] == pytest.approx(9.81 * 3.5 * cos(distance), rel=1e-9)
    assert np.abs([found[f"P{k}"].acceleration[0] for k in range(3)]).max() < 1e-9


@pytest.mark.parametrize("distance", [1e-5, 1e-6])
def test_the_same_followed_from_afar(distance):
    """Where the drive ends, loops are closed to round-off and not exactly."""
    led = chains.ladder(2).replace(drives=[ml.Motion("P0", -0.5 + 5.0 * ml.time)])
    found = ml.inverse(led, t=[0.0, (0.5 - distance) / 5.0])
    assert found["P0"].effort[-1] == pytest.approx(9.81 * 3.5 * cos(distance), rel=1e-9)
    assert estimate(found) > LOST


def released(distance, method):
    ladder = chains.ladder(2).without_drives().replace(guess={})
    guess = PASSAGES["ladder of 2"]().guess(distance)
    return ml.forward(ladder, {"P0": distance}, guess=guess, rates={"P0": 2.0}, method=method)


@pytest.mark.parametrize("method", ["sslm", "embedding", "augmented"])
@pytest.mark.parametrize("distance", [1e-3, 1e-5, 1e-6])
def test_the_same_released_accelerates_by_its_weight_in_every_method(distance, method):
    """θ̈ = −g (3/2 + 2) cos θ / (3/3 + 2); the load of the outer vertical by the exact multipliers, F ~ 0.2725 N /
    θ."""
    found = released(distance, method)
    assert found["P0"].acceleration[0] == pytest.approx(-9.81 * 3.5 * cos(distance) / 3, rel=1e-12)
    # round-off, which is a hundredth at 1e-6 rad
    assert found["P2"].load[0] == pytest.approx(0.2725 / distance, rel=0.02)
    # round-off, to its order of magnitude
    assert estimate(found) == pytest.approx(2.6e-15 / distance**3, rel=0.9)


def uneven():
    """The same chain, 0.3 times as large, with pivots at sums of tenths: 0.1 + 0.2 is not exactly 0.3."""
    third = 0.1 + 0.2
    bodies = [ml.ground(p0=(0, 0), p1=(third, 0), p2=(0.6, 0))]
    bodies += [ml.rod(name, length=0.3, mass=1.0) for name in ("v0", "v1", "v2", "h1", "h2")]
    return chains.ladder(2).replace(bodies=bodies, drives=[ml.Motion("P0", ml.time)], guess={})


@pytest.mark.parametrize("distance", [1e-3, 1e-4, 1e-5])
def test_the_estimate_covers_the_error_of_lengths_rounded_in_their_last_digit(distance):
    found = ml.inverse(uneven(), t=[distance], guess=PASSAGES["ladder of 2"]().guess(distance))
    wrong = abs(found["P0"].effort[0] / (0.3 * 9.81 * 3.5 * cos(distance)) - 1)
    assert wrong > LOST
    assert estimate(found) > wrong / FACTOR


def rests_then_moves(nearest):
    """A parallelogram at rest near its flat position at t = 0 that returns moving, slightly farther from it, at t =
    1."""
    t = ml.time
    away = nearest * (1 + 0.2 * t**3) + t**3 * (1 - t)
    return PASSAGES["parallelogram"]().mechanism.replace(drives=[ml.Motion("A", away)])


@pytest.mark.parametrize("nearest", [1e-3, 1e-5])
@pytest.mark.parametrize("instants", [2, 24])
def test_the_worst_instant_need_not_be_the_nearest(nearest, instants, texts):
    passage = PASSAGES["parallelogram"]()
    asked = rests_then_moves(nearest)
    alone = ml.inverse(asked, t=[1.0], guess=passage.guess(1.2 * nearest))
    found = ml.inverse(asked, t=np.linspace(0.0, 1.0, instants), guess=passage.guess(nearest))
    texts.warnings(found, ("W42", "parallelogram", "1 s"))
    assert estimate(found) == pytest.approx(estimate(alone), rel=0.1)  # printed with two digits
    for joint in found.joints:
        found_last, true = (r[joint].acceleration[-1] for r in (found, alone))
        assert found_last == pytest.approx(true, abs=1e-12 * abs(alone["A"].acceleration[0]))


@pytest.mark.parametrize(("method", "nearest"), [("sslm", 1e-3), ("augmented", 1e-4)])
def test_the_same_of_a_run(method, nearest, texts):
    passage = PASSAGES["parallelogram"]()
    asked = rests_then_moves(nearest)
    alone = ml.inverse(asked, t=[1.0], guess=passage.guess(1.2 * nearest))
    run = ml.simulate(asked, guess=passage.guess(nearest), until=1.0, samples=2, method=method)
    texts.warnings(run, ("W41", "parallelogram"), ("W42", "parallelogram", "1 s"))
    assert estimate(run) == pytest.approx(estimate(alone), rel=0.1)  # printed with two digits


def balanced(distance):
    """Released near its flat position, with a spring that balances its weight: accelerations are round-off."""
    free = PASSAGES["parallelogram"]().mechanism.without_drives()
    holding = 1.4 * 9.81 * 0.2 * cos(distance)  # half of the cranks and all of the coupler act at its end
    holding += 2 * 0.7 * 9.81 * 0.1 * cos(distance)
    spring = ml.JointSpring("s", "A", stiffness=100.0, rest=distance + holding / 100.0)
    return free.replace(loads=[spring])


@pytest.mark.parametrize("distance", [1e-3, 1e-4])
def test_at_rest_only_loads_have_an_uncertainty(distance, texts):
    passage = PASSAGES["parallelogram"]()
    guess, held = passage.guess(distance), passage.mechanism.replace(drives=[ml.Motion("A", distance)])
    found = [
        ml.inverse(held, t=[0.0], guess=guess),
        ml.forward(held, {}, guess=guess),
        ml.simulate(held, until=1.0, samples=3, guess=guess),
    ]
    for one in found:
        texts(one.status, hide=WHEN)
    # printed with two digits
    assert [estimate(one) for one in found] == pytest.approx([3.3e-16 / distance**2] * 3, rel=0.1)


@pytest.mark.parametrize("distance", [1e-3, 1e-4])
def test_balanced_accelerations_are_compared_with_what_loads_would_give(distance):
    """As efforts are: those below a thousandth of it count as a thousandth, 9.81/0.2 1/s² for the cranks alone."""
    free, guess = balanced(distance), PASSAGES["parallelogram"]().guess(distance)
    found, other = (
        ml.forward(m, {"A": distance}, guess=guess) for m in (free, with_other_lengths(free, seed=1))
    )
    accelerations = [[one[joint].acceleration[0] for joint in "ABCD"] for one in (found, other)]
    assert np.abs(accelerations[0]).max() < 1e-10
    true = np.abs(np.subtract(*accelerations)).max() / (1e-3 * 9.81 / 0.2)
    assert estimate(found) / FACTOR < true < FACTOR * estimate(found)


def test_far_from_singular_positions_there_is_no_warning():
    assert ml.inverse(built("four-bar"), cycle=13).status == "ok"
    assert released(0.3, "sslm").status == "ok"


SWING = {"start": {"P0": -0.3}, "rates": {"P0": 4.0}, "until": 5.0, "samples": 41}
"""An N-four-bar that passes its flat position repeatedly; one output is 2e-3 rad from it."""


@pytest.mark.parametrize(
    "carried",
    [
        {"rtol": 1e-9},
        {"method": "slm"},
        {"method": "virtual_work", "rtol": 3e-10},
        {"integrator": "gear"},
        {"method": "augmented", "rtol": 1e-8},
    ],
)
def test_the_closest_approach_is_the_same_compiled_and_interpreted(carried, texts):
    run = ml.simulate(chains.ladder(2).without_drives(), **SWING, **carried)
    texts.warnings(run, ("W41", "ladder of 2"), ("W42", "ladder of 2"), hide=WHEN)
    assert estimate(run) == pytest.approx(2.5e-7, rel=0.05)  # it is printed with two digits
    assert run.energy_drift < 1e-7


def test_penalties_give_reactions_near_a_singular_position():
    """30 µs before it is flat, where plain penalty multipliers would be a small part of the reactions."""
    asked = {"start": {"P0": -0.3}, "rates": {"P0": 4.0}, "until": 0.08515378 - 3e-5, "samples": 2}
    free = chains.ladder(2).without_drives()
    exact, found = (ml.simulate(free, **asked, method=method) for method in ("slm", "augmented"))
    assert found["P2"].load[-1] == pytest.approx(exact["P2"].load[-1], rel=1e-4)
    assert found["P2"].load[-1] > 1000


@pytest.mark.slow
@pytest.mark.parametrize("angle", [0.4, -0.4])
def test_a_falling_robot_passes_a_singular_position_by_the_remedy_of_the_error(angle, texts):
    """A 3-RUU falls through a singular position, where steps become too short unless they end well on both sides."""
    asked = {
        "start": {f"R{k}": angle for k in range(3)},
        "rates": {"R0": 0.2, "R1": -0.1, "R2": 0.0},
        "until": 1.0,
    }
    run = ml.simulate(three_ruu(), **asked, method="augmented", integrator="dop853")
    try:
        passed = ml.simulate(three_ruu(), **asked)
    except ml.SolveError as error:
        estimated = r"\[S07\].*\n.*method=\"augmented\""
        assert re.search(estimated, str(error))  # noqa: PT017  (whether it passes is chance)
    else:
        for k in range(3):
            assert passed[f"R{k}"].position == pytest.approx(run[f"R{k}"].position, abs=1e-8)
    assert run.energy_drift < 1e-8
    texts(run.status, hide=WHEN)


LED_BACK = [
    "four-bar",
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("RSUR", "slider-crank", "watt")),
]


@pytest.mark.parametrize("name", LED_BACK)
def test_a_run_that_ends_near_a_dead_point_passes_it_by_the_remedy_of_the_error(name, texts):
    """Driven at its rocker past the dead point at which that reverses; the crank continues."""
    passage = PASSAGES[name]()
    (drive,) = passage.mechanism.drives
    b, bend = (float(getattr(passage.at(0.01)[drive.of], part)[0]) for part in ("position", "acceleration"))
    later = b - 0.5e-4 * bend + 0.5 * bend * (ml.time - 0.1) ** 2
    mechanism = passage.mechanism.replace(drives=[ml.Motion(drive.of, later)])
    asked = {"guess": passage.guess(-0.1), "until": 0.2, "samples": 3}
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(mechanism, **asked)
    (fault,) = caught.value.faults
    assert fault.code in ("S04", "S07")  # its closest distance is chance
    assert 'method="augmented" and integrator="dop853"' in fault.remedy
    run = ml.simulate(mechanism, **asked, method="augmented", integrator="dop853")
    # the rocker's angle is b + ½ b″ a² near its dead centre, and terms of third order in a
    assert run["A"].position[-1] - run["A"].position[0] == pytest.approx(0.2, abs=1e-3)
    texts(run.status)
