"""Group episodes that tell one story: three or more of one place that share rare words or names and
mean something alike.

Only episodes that share a rare term are compared, and of those each only with the next few in time,
so that the work grows with the number of episodes. Groups grow together along these ties, the
nearest first, as long as all of the one are near all of the other on average: in words, in meaning
and in time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush
from math import inf, log1p
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from treering.consolidate.summaries.held import held

if TYPE_CHECKING:
    from treering.consolidate.summaries.held import Held, Rows, Scores, Vector

    Tie = tuple[float, int, int]  # how near, and two episodes, the earlier first


_RAREST = 16  # terms of an episode by which others are looked for
_NEXT = 8  # episodes in time that are looked at for each term: a story is told in order
_PARTNERS = 16  # ties of an episode to later ones, the nearest: a group holds together by few of them
_BLOCK = 512  # episodes whose candidates are gathered together: bounds the memory to some 50 MB
_LEAST_TIE = 0.5  # rare terms that two episodes share: one, or two words of any talk

# How likely it is that two episodes tell one story, as the logarithm of the odds. Fitted to the stories of two made-up
# projects; between half and double of each, little changes.
WORDS = 4.0  # for a rare term that both have
VECTORS = 7.2  # for a cosine of 1 instead of 0
PACE = 1.35  # against it, for each time that the number of episodes between them grows by a factor of 2.7
BASE = -1.9  # for two that follow each other with nothing in common
UNSEEN = 0.12  # the cosine that is taken for those without a vector: between what is usual in a story and elsewhere
_MOST_COSINE = 0.6  # of two episodes of one story, nearly always
LEAST_COSINE = 0.03  # on average, whatever words are shared: below it they speak of different things
TIE = 0.2  # from which on two belong together: of the pairs in a group nine in ten are then right


class _Postings(NamedTuple):
    """The episodes of each rare term in the order of time, one term after the other."""

    episodes: Rows
    weights: Scores
    ends: Rows  # for each place in that, where its term ends
    places: list[Rows]  # for each block of episodes, the places at which they stand


def ties(all: Held) -> list[Tie]:
    """Return pairs that are near, the nearest first."""
    postings = _postings(all)
    firsts, lasts = np.array(all.firsts), np.array(all.lasts)
    found: list[Tie] = []
    for places in postings.places:
        pairs = _candidates(postings, places, len(all.times))
        one, other = pairs.T
        near = WORDS * _words(all, pairs) + BASE - PACE * np.log1p(lasts[other] - firsts[one] - 2)
        hopeful = near + VECTORS * _MOST_COSINE >= TIE  # the others would need copies of each other
        near, pairs = near[hopeful], pairs[hopeful]
        near += VECTORS * _cosines(all, pairs)
        found += _best(near[near >= TIE], pairs[near >= TIE])
    return sorted(found, key=lambda tie: (-tie[0], tie[1], tie[2]))


def _postings(all: Held) -> _Postings:
    count = len(all.times)
    owners = np.repeat(np.arange(count), np.diff(all.starts))
    at = np.flatnonzero(all.rare[all.keys])
    # Of each episode only the rarest terms.
    at = at[np.lexsort((all.keys[at], -all.worth[all.keys[at]], owners[at]))]
    firsts = np.searchsorted(owners[at], np.arange(count))
    at = at[np.arange(len(at)) - firsts[owners[at]] < _RAREST]
    at = at[np.lexsort((owners[at], all.keys[at]))]
    episodes, keys = owners[at], all.keys[at]
    order = np.argsort(episodes, kind="stable")
    cuts = np.searchsorted(episodes[order], np.arange(0, count + _BLOCK, _BLOCK))
    blocks = [order[cuts[at] : cuts[at + 1]] for at in range(len(cuts) - 1)]
    return _Postings(episodes, all.weights[at], np.searchsorted(keys, keys, side="right"), blocks)


def _candidates(postings: _Postings, places: Rows, count: int) -> Rows:
    """Return pairs of episodes with later ones that share enough rare terms, as two columns."""
    found, weights = [np.empty(0, np.int64)], [np.empty(0)]
    for step in range(1, _NEXT + 1):
        there = places[places + step < postings.ends[places]]
        found.append(postings.episodes[there] * count + postings.episodes[there + step])
        weights.append(postings.weights[there] * postings.weights[there + step])
    pairs, which = np.unique(np.concatenate(found), return_inverse=True)
    pairs = pairs[np.bincount(which, np.concatenate(weights), len(pairs)) >= _LEAST_TIE]
    return np.stack([pairs // count, pairs % count], axis=1)


def _cosines(all: Held, pairs: Rows) -> Scores:
    found = np.full(len(pairs), UNSEEN)
    for at, (one, other) in enumerate(pairs.tolist()):
        mine, theirs = all.vectors[one], all.vectors[other]
        if mine is not None and theirs is not None:
            found[at] = mine @ theirs
    return found


def _words(all: Held, pairs: Rows) -> Scores:
    """Return the worth of the terms that the two of each pair share."""
    one, other = pairs.T
    counts = all.starts[one + 1] - all.starts[one]
    ends = np.cumsum(counts)
    mine = np.repeat(np.arange(len(pairs)), counts)
    places = np.arange(len(mine)) - np.repeat(ends - counts, counts) + all.starts[one][mine]
    keys = all.keys[places]
    wanted = other[mine] * len(all.worth) + keys
    at = np.minimum(np.searchsorted(all.listed, wanted), len(all.listed) - 1)
    shared = np.where(all.listed[at] == wanted, all.worth[keys] * all.weights[places] * all.weights[at], 0.0)
    return np.asarray(np.bincount(mine, shared, len(pairs)) * all.scales[one] * all.scales[other])


def _best(near: Scores, pairs: Rows) -> list[Tie]:
    """Return the nearest few of each first one."""
    order = np.lexsort((pairs[:, 1], -near, pairs[:, 0]))
    near, pairs = near[order], pairs[order]
    firsts = np.searchsorted(pairs[:, 0], pairs[:, 0])
    kept = np.arange(len(order)) - firsts < _PARTNERS
    # Rounded, so that sums in another order make no other ties.
    return [
        (round(score, 9), one, other)
        for score, (one, other) in zip(near[kept].tolist(), pairs[kept].tolist(), strict=True)
    ]


_MOST = 240  # episodes of a story: one that goes on longer is cut in time anyway
_TIMED = 12  # episodes of a story whose times are compared: some stand for all
_ROUNDED = 6  # digits of a nearness: sums in another order must not make another story


class _Story:
    """Some episodes, with sums by which the nearness to all of another is one product."""

    __slots__ = ("members", "seen", "vector", "words")

    def __init__(self, all: Held, at: int) -> None:
        self.members = [at]
        terms = all.of(at)
        roots = np.sqrt(all.worth[terms]) * all.weights[all.starts[at] : all.starts[at + 1]] * all.scales[at]
        self.words: dict[int, float] = dict(zip(terms, roots.tolist(), strict=True))
        self.vector: Vector | None = all.vectors[at]
        self.seen = int(self.vector is not None)  # members with a vector

    def take(self, other: _Story) -> None:
        self.members = sorted(self.members + other.members)
        for term, value in other.words.items():
            self.words[term] = self.words.get(term, 0.0) + value
        if self.vector is None or other.vector is None:
            self.vector = other.vector if self.vector is None else self.vector
        else:
            self.vector = self.vector + other.vector
        self.seen += other.seen


def grown(all: Held, ties: Sequence[Tie]) -> list[list[int]]:
    """Return the stories of two episodes or more, each in the order of time.

    The nearest two are joined first. The nearness of two stories is computed when they are next; if
    they have grown apart meanwhile, they are put back.
    """
    homes: dict[int, _Story] = {}
    waiting = [(-near, one, other) for near, one, other in ties]
    heapify(waiting)
    while waiting:
        near, one, other = heappop(waiting)
        mine = homes.get(one) or homes.setdefault(one, _Story(all, one))
        theirs = homes.get(other) or homes.setdefault(other, _Story(all, other))
        if mine is theirs or len(mine.members) + len(theirs.members) > _MOST:
            continue
        now = -round(_near(all, mine, theirs), _ROUNDED)
        if now > near and waiting and now > waiting[0][0]:
            if now <= -TIE:
                heappush(waiting, (now, one, other))
        elif now <= -TIE:
            large, small = (mine, theirs) if len(mine.members) >= len(theirs.members) else (theirs, mine)
            large.take(small)
            homes.update(dict.fromkeys(small.members, large))
    found = {story.members[0]: sorted(story.members) for story in homes.values()}
    return sorted(story for story in found.values() if len(story) > 1)


def _near(all: Held, one: _Story, other: _Story) -> float:
    """Return the average odds of all of the one with all of the other. The products of all with all
    add up to the product of their sums."""
    pairs = len(one.members) * len(other.members)
    small, large = sorted((one.words, other.words), key=len)
    words = sum(value * large.get(term, 0.0) for term, value in small.items())
    cosines = UNSEEN * (pairs - one.seen * other.seen)
    if one.vector is not None and other.vector is not None:
        product = float(one.vector @ other.vector)
        if product < LEAST_COSINE * one.seen * other.seen:
            return -inf
        cosines += product
    return BASE + (WORDS * words + VECTORS * cosines) / pairs - PACE * _apart(all, one.members, other.members)


def _apart(all: Held, some: Sequence[int], others: Sequence[int]) -> float:
    """Return how far two stories are from each other in time: half of it where they are nearest,
    half all with all. The one goes on where the other ended, or both are told at the same time."""
    gaps = [log1p(all.between(one, other)) for one in _few(some) for other in _few(others)]
    return (min(gaps) + sum(gaps) / len(gaps)) / 2


def _few(members: Sequence[int]) -> Sequence[int]:
    return members[:: -(-len(members) // _TIMED)]


MIN_GROUP = 3  # episodes: two are a coincidence
MOST_MEMBERS = 12  # of a group: what is longer is cut in time, as no summary holds it
STRENGTH, TOPIC = "strength", "topic"
_MOST_ABOUT = 6  # terms in a label
_LEAST_SHARED = 2  # rare terms that at least two members have each
_CORE = 0.5  # of the members that share a term, for it to be what the group is about


class Episode(NamedTuple):
    """Something that happened, as one memory tells it."""

    id: str
    place: str  # the wall: only episodes of one place come together
    text: str
    created: int  # microseconds
    session: str = ""
    vector: Vector | None = None  # of length 1; None where there is no embedder
    queued: bool = False  # it has faded and waits for this
    tags: tuple[str, ...] = ()


class Group(NamedTuple):
    """Episodes on one topic."""

    members: tuple[str, ...]  # ids, the oldest first
    reason: str  # `STRENGTH` if one of them has faded, else `TOPIC`
    about: tuple[str, ...]  # names and words that they share, the best first


def groups(episodes: Sequence[Episode]) -> list[Group]:
    """Return the groups of all places, in the order of their first members. The result does not
    depend on the order of the episodes, and no episode is in two groups."""
    ordered = sorted(episodes, key=lambda episode: (episode.place, episode.created, episode.id))
    found: list[Group] = []
    begin = 0
    while begin < len(ordered):
        end = begin
        while end < len(ordered) and ordered[end].place == ordered[begin].place:
            end += 1
        if end - begin >= MIN_GROUP:
            found += _of_place(ordered[begin:end])
        begin = end
    return found


def label(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the names and words that most texts of a group share, best first."""
    all = held([(text, ()) for text in texts], [None] * len(texts), list(range(len(texts))))
    return _about(all, range(len(texts)))


