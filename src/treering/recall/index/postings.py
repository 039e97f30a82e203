"""Find which memories hold the words of a query, by stems as numbers.

Only the places that may be seen are counted: what others remember changes nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from treering.stores.port.search import Index, Place
from treering.text.words import STOP_WORDS

Numbers = NDArray[np.int32]
Tail = tuple[NDArray[np.uint32], Numbers]  # stems in order, and whose each is: each pair once

NEGATIONS = frozenset(
    "no not nor never none cannot aren can couldn didn doesn don hadn hasn haven isn mustn shan".split()
)
_EMPTY = STOP_WORDS - NEGATIONS
END = 0  # stands between the stems of a text and those of its tags and compounds
MOST_KEPT = 200_000  # words whose stems are remembered; a store has fewer, but for identifiers and numbers


class Stems:
    """Stems as 32 bits. Two of a million share a number: a false match in 50,000 texts."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._known: dict[str, int] = {}

    def of(self, words: Sequence[str]) -> list[int]:
        """Return the numbers of words in lower case."""
        known = self._known
        try:
            return [known[word] for word in words]
        except KeyError:
            self._learn(words)
            return [self._known[word] for word in words]

    def meaningful(self, words: Iterable[str]) -> list[int]:
        """Return the numbers of the words that say something; a negation does, though nobody seeks one."""
        return self.of([word for word in words if word not in _EMPTY])

    def _learn(self, words: Iterable[str]) -> None:
        if len(self._known) > MOST_KEPT:
            self._known = {}
        new = list(dict.fromkeys(words) if not self._known else {word for word in words if word not in self._known})
        stems = self._index.stems(new)
        found = {word: crc32((stem or word).encode("utf-8", "replace")) for word, stem in zip(new, stems, strict=True)}
        self._known.update(found)


# Memories weighed for being the best, of those that hold the rarest words. Whoever holds none of these holds only
# common words, of which the rest of the query has fewer than the best have.
WEIGHED = 20_000


MOST_BYTES = 8_388_608  # of lists that are kept: those of some 10,000 memories, or of the rare words of many more
_AN_ENTRY = 200  # bytes that keeping a list takes beside it


class Postings:
    """For each stem, the memories that hold it. Those of the tails are kept in memory."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._tails: dict[int, tuple[tuple[int, int, int], Tail]] = {}
        self._folded: dict[tuple[int, int, int], dict[int, Numbers]] = {}  # by place, shape, and how far it is folded
        self._held = 0  # bytes of these

    def lists(self, places: Sequence[Place], stems: Sequence[int]) -> dict[int, Numbers]:
        """Return the memories of some places that hold each of the stems."""
        found: dict[int, list[Numbers]] = {stem: [] for stem in stems}
        for place in places:
            if place.folded:
                for stem, members in self._listed(place, stems).items():
                    found[stem].append(members)
            if place.tail:
                held, owners = self._tail(place)
                wanted = np.array(stems, np.uint32)
                starts, ends = held.searchsorted(wanted).tolist(), held.searchsorted(wanted, "right").tolist()
                for stem, start, end in zip(stems, starts, ends, strict=True):
                    found[stem].append(owners[start:end])
        return {stem: _joined(parts) for stem, parts in found.items()}

    def _listed(self, place: Place, stems: Sequence[int]) -> dict[int, Numbers]:
        """Return the lists of the stems that any memory in the cells of a place holds."""
        state = (place.number, place.shape, place.folded)
        if self._held > MOST_BYTES:
            self._folded, self._held = {}, 0
        known = self._folded.setdefault(state, {})
        if missing := [stem for stem in stems if stem not in known]:
            parts: dict[int, list[Numbers]] = {stem: [] for stem in missing}
            for stem, members in self._index.postings(place.number, missing):
                parts[stem].append(np.frombuffer(members, np.int32))
            known.update((stem, _joined(lists)) for stem, lists in parts.items())
            self._held += sum(known[stem].nbytes + _AN_ENTRY for stem in missing)
        return {stem: known[stem] for stem in stems if len(known[stem])}

    def _tail(self, place: Place) -> Tail:
        state = (place.shape, place.folded, place.tail)
        kept = self._tails.get(place.number)
        if kept is None or kept[0] != state:
            rows = self._index.tail(place.number, place.folded)
            owners = np.repeat(
                np.array([number for number, _, _ in rows], np.int32), [len(stems) // 4 for _, _, stems in rows]
            )
            held = np.frombuffer(b"".join(stems for _, _, stems in rows), np.uint32)
            pairs = np.unique(held.astype(np.uint64) << 32 | owners.astype(np.uint64))
            sorted_pairs = (pairs >> 32).astype(np.uint32), (pairs & 0xFFFFFFFF).astype(np.int32)
            kept = self._tails[place.number] = (state, sorted_pairs)
        return kept[1]


def _joined(parts: Sequence[Numbers]) -> Numbers:
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty(0, np.int32)


def heaviest(
    lists: Mapping[int, Numbers], weights: Mapping[int, float], k: int, only: set[int] | None
) -> dict[int, float]:
    """Return the memories whose words of the query weigh most."""
    held = sorted((members for members in lists.values() if len(members)), key=len)
    if not held:
        return {}
    each = [members for members in lists.values() if len(members)]
    said = np.repeat([weights[stem] for stem, members in lists.items() if len(members)], [*map(len, each)])
    sums = np.bincount(np.concatenate(each), said)
    # Each that holds any of the words, once and in order; of very many only those with the rarest words.
    able = sums.nonzero()[0] if len(said) <= WEIGHED else np.unique(_rarest(held))
    if only is not None:
        able = able[np.isin(able, np.fromiter(only, np.int64, len(only)))]
    scores = sums[able]
    if len(able) > k:
        least = np.partition(scores, len(able) - k)[len(able) - k]
        able = able[scores >= least]
        scores = sums[able]
    order = (-scores).argsort(kind="stable")[:k]
    return dict(zip(able[order].tolist(), scores[order].tolist(), strict=True))


def _rarest(lists: Sequence[Numbers]) -> Numbers:
    """Return numbers from the first lists until there are enough; the newest of a longer list."""
    chosen, left = [np.empty(0, np.int32)], WEIGHED
    for members in lists:
        if left > 0:
            chosen.append(members[-left:])
            left -= len(members)
    return np.concatenate(chosen)
