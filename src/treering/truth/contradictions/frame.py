"""Find the same sentence with another value: all words outside of one span are the same, in the same order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from treering.truth.contradictions.read.lexicon import (
    ALSO,
    CONTAINERS,
    DECIDED,
    EPISODE,
    FIXED,
    FUNCTION,
    HEDGES,
    LIKING,
    NEWS,
    PLANS,
    QUANTITIES,
    SEVERAL,
    SINGLE_VALUED,
    SITED,
    SYSTEMS,
    TOLD_ONE_BY_ONE,
)
from treering.truth.contradictions.read.sentence import sentences
from treering.truth.contradictions.read.tokens import stem
from treering.truth.contradictions.sides import TITLES, sort

Found = tuple[str, tuple[int, int], tuple[int, int]]

_KEPT = 512  # texts whose frames are kept: a new memory is compared with many
_LONGEST = 160  # characters of a plain sentence
_LONGEST_NOTE = 480  # and of a note of a few of them
_LEAST = 2  # words that name something, besides the value
_LABEL = 3  # items before a colon that may only say where the sentence is from
_KIND = 3  # items of "in AWS region"
_ITEM = r"`[^`]+`|[^\s`,;:]+(?:[:,][^\s`,;:]+)*|[,;:]"
_SPEAKER = r"\s*(?!(?i:decision|note|rule|update|reminder|fyi|correction|convention|preference)\b)[^\s:]+:\s"
_EDGES = ".!?\"'()*"
_LINKS = frozenset(("is", ":", "=", "→", "it's", "that's"))
_SILENT = frozenset("the a an now currently are be what's still , do does exactly".split()) | _LINKS
_DENYING = frozenset("not never doesn't don't isn't aren't can't cannot no longer anymore".split())
_PRESENT = frozenset("does do is are doesn't don't isn't aren't can't cannot longer : =".split())
_OVER = frozenset("was were had did didn't wasn't weren't hadn't hasn't haven't been".split())
_PREPOSITIONS = frozenset("in on at to with from under until by after as into".split())
_CONDITIONS = frozenset("if when whenever unless while during except only once without before where".split())
_OPEN = frozenset(
    """some any several various many most few often mostly partly usually today yesterday tonight e.g like likes all
    every each everyone or will won't shall soon tomorrow plan plans planned goal idea todo draft proposal wish
    least over under than between about around roughly approximately nearly almost up may
    recently last ago more extra""".split()
)
_NOBODY = frozenset("i he she they it you this that these those there a an one some".split())
_DEFINITE = frozenset("the our my your its their his her this".split())
_PERSONAL = frozenset(map(stem, ("live", "reside")))
_RUN = stem("run")
_ON = DECIDED | frozenset(map(stem, ("host", "store", "live")))  # on a host; a system may run on several


class Item(NamedTuple):
    low: str
    key: str
    start: int
    end: int
    before: str  # the word before it that the frame leaves out


class Frame(NamedTuple):
    items: tuple[Item, ...]  # without what says nothing
    lows: frozenset[str]  # of all words
    first: str
    denials: int
    denial: tuple[int, int]


def swapped(one: str, other: str) -> Found | None:
    """Return the conflict of two notes that share a sentence except for its value or its yes."""
    for mine in _frames(one):
        for theirs in _frames(other):
            found = _compared(one, mine, other, theirs) if mine.items[0].key == theirs.items[0].key else None
            if found:
                return found
    return None


@lru_cache(_KEPT)
def _frames(text: str) -> tuple[Frame, ...]:
    """Return the frames of a note; none of a longer text or a speaker's words: `Ana: thanks, Ben`."""
    if len(text) > _LONGEST_NOTE or re.match(_SPEAKER, text):
        return ()
    found = (_frame(text, *place) for place in sentences(text))
    return tuple([each for each in found if each is not None and each.items])


