"""Find the subject and the objects of a verb in a sentence, and the noun phrases beside it."""

from __future__ import annotations

from typing import NamedTuple

from treering.graph.entities.cues import Spot
from treering.graph.entities.lexicon import GUESSED
from treering.graph.relations.grammar import (
    ALONE,
    AUXILIARIES,
    BREAKS,
    CONJUNCTIONS,
    DENIALS,
    DETERMINERS,
    EDGES,
    FUNCTION,
    MODALS,
    PREPOSITIONS,
    PRONOUNS,
    SEPARATORS,
    Item,
)
from treering.graph.relations.predicates import Predicate, predicates
from treering.stores.port.graph import TOLD

_MOST_BETWEEN = 4  # plain words between a verb and the name that is its object
_MOST_NOUNS = 3  # plain words between a name and the verb that it is the subject of: "the Redis cluster config uses"
_MOST_OBJECTS = 12  # of one verb: a longer list is an inventory
_MOST_WORDS = 3  # of a noun phrase: a longer one is a story
# How sure it is who is meant: by a noun behind the name, by a pronoun, by a verb before, by another preposition.
_NOUN, _PRONOUN, _ELIDED, _APPOSED, _BELONGING, _PLACED, _FAR = 0.85, 0.75, 0.85, 0.8, 0.9, 0.7, 0.5
_DOUBTS = MODALS - {"can", "must"}
_TOPICAL = frozenset("it they this that both".split())
_OF = frozenset("version versions instance instances copy release fork use usage type kind set lot".split())
_RESUMING = frozenset(("and", "but", "or", ",", ";", "then"))
_NO_PARTICIPLES = frozenset(("used", "called"))
# Words that make no thing of a phrase.
_EMPTY = frozenset(
    """thing things nothing everything anything something one ones lot way ways time problem problems issue issues
    help reason people someone nobody everyone version versions same other others more less most fix fixes change
    changes note rest part parts team company place end case two three four some few many use used new old""".split()
)


class Link(NamedTuple):
    """A relation between two spots."""

    source: int
    type: str
    target: int
    confidence: float
    start: int  # characters
    end: int
    how: str = TOLD


class Side(NamedTuple):
    """The names on one side of a verb, and how sure it is that they are meant."""

    spots: tuple[int, ...]
    sure: float = 1.0


NOBODY = Side(())


