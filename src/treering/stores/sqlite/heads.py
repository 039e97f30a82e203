"""Keep, beside the database, how far each writer's chain was acknowledged.

A database whose log was lost, or that an older copy was put in the place of, is sound in itself: only
something outside of it can tell that it once held more. The file is written after each commit and not
synced, so it may lag behind and never runs ahead.

It also says when it was written, by the clock of the file system. No program that copies files can set
that time of a copy, so a file that was put back from a backup, with its whole folder, says another one.
"""

from __future__ import annotations

import os
from binascii import crc32
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress

from treering.ledger.events import Head
from treering.stores.files import IN_MEMORY, lock, open_own

Heads = dict[str, Head]

SUFFIX = ".heads"  # of the file, after the name of the database
_LARGEST = 1 << 20  # bytes: ten thousand writers
_STAMP = "written"  # the name before the time, which is no name of a writer: these have eight characters
SLACK = 2.0  # seconds between a time and the write that follows; nobody restores a backup within so few


class Acknowledged:
    """The heads that were acknowledged, in a file beside a database."""

    def __init__(self, database: str) -> None:
        self.path = "" if database == IN_MEMORY else database + SUFFIX

    def read(self) -> dict[str, Head]:
        """Return the head of each writer; nothing for a file that is not there or not sound."""
        return self.look()[0]

    def look(self) -> tuple[dict[str, Head], bool]:
        """Return the head of each writer, and whether the file is a copy that was put back."""
        try:
            handle = open_own(self.path, os.O_RDONLY)
        except OSError:
            return {}, False
        try:
            heads = _parse(os.read(handle, _LARGEST))
            stamp = heads.pop(_STAMP, None)
            return heads, stamp is not None and abs(_changed(handle) - stamp.seq) > SLACK * 1_000
        finally:
            os.close(handle)

    def note(self, heads: Mapping[str, Head]) -> None:
        """Write down heads that were committed, unless another process has noted later ones."""

        def later(known: Heads) -> Heads:
            return {**known, **{name: head for name, head in heads.items() if head.seq >= known.get(name, Head()).seq}}

        if heads:
            self._change(later)

    def drop(self, writers: Collection[str]) -> None:
        """Forget what was acknowledged of writers whose events have got other names."""
        self._change(lambda known: {name: head for name, head in known.items() if name not in writers})

    def _change(self, change: Callable[[Heads], Heads]) -> None:
        if not self.path:
            return
        with suppress(OSError):  # what was committed stands, whether this can be written or not
            handle = open_own(self.path, os.O_CREAT | os.O_RDWR)
            try:
                lock(handle)
                _replace(handle, change(_parse(os.read(handle, _LARGEST))))
            finally:
                os.close(handle)

    def forget(self) -> None:
        """Forget what was acknowledged."""
        with suppress(FileNotFoundError):
            os.unlink(self.path)


def _changed(handle: int) -> int:
    """Return when a file was last written, in milliseconds; Windows keeps no such time."""
    return 0 if os.name == "nt" else os.fstat(handle).st_ctime_ns // 1_000_000


def _parse(data: bytes) -> dict[str, Head]:
    text, _, sum = data.rpartition(b"\n")
    if sum != b"%08x" % crc32(text):
        return {}
    heads = {}
    for line in text.decode("ascii", "replace").splitlines():
        writer, seq, chain = line.rsplit(" ", 2)
        heads[writer] = Head(int(seq), bytes.fromhex(chain))
    return heads


def _replace(handle: int, heads: Mapping[str, Head]) -> None:
    if os.name != "nt":
        os.fchmod(handle, 0o600)  # sets the time of the change, which the write after it sets anew
    stamped = {**heads, _STAMP: Head(_changed(handle), b"")}
    text = "\n".join(f"{writer} {head.seq} {head.chain.hex()}" for writer, head in sorted(stamped.items()))
    data = text.encode("ascii", "replace")
    data += b"\n%08x" % crc32(data)
    os.lseek(handle, 0, os.SEEK_SET)
    os.write(handle, data)
    os.ftruncate(handle, len(data))
