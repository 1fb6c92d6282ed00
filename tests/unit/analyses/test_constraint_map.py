"""C and its rate: of relations by formulas, of loops by differences along the motion, and of relations that depend on
time."""

import numpy as np
import pytest
from published.dado.by_hand import constraint_map as by_hand

import multiloop as ml


def test_of_relations_as_dado_has_it():
    robot = ml.examples.dado_robot()
    start = {"psi1": 0.3, "psi2": -12.0, "psi3": 18.0}
    found = ml.constraint_map(robot, start, independent=["psi1", "psi2", "psi3"])
    _, C = by_hand()
    for k in range(6):
        assert found[f"q{k + 1}"] == pytest.approx(C[k], abs=1e-14)
    assert np.abs(found.C_rate).max() < 1e-12
    assert np.abs(found.c0).max() < 1e-13


@pytest.mark.parametrize("name", ["A", "D"])
def test_of_a_loop(name):
    plain = ml.examples.four_bar()
    free = plain.without_drives()
    run = ml.simulate(free, start={"A": 2.0}, rates={"A": 3.0}, until=0.02, samples=21)
    maps = [ml.constraint_map(free, run.at(t), independent=[name]) for t in run.time]
    here = maps[10]
    for k, joint in enumerate(here.names):
        psi, second = run[name].rate[10], run[name].acceleration[10]
        assert run[joint].rate[10] == pytest.approx(here.C[k, 0] * psi, abs=1e-11)
        expected = here.C[k, 0] * second + here.C_rate[k, 0] * psi + here.c0_rate[k]
        assert run[joint].acceleration[10] == pytest.approx(expected, abs=1e-9)
    h = run.time[1]
    difference = sum(w * maps[10 + k].C for w, k in ((1, -2), (-8, -1), (8, 1), (-1, 2))) / (12 * h)
    assert here.C_rate == pytest.approx(difference, abs=1e-7 * max(1.0, np.abs(difference).max()))


def test_a_relation_with_a_time_of_its_own():
    """B = A sin t: rate sin t A' + A cos t, and the mixed term counts twice in the acceleration."""
    shafts = ml.Mechanism(
        "shafts",
        planar=True,
        bodies=[ml.ground(B=0.3), ml.Body("a", inertia=0.1, mass=1.0), ml.Body("b", inertia=0.1, mass=1.0)],
        joints=[ml.Revolute("A", "ground.origin", "a.origin"), ml.Revolute("B", "ground.B", "b.origin")],
        pairs=[ml.Relation("law", ml.position("B") - ml.position("A") * ml.expr.sin(ml.time))],
    )
    t, angle, rate = 0.7, 0.4, 1.5
    found = ml.constraint_map(shafts, {"A": angle}, rates={"A": rate}, independent=["A"], t=t)
    assert found["B"] == pytest.approx([np.sin(t)], abs=1e-13)
    assert found.C_rate[1] == pytest.approx([np.cos(t)], abs=1e-12)
    assert found.c0[1] == pytest.approx(angle * np.cos(t), abs=1e-13)
    assert found.c0_rate[1] == pytest.approx(rate * np.cos(t) - angle * np.sin(t), abs=1e-12)


@pytest.mark.parametrize(
    ("independent", "message"),
    [
        (["Z"], ("[S09]", "'Z'")),
        (["A", "D"], ("[S09]", "1")),
        ([], ("[S09]", "1")),
        (["A.slide"], ("[S09]", "'A.slide'")),
    ],
)
def test_coordinates_that_do_not_serve(independent, message, texts):
    with pytest.raises(ml.SolveError) as refused:
        ml.constraint_map(ml.examples.four_bar(), {"A": 0.8}, independent=independent)
    texts(refused.value, *message)
