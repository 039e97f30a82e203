"""What recall searches, beside the memories themselves, and what it needs of a store for that.

A memory's **profile** is its text made ready for scoring: its stems, its entities, the vectors of the whole and of
its sentences. A **place** is what lies between the same walls: whoever may see one memory of it may see all of them,
so that a search never has to look at what it must not show. The vectors of a place lie in **cells**, each a run of
vectors side by side, and for each stem there is a list of the memories that hold it, its **postings**; the memories
that came since the last folding are the place's tail.
"""

from __future__ import annotations

from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Protocol, TypeVar

    from treering.core.lessons import Lessons
    from treering.core.strands import Strands
    from treering.core.types import Context, Filter, Memory

    T = TypeVar("T")
else:
    Protocol = object

# Words: shorter texts are not better matches for being short, and longer ones hold more than one thing.
PASSAGE = 48
# Memories looked at for each term when those about the same matter are looked for: so it costs the same in any store.
SHARERS = 100
FEW = 10  # memories that hold a term: so rare that sharing it alone may mean the same matter
SPARE = 10  # times as many of them are looked up as are wanted: some are behind walls


class Place(NamedTuple):
    """One side of the walls, and what is typical there. Sums are whole numbers, so that they can be taken back."""

    number: int
    held: int = 0  # memories
    length: int = 0  # the words of all its memories, none counted with less than a passage
    total: bytes = b""  # the sum of its vectors: 32-bit integers
    norms: int = 0  # the sum of their lengths
    folded: int = 0  # the highest number that lies in a cell; the tail begins behind it
    shape: int = 0  # changes when cells are made anew or lose a vector
    tail: int = 0  # how many of its memories lie in no cell
    centroids: bytes = b""  # what each cell is about: 32-bit floats; none where cells are mere stretches


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
    """Vectors side by side, and whose they are. A member that is gone has the number 0 and no direction."""

    cell: int
    members: bytes  # 32-bit integers
    vectors: bytes


class Index(Protocol):
    """The searchable side of a store. It follows the records: what they lose, it loses at once."""

    @property
    def strands(self) -> Strands:
        """What the graph is read from."""

    @property
    def lessons(self) -> Lessons:
        """What was learned from judgements."""

    @property
    def embedder(self) -> str:
        """What made the vectors."""

    @property
    def size(self) -> int:
        """How many memories there are, or hardly fewer."""

    @property
    def tentative(self) -> bool:
        """Whether we are in a transaction, and what we see may never have been."""

    def view(self, work: Callable[[], T]) -> T:
        """Run work that only reads on one unchanging view."""

    def write(self, work: Callable[[], T]) -> T:
        """Run work as one transaction."""

    def settled(self, embedder: str) -> bool:
        """Whether every memory has its profile, with vectors of this kind."""

    def pending(self, limit: int) -> list[tuple[int, Memory]]:
        """The next memories without a profile, with their numbers."""

    def add(self, made: Iterable[tuple[Memory, Profile]]) -> None:
        """Keep profiles, of those memories that are still there and unchanged."""

    def clear(self, embedder: str) -> None:
        """Drop every profile: vectors of another kind are to come."""

    def places(self, seen_by: Context) -> list[Place]:
        """The places that somebody can see, with anything in them."""

    def all_places(self, space: str) -> list[Place]:
        """Every place of a space, for who looks after all of it."""

    def tail(self, place: int, after: int) -> list[tuple[int, bytes]]:
        """The numbers and vectors of a place's memories behind a number."""

    def cells(self, place: int, wanted: Sequence[int] | None = None) -> list[Cell]:
        """Cells of a place, all or some; one cell may come in several pieces."""

    def fold(self, place: Place, cells: Iterable[Cell], postings: Iterable[tuple[int, bytes]], anew: bool) -> None:
        """Put the tail of a place into cells and postings, beside those there are or instead of them."""

    def stemmed(self, place: int, after: int) -> list[tuple[int, bytes]]:
        """The numbers and stems of a place's memories behind a number."""

    def postings(self, place: int, stems: Sequence[int] | None = None) -> list[tuple[int, bytes]]:
        """Which memories of a place, outside its tail, hold each stem: 32-bit integers, in one or several pieces."""

    def stems(self, words: Sequence[str]) -> list[str]:
        """The stem of each word, as the full-text index has it."""

    def counts(self, terms: Sequence[str]) -> list[int]:
        """How many memories hold each term: exact for rare ones, estimated for common ones."""

    def match(
        self, terms: Sequence[str], places: Sequence[int], narrow: Filter | None, k: int
    ) -> list[tuple[int, float]]:
        """The memories of some places that hold any of the terms; several words are a phrase."""

    def sharing(self, terms: Sequence[str], where: Filter, k: int) -> list[Memory]:
        """Memories that hold two of the terms, or one that few hold, the rarest shared first. Of a common term only its
        newest are looked at; one that only one memory holds does not count: that one is the memory that asks."""

    def vocabulary(self, prefix: str) -> list[str]:
        """The indexed stems that begin so."""

    def mentions(self, entities: Sequence[str], places: Sequence[int], k: int) -> list[tuple[str, int]]:
        """Which memories of some places mention an entity, at most k."""

    def numbers(self, narrow: Filter) -> list[int]:
        """The numbers of all memories that a filter lets through."""

    def profiles(self, numbers: Sequence[int]) -> list[Profile]:
        """Profiles without sessions and entities, in any order."""

    def beside(self, numbers: Sequence[int]) -> list[tuple[int, int | None, int | None]]:
        """For each memory that has a session: the one before and the one behind it there, of the same place."""

    def used(self, numbers: Sequence[int]) -> list[str]:
        """The ids of those among these memories that have been recalled before."""

    def named(self, ids: Sequence[str]) -> dict[str, int]:
        """The numbers of the memories with these ids."""

    def found(self, numbers: Sequence[int]) -> dict[int, Memory]:
        """The memories of these numbers that are there."""


def sharers(lists: Iterable[Sequence[int]]) -> list[int]:
    """The memories that share a rare term and another one, or one that few hold; the rarest shared first, then the new.

    Each list has the memories that hold one term, the newest of them if they are many; the longer it is, the less
    sharing it says.
    """
    shared: dict[int, float] = {}
    rare: set[int] = set()
    chosen: set[int] = set()
    for members in sorted(lists, key=len):
        if len(members) < 2:
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
