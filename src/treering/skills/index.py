"""List the skills at hand. Only the block above a skill is read, until its text is wanted.

What skills say of themselves is kept in a file, as reading a thousand of them costs a fresh process
a tenth of a second: a row for each, split by tabs, with the stamp of its file. A skill with a tab
or a line end in it is left out. The file is written again when a skill has changed, and may be
deleted at any time.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from treering.ledger.errors import NotFound
from treering.skills import frontmatter
from treering.skills.paths import FILE_NAMES, OWN, PROJECT, SHIPPED, SKILL_FILE, below, files
from treering.skills.rules import LONGEST_DESCRIPTION, PROTECTED, cut, is_skill_name, line
from treering.skills.search import Match, Skill, rank

if TYPE_CHECKING:
    from treering.skills.frontmatter import Front
    from treering.skills.paths import Folder, Found


FILE_NAME = "skills.tsv"  # in the home folder
FORMAT = "treering skills 1"  # its first line
_FIELDS = 4  # of a skill, before its problems
_ODD = "surrogateescape"  # a path need not be UTF-8
FEWEST = 100  # skills: so many are read faster than anybody notices


class Known(NamedTuple):
    stamp: str  # when its file was changed, the size of that, and which file it is
    skill: Skill


def load(path: str) -> dict[str, Known]:
    """Return what was kept, by path; nothing if there is no such file, or if it is not as we write it."""
    try:
        with open(path, encoding="utf-8", errors=_ODD, newline="\n") as file:
            first, *rows = file.read().split("\n")
    except OSError:
        return {}
    known: dict[str, Known] = {}
    for row in rows if first == FORMAT else ():
        stamp, *fields = row.split("\t")
        if len(fields) >= _FIELDS:
            name, description, where, place, *problems = fields
            known[where] = Known(stamp, Skill(name, description, where, place, tuple(problems)))
    return known


def save(path: str, known: Mapping[str, Known]) -> None:
    """Keep it for the next process. If that fails, the next one reads the files."""
    rows = [_row(one) for one in known.values()]
    draft = f"{path}.{os.urandom(4).hex()}.part"
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "w", encoding="utf-8", errors=_ODD, newline="\n") as out:
            out.write("\n".join((FORMAT, *filter(None, rows), "")))
        os.replace(draft, path)
    except OSError:
        if os.path.exists(draft):
            os.unlink(draft)


def _row(one: Known) -> str:
    name, description, path, place, problems = one.skill
    fields = (one.stamp, name, description, path, place, *problems)
    row = "\t".join(fields)
    return row if row.count("\t") == len(fields) - 1 and "\n" not in row else ""


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
        self.passed_over: tuple[str, ...] = ()  # what was passed over when it was last asked, and why
        self._known: dict[str, Known] | None = None
        self._bodies: dict[str, _Body] = {}

    def skills(self) -> list[Skill]:
        """Return every skill, by name. The first folder that has one of a name counts."""
        found: dict[str, Skill] = {}
        passed_over: list[str] = []
        before = self._before()
        known: dict[str, Known] = {}
        for folder in self.folders:
            for path, one in self._in(folder, before, passed_over):
                known[path] = one
                if _SHADOWS in one.skill.problems:
                    passed_over.append(f"{path} is passed over: {_SHADOWS}")
                    continue
                first = found.setdefault(one.skill.name, one.skill)
                if first is not one.skill and os.path.realpath(first.path) != os.path.realpath(path):
                    passed_over.append(f"{path} is hidden by {first.path}, which has the same name")
        self._known, self.passed_over = known, tuple(passed_over)
        if self.kept and len(known) >= FEWEST and known != before:
            save(self.kept, known)
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
        """Return the text of a skill, without what stands above it."""
        return self.text_of(self.skill(name))

    def text_of(self, skill: Skill) -> str:
        """Return the text of a skill that was just found; nothing if it is gone by now."""
        status = _status(skill.path)
        if status is None:
            return ""
        known = self._bodies.get(skill.path)
        if known is None or known.stamp != _stamp(status):
            text = (_head(skill.path, LARGEST) or b"").decode("utf-8", "replace")
            known = _Body(_stamp(status), frontmatter.body_of(text))
            self._bodies[skill.path] = known
        return known.text

    def search(self, query: str, limit: int = 10) -> list[Match]:
        """Return the skills that a query is about, the best first."""
        return rank(self.skills(), query)[:limit]

    def _before(self) -> dict[str, Known]:
        if self._known is not None:
            return self._known
        return load(self.kept) if self.kept else {}

    def _in(self, folder: Folder, before: Mapping[str, Known], passed_over: list[str]) -> Iterator[tuple[str, Known]]:
        if folder.within and os.path.isdir(folder.path) and not below(folder.within, folder.path):
            passed_over.append(f"{folder.path} leads out of the project: passed over")
            return
        for found in files(folder):
            path, status, linked = _file(found)
            if status is None:
                continue
            if linked and folder.within and not below(folder.within, path):
                passed_over.append(f"{path} leads out of the project: passed over")
                continue
            one, stamp = before.get(path), _stamp(status)
            if one is None or one.stamp != stamp or one.skill.place != folder.place:
                one = _read(folder.place, found, path, stamp)
            if one is None:
                passed_over.append(f"{path} cannot be read: passed over")
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
    """Return whether a file may stand for a protected skill: a copy of it, or one by the user, who says why.

    What a project brings along is anybody's.
    """
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
    """Return where the file of a skill is, if it is there, and whether a link leads to it."""
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
    """Return the first bytes of a file."""
    try:
        handle = os.open(path, _OPEN)
        try:
            return os.read(handle, most)
        finally:
            os.close(handle)
    except OSError:
        return None
