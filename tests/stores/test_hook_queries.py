"""A look from a process that has no time sees what recall sees, and leaves no trace."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import apsw
import pytest

import treering
from tests.surfaces.hook.driving import rows
from treering.ledger.types import CHOSEN, RECALLABLE, STATUSES, Context, visible
from treering.stores.sqlite import hook_queries, schema

FACT = "The staging database of the harbour is read-only"
SPACES, PROJECTS, SESSIONS = ("default", "work"), ("", "shop", "bank"), ("", "s1", "s2")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    path = tmp_path / "home"
    treering.open(path).close()
    return path


@pytest.fixture
def db(home: Path) -> Iterator[apsw.Connection]:
    found = hook_queries.connect(str(home / "treering.db"))
    assert found is not None
    yield found
    found.close()


def remembered(home: Path, *texts: str, **more: object) -> list[str]:
    with treering.open(home, project="shop", actor="user") as memory:
        return [one.id for one in memory.remember_many({"content": text, **more} for text in texts)]


def test_it_sees_exactly_what_is_not_behind_a_wall(home: Path, db: apsw.Connection) -> None:
    """Memories and viewers in every place that there is: the rule is the one of recall."""
    for space, project, session in product(SPACES, PROJECTS, SESSIONS):
        with treering.open(home, space=space, project=project, session=session, actor="user") as memory:
            for scope in ("user", *(("project",) if project else ()), *(("session",) if session else ())):
                memory.remember(FACT, scope=scope, type="semantic")
    with treering.open(home) as memory:
        known = [*memory.store.records()]
    assert len(known) > 30
    for here in (Context(*place) for place in product(SPACES, PROJECTS, SESSIONS)):
        wanted = {one.id for one in known if visible(one, here)}
        assert {one.id for one in hook_queries.match(db, ["staging"], here, 1_000)} == wanted
        assert {one.id for one in hook_queries.standing(db, here, "nobody", 1_000)} == wanted


def test_it_sees_only_what_may_be_recalled(home: Path, db: apsw.Connection) -> None:
    ids = dict(zip(STATUSES, remembered(home, *(f"{FACT} {status}" for status in STATUSES)), strict=True))
    for status, id in ids.items():
        rows(home, "UPDATE memories SET status = ? WHERE id = ?", status, id)
    here = Context("default", "shop")
    assert {one.id for one in hook_queries.match(db, ["staging"], here, 99)} == {ids[status] for status in RECALLABLE}
    assert {one.id for one in hook_queries.standing(db, here, "", 99)} == {ids[status] for status in RECALLABLE}


def test_what_is_archived_is_briefed_after_what_proved_itself_as_much(home: Path, db: apsw.Connection) -> None:
    """Age decides on the order: a fact that nobody needed for weeks still fits into a small memory's briefing."""
    fresh, archived, proven = remembered(home, "one quay", "two quays", "three quays")
    rows(home, "UPDATE memories SET status = 'archived' WHERE id IN (?, ?)", archived, proven)
    rows(home, "UPDATE memories SET q = 0.9, accesses = 9 WHERE id = ?", proven)
    told = [one.id for one in hook_queries.standing(db, Context("default", "shop"), "", 99)]
    assert told == [proven, fresh, archived]


def test_a_briefing_that_is_full_tells_of_the_person_too_and_the_newest_first(home: Path, db: apsw.Connection) -> None:
    """What was shown before leads no further, or the first would lead for ever."""
    here = Context("default", "shop")
    with treering.open(home, project="blog", actor="user") as memory:
        persons = [memory.remember(f"I write quay {word}", scope="user").id for word in ("one", "two", "three")]
    facts = remembered(home, *(f"quay number {number}" for number in range(20)))
    rows(home, "UPDATE memories SET accesses = 9 WHERE id = ?", facts[0])
    told = [one.id for one in hook_queries.standing(db, here, "", 12)]
    assert [id for id in told if id in persons] == [persons[2], persons[1]]
    assert [id for id in told if id not in persons] == facts[:-11:-1]


def test_a_briefing_begins_with_what_must_always_hold_then_what_proved_itself(home: Path, db: apsw.Connection) -> None:
    plain, good, bad = remembered(home, "one quay", "two quays", "three quays")
    (always,) = remembered(home, "no quay", invariant=True)
    (happened,) = remembered(home, "the quay was closed", type="episodic")
    (outside,) = remembered(home, "a page on quays", origin="document:a.html")
    for id, q in ((good, 0.9), (bad, 0.1)):
        rows(home, "UPDATE memories SET q = ? WHERE id = ?", q, id)
    told = [one.id for one in hook_queries.standing(db, Context("default", "shop"), "", 99)]
    assert told == [always, good, plain, bad] and happened not in told and outside not in told
    assert [one.id for one in hook_queries.standing(db, Context("default", "shop"), "", 2)] == [always, good]
    rows(home, "INSERT INTO shown VALUES ('s1', ?, 5)", always)
    assert [one.id for one in hook_queries.standing(db, Context("default", "shop"), "s1", 1)] == [good]


