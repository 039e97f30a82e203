"""Split a text into sentences, and a sentence into its exact words."""

from __future__ import annotations

import re

from treering.evolve.sameness.wording import UPPER, is_coded

# A full stop ends a sentence before a blank and a capital, a digit or a quote; not within a name, a number or a path.
_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9`])|(?<=[.!?])\s*\Z")
_SHORT = re.compile(r"\b(?:e\.g|i\.e|etc|cf|vs|Mr|Mrs|Ms|Dr|Prof|St|No|approx|[A-Z])\.$")
_LONGEST_SHORT = 8  # characters
_LIST = re.compile(r"^\s*(?:[-*•>\u2013]|\d{1,3}[.)])\s+")


def sentences(text: str) -> list[str]:
    """Return the sentences of each line; lines of lists and code are sentences too."""
    found: list[str] = []
    for line in text.splitlines():
        found += _of_line(line.strip())
    return found


def unmarked(sentence: str) -> str:
    """Return a sentence without its list mark."""
    return _LIST.sub("", sentence)


def _of_line(line: str) -> list[str]:
    found: list[str] = []
    start = 0
    mark = _LIST.match(line)
    for match in _END.finditer(line, mark.end() if mark else 0):
        piece = line[start : match.end()].strip()
        if piece and not _SHORT.search(piece[-_LONGEST_SHORT:]):
            found.append(piece)
            start = match.end()
    rest = line[start:].strip()
    return [*found, rest] if rest else found


_OPENING = "\"'“”\u2018\u2019`«»(["
_CLOSING = ".,;:!?\"'“”\u2018\u2019`«»)]…。\uff01"
_BOLD = re.compile(r"(\*\*|__)(?=\S)([^*]{1,300}?)(?<=\S)\1")
_TAILS = {"'m": "am", "'re": "are", "'ll": "will", "'ve": "have"}
_HEADS = {"ca": "can", "wo": "will", "sha": "shall"}
_IS = frozenset("it that he she there here what who where".split())  # whose 's is no owner's
_ANSWERS = frozenset("no not never yes nope".split())  # behind which a comma says another thing
_ASKING, _EVEN = "?", ""
# What may reach over an "and" behind it, so that two statements in one sentence are not what each was by itself.
LIMITS = frozenset(
    """not no never nor neither none without cannot hardly if unless only except until when whenever while before after
    because but although though instead may might could would should must can or either than""".split()
)


def tokens(sentence: str) -> tuple[str, ...]:
    """Return the words in order. A question keeps its mark, and signs that matter are words."""
    found: list[str] = []
    for word in _BOLD.sub(r"\2", sentence).split():
        bare = word.lstrip(_OPENING).rstrip(_CLOSING)
        found += _plain(bare.replace("\u2019", "'")) if bare else ()
        if word.endswith(";") or (word.endswith(",") and found and found[-1].lower() in _ANSWERS):
            found.append(word[-1])
    if found and found[-1] == ";":
        found.pop()
    if found:
        found[0] = _low(found[0])
    if _ASKING in sentence[-4:]:
        found.append(_ASKING)
    return tuple(found)


def is_even(sentence: str) -> bool:
    """Tell whether a sentence is written in one case, which does not tell names from words: THE API IS UP."""
    return sentence.islower() or sentence.isupper()


def even(found: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words in small letters, except names by their capitals, with a mark that only such words match."""
    return (_EVEN, *(word if len(word) == 1 or is_coded(word) or word in UPPER else word.lower() for word in found))


def _plain(word: str) -> list[str]:
    low = word.lower()
    if low == "cannot":
        return ["can", "not"]
    if low.endswith("n't") and len(low) > 3:
        return [_HEADS.get(low[:-3], low[:-3]), "not"]
    head, mark, tail = word.partition("'")
    if mark and (mark + tail.lower()) in _TAILS:
        return [head, _TAILS[mark + tail.lower()]]
    if mark and tail == "s" and head.lower() in _IS:
        return [head, "is"]
    return [word]


def _low(word: str) -> str:
    """Return a word with a small first letter; but userId, US and API as they are."""
    return word[:1].lower() + word[1:] if word[1:].islower() or len(word) == 1 else word
