"""Keep memories true: supersede, raise and resolve contradictions, confirm invariants.

What the user says anew and surely replaces a memory supersedes it. Whatever else cannot both hold is raised as a
contradiction, and stays open until a person resolves it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from treering.ledger import decide
from treering.ledger.ageing import DAY
from treering.ledger.codec import data_of
from treering.ledger.errors import InvalidInput, NotFound
from treering.ledger.events import RAISED, REMEMBERED, SETTLED, SUPERSEDED, UNDONE, Draft, Event
from treering.ledger.ledger import Ledger
from treering.ledger.types import (
    DRAFT,
    LIKELY,
    RECALLABLE,
    SUMMARY,
    Context,
    Filter,
    Memory,
    one_of,
    origin_named,
    person_in,
    standpoint,
)
from treering.recall.ranking import standing
from treering.stores.port.ledger import EventQuery, Reader, Store, record_of
from treering.truth.compare import CHANGE, Conflict, between, likest, terms, why

SERIES = 3  # memories that differ from one in a single value: so many are a list ("the oak of 2001"), not a dispute
LOOKED_AT = 8  # memories that are compared with a new one: what contradicts it shares its subject, so it is there
LAST = 200  # memories, the newest, that are looked at whether or not they share a word
MEANT = 2  # memories that a statement may replace: those most about the same. Of 72 changes, 59 changed one of the two
ONE_FACT = 0.8  # likeness from which on two memories may be of one fact
PORTION = 100  # memories looked at in one transaction: others wait a fraction of a second
REPLACED = "the user said otherwise since"  # why a memory was superseded unasked
DISPUTED = "choice"  # the kind of a contradiction that somebody raised without saying where the two differ
PATIENCE = 300  # events that are looked at while somebody waits: one takes up to 25 ms. Maintenance does the rest
LONGEST_HEADINGS = 160  # characters before a fact: what is longer is the fact itself
CHOICES = ("A", "B", "both", "supersede")  # A is the older one, B the newer
_KEPT = {"A": "older", "B": "newer", "both": "both", "supersede": "newer"}


class Contradiction(NamedTuple):
    """Two memories that cannot both hold."""

    id: str  # of the event that raised it
    kind: str  # negation, number, version, date, choice or name; change if the older may be out of date
    older: Memory
    newer: Memory
    spans: tuple[int, ...]  # of the two values in their texts
    raised: int
    keep: str = ""  # what was decided: older, newer or both; nothing while it stands

    @property
    def is_asked(self) -> bool:
        """True if a person should decide. Of what is only likely to be out of date nobody is asked."""
        return self.kind != CHANGE

    @property
    def why(self) -> str:
        """The two statements side by side; empty where a text was purged."""
        one, other = self.older.content, self.newer.content
        if not one or not other:
            return ""
        start, end, begin, stop = self.spans
        return why(self.kind, one[start:end], other[begin:stop])


def supersede(
    ledger: Ledger, old: Memory, new: Memory, context: Context, reason: str = "", cause: str = ""
) -> list[Event]:
    """Let a memory take the place of another."""
    return replace(ledger, old, new, context, lambda: decide.supersede(old, new, context, reason, cause))


def dispute(ledger: Ledger, old: Memory, new: Memory, context: Context) -> None:
    """Raise a contradiction between two memories, unless one stands."""
    known = (one for one in contradictions(ledger.store, old.space, about=old.id))
    if not any(new.id in (one.older.id, one.newer.id) for one in known):
        spans = (0, len(old.content), 0, len(new.content))
        ledger.commit(lambda: [decide.raise_contradiction(old, new, DISPUTED, spans, context)])


def replace(ledger: Ledger, old: Memory, new: Memory, context: Context, decided: Callable[[], Draft]) -> list[Event]:
    """Commit a decided superseding to both memories in one transaction."""

    def work() -> list[Event]:
        (done,) = ledger.commit(lambda: [decided()])
        return [done, *ledger.commit(lambda: [decide.succeed(new, old.id, done.id, context)])]

    return ledger.store.write(work)


class Found(NamedTuple):
    """Two memories that cannot both hold, as they were compared."""

    older: Memory
    newer: Memory
    conflict: Conflict
    place: int = 0  # of the other one among what is about the same, the nearest first

    def is_replaced(self, told: bool) -> bool:
        """Tell whether the newer one surely replaces the older, and may: a person's word, for all who see the older.
        Of what was `told` to be remembered less is about something else than of what was said in passing."""
        sure = self.conflict.is_told if told else self.conflict.is_sure
        return sure and self.may_replace and decide.as_wide(self.newer, self.older)

    @property
    def may_replace(self) -> bool:
        """True if it is a person's word, about what words can change."""
        return self.newer.trust == "user" and not self.older.invariant and self.older.type != "procedural"


