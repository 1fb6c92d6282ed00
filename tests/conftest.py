"""How tests run: one thread a worker for small matrices, and Hypothesis with the same examples every time."""

import os

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # matrices are small: more threads only wait for each other

from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.register_profile("search", max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("ci")
