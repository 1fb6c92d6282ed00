"""Can several threads analyse one mechanism at the same time?"""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from laws.closed_positions import built

import multiloop as ml


@pytest.fixture
def hasty():
    """Threads that switch as often as possible."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def test_threads_that_share_a_mechanism_get_their_own_answers(hasty):
    mechanism = built("3-RRR")
    spans = [np.linspace(0.0, 0.3, 7) + 0.01 * k for k in range(12)]

    def effort(t: np.ndarray) -> np.ndarray:
        return ml.inverse(mechanism, t=t, method="system")["A1"].effort

    alone = [effort(t) for t in spans]
    for _ in range(3):
        with ThreadPoolExecutor(4) as pool:
            assert np.array_equal(list(pool.map(effort, spans)), alone)
