"""What a skill says of itself above its text: emitted so that no text can add to it, and read as people write it."""

from __future__ import annotations

import os

from treering.core.errors import InvalidInput
from treering.core.skills import LONGEST_DESCRIPTION, LONGEST_SKILL, check_skill, is_skill_name
from treering.core.tuples import NamedTuple
from treering.core.words import folded
from treering.skills import scalars
from treering.skills.text import cut, line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FENCE = "---"
LONGEST_VALUE = 500  # characters of a value of `metadata`
# No others: strict readers and uploads refuse a file for one that they do not know.
KEYS = frozenset(("name", "description", "license", "compatibility", "metadata", "allowed-tools"))
# Bare, YAML reads these as something else than a text. So it does with what begins with a digit.
_WORDS = frozenset(("null", "true", "false", "yes", "no", "on", "off", "y", "n"))
_KEY_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_.")
_NO_TEXT = ("<!--", "![", "[![", "|", "```", "~~~", "---", "===", "***", "<")  # lines that describe nothing


class InvalidSkill(InvalidInput):
    def __init__(self, folder: str, problems: tuple[str, ...]) -> None:
        super().__init__(f"{folder}/SKILL.md would not be loaded: {'; '.join(problems)}")
        self.problems = problems


class Front(NamedTuple):
    name: str
    description: str
    metadata: Mapping[str, str]
    body_at: int = 0  # where the text of the skill begins; 0 if nothing stands above it
    keys: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def emit(name: str, description: str, metadata: Mapping[str, str] | None = None) -> str:
    """The block above a skill. Values are quoted and stand on one line each; those that are empty are left out."""
    said = cut(line(description), LONGEST_DESCRIPTION)
    check_skill(name, said)
    bare = name[0].isalpha() and name not in _WORDS
    rows = [FENCE, f"name: {name if bare else quoted(name)}", f"description: {quoted(said)}"]
    values = {_checked(key): cut(line(value), LONGEST_VALUE) for key, value in (metadata or {}).items()}
    if any(values.values()):
        rows += ["metadata:", *(f"  {key}: {quoted(value)}" for key, value in values.items() if value)]
    return "\n".join((*rows, FENCE, ""))


def quoted(text: str) -> str:
    """A line in double quotes. Three dashes are broken up: some readers look for them anywhere."""
    safe = line(text).replace("\\", "\\\\").replace('"', '\\"').replace("---", "--\\x2d")
    return f'"{safe}"'


def read(text: str | bytes, name: str = "", *, whole: bool = True) -> Front:
    """What a file says of itself, or what its first lines say, under the name of the file or its folder.

    It never fails. Of a file that is not given whole, the block may end behind what is given.
    """
    said = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    rows, body_at = _block(said, whole)
    entries, problems = scalars.read(rows)
    values = {entry.key: entry.value for entry in entries if entry.value}
    metadata = {key: value for entry in entries if entry.key == "metadata" for key, value in entry.inner}
    return Front(
        values.get("name") or name,
        values.get("description") or _described(said[body_at:], values.get("name") or name),
        metadata,
        body_at,
        tuple(entry.key for entry in entries),
        problems,
    )


def validate(text: str, folder: str) -> Front:
    """What a file says of itself; refused, with all that is wrong, if an agent would not load it from this folder."""
    where = os.path.basename(folder.rstrip("/"))
    front = read(text, where)
    block = text[: front.body_at]
    problems = tuple(_problems(block, read(block), where))
    if problems:
        raise InvalidSkill(where, problems)
    return front


def _problems(block: str, front: Front, folder: str) -> Iterator[str]:
    """What is wrong with a block, which must say everything by itself."""
    if not block:
        yield f"it does not begin with a block between two lines of {FENCE}"
        return
    yield from front.problems
    if not front.description.strip():
        yield "it has no description"
    if not front.name:
        yield "it has no name"
    elif not is_skill_name(front.name):
        yield f"a name has 1 to {LONGEST_SKILL} lower-case letters, digits and single hyphens, not {front.name[:80]!r}"
    elif front.name != folder:
        yield f"its name is {front.name[:80]!r} and that of its folder {folder[:80]!r}"
    if len(front.description) > LONGEST_DESCRIPTION:
        yield f"a description has 1 to {LONGEST_DESCRIPTION:,} characters, not {len(front.description):,}"
    if unknown := sorted(set(front.keys) - KEYS):
        yield f"readers refuse {', '.join(unknown)[:120]}: put it below `metadata`"
    if len(set(front.keys)) < len(front.keys):
        yield "a key stands there twice"
    inside = block.strip().removeprefix(FENCE).removesuffix(FENCE)
    if FENCE in inside or not inside.replace("\r\n", "").replace("\n", "").isprintable():
        yield f"the block holds {FENCE}, a tab or something that cannot be seen"


def _checked(key: str) -> str:
    if not key or not key[0].isalpha() or not _KEY_LETTERS.issuperset(key) or "--" in key:
        raise InvalidInput(f"a key of a skill's metadata is a word in lower case, not {key[:40]!r}")
    return key


def _block(text: str, whole: bool) -> tuple[list[str], int]:
    """The lines between the fences, and where the body begins."""
    start = 1 if text[:1] == "\ufeff" else 0
    first, newline, _ = text[start:].partition("\n")
    if first.rstrip() != FENCE or not newline:
        return [], 0
    rows: list[str] = []
    at = start + len(first) + 1
    while at < len(text):
        end = text.find("\n", at)
        row = text[at : end if end >= 0 else len(text)].rstrip("\r")
        at = end + 1 if end >= 0 else len(text)
        if row.rstrip() == FENCE:
            return rows, at
        rows.append(row)
    return ([], 0) if whole else (rows, len(text))


def _described(body: str, name: str) -> str:
    """The first heading, or the first paragraph if the heading only says the name."""
    heading = ""
    for part in body.split("\n\n"):
        for row in filter(None, (row.strip() for row in part.split("\n"))):
            if row[0] == "#" and row.lstrip("#")[:1] in ("", " "):
                heading = heading or line(row.strip("# "))
                if heading and folded(heading) != folded(name):
                    return cut(heading, LONGEST_DESCRIPTION)
            elif not row.startswith(_NO_TEXT):
                rest = part[part.index(row) :].partition("\n#")[0]
                return cut(line(rest), LONGEST_DESCRIPTION)
    return cut(heading, LONGEST_DESCRIPTION)
