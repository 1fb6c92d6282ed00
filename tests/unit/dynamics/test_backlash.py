"""Backlash in joints and gears in closed form: free motion, periods, two inertias, and errors."""

import numpy as np
import pytest
from zoo.plain import sliding_body

import multiloop as ml
from multiloop.dynamics.forward import METHODS

MASS, STIFF, PLAY = 2.0, 2e4, 0.06


def slider(**load):
    """A mass of 2 kg on a rail, with backlash."""
    given = {"play": PLAY, "stiffness": STIFF} | load
    return sliding_body(
        ml.Body("mass", mass=MASS, inertia=0.1),
        "loose slide",
        gravity=(0, 0),
        loads=[ml.Backlash("play", "slide", **given)],
    )


def gears(play=2e-3, damping=0.0, **changes):
    """Two shafts with an elastic mesh: pitch radii 30 and 90 mm, inertias 0.02 and 0.5 kg m²."""
    x = 0.03 * ml.position("A") + 0.09 * ml.position("B")
    given = {
        "bodies": [
            ml.ground(A=(0, 0), B=(0.12, 0)),
            ml.Body("pinion", mass=1.0, inertia=0.02),
            ml.Body("wheel", mass=5.0, inertia=0.5),
        ],
        "joints": [
            ml.Revolute("A", "ground.A", "pinion.origin"),
            ml.Revolute("B", "ground.B", "wheel.origin"),
        ],
        "loads": [ml.Backlash("teeth", along=x, play=play, stiffness=1e6, damping=damping)],
    }
    return ml.Mechanism("loose gears", planar=True, gravity=(0, 0), **(given | changes))


REDUCED = 1 / (0.03**2 / 0.02 + 0.09**2 / 0.5)
"""Mass of both shafts along the pitch circles, 1/m = r₁²/J₁ + r₂²/J₂."""


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_the_period_is_contact_on_both_flanks_and_two_free_flights(target):
    """T = 2π √(m/k) + 2 backlash / v, v the speed within the backlash: from the deepest contact on one flank back to
    it."""
    deep, omega = 0.01, np.sqrt(STIFF / MASS)
    period = 2 * np.pi / omega + 2 * PLAY / (deep * omega)
    start = PLAY / 2 + deep
    run = ml.simulate(
        slider(),
        start={"slide": start},
        until=3 * period,
        samples=np.linspace(0, 3 * period, 13),
        rtol=1e-11,
        target=target,
    )
    x, v = run["slide"].position, run["slide"].rate
    assert x[[0, 4, 8, 12]] == pytest.approx(start, abs=1e-8)
    assert x[[2, 6, 10]] == pytest.approx(-start, abs=1e-8)
    assert x[[1, 3, 5, 7, 9, 11]] == pytest.approx(0.0, abs=1e-8)
    assert np.abs(v[1::2]) == pytest.approx(deep * omega, rel=1e-7)
    assert run.energy_drift < 1e-8  # steps do not end at the corners of the flanks


def test_no_force_acts_within_the_backlash():
    run = ml.simulate(slider(), start={"slide": -0.02}, rates={"slide": 0.5}, until=0.09, samples=10)
    assert run["slide"].position == pytest.approx(-0.02 + 0.5 * run.time, abs=1e-14)
    assert not run["play"].effort.any()
    assert run["play"].displacement == pytest.approx(run["slide"].position, abs=1e-15)


def test_a_damped_flank_takes_energy_and_never_pulls():
    run = ml.simulate(
        slider(damping=80.0), start={"slide": 0.0}, rates={"slide": 1.0}, until=0.3, samples=301
    )
    effort, x = run["play"].effort, run["slide"].position
    assert effort[x > 0].max() <= 0
    assert effort[x < 0].min() >= 0
    assert run["play"].power.max() <= 1e-12
    assert run.energy_drift < 1e-7
    assert run.kinetic_energy[-1] < 0.8


def test_two_geared_shafts_with_backlash_move_as_one_reduced_mass():
    """Both shafts are free, so momentum r₂ J₁ ω₁ − r₁ J₂ ω₂ is conserved, and the mesh is a mass between flanks."""
    play, deep = 2e-3, 2e-4
    omega = np.sqrt(1e6 / REDUCED)
    period = 2 * np.pi / omega + 2 * play / (deep * omega)
    start = {"A": (play / 2 + deep) / 0.03, "B": 0.0}
    run = ml.simulate(gears(play), start=start, until=period, samples=41, rtol=1e-11)
    x = 0.03 * run["A"].position + 0.09 * run["B"].position
    assert x[[0, -1]] == pytest.approx(play / 2 + deep, rel=1e-7)
    assert x[20] == pytest.approx(-play / 2 - deep, rel=1e-6)
    kept = 0.09 * 0.02 * run["A"].rate - 0.03 * 0.5 * run["B"].rate
    assert kept == pytest.approx(0.0, abs=1e-9)
    assert run["teeth"].effort.min() == pytest.approx(-1e6 * deep, rel=1e-6)
    assert run.energy_drift < 1e-9


