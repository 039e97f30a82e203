"""Compare two memories: does the newer replace or contradict the older, by learned judgement, and where do they differ?

A long text is compared sentence by sentence with a short one. Two long texts are not compared: they are documents or
talks, whose sentences lean on each other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from treering.text.sentences import own
from treering.text.words import STOP_WORDS, folded

KINDS = ("negation", "number", "version", "date", "choice", "name")  # date: only in what was found by earlier versions
CHANGE = "change"  # the newer may replace the older: both stand, and nobody is asked
FEW = 6  # sentences of a note: what has more is a document
MOST_TERMS = 12
RELATED = (
    0.45  # from here on two texts may be about one thing: nine in ten of the changes that are told, and half of talk
)
_EXACT = 4  # digits of sums that are the same on every machine
_TOGETHER = 240  # characters of a statement in several sentences that is compared as one
_READ = 2_400  # characters: six of the longest sentences
_KEPT = 2_048  # texts whose sentences and words are kept: a new memory is compared with many
_SAID = {
    "negation": "one says the opposite of the other",
    "number": "the number differs",
    "version": "the version differs",
    "date": "the date or time differs",
    "choice": "the choice differs",
    "name": "the name or place differs",
    CHANGE: "the first may be out of date",
    "relation": "the two relate the same things otherwise",  # found in the graph, not between two texts
}
_LONGEST_QUOTE = 60  # characters of a value in a sentence for a person
_WORD = re.compile(r"[^\s,;:!?()\"]+")
_SUBJECT = 3  # words at the beginning that two statements share: their subject
_VALUE = 2  # words of a value
_VERSION = re.compile(r"\d+\.\d+|v\d")


class Conflict(NamedTuple):
    """How likely it is that two texts cannot both hold, and where they differ."""

    kind: str
    ours: tuple[int, int]  # characters of the value in the older text
    theirs: tuple[int, int]  # and in the newer
    replaces: float = 0.0  # how likely the newer replaces the older
    is_sure: bool = False  # it replaces the whole of the older text, beyond doubt
    is_told: bool = False  # the same, if the newer was told to be remembered, and not only said in passing
    is_framed: bool = False  # found only because one value differs in the same words
    is_alike: bool = False  # one value differs in the same words, whether or not more tells that they clash

    @property
    def is_doubt(self) -> bool:
        """True if it is too unsure for a person to be asked."""
        return self.kind == CHANGE


def between(older: str, newer: str, doubts: bool = False) -> Conflict | None:
    """Return the surest conflict of two texts, or none; with `doubts`, also that the older may be out of date."""
    if older == newer or min(len(older), len(newer)) > _READ:
        return None
    ours, theirs = _parts(older), _parts(newer)
    if max(len(ours), len(theirs)) > FEW:
        return None
    found = [one for at in ours for to in theirs if (one := _compared(at, to)) and (doubts or not one.is_doubt)]
    if doubts and not found and len(theirs) > 1 and len(newer) <= _TOGETHER:  # what one sentence names another changes
        together = (_compared(at, _Part(newer, 0)) for at in ours)
        found = [
            one._replace(kind=CHANGE, is_sure=False, is_told=False, is_framed=False, is_alike=False)
            for one in together
            if one
        ]
    best = max(found, key=lambda one: (one.is_told, not one.is_doubt, one.replaces), default=None)
    whole = len(ours) == 1
    return best._replace(is_sure=best.is_sure and whole, is_told=best.is_told and whole) if best else None


class _Part(NamedTuple):
    text: str
    at: int  # where it stands


@lru_cache(_KEPT)
def _parts(text: str) -> tuple[_Part, ...]:
    """Return the sentences of a text with their places."""
    found, start = [], 0
    for one in own(text):
        at = text.find(one.text, start)
        if at >= 0:
            found.append(_Part(one.text, at))
            start = at + len(one.text)
    return tuple(found) or (_Part(text, 0),)


def _compared(one: _Part, other: _Part) -> Conflict | None:
    from treering.judge.pairs import REPLACES, difference, judge  # loads the word vectors

    if not may_clash(one.text, other.text):
        return None
    verdict, framed = judge(one.text, other.text), frame(one.text, other.text)
    sure = verdict.is_sure or verdict.is_told
    clear = framed or verdict.clashes or sure
    if not clear and not verdict.is_likely:
        return None
    (start, end), (begin, stop) = framed or difference(one.text, other.text)
    return Conflict(
        _kind(one.text[start:end], other.text[begin:stop]) if clear else CHANGE,
        (one.at + start, one.at + end),
        (other.at + begin, other.at + stop),
        verdict.chances[REPLACES],
        verdict.is_sure,
        sure,
        bool(framed) and not verdict.clashes and not sure,
        bool(framed),
    )


def _repeats(one: str, other: str) -> bool:
    """Tell whether one statement stands word for word in the other: "As noted, …" says it again."""
    ours, theirs = (f" {' '.join(folded(text))} " for text in (one, other))
    return ours in theirs or theirs in ours


def frame(one: str, other: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return where two statements differ that are the same but for one value, which no subject can be."""
    ours, theirs = ([*_WORD.finditer(text)] for text in (one.rstrip(" ."), other.rstrip(" .")))
    same = [a.group().lower() == b.group().lower() for a, b in zip(ours, theirs, strict=False)]
    start = next((at for at, is_same in enumerate(same) if not is_same), len(same))
    back = [a.group().lower() == b.group().lower() for a, b in zip(reversed(ours), reversed(theirs), strict=False)]
    end = next((at for at, is_same in enumerate(back) if not is_same), len(back))
    mine, rest = ours[start : len(ours) - end], theirs[start : len(theirs) - end]
    if start < _SUBJECT or not 0 < len(mine) <= _VALUE or not 0 < len(rest) <= _VALUE:
        return None
    values = [one[mine[0].start() : mine[-1].end()], other[rest[0].start() : rest[-1].end()]]
    if any(map(str.isdigit, values[0])) is not any(map(str.isdigit, values[1])):
        return None
    return (mine[0].start(), mine[-1].end()), (rest[0].start(), rest[-1].end())


