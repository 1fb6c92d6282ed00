"""A box thrown on a rough floor: no corner penetrates it, energy never rises, and slip starts and ends correctly.

The reference is an integration of Newton's and Euler's equations written here, with regularised friction.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from zoo.plain import free_body

import multiloop as ml

MASS, MU, GRAVITY, HALF = 2.0, 0.4, 9.81, np.array([0.2, 0.15, 0.1])
INERTIA = (
    MASS
    / 3
    * np.array([HALF[1] ** 2 + HALF[2] ** 2, HALF[0] ** 2 + HALF[2] ** 2, HALF[0] ** 2 + HALF[1] ** 2])
)
CORNERS = np.array([[HALF[axis] * (1 if k >> axis & 1 else -1) for axis in range(3)] for k in range(8)])

CLOSED = 1e-10 * 2 * float(np.linalg.norm(HALF))
"""The gap below which a contact counts as closed: the relative tolerance of the runs, times the diagonal."""

BEGINS = (
    [0.7409225282862121, 0.4356669511171351, 0.18059553933506606, 0.4781353008872528],
    [
        1.0039615758421696,
        -0.6179070447076008,
        1.8220113633283233,
        -5.281723880053174,
        -2.6461120872608763,
        3.7401999524560883,
    ],
)
"""A throw in which corner 3 begins to slip at 1.018 s while corner 7 slides: unit quaternion and rates at the start."""

RESTS = (
    [
        0.1605821779538241,
        -0.9800592849719225,
        0.24520849862780703,
        0.7369857553276864,
        0.030999114720169366,
        -0.6532917497908369,
        -0.17058997914845986,
    ],
    [
        -0.14353747832636884,
        -0.03217377484403898,
        -0.022476027576830104,
        0.3528921123845233,
        -1.204075703813518,
        -1.4414921822625602,
    ],
)
"""A state of another throw, in which corner 0 alone touches the floor, and whose slip ends 8.31 ms later."""


def box(*corners: int) -> ml.Mechanism:
    """A box of 0.4 × 0.3 × 0.2 m, of which these corners meet the floor."""
    places = {f"v{k}": tuple(CORNERS[k]) for k in corners}
    return free_body(
        ml.Body("b", mass=MASS, inertia=tuple(INERTIA), markers=places),
        "box",
        joint="F",
        loads=[
            ml.Contact(f"c{k}", f"b.v{k}", "ground.origin", coefficient=MU, restitution=0.3) for k in corners
        ],
    )


def rotation(quaternion: np.ndarray) -> np.ndarray:
    """The rotation matrix of a quaternion, scalar first."""
    w, x, y, z = quaternion / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def energies(position: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Kinetic and potential energy at every instant, from poses and twists."""
    own = [rotation(p[3:]).T @ v[3:] for p, v in zip(position, rate, strict=True)]
    kinetic = MASS * (rate[:, :3] ** 2).sum(axis=1) + np.square(own) @ INERTIA
    found: np.ndarray = kinetic / 2 + MASS * GRAVITY * position[:, 2]
    return found


def regularised(
    corners: tuple[int, ...], state: np.ndarray, until: float, slip: float
) -> tuple[np.ndarray, np.ndarray]:
    """Position and rate of the box after a time in which these corners touch: friction is −μ N v/√(v² + slip²)."""

    def rate_of(_: float, y: np.ndarray) -> np.ndarray:
        R, v, w = rotation(y[3:7]), y[7:10], y[10:]
        inertia = R @ np.diag(INERTIA) @ R.T
        gyroscopic = np.cross(w, inertia @ w)
        arms = [R @ CORNERS[k] for k in corners]
        forces = []
        for arm in arms:
            across = (v + np.cross(w, arm))[:2]
            forces.append(np.array([*(-MU * across / np.sqrt(across @ across + slip**2)), 1.0]))
        free = [
            -GRAVITY
            + (np.cross(np.linalg.solve(inertia, -gyroscopic), arm) + np.cross(w, np.cross(w, arm)))[2]
            for arm in arms
        ]
        A = [
            [
                f[2] / MASS + np.cross(np.linalg.solve(inertia, np.cross(other, f)), arm)[2]
                for other, f in zip(arms, forces, strict=True)
            ]
            for arm in arms
        ]
        normal = np.linalg.solve(A, np.negative(free))
        assert (normal > 0).all()
        force = sum(n * f for n, f in zip(normal, forces, strict=True))
        moment = sum(n * np.cross(arm, f) for n, arm, f in zip(normal, arms, forces, strict=True))
        q = y[3:7]
        turned = np.array([-w @ q[1:], *(q[0] * w + np.cross(w, q[1:]))]) / 2
        return np.concatenate(
            [v, turned, force / MASS - [0, 0, GRAVITY], np.linalg.solve(inertia, moment - gyroscopic)]
        )

    found = solve_ivp(rate_of, (0.0, until), state, method="Radau", rtol=1e-9, atol=1e-12).y[:, -1]
    return found[:7], found[7:]


