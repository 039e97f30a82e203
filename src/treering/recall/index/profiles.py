"""Make memories ready for scoring, and cache them side by side in columns.

Each column is one array that grows at its end, so that candidates are gathered without a loop.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treering.ledger.types import Memory
from treering.recall.index.postings import END, Stems
from treering.recall.lessons.rules import kind_of
from treering.stores.port.search import Index, Place, Profile
from treering.text.mentions import entities
from treering.text.words import compounds, folded

if TYPE_CHECKING:
    from treering.models.port import Embedder, Matrix


PORTION = 1_000  # memories profiled between two short transactions: others write in between
SHORTEST = 4  # words of a sentence; a shorter one says too little to have a direction, and joins the next
MOST_SENTENCES = 64  # of a memory; in a longer text several make one, so that no text weighs on the disk for ever
_END = re.compile(r"(?<=[.!?])\s+|\n+")
_FULL = 127  # the greatest 8-bit integer
_WIDTH = 4  # bytes of a stem
_END_MARK = END.to_bytes(_WIDTH, "little")


def catch_up(
    index: Index,
    stems: Stems,
    embedder: Embedder | None,
    progress: Callable[[int], None],
    going: Callable[[], bool] = lambda: True,
    most: int = sys.maxsize,
) -> int:
    """Give every memory that has none its profile, or the first `most`, as long as there is time. Return how many."""
    name = embedder.name if embedder else "none"
    if index.embedder != name:
        index.write(lambda: index.clear(name) if index.embedder != name else None)
    done = 0
    while done < most and going() and (pending := index.pending(min(PORTION, most - done))):
        made = make_profiles(pending, stems, embedder)
        index.write(lambda made=made: index.add(made))  # type: ignore[misc]
        done += len(made)
        progress(done)
    return done


def quantised(matrix: Matrix) -> list[bytes]:
    """Return rows as 8-bit integers, each stretched to fill them: only the direction counts."""
    greatest = np.abs(matrix).max(axis=1, keepdims=True) if matrix.size else matrix
    whole = np.rint(matrix * (_FULL / np.maximum(greatest, 1e-9))).astype(np.int8)
    return [row.tobytes() for row in whole]


def text_of(memory: Memory) -> str:
    """Return all that a memory says: its text, and what of its fields is not in it."""
    fields = (memory.problem, memory.approach, memory.gotchas, memory.trigger, memory.action, memory.outcome)
    return "\n".join([memory.content, *(field for field in fields if field and field not in memory.content)])


def sentences(text: str) -> list[str]:
    """Return at most so many sentences of a text, short ones joined to the next."""
    found: list[str] = []
    for sentence in _END.split(text):
        if found and found[-1].count(" ") + 1 < SHORTEST:
            found[-1] += " " + sentence
        elif sentence:
            found.append(sentence)
    size = -(-len(found) // MOST_SENTENCES)
    return [" ".join(found[at : at + size]) for at in range(0, len(found), size)] if size > 1 else found


def make_profiles(
    pending: Sequence[tuple[int, Memory]], stems: Stems, embedder: Embedder | None
) -> list[tuple[Memory, Profile]]:
    """Return the profiles of memories, each with its memory."""
    texts = [text_of(memory) for _, memory in pending]
    vectors = quantised(embedder.embed(texts)) if embedder else [b""] * len(texts)
    parts = [sentences(text) for text in texts]
    several = [part for found in parts if len(found) > 1 for part in found]
    rest = iter(quantised(embedder.embed(several)) if embedder and several else [])
    made = []
    for (number, memory), text, vector, found in zip(pending, texts, vectors, parts, strict=True):
        words, extra = folded(text), folded(" ".join((*memory.tags, compounds(text))))
        listed = [*stems.meaningful(words), END, *stems.meaningful(extra)]
        profile = Profile(
            number,
            0,
            memory.created,
            len(words),
            np.array(listed, np.uint32).tobytes(),
            vector,
            b"".join(next(rest, b"") for _ in found) if len(found) > 1 else b"",
            memory.session,
            entities(text),
            kind_of(memory, len(words)),
        )
        made.append((memory, profile))
    return made


MOST = 20_000  # profiles kept: about 30 MB


class Candidates(NamedTuple):
    """Some profiles, ready to be computed with."""

    numbers: NDArray[np.int64]
    created: NDArray[np.int64]
    words: NDArray[np.int64]
    stems: NDArray[np.uint32]  # of all of them, end to end
    ends: NDArray[np.intp]  # where those of each text end
    vectors: Matrix  # of length 1
    sentences: NDArray[np.int8]  # of all of them, end to end
    lengths: Matrix  # of the sentences' vectors
    last: NDArray[np.intp]  # where the sentences of each text end
    kinds: NDArray[np.int64] = np.empty(0, np.int64)
    sayings: NDArray[np.int64] = np.empty(0, np.int64)  # equal where two texts say the same; 0 for nothing
    slots: NDArray[np.intp] = np.empty(0, np.intp)  # by number, where those that are candidates stand

    def places_of(self, numbers: NDArray[np.int64]) -> NDArray[np.intp]:
        """Return where memories stand among the candidates; -1 for those that do not."""
        slots = self.slots
        if not len(slots):
            slots = np.zeros(int(self.numbers.max(initial=0)) + 1, np.intp)
            slots[self.numbers] = np.arange(len(self.numbers))
        at = np.minimum(slots.take(numbers, mode="clip"), len(self.numbers) - 1)
        return np.where(self.numbers[at] == numbers, at, -1)


# What is kept of a profile in whole numbers: the last four say where its stems and sentences begin, and how many.
_FACTS = 10


class ProfileCache:
    def __init__(self, index: Index, dimensions: int) -> None:
        self._index = index
        self._dimensions = dimensions
        self._shapes: dict[int, int] = {}
        self._clear()

    def _clear(self) -> None:
        self._rows = np.full(1_024, -1, np.intp)  # where each number stands
        self._slots = np.zeros(1_024, np.intp)  # the same among the latest candidates; of others anything
        self._facts = _Column(np.int64, _FACTS)  # number, place, created, words, kind, saying, and where its runs are
        self._vectors = _Column(np.float32, self._dimensions)
        self._stems = _Column(np.uint32, 1)
        self._sentences = _Column(np.int8, self._dimensions)
        self._lengths = _Column(np.float32, 1)

    def take(self, numbers: Collection[int], places: Sequence[Place], rest: Sequence[Profile] = ()) -> Candidates:
        """Return the profiles of those memories that lie in some places, and of the `rest`, which has none stored.

        A number stands for the same text as long as nothing is lost from its place; then all is
        read anew.
        """
        if len(self._facts.array) > MOST or any(self._shapes.get(p.number, p.shape) != p.shape for p in places):
            self._clear()
        self._shapes.update((place.number, place.shape) for place in places)
        here = np.array([place.number for place in places])
        asked = np.fromiter(numbers, np.intp, len(numbers))
        rows = self._standing(asked, here)
        if len(missing := asked[rows < 0]):
            made = {profile.number: profile for profile in rest}
            absent = missing.tolist()
            stored = self._index.profiles([number for number in absent if number not in made])
            self._add([*stored, *(made[number] for number in absent if number in made)])
            rows = self._standing(asked, here)
        rows = rows[rows >= 0]
        facts = self._facts.array.take(rows, axis=0)
        self._slots[facts[:, 0]] = np.arange(len(rows))
        stems, ends = _run(facts[:, 6], facts[:, 7])
        sentences, last = _run(facts[:, 8], facts[:, 9])
        return Candidates(
            facts[:, 0],
            facts[:, 2],
            facts[:, 3],
            self._stems.array.reshape(-1).take(stems),
            ends,
            self._vectors.array.take(rows, axis=0),
            self._sentences.array.take(sentences, axis=0),
            self._lengths.array.reshape(-1).take(sentences),
            last,
            facts[:, 4],
            facts[:, 5],
            self._slots,
        )

    def _standing(self, numbers: NDArray[np.intp], places: NDArray[np.int64]) -> NDArray[np.intp]:
        """Return the rows of numbers; -1 for one that has none in any of the places."""
        if len(numbers) and (last := int(numbers.max())) >= len(self._rows):
            more = max(last + 1, 2 * len(self._rows)) - len(self._rows)
            self._rows = np.concatenate([self._rows, np.full(more, -1, np.intp)])
            self._slots = np.concatenate([self._slots, np.zeros(more, np.intp)])
        rows = self._rows[numbers]
        if not len(self._facts.array):
            return rows
        lie = self._facts.array[:, 1].take(rows, mode="wrap")
        there = lie == places[0] if len(places) == 1 else (lie[:, None] == places).any(axis=1)
        there &= rows >= 0
        return rows if there.all() else np.where(there, rows, -1)

    def _add(self, profiles: Sequence[Profile]) -> None:
        if not profiles:
            return
        stems, sentences = len(self._stems.array), len(self._sentences.array)
        facts = []
        for one in profiles:
            runs = len(one.stems) // _WIDTH, len(one.sentences) // max(1, self._dimensions)
            facts.append((*one[:4], one.kind, _saying(one.stems), stems, runs[0], sentences, runs[1]))
            stems, sentences = stems + runs[0], sentences + runs[1]
        first = len(self._facts.array)
        self._facts.extend(facts)
        self._rows[self._facts.array[first:, 0]] = np.arange(first, first + len(facts))
        whole = np.frombuffer(b"".join(one.vector for one in profiles), np.int8)
        self._vectors.extend(_unit(whole.reshape(len(profiles), self._dimensions)))
        self._stems.extend(np.frombuffer(b"".join(one.stems for one in profiles), np.uint32)[:, None])
        held = np.frombuffer(b"".join(one.sentences for one in profiles), np.int8)
        held = held.reshape(sentences - len(self._sentences.array), self._dimensions)
        self._sentences.extend(held)
        self._lengths.extend(_lengths(held)[:, None])


class _Column:
    """An array of rows that grows at its end."""

    def __init__(self, kind: Any, width: int) -> None:
        self._held = np.empty((1_024, width), kind)
        self._count = 0

    @property
    def array(self) -> NDArray[Any]:
        return self._held[: self._count]

    def extend(self, rows: Any) -> None:
        added = np.asarray(rows, self._held.dtype).reshape(len(rows), self._held.shape[1])
        count = self._count + len(added)
        if count > len(self._held):
            grown = np.empty((max(count, 2 * len(self._held)), self._held.shape[1]), self._held.dtype)
            grown[: self._count] = self.array
            self._held = grown
        self._held[self._count : count] = added
        self._count = count


def _run(starts: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return where the values of some runs are, and where each run ends among them."""
    ends = counts.cumsum()
    places = (starts - ends + counts).repeat(counts)
    places += np.arange(len(places))
    return places, ends


def _saying(stems: bytes) -> int:
    """Return a number for what a text says, apart from case, endings and stop words: the same in this process only."""
    end = stems.find(_END_MARK)
    while end % _WIDTH and end > 0:
        end = stems.find(_END_MARK, end + 1)
    return hash(stems[:end] if end >= 0 else stems)


def _lengths(rows: NDArray[np.int8]) -> Matrix:
    matrix = rows.astype(np.float32)
    return np.asarray(np.maximum(np.sqrt(np.einsum("ij,ij->i", matrix, matrix)), 1e-9), np.float32)


def _unit(rows: NDArray[np.int8]) -> Matrix:
    return np.asarray(rows / _lengths(rows)[:, None], np.float32)
