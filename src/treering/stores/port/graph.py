"""Define what the graph is read from: which memory names what, and which states what relation.

A store keeps these rows beside the text of each memory, and deletes them with it.
`treering.graph.view` puts them together when somebody looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from treering.ledger.types import CONFIDENCE, RECALLABLE, Filter, Memory, move_of

Alias = tuple[str, str, str, str]  # project, type, key, and the key that stands for it


_OUTSIDE = 0.7  # of what is said here, what an outside text says is believed


# How a text states a relation: that it holds, that it held and does no more, or that it does not.
HOW = TOLD, ENDED, DENIED = ("told", "ended", "denied")


class Mention(NamedTuple):
    """An entity as one text names it."""

    key: str  # its normal form
    name: str  # as it stands in the text
    type: str
    confidence: float


class Statement(NamedTuple):
    """A relation as one text states it, between two keys."""

    source: str
    type: str
    target: str
    confidence: float
    start: int  # characters: the words that state it
    end: int
    how: str = TOLD


Extract = tuple[int, tuple[Mention, ...], tuple[Statement, ...]]  # the number of a memory, and what its text says


class SourceMemory(NamedTuple):
    """The memory that a row was read from, as far as the graph asks."""

    id: str
    scope: str
    project: str
    created: int
    gone: int | None = None  # when it ceased to hold
    sure: float = 1.0  # how far it is believed, beside one that nobody has doubts about


class GraphRows(Protocol):
    """The mentions and statements of a store's memories.

    The rows of a memory are deleted in the transaction in which it is forgotten, purged or gets
    another text. What changes rows runs inside `Index.write`.
    """

    def unread(self, limit: int) -> list[tuple[int, Memory]]:
        """Return the next memories whose text has not been read, with their numbers, in the order
        of the numbers: those above the highest `last` that `add` was given. Forgotten ones are
        passed over."""

    def add(self, read: Iterable[Extract], last: int, by_model: bool = False) -> None:
        """Add the rows of memories that are there and not forgotten, and note that those up to the
        number `last` have been read; a lower number than before changes nothing.

        A mention is one per key, type and memory, a statement one per source, relation, target, how
        and memory: of two, the first stays.
        """

    def replace_model_rows(self, read: Iterable[Extract], state: str) -> None:
        """Replace all rows that were added `by_model`, and keep `state` for `model_state`."""

    def model_state(self) -> str:
        """Return the text of the last `replace_model_rows`; none since a rebuild."""

    def mentions(self, where: Filter, keys: Sequence[str] | None = None) -> Iterator[tuple[Mention, SourceMemory]]:
        """Yield the mentions in memories that a filter lets through: all, or those with one of
        these keys. In the order in which they were added; the store may be written to between two
        of them."""

    def statements(self, where: Filter, keys: Sequence[str] | None = None) -> Iterator[tuple[Statement, SourceMemory]]:
        """Yield the statements in memories that a filter lets through: all, or those with one of
        these keys at either end. In the order in which they were added; the store may be written to
        between two of them."""

    def related(self, keys: Sequence[str], places: Sequence[int], k: int) -> list[tuple[str, str, float]]:
        """Return what memories of some places relate to these keys: the key, the key at the other
        end, and the confidence. Only of recallable memories that have a profile, and only what
        holds; at most k in each direction, those from source to target first."""

    def state(self) -> tuple[int, str]:
        """Return up to which number memories have been read, and the state of what models read."""

    def ends(self, after: int, most: int) -> list[str]:
        """Return the keys at either end of what memories above a number say, in any order: all that `related` may
        know, or `most` of them."""

    def aliases(self) -> list[Alias]:
        """Return the names that stand for another, in any order."""

    def set_aliases(self, known: Iterable[Alias]) -> None:
        """Keep these aliases instead of those that there are. One goes when no memory mentions one
        of its two keys any more."""


def believed(confidence: float, trust: str) -> float:
    """Return how far a memory is believed: less if its author was unsure or from outside."""
    return min(1.0, confidence / CONFIDENCE) * (_OUTSIDE if trust == "external" else 1.0)


def gone_since(status: str, moves: tuple[str, ...], created: int) -> int | None:
    """Return when a memory ceased to hold; None if it holds, or was merged into another."""
    if status in (*RECALLABLE, "merged"):
        return None
    return move_of(moves[-1]).at if moves else created
