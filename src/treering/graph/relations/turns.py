"""Read phrases that tell a relation without a verb between two names: from X to Y."""

from __future__ import annotations

from treering.graph.relations.grammar import BREAKS, CONJUNCTIONS, DETERMINERS
from treering.graph.relations.places import CUES, homes, means, places, roles, settings
from treering.graph.relations.sentence import Link, Sentence

SURE, FAIR, WEAK = 0.85, 0.7, 0.6  # confidences
_MOVES = frozenset(
    """migrated migrate migrating migration moved move moving switched switch switching ported port porting went going
    converted convert changed transitioned transition swapped""".split()
)
_ARROWS = frozenset(("\u2192", "->", "=>"))
_PRODUCTS = frozenset(("tool", "library", "concept", "pattern", "project", "convention", "file"))
# "replaced X with Y", "swapped X for Y", and what stands between the old and the new.
_SWAPS = dict.fromkeys("replace replaced replacing replaces".split(), frozenset(("with", "by")))
_SWAPS |= dict.fromkeys("swap swapped swapping traded exchanged".split(), frozenset(("for", "with")))
_SWAPS |= dict.fromkeys("dropped ditched abandoned".split(), frozenset(("for", "favour", "favor")))
_SWAPS |= dict.fromkeys(("renamed",), frozenset(("to", "into")))
_DEAD = frozenset("deprecated gone removed dead obsolete legacy retired".split())
_TAKING = frozenset("use prefer".split())
_CLASHES = frozenset("clash conflict disagree collide disagreed clashed conflicted".split())
_REASONS = frozenset("reason cause culprit trigger".split())
_FIXES = frozenset("fix workaround solution remedy".split())
_ASKED = frozenset("ask asked ping talk contact spoke".split())


def turns(sentence: Sentence) -> list[Link]:
    lows = set(sentence.lows)
    return [link for cues, turn in _TURNS if not lows.isdisjoint(cues) for link in turn(sentence)]


def _moves(sentence: Sentence) -> list[Link]:
    """Read "moved from X to Y"."""
    items, lows = sentence.items, sentence.lows
    found: list[Link] = []
    for at, low in enumerate(lows):
        if low != "from" or _MOVES.isdisjoint(lows[max(0, at - 5) : at]) or not sentence.is_told(at):
            continue
        to = next((place for place in range(at + 1, min(len(items), at + 7)) if lows[place] in ("to", "onto")), -1)
        if to > 0:
            found += _replaced(sentence, (at + 1, to), to + 1)
    return found


def _replaced(sentence: Sentence, old: tuple[int, int], behind: int) -> list[Link]:
    """Link what stands behind a place as replacing what stands between two others; one may be words."""
    place = sentence.name_behind(old[0])
    place = place if place < old[1] else -1
    new = sentence.name_behind(behind)
    if {sentence.type(one) for one in (place, new) if one >= 0} - _PRODUCTS:
        return []
    ends = [sentence.items[one].spot if one >= 0 else -1 for one in (place, new)]
    if max(ends) < 0:
        return []
    plain = min(ends) < 0
    between = sentence.lows[old[0] : max(place, old[0])] + sentence.lows[behind : max(new, behind)]
    is_advice = sentence.lows[old[0] - 1].endswith("ing")
    if plain and (is_advice or not DETERMINERS.issuperset(between)):
        return []  # "from weekly to monthly Docker updates"
    if place < 0:
        name = sentence.phrase_between(*old)
        ends[0] = sentence.coin(name, "tool").spots[0] if name else -1
    if new < 0:
        name, _ = sentence.phrase_behind(behind)
        ends[1] = sentence.coin(name, "tool").spots[0] if name and " " not in name else -1
    if min(ends) < 0:
        return []
    return sentence.link(ends[1], "replaces", ends[0], WEAK if plain else SURE, old[0] - 1, max(new, behind))