def test_words_that_may_be_worth_keeping_come_last_in_a_briefing(home: Path, db: apsw.Connection) -> None:
    (likely,) = remembered(home, "the quay opens at two", type="episodic", tags=["likely"])
    (happened,) = remembered(home, "the quay was closed", type="episodic")
    (fact,) = remembered(home, "the quay is made of oak")
    rows(home, "UPDATE memories SET confidence = 0.5 WHERE id = ?", fact)
    told = [one.id for one in hook_queries.standing(db, Context("default", "shop"), "", 99)]
    assert told == [fact, likely] and happened not in told


def test_of_what_proved_itself_equally_the_newest_comes_first(home: Path, db: apsw.Connection) -> None:
    older, newer = remembered(home, "the quay closes at five", "the quay closes at six")
    rows(home, "UPDATE memories SET confidence = 0.8 WHERE id = ?", newer)
    assert [one.id for one in hook_queries.standing(db, Context("default", "shop"), "", 99)] == [newer, older]


def test_what_is_old_and_good_is_briefed_when_it_was_chosen_before(home: Path, db: apsw.Connection) -> None:
    (old,) = remembered(home, "the first quay", invariant=True)
    remembered(home, *(f"quay {number}" for number in range(hook_queries.NEWEST)))
    here = Context("default", "shop")
    assert old not in [one.id for one in hook_queries.standing(db, here, "", 5)]
    with treering.open(home) as memory:
        assert memory.workspace.inbox is not None
        memory.workspace.inbox.brief("default", "shop", "two things wait")
    assert hook_queries.standing(db, here, "", 5)[0].id == old
    assert hook_queries.brief(db, here) == "two things wait" and hook_queries.brief(db, Context("work", "shop")) == ""
    with treering.open(home, actor="user") as memory:
        memory.forget(old)
    assert old not in [one.id for one in hook_queries.standing(db, here, "", 300)]


def test_words_are_counted_and_common_ones_about(home: Path, db: apsw.Connection) -> None:
    remembered(home, *(f"quay {'with ferries' if number % 2 else ''}" for number in range(1_000)))
    remembered(home, "a lighthouse")
    size = hook_queries.size(db)
    often, half, once, never = hook_queries.counts(db, ["quay", "ferries", "lighthouse", "volcano"], size)
    assert (once, never) == (1, 0) and 950 <= often <= 1_001 and 450 <= half <= 550


def test_only_so_many_are_found(home: Path, db: apsw.Connection) -> None:
    made = remembered(home, "the harbour and many other things that are here", "harbour staging")
    found = hook_queries.match(db, ["staging", "harbour"], Context("default", "shop"), 5)
    assert {one.id for one in found} == {*made}
    assert len(hook_queries.match(db, ["staging", "harbour"], Context("default", "shop"), 1)) == 1


def test_words_are_known_by_their_stems_as_the_index_knows_them(home: Path, db: apsw.Connection) -> None:
    remembered(home, "getUserName deploys", tags=["Ferries"], problem="it crashed")
    (memory,) = hook_queries.match(db, ["deploy"], Context("default", "shop"), 5)
    has = hook_queries.stems_of(db, memory)
    for word in ("user", "deploying", "ferry", "crashes", "getUserName"):
        assert has.issuperset(hook_queries.stems(db, word)), word
    assert not has.issuperset(hook_queries.stems(db, "volcano"))


@pytest.mark.parametrize("words", [["²"], ["x" * 40, "é"], ["世界"], ["near"], ["or", "and", "not"], ["ǅ"]])
def test_any_word_may_be_looked_for(words: list[str], home: Path, db: apsw.Connection) -> None:
    remembered(home, FACT)
    assert (
        hook_queries.match(db, words, Context("default", "shop"), 5)
        == []
        == [*filter(None, hook_queries.counts(db, words, 1))]
    )


def test_a_look_writes_nothing(home: Path) -> None:
    remembered(home, FACT)
    before = {path.name: path.read_bytes() for path in home.iterdir()}
    db = hook_queries.connect(str(home / "treering.db"))
    assert db is not None
    hook_queries.match(db, ["staging"], Context("default", "shop"), 5)
    hook_queries.standing(db, Context("default", "shop"), "", 5)
    db.close()
    assert (home / "treering.db").read_bytes() == before["treering.db"]


@pytest.mark.parametrize("pragma", [f"user_version = {schema.VERSION - 1}", "user_version = 99", "application_id = 7"])
def test_a_file_that_is_not_of_our_version_is_none(pragma: str, home: Path) -> None:
    rows(home, f"PRAGMA {pragma}")
    assert hook_queries.connect(str(home / "treering.db")) is None


def test_where_there_is_no_file_none_is_made(tmp_path: Path) -> None:
    assert hook_queries.connect(str(tmp_path / "treering.db")) is None and [*tmp_path.iterdir()] == []


def test_what_only_a_model_chose_stands_behind_what_is_sure(home: Path, db: apsw.Connection) -> None:
    """It may fill a briefing that has room, and pushes nothing out of one that has none."""
    (fact,) = remembered(home, "the quay is made of oak")
    (chosen,) = remembered(home, "the quay is wet", confidence=CHOSEN)
    assert [one.id for one in hook_queries.standing(db, Context("default", "shop"), "", 99)] == [fact, chosen]
