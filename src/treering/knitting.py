"""The graph kept up with the texts: what each new memory names and tells is read once, and kept beside it."""

from __future__ import annotations

from treering.core.codec import data_of
from treering.core.events import GRAPHED
from treering.core.graphs import ENTITY_TYPES, RELATION_TYPES, Seen, Told
from treering.core.ports import EventQuery
from treering.graph.reading import read
from treering.graph.sameness import key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from treering.core.events import Data, Event
    from treering.core.ports import Reader
    from treering.core.strands import Read

PORTION = 1_000  # memories read between two short transactions: others write in between
FEW = 1_000  # new memories that a recall reads on its way: a few tenths of a second
BY_MODEL = 0.8  # confidence in what a model has read, and that stands in the text


def catch_up(
    store: Reader, progress: Callable[[int], None] = lambda done: None, going: Callable[[], bool] = lambda: True
) -> int:
    """Read every memory that has not been read. How many that were; `going` says whether there is time for more."""
    strands, done = store.index.strands, 0
    while going() and (unread := strands.unread(PORTION)):
        found = [(number, *read(memory.content)[:2]) for number, memory in unread]
        again = [*_read_by_models(store, _models(store, [memory.id for _, memory in unread]))]

        def work(found: list[Read] = found, again: list[Read] = again, last: int = unread[-1][0]) -> None:
            strands.add(found, last)
            strands.add(again, last, by_model=True)  # a memory that came back has another number

        store.index.write(work)
        done += len(unread)
        progress(done)
    _take_models(store)
    return done


def catch_up_a_little(store: Reader) -> None:
    """Read what is new, unless it is so much that somebody would wait for it."""
    if store.index.strands.behind() <= FEW:
        catch_up(store)


def _models(store: Reader, ids: Sequence[str]) -> list[Event]:
    """What models have read of memories."""
    query = EventQuery(subjects=tuple(ids), kinds=(GRAPHED,), live=True)
    return [event for event in store.events(query) if event.payload is not None]


def _take_models(store: Reader) -> None:
    """Keep what models have read, as far as it counts now: it may have been undone."""
    strands = store.index.strands
    events = [event for event in store.events(EventQuery(kinds=(GRAPHED,), live=True)) if event.payload is not None]
    state = f"{len(events)} {events[-1].clock}" if events else ""
    if strands.state() == state:
        return

    def work() -> None:
        strands.drop_models()
        strands.add(_read_by_models(store, events), 0, by_model=True)
        strands.state(state)

    store.index.write(work)


def _read_by_models(store: Reader, events: Sequence[Event]) -> Iterator[Read]:
    numbers = store.index.named([event.subject for event in events])
    for event in events:
        if event.subject in numbers:
            yield (numbers[event.subject], *_strands(event))


def _strands(event: Event) -> tuple[tuple[Seen, ...], tuple[Told, ...]]:
    """What a model has read. An event that came from elsewhere may hold anything: what makes no sense is left out."""
    data = data_of(event)[1]
    types: dict[str, str] = {}
    seen = []
    for name, type in _pairs(data["entities"], "name", "type", ENTITY_TYPES):
        types[name] = type
        seen.append(Seen(key(name, type), name, type, BY_MODEL))
    told = []
    for one in data["relations"]:
        ends = [str(one.get(end, "")) for end in ("source", "target")]
        if one.get("type") in RELATION_TYPES and all(end in types for end in ends):
            source, target = (key(end, types[end]) for end in ends)
            told.append(Told(source, one["type"], target, BY_MODEL, 0, 0))
    return tuple(seen), tuple(told)


def _pairs(rows: Iterable[Data], name: str, type: str, allowed: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for row in rows:
        if row.get(type) in allowed and row.get(name):
            yield str(row[name]), row[type]
