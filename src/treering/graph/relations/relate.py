"""Read what a text says of the things that it names: who uses what, what broke or replaced it.

Words decide: a predicate from the table, the name before it as subject, the names behind it as
objects. What is asked, wished, only possible or without a name is not told. A doubt is silence.
Some relations need no known verb or name: who speaks, and what something is done by.
"""

from __future__ import annotations

from collections.abc import Sequence

from treering.graph.entities.cues import Spot
from treering.graph.entities.lexicon import GUESSED, LIKELY, SURE
from treering.graph.entities.shapes import SIGN, WORD, Token, is_ticket
from treering.graph.relations.grammar import BREAKS, DENIALS, DETERMINERS, MODALS, PREPOSITIONS, sentences
from treering.graph.relations.places import is_role, means
from treering.graph.relations.predicates import Predicate, predicates
from treering.graph.relations.sentence import NOBODY, Link, Sentence, Side
from treering.graph.relations.turns import turns
from treering.stores.port.graph import DENIED, ENDED, TOLD

_MOST_RELATIONS = 64  # of one text
_CERTAIN = 1.4  # the sum of two confidences from which the names take nothing from a relation
_GAPPED, _GERUND = 0.85, 0.8  # how sure a verb is that is said once for two, a subject that something is done with
_ONLY_PEOPLE = frozenset(
    """owns own owned maintains maintain wrote rewrote ported authored introduced built added reviewed designed
    created refactored documented took takes set looks look""".split()
)
# What a thing can be: the heads of kinds, so that "is a great choice" and "is a mess" are none.
_KINDS = frozenset(
    """adapter algorithm alias allocator balancer broker bundler cache class client cluster column compiler
    component container controller converter crawler cronjob daemon database debugger decorator dependency dialect
    driver emulator engine enum extension facade filesystem fixture fork format formatter framework function gateway
    generator hook image index indexer interface interpreter iterator job language library linter macro manager
    method microservice middleware migration mixin mock model module monorepo operator orchestrator orm package
    parser pipeline platform plugin polyfill pooler profiler protocol proxy queue registry resolver router runtime
    sandbox scanner scheduler script serializer server service shim sidecar singleton standard store struct stub
    subclass submodule table template tool toolkit trait transpiler validator view worker workflow wrapper""".split()
)
_PRAISE = frozenset("great good nice popular perfect excellent convenient solid best better bad fine proper".split())
# Verbs, with a minus if they are turned round, that make a thing of the noun phrase behind them, before them.
_COINS_BEHIND = frozenset("is_a causes -causes contradicts part_of depends_on -configured_by -tested_by fixes".split())
_COINS_BEFORE = frozenset(
    "uses part_of configured_by tested_by contradicts causes -causes depends_on imports -fixes replaces".split()
)
# The same before a verb, where one guessed name is enough: who owns, fixes or fights a thing must be known for sure.
_LOOSELY_BEFORE = (_COINS_BEFORE | {"-replaces", "-part_of"}) - {"contradicts", "-fixes"}
_LEAST = 0.4  # how sure a relation must be: below it, who does what to whom is mere neighbourhood
_LOOSE = 0.5  # how sure such a relation is
_PLAIN = 0.75  # how sure a verb must be for it: people call, and are called
_LONGEST_NOTE = 80  # tokens: a note is short and states things; in an essay every other word has a capital


def links(tokens: Sequence[Token], spots: list[Spot]) -> list[Link]:
    """Return the relations that a text tells, in its order. What it coins is added to the spots."""
    found: list[Link] = []
    topic = NOBODY
    fault = -1
    if all(spot.type == "person" for spot in spots):
        return found
    is_note = len(tokens) <= _LONGEST_NOTE
    for items, sign in sentences(tokens, spots, speaker(tokens, spots)):
        if not any(item.spot >= 0 for item in items):
            continue
        sentence = Sentence(items, spots, topic, fault)
        if sign != "?" and len(items) > 1:
            made = _verbs(sentence) + turns(sentence)
            found += made or (_loosely(sentence) if is_note else [])
        topic = sentence.topic if sentence.topic.spots else topic
        fault = next((one.spot for one in reversed(items) if one.spot >= 0 and spots[one.spot].type == "error"), fault)
        if len(found) >= _MOST_RELATIONS:
            break
    return found[:_MOST_RELATIONS]


def _loosely(sentence: Sentence) -> list[Link]:
    """Read a sentence that tells nothing surely: a verb, with one name that is only guessed."""
    guessed = any(one.spot >= 0 and sentence.spots[one.spot].confidence < LIKELY for one in sentence.items)
    if not guessed and LOOSE.isdisjoint(sentence.lows):
        return []
    sentence.loose = True
    sentence.last = NOBODY
    return [link._replace(confidence=_LOOSE) for link in _verbs(sentence) + means(sentence)]


