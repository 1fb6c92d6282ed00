"""User-defined state variables: PI control and filters as expressions, in every integrator and every result."""

from __future__ import annotations

import numpy as np
import pytest
from laws.closed_positions import built
from texts import Texts

import multiloop as ml
from multiloop.kernels.runtime import INTEGRATORS

INERTIA, STIFFNESS, DAMPING, RESET, GOAL = 0.5, 20.0, 4.0, 30.0, 0.7


def rotor(**changes) -> ml.Mechanism:
    """A free rotor controlled to an angle: I θ̈ = −k (θ − goal) − d θ̇ − kᵢ x,  ẋ = θ − goal."""
    error = ml.position("A") - GOAL
    effort = -STIFFNESS * error - DAMPING * ml.rate("A") - RESET * ml.integral("error")
    given = {
        "planar": True,
        "gravity": (0, 0),
        "bodies": [ml.ground(), ml.Body("disc", mass=1.0, inertia=INERTIA)],
        "joints": [ml.Revolute("A", "ground.origin", "disc.origin")],
        "actuators": [ml.Actuator("A", effort=effort)],
        "integrals": [ml.Integral("error", of=error, start=0.1)],
    }
    return ml.Mechanism("rotor", **(given | changes))


def exact(t: np.ndarray, theta: float = 0.0, omega: float = 0.0, x: float = 0.1) -> np.ndarray:
    """θ and x over time: the linear system of third order by its eigenvalues, (2, instants)."""
    matrix = [[0, 1, 0], [-STIFFNESS / INERTIA, -DAMPING / INERTIA, -RESET / INERTIA], [1, 0, 0]]
    values, vectors = np.linalg.eig(np.array(matrix))
    weights = np.linalg.solve(vectors, np.array([theta - GOAL, omega, x]))
    found = (vectors @ (weights[:, None] * np.exp(np.outer(values, t)))).real
    return np.array([found[0] + GOAL, found[2]])


@pytest.mark.parametrize(
    ("asked", "allowed"),
    [
        ({"integrator": "dop853"}, 1e-8),
        ({"integrator": "rk45"}, 1e-8),
        ({"integrator": "implicit", "rtol": 1e-8}, 1e-6),
        ({"integrator": "rk4", "step": 1e-3}, 1e-8),
        ({"integrator": "gear", "rtol": 1e-10}, 1e-6),
        ({"integrator": "imex", "rtol": 1e-9}, 1e-7),
        ({"integrator": "dop853", "target": "interpreter"}, 1e-8),
        ({"integrator": "rk45", "target": "interpreter"}, 1e-8),
        ({"integrator": "implicit", "target": "interpreter", "rtol": 1e-8}, 1e-6),
        ({"method": "augmented"}, 1e-8),
        ({"method": "virtual_work"}, 1e-8),
    ],
)
def test_a_pi_controlled_rotor_moves_as_the_linear_system_does(asked, allowed) -> None:
    """Allowed: a hundred tolerances, since the error constants of the methods differ."""
    run = ml.simulate(rotor(), start={"A": 0.0}, until=2.0, samples=41, **asked)
    theta, x = exact(run.time)
    assert np.abs(run["A"].position - theta).max() < allowed
    assert np.abs(run.integrals["error"] - x).max() < allowed
    effort = -STIFFNESS * (theta - GOAL) - DAMPING * run["A"].rate - RESET * x
    assert np.abs(run["A"].effort - effort).max() < 100 * allowed


def test_every_integrator_was_asked() -> None:
    assert set(INTEGRATORS) == {"dop853", "rk45", "implicit", "rk4", "gear", "imex"}


def four_bar(**changes) -> ml.Mechanism:
    """A four-bar whose rocker is controlled to an angle through the crank, with a filtered error."""
    error = ml.position("D") - 1.9
    smooth = ml.Integral("smooth", of=8.0 * (error - ml.integral("smooth")), start=ml.Parameter("s", 0.02))
    total = ml.Integral("total", of=ml.integral("smooth") + 0.1 * ml.expr.sin(ml.time))
    effort = 6.0 * ml.integral("smooth") + 3.0 * ml.integral("total") - 0.4 * ml.rate("A")
    given = {"drives": (), "actuators": [ml.Actuator("A", effort=effort)], "integrals": [smooth, total]}
    return built("four-bar").replace(**(given | changes))


def test_interpreter_and_machine_code_agree_in_a_loop() -> None:
    asked = {"start": {"A": 1.0}, "until": 1.0, "samples": 21}
    runs = [
        ml.simulate(four_bar(), **asked),
        ml.simulate(four_bar(), target="interpreter", **asked),
        ml.simulate(four_bar(), integrator="gear", **asked),
        ml.simulate(four_bar(), method="embedding", **asked),
    ]
    for other, allowed in zip(runs[1:], (1e-8, 1e-6, 1e-8), strict=True):
        for name in ("smooth", "total"):
            assert np.abs(other.integrals[name] - runs[0].integrals[name]).max() < allowed
        assert np.abs(other["A"].position - runs[0]["A"].position).max() < 10 * allowed
    assert np.abs(runs[0].integrals["total"]).max() > 0.05
    assert runs[0].energy_drift < 1e-8