def _frame(text: str, start: int, end: int) -> Frame | None:
    """Return the frame of a sentence, or none if it does not plainly state how things are."""
    if end - start > _LONGEST or text[start:end].rstrip().endswith("!"):
        return None
    raw = [each for match in re.finditer(_ITEM, text[start:end]) if (each := _item(match, start)).low]
    mark = next((at for at, each in enumerate(raw[: _LABEL + 1]) if each.low == ":"), 0)
    if mark and all(each.key in NEWS or each.low in FUNCTION for each in raw[:mark]):
        raw = raw[mark + 1 :]
    lows = [each.low for each in raw]
    known = frozenset(lows)
    if not raw or not (_OPEN | ALSO | HEDGES | _OVER).isdisjoint(known) or not PLANS.isdisjoint(pairwise(lows)):
        return None
    if lows[0] in _NOBODY or lows[0] in _CONDITIONS or not EPISODE.isdisjoint(known):
        return None
    denying = [each for each in raw if each.low in _DENYING]
    if {"no", "longer"} <= known:
        denying = [each for each in denying if each.low != "longer"]
    place = (denying[0].start, denying[0].end) if denying else (raw[0].start, raw[-1].end)
    kept = [each._replace(before=before) for before, each in zip(["", *lows], raw, strict=False)]
    items = tuple(each for each in kept if each.low not in _SILENT and each.low not in _DENYING)
    return Frame(items, known, lows[0], len(denying), place)


def _item(match: re.Match[str], offset: int) -> Item:
    word = match[0]
    bare = word.strip(_EDGES) if word[0] != "`" else word
    start = offset + match.start() + word.find(bare)
    low = (bare or word).lower().replace("\u2019", "'")
    if word in _LINKS or word in (",", ";"):
        low = word
    return Item(low if bare else "", stem(low), start, start + len(bare), "")


def _compared(one: str, mine: Frame, other: str, theirs: Frame) -> Found | None:
    ours, their = [each.key for each in mine.items], [each.key for each in theirs.items]
    if mine.denials != theirs.denials:
        is_plain = ours == their and mine.denials + theirs.denials == 1 and len(_content(mine.items)) >= _LEAST
        return ("negation", mine.denial, theirs.denial) if is_plain and _is_denied(mine, theirs) else None
    shorter = min(len(ours), len(their))
    head = next((at for at in range(shorter) if ours[at] != their[at]), shorter)
    rest = shorter - head
    tail = next((at for at in range(rest) if ours[-1 - at] != their[-1 - at]), rest)
    while head and mine.items[head - 1].low in TITLES:
        head -= 1
    spans = mine.items[head : len(ours) - tail], theirs.items[head : len(their) - tail]
    frame = (*mine.items[:head], *mine.items[len(ours) - tail :])
    if not head or not all(spans) or len(_content(frame)) < _LEAST:
        return None
    places = [(span[0].start, span[-1].end) for span in spans]
    after = mine.items[len(ours) - tail].low if tail else ""
    kind, is_name, is_lower = sort(one[slice(*places[0])], other[slice(*places[1])], after)
    said = Said(mine, theirs, mine.items[:head], spans[0], spans[1], after)
    if not kind or not _is_now(mine, theirs, frame) or not _is_value(said, is_name, is_lower):
        return None
    return kind, places[0], places[1]


class Said(NamedTuple):
    one: Frame
    other: Frame
    head: tuple[Item, ...]  # before the value
    mine: tuple[Item, ...]
    theirs: tuple[Item, ...]
    after: str


def _content(items: Sequence[Item]) -> list[Item]:
    return [each for each in items if each.low not in FUNCTION]


def _is_denied(one: Frame, other: Frame) -> bool:
    """Tell whether one denies the other: in the present, of the thing itself, and of all of it."""
    denied = one if one.denials else other
    is_present = not (_PRESENT - {":", "="}).isdisjoint(denied.lows)
    return is_present and (one.lows | other.lows).isdisjoint(_CONDITIONS | {"and"}) and one.first not in ("we", "i")


def _is_now(one: Frame, other: Frame, frame: Sequence[Item]) -> bool:
    """Tell whether no verb is in the past; "pinned to" beside "is pinned to" is not."""
    if not (one.lows | other.lows).isdisjoint(_PRESENT):
        return True
    return not any(each.low.endswith("ed") and each.key not in DECIDED for each in frame)


