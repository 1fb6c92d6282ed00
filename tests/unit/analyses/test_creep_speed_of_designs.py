"""The default creep speed of smooth friction depends on size and gravity, thus on the parameters of every design."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import multiloop as ml

SIZES = np.array([1.0, 1e-2, 1e-4])
WEIGHTS = np.array([9.81, 1.62, 24.8])


def four_bar(*drives: ml.Motion) -> ml.Mechanism:
    """A four-bar whose lengths, ground included, are proportional to `size`; friction has the default creep speed."""
    size = ml.Parameter("size", 1.0)
    g = ml.Parameter("g", 9.81)
    rods = [("crank", 0.3, 1.1), ("coupler", 0.9, 2.1), ("rocker", 0.8, 1.7)]
    return ml.Mechanism(
        "four-bar",
        planar=True,
        gravity=(0, -g),
        bodies=[
            ml.ground(A=(0, 0), D=(size, 0)),
            *[ml.rod(name, length=length * size, mass=mass) for name, length, mass in rods],
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Revolute("B", "crank.b", "coupler.a"),
            ml.Revolute("C", "coupler.b", "rocker.b"),
            ml.Revolute("D", "ground.D", "rocker.a"),
        ],
        loads=[ml.Friction("pin", "D", coefficient=0.3, radius=0.05 * size)],
        drives=drives,
    )


SLOW = ml.Motion("A", 1.0 + 1e-3 * ml.time)
"""A drive so slow that friction at D is below its creep speed."""
GUESS = {"coupler.b": (0.8, 0.8)}


def design_of(k: int) -> dict[str, float]:
    return {"size": float(SIZES[k]), "g": float(WEIGHTS[k])}


def test_efforts_of_batch_are_those_of_inverse_for_scaled_designs() -> None:
    machine, times = four_bar(SLOW), np.linspace(0.0, 1.0, 5)
    designs = ml.batch(machine, {"size": SIZES, "g": WEIGHTS}, t=times, guess=GUESS, keep="all")
    assert designs.ok.all()
    for k, size in enumerate(SIZES):
        guess = {"coupler.b": (0.8 * size, 0.8 * size)}
        alone = ml.inverse(machine, parameters=design_of(k), t=times, guess=guess)
        assert alone["pin"].creeping.all()
        assert designs.effort["A"][k] == pytest.approx(alone["A"].effort, rel=1e-10)


def test_runs_of_scaled_designs_have_the_creep_speeds_of_single_runs() -> None:
    machine, until = four_bar(), 0.01
    asked = {"until": until, "start": {"A": 1.0}, "samples": 3}
    runs = ml.simulate(machine, parameters={"size": SIZES, "g": WEIGHTS}, guess=GUESS, **asked)
    for k, size in enumerate(SIZES):
        guess = {"coupler.b": (0.8 * size, 0.8 * size)}
        alone = ml.simulate(machine, parameters=design_of(k), guess=guess, **asked)
        expected = np.sqrt(WEIGHTS[k] / (0.9 * size)) / 3000
        assert alone["pin"].creep_speed[0] == pytest.approx(expected, rel=1e-12)
        run = runs[k]
        assert run["pin"].creep_speed[0] == pytest.approx(expected, rel=1e-12)
        # the integrator measures errors of the designs in the lengths and rates of the nominal design
        assert run["A"].position == pytest.approx(alone["A"].position, rel=1e-6)


def slider(name: str, **parts: object) -> ml.Mechanism:
    """A sliding block with friction, whose size follows from `parts` alone."""
    return ml.Mechanism(
        name,
        planar=True,
        gravity=None if name == "weightless" else (0, -9.81),
        bodies=[ml.ground(A=(0, 0)), ml.Body("block", mass=2.0, **{"inertia": 1e-9} | parts)],
        joints=[ml.Prismatic("slide", "ground.A", "block.origin")],
        loads=[ml.Friction("wear", "slide", effort=1.0)],
    )


@pytest.mark.parametrize(
    "machine",
    [
        slider("markers", markers={"tip": (ml.Parameter("size", 0.2), 0)}),
        slider("weightless", markers={"tip": (ml.Parameter("size", 0.2), 0)}),
        slider("mass centre", com=(ml.Parameter("size", 0.2), 0)),
        slider("inertia", inertia=2.0 * ml.Parameter("size", 0.2) ** 2),
        slider("vanishes", markers={"tip": (ml.Parameter("size", 0.2) - 0.3, 0)}, com=(0.1, 0)),
    ],
    ids=lambda machine: machine.name,
)
def test_the_creep_speed_of_a_kernel_follows_every_length(machine: ml.Mechanism) -> None:
    sizes = np.array([0.2, 0.3, 5.0])
    runs = ml.simulate(machine, until=1e-3, start={"slide": 0.0}, parameters={"size": sizes}, samples=2)
    for k, size in enumerate(sizes):
        alone = ml.forward(machine, {"slide": 0.0}, parameters={"size": float(size)})
        run = runs[k]
        assert run["wear"].creep_speed[0] == pytest.approx(alone["wear"].creep_speed[0], rel=1e-12)


def test_the_creep_speed_follows_the_distance_of_gears_and_the_length_of_a_rod() -> None:
    """These lengths are no distances of joints on one body; they are read from the gear and from the Distance."""
    apart, length = ml.Parameter("apart", 0.3), ml.Parameter("length", 0.3)
    wheels = [ml.Body(name, mass=1.0, inertia=1e-3) for name in ("small", "large")]
    gears = ml.Mechanism(
        "gears",
        planar=True,
        bodies=[ml.ground(A=(0, 0), B=(apart, 0)), *wheels],
        joints=[ml.Revolute("A", "ground.A", "small.origin"), ml.Revolute("B", "ground.B", "large.origin")],
        pairs=[ml.Gear("mesh", "small.origin", "large.origin", teeth=(20, 40))],
        loads=[ml.Friction("pin", "A", effort=0.01)],
    )
    trammel = ml.Mechanism(
        "trammel",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), B=ml.Marker((0, 0), angle=pi / 2)),
            *[ml.Body(name, mass=1.0, inertia=1e-3) for name in ("across", "up")],
        ],
        joints=[
            ml.Prismatic("A", "ground.A", "across.origin"),
            ml.Prismatic("B", "ground.B", "up.origin"),
        ],
        pairs=[ml.Distance("rod", "across.origin", "up.origin", length=length)],
        loads=[ml.Friction("pin", "A", effort=0.01)],
        guess={"B": 0.1},
    )
    for machine, start, name in ((gears, {"A": 0.0}, "apart"), (trammel, {"A": 0.03}, "length")):
        sizes = np.array([0.2, 0.3, 0.05])
        runs = ml.simulate(machine, until=1e-3, start=start, parameters={name: sizes}, samples=2)
        for k, size in enumerate(sizes):
            alone = ml.simulate(machine, until=1e-3, start=start, parameters={name: size}, samples=2)
            expected = np.sqrt(9.81 * size) / 3000 / (size if machine is gears else 1.0)
            assert alone["pin"].creep_speed[0] == pytest.approx(expected, rel=1e-12)
            assert runs[k]["pin"].creep_speed[0] == pytest.approx(expected, rel=1e-12)
