"""Loads with state variables in the time loop: in every integrator, in closed form and in the energy balance."""

import numpy as np
import pytest
from laws.bristle import Bristle, BristleAction

import multiloop as ml
from multiloop.dynamics.actions import ACTIONS
from multiloop.model import LOADS

YIELDS, SPEED, MASS = 0.02, 0.3, 2.0


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setitem(LOADS, "Bristle", Bristle)
    monkeypatch.setitem(ACTIONS, Bristle, BristleAction)


def bristle(**numbers):
    given = {"stiffness": 400.0, "yields": YIELDS, "damping": 3.0}
    return Bristle("rub", "ground.far", "slider.com", **(given | numbers))


def slider(**more):
    """A block on a straight slide, and a bristle along it."""
    given = {
        "planar": True,
        "gravity": (0, 0),
        "bodies": [ml.ground(far=(-1.0, 0)), ml.Body("slider", mass=MASS, inertia=0.01)],
        "joints": [ml.Prismatic("X", "ground.origin", "slider.origin")],
        "loads": [bristle()],
    }
    return ml.Mechanism("slider", **(given | more))


def bending(t, yields=YIELDS, start=0.0):
    """z(t) at a constant speed: ż = V (1 − z / z_y)."""
    return yields + (start - yields) * np.exp(-SPEED * t / yields)


CARRIERS = [
    {"integrator": "dop853"},
    {"integrator": "rk45"},
    {"integrator": "implicit"},
    {"integrator": "gear"},
    {"integrator": "rk4", "step": 2e-4},
    {"integrator": "dop853", "target": "interpreter"},
    {"integrator": "implicit", "target": "interpreter"},
]


@pytest.mark.parametrize("how", CARRIERS, ids=lambda how: " ".join(map(str, how.values())))
def test_a_bristle_pulled_at_constant_speed_follows_the_closed_form(how):
    driven = slider(drives=[ml.Motion("X", ml.motion_laws.constant_speed(SPEED))])
    run = ml.simulate(driven, until=0.3, samples=31, **how)
    z = bending(run.time)
    assert run["rub"].bend == pytest.approx(z, abs=1e-9)  # ten times rtol, relative to 1 m
    assert run.integrals["rub.bend"] == pytest.approx(run["rub"].bend, abs=0)
    assert run["X"].effort == pytest.approx(400.0 * z + 3.0 * SPEED, rel=1e-7)
    assert run["rub"].energy == pytest.approx(200.0 * z**2, abs=1e-8)
    assert run.work[-1] == pytest.approx(
        run["rub"].energy[-1], abs=1e-8
    )  # less the slipped part, which it reports


def test_a_thrown_block_comes_to_rest_and_the_energy_balance_closes():
    """The interpreter agrees, and so do two integrators; only the reported dissipation is lost."""
    runs = [
        ml.simulate(slider(), start={"X": 0.0}, until=0.8, rates={"X": 0.9}, samples=81, **how)
        for how in (
            {"target": "c"},
            {"target": "interpreter"},
            {"integrator": "implicit"},
        )
    ]
    first = runs[0]
    slipped = np.abs(first["rub"].bend) > 0.9 * YIELDS
    assert slipped.any()
    assert abs(first["X"].rate[-1]) < 0.1
    for run in runs:
        total = run.kinetic_energy + run.potential_energy
        assert total - total[0] == pytest.approx(run.work, abs=1e-9)
        assert run.energy_drift < 1e-8
        assert run["X"].position == pytest.approx(first["X"].position, abs=1e-8)
        assert run["rub"].bend == pytest.approx(first["rub"].bend, abs=1e-8)
    assert first.work[-1] < -0.5 * first.kinetic_energy[0]


def test_a_sticking_bristle_is_a_spring():
    """Far from slipping the block vibrates with ω² = σ / m."""
    stuck = slider(loads=[bristle(damping=0.0, yields=1e9, bend=0.001)])
    run = ml.simulate(stuck, start={"X": 0.0}, until=1.0, samples=21)
    omega = np.sqrt(400.0 / MASS)
    assert run["rub"].bend == pytest.approx(0.001 * np.cos(omega * run.time), abs=1e-9)
    assert run["X"].position == pytest.approx(0.001 * (np.cos(omega * run.time) - 1), abs=1e-9)


