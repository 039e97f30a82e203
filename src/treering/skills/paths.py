"""Find the folders of skills, and check which paths below a root are safe to write on every system.

The way down from a root, folder by folder, each held open.

A name is looked up in the folder that is open and never through a link. Whoever swaps a folder for a link on the way
changes nothing: what is written lands in the folder that was entered. Windows has no such calls; there each step is
looked at before it is taken.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from errno import ELOOP, ENOENT, ENOTDIR
from io import BufferedReader
from typing import NamedTuple, Self

from treering.ledger.errors import InvalidInput, Refused
from treering.skills.rules import DEVICES, RESERVED

LONGEST_PIECE = 255  # bytes: what file systems take for one name
DEEPEST = 16  # folders; a skill needs two or three, and each is held open while a file is placed

_FORBIDDEN = frozenset('\\:*?"<>|')  # a drive, a stream, or what Windows refuses
_DEVICES = DEVICES | {"conin$", "conout$", *(f"{port}{number}" for port in ("com", "lpt") for number in "¹²³")}
_GIT = frozenset((".git", "git~1"))  # the second is what old Windows calls the first


class UnsafePath(Refused):
    def __init__(self, relative: str, why: str) -> None:
        super().__init__(f"{relative[:120]!r} is no path below a root: {why}. Name folders and a file, like a/b.md")


class InTheWay(Refused):
    def __init__(self, path: str, what: str) -> None:
        super().__init__(f"{path} is {what}: nothing is written through it or in its place; move it away")


class AlreadyThere(Refused):
    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is there already: compare the two, then say --overwrite, or move it away")


class NoRoot(InvalidInput):
    def __init__(self, root: str) -> None:
        super().__init__(f"{root!r} is not a folder: make it, or choose another --root")


def pieces_of(relative: str) -> list[str]:
    """Return the names that a path consists of.

    Raises UnsafePath if one could lead elsewhere, or is no name everywhere.
    """
    pieces = relative.split("/")
    if len(pieces) > DEEPEST:
        raise UnsafePath(relative, f"it is more than {DEEPEST} folders deep")
    for piece in pieces:
        if why := _problem(piece):
            raise UnsafePath(relative, why)
    return pieces


def root_of(root: str) -> str:
    """Return where a root really is. It may be a link, as a person named it; nothing below it may."""
    if not root or "\0" in root or not os.path.isdir(root):
        raise NoRoot(root)
    return os.path.realpath(root)


def path_of(root: str, relative: str) -> str:
    """Return the absolute path of a safe path below a root; what is there is not looked at."""
    return os.path.join(root_of(root), *pieces_of(relative))


def below(root: str, path: str) -> str:
    """Return a path as seen from a root, with slashes; nothing if it is not below."""
    top, full = os.path.realpath(root), os.path.realpath(path)
    if not full.startswith(top.rstrip(os.sep) + os.sep):
        return ""
    return os.path.relpath(full, top).replace(os.sep, "/")


def _problem(piece: str) -> str:
    """Return what is wrong with a name."""
    if piece in ("", ".", ".."):
        return "it is absolute, or has an empty part, . or .."
    if not piece.isprintable():
        return "it has characters that cannot be seen"
    if not _FORBIDDEN.isdisjoint(piece):
        return 'it has one of \\ : * ? " < > |'
    if piece != piece.strip() or piece.endswith("."):
        return "a part begins or ends with a blank, or ends with a dot"
    if len(piece.encode()) > LONGEST_PIECE:
        return f"a part has more than {LONGEST_PIECE} bytes"
    if piece.partition(".")[0].rstrip().lower() in _DEVICES:
        return f"{piece!r} is a device on Windows"
    return "the folder of git is not touched" if piece.lower() in _GIT else ""


PROJECT, USER, CONFIGURED, SHIPPED = "project", "user", "configured", "shipped"
PLACES = (PROJECT, USER, CONFIGURED, SHIPPED)  # a skill of an earlier one hides those of the same name

# Where agents look for them. The first one is also where drafts go that a person has accepted.
TARGET = "skills"
SHARED = (".agents/skills", ".claude/skills")
# Where agents look for skills of a project, each with what stands beside it where such an agent is used.
_AGENTS = {".claude/skills": (".claude", "CLAUDE.md"), ".agents/skills": (".agents", "AGENTS.md")}
SKILL_FILE = "SKILL.md"
FILE_NAMES = (SKILL_FILE, "skill.md")

QUARANTINE = ".treering"  # drafts wait here: no agent looks, and neither do we
_DRAFTS = "drafts"

# What comes with Treering, for whoever looks for it by name: it takes no room in a prompt.
OWN = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "surfaces", "install", "plugin", "skills"
)

_PAPERS = RESERVED | {"code_of_conduct", "code-of-conduct"}


class Folder(NamedTuple):
    path: str
    place: str
    within: str = ""  # where its files must be in truth; empty for anywhere


class Found(NamedTuple):
    """A file that may be a skill."""

    name: str  # of its folder, or of the file
    folder: str  # where its file is,
    file: str  # and the name of that; of a folder, the first of `FILE_NAMES`
    linked: bool  # it, or its folder, is a link


def skill_target(root: str, setting: str) -> str:
    """Return where accepted skills go, below a root: as the setting says, or where the agent of this project looks."""
    if setting:
        return setting
    there = [name for name in (*_AGENTS, TARGET) if os.path.isdir(os.path.join(root, name))]
    signs = [name for name, beside in _AGENTS.items() if any(os.path.exists(os.path.join(root, one)) for one in beside)]
    return next(iter((*there, *signs)), TARGET)


def folders(root: str, home: str, configured: str = "", target: str = TARGET, *, shipped: bool = False) -> list[Folder]:
    """Return the folders to look through, those that count most first, each once.

    Of no project if the root is empty; with what comes with Treering if it is wanted.
    """
    found: dict[str, Folder] = {}
    if root:
        for name in (target or TARGET, *SHARED):
            _add(found, Folder(os.path.join(root, name), PROJECT, os.path.realpath(root)))
    for name in SHARED:
        _add(found, Folder(os.path.join(home, name), USER))
    for path in filter(None, (part.strip() for part in configured.split(os.pathsep))):
        _add(found, Folder(os.path.join(root, os.path.expanduser(path)), CONFIGURED))
    if shipped:
        _add(found, Folder(OWN, SHIPPED))
    return list(found.values())


def files(folder: Folder) -> Iterator[Found]:
    """Yield what may be a skill, folders before files; nothing where there is no folder, nor out of a quarantine."""
    if _in_quarantine(folder.path):
        return
    try:
        with os.scandir(folder.path) as entries:
            rows = sorted((entry.name, entry.is_dir(), entry.is_symlink()) for entry in entries)
    except OSError:
        return
    for name, is_folder, linked in rows:
        if is_folder and not _is_hidden(name):
            yield Found(name, f"{folder.path}{os.sep}{name}", FILE_NAMES[0], linked)
    for name, is_folder, linked in rows:
        stem, extension = os.path.splitext(name)
        if not is_folder and extension.lower() == ".md" and not _is_hidden(stem):
            yield Found(stem, folder.path, name, linked)


def _add(found: dict[str, Folder], folder: Folder) -> None:
    leads_out = folder.within and not below(folder.within, folder.path)  # which must not hide the user's own
    found.setdefault(folder.path if leads_out else os.path.realpath(folder.path), folder)


def _is_hidden(name: str) -> bool:
    return name[0] == "." or name.lower().partition(".")[0] in _PAPERS


def _in_quarantine(path: str) -> bool:
    names = os.path.normpath(path).lower().split(os.sep)
    return QUARANTINE in names or names[-1] == _DRAFTS


HANDLES = os.open in os.supports_dir_fd  # whether the system can look up a name in an open folder
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)  # a pipe would wait for somebody to write
_BINARY = getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
_READ = os.O_RDONLY | _NOFOLLOW | _NONBLOCK | _BINARY
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _BINARY
_READABLE = 0o666  # less the umask: files of a project are read by whoever works on it


class Descent:
    """The folder where one stands. Folders that were made on the way and are still empty go again if it failed."""

    def __init__(self, root: str) -> None:
        self.path = root  # to be told; looked up only where there are no handles
        self.handle = os.open(root, _FOLDER) if HANDLES else None
        self._above: list[tuple[str, int | None]] = []
        self._made: list[int] = []  # how many steps above each

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        while self._above:
            name = os.path.basename(self.path)
            self.leave()
            if failed and len(self._above) in self._made:
                self._remove_folder(name)
        if self.handle is not None:
            os.close(self.handle)

    def name(self, name: str) -> str:
        """Return what to call a file of this folder in a call that is given the handle."""
        return name if HANDLES else os.path.join(self.path, name)

    def full(self, name: str) -> str:
        return os.path.join(self.path, name)

    def enter(self, name: str, make: bool = False) -> None:
        """Go into a folder; where there is none, make it if wanted."""
        if make:
            self._make(name)
        found = self.look(name)
        if found is None:
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT), self.full(name))
        if is_link(found) or not stat.S_ISDIR(found.st_mode):
            raise InTheWay(self.full(name), kind(found))
        handle = self._open(name) if HANDLES else None
        self._above.append((self.path, self.handle))
        self.path, self.handle = self.full(name), handle

    def leave(self) -> None:
        """Go back up."""
        if self.handle is not None:
            os.close(self.handle)
        self.path, self.handle = self._above.pop()

    def look(self, name: str) -> os.stat_result | None:
        """Return what has a name here, links not followed; None if nothing has."""
        try:
            return os.stat(self.name(name), dir_fd=self.handle, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def new(self, name: str) -> int:
        """Return a file that was not there, open for writing."""
        return os.open(self.name(name), _NEW, _READABLE, dir_fd=self.handle)

    def read(self, name: str, most: int) -> bytes | None:
        """Return the first bytes of a file; None if it is no regular one."""
        file = _regular(os.open(self.name(name), _READ, dir_fd=self.handle))
        if file is None:
            return None
        with file:
            return file.read(most)

    def link(self, name: str, to: str) -> None:
        """Give a file a second name; fails where the name is taken."""
        if HANDLES:
            os.link(name, to, src_dir_fd=self.handle, dst_dir_fd=self.handle, follow_symlinks=False)
        else:
            os.rename(self.name(name), self.name(to))  # which never replaces, on Windows

    def replace(self, name: str, to: str) -> None:
        os.replace(self.name(name), self.name(to), src_dir_fd=self.handle, dst_dir_fd=self.handle)

    def remove(self, name: str) -> None:
        try:
            os.unlink(self.name(name), dir_fd=self.handle)
        except FileNotFoundError:
            return

    def names(self) -> list[str]:
        return sorted(os.listdir(self.path if self.handle is None else self.handle))

    def sync(self) -> None:
        """Make sure that what is new here outlasts a power cut, with the folders that were made for it."""
        if self.handle is None:
            return
        os.fsync(self.handle)
        for steps in self._made:
            _, handle = self._above[steps]
            if handle is not None:
                os.fsync(handle)

    def _make(self, name: str) -> None:
        try:
            os.mkdir(self.name(name), dir_fd=self.handle)
        except FileExistsError:
            return
        self._made.append(len(self._above))

    def _open(self, name: str) -> int:
        try:
            return os.open(name, _FOLDER | _NOFOLLOW, dir_fd=self.handle)
        except OSError as error:
            if error.errno in (ELOOP, ENOTDIR):  # swapped since it was looked at
                raise InTheWay(self.full(name), "no longer a folder") from error
            raise

    def _remove_folder(self, name: str) -> None:
        try:
            os.rmdir(self.name(name), dir_fd=self.handle)
        except OSError:
            return  # somebody else has put something there


def kind(found: os.stat_result) -> str:
    """Return what a thing is that is not what it should be."""
    if is_link(found):
        return "a link"
    if stat.S_ISDIR(found.st_mode):
        return "a folder"
    return "a file" if stat.S_ISREG(found.st_mode) else "a device, a pipe or a socket"


def is_link(found: os.stat_result) -> bool:
    """Return whether it is a link, or one of the other ways in which Windows leads elsewhere."""
    leads = getattr(stat, "FILE_ATTRIBUTE_REPARSE_POINT", 0) & getattr(found, "st_file_attributes", 0)
    return stat.S_ISLNK(found.st_mode) or bool(leads)


def opened_at(path: str) -> BufferedReader | None:
    """Return an open file; None if no regular one is there that can be read. A link is none."""
    try:
        return _regular(os.open(path, _READ))
    except (OSError, ValueError):  # the second is a path with NUL in it
        return None


def _regular(handle: int) -> BufferedReader | None:
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return open(handle, "rb")
    os.close(handle)
    return None
