"""Memories in and out of files: the whole ledger, or plain rows of other programs. JSON Lines, always."""

from __future__ import annotations

import gc
import marshal  # for what this process sets aside for itself, on its way from one page to the next
import os
import shutil
import sys
import tempfile
from contextlib import contextmanager, nullcontext
from itertools import islice, starmap

from treering.core import codec
from treering.core.decide import remember
from treering.core.errors import InvalidInput, MalformedLine, StoreUnavailable, TreeringError
from treering.core.events import PURGED, Draft
from treering.core.ports import EventQuery
from treering.core.tuples import NamedTuple
from treering.core.types import TRUSTS, trust_in
from treering.guard import clean
from treering.ledger import batches
from treering.stores.files import FILE_NAME, sync_folder
from treering.wishes import OPTIONS, standing, wish

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO, Any, TypeVar

    from treering.core.events import Event
    from treering.core.ports import Reader
    from treering.core.types import Context
    from treering.ledger import Ledger

    T = TypeVar("T")


FORMAT = 1  # of an export, in its first line
_KNOWN = frozenset(OPTIONS)
LONGEST_LINE = 8_000_000  # bytes; the largest memory in the most wasteful spelling is shorter


class Imported(NamedTuple):
    """What an import did."""

    added: int  # events or rows that were new
    known: int  # those that were here already
    redacted: int = 0  # rows from which the guard took something
    ignored: tuple[str, ...] = ()  # keys of plain rows that mean nothing to us
    doubted: tuple[str, ...] = ()  # and those that were not believed


def export(store: Reader, out: IO[bytes]) -> int:
    """Write the whole ledger, one event a line, between a line that names the format and one that counts."""

    def write() -> int:
        total = 0
        out.write(b'{"treering":%d}\n' % FORMAT)
        for event in store.events():
            out.write(codec.to_line(event) + b"\n")
            total += 1
        out.write(b'{"treering":%d,"events":%d}\n' % (FORMAT, total))
        return total

    return store.view(write)


def export_file(store: Reader, path: str) -> int:
    """Write the ledger to a file that is either whole or not there, for its owner's eyes only."""
    target = os.path.realpath(path)
    if os.path.basename(target).startswith(FILE_NAME):
        raise InvalidInput(f"{path} has the name of a store: choose another for the export")
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as out:  # a pipe or a device cannot be put into place
                return export(store, out)
        return _put_into_place(store, target)
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be written: {error.strerror}") from error


def _put_into_place(store: Reader, target: str) -> int:
    draft = f"{target}.{os.urandom(4).hex()}.part"
    handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with open(handle, "wb") as out:
            os.chmod(draft, 0o600)
            total = export(store, out)
            out.flush()
            os.fsync(out.fileno())
        os.replace(draft, target)
        sync_folder(os.path.dirname(target))
    except BaseException:
        if os.path.exists(draft):
            os.unlink(draft)
        raise
    return total


def import_file(
    ledger: Ledger,
    context: Context,
    path: str,
    *,
    limit: int,
    progress: Callable[[int], None] = lambda done: None,
    mine: bool = False,
) -> Imported:
    """Take in an export, or rows of {"content": …}. What is here already is left as it is. What a row claims of itself
    is believed if the file is `mine`.

    Nothing is written unless every line of the file is sound, and then in portions, so that other writers
    need not wait for the end of a long file.
    """
    with _uncollected(), _source(path) as source:
        if _is_export(source):
            events = _Events(ledger, source)
            return Imported(*_in_portions(events.sound(), events.add, progress))
        rows = _Rows(ledger, standing(context, limit), source, limit, mine)
        counts = _in_portions(rows.sound(), rows.add, progress)
        return Imported(*counts, rows.redacted, tuple(rows.ignored), tuple(rows.doubted))


class _Source(NamedTuple):
    """A file that can be read from its start again and again, and the name by which a person knows it."""

    name: str
    file: IO[bytes]


@contextmanager
def _source(path: str) -> Iterator[_Source]:
    """A file as it is; a pipe or standard input (`-`), which can be read but once, as a copy without a name."""
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


