"""Forces of unilateral loads that equilibrium does not determine, compared with linear programs written here.

Every linear program is written in the forces themselves, from the geometry and from Newton's and Euler's laws of the
plate alone; none of the package's constraint matrices enters it.
"""

import pickle

import numpy as np
import pytest
from scipy.optimize import linprog
from zoo.plain import free_body, pinned_body, two_shafts

import multiloop as ml

WEIGHT = 98.1
SIDES = np.array([2.0, 1.0])
CORNERS = {"1": (0, 0), "2": (1, 0), "3": (1, 1), "4": (0, 1)}
HIGH = 1.5
AT_REST = {"floats": (0, 0, 0, 1, 0, 0, 0)}


def hung(ropes="1234", distances="", at=(0.6, 0.6), size=1.0, mass=1.0, time=1.0):
    """A plate of 10 kg on vertical ropes and Distances at its corners, with its mass centre at a part of its sides.

    `size`, `mass` and `time` are the units in which all numbers are given.
    """
    places = {k: size * (np.array(corner) - at) * SIDES for k, corner in CORNERS.items()}
    markers = {k: (*place, 0) for k, place in places.items()}
    hooks = {f"h{k}": (*place, size * HIGH) for k, place in places.items()}
    inertia = tuple(size**2 * mass * x for x in (1.0, 2.0, 3.0))
    ends = {k: (f"ground.h{k}", f"plate.{k}") for k in CORNERS}
    return free_body(
        ml.Body("plate", mass=10.0 * mass, inertia=inertia, markers=markers),
        "plate",
        ground=ml.ground(**hooks),
        pairs=[ml.Distance(f"bar {k}", *ends[k], length=size * HIGH) for k in distances],
        loads=[ml.Rope(f"rope {k}", *ends[k], length=size * HIGH) for k in ropes],
        gravity=(0, 0, -9.81 * size / time**2),
    )


def places_of(at):
    return np.array([(np.array(corner) - at) * SIDES for corner in CORNERS.values()])


def programmed(A, b, bounds):
    """[min, max] of every force, by one linear program each."""
    found = []
    for cost in np.eye(A.shape[1]):
        ends = [linprog(sign * cost, A_eq=A, b_eq=b, bounds=bounds) for sign in (1, -1)]
        found.append(
            [
                np.inf * sign if end.status == 3 else cost @ end.x
                for end, sign in zip(ends, (-1, 1), strict=True)
            ]
        )
    return np.array(found)


def vertical_balance(at):
    places = places_of(at)
    return np.vstack([np.ones(4), places.T]), np.array([WEIGHT, 0.0, 0.0])


def least(A, b):
    """x ≥ 0 of minimum norm: the optimality conditions x = max(0, Aᵀ y), found by Newton's method on y."""
    y = np.linalg.lstsq(A @ A.T, b, rcond=None)[0]
    for _ in range(50):
        on = (A.T @ y > 0).astype(float)
        y = y - np.linalg.lstsq((A * on) @ A.T, A @ np.maximum(0, A.T @ y) - b, rcond=None)[0]
    return np.maximum(0, A.T @ y)


PLACES = [(0.5, 0.5), (0.6, 0.6), (0.9, 0.85), (0.2, 0.7)]


@pytest.mark.parametrize("at", PLACES)
def test_tensions_of_four_ropes_have_the_ranges_of_a_linear_program(at):
    found = ml.forward(hung(at=at), AT_REST)
    A, b = vertical_balance(at)
    expected, reported = programmed(A, b, (0, None)), least(A, b)
    for k, name in enumerate(CORNERS):
        rope = found[f"rope {name}"]
        assert not rope.determined
        assert rope.undetermined == ("force",)
        np.testing.assert_allclose(rope.range("force")[0], expected[k], atol=1e-9 * WEIGHT)
        assert rope.force[0] == pytest.approx(reported[k], abs=1e-9 * WEIGHT)
    assert np.abs(found["floats"].acceleration).max() < 1e-12
    assert found.status == "ok"


