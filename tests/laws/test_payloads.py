"""A payload is a mass attached to a body, in every method; its inertia force is part of the results."""

import numpy as np
import pytest
from zoo.plain import four_bar_pins

import multiloop as ml

FORWARD = ("system", "slm", "sslm", "embedding", "virtual_work", "augmented")
INVERSE = ("traditional", "system", "subsystem", "virtual_work")
MASS = 3.0
GRAVITY = np.array([0.0, -9.81])


def four_bar(*more, rocker=None, drives=()):
    return ml.Mechanism(
        "four-bar",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), D=(1.0, 0)),
            ml.rod("crank", length=0.3, mass=1.0),
            ml.rod("coupler", length=0.9, mass=2.0),
            rocker or ml.rod("rocker", length=0.8, mass=1.5, markers={"seat": 0.5}),
        ],
        joints=[*four_bar_pins(), *more],
        drives=drives,
        guess={"rocker.b": (0.9, 0.75)},
    )


def heavier_rocker():
    """The rocker with a block of 3 kg, 0.02 kg m², whose mass centre is at (0.6, 0.1), worked out by hand."""
    mass = 1.5 + MASS
    com = (1.5 * np.array([0.4, 0.0]) + MASS * np.array([0.6, 0.1])) / mass
    own = 1.5 * (0.8**2 / 12 + np.sum((com - [0.4, 0.0]) ** 2))
    block = 0.02 + MASS * np.sum((com - [0.6, 0.1]) ** 2)
    return ml.Body(
        "rocker", mass=mass, com=tuple(com), inertia=own + block, markers={"a": (0, 0), "b": (0.8, 0)}
    )


BLOCK = ml.Payload("block", "rocker.seat", mass=MASS, com=(0.1, 0.1), inertia=0.02)
START, RATES = {"A": 0.4}, {"A": 3.0}


@pytest.mark.parametrize("method", FORWARD)
def test_forward_dynamics_are_those_of_the_heavier_link(method):
    carried = ml.forward(four_bar(BLOCK), START, rates=RATES, method=method)
    merged = ml.forward(four_bar(rocker=heavier_rocker()), START, rates=RATES, method=method)
    digits = 1e-8 if method == "augmented" else 1e-10  # penalties meet the constraints to 1e-9
    for joint in "ABCD":
        assert carried[joint].acceleration == pytest.approx(merged[joint].acceleration, rel=1e-11)
        assert carried[joint].force[0] == pytest.approx(merged[joint].force[0], rel=digits, abs=digits)


@pytest.mark.parametrize("method", INVERSE)
def test_what_carries_it_gives_its_weight_and_its_acceleration(method):
    turning = [ml.Motion("A", ml.motion_laws.constant_speed(4.0))]
    found = ml.inverse(four_bar(BLOCK, drives=turning), cycle=13, method=method)
    merged = ml.inverse(four_bar(rocker=heavier_rocker(), drives=turning), cycle=13, method=method)
    np.testing.assert_allclose(found["A"].effort, merged["A"].effort, rtol=1e-10, atol=1e-10)
    a = found.acceleration("block/body.com")
    np.testing.assert_allclose(found["block"].force, MASS * (a - GRAVITY), rtol=1e-11, atol=1e-11)
    arm = found.marker("block/body.com") - found.marker("rocker.seat")
    f, turn = found["block"].force, found.angular_acceleration("rocker")
    np.testing.assert_allclose(
        found["block"].moment, 0.02 * turn + arm[:, 0] * f[:, 1] - arm[:, 1] * f[:, 0], atol=1e-10
    )


def test_a_mass_that_is_a_parameter_is_swept():
    load = ml.Payload("block", "rocker.seat", mass=ml.Parameter("m", MASS))
    driven = four_bar(load, drives=[ml.Motion("A", ml.motion_laws.constant_speed(4.0))])
    designs = ml.batch(driven, {"m": [1.0, 5.0]}, cycle=25)
    for k, m in enumerate((1.0, 5.0)):
        alone = ml.inverse(driven, parameters={"m": m}, cycle=25)
        assert designs.peak_effort["A"][k] == pytest.approx(np.abs(alone["A"].effort).max(), rel=1e-11)
        assert designs.peak_load["block"][k] == pytest.approx(alone["block"].load.max(), rel=1e-11)


def test_a_payload_in_space_and_on_a_flexible_link():
    """At rest a payload of weight W deflects a cantilever by W L³ / 3EI, and its own weight w L by w L⁴ / 8EI."""
    L, EI = 0.6, 40.0
    beam = ml.uniform_beam(
        "beam", length=L, mass=1e-3, EI=EI, modes=3, frame="a", across=("y", "z"), damping=0.3
    )
    held = ml.Mechanism(
        "cantilever",
        bodies=[ml.ground(), beam],
        joints=[
            ml.Fixed("wall", "ground.origin", "beam.a"),
            ml.Payload("hung", "beam.b", mass=0.5, inertia=(1e-4, 1e-4, 1e-4)),
        ],
    )
    found = ml.equilibrium(held)
    assert found.state.marker("beam.b")[2] == pytest.approx(
        -(0.5 / 3 + 1e-3 / 8) * 9.81 * L**3 / EI, rel=1e-6
    )


def test_files_and_drawings(tmp_path):
    carried = four_bar(BLOCK)
    assert ml.from_text(ml.to_text(carried)) == carried
    ml.save(carried, tmp_path / "carried.yaml")
    assert ml.load(tmp_path / "carried.yaml") == carried
    carried.draw(path=tmp_path / "carried.png")
    assert (tmp_path / "carried.png").stat().st_size > 5000


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (ml.Payload("block", "rocker.seat", mass=-1.0), ("[M03]", "'block'", "-1 kg")),
        (ml.Payload("block", "rocker.seat", mass=ml.time), ("[M03]", "'block'")),
        (ml.Payload("block", "rocker.sat", mass=1.0), ("[T03]", "'block'", "'sat'", "'rocker'", "'seat'")),
        (
            ml.Payload("block", "rocker.seat", mass=1.0, inertia=-2.0),
            ("[M04]", "'block/body'", "-2 kg", "`inertia_at`"),
        ),
        (ml.Payload("block", 7, mass=1.0), ("[M12]", "'block'", "7", '"body.marker"')),
    ],
)
def test_invalid_payloads_are_refused(payload, expected, texts):
    with pytest.raises(ml.ModelError) as refused:
        four_bar(payload)
    texts(refused.value, "'four-bar'", *expected)
