"""What a user reads when numbers, files or questions are beyond all measure, word for word."""

from dataclasses import replace

import pytest

import multiloop as ml

HUGE = 10**400


def pendulum(length=1.0, **changes):
    rod = ml.rod("rod", length=length, mass=changes.pop("mass", 1.0))
    described = {"drives": [ml.Motion("A", ml.constant_speed(1.0))], "gravity": (0, -9.81)} | changes
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
    "a mass beyond all measure": (
        lambda: pendulum(mass=1e61),
        "[M05] body 'rod': mass is 1e+61, too large to compute with.\n"
        "       Give it in SI units: metres, kilograms, seconds.",
    ),
    "gravity beyond all measure": (
        lambda: pendulum(gravity=(0, -1e300)),
        "[M05] gravity: its y component is -1e+300, too large to compute with.\n"
        "       Give it in SI units: metres, kilograms, seconds.",
    ),
    "gravity by a parameter beyond all measure": (
        lambda: pendulum(gravity=(0, ml.Parameter("g", 1e300))),
        "[M05] gravity: its y component is 1e+300, too large to compute with.\n"
        "       Give it in SI units: metres, kilograms, seconds.",
    ),
    "a guess beyond all measure": (
        lambda: pendulum(guess={"A": 1.7e308}),
        "[M11] guess 'A': holds 1.7e+308.\n       Give plain finite numbers, or None to leave one open.",
    ),
    "a parameter that cannot be shown": (
        lambda: pendulum(mass=ml.Parameter("m\x1b[31m", 1.0)),
        "[M02] parameter 'm\\x1b[31m': has a letter that cannot be shown.\n       Use plain letters.",
    ),
    "a new value beyond all measure": (
        lambda: pendulum(mass=ml.Parameter("m", 1.0)).with_parameters(m=1e158),
        "[M05] parameter 'm': its new value is 1e+158.\n       Give a finite number, no larger than 1e+60.",
    ),
    "a value beyond all floats": (
        lambda: ml.inverse(pendulum(mass=ml.Parameter("m", 1.0)), t=[0.0], parameters={"m": HUGE}),
        "[S10] parameter 'm': is about 1e+400.\n"
        "       Give a finite number, or an array of numbers for many designs.",
    ),
    "values beyond all floats": (
        lambda: ml.inverse(pendulum(mass=ml.Parameter("m", 1.0)), t=[0.0], parameters={"m": [1, HUGE]}),
        "[S10] parameters: are not all numbers.\n       Give arrays of numbers.",
    ),
    "an answer beyond all measure": (
        lambda: ml.inverse(pendulum(drives=[ml.Motion("A", ml.constant_speed(1e80))]), t=[0.0]),
        "[S07] t = 0 s: the force of joint 'A' is 5e+159, which is no answer.\n"
        "       Look for lengths, masses, loads or speeds that are beyond all measure.",
    ),
    "an effort beyond all floats": (
        lambda: run(efforts={"A": HUGE}),
        "[S03] effort at 'A': is about 1e+400.\n       Give a number, an expression or a Result.",
    ),
    "a time that numbers cannot tell": (
        lambda: ml.inverse(pendulum(), t=[0.0, 1e300]),
        "[K10] drive of 'A': is at 1e+300 at t = 1e+300 s, known to 1e+284 only: too coarse within a turn.\n"
        "       Ask at times nearer to its beginning.",
    ),
    "a switch that is none": (
        lambda: run(progress=[True, False]),
        "[S09] progress: is [True, False].\n       Write progress=True, or leave it out.",
    ),
    "an end beyond all floats": (
        lambda: run(until=HUGE),
        "[S09] until: is about 1e+400.\n       Give an end of the run in seconds, not before 0.",
    ),
    "more outputs than can be kept": (
        lambda: run(outputs=10**30),
        "[S09] outputs: is 1000000000000000000000000000000.\n"
        "       Give the number of instants to record, at most 10,000,000, or times.",
    ),
    "output times beyond all floats": (
        lambda: run(outputs=[HUGE]),
        "[S09] outputs: is [about 1e+400].\n       Give a whole number of instants, or a list of times.",
    ),
    "more instants than can be kept": (
        lambda: ml.inverse(pendulum(), cycle=10**30),
        "[S02] cycle: is 1000000000000000000000000000000.\n"
        "       Give a whole number of instants, at least 2 and at most 10,000,000.",
    ),
    "a step that never arrives": (
        lambda: run(integrator="rk4", step=1e-300),
        "[S09] step: is 1e-300 s, 1e+299 steps in all.\n"
        "       Give at least 1e-10 s: at most 1e+09 steps are taken.",
    ),
    "a step that does not go on": (
        late_run,
        "[S09] step: is 1 s, too short to go on from t = 1e+20 s.\n"
        "       Begin at an earlier time, or give a longer step.",
    ),
    "a step beyond all floats": (
        lambda: run(integrator="rk4", step=HUGE),
        "[S09] step: is about 1e+400.\n       rk4 has a fixed step: give it in seconds, step=1e-3.",
    ),
    "a time beyond all floats": (
        lambda: ml.assemble(pendulum(), t=HUGE),
        "[K10] t: is about 1e+400.\n       Give a finite time in seconds.",
    ),
    "text that is none": (
        lambda: ml.from_text(None),
        "[M90] None: is no text.\n       Give the text that `to_text` writes.",
    ),
    "a path that is none": (
        lambda: ml.load(5),
        "[F01] path: is 5, which is no path.\n       Give the name of a file.",
    ),
    "a picture into a folder that is not there": (
        lambda: ml.inverse(pendulum(), t=[0.0]).plot(path="nowhere/loads.png"),
        "[F01] loads.png: there is no folder 'nowhere' to write it into.\n"
        "       Make the folder first, or name another.",
    ),
    "a drawing into a folder that is not there": (
        lambda: pendulum().draw(path="nowhere/pendulum.png"),
        "[F01] pendulum.png: there is no folder 'nowhere' to write it into.\n"
        "       Make the folder first, or name another.",
    ),
    "a file into a folder that is not there": (
        lambda: ml.save(pendulum(), "nowhere/pendulum.yaml"),
        "[F01] pendulum.yaml: there is no folder 'nowhere' to write it into.\n"
        "       Make the folder first, or name another.",
    ),
}


