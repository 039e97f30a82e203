"""Gather a person's verdicts on what was captured, and learn from them what they find worth keeping.

Taken back or forgotten: it was not worth keeping. Edited, confirmed, chosen in a contradiction, used for an accepted
proposal, or needed again: it was. Only a person's acts count, not those of an agent or of a program. What came after
the last verdict changes nothing until the next one, so that what was learned depends on the events alone, and a
rebuild or a look into the past gives the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from treering.capture.likely import KEPT_FOR_GOOD
from treering.capture.turns import CORRECTION, DECISION, PREFERENCE, TOLD
from treering.judge.learned import Example, Learned, learn, unpacked
from treering.ledger.codec import data_of
from treering.ledger.events import (
    ACCEPTED,
    CAPTURED,
    FORGOTTEN,
    PROPOSED,
    PURGED,
    RAISED,
    SETTLED,
    SUPERSEDED,
    UNDOINGS,
    UNDONE,
    VERIFIED,
    Event,
)
from treering.ledger.types import LIKELY
from treering.ledger.workspace import Workspace
from treering.stores.port.ledger import EventQuery, Reader, Store

TAKEN_BACK = "taken back in the session"  # the reason of an undoing that is no verdict: it was only said too early
MOST = 600  # captured sentences that are looked at, the newest ones
JUDGED = frozenset((TOLD, CORRECTION, PREFERENCE, DECISION, LIKELY))
KINDS = (*UNDOINGS, FORGOTTEN, PURGED, SUPERSEDED, VERIFIED, SETTLED, ACCEPTED)
_PERSON = "user"  # the actor of what a person does


def learned(at: Workspace) -> Learned:
    """Return what was learned from the person whose store this is. It is kept beside the records."""
    if not at.config.learn_from_me:
        return Learned()
    store = at.store
    last = next(store.events(EventQuery(kinds=KINDS, space=at.space, newest=True, limit=1)), None)
    if last is None:
        return Learned()
    others = {writer: head.seq for writer, head in sorted(store.heads().items()) if writer != store.writer}
    as_of = json.dumps([last.id, others])
    if not at.writable:
        return learn(examples(store, at.space, last))
    ours: Store = at.ledger.store
    held = json.loads(ours.learned(at.space) or "[null]")
    if held[0] == as_of:
        return unpacked(held[1:])
    found = learn(examples(store, at.space, last))
    ours.write(lambda: ours.keep_learned(at.space, json.dumps([as_of, *found.packed()])))
    return found


def examples(store: Reader, space: str, last: Event) -> list[Example]:
    """Return what was captured up to the last verdict, oldest first, with what a person thought of it."""
    caught = store.events(EventQuery(kinds=(CAPTURED,), space=space, newest=True))
    before = [event for event in caught if event.order < last.order and _is_judged(event)][:MOST][::-1]
    said = {event.id: event for event in store.events(EventQuery(ids=tuple(event.subject for event in before)))}
    wanted = _wanted(store, space)
    out, undone = store.left_out(), _undone(store, space)
    found = []
    for event in before:
        made = said.get(event.subject)
        if made is None or made.payload is None or (made.id in out and made.id not in undone):
            continue
        told = data_of(made)[1]
        worth = data_of(event)[1].get("worth") or told.get("confidence", 0.5)
        kept = False if made.id in out else wanted.get(made.id)
        found.append(Example(told["content"], worth, kept))
    return found


def _is_judged(event: Event) -> bool:
    return event.payload is not None and data_of(event)[1].get("kind") in JUDGED


def _acted(event: Event) -> str:
    return event.actor.partition(":")[0]  # behind it stands who of a team


def _undone(store: Reader, space: str) -> set[str]:
    """Return the events that a person took back, but for what was said too early."""
    events = store.events(EventQuery(kinds=(UNDONE,), space=space))
    told = (data_of(event)[1] for event in events if _acted(event) == _PERSON and event.payload is not None)
    return {id for data in told if data.get("reason") != TAKEN_BACK for id in data["events"]}


def _wanted(store: Reader, space: str) -> dict[str, bool]:
    """Return the memories that a person kept by their word, or forgot; the last word counts."""
    found: dict[str, bool] = {}
    query = EventQuery(kinds=(FORGOTTEN, SUPERSEDED, VERIFIED, SETTLED, ACCEPTED), space=space, live=True)
    for event in store.events(query):
        if event.payload is None:
            continue
        data = data_of(event)[1]
        if event.kind == FORGOTTEN and data.get("reason") == KEPT_FOR_GOOD:
            found[event.subject] = True
        elif _acted(event) != _PERSON:
            continue
        elif event.kind == FORGOTTEN:
            if event.causes == (event.subject,):  # and not because it holds no more
                found[event.subject] = False
        elif event.kind in (VERIFIED, SUPERSEDED):
            found[event.subject] = True
        else:
            found.update(dict.fromkeys(_rested_on(store, event, data.get("keep", "")), True))
    return found


def _rested_on(store: Reader, event: Event, keep: str) -> Iterable[str]:
    """Return the memories that a proposal was made of, or those of a contradiction that hold."""
    for cause in store.events(EventQuery(ids=event.causes)):
        if cause.kind == PROPOSED:
            yield from cause.causes
        elif cause.kind == RAISED and cause.payload is not None:
            data = data_of(cause)[1]
            yield from (data[side] for side in ("older", "newer") if keep in (side, "both"))
