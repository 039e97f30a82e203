"""Export and import JSON Lines: the whole ledger, or plain rows of other programs."""

from __future__ import annotations

import marshal  # for what this process sets aside for itself, on its way from one page to the next
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from glob import escape, glob
from itertools import islice, starmap
from typing import IO, Any, NamedTuple, TypeVar

from treering.ledger import codec
from treering.ledger.arguments import OPTIONS, at_home, parse_row, storable_context
from treering.ledger.decide import remember
from treering.ledger.errors import InvalidInput, MalformedLine, StoreUnavailable, TreeringError
from treering.ledger.events import PURGED, Draft, Event
from treering.ledger.ledger import Ledger, batches, no_collection
from treering.ledger.merge import is_ours, settle
from treering.ledger.types import RECALLABLE, TRUSTS, Context, trust_in
from treering.stores.files import FILE_NAME, IN_MEMORY, is_kept, is_running, sync_folder
from treering.stores.port.ledger import EventQuery, Reader
from treering.stores.sqlite.store import SqliteStore
from treering.text.redact import clean

T = TypeVar("T")

FORMAT = 1  # of an export, in its first line
_START = b'{"treering":'  # of that line
_DRAFT = ".part"  # how the name of an unfinished export ends, after the number of its process
_KNOWN = frozenset(OPTIONS)
# What a foreign ledger tells of a memory; how sure it is of it, and in which session it was said, is its own affair.
_TOLD = _KNOWN - {"scope", "project", "session", "at", "sources", "confidence", "relevance", "private"}
LONGEST_LINE = 8_000_000  # bytes; the largest memory in the most wasteful spelling is shorter


class Imported(NamedTuple):
    """The result of an import."""

    added: int  # events or rows that were new
    known: int  # those that were here already
    redacted: int = 0  # rows from which the guard took something
    ignored: tuple[str, ...] = ()  # keys of plain rows that mean nothing to us
    doubted: tuple[str, ...] = ()  # and those that were not believed
    foreign: bool = False  # an export of a ledger that this one has never met, taken for somebody else's word
    forks: tuple[str, ...] = ()  # writers that had gone on in both ledgers, and what one of the two is called now


def export(store: Reader, out: IO[bytes], progress: Callable[[int], None] = lambda done: None) -> int:
    """Write the whole ledger, one event a line, between a line that names the format and one that counts."""

    def write() -> int:
        total = 0
        out.write(b'{"treering":%d}\n' % FORMAT)
        for event in store.events():
            out.write(codec.to_line(event) + b"\n")
            total += 1
            progress(total)
        out.write(b'{"treering":%d,"events":%d}\n' % (FORMAT, total))
        return total

    return store.view(write)


def export_file(store: Reader, path: str, progress: Callable[[int], None] = lambda done: None) -> int:
    """Write the ledger to a file that is either whole or not there, for its owner's eyes only."""
    target = os.path.realpath(path)
    if os.path.basename(target).startswith(FILE_NAME) or is_kept(target):
        raise InvalidInput(f"{path} has the name of a store, or of a file that a store needs: choose another")
    try:
        if os.path.isfile(target) and not _may_be_replaced(target):
            raise InvalidInput(f"{path} is there already and is no export: choose another name, or delete it first")
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as out:  # a pipe or a device cannot be put into place
                return export(store, out, progress)
        return _put_into_place(store, target, progress)
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be written: {error.strerror}") from error


def _put_into_place(store: Reader, target: str, progress: Callable[[int], None]) -> int:
    draft = f"{target}.{os.getpid()}{_DRAFT}"
    _remove_drafts(target)
    handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with open(handle, "wb") as out:
            os.chmod(draft, 0o600)
            total = export(store, out, progress)
            out.flush()
            os.fsync(out.fileno())
        os.replace(draft, target)
        sync_folder(os.path.dirname(target))
    except BaseException:
        if os.path.exists(draft):
            os.unlink(draft)
        raise
    return total


def _may_be_replaced(path: str) -> bool:
    """Tell whether a file is an export or empty: another one would be lost by a slip of the hand."""
    with open(path, "rb") as file:
        start = file.read(len(_START))
    return not start or start == _START


def _remove_drafts(target: str) -> None:
    """Delete what exports to the same file left that were killed."""
    for draft in glob(f"{escape(target)}.*{_DRAFT}"):
        process = draft.removesuffix(_DRAFT).rpartition(".")[2]
        if process.isdecimal() and (int(process) == os.getpid() or not is_running(int(process))):
            with suppress(OSError):
                os.unlink(draft)