@contextmanager
def _uncollected() -> Iterator[None]:
    """Nothing here makes cycles, and looking for them over and over would take a tenth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


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

    def sound(self) -> Iterator[Event]:
        """The events, once all of them have been looked at."""
        self._check()
        return (self._event(*line) for line in _lines(self.source) if not _is_header(line[1]))

    def _check(self) -> None:
        told, count, number = -1, 0, 0
        without: dict[str, int] = {}
        purged = {event.subject for event in self.ledger.store.events(EventQuery(kinds=(PURGED,)))}
        for number, line in _lines(self.source):
            if _is_header(line):
                told = _count(self.source.name, number, line)
                continue
            event = self._event(number, line)
            count += 1
            if event.kind == PURGED:
                purged.add(event.subject)
            elif event.payload is None:
                without.setdefault(event.subject, number)
        if told != count:
            raise MalformedLine(self.source.name, number, "the file ends too soon: it was cut, or is still written")
        for subject in without.keys() - purged:
            raise MalformedLine(self.source.name, without[subject], "an event has lost its payload")

    def add(self, events: list[Event]) -> int:
        return self.ledger.take_in(events)

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


class _Rows:
    """Memories from anywhere, one object a line."""

    def __init__(self, ledger: Ledger, context: Context, source: _Source, limit: int, mine: bool = False) -> None:
        self.ledger = ledger
        self.context = context
        self.source = source
        self.limit = limit
        self.mine = mine
        self.redacted = 0
        self.ignored: dict[str, None] = {}
        self.doubted: dict[str, None] = {}

    def sound(self) -> Iterator[Draft]:
        """The rows as events, once all of them have been decided on; until then they are set aside."""
        with tempfile.TemporaryFile() as aside:
            sizes = [aside.write(marshal.dumps(batch)) for batch in batches(map(tuple, self._decided()))]
            aside.seek(0)
            for size in sizes:
                yield from starmap(Draft, marshal.loads(aside.read(size)))

    def _decided(self) -> Iterator[Draft]:
        place = clean(os.path.basename(self.source.name), self.limit).text
        for number, line in _lines(self.source):
            try:
                row = _row(line)
                id = str(row.pop("id", ""))
                if row.keys() - _KNOWN:
                    self._ignore(row)
                if not self.mine:
                    self._doubt(row)
                wanted = wish(row, self.limit, f"{place}:{number}", id)
                draft = remember(wanted, self.context)
            except TreeringError as error:
                raise MalformedLine(self.source.name, number, str(error)) from None
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
            "scope": row.get("scope") == "user" and bool(row.get("project") or self.context.project),
        }
        for name, claimed in claims.items():
            if claimed:
                del row[name]
                self.doubted[name] = None

    def add(self, drafts: list[Draft]) -> int:
        def fresh() -> list[Draft]:
            by_key = {draft.key: draft for draft in drafts}
            known = self.ledger.store.known([*by_key])
            return [draft for key, draft in by_key.items() if key not in known]

        return len(self.ledger.commit(fresh))


def _is_export(source: _Source) -> bool:
    return any(_is_header(line) for _, line in islice(_lines(source), 1))


def _is_header(line: bytes) -> bool:
    return line.startswith(b'{"treering":')


def _lines(source: _Source) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that hold anything, with their numbers."""
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


def _row(line: bytes) -> dict[str, Any]:
    row = codec.decode(line)
    if not isinstance(row, dict) or "content" not in row:
        raise InvalidInput('a row must be an object like {"content": …}')
    return row


def _count(path: str, number: int, line: bytes) -> int:
    """How many events the file should hold; -1 where the line does not say."""
    try:
        header = codec.decode(line)
    except InvalidInput as error:
        raise MalformedLine(path, number, str(error)) from None
    if header.get("treering") != FORMAT:
        raise MalformedLine(path, number, "written by a newer Treering: upgrade this one")
    events = header.get("events", -1)
    return events if type(events) is int else -1


def _texts(value: object) -> Iterator[str]:
    """Every text in a payload."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
