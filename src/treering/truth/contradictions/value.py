"""Find another value in the same place: a choice, a name, a location."""

from __future__ import annotations

from treering.truth.contradictions.read.lexicon import (
    ALIKE,
    ATTRIBUTES,
    CHANGE,
    GIVING,
    HOLD,
    LIKING,
    MANY,
    NOUNS,
    PLACE,
    SEVERAL,
    TOLD_ONE_BY_ONE,
    USE,
    VERBS,
)
from treering.truth.contradictions.read.statement import Statement
from treering.truth.contradictions.read.tokens import stem
from treering.truth.contradictions.sides import PLACES, Sides, Span, is_qualified, is_same_name, may_nest

Found = tuple[str, tuple[int, int], tuple[int, int]]

_PREFER, _USED, _WORK = stem("prefer"), stem("use"), stem("work")
_TOWARDS = frozenset("to by with".split())
_OF_PARTICIPLES = ("ed", "tten", "ken", "sen", "wn", "run", "pt", "lt", "ld", "cut", "set", "put", "rn")
_OF_ADJECTIVES = ("ed", "ing", "able", "ible", "ful", "less", "ous", "ive", "al", "ly")
_ATTRIBUTE = frozenset("of for that where".split())


def other_value(found: Sides) -> Found | None:
    """Return the conflict if all but one span of each is the same, and only one value can hold."""
    for spans in (_aligned(found.one, found.other), _apart(found)):
        if spans is None:
            continue
        ours, their = spans
        if ours.is_numbered or their.is_numbered:
            continue  # they tell things apart
        if ours.stems <= their.stems or their.stems <= ours.stems:
            continue  # one is more exact
        if not (ours.is_single and their.is_single) or _is_same(ours.text, their.text) or ours.joints & their.joints:
            continue
        if _amounts_before(ours) != _amounts_before(their):
            continue
        if (is_same_name(ours) and is_same_name(their)) or is_qualified(ours, their) or is_qualified(their, ours):
            continue
        kind = _kind(ours, their)
        if kind:
            return kind, ours.place, their.place
    return None


def _amounts_before(span: Span) -> set[tuple[float | str | None, ...]]:
    """Return the numbers in the subject: Windows 95 is not Windows 98."""
    return {amount.value for amount in span.said.amounts if amount.first < span.inside[0].at}


def _aligned(one: Statement, other: Statement) -> tuple[Span, Span] | None:
    """Return the words between the common beginning and the common end of the two."""
    mine, theirs = [word.stem for word in one.words], [word.stem for word in other.words]
    shorter = min(len(mine), len(theirs))
    before = next((at for at in range(shorter) if mine[at] != theirs[at]), shorter)
    rest = shorter - before
    behind = next((at for at in range(rest) if mine[-1 - at] != theirs[-1 - at]), rest)
    while 0 < before < shorter and _is_one_name(one, before) and _is_one_name(other, before):
        before -= 1
    if before + behind >= shorter or before + behind < 1:
        return None
    ours, their = Span(one, before, len(mine) - behind), Span(other, before, len(theirs) - behind)
    common = {word.stem for word in ours.inside if not word.name} & {word.stem for word in their.inside}
    return None if common else (ours, their)


def _is_one_name(said: Statement, at: int) -> bool:
    """Tell whether a word continues the name before it: United Kingdom, Church of Scotland."""
    return said.words[at - 1].name and said.words[at].intro in ((), ("of",)) and said.words[at].name


def _apart(found: Sides) -> tuple[Span, Span] | None:
    """Return the words that only one has, if they stand together in each; the order of the others is free."""
    spans = []
    for said, extra in ((found.one, found.mine), (found.other, found.theirs)):
        places = [at for at, word in enumerate(said.words) if word.stem in extra]
        if not places:
            return None
        places = _after_verb(said, places)
        inside = said.words[places[0] : places[-1] + 1]
        if not all(word.weak or word.stem in extra for word in inside):
            return None
        spans.append(Span(said, _phrase(said, places[0]), places[-1] + 1))
    return spans[0], spans[1]


def _after_verb(said: Statement, places: list[int]) -> list[int]:
    """Return places without a verb at their front: shipped to Loki, goes to Elasticsearch."""
    first = said.words[places[0]]
    if len(places) < 2 or places[1] != places[0] + 1 or not said.tokens[first.at].low.endswith(_OF_PARTICIPLES):
        return places
    return places[1:] if "is" in first.intro and said.words[places[1]].intro else places