def import_file(
    ledger: Ledger,
    context: Context,
    path: str,
    *,
    limit: int,
    progress: Callable[[int], None] = lambda done: None,
    mine: bool = False,
) -> Imported:
    """Take in an export, or rows of {"content": …}. What is here already is left as it is.

    An export is ours if it goes on from where this store is, or if the file is said to be `mine`; else its memories
    are somebody else's word, as plain rows are: whatever they claim of themselves is not believed.

    Nothing is written unless every line of the file is sound, and then in portions, so that other writers
    need not wait for the end of a long file.
    """
    with no_collection(), _source(path) as source:
        here = storable_context(context, limit)
        if not _is_export(source):
            return _Rows(ledger, here, source.name, _rows_of(source), limit, mine).imported(progress)
        events = _Events(ledger, source)
        events.check()
        if mine or is_ours(ledger.store, events.all()):
            return events.imported(progress)
        with closing(SqliteStore(IN_MEMORY)) as theirs:
            for batch in batches(events.all()):  # with its own undoings and purges, which touch nothing of ours
                Ledger(theirs, lambda: 0, os.urandom).take_in(batch)
            rows = _Rows(ledger, here, source.name, _memories_of(theirs), limit)
            return rows.imported(progress)._replace(foreign=True)


class _Source(NamedTuple):
    """A file that can be read again from its start, and the name by which a person knows it."""

    name: str
    file: IO[bytes]


@contextmanager
def _source(path: str) -> Iterator[_Source]:
    """Open a file; copy a pipe or standard input (`-`), which can be read only once."""
    if path == "-" and sys.stdin is None:
        raise InvalidInput("there is no standard input to import from: name a file")
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
            if path != "-" and file.seekable():
                yield _Source(path, file)
                return
            with tempfile.TemporaryFile() as copy:
                shutil.copyfileobj(file, copy)
                yield _Source("stdin" if path == "-" else path, copy)
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be read: {error.strerror}") from error


def _in_portions(items: Iterator[T], add: Callable[[list[T]], int], progress: Callable[[int], None]) -> tuple[int, int]:
    added = done = 0
    for batch in batches(items):
        added += add(batch)
        done += len(batch)
        progress(done)
    return added, done - added


class _Events:
    """An export: events of this ledger or of another."""

    def __init__(self, ledger: Ledger, source: _Source) -> None:
        self.ledger = ledger
        self.source = source

    def all(self) -> Iterator[Event]:
        return (self._event(*line) for line in _lines(self.source) if not _is_header(line[1]))

    def imported(self, progress: Callable[[int], None]) -> Imported:
        """Take the events in. Two forks of one writer are taken apart."""
        settled = settle(self.ledger, self.all)
        counts = _in_portions(settled.events(), self.ledger.take_in, progress)
        return Imported(*counts, forks=tuple(f"{fork.writer}-{fork.seq} as {fork.name}" for fork in settled.forks))

    def check(self) -> None:
        """Refuse a file of which any line is not sound."""
        expected, count, number = -1, 0, 0
        without: dict[str, int] = {}
        purged = {event.subject for event in self.ledger.store.events(EventQuery(kinds=(PURGED,)))}
        for number, line in _lines(self.source):
            if _is_header(line):
                expected = _count(self.source.name, number, line)
                continue
            event = self._event(number, line)
            count += 1
            if event.kind == PURGED:
                purged.add(event.subject)
            elif event.payload is None:
                without.setdefault(event.subject or event.id, number)
        if expected != count:
            raise MalformedLine(self.source.name, number, "the file ends too soon: it was cut, or is still written")
        for subject in without.keys() - purged:
            raise MalformedLine(self.source.name, without[subject], "an event has lost its payload")

    def _event(self, number: int, line: bytes) -> Event:
        try:
            event = codec.from_line(line)
            for text in (event.space, event.project, event.session, *_texts(codec.data_of(event)[1])):
                if changes := clean(text, LONGEST_LINE).changes:  # another store may allow longer texts
                    raise InvalidInput(
                        f"event {event.id} holds what is never stored ({', '.join(changes)}): "
                        "purge it where it comes from and export again"
                    )
        except TreeringError as error:
            raise MalformedLine(self.source.name, number, str(error)) from None
        return event


Row = tuple[int, dict[str, Any]]  # its number, and remember's arguments


