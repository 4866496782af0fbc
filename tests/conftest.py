"""What holds for every test: a run can be repeated, and a slow machine is not a failure."""

from hypothesis import HealthCheck, settings

LAWS = [HealthCheck.differing_executors]  # a law stands in a mixin, and several classes of tests inherit it

settings.register_profile("ci", deadline=None, derandomize=True, max_examples=50, suppress_health_check=LAWS)
settings.register_profile("explore", deadline=None, max_examples=2000, suppress_health_check=LAWS)
settings.register_profile("brief", deadline=None, derandomize=True, max_examples=8, suppress_health_check=LAWS)
settings.load_profile("ci")
