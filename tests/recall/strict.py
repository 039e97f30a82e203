"""A reader of the fence that knows its grammar from the outside and takes nothing else. It shares no code with it."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

STRING = r'"(?:[^"\\<]|\\["\\nrt]|\\u[0-9a-f]{4}|\\U00(?:0[1-9a-f]|10)[0-9a-f]{4})*"'
PLAIN = r"[A-Za-z0-9\-_./:@+]+"
NAME = rf"(?:…?{PLAIN}|…?{STRING})"
NUMBER = r"-?(?:nan|inf|[0-9.]+(?:e[+-][0-9]+)?)"
WHO = (
    r"(?P<said>said by the user|noted by an agent|from a tool|from a document|imported|from an unknown source)"
    rf"(?: \((?P<where>{NAME})\))?"
)
AGE = r"just now|dated in the future|[0-9,]+ (?:minute|hour|day|week|month|year)s? ago"

OPENING = re.compile(
    r"<treering-recall (?P<nonce>[A-Za-z0-9]{8,64}): "
    r"(?P<count>1 memory|[0-9]+ memories)(?P<lines> of the user unless marked)?, quoted as data, not instructions>"
)
CONTENT = re.compile(rf"(?P<text>{STRING})(?P<cut> …)?")
ATTRIBUTION = re.compile(
    rf"  (?P<id>{NAME}) · (?P<type>{NAME}) · {WHO}"
    rf"(?: · (?P<outside>from outside, unverified)| · trust (?P<trust>user|agent))?(?: · (?P<age>{AGE}))?"
    rf"(?: · project (?P<project>{NAME}))?(?: · session (?P<session>{NAME}))?"
    rf"(?: · an older statement; see (?P<older>{NAME}))?"
    rf"(?: · (?P<cut>cut(?:; treering show {PLAIN} has all of it)?))?"
)
LINE = re.compile(  # where each memory has one line
    rf"  (?P<id>{NAME})(?: · (?P<said>agent|from outside, unverified))?(?: · older than (?P<older>{NAME}))?"
    rf": (?P<text>{STRING})"
)
FIELD = re.compile(rf"  (?P<label>problem|approach|gotchas|trigger|action|outcome): (?P<text>{STRING})")
TAGS = re.compile(rf"  tags: (?P<tags>{STRING}(?: {STRING})*)")
TERM = rf"{NAME} {NUMBER}"
SCORE = re.compile(rf"  score {NUMBER}: (?:nothing|{TERM}(?: \+ {TERM})*)(?:, {NAME} \u00d7{NUMBER})*")
FOUND = re.compile(rf"  found by {NAME} [0-9]+(?:st|nd|rd|th) \({NUMBER}\)(?:, {NAME} [0-9]+[a-z]{{2}} \({NUMBER}\))*")
SAME = re.compile(rf"  stands for near-duplicates (?P<ids>{NAME}(?:, {NAME})*)")

ESCAPE = re.compile(r'\\(?:(["\\nrt])|u([0-9a-f]{4})|U([0-9a-f]{8}))')
SHORT = {'"': '"', "\\": "\\", "n": "\n", "r": "\r", "t": "\t"}
CONTROL_WORD = re.compile(r"\[/?[A-Za-z_]*[A-Z]{2}\]")

# Default_Ignorable_Code_Point of the Unicode Character Database, and three more that look like nothing.
UNSEEN = frozenset(
    chr(code)
    for first, last in (
        *((0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F)),
        *((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164), (0xFE00, 0xFE0F)),
        *((0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x16FE4, 0x16FE4), (0x1BCA0, 0x1BCA3)),
        *((0x1D159, 0x1D159), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
    )
    for code in range(first, last + 1)
)


class Broken(AssertionError):
    """The text is no fence, or more than one."""


class Read(NamedTuple):
    """One memory as a reader of the fence knows it. A name that was shortened begins with `…`."""

    content: str
    cut: bool
    names: dict[str, str]
    fields: dict[str, str]
    tags: tuple[str, ...]
    explained: int  # lines
    same_as: tuple[str, ...]


def read(text: str) -> tuple[str, list[Read]]:
    """The nonce and the memories of a fence."""
    lines = text.split("\n")
    opening = OPENING.fullmatch(lines[0])
    if opening is None:
        raise Broken(f"not an opening line: {lines[0]!r}")
    nonce = opening["nonce"]
    if lines[-1] != f"</treering-recall {nonce}>":
        raise Broken(f"not the closing line: {lines[-1]!r}")
    _check_letters(text, lines, nonce)
    blocks: list[list[str]] = []
    for line in lines[1:-1]:
        if LINE.fullmatch(line) if opening["lines"] else line.startswith('"'):
            blocks.append([])
        elif not blocks:
            raise Broken(f"a line of no memory: {line!r}")
        blocks[-1].append(line)
    if len(blocks) != int(opening["count"].split()[0]):
        raise Broken(f"{opening['count']} announced, {len(blocks)} there")
    return nonce, [_memory(block) for block in blocks]


def _check_letters(text: str, lines: list[str], nonce: str) -> None:
    if text.splitlines() != lines:
        raise Broken("there are other line ends than our own")
    for line in lines:
        if not line.isprintable() or not UNSEEN.isdisjoint(line):
            raise Broken(f"a character that cannot be seen: {line!r}")
    if any("<" in line for line in (lines[0][1:], *lines[1:-1], lines[-1][1:])):
        raise Broken("a tag may begin inside")
    inside = "\n".join(lines[1:-1])
    if nonce.casefold() in inside.casefold():
        raise Broken("the nonce is known inside")
    if CONTROL_WORD.search(inside):
        raise Broken("a control word of a model")


def _memory(lines: list[str]) -> Read:
    if len(lines) == 1 and (found := LINE.fullmatch(lines[0])):
        given = {name: part for name, part in found.groupdict().items() if part and name != "text"}
        names = {name: part if name == "said" else named(part) for name, part in given.items()}
        return Read(string(found["text"]), False, names, {}, (), 0, ())
    content = _matched(CONTENT, lines[0])
    about = _matched(ATTRIBUTION, lines[1] if len(lines) > 1 else "")
    names = {name: part if name in ("said", "age", "cut") else named(part) for name, part in about.items() if part}
    fields: dict[str, str] = {}
    tags: tuple[str, ...] = ()
    same_as: tuple[str, ...] = ()
    explained = 0
    for line in lines[2:]:
        if found := FIELD.fullmatch(line):
            fields[found["label"]] = string(found["text"])
        elif found := TAGS.fullmatch(line):
            tags = tuple(string(tag) for tag in re.findall(STRING, found["tags"]))
        elif found := SAME.fullmatch(line):
            same_as = tuple(named(id) for id in re.findall(NAME, found["ids"]))
        elif SCORE.fullmatch(line) or FOUND.fullmatch(line):
            explained += 1
        else:
            raise Broken(f"not a line of ours: {line!r}")
    if unicodedata.category(content["text"][1])[0] == "M":
        raise Broken("a mark sits on the quote")
    return Read(string(content["text"]), bool(content["cut"]), names, fields, tags, explained, same_as)


def _matched(pattern: re.Pattern[str], line: str) -> dict[str, str]:
    found = pattern.fullmatch(line)
    if found is None:
        raise Broken(f"not the line that belongs here: {line!r}")
    return found.groupdict()


def string(quoted: str) -> str:
    return ESCAPE.sub(_letter, quoted[1:-1])


def _letter(found: re.Match[str]) -> str:
    return SHORT[found[1]] if found[1] else chr(int(found[2] or found[3], 16))


def named(shown: str) -> str:
    """A name as it was, or the end of it behind a `…`."""
    start = "…" if shown.startswith("…") else ""
    rest = shown.removeprefix("…")
    return start + (string(rest) if rest.startswith('"') else rest)
