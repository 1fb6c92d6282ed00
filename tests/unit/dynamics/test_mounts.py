"""Bushings and stops against closed forms."""

import casadi as ca
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from zoo.plain import free_body, sliding_body

import multiloop as ml
from multiloop.dynamics.forward import METHODS
from multiloop.spatial import rotation_vector

K, D = np.diag([400.0, 900.0, 30.0]), np.diag([2.0, 3.0, 0.5])


def block(**mount):
    """A body of 2 kg on a mount, without joints."""
    return free_body(
        ml.Body("block", mass=2.0, inertia=0.1),
        "block",
        planar=True,
        gravity=(0, 0),
        loads=[ml.Bushing("mount", "ground.origin", "block.origin", **mount)],
    )


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.3, np.pi / 2, 2.9])
def test_the_rotation_vector_is_that_of_the_matrix(angle):
    theta = angle * np.array([2.0, -1.0, 2.0]) / 3
    found = ca.DM(rotation_vector(ca.DM(Rotation.from_rotvec(theta).as_matrix()))).full()[:, 0]
    assert found == pytest.approx(theta, abs=1e-14)  # near a half turn 1/cos(θ/2) times round-off


def test_a_block_on_a_mount_swings_as_an_oscillator():
    run = ml.simulate(
        block(stiffness=(400.0, 900.0, 30.0)), start={"floats": (0.1, -0.05, 0.2)}, until=1.0, samples=21
    )
    for k, (start, ratio) in enumerate(((0.1, 400 / 2), (-0.05, 900 / 2), (0.2, 30 / 0.1))):
        expected = start * np.cos(np.sqrt(ratio) * run.time)
        assert run["floats"].position[:, k] == pytest.approx(expected, abs=1e-8)
    assert run.energy_drift < 1e-8


def test_a_coupled_mount_has_the_accelerations_of_its_matrices():
    K = np.array([[400.0, 50.0, 3.0], [50.0, 900.0, -7.0], [3.0, -7.0, 30.0]])
    D = np.diag([2.0, 3.0, 0.5])
    y, rate = np.array([0.02, -0.03, 0.1]), np.array([0.5, 0.1, -0.4])
    found = ml.forward(
        block(stiffness=K.tolist(), damping=(2.0, 3.0, 0.5)),
        {"floats": tuple(y)},
        rates={"floats": tuple(rate)},
    )
    expected = -(K @ y + D @ rate) / [2.0, 2.0, 0.1]
    assert found["floats"].acceleration[0] == pytest.approx(expected, rel=1e-12)
    assert found["mount"].force[0] == pytest.approx(-(K @ y + D @ rate)[:2], rel=1e-12)
    assert found["mount"].power[0] == pytest.approx(-rate @ D @ rate, rel=1e-12)


def two_blocks():
    """Two bodies in space that rotate relative to each other on a mount of six different stiffnesses."""
    inertia = {"one": (0.10, 0.20, 0.25), "two": (0.30, 0.15, 0.20)}
    return ml.Mechanism(
        "blocks",
        gravity=(0, 0, 0),
        bodies=[
            ml.ground(),
            *(
                ml.Body(name, mass=2.0, inertia=J, markers={"m": ml.marker((0.1, 0.2, 0), z=(1, 0, 1))})
                for name, J in inertia.items()
            ),
        ],
        joints=[ml.Free(f"F{name}", "ground.origin", f"{name}.origin") for name in inertia],
        loads=[
            ml.Bushing(
                "mount",
                "one.m",
                "two.m",
                stiffness=(300, 500, 400, 20, 35, 50),
                damping=(1, 2, 1, 0.1, 0.2, 0.1),
            )
        ],
    )


def test_large_turns_keep_energy_and_momentum():
    start = {"Fone": (0, 0, 0, 1, 0, 0, 0), "Ftwo": (0.1, 0.05, 0.1, 0.8, 0.36, 0.48, 0.0)}
    run = ml.simulate(two_blocks(), start=start, rates={"Fone": (0, 0, 0, 1, 2, 0)}, until=1.0, samples=21)
    assert run.energy_drift < 1e-8
    assert run.momentum - run.momentum[0] == pytest.approx(0.0, abs=1e-9)
    turn = np.linalg.norm(run["mount"].rotation, axis=1)
    assert turn.max() > 1.0


@pytest.mark.parametrize("theta", [(0.1, -0.08, 0.12), (1.2, -0.9, 1.5)])
def test_the_reported_moment_is_the_one_exerted(theta):
    """For a body at rest with unit moments of inertia: n = α."""
    mount = ml.Mechanism(
        "ball",
        gravity=(0, 0, 0),
        bodies=[ml.ground(), ml.Body("ball", mass=1.0, inertia=(1.0, 1.0, 1.0))],
        joints=[ml.Spherical("S", "ground.origin", "ball.origin")],
        loads=[ml.Bushing("mount", "ground.origin", "ball.origin", stiffness=(0, 0, 0, 20, 30, 40))],
    )
    x, y, z, w = Rotation.from_rotvec(theta).as_quat()
    found = ml.forward(mount, {"S": (w, x, y, z)})
    assert found["mount"].moment[0] == pytest.approx(found.angular_acceleration("ball")[0], rel=1e-12)


def test_a_bushing_goes_into_text_and_takes_parameters():
    mount = block(stiffness=(ml.Parameter("k", 400.0), 900.0, 30.0), damping=(1.0, 0.0, 0.0))
    assert ml.from_text(ml.to_text(mount)) == mount
    soft = ml.forward(mount.with_parameters(k=100.0), {"floats": (0.1, 0, 0)})
    assert soft["floats"].acceleration[0, 0] == pytest.approx(-100 * 0.1 / 2, rel=1e-14)


