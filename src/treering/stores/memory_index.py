"""The searchable side of the store in memory: plain dictionaries, looked through from end to end."""

from __future__ import annotations

from array import array
from math import log

from treering.core.index import PASSAGE, SHARERS, SPARE, Cell, Place, Profile, sharers
from treering.core.types import Memory, visible
from treering.core.words import compounds, folded
from treering.stores.memory_lessons import MemoryLessons
from treering.stores.memory_strands import MemoryStrands, Woven

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeVar

    from treering.core.types import Context, Filter

    T = TypeVar("T")
    Places = dict[tuple[str, ...], Place]
    Folded = dict[int, tuple[list[Cell], list[tuple[int, bytes]]]]  # of each place: cells, and postings of stems

_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ed", "es", "s", "e", "y")
_SHORTEST = 3  # letters of a stem
_AGE = 1 << 32  # the shapes that a place may go through until the index is made anew


class MemoryIndex:
    """See `core.index.Index` for what each method promises. It is a stand-in for BM25 and Porter's stems: it finds
    the same words, knows common endings, and ranks the plain cases alike."""

    def __init__(self, write: Callable[..., Any]) -> None:
        self._write = write
        self.embedder = ""
        self.tentative = False
        self._age = 0  # how often it was made anew
        self._last = 0  # the last number: none is given twice
        self._memories: dict[int, Memory] = {}
        self._said: dict[int, str] = {}  # stems, with a blank on either side and an end of line between fields
        self._profiles: dict[int, Profile] = {}
        self._places: Places = {}  # without sums: those are made when asked for
        self._folded: Folded = {}
        self._woven = Woven()
        self.lessons = MemoryLessons()

    @property
    def strands(self) -> MemoryStrands:
        return MemoryStrands(self._woven, self._weave, self._memories, self._place_of, fits)

    @property
    def state(self) -> dict[str, Any]:
        """All of it, to go back to."""
        kept = {name: {**value} if isinstance(value, dict) else value for name, value in vars(self).items()}
        return {**kept, "lessons": self.lessons.copy()}

    @state.setter
    def state(self, state: dict[str, Any]) -> None:
        vars(self).update(state)

    @property
    def size(self) -> int:
        return max(self._memories, default=0)

    def follow(self, old: Memory | None, new: Memory | None) -> None:
        """Bring the index from what a record was to what it is."""
        number = self.named([old.id]).get(old.id, 0) if old is not None else 0
        before, after = _fields(old), _fields(new)
        if before and before != after:
            self._remove(number)
        self._memories.pop(number, None)
        if not number or (after and before != after):
            number = self._last = self._last + 1
            self._said.update({number: "\n".join(map(_stems, after))} if after else {})
        if new is not None:
            self._memories[number] = new

    def reset(self) -> None:
        """Nothing has been remembered, and nothing been made ready."""
        self.clear("")
        self._last, self._memories, self._said, self._woven = 0, {}, {}, Woven()

    def view(self, work: Callable[[], T]) -> T:
        return work()

    def write(self, work: Callable[[], T]) -> T:
        done: T = self._write(work)
        return done

    def settled(self, embedder: str) -> bool:
        return self.embedder == embedder and not self.pending(1)

    def pending(self, limit: int) -> list[tuple[int, Memory]]:
        last = max(self._profiles, default=0)
        return [(number, self._memories[number]) for number in sorted(self._said) if number > last][:limit]

    def add(self, made: Iterable[tuple[Memory, Profile]]) -> None:
        for memory, profile in made:
            there = self._memories.get(profile.number) if profile.number in self._said else None
            if there is not None and there.id == memory.id and profile.number not in self._profiles:
                self._profiles[profile.number] = profile._replace(place=self._place(memory), session=memory.session)

    def clear(self, embedder: str) -> None:
        self.embedder, self._age = embedder, self._age + 1
        self._profiles, self._places, self._folded = {}, {}, {}
        self.lessons = MemoryLessons()

    def places(self, seen_by: Context) -> list[Place]:
        owned = [(place, held) for place in self._places.values() if (held := self._held(place.number))]
        return [_summed(*one) for one in owned if visible(self._memories[one[1][0].number], seen_by)]

    def all_places(self, space: str) -> list[Place]:
        owned = [(place, held) for place in self._places.values() if (held := self._held(place.number))]
        return [_summed(*one) for one in owned if self._memories[one[1][0].number].space == space]

    def tail(self, place: int, after: int) -> list[tuple[int, bytes]]:
        return [(profile.number, profile.vector) for profile in self._held(place) if profile.number > after]

    def cells(self, place: int, wanted: Sequence[int] | None = None) -> list[Cell]:
        cells, _ = self._folded.get(place, ([], []))
        return [cell for cell in cells if wanted is None or cell.cell in wanted]

    def stemmed(self, place: int, after: int) -> list[tuple[int, bytes]]:
        return [(profile.number, profile.stems) for profile in self._held(place) if profile.number > after]

    def postings(self, place: int, stems: Sequence[int] | None = None) -> list[tuple[int, bytes]]:
        _, postings = self._folded.get(place, ([], []))
        return [(stem, members) for stem, members in postings if stems is None or stem in stems]

    def fold(self, place: Place, cells: Iterable[Cell], postings: Iterable[tuple[int, bytes]], anew: bool) -> None:
        old = ([], []) if anew else (self.cells(place.number), self.postings(place.number))
        self._folded[place.number] = ([*old[0], *cells], [*old[1], *postings])
        name, known = next((name, one) for name, one in self._places.items() if one.number == place.number)
        shape = known.shape + anew
        self._places[name] = known._replace(folded=place.folded, centroids=place.centroids, shape=shape)

    def stems(self, words: Sequence[str]) -> list[str]:
        return [next(iter(_stems(word).split()), "") for word in words]

    def counts(self, terms: Sequence[str]) -> list[int]:
        return [len(self._holding(term)) for term in terms]

    def match(
        self, terms: Sequence[str], places: Sequence[int], narrow: Filter | None, k: int
    ) -> list[tuple[int, float]]:
        scores: dict[int, float] = {}
        for term in terms:
            holding = self._holding(term)
            for number in holding:
                scores[number] = scores.get(number, 0.0) + log(1 + len(self._memories) / len(holding))
        here = {profile.number for profile in self._profiles.values() if profile.place in places}
        if narrow is not None:
            here.intersection_update(self.numbers(narrow))
        found = [(number, score) for number, score in scores.items() if number in here]
        return sorted(found, key=lambda one: (-one[1], -one[0]))[:k]

    def sharing(self, terms: Sequence[str], where: Filter, k: int) -> list[Memory]:
        found = sharers([sorted(self._holding(term), reverse=True)[:SHARERS] for term in terms])[: SPARE * k]
        return [self._memories[number] for number in found if fits(self._memories[number], where)][:k]

    def vocabulary(self, prefix: str) -> list[str]:
        stems = {stem for said in self._said.values() for stem in said.split()}
        return sorted(stem for stem in stems if stem.startswith(prefix))

    def mentions(self, entities: Sequence[str], places: Sequence[int], k: int) -> list[tuple[str, int]]:
        here = [profile for place in places for profile in self._held(place)]
        return [(entity, one.number) for entity in entities for one in here if entity in one.entities][:k]

    def numbers(self, narrow: Filter) -> list[int]:
        return [number for number, memory in self._memories.items() if fits(memory, narrow)]

    def profiles(self, numbers: Sequence[int]) -> list[Profile]:
        found = (self._profiles[number] for number in dict.fromkeys(numbers) if number in self._profiles)
        return [profile._replace(session="", entities=()) for profile in found]

    def beside(self, numbers: Sequence[int]) -> list[tuple[int, int | None, int | None]]:
        found = []
        for number in dict.fromkeys(numbers):
            me = self._profiles.get(number)
            if me is not None and me.session:
                line = [one for one in self._held(me.place) if one.session == me.session]
                order = [one.number for one in sorted(line, key=lambda one: (one.created, one.number))]
                at = order.index(number)
                found.append((number, order[at - 1] if at else None, order[at + 1] if order[at + 1 :] else None))
        return found

    def used(self, numbers: Sequence[int]) -> list[str]:
        return [memory.id for memory in self.found(numbers).values() if memory.accesses]

    def named(self, ids: Sequence[str]) -> dict[str, int]:
        return {memory.id: number for number, memory in self._memories.items() if memory.id in ids}

    def found(self, numbers: Sequence[int]) -> dict[int, Memory]:
        return {number: self._memories[number] for number in numbers if number in self._memories}

    def _held(self, place: int) -> list[Profile]:
        return sorted(profile for profile in self._profiles.values() if profile.place == place)

    def _place(self, memory: Memory) -> int:
        project = memory.project if memory.scope != "user" else ""
        session = memory.session if memory.scope == "session" else ""
        new = Place(len(self._places) + 1, shape=self._age * _AGE)
        return self._places.setdefault((memory.space, memory.scope, project, session), new).number

    def _place_of(self, number: int) -> int:
        return self._profiles[number].place if number in self._profiles else 0

    def _weave(self, woven: Woven) -> None:
        self._woven = woven

    def _remove(self, number: int) -> None:
        del self._said[number]
        self.strands.remove([number])
        self.lessons.remove([number])
        gone = self._profiles.pop(number, None)
        if gone is None:
            return
        for name, place in self._places.items():
            if place.number == gone.place:
                self._places[name] = place._replace(shape=place.shape + 1)
        cells = [_emptied(cell, number) for cell in self.cells(gone.place)]
        postings = [(stem, _without(members, number)) for stem, members in self.postings(gone.place)]
        self._folded[gone.place] = (cells, postings)

    def _holding(self, term: str) -> list[int]:
        wanted = _stems(term)
        return [number for number, said in self._said.items() if wanted in said] if wanted.strip() else []


