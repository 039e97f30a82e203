"""Implicit feedback: what followed a recall says something about what it showed.

A memory is credited when its own terms are put to use in the answer or in a command, and by what came of it. It is
blamed when a failure or the user names it. What only repeats it, rates it or shares a topic with it says nothing.
Whatever is not certain is `ignored`, which credits nothing.
"""

from __future__ import annotations

from treering.core.tuples import NamedTuple
from treering.evolve.implicit.case import IGNORED, Verdict, cases, read
from treering.evolve.implicit.contradiction import contradicted
from treering.evolve.implicit.ending import failed, is_doubtful, succeeded
from treering.evolve.implicit.terms import ENOUGH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.core.types import Memory
    from treering.evolve.implicit.case import Case

KINDS = ("referenced", "ignored", "contradicted", "succeeded", "failed")
REWARDS = {"referenced": 0.7, "ignored": 0.5, "contradicted": 0.0, "succeeded": 1.0, "failed": 0.0}
CERTAIN = 2 * ENOUGH  # points of a use that leaves no doubt
LONGEST_EVIDENCE = 120  # characters


class ToolResult(NamedTuple):
    """What a tool gave back after the recall."""

    text: str
    failed: bool = False


class Signal(NamedTuple):
    """What followed says about one memory that was shown."""

    memory: str
    kind: str  # one of `KINDS`
    reward: float
    weight: float  # how sure it is, from 0 to 1; 0 credits nothing
    evidence: str  # the words that showed it


def signals(shown: Sequence[Memory], answer: str, results: Sequence[ToolResult] = (), reply: str = "") -> list[Signal]:
    """One for each memory, in their order; the order itself changes nothing."""
    followed = read(answer, [(text, is_failed) for text, is_failed in results], reply)
    return [
        Signal(memory.id, kind, REWARDS[kind], weight, " ".join(evidence.split())[:LONGEST_EVIDENCE])
        for memory, (kind, weight, evidence) in zip(shown, map(_verdict, cases(shown, followed)), strict=True)
    ]


def _verdict(case: Case) -> Verdict:
    corrected = contradicted(case)
    if corrected is not None or case.use is None:
        return corrected or IGNORED
    ended = failed(case) or succeeded(case, case.use)
    if ended is not None:
        return ended
    if is_doubtful(case):
        return IGNORED
    return Verdict("referenced", min(1.0, case.use.points / CERTAIN), case.use.sentence.text)
