"""What holds for every test: a run can be repeated, and a slow machine is not a failure.

A property is tried on a few examples, which are always the same; `--hypothesis-profile=thorough` tries more.
"""

from hypothesis import HealthCheck, settings

LAWS = [HealthCheck.differing_executors]  # a law stands in a mixin, and several classes of tests inherit it
REPEATED = settings(deadline=None, derandomize=True, database=None, suppress_health_check=LAWS)

settings.register_profile("brief", REPEATED, max_examples=8)
settings.register_profile("default", REPEATED, max_examples=10)
settings.register_profile("thorough", REPEATED, max_examples=50)
settings.register_profile("explore", deadline=None, max_examples=2000, suppress_health_check=LAWS)
settings.load_profile("default")
