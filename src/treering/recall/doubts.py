"""Tell what may hold no longer only beside what says otherwise, as hooks do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treering.ledger.codec import data_of
from treering.ledger.events import RAISED, SETTLED
from treering.ledger.types import RECALLABLE, Context, Hit, Memory, Why, visible
from treering.recall.ranking import standing
from treering.stores.port.ledger import EventQuery, Reader

LATEST = 1_000  # contradictions and decisions that are read: older ones have waited for a person for long

Disputes = Mapping[str, Sequence[str]]  # the memories that each memory clashes with


def disputes(store: Reader) -> Disputes:
    """Return the memories that clash, by the contradictions that nobody has decided."""
    events = [*store.events(EventQuery(kinds=(RAISED, SETTLED), live=True, newest=True, limit=LATEST))]
    settled = {id for event in events if event.kind == SETTLED for id in event.causes}
    found: dict[str, dict[str, None]] = {}
    for event in reversed(events):
        if event.kind == RAISED and event.id not in settled:
            data = data_of(event)[1]
            found.setdefault(data["older"], {})[data["newer"]] = None
            found.setdefault(data["newer"], {})[data["older"]] = None
    return {id: [*others] for id, others in found.items()}


def newest_first(hits: Sequence[Hit], clashing: Disputes, store: Reader, context: Context, k: int) -> list[Hit]:
    """Put what says otherwise before each hit that counts for less, also if it was not found, and mark that hit."""
    if clashing.keys().isdisjoint(hit.memory.id for hit in hits):
        return [*hits]
    known = {hit.memory.id: hit for hit in hits}
    told: dict[str, Hit] = {}
    for hit in hits:
        wanted = [id for id in clashing.get(hit.memory.id, ()) if id not in known]
        others = [known[id].memory for id in clashing.get(hit.memory.id, ()) if id in known]
        others += [one for one in store.several(wanted).values() if one.status in RECALLABLE and visible(one, context)]
        newer = [other for other in others if _counts_more(other, hit.memory)]
        for one in newer:
            found = known.get(one.id, Hit(one, hit.score, Why({}, {}, {}), hit.chance))
            told.setdefault(one.id, found._replace(score=max(found.score, hit.score)))
        if newer and not hit.why.older_than:
            hit = hit._replace(why=hit.why._replace(older_than=newer[0].id))
        told.setdefault(hit.memory.id, hit)
    return [*told.values()][:k]


def _counts_more(one: Memory, other: Memory) -> bool:
    """Tell whether one of two memories that clash counts for more: who said it, and then which is newer."""
    return (standing(one), one.created) > (standing(other), other.created)