def _phrase(said: Statement, at: int) -> int:
    """Return where the phrase that ends with a word begins: "with a merge commit" at merge."""
    begins = at > 1 and not said.words[at].intro and bool(said.words[at - 1].intro)
    return at - 1 if begins and not said.tokens[said.words[at - 1].at].low.endswith("ing") else at


def _is_same(one: str, other: str) -> bool:
    """Tell whether one is short for the other or inside it: postgres and postgresql, tests/ and tests/slow."""
    return one.startswith(other) or other.startswith(one) or one.endswith(other) or other.endswith(one)


def _kind(one: Span, other: Span) -> str:
    if one.first == 0 or other.first == 0:
        return "name" if all(_is_held(span) or _is_holder(span) for span in (one, other)) else ""
    if not _has_subject(one, other):
        return ""
    groups = {one.group, other.group}
    if groups == {"object"}:
        return "choice" if _is_chosen(one, other) else ""
    if groups == {"of"}:
        return "name" if _is_of_one(one) and _is_of_one(other) else ""
    if groups == {"is"}:
        subject = {word.stem for word in one.said.words[: one.first] if not word.name}
        is_several = (one.before.stem in SEVERAL and not one.before.name) or bool(subject & TOLD_ONE_BY_ONE)
        return (
            "name"
            if not is_several and _are_named(one, other) and _is_what_it_is(one) and _is_what_it_is(other)
            else ""
        )
    if groups & {"of", "other", "object"} or not (_is_there(one) and _is_there(other)):
        return ""
    if not _is_done_alike(one, other) or not _is_of_one_sort(one, other) or may_nest(one, other):
        return ""
    if len(groups) == 1 or one.said.change or other.said.change or _is_entry(one) or _is_entry(other):
        return "choice" if groups & {"way", "as"} else "name"
    return ""


def _are_named(one: Span, other: Span) -> bool:
    """Tell whether both are names, or values of an attribute that may contain one: pop music, Irish folk."""
    is_long = min(len(one.inside), len(other.inside)) > 1 and not (one.is_definite or other.is_definite)
    if one.is_name != other.is_name and not is_long:
        return False
    return (one.is_name and other.is_name) or (_is_attribute(one) and _is_attribute(other))


def _has_subject(one: Span, other: Span) -> bool:
    """Tell whether both share a named subject beside the value."""
    mine, theirs = (
        {word.stem for word in (*span.said.words[: span.first], *span.after) if not word.weak or word.stem in NOUNS}
        for span in (one, other)
    )
    said = {span.before.stem for span in (one, other) if span.group == "of" or "is" in span.before.intro}
    return bool((mine & theirs) - said) or (one.group == "object" and bool(one.after))


def _is_entry(span: Span) -> bool:
    """Tell whether it is an attribute with a colon: `Headquarters of the company: Rotterdam`."""
    return span.group == "is" and any(token.low == ":" for token in span.said.tokens)


def _is_there(span: Span) -> bool:
    """Tell whether it is in a place, or made in a way, of which there is one at a time."""
    if _is_entry(span):
        return True
    verb, intro = span.before, span.intro
    if verb.stem in MANY and verb.stem not in PLACE and "is" not in intro:
        return False
    if verb.stem == _WORK and span.group == "way":
        return False  # with this, and with that
    if span.group == "is":
        return span.said.definite and span.is_name
    if verb.stem in GIVING and "to" in intro:
        return False
    if "on" in intro[-2:] and not span.is_name and "the" not in intro:
        return False  # on every push, on request
    if "to" in intro and not span.is_name and not span.is_definite:
        return False  # nice to hear
    if "is" in intro:
        return True  # it is in …
    if any(word.stem in CHANGE for word in span.said.words[: span.first]) and not _TOWARDS.isdisjoint(intro):
        return True
    is_participle = "is" in verb.intro and span.said.tokens[verb.at].low.endswith(_OF_PARTICIPLES)
    if span.said.tokens[verb.at].low.endswith("ing") and "is" in verb.intro:
        return False  # what one is doing just now
    is_wish = any(word.stem == _PREFER for word in span.said.words[: span.first])
    return is_participle or is_wish or verb.stem in PLACE or _is_order(span)