def slider(**stop):
    """A mass of 2 kg on a rail."""
    return sliding_body(
        ml.Body("mass", mass=2.0, inertia=0.1),
        "buffer",
        gravity=(0, 0),
        loads=[ml.Stop("end", "slide", **stop)],
    )


def test_a_mass_comes_back_from_an_elastic_stop_after_half_a_period():
    run = ml.simulate(
        slider(high=0.1, stiffness=2e4), start={"slide": 0.0}, rates={"slide": 1.0}, until=0.5, samples=51
    )
    touching = 0.1 + np.pi / np.sqrt(2e4 / 2)
    after = run.time > touching
    assert run["slide"].position[after] == pytest.approx(0.1 - (run.time[after] - touching), abs=1e-8)
    assert run.energy_drift < 1e-8


def test_a_damped_stop_takes_energy_and_never_pulls():
    damped = slider(low=-0.1, high=0.1, stiffness=2e4, damping=80.0)
    run = ml.simulate(damped, start={"slide": 0.0}, rates={"slide": 1.0}, until=0.6, samples=601)
    effort, x = run["end"].effort, run["slide"].position
    assert effort[x > 0].max() <= 0
    assert effort[x < 0].min() >= 0
    assert not effort[abs(x) < 0.1].any()
    assert run["end"].power.max() <= 1e-12
    assert run.energy_drift < 1e-7
    # k δ + c δ̇ = 0 ends the contact: with ζ = c / (2 √(k m)) the way back begins at e^{−ζ/√(1−ζ²) (π − …)}
    zeta = 80 / (2 * np.sqrt(2e4 * 2))
    angle = np.arctan2(2 * zeta * np.sqrt(1 - zeta**2), 1 - 2 * zeta**2)
    kept = np.exp(-zeta / np.sqrt(1 - zeta**2) * (np.pi - angle))
    back = run["slide"].rate[(x < 0.09) & (run.time > 0.13)][0]
    assert back == pytest.approx(-kept, rel=1e-6)


def test_all_methods_push_against_a_stop_alike():
    four_bar = ml.examples.four_bar().without_drives()
    stopped = four_bar.replace(loads=[ml.Stop("end", "A", high=0.9, stiffness=300.0, damping=2.0)])
    start = {"start": {"A": 1.0}, "rates": {"A": 0.5}}
    found = [ml.forward(stopped, start["start"], rates=start["rates"], method=m) for m in METHODS]
    assert [one["end"].effort[0] for one in found] == pytest.approx(
        [-300 * 0.1 - 2 * 0.5] * len(found), rel=1e-12
    )
    spun = [one["A"].acceleration[0] for one in found]
    assert spun == pytest.approx([spun[0]] * len(spun), rel=1e-9)


@pytest.mark.parametrize(
    ("load", "expected"),
    [
        (
            ml.Bushing("mount", "ground.origin", "mass.origin", stiffness=(1, 2)),
            ("[L04]", "'mount'", "2", "3", "9"),
        ),
        (
            ml.Bushing("mount", "ground.origin", "mass.origin", stiffness=(1, 2, 0, 3, 1, 0, 0, 0, 1)),
            ("[L04]", "'mount'", "3", "2"),
        ),
        (ml.Bushing("mount", "ground.origin", "mass.origin"), ("[L07]", "'mount'")),
        (ml.Bushing("mount", "ground.origin", "mass.origin", damping=(-1, 0, 0)), ("[L06]", "'mount'", "-1")),
        (ml.Bushing("mount", "mass.com", "mass.origin", stiffness=(1, 1, 1)), ("[L02]", "'mount'")),
        (ml.Stop("end", "slide", high=0.1), ("[L07]", "'end'")),
        (ml.Stop("end", "slide", low=0.2, high=0.1, stiffness=1.0), ("[L06]", "'end'", "0.2", "0.1")),
    ],
)
def test_what_cannot_be_is_refused(load, expected, texts):
    with pytest.raises(ml.ModelError) as caught:
        slider(high=0.1, stiffness=1.0).replace(loads=[load])
    texts(caught.value, *expected)


def test_a_mount_springs_the_shorter_way_round():
    """Beyond half a turn the angle is counted from the other side, in the plane as in space; V is continuous."""
    k, near = 3.0, 1e-3
    for planar in (True, False):
        given = {"planar": planar, "gravity": (0, 0) if planar else (0, 0, 0)}
        stiffness = (0, 0, k) if planar else (0, 0, 0, k, k, k)
        body = ml.Body("disc", mass=1.0, inertia=0.1 if planar else (0.1, 0.1, 0.1))
        disc = ml.Mechanism(
            "disc",
            bodies=[ml.ground(), body],
            joints=[ml.Revolute("A", "ground.origin", "disc.origin")],
            loads=[ml.Bushing("mount", "ground.origin", "disc.origin", stiffness=stiffness)],
            **given,
        )
        before, beyond = (ml.forward(disc, {"A": np.pi + turn}) for turn in (-near, near))
        spun = [one["A"].acceleration[0] for one in (before, beyond)]
        assert spun == pytest.approx([-k * (np.pi - near) / 0.1, k * (np.pi - near) / 0.1], rel=1e-9)
        assert before.potential_energy == pytest.approx(beyond.potential_energy, rel=1e-9)
