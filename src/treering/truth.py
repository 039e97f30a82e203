"""Keeping to the truth: what superseded what, what contradicts what, and what a person has confirmed.

Nothing here picks a winner: a contradiction is raised before anybody asks, and stands until somebody resolves it.
"""

from __future__ import annotations

from functools import partial

from treering.core import decide
from treering.core.codec import data_of
from treering.core.consolidating import SUMMARY
from treering.core.errors import InvalidInput, NotFound
from treering.core.events import RAISED, REMEMBERED, SETTLED, SUPERSEDED, UNDONE
from treering.core.lifecycle import RECALLABLE
from treering.core.ports import EventQuery
from treering.core.strength import DAY
from treering.core.tuples import NamedTuple
from treering.core.types import Context, Filter, one_of, origin_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from treering.conflict import Conflict
    from treering.core.events import Data, Draft, Event
    from treering.core.ports import Reader, Store
    from treering.core.types import Memory
    from treering.ledger import Ledger

LOOKED_AT = 8  # memories that share rare words with a new one: what contradicts it shares its subject, so it is there
PORTION = 100  # memories looked at in one transaction: others wait a fraction of a second
PATIENCE = 20_000  # events that are looked at unasked: more would take minutes
LONGEST_HEADINGS = 160  # characters before a fact: what is longer is the fact itself
CHOICES = ("A", "B", "both", "supersede")  # A is the older one, B the newer
_KEPT = {"A": "older", "B": "newer", "both": "both", "supersede": "newer"}


class Contradiction(NamedTuple):
    """Two memories that cannot both hold."""

    id: str  # of the event that raised it
    kind: str  # negation, number, version, date, choice or name
    older: Memory
    newer: Memory
    spans: tuple[int, ...]  # of the two values in their texts
    raised: int
    keep: str = ""  # what was decided: older, newer or both; nothing while it stands

    @property
    def why(self) -> str:
        """What the two say, side by side; nothing where a text is gone."""
        from treering.conflict import Conflict as Found
        from treering.conflict import why

        one, other = self.older.content, self.newer.content
        if not one or not other:
            return ""
        start, end, begin, stop = self.spans
        return why(Found(self.kind, (start, end), (begin, stop)), one, other)


def supersede(
    ledger: Ledger, old: Memory, new: Memory, context: Context, reason: str = "", cause: str = ""
) -> list[Event]:
    """Let a memory take the place of another."""
    return succeeded(ledger, old, new, context, lambda: decide.supersede(old, new, context, reason, cause))


def succeeded(ledger: Ledger, old: Memory, new: Memory, context: Context, decided: Callable[[], Draft]) -> list[Event]:
    """One memory takes the place of another, as decided: both know of each other, or neither."""

    def work() -> list[Event]:
        (done,) = ledger.commit(lambda: [decided()])
        return [done, *ledger.commit(lambda: [decide.succeed(new, old.id, done.id, context)])]

    return ledger.store.write(work)


def raised_by(store: Reader, memory: Memory, context: Context) -> Iterator[Draft]:
    """The contradictions that a memory which has just been written brings with it."""
    from treering.conflict import terms

    if memory.type == "working" or memory.status not in RECALLABLE:
        return
    seen_from = Context(memory.space, memory.project, memory.session, context.actor)
    where = Filter(memory.space, statuses=RECALLABLE, visible_to=seen_from)
    for other in store.index.sharing(terms(memory.content), where, LOOKED_AT):
        if other.id == memory.id or other.type == "working" or _of_one_document(memory, other):
            continue
        if _sums_up(store, memory, other) or _sums_up(store, other, memory):
            continue
        older, newer = (other, memory) if other.created <= memory.created else (memory, other)
        if found := _conflict(older, newer):
            yield decide.raise_contradiction(older, newer, found.kind, (*found.ours, *found.theirs), seen_from)


def _sums_up(store: Reader, one: Memory, other: Memory) -> bool:
    """Whether a memory was made to sum up another: they say the same in other words."""
    return SUMMARY in one.tags and one.id in store.effects({other.id})


def _conflict(older: Memory, newer: Memory) -> Conflict | None:
    """What two memories disagree on. Of a document's fact, what stands behind its headings is compared with what people
    say, as they say no headings; between two documents these tell the subjects apart."""
    from treering.conflict import between

    from_documents = [one.origin.startswith("document:") for one in (older, newer)]
    found = between(older.content, newer.content)
    if found or all(from_documents) or not any(from_documents):
        return found
    ours, theirs = (_headed(one.content) if it else 0 for one, it in zip((older, newer), from_documents, strict=True))
    found = between(older.content[ours:], newer.content[theirs:]) if ours or theirs else None
    if found is None:
        return None
    (start, end), (begin, stop) = found.ours, found.theirs
    return found._replace(ours=(start + ours, end + ours), theirs=(begin + theirs, stop + theirs))


