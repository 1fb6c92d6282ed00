"""Worm, rack, helical pair, differential, belts and chains against formulas written down by hand."""

from __future__ import annotations

import numpy as np
import pytest
from laws.gearings import on_arm, wheel
from zoo.plain import two_shafts

import multiloop as ml

INVERSE = ("subsystem", "system", "virtual_work", "traditional")


def standing(mechanism, drive, load):
    """The same with its arm held, driven at the first wheel, and loaded at the second; without weight."""
    return mechanism.replace(
        gravity=(0, 0, 0),
        drives=[ml.Motion("H", 0.0 * ml.time), ml.Motion("A", drive)],
        loads=[load],
    )


def geared(pairs, first, second, **given):
    return on_arm(
        "by hand", ml.marker(*first[:1], z=first[1]), ml.marker(*second[:1], z=second[1]), pairs, **given
    )


@pytest.mark.parametrize("method", INVERSE)
@pytest.mark.parametrize("torque", [8.0, -8.0])
def test_helical_pair(method, torque):
    """F_t = M / ρ, F_r = |F_t| tan αₙ / cos β, F_a = F_t tan β; the bearing carries them and the moment of F_a."""
    beta, alpha = ml.deg(23), ml.deg(20)
    gear = ml.Gear("mesh", "one.origin", "two.origin", teeth=(20, 40), helix_angle=beta, pressure_angle=alpha)
    mechanism = geared([gear], ((0, 0, 0), (0, 0, 1)), ((0.15, 0, 0), (0, 0, 1)))
    bodies = [
        body if body.name in ("ground", "arm") else ml.Body(body.name, mass=0.1, inertia=(1e-3,) * 3)
        for body in mechanism.bodies
    ]
    mechanism = mechanism.replace(bodies=bodies)
    arm = {"H": 0.0}
    found = ml.inverse(
        standing(mechanism, 0.0 * ml.time, ml.Torque("load", "two", (0, 0, torque), frame="body")),
        t=[0.0],
        method=method,
        start=arm,
    )
    F = -torque / 0.10
    mesh = found["mesh"]
    assert mesh.tangential[0] == pytest.approx(F, rel=1e-12)
    assert mesh.radial[0] == pytest.approx(abs(F) * np.tan(alpha) / np.cos(beta), rel=1e-12)
    assert mesh.axial[0] == pytest.approx(-F * np.tan(beta), rel=1e-12)
    assert found["A"].effort[0] == pytest.approx(torque / 2, rel=1e-12)
    R = found.body("arm")[0][:, :3]
    on_first = np.array(
        [-mesh.radial[0], F, mesh.axial[0]]
    )  # the pitch point lies along +x from the first axis
    assert R.T @ found["A"].force[0] == pytest.approx(-on_first, abs=1e-9)
    moment = -np.cross((0.05, 0, 0), on_first) * (1, 1, 0)
    assert R.T @ found["A"].moment[0] == pytest.approx(moment, abs=1e-9)
    assert R @ -on_first == pytest.approx(mesh.force[0], abs=1e-9)


@pytest.mark.parametrize("method", INVERSE)
def test_worm(method):
    """Frictionless: M₁ θ̇₁ + M₂ θ̇₂ = 0 with θ₂ = −z₁/z₂ θ₁; F_a of the worm is F_t of the wheel, F_t1 = F_a1 tan γ."""
    gamma, a, z1, z2, load = ml.deg(10), 0.1, 2, 40, 60.0
    worm = ml.Worm("mesh", "one.origin", "two.origin", teeth=(z1, z2), lead_angle=gamma)
    mechanism = geared([worm], ((0, 0, 0), (1, 0, 0)), ((0, a, 0), (0, 0, 1)))
    found = ml.inverse(
        standing(mechanism, 30 * ml.time, ml.Torque("load", "two", (0, 0, load), frame="body")).replace(
            bodies=[
                b if b.name in ("ground", "arm") else ml.Body(b.name, mass=0.1, inertia=(1e-3,) * 3)
                for b in mechanism.bodies
            ]
        ),
        t=[0.0],
        method=method,
        start={"H": 0.0},
    )
    r1 = a / (1 + z2 / z1 * np.tan(gamma))
    r2 = a - r1
    ratio = found["B"].rate[0] / found["A"].rate[0]
    assert abs(ratio) == pytest.approx(z1 / z2, rel=1e-13)
    assert found["A"].effort[0] == pytest.approx(-load * ratio, rel=1e-11)
    mesh = found["mesh"]
    assert abs(mesh.tangential_on_second[0]) == pytest.approx(load / r2, rel=1e-11)
    assert abs(mesh.axial[0]) == pytest.approx(load / r2, rel=1e-11)
    assert abs(mesh.tangential[0]) == pytest.approx(load / r2 * np.tan(gamma), rel=1e-11)
    assert mesh.radial[0] == pytest.approx(load / r2 * np.tan(ml.deg(20)) / np.cos(gamma), rel=1e-11)
    by_radius = mechanism.replace(
        pairs=[ml.Worm("mesh", "one.origin", "two.origin", teeth=(z1, z2), radius=r1)]
    )
    one, other = (ml.assemble(m, {"H": 0.0, "A": 1.0}).positions["B"] for m in (mechanism, by_radius))
    assert one == pytest.approx(other, rel=1e-13)


