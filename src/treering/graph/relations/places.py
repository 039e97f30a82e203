"""Read where things are, what somebody does something with, and what a thing is to another."""

from __future__ import annotations

from treering.graph.entities.lexicon import SURE
from treering.graph.entities.shapes import is_file
from treering.graph.relations.grammar import AUXILIARIES, CONJUNCTIONS, DETERMINERS
from treering.graph.relations.sentence import Link, Sentence, Side

_FAIR, _WEAK = 0.7, 0.6  # confidences
_SETTINGS = frozenset("toml yaml yml ini cfg conf env properties tf tfvars service plist".split())
_FORMATS = frozenset("json xml".split())  # in which settings are kept, and much else
_SET = frozenset("set setting sets with raised changed raise add added put".split())
_SETTING = frozenset("set configured tuned enabled disabled overridden raised".split())
_IN = frozenset(("in", "inside", "under", "within"))
_BY = frozenset(("in", "by", "via", "through", "from"))
_TESTS = frozenset("test tests specs spec".split())
_CONFIG = frozenset("config configuration settings options".split())
_KEPT = _CONFIG | {"tests", "specs"}
_DWELL = frozenset("is are live lives sit sits in :".split())
_NOUNS = frozenset("job function class method module table type hook".split())
_THROUGH = frozenset(("with", "through", "via"))
# "stores sessions in Redis": verbs that a place behind them is used by, and the places' prepositions.
_KEEPS = frozenset(
    """stores keeps caches writes saves persists puts logs sends publishes pushes uploads ships exports deploys
    reads loads fetches pulls queues streams archives""".split()
)
_PLACES = frozenset(("in", "to", "on", "into", "from", "onto"))
_DOERS = frozenset(("file", "project", "tool", "library", "concept"))
_CLAUSE = frozenset((",", ":", ";", "and", "but", "so", "because", "when", "(", ")"))


def places(sentence: Sentence) -> list[Link]:
    """Read "`render` in views.py", "the outbox in billing-api", "the old import in legacy.ts"."""
    items, lows = sentence.items, sentence.lows
    found: list[Link] = []
    for at in range(1, len(items) - 1):
        if lows[at] not in _IN and lows[at] != "of":
            continue
        whole = at + 1
        while whole < len(items) - 1 and lows[whole] in DETERMINERS:
            whole += 1
        if items[whole].spot < 0:
            continue
        part = at - 1 - (lows[at - 1] in _NOUNS)
        if lows[part] in ("import", "imports") and sentence.type(part - 1):
            found += sentence.link(items[whole].spot, "imports", items[part - 1].spot, _FAIR, part, whole)
            continue
        part = part if part < 0 or items[part].spot >= 0 else _pattern_before(sentence, part)
        type = _placed(sentence, part, whole, lows[at]) if part >= 0 else ""
        source, target = (whole, part) if type == "uses" else (part, whole)
        if type:
            found += sentence.link(items[source].spot, type, items[target].spot, _WEAK, at - 1, whole)
    return found


def _pattern_before(sentence: Sentence, at: int) -> int:
    """Find the pattern of "the outbox pattern for all events in billing-api", with no verb between."""
    for place in range(at, max(-1, at - 6), -1):
        if sentence.items[place].spot >= 0:
            return place if sentence.type(place) == "pattern" else -1
        low = sentence.lows[place]
        if low in AUXILIARIES or not low.isalpha() or sentence.predicate(place):
            return -1
    return -1


def _placed(sentence: Sentence, at: int, within: int, word: str) -> str:
    """Return what it is to be in something: used there, set there, or a part of it."""
    part, whole = sentence.type(at), sentence.type(within)
    if part == "pattern":
        return "uses" if whole in ("project", "concept", "file") and word != "of" else ""
    if part not in ("concept", "project", "file"):
        return ""
    if whole != "file":
        return "part_of" if whole == "project" and part == "file" else ""
    extension = _extension(sentence.spots[sentence.items[within].spot].name)
    is_set = part == "project" or (part == "concept" and at and sentence.lows[at - 1] in _SET)
    if is_set and extension in _SETTINGS | _FORMATS:
        return "configured_by"
    if part == "concept" and sentence.spots[sentence.items[at].spot].confidence >= SURE:
        return ""  # a format or a protocol that a file is about
    return "part_of" if extension or part == "file" else ""


def _extension(file: str) -> str:
    return file.rpartition(".")[2].lower() if is_file(file) else ""


def homes(sentence: Sentence) -> list[Link]:
    """Read "the tests for X are in Y", "its config is in Y", "timeouts are in settings.ini"."""
    items, lows = sentence.items, sentence.lows
    found: list[Link] = []
    for at in range(1, len(items) - 1):
        bare = lows[at] in ("in", ":")
        if lows[at] not in _DWELL or not (bare or lows[at + 1] in _IN):
            continue
        file = sentence.name_behind(at + 1 if bare else at + 2, 1)
        if sentence.type(file) != "file":
            continue
        start = at - 1
        while start > 0 and lows[start - 1] not in (",", ":", ";", "and", "but"):
            start -= 1
        if bare and lows[at - 1] not in _KEPT and lows[start] not in _KEPT:
            continue
        type = _dwelling(lows[start:at], lows[at], sentence.spots[items[file].spot].name)
        owner = _owner(sentence, start, at) if type else -1
        if owner >= 0:
            found += sentence.link(owner, type, items[file].spot, _FAIR, at, file)
    return found


