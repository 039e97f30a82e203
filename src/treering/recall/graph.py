"""The graph channel: what memories have in common with a query, and with each other.

Memories are joined by the entities they mention, by standing side by side in a session, and by having been recalled
together. A query wakes those that mention what it names; from there activation spreads a bounded number of steps.
"""

from __future__ import annotations

from treering.core.events import RECALLED, SURFACED
from treering.core.judging import shown
from treering.core.ports import EventQuery
from treering.recall.scoring import rarity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from treering.core.index import Index
    from treering.core.ports import Reader
    from treering.recall.query.analysis import Query
    from treering.recall.scoring import Links

MOST_MENTIONS = 400  # that a query wakes; what so many mention tells them apart no better
STEPS = 2  # that activation spreads
SPREAD = 0.4  # of its activation that a memory hands on
OFTEN = 3  # recalls together that make two memories companions
_LOOKED_AT = 40  # of their recalls, the latest


def woken(index: Index, query: Query, places: Sequence[int], size: int) -> dict[int, float]:
    """The memories that mention what a query names, by how rare that is."""
    names = [" ".join(pair) for pair in query.pairs]
    names += [name.text.lower() for name in query.identifiers]
    asked = dict.fromkeys([*names, *query.terms])
    found: dict[str, list[int]] = {}
    for entity, number in index.mentions(list(asked), places, MOST_MENTIONS):
        found.setdefault(entity, []).append(number)
    active: dict[int, float] = {}
    for numbers in found.values():
        weight = rarity(len(numbers), size)
        for number in numbers:
            active[number] = active.get(number, 0.0) + weight
    return active


def spread(active: Mapping[int, float], links: Links) -> dict[int, float]:
    """Activation handed on along links: a memory gets a share of the most active one beside it."""
    now = dict(active)
    for _ in range(STEPS):
        before = dict(now)
        for number, others in links.items():
            best = max((before.get(one, 0.0) * strength for one, strength in others.items()), default=0.0)
            now[number] = max(now.get(number, 0.0), active.get(number, 0.0) + SPREAD * best)
    return {number: score for number, score in now.items() if score > 0}


def both_ways(beside: Iterable[tuple[int, int | None, int | None]]) -> dict[int, dict[int, float]]:
    """Links between memories that stand side by side."""
    links: dict[int, dict[int, float]] = {}
    for number, *others in beside:
        for other in others:
            if other is not None:
                links.setdefault(number, {})[other] = links.setdefault(other, {})[number] = 1.0
    return links


def company(store: Reader, numbers: Sequence[int]) -> dict[int, dict[int, float]]:
    """Links between memories and those that came up in the same recalls; three times make a full one."""
    known = store.index.used(numbers)
    if not known:
        return {}
    together = _together(store, known)
    named = store.index.named([*together, *(other for counts in together.values() for other in counts)])
    links: dict[int, dict[int, float]] = {}
    for one, counts in together.items():
        for other, count in counts.items():
            if one in named and other in named:
                strength = min(1.0, count / OFTEN)
                links.setdefault(named[one], {})[named[other]] = strength
                links.setdefault(named[other], {})[named[one]] = strength
    return links


def _together(store: Reader, ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """For each memory, those that were shown by the same recalls, and how often."""
    seen = EventQuery(subjects=tuple(ids), kinds=(SURFACED,), live=True, newest=True, limit=_LOOKED_AT)
    recalls: dict[str, set[str]] = {}
    for event in store.events(seen):
        for cause in event.causes:
            if cause != event.subject:
                recalls.setdefault(cause, set()).add(event.subject)
    found: dict[str, dict[str, int]] = {}
    for event in store.events(EventQuery(ids=tuple(recalls), kinds=(RECALLED,), live=True)):
        for other in shown(event):
            for one in recalls[event.id] - {other}:
                counts = found.setdefault(one, {})
                counts[other] = counts.get(other, 0) + 1
    return found