def may_clash(one: str, other: str) -> bool:
    """Tell whether two texts are about one thing, and do not repeat each other."""
    from treering.judge.pairs import relatedness  # loads the word vectors

    return not _repeats(one, other) and round(relatedness(one, other), _EXACT) >= RELATED


def likest(text: str, others: Sequence[str]) -> list[int]:
    """Return the places of the texts, those first that are most about the same as one."""
    from treering.judge.pairs import relatedness  # loads the word vectors

    scores = [round(relatedness(text, other), _EXACT) for other in others]
    return sorted(range(len(others)), key=lambda at: (-scores[at], at))


def _kind(ours: str, theirs: str) -> str:
    """Return what differs, by the form of both values."""
    if any(map(str.isdigit, ours)) and any(map(str.isdigit, theirs)):
        return "version" if _VERSION.search(ours) and _VERSION.search(theirs) else "number"
    if not ours or not theirs:
        return "negation"
    return "name" if ours[:1].isupper() and theirs[:1].isupper() else "choice"


def terms(text: str) -> tuple[str, ...]:
    """Return the words in lower case, each once, in the order of the text."""
    words = dict.fromkeys(folded(text[:_READ]))
    found = [word for word in words if len(word) > 1 and word not in STOP_WORDS]
    return tuple([word for word in found if not word.isdigit()][:MOST_TERMS])


def why(kind: str, one: str, other: str) -> str:
    """Return a conflict of two values as a sentence for a person."""
    return f'{_SAID[kind]}: "{_quoted(one)}" here, "{_quoted(other)}" there'


def _quoted(text: str) -> str:
    value = " ".join(text.split())
    return value if len(value) <= _LONGEST_QUOTE else value[: _LONGEST_QUOTE - 1] + "…"
