"""Drives with dwells beside friction and a freewheel: round-off of the motion law is not reported as a
contradiction."""

import numpy as np
import pytest

import multiloop as ml


def feeder(law):
    """A rocker turns a braked roll through a freewheel, forward by a motion law, and returns after a dwell.

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


LAWS = [
    ml.motion_laws.polynomial_345,
    ml.motion_laws.polynomial_4567,
    ml.motion_laws.cycloidal,
    ml.motion_laws.modified_sine,
]


@pytest.mark.parametrize("law", LAWS)
def test_a_roll_is_fed_by_each_stroke_and_rests_in_the_dwells(law):
    run = ml.simulate(feeder(law), until=1.0, start={"axle": 0.0}, samples=101)
    assert run.status == "ok"
    assert run["axle"].position[[30, 58, 62, 100]] == pytest.approx(0.3, abs=1e-8)
    dwells = [*range(32, 59), *range(82, 101)]
    assert run["brake"].sticking[dwells].all()
    assert abs(run["brake"].effort[dwells]).max() < 1e-9 * 0.06
    least, largest = run["brake"].range("effort")[dwells].T
    assert (least >= -0.06 * (1 + 1e-9)).all()
    assert (largest <= 1e-9 * 0.06).all()


@pytest.mark.parametrize("integrator", ["implicit", "imex"])
@pytest.mark.parametrize("law", LAWS)
def test_the_same_is_fed_with_other_integrators(law, integrator):
    """In the dwells rates are integration errors, which no force contradicts."""
    run = ml.simulate(feeder(law), until=1.0, start={"axle": 0.0}, samples=101, integrator=integrator)
    assert run.status == "ok"
    assert run.impacts == ()
    assert run["axle"].position[[30, 58, 62, 100]] == pytest.approx(0.3, abs=1e-7)


CAM = """
kind: Mechanism
name: cam feeder
planar: true
gravity: [0, 0]
bodies:
- {kind: ground, markers: {O: [0, 0], P: [-90 mm, 35 mm]}}
- {kind: Body, name: shaft, mass: 1 kg, inertia: 200 kg·mm²}
- {kind: Body, name: rocker, mass: 200 g, inertia: 3e-4, com: [50 mm, 0], markers: {tip: [90 mm, 0]}}
- {kind: Body, name: roll, mass: 1 kg, inertia: 4e-4}
joints:
- {kind: Revolute, name: O, first: ground.O, second: shaft.origin}
- {kind: Revolute, name: P, first: ground.P, second: rocker.origin}
- {kind: Revolute, name: axle, first: ground.P, second: roll.origin}
- {kind: Revolute, name: hub, first: rocker.origin, second: roll.origin}
pairs:
- kind: Cam
  name: cam
  first: shaft.origin
  second: rocker.tip
  lift: >-
    polynomial_345(0, 15 deg, duration=80 deg, begin=20 deg)
    - polynomial_345(0, 15 deg, duration=100 deg, begin=150 deg)
  base: 30 mm
  roller: 12 mm
  pivot: [-90 mm, 35 mm]
  arm: 90 mm
drives:
- {kind: Motion, of: O, profile: 'constant_speed(120 rpm)'}
loads:
- {kind: Freewheel, name: clutch, joint: hub}
- {kind: Friction, name: brake, joint: axle, effort: 50 N·mm, stiction: exact}
guess: {P: 4 deg}
"""


@pytest.mark.parametrize("how", [{}, {"integrator": "implicit"}, {"rtol": 1e-6}], ids=str)
def test_a_freewheel_that_engages_at_rest_is_not_struck(how, tmp_path):
    """A cam begins to turn its rocker from rest: there is no impact, and 15° are fed in each turn."""
    (tmp_path / "feeder.yaml").write_text(CAM, encoding="utf-8")
    machine = ml.load(tmp_path / "feeder.yaml")
    run = ml.simulate(machine, until=1.0, start={"axle": 0.0}, samples=[0.0, 0.5, 1.0], **how)
    assert run.impacts == ()
    assert run["axle"].position[1:] == pytest.approx([np.pi / 12, np.pi / 6], abs=1e-6)
