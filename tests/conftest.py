"""What holds for every test: a run can be repeated, and a slow machine is not a failure."""

from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=2000)  # pytest --hypothesis-profile=explore
settings.load_profile("house")
