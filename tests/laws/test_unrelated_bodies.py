"""No result depends on unconnected bodies, whatever their masses, rates and accelerations."""

from __future__ import annotations

import numpy as np
import pytest

import multiloop as ml

MASS, MU, G = 2.0, 0.3, 9.81
LIMIT = MU * MASS * G


def block_and_rotor(kind: str, force: float, torque: float, rotor_friction: float = 0.0) -> ml.Mechanism:
    """A block pushed along the ground against dry friction, and an unconnected rotor."""
    if kind == "joint":
        joint: ml.Joint = ml.Prismatic("P", "ground.origin", "block.origin")
        friction: ml.Load = ml.Friction("f", "P", coefficient=MU, stiction="exact")
    else:
        joint = ml.Free("P", "ground.origin", "block.origin")
        friction = ml.Contact("f", "block.origin", "ground.origin", coefficient=MU)
    bearing = [ml.Friction("bearing", "R", effort=rotor_friction, stiction="exact")] if rotor_friction else []
    return ml.Mechanism(
        "block and rotor",
        planar=True,
        bodies=[
            ml.ground(),
            ml.Body("block", mass=MASS, inertia=0.1),
            ml.Body("rotor", mass=1.0, inertia=1e-3),
        ],
        joints=[joint, ml.Revolute("R", "ground.origin", "rotor.origin")],
        loads=[
            friction,
            *bearing,
            ml.Force("push", "block.origin", (force, 0.0)),
            ml.Torque("motor", "rotor", torque),
        ],
    )


def start(kind: str, x: float = 0.0, rotor: float = 0.0) -> dict[str, object]:
    """Values of the joints along x, the others zero."""
    return {"P": x if kind == "joint" else (x, 0.0, 0.0), "R": rotor}


def along(values: np.ndarray) -> float:
    """The last value along x."""
    return float(np.ravel(values[-1])[0])


@pytest.mark.parametrize("bearing", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("alpha", [0.0, 1e6, 1e12])
@pytest.mark.parametrize("kind", ["joint", "contact"])
def test_a_rotor_does_not_decide_whether_a_block_slides(kind: str, alpha: float, bearing: float) -> None:
    """a = (F − μ m g)/m for a push that exceeds the limit by 1e-6, rest for one that is less by as much.

    Round-off of a force of 6 N is 1e-15 N; the difference of 6e-6 N is known to 1e-9.
    """
    torque = 1e-3 * alpha
    for excess in (1e-6, -1e-6):
        mechanism = block_and_rotor(kind, (1 + excess) * LIMIT, torque, bearing * torque)
        found = ml.forward(mechanism, start(kind))
        expected = max(excess, 0.0) * LIMIT / MASS
        assert along(found["P"].acceleration) == pytest.approx(expected, rel=1e-9, abs=1e-15)
        assert bool(found["f"].sticking[0]) is (excess < 0)
        assert found["R"].acceleration[0] == pytest.approx(max(1 - bearing, 0.0) * alpha, rel=1e-12)


@pytest.mark.parametrize("spin", [0.0, 1e6, 1e9, 1e12])
@pytest.mark.parametrize("kind", ["joint", "contact"])
def test_a_rotor_does_not_decide_whether_a_block_is_at_rest(kind: str, spin: float) -> None:
    """A block slides at 1 mm/s beside a rotor of any speed: it stops after v²/(2 μ g)."""
    mechanism = block_and_rotor(kind, 0.0, 0.0)
    rates = start(kind, 1e-3, spin)
    found = ml.forward(mechanism, start(kind), rates=rates)
    assert along(found["P"].acceleration) == pytest.approx(-MU * G, rel=1e-12)
    assert not found["f"].sticking[0]
    run = ml.simulate(mechanism, start=start(kind), rates=rates, until=1e-2, samples=3)
    assert along(run["P"].position) == pytest.approx(1e-6 / (2 * MU * G), rel=1e-9)
    assert run["f"].sticking[-1]


def test_an_impact_does_not_reach_bodies_that_have_nothing_to_do_with_it() -> None:
    """A heavy ball bounces beside a crate that rests on two feet: no impulse of the feet is reported or applied."""
    radius, height = 0.05, 0.2
    mechanism = ml.Mechanism(
        "ball and crate",
        planar=True,
        bodies=[
            ml.ground(),
            ml.Body("ball", mass=1e6, inertia=1e3),
            ml.Body("crate", mass=1.0, inertia=0.1, markers={"l": (-0.1, -0.1), "r": (0.1, -0.1)}),
        ],
        joints=[
            ml.Free("ball free", "ground.origin", "ball.origin"),
            ml.Free("crate free", "ground.origin", "crate.origin"),
        ],
        loads=[
            ml.Contact("bounce", "ball.origin", "ground.origin", radius=radius, restitution=0.5),
            *(ml.Contact(f"foot {k}", f"crate.{k}", "ground.origin", coefficient=0.4) for k in "lr"),
        ],
    )
    start = {"ball free": (2.0, radius + height, 0.0), "crate free": (0.0, 0.1, 0.0)}
    run = ml.simulate(mechanism, start=start, until=0.5, samples=6)
    first = np.sqrt(2 * height / G)
    assert run.impacts[0].time == pytest.approx(first, rel=1e-9)
    assert run.impacts[1].time == pytest.approx(first * (1 + 2 * 0.5), rel=1e-9)
    assert run.impacts[0].impulses == {"bounce": pytest.approx(1.5e6 * G * first, rel=1e-9)}
    assert all(set(impact.impulses) == {"bounce"} for impact in run.impacts)
    assert run["crate free"].rate[-1] == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)


def test_parts_are_joined_by_joints_pairs_couplings_and_loads() -> None:
    """Connected parts of a mechanism, listed by hand."""
    from multiloop.kinematics.tree.connected_parts import connected_parts

    names = ["a", "b", "c", "d", "e", "f", "g", "h"]
    mechanism = ml.Mechanism(
        "parts",
        planar=True,
        bodies=[ml.ground(), *(ml.Body(name, mass=1.0, inertia=0.1) for name in names)],
        joints=[ml.Revolute(name.upper(), "ground.origin", f"{name}.origin") for name in "acdefgh"]
        + [ml.Revolute("B", "a.origin", "b.origin")],
        pairs=[ml.Relation("gear", ml.position("C") - 2 * ml.position("D"))],
        loads=[
            ml.Spring("spring", "e.origin", "f.origin", stiffness=1.0, length=1.0),
            ml.Friction("bearing", "G", effort=1.0),
        ],
    )
    parts = connected_parts(mechanism)
    together = [{"a", "b"}, {"c", "d"}, {"e", "f"}, {"g"}, {"h"}]
    found = [{name for name in names if parts[name] == number} for number in sorted(set(parts.values()))]
    assert sorted(map(sorted, found)) == sorted(map(sorted, together))
