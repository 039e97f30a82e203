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
_LARGEST_CONFIG = 65_536  # characters of a repository's settings that are looked at


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
    """Return the name for a project's folder: that of its repository, or its own without one that others share.

    Two folders of one repository are one project, on every machine; two of one name are two projects.
    """
    if not root:
        return ""
    known = db.execute("SELECT project FROM roots WHERE root = ?", (root,)).fetchall()
    if known:
        return str(known[0][0])
    remote, name = remote_of(root), name_of(root)
    holder = db.execute("SELECT root FROM roots WHERE project = ?", (name,)).fetchall()
    if not holder or not os.path.isdir(str(holder[0][0])) or (remote and remote_of(str(holder[0][0])) == remote):
        return name
    return f"{name}-{zlib.crc32((remote or root).encode('utf-8', 'surrogateescape')):08x}"


def name_of(root: str) -> str:
    """Return what a project is called by its folder alone."""
    return remote_of(root).rpartition("/")[2] or os.path.basename(root) or "root"


def remote_of(root: str) -> str:
    """Return where the repository in a folder comes from, like `host/owner/name`; empty without an `origin`.

    Written in one way, however it is reached: by https, by ssh, or as `git@host:owner/name.git`.
    """
    try:
        with open(os.path.join(root, ".git", "config"), encoding="utf-8", errors="replace") as file:
            lines = file.read(_LARGEST_CONFIG).splitlines()
    except OSError:
        return ""
    within, url = False, ""
    for line in map(str.strip, lines):
        if line.startswith("["):
            within = line == '[remote "origin"]'
        elif within and line.partition("=")[0].strip() == "url":
            url = line.partition("=")[2].strip()
    return _plain(url)


def _plain(url: str) -> str:
    """Return an address without how it is reached, who reaches it, and what no project's name may hold."""
    _, scheme, rest = url.partition("://")
    place = (rest if scheme else url).partition("?")[0].rstrip("/").removesuffix(".git")
    host, _, path = place.partition("/") if scheme else place.replace(":", "/", 1).partition("/")
    host = host.rpartition("@")[2].partition(":")[0].lower()
    return f"{host}/{path}" if path and path.isprintable() else ""


def register(db: apsw.Connection, root: str, project: str) -> None:
    """Keep the name, inside a transaction. A folder that was moved takes its name along."""
    if root and project:
        db.execute("INSERT OR REPLACE INTO roots VALUES (?, ?)", (root, project))
