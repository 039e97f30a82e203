"""A model that answers from a life's labels: what a capable model would bring to what is kept of a session.

It is asked as any model is, and sees only the question. Of the sentences in it, it chooses those that hold a labelled
fact; everything else it declines. So what it brings is bounded by what a model is shown, and by the checks on answers.
"""

from __future__ import annotations

from benchmarks.lives.life import FIX, Fact, Life
from treering import compose
from treering.capture.model import KINDS, PURPOSE
from treering.capture.turns import TOLD
from treering.ledger.config import Config
from treering.models.port import LLM, LLMFailed, Question, Reply

NAME = "scripted"
_BYTES = 4  # of a token


class Scripted:
    """Knows the facts of one life."""

    def __init__(self, life: Life) -> None:
        self._facts = [fact for session in life.sessions for fact in session.facts if fact.kind != FIX]
        self.calls = self.tokens = 0

    def ask(self, question: Question) -> Reply:
        if question.purpose != PURPOSE:
            raise LLMFailed("not asked for this", NAME)
        kept = [f"{_kind(fact)} | {row}" for row in question.text.splitlines() for fact in self._in(row)[:1]]
        asked = len(question.system + question.text) // _BYTES
        answered = sum(map(len, kept)) // _BYTES
        self.calls, self.tokens = self.calls + 1, self.tokens + asked + answered
        return Reply({"kept": kept[:12]}, NAME, asked, answered, 0)

    def _in(self, row: str) -> list[Fact]:
        return [fact for fact in self._facts if fact.within(row.lower())]


def _kind(fact: Fact) -> str:
    return fact.kind if fact.kind in KINDS else TOLD


def use(model: Scripted) -> None:
    """Let every memory that this process opens ask this model."""

    def answer(config: Config) -> LLM | None:
        return model

    compose._llm = answer
