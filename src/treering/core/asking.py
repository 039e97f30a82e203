"""What is written down of every question to a language model: what for, what it cost, and what came of it."""

from __future__ import annotations

from treering.core.drafts import draft
from treering.core.events import ASKED
from treering.core.types import one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.core.events import Draft
    from treering.core.types import Context

ANSWERED, FAILED, REFUSED = OUTCOMES = ("answered", "failed", "refused")  # refused: by the budget, and never sent
LONGEST_PROBLEM = 500  # characters


def asked(
    purpose: str,
    model: str,
    outcome: str,
    context: Context,
    tokens: tuple[int, int] = (0, 0),
    took: int = 0,
    problem: str = "",
) -> Draft:
    """`tokens` are those that were sent and those that came back."""
    one_of("outcome", outcome, OUTCOMES)
    sent, back = tokens
    data = {"purpose": purpose, "model": model, "outcome": outcome, "asked": sent, "answered": back, "took": took}
    return draft(ASKED, {**data, **({"problem": problem[:LONGEST_PROBLEM]} if problem else {})}, context)
