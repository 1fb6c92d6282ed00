"""Input, output, losses and efficiency of a run, against integrals by hand."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from zoo.plain import crank_slider, free_body, pinned_body, sliding_body

import multiloop as ml
from multiloop.examples.mechanisms.slider_crank import slider_crank

RADIUS, ROD, SPEED = 0.05, 0.2, 20.0
TOOL, SEAL = 30.0, 12.0


def pump(**more):
    """A crank drives a piston against a tool with a resistance proportional to its speed, and a seal with friction."""
    return crank_slider(
        ml.rod("crank", length=RADIUS, mass=0.8),
        ml.rod("rod", length=ROD, mass=0.5),
        ml.Body("piston", mass=1.2),
        "pump",
        pins=("O", "A", "B", "bore"),
        drives=[ml.Motion("O", ml.motion_laws.constant_speed(SPEED))],
        loads=[
            ml.Force("tool", "piston.origin", (-TOOL * ml.rate("bore"), 0.0), useful=True),
            ml.Friction("seal", "bore", effort=SEAL, speed=1e-6),
        ],
        guess={"bore": RADIUS + ROD},
        **more,
    )


def piston_speed(angle):
    """ẋ of x = r cos φ + √(l² − r² sin²φ)."""
    root = np.sqrt(ROD**2 - (RADIUS * np.sin(angle)) ** 2)
    return -SPEED * RADIUS * np.sin(angle) * (1 + RADIUS * np.cos(angle) / root)


TAKEN = TOOL * quad(lambda angle: piston_speed(angle) ** 2 / SPEED, 0, 2 * np.pi, epsabs=1e-13)[0]
RUBBED = SEAL * 4 * RADIUS  # two strokes of 2 r


@pytest.mark.parametrize("method", ["traditional", "system", "subsystem", "virtual_work"])
def test_efficiency_of_a_pump_is_that_by_hand(method):
    balance = ml.inverse(pump(), cycle=721, method=method).energy_balance()
    assert balance.taken == {"tool": pytest.approx(TAKEN, rel=1e-10)}
    assert balance.lost == {"seal": pytest.approx(RUBBED, rel=2e-7)}, "across two corners"
    assert balance.supplied == {"O": pytest.approx(TAKEN + RUBBED, rel=2e-7)}
    assert balance.efficiency == pytest.approx(TAKEN / (TAKEN + RUBBED), rel=2e-7)
    period = 2 * np.pi / SPEED
    assert balance.output_power == pytest.approx(TAKEN / period, rel=1e-10)
    assert balance.input_power == pytest.approx(balance.output_power + balance.loss_power, rel=1e-9)


def test_a_simulated_cycle_has_the_same_efficiency():
    run = ml.simulate(pump(), start={"O": 0.0}, until=2 * np.pi / SPEED, samples=361)
    balance = run.energy_balance()
    assert balance.lost["seal"] == pytest.approx(RUBBED, rel=1e-6), "integrated with the run"
    assert balance.output == pytest.approx(TAKEN, rel=1e-8)
    assert balance.efficiency == pytest.approx(TAKEN / (TAKEN + RUBBED), rel=1e-6)
    assert balance.status == "ok"


def test_a_summary_states_where_the_work_goes():
    text = " ".join(ml.inverse(pump(), cycle=721).summary().split())
    said = f"Energy of 'pump' over {2 * np.pi / SPEED:g} s: {TAKEN + RUBBED:.3f}"
    assert said in text
    assert f"efficiency {100 * TAKEN / (TAKEN + RUBBED):.4g} %." in text


def test_efforts_over_the_run():
    result = ml.inverse(pump(), cycle=721)
    crank = result["O"]
    assert crank.rms_effort == pytest.approx(np.sqrt(np.mean(crank.effort[:-1] ** 2)), rel=1e-12)
    assert crank.mean_power == pytest.approx((TAKEN + RUBBED) * SPEED / (2 * np.pi), rel=1e-5)  # sampled
    assert abs(crank.peak_power) == np.abs(crank.power).max()


def test_effort_of_several_coordinates_has_several_means():
    body = ml.Mechanism(
        "slab",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(), ml.Body("slab", mass=2.0, inertia=0.1)],
        joints=[ml.Planar("on", "ground.origin", "slab.origin")],
        drives=[ml.Motion("on", x=0.3 * ml.expr.sin(5.0 * ml.time), y=0.0, angle=0.0)],
    )
    result = ml.inverse(body, t=np.linspace(0, 2 * np.pi / 5, 65))
    expected = np.array([2.0 * 0.3 * 25.0 / np.sqrt(2), 0.0, 0.0])
    np.testing.assert_allclose(result["on"].rms_effort, expected, rtol=1e-12, atol=1e-12)


def test_dissipation_is_listed_by_item_and_the_balance_closes():
    damped = pinned_body(
        ml.rod("arm", length=0.5, mass=1.0),
        name="pendulum",
        ground=ml.ground(s=(0.6, 0)),
        loads=[
            ml.JointSpring("oil", "A", stiffness=0.0, damping=0.2),
            ml.Spring("gas", "arm.b", "ground.s", preload=3.0 + ml.expr.sin(ml.time), damping=4.0),
            ml.Torque("motor", "arm", 0.4),
        ],
    )
    run = ml.simulate(damped, start={"A": 0.0}, until=3.0, samples=3001)
    balance = run.energy_balance()
    assert set(balance.lost) == {"oil", "gas"}
    oil = np.trapezoid(0.2 * run["A"].rate ** 2, run.time)
    gas = np.trapezoid(4.0 * run["gas"].length_rate ** 2, run.time)
    assert balance.lost["oil"] == pytest.approx(oil, rel=1e-6)
    assert balance.lost["gas"] == pytest.approx(gas, rel=1e-6), "without the work of its changing preload"
    assert abs(balance.missed) < 1e-9 * balance.throughput
    np.testing.assert_allclose(run.losses, run["oil"].loss + run["gas"].loss, rtol=1e-14)
    by_hand = balance.input - balance.output - balance.losses - balance.stored
    assert balance.missed == pytest.approx(by_hand, abs=1e-12)


def test_a_buffer_loses_what_its_damper_takes():
    falling = ml.Mechanism(
        "buffer",
        planar=True,
        bodies=[ml.ground(up=ml.marker((0, 0), angle=np.pi / 2)), ml.Body("block", mass=2.0)],
        joints=[ml.Prismatic("way", "ground.up", "block.origin")],
        loads=[ml.Stop("end", "way", low=0.0, stiffness=2e3, damping=40.0)],
    )
    run = ml.simulate(falling, start={"way": 0.05}, until=1.0, samples=6001)
    balance = run.energy_balance()
    assert balance.lost == {"end": pytest.approx(-balance.stored, rel=1e-9)}, "its force jumps as it is hit"


def test_damped_links_lose_too():
    beam = ml.uniform_beam("arm", length=0.8, mass=0.3, EI=4.0, damping=0.05)
    swinging = pinned_body(beam, name="whip")
    run = ml.simulate(swinging, start={"A": 0.0}, until=0.5, samples=2001)
    balance = run.energy_balance()
    assert balance.lost["arm"] == pytest.approx(-balance.stored, rel=1e-6)
    assert run.link("arm").loss.min() >= 0.0


def test_forces_may_count_as_losses():
    result = ml.inverse(pump(), cycle=721)
    windy = result.energy_balance(lost=["tool"])
    assert windy.taken == {}
    assert windy.losses == pytest.approx(TAKEN + RUBBED, rel=2e-7)


def refused(ask):
    with pytest.raises(ml.SolveError) as error:
        ask()
    return str(error.value)


def test_an_efficiency_without_a_meaning_is_refused(texts):
    idle = ml.inverse(slider_crank(), cycle=37)
    texts(
        refused(lambda: idle.energy_balance().efficiency),
        "[R07]",
        "'slider-crank'",
        "useful=",
        "`energy_balance`",
    )
    crank = slider_crank().drives[0].of
    texts(refused(lambda: idle.energy_balance(useful=[crank]).efficiency), "[R07]", "'slider-crank'")
    windy = ml.inverse(pump(), cycle=37).energy_balance(lost="tool")
    texts(refused(lambda: windy.efficiency), "[R07]")
    turned = ml.inverse(pump(), cycle=37).energy_balance(useful="O")
    texts(refused(lambda: turned.efficiency), "[R07]", "'O'")
    part = ml.inverse(pump(), t=np.linspace(0.02, 0.08, 200)).energy_balance()
    texts(refused(lambda: part.efficiency), "`inverse`", "cycle=")
    texts(
        refused(lambda: ml.inverse(pump(), cycle=9).energy_balance(useful=["tol"])),
        "[R07]",
        "'tol'",
        "'tool'",
    )
    texts(
        refused(lambda: ml.inverse(pump(), cycle=9).energy_balance(useful=["tool"], lost=["tool"])),
        "[R07]",
        "'tool'",
    )
    texts(
        refused(lambda: ml.inverse(pump(), cycle=9).energy_balance(lost=["tol"])), "[R07]", "'tol'", "'tool'"
    )


def test_instants_out_of_order_have_no_balance(texts):
    result = ml.inverse(pump(), t=[0.02, 0.01])
    texts(refused(result.energy_balance), "[R07]", "'pump'")
    assert " J " not in result.summary()


def test_impacts_do_not_open_the_balance():
    """A piston under 400 N strikes a hard stop: its rate jumps between two instants, the work is force times
    displacement."""
    machine = sliding_body(
        ml.Body("ram", mass=3.0),
        "ram",
        joint="guide",
        gravity=(0, 0),
        actuators=[ml.Actuator("guide", effort=400.0)],
        loads=[ml.Stop("anvil", "guide", high=0.2, restitution=0.3)],
    )
    run = ml.simulate(machine, start={"guide": 0.0}, until=0.2, samples=101)
    balance = run.energy_balance()
    assert balance.supplied == {"guide": pytest.approx(400.0 * 0.2, rel=1e-8)}
    assert balance.lost == {"anvil": pytest.approx(400.0 * 0.2, rel=1e-6)}
    assert abs(balance.missed) < 1e-6


def test_drives_do_work_during_impacts():
    """A driven hand sets a weight in motion by a rope: the impulse of the drive does work, of which half is lost."""
    mass, pace = 2.0, 0.5
    machine = ml.Mechanism(
        "towed",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(), ml.Body("hand", mass=1.0), ml.Body("weight", mass=mass)],
        joints=[
            ml.Prismatic("led", "ground.origin", "hand.origin"),
            ml.Prismatic("towed", "ground.origin", "weight.origin"),
        ],
        drives=[ml.Motion("led", 0.2 + pace * ml.time)],
        loads=[ml.Rope("rope", "hand.origin", "weight.origin", length=0.5)],
    )
    balance = ml.simulate(machine, start={"towed": 0.0}, until=1.0, samples=101).energy_balance()
    assert balance.supplied == {"led": pytest.approx(mass * pace**2, rel=1e-9)}
    assert balance.lost == {"rope": pytest.approx(mass * pace**2 / 2, rel=1e-9)}
    assert balance.stored == pytest.approx(mass * pace**2 / 2, rel=1e-9)


def test_a_contact_loses_by_striking_and_by_sliding():
    """A block thrown onto a rough floor comes to rest there: all its energy is dissipated by the one floor."""
    machine = ml.Mechanism(
        "thrown",
        planar=True,
        bodies=[ml.ground(), ml.Body("block", mass=2.0, inertia=0.1)],
        joints=[ml.Planar("flies", "ground.origin", "block.origin")],
        loads=[ml.Contact("floor", "block.origin", "ground.origin", coefficient=0.4)],
    )
    run = ml.simulate(
        machine,
        start={"flies": (0, 0.5, 0)},
        rates={"flies": (3.0, 0.0, 0.0)},
        until=1.5,
        samples=1501,
    )
    balance = run.energy_balance()
    had = 2.0 * (9.81 * 0.5 + 3.0**2 / 2)
    assert run["flies"].rate[-1] == pytest.approx([0, 0, 0], abs=1e-9)
    assert balance.lost == {"floor": pytest.approx(had, rel=1e-9)}
    assert balance.output == 0
    assert run.impacts[0].loss < had / 2 + 9.81


def test_energies_do_not_depend_on_the_outputs():
    """A motor moves an arm by a torque that varies faster than the samples: its work is integrated with the run."""
    arm = pinned_body(
        ml.rod("arm", length=0.5, mass=2.0),
        gravity=(0, 0),
        actuators=[ml.Actuator("A", effort=ml.expr.sin(40.0 * ml.time))],
    )
    few, many = (ml.simulate(arm, start={"A": 0.0}, until=0.5, samples=n).energy_balance() for n in (5, 501))
    inertia = 2.0 * 0.5**2 / 3
    rate = (1 - np.cos(20.0)) / 40.0 / inertia
    for balance in (few, many):
        assert balance.supplied == {"A": pytest.approx(inertia * rate**2 / 2, rel=1e-8)}
        assert balance.status == "ok"


def test_a_balance_that_does_not_close_carries_a_warning(texts):
    balance = ml.inverse(pump(), cycle=37).energy_balance()
    short = replace(balance, missed=0.01 * balance.throughput)
    texts.warnings(short, ("W47", "pump", f"{0.01 * balance.throughput:.3g} J", "0.01"))
    assert short.status in repr(short)
    assert "efficiency" not in repr(short)
    texts(refused(lambda: short.efficiency), "[R07]")


def test_a_balance_without_any_power_at_the_instants_carries_a_warning(texts):
    """Both instants are at rest, and the force has no value in between: only the potential energy differs."""
    force = ml.expr.sqrt((ml.time - 0.5) ** 2 - 0.01)
    lift = ml.Motion("slide", ml.motion_laws.cycloidal(0.0, 0.2, duration=1.0))
    loads = [ml.Force("pull", "load.origin", (force, 0.0))]
    hoist = sliding_body(ml.Body("load", mass=2.0), "hoist", gravity=(-9.81, 0.0), drives=[lift], loads=loads)
    balance = ml.inverse(hoist, t=[0.0, 1.0]).energy_balance()
    assert balance.throughput == 0.0
    assert balance.missed == pytest.approx(-2.0 * 9.81 * 0.2)
    texts(repr(balance), "'hoist'", "3.92 J")


def test_the_coupling_rod_keeps_its_balance():
    """Its third mode vibrates faster than the samples, from which 0.069 J of 0.24 J would be missing."""
    balance = ml.examples.ask("coupling_rod").energy_balance()
    assert balance.input == pytest.approx(balance.losses + balance.stored, rel=1e-8)
    assert balance.status == "ok"


@pytest.mark.parametrize("count", [12, 13, 60])
def test_a_pick_and_place_cycle_is_as_efficient_as_its_guide(count):
    """A slide moves out against a tool and returns without load, with dwells: the input is the work of tool and
    guide."""
    there, back = (
        ml.motion_laws.cycloidal(0.0, 0.3, duration=0.4),
        ml.motion_laws.cycloidal(0.0, -0.3, duration=0.35, begin=0.55),
    )
    away = ml.rate("guide")
    slide = sliding_body(
        ml.Body("slide", mass=4.0),
        "slide",
        joint="guide",
        drives=[ml.Motion("guide", there + back)],
        loads=[
            ml.Force("tool", "slide.origin", (-50.0 * ml.expr.maximum(away, 0.0), 0.0), useful=True),
            ml.JointSpring("oil", "guide", stiffness=0.0, damping=8.0),
        ],
    )
    balance = ml.inverse(slide, t=np.linspace(0.0, 1.0, count)).energy_balance()
    squared = 1.5 * 0.3**2  # ∫ ẋ² dt = 3/2 h²/T of a cycloid
    tool, oil = 50.0 * squared / 0.4, 8.0 * squared * (1 / 0.4 + 1 / 0.35)
    assert balance.supplied == {"guide": pytest.approx(tool + oil, rel=1e-6)}
    assert balance.taken == {"tool": pytest.approx(tool, rel=1e-6)}
    assert balance.efficiency == pytest.approx(tool / (tool + oil), rel=1e-6)


def test_arms_that_work_on_nothing_have_no_efficiency():
    """One motor lifts while another brakes: work is supplied and absorbed, and none of it is declared useful."""
    arms = ml.Mechanism(
        "arms",
        planar=True,
        bodies=[
            ml.ground(B=(1.0, 0.0)),
            ml.rod("left", length=0.5, mass=2.0),
            ml.rod("right", length=0.5, mass=2.0),
        ],
        joints=[ml.Revolute("A", "ground.origin", "left.a"), ml.Revolute("B", "ground.B", "right.a")],
        drives=[
            ml.Motion("A", ml.motion_laws.cycloidal(0.0, 1.0, duration=1.0)),
            ml.Motion("B", 1.0 - ml.motion_laws.cycloidal(0.0, 1.0, duration=1.0)),
        ],
    )
    result = ml.inverse(arms, t=np.linspace(0, 1, 51))
    balance = result.energy_balance()
    rise = 2.0 * 9.81 * 0.25 * np.sin(1.0)
    assert balance.supplied == {"A": pytest.approx(rise, rel=1e-6)}
    assert balance.taken == {"B": pytest.approx(rise, rel=1e-6)}
    assert "efficiency" not in repr(balance)
    assert "efficiency" not in result.summary()


@pytest.mark.parametrize(
    ("integrator", "more", "near"),
    [
        ("dop853", {}, 1e-9),
        ("rk45", {}, 1e-8),
        ("implicit", {}, 1e-6),
        ("rk4", {"step": 1e-4}, 1e-8),
        ("gear", {}, 1e-5),
        ("dop853", {"target": "interpreter"}, 1e-8),
    ],
)
def test_every_integrator_carries_the_energies_of_the_items(integrator, more, near):
    """Against the closed form of a driven arm with a damper and a spring of varying preload."""
    arm = pinned_body(
        ml.rod("arm", length=0.5, mass=2.0),
        gravity=(0, 0),
        drives=[ml.Motion("A", 0.4 * ml.expr.sin(6.0 * ml.time))],
        loads=[
            ml.JointSpring("oil", "A", stiffness=0.0, damping=0.2),
            ml.Torque("fan", "arm", -0.1 * ml.rate("A")),
        ],
    )
    until = 1.3
    run = ml.simulate(arm, until=until, samples=4, integrator=integrator, **more)
    squared = (0.4 * 6.0) ** 2 * (until / 2 + np.sin(12.0 * until) / 24.0)  # ∫ (a ω cos ωt)² dt
    balance = run.energy_balance()
    assert balance.lost == {"oil": pytest.approx(0.2 * squared, rel=near)}
    assert balance.taken == {"fan": pytest.approx(0.1 * squared, rel=near)}
    kinetic = (2.0 * 0.5**2 / 3) * (0.4 * 6.0) ** 2 * (np.cos(6.0 * until) ** 2 - 1) / 2
    assert balance.supplied == {"A": pytest.approx(0.3 * squared + kinetic, rel=near)}


def test_designs_carry_the_energies_of_the_items():
    damping = ml.Parameter("c", 0.2)
    arm = pinned_body(
        ml.rod("arm", length=0.5, mass=2.0),
        actuators=[ml.Actuator("A", effort=0.5)],
        loads=[ml.JointSpring("oil", "A", stiffness=0.0, damping=damping)],
    )
    runs = ml.simulate(arm, start={"A": 0.0}, until=2.0, samples=5, parameters={"c": np.array([0.1, 0.3])})
    for k, value in enumerate((0.1, 0.3)):
        alone = ml.simulate(
            arm, start={"A": 0.0}, until=2.0, samples=5, parameters={"c": value}
        ).energy_balance()
        many = runs[k].energy_balance()
        assert many.lost == pytest.approx(alone.lost, rel=1e-9)
        assert many.taken == pytest.approx(alone.taken, rel=1e-9)
        assert set(many.taken) == {"A"}
        assert many.status == "ok"


@pytest.mark.parametrize("driven", [1, 2])
def test_a_drive_whose_speed_jumps_works_at_once(driven):
    """Slides of 3 kg that a drive accelerates instantly from rest to 2 m/s at 0.5 s; a brake dissipates a part."""
    names = [f"slide {k}" for k in range(driven)]
    slides = ml.Mechanism(
        "slides",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(), *(ml.Body(name, mass=3.0) for name in names)],
        joints=[
            ml.Prismatic(f"guide {k}", "ground.origin", f"{name}.origin") for k, name in enumerate(names)
        ],
        drives=[ml.Motion(f"guide {k}", ml.expr.maximum(2.0 * (ml.time - 0.5), 0.0)) for k in range(driven)],
        loads=[ml.JointSpring("oil", "guide 0", stiffness=0.0, damping=0.7)],
    )
    balance = ml.simulate(slides, until=1.0, samples=11).energy_balance()
    assert balance.lost == {"oil": pytest.approx(0.7 * 2.0**2 * 0.5, rel=1e-9)}
    assert balance.input == pytest.approx(driven * 3.0 * 2.0**2 / 2 + 0.7 * 2.0**2 * 0.5, rel=1e-9)
    assert balance.status == "ok"
    if driven == 1:
        assert set(balance.supplied) == {"guide 0"}


@pytest.mark.parametrize("how", ["drive", "relation"])
def test_impacts_stand_in_the_balance_with_what_drives_do_in_them(how: str) -> None:
    """An arm with a prescribed rotation carries another, which strikes its stops: the drive does work in every
    impact."""
    led = {"drives": [ml.Motion("A", 2.0 * ml.time)]}
    if how == "relation":
        led = {"pairs": [ml.Relation("lead", ml.position("A") - 2.0 * ml.time)]}
    arms = ml.Mechanism(
        "arms",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(), ml.rod("a", length=1.0, mass=1.0), ml.rod("b", length=1.0, mass=1.0)],
        joints=[ml.Revolute("A", "ground.origin", "a.a"), ml.Revolute("B", "a.b", "b.a")],
        loads=[ml.Stop("ends", "B", low=-0.5, high=0.5, restitution=0.5)],
        **led,
    )
    run = ml.simulate(arms, start={"B": 0.3}, rates={"B": 2.0}, until=0.5, samples=20001)
    impact, balance = run.impacts[0], run.energy_balance()
    assert impact.loss == pytest.approx((1 - 0.25) * impact.before["B"][0] ** 2 / 6, rel=1e-9)
    assert balance.lost["ends"] == pytest.approx(sum(one.loss for one in run.impacts), rel=1e-9)
    assert balance.output == pytest.approx(-balance.stored - balance.losses, abs=1e-3)
    assert abs(balance.missed) < 1e-3


def test_heat_of_a_contact_is_that_of_its_sliding_and_of_its_impacts() -> None:
    block = free_body(
        ml.Body("block", mass=2.0, inertia=0.1),
        "block",
        planar=True,
        loads=[ml.Contact("floor", "block.origin", "ground.origin", coefficient=0.1, restitution=0.5)],
    )
    run = ml.simulate(
        block, start={"floats": (0, 0.2, 0)}, rates={"floats": (5, 0, 0)}, until=2.0, samples=4001
    )
    balance = run.energy_balance()
    assert balance.lost["floor"] == pytest.approx(-balance.stored, rel=1e-9)
    assert balance.lost["floor"] > sum(impact.loss for impact in run.impacts) + 1.0


@pytest.mark.parametrize("mu", [0.06, 0.2])
def test_a_worm_has_the_efficiency_of_its_thread(mu: float) -> None:
    """η = tan γ / tan(γ + φ), tan φ = μ / cos α: tooth friction is a loss, and no output."""
    wheel = ml.marker((0, 0.1, 0), z=(0, 0, 1))
    winch = ml.Mechanism(
        "winch",
        bodies=[
            ml.ground(W=ml.marker((0, 0, 0), z=(1, 0, 0)), G=wheel),
            ml.Body("worm", mass=1.0, inertia=(2e-4, 2e-4, 3e-4)),
            ml.Body("wheel", mass=3.0, inertia=(1e-2, 1e-2, 2e-2)),
        ],
        joints=[ml.Revolute("A", "ground.W", "worm.origin"), ml.Revolute("B", "ground.G", "wheel.origin")],
        pairs=[ml.Worm("mesh", "worm.origin", "wheel.origin", teeth=(2, 30), radius=0.04)],
        loads=[
            ml.Torque("load", "wheel", (0, 0, -40.0), useful=True),
            ml.ToothFriction("teeth", "mesh", coefficient=mu),
        ],
        drives=[ml.Motion("B", 2.0 * ml.time)],
        actuators=[ml.Actuator("A")],
    )
    balance = ml.inverse(winch, t=np.linspace(0.1, 1.1, 11)).energy_balance()
    lead = 0.06 * 2 / (0.04 * 30)
    friction = mu / np.cos(np.pi / 9)
    assert balance.efficiency == pytest.approx(lead * (1 - lead * friction) / (lead + friction), rel=1e-9)
    assert list(balance.taken) == ["load"]
    assert list(balance.lost) == ["teeth"]


def test_dampers_of_flanks_lose_what_they_take() -> None:
    rattle = pinned_body(
        ml.Body("wheel", mass=1.0, inertia=0.02),
        name="rattle",
        gravity=(0, 0),
        loads=[ml.Backlash("play", "A", play=0.02, stiffness=500.0, damping=0.05)],
    )
    run = ml.simulate(rattle, start={"A": 0.0}, rates={"A": 3.0}, until=0.5, samples=5001)
    balance = run.energy_balance()
    assert not balance.taken
    assert balance.lost["play"] == pytest.approx(-balance.stored, rel=1e-6)


def plate_on_ropes(size: float = 1.0, mass: float = 1.0, time: float = 1.0) -> ml.Mechanism:
    """10 kg on four ropes of 1 m, in other units of length, mass and time."""
    corners = {
        k: (size * x, size * y)
        for k, (x, y) in enumerate([(-0.6, -0.4), (0.4, -0.4), (0.4, 0.6), (-0.6, 0.6)])
    }
    inertia = tuple(mass * size**2 * part for part in (1.0, 2.0, 3.0))
    return free_body(
        ml.Body(
            "plate",
            mass=10.0 * mass,
            inertia=inertia,
            markers={f"c{k}": (*corner, 0.0) for k, corner in corners.items()},
        ),
        "plate",
        ground=ml.ground({f"g{k}": (*corner, size) for k, corner in corners.items()}),
        loads=[ml.Rope(f"rope {k}", f"ground.g{k}", f"plate.c{k}", length=size) for k in corners],
        gravity=(0, 0, -9.81 * size / time**2),
    )


@pytest.mark.parametrize(
    "scale",
    [
        (1.0, 1.0, 1.0),
        pytest.param((16.0**-3, 16.0**4, 16.0**-2), marks=pytest.mark.slow),
        pytest.param((16.0**3, 16.0**-4, 16.0**2), marks=pytest.mark.slow),
    ],
)
def test_round_off_of_a_mechanism_at_rest_is_no_energy(scale, texts):
    """Forces of 25 N along ropes that move by round-off do work of 1e-15 J."""
    start = {"floats": (0, 0, 0, 1, 0, 0, 0)}
    run = ml.simulate(plate_on_ropes(*scale), start=start, until=0.6 * scale[2], samples=51)
    balance = run.energy_balance()
    assert (dict(balance.supplied), dict(balance.taken), dict(balance.lost)) == ({}, {}, {})
    texts(repr(balance), "0 J")
    assert balance.status == "ok"
    assert " J " not in run.summary()


@pytest.mark.parametrize("swing", [1e-2, 1e-5])
def test_small_energies_are_not_taken_for_round_off(swing):
    """A damped pendulum with a small amplitude dissipates the decrease of its potential energy."""
    pendulum = pinned_body(
        ml.rod("bar", length=1.0, mass=2.0),
        name="pendulum",
        loads=[ml.JointSpring("damper", "A", stiffness=0.0, damping=0.5)],
    )
    run = ml.simulate(pendulum, start={"A": swing - np.pi / 2}, until=20.0, samples=101)
    lost = run.energy_balance().lost["damper"]
    assert lost == pytest.approx(
        2.0 * 9.81 * 0.5 * (1 - np.cos(swing)), rel=1e-2
    )  # nearly all of it within 20 s