def found_by(store: Reader, memory: Memory, context: Context) -> list[Found]:
    """Return what cannot hold beside a memory, of those that are about the same.

    A statement replaces one fact: of the two older memories that are most about the same, the likeliest to clash stays,
    and what says the same as that one. One more of a list replaces nothing of it.
    """
    found = [*_compared(store, memory, context)]
    if sum(one.conflict.is_alike for one in found) >= SERIES:
        found = [one for one in found if not one.conflict.is_alike]
    clear = [one for one in found if not one.conflict.is_doubt]
    older = [one for one in clear if one.newer.id == memory.id and not one.conflict.is_framed]
    meant = max((one for one in older if one.place < MEANT), key=lambda one: one.conflict.replaces, default=None)
    kept = [one for one in clear if one not in older or (meant is not None and _is_meant(one, meant))]
    return kept + _doubts(found, memory)


def _doubts(found: Sequence[Found], memory: Memory) -> list[Found]:
    """Return the memories that a person's statement puts out of date most likely, if none too surely to be in doubt."""
    doubts = [one for one in found if one.conflict.is_doubt and one.newer.id == memory.id and one.may_replace]
    return sorted((one for one in doubts if one.place < MEANT), key=lambda one: -one.conflict.replaces)


def _is_meant(one: Found, meant: Found) -> bool:
    """Tell whether a memory is the one that a statement is about, or says the same."""
    from treering.judge.pairs import likeness  # loads the word vectors

    return one is meant or likeness(one.older.content, meant.older.content) >= ONE_FACT


def _compared(store: Reader, memory: Memory, context: Context) -> Iterator[Found]:
    if not is_claim(memory) or memory.status not in RECALLABLE:
        return
    seen_from = Context(memory.space, memory.project, memory.session, context.actor)
    others = (other for other in near(store, memory.content, seen_from, stored=True) if other.id != memory.id)
    for place, other in enumerate(others):
        if _of_one_document(memory, other) or _is_summary(store, memory, other) or _is_summary(store, other, memory):
            continue
        older, newer = (other, memory) if other.created <= memory.created else (memory, other)
        if conflict := _conflict(older, newer):
            yield Found(older, newer, conflict, place)


def near(store: Reader, text: str, context: Context, stored: bool = False) -> list[Memory]:
    """Return the memories that state what a text is about, as seen from somewhere, the nearest first: of those that
    share rare words with it, and of the last ones. The text may be of a memory that is stored."""
    where = Filter(context.space, statuses=RECALLABLE, visible_to=context)
    found = (*store.index.sharing(terms(text), where, LOOKED_AT, stored), *islice(store.records(where), LAST))
    known = [*{other.id: other for other in found if is_claim(other)}.values()]
    return [known[at] for at in likest(text, [other.content for other in known])[: LOOKED_AT + stored]]


def is_claim(memory: Memory) -> bool:
    """Tell whether a memory states something: an episode tells what was, and so does a draft that sums up episodes.
    Working memory is gone soon."""
    told = memory.type != "episodic" or LIKELY in memory.tags
    return told and memory.type != "working" and DRAFT not in memory.tags