def test_a_worm_with_a_right_hand_thread_turns_its_wheel_as_a_screw_moves_its_nut():
    """A right-hand screw held in place and turned by +θ about x drives its nut along −x.

    The teeth of the wheel at the worm are the nut. They stand at −r e_y from the wheel's centre, and move along −x as
    it turns by negative angles about z: ω_z × (−r e_y) = ω_z r e_x.
    """
    worm = ml.Worm("mesh", "one.origin", "two.origin", teeth=(1, 30), lead_angle=ml.deg(6))
    mechanism = geared([worm], ((0, 0, 0), (1, 0, 0)), ((0, 0.1, 0), (0, 0, 1)))
    assert ml.assemble(mechanism, {"H": 0.0, "A": 3.0}).positions["B"][0] == pytest.approx(-0.1, rel=1e-13)


@pytest.mark.parametrize("method", INVERSE)
@pytest.mark.parametrize("push", [-90.0, 90.0])
def test_rack(method, push):
    """M = F ρ, and a separating force F tan α between pinion and rack for either direction of the force."""
    mechanism = ml.Mechanism(
        "rack",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(O=(0, 0), rail=(0, 0.03)),
            ml.Body("pinion", mass=0.2, inertia=1e-4),
            ml.Body("rack", mass=0.5, inertia=1e-3),
        ],
        joints=[
            ml.Revolute("A", "ground.O", "pinion.origin"),
            ml.Prismatic("S", "ground.rail", "rack.origin"),
        ],
        pairs=[ml.Rack("mesh", "pinion.origin", "rack.origin", teeth=20, module=0.003)],
        drives=[ml.Motion("A", 2.0 * ml.time)],
        loads=[ml.Force("push", "rack.origin", (push, 0))],
    )
    found = ml.inverse(mechanism, t=[0.0, 0.4], method=method)
    assert found["S"].position == pytest.approx(
        [0.0, -0.03 * 0.8], abs=1e-15
    )  # above the pinion it moves backward
    assert found["A"].effort == pytest.approx(push * 0.03, rel=1e-12)
    assert found["mesh"].tangential == pytest.approx(-push, rel=1e-12)
    assert found["mesh"].radial == pytest.approx(90 * np.tan(ml.deg(20)), rel=1e-12)
    assert found["A"].force[:, 1] == pytest.approx(found["mesh"].radial, rel=1e-12)
    assert found["S"].force[:, 1] == pytest.approx(-found["mesh"].radial, rel=1e-12)
    assert found["S"].moment[1] - found["S"].moment[0] != pytest.approx(
        0.0, abs=0.1
    )  # the contact moves along the rack


def differential(**changes):
    """Bevel gears in a rotating housing: two side gears, and one planet."""
    axis = {"z": (1, 0, 0)}
    given = {
        "gravity": (0, 0, 0),
        "bodies": [
            ml.ground(O=ml.marker((0, 0, 0), **axis)),
            ml.Body(
                "housing",
                mass=2.0,
                inertia=(0.01, 0.012, 0.012),
                markers={"O": ml.marker((0, 0, 0), **axis), "P": ml.marker((0, 0.04, 0), z=(0, 1, 0))},
            ),
            ml.Body(
                "left",
                mass=0.5,
                inertia=(3e-4, 2e-4, 2e-4),
                markers={"O": ml.marker((0, 0, 0), **axis), "c": (-0.03, 0, 0)},
            ),
            ml.Body(
                "right",
                mass=0.5,
                inertia=(3e-4, 2e-4, 2e-4),
                markers={"O": ml.marker((0, 0, 0), **axis), "c": (0.03, 0, 0)},
            ),
            ml.Body("planet", mass=0.2, inertia=(5e-5, 5e-5, 8e-5)),
        ],
        "joints": [
            ml.Revolute("housing bearing", "ground.O", "housing.O"),
            ml.Revolute("L", "ground.O", "left.O"),
            ml.Revolute("R", "ground.O", "right.O"),
            ml.Revolute("P", "housing.P", "planet.origin"),
        ],
        "pairs": [
            ml.Bevel("left mesh", "left.c", "planet.origin", teeth=(16, 12)),
            ml.Bevel("right mesh", "right.c", "planet.origin", teeth=(16, 12)),
        ],
    }
    return ml.Mechanism("differential", **(given | changes))


