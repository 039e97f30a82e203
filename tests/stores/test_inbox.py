"""The inbox: queued events in the order in which they were heard, taken by one, and nothing that grows for ever."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import treering
from tests.surfaces.hook.driving import rows
from treering.stores.files import SPOOL
from treering.stores.port.queue import QueuedEvent
from treering.stores.sqlite.queue import SqliteInbox
from treering.stores.sqlite.store import SqliteStore

NOON = 1_767_268_800_000_000
MINUTE = 60_000_000
BODY = '{"a": 1}'
PROMPT = "UserPromptSubmit"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    path = tmp_path / "home"
    treering.open(path).close()
    return path


@pytest.fixture
def inbox(home: Path) -> Iterator[SqliteInbox]:
    store = SqliteStore(str(home / "treering.db"))
    yield SqliteInbox(store.connections, str(home))
    store.close()


def put(home: Path, key: str, time: int = NOON, session: str = "s1", body: str = BODY, event: str = "Stop") -> None:
    sql = "INSERT INTO inbox (key, space, session, event, time, body, taken, made) VALUES (?, ?, ?, ?, ?, ?, 0, '')"
    rows(home, sql, key, "default", session, event, time, body)


def spool(home: Path, key: str, time: int = NOON, **more: Any) -> Path:
    (home / SPOOL).mkdir(exist_ok=True)
    path = home / SPOOL / f"{time}-{key}.json"
    path.write_text(json.dumps([key, "default", more.get("session", "s1"), "Stop", time, more.get("body", "{}")]))
    return path


def keys(found: list[QueuedEvent]) -> list[str]:
    return [queued.key for queued in found]


def test_an_empty_one_has_nothing_waiting(inbox: SqliteInbox) -> None:
    assert not inbox.waiting() and inbox.unread(10) == [] == inbox.of("s1")
    assert inbox.sessions() == []


def test_queued_events_come_in_the_order_in_which_they_were_heard(inbox: SqliteInbox, home: Path) -> None:
    """Those that had to wait in the folder are no younger for it."""
    put(home, "second", NOON + 2)
    put(home, "fourth", NOON + 4)
    spool(home, "first", NOON + 1)
    spool(home, "third", NOON + 3)
    assert inbox.waiting()
    assert keys(inbox.unread(10)) == ["first", "second", "third", "fourth"] == keys(inbox.of("s1"))
    assert [*(home / SPOOL).iterdir()] == []


def test_only_so_many_are_read_at_a_time(inbox: SqliteInbox, home: Path) -> None:
    for number in range(5):
        put(home, str(number), NOON + number)
    assert keys(inbox.unread(3)) == ["0", "1", "2"]


def test_a_queued_event_is_claimed_once(inbox: SqliteInbox, home: Path) -> None:
    put(home, "a")
    (queued,) = inbox.unread(1)
    assert inbox.claim(queued, NOON + 5) and not inbox.claim(queued, NOON + 6)
    assert not inbox.waiting() and [one.taken for one in inbox.of("s1")] == [NOON + 5]


def test_what_it_became_is_kept(inbox: SqliteInbox, home: Path) -> None:
    put(home, "a")
    (queued,) = inbox.unread(1)
    inbox.update(queued._replace(made="k7-1", body='{"b": 2}'))
    assert [(one.made, one.body) for one in inbox.of("s1")] == [("k7-1", '{"b": 2}')]


def test_a_queued_event_in_the_folder_that_is_known_is_dropped(inbox: SqliteInbox, home: Path) -> None:
    put(home, "a")
    path = spool(home, "a", body='{"other": 1}')
    assert [one.body for one in inbox.unread(5)] == ['{"a": 1}'] and not path.exists()


def test_sessions_are_those_with_something_to_read(inbox: SqliteInbox, home: Path) -> None:
    put(home, "a", NOON + 9, "late")
    put(home, "b", NOON + 1, "early")
    put(home, "c", NOON + 2, "early")
    put(home, "d", NOON, "empty", body="")
    assert inbox.sessions() == [("default", "early", NOON + 2), ("default", "late", NOON + 9)]
    for queued in inbox.of("early"):
        inbox.update(queued._replace(body=""))
    assert [session for _, session, _ in inbox.sessions()] == ["late"]
    assert keys(inbox.of("early")) == ["b", "c"]


def test_a_session_is_closed_by_its_own_name_or_by_a_purge_of_old(inbox: SqliteInbox, home: Path) -> None:
    inbox.close("s1", NOON + 5)
    assert (inbox.closed("s1"), inbox.closed("s2")) == (NOON + 5, 0)
    rows(home, "INSERT INTO meta VALUES ('purged', ?)", NOON + 7)
    assert (inbox.closed("s1"), inbox.closed("s2")) == (NOON + 7, NOON + 7)


def test_a_transaction_that_is_rolled_back_loses_no_file(inbox: SqliteInbox, home: Path) -> None:
    path = spool(home, "a")

    def work() -> None:
        assert keys(inbox.unread(5)) == ["a"] and path.exists()
        raise ValueError

    with pytest.raises(ValueError):
        inbox._db.transaction(work)
    assert keys(inbox.unread(5)) == ["a"] and not path.exists()


def test_old_queued_events_are_forgotten_and_a_purge_is_not(inbox: SqliteInbox, home: Path) -> None:
    for key, time in (("old", NOON), ("new", NOON + MINUTE)):
        put(home, key, time, key)
        rows(home, "INSERT INTO shown VALUES (?, 'k7-1', ?)", key, time)
    inbox.close("old", NOON + 3)
    inbox.read_up_to("old", 77)
    inbox.read_up_to("new", 88)
    for queued in inbox.unread(9):
        inbox.claim(queued, NOON + 2)
        inbox.update(queued._replace(body=""))
    inbox.sweep(NOON + 5)
    assert rows(home, "SELECT key FROM inbox") == [("new",)]
    assert rows(home, "SELECT session FROM shown") == [("new",)]
    assert (inbox.offset("old"), inbox.offset("new"), inbox.closed("old")) == (0, 88, NOON + 3)


def test_a_turn_is_the_last_prompt_and_what_followed_it(inbox: SqliteInbox, home: Path) -> None:
    told = [("p1", PROMPT), ("s1", "Stop"), ("p2", PROMPT), ("t2", "PostToolUse"), ("s2", "Stop")]
    for number, (key, event) in enumerate(told):
        put(home, key, NOON + number, event=event)
    put(home, "other", NOON + 2, "s2", event=PROMPT)
    put(home, "p3", NOON + 9, event=PROMPT)
    last = next(queued for queued in inbox.of("s1") if queued.key == "p3")
    assert keys(inbox.turn(last)) == ["p2", "t2", "s2"]
    first = next(queued for queued in inbox.of("s1") if queued.key == "p1")
    assert inbox.turn(first) == []


def test_what_a_session_was_shown_comes_with_a_queued_event_that_waited(inbox: SqliteInbox, home: Path) -> None:
    spool(home, "a", body='{"shown": [["k7-1", 5000], ["k7-2", 1]]}')
    inbox.unread(1)
    assert rows(home, "SELECT session, memory, time FROM shown") == [("s1", "k7-1", NOON), ("s1", "k7-2", NOON)]


def test_what_nobody_has_taken_in_is_never_swept_away(inbox: SqliteInbox, home: Path) -> None:
    put(home, "unread")
    put(home, "told", body='{"a": 1}')
    inbox.claim(inbox.of("s1")[1], NOON)
    inbox.sweep(NOON + MINUTE)
    assert keys(inbox.of("s1")) == ["unread", "told"]