def outdated(store: Reader, text: str, context: Context) -> list[Memory]:
    """Return the memories that a person's statement is likely to replace, the likeliest first."""
    found = [(between(other.content, text, doubts=True), other) for other in near(store, text, context)[:MEANT]]
    known = [(one.replaces, at, other) for at, (one, other) in enumerate(found) if one is not None]
    return [other for _, _, other in sorted(known, key=lambda one: (-one[0], one[1]))]


def replaced(store: Reader, text: str, context: Context, told: bool = False) -> Memory | None:
    """Return the memory that a person's statement surely replaces, if there is one."""
    found = ((between(other.content, text), other) for other in near(store, text, context)[:MEANT])
    known = [(one, other) for one, other in found if one is not None and (one.is_told if told else one.is_sure)]
    sure = [(one.replaces, other.created, other) for one, other in known]
    best = max(sure, key=lambda one: one[:2], default=None)
    return best[2] if best and not best[2].invariant and best[2].type != "procedural" else None


def _is_summary(store: Reader, one: Memory, other: Memory) -> bool:
    """Tell whether one memory is a summary of the other."""
    return SUMMARY in one.tags and one.id in store.effects({other.id})


def _conflict(older: Memory, newer: Memory) -> Conflict | None:
    """Return what two memories disagree on. A fact from a document is compared with people's words
    without its headings; between two documents the headings tell the subjects apart."""
    from_documents = [one.origin.startswith("document:") for one in (older, newer)]
    found = between(older.content, newer.content, doubts=True)
    if found or all(from_documents) or not any(from_documents):
        return found
    ours, theirs = (_body_at(one.content) if it else 0 for one, it in zip((older, newer), from_documents, strict=True))
    found = between(older.content[ours:], newer.content[theirs:]) if ours or theirs else None
    if found is None:
        return None
    (start, end), (begin, stop) = found.ours, found.theirs
    return found._replace(ours=(start + ours, end + ours), theirs=(begin + theirs, stop + theirs))


def _body_at(text: str) -> int:
    """Return where a fact begins behind the headings that a harvest puts before it."""
    return text.find(": ") + 2 if 0 < text.find(": ") <= LONGEST_HEADINGS else 0


def _of_one_document(memory: Memory, other: Memory) -> bool:
    """Tell whether both are from one document, whose facts are meant together and look alike."""
    one, another = origin_named(memory.origin), origin_named(other.origin)
    return one.kind == "document" and (one.kind, one.ref) == (another.kind, another.ref)


def look(ledger: Ledger, ids: Collection[str], context: Context, told: bool = False) -> list[Event]:
    """Supersede what some memories surely replace, raise their other contradictions, and return those for a person.

    Nothing is decided twice: a pair that was raised or superseded before is left alone, even if that was undone.
    """
    memories = ledger.store.several(ids).values()
    found = [one for memory in memories for one in found_by(ledger.store, memory, context)]
    if not found:
        return []
    before = ledger.store.events(EventQuery(kinds=(RAISED, SUPERSEDED)))
    known = {frozenset(event.causes[:2]) for event in before}
    fresh = {frozenset((one.older.id, one.newer.id)): one for one in found}
    rest = [one for pair, one in fresh.items() if pair not in known and not _replace_surely(ledger, one, context, told)]
    raised = ledger.commit(lambda: [_raised(one, context) for one in rest])
    return [event for event, one in zip(raised, rest, strict=True) if not one.conflict.is_doubt]


