"""Messages for numbers, files and arguments beyond the limits of the library."""

from dataclasses import replace

import pytest

import multiloop as ml

HUGE = 10**400


def pendulum(length=1.0, **changes):
    rod = ml.rod("rod", length=length, mass=changes.pop("mass", 1.0))
    described = {
        "drives": [ml.Motion("A", ml.motion_laws.constant_speed(1.0))],
        "gravity": (0, -9.81),
    } | changes
    joints = [ml.Revolute("A", "ground.A", "rod.a")]
    return ml.Mechanism(
        "pendulum", planar=True, bodies=[ml.ground(A=(0, 0)), rod], joints=joints, **described
    )


def run(**asked):
    return ml.simulate(pendulum(drives=()), **{"start": {"A": 0.3}, "until": 0.1} | asked)


def late_run():
    state = replace(ml.assemble(pendulum(drives=()), {"A": 0.3}), time=1e20)
    return ml.simulate(pendulum(drives=()), start=state, until=1e20 + 1e6, integrator="rk4", step=1.0)


MESSAGES = {
    "an excessive mass": (lambda: pendulum(mass=1e61), ("M05", "body 'rod'", "1e+61")),
    "excessive gravity": (lambda: pendulum(gravity=(0, -1e300)), ("M05", "gravity", "-1e+300")),
    "excessive gravity by a parameter": (
        lambda: pendulum(gravity=(0, ml.Parameter("g", 1e300))),
        ("M05", "gravity", "1e+300"),
    ),
    "an excessive guess": (lambda: pendulum(guess={"A": 1.7e308}), ("M11", "guess 'A'", "1.7e+308")),
    "a parameter that cannot be shown": (
        lambda: pendulum(mass=ml.Parameter("m\x1b[31m", 1.0)),
        ("M02", "parameter 'm\\x1b[31m'"),
    ),
    "an excessive new value": (
        lambda: pendulum(mass=ml.Parameter("m", 1.0)).with_parameters(m=1e158),
        ("M05", "parameter 'm'", "1e+158"),
    ),
    "a value beyond all floats": (
        lambda: ml.inverse(pendulum(mass=ml.Parameter("m", 1.0)), t=[0.0], parameters={"m": HUGE}),
        ("S10", "parameter 'm'", "1e+400"),
    ),
    "values beyond all floats": (
        lambda: ml.inverse(pendulum(mass=ml.Parameter("m", 1.0)), t=[0.0], parameters={"m": [1, HUGE]}),
        ("S10", "parameters"),
    ),
    "an excessive result": (
        lambda: ml.inverse(pendulum(drives=[ml.Motion("A", ml.motion_laws.constant_speed(1e80))]), t=[0.0]),
        ("S07", "t = 0 s", "'A'", "5e+159"),
    ),
    "an effort beyond all floats": (lambda: run(efforts={"A": HUGE}), ("S03", "effort at 'A'", "1e+400")),
    "a time beyond the resolution of numbers": (
        lambda: ml.inverse(pendulum(), t=[0.0, 1e300]),
        ("K10", "drive of 'A'", "1e+300", "1e+300 s", "1e+284"),
    ),
    "an invalid switch": (lambda: run(progress=[True, False]), ("S09", "progress")),
    "an end beyond all floats": (lambda: run(until=HUGE), ("S09", "until", "1e+400")),
    "more samples than can be kept": (
        lambda: run(samples=10**30),
        ("S09", "samples", "1000000000000000000000000000000"),
    ),
    "sample times beyond all floats": (lambda: run(samples=[HUGE]), ("S09", "samples", "[about 1e+400]")),
    "more instants than can be kept": (
        lambda: ml.inverse(pendulum(), cycle=10**30),
        ("S02", "cycle", "1000000000000000000000000000000"),
    ),
    "a step that never arrives": (
        lambda: run(integrator="rk4", step=1e-300),
        ("S09", "step", "1e-300 s", "1e+299"),
    ),
    "a step that does not go on": (late_run, ("S09", "step", "1 s", "1e+20 s")),
    "a step beyond all floats": (lambda: run(integrator="rk4", step=HUGE), ("S09", "step", "1e+400")),
    "a time beyond all floats": (lambda: ml.assemble(pendulum(), t=HUGE), ("K10", "t", "1e+400")),
    "invalid text": (lambda: ml.from_text(None), ("M90",)),
    "an invalid path": (lambda: ml.load(5), ("F01", "path", "5")),
    "a picture into a folder that is not there": (
        lambda: ml.inverse(pendulum(), t=[0.0]).plot(path="nowhere/loads.png"),
        ("F01", "'nowhere'"),
    ),
    "a drawing into a folder that is not there": (
        lambda: pendulum().draw(path="nowhere/pendulum.png"),
        ("F01", "'nowhere'"),
    ),
    "a file into a folder that is not there": (
        lambda: ml.save(pendulum(), "nowhere/pendulum.yaml"),
        ("F01", "'nowhere'"),
    ),
}


@pytest.mark.parametrize("mistake", MESSAGES)
def test_a_mistake_is_reported_with_its_place_and_remedy(mistake, texts):
    ask, text = MESSAGES[mistake]
    with pytest.raises(ml.MultiloopError) as caught:
        ask()
    texts.fault(caught.value, *text)


def test_a_picture_of_an_unknown_kind_is_reported_with_the_known_ones(tmp_path, texts):
    with pytest.raises(ml.ModelError) as caught:
        pendulum().draw(path=tmp_path / "pendulum.xyz")
    texts.fault(caught.value, "F01", "pendulum.xyz", "'xyz'", hide=[r"(?<=formats: ).*(?=\))"])


def test_of_many_faults_the_first_are_listed_and_the_others_counted(texts):
    bodies = [ml.ground(A=(0, 0)), *(ml.Body(f"b{k}", mass=-1.0) for k in range(30))]
    joints = [ml.Fixed(f"F{k}", "ground.A", f"b{k}.origin") for k in range(30)]
    with pytest.raises(ml.ModelError) as caught:
        ml.Mechanism("m", planar=True, bodies=bodies, joints=joints)
    assert {fault.code for fault in caught.value.faults} == {"M03"}
    assert len(caught.value.faults) == 30
    lines = str(caught.value).splitlines()
    assert len(lines) == 42
    texts("\n".join([*lines[:3], *lines[-1:]]), "'m'", "30", "'b0'", "-1 kg", "10")


def test_the_search_for_faults_ends_after_a_hundred(texts):
    joints = [ml.Revolute(f"j{k}", "ground.A", f"nothing{k}.a") for k in range(1000)]
    bodies = [ml.ground(A=(0, 0)), *(ml.Body(f"b{k}") for k in range(2000))]
    with pytest.raises(ml.ModelError) as caught:
        ml.Mechanism("m", planar=True, bodies=bodies, joints=joints)
    assert len(caught.value.faults) == 100
    lines = str(caught.value).splitlines()
    texts("\n".join([*lines[:3], *lines[-1:]]), "'m'", "100", "80")


def test_of_many_unknown_fields_the_first_are_listed_and_the_others_counted(texts):
    data = {"kind": "Mechanism", "name": "m"} | {f"f{k}": 1 for k in range(100_000)}
    with pytest.raises(ml.ModelError) as caught:
        ml.from_data(data)
    assert len(caught.value.faults) == 21
    texts(caught.value.faults[-1], "M91", "99,980")
