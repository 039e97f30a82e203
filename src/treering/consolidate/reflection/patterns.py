"""Find insights in counts, with the thresholds of each rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import NamedTuple, Protocol

from treering.consolidate.reflection.insights import (
    FADING,
    GAP,
    GROUP,
    HUB,
    NOISE,
    POOR,
    STRATEGY,
    TOGETHER,
    WEIGHT,
    Insight,
    insight,
)
from treering.ledger.ageing import HALF_LIFE
from treering.ledger.sessions import DAY
from treering.skills.proposals.rules import Gap, Thresholds


class Hub(Protocol):
    """An entity, by how many others it is related to within some walls, and memories that name it."""

    @property
    def key(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def scope(self) -> str: ...

    @property
    def degree(self) -> int: ...

    @property
    def memories(self) -> Sequence[str]: ...


NOISE_SPAN = 14 * DAY  # microseconds that are looked back on: what was noise before may have been mended
NOISE_KNOWN = 5  # showings of which anything is known: fewer are chance
NOISE_SHARE = 0.8  # of them, in more than which it was of no use
TOGETHER_TIMES = 3  # that two memories came up together: twice is chance
GROUP_MEMBERS = 3  # episodes that could be one memory
PATTERN_RECALLS = 10  # judged recalls on either side of a comparison
FADED_LEAST = 10  # memories of a kind that faded: of fewer, one that comes back would be a tenth
FADED_SHARE = 0.05  # that come back, where there is nothing to compare with: more, and a rule of evolution is suspended
SURE = 2.58  # standard errors between two shares: 1 in 100 is as far apart by chance
SHIFT = 0.1  # of all that the channels count: by less, an order hardly changes
HUB_LEAST = 20  # entities that one is related to: a handful is a topic
HUB_AMONG = 20  # entities of a scope, below which none is typical
HUB_TIMES = 3  # times what 19 of 20 entities of its scope are related to at the most
HUB_TYPICAL = 0.95
MOST_NAMED = 10  # memories that an insight names: enough to see what is meant


class Showings(NamedTuple):
    """How often a memory was shown, and judged how."""

    shown: int = 0
    known: int = 0  # of them, those of which somebody has said anything
    ignored: int = 0  # of these, those in which it was not credited,
    blamed: int = 0  # and those in which it was blamed: a part of the ignored


class JudgedRecalls(NamedTuple):
    """Counts of recalls that were judged."""

    recalls: int = 0
    helped: int = 0  # in which at least one memory was of use

    def __sub__(self, other: JudgedRecalls) -> JudgedRecalls:
        return JudgedRecalls(self.recalls - other.recalls, self.helped - other.helped)


class Faded(NamedTuple):
    """Counts of memories that rules retired as unused, and of those that were wanted since."""

    faded: int = 0
    restored: int = 0  # somebody took it back
    asked: int = 0  # it was used, or was the best answer

    @property
    def back(self) -> int:
        return self.restored + self.asked

    def __sub__(self, other: Faded) -> Faded:
        return Faded(self.faded - other.faded, self.restored - other.restored, self.asked - other.asked)


class Weighing(NamedTuple):
    """The weights of the channels for a type of query: at first, and now."""

    project: str
    type: str
    first: Mapping[str, float]
    now: Mapping[str, float]
    changes: int  # how often they were set
    event: str  # that set them last
    queries: int = 0  # answered recalls that they were learned from; 0 if somebody set them


def noise(counts: Mapping[str, Showings]) -> list[Insight]:
    """Return memories that come up and are of no use, the most often shown first.

    Only showings with a verdict count: without one it is unknown whether a memory was ignored.
    """
    return [
        insight(NOISE, id, (id,), (), {**one._asdict(), "days": NOISE_SPAN // DAY})
        for id, one in sorted(counts.items(), key=lambda item: (-item[1].ignored, item[0]))
        if one.known >= NOISE_KNOWN and one.ignored > NOISE_SHARE * one.known
    ]


def together(pairs: Iterable[tuple[str, str, int]]) -> list[Insight]:
    """Return pairs of memories that come up together, the most frequent first."""
    return [
        insight(TOGETHER, sorted((one, other)), (one, other), (), {"times": times})
        for one, other, times in sorted(pairs, key=lambda pair: (-pair[2], *pair[:2]))
        if times >= TOGETHER_TIMES
    ]


def gap(found: Gap) -> list[Insight]:
    """Return a topic that is asked about and not known, if it is enough for a proposal."""
    count, distinct, asked = len(found.prompts), found.distinct, Thresholds()
    if count < asked.miss_min or distinct < asked.miss_min_distinct:
        return []
    numbers = {"prompts": count, "distinct": distinct, "sessions": len({one.session for one in found.prompts})}
    return [insight(GAP, sorted(found.prompts[0].tokens), (), found.tokens, numbers)]


def group(members: Sequence[str]) -> list[Insight]:
    """Return episodes on one topic that could be one memory."""
    if len(members) < GROUP_MEMBERS:
        return []
    return [insight(GROUP, sorted(members), tuple(members[:MOST_NAMED]), (), {"members": len(members)})]


def fading(groups: Mapping[tuple[str, str], Faded]) -> list[Insight]:
    """Return kinds of memories, by project and type, that are wanted again unusually often."""
    all = Faded(*(sum(column) for column in zip(*groups.values(), strict=True))) if groups else Faded()
    found = []
    for (project, type), here in sorted(groups.items()):
        others = all - here
        enough = here.faded >= FADED_LEAST and here.back / here.faded > FADED_SHARE
        alone = others.faded < FADED_LEAST
        if enough and (alone or apart((here.back, here.faded), (others.back, others.faded)) > SURE):
            numbers = {**here._asdict(), "others_faded": others.faded, "others_back": others.back}
            words = (type, project) if project else (type,)
            found.append(insight(FADING, [project, type], (), words, {**numbers, "half_life": HALF_LIFE.get(type, 0)}))
    return found


def strategies(judged: Mapping[tuple[str, str], JudgedRecalls]) -> list[Insight]:
    """Return strategies that help with a type of query clearly more often than the others do."""
    found = []
    for (type, strategy), here in sorted(judged.items()):
        others = _added(one for (same, other), one in judged.items() if same == type and other != strategy)
        if _enough(here, others) and apart((here.helped, here.recalls), (others.helped, others.recalls)) > SURE:
            found.append(insight(STRATEGY, [type, strategy], (), (type, strategy), _compared(here, others)))
    return found


def poor(judged: Mapping[tuple[str, str], JudgedRecalls]) -> list[Insight]:
    """Return types of queries for which clearly less is found than for the others."""
    found = []
    for type in sorted({type for type, _ in judged}):
        here = _added(one for (same, _), one in judged.items() if same == type)
        others = _added(judged.values()) - here
        if _enough(here, others) and apart((others.helped, others.recalls), (here.helped, here.recalls)) > SURE:
            found.append(insight(POOR, type, (), (type,), _compared(here, others)))
    return found


def weights(weighings: Iterable[Weighing]) -> list[Insight]:
    """Return the channel of each learned set of weights that changed most, if it is enough."""
    found = []
    for one in weighings:
        first, now = _shares(one.first), _shares(one.now)
        moved = {channel: now[channel] - first.get(channel, 0.0) for channel in now}
        channel = max(moved, key=lambda name: (abs(moved[name]), name), default="")
        if channel and abs(moved[channel]) >= SHIFT:
            numbers = {"before": round(first.get(channel, 0.0), 4), "now": round(now[channel], 4)}
            words = (channel, one.type or "every type", *([one.project] if one.project else []))
            about = [one.project, one.type, channel, moved[channel] > 0]
            told = insight(WEIGHT, about, (), words, {**numbers, "changes": one.changes, "queries": one.queries})
            found.append(told._replace(done=f"recall counts so: `treering undo {one.event}` takes the last step back"))
    return found


def hubs(entities: Iterable[Hub]) -> list[Insight]:
    """Return entities with far more relations than is usual in their scope, the largest first."""
    scopes: dict[str, list[Hub]] = {}
    for entity in entities:
        scopes.setdefault(entity.scope, []).append(entity)
    found = []
    for scope, there in scopes.items():
        typical = sorted(one.degree for one in there)[int(HUB_TYPICAL * (len(there) - 1))]
        for one in there if len(there) >= HUB_AMONG else ():
            if one.degree >= max(HUB_LEAST, HUB_TIMES * typical):
                numbers = {"degree": one.degree, "others": typical, "entities": len(there)}
                told = insight(HUB, [scope, one.key], tuple(one.memories[:MOST_NAMED]), (), numbers)
                found.append(told._replace(about=one.name))
    return sorted(found, key=lambda one: (-one.weight, one.mark))


def hub_marks(entities: Iterable[Hub]) -> dict[str, str]:
    """Return the names of entities by the marks that they would have as hubs."""
    return {insight(HUB, [one.scope, one.key], (), (), {}).mark: one.name for one in entities}


def apart(one: tuple[int, int], other: tuple[int, int]) -> float:
    """Return by how many standard errors one share (of, all) is above another; 0 if undefined."""
    if not one[1] or not other[1]:
        return 0.0
    share = (one[0] + other[0]) / (one[1] + other[1])
    error = sqrt(share * (1 - share) * (1 / one[1] + 1 / other[1]))
    return (one[0] / one[1] - other[0] / other[1]) / error if error else 0.0


def _added(judged: Iterable[JudgedRecalls]) -> JudgedRecalls:
    recalls = helped = 0
    for one in judged:
        recalls, helped = recalls + one.recalls, helped + one.helped
    return JudgedRecalls(recalls, helped)


def _enough(*judged: JudgedRecalls) -> bool:
    return all(one.recalls >= PATTERN_RECALLS for one in judged)


def _compared(here: JudgedRecalls, others: JudgedRecalls) -> dict[str, float]:
    return {**here._asdict(), "others_recalls": others.recalls, "others_helped": others.helped}


def _shares(counted: Mapping[str, float]) -> dict[str, float]:
    whole = sum(counted.values())
    return {channel: value / whole for channel, value in counted.items()} if whole else {}