def _dwelling(lows: list[str], verb: str, file: str) -> str:
    if not _TESTS.isdisjoint(lows):
        return "tested_by"
    if not _CONFIG.isdisjoint(lows):
        return "configured_by"
    return "configured_by" if _extension(file) in _SETTINGS and verb in ("is", "are") and len(lows) <= 4 else ""


def _owner(sentence: Sentence, start: int, at: int) -> int:
    """Find what the tests or settings are of: named with them, or before."""
    lows = sentence.lows[start:at]
    named = [item.spot for item in sentence.items[start:at] if item.spot >= 0]
    if named and _TESTS.isdisjoint(lows) and _CONFIG.isdisjoint(lows):
        return sentence.whole_phrase(Side((named[0],)), at).spots[0]
    if named:
        return named[0]
    name, _ = sentence.phrase_before(at - 1)
    words = [word for word in name.split() if word not in _TESTS and word not in _CONFIG]
    if words:
        return sentence.coin(" ".join(words), "concept").spots[0]
    earlier = [item.spot for item in sentence.items[:start] if item.spot >= 0] or list(sentence.before.spots)
    return earlier[0] if earlier else -1


def means(sentence: Sentence) -> list[Link]:
    """Read "jwt.go verifies tokens with golang-jwt", "orders stores sessions in Redis" as uses."""
    items, lows = sentence.items, sentence.lows
    found: list[Link] = []
    for at in range(2, len(items) - 1):
        if lows[at] not in _THROUGH and lows[at] not in _PLACES:
            continue
        tool = sentence.name_behind(at + 1, 1)
        if sentence.type(tool) not in ("tool", "library") or not sentence.is_told(at):
            continue
        start = at - 1
        while start > 0 and lows[start - 1] not in _CLAUSE:
            start -= 1
        while start < at and lows[start] in DETERMINERS:
            start += 1
        verb = start + 1
        if verb >= at or sentence.type(start) not in _DOERS:
            continue
        is_means = lows[at] in _THROUGH and verb + 1 < at and lows[verb].endswith("s") and lows[verb] not in AUXILIARIES
        if (is_means and not sentence.predicate(verb)) or (lows[at] in _PLACES and lows[verb] in _KEEPS):
            found += sentence.link(items[start].spot, "uses", items[tool].spot, _WEAK, verb, tool)
    return found


def settings(sentence: Sentence) -> list[Link]:
    """Read "X is set to 5 in app.toml", "configured per plan in limits.yml", "asdf reads .tool-versions"."""
    items, lows = sentence.items, sentence.lows
    at = next((place for place, low in enumerate(lows) if low in _SETTING or low == "reads"), -1)
    if at < 0 or (at and lows[at - 1] in DETERMINERS) or not sentence.is_told(at):
        return []
    if lows[at] == "reads":
        file = sentence.name_behind(at + 1, 1)
        is_setting = sentence.type(file) == "file" and (
            _extension(sentence.spots[items[file].spot].name) in _SETTINGS
            or sentence.spots[items[file].spot].name[0] == "."
        )
        source = next((place for place in range(at - 1, max(-1, at - 4), -1) if items[place].spot >= 0), -1)
        if is_setting and sentence.type(source) in ("tool", "library", "project"):
            return sentence.link(items[source].spot, "configured_by", items[file].spot, _FAIR, at, file)
        return []
    by = next((place for place in range(at + 2, min(len(items), at + 5)) if lows[place] in _BY), -1)
    file = sentence.name_behind(by + 1, 1) if by > 0 else -1
    if sentence.type(file) != "file" or not CONJUNCTIONS.isdisjoint(lows[at:by]):
        return []
    before = [place for place in range(at) if sentence.type(place) not in ("", "error", "person")]
    within = [place for place in range(at + 1, by) if sentence.type(place) in ("concept", "project", "tool", "library")]
    if within:
        return sentence.link(items[within[0]].spot, "configured_by", items[file].spot, _FAIR, at, file)
    sources = [items[before[-1]].spot] if before else list(sentence.before.spots) if lows[0] == "configured" else []
    return sentence.link(sources[0], "configured_by", items[file].spot, _WEAK, at, file) if sources else []


_ROLE, _GUESS = 0.7, 0.5  # confidences: of two names, with a noun phrase for one of them
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
    """Tell whether a role noun begins at a place, with the name of what it belongs to behind it."""
    noun = _noun(sentence, at)
    return noun >= 0 and sentence.name_behind(noun + 2, 1) >= 0


def roles(sentence: Sentence) -> list[Link]:
    """Read "`shipit` is a thin wrapper around Conveyor"; the subject may be a noun phrase."""
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
    sure = _ROLE if items[at - 1].spot >= 0 else _GUESS
    if lows[noun] in _NAMES and not _FORMER.isdisjoint(lows[at:noun]):
        found = sentence.link(items[target].spot, "replaces", source, sure, at, target)
    else:
        found = sentence.link(source, _ROLES[lows[noun]], items[target].spot, sure, at, target)
    sentence.loose = False
    return found


def _noun(sentence: Sentence, at: int) -> int:
    """Return the place of the noun between article and preposition; -1 if there is none."""
    lows = sentence.lows
    start = at
    while start < len(lows) and lows[start] in DETERMINERS:
        start += 1
    for place in range(start, min(len(lows) - 2, start + _MOST_ADJECTIVES + 1)):
        if lows[place] in _ROLES:
            return place if lows[place + 1] in _AROUND else -1
    return -1
