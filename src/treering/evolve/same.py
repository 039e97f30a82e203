"""Tell whether two short memories mean the same, and join several that do into one text.

Similar wording is not the same meaning: how-tos that differ in a flag, a number, a path or a
negation have nearly the same vector. So the words that tell something must be the same, in the
same order; only articles, inflection and the like may differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

READ = 2_000  # characters: what is longer is a document, whose rest is compared as it stands
SAME = 0.95  # a score above it: they mean the same
_KEPT = 4_096  # texts whose words are kept: pairs come in groups that share one side
_BY_WORDS = 0.75  # of the score of two that differ; the rest is by their vectors, which know more synonyms
_MOST_TOLD = 3  # words of each that are told of two that differ
_MANY = 200  # sentences with which another is compared: what has more is a document, and is joined by its very words
_LEAST = 2  # words in a part: one by itself says nothing that could be said already
_ARTICLES = frozenset(("a", "an", "the"))  # all that may be left out
_FEW = frozenset(("few", "little"))  # before which an article counts
_LEADING = frozenset("after at before by during for from in on to under until with within".split())  # lead phrases
# What asks to be remembered says nothing of what is.
_OPENING = re.compile(
    r"^\s*(?:please\s+)?(?:(?:note|remember)(?:\s+that\b|\s*:)|(?:nb|fyi|reminder)\s*[:,])\s*(?=\w)", re.I
)
_ENDS = (".", "!", "?", ":", ";", "…")
# A full stop ends a sentence before a blank and a capital, a digit or a quote; not within a name, a number or a path.
_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9`])|(?<=[.!?])\s*\Z")
_SHORT = re.compile(r"\b(?:e\.g|i\.e|etc|cf|vs|Mr|Mrs|Ms|Dr|Prof|St|No|approx|[A-Z])\.$")
_LONGEST_SHORT = 8  # characters
_LIST = re.compile(r"^\s*(?:[-*•>\u2013]|\d{1,3}[.)])\s+")


class Likeness(NamedTuple):
    score: float  # 0 to 1
    cosine: float
    differs: tuple[str, ...]  # what disagrees, in words; nothing if they mean the same


def likeness(one: str, other: str, cosine: float) -> Likeness:
    """Return the likeness of two texts, in either order. `cosine` is that of their vectors, and
    cannot make them mean the same."""
    if one == other:
        return Likeness(1.0, cosine, ())
    one, other = sorted((_OPENING.sub("", one), _OPENING.sub("", other)))
    mine, theirs = keys(one[:READ]), keys(other[:READ])
    if not mine or not theirs:
        return Likeness(0.0, cosine, ("nothing to compare",))
    if one[READ:] != other[READ:]:
        return Likeness(_apart(mine, theirs, cosine), cosine, ("what comes later",))
    if _is_same(one[:READ], other[:READ]):
        return Likeness(1.0, cosine, ())
    return Likeness(_apart(mine, theirs, cosine), cosine, _differences(mine, theirs))


def _is_same(one: str, other: str) -> bool:
    mine, theirs = keys(one), keys(other)
    if is_even(one) or is_even(other):
        mine, theirs = even(mine), even(theirs)
    return mine == theirs or _phrases(one) == _phrases(other)


def _apart(mine: Sequence[str], theirs: Sequence[str], cosine: float) -> float:
    common = len({*mine} & {*theirs})
    part = 2 * common / (len({*mine}) + len({*theirs}))
    return SAME * (_BY_WORDS * part + (1 - _BY_WORDS) * min(1.0, max(0.0, cosine)))


def _differences(mine: Sequence[str], theirs: Sequence[str]) -> tuple[str, ...]:
    """Return the places where two texts differ: "8080 / 9090"."""
    places = SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes()
    sides = ((mine[a:b], theirs[c:d]) for kind, a, b, c, d in places if kind != "equal")
    return tuple(" / ".join(" ".join(side[:_MOST_TOLD]) or "nothing" for side in pair) for pair in sides)


@lru_cache(_KEPT)
def keys(text: str) -> tuple[str, ...]:
    """Return the words that tell something, in order and exactly as they are written."""
    found = [word for sentence in sentences(text) for word in tokens(unmarked(sentence))]
    return tuple(word for word, after in pairwise([*found, ""]) if word not in _ARTICLES or after in _FEW)


@lru_cache(_KEPT)
def _phrases(text: str) -> tuple[str, ...]:
    """Return the phrases of a sentence, which may stand in any order: "After a deploy, restart it" is "Restart it after
    a deploy". A text with a word that limits others, or of several sentences, keeps its order."""
    found = keys(text)
    if len(sentences(text)) > 1 or not (LIMITS - _LEADING).isdisjoint(found):
        return found
    head, comma, rest = text.partition(", ")
    parts = [keys(head), keys(rest)] if comma and head.split()[:1] and head.split()[0].lower() in _LEADING else [found]
    phrases: list[list[str]] = []
    for words in parts:
        for at, word in enumerate(words):
            if at == 0 or word in _LEADING:
                phrases.append([])
            phrases[-1].append(word.lower() if at == 0 and not is_coded(word) and word not in UPPER else word)
    return tuple(sorted(map(" ".join, phrases)))


def joined(texts: Sequence[str]) -> str:
    """Return the first text, and each sentence of the others that is not already said, in order."""
    if not texts:
        return ""
    first = texts[0]
    kept = dict.fromkeys(unmarked(sentence) for sentence in sentences(first))
    fresh: list[str] = []
    for text in dict.fromkeys(texts[1:]):
        for sentence in sentences(text) if text != first else ():
            bare = unmarked(sentence)
            if bare not in kept and not any(_is_said(bare, by) for by in islice(kept, _MANY)):
                kept[bare] = None
                fresh.append(sentence)
    if not fresh:
        return first
    has_lines = any("\n" in text.strip() for text in texts)
    if not first.strip():
        return ("\n" if has_lines else " ").join(fresh)
    if has_lines:
        return "\n".join([first.rstrip(), *fresh])
    return " ".join(map(_ended, [first.rstrip(), *fresh[:-1]])) + " " + fresh[-1]


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


def _is_said(sentence: str, by: str) -> bool:
    """Tell whether a sentence means the same as the other, or stands in it word for word."""
    mine, theirs = keys(sentence[:READ]), keys(by[:READ])
    if max(len(sentence), len(by)) > READ:
        return sentence.split() == by.split()
    if _is_same(sentence, by):
        return bool(mine) or sentence.split() == by.split()
    if len(mine) < _LEAST or len(mine) > len(theirs) or not LIMITS.isdisjoint(mine):
        return False
    start = next((at for at in range(len(theirs)) if theirs[at : at + len(mine)] == mine), -1)
    return start >= 0 and LIMITS.isdisjoint(theirs)


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith(_ENDS) else sentence + "."


_BEFORE = "\"'“”\u2018\u2019`«»(["
_BEHIND = ".,;:!?\"'“”\u2018\u2019`«»)]…。\uff01"
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
        bare = word.lstrip(_BEFORE).rstrip(_BEHIND)
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


UPPER = frozenset("US IT AM PM AS".split())  # names that are other words in lower case


def is_coded(text: str) -> bool:
    """Tell whether a word has a capital behind a small letter, as names in code do: userId."""
    return any(one.islower() and other.isupper() for one, other in pairwise(text))
