"""Read files of other programs, and write them whole or not at all, with their mode and through
links.

Files of the plugin are placed in folders of agents. One that somebody has edited is not touched.

What was written where, so that exactly that goes again: a file in the home folder of the store.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EPERM, EROFS
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from treering.ledger.errors import TreeringError
from treering.stores.files import make_home, open_file, release, sync_folder, take
from treering.surfaces.install.jsonc import Splice

if TYPE_CHECKING:
    from treering.surfaces.install.agents import Copies
    from treering.surfaces.install.entries import Path


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
    """Return what a file holds; None if there is none."""
    try:
        with open(open_file(path), "rb") as file:
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
    """Delete drafts of a process that was killed: nobody else writes them now."""
    folder, name = os.path.split(os.path.realpath(path))
    start, size = f".{name}.", len(f".{name}.") + 2 * _CHANCE + len(DRAFT)
    for one in os.listdir(folder) if os.path.isdir(folder) else ():
        if one.startswith(start) and one.endswith(DRAFT) and len(one) == size:
            os.unlink(os.path.join(folder, one))


def missing_folders(path: str) -> list[str]:
    """Return the folders above a path that are not there yet, outermost first."""
    found: list[str] = []
    folder = os.path.dirname(os.path.realpath(path))
    while not os.path.lexists(folder):
        found.insert(0, folder)
        folder = os.path.dirname(folder)
    return found


def digest(data: bytes | None) -> str:
    """Return the digest of a file; nothing if there is none."""
    return "" if data is None else sha256(data).hexdigest()


@contextmanager
def lock(home: str) -> Iterator[None]:
    """Hold a lock, so that there is one installation at a time. It ends with the process, however that ends."""
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
    """Leave a file to its owner, if root edits it."""
    if there is None or not hasattr(os, "chown"):
        return
    mine = os.stat(draft)
    if (mine.st_uid, mine.st_gid) != (there.st_uid, there.st_gid):
        with suppress(OSError):
            os.chown(draft, there.st_uid, there.st_gid)


PLUGIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugin")
# Where a text of the plugin shows a command: at the start of a line, in backquotes, in a rule of permission.
_COMMAND = re.compile(rb"(^ *|`|Bash\()treering(?= [a-z-])", re.MULTILINE)
_SCRIPTED = b'const HOOK = ["treering-hook"]'  # where a script says what it runs
WRITE, DELETE, KEEP, STRANGE = "write", "delete", "keep", "strange"


class Copy(NamedTuple):
    path: str
    action: str  # what to do; of one that is kept or strange, nothing
    before: bytes | None
    data: bytes


def sources(copies: Copies) -> Iterator[tuple[str, bytes]]:
    """Yield each file that is to be placed, and where."""
    for source in copies.sources:
        for relative in sorted(_files(source)):
            data = read(os.path.join(PLUGIN, *relative.split("/")))
            placed = relative.removeprefix(copies.strip)
            yield os.path.join(copies.folder, *placed.split("/")), _runnable(data or b"", copies)


def _runnable(data: bytes, copies: Copies) -> bytes:
    """Return a text of the plugin with the path of our program wherever it shows a command, or a script runs one."""
    data = data.replace(_SCRIPTED, b"const HOOK = " + json.dumps(copies.hook).encode())
    return _COMMAND.sub(lambda found: found[1] + copies.run.encode(), data)


def to_place(copies: Copies, records: Records) -> Iterator[Copy]:
    """Yield the files to write: those that are missing or old. One that somebody has edited stays."""
    for path, data in sources(copies):
        before, known = read(path), records.placed.get(path)
        if before == data:
            action = KEEP
        elif before is None or (known and known.digest == digest(before)):
            action = WRITE
        else:
            action = STRANGE
        yield Copy(path, action, before, data)
    yield from (Copy(path, DELETE, read(path), b"") for path in _outdated(copies, records))


def to_delete(copies: Copies, records: Records, agent: str) -> Iterator[Copy]:
    """Yield the files to delete: those that nobody has edited, unless another agent needs them too."""
    shipped = dict(sources(copies))
    known = [path for path in records.placed if _is_below(path, copies.folder)]
    for path in dict.fromkeys((*shipped, *known)):
        before, placed = read(path), records.placed.get(path)
        if placed and agent not in placed.agents:
            continue
        if before is None or (placed and set(placed.agents) - {agent}):
            action = KEEP
        elif digest(before) == (placed.digest if placed else digest(shipped.get(path))):
            action = DELETE
        else:
            action = STRANGE
        yield Copy(path, action, before, b"")


def _outdated(copies: Copies, records: Records) -> list[str]:
    """Return what an older version placed in a folder of ours, and this one does not."""
    if copies.strip:  # a folder that others share: nothing is ours but what we place now
        return []
    now = dict(sources(copies))
    old = [path for path in records.placed if _is_below(path, copies.folder) and path not in now]
    return [path for path in old if digest(read(path)) == records.placed[path].digest]


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder + os.sep)


def _files(source: str) -> Iterator[str]:
    whole = os.path.join(PLUGIN, *source.split("/"))
    if os.path.isfile(whole):
        yield source
    for place, folders, names in os.walk(whole):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            yield os.path.relpath(os.path.join(place, name), PLUGIN).replace(os.sep, "/")


FILE_NAME = "installed.json"
FORMAT = 1
UNKNOWN = "?"  # instead of a digest: entries of ours were found, and nobody knows what was there before them


class UnreadableRecords(TreeringError):
    """The file that says what was installed cannot be read."""


class Edited(NamedTuple):
    """A file of another program that has entries of ours."""

    agent: str
    before: str  # digest; nothing if there was no such file, or UNKNOWN
    after: str
    steps: tuple[Splice, ...]  # from the one to the other
    made: tuple[Path, ...]  # what was not there, and holds our entries
    backup: str = ""
    version: str = ""


class Placed(NamedTuple):
    """A file of ours in a folder of another program."""

    agents: tuple[str, ...]  # for which it was placed
    digest: str


class Records:
    """All of it, and the folders that were made."""

    def __init__(self, home: str) -> None:
        self.path = os.path.join(home, FILE_NAME)
        self.edited: dict[str, Edited] = {}
        self.placed: dict[str, Placed] = {}
        self.folders: list[str] = []
        self._load()

    def __bool__(self) -> bool:
        return bool(self.edited or self.placed or self.folders)

    def release(self, path: str, agent: str) -> bool:
        """Forget that an agent needs a placed file, and return whether no other agent does."""
        known = self.placed.get(path)
        others = tuple(name for name in known.agents if name != agent) if known else ()
        if known and others:
            self.placed[path] = known._replace(agents=others)
            return False
        self.placed.pop(path, None)
        return True

    def save(self) -> None:
        """Write it down; a record of nothing is no file."""
        if not self:
            delete(self.path)
            return
        value = {
            "format": FORMAT,
            "edited": {path: one._asdict() for path, one in self.edited.items()},
            "placed": {path: one._asdict() for path, one in self.placed.items()},
            "folders": self.folders,
        }
        write(self.path, json.dumps(value, indent=1).encode(), PRIVATE)

    def _load(self) -> None:
        data = read(self.path)
        if data is None:
            return
        try:
            value = json.loads(data)
            if value["format"] != FORMAT:
                raise ValueError("it is of another version")
            self.edited = {path: _edited(one) for path, one in value["edited"].items()}
            self.placed = {path: Placed(tuple(one["agents"]), one["digest"]) for path, one in value["placed"].items()}
            self.folders = list(value["folders"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UnreadableRecords(
                f"{self.path} cannot be understood ({error}): move it away, and entries are found by what they say"
            ) from error


def _edited(value: dict[str, Any]) -> Edited:
    steps = tuple(Splice(*step) for step in value["steps"])
    return Edited(**{**value, "steps": steps, "made": tuple(tuple(path) for path in value["made"])})
