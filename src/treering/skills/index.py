"""The skills that are at hand: only what stands above them is read, until one is wanted."""

from __future__ import annotations

import os
import stat

from treering.core.errors import NotFound
from treering.core.skills import LONGEST_DESCRIPTION, PROTECTED, is_skill_name
from treering.core.tuples import NamedTuple
from treering.skills import cache, frontmatter
from treering.skills.cache import Known
from treering.skills.folders import FILE_NAMES, OWN, PROJECT, SHIPPED, SKILL_FILE, files
from treering.skills.paths import below
from treering.skills.search import Match, Skill, rank
from treering.skills.text import cut, line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from treering.skills.folders import Folder, Found
    from treering.skills.frontmatter import Front

HEAD = 8_192  # bytes of a file in which its block is looked for: four times what any may say of itself
LARGEST = 1 << 20  # bytes of a skill that is shown: what is longer is no instruction
_NEAR = 3  # names to suggest
_SHADOWS = "its name is protected: only one of the user counts, whose metadata says why, as `justification`"
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class _Body(NamedTuple):
    stamp: str
    text: str


class Index:
    """Skills of some folders. Files are looked at again whenever it is asked, and read again when they changed.

    What they say is kept in a file, if one is named, for the next process.
    """

    def __init__(self, folders: Iterable[Folder], kept: str = "") -> None:
        self.folders = tuple(folders)
        self.kept = kept
        self.told: tuple[str, ...] = ()  # what was passed over when it was last asked, and why
        self._known: dict[str, Known] | None = None
        self._bodies: dict[str, _Body] = {}

    def skills(self) -> list[Skill]:
        """Every skill, by name. The first folder that has one of a name counts."""
        found: dict[str, Skill] = {}
        told: list[str] = []
        before = self._before()
        known: dict[str, Known] = {}
        for folder in self.folders:
            for path, one in self._in(folder, before, told):
                known[path] = one
                if _SHADOWS in one.skill.problems:
                    told.append(f"{path} is passed over: {_SHADOWS}")
                    continue
                first = found.setdefault(one.skill.name, one.skill)
                if first is not one.skill and os.path.realpath(first.path) != os.path.realpath(path):
                    told.append(f"{path} is hidden by {first.path}, which has the same name")
        self._known, self.told = known, tuple(told)
        if self.kept and len(known) >= cache.FEWEST and known != before:
            cache.save(self.kept, known)
        return [found[name] for name in sorted(found)]

    def skill(self, name: str) -> Skill:
        skills = {skill.name: skill for skill in self.skills()}
        if name in skills:
            return skills[name]
        from difflib import get_close_matches

        near = get_close_matches(name, skills, _NEAR)
        hint = f"did you mean {' or '.join(near)}?" if near else "`treering skills list` shows all"
        raise NotFound("skill", name, hint)

    def body(self, name: str) -> str:
        """The text of a skill, without what stands above it."""
        return self.text_of(self.skill(name))

    def text_of(self, skill: Skill) -> str:
        """The text of a skill that was just found; nothing if it is gone by now."""
        status = _status(skill.path)
        if status is None:
            return ""
        known = self._bodies.get(skill.path)
        if known is None or known.stamp != _stamp(status):
            text = (_head(skill.path, LARGEST) or b"").decode("utf-8", "replace")
            known = _Body(_stamp(status), text[frontmatter.read(text).body_at :].removeprefix("\ufeff").strip())
            self._bodies[skill.path] = known
        return known.text

    def search(self, query: str, limit: int = 10) -> list[Match]:
        """The skills that a query is about, the best first."""
        return rank(self.skills(), query)[:limit]

    def _before(self) -> dict[str, Known]:
        if self._known is not None:
            return self._known
        return cache.load(self.kept) if self.kept else {}

    def _in(self, folder: Folder, before: Mapping[str, Known], told: list[str]) -> Iterator[tuple[str, Known]]:
        if folder.within and os.path.isdir(folder.path) and not below(folder.within, folder.path):
            told.append(f"{folder.path} leads out of the project: passed over")
            return
        for found in files(folder):
            path, status, linked = _file(found)
            if status is None:
                continue
            if linked and folder.within and not below(folder.within, path):
                told.append(f"{path} leads out of the project: passed over")
                continue
            one, stamp = before.get(path), _stamp(status)
            if one is None or one.stamp != stamp or one.skill.place != folder.place:
                one = _read(folder.place, found, path, stamp)
            if one is None:
                told.append(f"{path} cannot be read: passed over")
            else:
                yield path, one


def _read(place: str, found: Found, path: str, stamp: str) -> Known | None:
    head = _head(path, HEAD)
    if head is None:
        return None
    front = frontmatter.read(head, found.name, whole=len(head) < HEAD)
    skill = _skill(found, path, place, front)
    if skill.name in PROTECTED and place != SHIPPED and not _may_shadow(skill.name, place, head, front):
        skill = skill._replace(problems=(*skill.problems, _SHADOWS))
    return Known(stamp, skill)


def _may_shadow(name: str, place: str, head: bytes, front: Front) -> bool:
    """Whether a file may stand for a protected skill: a copy of it, or one by the user, who says why. What a project
    brings along is anybody's."""
    said = front.metadata.get("justification", "").strip()
    return bool(said and place != PROJECT) or head == _head(os.path.join(OWN, name, SKILL_FILE), HEAD)


def _skill(found: Found, path: str, place: str, front: Front) -> Skill:
    named = is_skill_name(front.name)
    problems = list(front.problems)
    if not named:
        problems.append(f"{front.name[:80]!r} is no name for a skill: lower-case letters, digits and single hyphens")
    elif front.name != found.name:
        problems.append(f"its name is {front.name!r} and it lies under {found.name[:80]!r}")
    if found.file in FILE_NAMES and not front.body_at:
        problems.append("nothing stands above it that says its name and what it is for")
    description = cut(line(front.description), LONGEST_DESCRIPTION)
    if not description:
        problems.append("it has no description")
    return Skill(front.name if named else line(found.name), description, path, place, tuple(problems))


def _file(found: Found) -> tuple[str, os.stat_result | None, bool]:
    """Where the file of a skill is, if it is there, and whether a link leads to it."""
    for name in (found.file, *FILE_NAMES[1:]) if found.file in FILE_NAMES else (found.file,):
        path = f"{found.folder}{os.sep}{name}"
        try:
            status = os.lstat(path)
        except (OSError, ValueError):
            continue
        if stat.S_ISLNK(status.st_mode):
            return path, _status(path), True
        return path, status if stat.S_ISREG(status.st_mode) else None, found.linked
    return found.folder, None, False


def _status(path: str) -> os.stat_result | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def _stamp(status: os.stat_result) -> str:
    return f"{status.st_mtime_ns} {status.st_size} {status.st_ino}"


def _head(path: str, most: int) -> bytes | None:
    """The first bytes of a file."""
    try:
        handle = os.open(path, _OPEN)
        try:
            return os.read(handle, most)
        finally:
            os.close(handle)
    except OSError:
        return None