def test_every_design_has_its_own_and_begins_at_its_own_start():
    yields, start = ml.Parameter("yields", YIELDS), ml.Parameter("start", 0.0)
    driven = slider(
        loads=[bristle(yields=yields, bend=start)],
        drives=[ml.Motion("X", ml.motion_laws.constant_speed(SPEED))],
    )
    designs = {"yields": np.array([0.01, 0.03]), "start": np.array([0.0, 0.015])}
    runs = ml.simulate(driven, until=0.2, samples=5, parameters=designs)
    for k in range(2):
        z = bending(runs.time, designs["yields"][k], designs["start"][k])
        assert runs[k]["rub"].bend == pytest.approx(z, abs=1e-9)


def test_a_run_resumes_from_its_state():
    driven = slider(drives=[ml.Motion("X", ml.motion_laws.constant_speed(SPEED))])
    half = ml.simulate(driven, until=0.05, samples=3).final
    assert half.integrals == pytest.approx({"rub.bend": bending(0.05)})
    rest = ml.simulate(driven, start=half, until=0.1, samples=3)
    assert rest["rub"].bend == pytest.approx(bending(rest.time), abs=1e-10)
    assert ml.forward(driven, half)["rub"].bend == pytest.approx([bending(0.05)])


def test_states_of_loads_and_integrals_are_stored_separately():
    """States in one column: an integral of a length, one that a load reads, and the bristle's own."""
    both = slider(
        integrals=[
            ml.Integral("grown", of=ml.length_rate("rub")),
            ml.Integral("pushed", of=ml.length("rub") - 1.0),
        ],
        loads=[
            ml.Force("push", "slider.com", (5.0 * ml.expr.sin(3 * ml.time) - ml.integral("pushed"), 0)),
            bristle(),
        ],
    )
    asked = {"start": {"X": 0.0}, "until": 0.5, "samples": 11}
    runs = [ml.simulate(both, **asked, target=target) for target in ("c", "interpreter")]
    for run in runs:
        x = run["X"].position
        assert list(run.integrals) == ["grown", "pushed", "rub.bend"]
        assert run.integrals["grown"] == pytest.approx(x, abs=1e-9)
        push = 5.0 * np.sin(3 * run.time) - run.integrals["pushed"]
        assert run["push"].force[:, 0] == pytest.approx(push, abs=1e-12)
        assert run.energy_drift < 1e-9
        assert run["rub"].bend == pytest.approx(runs[0]["rub"].bend, abs=1e-9)
    assert abs(runs[0].integrals["pushed"][-1]) > 1e-5


@pytest.mark.parametrize("method", ["sslm", "slm", "system", "embedding", "virtual_work", "augmented"])
def test_the_time_is_one_input_with_a_relation_of_time(method):
    """A block that follows a Relation under a force that depends on time: λ is the difference of inertia and force."""
    led = slider(
        pairs=[ml.Relation("lead", ml.position("X") - 0.1 * ml.expr.sin(2 * ml.time))],
        loads=[ml.Force("push", "slider.com", (4.0 * ml.time, 0)), bristle()],
    )
    run = ml.simulate(led, until=0.5, samples=11, method=method)
    assert run["X"].position == pytest.approx(0.1 * np.sin(2 * run.time), abs=1e-9)
    assert run["X"].acceleration == pytest.approx(-0.4 * np.sin(2 * run.time), abs=1e-7)
    assert run["push"].force[:, 0] == pytest.approx(4.0 * run.time)
    total = run.kinetic_energy + run.potential_energy
    assert total - total[0] == pytest.approx(run.work, abs=1e-8)


def test_kernels_take_the_time_and_the_states_where_they_are_needed():
    """closure: the relation by itself; forward: (F(t) − σ z − c v) / m."""
    led = slider(pairs=[ml.Relation("lead", ml.position("X") - 0.1 * ml.expr.sin(2 * ml.time))], loads=[])
    kernels = ml.compile(led, target="interpreter")
    assert [array.name for array in kernels.closure.inputs] == ["q", "t", "p"]
    assert kernels.closure(q=[0.3], t=[0.7]) == pytest.approx([0.3 - 0.1 * np.sin(1.4)])
    free = slider(loads=[ml.Force("push", "slider.com", (4.0 * ml.time, 0)), bristle()])
    kernels = ml.compile(free, target="interpreter", start={"X": 0.0})
    assert [array.name for array in kernels.forward.inputs] == ["q", "v", "tau", "t", "x"]
    found = kernels.forward(q=[0.1], v=[0.2], tau=[0.0], t=[0.5], x=[0.01])
    assert found == pytest.approx([(2.0 - 4.0 - 0.6) / MASS])
