"""The error if the deflection of a link reaches its own length."""

from __future__ import annotations

import numpy as np
import pytest
from texts import Texts
from zoo.plain import pinned_body

import multiloop as ml

H = ml.Parameter("h", 0.01)


def rotor(height: ml.Parameter | float) -> ml.Mechanism:
    """An arm of 2 m with an angular acceleration of up to 157 rad/s²: it must be stiff in its plane."""
    blade = ml.beam(
        "blade", length=2.0, E=70e9, density=2700, section=ml.rectangle(0.15, height), modes=1, frame="a"
    )
    return pinned_body(
        blade,
        "rotor",
        joint="shaft",
        gravity=(0, 0),
        drives=[ml.Motion("shaft", ml.motion_laws.cycloidal(0, 25.0, duration=1.0))],
    )


def error_of(machine: ml.Mechanism, **asked: object) -> ml.SolveError:
    with pytest.raises(ml.SolveError) as refused:
        ml.simulate(machine, **{"until": 0.5, "samples": 501, "rtol": 1e-8} | asked)  # type: ignore[arg-type]
    assert refused.value.time is not None
    return refused.value


def test_a_blade_too_soft_for_its_drive(texts: Texts) -> None:
    texts.fault(error_of(rotor(0.01)), "S20", "t = 0.201 s", "'blade'")


@pytest.mark.parametrize(
    "how", [{"target": "interpreter"}, {"integrator": "implicit"}, {"method": "augmented"}, {"until": 1.2}]
)
def test_excessive_deflection_is_the_same_compiled_and_interpreted(
    how: dict[str, object], texts: Texts
) -> None:
    texts.fault(
        error_of(rotor(0.01), **how),
        "S20",
        "t = 0.2",
        "'blade'",
        hide=[r"(?<=t = 0\.2)\d*", r"(?<= by 1)[.\d]*"],
    )


def test_of_many_designs(texts: Texts) -> None:
    """The other designs continue; this one has its instants up to there, and the same reason as alone."""
    runs = ml.simulate(rotor(H), until=0.5, samples=51, parameters={"h": np.array([0.15, 0.01])})
    assert runs.status[0] == "ok"
    texts(runs.status[1])
    assert runs[1].link("blade").largest_deflection < 1.0
    assert 0.15 < runs[1].time[-1] < 0.201
    assert "[S20]" in runs.reason(1)


def test_a_start_that_is_not_finite(texts: Texts) -> None:
    texts.fault(error_of(rotor(0.15), start={"blade.eta": (3.0,)}), "S20", "t = 0 s", "'blade'")


def test_where_a_motor_prescribes_the_motion_beyond_a_soft_link(texts: Texts) -> None:
    """The motion of a hand is prescribed by a motor at the far end of a soft link: the elastic coordinates are
    unstable."""
    made = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.03, 0.003), "modes": 2, "frame": "a"}
    arm = pinned_body(
        ml.beam("arm", length=0.5, **made),
        gravity=(0, 0),
        drives=[ml.Motion("arm.b", y=ml.motion_laws.cycloidal(0.0, 0.2, duration=0.2))],
        actuators=[ml.Actuator("A")],
    )
    texts.fault(error_of(arm, guess={"A": 0.0}, until=0.2), "S20", "'arm'", hide=[r"\d+\.\d+(?: s)?"])