class _Rows:
    """Memories from anywhere."""

    def __init__(
        self, ledger: Ledger, context: Context, name: str, rows: Iterable[Row], limit: int, mine: bool = False
    ) -> None:
        self.ledger = ledger
        self.context = context if mine else at_home(context, name)
        self.name = name
        self.rows = rows
        self.limit = limit
        self.mine = mine
        self.redacted = 0
        self.ignored: dict[str, None] = {}
        self.doubted: dict[str, None] = {}

    def imported(self, progress: Callable[[int], None]) -> Imported:
        counts = _in_portions(self.sound(), self.add, progress)
        return Imported(*counts, self.redacted, tuple(self.ignored), tuple(self.doubted))

    def sound(self) -> Iterator[Draft]:
        """Yield the rows as events, after all of them have been decided; until then they are set aside."""
        with tempfile.TemporaryFile() as aside:
            sizes = [aside.write(marshal.dumps(batch)) for batch in batches(map(tuple, self._decided()))]
            aside.seek(0)
            for size in sizes:
                yield from starmap(Draft, marshal.loads(aside.read(size)))

    def _decided(self) -> Iterator[Draft]:
        place = clean(os.path.basename(self.name), self.limit).text
        for number, row in self.rows:
            try:
                id = str(row.pop("id", ""))
                if row.keys() - _KNOWN:
                    self._ignore(row)
                if not self.mine:
                    self._doubt(row)
                wanted = parse_row(row, self.limit, f"{place}:{number}", id)
                draft = remember(wanted, self.context)
            except TreeringError as error:
                raise MalformedLine(self.name, number, str(error)) from None
            self.redacted += bool(wanted.redacted)
            yield draft

    def _ignore(self, row: dict[str, Any]) -> None:
        for name in row.keys() - _KNOWN:
            del row[name]
            self.ignored[name] = None

    def _doubt(self, row: dict[str, Any]) -> None:
        """Drop what a file cannot vouch for: that a person or an agent said it, that it must never change, and that
        other projects are to hear of it."""
        claims = {
            "origin": isinstance(row.get("origin"), str) and trust_in(row["origin"].strip()) != TRUSTS[-1],
            "invariant": bool(row.get("invariant")),
            "scope": row.get("scope") == "user",
        }
        for name, claimed in claims.items():
            if claimed:
                del row[name]
                self.doubted[name] = None

    def add(self, drafts: list[Draft]) -> int:
        return commit_new(self.ledger, drafts)


def commit_new(ledger: Ledger, drafts: Iterable[Draft], progress: Callable[[int], None] = lambda done: None) -> int:
    """Write the drafts that are not here yet, in portions between which others may write. Return how many."""
    added = done = 0
    for batch in batches(drafts):

        def fresh(batch: list[Draft] = batch) -> list[Draft]:
            by_key = {draft.key: draft for draft in batch}
            known = ledger.store.known([*by_key])
            return [draft for key, draft in by_key.items() if key not in known]

        added += len(ledger.commit(fresh))
        done += len(batch)
        progress(done)
    return added


def _is_export(source: _Source) -> bool:
    return any(_is_header(line) for _, line in islice(_lines(source), 1))


def _is_header(line: bytes) -> bool:
    return line.startswith(_START)


def _lines(source: _Source) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file that hold anything, with their numbers."""
    source.file.seek(0)
    number = 0
    while line := source.file.readline(LONGEST_LINE):
        number += 1
        if len(line) == LONGEST_LINE:
            raise MalformedLine(source.name, number, f"longer than {LONGEST_LINE:,} bytes")
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line.isspace():
            yield number, line


def _rows_of(source: _Source) -> Iterator[Row]:
    """Yield the objects of a file, one a line."""
    for number, line in _lines(source):
        try:
            yield number, _row(line)
        except TreeringError as error:
            raise MalformedLine(source.name, number, str(error)) from None


def _memories_of(store: Reader) -> Iterator[Row]:
    """Yield what a foreign ledger holds now."""
    for number, memory in enumerate(store.records(), 1):
        if memory.status in RECALLABLE:
            row = {field: value for field in _TOLD if (value := getattr(memory, field))}
            scope = {"scope": memory.scope} if memory.scope == "user" else {}
            place = {"id": memory.id, "at": memory.created / 1e6, "project": memory.project}
            yield number, row | scope | place


def _row(line: bytes) -> dict[str, Any]:
    row = codec.decode(line)
    if not isinstance(row, dict) or "content" not in row:
        raise InvalidInput('a row must be an object like {"content": …}')
    return row


def _count(path: str, number: int, line: bytes) -> int:
    """Return how many events the file should hold; -1 if the line does not say."""
    try:
        header = codec.decode(line)
    except InvalidInput as error:
        raise MalformedLine(path, number, str(error)) from None
    if header.get("treering") != FORMAT:
        raise MalformedLine(path, number, "written by a newer Treering: upgrade this one")
    events = header.get("events", -1)
    return events if type(events) is int else -1


def _texts(value: object) -> Iterator[str]:
    """Yield every text in a payload."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
