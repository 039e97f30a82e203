"""Find memories that have no profile yet by their words, and make them ready for one recall.

So a recall answers from everything that is remembered, however much was written since the last
indexing, and whoever holds the store's lock meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treering.ledger.types import RECALLABLE, Context, Filter
from treering.models.embed.static import normalise
from treering.recall.index.caches import Memo
from treering.recall.index.profiles import make_profiles
from treering.stores.port.search import PASSAGE, Place, Profile
from treering.text.words import STOP_WORDS

if TYPE_CHECKING:
    from treering.models.port import Matrix


MOST = 40  # memories, the best by their words: to make them ready takes about as many milliseconds
NUMBER = 0  # of the place that they are in for the time being; the index has no place of this number


class Rest(NamedTuple):
    """Memories that wait for their profiles, as far as they may answer a query."""

    waiting: int = 0  # memories without a profile, or a few more
    profiles: tuple[Profile, ...] = ()

    @property
    def place(self) -> Place:
        """A place for all that waits, about as long as those that were found."""
        length = sum(max(PASSAGE, profile.words) for profile in self.profiles) // max(1, len(self.profiles))
        return Place(NUMBER, self.waiting, self.waiting * length)

    def lists(self, stems: Sequence[int]) -> dict[int, NDArray[np.int32]]:
        """Return which of them hold each stem."""
        held = {one.number: frozenset(np.frombuffer(one.stems, np.uint32).tolist()) for one in self.profiles}
        found = {stem: sorted(number for number, own in held.items() if stem in own) for stem in stems}
        return {stem: np.array(numbers, np.int32) for stem, numbers in found.items()}

    def near(self, query: Matrix) -> tuple[NDArray[np.int32], Matrix]:
        """Return their numbers, and how near each is to a direction of length 1."""
        whole = np.frombuffer(b"".join(one.vector for one in self.profiles), np.int8)
        rows = normalise(whole.reshape(len(self.profiles), len(query)).astype(np.float32))
        return np.array([one.number for one in self.profiles], np.int32), rows @ query


def find_rest(memo: Memo, words: Sequence[str], context: Context, narrow: Filter | None, every: bool) -> Rest:
    """Return what waits, or `every` memory, where the index holds vectors of another embedder."""
    after = 0 if every else memo.once("profiled", lambda: memo.index.profiled)
    waiting = memo.size - after
    if waiting <= 0:
        return Rest()
    terms = [word for word in words if word not in STOP_WORDS]
    where = narrow or Filter(context.space, statuses=RECALLABLE, visible_to=context)
    pending = memo.index.waiting(list(dict.fromkeys(terms)), where, after, MOST)
    made = make_profiles(sorted(pending, key=lambda pair: pair[0]), memo.stems, memo.embedder)
    return Rest(waiting, tuple(profile for _, profile in made))
