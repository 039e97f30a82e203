"""Write, read and check the block above the text of a skill. No text in it can add a key to it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from treering.ledger.errors import InvalidInput
from treering.skills.rules import LONGEST_DESCRIPTION, LONGEST_SKILL, check_skill, cut, is_skill_name, line
from treering.text.words import folded

if TYPE_CHECKING:
    from treering.skills.block import Pairs

FENCE = "---"
CHECK = "check"  # in `metadata`, the command that proves a skill
LONGEST_VALUE = 500  # characters of a value of `metadata`
# No others: strict readers and uploads refuse a file for one that they do not know.
KEYS = frozenset(("name", "description", "license", "compatibility", "metadata", "allowed-tools"))
# Bare, YAML reads these as something else than a text. So it does with what begins with a digit.
_WORDS = frozenset(("null", "true", "false", "yes", "no", "on", "off", "y", "n"))
_KEY_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_.")
_OPENED = re.compile(r"\ufeff?---[^\S\n]*\n")
_CLOSED = re.compile(r"^---[^\S\n]*(?:\n|\Z)", re.MULTILINE)
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
    """Return the block above a skill: each value in quotes and on one line. Empty ones are left out."""
    said = cut(line(description), LONGEST_DESCRIPTION)
    check_skill(name, said)
    bare = name[0].isalpha() and name not in _WORDS
    rows = [FENCE, f"name: {name if bare else quoted(name)}", f"description: {quoted(said)}"]
    values = {_checked(key): cut(line(value), LONGEST_VALUE) for key, value in (metadata or {}).items()}
    if any(values.values()):
        rows += ["metadata:", *(f"  {key}: {quoted(value)}" for key, value in values.items() if value)]
    return "\n".join((*rows, FENCE, ""))


def quoted(text: str) -> str:
    """Return a line in double quotes. Three dashes are broken up: some readers look for them anywhere."""
    safe = line(text).replace("\\", "\\\\").replace('"', '\\"').replace("---", "--\\x2d")
    return f'"{safe}"'


def read(text: str | bytes, name: str = "", *, whole: bool = True) -> Front:
    """Return what a file says above its text; without a name there, that of the file or its folder.

    It never fails: a block that is no YAML is read as far as it goes, with the problem noted. If the text is only the
    beginning of a file, the block may end behind it.
    """
    said = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    above, body_at = _parted(said, whole)
    pairs, problems = _pairs(above) if above else ([], [])
    values = {key: value.strip() for key, value in pairs if isinstance(value, str) and value.strip()}
    inner = [pair for key, value in pairs if key == "metadata" and not isinstance(value, str) for pair in value]
    return Front(
        values.get("name") or name,
        values.get("description") or _described(said[body_at:], values.get("name") or name),
        {key: value if isinstance(value, str) else "" for key, value in inner},
        body_at,
        tuple(key for key, _ in pairs),
        tuple(problems),
    )


def body_of(text: str) -> str:
    """Return the text of a skill, without the block above it."""
    return text[_parted(text, True)[1] :].removeprefix("\ufeff").strip()


def validate(text: str, folder: str) -> Front:
    """Return what a file says above its text.

    Raises InvalidSkill, with all that is wrong, if an agent would not load it from this folder.
    """
    where = os.path.basename(folder.rstrip("/"))
    front = read(text, where)
    block = text[: front.body_at]
    problems = tuple(_problems(block, read(block), where))
    if problems:
        raise InvalidSkill(where, problems)
    return front


def _problems(block: str, front: Front, folder: str) -> Iterator[str]:
    """Yield what is wrong with a block, which must say everything by itself."""
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


def _parted(text: str, whole: bool) -> tuple[str, int]:
    """Return what stands between the fences, and where the text of the skill begins."""
    opened = _OPENED.match(text)
    if opened is None:
        return "", 0
    closed = _CLOSED.search(text, opened.end())
    if closed is not None:
        return text[opened.end() : closed.start()], closed.end()
    return ("", 0) if whole else (text[opened.end() :], len(text))


def _pairs(block: str) -> tuple[Pairs, list[str]]:
    from treering.skills import block as yaml  # PyYAML takes as long to load as to read a hundred skills

    return yaml.read(block)


def _described(body: str, name: str) -> str:
    """Return the first heading, or the first paragraph if the heading only says the name."""
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
