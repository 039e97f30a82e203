"""Read implicit feedback: what followed a recall tells whether the memories it showed were used.

A memory is credited when the answer or a command uses its own terms, and by the outcome. It is
blamed when a failure or the user names it. Repeating it, rating it or sharing its topic says
nothing. Whatever is not certain is `ignored`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from treering.evolve.implicit.case import IGNORED, Case, Verdict, cases, read
from treering.evolve.implicit.ending import contradicted, failed, is_doubtful, succeeded
from treering.evolve.implicit.terms import ENOUGH
from treering.ledger.types import Memory

KINDS = ("referenced", "ignored", "contradicted", "succeeded", "failed")
REWARDS = {"referenced": 0.7, "ignored": 0.5, "contradicted": 0.0, "succeeded": 1.0, "failed": 0.0}
CERTAIN = 2 * ENOUGH  # points of a use that leaves no doubt
LONGEST_EVIDENCE = 120  # characters


class ToolResult(NamedTuple):
    """A tool's output after the recall, and whether it failed."""

    text: str
    failed: bool = False


class Signal(NamedTuple):
    """The signal of one memory that was shown: used, failed, contradicted or ignored."""

    memory: str
    kind: str  # one of `KINDS`
    reward: float
    weight: float  # how sure it is, from 0 to 1; 0 credits nothing
    evidence: str  # the words that showed it


def signals(shown: Sequence[Memory], answer: str, results: Sequence[ToolResult] = (), reply: str = "") -> list[Signal]:
    """Return one signal for each memory, in their order; the order itself changes nothing."""
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