def _replace_surely(ledger: Ledger, one: Found, context: Context, told: bool) -> bool:
    """Supersede the older of two memories if the newer surely replaces it. Tell whether it no longer stands.

    What was told on another machine replaced there what it could; what it finds here only now, a person decides.
    """
    older = record_of(ledger.store, one.older.id)
    if older is None or older.status not in RECALLABLE:
        return True
    if not one.is_replaced(told) or not one.newer.id.startswith(f"{ledger.store.writer}-"):
        return False
    there = _beside(one.newer, context)
    supersede(ledger, older, one.newer, there, REPLACED)
    return True


def _beside(memory: Memory, context: Context) -> Context:
    """Return where a memory lies, for the same person."""
    stand = standpoint(memory.space, person_in(context.space))
    return Context(stand, memory.project, memory.session, context.actor)


def _raised(one: Found, context: Context) -> Draft:
    there = _beside(one.newer, context)
    spans = (*one.conflict.ours, *one.conflict.theirs)
    return decide.raise_contradiction(one.older, one.newer, one.conflict.kind, spans, there)


def pending(store: Store) -> list[tuple[str, int, int]]:
    """Return what was not compared yet: writers, and the first and last numbers of their events."""
    done = store.looked()
    spans = ((writer, done.get(writer, 0) + 1, head.seq) for writer, head in store.heads().items())
    return [span for span in spans if span[1] <= span[2]]


def catch_up(
    ledger: Ledger,
    context: Context,
    progress: Callable[[int], None] = lambda done: None,
    going: Callable[[], bool] = lambda: True,
) -> list[str]:
    """Compare every memory that was written since the last time, and return the contradictions
    raised.

    It works in portions, between which others may write, while `going` says so. Writing itself does
    not compare: that would take several times as long.
    """
    raised: list[str] = []
    done = 0
    for writer, first, last in pending(ledger.store):
        for start in range(first, last + 1, PORTION):
            if not going():
                return raised
            end = min(start + PORTION - 1, last)
            raised += ledger.store.write(partial(_look_on, ledger, writer, start, end, context))
            done += end - start + 1
            progress(done)
    return raised


def _look_on(ledger: Ledger, writer: str, start: int, end: int, context: Context) -> list[str]:
    ids = tuple(f"{writer}-{number}" for number in range(start, end + 1))
    events = look(ledger, _memories_of(ledger.store, ids), context)
    ledger.store.look_on(writer, end)
    return [event.id for event in events]


def _memories_of(store: Reader, ids: tuple[str, ...]) -> list[str]:
    """Return the memories that events made or restored."""
    about: dict[str, None] = {}
    events = [*store.events(EventQuery(ids=ids, kinds=(REMEMBERED, UNDONE)))]
    seen: set[str] = set()  # what was imported may go in circles
    while events:
        about.update(dict.fromkeys(event.subject for event in events if event.subject))
        seen.update(event.id for event in events)
        undone = {id for event in events if event.kind == UNDONE for id in data_of(event)[1]["events"]}
        events = [*store.events(EventQuery(ids=tuple(undone - seen)))]
    return [*about]


def contradictions(store: Reader, space: str, all: bool = False, about: str = "") -> list[Contradiction]:
    """Return the open contradictions, oldest first, and then what may be out of date; with `all`, the others too.

    Two machines may have raised the same pair before they synced: it is returned once, under its
    first id.
    """
    query = EventQuery(kinds=(RAISED, SETTLED), space=space, live=True)
    if about:
        raised = store.effects({about})
        query = query._replace(ids=tuple(raised | store.effects(raised)))
    found: dict[frozenset[str], Contradiction] = {}
    pairs: dict[str, frozenset[str]] = {}  # of every contradiction, also of one under another name
    for event in store.events(query):
        _, data = data_of(event)
        if event.kind == RAISED:
            pair = pairs[event.id] = frozenset((data["older"], data["newer"]))
            if pair not in found and (one := _between(store, event, data)):
                found[pair] = one
        for id in event.causes if event.kind == SETTLED else ():
            if (settled := pairs.get(id)) in found:
                found[settled] = found[settled]._replace(keep=data["keep"])
    return sorted((one for one in found.values() if all or stands(one)), key=lambda one: not one.is_asked)