def _headed(text: str) -> int:
    """Where a fact begins behind the headings that a harvest puts before it."""
    return text.find(": ") + 2 if 0 < text.find(": ") <= LONGEST_HEADINGS else 0


def _of_one_document(memory: Memory, other: Memory) -> bool:
    """A document is one voice: what it says in two places is meant together, and headings make its facts look alike."""
    one, another = origin_named(memory.origin), origin_named(other.origin)
    return one.kind == "document" and (one.kind, one.ref) == (another.kind, another.ref)


def look(ledger: Ledger, ids: Collection[str], context: Context) -> list[Event]:
    """Raise what memories contradict; a pair is raised once, whatever became of it."""
    memories = ledger.store.several(ids).values()
    drafts = [draft for memory in memories for draft in raised_by(ledger.store, memory, context)]
    if not drafts:
        return []
    known = {frozenset(event.causes) for event in ledger.store.events(EventQuery(kinds=(RAISED,)))}
    fresh = {pair: draft for draft in drafts if (pair := frozenset(draft.causes)) not in known}
    return ledger.commit(lambda: [*fresh.values()])


def pending(store: Store) -> list[tuple[str, int, int]]:
    """What has not been looked at: writers, and the numbers of their events from one to another."""
    done = store.looked()
    spans = ((writer, done.get(writer, 0) + 1, head.seq) for writer, head in store.heads().items())
    return [span for span in spans if span[1] <= span[2]]


def catch_up(
    ledger: Ledger,
    context: Context,
    progress: Callable[[int], None] = lambda done: None,
    going: Callable[[], bool] = lambda: True,
) -> list[str]:
    """Look at every memory that was written since the last time, in portions between which others may write, as long
    as there is time.

    The contradictions that were raised. Writing itself does not look: it would take several times as long.
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
    events = look(ledger, _told_by(ledger.store, ids), context)
    ledger.store.look_on(writer, end)
    return [event.id for event in events]


def _told_by(store: Reader, ids: tuple[str, ...]) -> list[str]:
    """The memories that events made, or brought back: an undoing may name what was away when somebody looked."""
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
    """Those that stand, oldest first; with `all`, those that were resolved or came to nothing too.

    Two machines may have raised the same pair before they met: it is one, under its first name.
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
    return [one for one in found.values() if all or stands(one)]


def _between(store: Reader, event: Event, data: Data) -> Contradiction | None:
    older, newer = store.record(data["older"]), store.record(data["newer"])
    if older is None or newer is None:
        return None
    return Contradiction(event.id, data["kind"], older, newer, tuple(data["spans"]), event.time)


def stands(one: Contradiction) -> bool:
    """Whether it is still to be resolved: nobody has, and both sides are told; or two have, each another way."""
    if in_circle(one):
        return True
    return not one.keep and one.older.status in RECALLABLE and one.newer.status in RECALLABLE


def in_circle(one: Contradiction) -> bool:
    """Whether each side superseded the other, on machines that did not know of each other: then neither is told."""
    return (one.older.superseded_by, one.newer.superseded_by) == (one.newer.id, one.older.id)


def resolve(ledger: Ledger, id: str, keep: str, context: Context, reason: str = "") -> Contradiction:
    """Somebody says which side of a contradiction holds. What does not hold is superseded by what does."""
    kept = _KEPT[one_of("keep", {"a": "A", "b": "B"}.get(keep, keep), CHOICES)]

    def work() -> Contradiction:
        known = {one.id: one for one in contradictions(ledger.store, context.space, all=True)}
        one = known.get(id)
        if one is None:
            raise NotFound("contradiction", id, "`treering contradictions` lists those that stand")
        if not stands(one):
            how = f"resolved already: {one.keep} kept" if one.keep else "moot: one side is no longer told"
            raise InvalidInput(f"contradiction {id} is {how}; `treering undo` takes a resolution back")
        # The reason is said once, about the memory that it is about: a purge of that one takes it along.
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
    """Invariants that nobody has confirmed for so long, the longest first."""
    found = store.records(Filter(space, statuses=RECALLABLE, invariant=True))
    due = (memory for memory in found if now - last_confirmed(memory) >= days * DAY)
    return sorted(due, key=lambda memory: (last_confirmed(memory), memory.id))


def last_confirmed(memory: Memory) -> int:
    """When a person last said that it holds: whoever made it did."""
    return max(memory.verified, memory.created)