def _arrows(sentence: Sentence) -> list[Link]:
    """Read "X → Y": of two products the second replaced the first, unless the talk is of an error."""
    items = sentence.items
    found: list[Link] = []
    if any(sentence.type(place) == "error" for place in range(len(items))):
        return found
    for at, low in enumerate(sentence.lows):
        types = (sentence.type(at - 1), sentence.type(at + 1))
        if low in _ARROWS and types[0] in ("tool", "library") and types[1] in ("tool", "library"):
            found += sentence.link(items[at + 1].spot, "replaces", items[at - 1].spot, FAIR, at - 1, at + 1)
    return found


def _swaps(sentence: Sentence) -> list[Link]:
    """Read "replaced X with Y", "swapped X for Y", "dropped X in favour of Y"."""
    items, lows = sentence.items, sentence.lows
    found: list[Link] = []
    for at, low in enumerate(lows):
        if low not in _SWAPS or not sentence.is_told(at):
            continue
        near = range(at + 2, min(len(items), at + 8))
        between = next((place for place in near if lows[place] in _SWAPS[low]), -1)
        if between > 0:
            behind = between + 1 + (lows[between + 1 : between + 2] == ["of"])
            found += _replaced(sentence, (at + 1, between), behind)
    return found


def _successors(sentence: Sentence) -> list[Link]:
    """Read "X is deprecated, use Y"; "`--rps` is `--rate` now"."""
    items, lows = sentence.items, sentence.lows
    found: list[Link] = []
    for at in range(1, len(items) - 2):
        if lows[at] not in ("is", "are") or items[at - 1].spot < 0:
            continue
        old = items[at - 1].spot
        if lows[at + 2] == "now" and sentence.type(at + 1) == sentence.type(at - 1):
            found += sentence.link(items[at + 1].spot, "replaces", old, FAIR, at, at + 2)
        if lows[at + 1] in _DEAD and lows[at + 2] in BREAKS and lows[at + 3 : at + 4] and lows[at + 3] in _TAKING:
            new = sentence.name_behind(at + 4)
            if new >= 0:
                found += sentence.link(items[new].spot, "replaces", old, FAIR, at, new)
    return found


def _clashes(sentence: Sentence) -> list[Link]:
    """Read "A and B clash"."""
    items, lows = sentence.items, sentence.lows
    at = next((place for place, low in enumerate(lows) if low in _CLASHES), 0)
    if at < 3 or not sentence.is_told(at) or lows[at + 1 : at + 2] == ["with"]:
        return []
    named = [item.spot for item in items[max(0, at - 6) : at] if item.spot >= 0][-2:]
    if len(named) < 2 or "and" not in lows[:at] or {sentence.spots[one].type for one in named} & {"person", "error"}:
        return []
    return sentence.link(named[0], "contradicts", named[1], FAIR, at, at)


def _reasons(sentence: Sentence) -> list[Link]:
    """Read "the reason for E was X", "root cause of E is X", "root cause: X"."""
    items, lows = sentence.items, sentence.lows
    at = next(place for place, low in enumerate(lows) if low in _REASONS)
    verb = next((place for place in range(at + 1, len(items)) if lows[place] in ("is", "was", ":", "were")), -1)
    if verb < 0 or lows[verb + 1 : verb + 2] == ["not"] or not sentence.is_told(at):
        return []
    faults = [items[place].spot for place in range(at, verb) if sentence.type(place) == "error"]
    fault = faults[0] if faults else sentence.fault if verb <= at + 1 else -1
    cause = sentence.name_behind(verb + 1)
    if fault < 0 or cause < 0 or sentence.type(cause) in ("error", "person"):
        return []
    return sentence.link(items[cause].spot, "causes", fault, FAIR, at, cause)


