"""Skills at work: which session loaded one, what came of it, and which of the promoted ones have changed."""

from __future__ import annotations

from os.path import dirname
from typing import TYPE_CHECKING

from treering.ledger import decide
from treering.ledger.codec import data_of
from treering.ledger.errors import InvalidInput
from treering.ledger.events import LOADED, PROMOTED, SKILL_JUDGED
from treering.ledger.sessions import DAY
from treering.ledger.types import one_of
from treering.ledger.usage import OUTCOMES
from treering.skills import rules
from treering.skills.place import digest_all
from treering.stores.port.ledger import EventQuery

if TYPE_CHECKING:
    from treering.ledger.events import Event
    from treering.ledger.ledger import Ledger
    from treering.ledger.types import Context
    from treering.ledger.usage import Rewards
    from treering.skills.rules import Credit
    from treering.stores.port.ledger import Reader


def load(ledger: Ledger, name: str, context: Context, now: int) -> Event:
    """Note that a session, or a day outside of any, has loaded a skill: once."""

    def work() -> Event:
        known = _load(ledger.store, name, context, now)
        return known or ledger.commit(lambda: [rules.loaded(name, context)])[0]

    return ledger.store.write(work)


def judge(
    ledger: Ledger, name: str, verdict: str, rewards: Rewards, context: Context, now: int, note: str = ""
) -> Credit:
    """Record of what use a skill was that this session loaded. A later judgement replaces an earlier one."""
    store = ledger.store

    def work() -> Credit:
        known = _load(store, name, context, now) or _last(store, name, context.space)
        if known is None:
            raise InvalidInput(
                f"{name} was never loaded: `treering skills show {name}` does, and then it can be judged"
            )
        decided = rules.judged(name, verdict, rewards, context, known.id, note)
        said = _said(store, known.id)
        if [data_of(event)[1]["verdict"] for event in said] != [verdict]:
            if said:
                ledger.undo(lambda: decide.undo(said, store.left_out(), context, "judged otherwise"))
            ledger.commit(lambda: [decided])
        return credits(store, context.space)[name]

    return store.write(work)


def outcome(ledger: Ledger, session: str, outcome: str, rewards: Rewards, context: Context) -> int:
    """Return what a session led to falls back on the skills that it loaded, unless somebody has said more of one.

    How many there are.
    """
    one_of("outcome", outcome, OUTCOMES)
    store = ledger.store
    loaded = loads(store, context.space, session)
    for event, _ in loaded:
        _credit(ledger, event, outcome, rewards, context)
    return len(loaded)


def loads(store: Reader, space: str, session: str) -> list[tuple[Event, str]]:
    """Return when a session loaded a skill, and which."""
    query = EventQuery(kinds=(LOADED,), space=space, session=session, live=True)
    found = store.events(query) if session else ()
    return [(event, str(data_of(event)[1]["name"])) for event in found if event.payload is not None]


def _credit(ledger: Ledger, load: Event, outcome: str, rewards: Rewards, context: Context) -> None:
    said = _said(ledger.store, load.id)
    verdicts = {event: str(data_of(event)[1]["verdict"]) for event in said}
    others = [event for event in said if verdicts[event] in OUTCOMES and verdicts[event] != outcome]
    if others:
        ledger.undo(lambda: decide.undo(others, ledger.store.left_out(), context, "it turned out otherwise"))
    if len(others) == len(said):
        decided = rules.judged(data_of(load)[1]["name"], outcome, rewards, context, load.id)
        ledger.commit(lambda: [decided])


def credits(store: Reader, space: str) -> dict[str, Credit]:
    """Return how each skill that was ever loaded has fared."""
    return rules.credits(store.events(EventQuery(kinds=(LOADED, SKILL_JUDGED), space=space, live=True)))


def promoted(store: Reader, space: str) -> dict[str, str]:
    """Return the files of promoted skills, and what became of each since: edited, deleted, or nothing."""
    found: dict[str, str] = {}
    for event in store.events(EventQuery(kinds=(PROMOTED,), space=space, live=True)):
        if event.payload is None:
            continue
        data = data_of(event)[1]
        now = digest_all(dirname(data["path"]))
        if now == data["digest"]:
            found[data["path"]] = ""
        elif event.writer == store.writer:
            found[data["path"]] = "edited since it was promoted" if now else "deleted since it was promoted"
        else:  # another machine's file of that name: nothing is known of this one
            found.pop(data["path"], None)
    return found


def changed(store: Reader, space: str) -> dict[str, str]:
    """Return the promoted skills that no longer say what they said then, and what became of each."""
    return {path: why for path, why in promoted(store, space).items() if why}


def _load(store: Reader, name: str, context: Context, now: int) -> Event | None:
    """Return when this session, or this day outside of any, loaded a skill."""
    query = EventQuery(kinds=(LOADED,), space=context.space, session=context.session, naming=name, live=True)
    for event in store.events(query):
        same = event.session == context.session and (event.session or event.time // DAY == now // DAY)
        if same and data_of(event)[1]["name"] == name:
            return event
    return None


def _last(store: Reader, name: str, space: str) -> Event | None:
    query = EventQuery(kinds=(LOADED,), space=space, naming=name, live=True, newest=True)
    return next((event for event in store.events(query) if data_of(event)[1]["name"] == name), None)


def _said(store: Reader, load: str) -> list[Event]:
    """Return what was said of a skill as it was loaded then."""
    return [*store.events(EventQuery(ids=tuple(store.effects({load})), kinds=(SKILL_JUDGED,), live=True))]
