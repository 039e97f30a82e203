"""Which episodes of one place are near each other. Only those that share rare terms are compared."""

from __future__ import annotations

import numpy as np

from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.summaries.holding import Held, Rows, Scores

    Tie = tuple[float, int, int]  # how near, and two episodes, the earlier first

_RAREST = 16  # terms of an episode by which others are looked for
_NEXT = 8  # episodes in time that are looked at for each term: a story is told in order
_PARTNERS = 16  # ties of an episode to later ones, the nearest: a group holds together by few of them
_BLOCK = 512  # episodes whose candidates are gathered together: bounds the memory to some 50 MB
_LEAST_SHARED = 0.5  # rare terms that two episodes share: one, or two words of any talk

# How likely it is that two episodes tell one story, as the logarithm of the odds. Fitted to the stories of two made-up
# projects; between half and double of each, little changes.
WORDS = 4.0  # for a rare term that both have
VECTORS = 7.2  # for a cosine of 1 instead of 0
PACE = 1.35  # against it, for each time that the number of episodes between them grows by a factor of 2.7
BASE = -1.5  # for two that follow each other with nothing in common
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
    """Pairs that are near, the nearest first."""
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
    """Pairs of episodes at some places with those that follow, as two columns, which share enough rare terms."""
    found, weights = [np.empty(0, np.int64)], [np.empty(0)]
    for step in range(1, _NEXT + 1):
        there = places[places + step < postings.ends[places]]
        found.append(postings.episodes[there] * count + postings.episodes[there + step])
        weights.append(postings.weights[there] * postings.weights[there + step])
    pairs, which = np.unique(np.concatenate(found), return_inverse=True)
    pairs = pairs[np.bincount(which, np.concatenate(weights), len(pairs)) >= _LEAST_SHARED]
    return np.stack([pairs // count, pairs % count], axis=1)


def _cosines(all: Held, pairs: Rows) -> Scores:
    found = np.full(len(pairs), UNSEEN)
    for at, (one, other) in enumerate(pairs.tolist()):
        mine, theirs = all.vectors[one], all.vectors[other]
        if mine is not None and theirs is not None:
            found[at] = mine @ theirs
    return found


def _words(all: Held, pairs: Rows) -> Scores:
    """What the terms are worth that the two of each pair share."""
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
    """The nearest few of each first one."""
    order = np.lexsort((pairs[:, 1], -near, pairs[:, 0]))
    near, pairs = near[order], pairs[order]
    firsts = np.searchsorted(pairs[:, 0], pairs[:, 0])
    kept = np.arange(len(order)) - firsts < _PARTNERS
    # Rounded, so that sums in another order make no other ties.
    return [
        (round(score, 9), one, other)
        for score, (one, other) in zip(near[kept].tolist(), pairs[kept].tolist(), strict=True)
    ]
