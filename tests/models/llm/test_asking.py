"""Questions to a language model: within a budget, in the ledger, and never in the way of a write."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.models.llm.words import FINE, KEY, QUESTION
from tests.world import store_in_memory
from treering.ledger.codec import data_of
from treering.ledger.decide import ended
from treering.ledger.errors import InvalidInput
from treering.ledger.events import ASKED
from treering.ledger.ledger import Ledger
from treering.ledger.schemas import check_data
from treering.ledger.sessions import DAY
from treering.ledger.types import Context
from treering.models.ask import Asking, Spent, spent
from treering.models.lease import Lease
from treering.models.port import LLMFailed, Question, Reply
from treering.stores.port.ledger import EventQuery, Store

HERE = Context("default", "shop", "monday", "hook")
BUDGET = 1_000
START = 1_800_000_000_000_000


class Scripted:
    """A model that answers by the next of its replies, and the last one ever after."""

    def __init__(self, *replies: Reply | LLMFailed) -> None:
        self.replies = list(replies)
        self.asked = 0

    def ask(self, question: Question) -> Reply:
        self.asked += 1
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, LLMFailed):
            raise reply
        return reply


GOOD = Reply(FINE, "small", 300, 100, 5_000)


@pytest.fixture
def store() -> Store:
    return store_in_memory()


@pytest.fixture
def clock() -> list[int]:
    return [START]


Make = Callable[..., Asking]


@pytest.fixture
def asking(store: Store, clock: list[int]) -> Make:
    numbers = count(1)

    def make(*replies: Reply | LLMFailed, context: Context = HERE, budget: int = BUDGET) -> Asking:
        ledger = Ledger(store, lambda: clock[0], lambda size: next(numbers).to_bytes(8) * (size // 8 + 1))
        return Asking(ledger, Scripted(*replies), context, lambda: clock[0], budget)

    return make


def told(store: Store) -> list[dict[str, Any]]:
    found = [data_of(event)[1] for event in store.events(EventQuery(kinds=(ASKED,)))]
    for data in found:
        check_data(ASKED, data)
    return found


def test_an_answer_is_given_and_written_down(store: Store, asking: Make) -> None:
    """Its cost, not its words: those belong to whoever uses them."""
    assert asking(GOOD).ask(QUESTION) == GOOD
    assert told(store) == [
        {"purpose": "skill", "model": "small", "outcome": "answered", "asked": 300, "answered": 100, "took": 5_000}
    ]
    (event,) = store.events(EventQuery(kinds=(ASKED,)))
    assert (event.space, event.project, event.session, event.actor, event.subject) == (*HERE, "")


def test_a_failure_is_no_answer_and_is_written_down_too(store: Store, asking: Make) -> None:
    """With what was spent on it, and what went wrong, guarded."""
    failed = LLMFailed("it said ghp_" + "a1B2" * 9, "small", 50, 7, 9)
    assert asking(failed).ask(QUESTION) is None
    (data,) = told(store)
    assert (data["outcome"], data["asked"], data["answered"], data["took"]) == ("failed", 50, 7, 9)
    assert "it said" in data["problem"] and "ghp_a1B2" not in data["problem"]


def test_a_server_that_is_down_is_not_asked_again(store: Store, asking: Make) -> None:
    """Until the memory is opened anew; one that only misunderstood is."""
    down, lost = LLMFailed("no", "small", down=True), LLMFailed("what?", "small")
    patient = asking(lost, down, GOOD)
    assert [patient.ask(QUESTION) for _ in range(4)] == [None] * 4
    assert len(told(store)) == 2
    assert asking(GOOD).ask(QUESTION) == GOOD


@pytest.mark.parametrize("where", ["name", "triggers"])
@pytest.mark.parametrize("text", ["use ghp_" + "a1B2" * 9, "a\ufe0f\ufe0f\ufe0fb", "tag\U000e0041"])
def test_an_answer_that_could_not_be_stored_as_it_is_is_not_used(
    store: Store, asking: Make, where: str, text: str
) -> None:
    """A secret, or what nobody can see."""
    value = {**FINE, where: text if where == "name" else [text]}
    assert asking(GOOD._replace(value=value)).ask(QUESTION) is None
    (data,) = told(store)
    assert data["outcome"] == "failed" and data["problem"].startswith("the answer holds what is never stored")
    assert (data["asked"], data["answered"]) == (300, 100)


def test_a_budget_that_is_spent_stops_it_for_24_hours(store: Store, asking: Make, clock: list[int]) -> None:
    """Whoever spent it, in whatever space; that it stopped is written down once for each purpose."""
    other = asking(GOOD, context=HERE._replace(space="team"))
    assert [bool(other.ask(QUESTION)) for _ in range(2)] == [True, True]
    clock[0] += DAY // 2
    mine = asking(GOOD)
    assert [bool(mine.ask(QUESTION)) for _ in range(3)] == [True, False, False]
    assert mine.ask(QUESTION._replace(purpose="other")) is None
    refused = [(data["purpose"], data["problem"]) for data in told(store) if data["outcome"] == "refused"]
    assert refused == [(name, "the budget of 1,000 tokens in 24 hours is spent") for name in ("skill", "other")]
    clock[0] += DAY // 2
    assert mine.ask(QUESTION) == GOOD


def test_failures_count_too(asking: Make) -> None:
    """A model that only talks nonsense cannot do so for ever."""
    patient = asking(LLMFailed("nonsense", "small", 300, 300))
    assert patient.ask(QUESTION) is patient.ask(QUESTION) is None
    assert asking(GOOD).ask(QUESTION) is None


def test_undoing_gives_no_token_back(store: Store, asking: Make, clock: list[int]) -> None:
    """They were spent."""
    asking(GOOD).ask(QUESTION)
    store.write(lambda: store.leave_out([event.id for event in store.events(EventQuery(kinds=(ASKED,)))], []))
    assert spent(store, "", clock[0]) == {"skill": Spent(1, 300, 100)}


def test_what_was_spent_is_told_by_purpose(store: Store, asking: Make, clock: list[int]) -> None:
    """In one space or in all, and only what is less than 24 hours old."""
    asking(GOOD).ask(QUESTION)
    clock[0] += DAY
    asking(GOOD, LLMFailed("no", "small", 5, 0), budget=10_000).ask(QUESTION._replace(purpose="routing"))
    again = asking(LLMFailed("no", "small", 5, 0))
    again.ask(QUESTION)
    asking(GOOD, context=HERE._replace(space="team")).ask(QUESTION)
    asking(GOOD, budget=1).ask(QUESTION)  # refused: that is no call
    assert spent(store, "default", clock[0]) == {"routing": Spent(1, 300, 100), "skill": Spent(1, 5, 0)}
    assert spent(store, "", clock[0]) == {"routing": Spent(1, 300, 100), "skill": Spent(2, 305, 100)}


def test_a_clock_that_was_far_ahead_does_not_stop_it_for_ever(store: Store, asking: Make, clock: list[int]) -> None:
    """Neither its own questions nor those since then count for longer than a day."""
    for moment in (START + 1_000 * DAY, START, START + 2 * DAY):
        clock[0] = moment
        assert asking(GOOD, budget=400).ask(QUESTION) == GOOD
        assert spent(store, "", moment) == {"skill": Spent(1, 300, 100)}


def test_nobody_waits_for_a_model_with_the_store_in_hand(store: Store, asking: Make) -> None:
    """A question within a transaction is refused before it is sent."""
    scripted = asking(GOOD)
    with pytest.raises(InvalidInput, match="cannot be asked within `together`"):
        store.write(lambda: scripted.ask(QUESTION))
    assert told(store) == []


def test_the_key_of_a_failure_stays_out_of_the_ledger(store: Store, asking: Make) -> None:
    """Even if an adapter were to let it slip: it looks like one."""
    asking(LLMFailed(f"it answered 401 (Authorization: Bearer {KEY})", "small")).ask(QUESTION)
    assert KEY not in str(told(store))


def test_a_question_that_waited_goes_before_the_next_session(store: Store, clock: list[int], tmp_path: Path) -> None:
    """An agent is asked once for each session at the most, and not always about the session itself."""
    numbers = count(1)
    ledger = Ledger(store, lambda: clock[0], lambda size: next(numbers).to_bytes(8) * (size // 8 + 1))
    agent = Asking(ledger, Scripted(GOOD), HERE, lambda: clock[0], 100_000, Lease(str(tmp_path), 20))
    got = []
    for number in range(4):
        ledger.commit(lambda number=number: [ended(HERE._replace(session=f"s{number}"))])  # type: ignore[misc]
        got.append([bool(agent.ask(QUESTION._replace(purpose=purpose))) for purpose in ("capture", "summary")])
        clock[0] += 60_000_000
    assert got == [[True, False], [False, True], [True, False], [False, True]]
    asked = [(data["purpose"], data["outcome"]) for data in told(store)]
    assert asked.count(("summary", "refused")) == 2 and asked.count(("summary", "answered")) == 2


def test_without_a_question_that_waits_every_session_is_asked_about(
    store: Store, clock: list[int], tmp_path: Path
) -> None:
    numbers = count(1)
    ledger = Ledger(store, lambda: clock[0], lambda size: next(numbers).to_bytes(8) * (size // 8 + 1))
    agent = Asking(ledger, Scripted(GOOD), HERE, lambda: clock[0], 100_000, Lease(str(tmp_path), 20))
    for number in range(4):
        ledger.commit(lambda number=number: [ended(HERE._replace(session=f"s{number}"))])  # type: ignore[misc]
        assert agent.ask(QUESTION._replace(purpose="capture")) and not agent.ask(QUESTION._replace(purpose="graph"))
