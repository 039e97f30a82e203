"""Where skills are: of the project, of the user, and where a setting says."""

from __future__ import annotations

import os

from treering.core.skills import RESERVED
from treering.core.tuples import NamedTuple
from treering.skills.paths import below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT, USER, CONFIGURED, SHIPPED = "project", "user", "configured", "shipped"
PLACES = (PROJECT, USER, CONFIGURED, SHIPPED)  # a skill of an earlier one hides those of the same name

# Where agents look for them. The first one is also where drafts go that a person has accepted.
TARGET = "skills"
SHARED = (".agents/skills", ".claude/skills")
SKILL_FILE = "SKILL.md"
FILE_NAMES = (SKILL_FILE, "skill.md")

QUARANTINE = ".treering"  # drafts wait here: no agent looks, and neither do we
_DRAFTS = "drafts"

# What comes with Treering, for whoever looks for it by name: it takes no room in a prompt.
OWN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "install", "plugin", "skills")

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


def folders(root: str, home: str, configured: str = "", target: str = TARGET, *, shipped: bool = False) -> list[Folder]:
    """The folders to look through, those that count most first, each once. Of no project if the root is empty; with
    what comes with Treering if it is wanted."""
    found: dict[str, Folder] = {}
    if root:
        for name in (target, *SHARED):
            _add(found, Folder(os.path.join(root, name), PROJECT, os.path.realpath(root)))
    for name in SHARED:
        _add(found, Folder(os.path.join(home, name), USER))
    for path in filter(None, (part.strip() for part in configured.split(os.pathsep))):
        _add(found, Folder(os.path.join(root, os.path.expanduser(path)), CONFIGURED))
    if shipped:
        _add(found, Folder(OWN, SHIPPED))
    return list(found.values())


def files(folder: Folder) -> Iterator[Found]:
    """What may be a skill, folders before files; nothing where there is no folder, nor out of a quarantine."""
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
