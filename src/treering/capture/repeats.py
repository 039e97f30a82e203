"""Join sentences that say one thing, and drop what was said again, otherwise, or taken back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from treering.capture.sentences import doubts
from treering.capture.sentences.clear import cleaned, clear, lead, starts
from treering.capture.sentences.correct import denies
from treering.capture.sentences.own import Sentence
from treering.capture.turns import AGENT, DECISION, LONGEST, SEMANTIC, TOLD, Catch, marked, stems

_DENIES = re.compile(
    r"\b(?:don't|do not|dont|never|not|no|avoid|stop|isn't|aren't|without|instead of)\b", re.IGNORECASE
)
# A sentence that says what cannot be, before one that says what is.
_GROUND = re.compile(
    r"(?:^|[,;] (?:but )?)(?P<rest>[^,;]* (?:can't be|cannot be|can't have|must not be|mustn't be|shouldn't be) .*)$"
)


_BOTH = re.compile(r"(?:,| and| but) not |\b(?:instead of|rather than|always|use|only|but)\b", re.IGNORECASE)
_COMPLAINT = re.compile(r"i (?:hate|don't like|dislike|can't stand)\b", re.IGNORECASE)
_NEXT = re.compile(  # another task
    r"(?:now|next|then|and now|ok|okay|thanks|thx|can|could|would|please (?:fix|add|run)|fix|add|run|commit|push"
    r"|build|ship|start|go|implement"
    r"|rename|update|do it|try|revert|undo|and (?:please )?(?:fix|add|run))\b"
)
_FEW = 5  # words of a sentence that is only a word with the next one
_SHORT = 7  # words
_LONG = 25  # words


def joined(found: Sequence[tuple[int, Catch]], said: Sequence[Sentence]) -> list[Catch]:
    """Join catches of neighbouring sentences about one thing. One that says half of it gets the
    other half from the sentence beside it."""
    kept: list[Catch] = []
    places = {at for at, _ in found}
    last = -1  # the place of the last one, if another may be joined to it
    for at, catch in found:
        if at and last == at - 1 and not said[at].item and _one_thing(kept[-1], catch):
            kept[-1] = _both(kept[-1], catch)
            last = -1
        else:
            before = said[at - 1] if at and at - 1 not in places else None
            after = said[at + 1] if at + 1 < len(said) and at + 1 not in places else None
            kept.append(catch if said[at].item or catch.kind == TOLD else _whole(catch, before, after))
            last = at
    return kept


def _whole(catch: Catch, before: Sentence | None, after: Sentence | None) -> Catch:
    """Return a catch with the other half of what was meant: "rebase, please. we never merge"."""
    if before is not None and (ground := _ground(before)):
        return _with(catch, f"{ground} {catch.content}")
    if before is not None and (text := _half(before, _FEW)):
        return _with(catch, f"{text} {catch.content}")
    only_denies = _forbids(catch.content) and not _BOTH.search(catch.content)
    half = only_denies or len(catch.content.split()) < _SHORT or _COMPLAINT.match(catch.content)
    if not half:
        return catch
    if after is not None and not _NEXT.match(after.plain) and (text := _half(after, _LONG)):
        catch = _with(catch, f"{catch.content} {text}")
    return catch


def _half(sentence: Sentence, most: int) -> str:
    """Return what a neighbouring sentence adds, of at most so many words."""
    if sentence.asks or sentence.item or doubts.once(sentence.plain) or doubts.wonders(sentence.plain):
        return ""
    text = sentence.text[lead(sentence.plain) :]
    return cleaned(text) if 0 < len(text.split()) <= most else ""


def _with(catch: Catch, content: str) -> Catch:
    """Return a catch that says more, under its old mark."""
    return marked(catch)._replace(content=content) if len(content) <= LONGEST else catch


def _forbids(text: str) -> bool:
    """Tell whether a text forbids something."""
    return bool(_DENIES.search(text))


def _one_thing(first: Catch, second: Catch) -> bool:
    if (first.kind == DECISION) != (second.kind == DECISION):
        return False
    if len(first.content) + len(second.content) >= LONGEST or first.content == second.content:
        return False
    if _forbids(first.content) != _forbids(second.content):
        return True
    return bool(stems(first.content) & stems(second.content))


def _both(first: Catch, second: Catch) -> Catch:
    """Join two catches under the mark of the surer one: a prompt alone may show only that."""
    first, second = marked(first), marked(second)
    surer = second if second.confidence > first.confidence else first
    whole = f"{first.content} {second.content}"
    return surer._replace(kind=first.kind, content=whole, type=SEMANTIC, trigger="", action="")


def _ground(before: Sentence) -> str:
    found = _GROUND.search(before.plain)
    if found is None or before.asks or not clear(found["rest"]):
        return ""
    return cleaned(before.text[found.start("rest") :])


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
    """Return what is left after a prompt of what was caught before it."""
    objections = [found for at, sentence in enumerate(said) if (found := _objection(sentence, at))]
    if not objections:
        return [*caught]
    far = max(0, len(caught) - _NEAR)
    near = (each for each in caught[far:] if not any(_meant(each, objection, recent) for objection in objections))
    return [*caught[:far], *near]


class _Objection(NamedTuple):
    """A sentence that may object to something said before."""

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
    """Tell whether an objection is about a catch."""
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
    """Tell whether words name something else."""
    named = said - _TAKING
    return bool(named) and not named & words


def distinct(found: Sequence[Catch]) -> list[Catch]:
    """Return each thing once: of two that say the same, the surer or the first; of two opposites, the last."""
    kept: list[Catch] = []
    for catch in found:
        near = range(max(0, len(kept) - _NEAR), len(kept))
        at = next((place for place in near if _same(catch, kept[place])), -1)
        if at < 0:
            kept.append(catch)
        elif _forbids(catch.content) != _forbids(kept[at].content) or catch.confidence > kept[at].confidence:
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
