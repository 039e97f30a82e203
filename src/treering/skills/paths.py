"""Which paths below a root are safe to write, on every system, whatever text they were made of."""

from __future__ import annotations

import os

from treering.core.errors import InvalidInput, Refused
from treering.core.skills import DEVICES

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
    """The names that a path consists of; refused if any of them could lead elsewhere, or is not a name everywhere."""
    pieces = relative.split("/")
    if len(pieces) > DEEPEST:
        raise UnsafePath(relative, f"it is more than {DEEPEST} folders deep")
    for piece in pieces:
        if why := _problem(piece):
            raise UnsafePath(relative, why)
    return pieces


def root_of(root: str) -> str:
    """Where a root really is. It may be a link, as a person named it; nothing below it may."""
    if not root or "\0" in root or not os.path.isdir(root):
        raise NoRoot(root)
    return os.path.realpath(root)


def path_of(root: str, relative: str) -> str:
    """The absolute path of a safe path below a root; what is there is not looked at."""
    return os.path.join(root_of(root), *pieces_of(relative))


def below(root: str, path: str) -> str:
    """A path as seen from a root, with slashes; nothing if it is not below."""
    top, full = os.path.realpath(root), os.path.realpath(path)
    if not full.startswith(top.rstrip(os.sep) + os.sep):
        return ""
    return os.path.relpath(full, top).replace(os.sep, "/")


def _problem(piece: str) -> str:
    """What is wrong with a name."""
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
