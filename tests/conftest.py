"""For all tests: how hypothesis searches."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "carromsim",
    deadline=None,  # a busy machine is no fault of the program
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),  # the gate asks the same of every change
)
settings.load_profile("carromsim")
