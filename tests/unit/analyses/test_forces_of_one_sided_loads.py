"""The reported largest forces if ropes and contacts support a body without joints."""

import matplotlib as mpl
import numpy as np
import pytest
from laws.test_shared_forces import AT_REST, hung
from texts import Texts
from zoo.plain import free_body

import multiloop as ml

mpl.use("Agg")


def ladder() -> ml.Mechanism:
    """A ladder of 5 kg, at 60° on a floor and a wall, with so much friction that it is at rest."""
    ends = {"foot": (0, -1), "top": (0, 1)}
    return free_body(
        ml.Body("ladder", mass=5.0, inertia=5.0 / 3, markers=ends),
        "ladder",
        ground=ml.ground(floor=(0, 0), wall=ml.marker((1, 0), angle=np.pi / 2)),
        planar=True,
        gravity=(0, -9.81),
        loads=[
            ml.Contact("floor", "ladder.foot", "ground.floor", coefficient=0.5),
            ml.Contact("wall", "ladder.top", "ground.wall", coefficient=0.5),
        ],
    )


LADDER = {"floats": (0.5, np.sqrt(0.75), -np.pi / 6)}


@pytest.mark.parametrize(
    ("mechanism", "start"), [(hung(), AT_REST), (ladder(), LADDER)], ids=["plate", "ladder"]
)
def test_a_joint_that_constrains_nothing_bears_no_load(
    mechanism: ml.Mechanism, start: dict, texts: Texts
) -> None:
    result = ml.forward(mechanism, start)
    assert not result["floats"].load.any()
    assert "floats" not in str(result)
    texts(result)
    assert not [row for row in result.extremes() if row.joint == "floats"]


def test_forces_of_ropes_are_among_the_extremes_largest_first(texts: Texts) -> None:
    result = ml.simulate(hung(), until=0.01, start=AT_REST)
    rows = [row for row in result.extremes() if row.what == "force"]
    expected = {f"rope {k}": result[f"rope {k}"].force.max() for k in "1234"}
    assert {row.joint: row.value for row in rows} == pytest.approx(expected)
    assert [row.value for row in rows] == sorted(expected.values(), reverse=True)
    texts(result, f"'{rows[0].joint}'", hide=[r"(?<= at t = )[\d.]+"])


def test_the_force_of_a_contact_is_that_of_normal_and_friction() -> None:
    result = ml.forward(ladder(), LADDER)
    rows = {row.joint: row.value for row in result.extremes()}
    for name in ("floor", "wall"):
        assert rows[name] == pytest.approx(np.linalg.norm(result[name].force[0]), rel=1e-12)


def test_round_off_of_loads_is_not_drawn() -> None:
    result = ml.simulate(hung(), until=0.01, start=AT_REST)
    words = [text.get_text() for axes in result.plot().axes for text in axes.findobj(mpl.text.Text)]
    assert not any("floats" in text and "N" in text for text in words)


def test_a_body_that_falls_freely_bears_nothing() -> None:
    body = ml.Body("stone", mass=3.0, inertia=(0.1, 0.2, 0.3), com=(0.1, 0.2, 0.3))
    pendulum = ml.Mechanism(
        "falls",
        bodies=[ml.ground(), body, ml.Body("tail", mass=1.0, inertia=(0.1, 0.1, 0.1))],
        joints=[
            ml.Free("floats", "ground.origin", "stone.origin"),
            ml.Revolute("hinge", "stone.origin", "tail.origin"),
        ],
    )
    result = ml.forward(pendulum, {"floats": (0, 0, 0, 1, 0, 0, 0), "hinge": 0.3})
    (row,) = result.extremes()
    assert (row.joint, row.value) == ("hinge", 0.0)
