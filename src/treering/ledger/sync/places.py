"""Where a shared folder lies: a folder of this machine, or a mirror of one that is reached by ssh or git.

A file in it is written once under its own name, whole or not at all, and never through a link.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Protocol

from treering.ledger.errors import InvalidInput, StoreUnavailable
from treering.ledger.sync.segments import LARGEST, Damaged
from treering.stores.files import make_home, open_own, sync_folder

MARKER = "treering-sync.json"  # the file that tells whose folder it is
_OURS = re.compile(r"[a-z0-9]{1,40}(-[0-9a-f]{1,17}){1,4}\.(events|machine)")
_DRAFT = ".part"  # how the name of a file ends that is being written
_OLD = 2 * 86_400  # seconds: a draft of that age belongs to nobody
_BLOCK = 1 << 20  # bytes read at a time


class Unreachable(StoreUnavailable):
    """The place of a sync cannot be reached now."""


def ours(names: Iterable[str], where: str) -> set[str]:
    """Return the files of a sync among those of a place; refuse a place that holds other files and no sync."""
    found = {*names}
    others = sorted(name for name in found if not name.startswith("."))
    if others and MARKER not in found:
        raise InvalidInput(f"{where} holds other files ({others[0]}, …): name a folder of its own, it is made")
    return {name for name in found if name == MARKER or _OURS.fullmatch(name)}


def check_size(name: str, size: int) -> None:
    if size > LARGEST:
        raise Damaged(f"{name} has {size:,} bytes, more than a sync ever writes: delete it there")


class Place(Protocol):
    """A flat folder of files that are never changed."""

    def names(self) -> list[str]:
        """Return the names of the files, in any order, without those that are being written."""

    def read(self, name: str) -> bytes:
        """Return a file; raise FileNotFoundError if another machine has deleted it."""

    def write(self, name: str, data: bytes) -> None:
        """Write a file, whole and durably. One of that name has the same content already."""

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""

    def changing(self) -> AbstractContextManager[None]:
        """Within it the place is as others see it; at its end others see what was changed."""


class Folder:
    """A folder of this machine: on its disk, on a stick, or one that another program carries to other machines."""

    def __init__(self, path: str) -> None:
        self.path = path

    @contextmanager
    def changing(self) -> Iterator[None]:
        if not os.path.isdir(self.path):
            raise self._gone()
        if not os.access(self.path, os.W_OK | os.X_OK):
            raise Unreachable(f"{self.path} cannot be written to: a sync needs the right to, on this machine too")
        yield

    def names(self) -> list[str]:
        try:
            with os.scandir(self.path) as entries:
                return [entry.name for entry in entries if not entry.name.endswith(_DRAFT)]
        except FileNotFoundError:
            raise self._gone() from None

    def _gone(self) -> Unreachable:
        return Unreachable(f"{self.path} is not there: plug it in or mount it, or `treering sync remove` it")

    def read(self, name: str) -> bytes:
        path = os.path.join(self.path, name)
        try:
            handle = open_own(path, os.O_RDONLY)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise Damaged(f"{path} cannot be read ({error.strerror}): delete it, if it is no file") from None
        with open(handle, "rb") as file:
            check_size(path, os.fstat(handle).st_size)
            return b"".join(iter(lambda: file.read(_BLOCK), b""))

    def write(self, name: str, data: bytes) -> None:
        path = os.path.join(self.path, name)
        draft = f"{path}.{os.urandom(4).hex()}{_DRAFT}"
        handle = open_own(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
        try:
            with open(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(handle)
            os.replace(draft, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(draft)
            raise
        sync_folder(self.path)

    def delete(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(self.path, name))

    def sweep(self, now: float) -> None:
        """Delete what writers left that were killed."""
        with os.scandir(self.path) as entries:
            old = [e.path for e in entries if e.name.endswith(_DRAFT) and now - e.stat().st_mtime > _OLD]
        for path in old:
            with suppress(OSError):
                os.unlink(path)


def make_folder(path: str) -> None:
    """Make a folder to share, for its owner only, if it is not there; refuse one that holds something else."""
    if os.path.lexists(path) and not os.path.isdir(path):
        raise InvalidInput(f"{path} is no folder: name another")
    if not os.path.isdir(path):
        make_home(path)
