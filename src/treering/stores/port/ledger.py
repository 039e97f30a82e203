"""Define what Treering needs from a store: the ledger, the records that are folded from it, and
transactions.

What two stores would share lies above this line. `tests/stores/contract.py` holds a store to every
promise here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol, TypeVar

from treering.ledger.events import Event, Head
from treering.ledger.types import Filter, Memory
from treering.stores.port.search import Index

T = TypeVar("T")
Key = tuple[int, str]  # the fingerprint of an imported row, and the event that brought it
Change = tuple[Memory | None, Memory | None]  # the record before and after


class EventQuery(NamedTuple):
    """Which events to read. A field that is not given does not narrow; `ids` and `subjects` do even
    when empty."""

    ids: tuple[str, ...] | None = None
    subjects: tuple[str, ...] | None = None
    space: str = ""
    session: str = ""
    source: str = ""  # an origin, or where it lies: see `types.comes_from`
    kinds: tuple[str, ...] = ()
    naming: str = ""  # a word that stands in the payload, in quotes: the id of a memory, or a nonce
    since: int = 0  # of the clock: only what came after
    until: int = 0  # of the clock: only what came no later; 0 for no end
    live: bool = False  # without those left out of the fold, and without those erased
    newest: bool = False  # newest first, instead of the order of the fold
    limit: int = 0  # 0 for no limit


EVERYTHING = EventQuery()


class LedgerReader(Protocol):
    """The events of a store, read only."""

    def heads(self) -> dict[str, Head]:
        """Return where each writer's chain ends, by writer."""

    def events(self, query: EventQuery = EVERYTHING) -> Iterator[Event]:
        """Yield the events that a query asks for, in the order of the fold (clock, writer, seq) or
        in its reverse.

        The store may be written to between two of them: whoever needs one state of it asks inside
        `view`.
        """

    def clock(self) -> int:
        """Return the highest clock of any event; 0 in an empty ledger."""

    def effects(self, ids: Collection[str]) -> set[str]:
        """Return the ids of the events that name any of these among their causes: one step, not all
        that follows."""

    def left_out(self) -> set[str]:
        """Return the ids of the events that do not count, as `leave_out` was told."""


class Reader(LedgerReader, Protocol):
    """A store that can be looked at: the present one, or one as it was."""

    @property
    def writer(self) -> str:
        """The name under which this store writes; empty for a new store, and for a file that was
        copied from one."""

    @property
    def index(self) -> Index:
        """The index that recall searches."""

    def version(self) -> Hashable:
        """Return what stays equal as long as nobody writes anything. It may differ without a reason. Inside a view, it
        is that of what the view sees."""

    def view(self, work: Callable[[], T]) -> T:
        """Run work that only reads, records and index alike, on one state of the store, whatever
        others write. Inside a transaction, the work sees what that has written."""

    def hurried(self, seconds: float) -> AbstractContextManager[None]:
        """Within it, a write that would have to wait longer for others raises StoreBusy."""

    def several(self, ids: Collection[str]) -> dict[str, Memory]:
        """Return those of these memories that there are, forgotten ones too, by id in the order
        asked for."""

    def records(self, where: Filter | None = None) -> Iterator[Memory]:
        """Yield the memories that a filter lets through, the last created first, then by id
        downwards. Without a filter all memories of all spaces, in any order. The store may be
        written to between two of them."""

    def close(self) -> None:
        """Release everything. Closing twice is fine; other calls then raise `StoreUnavailable`."""


class Store(Reader, Protocol):
    """Where the ledger and its projections live. All methods that change anything run inside
    `write`, but for `scrub`."""

    def write(self, work: Callable[[], T]) -> T:
        """Run work as one transaction: all of it, durably, or nothing. Return what it returns.

        Work inside work joins the same transaction. No two transactions run at once, in any
        process. The work may run more than once, if the first attempt could not be committed; what
        it raises is raised here, after a rollback.
        """

    def adopt(self, writer: str) -> None:
        """Write under this name from now on."""

    def append(self, events: Sequence[Event], keys: Iterable[Key] = ()) -> None:
        """Add events to the ledger, with their causes and the fingerprints of imported rows, and
        move the heads of their writers. The events of one writer come in the order of their
        numbers."""

    def retract(self, ids: Collection[str]) -> None:
        """Delete events that get other names: of each writer those from some number on. Its chain
        then ends before them, and so does what was acknowledged and looked at."""

    def known(self, keys: Sequence[int]) -> set[int]:
        """Return which of these fingerprints of imported rows the ledger has seen, and not
        erased."""

    def looked(self) -> dict[str, int]:
        """Return up to which of its events each writer was looked at for contradictions."""

    def look_on(self, writer: str, seq: int) -> None:
        """Note that a writer's events have been looked at up to this one, further on or back.
        `reset` keeps it."""

    def learned(self, space: str) -> str:
        """Return what `keep_learned` was told last of a space; nothing after `reset`."""

    def keep_learned(self, space: str, told: str) -> None:
        """Keep what was learned from the verdicts of a person, with a mark of what it was made of."""

    def erase(self, subject: str) -> None:
        """Delete payload and salt of all events about a memory, except its purge, and the
        fingerprints it came with."""

    def scrub(self) -> bool:
        """Finish erasures, outside a transaction: leave no byte of what was erased on disk. Return
        False if another process still holds some; then it is to be called again."""

    def leave_out(self, ids: Iterable[str], back: Iterable[str]) -> None:
        """Let events not count, and others count again. An id need not belong to an event that is
        here."""

    def save(self, changes: Iterable[Change]) -> None:
        """Bring records from what they were to what they are, and the index with them: None before
        for a new one, None after for one that is deleted.

        A record whose text changes gets a new number in the index, and loses its profile, graph
        rows and lessons; one that only ages keeps all of these.
        """

    def reset(self) -> None:
        """Empty records, index and what is left out, as for a rebuild. Events, their causes, the
        fingerprints of imported rows, the writer's name and what was looked at stay."""

    def missing(self) -> Iterator[str]:
        """Yield which acknowledged events are not there any more, by what is kept outside of the
        database, each with what to do."""

    def accept_loss(self) -> None:
        """Give up acknowledged events that are missing."""

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the store's own structures, by its own checks, each with what to
        do about it."""


def record_of(store: Reader, id: str) -> Memory | None:
    """Return the memory with an id, or None."""
    return store.several((id,)).get(id)
