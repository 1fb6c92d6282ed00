"""Andrews' squeezing mechanism: seven bodies, three loops, a spring and a constant torque at the crank.

Data and solution: [hairer], §VII.7, table 7.1 and the reference solution of the problem at t = 0.03 s, which is that
of the test set for IVP solvers ("Andrews' squeezing mechanism", problem II-16). The spring is nothing but a `Spring`
and the motor nothing but a `Torque`; positions are the seven angles of the source, in its order and with its signs.
"""

import pytest

import multiloop as ml

GROUND = {"O": (0, 0), "A": (-0.06934, -0.00227), "B": (-0.03635, 0.03273), "C": (0.014, 0.072)}

START = {
    "beta": -0.0617138900142764496358948458001,
    "Theta": 0.0,
    "gamma": 0.455279819163070380255912382449,
    "Phi": 0.222668390165885884674473185609,
    "delta": 0.487364979543842550225598953530,
    "Omega": -0.222668390165885884674473185609,
    "epsilon": 1.23054744454982119249735015568,
}
START_BETA = {"beta": START["beta"]}
PUBLISHED = {
    "beta": 15.81077119,
    "Theta": -15.75637105,
    "gamma": 0.04082224013,
    "Phi": -0.5347301163,
    "delta": 0.5244099658,
    "Omega": 0.5347301163,
    "epsilon": 1.048080741,
}
"""The angles at t = 0.03 s, with all the digits that are printed."""


def squeezer():
    """Every body in the frame of its inboard pin; P is where four bodies meet."""
    bodies = {
        "K1": (0.04325, 2.194e-6, (0.00092, 0), {"e": (0.007, 0)}),
        "K2": (0.00365, 4.410e-7, (-0.0115, 0), {"e": (-0.028, 0)}),
        "K3": (0.02373, 5.255e-6, (0.01874, 0.01043), {"e": (0, -0.035), "d": (0.02, -0.018)}),
        "K4": (0.00706, 5.667e-7, (0, -(0.02 - 0.01421)), {"e": (0, -0.02)}),
        "K5": (0.07050, 1.169e-5, (0.02308, 0.00916), {"e": (0.04, 0)}),
        "K6": (0.00706, 5.667e-7, (0.02 - 0.01421, 0), {"e": (0.02, 0)}),
        "K7": (0.05498, 1.912e-5, (0.01228, 0.00449), {"e": (0, -0.04)}),
    }
    joints = {
        "beta": ("ground.O", "K1.origin"),
        "Theta": ("K1.e", "K2.origin"),
        "gamma": ("ground.B", "K3.origin"),
        "Phi": ("K5.e", "K4.origin"),
        "delta": ("ground.A", "K5.origin"),
        "Omega": ("K7.e", "K6.origin"),
        "epsilon": ("ground.A", "K7.origin"),
    }
    return ml.Mechanism(
        "squeezer",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(**GROUND),
            *(
                ml.Body(name, mass=m, inertia=inertia, com=com, markers=markers)
                for name, (m, inertia, com, markers) in bodies.items()
            ),
        ],
        joints=[
            *(ml.Revolute(name, *ends) for name, ends in joints.items()),
            ml.Pin("P", "K2.e", ["K3.e", "K4.e", "K6.e"]),
        ],
        loads=[
            ml.Torque("motor", "K1", 0.033),
            ml.Spring("spring", "ground.C", "K3.d", stiffness=4530.0, length=0.07785),
        ],
        guess=START,
    )


@pytest.fixture(scope="module")
def run():
    return ml.simulate(squeezer(), start=START_BETA, until=0.03, rtol=1e-12)


def test_the_start_is_closed_as_it_is_printed():
    state = ml.assemble(squeezer(), start=START_BETA)
    for joint, angle in START.items():
        # The printed start closes the loops to 1e-16 m; angles follow to 1e-14.
        assert state[joint].position == pytest.approx(angle, abs=1e-12), joint


def test_the_angles_have_nine_of_their_ten_published_digits(run):
    """The printed ones are cut off, not rounded, and the tenth holds the source's own error.

    From rtol 1e-12 on two integrators of ours stay where they are to 1e-12.
    """
    for joint, angle in PUBLISHED.items():
        assert run[joint].position[-1] == pytest.approx(angle, rel=1e-9), joint


def test_another_integrator_and_interpreted_functions_say_the_same(run):
    other = ml.simulate(squeezer(), start=START_BETA, until=0.03, rtol=1e-12, target="interpreter", outputs=2)
    for joint in PUBLISHED:
        # Round-off of two and a half turns in a thousand steps each.
        assert other[joint].position[-1] == pytest.approx(run[joint].position[-1], abs=1e-11), joint


def test_the_motor_pays_for_all_the_energy(run):
    """A constant torque's work is torque times angle; the rest of the ledger is kinetic energy and the spring."""
    gained = run.kinetic_energy + run.potential_energy
    assert run.energy_drift < 1e-9
    turned = run["beta"].position - run["beta"].position[0]
    assert gained - gained[0] == pytest.approx(0.033 * turned, abs=1e-9 * run.kinetic_energy.max())
    assert run.potential_energy == pytest.approx(4530 / 2 * (run["spring"].length - 0.07785) ** 2, abs=1e-15)
