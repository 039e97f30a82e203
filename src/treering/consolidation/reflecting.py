"""The memory looks at itself: what the ledger tells is counted, and the rules say what stands out."""

from __future__ import annotations

from treering.consolidation.queue import about
from treering.consolidation.remedies import Remedies
from treering.consolidation.wanted import UNUSED, Wanted
from treering.core import patterns
from treering.core.codec import data_of
from treering.core.events import JUDGED, NOTED, RECALLED, TURNED_OUT, WEIGHED
from treering.core.lifecycle import RECALLABLE
from treering.core.patterns import Weighing
from treering.core.ports import EventQuery
from treering.core.proposing import Gap
from treering.core.reflecting import GROUP, HUB, Insight, news
from treering.core.signals import misses
from treering.core.tallies import Company, Said, Uses, asked
from treering.core.types import CHANNELS
from treering.evolve.topics import topics
from treering.ledger import batches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    from treering.core.events import Event
    from treering.core.patterns import Hub
    from treering.core.ports import Reader
    from treering.core.types import Memory

    class Group(Protocol):
        """Episodes that could be one memory."""

        @property
        def memories(self) -> Sequence[str]: ...


_PORTION = 200  # memories that are read at a time


def reflect(
    store: Reader, space: str, now: int, groups: Sequence[Group] = (), hubs: Sequence[Hub] = (), most: int = 20
) -> list[Insight]:
    """What stands out and has not been noted, each with what was done about it; at most so many of each rule.

    `groups` are episodes that could be one memory, and `hubs` all entities of the graph with what they join.
    """
    weighings = weighed(store, space)
    remedies = Remedies(store, space, weighings)
    found = [
        *_recalled(store, space, now),
        _missed(store, space, remedies),
        [
            one._replace(done=remedies.grouped(group.memories))
            for group in groups
            for one in patterns.group(group.memories)
        ],
        patterns.weights(weighings),
        patterns.hubs(hubs),
    ]
    known = {one.mark: one for one in _noted(store, space)}
    return [one for rule in found for one in _living(store, news(rule, known), most, remedies)]


def insights(store: Reader, space: str, hubs: Iterable[Hub] = ()) -> list[Insight]:
    """What was noted, the oldest first; of the same insight, how it was noted last. What groups are about is read from
    the memories that are left of them, and what hubs are called from the entities of today."""
    found = sorted({one.mark: one for one in _noted(store, space)}.values(), key=lambda one: one.noted)
    names = patterns.hub_marks(hubs)
    members = store.several({id for one in found if one.rule == GROUP for id in one.memories})
    return [one._replace(about=names.get(one.mark, "") if one.rule == HUB else _about(one, members)) for one in found]


def weighed(store: Reader, space: str) -> list[Weighing]:
    """What the channels count for each project and type of query that weights were learned for."""
    from treering.recall.weights import STRATEGIES

    start = {channel: float(getattr(STRATEGIES["hybrid"], channel)) for channel in CHANNELS}
    found: dict[tuple[str, str], Weighing] = {}
    for event in store.events(EventQuery(kinds=(WEIGHED,), space=space, live=True)):
        data = data_of(event)[1]
        where = (data.get("project", ""), data.get("type", ""))
        told = {name: float(value) for name, value in data["weights"].items() if name in CHANNELS}
        changes = found[where].changes + 1 if where in found else 1
        if told:
            found[where] = Weighing(*where, start, {**start, **told}, changes, event.id, data.get("queries", 0))
    return [*found.values()]


def _recalled(store: Reader, space: str, now: int) -> list[list[Insight]]:
    """What recalls tell, in one pass over what was said of them and one over themselves."""
    wanted, uses, company = Wanted(store, space, UNUSED), Uses(now), Company()
    said = Said(wanted.listening(_read(store, space, JUDGED, TURNED_OUT)))
    for event in _read(store, space, RECALLED):
        recall = asked(event)
        uses.take(recall, said.of(recall))
        company.take(recall)
        wanted.shown(recall)
    fares = uses.fares
    return [
        patterns.noise(uses.lately),
        patterns.strategies(fares),
        patterns.poor(fares),
        patterns.together(company.pairs()),
        patterns.fading(wanted.groups()),
    ]


def _missed(store: Reader, space: str, remedies: Remedies) -> list[Insight]:
    """Matters that prompts asked about in vain, the largest first."""
    missed = misses(store.events(EventQuery(kinds=(RECALLED,), space=space, naming="tokens", live=True)))
    gaps = [Gap(tuple(missed[place] for place in group)) for group in topics([one.tokens for one in missed])]
    found = [one._replace(done=remedies.routed(gap)) for gap in gaps for one in patterns.gap(gap)]
    return sorted(found, key=lambda one: -one.weight)


def _living(store: Reader, found: Sequence[Insight], most: int, remedies: Remedies) -> list[Insight]:
    """The first of the insights that are about memories which are still told, each with what was done about it."""
    kept: list[Insight] = []
    for portion in batches(found, _PORTION):
        there = store.several({id for one in portion for id in one.memories})
        memories = {id: memory for id, memory in there.items() if memory.status in RECALLABLE}
        for one in portion:
            named = tuple(id for id in one.memories if id in memories)
            if named == one.memories or (named and one.rule == HUB):  # a hub stays one without some of its memories
                one = one._replace(memories=named, done=one.done or remedies.done(one, memories))
                kept.append(one._replace(about=one.about or _about(one, memories)))
                if len(kept) == most:
                    return kept
    return kept


def _noted(store: Reader, space: str) -> Iterator[Insight]:
    for event in _read(store, space, NOTED):
        if event.payload is not None:  # purged, with the memory that it was about
            data = data_of(event)[1]
            words, memories = tuple(data.get("tokens", ())), tuple(data["memories"])
            told = (words, data["evidence"], data.get("done", ""))
            yield Insight(data["kind"], data["mark"], memories, *told, noted=event.time)


def _read(store: Reader, space: str, *kinds: str) -> Iterator[Event]:
    return store.events(EventQuery(kinds=kinds, space=space, live=True))


def _about(insight: Insight, memories: Mapping[str, Memory]) -> str:
    """What the memories of a group share, in a few words."""
    return " ".join(about([memories[id] for id in insight.memories if id in memories])) if insight.rule == GROUP else ""
