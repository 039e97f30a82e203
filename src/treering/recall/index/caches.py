"""Cache what makes the next recall quicker: vectors, profiles, stems, postings, neighbours.

Nothing here is ever out of date: each entry lasts as long as the store's state it was read from.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from treering.ledger.types import Context, Memory
from treering.models.port import Embedder
from treering.recall.index.cells import Nearest
from treering.recall.index.postings import Postings, Stems
from treering.recall.index.profiles import ProfileCache
from treering.recall.lessons.lessons import Learner, Lessons
from treering.recall.ranking import Merits, merits
from treering.recall.scoring import EVERYTHING_LEARNED, Mix, Scores, Switches, middle, mix_for
from treering.stores.port.ledger import Reader
from treering.stores.port.search import Place

T = TypeVar("T")
Neighbours = tuple[int, int, int]  # a memory, the one before it in its session, and the one behind; 0 for none

KEPT = 20_000  # neighbours in memory
MOST_ENDS = 20_000  # keys of related things in memory; of more, the store is asked
_SAME = 0.1  # by which a store may grow or shrink before its words are counted again


class Related:
    """The keys of what is related in the graph, of memories up to the `last`."""

    def __init__(self, state: tuple[object, ...]) -> None:
        self.state = state
        self.last = 0
        self._keys: set[str] = set()
        self._first: set[str] = set()  # words of keys

    @property
    def many(self) -> bool:
        """True if there are so many that not all are here."""
        return len(self._keys) >= MOST_ENDS

    def add(self, keys: Iterable[str], last: int) -> None:
        self._keys.update(keys)
        self._first = {key.partition(" ")[0] for key in self._keys}
        self.last = last

    def may_begin(self, words: Iterable[str]) -> bool:
        """Tell whether any key begins with one of these words."""
        return self.many or not self._first.isdisjoint(words)

    def among(self, keys: Iterable[str]) -> list[str]:
        """Return those of the keys that may be related to anything."""
        return [key for key in keys if self.many or key in self._keys]


class Memo:
    def __init__(self, store: Reader, embedder: Embedder | None, switches: Switches = EVERYTHING_LEARNED) -> None:
        self.store = store
        self.switches = switches
        self.index = store.index
        self.embedder = embedder
        self.stems = Stems(self.index)
        self.nearest = Nearest(self.index)
        self.postings = Postings(self.index)
        self.profiles = ProfileCache(self.index, embedder.dimensions if embedder else 0)
        self.learner = Learner(store, self.stems, embedder)
        self._shares: dict[str, float] = {}
        self._counted_at = 0
        self._mixes: dict[tuple[str, str, str, str], Mix] = {}
        self._weighed_at = -1
        self._lessons: dict[str, Lessons] = {}
        self._learnt: tuple[object, int] = (None, 0)
        self._beside: dict[int, Neighbours] = {}
        self._beside_at: tuple[int, ...] = ()
        self._mentions: dict[str, list[int]] = {}
        self._mentions_at: tuple[tuple[int, int, int], ...] = ()
        self._related = Related(())
        self._totals: tuple[bytes, ...] = ()
        self._middle = middle(())
        self._version: Hashable = None
        self._read: dict[Hashable, object] = {}  # of this version of the store
        self._memories: dict[int, Memory] = {}  # the same
        self._merits: dict[int, Merits] = {}  # of these
        self._numbers: dict[str, int] = {}  # of these

    def look(self) -> None:
        """Forget what was read of the store, if anything has been written since."""
        version = self.store.version()
        if version != self._version:
            self._version, self._read, self._memories, self._merits, self._numbers = version, {}, {}, {}, {}

    def carry_over(self, before: Hashable, after: Hashable, changed: Sequence[str]) -> None:
        """Keep what was read of a version for a later one: between the two recalls were logged, and nothing else but
        these memories changed."""
        if self._version == before:
            self._version = after
            for id in changed:
                number = self._numbers.pop(id, 0)
                self._memories.pop(number, None)
                self._merits.pop(number, None)

    def once(self, key: Hashable, read: Callable[[], T]) -> T:
        """Return what was read of the store as it is now. Each key stands for values of one kind."""
        if key not in self._read:
            self._read[key] = read()
        return self._read[key]  # type: ignore[return-value]

    @property
    def size(self) -> int:
        """The number of memories, or a few more."""
        return self.once("size", lambda: self.index.size)

    def places(self, context: Context) -> list[Place]:
        """Return the places that somebody can see."""
        return self.once(context, lambda: self.index.places(context))

    def middle(self, places: Sequence[Place]) -> Scores:
        """Return the direction of the average memory of some places."""
        totals = tuple(place.total for place in places)
        if totals != self._totals:
            self._totals, self._middle = totals, middle(places)
        return self._middle

    def memories(self, numbers: Sequence[int]) -> dict[int, Memory]:
        """Return the memories that have these numbers."""
        if len(self._memories) > KEPT:
            self._memories, self._merits, self._numbers = {}, {}, {}
        if missing := [number for number in numbers if number not in self._memories]:
            found = self.index.found(missing)
            self._memories.update(found)
            self._numbers.update((memory.id, number) for number, memory in found.items())
        return self._memories

    def merits(self, number: int, memory: Memory) -> Merits:
        """Return what a memory has by itself."""
        found = self._merits.get(number)
        if found is None:
            found = self._merits[number] = merits(memory)
        return found

    def commonness(self, word: str) -> float:
        """Return the share of all memories that hold a stop word."""
        size = self.size
        if abs(size - self._counted_at) > _SAME * self._counted_at:
            self._shares, self._counted_at = {}, size
        if word not in self._shares:
            self._shares[word] = self.index.counts([word])[0] / max(size, 1)
        return self._shares[word]

    def mix(self, space: str, project: str, type: str, strategy: str) -> Mix:
        """Return the mix that holds now; looked up anew when anything has been written."""
        clock = self.once("clock", self.store.clock)
        if clock != self._weighed_at:
            self._mixes, self._weighed_at = {}, clock
        key = (space, project, type, strategy)
        if key not in self._mixes:
            self._mixes[key] = mix_for(self.store, *key)
        return self._mixes[key]

    def lessons_of(self, space: str) -> Lessons:
        """Return the lessons of a space; read again when any was added or lost."""
        lessons = self.index.lessons
        state = self.once("learned", lambda: (lessons.learned(), lessons.count()))
        if state != self._learnt:
            self._lessons, self._learnt = {}, state
        if space not in self._lessons:
            self._lessons[space] = Lessons(lessons.taken(space), self.embedder.dimensions if self.embedder else 0)
        return self._lessons[space]

    def related(self, places: Sequence[Place]) -> Related:
        """Return the keys of what is related in the graph. Some may be out of sight."""
        graph = self.index.graph
        last, models = self.once("graph", graph.state)
        state = (models, *(place.shape for place in places))
        known = self._related
        if state != known.state or last < known.last:
            known = self._related = Related(state)
        if last > known.last and not known.many:
            known.add(graph.ends(known.last, MOST_ENDS), last)
        return known

    def relations(self, keys: Sequence[str], places: Sequence[Place], most: int) -> list[tuple[str, str, float]]:
        """Return how some keys are related to others, as the graph tells."""
        here = tuple(place.number for place in places)
        none: dict[str, list[tuple[str, str, float]]] = {}
        known = self.once(("relations", here), lambda: none)
        if missing := [key for key in keys if key not in known]:
            rows = self.index.graph.related(missing, here, most)
            if len(rows) >= most:
                return self.index.graph.related(keys, here, most)
            known.update((key, []) for key in missing)
            for row in rows:
                known[row[0]].append(row)
        found = [row for key in keys for row in known[key]]
        return found if len(found) < most else self.index.graph.related(keys, here, most)

    def mentions(self, entities: Sequence[str], places: Sequence[Place], most: int) -> list[tuple[str, int]]:
        """Return which memories mention entities, as the index tells; cached until anything is added or lost."""
        state = tuple((place.number, place.held, place.shape) for place in places)
        if state != self._mentions_at or len(self._mentions) > KEPT:
            self._mentions, self._mentions_at = {}, state
        here = [place.number for place in places]
        if missing := [entity for entity in entities if entity not in self._mentions]:
            found = self.index.mentions(missing, here, most)
            if len(found) < most:
                self._mentions.update((entity, []) for entity in missing)
                for entity, number in found:
                    self._mentions[entity].append(number)
        # In the order in which the index would have told them.
        each = [(entity, self._mentions.get(entity)) for entity in sorted(entities)]
        if any(numbers is None for _, numbers in each) or sum(len(numbers or ()) for _, numbers in each) > most:
            return self.index.mentions(entities, here, most)
        return [(entity, number) for entity, numbers in each for number in numbers or ()]

    def beside(self, numbers: Sequence[int], places: Sequence[Place]) -> list[Neighbours]:
        """Return the neighbours of memories in their sessions; cached until anything is added or lost."""
        state = (self.size, *(place.shape for place in places))
        if state != self._beside_at or len(self._beside) > KEPT:
            self._beside, self._beside_at = {}, state
        if missing := [number for number in numbers if number not in self._beside]:
            self._beside.update((number, (number, 0, 0)) for number in missing)
            found = self.index.beside(missing)
            self._beside.update((number, (number, before or 0, behind or 0)) for number, before, behind in found)
        return [self._beside[number] for number in numbers]
