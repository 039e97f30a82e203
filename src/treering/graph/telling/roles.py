"""What a thing is to another: the wrapper around it, a build of it, its former name."""

from __future__ import annotations

from treering.graph.telling.grammar import DETERMINERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.graph.telling.sentence import Link, Sentence

_FAIR, _GUESS = 0.7, 0.5  # confidences: of two names, with a noun phrase for one of them
_MOST_ADJECTIVES = 2  # between the article and the noun
_IS = frozenset(("is", "are", "was", "were"))
_AROUND = frozenset("around over of for to on above".split())
_ROLES = dict.fromkeys("wrapper wrappers shim layer facade frontend skin client interface ui".split(), "uses")
_ROLES |= dict.fromkeys("name alias nickname codename synonym abbreviation".split(), "is_a")
_ROLES |= dict.fromkeys("build clone copy variant flavour flavor port edition instance mirror".split(), "is_a")
_ROLES |= dict.fromkeys("successor replacement".split(), "replaces")
_NAMES = frozenset("name alias nickname codename".split())
_FORMER = frozenset("former old previous earlier original".split())
CUES = frozenset(_ROLES)


def is_role(sentence: Sentence, at: int) -> bool:
    """Whether what begins at a place is such a noun, with the name of what it is one of behind it."""
    noun = _noun(sentence, at)
    return noun >= 0 and sentence.name_behind(noun + 2, 1) >= 0


def roles(sentence: Sentence) -> list[Link]:
    """ "`shipit` is a thin wrapper around Conveyor": what stands before the verb may be a noun phrase."""
    items, lows = sentence.items, sentence.lows
    at = next((place for place in range(1, len(items) - 4) if lows[place] in _IS), -1)
    noun = _noun(sentence, at + 1) if at > 0 else -1
    target = sentence.name_behind(noun + 2, 1) if noun > 0 else -1
    if target < 0 or not sentence.is_told(at) or sentence.type(target) == "person":
        return []
    source = items[at - 1].spot
    if source < 0:
        name, exact = sentence.phrase_before(at - 1)
        source = sentence.coin(name, "concept").spots[0] if name and exact else -1
    if source < 0 or sentence.spots[source].type in ("person", "error"):
        return []
    sentence.loose = True
    sure = _FAIR if items[at - 1].spot >= 0 else _GUESS
    if lows[noun] in _NAMES and not _FORMER.isdisjoint(lows[at:noun]):
        found = sentence.link(items[target].spot, "replaces", source, sure, at, target)
    else:
        found = sentence.link(source, _ROLES[lows[noun]], items[target].spot, sure, at, target)
    sentence.loose = False
    return found


def _noun(sentence: Sentence, at: int) -> int:
    """The place of the noun, behind an article and a few adjectives, before a preposition; -1 if there is none."""
    lows = sentence.lows
    start = at
    while start < len(lows) and lows[start] in DETERMINERS:
        start += 1
    for place in range(start, min(len(lows) - 2, start + _MOST_ADJECTIVES + 1)):
        if lows[place] in _ROLES:
            return place if lows[place + 1] in _AROUND else -1
    return -1