@pytest.mark.parametrize("mistake", MESSAGES)
def test_a_mistake_is_told_with_its_place_and_remedy(mistake):
    ask, text = MESSAGES[mistake]
    with pytest.raises(ml.MultiloopError) as caught:
        ask()
    head, _, rest = str(caught.value).partition("\n")
    assert head.endswith((" has 1 fault:", " cannot be answered:"))
    assert rest == text


def test_a_picture_of_an_unknown_kind_is_told_which_there_are(tmp_path):
    with pytest.raises(ml.ModelError) as caught:
        pendulum().draw(path=tmp_path / "pendulum.xyz")
    said = "[F01] pendulum.xyz: it cannot be written: Format 'xyz' is not supported (supported formats: "
    assert said in str(caught.value)


def test_of_many_faults_the_first_are_told_and_the_others_counted():
    bodies = [ml.ground(A=(0, 0)), *(ml.Body(f"b{k}", mass=-1.0) for k in range(30))]
    joints = [ml.Fixed(f"F{k}", "ground.A", f"b{k}.origin") for k in range(30)]
    with pytest.raises(ml.ModelError) as caught:
        ml.Mechanism("m", planar=True, bodies=bodies, joints=joints)
    lines = str(caught.value).splitlines()
    assert lines[0] == "mechanism 'm' has 30 faults:"
    assert lines[1] == "[M03] body 'b0': mass is -1 kg."
    assert len(lines) == 42
    assert lines[-1] == "… and 10 more."


def test_after_a_hundred_faults_nobody_looks_for_more():
    joints = [ml.Revolute(f"j{k}", "ground.A", f"nothing{k}.a") for k in range(1000)]
    bodies = [ml.ground(A=(0, 0)), *(ml.Body(f"b{k}") for k in range(2000))]
    with pytest.raises(ml.ModelError) as caught:
        ml.Mechanism("m", planar=True, bodies=bodies, joints=joints)
    lines = str(caught.value).splitlines()
    assert lines[0] == "mechanism 'm' has 100 faults or more:"
    assert lines[-1] == "… and 80 more."


def test_of_many_unknown_fields_the_first_are_told_and_the_others_counted():
    data = {"kind": "Mechanism", "name": "m"} | {f"f{k}": 1 for k in range(100_000)}
    with pytest.raises(ml.ModelError) as caught:
        ml.from_data(data)
    assert len(caught.value.faults) == 21
    assert str(caught.value.faults[-1]) == (
        "[M91] a Mechanism: has 99,980 more that are no field of it.\n       Mend these first."
    )
