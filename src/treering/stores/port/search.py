"""Define what recall searches beside the memories themselves, and what it has learned from
judgements.

A memory's **profile** is its text made ready for scoring: its stems, its entities, the vectors of
the whole and of its sentences. A **place** is what lies between the same walls: whoever may see one
memory of it may see all of them, so that a search never has to look at what it must not show. The
vectors of a place lie in **cells**, each a run of vectors side by side, and for each stem there is
a list of the memories that hold it, its **postings**; the memories that came since the last folding
are the place's tail.

A **lesson** is a recall that somebody has judged: what was asked, as stems and as a direction, and
a **mark** for each memory that was judged. All of it is a projection: a judgement that is undone
takes its mark along, and a memory that is gone has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar

from treering.ledger.types import Context, Filter, Memory
from treering.stores.port.graph import GraphRows

T = TypeVar("T")


# Lessons of a space that are kept, the newest: a process that starts reads all of them. What was
# judged before a thousand other recalls has been asked again since, or matters to nobody.
MOST_LESSONS = 1_000


class Mark(NamedTuple):
    """The verdict of a judged recall on a memory that it showed."""

    number: int  # of the memory in the store
    weight: float  # 1 for one that helped, -1 for one that did not; less where nobody said so outright
    kind: int  # of the memory, and whether chance showed it: see `recall.lessons.kinds`
    hint: float = 0.0  # what earlier lessons said for it, before it was judged


class Lesson(NamedTuple):
    recall: str  # its id
    space: str
    project: str
    type: str  # of the question: see `recall.lessons.kinds`
    stems: bytes  # a 32-bit number for each meaningful word
    vector: bytes  # its direction: 8-bit integers
    marks: tuple[Mark, ...] = ()


class Learned(NamedTuple):
    """Up to where judgements have been learned."""

    heads: Mapping[str, int]  # of each writer, the last event that was looked at
    clock: int = 0


class Lessons(Protocol):
    """The lessons of a store. A memory that is forgotten, purged or gets another text loses its
    marks with it."""

    def learned(self) -> Learned:
        """Return what the last `keep` noted; no heads and clock 0 before that."""

    def count(self) -> int:
        """Return how many marks there are: it changes when a memory is gone."""

    def taken(self, space: str = "") -> list[Lesson]:
        """Return all lessons, or those of a space, in the order in which they were learned; marks
        by number."""

    def keep(self, lessons: Sequence[Lesson], learned: Learned, anew: bool) -> None:
        """Keep lessons instead of those of the same recalls, or instead of all, and note how far
        they reach. A lesson without marks is deleted, and of each space only the newest
        `MOST_LESSONS` stay. Inside `Index.write`."""


# Words: shorter texts are not better matches for being short, and longer ones hold more than one
# thing.
PASSAGE = 48
# Memories looked at for each term when those about the same matter are looked for: so it costs the
# same in any store.
SHARERS = 100
FEW = 10  # memories that hold a term: so rare that sharing it alone may mean the same matter
SPARE = 10  # times as many of them are looked up as are wanted: some are behind walls


ON_THE_WAY = 50  # new memories that a recall indexes before it answers: some 50 milliseconds


class Place(NamedTuple):
    """One side of the walls, and what is typical there. Sums are whole, to be taken back."""

    number: int
    held: int = 0  # memories
    length: int = 0  # the words of all its memories, none counted with less than a passage
    total: bytes = b""  # the sum of its vectors: 32-bit integers
    norms: int = 0  # the sum of their lengths
    folded: int = 0  # the highest number that lies in a cell; the tail begins behind it
    shape: int = 0  # changes when cells are made anew or lose a vector
    tail: int = 0  # how many of its memories lie in no cell
    centroids: bytes = b""  # of earlier versions, which searched by them: the next folding deletes them


class Profile(NamedTuple):
    """A memory made ready for scoring."""

    number: int  # of the memory in the store; another text is another number
    place: int
    created: int
    words: int
    stems: bytes  # a 32-bit number for each meaningful word, in order
    vector: bytes = b""  # of the whole text: 8-bit integers
    sentences: bytes = b""  # the same of each sentence, if there are several
    session: str = ""
    entities: tuple[str, ...] = ()
    kind: int = 0  # what sort of memory it is, in bits: see `recall.lessons.kinds`


class Cell(NamedTuple):
    """Vectors side by side, and whose they are. A deleted member has the number 0."""

    cell: int
    members: bytes  # 32-bit integers
    vectors: bytes


class Index(Protocol):
    """The index that recall searches.

    A memory has a number here, which no other ever had; a memory whose text changes gets another.
    What is made of a text is deleted in the transaction in which its memory is forgotten, purged or
    gets another text. Methods that change anything run inside `write`.
    """

    @property
    def graph(self) -> GraphRows:
        """The rows that the graph is read from."""

    @property
    def lessons(self) -> Lessons:
        """The lessons learned from judgements."""

    @property
    def embedder(self) -> str:
        """The name of what made the vectors, as `clear` was given it; empty before that."""

    @property
    def size(self) -> int:
        """The number of memories, or a few more: the highest number in use."""

    @property
    def profiled(self) -> int:
        """The highest number that has a profile: all memories above it wait for theirs."""

    @property
    def in_transaction(self) -> bool:
        """True if this thread is inside a transaction or a view, and may see uncommitted rows."""

    def write(self, work: Callable[[], T]) -> T:
        """Run work that changes the index as one transaction, as `Store.write` does."""

    def pending(self, limit: int) -> list[tuple[int, Memory]]:
        """Return the next memories without a profile, with their numbers, in the order of these; no
        forgotten ones."""

    def add(self, made: Iterable[tuple[Memory, Profile]]) -> None:
        """Add the profiles of memories that still have that number and have none; the others are
        passed over. Each goes to the place that the walls of its memory make, whatever place it
        names, and counts in the sums of that place. Profiles come in the order of their numbers."""

    def clear(self, embedder: str) -> None:
        """Delete all profiles, places, cells, postings and lessons: vectors of this name are to
        come. A place that comes later has a shape that none had before."""

    def places(self, seen_by: Context) -> list[Place]:
        """Return the places that somebody can see, with anything in them: the user's, the
        project's, the session's."""

    def all_places(self, space: str) -> list[Place]:
        """Return every place of a space with anything in it, in any order."""

    def tail(self, place: int, after: int) -> list[tuple[int, bytes, bytes]]:
        """Return the number, vector and stems of a place's profiles above a number, in the order of
        the numbers."""

    def cells(self, place: int) -> list[Cell]:
        """Return the cells of a place. One cell may come in several pieces, in any order."""

    def postings(self, place: int, stems: Sequence[int] | None = None) -> list[tuple[int, bytes]]:
        """Return which memories of a place, outside its tail, hold each stem, of all or some:
        32-bit integers in ascending order. One stem may come in several pieces, the older ones
        first."""

    def fold(self, place: Place, cells: Iterable[Cell], postings: Iterable[tuple[int, bytes]], anew: bool) -> None:
        """Add cells and postings to those of a place, or replace them `anew`, and keep the place's
        `folded` and `centroids`. A new `shape` for one that was made anew."""

    def stems(self, words: Sequence[str]) -> list[str]:
        """Return the stem of each word, as the full-text index has it; empty for no word."""

    def counts(self, terms: Sequence[str]) -> list[int]:
        """Return how many memories hold each term: exact for rare ones, else estimated."""

    def match(
        self, terms: Sequence[str], places: Sequence[int], narrow: Filter | None, k: int
    ) -> list[tuple[int, float]]:
        """Return the best k memories of some places that hold any of the terms, with their scores,
        the best first and of equals the newest. A term of several words is a phrase."""

    def waiting(self, terms: Sequence[str], where: Filter, after: int, k: int) -> list[tuple[int, Memory]]:
        """Return the best k memories above a number that hold any of the terms, with their numbers,
        in any order. It needs no profile."""

    def sharing(self, terms: Sequence[str], where: Filter, k: int, stored: bool = True) -> list[Memory]:
        """Return memories that hold two of the terms, or one that few hold, as `sharers` ranks
        them. Of a common term only the newest `SHARERS` are looked at. The terms are of a text
        that is `stored`, or else of none yet."""

    def vocabulary(self, prefix: str) -> list[str]:
        """Return the indexed stems that begin with a prefix, sorted; of very many, the first."""

    def mentions(self, entities: Sequence[str], places: Sequence[int], k: int) -> list[tuple[str, int]]:
        """Return which memories of some places mention an entity, as their profiles say: at most k,
        in any order."""

    def numbers(self, narrow: Filter) -> list[int]:
        """Return the numbers of all memories that a filter lets through, in any order."""

    def profiles(self, numbers: Sequence[int]) -> list[Profile]:
        """Return the profiles of memories, without sessions and entities, in any order."""

    def beside(self, numbers: Sequence[int]) -> list[tuple[int, int | None, int | None]]:
        """Return, for each memory that has a session, the one before and the one behind it there,
        by when they were created, of the same place."""

    def named(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the numbers of the memories with these ids, by id."""

    def found(self, numbers: Sequence[int]) -> dict[int, Memory]:
        """Return the memories with these numbers that are there, by number in any order."""


def sharers(lists: Iterable[Sequence[int]], stored: bool) -> list[int]:
    """Return the memories that share a rare term and another one, or one that few hold; the rarest
    shared first, then the new. If the text of the terms is stored, a term that only one memory
    holds does not count: that one is the memory that asks.

    Each list has the memories that hold one term, the newest of them if they are many; the longer
    it is, the less sharing it says.
    """
    shared: dict[int, float] = {}
    rare: set[int] = set()
    chosen: set[int] = set()
    for members in sorted(lists, key=len):
        if len(members) < 1 + stored:
            continue
        if len(members) <= FEW:
            chosen.update(members)
        chosen.update(rare.intersection(members))
        weight = 1 / len(members)
        for number in members:
            shared[number] = shared.get(number, 0.0) + weight
        if len(members) < SHARERS:
            rare.update(members)
    return sorted(chosen, key=lambda number: (-shared[number], -number))
