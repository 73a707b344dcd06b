"""How hard the property tests search: `pytest --hypothesis-profile quick|thorough|nightly`; quick is the default."""

from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.rule_use"]

_SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large)

settings.register_profile(
    "quick", max_examples=50, derandomize=True, deadline=None, suppress_health_check=_SLOW_IS_FINE
)
settings.register_profile("thorough", max_examples=2_000, deadline=None, suppress_health_check=_SLOW_IS_FINE)
settings.register_profile("nightly", max_examples=20_000, deadline=None, suppress_health_check=_SLOW_IS_FINE)
settings.load_profile("quick")
