"""Files of other programs: read, and written whole or not at all, with their mode, through links."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from errno import EACCES, EPERM, EROFS
from hashlib import sha256

from treering.core.errors import TreeringError
from treering.stores.files import make_home, sync_folder
from treering.stores.lock import release, take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

BACKUP = ".before-treering"
DRAFT = ".part"  # the end of a name under which a file is written before it gets its own
LOCK = "install.lock"  # in the home folder
PATIENCE = 20.0  # seconds that one installation waits for another; one takes far less than a second
PRIVATE, SHARED = 0o600, 0o644
_PAUSE = 0.05  # seconds between two tries to get the lock
_CHANCE = 4  # bytes in the name of a draft, so that no two have one
_READ_ONLY = (EACCES, EPERM, EROFS)


class Unusable(TreeringError):
    """A file or its folder cannot be read or written."""


class Busy(TreeringError):
    """Somebody else is installing at this moment."""


def read(path: str) -> bytes | None:
    """What a file holds; None if there is none."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unusable(f"{path} cannot be read ({error.strerror})") from error


def check(path: str) -> None:
    """Refuse what could not be written, before anything is."""
    real = os.path.realpath(path)
    if os.path.exists(real):
        if not os.path.isfile(real):
            raise Unusable(f"{path} is no file: move it away")
        if not os.stat(real).st_mode & 0o222 or not os.access(real, os.W_OK):
            raise Unusable(f"{path} is read-only: make it writable")
    folder = os.path.dirname(real)
    while not os.path.lexists(folder):
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK | os.X_OK):
        raise Unusable(f"{folder} is no folder that can be written: look at who owns it")


def write(path: str, data: bytes, mode: int = SHARED) -> None:
    """Write a file under another name and rename it. One that is there keeps its mode, and a link stays a link."""
    real = os.path.realpath(path)
    folder = os.path.dirname(real)
    draft = os.path.join(folder, f".{os.path.basename(real)}.{os.urandom(_CHANCE).hex()}{DRAFT}")
    try:
        os.makedirs(folder, exist_ok=True)
        clear(real)
        there = os.stat(real) if os.path.exists(real) else None
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), PRIVATE)
        with open(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(draft, stat.S_IMODE(there.st_mode) if there else mode)
        _keep_owner(draft, there)
        os.replace(draft, real)
        sync_folder(folder)
    except OSError as error:
        with suppress(OSError):
            os.unlink(draft)
        why = "read-only" if error.errno in _READ_ONLY else error.strerror
        raise Unusable(f"{path} cannot be written ({why}): nothing in it was changed") from error


def delete(path: str) -> None:
    """Delete a file; a link that leads to it is somebody else's, and stays."""
    try:
        os.unlink(os.path.realpath(path))
    except FileNotFoundError:
        return
    except OSError as error:
        raise Unusable(f"{path} cannot be deleted ({error.strerror})") from error


def clear(path: str) -> None:
    """Drafts of one who was killed before they were done go: nobody else writes them now."""
    folder, name = os.path.split(os.path.realpath(path))
    start, size = f".{name}.", len(f".{name}.") + 2 * _CHANCE + len(DRAFT)
    for one in os.listdir(folder) if os.path.isdir(folder) else ():
        if one.startswith(start) and one.endswith(DRAFT) and len(one) == size:
            os.unlink(os.path.join(folder, one))


def missing_folders(path: str) -> list[str]:
    """The folders above a path that are not there yet, outermost first."""
    found: list[str] = []
    folder = os.path.dirname(os.path.realpath(path))
    while not os.path.lexists(folder):
        found.insert(0, folder)
        folder = os.path.dirname(folder)
    return found


def digest(data: bytes | None) -> str:
    """Of what a file holds; nothing if there is none."""
    return "" if data is None else sha256(data).hexdigest()


@contextmanager
def lock(home: str) -> Iterator[None]:
    """One installation at a time. The lock goes with the process, however that ends."""
    from time import monotonic, sleep

    make_home(home)
    path, until = os.path.join(home, LOCK), monotonic() + PATIENCE
    while not take(path):
        if monotonic() > until:
            raise Busy("somebody else is installing Treering at this moment: try again")
        sleep(_PAUSE)
    try:
        yield
    finally:
        release(path)


def _keep_owner(draft: str, there: os.stat_result | None) -> None:
    """Who edits another's file, as root, leaves it theirs."""
    if there is None or not hasattr(os, "chown"):
        return
    mine = os.stat(draft)
    if (mine.st_uid, mine.st_gid) != (there.st_uid, there.st_gid):
        with suppress(OSError):
            os.chown(draft, there.st_uid, there.st_gid)
