"""Compliant shafts and joints, modelled by springs and bushings, against closed forms."""

import numpy as np
import pytest

import multiloop as ml


def drive(k=800.0, **changes):
    """A motor and a drum on one torsionally compliant shaft."""
    given = {
        "bodies": [
            ml.ground(O=(0, 0)),
            ml.Body("motor", mass=1.0, inertia=0.02),
            ml.Body("drum", mass=2.0, inertia=0.05),
        ],
        "joints": [
            ml.Revolute("O", "ground.O", "motor.origin"),
            ml.Revolute("shaft", "motor.origin", "drum.origin"),
        ],
        "loads": [ml.JointSpring("torsion", "shaft", stiffness=k)],
    }
    return ml.Mechanism("drive", planar=True, gravity=(0, 0), **(given | changes))


def test_two_inertias_on_a_shaft_swing_against_each_other():
    """ω² = k (1/J₁ + 1/J₂) with J₁ φ₁ + J₂ φ₂ = 0, and a rigid rotation of the whole shaft."""
    swing = ml.eigenmodes(drive(), {"O": 0.3, "shaft": 0.0})
    assert swing.frequencies[-1] == pytest.approx(np.sqrt(800 * (1 / 0.02 + 1 / 0.05)), rel=1e-10)
    shape = swing.shape(len(swing.frequencies) - 1)
    motor, twist = complex(shape["O"]), complex(shape["shaft"])
    assert 0.02 * motor + 0.05 * (motor + twist) == pytest.approx(0.0, abs=1e-10)


def test_a_shaft_between_two_gears_twists_with_the_ratio():
    """Motor J₁ on the pinion, a wheel of no inertia, a shaft, a drum J₂: ω² = k (1/J₂ + 1/(i² J₁)), i = z₂/z₁."""
    ratio = 3.0
    geared = drive(
        bodies=[
            ml.ground(O=(0, 0), P=(0.12, 0)),
            ml.Body("motor", mass=1.0, inertia=0.02),
            ml.Body("wheel", mass=1e-9, inertia=1e-9),
            ml.Body("drum", mass=2.0, inertia=0.05),
        ],
        joints=[
            ml.Revolute("O", "ground.O", "motor.origin"),
            ml.Revolute("P", "ground.P", "wheel.origin"),
            ml.Revolute("shaft", "wheel.origin", "drum.origin"),
        ],
        pairs=[ml.Gear("mesh", "motor.origin", "wheel.origin", teeth=(20, 60))],
    )
    swing = ml.eigenmodes(geared, {"O": 0.0, "shaft": 0.0})
    by_hand = np.sqrt(800 * (1 / 0.05 + 1 / (ratio**2 * 0.02)))
    assert swing.frequencies[-1] == pytest.approx(by_hand, rel=1e-8)  # the effect of the wheel's 1e-9 kg m²


def test_a_pin_of_rubber_in_a_loop_is_the_rigid_pin_in_the_limit():
    """The deflection of a four-bar closed by a Bushing falls with 1/k, and the mount bears the force of the pin."""
    hold = ml.JointSpring("hold", "A", stiffness=30.0, rest=1.2)
    rigid = ml.examples.four_bar().without_drives().replace(loads=[hold])
    still = ml.equilibrium(rigid, guess={"A": 1.0})
    pose = {name: float(still[name].position) for name in ("A", "B", "D")}
    joints = [joint for joint in rigid.joints if joint.name != "C"]
    gaps = []
    for k in (1e6, 1e7):
        mount = ml.Bushing("C", "coupler.b", "rocker.b", stiffness=(k, k, 0.0))
        give = ml.equilibrium(rigid.replace(joints=joints, loads=[hold, mount]), guess=pose)
        gaps.append(float(give["A"].position) - pose["A"])
    assert gaps[0] / gaps[1] == pytest.approx(10.0, rel=2e-5)  # terms of second order in 1/k
    assert 1e-9 < abs(gaps[1]) < 1e-4  # more than round-off, and a small part of the angle