def test_a_plate_on_four_feet_has_the_same_ranges():
    at = (0.9, 0.85)
    places = places_of(at)
    feet = {f"f{k}": (*place, -0.2) for k, place in zip(CORNERS, places, strict=True)}
    table = free_body(
        ml.Body("plate", mass=10.0, inertia=(1.0, 2.0, 3.0), markers=feet),
        "table",
        loads=[ml.Contact(f"foot {k}", f"plate.f{k}", "ground.origin") for k in CORNERS],
    )
    found = ml.forward(table, {"floats": (0, 0, 0.2, 1, 0, 0, 0)})
    A, b = vertical_balance(at)
    expected, reported = programmed(A, b, (0, None)), least(A, b)
    for k, name in enumerate(CORNERS):
        foot = found[f"foot {name}"]
        assert set(foot.undetermined) == {"normal", "force"}
        np.testing.assert_allclose(foot.range("normal")[0], expected[k], atol=1e-9 * WEIGHT)
        np.testing.assert_allclose(foot.range("force")[0, 2], expected[k], atol=1e-9 * WEIGHT)
        assert foot.normal[0] == pytest.approx(reported[k], abs=1e-9 * WEIGHT)


@pytest.mark.parametrize(("ropes", "bars"), [("12", "34"), ("13", "24"), ("4", "123"), ("124", "3")])
def test_ropes_share_with_two_sided_bars_in_one_admissible_set(ropes, bars):
    at = (0.9, 0.85)
    found = ml.forward(hung(ropes, bars, at), AT_REST)
    A, b = vertical_balance(at)
    bounds = [(0, None) if k in ropes else (None, None) for k in CORNERS]
    expected = programmed(A, b, bounds)
    values = {
        k: found[f"rope {k}"].force[0] if k in ropes else found[f"bar {k}"].force[0, 2] for k in CORNERS
    }
    for k, name in enumerate(CORNERS):
        one = found[f"rope {name}"] if name in ropes else found[f"bar {name}"]
        ends = one.range("force")[0] if name in ropes else one.range("force")[0, 2]
        assert not one.determined
        np.testing.assert_allclose(ends, expected[k], atol=1e-9 * WEIGHT)
    x = np.array(list(values.values()))
    np.testing.assert_allclose(A @ x, b, atol=1e-9 * WEIGHT)
    way = np.array([1.0, -1.0, 1.0, -1.0])  # at the smallest norm, or where a rope is slack
    slack = [abs(values[k]) < 1e-9 * WEIGHT for k in ropes]
    assert abs(way @ x) < 1e-9 * WEIGHT or any(slack)
    assert found.status == "ok"


