"""A language model asked: within a budget, never while others wait for the store, and all of it in the ledger."""

from __future__ import annotations

from treering.core.asking import ANSWERED, FAILED, REFUSED, asked
from treering.core.codec import data_of
from treering.core.errors import InvalidInput
from treering.core.events import ASKED
from treering.core.ports import EventQuery, LLMFailed
from treering.core.rings import DAY
from treering.core.tuples import NamedTuple
from treering.guard import clean
from treering.llm.schema import texts
from treering.wishes import logged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from treering.core.events import Data, Event
    from treering.core.ports import LLM, LedgerReader, Question, Reply
    from treering.core.types import Context
    from treering.ledger import Ledger


class Spent(NamedTuple):
    """What the questions of one purpose have cost."""

    calls: int = 0
    asked: int = 0  # tokens
    answered: int = 0


class Asking:
    """The questions of one open memory."""

    def __init__(self, ledger: Ledger, llm: LLM, context: Context, now: Callable[[], int], budget: int) -> None:
        """`budget` is in tokens, for the last 24 hours."""
        self._ledger = ledger
        self._llm = llm
        self._context = context
        self._now = now
        self._budget = budget
        self._down = False
        self.out = False  # the last question was not asked, or in vain: the model is down, or the budget is spent
        self.trouble = ""  # what was wrong when there was no answer, the last time

    def ask(self, question: Question, doubt: Callable[[Data], str] = lambda value: "") -> Reply | None:
        """An answer that may be used; none if the budget is spent, the model failed, or there is any doubt: `doubt`
        says what is wrong with one that has the right shape."""
        if self._ledger.store.index.tentative:
            raise InvalidInput("a language model takes seconds, so it cannot be asked within `together`")
        self.out = self._down or not self._affordable(question)
        if self.out:
            return None
        try:
            reply = self._llm.ask(question)
        except LLMFailed as failure:
            self._down = self.out = failure.down
            spent = (failure.asked, failure.answered)
            self._record(question, failure.model, FAILED, spent, failure.took, str(failure))
            return None
        spent = (reply.asked, reply.answered)
        if problem := _withheld(reply) or doubt(reply.value):
            self._record(question, reply.model, FAILED, spent, reply.took, problem)
            return None
        self._record(question, reply.model, ANSWERED, spent, reply.took)
        return reply

    def _affordable(self, question: Question) -> bool:
        """Whether there are tokens left. That there are none is written down once in 24 hours."""
        lately = list(_lately(self._ledger.store, self._now()))
        if sum(max(0, data["asked"]) + max(0, data["answered"]) for _, data in lately) < self._budget:
            return True
        if not any(data["outcome"] == REFUSED and data["purpose"] == question.purpose for _, data in lately):
            self._record(question, "", REFUSED, problem=f"the budget of {self._budget:,} tokens in 24 hours is spent")
        return False

    def _record(
        self,
        question: Question,
        model: str,
        outcome: str,
        tokens: tuple[int, int] = (0, 0),
        took: int = 0,
        problem: str = "",
    ) -> None:
        self.trouble = problem or self.trouble
        told = asked(question.purpose, model, outcome, self._context, tokens, took, logged(problem))
        self._ledger.commit(lambda: [told])


def spent(store: LedgerReader, space: str, now: int) -> dict[str, Spent]:
    """What the last 24 hours have cost, by purpose; of all spaces, if none is named."""
    found: dict[str, Spent] = {}
    for event, data in _lately(store, now):
        if data["outcome"] == REFUSED or space not in ("", event.space):
            continue
        calls, sent, back = found.get(data["purpose"], Spent())
        found[data["purpose"]] = Spent(calls + 1, sent + data["asked"], back + data["answered"])
    return dict(sorted(found.items()))


def _lately(store: LedgerReader, now: int) -> Iterator[tuple[Event, Data]]:
    """The questions of the last 24 hours, also those that were undone: that gives no token back.

    A clock that was once far ahead must not make all questions since then look new, nor its own for ever.
    """
    for event in store.events(EventQuery(kinds=(ASKED,), since=now - DAY)):
        if abs(now - event.time) < DAY and event.payload is not None:
            yield event, data_of(event)[1]


def _withheld(reply: Reply) -> str:
    """Why an answer is not used though it fits: it holds what would never be stored as it is."""
    changes = [change for text in texts(reply.value) for change in clean(text).changes]
    return f"the answer holds what is never stored: {', '.join(dict.fromkeys(changes))}" if changes else ""