def _verbs(sentence: Sentence) -> list[Link]:
    found: list[Link] = []
    table = predicates()
    if not sentence.loose and table.keys().isdisjoint(sentence.lows):
        return found
    end = 0
    for at, low in enumerate(sentence.lows):
        if at < end or not low:
            continue
        one = sentence.predicate(at) if low in table else None
        if sentence.loose:
            one = one if one and one.confidence >= _PLAIN else passive(sentence, at)
        if one is None:
            continue
        end = at + len(one.words)
        is_noun = len(one.words) == 1 and at and sentence.lows[at - 1] in DETERMINERS  # "the use of"
        found += [] if is_noun else _links_at(sentence, at, one)
    return found


def _links_at(sentence: Sentence, at: int, one: Predicate) -> list[Link]:
    end = at + len(one.words)
    passed: list[str] = []
    sources = sentence.subjects(at, passed, one)
    targets = sentence.objects(end, one)
    if not sources.spots and one.type == "fixes" and not one.back:
        sources = _doing(sentence, at)
    if one.type == "is_a" and sources.spots and targets.spots:
        targets = _kind(sentence, targets)
    if bool(sources.spots) != bool(targets.spots):
        sources, targets = _coined(sentence, at, end, one, sources, targets)
    if one.type == "causes" and sources.spots and targets.spots:
        _fault(sentence, sources.spots[0] if one.back else targets.spots[0])
    if sources.spots and one.type != "is_a":
        sentence.last = sources
    if not sources.spots or not targets.spots or _is_modal(sentence, at, passed):
        return []
    if len(sources.spots) == 1 and (one.type == "part_of" or _is_trade(sentence, at, sources)):
        sources = sentence.whole_phrase(sources, at)
    how = ENDED if one.ends or "longer" in passed else DENIED if not DENIALS.isdisjoint(passed) else TOLD
    sure = sources.sure * targets.sure
    made = [
        link
        for source in sources.spots
        for target in targets.spots
        if (link := _link(sentence, one, source, target, sure, how, at, end))
    ]
    return made + _gapped(sentence, targets.spots[-1], one, how)


def _fault(sentence: Sentence, spot: int) -> None:
    """Take a number that something causes as the number of a fault: "LK-409 is caused by"."""
    if is_ticket(sentence.spots[spot].name) and sentence.spots[spot].type == "concept":
        sentence.spots[spot] = sentence.spots[spot]._replace(type="error")


def _is_trade(sentence: Sentence, at: int, sources: Side) -> bool:
    """Tell whether a name only qualifies a noun: "the CSV importer uses"."""
    place = sentence.before_verb(at, [])
    spot = sentence.spots[sources.spots[0]]
    is_standard = spot.type == "concept" and spot.confidence >= SURE
    return is_standard and place >= 0 and sentence.lows[place].endswith(("er", "or"))


def _kind(sentence: Sentence, targets: Side) -> Side:
    """Coin "Rust library" of "is a Rust library", where the name only says what kind it is."""
    at = next((place for place, item in enumerate(sentence.items) if item.spot == targets.spots[0]), -1)
    noun = sentence.lows[at + 1] if 0 <= at < len(sentence.lows) - 1 else ""
    if noun not in _KINDS:
        return targets
    return sentence.coin(f"{sentence.spots[targets.spots[0]].name} {noun}", "concept")


def _doing(sentence: Sentence, at: int) -> Side:
    """Find what something is done with: "Pinning sharp to 0.32 fixed it"."""
    start = at
    while start > 0 and sentence.lows[start - 1] not in BREAKS:
        start -= 1
    if not sentence.lows[start].endswith("ing"):
        return NOBODY
    return Side(tuple([item.spot for item in sentence.items[start:at] if item.spot >= 0][:1]), _GERUND)


def _gapped(sentence: Sentence, last: int, one: Predicate, how: str) -> list[Link]:
    """Read a verb that is said once: "A is configured in X, B in Y"."""
    at = next((place for place, item in enumerate(sentence.items) if item.spot == last), len(sentence.items))
    items = sentence.items[at + 1 : at + 5]
    if len(items) < 4 or one.words[-1] not in PREPOSITIONS or items[0].low not in (",", "and"):
        return []
    if items[1].spot < 0 or items[2].low != one.words[-1] or items[3].spot < 0:
        return []
    link = _link(sentence, one, items[1].spot, items[3].spot, _GAPPED, how, at + 3, at + 4)
    return [link] if link else []


def _coined(sentence: Sentence, at: int, end: int, one: Predicate, sources: Side, targets: Side) -> tuple[Side, Side]:
    """Coin a plain noun phrase where a name is missing, if the verb makes a thing of it."""
    given = sentence.spots[(sources.spots or targets.spots)[0]]
    if given.confidence < (GUESSED if sentence.loose else LIKELY) or given.type == "person":
        return sources, targets
    mark = f"-{one.type}" if one.back else one.type
    type = "error" if one.type in ("causes", "fixes") and one.back != bool(sources.spots) else "concept"
    if sources.spots and mark in _COINS_BEHIND:
        owner = sentence.owner_behind(end) if one.type != "is_a" else NOBODY
        if owner.spots:
            return sources, owner
        name, exact = sentence.phrase_behind(end)
        is_kind = one.type != "is_a" or (sources.sure >= _GERUND and _is_kind(name) and not is_role(sentence, end))
        if name and is_kind and (exact or one.type != "depends_on"):
            targets = sentence.coin(name, type)
    elif targets.spots and mark in (_LOOSELY_BEFORE if sentence.loose else _COINS_BEFORE):
        place = sentence.before_verb(at, [])
        is_headed = sentence.loose and place > 1 and sentence.lows[place] == ":"  # "Price calendar: reads from Lodge"
        name, exact = sentence.phrase_before(place - is_headed)
        is_order = not one.finite and " " not in name  # "avoid using"
        if name and not is_order and (exact or (one.type not in ("uses", "depends_on") and not sentence.loose)):
            sources = sentence.coin(name, type)
    return sources, targets


