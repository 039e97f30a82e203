"""The way down from a root, folder by folder, each held open.

A name is looked up in the folder that is open and never through a link. Whoever swaps a folder for a link on the way
changes nothing: what is written lands in the folder that was entered. Windows has no such calls; there each step is
looked at before it is taken.
"""

from __future__ import annotations

import os
import stat
from errno import ELOOP, ENOENT, ENOTDIR

from treering.skills.paths import InTheWay

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import BufferedReader
    from typing import Self

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
        """What to call a file of this folder in a call that is given the handle."""
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
        """What has a name here, links not followed; None if nothing has."""
        try:
            return os.stat(self.name(name), dir_fd=self.handle, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def new(self, name: str) -> int:
        """A file that was not there, open for writing."""
        return os.open(self.name(name), _NEW, _READABLE, dir_fd=self.handle)

    def read(self, name: str, most: int) -> bytes | None:
        """The first bytes of a file; None if it is no regular one."""
        file = _regular(os.open(self.name(name), _READ, dir_fd=self.handle))
        if file is None:
            return None
        with file:
            return file.read(most)

    def link(self, name: str, to: str) -> None:
        """A second name for a file; fails where the name is taken."""
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
        """What is new here outlasts a power cut; and so do the folders that were made for it."""
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
    """What a thing is that is not what it should be."""
    if is_link(found):
        return "a link"
    if stat.S_ISDIR(found.st_mode):
        return "a folder"
    return "a file" if stat.S_ISREG(found.st_mode) else "a device, a pipe or a socket"


def is_link(found: os.stat_result) -> bool:
    """A link, or one of the other ways in which Windows leads elsewhere."""
    leads = getattr(stat, "FILE_ATTRIBUTE_REPARSE_POINT", 0) & getattr(found, "st_file_attributes", 0)
    return stat.S_ISLNK(found.st_mode) or bool(leads)


def opened_at(path: str) -> BufferedReader | None:
    """A file, open; None if no regular one is there that can be read. A link is none."""
    try:
        return _regular(os.open(path, _READ))
    except (OSError, ValueError):  # the second is a path with NUL in it
        return None


def _regular(handle: int) -> BufferedReader | None:
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return open(handle, "rb")
    os.close(handle)
    return None
