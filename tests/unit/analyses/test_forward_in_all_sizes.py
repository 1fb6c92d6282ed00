"""Do all methods find the same accelerations in small, large and very unequal mechanisms?"""

import pytest
from laws.closed_positions import built
from laws.equivalent_descriptions import in_units

import multiloop as ml
from multiloop.analyses.run_models import local_choice as choice
from multiloop.dynamics.forward import METHODS


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("length", "mass"), [(1e-6, 1e-15), (1e-3, 1e-6), (1e4, 1e9)])
def test_a_small_or_large_four_bar_accelerates_as_one_of_a_metre(method, length, mass):
    state = {"A": 1.0}, {"rates": {"A": 2.0}}
    free = built("four-bar").without_drives()
    expected = ml.forward(free, state[0], **state[1])
    found = ml.forward(in_units(free, length, mass), state[0], **state[1], method=method)
    assert found["A"].acceleration == pytest.approx(expected["A"].acceleration, rel=1e-9)
    assert found["C"].force / (mass * length) == pytest.approx(expected["C"].force, rel=1e-8)


def boom(reach, size):
    """A four-bar of the given size on the tip of a boom of 1000 kg."""
    tip = {"o": (0, 0), "A": (reach, 0), "D": (reach + size, 0)}
    return ml.Mechanism(
        "linkage on a boom",
        planar=True,
        bodies=[
            ml.ground(O=(0, 0)),
            ml.Body("boom", mass=1e3, com=(reach / 2, 0), inertia=1e3 * reach**2 / 12, markers=tip),
            ml.rod("crank", length=0.3 * size, mass=1.0),
            ml.rod("coupler", length=0.9 * size, mass=2.0),
            ml.rod("rocker", length=0.8 * size, mass=1.5),
        ],
        joints=[
            ml.Revolute("O", "ground.O", "boom.o"),
            ml.Revolute("A", "boom.A", "crank.a"),
            ml.Revolute("B", "crank.b", "coupler.a"),
            ml.Revolute("C", "coupler.b", "rocker.b"),
            ml.Revolute("D", "boom.D", "rocker.a"),
        ],
        guess={"B": -0.8, "O": 0.0},
    )


@pytest.mark.parametrize("method", METHODS[1:])
@pytest.mark.parametrize(("reach", "size"), [(10.0, 0.1), (100.0, 0.01), (100.0, 0.001)])
def test_a_small_linkage_on_a_large_boom(method, reach, size):
    """Sizes differ up to 1e5 times, inertias up to 1e12 times."""
    expected, found = (
        ml.forward(boom(reach, size), {"O": 0.0, "A": 1.0}, method=way) for way in (METHODS[0], method)
    )
    assert found["A"].acceleration == pytest.approx(expected["A"].acceleration, rel=1e-8)
    assert found["C"].force == pytest.approx(expected["C"].force, rel=1e-6)


@pytest.mark.parametrize("mass", [1e3, 1e7, 1e12])
def test_a_pendulum_on_a_ship_swings_however_heavy_the_ship(mass):
    ship = ml.Mechanism(
        "pendulum on a ship",
        planar=True,
        bodies=[
            ml.ground(O=(0, 0)),
            ml.Body("ship", mass=mass, inertia=100 * mass, markers={"p": (3.0, 1.0)}),
            ml.rod("pendulum", length=0.1, mass=0.01),
        ],
        joints=[ml.Prismatic("P", "ground.O", "ship.origin"), ml.Revolute("R", "ship.p", "pendulum.a")],
    )
    assert ml.analyse(ship).massless.rule == "regular"
    found = ml.forward(ship, {"P": 0.0, "R": 0.3})
    fixed = -1.5 * 9.81 / 0.1 * 0.955336489125606  # of a rod on a fixed pivot
    assert found["R"].acceleration[0] == pytest.approx(fixed, rel=1e-5)  # the ratio of the masses


def test_penalties_that_do_not_meet_the_rows_are_refused(monkeypatch, texts):
    monkeypatch.setattr(choice, "PENALTY", 1e-3)
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(built("four-bar").without_drives(), {"A": 1.0}, method="augmented")
    texts.fault(caught.value, "S12")