def _is_done_alike(one: Span, other: Span) -> bool:
    """Tell whether the verbs match: stored in, kept in; not written in and stored in."""
    mine, theirs = one.verbs, other.verbs
    if mine & theirs - NOUNS or (not mine and not theirs):
        return True
    if one.is_code != other.is_code or one.is_platform != other.is_platform:
        return False
    if not mine or not theirs or (mine | theirs) & CHANGE:
        return True
    return any(mine & alike and theirs & alike for alike in ALIKE)


def _is_of_one_sort(one: Span, other: Span) -> bool:
    """Tell whether both are names or both things: not in Berlin and in charge."""
    is_plain = "place" in (one.group, other.group) and not (one.verbs and one.verbs == other.verbs)
    if one.is_name != other.is_name and is_plain:
        return one.said.change or other.said.change
    is_place = one.group == "place" and other.group == "place"
    if one.is_name and other.is_name and (not is_place or (one.is_quoted and other.is_quoted)):
        return True
    return one.is_definite == other.is_definite


def _is_order(span: Span) -> bool:
    """Tell whether it is an imperative, which begins with its verb: write tests with …"""
    first = span.said.words[0]
    return first.at == 0 and first.stem in PLACE and first.stem not in MANY


def _is_of_one(span: Span) -> bool:
    """Tell whether it is of one thing: the position of …, a citizen of …"""
    noun = span.before
    intro = noun.intro
    if noun.stem in MANY or any(word.stem in LIKING for word in span.said.words[: span.first]):
        return False
    if not span.is_name and not PLACES.isdisjoint(intro):
        return False  # in the context of
    return "the" in intro or intro[-2:] in (("is", "a"), ("is", "an"))


def _is_what_it_is(span: Span) -> bool:
    """Tell whether the subject is definite and not one of a class: the owner of X is Y."""
    last = span.said.tokens[span.inside[-1].at].low
    is_plain = not last.endswith(_OF_ADJECTIVES) and not span.joints and span.inside[0].stem not in VERBS
    is_noun = (span.is_name and span.said.words[span.first].stem not in VERBS) or is_plain
    return span.said.definite and is_noun and not {"a", "an"} & set(span.intro)


def _is_attribute(span: Span) -> bool:
    """Tell whether it is an attribute: the colour of the door is …, the door colour is …"""
    subject = span.said.words[: span.first]
    return span.before.stem in ATTRIBUTES or any(not _ATTRIBUTE.isdisjoint(word.intro) for word in subject)


def _is_chosen(one: Span, other: Span) -> bool:
    """Tell whether both are chosen for the same: use X for Y, with the same verb."""
    verbs = {span.before.stem for span in (one, other)}
    ends = [[word.stem for word in span.after] for span in (one, other)]
    if len(verbs) != 1 or not verbs <= USE or not ends[0] or ends[0] != ends[1]:
        return False
    is_purpose = "for" in one.after[0].intro or not one.after[0].intro
    return is_purpose or max(len(one.inside), len(other.inside)) == 1


def _is_holder(span: Span) -> bool:
    """Tell whether the value holds a role: the product owner is Felix; maintained by Felix."""
    if span.first == 0 or span.after or not span.is_name:
        return False
    by_whom = span.group == "by" and span.before.stem in HOLD and "is" in span.before.intro
    return by_whom or (span.group == "is" and span.said.definite)


def _is_held(span: Span) -> bool:
    """Tell whether the subject holds the value: Lena maintains the billing service."""
    if not span.after or not span.said.tokens[span.inside[0].at].name:
        return False
    rest = span.after
    while len(rest) > 1 and not rest[0].intro and rest[0].stem not in HOLD:
        rest = rest[1:]  # the mode of: dark mode is
    following = rest[0]
    if following.stem in HOLD and following.intro in ((), ("is", "in")):
        return True
    intro = following.intro
    if following.stem == _USED and "is" in intro:
        return len(span.after) > 1 and "for" in span.after[1].intro
    one_of_them = intro[:1] == ("is",) and len(intro) > 1 and intro[1] in ("the", "our", "my")
    return one_of_them and any(not word.weak for word in span.after)