def bracket() -> ml.Mechanism:
    """A flexible beam with a rigid bracket at its end, which carries two gears."""
    return ml.Mechanism(
        "geared arm",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0)),
            ml.uniform_beam("arm", length=0.5, mass=1.0, EI=50.0, modes=2),
            ml.Body("bracket", mass=0.2, inertia=1e-4, markers={"p": (0, 0), "w": (0.06, 0)}),
            ml.Body("pinion", mass=0.3, inertia=1e-4),
            ml.Body("wheel", mass=0.5, inertia=4e-4),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "arm.a"),
            ml.Fixed("weld", "arm.b", "bracket.origin"),
            ml.Revolute("P", "bracket.p", "pinion.origin"),
            ml.Revolute("W", "bracket.w", "wheel.origin"),
        ],
        pairs=[ml.Gear("mesh", "pinion.origin", "wheel.origin", teeth=(20, 40))],
    )


def test_gears_on_a_rigid_bracket_of_a_flexible_link():
    """The ratio holds for any deflection, energy is kept, and the torques on both gears agree with a calculation by
    hand."""
    start = {"start": {"A": 0.2, "P": 0.0}, "rates": {"A": 1.0, "P": 8.0}}
    run = ml.simulate(bracket(), **start, until=0.2, samples=5)
    assert run["W"].rate == pytest.approx(-run["P"].rate / 2, rel=1e-12)
    assert run.energy_drift < 1e-9
    pushed = bracket().replace(loads=[ml.Torque("push", "pinion", 0.4)])
    found = [
        ml.forward(pushed, {"A": 0.2, "P": 0.1}, rates={"A": 1.0}, method=method)
        for method in ("sslm", "system", "virtual_work")
    ]
    one = found[0]
    for other in found[1:]:
        for joint in ("A", "P", "W"):
            assert other[joint].acceleration == pytest.approx(one[joint].acceleration, rel=1e-9)
    force, spin = one["mesh"].tangential[0], one["P"].acceleration[0]
    turn = float(one["W"].acceleration[0] - one["P"].acceleration[0])
    assert turn == pytest.approx(-1.5 * spin, rel=1e-12)
    # Euler for both wheels: their common bracket accelerates by ψ, J₁ (ψ + α₁) = M + F r₁, J₂ (ψ − α₁/2) = F r₂
    psi = (0.4 + force * 0.02) / 1e-4 - spin
    assert 4e-4 * (psi - spin / 2) == pytest.approx(force * 0.04, rel=1e-8)


def test_gears_on_a_flexible_link_are_refused(texts):
    bent = bracket()
    joints = [ml.Revolute("P", "arm.a", "pinion.origin"), ml.Revolute("W", "arm.b", "wheel.origin")]
    bodies = [body for body in bent.bodies if body.name != "bracket"]
    with pytest.raises(ml.ModelError) as caught:
        bent.replace(bodies=bodies, joints=[bent.joints[0], *joints])
    texts.fault(caught.value, "G09", "'mesh'", "'arm'")


def test_a_slide_with_compliance_along_its_axis_is_a_spring():
    """A mass behind a compliant guide: ω² = k/m, whatever carries it."""
    axial = ml.Mechanism(
        "guide",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(A=(0, 0)),
            ml.Body("carriage", mass=4.0, inertia=0.1),
            ml.Body("tool", mass=1.0, inertia=0.01),
        ],
        joints=[
            ml.Prismatic("feed", "ground.A", "carriage.origin"),
            ml.Prismatic("give", "carriage.origin", "tool.origin"),
        ],
        drives=[ml.Motion("feed", 0.0 * ml.time)],
        loads=[ml.JointSpring("elastic", "give", stiffness=4e6)],
    )
    swing = ml.eigenmodes(axial, {"give": 0.0})
    assert swing.frequencies == pytest.approx([2000.0], rel=1e-9)
