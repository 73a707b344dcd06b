"""Is what a scheduler did right, whatever else it might have done?

Unlike a comparison step by step this holds for schedulers that go their own way: each decision is judged by
itself, in the state the scheduler knew, by the rules of v1.15; Z3 is asked before anything is called wrong.

verdict = judge_trace(trace, engine, Level.FEASIBLE)

view, shadow        what the scheduler could know, kept beside it
host, refusal, room the three questions about a decision
witness             a scheduler with somebody watching
playing             a whole trace, and what is left at its end
"""

from oracle.judgement.judged import Judged, Outcome
from oracle.judgement.playing import CaseVerdict, judge_trace

__all__ = ["CaseVerdict", "Judged", "Outcome", "judge_trace"]