def _is_value(said: Said, is_name: bool, is_lower: bool) -> bool:
    """Tell whether the span stands where a value does, and the subject has only one."""
    head, inside = said.head, {each.low for each in (*said.mine, *said.theirs)}
    lows = {each.low for each in head}
    if not inside.isdisjoint({"and", "or", "&", "+"}) or said.after in ("and", "or") or head[-1].low in ("and", "or"):
        return False
    if not lows.isdisjoint(_CONDITIONS) or any(each.key in LIKING for each in head):
        return False
    linked = all(span[0].before in _LINKS or _is_linked_early(said, span) for span in (said.mine, said.theirs))
    if linked and head[-1].low not in FUNCTION:
        return _is_one(said, is_name, is_lower)
    if is_lower:
        return False
    if head[-1].low in _PREPOSITIONS:
        return len(head) > 1 and _is_put(said, head[:-1], head[-1].low, is_name)
    if is_name:
        at = next((at for at in range(len(head) - 1, 0, -1) if head[at].low in FUNCTION), 0)
        is_kind = at > 0 and head[at].low in _PREPOSITIONS and len(head) - at <= _KIND and _is_coded(said)
        return is_kind and _is_put(said, head[:at], head[at].low, is_name)
    is_counted = head[-1].key in QUANTITIES and len(head) > 1
    return head[-1].key in FIXED or (is_counted and any(each.key in FIXED for each in head[:-1]))


def _is_coded(said: Said) -> bool:
    """Tell whether the value is a name in code: the bucket `raw-eu`, AWS region eu-west-1."""
    return all(len(span) == 1 and not span[0].low.isalpha() for span in (said.mine, said.theirs))


def _is_linked_early(said: Said, span: tuple[Item, ...]) -> bool:
    """Tell whether "is" stands before an adverb: it is now …, it is exactly …"""
    frame = said.one if span is said.mine else said.other
    return span[0].before in ("now", "exactly", "currently", "still") and not _LINKS.isdisjoint(frame.lows)


def _is_one(said: Said, is_name: bool, is_lower: bool) -> bool:
    """Tell whether the subject has one such value: our X is Y, X of Z: Y; not reviewers: Y, a friend is Y."""
    end = next((at for at, each in enumerate(said.head) if at and each.low in FUNCTION), len(said.head))
    noun = said.head[end - 1]
    if any(each.key in TOLD_ONE_BY_ONE for each in said.head[:end]):
        return False
    if noun.key in SEVERAL or (is_name and noun.low.endswith("s") and not noun.low.endswith("ss")):
        return False
    if is_lower:
        return noun.key in SINGLE_VALUED and len(said.mine) == len(said.theirs) == 1
    if len(_content(said.head)) < _LEAST and ":" in said.one.lows | said.other.lows:
        return False
    is_labelled = ":" in said.one.lows & said.other.lows
    owned = any(each.low.endswith(("'s", "s'")) for each in said.head)
    return not is_name or is_labelled or owned or said.one.first in _DEFINITE or len(_content(said.head)) >= _LEAST


def _is_put(said: Said, head: tuple[Item, ...], preposition: str, is_name: bool) -> bool:
    """Tell whether a thing has one place: lives in, is locked to, is at."""
    verb = head[-1]
    linked = said.head[-1].before in _LINKS and (not is_name or verb.key in SITED)
    if said.one.first == "we":
        return verb.key in DECIDED
    if not linked and verb.key not in FIXED:
        return False
    if not is_name:
        return True
    if (verb.key == _RUN and preposition != "in") or (preposition == "on" and verb.key not in _ON):
        return False
    mine, theirs = said.mine[-1].low, said.theirs[-1].low
    if not SYSTEMS.isdisjoint((mine, theirs)):
        return False
    is_single = len(said.mine) == len(said.theirs) == 1
    if (mine in CONTAINERS) != (theirs in CONTAINERS):
        return False
    return is_single or not (verb.key in _PERSONAL and preposition == "in")
