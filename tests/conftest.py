"""How Hypothesis draws: the same examples in every run, few of them, and as long as they take."""

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