def fits(memory: Memory, where: Filter) -> bool:
    """Whether a filter lets a memory through."""
    return (
        memory.space == where.space
        and where.type in ("", memory.type)
        and where.scope in ("", memory.scope)
        and where.project in ("", memory.project)
        and where.session in ("", memory.session)
        and (not where.statuses or memory.status in where.statuses)
        and (not where.tag or where.tag in memory.tags)
        and (where.visible_to is None or visible(memory, where.visible_to))
        and (where.since is None or memory.created >= where.since)
        and (where.until is None or memory.created <= where.until)
        and (memory.invariant or not where.invariant)
    )


def _fields(memory: Memory | None) -> tuple[str, ...]:
    """What is indexed of a memory; nothing of one that is gone or forgotten."""
    if memory is None or memory.status == "forgotten":
        return ()
    return (memory.content, memory.details, " ".join(memory.tags), compounds(f"{memory.content} {memory.details}"))


def _stems(text: str) -> str:
    return f" {' '.join(map(_stem, folded(text)))} "


def _stem(word: str) -> str:
    """A word without its endings, roughly. The stem of a stem is the stem, so that one can be searched for."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return _stem(word[: -len(ending)])
    return word


def _summed(place: Place, held: Sequence[Profile]) -> Place:
    vectors = [array("b", profile.vector) for profile in held]
    return place._replace(
        held=len(held),
        length=sum(max(profile.words, PASSAGE) for profile in held),
        total=array("i", map(sum, zip(*vectors, strict=True))).tobytes(),
        norms=sum(round(sum(value * value for value in vector) ** 0.5) for vector in vectors),
        tail=sum(profile.number > place.folded for profile in held),
    )


def _without(members: bytes, number: int) -> bytes:
    return array("i", (member for member in array("i", members) if member != number)).tobytes()


def _emptied(cell: Cell, number: int) -> Cell:
    members = array("i", cell.members)
    width = len(cell.vectors) // len(members)
    vectors = bytearray(cell.vectors)
    for at, member in enumerate(members):
        if member == number:
            members[at] = 0
            vectors[at * width : (at + 1) * width] = bytes(width)
    return Cell(cell.cell, members.tobytes(), bytes(vectors))
