"""What skills say of themselves, kept in a file: to read a thousand of them costs a fresh process a tenth of a second.

A row for each, parted by tabs: the stamp of its file, then the skill; one with a tab or a line end in it is left out.
The file is written anew when a skill has changed, and may be deleted at any time.
"""

from __future__ import annotations

import os

from treering.core.tuples import NamedTuple
from treering.skills.search import Skill

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FILE_NAME = "skills.tsv"  # in the home folder
FORMAT = "treering skills 1"  # its first line
_FIELDS = 4  # of a skill, before its problems
_ODD = "surrogateescape"  # a path need not be UTF-8
FEWEST = 100  # skills: so many are read faster than anybody notices


class Known(NamedTuple):
    stamp: str  # when its file was changed, the size of that, and which file it is
    skill: Skill


def load(path: str) -> dict[str, Known]:
    """What was kept, by path; nothing if there is no such file, or if it is not as we write it."""
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