def _of_place(episodes: Sequence[Episode]) -> Iterator[Group]:
    """Yield the groups of one place, in the order of time."""
    all = held(
        [(episode.text, episode.tags) for episode in episodes],
        [episode.vector for episode in episodes],
        [episode.created for episode in episodes],
    )
    for story in grown(all, ties(all)):
        for part in _cut(all, story) if len(story) >= MIN_GROUP else ():
            if not _is_one(all, part):
                continue
            members = [episodes[at] for at in part]
            reason = STRENGTH if any(member.queued for member in members) else TOPIC
            yield Group(tuple(member.id for member in members), reason, _about(all, part))


def _shared(all: Held, story: Sequence[int]) -> dict[int, int]:
    """Return how many of a story's members have each term."""
    counts: dict[int, int] = {}
    for at in story:
        for term in all.of(at):
            counts[term] = counts.get(term, 0) + 1
    return counts


def _is_one(all: Held, part: Sequence[int]) -> bool:
    """Tell whether more holds it together than one name: a person or a product has many stories."""
    return sum(count > 1 and bool(all.rare[term]) for term, count in _shared(all, part).items()) >= _LEAST_SHARED


def _cut(all: Held, story: Sequence[int]) -> list[list[int]]:
    """Return a story in parts of at most so many members, cut at the longest pauses."""
    if len(story) <= MOST_MEMBERS:
        return [list(story)]
    places = range(MIN_GROUP, len(story) - MIN_GROUP + 1)
    # Of equal gaps the one nearest to the middle, so that parts are not small for nothing.
    at = max(places, key=lambda at: (all.times[story[at]] - all.times[story[at - 1]], -abs(2 * at - len(story))))
    return [*_cut(all, story[:at]), *_cut(all, story[at:])]


def _about(all: Held, part: Sequence[int]) -> tuple[str, ...]:
    """Return what most members share, the rarest first, without words of a name that is there."""
    counts = _shared(all, part)
    telling = [term for term, count in counts.items() if count >= max(2, _CORE * len(part))]
    telling.sort(key=lambda term: (-counts[term] * all.worth[term] * (1.5 if all.named[term] else 1), all.shown[term]))
    found: list[str] = []
    for term in telling:
        word = all.shown[term]
        if not any(word in other for other in found):
            found = [other for other in found if other not in word] + [word]
    return tuple(found[:_MOST_ABOUT])
