"""A recall as an act: what it leaves in the ledger."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.recall.asking import names
from tests.world import NOON, SECOND, Clock, fresh, memory_on, picture, static, store_in_memory
from treering.ledger.codec import data_of
from treering.ledger.events import RECALLED, SURFACED, Event
from treering.ledger.schemas import check_data
from treering.ledger.types import QUERY_TYPES, Context
from treering.ledger.verify import verify
from treering.memory import Treering
from treering.recall.recalls import Recalls, filter_data, filter_of
from treering.stores.port.ledger import EventQuery

DAY = 86_400 * SECOND
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
TEXTS = ("The parrot eats seeds", "The parrot sleeps in its cage", "The kettle is green", "Soup needs salt")


def events(memory: Treering, *kinds: str) -> list[Event]:
    return [*memory.store.events(EventQuery(kinds=kinds or (RECALLED, SURFACED)))]


def logged(memory: Treering) -> dict[str, Any]:
    """The last recall that was logged."""
    return data_of(events(memory, RECALLED)[-1])[1]


def filled(clock: Callable[[], int] | None = None) -> Treering:
    memory = fresh(clock)
    memory.remember_many({"content": text} for text in TEXTS)
    return memory


def uses(memory: Treering) -> list[int]:
    return [found.accesses for found in sorted(picture(memory.store).values(), key=lambda one: one.created)]


def test_a_recall_is_logged_with_all_that_tells_how_it_went() -> None:
    """The query, its type, the strategy, each hit with rank, score and probability, the confidence, the time taken."""
    memory = filled()
    found = memory.recall("what does the parrot eat", k=3, strategy="keyword")
    data = logged(memory)
    assert found.id == events(memory, RECALLED)[0].id
    assert (data["query"], data["strategy"], data["k"]) == ("what does the parrot eat", "keyword", 3)
    assert data["type"] == found.type in QUERY_TYPES
    assert [(hit["id"], hit["rank"], hit["p"]) for hit in data["hits"]] == [
        (name, rank, 1.0) for rank, name in enumerate(names(found), 1)
    ]
    assert [hit["score"] for hit in data["hits"]] == pytest.approx([hit.score for hit in found.hits], abs=1e-4)
    assert data["confidence"] == pytest.approx(found.confidence, abs=1e-4)
    assert data["took"] >= 0
    check_data(RECALLED, data)


def test_a_look_leaves_no_trace() -> None:
    """No event, no access, no id; and the answer is the same."""
    memory = filled()
    seen = memory.recall("parrot", log=False)
    assert seen.id == "" and events(memory) == [] and uses(memory) == [0, 0, 0, 0]
    assert names(memory.recall("parrot")) == names(seen)


def test_silence_is_logged_too() -> None:
    """With no hits, how unsure it was, and nothing counted as used; the answer says why."""
    memory = filled()
    found = memory.recall("submarine in the harbour of Valparaiso")
    assert found.abstained and "answers this well enough" in found.silence and found.id
    assert logged(memory)["hits"] == [] and logged(memory)["confidence"] <= 0.6
    assert events(memory, SURFACED) == []


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"query": "parrot", "k": 1}, "enough"),
        ({"query": "what does the parrot eat", "k": 3}, "unsure"),
        ({"query": "submarine in the harbour of Valparaiso"}, "silence"),
        ({"query": "parrot seeds", "budget": 20, "floor": 0}, "no room"),
    ],
)
def test_the_two_best_that_are_not_shown_are_logged(asked: dict[str, Any], why: str) -> None:
    """With why they are not; what is shown is none of them."""
    memory = filled()
    found = memory.recall(**asked)
    passed = logged(memory)["passed"]
    assert [one["why"] for one in passed] == [why] * len(passed) and 1 <= len(passed) <= 2
    assert {one["id"] for one in passed}.isdisjoint(names(found))
    check_data(RECALLED, logged(memory))


def test_a_secret_in_a_query_is_not_logged() -> None:
    """Wherever it stands, also across the place where a long query is cut."""
    memory = filled()
    for before in (0, 50, 490, 495):
        memory.recall("parrot " + "x " * before + TOKEN)
        query = logged(memory)["query"]
        assert len(query) <= 1_000
        assert "ghp_" not in query and TOKEN[-8:] not in query, before
        assert query.startswith("parrot")


def test_a_query_that_is_a_document_is_logged_by_its_beginning() -> None:
    """At most a thousand characters."""
    memory = filled()
    memory.recall("parrot " * 20_000)
    assert logged(memory)["query"] == ("parrot " * 143)[:1_000]


def test_what_a_recall_shows_counts_as_used() -> None:
    """Once, with the moment and the rank; what it did not show does not."""
    memory = filled()
    found = memory.recall("what does the parrot eat", k=1)
    (surfaced,) = events(memory, SURFACED)
    assert surfaced.subject == names(found)[0]
    assert surfaced.causes == (found.id, surfaced.subject)
    assert data_of(surfaced)[1] == {"rank": 1}
    note = memory.get(surfaced.subject)
    assert (note.accesses, note.accessed) == (1, surfaced.time)
    assert sum(uses(memory)) == 1


def test_in_a_session_a_memory_is_used_once() -> None:
    """However often it is asked for and whatever the day; each other session counts for itself."""
    clock = Clock()
    memory = filled(clock)
    for _ in range(3):
        memory.recall("parrot eats seeds", k=1, session="monday")
        clock.time += 2 * DAY
    assert sum(uses(memory)) == 1
    memory.recall("parrot eats seeds", k=1, session="tuesday")
    memory.recall("parrot eats seeds", k=1)
    assert sum(uses(memory)) == 3
    assert len(events(memory, RECALLED)) == 5


def test_outside_a_session_a_memory_is_used_once_a_day() -> None:
    """The days are those of UTC."""
    clock = Clock(NOON)
    memory = filled(clock)
    for hours, total in ((0, 1), (6, 1), (5, 1), (2, 2), (20, 2), (24, 3)):
        clock.time += hours * 3_600 * SECOND
        memory.recall("parrot eats seeds", k=1)
        assert sum(uses(memory)) == total


def test_one_who_was_quicker_counts_too() -> None:
    """Two recalls of one session at once, each of which found the memory unused: it is used once."""
    store = store_in_memory()
    memory = memory_on(store, context=Context(session="monday"))
    memory.remember_many({"content": text} for text in TEXTS)

    def meanwhile(count: int) -> bytes:
        """Comes between the answer and its log, which take a number between them."""
        memory.recall("parrot eats seeds", k=1)
        return bytes(count)

    late = Recalls(store, static(), meanwhile)
    late.recall("parrot eats seeds", memory.context, NOON, 1, ledger=memory.ledger)
    assert len(events(memory, RECALLED)) == 2
    assert sum(uses(memory)) == 1


@pytest.mark.parametrize("act", ["forget", "purge", "undo"])
def test_what_goes_while_it_is_being_recalled_stays_gone(act: str) -> None:
    """The recall is logged as it was, and the ledger stays sound."""
    store = store_in_memory()
    memory = memory_on(store)
    memory.remember_many({"content": text} for text in TEXTS)
    note = memory.get("1")

    def meanwhile(count: int) -> bytes:
        getattr(memory, act)(note.id)
        return bytes(count)

    late = Recalls(store, static(), meanwhile)
    found = late.recall("parrot eats seeds", memory.context, NOON, 1, ledger=memory.ledger)
    assert names(found) == [note.id]
    assert memory.recall("eats seeds", log=False, strategy="keyword").abstained
    assert verify(memory.ledger.store).clean
    before = picture(store)
    memory.ledger.rebuild()
    assert picture(store) == before


def test_undoing_a_recall_takes_back_what_it_did() -> None:
    """All its surfacings with it; and undoing that brings them back."""
    memory = filled()
    unused = picture(memory.store)
    found = memory.recall("the parrot", k=3)
    used = picture(memory.store)
    undone = memory.undo(found.id)
    assert picture(memory.store) == unused
    assert len(undone.left_out) == 1 + len(found.hits)
    memory.undo(undone.event.id)
    assert picture(memory.store) == used != unused


def test_after_an_undone_recall_the_next_one_counts() -> None:
    """In the same session."""
    memory = filled()
    first = memory.recall("parrot eats seeds", k=1, session="monday")
    memory.undo(first.id)
    memory.recall("parrot eats seeds", k=1, session="monday")
    assert sum(uses(memory)) == 1


def test_a_rebuild_gives_the_same() -> None:
    """Accesses are a projection like any other."""
    clock = Clock()
    memory = filled(clock)
    for session in ("a", "b", "", "a"):
        memory.recall("the parrot", k=2, session=session)
        clock.time += DAY
    before = picture(memory.store)
    assert sum(uses(memory)) == 6
    memory.ledger.rebuild()
    assert picture(memory.store) == before
    assert verify(memory.ledger.store).clean


def test_revoking_a_session_takes_its_recalls_back() -> None:
    """What it asked no longer strengthens anything."""
    memory = filled()
    memory.recall("the parrot", session="bad")
    memory.revoke(session="bad")
    assert sum(uses(memory)) == 0


def test_a_use_strengthens() -> None:
    """Of two that are equally relevant, the one that was recalled before stands first."""
    memory = fresh()
    older = memory.remember("The parrot sleeps", type="semantic")
    newer = memory.remember("The parrot sleeps", type="procedural")
    before = memory.recall("parrot sleeps", log=False)
    assert names(before) == [newer.id, older.id]
    memory.recall("parrot sleeps", k=5, type="semantic")
    after = {hit.memory.id: hit.why.factors["strength"] for hit in memory.recall("parrot sleeps", log=False).hits}
    was = {hit.memory.id: hit.why.factors["strength"] for hit in before.hits}
    assert after[older.id] > was[older.id]
    assert after[newer.id] <= was[newer.id]


def test_only_what_was_within_the_budget_counts_as_shown() -> None:
    """The log, the fence and the hits are the same memories."""
    memory = fresh()
    memory.remember_many(
        {"content": f"The parrot eats seeds of kind {number}. " + "Really. " * 20} for number in range(9)
    )
    found = memory.recall("parrot seeds", k=9, budget=200)
    assert 0 < len(found.hits) < 9
    assert [hit["id"] for hit in logged(memory)["hits"]] == names(found)
    assert {event.subject for event in events(memory, SURFACED)} == {*names(found)}
    nothing = memory.recall("parrot seeds", k=9, budget=5)
    assert nothing.abstained and "budget of 5 tokens" in nothing.silence and nothing.fence == ""
    assert logged(memory)["hits"] == []


def test_the_words_of_a_recall_stay_within_its_walls() -> None:
    """It is logged where it was asked: space, project, session, actor."""
    store = store_in_memory()
    here = Context("team", "shop", "monday", "hook")
    memory = memory_on(store, context=here)
    memory.remember("The parrot eats seeds")
    memory.recall("parrot")
    assert {(event.space, event.project, event.session, event.actor) for event in events(memory)} == {here}


def test_a_recall_can_be_narrowed_to_a_tag() -> None:
    """It finds nothing else, and the log tells what it was narrowed to, so that it can be asked again."""
    memory = fresh()
    note = memory.remember("The parrot eats seeds", tags=("birds",))
    memory.remember("The parrot eats nuts", tags=("bird", "trees"))
    found = memory.recall("what does the parrot eat", tag="birds")
    assert names(found) == [note.id]
    assert logged(memory)["only"] == {"tag": "birds"}
    narrow = filter_of(logged(memory)["only"], memory.context)
    assert narrow is not None and (narrow.tag, filter_data(narrow)) == ("birds", {"tag": "birds"})
    assert memory.recall("what does the parrot eat", tag="fish").abstained
