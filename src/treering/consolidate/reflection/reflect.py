"""Find what stands out in the ledger, and what was done about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from treering.consolidate.queue import about
from treering.consolidate.reflection import patterns
from treering.consolidate.reflection.figures import CoRecallCounts, Uses, Verdicts, read_events, read_recall
from treering.consolidate.reflection.health import UNUSED, FalseRetirements
from treering.consolidate.reflection.insights import FADING, GROUP, HUB, NOISE, POOR, STRATEGY, TOGETHER, Insight, news
from treering.consolidate.reflection.patterns import Hub, Weighing
from treering.consolidate.rules import group_named
from treering.evolve.rules import REFINE_Q
from treering.ledger.codec import data_of
from treering.ledger.events import GROUPED, JUDGED, NOTED, RECALLED, TURNED_OUT, WEIGHED
from treering.ledger.ledger import batches
from treering.ledger.types import CHANNELS, RECALLABLE, Memory
from treering.skills.proposals.cases import cases
from treering.skills.proposals.rules import MEMORY_ACTION, PENDING, ROUTING_ADDITION, Gap, about_prompts, named
from treering.skills.signals.alike import topics
from treering.skills.signals.rules import misses
from treering.stores.port.ledger import EventQuery, Reader

Known = Mapping[str, Memory]


class Group(Protocol):
    """Episodes that could be one memory."""

    @property
    def memories(self) -> Sequence[str]: ...


MOST = 5  # insights at a time: more are not read
START_Q = 0.5  # of a memory that nobody has judged
_NOTHING = "nothing yet"
_ALWAYS = {
    TOGETHER: "recall lets those find each other that one recall has shown three times",
    FADING: "`treering config set decay sessions` lets them fade by sessions instead of days",
    HUB: f"{_NOTHING}: whether to split it is for a person to say",
}


class Remedies:
    """The remedies for each kind of insight, read from the store."""

    def __init__(self, store: Reader, space: str, weighings: Sequence[Weighing]) -> None:
        self._weighings = weighings
        self._cases = cases(store, space)
        self._actions = {
            id: name
            for name, case in self._cases.items()
            if case.data["kind"] == MEMORY_ACTION and case.status == PENDING
            for id in case.data["memories"]
        }
        queued = store.events(EventQuery(kinds=(GROUPED,), space=space, live=True))
        self._groups = {str(data_of(event)[1]["group"]) for event in queued if event.payload is not None}

    def done(self, insight: Insight, memories: Known) -> str:
        """Return what was done about an insight, given the memories that it names."""
        if insight.rule == NOISE:
            return self._judged(memories[insight.memories[0]])
        if insight.rule in (STRATEGY, POOR):
            return self._weighed(insight.tokens[0])
        return _ALWAYS.get(insight.rule, _NOTHING)

    def routed(self, gap: Gap) -> str:
        """Return what was proposed for a gap; any of its prompts may have named the proposal."""
        for prompt in gap.prompts:
            name = named(ROUTING_ADDITION, about_prompts(ROUTING_ADDITION, prompt.tokens))
            if case := self._cases.get(name):
                return f"tell it by `treering remember`, or say who knows: {name} is {case.status}"
        return "tell it by `treering remember`"

    def grouped(self, members: Sequence[str]) -> str:
        name = group_named(members)
        return f"queued as {name}" if name in self._groups else f"{_NOTHING}: `treering consolidate` queues it"

    def _judged(self, memory: Memory) -> str:
        if memory.id in self._actions:
            return f"{self._actions[memory.id]} proposes what to do with it: `treering evolve list`"
        if memory.q < REFINE_Q:
            return f"its Q fell to {memory.q:.3f}: `treering evolve candidates --criteria low_q` has it"
        if memory.q < START_Q:
            return f"its Q fell to {memory.q:.3f}, by which recall ranks it lower"
        return f"{_NOTHING}: it was passed over and not blamed, so its Q is {memory.q:.3f}"

    def _weighed(self, type: str) -> str:
        changes = sum(one.changes for one in self._weighings if one.type in ("", type))
        if changes:
            return f"the weights for {type} were set {changes} times"
        return f"{_NOTHING}: `treering tune` looks for better settings"


_PORTION = 200  # memories that are read at a time


def reflect(
    store: Reader, space: str, now: int, groups: Sequence[Group] = (), hubs: Sequence[Hub] = (), most: int = MOST
) -> list[Insight]:
    """Return insights that have not been noted, each with what was done about it, or what to do: the `most` by which
    most would change. The others come up another time.

    `groups` are episodes that could be one memory, and `hubs` all entities of the graph with what
    they join.
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
    fresh = [one for rule in found for one in _living(store, news(rule, known), most, remedies)]
    return sorted(fresh, key=lambda one: -one.worth)[:most]


def insights(store: Reader, space: str, hubs: Iterable[Hub] = ()) -> list[Insight]:
    """Return what was noted, oldest first, in its latest form. The topic of a group is read from
    the memories that are left, the name of a hub from the entities of today."""
    found = sorted({one.mark: one for one in _noted(store, space)}.values(), key=lambda one: one.noted)
    names = patterns.hub_marks(hubs)
    members = store.several({id for one in found if one.rule == GROUP for id in one.memories})
    return [one._replace(about=names.get(one.mark, "") if one.rule == HUB else _about(one, members)) for one in found]


def weighed(store: Reader, space: str) -> list[Weighing]:
    """Return the learned weights of the channels, for each project and type of query."""
    from treering.recall.scoring import STRATEGIES

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
    """Return what recalls show, in one pass over their verdicts and one over themselves."""
    wanted, uses, together = FalseRetirements(store, space, UNUSED), Uses(now), CoRecallCounts()
    verdicts = Verdicts(wanted.watch(read_events(store, space, JUDGED, TURNED_OUT)))
    for event in read_events(store, space, RECALLED):
        recall = read_recall(event)
        uses.take(recall, verdicts.of(recall))
        together.take(recall)
        wanted.shown(recall)
    judged = uses.judged
    return [
        patterns.noise(uses.lately),
        patterns.strategies(judged),
        patterns.poor(judged),
        patterns.together(together.pairs()),
        patterns.fading(wanted.groups()),
    ]


def _missed(store: Reader, space: str, remedies: Remedies) -> list[Insight]:
    """Return topics that prompts asked about in vain, the largest first."""
    missed = misses(store.events(EventQuery(kinds=(RECALLED,), space=space, naming="tokens", live=True)))
    gaps = [Gap(tuple(missed[place] for place in group)) for group in topics([one.tokens for one in missed])]
    found = [one._replace(done=remedies.routed(gap)) for gap in gaps for one in patterns.gap(gap)]
    return sorted(found, key=lambda one: -one.weight)


def _living(store: Reader, found: Sequence[Insight], most: int, remedies: Remedies) -> list[Insight]:
    """Return the first insights whose memories are recallable, with what was done about them."""
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
    for event in read_events(store, space, NOTED):
        if event.payload is not None:  # purged, with the memory that it was about
            data = data_of(event)[1]
            words, memories = tuple(data.get("tokens", ())), tuple(data["memories"])
            told = (words, data["evidence"], data.get("done", ""))
            yield Insight(data["kind"], data["mark"], memories, *told, noted=event.time)


def _about(insight: Insight, memories: Mapping[str, Memory]) -> str:
    """Return what the memories of a group share, in a few words."""
    return " ".join(about([memories[id] for id in insight.memories if id in memories])) if insight.rule == GROUP else ""
