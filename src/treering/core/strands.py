"""What the graph is read from: which memory names what, and which tells of what relation.

A store keeps these strands beside the text of each memory, and loses them with it. What they amount to, `core.graphs`
says when somebody looks.
"""

from __future__ import annotations

from treering.core.lifecycle import RECALLABLE
from treering.core.tuples import NamedTuple
from treering.core.types import CONFIDENCE, move_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Protocol

    from treering.core.graphs import Seen, Told
    from treering.core.types import Filter, Memory

    Read = tuple[int, tuple[Seen, ...], tuple[Told, ...]]  # the number of a memory, and what its text says
    Alias = tuple[str, str, str, str]  # project, type, key, and the key that speaks for it
else:
    Protocol = object


_OUTSIDE = 0.7  # of what is said here, what an outside text says is believed


class Holder(NamedTuple):
    """The memory that a strand belongs to, as far as the graph asks."""

    id: str
    scope: str
    project: str
    created: int
    gone: int | None = None  # when it ceased to hold
    sure: float = 1.0  # how far it is believed, beside one that nobody has doubts about


class Strands(Protocol):
    """The strands of a store. They follow the records: what these lose, they lose at once."""

    def unread(self, limit: int) -> list[tuple[int, Memory]]:
        """The next memories whose strands have not been read, with their numbers."""

    def behind(self) -> int:
        """How many memories have not been read, or hardly more."""

    def add(self, read: Iterable[Read], last: int, by_model: bool = False) -> None:
        """Keep strands of memories that are still there; those up to the number `last` have been read."""

    def unread_all(self) -> None:
        """Let go of everything: all memories are to be read again."""

    def drop_models(self) -> None:
        """Let go of what models have read; what patterns found stays."""

    def state(self, value: str | None = None) -> str:
        """A word that whoever reads keeps here, to know again how far they came; with a value, it is kept."""

    def sightings(self, where: Filter, keys: Sequence[str] | None = None) -> Iterator[tuple[Seen, Holder]]:
        """Who names what, of all entities or of some."""

    def tellings(self, where: Filter, keys: Sequence[str] | None = None) -> Iterator[tuple[Told, Holder]]:
        """Who tells of what relation, of all or of those at either end of which one of these is."""

    def naming(self, keys: Sequence[str], places: Sequence[int], k: int) -> list[tuple[str, int]]:
        """The memories of some places that name an entity, at most k."""

    def related(self, keys: Sequence[str], places: Sequence[int], k: int) -> list[tuple[str, str, float]]:
        """What memories of some places relate to an entity, either way: it, the other one, and how surely."""

    def aliases(self) -> list[Alias]:
        """Names that are another's."""

    def alias(self, known: Iterable[Alias]) -> None:
        """Keep these aliases instead of those that there are."""


def believed(confidence: float, trust: str) -> float:
    """How far what a memory says is believed: less than usual if whoever said it was unsure, or came from outside."""
    return min(1.0, confidence / CONFIDENCE) * (_OUTSIDE if trust == "external" else 1.0)


def gone_since(status: str, moves: tuple[str, ...], created: int) -> int | None:
    """When a memory ceased to hold; nothing for one that does, or that another speaks for."""
    if status in (*RECALLABLE, "merged"):
        return None
    return move_of(moves[-1]).at if moves else created
