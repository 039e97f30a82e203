"""The sentences of a text, as they stand."""

from __future__ import annotations

from treering.core.mentions import ABBREVIATIONS

_STOPS = ".!?\u2026"
_CLOSING = "\"'`)]}*\u201d\u2019"
_BULLETS = ("- ", "* ", "+ ", "\u2022 ", "> ")
_MORE_ABBREVIATIONS = ABBREVIATIONS | frozenset("approx etc fig inc incl max min no nr resp vol".split())
_FENCE = "```"


def sentences(text: str) -> list[str]:
    """One after the other, without bullets, headings' marks and blocks of code; never over the end of a paragraph."""
    found: list[str] = []
    row: list[str] = []
    fenced = False
    for line in text.split("\n"):
        bare = line.strip()
        if bare.startswith(_FENCE):
            fenced = not fenced
            continue
        begins = bare.startswith(_BULLETS) or _numbered(bare)
        if fenced or not bare or begins or bare.startswith("#"):
            found += _cut(row)
            row = []
        if bare and not fenced:
            row += _unmarked(bare).split()
    return found + _cut(row)


def _numbered(line: str) -> bool:
    """ "1. Stop the worker" or "2) …"."""
    number, mark, _ = line.partition(" ")
    return bool(mark) and number[-1:] in (".", ")") and number[:-1].isdecimal() and len(number) <= 3


def _unmarked(line: str) -> str:
    line = line.lstrip("#").strip()
    if _numbered(line):
        return line.partition(" ")[2].strip()
    while line.startswith(_BULLETS):
        line = line[2:].strip()
    return line


def _cut(words: list[str]) -> list[str]:
    found: list[str] = []
    begun = 0
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        counted = at > begun and words[at - 1][-1:].isdecimal()  # "300 ms." and "5 min." are units
        if not following or _ends(word, following, counted):
            found.append(" ".join(words[begun : at + 1]))
            begun = at + 1
    return found


def _ends(word: str, following: str, counted: bool) -> bool:
    """Whether a sentence ends with a word that another follows."""
    bare = word.rstrip(_CLOSING)
    if not bare.endswith(tuple(_STOPS)):
        return False
    name = bare.rstrip(_STOPS).lower().lstrip("(")
    if bare.endswith(".") and not counted and (name in _MORE_ABBREVIATIONS or (len(name) == 1 and name.isalpha())):
        return False
    if not name:
        return False  # a dot by itself is a folder
    # Notes often go on in lower case, with a name of a thing; but "ffi_guard! fails" and '"who?" he asked' go on too.
    return following[0].isupper() or not following[0].isalpha() or (bare[-1] == "." and not bare.endswith("..."))
