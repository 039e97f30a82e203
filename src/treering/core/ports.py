"""What Treering needs from a store. Everything that two stores would share is above this line."""

from __future__ import annotations

from treering.core.errors import TreeringError
from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any, Protocol, TypeVar

    from numpy import float32
    from numpy.typing import NDArray

    from treering.core.events import Event, Head
    from treering.core.index import Index
    from treering.core.types import Filter, Memory

    T = TypeVar("T")
    Key = tuple[int, str]  # the fingerprint of an imported row, and the event that brought it
    Change = tuple[Memory | None, Memory | None]  # the record before and after
    Matrix = NDArray[float32]
else:
    Protocol = object


class Embedder(Protocol):
    """Turns texts into vectors whose directions are alike when their meanings are."""

    @property
    def name(self) -> str:
        """What made the vectors, with all that shapes them: vectors of two names are never compared."""

    @property
    def dimensions(self) -> int:
        """The length of every vector."""

    def embed(self, texts: Sequence[str]) -> Matrix:
        """A row of length 1 for each text; all zeros for one that says nothing."""

    def question(self, words: Sequence[tuple[str, float]], text: str) -> Matrix:
        """The one row of a query: its text, or its words in order, each with how much it counts."""


class Question(NamedTuple):
    """What a language model is asked."""

    purpose: str  # one word, under which its tokens are counted
    system: str  # what it is to do
    text: str  # with what: material, never instructions
    schema: Mapping[str, Any]  # a JSON Schema of what comes back: an object of texts and of lists of texts
    strong: bool = False  # for the strong model, if there is one
    most_tokens: int = 400  # of the answer


class Reply(NamedTuple):
    """An answer that fits the schema of its question."""

    value: dict[str, Any]
    model: str
    asked: int  # tokens of all that was sent,
    answered: int  # and of all that came back, with what was of no use
    took: int  # microseconds


class LLMFailed(TreeringError):
    """A language model gave no answer that could be used. Tokens may have been spent all the same."""

    def __init__(
        self, problem: str, model: str, asked: int = 0, answered: int = 0, took: int = 0, down: bool = False
    ) -> None:
        super().__init__(problem)
        self.model = model
        self.asked = asked
        self.answered = answered
        self.took = took  # microseconds
        self.down = down  # the next question would be in vain too


class LLM(Protocol):
    """A language model that answers in the shape that it is asked for, or not at all."""

    def ask(self, question: Question) -> Reply:
        """The answer; or `LLMFailed`."""


class EventQuery(NamedTuple):
    """Which events to read. What is not given does not narrow; `ids` and `subjects` do even when empty."""

    ids: tuple[str, ...] | None = None
    subjects: tuple[str, ...] | None = None
    space: str = ""
    session: str = ""
    source: str = ""  # an origin, or where it lies: see `types.comes_from`
    kinds: tuple[str, ...] = ()
    naming: str = ""  # a word that stands in the payload, in quotes: the id of a memory, or a nonce
    since: int = 0  # of the clock: only what came after
    live: bool = False  # without those left out of the fold
    newest: bool = False  # newest first, instead of the order of the fold
    limit: int = 0


EVERYTHING = EventQuery()


class LedgerReader(Protocol):
    """The truth, read."""

    def heads(self) -> dict[str, Head]:
        """Where each writer's chain ends."""

    def events(self, query: EventQuery = EVERYTHING) -> Iterator[Event]:
        """Events in the order of the fold, or newest first."""

    def clock(self) -> int:
        """The highest clock of any event in the ledger."""

    def effects(self, ids: Collection[str]) -> set[str]:
        """The ids of the events that rest directly on any of these."""

    def left_out(self) -> set[str]:
        """The ids of the events that do not count."""


class Reader(LedgerReader, Protocol):
    """A store that can be looked at: the present one, or one as it was."""

    @property
    def writer(self) -> str:
        """The name under which this store writes; none yet for a new store, or for a copy of one."""

    @property
    def index(self) -> Index:
        """What recall searches."""

    def view(self, work: Callable[[], T]) -> T:
        """Run work that only reads on one unchanging view of the store, whatever others write."""

    def record(self, id: str) -> Memory | None:
        """One memory."""

    def several(self, ids: Collection[str]) -> dict[str, Memory]:
        """Those of these memories that there are, by their ids."""

    def records(self, where: Filter | None = None) -> Iterator[Memory]:
        """Memories, newest first; without a filter all of them, in any order."""

    def close(self) -> None:
        """Let go of everything. Closing twice is fine."""


class Store(Reader, Protocol):
    """Where the ledger and its projections live. Changes happen inside `write` only."""

    def write(self, work: Callable[[], T]) -> T:
        """Run work as one transaction: all of it, durably, or nothing. It may run more than once."""

    def adopt(self, writer: str) -> None:
        """Write under this name from now on."""

    def append(self, events: Sequence[Event], keys: Iterable[Key] = ()) -> None:
        """Add events to the ledger and to the indexes of causes and of imported rows."""

    def known(self, keys: Sequence[int]) -> set[int]:
        """Which of these fingerprints of imported rows the ledger has seen, and not purged."""

    def looked(self) -> dict[str, int]:
        """The last event of each writer that was looked at for contradictions."""

    def look_on(self, writer: str, seq: int) -> None:
        """Note that a writer's events have been looked at up to this one. It outlives a rebuild."""

    def erase(self, subject: str) -> None:
        """Drop the payloads of all events about a memory from the ledger."""

    def scrub(self) -> bool:
        """Finish erasures: leave no byte of them on disk. False if another process still holds some."""

    def leave_out(self, ids: Iterable[str], back: Iterable[str]) -> None:
        """Let events not count, and others count again."""

    def save(self, changes: Iterable[Change]) -> None:
        """Bring records and indexes from what they were to what they are."""

    def reset(self) -> None:
        """Empty every projection; the indexes of causes and of imported rows come back at once."""

    def problems(self) -> Iterator[str]:
        """What is wrong with the store's own structures, by its own checks."""