def asked(found: Iterable[Contradiction]) -> list[Contradiction]:
    """Return the contradictions that a person should decide."""
    return [one for one in found if one.is_asked]


def _between(store: Reader, event: Event, data: dict[str, Any]) -> Contradiction | None:
    older, newer = record_of(store, data["older"]), record_of(store, data["newer"])
    if older is None or newer is None:
        return None
    return Contradiction(event.id, data["kind"], older, newer, tuple(data["spans"]), event.time)


def doubted(found: Iterable[Contradiction]) -> dict[str, list[str]]:
    """Return the memories that count for less until a person decides, each with those that say otherwise, the surest
    first: whoever is trusted less, or said it earlier, counts for less."""
    told: dict[str, list[str]] = {}
    for one in found:
        less, more = (one.newer, one.older) if standing(one.older) > standing(one.newer) else (one.older, one.newer)
        told.setdefault(less.id, []).append(more.id)
    return told


def stands(one: Contradiction) -> bool:
    """Tell whether a contradiction is open: not resolved and both sides in recall, or resolved in two ways."""
    if in_circle(one):
        return True
    return not one.keep and one.older.status in RECALLABLE and one.newer.status in RECALLABLE


def in_circle(one: Contradiction) -> bool:
    """Tell whether each side superseded the other, on two machines: then neither is in recall."""
    return (one.older.superseded_by, one.newer.superseded_by) == (one.newer.id, one.older.id)


def resolve(ledger: Ledger, id: str, keep: str, context: Context, reason: str = "") -> Contradiction:
    """Record which side of a contradiction holds; it supersedes the other."""
    kept = _KEPT[one_of("keep", {"a": "A", "b": "B"}.get(keep, keep), CHOICES)]

    def work() -> Contradiction:
        known = {one.id: one for one in contradictions(ledger.store, context.space, all=True)}
        one = known.get(id)
        if one is None:
            raise NotFound("contradiction", id, "`treering contradictions` lists the open ones")
        if not stands(one):
            how = f"resolved already: {one.keep} kept" if one.keep else "moot: one side is no longer in recall"
            raise InvalidInput(f"contradiction {id} is {how}; `treering undo` takes a resolution back")
        # The reason is stored once, with its memory, so that a purge deletes it too.
        (event,) = ledger.commit(lambda: [decide.settle(id, kept, context, reason if kept == "both" else "")])
        if in_circle(one):
            _break(ledger, one, kept, context)
        elif kept != "both":
            old, new = (one.newer, one.older) if kept == "older" else (one.older, one.newer)
            supersede(ledger, old, new, context, reason, cause=event.id)
        (done,) = (one for one in contradictions(ledger.store, context.space, True) if one.id == id)
        return done

    return ledger.store.write(work)


def _break(ledger: Ledger, one: Contradiction, kept: str, context: Context) -> None:
    """Undo the superseding of the side that is kept, or of both."""
    back = {"older": [one.older.id], "newer": [one.newer.id], "both": [one.older.id, one.newer.id]}[kept]
    query = EventQuery(subjects=tuple(back), kinds=(SUPERSEDED,), live=True)
    events = [*ledger.store.events(query)]
    ledger.undo(lambda: decide.undo(events, ledger.store.left_out(), context, "kept after all"))


def to_confirm(store: Reader, space: str, days: int, now: int) -> list[Memory]:
    """Return invariants that were not confirmed for so long, the oldest first."""
    found = store.records(Filter(space, statuses=RECALLABLE, invariant=True))
    due = (memory for memory in found if now - last_confirmed(memory) >= days * DAY)
    return sorted(due, key=lambda memory: (last_confirmed(memory), memory.id))


def last_confirmed(memory: Memory) -> int:
    """Return when a person last confirmed a memory, or made it."""
    return max(memory.verified, memory.created)
