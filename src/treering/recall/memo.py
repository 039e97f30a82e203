"""What makes the next recall quicker: vectors, profiles, stems, who holds which word, what stands side by side.

Nothing here is ever out of date: each thing is kept for as long as the state of the store that it was read from.
"""

from __future__ import annotations

from treering.recall.lessons.book import Book
from treering.recall.lessons.making import Learner
from treering.recall.profile.nearest import Nearest
from treering.recall.profile.postings import Postings
from treering.recall.profile.shelf import Shelf
from treering.recall.profile.stems import Stems
from treering.recall.weights import EVERYTHING_LEARNED, mix_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.core.index import Place
    from treering.core.ports import Embedder, Reader
    from treering.recall.weights import Mix, Switches

    Neighbours = tuple[int, int | None, int | None]

KEPT = 20_000  # neighbours in memory
_SAME = 0.1  # by which a store may grow or shrink before its words are counted again


class Memo:
    def __init__(self, store: Reader, embedder: Embedder | None, switches: Switches = EVERYTHING_LEARNED) -> None:
        self.store = store
        self.switches = switches
        self.index = store.index
        self.embedder = embedder
        self.stems = Stems(self.index)
        self.nearest = Nearest(self.index)
        self.postings = Postings(self.index)
        self.shelf = Shelf(self.index, embedder.dimensions if embedder else 0)
        self.learner = Learner(store, self.stems, embedder)
        self._shares: dict[str, float] = {}
        self._counted_at = 0
        self._mixes: dict[tuple[str, str, str, str], Mix] = {}
        self._weighed_at = -1
        self._books: dict[str, Book] = {}
        self._learnt: tuple[object, int] = (None, 0)
        self._beside: dict[int, Neighbours] = {}
        self._beside_at: tuple[int, ...] = ()

    def commonness(self, word: str) -> float:
        """The share of all memories that hold a word which says nothing: which, that tells nobody anything."""
        size = self.index.size
        if abs(size - self._counted_at) > _SAME * self._counted_at:
            self._shares, self._counted_at = {}, size
        if word not in self._shares:
            self._shares[word] = self.index.counts([word])[0] / max(size, 1)
        return self._shares[word]

    def mix(self, space: str, project: str, type: str, strategy: str) -> Mix:
        """The mix that holds now; looked up anew when anything has been written."""
        clock = self.store.clock()
        if clock != self._weighed_at:
            self._mixes, self._weighed_at = {}, clock
        key = (space, project, type, strategy)
        if key not in self._mixes:
            self._mixes[key] = mix_for(self.store, *key)
        return self._mixes[key]

    def book(self, space: str) -> Book:
        """The lessons of a space; read again when anything was learned or is gone."""
        lessons = self.index.lessons
        state = (lessons.learnt(), lessons.count())
        if state != self._learnt:
            self._books, self._learnt = {}, state
        if space not in self._books:
            self._books[space] = Book(lessons.taken(space), self.embedder.dimensions if self.embedder else 0)
        return self._books[space]

    def beside(self, numbers: Sequence[int], places: Sequence[Place]) -> list[Neighbours]:
        """What stands beside memories in their sessions; known until anything comes or goes."""
        state = (self.index.size, *(place.shape for place in places))
        if state != self._beside_at or len(self._beside) > KEPT:
            self._beside, self._beside_at = {}, state
        if missing := [number for number in numbers if number not in self._beside]:
            self._beside.update((number, (number, None, None)) for number in missing)
            self._beside.update((found[0], found) for found in self.index.beside(missing))
        return [self._beside[number] for number in numbers]
