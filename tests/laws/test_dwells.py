"""Drives that come to rest with friction and a freewheel held: round-off of the motion law is no contradiction."""

import pytest

import multiloop as ml


def feeder(law):
    """A rocker turns a braked roll through a freewheel, forwards by a motion law, and returns after a dwell.

    The brake decelerates the roll by 60 rad/s², the laws by at most 56 rad/s²: it never overruns the rocker.
    """
    return ml.Mechanism(
        "feeder",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(),
            ml.Body("rocker", mass=1.0, inertia=1e-3),
            ml.Body("roll", mass=1.0, inertia=1e-3),
        ],
        joints=[
            ml.Revolute("P", "ground.origin", "rocker.origin"),
            ml.Revolute("axle", "ground.origin", "roll.origin"),
            ml.Revolute("hub", "rocker.origin", "roll.origin"),
        ],
        drives=[ml.Motion("P", law(0, 0.3, duration=0.2, begin=0.1) - law(0, 0.3, duration=0.2, begin=0.6))],
        loads=[ml.Freewheel("clutch", "hub"), ml.Friction("brake", "axle", effort=0.06, stiction="exact")],
    )


@pytest.mark.parametrize("law", [ml.polynomial_345, ml.polynomial_4567, ml.cycloidal, ml.modified_sine])
def test_a_roll_is_fed_by_each_stroke_and_rests_in_the_dwells(law):
    run = ml.simulate(feeder(law), until=1.0, start={"axle": 0.0}, outputs=101)
    assert run.status == "ok"
    fed = run["axle"].position
    assert fed[[30, 58, 62, 100]] == pytest.approx(0.3, abs=1e-8)
    dwells = [*range(32, 59), *range(82, 101)]
    assert run["brake"].sticking[dwells].all()
    assert abs(run["brake"].effort[dwells]).max() < 1e-12
    least, largest = run["brake"].range("effort")[dwells].T
    assert (least >= -0.06 * (1 + 1e-9)).all()
    assert (largest <= 1e-12).all()
