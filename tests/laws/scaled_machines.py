"""Mechanisms written in given units, with the results that are compared: quantities divided by their own units."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from laws.units import Units
from zoo.plain import crank_slider, four_bar_pins, free_body, pinned_body

import multiloop as ml

Answers = dict[str, Any]
"""Numbers by name, in units; what is not a number (a sequence of impacts or modes) is compared as it is."""


def _of_run(u: Units, run: ml.Result, *loads: str) -> Answers:
    """Status, impacts, events, counted steps, and the energy drift of a run."""
    found: Answers = {
        "status": run.status,
        "impacts": [tuple(impact.impulses) for impact in run.impacts],
        "times of impacts": np.array([impact.time for impact in run.impacts]) / u.s,
        "energy lost": np.array([impact.loss for impact in run.impacts]) / u.Nm,
        "events": {name: len(times) for name, times in run.events.items()},
        "times of events": np.array([t for times in run.events.values() for t in times]) / u.s,
        "steps": dict(run.counts),
        "kinetic energy": run.kinetic_energy / u.Nm,
        "work": run.work / u.Nm,
    }
    for name in loads:
        for flag in ("touching", "sticking", "taut", "holding"):
            if hasattr(run[name], flag):
                found[f"{name}.{flag}"] = getattr(run[name], flag).tolist()
    return found


def _upright(name: str, u: Units, *loads: Any) -> ml.Mechanism:
    """A weight in a vertical guide."""
    return ml.Mechanism(
        name,
        planar=True,
        gravity=(0, -9.81 * u.g),
        bodies=[
            ml.ground(foot=ml.marker((0, 0), angle=np.pi / 2)),
            ml.Body(
                "weight",
                mass=2.1 * u.kg,
                inertia=0.1 * u.inertia,
                markers={"m": ml.marker((0, 0), angle=np.pi / 2), "side": (0.4 * u.m, 0)},
            ),
        ],
        joints=[ml.Prismatic("guide", "ground.foot", "weight.m")],
        loads=list(loads),
    )


def bouncing_weight(u: Units) -> Answers:
    """A weight that bounces on a hard stop until it rests."""
    machine = _upright("bouncing weight", u, ml.Stop("floor", "guide", low=0.0, restitution=0.6))
    run = ml.simulate(
        machine, start={"guide": 0.7 * u.m}, until=2.5 * u.s, events={"low": ml.position("guide") - 0.2 * u.m}
    )
    return {
        **_of_run(u, run, "floor"),
        "height": run["guide"].position / u.m,
        "floor": run["floor"].effort / u.N,
    }


def _four_bar(
    u: Units, *loads: Any, drives: Any = (), coupler: Any = None, name: str = "four-bar"
) -> ml.Mechanism:
    rods = [("crank", 0.3, 1.1), ("coupler", 0.9, 2.1), ("rocker", 0.8, 1.7)]
    bodies = {body: ml.rod(body, length=size * u.m, mass=mass * u.kg) for body, size, mass in rods}
    if coupler is not None:
        bodies["coupler"] = coupler
    return ml.Mechanism(
        name,
        planar=True,
        gravity=(0, -9.81 * u.g),
        bodies=[ml.ground(A=(0, 0), D=(1.1 * u.m, 0)), *bodies.values()],
        joints=four_bar_pins(),
        loads=list(loads),
        drives=list(drives),
        guess={"A": 1.0, "coupler.b": (0.8 * u.m, 0.7 * u.m)},
    )


def struck_four_bar(u: Units) -> Answers:
    """A closed loop with impacts on a stop, a return spring and exact friction in a bearing."""
    loads = [
        ml.Stop("anvil", "D", low=1.825, restitution=0.5),
        ml.Spring("return", "ground.A", "coupler.b", stiffness=20.0 * u.N / u.m, length=1.1 * u.m),
        ml.Friction("bearing", "D", effort=0.3 * u.Nm, stiction="exact"),
    ]
    run = ml.simulate(
        _four_bar(u, *loads), start={"A": 1.0}, rates={"A": 3.0 * u.rate}, until=2.1 * u.s, samples=101
    )
    return {
        **_of_run(u, run, "anvil", "bearing"),
        "crank": run["A"].position,
        "load at C": run["C"].force / u.N,
        "anvil": run["anvil"].effort / u.Nm,
    }


def stick_and_slip(u: Units) -> Answers:
    """A block dragged by a spring over a rough floor: static and sliding coefficients, exact friction."""
    machine = ml.Mechanism(
        "stick and slip",
        planar=True,
        gravity=(0, -9.81 * u.g),
        bodies=[
            ml.ground(),
            ml.Body("hand", mass=1.1 * u.kg),
            ml.Body("block", mass=2.1 * u.kg, inertia=0.1 * u.inertia),
        ],
        joints=[
            ml.Prismatic("led", "ground.origin", "hand.origin"),
            ml.Prismatic("slides", "ground.origin", "block.origin"),
        ],
        drives=[ml.Motion("led", (1.1 + 0.1 * ml.time / u.s) * u.m)],
        loads=[
            ml.Spring("drag", "block.origin", "hand.origin", stiffness=50.0 * u.N / u.m, length=1.1 * u.m),
            ml.Friction("floor", "slides", coefficient=(0.5, 0.3), stiction="exact"),
        ],
    )
    run = ml.simulate(machine, start={"slides": 0.0}, until=5.0 * u.s, samples=201)
    return {
        **_of_run(u, run, "floor"),
        "block": run["slides"].position / u.m,
        "heat": run["floor"].heat / u.Nm,
    }


def thrown_ball(u: Units) -> Answers:
    """A ball thrown over a rough floor in space, which bounces, slides and spins."""
    machine = free_body(
        ml.Body("ball", mass=0.55 * u.kg, inertia=(0.002 * u.inertia,) * 3),
        "thrown ball",
        joint="flies",
        gravity=(0, 0, -9.81 * u.g),
        loads=[
            ml.Contact(
                "floor",
                "ball.origin",
                "ground.origin",
                radius=0.1 * u.m,
                coefficient=0.3,
                restitution=0.5,
            )
        ],
    )
    run = ml.simulate(
        machine,
        start={"flies": (0, 0, 0.4 * u.m, 1, 0, 0, 0)},
        rates={"flies": (1.5 * u.speed, 0.2 * u.speed, 0, 2.1 * u.rate, 0, 5.0 * u.rate)},
        until=1.2 * u.s,
        samples=121,
    )
    return {
        **_of_run(u, run, "floor"),
        "place": run["flies"].position[:, :3] / u.m,
        "normal": run["floor"].normal / u.N,
        "sliding": run["floor"].sliding / u.speed,
    }


def scraping_rod(u: Units) -> Answers:
    """A rod that falls on a rough floor and slides along it; forces at one instant too."""
    machine = free_body(
        ml.Body(
            "rod",
            mass=1.1 * u.kg,
            inertia=0.09 * u.inertia,
            markers={"tip": (-0.53 * u.m, 0), "end": (0.53 * u.m, 0)},
        ),
        "scraping rod",
        planar=True,
        gravity=(0, -9.81 * u.g),
        loads=[
            ml.Contact(
                "tip", "rod.tip", "ground.origin", coefficient=0.4, stiction="smooth", slip=1e-3 * u.speed
            ),
            ml.Contact(
                "end", "rod.end", "ground.origin", coefficient=0.4, stiction="smooth", slip=1e-3 * u.speed
            ),
        ],
    )
    lean = 1.0
    start = {"floats": (0.53 * np.cos(lean) * u.m, 0.53 * np.sin(lean) * u.m, lean)}
    rates = {"floats": (-1.1 * u.speed, 0.0, 0.0)}
    now = ml.forward(machine, start, rates=rates)
    run = ml.simulate(machine, start=start, rates=rates, until=1.1 * u.s, samples=101)
    return {
        **_of_run(u, run, "tip", "end"),
        "normal at first": now["tip"].normal / u.N,
        "acceleration": now["floats"].acceleration[:, :2] / u.g,
        "angle": run["floats"].position[:, 2],
        "normal": run["tip"].normal / u.N,
    }


def hoisted_load(u: Units) -> Answers:
    """A load on a rope that becomes taut with an impact, in space, and swings."""
    machine = free_body(
        ml.Body("load", mass=3.0 * u.kg, inertia=(0.05 * u.inertia,) * 3, markers={"eye": (0, 0, 0.2 * u.m)}),
        "hoisted load",
        ground=ml.ground(hook=(0, 0, 2.1 * u.m)),
        gravity=(0, 0, -9.81 * u.g),
        loads=[ml.Rope("sling", "ground.hook", "load.eye", length=1.1 * u.m, restitution=0.2)],
    )
    run = ml.simulate(
        machine,
        start={"floats": (0.3 * u.m, 0.1 * u.m, 1.4 * u.m, 1, 0, 0, 0)},
        rates={"floats": (0.2 * u.speed, 0.55 * u.speed, 0, 0, 0, 0)},
        until=2.1 * u.s,
        samples=101,
    )
    return {
        **_of_run(u, run, "sling"),
        "place": run["floats"].position[:, :3] / u.m,
        "pull": run["sling"].force / u.N,
    }


def ratchet(u: Units) -> Answers:
    """A shaft with a freewheel and an alternating torque, with a spring and viscous drag."""
    machine = pinned_body(
        ml.Body("wheel", mass=1.1 * u.kg, inertia=0.2 * u.inertia, markers={"rim": (0.3 * u.m, 0)}),
        name="ratchet",
        gravity=(0, 0),
        loads=[
            ml.Freewheel("pawl", "A"),
            ml.JointSpring("return", "A", stiffness=0.55 * u.Nm, damping=0.05 * u.Nm * u.s),
        ],
    )
    torque = 3.0 * u.Nm * ml.expr.sin(4.0 * ml.time / u.s)
    answers: Answers = {}
    for integrator in ("dop853", "implicit"):
        run = ml.simulate(
            machine,
            start={"A": 0.0},
            rates={"A": 0.0},
            efforts={"A": torque},
            until=6.0 * u.s,
            samples=101,
            integrator=integrator,
            rtol=1e-8,
        )
        found = {**_of_run(u, run, "pawl"), "angle": run["A"].position, "pawl": run["pawl"].effort / u.Nm}
        answers |= {f"{integrator}: {name}": value for name, value in found.items()}
    return answers


def bending_four_bar(u: Units) -> Answers:
    """A driven four-bar with a flexible coupler: run, inverse dynamics, natural frequencies with the drive held."""
    coupler = ml.beam(
        "coupler",
        length=0.9 * u.m,
        E=70e9 * u.Pa,
        density=2700.0 * u.density,
        section=ml.rectangle(0.02 * u.m, 0.006 * u.m),
        modes=2,
        damping=0.01,
    )
    machine = _four_bar(
        u, drives=[ml.Motion("A", ml.motion_laws.constant_speed(6.0 * u.rate))], coupler=coupler
    )
    run = ml.simulate(machine, until=0.1 * u.s, samples=11)
    led = ml.simulate(machine, until=0.1 * u.s, samples=11, integrator="imex", rtol=1e-8)
    small = ml.eigenmodes(machine, held=True)
    return {
        **_of_run(u, run),
        "torque": run["A"].effort / u.Nm,
        "torque by imex": led["A"].effort / u.Nm,
        "load at C": run["C"].force / u.N,
        "sag": run.link("coupler").deflection(0.45 * u.m) / u.m,
        "frequencies": small.frequencies * u.s,
    }


def falling_arm(u: Units) -> Answers:
    """A clamped flexible arm that falls and comes to rest with its tip on a rough plane."""
    arm = ml.beam(
        "arm",
        length=1.1 * u.m,
        E=70e9 * u.Pa,
        density=2700.0 * u.density,
        section=ml.rectangle(0.02 * u.m, 0.01 * u.m),
        modes={"y": 2},
        frame="a",
        damping=0.02,
    )
    machine = pinned_body(
        arm,
        name="falling arm",
        ground=ml.ground(floor=(0, -0.1 * u.m)),
        gravity=(0, -9.81 * u.g),
        loads=[
            ml.Contact(
                "floor",
                "arm.b",
                "ground.floor",
                coefficient=0.2,
                restitution=0.1,
                stiction="smooth",
                slip=1e-2 * u.speed,
            )
        ],
    )
    run = ml.simulate(machine, start={"A": 0.0}, until=0.25 * u.s, samples=51, rtol=1e-8)
    return {
        **_of_run(u, run, "floor"),
        "angle": run["A"].position,
        "normal": run["floor"].normal / u.N,
        "tip": run.link("arm").deflection(1.1 * u.m) / u.m,
    }


def rubbing_slider_crank(u: Units) -> Answers:
    """An engine with smooth friction in guide and pin, a gas force in time and an elastic end stop."""
    machine = crank_slider(
        ml.rod("crank", length=0.1 * u.m, mass=1.1 * u.kg),
        ml.rod("rod", length=0.3 * u.m, mass=0.55 * u.kg),
        ml.Body("piston", mass=0.4 * u.kg, inertia=1e-3 * u.inertia),
        "slider-crank",
        pins=("A", "B", "C", "D"),
        gravity=(0, -9.81 * u.g),
        loads=[
            ml.Friction("guide", "D", coefficient=0.1, speed=0.01 * u.speed),
            ml.Friction(
                "pin", "A", coefficient=0.05, radius=0.02 * u.m, viscous=0.01 * u.Nm * u.s, speed=0.1 * u.rate
            ),
            ml.Force("gas", "piston.origin", (-30.0 * u.N * ml.expr.cos(5.0 * ml.time / u.s), 0)),
            ml.Stop("end", "D", high=0.35 * u.m, stiffness=4e3 * u.N / u.m, damping=20.0 * u.N / u.speed),
        ],
        guess={"A": 0.5, "B": -0.66},
    )
    run = ml.simulate(machine, start={"A": 0.5}, rates={"A": 8.0 * u.rate}, until=1.1 * u.s, samples=101)
    driven = machine.replace(drives=[ml.Motion("A", 0.5 + ml.motion_laws.constant_speed(8.0 * u.rate))])
    times = np.linspace(0, 0.5, 7) * u.s
    along = ml.inverse(driven, t=times)
    return {
        **_of_run(u, run),
        "crank": run["A"].position,
        "guide": run["guide"].effort / u.N,
        "torque": along["A"].effort / u.Nm,
        "load at B": along["B"].force / u.N,
    }


def platform_in_space(u: Units) -> Answers:
    """A spatial four-bar (RSSR), driven and released, with a bushing to the ground."""
    machine = ml.Mechanism(
        "RSSR",
        gravity=(0, 0, -9.81 * u.g),
        bodies=[
            ml.ground(A=(0, 0, 0), D=ml.marker((1.1 * u.m, 0, 0), z=(0, 1, 0), x=(0, 0, 1))),
            ml.Body(
                "crank",
                mass=1.1 * u.kg,
                com=(0.1 * u.m, 0, 0),
                inertia=tuple(x * u.inertia for x in (0.01, 0.02, 0.02)),
                markers={"a": (0, 0, 0), "b": (0.25 * u.m, 0, 0.05 * u.m)},
            ),
            ml.Body(
                "rod",
                mass=2.1 * u.kg,
                com=(0.55 * u.m, 0, 0),
                inertia=tuple(x * u.inertia for x in (0.02, 0.15, 0.15)),
                markers={"b": (0, 0, 0), "c": (1.1 * u.m, 0, 0)},
            ),
            ml.Body(
                "rocker",
                mass=1.7 * u.kg,
                com=(0.2 * u.m, 0, 0),
                inertia=tuple(x * u.inertia for x in (0.02, 0.05, 0.05)),
                markers={"c": (0.55 * u.m, 0, 0), "d": (0, 0, 0)},
            ),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Spherical("B", "crank.b", "rod.b"),
            ml.Spherical("C", "rod.c", "rocker.c"),
            ml.Revolute("D", "ground.D", "rocker.d"),
        ],
        loads=[
            ml.JointSpring("hinge", "D", stiffness=40.0 * u.Nm, damping=0.1 * u.Nm * u.s),
            ml.Spring("tie", "ground.origin", "rocker.c", stiffness=30.0 * u.N / u.m, length=0.8 * u.m),
        ],
        guess={"A": 0.3, "rod.c": (1.1 * u.m, 0, 0.55 * u.m)},
    )
    run = ml.simulate(machine, start={"A": 0.3}, rates={"A": 2.1 * u.rate}, until=1.1 * u.s, samples=51)
    rest = ml.equilibrium(machine)
    small = ml.eigenmodes(machine, rest)
    return {
        **_of_run(u, run),
        "crank": run["A"].position,
        "load at B": run["B"].force / u.N,
        "at rest": rest["D"].position,
        "frequencies": small.frequencies * u.s,
        "damping": small.damping,
    }


def controlled_stage(u: Units) -> Answers:
    """Two masses with backlash between them under a PI law, with its integral as a state, and an elastic stop."""
    error = 0.3 - ml.position("x1") / u.m
    machine = ml.Mechanism(
        "stage",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(),
            ml.Body("first", mass=1.1 * u.kg, inertia=0.01 * u.inertia, markers={"m": (0.2 * u.m, 0)}),
            ml.Body("second", mass=2.1 * u.kg, inertia=0.01 * u.inertia, markers={"m": (0.2 * u.m, 0)}),
        ],
        joints=[
            ml.Prismatic("x1", "ground.origin", "first.origin"),
            ml.Prismatic("x2", "first.m", "second.origin"),
        ],
        loads=[
            ml.Backlash(
                "mesh", joint="x2", play=0.01 * u.m, stiffness=500.0 * u.N / u.m, damping=5.0 * u.N / u.speed
            ),
            ml.JointSpring("base", "x1", stiffness=20.0 * u.N / u.m, damping=2.1 * u.N / u.speed),
        ],
        integrals=[ml.Integral("sum", error / u.s)],
    )
    effort = (40.0 * error + 25.0 * ml.integral("sum")) * u.N
    run = ml.simulate(
        machine,
        start={"x1": 0.0, "x2": 0.0},
        efforts={"x1": effort},
        until=3.0 * u.s,
        samples=61,
        events={"half way": ml.position("x1") - 0.15 * u.m},
    )
    return {
        **_of_run(u, run),
        "first": run["x1"].position / u.m,
        "second": run["x2"].position / u.m,
        "sum": run.integrals["sum"],
    }


def coasting_wheel(u: Units) -> Answers:
    """A wheel with rolling resistance that comes to rest on a slope, where it creeps."""
    slope, radius = 0.03, 0.21 * u.m
    machine = ml.Mechanism(
        "coasting wheel",
        planar=True,
        gravity=(0, -9.81 * u.g),
        bodies=[
            ml.ground(road=ml.marker((0, 0), angle=-slope)),
            ml.Body("wheel", mass=3.1 * u.kg, inertia=0.05 * u.inertia),
        ],
        pairs=[
            ml.Rolling("tyre", "wheel.origin", "ground.road", radius=radius, resistance=0.011 * u.m),
        ],
    )
    start = {"wheel floats": (radius * np.sin(slope), radius * np.cos(slope), 0.0)}
    run = ml.simulate(
        machine, start=start, rates={"wheel floats": (0.2 * u.speed, None, None)}, until=2.0 * u.s, samples=21
    )
    return {
        **_of_run(u, run),
        "way": run["wheel floats"].position[:, 0] / u.m,
        "creep": run["wheel floats"].rate[-1, 2] / u.rate,
        "moment": run["tyre/resistance"].moment / u.Nm,
        "heat": run["tyre/resistance"].heat / u.Nm,
    }


MACHINES: dict[str, Callable[[Units], Answers]] = {
    machine.__name__: machine
    for machine in (
        bouncing_weight,
        struck_four_bar,
        stick_and_slip,
        thrown_ball,
        scraping_rod,
        hoisted_load,
        ratchet,
        bending_four_bar,
        falling_arm,
        rubbing_slider_crank,
        platform_in_space,
        controlled_stage,
        coasting_wheel,
    )
}


def differences(found: Answers, known: Answers, within: float = 0.0) -> Iterator[str]:
    """Results that differ by more than a part of the largest value; sequences and words that differ at all.

    Where values may differ in their last bits, these decide when an iteration ends: steps are compared, but not the
    number of evaluations.
    """
    assert found.keys() == known.keys()
    for name, value in known.items():
        other = found[name]
        if name == "steps" and within:
            other, value = ({k: n for k, n in one.items() if k != "evaluations"} for one in (other, value))
        if not isinstance(value, np.ndarray):
            if other != value:
                yield f"{name}: {_shown(other)} in place of {_shown(value)}"
        elif np.shape(other) != value.shape:
            yield f"{name}: {np.shape(other)} values in place of {value.shape}"
        elif not np.array_equal(other, value):
            size = float(np.abs(value).max(initial=0.0)) or 1.0
            part = float(np.abs(other - value).max()) / size
            if not part <= within:
                yield f"{name}: differs by {part:.1e}"


def _shown(value: Any) -> str:
    if isinstance(value, list) and len(value) > 12:
        return f"{len(value)} entries, {sum(map(bool, value))} true"
    return str(value)