def test_pressed_to_one_flank_the_mesh_swings_with_its_own_stiffness():
    """Small motions by `eigenmodes`: a torque keeps the teeth in contact, and x vibrates at √(k/m)."""
    pressed = gears(
        joints=[
            ml.Revolute("A", "ground.A", "pinion.origin"),
            ml.Revolute("B", "ground.B", "wheel.origin"),
        ],
        loads=[*gears().loads, ml.Torque("one", "pinion", 3.0), ml.Torque("other", "wheel", 9.0)],
    )
    start = {"A": (1e-3 + 100.0 / 1e6) / 0.03, "B": 0.0}  # tooth force: 3 N m / 30 mm = 9 N m / 90 mm
    swing = ml.eigenmodes(pressed, start)
    assert max(swing.frequencies) == pytest.approx(np.sqrt(1e6 / REDUCED), rel=1e-9)


def test_all_methods_feel_the_flank_alike():
    four_bar = ml.examples.four_bar().without_drives()
    x = 0.5 * ml.position("A") + ml.expr.sin(ml.position("B"))
    loose = four_bar.replace(loads=[ml.Backlash("play", along=x, play=0.1, stiffness=300.0, damping=2.0)])
    found = [ml.forward(loose, {"A": 1.0}, rates={"A": 0.5}, method=m) for m in METHODS]
    one = found[0]
    deep = 0.5 + np.sin(one["B"].position[0]) - np.copysign(0.05, 0.5 + np.sin(one["B"].position[0]))
    rate = 0.25 + np.cos(one["B"].position[0]) * one["B"].rate[0]
    assert one["play"].effort[0] == pytest.approx(-300 * deep - 2 * rate, rel=1e-12)
    spun = [other["A"].acceleration[0] for other in found]
    assert spun == pytest.approx([spun[0]] * len(spun), rel=1e-9)
    # inverse dynamics of that motion gives no effort
    back = ml.inverse(loose, state={"A": 1.0}, rates={"A": 0.5}, accelerations={"A": spun[0]})
    assert back["A"].effort[0] == pytest.approx(0.0, abs=1e-9)


def test_it_goes_to_text_and_back_and_takes_parameters():
    loose = gears(play=ml.Parameter("play", 2e-3))
    assert ml.from_text(ml.to_text(loose)) == loose
    start = {"A": 0.05, "B": 0.0}
    tight = ml.forward(loose.with_parameters(play=0.0), start)
    assert tight["teeth"].effort[0] == pytest.approx(-1e6 * 0.0015, rel=1e-12)
    assert tight["B"].acceleration[0] == pytest.approx(-0.09 * 1500 / 0.5, rel=1e-12)


@pytest.mark.parametrize(
    ("load", "expected"),
    [
        (ml.Backlash("play", "slide", play=0.1), ("[L07]", "'play'", "stiffness=")),
        (ml.Backlash("play", "slide", play=-0.1, stiffness=1.0), ("[L06]", "'play'", "-0.1")),
        (
            ml.Backlash("play", "slide", along=ml.position("slide"), stiffness=1.0),
            ("[L09]", "'play'", "'slide'", "`along`"),
        ),
        (
            ml.Backlash("play", along=ml.position("slide") - 0.1 * ml.time, stiffness=1.0),
            (
                "[L09]",
                "'play'",
                "`along`",
                '`position("slide") - 0.1 * time`',
                "along=",
                "0.02",
                '"A"',
                "0.06",
                '"B"',
            ),
        ),
        (
            ml.Backlash("play", along=0.3, stiffness=1.0),
            ("[L09]", "'play'", "`along`", "`0.3`", "along=", "0.02", '"A"', "0.06", '"B"'),
        ),
        (ml.Backlash("play", "slde", stiffness=1.0), ("[L01]", "'play'", "'slde'")),
        (
            ml.Backlash("play", along=ml.position("slde"), stiffness=1.0),
            ("[D07]", "'play'", '`position("slde")`', "'slde'"),
        ),
    ],
)
def test_what_cannot_be_is_refused(load, expected, texts):
    with pytest.raises(ml.ModelError) as caught:
        slider().replace(loads=[load])
    texts(caught.value, *expected)


def test_part_of_a_quaternion_has_no_play(texts):
    body = ml.Body("ball", mass=1.0, inertia=(1, 1, 1))
    with pytest.raises(ml.ModelError) as caught:
        ml.Mechanism(
            "ball",
            bodies=[ml.ground(A=(0, 0, 0)), body],
            joints=[ml.Spherical("S", "ground.A", "ball.origin")],
            loads=[ml.Backlash("play", along=ml.position("S", 1), stiffness=1.0)],
        )
    texts.fault(caught.value, "L09", "'play'", '`position("S", 1)`')