class Sentence:
    def __init__(self, items: list[Item], spots: list[Spot], before: Side, fault: int) -> None:
        self.items = items
        self.lows = [item.low for item in items]
        self.spots = spots
        self.before = before  # what the sentence before was about
        self.fault = fault  # the last error that was named before
        self.last = NOBODY  # the subject of the last verb
        self.loose = False  # whether one guessed name is enough for a relation
        self.topic = Side(tuple([one.spot for one in items if one.spot >= 0 and spots[one.spot].type != "error"][:2]))
        self._table = predicates()

    def link(self, source: int, type: str, target: int, sure: float, start: int, end: int) -> list[Link]:
        """Return the relation told by the items between two places; none if both ends are one name."""
        if not self.are_two(source, target):
            return []
        last = self.items[min(end, len(self.items) - 1)].end
        return [Link(source, type, target, sure, self.items[start].start, last)]

    def are_two(self, source: int, target: int) -> bool:
        """Tell whether two spots are two things, of which at least one is surely a thing or a name."""
        mine, theirs = self.spots[source], self.spots[target]
        is_sure = max(mine.confidence, theirs.confidence) > GUESSED
        is_sure = is_sure or (self.loose and max(mine.first, theirs.first) >= 0)
        return source != target and is_sure and mine.name.lower() != theirs.name.lower()

    def is_told(self, at: int) -> bool:
        """Tell whether nothing before a place makes it a wish, a doubt or a denial."""
        before = self.lows[:at]
        return _DOUBTS.isdisjoint(before) and DENIALS.isdisjoint(before)

    def predicate(self, at: int) -> Predicate | None:
        """Return the longest predicate that begins at a place."""
        seconds = self._table.get(self.lows[at])
        if seconds is None:
            return None
        longer = seconds.get(self.lows[at + 1]) if at + 1 < len(self.lows) and self.lows[at + 1] else None
        for one in longer or ():
            if one.words == tuple(self.lows[at : at + len(one.words)]):
                return one
        return seconds[""][0] if "" in seconds else None

    def type(self, place: int) -> str:
        """Return the type of the name at a place; empty for a word."""
        spot = self.items[place].spot if 0 <= place < len(self.items) else -1
        return self.spots[spot].type if spot >= 0 else ""

    def subjects(self, at: int, passed: list[str], one: Predicate) -> Side:
        """Find the name before the verb, through the nouns, prepositions and brackets between."""
        place = self.before_verb(at, passed)
        if place > 0 and self.lows[place] == ":" and one.words[-1] == "of":
            return self._named(place - 1)
        if place < 0 or self.lows[place] in _RESUMING:
            return self._elided(place, one)
        return self._named(place)

    def before_verb(self, at: int, passed: list[str]) -> int:
        """Return the place before a verb's auxiliaries, negations and modals, which are noted."""
        place = at - 1
        while place >= 0 and self.items[place].spot < 0:
            low = self.lows[place]
            if (
                low not in AUXILIARIES
                and low not in DENIALS
                and low not in MODALS
                and low not in ("longer", "no", "now")
            ):
                break
            passed.append(low)
            place -= 1
        return place

    def _elided(self, place: int, one: Predicate) -> Side:
        """Return the subject of the verb before, unless a clause begins: "X uses A and depends on B"."""
        participle = one.words[0].endswith("ed") and len(one.words) > 1
        if place < 0 and one.type == "fixes" and one.back:
            return Side((self.fault,), _APPOSED) if self.fault >= 0 else NOBODY
        if place < 0:
            is_about = participle and one.words[0] not in _NO_PARTICIPLES
            return Side(self.before.spots[:1], _PLACED) if is_about else NOBODY
        if self.last.spots:
            return Side(self.last.spots, _ELIDED * self.last.sure)
        if self.lows[place] == "," and (participle or len(one.words) > 1):
            apposed = self._named(place - 1)
            return Side(apposed.spots, _APPOSED * apposed.sure)
        return NOBODY

    def _named(self, place: int) -> Side:
        nouns = 0
        sure = 1.0
        while place >= 0:
            if self.items[place].spot >= 0:
                return self._whole(place, sure)
            low = self.lows[place]
            if low == ")":
                place = self._bracket(place, "(", -1) - 1
            elif low in ("which", "that", "who"):
                place -= 1 + (place > 0 and self.lows[place - 1] == ",")
            elif low in _TOPICAL and (not place or self.lows[place - 1] in EDGES):
                meant = self.last.spots or self.before.spots
                return Side(meant if low == "both" else meant[:1], _PRONOUN)
            elif low in EDGES or low in PRONOUNS:
                return self._apposed(place) if low == "," and nouns else NOBODY
            else:
                nouns += low not in DETERMINERS and low != "'s"
                sure = _NOUN if nouns else sure
                place -= 1
            if nouns > _MOST_NOUNS:
                return NOBODY
        return NOBODY

    def _apposed(self, place: int) -> Side:
        """Return the name before both commas: "X, our cache, uses"."""
        for back in range(place - 1, max(0, place - 6), -1):
            if self.lows[back] == "," and self.items[back - 1].spot >= 0:
                return self._whole(back - 1, _PRONOUN)
        return NOBODY

    def _bracket(self, place: int, sign: str, step: int) -> int:
        while 0 < place < len(self.items) - 1 and self.lows[place] != sign:
            place += step
        return place

    def _whole(self, place: int, sure: float) -> Side:
        """Return the name, or its owner ("Ktor on Android": Ktor), and those that are listed with it."""
        before = self._phrase_start(place)
        if before > 0 and self.lows[before] in PREPOSITIONS:
            further = self._owner(before - 1)
            if further >= 0:
                return self._whole(further, _BELONGING * sure)
            sure *= _PLACED if self.lows[before] in ("in", "of", "on", "for", "at") else _FAR
            return Side((self.items[place].spot,), sure)
        found = [self.items[place].spot]
        while place > 1 and self.lows[place - 1] in SEPARATORS and len(found) < _MOST_OBJECTS:
            place -= 2 if self.lows[place - 2] not in SEPARATORS else 3
            if place < 0 or self.items[place].spot < 0:
                break
            found.append(self.items[place].spot)
        return Side(tuple(reversed(found)), sure)

    def _owner(self, place: int) -> int:
        """Return the name before a preposition, with at most two nouns between."""
        for back in range(place, max(-1, place - 3), -1):
            if self.items[back].spot >= 0:
                return back
            low = self.lows[back]
            if not low.isalpha() or low in EDGES or low in AUXILIARIES or low.endswith("ed") or low in self._table:
                return -1
        return -1

    def _phrase_start(self, place: int) -> int:
        """Return the place before the noun phrase of a name: "in the systemd unit crawler.service"."""
        back = place - 1
        while back >= 0 and back > place - 4 and (self.is_noun(back) or self.items[back].spot >= 0):
            back -= 1
        back = self._before_article(back)
        return back if back >= 0 and self.lows[back] in PREPOSITIONS else self._before_article(place - 1)

    def _before_article(self, place: int) -> int:
        while place >= 0 and self.lows[place] in DETERMINERS:
            place -= 1
        return place

    def objects(self, at: int, one: Predicate) -> Side:
        """Return the first name behind the verb, and those that are listed with it."""
        fault = self._fault_before(at)
        if one.words[-1] == "trick":
            return fault
        place, between = at, 0
        while place < len(self.items) and self.items[place].spot < 0:
            low = self.lows[place]
            if low in ("it", "this", "that", "them") and one.type == "fixes" and not one.back:
                return fault
            if low in CONJUNCTIONS or low in BREAKS or low in AUXILIARIES or low in ALONE:
                return NOBODY
            of = low == "of" and (self.loose or self.lows[place - 1] in _OF) and one.type != "is_a"
            if low in PREPOSITIONS and not of:
                return NOBODY
            between += low not in DETERMINERS
            place += 1
        if place >= len(self.items) or between > _MOST_BETWEEN:
            return NOBODY
        return Side(tuple(self.listed(place)), 1.0 - 0.1 * between)

    def _fault_before(self, at: int) -> Side:
        """Return the error that was named last."""
        found = next(
            (self.items[place].spot for place in range(at - 1, -1, -1) if self.type(place) == "error"), self.fault
        )
        return Side((found,), _NOUN) if found >= 0 else NOBODY

    def name_behind(self, at: int, most: int = 3) -> int:
        """Return the place of the first name behind, within so many plain words; -1 if there is none."""
        words = 0
        for place in range(at, len(self.items)):
            if self.items[place].spot >= 0:
                return place
            words += self.lows[place] not in DETERMINERS
            if words > most or self.lows[place] in EDGES:
                return -1
        return -1

    def listed(self, place: int) -> list[int]:
        """Return the names of a list, up to where another clause begins."""
        found = [self.items[place].spot]
        while len(found) < _MOST_OBJECTS:
            behind = place + 1
            if behind < len(self.items) and self.lows[behind] == "(":
                behind = self._bracket(behind, ")", 1) + 1
            if behind < len(self.items) and self.lows[behind] == "for":
                behind = self._past_adjectives(behind + 1, 3)  # "Stripe for payments, SendGrid for mail"
            elif behind + 1 < len(self.items) and self.is_noun(behind) and self.lows[behind + 1] in SEPARATORS:
                behind += 1  # "the codespell hook, and"
            following = behind
            while following < len(self.items) and self.lows[following] in SEPARATORS:
                following += 1
            if following == behind:
                break
            following = self._past_adjectives(following, 3)
            if self.type(following) == "" or self._begins_clause(following):
                break
            if (self.type(following) == "file") != (self.type(place) == "file"):
                break
            if self.lows[behind:following] == [","] and self._is_gapped(following):
                break
            found.append(self.items[following].spot)
            place = following
        return found

    def _is_gapped(self, place: int) -> bool:
        """Tell whether a new subject follows and the verb is said once: "A depends on X, B on nothing"."""
        low = self.lows[place + 1] if place + 1 < len(self.lows) else ""
        return low in PREPOSITIONS and low != "for"

    def _past_adjectives(self, place: int, most: int) -> int:
        end = min(len(self.items), place + most)
        while place < end and self._is_adjective(place):
            place += 1
        return place

    def _is_adjective(self, place: int) -> bool:
        low = self.lows[place]
        if not low or not low[0].isalpha() or low in self._table or low in EDGES:
            return False
        return low not in AUXILIARIES and low not in ALONE

    def _begins_clause(self, place: int) -> bool:
        """Tell whether a name is the subject of what follows, and no longer of the list."""
        following = self._past_adjectives(place + 1, 2)
        if following >= len(self.items):
            return False
        low = self.lows[following]
        one = self.predicate(following)
        is_verb = bool(one and one.finite and low not in ("instead", "rather", "via"))
        return is_verb or low in AUXILIARIES or low in DENIALS or low in MODALS

    def coin(self, name: str, type: str) -> Side:
        """Return a new spot for words that name nothing by themselves."""
        self.spots.append(Spot(-1, -1, name, type, GUESSED))
        return Side((len(self.spots) - 1,), _APPOSED)

    def whole_phrase(self, sources: Side, at: int) -> Side:
        """Return a name with the noun behind it, which is the real subject: "the ESP32 firmware sits in"."""
        place = next((place for place in range(at - 1, -1, -1) if self.items[place].spot == sources.spots[0]), -1)
        words = [low for low in self.lows[place + 1 : at] if low not in AUXILIARIES]
        if (
            place < 0
            or not 0 < len(words) < _MOST_WORDS
            or not all(low.isalpha() and low not in FUNCTION for low in words)
        ):
            return sources
        return self.coin(" ".join((self.spots[sources.spots[0]].name, *words)), "concept")

    def phrase_behind(self, at: int) -> tuple[str, bool]:
        """Return the plain words behind a place, and whether "the" or "our" is before them."""
        start = at
        while start < len(self.items) and self.lows[start] in DETERMINERS:
            start += 1
        end = start
        while end < len(self.items) and end - start <= _MOST_WORDS and self.is_noun(end):
            end += 1
        exact = start > at and self.lows[start - 1] in ("the", "our")
        is_whole = end >= len(self.items) or self.lows[end] in EDGES
        return (self._phrase(start, end), exact) if is_whole else ("", False)

    def owner_behind(self, at: int) -> Side:
        """Return the name that the words behind a place belong to: "the lease check of Brine"."""
        of = self._past_adjectives(at, _MOST_WORDS + 1)
        if of == at or of + 1 >= len(self.items) or self.lows[of] != "of" or self.items[of + 1].spot < 0:
            return NOBODY
        return Side((self.items[of + 1].spot,), _PLACED)

    def phrase_between(self, start: int, end: int) -> str:
        """Return the one plain word between two places; empty if there is more than an article before it."""
        while start < end and self.lows[start] in ("the", "our", "out"):
            start += 1
        return self._phrase(start, end) if end - start == 1 and self.is_noun(start) else ""

    def phrase_before(self, place: int) -> tuple[str, bool]:
        """Return the plain words that end at a place, from an article or the beginning of a clause."""
        start = place + 1
        while start > 0 and place - start < _MOST_WORDS and self.is_noun(start - 1):
            start -= 1
        before = self.lows[start - 1] if start else ""
        if self.loose and before in DETERMINERS and start > 1 and self.lows[start - 2] in PREPOSITIONS:
            return "", False  # "the key for the acquirer": it is not the acquirer
        if start and before not in DETERMINERS and before not in BREAKS and before not in CONJUNCTIONS:
            return "", False
        return self._phrase(start, place + 1), start == 0 or before in ("the", "our")

    def _phrase(self, start: int, end: int) -> str:
        words = self.lows[start:end]
        if not 0 < len(words) <= _MOST_WORDS or not _EMPTY.isdisjoint(words) or sum(map(len, words)) < 4:
            return ""
        return "" if len(words) == 1 and words[0].endswith("ing") else " ".join(words)

    def is_noun(self, place: int) -> bool:
        """Tell whether it is a plain word that says something."""
        low = self.lows[place]
        return low not in FUNCTION and low.replace("-", "").isalpha()