def _is_kind(name: str) -> bool:
    first, _, last = name.rpartition(" ")
    return last in _KINDS and _PRAISE.isdisjoint(first.split())


def _is_modal(sentence: Sentence, at: int, passed: Sequence[str]) -> bool:
    """Tell whether it is wished, asked, feared or only possible; what will be is told."""
    if not MODALS.isdisjoint(passed):
        return True
    for low in reversed(sentence.lows[:at]):
        if low in (",", ";", ":", "(", "but"):
            return False
        if low in MODALS and low not in ("can", "must"):
            return True
    return False


def _link(
    sentence: Sentence, one: Predicate, source: int, target: int, sure: float, how: str, at: int, end: int
) -> Link | None:
    mine, theirs = sentence.spots[source], sentence.spots[target]
    if not sentence.are_two(source, target) or not _fits(one, mine, theirs):
        return None
    if one.back:
        source, target = target, source
    confidence = round(one.confidence * sure * min(1.0, (mine.confidence + theirs.confidence) / _CERTAIN), 2)
    if confidence < _LEAST and not sentence.loose:
        return None
    start, last = sentence.items[at].start, sentence.items[end - 1].end
    return Link(source, one.type, target, confidence, start, last, how)


def _fits(one: Predicate, mine: Spot, theirs: Spot) -> bool:
    """Tell whether two types can stand in a relation."""
    source, target = (theirs.type, mine.type) if one.back else (mine.type, theirs.type)
    types = {source, target}
    if not types.isdisjoint(("decision", "convention")):
        return one.type in ("replaces", "contradicts", "related_to", "depends_on", "is_a")
    if one.type == "causes":
        return target == "error" and source != "person"
    if one.type == "fixes":
        return target != "person" and source not in ("error", "person")
    if one.type == "is_a" and one.words[-1] in ("a", "an") and theirs.confidence <= GUESSED and theirs.first >= 0:
        return False  # "is a Labrador", "is a crowd-pleaser"
    if one.type == "is_a":
        return source not in ("person", "error") or target == "error"
    if one.type == "contradicts":
        return not (one.words[0] in ("breaks", "broke") and target == "error") and "person" not in types
    if one.type == "related_to":
        return ("person" in types) if one.words[0] in _ONLY_PEOPLE else "error" not in types
    if one.type == "tested_by" and one.back:
        return "test" in mine.name.lower() or "spec" in mine.name.lower()
    if one.confidence < _PLAIN and one.words[-1] == "by" and theirs.type == "concept":
        return False  # "allowed by a regex"
    if one.words[0] == "is" and one.words[-1] in ("in", "under", "inside"):
        return source == "file" and target in ("file", "project")
    return types.isdisjoint(("error", "person"))


_MOST_NAMES = 3  # words of the name of somebody who speaks
_PASSIVE = 0.7  # how sure it is that what is done by a thing uses it
_BEING = frozenset("is are was were be been being get gets got".split())
_BY = frozenset(("by", "through", "via"))
LOOSE = _BY | {":"}  # without one of these, or a guess, there is nothing to be read loosely
_IRREGULAR = frozenset(
    """sent made built run kept held written read shown drawn driven fed set put given taken done led sold paid bought
    brought caught found got seen known grown thrown spun cut split met told taught""".split()
)


def passive(sentence: Sentence, at: int) -> Predicate | None:
    """Read any participle: "the charts are drawn by Kelp"."""
    lows = sentence.lows
    if not 0 < at < len(lows) - 2 or lows[at - 1] not in _BEING or lows[at + 1] not in _BY:
        return None
    is_participle = lows[at].endswith("ed") or lows[at] in _IRREGULAR
    return Predicate((lows[at], lows[at + 1]), "uses", False, _PASSIVE) if is_participle else None


def speaker(found: Sequence[Token], spots: Sequence[Spot]) -> int:
    """Return the token behind a leading name and colon: who speaks is not spoken of. 0 for none."""
    for at, token in enumerate(found[: _MOST_NAMES + 1]):
        if token.kind == SIGN and token.low == ":":
            is_person = spots[0].first == 0 and spots[0].type == "person" and spots[0].last <= at
            return at + 1 if is_person or (at > 1 and spots[0].first > at) else 0
        if token.kind != WORD or not token.text[0].isupper():
            return 0
    return 0
