"""What must hold after every step of a life."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import NamedTuple

import apsw

from tests.simulator.ledger import Proof
from tests.simulator.promises import Promises, Statement, rest_of, rests_in, words_in
from treering.capture.likely import EXPIRED
from treering.ledger.config import Config
from treering.ledger.errors import StoreBusy
from treering.ledger.events import MERGED, PURGED, REMEMBERED, SUMMARISED, Event
from treering.ledger.sessions import DAY
from treering.ledger.types import RECALLABLE, TRUSTS, Context, Memory
from treering.ledger.verify import verify
from treering.stores.files import FILE_NAME, QUEUED, SPOOL
from treering.stores.sqlite.store import SqliteStore


class Shown(NamedTuple):
    """Words that somebody was shown, and where they stood."""

    words: frozenset[str]
    here: Context


class Snapshot(NamedTuple):
    """All that a store holds at one moment."""

    events: list[Event]
    memories: dict[str, Memory]
    queued: set[str]  # words of events that wait in the queue
    purged: set[str]  # memories


class Invariants:
    """Check a store against what it has promised."""

    def __init__(self, home: str, promises: Promises) -> None:
        self.home = home
        self.promises = promises
        self._proof = Proof()

    def broken(self, shown: Iterable[Shown], done: set[str], whole: bool) -> list[str]:
        """Return what is wrong. `done` are the ids of acknowledged purges. As a `whole` the pages and indexes are
        checked too, for which nobody may be writing."""
        path, promises = os.path.join(self.home, FILE_NAME), self.promises
        if not _is_made(path):
            left = {*promises.acknowledged} - _spooled(self.home)
            return [f"lost: {word} was acknowledged, and there is no store" for word in sorted(left)]
        store = SqliteStore(path)
        store.connections.get().config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        try:
            problems = [*verify(store).problems] if whole else [*store.missing()]
            seen = store.view(lambda: self._look(store, problems))
        finally:
            store.close()
        _learn(promises, seen, done)
        for found in (_lost, _unasked, _risen, _came_back):
            problems += found(promises, seen)
        problems += [problem for one in shown for problem in _over_walls(promises, seen, one)]
        return problems + _left(self.home, promises)

    def _look(self, store: SqliteStore, problems: list[str]) -> Snapshot:
        seen = _snapshot(store, self.home)
        problems += self._proof.problems(store, seen.events, seen.memories)
        return seen


def _is_made(path: str) -> bool:
    """Tell whether there is a store by now. Raise StoreBusy if nobody can look at it just now."""
    if not os.path.exists(path):
        return False
    db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        return bool(db.pragma("user_version"))
    except apsw.BusyError as error:
        raise StoreBusy(str(error)) from error
    finally:
        db.close()


def _snapshot(store: SqliteStore, home: str) -> Snapshot:
    events = [*store.events()]
    rows = store.connections.rows("SELECT body FROM inbox WHERE taken = 0")
    queued = words_in(" ".join(body for (body,) in rows)) | _spooled(home)
    purged = {event.subject for event in events if event.kind == PURGED}
    return Snapshot(events, {memory.id: memory for memory in store.records()}, queued, purged)


def _spooled(home: str) -> set[str]:
    """Return the words of whole events in the folder beside the store."""
    found = set[str]()
    folder = os.path.join(home, SPOOL)
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        if name.endswith(QUEUED):
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                text = file.read()
            try:
                json.loads(text)
            except ValueError:
                continue  # a torn one is worth nothing
            found |= words_in(text)
    return found


def _learn(promises: Promises, seen: Snapshot, done: set[str]) -> None:
    """Note which memories hold which words, and which words have to be gone."""
    promises.learn(seen.events)
    gone = seen.purged & done
    for word, holders in promises.memories.items():
        # An episode that quotes a purged text goes with it; one that a purged summary was made of does not.
        named = holders - ({*promises.episodes} - promises.sources)
        if word not in promises.told_again and (named or holders) <= gone:
            promises.purged.add(word)


def _lost(promises: Promises, seen: Snapshot) -> list[str]:
    """Every acknowledged statement is in the ledger or the queue, or was purged."""
    told = words_in(" ".join(event.payload for event in seen.events if event.kind == REMEMBERED and event.payload))
    problems = []
    for word, one in promises.acknowledged.items():
        waits = one.queued and word in seen.queued
        holders = promises.memories.get(word, set())
        if word not in told and not waits and not (holders and holders <= seen.purged):
            problems.append(f"lost: {word} was acknowledged ({_who(one)}), and is neither there nor purged")
    return problems


def _unasked(promises: Promises, seen: Snapshot) -> list[str]:
    """Only what was named is purged, with what says the same: its twins, what was made of it, and what quotes it."""
    along = promises.quoting() | {event.subject for event in seen.events if event.kind in (MERGED, SUMMARISED)}
    along |= {event.id for event in seen.events if seen.purged.intersection(event.causes)}
    wrong = seen.purged - promises.asked - along - _expired(promises, seen)
    return [f"purged, and nobody asked for it: {id}" for id in sorted(wrong)]


def _expired(promises: Promises, seen: Snapshot) -> set[str]:
    """Return the memories that were kept for a time only, and whose time was over when they were purged. One that had
    waited in the queue for so long may come and go between two looks."""
    ends = (event for event in seen.events if event.kind == PURGED and event.payload and EXPIRED in event.payload)
    return {
        event.subject for event in ends if event.time - promises.made.get(event.subject, 0) > Config().likely_days * DAY
    }


def _risen(promises: Promises, seen: Snapshot) -> list[str]:
    """No text is trusted more than whoever said it."""
    problems = []
    for memory in seen.memories.values():
        if words := words_in(memory.content):
            most = promises.trust_of(words)
            if TRUSTS.index(memory.trust) < TRUSTS.index(most):
                problems.append(f"trust rose: {memory.id} ({sorted(words)}) is {memory.trust}, and was {most}")
    return problems


def _came_back(promises: Promises, seen: Snapshot) -> list[str]:
    """What was captured and taken back by name is not captured again; the story of its session may quote it."""
    live = (one for one in seen.memories.values() if one.status in RECALLABLE and one.type != "episodic")
    return [
        f"taken back, and there again: {memory.id} {sorted(words)}"
        for memory in live
        if (words := words_in(memory.content) & promises.taken_back)
    ]


def _over_walls(promises: Promises, seen: Snapshot, shown: Shown) -> list[str]:
    """Nobody is shown what stands behind a wall of scope."""
    problems = []
    for word in shown.words & {*promises.said}:
        holders = [seen.memories[id] for id in promises.memories.get(word, ()) if id in seen.memories]
        if promises.said[word].here.space != shown.here.space or (
            holders and not any(_visible(memory, shown.here) for memory in holders)
        ):
            where = [(one.id, one.space, one.scope, one.project, one.session) for one in holders]
            problems.append(f"over a wall: {word} ({_who(promises.said[word])}) was shown in {shown.here}: {where}")
    return problems


def _visible(memory: Memory, here: Context) -> bool:
    if memory.scope == "user":
        return memory.space == here.space
    near = memory.project in ("", here.project) if memory.scope == "session" else memory.project == here.project
    return memory.space == here.space and near and (memory.scope != "session" or memory.session == here.session)


def _left(home: str, promises: Promises) -> list[str]:
    """Nothing that was purged stands in any byte of any file."""
    if not promises.purged:
        return []
    wanted = {rest_of(word): word for word in promises.purged}
    problems = []
    for folder, _, names in os.walk(home):
        for name in sorted(names):
            with open(os.path.join(folder, name), "rb") as file:
                found = rests_in(file.read()) & {*wanted}
            problems += [f"purged, and still in {name}: {wanted[rest]}" for rest in sorted(found)]
    return problems


def _who(one: Statement) -> str:
    how = "queued by a hook" if one.queued else f"imported from {os.path.basename(one.path)}" if one.path else "told"
    return f"{how}, {one.trust}, {one.here.space}/{one.here.project or '-'}/{one.here.session or '-'}"
