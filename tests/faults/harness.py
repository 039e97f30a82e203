"""Processes to be killed, and what a store must show afterwards."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import treering
from treering.ledger.events import PURGED
from treering.ledger.transfer import export_file, import_file
from treering.ledger.types import RECALLABLE, Memory
from treering.ledger.verify import Report, verify
from treering.stores.files import FILE_NAME
from treering.stores.port.ledger import EventQuery

LIMIT = 100_000  # characters of a text, as in the default settings
SLOWEST = 300.0  # seconds without a word from another process, after which it hangs; a busy machine takes long


def fork(work: Callable[[], object]) -> int:
    """Run work in a child that has everything imported and nothing opened. It never comes back."""
    pid = os.fork()
    if pid:
        return pid
    try:
        work()
    finally:
        failed = sys.exc_info()[0] is not None
        if failed:
            traceback.print_exc()
            sys.stderr.flush()
        os._exit(failed)


def done(*pids: int) -> bool:
    """Whether all of these children ended well. Waits for each of them."""
    ends = [os.waitpid(pid, 0)[1] for pid in pids]
    return not any(ends)


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def apart(home: str | os.PathLike[str], code: str = "") -> None:
    """Open the store in a process that shares nothing with this one, run a line on `memory`, and close it."""
    program = f"import sys, treering\nwith treering.open(sys.argv[1]) as memory:\n    {code or 'pass'}"
    subprocess.run([sys.executable, "-c", program, os.fspath(home)], check=True)


class Signal:
    """Two processes wait for each other."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()

    def give(self) -> None:
        os.write(self._write, b".")

    def wait(self) -> None:
        if not select.select([self._read], [], [], SLOWEST)[0]:
            raise TimeoutError("the other process is gone, or hangs")
        os.read(self._read, 1)


Heads = dict[str, tuple[int, bytes]]


def heads_of(memory: treering.Treering) -> Heads:
    """Where each writer's chain ends: it stands for every event before it, with every byte of it."""
    return {writer: (head.seq, head.chain) for writer, head in memory.store.heads().items()}


def written(heads: Heads) -> int:
    """How many events there are."""
    return sum(seq for seq, _ in heads.values())


def verified(memory: treering.Treering) -> Report:
    return verify(memory.ledger.store)


def contents(memory: treering.Treering) -> dict[str, str]:
    """Every memory of a store, forgotten ones with nothing to say."""
    return {record.id: record.content for record in memory.store.records()}


class Finding(NamedTuple):
    """What a store holds after a fault, and what is wrong with it."""

    contents: dict[str, str]
    heads: Heads
    problems: tuple[str, ...]


def examine(memory: treering.Treering, acknowledged: Heads) -> Finding:
    """Whether every acknowledged event is there, unchanged, and everything else agrees with the events."""
    problems = [*verified(memory).problems, *lost(memory, acknowledged)]
    if problems:  # what is damaged can be read in part at best
        return Finding({}, {}, tuple(problems))
    return Finding(contents(memory), heads_of(memory), tuple(unerased(memory)))


def lost(memory: treering.Treering, acknowledged: Heads) -> Iterator[str]:
    """Acknowledged events that are not there, or are others."""
    ids = tuple(f"{writer}-{seq}" for writer, (seq, _) in acknowledged.items())
    chains = {event.id: event.chain for event in memory.store.events(EventQuery(ids=ids))}
    for writer, (seq, chain) in acknowledged.items():
        if chains.get(f"{writer}-{seq}") != chain:
            yield f"acknowledged event {writer}-{seq} is lost"


def unerased(memory: treering.Treering) -> list[str]:
    """Events that a purge in the ledger says are erased, and are not."""
    purged = {event.subject for event in memory.store.events(EventQuery(kinds=(PURGED,)))}
    told = memory.store.events(EventQuery(subjects=tuple(purged)))
    return [f"event {event.id} was purged and still tells" for event in told if _tells(event)]


def _tells(event: treering.Event) -> bool:
    return event.kind != PURGED and event.payload is not None


def database(home: str) -> str:
    return os.path.join(home, FILE_NAME)


def files_of(home: str) -> dict[str, bytes]:
    """The bytes of every file of a store that nobody has open: reading it would drop the locks."""
    found = {}
    for name in sorted(os.listdir(home)):
        with open(os.path.join(home, name), "rb") as file:
            found[name] = file.read()
    return found


def bring_in(memory: treering.Treering, path: str) -> None:
    import_file(memory.ledger, memory.context, path, limit=LIMIT, progress=lambda count: None)


class Export(NamedTuple):
    """A file that another machine's store was written to."""

    path: str
    writer: str
    texts: tuple[str, ...]


def make_export(folder: str, name: str, texts: Iterable[str]) -> Export:
    path = os.path.join(folder, f"{name}.jsonl")
    with treering.open(os.path.join(folder, name)) as memory:
        records = memory.remember_many({"content": text} for text in texts)
        export_file(memory.store, path)
        return Export(path, memory.store.writer, tuple(record.content for record in records))


def live(memory: treering.Treering) -> list[Memory]:
    return [record for record in memory.store.records() if record.status != "forgotten"]


def recallable(memory: treering.Treering) -> list[Memory]:
    return [record for record in memory.store.records() if record.status in RECALLABLE]


def forgotten(memory: treering.Treering) -> list[Memory]:
    return [record for record in memory.store.records() if record.status == "forgotten"]
