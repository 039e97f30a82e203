"""Ask a language model within a budget, outside any transaction, and log every question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

from treering.ledger.arguments import loggable
from treering.ledger.codec import data_of, draft
from treering.ledger.errors import InvalidInput
from treering.ledger.events import ASKED, Data, Draft, Event
from treering.ledger.ledger import Ledger
from treering.ledger.sessions import DAY
from treering.ledger.types import Context, one_of, seen_from
from treering.models.lease import Lease
from treering.models.llm import texts
from treering.models.port import LLM, LLMFailed, Question, Reply
from treering.models.quota import is_low
from treering.stores.port.ledger import EventQuery, LedgerReader
from treering.text.redact import clean

if TYPE_CHECKING:
    from treering.ledger.workspace import Workspace


ANSWERED, FAILED, REFUSED = OUTCOMES = ("answered", "failed", "refused")  # refused: by the budget, and never sent
LONGEST_PROBLEM = 500  # characters
SESSION = "capture"  # asked of every session; what else is asked takes its place when it has waited
# What an agent is asked: each is one call for a whole session, group, memory or skill. The graph asks for every memory.
AGENT_PURPOSES = frozenset((SESSION, "summary", "refinement", "wording"))


def asked(
    purpose: str,
    model: str,
    outcome: str,
    context: Context,
    tokens: tuple[int, int] = (0, 0),
    took: int = 0,
    problem: str = "",
) -> Draft:
    """Record a question. `tokens` are those sent and those received."""
    one_of("outcome", outcome, OUTCOMES)
    sent, back = tokens
    data = {"purpose": purpose, "model": model, "outcome": outcome, "asked": sent, "answered": back, "took": took}
    return draft(ASKED, {**data, **({"problem": problem[:LONGEST_PROBLEM]} if problem else {})}, context)


class Spent(NamedTuple):
    """The cost of the questions of one purpose."""

    calls: int = 0
    asked: int = 0  # tokens
    answered: int = 0


class Asking:
    """The questions of one open memory."""

    def __init__(
        self,
        ledger: Ledger,
        llm: LLM,
        context: Context,
        now: Callable[[], int],
        budget: int,
        lease: Lease | None = None,
    ) -> None:
        """Take a `budget` in tokens for the last 24 hours, and for an agent the lease that it needs."""
        self._lease = lease
        self._ledger = ledger
        self._llm = llm
        self._context = context
        self._now = now
        self._budget = budget
        self._agent = getattr(llm, "name", "")
        self._down = False
        self.out = False  # the last question was not asked, or in vain: the model is down, or the budget is spent
        self.trouble = ""  # what was wrong when there was no answer, the last time

    @classmethod
    def of(cls, workspace: Workspace) -> Self | None:
        """Return the questions to the model that is configured; none if none is."""
        llm = workspace.llm()
        if llm is None:
            return None
        config, home = workspace.config, workspace.home
        lease = Lease(home, config.model_calls) if config.agent is not None and home else None
        return cls(workspace.ledger, llm, workspace.here(), workspace.now, config.llm_budget, lease)

    def ask(self, question: Question, doubt: Callable[[Data], str] = lambda value: "") -> Reply | None:
        """Return a usable answer; None if the budget is spent, the model failed, or there is a
        doubt.

        `doubt` says what is wrong with an answer of the right shape.
        """
        if self._ledger.store.index.in_transaction:
            raise InvalidInput("a language model takes seconds, so it cannot be asked within `together`")
        self.out = self._down or not self._affordable(question) or not self._leased(question)
        if self.out:
            return None
        try:
            reply = self._asked(question)
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
        """Tell whether tokens are left. Write down once in 24 hours that there are none."""
        lately = list(_lately(self._ledger.store, self._now()))
        if sum(max(0, data["asked"]) + max(0, data["answered"]) for _, data in lately) < self._budget:
            return True
        if not any(data["outcome"] == REFUSED and data["purpose"] == question.purpose for _, data in lately):
            self._record(question, "", REFUSED, problem=f"the budget of {self._budget:,} tokens in 24 hours is spent")
        return False

    def _leased(self, question: Question) -> bool:
        """Tell whether an agent may be asked now. A call that never ended counts as one that failed."""
        lease, now = self._lease, self._now()
        if lease is None:
            return True
        if question.purpose not in AGENT_PURPOSES or lease.is_held(now) or is_low(self._agent, lease.home, now):
            return False
        if lease.was_lost():
            self._record(question, "", FAILED, problem="the process that asked ended before there was an answer")
            lease.release()
        lately = list(_lately(self._ledger.store, now))
        sessions = self._sessions(now)
        allowed = lease.allows([(event.time, data["outcome"]) for event, data in lately], sessions, now)
        waits = _waits([data for _, data in lately])
        if question.purpose == SESSION and allowed and waits:
            self._record(question, "", REFUSED, problem="another question has waited for its turn")
            return False
        if question.purpose != SESSION and not allowed and sessions and not waits:
            self._record(question, "", REFUSED, problem="it waits for its turn: there is one call for each session")
        return allowed

    def _sessions(self, now: int) -> int:
        """Return how many sessions the last 24 hours had."""
        events = self._ledger.store.events(EventQuery(since=now - DAY))
        return len({event.session for event in events if event.session and event.kind != ASKED})

    def _asked(self, question: Question) -> Reply:
        if self._lease is None:
            return self._llm.ask(question)
        self._lease.take(self._now())
        try:
            return self._llm.ask(question)
        finally:
            self._lease.release()

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
        entry = asked(question.purpose, model, outcome, self._context, tokens, took, loggable(problem))
        self._ledger.commit(lambda: [entry])


def _waits(lately: Sequence[Data]) -> bool:
    """Tell whether a question waits for its turn since a session was asked about, and was not let through."""
    for data in reversed(lately):
        if data["outcome"] == REFUSED:
            return bool(data["purpose"] != SESSION)
        if data["purpose"] != SESSION:
            return False
    return False


def spent(store: LedgerReader, space: str, now: int) -> dict[str, Spent]:
    """Return the cost of the last 24 hours by purpose; of all spaces if none is named."""
    found: dict[str, Spent] = {}
    for event, data in _lately(store, now):
        if data["outcome"] == REFUSED or (space and event.space not in seen_from(space)):
            continue
        calls, sent, back = found.get(data["purpose"], Spent())
        found[data["purpose"]] = Spent(calls + 1, sent + data["asked"], back + data["answered"])
    return dict(sorted(found.items()))


def _lately(store: LedgerReader, now: int) -> Iterator[tuple[Event, Data]]:
    """Yield the questions of the last 24 hours, undone ones too: undoing gives no token back.

    A clock that was once far ahead must not make all later questions look new, nor its own for
    ever.
    """
    for event in store.events(EventQuery(kinds=(ASKED,), since=now - DAY)):
        if abs(now - event.time) < DAY and event.payload is not None:
            yield event, data_of(event)[1]


def _withheld(reply: Reply) -> str:
    """Return why an answer that fits is not used: it holds a text that is never stored as it is."""
    changes = [change for text in texts(reply.value) for change in clean(text).changes]
    return f"the answer holds what is never stored: {', '.join(dict.fromkeys(changes))}" if changes else ""
