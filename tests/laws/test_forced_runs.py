"""Do computed efforts drive a mechanism along the motion for which they were computed, as far as open loop allows?"""

import numpy as np
import pytest
from laws.open_loop_runs import FORCED, deviation_of, exact_efforts, forced_run, tabled_efforts


@pytest.mark.parametrize("name", FORCED)
def test_exact_efforts_keep_the_desired_motion_for_a_second(name):
    """At rtol = 1e-12 the error that the instability amplifies is that of the integrator."""
    deviation = deviation_of(name, forced_run(name, exact_efforts(name), until=1.0))
    assert deviation.until(1.0) < 1e-7
    assert deviation.until(1.0) > 0.0, "it is an independent motion"


@pytest.mark.slow
@pytest.mark.parametrize("name", FORCED)
@pytest.mark.parametrize(("kind", "order"), [("linear", 2), ("cubic", 4)])
def test_a_table_half_as_wide_deviates_by_the_power_of_its_curve(name, kind, order):
    """Straight lines miss a smooth effort by h², a cubic spline by h⁴; the deviation is proportional."""
    found = [
        deviation_of(name, forced_run(name, tabled_efforts(name, 1.0, step, kind), until=1.0)).until(1.0)
        for step in (0.01, 0.005)
    ]
    # The next power of the step, and the integration error at a spline's knots at rtol = 1e-12.
    assert np.log2(found[0] / found[1]) == pytest.approx(order, abs=0.15)


@pytest.mark.slow
def test_the_3_rrr_leaves_its_motion_exponentially():
    """Growth by a factor of about 150 per second, of which a run of 3 s shows two decades per second."""
    deviation = deviation_of("3-RRR", forced_run("3-RRR", exact_efforts("3-RRR"), until=3.0))
    assert deviation.growth_rate == pytest.approx(5.0, abs=1.0)  # over 3 s it is no pure exponential
    assert deviation.until(3.0) > 1e3 * deviation.until(1.0)