@pytest.mark.parametrize("seed", range(4))
def test_six_and_more_ropes_have_the_ranges_of_a_linear_program(seed):
    """Three and more unknowns; in some cases the plain minimum norm would make a rope push."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(-1, 1, (6 + seed % 3, 2))
    places -= rng.dirichlet(np.ones(len(places))) @ places  # the mass centre is below their hull
    names = [f"r{k}" for k in range(len(places))]
    plate = free_body(
        ml.Body(
            "plate",
            mass=10.0,
            inertia=(1.0, 2.0, 3.0),
            markers={name: (*place, 0) for name, place in zip(names, places, strict=True)},
        ),
        "plate",
        ground=ml.ground(**{name: (*place, HIGH) for name, place in zip(names, places, strict=True)}),
        loads=[ml.Rope(f"rope {name}", f"ground.{name}", f"plate.{name}", length=HIGH) for name in names],
    )
    found = ml.forward(plate, AT_REST)
    A, b = np.vstack([np.ones(len(places)), places.T]), np.array([WEIGHT, 0.0, 0.0])
    expected, reported = programmed(A, b, (0, None)), least(A, b)
    for k, name in enumerate(names):
        np.testing.assert_allclose(found[f"rope {name}"].range("force")[0], expected[k], atol=1e-7 * WEIGHT)
        assert found[f"rope {name}"].force[0] == pytest.approx(reported[k], abs=1e-8 * WEIGHT)
    assert np.abs(found["floats"].acceleration).max() < 1e-10


def test_a_mass_centre_below_a_rope_determines_all_of_them():
    found = ml.forward(hung(at=(1.0, 1.0)), AT_REST)
    assert all(found[f"rope {k}"].determined for k in CORNERS)
    np.testing.assert_allclose(found["rope 3"].range("force"), [[WEIGHT] * 2], rtol=1e-9)


def test_three_ropes_are_determined():
    found = ml.forward(hung("134", at=(0.4, 0.5)), AT_REST)
    assert all(found[f"rope {k}"].determined for k in "134")
    for k in "134":
        assert found[f"rope {k}"].range("force")[0, 0] == found[f"rope {k}"].range("force")[0, 1]


def test_a_swinging_plate_has_ranges_at_every_instant(texts):
    """Four equal ropes keep the plate level: Newton's and Euler's laws of the recorded motion give the balance."""
    at = (0.6, 0.7)
    plate = hung(at=at)
    run = ml.simulate(plate, start=AT_REST, rates={"floats": (0.8, 0.5, 0, 0, 0, 0)}, until=0.6, samples=5)
    assert run.energy_drift < 1e-8
    texts(run.rule)
    places, a = places_of(at), run["floats"].acceleration
    for k in range(len(run.time)):
        d = np.array([*-run["floats"].position[k, :2], HIGH - run["floats"].position[k, 2]])
        e = d / np.linalg.norm(d)
        arms = np.column_stack([places, np.zeros(4)])
        A = np.vstack([np.outer(e, np.ones(4)), np.cross(arms, e).T])
        b = np.array([*(10.0 * (a[k, :3] + [0, 0, 9.81])), 0, 0, 0])
        np.testing.assert_allclose(
            A @ [run[f"rope {name}"].force[k] for name in CORNERS], b, atol=1e-7 * WEIGHT
        )
        A, b = A[2:5], b[2:5]  # the other rows follow, up to the accuracy of the run
        expected, reported = programmed(A, b, (0, None)), least(A, b)
        for j, name in enumerate(CORNERS):
            rope = run[f"rope {name}"]
            assert rope.range("force").shape == (5, 2)
            np.testing.assert_allclose(rope.range("force")[k], expected[j], atol=1e-7 * WEIGHT)
            assert rope.force[k] == pytest.approx(reported[j], abs=1e-7 * WEIGHT)


@pytest.mark.parametrize(
    ("size", "mass", "time"), [(16.0**5, 1, 1), (16.0**-4, 16.0**5, 16.0**-3), (1, 16.0**-5, 16.0**4)]
)
def test_ranges_scale_with_length_mass_and_time(size, mass, time):
    """Of two ropes and two bars: every force, and both ends of its range, in other units."""
    here, there = (
        ml.forward(hung("12", "34"), AT_REST),
        ml.forward(hung("12", "34", (0.6, 0.6), size, mass, time), AT_REST),
    )
    unit = mass * size / time**2
    for name in ("rope 1", "rope 2", "bar 3", "bar 4"):
        np.testing.assert_allclose(
            there[name].force / unit, here[name].force, rtol=1e-12, atol=1e-12 * WEIGHT
        )
        np.testing.assert_allclose(
            there[name].range("force") / unit, here[name].range("force"), rtol=1e-12, atol=1e-12 * WEIGHT
        )


def test_results_with_ranges_are_pickled():
    found = pickle.loads(pickle.dumps(ml.forward(hung(), AT_REST)))
    assert found["rope 1"].range("force")[0, 1] > 1.0


# impulses -------------------------------------------------------------------------------------------------------------


def dropped(at, coefficient=0.0):
    """A plate that falls flat onto four feet."""
    feet = {f"f{k}": (*place, 0) for k, place in zip(CORNERS, places_of(at), strict=True)}
    return free_body(
        ml.Body("plate", mass=10.0, inertia=(1.0, 2.0, 3.0), markers=feet),
        "dropped plate",
        loads=[
            ml.Contact(f"foot {k}", f"plate.f{k}", "ground.origin", coefficient=coefficient) for k in CORNERS
        ],
    )


def test_an_impulse_shared_by_four_feet_has_the_ranges_of_a_linear_program():
    at, height = (0.9, 0.85), 0.05
    run = ml.simulate(dropped(at), start={"floats": (0, 0, height, 1, 0, 0, 0)}, until=0.15, samples=3)
    impact, size = run.impacts[0], 10.0 * np.sqrt(2 * 9.81 * height)
    A, b = vertical_balance(at)
    b = b * size / WEIGHT
    expected, reported = programmed(A, b, (0, None)), least(A, b)
    assert not impact.determined
    for k, name in enumerate(CORNERS):
        np.testing.assert_allclose(impact.range(f"foot {name}"), expected[k], atol=1e-8 * size)
        assert impact.impulses.get(f"foot {name}", 0.0) == pytest.approx(reported[k], abs=1e-8 * size)
    assert set(impact.undetermined) == {f"foot {k}" for k in CORNERS}
    assert not run["foot 1"].determined
    assert np.abs(run["floats"].rate[-1]).max() < 1e-9


def test_an_impulse_shared_by_two_stops_of_a_loop():
    """Both stops of a four-bar are reached at once: Λ_A + Λ_D dD/dA is the impulse that stops the motion."""
    bar = ml.examples.four_bar().without_drives()
    met = ml.assemble(bar, {"A": 1.0})
    pace = ml.forward(bar, {"A": 1.0}, rates={"A": -2.0})
    ratio = pace["D"].rate[0] / pace["A"].rate[0]
    sign = "low" if ratio > 0 else "high"
    stops = [
        ml.Stop("at A", "A", low=1.0, restitution=0.3),
        ml.Stop("at D", "D", restitution=0.3, **{sign: met["D"].position}),
    ]
    run = ml.simulate(bar.replace(loads=stops), start={"A": 1.2}, rates={"A": -4.0}, until=0.08, samples=5)
    alone = ml.simulate(
        bar.replace(loads=stops[:1]), start={"A": 1.2}, rates={"A": -4.0}, until=0.08, samples=5
    )
    total, impact = alone.impacts[0].impulses["at A"], run.impacts[0]
    assert alone.impacts[0].determined
    assert set(impact.undetermined) >= {"at A", "at D"}
    np.testing.assert_allclose(impact.range("at A"), [0, total], atol=1e-6 * total)
    np.testing.assert_allclose(impact.range("at D"), [0, total / abs(ratio)], atol=1e-6 * total)
    share = impact.impulses["at A"] + impact.impulses["at D"] * abs(ratio)
    assert share == pytest.approx(total, rel=1e-6)
    np.testing.assert_allclose(run["A"].rate, alone["A"].rate, atol=1e-6)
    other = ml.simulate(
        bar.replace(loads=stops[1:]), start={"A": 1.2}, rates={"A": -4.0}, until=0.08, samples=5
    )
    for joint in "ABCD":  # every impulse lies between those that go with either stop alone
        ends = np.sort([one.impacts[0][joint].force for one in (alone, other)], axis=0).T
        np.testing.assert_allclose(impact.range(joint, "force"), ends, atol=1e-7 * total)


def test_one_stop_alone_has_a_determined_impulse():
    bar = ml.examples.four_bar().without_drives()
    run = ml.simulate(
        bar.replace(loads=[ml.Stop("at A", "A", low=1.0, restitution=0.3)]),
        start={"A": 1.2},
        rates={"A": -4.0},
        until=0.08,
        samples=5,
    )
    impact = run.impacts[0]
    assert impact.determined
    assert impact.range("at A").tolist() == [impact.impulses["at A"]] * 2
    np.testing.assert_array_equal(impact.range("B", "force"), np.stack([impact["B"].force] * 2, axis=-1))
    with pytest.raises(ml.UnknownNameError):
        impact.range("at B")


@pytest.mark.parametrize("speed", [1.0, pytest.param(0.05, marks=pytest.mark.slow)])
def test_rough_feet_share_an_impulse_within_their_cones(speed):
    """The faster plate continues to slide, the slower one stops: normal impulses have the same ranges in both cases."""
    at, height, mu = (0.9, 0.85), 0.05, 0.3
    start = {"floats": (0, 0, height, 1, 0, 0, 0)}
    run = ml.simulate(
        dropped(at, mu), start=start, rates={"floats": (speed, 0, 0, 0, 0, 0)}, until=0.11, samples=3
    )
    impact, size = run.impacts[0], 10.0 * np.sqrt(2 * 9.81 * height)
    A, b = vertical_balance(at)
    expected = programmed(A, b * size / WEIGHT, (0, None))
    for k, name in enumerate(CORNERS):
        np.testing.assert_allclose(impact.range(f"foot {name}"), expected[k], atol=1e-8 * size)
    lost = sum(impact.friction.values())
    np.testing.assert_allclose(lost, [-min(10.0 * speed, mu * size), 0, 0], atol=1e-8 * size)
    for name, friction in impact.friction.items():
        assert np.linalg.norm(friction) <= mu * impact.impulses[name] + 1e-9 * size


# other forces that are shared or depend on shared ones --------------------------------------------------------------


def beam_on_two_ropes(guided, **more):
    """A planar beam of 10 kg with ropes at x = ±1 from above, also constrained by `guided` joints."""
    hooks = {"l": (-1, 0.5), "r": (1, 0.5)}
    return ml.Mechanism(
        "beam",
        planar=True,
        bodies=[
            ml.ground(
                **{f"h{k}": place for k, place in hooks.items()}, up=ml.marker((0, 0), angle=np.pi / 2)
            ),
            *guided["bodies"],
            ml.Body(
                "beam",
                mass=10.0,
                inertia=2.0,
                markers={"l": (-1, 0), "r": (1, 0), "up": ml.marker((0, 0), angle=np.pi / 2)},
            ),
        ],
        joints=guided["joints"],
        loads=[
            *(ml.Rope(f"rope {k}", f"ground.h{k}", f"beam.{k}", length=0.5) for k in hooks),
            *more.pop("loads", ()),
        ],
        **more,
    )


def test_a_drive_shares_what_ropes_hold():
    """A lift supports the middle of the beam: T on both sides, and W − 2 T at the drive."""
    lifted = {
        "bodies": [ml.Body("hook", mass=0.0, markers={"up": ml.marker((0, 0), angle=np.pi / 2)})],
        "joints": [
            ml.Prismatic("lift", "ground.up", "hook.up"),
            ml.Revolute("pin", "hook.origin", "beam.origin"),
        ],
    }
    beam = beam_on_two_ropes(lifted, drives=[ml.Motion("lift", 0.0 * ml.time)])
    found = ml.forward(beam, {"pin": 0.0})
    for k in "lr":
        np.testing.assert_allclose(found[f"rope {k}"].range("force"), [[0, np.inf]], atol=1e-9 * WEIGHT)
        assert not found[f"rope {k}"].determined
    np.testing.assert_allclose(found["lift"].range("effort"), [[-np.inf, WEIGHT]])
    np.testing.assert_allclose(found["lift"].effort_range, [[-np.inf, WEIGHT]])
    total = found["lift"].effort[0] + 2 * found["rope l"].force[0]
    assert total == pytest.approx(WEIGHT)
    assert found["rope l"].force[0] == pytest.approx(found["rope r"].force[0])


def test_a_guide_shares_its_moment_with_ropes(texts):
    """A vertical guide keeps the beam horizontal: its moment, and so its normal forces, may be anything within ±W."""
    guide = {"bodies": [], "joints": [ml.Prismatic("guide", "ground.up", "beam.up")]}
    plain = ml.forward(beam_on_two_ropes(guide), {"guide": 0.0})
    np.testing.assert_allclose(plain["guide"].range("moment"), [[-WEIGHT, WEIGHT]], atol=1e-9 * WEIGHT)
    np.testing.assert_allclose(plain["rope l"].range("force"), [[0, WEIGHT]], atol=1e-9 * WEIGHT)
    assert plain["guide"].undetermined == ("moment about z",)
    assert plain.status == "ok"
    rough = ml.Friction("rubbing", "guide", coefficient=0.2, length=0.1, stiction="exact")
    texts(ml.forward(beam_on_two_ropes(guide, loads=[rough]), {"guide": 0.0}).status)


def test_friction_that_follows_a_shared_reaction_is_warned_of_while_it_slides(texts):
    """Two slides keep the beam horizontal while it swings on its ropes: they share a moment, on which their friction
    depends."""
    level = {
        "bodies": [
            ml.Body("carriage", mass=0.5, inertia=0.1, markers={"up": ml.marker((0, 0), angle=np.pi / 2)})
        ],
        "joints": [
            ml.Prismatic("across", "ground.origin", "carriage.origin"),
            ml.Prismatic("upward", "carriage.up", "beam.up"),
        ],
    }
    start, rates = {"across": 0.0, "upward": 0.0}, {"across": 1.0}
    plain = ml.forward(beam_on_two_ropes(level), start, rates=rates)
    assert not plain["rope l"].determined
    assert plain.status == "ok"
    long = ml.Friction("rubbing", "across", coefficient=0.2, length=0.1)
    found = ml.forward(beam_on_two_ropes(level, loads=[long]), start, rates=rates)
    texts.warnings(found, ("W79", "rubbing", "'across'", "'rope l'", "'rope r'"))
    texts(ml.forward(beam_on_two_ropes(level, loads=[long]), start).status)
    short = ml.Friction("rubbing", "across", coefficient=0.2)
    texts(ml.forward(beam_on_two_ropes(level, loads=[short]), start, rates=rates).status)


def test_accelerations_that_depend_on_shared_normal_forces_are_warned_of(texts):
    """The deceleration of a table that turns on four rough feet depends on the distribution of its weight; that of a
    translating one does not."""
    table, start = dropped((0.6, 0.7), 0.3), {"floats": (0, 0, 0, 1, 0, 0, 0)}
    turning = ml.forward(table, start, rates={"floats": (0.2, 0, 0, 0, 0, 3.0)})
    texts.warnings(
        turning, ("W78", "foot 1, foot 2, foot 3, foot 4", "'foot 1'", "'foot 2'", "'foot 3'", "'foot 4'")
    )
    straight = ml.forward(table, start, rates={"floats": (2.0, 1.0, 0, 0, 0, 0)})
    texts(straight.status)
    assert not straight["foot 1"].determined
    A, b = vertical_balance((0.6, 0.7))
    expected = programmed(A, b, (0, None))
    for k, name in enumerate(
        CORNERS
    ):  # the feet are level with the mass centre, so that friction has no moment
        np.testing.assert_allclose(
            straight[f"foot {name}"].range("normal")[0], expected[k], atol=1e-8 * WEIGHT
        )


def test_stuck_joints_share_within_their_limits():
    """Two brakes on one shaft hold a load of 3 N m: each within its limit, and with the sum of the load."""
    shaft = pinned_body(
        ml.Body("drum", mass=1.0, inertia=0.1),
        "shaft",
        joint="axle",
        loads=[
            ml.Friction("small", "axle", effort=1.0, stiction="exact"),
            ml.Friction("large", "axle", effort=5.0, stiction="exact"),
        ],
    )
    found = ml.forward(shaft, {"axle": 0.0}, efforts={"axle": 3.0})
    np.testing.assert_allclose(found["small"].range("effort"), [[-1, 1]], atol=1e-9)
    np.testing.assert_allclose(found["large"].range("effort"), [[-4, -2]], atol=1e-9)
    np.testing.assert_allclose([found["small"].effort[0], found["large"].effort[0]], [-1, -2], atol=1e-9)


def test_ranges_are_in_the_summary_the_table_and_the_dataset(texts):
    at = (0.6, 0.6)
    found = ml.forward(hung("12", "34", at), AT_REST)
    expected = programmed(*vertical_balance(at), [(0, None), (0, None), (None, None), (None, None)])
    texts(" ".join(found.summary().split()), "rope 1 (", "0 to 39.24 N", "bar 3, bar 4 (")
    texts(repr(found["rope 1"]))
    table = found.to_table()
    assert table.attrs["undetermined"]["rope 2"] == ["force"]
    ends = [table[f"rope 2.force_{word} [N]"].iloc[0] for word in ("least", "largest")]
    np.testing.assert_allclose(ends, expected[1], atol=1e-9 * WEIGHT)
    ends = [float(found.dataset[f"force_{word} bar 3"].sel(axis="z")[0]) for word in ("least", "largest")]
    np.testing.assert_allclose(ends, expected[2], atol=1e-9 * WEIGHT)
    assert not bool(found.dataset["determined"].sel(joint="bar 3"))
    three = ml.forward(hung("134", at=(0.4, 0.5)), AT_REST)
    assert "least" not in " ".join(three.to_table().columns)


def test_what_redundant_joints_alone_leave_open_is_unbounded():
    """Two guides in one place: the normal force and the moment are undetermined, in no other inertial direction."""
    found = ml.inverse(ml.examples.four_bar(), cycle=3)
    assert found["B"].determined
    np.testing.assert_array_equal(found["B"].range("force"), np.stack([found["B"].force] * 2, axis=-1))
    level = beam_on_two_ropes(
        {
            "bodies": [],
            "joints": [
                ml.Prismatic("guide", "ground.up", "beam.up"),
                ml.Prismatic("other", "ground.up", "beam.up"),
            ],
        }
    ).replace(loads=[])
    twice = ml.forward(level, {"guide": 0.0})
    assert set(twice["guide"].undetermined) == {"force along y", "moment about z"}
    np.testing.assert_array_equal(twice["guide"].range("force")[0, 0], [-np.inf, np.inf])
    assert twice["guide"].range("force")[0, 1].tolist() == [twice["guide"].force[0, 1]] * 2
    np.testing.assert_array_equal(twice["guide"].range("moment"), [[-np.inf, np.inf]])


# friction at rest -----------------------------------------------------------------------------------------------------


def pyramid_range(A, b, row, mu, facets, outside):
    """[min, max] of row · x for forces N, Tx, Ty of every foot, with pyramids in place of the friction cones."""
    turns, feet = 2 * np.pi * np.arange(facets) / facets, A.shape[1] // 3
    limit = mu * (1.0 if outside else np.cos(np.pi / facets))
    block = np.column_stack([np.full(facets, -limit), np.cos(turns), np.sin(turns)])
    limits = {"A_ub": np.kron(np.eye(feet), block), "b_ub": np.zeros(feet * facets)}
    ends = [linprog(sign * row, A_eq=A, b_eq=b, bounds=(None, None), **limits) for sign in (1, -1)]
    return np.array([row @ end.x for end in ends])


def test_a_table_at_rest_on_a_rough_incline_has_ranges_within_its_friction_cones():
    at, angle, mu, high = (0.6, 0.7), 0.4, 0.5, 0.3
    feet = {f"f{k}": (*place, -high) for k, place in zip(CORNERS, places_of(at), strict=True)}
    fall = 9.81 * np.array([np.sin(angle), 0, -np.cos(angle)])
    table = free_body(
        ml.Body("plate", mass=10.0, inertia=(1.0, 2.0, 3.0), markers=feet),
        "table",
        loads=[ml.Contact(f"foot {k}", f"plate.f{k}", "ground.origin", coefficient=mu) for k in CORNERS],
        gravity=tuple(fall),
    )
    found = ml.forward(table, {"floats": (0, 0, high, 1, 0, 0, 0)})
    arms = np.array(list(feet.values()))
    axes = np.eye(3)[[2, 0, 1]]  # N along z, then Tx and Ty
    A = np.hstack([np.vstack([axes.T, np.cross(arm, axes).T]) for arm in arms])
    b = np.concatenate([-10.0 * fall, np.zeros(3)])
    x = np.concatenate([found[f"foot {k}"].force[0][[2, 0, 1]] for k in CORNERS])
    np.testing.assert_allclose(A @ x, b, atol=1e-9 * WEIGHT)
    for k, name in enumerate(CORNERS):
        foot = found[f"foot {name}"]
        assert np.linalg.norm(foot.force[0, :2]) <= mu * foot.normal[0] + 1e-8 * WEIGHT
        ends = {"normal": foot.range("normal")[0], "along": foot.range("force")[0, 0]}
        for place, what in enumerate(ends):
            row = np.eye(12)[3 * k + place]
            inside, outside = (pyramid_range(A, b, row, mu, 128, kind) for kind in (False, True))
            assert outside[0] - 1e-7 * WEIGHT <= ends[what][0] <= inside[0] + 1e-7 * WEIGHT
            assert inside[1] - 1e-7 * WEIGHT <= ends[what][1] <= outside[1] + 1e-7 * WEIGHT
            # 128 facets leave 1 − cos(π/128) = 3e-4 of the friction
            assert np.abs(inside - outside).max() < 1e-3 * WEIGHT


@pytest.mark.parametrize(
    "method",
    ["sslm", *(pytest.param(one, marks=pytest.mark.slow) for one in ("slm", "embedding", "virtual_work"))],
)
def test_stops_of_two_shafts_share_a_load_through_their_gearing(method):
    """q_B = 2 q_A and a load of 3 N m: x_A + 2 x_B = 3, and the relation transmits x_B."""
    shafts = two_shafts(
        ml.Body("one", mass=1.0, inertia=0.02),
        ml.Body("two", mass=1.0, inertia=0.02),
        name="shafts",
        pairs=[ml.Relation("mesh", ml.position("B") - 2 * ml.position("A"))],
        loads=[ml.Stop(f"stop {k}", k, low=0.0, restitution=0.0) for k in "AB"],
    )
    found = ml.forward(shafts, {"A": 0.0}, efforts={"A": -3.0}, method=method)
    np.testing.assert_allclose(found["stop A"].range("effort"), [[0, 3]], atol=1e-9)
    np.testing.assert_allclose(found["stop B"].range("effort"), [[0, 1.5]], atol=1e-9)
    np.testing.assert_allclose(found["mesh"].range("effort"), [[-1.5, 0]], atol=1e-9)
    assert not found["mesh"].determined
    assert found["A"].determined
    total = found["stop A"].effort[0] + 2 * found["stop B"].effort[0]
    assert total == pytest.approx(3.0)
    assert found["mesh"].efforts["A"][0] + found["stop A"].effort[0] == pytest.approx(3.0)


@pytest.mark.parametrize("quantity", ["norml", "gap", "touching", "mechanism", "shared", 3])
def test_a_range_of_a_quantity_other_than_a_force_is_refused_by_name(quantity, texts):
    found = ml.forward(hung(), AT_REST)
    with pytest.raises(ml.MultiloopError) as refused:
        found["rope 1"].range(quantity)
    fault = texts.fault(refused.value, "R01", "'rope 1'")
    assert "force" in fault.remedy


def test_ropes_that_swing_and_feet_that_stick_do_no_work():
    """Their rates are round-off: their power is determined, and is zero."""
    swings = ml.simulate(hung(), until=0.1, start=AT_REST, rates={"floats": (0.5, 0, 0, 0, 0, 0)})
    assert all(swings[f"rope {k}"].undetermined == ("force",) for k in CORNERS)
    feet = {"back": (-0.2, -0.1), "front": (0.2, -0.1)}
    box = ml.Mechanism(
        "box",
        planar=True,
        gravity=(0, -9.81),
        bodies=[
            ml.ground(slope=ml.marker((0, 0), angle=-0.1)),
            ml.Body("box", mass=2.0, inertia=0.05, markers=feet),
        ],
        joints=[ml.Free("floats", "ground.slope", "box.origin")],
        loads=[ml.Contact(name, f"box.{name}", "ground.slope", coefficient=0.5) for name in feet],
    )
    stops = ml.simulate(box, until=0.2, start={"floats": (0, 0.1, 0)}, rates={"floats": (0.5, 0, 0)})
    for name in feet:
        foot = stops[name]
        assert foot.sticking[-1]
        assert foot.undetermined == ("force",)
        assert not foot.power[foot.sticking].any()
        assert foot.power[0] == pytest.approx(-0.5 * foot.normal[0] * 0.5, rel=1e-12)


def chained(ratios, limits, pushes):
    """Shafts in a row, each `ratio` times as fast as the next, with friction in every bearing; torques on the first."""
    names = [chr(ord("a") + k) for k in range(len(limits))]
    ties = [
        ml.Relation(f"r{one}", ml.position(one.upper()) - ratio * ml.position(other.upper()))
        for one, other, ratio in zip(names[:-1], names[1:], ratios, strict=True)
    ]
    return ml.Mechanism(
        "chain",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(**{name.upper(): (float(k), 0.0) for k, name in enumerate(names)}),
            *[ml.Body(name, mass=1.0, inertia=0.1) for name in names],
        ],
        joints=[ml.Revolute(name.upper(), f"ground.{name.upper()}", f"{name}.origin") for name in names],
        pairs=ties,
        loads=[
            *[
                ml.Friction(f"f{name}", name.upper(), effort=limit, stiction="exact")
                for name, limit in zip(names, limits, strict=True)
            ],
            ml.Torque("push", "a", pushes),
        ],
    )


def largest_held(ratios, limits):
    """The largest torque on the first shaft that friction of all can hold, by a linear program: the sum of efforts
    times rates by the first shaft, with the torques between shafts as unknowns."""
    n = len(limits)
    A, b = np.zeros((n, 1 + n + n - 1)), np.zeros(n)  # push, friction efforts, torques along the ties
    A[0, 0] = 1.0
    A[:, 1 : 1 + n] = np.eye(n)
    for k, ratio in enumerate(ratios):
        A[k, 1 + n + k], A[k + 1, 1 + n + k] = 1.0, -ratio
    bounds = [(None, None), *[(-limit, limit) for limit in limits], *[(None, None)] * (n - 1)]
    cost = np.zeros(A.shape[1])
    cost[0] = -1.0
    return -float(linprog(cost, A_eq=A, b_eq=b, bounds=bounds).fun)


def chain_case(seed):
    """Ratios and limits; the first is 3 : 1 with limits of 2.4 and 0.6 N m."""
    some = np.random.default_rng(seed)
    if not seed:
        return [3.0], [2.4, 0.6]
    count = 2 + seed % 2
    return some.uniform(0.3, 3.0, count - 1).tolist(), some.uniform(0.1, 3.0, count).tolist()


@pytest.mark.parametrize(
    "seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(6, 40))]
)
def test_coupled_shafts_slip_where_friction_of_all_of_them_is_exhausted(seed):
    """A torque that grows with time moves them at the largest one that friction can hold by a linear program."""
    ratios, limits = chain_case(seed)
    most = largest_held(ratios, limits)
    run = ml.simulate(
        chained(ratios, limits, most * ml.time), start={"A": 0.0}, until=1.5, samples=[0.5, 0.999, 1.001, 1.5]
    )
    speeds = np.cumprod([1.0, *(1 / ratio for ratio in ratios)])
    inertia = 0.1 * float(speeds @ speeds)
    assert run.status == "ok"
    assert np.abs(run["A"].position[:2]).max() < 1e-12
    assert run["A"].position[-1] == pytest.approx(most * 0.5**3 / 6 / inertia, rel=1e-8)
    for k, limit in enumerate(limits):
        assert np.abs(run[f"f{chr(ord('a') + k)}"].effort).max() <= limit * (1 + 1e-7)
