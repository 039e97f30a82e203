"""The settings of Q. Every process reads its settings, so nothing else is imported here."""

from __future__ import annotations

from treering.core.tuples import NamedTuple

VERDICTS = ("helpful", "partially_helpful", "not_helpful")
OUTCOMES = ("success", "partial", "failure")


class Rewards(NamedTuple):
    """The settings of Q: what each verdict earns, from 0 to 1, and how far Q moves."""

    # With a tenth, five bad uses bring a new memory below 0.3 and ten below 0.2: just as many as the rules ask for, so
    # that neither half of a rule waits for the other.
    q_rate: float = 0.1
    # An outcome is shared by all that was shown: half of the step, as some of it only stood by.
    outcome_weight: float = 0.5
    # What is read off the next answer is a guess, and a wrong one must not undo what somebody said.
    implicit_weight: float = 0.3
    reward_helpful: float = 1.0
    reward_partially_helpful: float = 0.5  # as good as a memory of which nothing is known
    reward_not_helpful: float = 0.0
    reward_success: float = 1.0
    reward_partial: float = 0.5
    reward_failure: float = 0.0

    def of(self, verdict: str) -> float:
        earned: float = getattr(self, f"reward_{verdict}")
        return earned