def _because(sentence: Sentence) -> list[Link]:
    """Read "E because X …"; "rolled back X because of E"."""
    items, lows = sentence.items, sentence.lows
    at = lows.index("because")
    of = lows[at + 1 : at + 2] == ["of"]
    behind = sentence.name_behind(at + 1 + of, 2)
    named = [place for place in range(at) if items[place].spot >= 0]
    if behind < 0 or not named or not sentence.is_told(at):
        return []
    faults = [place for place in named if sentence.type(place) == "error"]
    if faults and not of and sentence.type(behind) not in ("error", "person"):
        return sentence.link(items[behind].spot, "causes", items[faults[-1]].spot, WEAK, at, behind)
    if of and not faults and sentence.type(behind) == "error" and sentence.type(named[0]) in ("tool", "library"):
        return sentence.link(items[named[0]].spot, "causes", items[behind].spot, WEAK, at, behind)
    return []


def _remedies(sentence: Sentence) -> list[Link]:
    """Read "X is the fix", "the workaround is X", "fix: X", for the fault that was named last."""
    items, lows = sentence.items, sentence.lows
    at = next(place for place, low in enumerate(lows) if low in _FIXES)
    faults = [items[place].spot for place in range(len(items)) if sentence.type(place) == "error"]
    fault = faults[0] if faults else sentence.fault
    if fault < 0 or not sentence.is_told(at):
        return []
    remedy = -1
    if lows[max(0, at - 2) : at] in (["is", "the"], ["was", "the"], ["is", "a"]):
        remedy = next((place for place in range(at) if items[place].spot >= 0), -1)
    elif lows[at + 1 : at + 2] and lows[at + 1] in (":", "is", "was"):
        remedy = sentence.name_behind(at + 2, 4)
    if remedy < 0 or sentence.type(remedy) in ("error", "person"):
        return []
    return sentence.link(items[remedy].spot, "fixes", fault, FAIR, at, at)


def _asking(sentence: Sentence) -> list[Link]:
    """Read "ask Ravi about X", "questions about X go to Pavel"."""
    items, lows = sentence.items, sentence.lows
    at = lows.index("about")
    thing = at + 1
    while thing < len(items) and lows[thing] in DETERMINERS:
        thing += 1
    if sentence.type(thing) in ("", "person", "error"):
        return []
    person = at - 1 if sentence.type(at - 1) == "person" and not _ASKED.isdisjoint(lows[:at]) else -1
    if person < 0 and lows[thing + 1 : thing + 3] in (["go", "to"], ["goes", "to"]):
        person = thing + 3 if sentence.type(thing + 3) == "person" else -1
    if person < 0 or not CONJUNCTIONS.isdisjoint(lows[min(at, person) : max(at, person)]):
        return []
    return sentence.link(items[person].spot, "related_to", items[thing].spot, FAIR, min(at, person), max(thing, person))


def _apposed(sentence: Sentence) -> list[Link]:
    """Read what a thing is, behind its name: "LegacyFacade, a facade"."""
    found: list[Link] = []
    for at in range(1, len(sentence.items) - 2):
        if sentence.lows[at] != "," or sentence.lows[at + 1] not in ("a", "an"):
            continue
        kind = sentence.name_behind(at + 2, 1)
        if sentence.type(at - 1) in ("concept", "tool", "library", "project") and sentence.type(kind) == "pattern":
            found += sentence.link(sentence.items[at - 1].spot, "is_a", sentence.items[kind].spot, FAIR, at + 1, kind)
    return found


_TURNS = (
    (frozenset(("a", "an")), _apposed),
    (frozenset(("from",)), _moves),
    (_ARROWS, _arrows),
    (frozenset(_SWAPS), _swaps),
    (frozenset(("is", "are")), _successors),
    (CUES, roles),
    (_CLASHES, _clashes),
    (_REASONS, _reasons),
    (frozenset(("because",)), _because),
    (_FIXES, _remedies),
    (frozenset(("about",)), _asking),
    (frozenset(("in", "inside", "under", "within", "of")), places),
    (frozenset(("with", "through", "via", "in", "to", "on", "into", "from")), means),
    (frozenset("test tests specs spec config configuration settings options is are".split()), homes),
    (frozenset("set configured tuned enabled disabled overridden raised reads".split()), settings),
)
