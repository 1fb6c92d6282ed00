"""Messages at singular positions and near them."""

import pytest
from laws.singular_passages import PASSAGES
from zoo import ZOO, chains

import multiloop as ml


def driven(profile):
    return chains.ladder(2).replace(drives=[ml.Motion("P0", profile)], guess={})


def test_an_instant_at_a_singular_position(texts):
    with pytest.raises(ml.SolveError) as caught:
        ml.inverse(driven(ml.time), t=[0.0], guess=PASSAGES["ladder of 2"]().guess(0.0))
    fault = texts.fault(caught.value, "S04", "t = 0 s")
    assert 'method="augmented" and integrator="dop853"' in fault.remedy


def test_steps_that_become_too_short(texts):
    passage = PASSAGES["four-bar"]()
    (drive,) = passage.mechanism.drives
    b, bend = (float(getattr(passage.at(0.01)[drive.of], part)[0]) for part in ("position", "acceleration"))
    later = b - 0.5e-4 * bend + 0.5 * bend * (ml.time - 0.1) ** 2
    mechanism = passage.mechanism.replace(drives=[ml.Motion(drive.of, later)])
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(mechanism, guess=passage.guess(-0.1), until=0.2, samples=3)
    (fault,) = caught.value.faults
    assert fault.code == "S07"
    assert 'method="augmented" and integrator="dop853"' in fault.remedy
    texts(f"{fault.what}\n{fault.remedy}")


def test_a_link_that_is_too_light(texts):
    four_bar = ZOO["four-bar"].build().without_drives()
    light = [ml.rod("coupler", length=0.9, mass=1e-20) if b.name == "coupler" else b for b in four_bar.bodies]
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(four_bar.replace(bodies=light), {"A": 1.0})
    texts.fault(caught.value, "S06", "t = 0 s", "'coupler'", "1.0e-20 kg", "'rocker'", "1.5e+00 kg")


def test_the_message_of_an_instant_near_a_singular_position(texts):
    found = PASSAGES["ladder of 2"]().at(1e-4)
    texts.warnings(found, ("W42", "ladder of 2", "t = 0.0001 s", "1.2e-03"))


def test_the_message_of_a_run_onto_a_singular_position(texts):
    run = ml.simulate(
        driven(ml.time - 0.1),
        guess=PASSAGES["ladder of 2"]().guess(-0.1),
        until=0.2,
        samples=3,
        method="augmented",
    )
    texts.warnings(run, ("W41", "ladder of 2", "t = 0.1 s", "1e-05"), ("W42", "ladder of 2"))
