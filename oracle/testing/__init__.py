"""The fuzzing as a test of your own, in five lines:

    from oracle.testing import scheduler_test

    test_hard_constraints = scheduler_test("exec:./mine")
    test_scores = scheduler_test("exec:./mine", level="ranked", suite="standing")

Each is a Hypothesis test and follows the profile that is loaded: its number of examples, its database, its seed.
`pytest --scheduler exec:./mine` runs such tests without any file.
"""

from oracle.testing.tests import SchedulerFinding, scheduler_test

__all__ = ["SchedulerFinding", "scheduler_test"]
