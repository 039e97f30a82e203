"""Move a ledger from one store to another, event by event, and prove that all of it has arrived; or let one follow
another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from treering.ledger.errors import LedgerConflict, StoreDamaged
from treering.ledger.events import Head
from treering.ledger.ledger import Ledger, batches, withheld
from treering.ledger.types import person_in, seen_from
from treering.ledger.verify import Report, verify
from treering.stores.port.ledger import EventQuery, Store

_FEW = 100  # events that others may wait for


class Moved(NamedTuple):
    """What a move has done."""

    events: int  # in the ledger
    new: int  # of these, events that had not arrived before
    memories: int
    writers: int


def spaces_in(source: Store) -> list[str]:
    """Return the spaces that the events of a store belong to."""
    return sorted({event.space for event in source.events()})


def move(
    source: Store,
    target: Ledger,
    progress: Callable[[int], None] = lambda done: None,
    leave: Callable[[], None] | None = None,
) -> Moved:
    """Bring every event of a store into a ledger that holds nothing else, and check both.

    Whoever does it again carries on where it stopped. The source is left as it is. With `leave`, others may write to it
    meanwhile: at the end they wait until the last of it has arrived, and `leave` tells them where they write now.
    """
    _check_free(source, target.store)
    new = _carried(source, target, progress)
    if leave is not None:
        report = _checked(target.store)
        return _handed_over(source, target, report, new, leave)
    _look_on(source, target.store)
    report = _proved(source, target.store)
    return Moved(report.events, new, report.memories, report.writers)


def _handed_over(source: Store, target: Ledger, report: Report, new: int, leave: Callable[[], None]) -> Moved:
    while (more := _carried(source, target, lambda done: None)) > _FEW:
        new += more
    new += more

    def work() -> Moved:
        last = _carried(source, target, lambda done: None)
        heads = source.heads()
        if heads != target.store.heads():
            raise StoreDamaged("the target is not what the source is: move again, and it carries on from here")
        _look_on(source, target.store)
        leave()
        held = sum(head.seq for head in heads.values())
        return Moved(held, new + last, report.memories, len(heads))

    return source.write(work)


def _look_on(source: Store, target: Store) -> None:
    for writer, seq in source.looked().items():
        target.write(lambda writer=writer, seq=seq: target.look_on(writer, seq))  # type: ignore[misc]


def _check_free(source: Store, target: Store) -> None:
    """Refuse a target that holds what the source does not, or something else under the same name."""
    here, there = source.heads(), target.heads()
    if strange := sorted(there.keys() - here.keys()):
        raise LedgerConflict(
            f"the target holds events of its own, by {', '.join(strange)}: name an empty space or folder, "
            "or `treering export` and `treering import`"
        )
    ends = {f"{writer}-{head.seq}": head for writer, head in there.items()}
    known = {event.id: event.chain for event in source.events(EventQuery(ids=tuple(ends)))}
    for id, head in ends.items():
        if known.get(id) != head.chain:
            raise LedgerConflict(f"event {id} of the target is another one in the source, or is not there")


def follow(source: Store, copy: Ledger, stand: str) -> int:
    """Bring what is new into a copy that has no events of its own; nothing into any other. Return how many came. Of
    what cannot be seen from where the person stands, only its place in the chain comes."""
    if copy.store.heads().keys() - source.heads().keys():
        return 0
    return _carried(source, copy, lambda done: None, stand)


def _carried(source: Store, target: Ledger, progress: Callable[[int], None], stand: str = "") -> int:
    count, seen = 0, seen_from(stand) if person_in(stand) else ()
    for batch in batches(_lacking(source.heads(), target.store.heads())):
        events = source.events(EventQuery(ids=tuple(batch)))
        count += target.take_in([withheld(one) if seen and one.space not in seen else one for one in events])
        progress(count)
    return count


def _lacking(here: Mapping[str, Head], there: Mapping[str, Head]) -> Iterator[str]:
    """Yield the ids of what one has and the other has not, each writer's in their order."""
    for writer, head in sorted(here.items()):
        for seq in range(there.get(writer, Head()).seq + 1, head.seq + 1):
            yield f"{writer}-{seq}"


def _proved(source: Store, target: Store) -> Report:
    """Compare the ends of all chains, which stand for every event, and check the target as a whole."""
    if source.heads() != target.heads():
        raise StoreDamaged("somebody wrote to the source meanwhile: move again, and it carries on from here")
    report = _checked(target)
    if report.events != (held := sum(head.seq for head in source.heads().values())):
        raise StoreDamaged(f"the target has {report.events:,} events and the source {held:,}")
    return report


def _checked(target: Store) -> Report:
    report = verify(target)
    if not report.clean:
        raise StoreDamaged(f"the target has {len(report.problems)} problems, the first: {report.problems[0]}")
    return report
