"""What a clause claims beyond its words: that it is so now, was once, is to be, or is only under a condition."""

from __future__ import annotations

from itertools import pairwise

from treering.conflict.reading.lexicon import CHANGE, FUNCTION, MOVES
from treering.conflict.reading.tokens import stem
from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.conflict.reading.tokens import Token

# A heading with one of these leads to what is not so yet.
_INTENTS = frozenset(
    """plan plans planned goal goals todo next idea ideas proposal proposed roadmap target backlog wish wishes wishlist
    objective objectives aim upcoming draft later future someday eventually milestone ambition vision option
    options request requests requested suggestion suggestions wanted expected estimate""".split()
)
# And a clause with one of these, as they stand, tells of later.
_FUTURE = frozenset(
    """will shall won't we'll i'll it'll they'll he'll she'll you'll soon someday eventually tomorrow planned upcoming
    plans goal goals aim aims aiming intention roadmap ambition""".split()
)
_PERIODS = frozenset("week month year quarter spring summer autumn winter fall sprint release semester term".split())
_FUTURE_PAIRS = frozenset([*(("next", each) for each in _PERIODS), ("target", "is"), ("target", "of"), ("plan", "is")])
# Of earlier: these by themselves, the others with a verb in the past.
_PAST = frozenset("formerly previously originally initially historically".split())
_PAST_PAIRS = frozenset(
    tuple(pair.split())
    for pair in "used to,back then,back when,at first,the past,old days,early days,those days,years ago".split(",")
)
_WERE = frozenset("was were wasn't weren't had".split())
_PARTICIPLES = ("ed", "en", "wn", "rn", "pt", "lt", "ld", "nt", "un", "set", "put", "cut", "found", "made")
_TODAY = frozenset([("this", "morning"), ("this", "afternoon"), ("this", "week"), ("this", "month"), ("last", "night")])
_TIMES = frozenset("before until till in during at under with from back".split())
_EARLIER = frozenset("before until till last".split())
_OLD = frozenset("old previous former earlier last".split())
_USUAL = frozenset("is are be am get gets got was were i'm it's".split())  # used to it
_NOW = frozenset("now nowadays currently today anymore".split())
_ADVICE = frozenset(
    map(stem, "recommend recommended recommends recommendation advise advises advice ideally guideline".split())
)
# What follows one of these is not claimed, and what goes before it only if that holds.
_MARKERS = frozenset("if unless when whenever until till except once only without while as".split())
_AS = frozenset("long soon far".split())


_SHORT_HEADING = 2  # words of a heading with next that leads to a plan


class Mood(NamedTuple):
    future: bool
    past: bool
    advice: bool
    was: bool  # told in the past tense, of what may be over
    newer: bool  # it says that it changed
    markers: frozenset[str]  # of conditions and exceptions
    condition: int  # the token at which one begins; past the end if none does


def mood(clause: Sequence[Token]) -> Mood:
    lows = [token.low for token in clause]
    pairs = set(pairwise(lows))
    at = next((at for at in range(len(lows)) if _is_marker(lows, at)), len(lows))
    markers = frozenset([lows[each] for each in range(at, len(lows)) if _is_marker(lows, each)])
    changed = any(token.stem in CHANGE for token in clause)
    return Mood(
        not _FUTURE.isdisjoint(lows) or not pairs.isdisjoint(_FUTURE_PAIRS),
        _is_past(lows, pairs, changed),
        any(token.stem in _ADVICE for token in clause),
        not changed and _was(lows),
        any(token.stem in MOVES for token in clause) or not _NOW.isdisjoint(lows) or ("no", "longer") in pairs,
        markers,
        at,
    )


def is_elsewhen(words: Sequence[Token], most: int) -> bool:
    """Whether a sentence begins with another time than now. `Plan for March: …`, before the move it was …"""
    at = next((at for at, word in enumerate(words[: most + 1]) if word.low == ":"), 0)
    if any(_is_intent(words[:at], each) for each in range(at)):
        return True
    begins = bool(words) and words[0].low in _EARLIER
    return begins and any(word.low in _WERE for word in words) and not any(word.stem in CHANGE for word in words)


def _is_intent(heading: Sequence[Token], at: int) -> bool:
    """Next steps, feature request; not next dentist appointment, nor request timeout."""
    if heading[at].low == "next":
        return len(heading) <= _SHORT_HEADING
    is_noun = at + 1 == len(heading) or not heading[at + 1].low.isalpha() or heading[at + 1].low in FUNCTION
    return heading[at].low in _INTENTS and (is_noun or heading[at].low not in ("request", "requests"))


def _is_marker(lows: Sequence[str], at: int) -> bool:
    if lows[at] == "as":
        return at + 2 < len(lows) and lows[at + 1] in _AS and lows[at + 2] == "as"
    if lows[at] == "once":
        return at == 0 or not (at + 1 < len(lows) and lows[at + 1] in ("a", "per", "every", "each"))
    if lows[at] in ("until", "till"):
        return at > 0
    if lows[at] == "without":
        return at == 0
    return lows[at] in _MARKERS


def _was(lows: Sequence[str]) -> bool:
    """It was, we had, she has worked; not it was moved to, which it still is."""
    pairs = list(pairwise([*lows, ""]))
    if any(a in _WERE and not b.endswith(_PARTICIPLES) and b != "to" for a, b in pairs):
        return True
    is_perfect = any(a in ("has", "have") and b.endswith("ed") for a, b in pairs)
    is_today = not _WERE.isdisjoint(lows) and any(a == "today" or (a, b) in _TODAY for a, b in pairs)
    return is_perfect or is_today


def _is_past(lows: Sequence[str], pairs: set[tuple[str, str]], changed: bool) -> bool:
    """Told of an earlier time that is named. A change in the past has its effect now."""
    if not _PAST.isdisjoint(lows):
        return True
    told = pairs & _PAST_PAIRS
    if told and not (told == {("used", "to")} and lows[max(0, lows.index("used") - 1)] in _USUAL):
        return True
    if changed or _WERE.isdisjoint(lows):
        return False
    begins = lows[0] in _TIMES or lows[0] == "last"
    return begins or any(a in _OLD and b.isalpha() for a, b in pairs)
