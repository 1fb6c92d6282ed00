"""Input that once ended in an exception of Python or NumPy: it is accepted, or refused by a MultiloopError."""

import pickle

import numpy as np
import pytest

import multiloop as ml


def pendulum(*drives, **more):
    rod = ml.rod("rod", length=1.0, mass=ml.Parameter("m", 1.0))
    joint = ml.Revolute("A", "ground.A", "rod.a")
    bodies = [ml.ground(A=(0, 0)), rod]
    return ml.Mechanism("pendulum", planar=True, bodies=bodies, joints=[joint], drives=drives, **more)


def turning(speed=1.0):
    return pendulum(ml.Motion("A", ml.motion_laws.constant_speed(speed)))


def fixed(**more):
    rod, joint = ml.rod("rod", length=1.0, mass=1.0), ml.Fixed("A", "ground.A", "rod.a")
    return ml.Mechanism("fixed", planar=True, bodies=[ml.ground(A=(0, 0)), rod], joints=[joint], **more)


def wide_beam():
    beam = ml.beam("b", length=1.0, section=ml.rectangle(1e300, 1e300), E=2e11, density=7800)
    joint = ml.Revolute("A", "ground.A", "b.a")
    return ml.Mechanism("wide", planar=True, bodies=[ml.ground(A=(0, 0)), beam], joints=[joint])


def swing(**given):
    return ml.simulate(pendulum(), until=0.01, start={"A": 0.1}, **given)


def gear(radii):
    return ml.Gear("mesh", "p.origin", "w.origin", radii=radii)


DESIGNS = {"m": [1.0, 2.0]}
REFUSED = {
    "three radii": (lambda: gear((0.1, 0.2, 0.3)).sizes, ("[G04]", "'mesh'", "(0.1, 0.2, 0.3)")),
    "distance of three radii": (
        lambda: gear((0.1, 0.2, 0.3)).standard_distance,
        ("[G04]", "(0.1, 0.2, 0.3)"),
    ),
    "radii of a belt": (
        lambda: ml.Belt("b", "p.origin", "w.origin", radii=(0.1,)).pitch_radii,
        ("[G04]", "'b'", "(0.1,)"),
    ),
    "a wide section": (wide_beam, ("[M15]", "'b'", "inf")),
    "an integral of a fixed body": (
        lambda: ml.equilibrium(fixed(integrals=[ml.Integral("x", ml.Parameter("k", 2.0))])),
        ("[E01]", "'x'", "2"),
    ),
    "a number for a joint": (
        lambda: swing(control=lambda t, positions, rates: {0: 1.0}, sample=0.005),
        ("[S03]", "0", "1.0", "0 s"),
    ),
    "an effort without a value": (
        lambda: ml.equilibrium(pendulum(), efforts={"A": 1 / ml.time}),
        ("[E01]", "'A'", "0 s", "`1 / time`", "`time`"),
    ),
    "an actuator without a value": (
        lambda: ml.equilibrium(pendulum(actuators=[ml.Actuator("A", effort=1 / ml.time)])),
        ("[E01]", "'A'", "0 s"),
    ),
    "a number for cuts": (lambda: ml.analyse(pendulum(), cuts=np.array(1.0)), ("[S09]", "(1.)")),
    "a table of cuts": (lambda: ml.analyse(pendulum(), cuts=np.array([["A"]])), ("[S09]",)),
    "endless turns": (lambda: ml.inverse(turning(), cycle=13, turns=1e308), ("[S02]", "1e+308")),
    "endless turns of many designs": (
        lambda: ml.batch(turning(), parameters=DESIGNS, cycle=13, turns=1e308),
        ("[S02]", "1e+308"),
    ),
    "a cycle at rest": (lambda: ml.inverse(turning(0), cycle=13), ("[S02]", "'A'", "0")),
    "many instants": (lambda: swing(samples=10**7), ("[S02]", "10,000,000", "12")),
    "many instants of a cycle": (lambda: ml.inverse(turning(), cycle=10**7), ("[S02]", "12")),
    "a long time": (
        lambda: ml.batch(turning(), parameters=DESIGNS, t=[0, 1e12]),
        ("[S02]", "0", "1e+12 s", "1e+12 rad", "100,000"),
    ),
}
"""By name: the function call, and the expected parts of the error."""


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_with_the_reason(name, texts):
    asked, expected = REFUSED[name]
    with pytest.raises(ml.MultiloopError) as caught:
        asked()
    texts(caught.value, *expected)
    assert all(fault.code and fault.where and fault.what and fault.remedy for fault in caught.value.faults)


@pytest.mark.parametrize("tag", ["map", "set"])
@pytest.mark.parametrize("content", ["1", "[1]", "x"])
def test_a_tag_of_mappings_on_something_else(tmp_path, tag, content, texts):
    path = tmp_path / "m.yaml"
    path.write_text(f"kind: Mechanism\nname: !!{tag} {content}\n", encoding="utf-8")
    with pytest.raises(ml.ModelError) as caught:
        ml.load(path)
    texts.fault(caught.value, "F01", "2", "7", tag)


def test_a_relation_that_leaves_no_degree_of_freedom():
    held = pendulum(pairs=[ml.Relation("R", ml.position("A") - 0.3)], actuators=[ml.Actuator("A")])
    result = ml.inverse(held, t=[0.0, 1.0])
    assert result["A"].position == pytest.approx(0.3, abs=1e-12)
    assert result["A"].effort == pytest.approx(0.0, abs=1e-9)  # the relation constrains it, not the actuator


def test_no_inputs_may_be_given_as_the_value_none():
    down = ml.equilibrium(pendulum(), start={"A": -1.5})
    assert ml.linearise(pendulum(), down, inputs=None).B.shape[1] == 0


@pytest.mark.parametrize("threads", [np.int8(3), np.int64(1), 2])
def test_a_number_of_threads_may_be_of_numpy(threads):
    few, alone = (ml.batch(turning(), parameters=DESIGNS, t=[0.0, 1.0], threads=n) for n in (threads, 1))
    assert np.array_equal(few.peak_effort["A"], alone.peak_effort["A"])


def bending(kind):
    if kind == "beam":
        return ml.beam("b", length=1.0, section=ml.rectangle(0.01, 0.01), E=2e11, density=7800, modes=1)
    pytest.importorskip("skfem")
    mesh = ml.box_mesh(1.0, 0.1, 0.1, elements=(2, 1, 1))
    given = {"E": 2e11, "density": 7800, "interfaces": {"a": "x0"}, "modes": 2, "basis": "natural"}
    return ml.solid("b", mesh=mesh, **given)


@pytest.mark.parametrize("kind", ["beam", "solid"])
def test_a_link_goes_to_other_processes(kind):
    joint = ml.Revolute("A", "ground.A", "b.a")
    machine = ml.Mechanism("m", planar=True, bodies=[ml.ground(A=(0, 0)), bending(kind)], joints=[joint])
    result = ml.simulate(machine, until=0.001, samples=3, start={"A": 0.1})
    link = result.link("b")
    copy = pickle.loads(pickle.dumps(link))
    assert repr(copy) == repr(link)
    assert np.array_equal(copy.largest("stress"), link.largest("stress"))
    assert repr(pickle.loads(pickle.dumps(result)).link("b")) == repr(link)
