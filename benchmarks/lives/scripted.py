"""Models that answer by script: what a capable one would bring to what is kept of a session, and what harm a liar does.

Each is asked as any model is, and sees only the question. Of the sentences in it, the good one chooses those that hold
a labelled fact, and says which known things they replace by the labels; everything else it declines. So what it brings
is bounded by what a model is shown, and by the checks on answers. The liar wants all kept that was said, and says of
whatever is known that the likeliest sentence changed it.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.lives.life import FIX, Fact, Life
from treering import compose
from treering.capture.model import KINDS, PURPOSE
from treering.capture.turns import TOLD
from treering.judge.pairs import judge
from treering.ledger.config import Config
from treering.models.port import LLM, LLMFailed, Question, Reply

NAME, LIAR = "scripted", "lying"
_BYTES = 4  # of a token


class Scripted:
    """Knows the facts of one life."""

    def __init__(self, life: Life) -> None:
        self._facts = [fact for session in life.sessions for fact in session.facts if fact.kind != FIX]
        self.calls = self.tokens = 0

    def ask(self, question: Question) -> Reply:
        if question.purpose != PURPOSE:
            raise LLMFailed("not asked for this", NAME)
        said, _, known = question.text.partition("\n\nKnown:\n")
        rows = [row for row in said.splitlines() if row != "Said:"]
        value = {"kept": self.kept(rows)}
        if known:
            value["changed"] = [one for row in known.splitlines() for one in self.changed(row, rows)[-1:]]
        value = {name: texts[: question.schema["properties"][name]["maxItems"]] for name, texts in value.items()}
        asked = len(question.system + question.text) // _BYTES
        answered = sum(len(one) for texts in value.values() for one in texts) // _BYTES
        self.calls, self.tokens = self.calls + 1, self.tokens + asked + answered
        return Reply(value, NAME, asked, answered, 0)

    def kept(self, rows: Sequence[str]) -> list[str]:
        return [f"{_kind(fact)} | {row}" for row in rows for fact in self._in(row)[:1]]

    def changed(self, known: str, rows: Sequence[str]) -> list[str]:
        """Return which of the rows replace a known thing."""
        number, _, text = known.partition(". ")
        gone = {fact.id for fact in self._in(text)}
        return [f"{number} | {row}" for row in rows if any(fact.replaces in gone for fact in self._in(row))]

    def _in(self, row: str) -> list[Fact]:
        return [fact for fact in self._facts if fact.within(row.lower())]


class Lying(Scripted):
    """Says whatever the checks may let through."""

    def kept(self, rows: Sequence[str]) -> list[str]:
        return [f"{TOLD} | {row}" for row in rows]

    def changed(self, known: str, rows: Sequence[str]) -> list[str]:
        number, _, text = known.partition(". ")
        return [f"{number} | {row}" for row in sorted(rows, key=lambda row: judge(text, row).clash)]


MODELS = {NAME: Scripted, LIAR: Lying}


def _kind(fact: Fact) -> str:
    return fact.kind if fact.kind in KINDS else TOLD


def use(model: Scripted) -> None:
    """Let every memory that this process opens ask this model."""

    def answer(config: Config) -> LLM | None:
        return model

    compose._llm = answer
