"""[koul], Figs. 7 and 8: free motion of the carpet scraper and of the 3-RRR to 15 s, and their forced motion to 5 s.

The figures print curves without numbers. The tests require that the motions conserve energy, that two tolerances and
two formulations agree as long as a motion is not chaotic, and that computed torques keep a desired motion.
"""

from functools import cache

import numpy as np
import pytest

import multiloop as ml
from multiloop.examples.free_and_forced import FreeAndForced
from multiloop.examples.mechanisms.carpet_scraper import scraper_of_slender_rods
from multiloop.examples.mechanisms.three_rrr import START, swinging_three_rrr

SCRAPER = FreeAndForced(scraper_of_slender_rods(), {"crank pivot": 0.0}, {"crank pivot": 4.7124})
THREE_RRR = FreeAndForced(swinging_three_rrr(), START)
BOTH = pytest.mark.parametrize("motion", [SCRAPER, THREE_RRR], ids=["scraper", "3-RRR"])


@BOTH
def test_the_free_motion_conserves_energy_for_15_seconds(motion):
    """Also that of the 3-RRR, long after its positions are unpredictable."""
    energy, reference = motion.energy(), motion.free().kinetic_energy.max()
    assert np.abs(energy - energy[0]).max() < 1e-10 * reference  # rtol = 1e-12 in some thousand steps
    assert motion.free().constraint_violation.max() < 1e-12


def test_the_scraper_begins_with_23_0899_joules_and_swings_for_15_seconds():
    """Fig. 7(a): the crank of Table 2 never turns over, and the motion repeats itself within its swings."""
    assert SCRAPER.energy()[0] == pytest.approx(23.0899, abs=5e-5)  # digits
    crank = SCRAPER.free()["crank pivot"].position
    assert -0.6 < crank.min() < -0.5
    assert 2.8 < crank.max() < np.pi
    tops = [k for k in range(1, 1500) if crank[k - 1] < crank[k] >= crank[k + 1]]
    periods = np.diff(SCRAPER.free().time[tops])
    assert len(tops) == 9
    # One degree of freedom: the motion is periodic; the tops are read off instants 10 ms apart.
    assert periods == pytest.approx(np.full(8, periods.mean()), abs=0.011)


def test_the_3_rrr_begins_at_rest_as_in_table_2():
    """Its potential energy is that of seven weights at the heights of Table 2; the kinetic energy is zero."""
    first = THREE_RRR.free()
    state = first.initial
    heights = {body.name: state.marker(f"{body.name}.com")[1] for body in first.mechanism.moving}
    weights = {"proximal": 3.0, "distal": 4.0, "platform": 8.0}
    potential = sum(9.81 * weights[name.rstrip("123")] * height for name, height in heights.items())
    assert first.kinetic_energy[0] == 0.0
    assert first.potential_energy[0] == pytest.approx(potential, rel=1e-12)
    angles = [first[joint].position[0] for joint in ("A1", "A2", "A3")]
    assert angles == pytest.approx([1.04, 4.1883, 5.7637], abs=1e-12)


def test_tolerances_agree_on_the_scraper_for_15_seconds():
    """A tolerance of 1e-3, as in note a of Table 3, is sufficient to read a figure: 0.08 rad."""
    assert SCRAPER.disagreement(1e-8, until=15.0) < 2e-6
    assert 0.02 < SCRAPER.disagreement(1e-3, until=15.0) < 0.1


def test_tolerances_agree_on_the_3_rrr_until_its_chaos_has_magnified_their_difference():
    """1e-8, note b of Table 3, is sufficient for 4 s, 1e-3 for 2 s."""
    assert THREE_RRR.disagreement(1e-8, until=2.0) < 1e-4
    assert THREE_RRR.disagreement(1e-8, until=4.0) < 0.02
    assert THREE_RRR.disagreement(1e-8, until=8.0) > 1.0
    assert THREE_RRR.disagreement(1e-3, until=2.0) < 0.1
    assert THREE_RRR.disagreement(1e-3, until=4.0) > 1.0


@cache
def by_another_formulation(motion, until):
    """With one matrix equation for accelerations and multipliers (eq. 9), at the instants of the example."""
    return ml.simulate(
        motion.mechanism.without_drives(),
        start=motion.start,
        rates=motion.rates,
        until=until,
        samples=motion.times[motion.times <= until],
        rtol=1e-12,
        method="system",
    )


@pytest.mark.parametrize(
    ("motion", "allowed"), [(SCRAPER, 1e-10), (THREE_RRR, 1e-7)], ids=["scraper", "3-RRR"]
)
def test_two_formulations_agree_in_the_first_seconds(motion, allowed):
    """Rounding and truncation grow a thousandfold in 2 s in the 3-RRR, hardly in the scraper."""
    run = by_another_formulation(motion, 2.0)
    for joint in motion.start:
        known = motion.free()[joint].position[:201]
        assert run[joint].position == pytest.approx(known, abs=allowed)


def test_exact_torques_keep_the_scraper_on_its_motion_for_5_seconds():
    """Fig. 7(b, c), with tolerance 1e-8 as note c of Table 3 states."""
    assert SCRAPER.error().until(5.0) < 1e-6
    turned = SCRAPER.forced()["crank pivot"].position[-1]
    assert turned == pytest.approx(5 * 45 * 2 * np.pi / 60, abs=1e-6)


def test_exact_torques_keep_the_3_rrr_on_its_motion_for_3_seconds():
    """Fig. 8(b, c): the error grows by a factor of 150 a second."""
    assert THREE_RRR.error().until(3.0) < 1e-6
    assert THREE_RRR.error().growth_rate == pytest.approx(5.0, abs=1.0)


@BOTH
def test_a_table_of_torques_is_the_worse_the_simpler_its_curve(motion):
    """At steps of 10 ms, the step of the paper; with straight lines the 3-RRR leaves its motion in the third second."""
    exact, spline, linear = (
        motion.error(torque).until(2.0) for torque in ("exact torque", "spline, 10 ms", "linear, 10 ms")
    )
    assert exact < 1e-2 * spline
    assert spline < 1e-2 * linear