def test_a_run_from_a_state_continues_its_integrals() -> None:
    whole = ml.simulate(four_bar(), start={"A": 1.0}, until=1.0, samples=[0.4, 1.0])
    first = ml.simulate(four_bar(), start={"A": 1.0}, until=0.4, samples=5)
    state = first.final
    assert state.integrals["total"] == first.integrals["total"][-1] != 0.0
    rest = ml.simulate(four_bar(), start=state, until=1.0, samples=[1.0])
    # The steps of both runs differ, and the results by some tolerances of 1e-10.
    assert rest["A"].position[-1] == pytest.approx(whole["A"].position[-1], abs=1e-8)
    assert rest.integrals["smooth"][-1] == pytest.approx(whole.integrals["smooth"][-1], abs=1e-8)
    now = ml.forward(four_bar(), state)
    assert now["A"].effort[0] == pytest.approx(first["A"].effort[-1], rel=1e-9)
    assert now.integrals["total"][0] == state.integrals["total"]


def test_forward_and_inverse_take_the_start() -> None:
    one = rotor(integrals=[ml.Integral("error", of=ml.position("A"), start=ml.Parameter("x", 0.1))])
    expected = STIFFNESS * GOAL - RESET * 0.1
    assert ml.forward(one, {"A": 0.0})["A"].effort[0] == pytest.approx(expected)
    assert ml.assemble(one, {"A": 0.0}).integrals == {"error": 0.1}
    driven = four_bar(drives=built("four-bar").drives, actuators=[ml.Actuator("A"), *_pushed()])
    given = ml.inverse(driven, t=[0.0, 0.1])
    assert given["D"].effort == pytest.approx([5.0 * 0.02] * 2)
    assert given.integrals["smooth"] == pytest.approx([0.02] * 2)
    designs = ml.batch(driven, {"s": [0.02, 0.5]}, t=[0.0, 0.1], keep="all")
    alone = [ml.inverse(driven, parameters={"s": s}, t=[0.0, 0.1])["A"].effort for s in (0.02, 0.5)]
    np.testing.assert_allclose(designs.effort["A"], alone, rtol=1e-9)
    assert not np.allclose(alone[0], alone[1])


def _pushed() -> list[ml.Actuator]:
    return [ml.Actuator("D", effort=5.0 * ml.integral("smooth"))]


def test_designs_have_their_own_start_and_their_own_state() -> None:
    values = {"s": np.array([0.02, 0.3, -0.2])}
    runs = ml.simulate(four_bar(), parameters=values, start={"A": 1.0}, until=0.5, samples=3)
    assert runs.ok.all()
    for k, s in enumerate(values["s"]):
        alone = ml.simulate(four_bar().with_parameters(s=s), start={"A": 1.0}, until=0.5, samples=3)
        assert runs[k].integrals["smooth"][0] == s
        assert runs[k].integrals["total"] == pytest.approx(alone.integrals["total"], abs=1e-8)
        assert runs[k]["A"].position == pytest.approx(alone["A"].position, abs=1e-8)


def test_events_and_controllers_read_integrals() -> None:
    free = rotor(actuators=())
    seen = []

    def control(t, positions, rates, integrals):
        seen.append(dict(integrals))
        error = positions["A"] - GOAL
        return {"A": -STIFFNESS * error - DAMPING * rates["A"] - RESET * integrals["error"]}

    watched = {"balanced": ml.integral("error") + 0.02}
    run = ml.simulate(free, start={"A": 0.0}, until=1.0, control=control, events=watched, samples=11)
    assert run["A"].position == pytest.approx(exact(run.time)[0], abs=1e-8)
    assert seen[0] == {"error": 0.1}
    assert run.events["balanced"]
    assert exact(np.array(run.events["balanced"]))[1] == pytest.approx(-0.02, abs=1e-9)


def test_integrals_stand_in_the_dataset() -> None:
    run = ml.simulate(four_bar(), start={"A": 1.0}, until=0.2, samples=3)
    data = run.dataset
    np.testing.assert_array_equal(data["integrals"].sel(integral="total"), run.integrals["total"])
    assert "integrals" not in ml.simulate(built("four-bar"), until=0.1, samples=2).dataset


def test_an_integral_that_is_not_there_is_named(texts: Texts) -> None:
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(rotor(actuators=()), start={"A": 0.0}, until=0.1, efforts={"A": ml.integral("eror")})
    texts.fault(caught.value, "S03", "'eror'", "'error'")
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(rotor(), start={"A": 0.0}, until=0.1, events={"late": ml.integral("lateness")})
    texts.fault(caught.value, "S03", "'late'")
