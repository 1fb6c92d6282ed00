"""Messages if there is no equilibrium, no steady motion, no time-invariant linear model, or no period."""

from __future__ import annotations

import pytest
from steady_mechanisms import damped_four_bar, engine, governor, toggle

import multiloop as ml


def error_of(code: str, call) -> ml.MultiloopError:
    with pytest.raises(ml.MultiloopError) as caught:
        call()
    assert [fault.code for fault in caught.value.faults] == [code]
    return caught.value


def falling() -> ml.Mechanism:
    return ml.Mechanism(
        "lift",
        planar=True,
        bodies=[
            ml.ground(A=ml.marker((0, 0), angle=1.5707963267948966)),
            ml.Body("cage", mass=200.0, inertia=1.0),
        ],
        joints=[ml.Prismatic("shaft", "ground.A", "cage.origin")],
    )


def test_no_equilibrium(texts):
    error = error_of("E01", lambda: ml.equilibrium(falling(), start={"shaft": 1.0}))
    texts.fault(error, "E01", "'shaft'", "1.96e+03 N", "1.0e+00", hide=[r"(?<=at shaft ).*"])


def test_a_state_that_is_no_equilibrium(texts):
    texts.fault(
        error_of("E02", lambda: ml.linearise(damped_four_bar(), {"A": -0.9})), "E02", "'A'", "7.1 N·m"
    )


def test_a_model_that_varies(texts):
    """A wheel that rotates past a spring: in balance at every angle, but with varying stiffness."""
    angle = ml.position("spin")
    wheel = ml.Mechanism(
        "wheel",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(O=(0, 0)),
            ml.Body("disc", mass=1.0, inertia=0.1),
            ml.Body("bob", mass=1.0, inertia=0.1),
        ],
        joints=[ml.Revolute("spin", "ground.O", "disc.origin"), ml.Revolute("arm", "ground.O", "bob.origin")],
        drives=[ml.Motion("spin", ml.motion_laws.constant_speed(3.0))],
        actuators=[ml.Actuator("arm", effort=-(2 + ml.expr.sin(angle)) * ml.position("arm"))],
    )
    texts.fault(
        error_of("E03", lambda: ml.linearise(wheel, {"arm": 0.0})),
        "E03",
        "linearise",
        "'spin'",
        "'arm rate'",
        "'arm'",
        "37 %",
    )


def test_a_motion_that_is_not_steady(texts):
    texts.fault(
        error_of("E04", lambda: ml.equilibrium(ml.examples.slider_crank())),
        "E04",
        "13 %",
        "'O'",
        "'wrist pin'",
    )


def test_drives_that_accelerate(texts):
    swing = ml.examples.four_bar().replace(drives=[ml.Motion("A", ml.expr.cos(ml.time))])
    texts.fault(error_of("E04", lambda: ml.equilibrium(swing)), "E04", "equilibrium", "'A'", "-1 rad/s²")


def test_invalid_inputs_and_outputs_are_refused(texts):
    bar = damped_four_bar()
    texts(error_of("E05", lambda: ml.linearise(bar, outputs=["coupler.x"])), "'coupler.x'", "'coupler.p'")
    texts.fault(error_of("E05", lambda: ml.linearise(bar, outputs=[3.0])), "E05", "output 'output 1'", "3.0")
    texts.fault(
        error_of("E05", lambda: ml.linearise(governor(), ml.equilibrium(governor()), inputs=["Omega"])),
        "E05",
        "input 'Omega'",
    )
    texts.fault(
        error_of("S03", lambda: ml.linearise(governor(), ml.equilibrium(governor()), inputs=["spin"])),
        "S03",
        "effort at 'spin'",
    )
    texts(error_of("E05", lambda: ml.eigenmodes(bar).shape(4)), "4", "1")
    texts.fault(error_of("S09", lambda: ml.linearise(bar, inputs="A")), "S09", "inputs", "'A'")


def test_no_mass_decides(texts):
    texts.fault(error_of("S06", lambda: ml.linearise(toggle(load=5.0))), "S06")


def test_what_cannot_be_followed(texts):
    texts(error_of("S10", lambda: ml.equilibrium(toggle(), along={"Q": (0, 1)})), "'Q'", "P.")
    texts.fault(
        error_of("S10", lambda: ml.equilibrium(toggle(), along={"P": (0, 0)})), "S10", "along 'P'", "(0, 0)"
    )
    texts.fault(error_of("S10", lambda: ml.equilibrium(toggle(), along="P")), "S10", "along", "'P'")


def test_no_period(texts):
    machine, begin = engine(load=10.0), {"start": {"O": 0.3}, "rates": {"O": 90.0}}
    error = error_of("E06", lambda: ml.periodic(machine, turn="O", mean_speed=100.0, **begin))
    texts.fault(error, "E06", "rate of O", "0.05", hide=[r"(?<=0\.05)\d+"])
    texts.fault(error_of("E06", lambda: ml.periodic(machine, **begin)), "E06", "period")
    texts.fault(error_of("E06", lambda: ml.periodic(machine, turn="O", start={"O": 0.3})), "E06", "'O'")
    texts.fault(error_of("E06", lambda: ml.periodic(machine, mean_speed=3.0, **begin)), "E06", "mean_speed")
    texts.fault(
        error_of("E06", lambda: ml.periodic(machine, turn="O", turns=0, **begin)), "E06", "turns", "0"
    )


def test_unilateral_loads_have_no_linear_model(texts):
    bar = ml.examples.sprung_four_bar()
    stuck = bar.replace(loads=[*bar.loads, ml.Friction("wear", "A", effort=0.2, stiction="exact")])
    texts.fault(error_of("E05", lambda: ml.equilibrium(stuck)), "E05", "load 'wear'")
