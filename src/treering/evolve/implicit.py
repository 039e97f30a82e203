"""Read implicit feedback: what followed a recall tells whether the memories it showed were used.

`treering.judge.use` judges. A memory is credited when the answer rests on it, and more if it ended well. It is
blamed when the person takes back what it says, or when it made a tool fail. Whatever is not certain is `ignored`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from treering.ledger.types import Memory
from treering.text.words import folded

if TYPE_CHECKING:
    from treering.judge.use import Turn, Verdict

KINDS = ("referenced", "ignored", "contradicted", "succeeded", "failed")
REWARDS = {"referenced": 0.7, "ignored": 0.5, "contradicted": 0.0, "succeeded": 1.0, "failed": 0.0}
LONGEST_EVIDENCE = 120  # characters
_NOTHING = "no words"  # the evidence, if what showed it has none
# Of ours; one that was cut off goes to the end of what there is, as no other `<` is in it.
_FENCE = re.compile(r"<treering-recall \w{8,64}:[^<>\n]*>[^<]*(?:</treering-recall \w{8,64}>)?")


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


def signals(
    shown: Sequence[Memory], answer: str, results: Sequence[ToolResult] = (), reply: str = "", prompt: str = ""
) -> list[Signal]:
    """Return one signal for each memory, in their order; the order itself changes nothing."""
    from treering.judge.use import Turn, judge  # loads the word vectors, which no other command needs

    texts = {memory.id: _text(memory) for memory in shown}
    gave = [(_FENCE.sub("\n", text), failed) for text, failed in results]
    said, replied = (_FENCE.sub("\n", text) for text in (answer, reply))
    found = []
    for memory in shown:
        others = sorted(text for id, text in texts.items() if id != memory.id)
        turn = Turn(texts[memory.id], prompt, said, gave, replied, others)
        found.append(_signal(memory.id, turn, judge(turn)))
    return found


def _text(memory: Memory) -> str:
    fields = (memory.content, memory.problem, memory.approach, memory.gotchas, memory.trigger, memory.action)
    return "\n".join(filter(None, fields))


def _signal(memory: str, turn: Turn, verdict: Verdict) -> Signal:
    kind, weight = _kind(verdict)
    evidence = _evidence(kind, turn) if weight else ""
    return Signal(memory, kind, REWARDS[kind], weight, " ".join(evidence.split())[:LONGEST_EVIDENCE])


def _kind(verdict: Verdict) -> tuple[str, float]:
    label = verdict.label
    kinds = {"used": "succeeded" if verdict.is_well else "referenced", "corrected": "contradicted", "harmful": "failed"}
    return (kinds[label], round(verdict.chances[label], 3)) if label in kinds else ("ignored", 0.0)


def _evidence(kind: str, turn: Turn) -> str:
    """Return the words that show it best: those of the reply, of the failure, or of the answer."""
    texts = [turn.answer, *(text for text, _ in turn.results)]
    if kind == "contradicted":
        texts = [turn.reply, *texts]
    elif kind == "failed":
        texts = [*(text for text, failed in turn.results if failed), turn.reply, *texts]
    first = next(filter(str.strip, texts), "")
    mine = set(folded(turn.memory))
    lines = filter(str.strip, first.splitlines())
    return max(lines, key=lambda line: len(mine.intersection(folded(line))), default=_NOTHING)
