"""Find the project that a folder belongs to. Hooks ask this too, so nothing is imported that costs
anything."""

from __future__ import annotations

import os
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

_DEEPEST = 40  # folders above a working one that are looked at
_LARGEST = 4_096  # bytes of a `.git` file: it holds one path


def root_of(folder: str) -> str:
    """Return the folder of the project that a folder belongs to, as text that can be stored."""
    found = _root(folder)
    return found if found.isascii() else found.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _root(folder: str) -> str:
    """Return the nearest folder with a repository, at or above a folder, else the folder itself. A
    worktree belongs to the repository that it was made from. Empty for a home, a file system's
    root, or what is no folder."""
    here = os.path.realpath(folder) if folder and "\0" not in folder else ""
    if not os.path.isdir(here):
        return ""
    home, place = os.path.realpath(os.path.expanduser("~")), here
    for _ in range(_DEEPEST):
        above = os.path.dirname(place)
        if above == place or place == home:
            break
        git = os.path.join(place, ".git")
        if os.path.exists(git):
            return place if os.path.isdir(git) else _made_from(git, place)
        place = above
    return "" if here == home or os.path.dirname(here) == here else here


def _made_from(git: str, place: str) -> str:
    """Return the repository of a worktree; a submodule is a project of its own."""
    try:
        with open(git, encoding="utf-8") as file:
            said = file.read(_LARGEST)
    except (OSError, UnicodeDecodeError):
        return place
    path = os.path.normpath(os.path.join(place, said.removeprefix("gitdir:").strip()))
    main, _, tree = path.partition(os.path.join(os.sep + "worktrees", ""))
    main = main.removesuffix(os.sep + ".git")
    return main if tree and os.path.isdir(main) else place


def named(db: apsw.Connection, root: str) -> str:
    """Return the name for a project's folder: its own, unless another existing folder has it."""
    if not root:
        return ""
    known = db.execute("SELECT project FROM roots WHERE root = ?", (root,)).fetchall()
    if known:
        return str(known[0][0])
    name = os.path.basename(root) or "root"
    holder = db.execute("SELECT root FROM roots WHERE project = ?", (name,)).fetchall()
    if holder and os.path.isdir(str(holder[0][0])):
        return f"{name}-{zlib.crc32(root.encode('utf-8', 'surrogateescape')):08x}"
    return name


def register(db: apsw.Connection, root: str, project: str) -> None:
    """Keep the name, inside a transaction. A folder that was moved takes its name along."""
    if root and project:
        db.execute("INSERT OR REPLACE INTO roots VALUES (?, ?)", (root, project))