def compare_with_regularised(run: ml.Result, corners: tuple[int, ...]) -> None:
    """The final rates agree with the reference, whose error falls with its creep speed.

    A contact that sticks creeps there with slip · r/√(1 − r²), r = |T|/(μ N): many creep speeds close to its cone.
    """
    begin = np.concatenate([run["F"].position[0], run["F"].rate[0]])
    errors = []
    for slip in (1e-5, 1e-6):
        position, rate = regularised(corners, begin, float(run.time[-1] - run.time[0]), slip)
        errors.append(np.abs(rate - run["F"].rate[-1]).max())
        assert errors[-1] < 100 * slip
        assert np.abs(position - run["F"].position[-1]).max() < slip
    assert errors[1] < errors[0] / 4


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({}, id="default"),
        pytest.param({"rtol": 1e-11}, id="finer"),
        pytest.param({"rtol": 1e-6}, id="coarser"),
        pytest.param({"integrator": "implicit"}, id="implicit", marks=pytest.mark.slow),
    ],
)
def test_slip_in_space_that_ends_is_located(more: dict[str, object]) -> None:
    """One corner comes to rest at 8.31 ms; the direction of its slip turns at a rate that grows without bound."""
    place, rates = RESTS
    run = ml.simulate(
        box(0), start={"F": tuple(place)}, rates={"F": tuple(rates)}, until=0.03, samples=31, **more
    )
    assert run.status == "ok"
    assert run.time[run["c0"].sticking].tolist() == pytest.approx(np.arange(9, 31) / 1000)
    compare_with_regularised(run, (0,))


def test_a_corner_stays_closed_while_another_begins_to_slip() -> None:
    """Corner 3 begins to slip at the limit of its cone, with hardly any acceleration; corner 7 continues to slide."""
    quaternion, rates = BEGINS
    thrown = box(*range(8))
    run = ml.simulate(
        thrown,
        start={"F": (0, 0, 0.5, *quaternion)},
        rates={"F": tuple(rates)},
        until=1.06,
        samples=[0, 1.0175, 1.06],
    )
    part = ml.simulate(thrown, start=run.at(1.0175), until=1.0275, samples=11)
    assert part["c3"].sticking.tolist() == [True] + 10 * [False]
    for history in (run, part):
        assert min(history[f"c{k}"].gap.min() for k in range(8)) > -CLOSED
        assert history["c7"].touching[-1]
        assert history["c7"].normal[-1] > 1.0
    compare_with_regularised(part, (3, 7))


@pytest.mark.parametrize(
    "seed", [pytest.param(k, marks=pytest.mark.slow if k > 1 else ()) for k in range(30)]
)
def test_a_thrown_box_never_sinks_nor_gains_energy(seed: int) -> None:
    """Random throws with impacts, slip that begins, changes direction and ends, and rest."""
    generator = np.random.default_rng(seed)
    quaternion = generator.normal(size=4)
    rates = generator.normal(size=6) * (1, 1, 1, 4, 4, 4)
    run = ml.simulate(
        box(*range(8)),
        start={"F": (0, 0, 0.5, *(quaternion / np.linalg.norm(quaternion)))},
        rates={"F": tuple(rates)},
        until=2.0,
        samples=401,
    )
    assert run.time[-1] == 2.0
    for contact in (run[f"c{k}"] for k in range(8)):
        assert contact.gap.min() > -CLOSED
        assert (contact.normal >= 0).all()
        assert not contact.normal[~contact.touching].any()
        assert np.abs(contact.gap[contact.touching]).max(initial=0.0) < CLOSED
    energy = energies(run["F"].position, run["F"].rate)
    assert np.diff(energy).max() < 1e-11 * energy[0]  # a tenth of the relative tolerance of the run