@pytest.mark.parametrize("method", INVERSE)
def test_differential(method):
    """Willis: ω_L + ω_R = 2 ω_H; in steady motion both side gears get half the torque of the housing."""
    speeds = {"housing bearing": 30.0 * ml.time, "L": 22.0 * ml.time}
    mechanism = differential(
        drives=[ml.Motion(joint, profile) for joint, profile in speeds.items()],
        loads=[ml.Torque("wheels", "right", (-50.0, 0, 0))],
    )
    found = ml.inverse(mechanism, t=[0.0, 0.3], method=method)
    assert found["R"].rate == pytest.approx(2 * 30.0 - 22.0, rel=1e-13)
    assert found["P"].rate == pytest.approx((22.0 - 30.0) * 16 / 12, rel=1e-13)
    assert found["L"].effort == pytest.approx(-50.0, rel=1e-10)
    assert found["housing bearing"].effort == pytest.approx(100.0, rel=1e-10)
    for side in ("left", "right"):
        assert abs(found[f"{side} mesh"].tangential) == pytest.approx(50.0 / 0.04, rel=1e-10)
        assert found[f"{side} mesh"].determined


@pytest.mark.parametrize("method", INVERSE)
@pytest.mark.parametrize("crossed", [False, True])
@pytest.mark.parametrize("torque", [12.0, -12.0])
def test_belt(method, crossed, torque):
    """T₁ − T₂ = M/r, T₁ + T₂ = 2 T₀; the bearing carries both spans along their directions; Euler's limit."""
    r1, r2, a, T0, mu = 0.05, 0.09, 0.4, 200.0, 0.3
    mechanism = two_shafts(
        wheel("one", planar=True),
        ml.Body("two", mass=1.0, inertia=0.01),
        distance=a,
        name="belt",
        gravity=(0, 0),
        pairs=[
            ml.Belt(
                "belt",
                "one.origin",
                "two.origin",
                radii=(r1, r2),
                crossed=crossed,
                pretension=T0,
                friction=mu,
            )
        ],
        drives=[ml.Motion("A", 20 * ml.time)],
        loads=[ml.Torque("load", "two", torque)],
    )
    found = ml.inverse(mechanism, t=[0.0, 0.2], method=method)
    assert found["B"].rate == pytest.approx((-1 if crossed else 1) * 20 * r1 / r2, rel=1e-13)
    pull, belt = abs(torque) / r2, found["belt"]
    assert belt.tight - belt.slack == pytest.approx(pull, rel=1e-11)
    assert belt.tight + belt.slack == pytest.approx(2 * T0, rel=1e-13)
    delta = np.arcsin((r1 + r2 if crossed else r1 - r2) / a)
    wrap = np.pi + 2 * delta if crossed else np.pi - 2 * abs(delta)
    growth = np.exp(mu * wrap)
    assert belt.limit == pytest.approx(2 * T0 * (growth - 1) / (growth + 1), rel=1e-12)
    across = pull * np.sin(delta) * np.sign(belt.tangential[0])
    expected = (-2 * T0 * np.cos(delta), -across)
    assert -found["B"].force[0] == pytest.approx(
        np.array(expected), rel=1e-10
    )  # what the belt does to pulley two
    assert found["A"].determined
    assert found["B"].determined


def test_a_belt_without_pretension_leaves_its_bearings_open(texts):
    mechanism = two_shafts(
        ml.Body("one", mass=1.0, inertia=0.01),
        ml.Body("two", mass=1.0, inertia=0.01),
        distance=0.4,
        name="belt",
        gravity=(0, 0),
        pairs=[ml.Belt("belt", "one.origin", "two.origin", radii=(0.1, 0.1))],
        drives=[ml.Motion("A", 20 * ml.time)],
        loads=[ml.Torque("load", "two", -12.0)],
    )
    found = ml.inverse(mechanism, t=[0.0])
    assert found["belt"].determined
    assert found["belt"].slack[0] == pytest.approx(0.0, abs=1e-10)
    assert found["belt"].tight[0] == pytest.approx(120.0)
    for bearing in ("A", "B"):
        assert found[bearing].undetermined == ("force along x", "force along y")
        assert found[bearing].load[0] == pytest.approx(120.0)
    texts(ml.analyse(mechanism).explain())
    chain = mechanism.replace(
        pairs=[ml.Chain("belt", "one.origin", "two.origin", teeth=(25, 25), pitch=0.008 * np.pi)]
    )
    with_chain = ml.inverse(chain, t=[0.0])
    assert with_chain["A"].determined
    assert with_chain["A"].load[0] == pytest.approx(120.0)
