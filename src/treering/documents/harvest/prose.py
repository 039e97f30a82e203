"""Split a text into sentences, and join each with those that lean on it: a thought."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from treering.documents.harvest.questions import is_reply

FEWEST_WORDS = 5  # fewer are a label or an exclamation
MOST_WORDS = 80  # more is no longer one thought
LONGEST_SENTENCE = 100  # words; one sentence cannot be cut, so it may run over a little
LEANING_WORDS = 2  # words at the start of a sentence among which one that points back makes it lean

_ENDS = re.compile(r"[.!?\u2026]{1,4}[\"'\u201d\u2019)\]`*]{0,3}(?=\s)|[\u3002\uff01\uff1f]")
_CLOSED = re.compile(r"`[^`]+`|\([^()]*\)")
_ABBREVIATIONS = frozenset(
    """e.g. i.e. eg. ie. etc. vs. cf. approx. incl. excl. resp. no. nos. fig. sec. ch. vol. ed. al. ca. dr. mr. mrs. ms.
    prof. st. inc. ltd. co. corp. jan. feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec. max. min. aka. a.k.a.
    w.r.t. u.s. bzw. z.b. d.h. usw. ca. evtl. ggf. vgl.""".split()
)
_LINKING = frozenset(
    """so but however therefore otherwise thus hence instead also then and or yet still besides moreover furthermore
    additionally similarly likewise conversely consequently meanwhile nevertheless nonetheless rather accordingly
    finally afterwards again else nor would will can is are was has should must does that's it's""".split()
)
_POINTING = frozenset("this that these those it its they them their he she his her such both latter former".split())
_OBJECTS = frozenset("this these those it them".split())  # "Making these costs a little."
_BEFORE_POINTING = frozenset(
    "in with after for from at on by to as because of when if once while since without through until before all".split()
)
_LINKING_PHRASES = tuple(
    "for example|for instance|in addition|in other words|in particular|in contrast|in turn|as a result|e.g.|i.e.|"
    "by contrast|on the other hand|the same |the other|the second|the third|the rest|one of them|another |here,|there,|"
    "for the other|with the other|all of this|in the other|in both cases|the result|the output".split("|")
)


class Sentence(NamedTuple):
    text: str  # on one line
    line: int  # lines below the start of the text


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a reduced text. What stands in code or in brackets never ends one."""
    closed = _CLOSED.sub(_masked, text)
    found: list[Sentence] = []
    start = line = 0
    for end in _ENDS.finditer(closed):
        if end[0][0] == "." and not _final(closed, start, end):
            continue
        line = _put(found, text[start : end.end()], line)
        start = end.end()
    _put(found, text[start:], line)
    return found


def _masked(part: re.Match[str]) -> str:
    """Return as many characters as the part has, without its marks; brackets around a whole sentence keep its end."""
    whole = part[0][0] == "(" and part[0][-2] in ".!?" and count(part[0]) >= FEWEST_WORDS
    return "x" * (len(part[0]) - 2) + (part[0][-2:] if whole else "xx")


def _put(found: list[Sentence], piece: str, line: int) -> int:
    """Add a sentence, and return the line on which the next one, or the blanks before it, begin."""
    bare = piece.lstrip()
    if bare.strip():
        found.append(Sentence(" ".join(bare.split()), line + piece[: len(piece) - len(bare)].count("\n")))
    return line + piece.count("\n")


def _final(text: str, start: int, end: re.Match[str]) -> bool:
    """Return whether a full stop ends a sentence: not behind an abbreviation, an initial or a list number."""
    before = max(start, end.start() - 24)
    word = text[before : end.start() + 1].split()[-1].lstrip("(\"'").lower()
    if word in _ABBREVIATIONS or (len(word) == 2 and word[0].isalpha() and word[0] not in "i"):
        return False
    return not (word[:-1].isdigit() and not text[start : end.start() - len(word) + 1].strip())


def leans(sentence: str) -> bool:
    """Return whether it points back to the sentence before it, and says little alone."""
    low = sentence.lower()
    words = [word.strip(",;:.()\"'") for word in low.split(maxsplit=LEANING_WORDS)[:LEANING_WORDS]]
    if not words:
        return False
    if words[0] in _LINKING or low[0] == "(" or low.startswith(_LINKING_PHRASES):
        return True
    if words[0].endswith("ing") and words[1:] and words[1] in _OBJECTS:
        return True
    return words[0] in _POINTING or (words[0] in _BEFORE_POINTING and words[1:2] != [] and words[1] in _POINTING)


def thoughts(found: list[Sentence], wanted: Callable[[str], bool], grounded: bool) -> list[Sentence]:
    """Join sentences with those that lean on them, as far as the whole stays a thought.

    What is not wanted takes along what leans on it. The first may lean only if the text is grounded: if what stands
    above it says what it points to.
    """
    joined: list[Sentence] = []
    lost = not grounded  # whether what the next sentence leans on is not there
    for before, sentence in zip((None, *found), found, strict=False):
        if is_reply(sentence.text) and not (grounded and before is None):
            # An answer goes with its question, and is nothing without it.
            question = before is not None and before.text.endswith("?")
            whole = f"{before.text} {sentence.text}" if before is not None and question else ""
            lost = not whole or count(whole) > MOST_WORDS or not wanted(whole)
            if before is not None and not lost:
                joined.append(before._replace(text=whole))
            continue
        leaning = leans(sentence.text) or (bool(joined) and count(sentence.text) < FEWEST_WORDS)
        if not leaning or (grounded and sentence is found[0]):
            lost = not wanted(sentence.text)
            if not lost:
                joined.append(sentence)
        elif not lost and wanted(sentence.text):
            whole = f"{joined[-1].text} {sentence.text}"
            if count(whole) <= MOST_WORDS:
                joined[-1] = joined[-1]._replace(text=whole)
            else:
                lost = True
    return joined


def count(text: str) -> int:
    """Return how many words a text has. A script without blanks has about one word in two characters."""
    words = len(text.split())
    if text.isascii():
        return words
    return words + sum("\u3040" <= letter <= "\u9fff" for letter in text) // 2
