"""What was said before: once more, otherwise, or taken back."""

from __future__ import annotations

import re

from treering.capture.catches import DECISION, Catch, stems
from treering.capture.joining import denying
from treering.capture.saying import doubts
from treering.capture.saying.clauses import starts
from treering.capture.saying.correcting import denies
from treering.capture.turns import AGENT
from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.capture.saying.own import Sentence

_SAME = 0.6  # share of the words of the shorter one that the other has too: it says the same
_ABOUT = 0.5  # share of the words of one that a sentence which denies something has: it speaks of it
_NEAR = 200  # things before it with which a thing is compared
_FEWEST = 3  # words, below which a share says nothing
_TAKING = stems(
    """nevermind mind nvm scratch scrap forget ignore disregard said told wrong mistake bad changed second thought
    sorry ok actually wait rule last hm hmm oh project repo window chat terminal idea thing kidding joke take back
    drop"""
)
_OTHERWISE = re.compile(
    r"^(?:(?:ok|oh|hm+|well|so|wait|no|and|but)[,.!\s]+)*(?:actually|instead|rather|correction|update|new rule)\b"
)
_AGAINST = re.compile(
    r"\b(?:instead of|rather than|no longer|not|scrap the|drop the|forget the|over)\s+(?:the |an? |using "
    r"|use )?([\w-]+(?: [\w-]+)?)"
)


def left(caught: Sequence[Catch], said: Sequence[Sentence], recent: set[str]) -> list[Catch]:
    """What is left after a prompt of what was caught before it."""
    objections = [found for at, sentence in enumerate(said) if (found := _objection(sentence, at))]
    if not objections:
        return [*caught]
    far = max(0, len(caught) - _NEAR)
    near = (each for each in caught[far:] if not any(_meant(each, objection, recent) for objection in objections))
    return [*caught[:far], *near]


class _Objection(NamedTuple):
    """A sentence that may be directed against something that was said before."""

    takes: bool  # it takes something back
    denies: bool  # it denies what the agent said
    otherwise: bool  # it says something else
    words: frozenset[str]
    chosen: tuple[frozenset[str], ...]  # what it chooses something else over


def _objection(sentence: Sentence, at: int) -> _Objection | None:
    takes = any(doubts.takes_back(sentence.plain[start:]) for start in starts(sentence.plain))
    against = at == 0 and denies(sentence.plain)
    otherwise = bool(_OTHERWISE.match(sentence.plain))
    sure = not sentence.asks and not doubts.wonders(sentence.plain)
    chosen = tuple(filter(None, (stems(found[1]) for found in _AGAINST.finditer(sentence.plain)))) if sure else ()
    if not (takes or against or otherwise or chosen):
        return None
    return _Objection(takes, against, otherwise, stems(sentence.text), chosen)


def _meant(catch: Catch, objection: _Objection, recent: set[str]) -> bool:
    """Whether an objection means what was caught."""
    words = stems(catch.content)
    against = objection.denies and catch.by == AGENT
    if catch.line in recent and ((objection.takes and not _other(objection.words, words)) or against):
        return True
    if objection.takes and (objection.words - _TAKING) & words:
        return True
    shared = len(words & objection.words)
    if (objection.takes or against or objection.otherwise) and shared >= _ABOUT * max(len(words), _FEWEST):
        return True
    allowed = stems(_AGAINST.sub(" ", catch.content.lower())) if objection.chosen else words
    return any(each <= allowed for each in objection.chosen)


def _other(said: frozenset[str], words: frozenset[str]) -> bool:
    """Whether words name something, and not this."""
    named = said - _TAKING
    return bool(named) and not named & words


def apart(found: Sequence[Catch]) -> list[Catch]:
    """Each thing once: of two that say the same, the one that is surer, or the first; of two that say the opposite of
    each other, the last."""
    kept: list[Catch] = []
    for catch in found:
        near = range(max(0, len(kept) - _NEAR), len(kept))
        at = next((place for place in near if _same(catch, kept[place])), -1)
        if at < 0:
            kept.append(catch)
        elif denying(catch.content) != denying(kept[at].content) or catch.confidence > kept[at].confidence:
            kept[at] = catch
    return kept


def _same(one: Catch, other: Catch) -> bool:
    if (one.kind == DECISION) != (other.kind == DECISION) and one.by != other.by:
        return False
    some, others = stems(one.content), stems(other.content)
    fewest, shared = min(len(some), len(others)), len(some & others)
    if fewest >= _FEWEST:
        return shared >= _SAME * fewest
    return shared == fewest > 1 and abs(len(some) - len(others)) <= 1
