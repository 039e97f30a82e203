"""Read what a text tells of the things that it names: a verb with a name, or a noun phrase, on each side.

A sentence becomes a line in which each name is a mark and words without weight are gone. A verb from the
table is looked for in it, then who does it, then what it is done to. What is asked, wished or only
possible is not told. A doubt is silence.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from treering.graph.entities.find import Spot
from treering.graph.entities.lexicon import GUESSED, SURE
from treering.graph.entities.shapes import SIGN, WORD, Token, is_ticket
from treering.stores.port.graph import DENIED, ENDED, TOLD

_MOST_RELATIONS = 64  # of one text
_MOST_WORDS = 80  # of a sentence: what goes on for longer is a list or a dump, and is cut
_LONGEST_NOTE = 80  # tokens: a note is short and states things; in an essay every other word has a capital
_CERTAIN = 1.4  # the sum of two confidences from which the names take nothing from a relation
_LEAST, _LOOSE = 0.3, 0.5  # how sure a relation must be, and how sure one is that rests on a guessed name
# How sure it is who is meant: by a noun behind the name, by the verb before, by a noun phrase.
_NOUN, _ELIDED, _PHRASE = 0.85, 0.85, 0.8
# How sure a verb must be for a guessed name, how sure one is of itself, and of nouns such as "wrapper".
_PLAIN, _SAID, _ROLE = 0.75, 0.85, 0.75

_DROPPED = frozenset(
    """also just already currently only again even always often usually still soon finally then too once all either
    both here there now""".split()
)
_OURS = frozenset("the our der die das unser unsere el la nuestro nuestra le notre".split())
_NO_ADVERBS = frozenset("nightly weekly daily monthly hourly only apply family".split())
_BE = "is|are|was|were|be|been|being|has|have|had|does|do|did|will|gets?|got"
_DENIALS = "not|never|cannot|can't|don't|doesn't|didn't|isn't|aren't|wasn't|won't|hasn't"
_MODALS = (
    "could|might|may|should|would|if|whether|unless|want|wants|plan|plans|planned|hope|wish|consider|maybe|perhaps|"
    "let's|try|tries|trying|ought|suggest|suggested|propose|proposed|imagine|avoid|someday"
)
_AT = (
    "on|in|for|of|at|from|with|under|inside|within|by|to|into|via|through|over|across|between|against|during|after|"
    "before|since|until|as|like|about|behind|onto|per|around|below|above|upon|next|outside|without"
)
_JOINS = "and|or|but|nor|so|because|while|when|although|though|than|that|which|who|where|how|why|what"
_STANDS = "it|they|this|these|those|he|she|we|i|you|them|him|us|me"
_THE = (
    "(?:the|an?|our|its|their|my|your|his|her|some|any|every|each|der|die|das|den|dem|eine?|unsere?|unser|el|la|los|las|una?|"
    "nuestr[oa]|le|les|une|notre|nos) "
)
_MODAL, _DENIED = frozenset(_MODALS.split("|")), frozenset(_DENIALS.split("|"))
# Words that make no thing of a phrase.
_EMPTY = frozenset(
    """thing things nothing everything something one lot way ways time problem problems issue issues help reason
    people someone nobody everyone version versions same others more less most fix fixes change changes rest part
    parts team company place end case few many""".split()
)

# Relation, how sure it is, and what tells it; "<" where the object does it to the subject. The first that fits wins.
_TABLE = (
    ("-uses", 0.8, "no longer (?:uses?|runs on|calls)|stopped using|drop(?:s|ped)|(?:moved|migrated) (?:off|away from)|"
     "ditched|abandoned"),
    ("-depends_on", 0.85, "no longer (?:depends? on|needs?|requires?)"),
    ("<replaces", 0.9, "(?:replaced|superseded|ousted|succeeded) by|replaced with|swapped(?: out)? for|"
     "(?:deprecated )?in favou?r of|ma[dk]es? way for|gave way to|renamed to|became|wurde durch|a été remplacé par|"
     "is the (?:former|old|previous|original) name of"),
    ("replaces", 0.9, "replace[sd]?|replacing|supersede[sd]?|t(?:akes|ook|aken|aking) the place of|supplant(?:s|ed)|"
     "formerly|ersetzt|reemplaza|reemplazó|sustituye|remplace"),
    ("replaces", 0.75, "instead of|rather than|in place of|statt|en vez de|en lugar de|au lieu de"),
    ("<causes", 0.85, "(?:caused|triggered|raised|thrown|produced) by|due to|(?:stems|stemmed|came|comes) from|"
     "(?:comes|came|goes|went|boils|boiled) (?:back|down) to|traced (?:back )?to|turned out to be|because of"),
    ("causes", 0.85, "caus(?:es?|ed|ing)|trigger(?:s|ed|ing)?|(?:leads?|led) to|result(?:s|ed) in|rais(?:es?|ed)|"
     "throws?|threw|(?:is|was) (?:the (?:cause|reason) (?:of|for)|behind|to blame for)|verursacht|provoca|provoque"),
    ("<fixes", 0.9, "(?:fix|solv|resolv|mend|prevent|address|avoid|cur)ed (?:by|with|in|via)|"
     "(?:went|goes|gone)(?: away)? (?:with|after|once|since)|worked around (?:by|with)"),
    ("fixes", 0.85, "fix(?:es|ed)?|resolve[sd]?|solve[sd]?|cure[sd]?|prevent(?:s|ed)?|g[eo]ts? rid of|"
     "work(?:s|ed)? around|silence[sd]?|help(?:s|ed) (?:with|against)|(?:is|was) (?:the|a) (?:fix|workaround) for"),
    ("contradicts", 0.85, "(?:conflict|clash|collide|disagree)(?:s|e?d)? with|(?:incompatible|not compatible) with|"
     "contradict(?:s|ed)?|(?:does not|doesn't|don't) (?:work|play well) with|breaks|broke"),
    ("tested_by", 0.9, "(?:tested|covered|exercised|verified|checked) (?:by|in|with|through|against)|"
     "has (?:a test|its tests|tests) in"),
    ("configured_by", 0.9, "(?:configured|controlled|toggled|enabled|disabled|tuned|overridden|gated|pinned|set|"
     "turned (?:on|off)) (?:by|in|via|through|with|from)|(?:reads|gets|takes) its (?:config|settings) from|"
     "konfiguriert in|se configura en|est configuré dans"),
    ("<imports", 0.9, "imported (?:by|in|from)"),
    ("imports", 0.9, "import(?:s|ed|ing)?|importiert|importa|importe"),
    ("is_a", 0.9, "(?:is an? (?:subclass|kind|type|fork|subtype) of|inherits from|extend(?:s|ed)?|subclasses)"),
    ("uses", 0.75, "is (?:an?|the) (?:[a-z]+ )?(?:wrapper|shim|layer|frontend|client|ui) (?:around|over|for|to)"),
    ("is_a", 0.75, "is (?:an?|the|our) (?:[a-z]+ )?(?:name|alias|nickname|build|clone|copy|port) (?:of|for)"),
    ("is_a", 0.8, "(?:is|was) an?|are a"),
    ("part_of", 0.9, "(?:part|component|module) of|belongs? to|(?:contained|included|shipped|bundled) in|"
     "teil (?:von|der|des)|gehört zu|parte de|pertenece a|partie de"),
    ("part_of", 0.75, "(?:lives?|sits?|resides|located|defined|declared|liegt) (?:in|under|inside)|está en"),
    ("<part_of", 0.85, "contain(?:s|ed)?|consists? of|is made up of|comprises|ships with|holds|enthält|contiene"),
    ("<depends_on", 0.9, "(?:required|needed) by|blocks"),
    ("depends_on", 0.9, "depend(?:s|ed|ing)? (?:up)?on|requires?|rel(?:y|ies|ied) on|need(?:s|ed)?|wait(?:s|ing)? for|"
     "blocked by|builds on|pulls in|(?:won't|doesn't|cannot|can't) (?:start|run|work) without|braucht|benötigt|"
     "hängt (?:von|an)|depende de|necesita|dépend de|a besoin de|nécessite"),
    ("<related_to", 0.8, "(?:owned|maintained|written|authored|looked after|introduced|designed|built|added) by"),
    ("<uses", 0.85, "(?:used|called|invoked|consumed|wrapped|read|queried|shared|adopted) (?:by|in|from)"),
    ("uses", 0.85, "us(?:es?|ed|ing)|leverages?|adopt(?:s|ed|ing)?|wrap(?:s|ped)?|settled on|"
     "r(?:uns?|an|unning) (?:on|in|inside|under|with)|consumes|go(?:es)? (?:through|via)|(?:is|are) on|"
     "(?:talks?|connects?|writes?|logs|exports|publishes|pushes|subscribes|switche[sd]|moved|ported|deployed) to|"
     "(?:reads?|pulls|served) from|nutzt|verwendet|benutzt|läuft auf|usa|usamos|utiliza|corre en|utilise|tourne sur"),
    ("uses", 0.8, "(?:written|kept|stored|cached|saved|done|made|built|sent|drawn) (?:in|on|with|by|through|via|using)|"
     "[a-z]+ed (?:with|via|through|using|by)"),
    ("uses", 0.75, "(?:stores?|keeps?|caches|writes|saves|sends|publishes|uploads|ships|deploys|reads|loads|pulls) "
     "(?:[a-z-]+ ){1,3}?(?:in|to|on|into|from|with|through|via)"),
    ("uses", 0.7, "calls?|invokes?|embeds?|employs?|runs|running|via|using|queries|polls"),
    ("related_to", 0.8, "(?:owner|author|maintainer)s? of|own(?:s|ed)?|maintains?|wrote|looks after|t(?:akes|ook) over|"
     "responsible for|in charge of|relate[sd] to|integrates with|introduced|set up|built|reviewed|designed|"
     "verantwortlich für|kümmert sich um|responsable de|se encarga de|s'occupe de"),
)  # fmt: skip

_NAME = r"<\d+> "
_WORD = rf"(?!(?:{_AT}|{_JOINS}|{_BE}|{_DENIALS}|{_MODALS}|{_STANDS}|{_THE[3:-2]}) )[^\W\d_][\w-]* "
_LIST = rf"{_NAME}(?:(?:for (?:{_WORD}){{1,2}})?(?:(?:and|or|&|/|\+|plus|,) ){{1,2}}(?:{_THE})?{_NAME}){{0,11}}"
_SUBJECT = re.compile(
    rf"(?:(?P<list>{_LIST})(?P<noun>(?:'s )?(?:{_WORD})?)"
    rf"|(?P<start>^|(?<!\S)(?:[,:;]|and|but|or) )(?P<the>{_THE})?(?P<phrase>(?:{_WORD}){{1,3}})(?:: )?"
    r"|(?P<elided>^|(?<!\S)(?:and|but|or|,|;) ))"
    rf"(?P<passed>(?:(?:{_BE}|{_DENIALS}|{_MODALS}|can|must|no|longer) )*)$"
)
_OBJECT = re.compile(rf"(?P<between>(?:{_THE}|{_WORD}|of ){{0,4}})(?P<list>{_LIST})")
_EITHER = rf"(?:{_THE})?(?!out )({_NAME}|{_WORD})"
_MOVED = re.compile(
    rf"(?:mov|switch|migrat|port|went|go|chang|transition|convert)[a-z]* (?:\S+ ){{0,3}}?from {_EITHER}(?:{_WORD})?"
    rf"(?:to|onto) {_EITHER}(?=(?:{_AT}) |[,:;()] |$)"
    rf"|(?:replac|swap|trad|exchang|dropp|ditch|abandon|renam)[a-z]* (?:out )?{_EITHER}(?:{_WORD})?"
    rf"(?:with|for|by|in favou?r of|to) {_EITHER}"
    rf"|({_NAME})(?:\u2192|->|=>) (?P<arrow>{_NAME})"
)
_WITHIN = re.compile(
    rf"({_NAME})(?:(?:is|are|lives?|sits?) )?(?:in|inside|under|within|of) (?:{_THE})?(?:{_WORD})?({_NAME})"
)
_REPLACED = frozenset(("tool", "library", "concept", "pattern", "project", "convention", "file"))
_PRODUCTS = frozenset(("tool", "library"))
_PLACED = frozenset((("concept", "file"), ("file", "file"), ("file", "project")))
# What makes a thing of the noun phrase before it, and what does so only behind "the", "our" or nothing.
_COINS = frozenset(
    "part_of configured_by tested_by contradicts causes <causes imports <fixes replaces <replaces".split()
)
_COINS_EXACTLY = frozenset(("uses", "depends_on", "is_a"))


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

    spots: tuple[int, ...] = ()
    sure: float = 1.0


class Verb(NamedTuple):
    mark: str  # the relation, with "<" if it goes from the object to the subject, with "-" if it is over
    sure: float

    @property
    def type(self) -> str:
        return self.mark.lstrip("<-")


@lru_cache(1)
def _verbs() -> re.Pattern[str]:
    """Return what finds a verb: each row of the table is a group of its own."""
    return re.compile("|".join(rf"((?<!\S)(?:{words}) )" for _, _, words in _TABLE))


class Line:
    """A sentence as a line of words and marks, and where these stand in the text."""

    def __init__(self, found: Sequence[Token], spots: list[Spot], at: int, end: int, number: int) -> None:
        pieces: list[str] = []
        self._at: list[int] = []
        self._spans: list[tuple[int, int]] = []
        place = 0
        while at < end and len(pieces) < _MOST_WORDS:
            first = at
            if number < len(spots) and spots[number].first == at:
                piece, at, number = f"<{number}>", spots[number].last, number + 1
                if at + 1 < end and found[at].low == "=":
                    at += 2  # a setting and its value
            else:
                piece, at = found[at].low, at + 1
                if (
                    piece in _DROPPED
                    or piece == "\n"
                    or (piece.endswith("ly") and piece not in _NO_ADVERBS)
                    or " " in piece
                ):
                    continue
            self._at.append(place)
            self._spans.append((found[first].start, found[at - 1].end))
            pieces.append(piece)
            place += len(piece) + 1
        self.text = " ".join(pieces) + " "

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the characters of the text that a part of the line stands for."""
        first, last = (bisect_right(self._at, place) - 1 for place in (start, max(start, end - 2)))
        return self._spans[first][0], self._spans[last][1]


class Reader:
    """The relations of a text, sentence by sentence."""

    def __init__(self, spots: list[Spot], is_note: bool) -> None:
        self.spots = spots
        self.links: list[Link] = []
        self._is_note = is_note
        self._last = Side()  # the subject of the last verb

    def read(self, line: Line) -> None:
        """Take what a sentence tells."""
        self._last = Side()
        for match in _MOVED.finditer(line.text):
            self._moved(line, match)
        for match in _verbs().finditer(line.text):
            mark, sure, _ = _TABLE[(match.lastindex or 1) - 1]
            self._told(line, match, Verb(mark, sure))
        for match in _WITHIN.finditer(line.text):
            self._placed(line, match)

    def _told(self, line: Line, match: re.Match[str], verb: Verb) -> None:
        """Take what a verb tells."""
        before = line.text[: match.start()]
        found, done = _SUBJECT.search(before), _OBJECT.match(line.text, match.end())
        target = self._object(done) if done else Side()
        source = self._subject(found, verb, target) if found else Side()
        if source.spots and verb.type != "is_a":
            self._last = source
        if not found or not source.spots or not target.spots:
            return
        passed, clause = found["passed"].split(), re.split(r"[,;:(] |but ", before)[-1].split()
        if not _MODAL.isdisjoint((*passed, *clause)):
            return
        ended = verb.mark[0] == "-" or "longer" in passed
        how = ENDED if ended else TOLD if _DENIED.isdisjoint(passed) else DENIED
        for one in source.spots:
            for other in target.spots:
                self._link(line, verb, (one, other), source.sure * target.sure, match.span(), how)

    def _object(self, done: re.Match[str]) -> Side:
        """Return the first names behind a verb, up to where another clause begins."""
        found = _marks(done["list"])
        behind = done.string[done.end() :]
        if len(found) > 1 and (re.match(rf"(?:{_BE}|{_MODALS}) ", behind) or _verbs().match(behind)):
            found = found[:-1]
        files = self.spots[found[0]].type == "file"
        words = re.sub(_THE, "", done["between"]).split()
        return Side(tuple(one for one in found if (self.spots[one].type == "file") is files), 1.0 - 0.1 * len(words))

    def _subject(self, found: re.Match[str], verb: Verb, target: Side) -> Side:
        """Return the names before a verb, those of the verb before, or a thing made of the phrase that stands there."""
        if found["list"]:
            is_other = verb.type == "part_of" and found["noun"].strip()  # "the ESP32 firmware sits in"
            return Side() if is_other else Side(_marks(found["list"]), _NOUN if found["noun"] else 1.0)
        if not found["phrase"]:
            return Side(self._last.spots, _ELIDED * self._last.sure)
        exact = found["the"].strip() in _OURS if found["the"] else not found["start"]
        if not target.spots or not (verb.mark in _COINS or (exact and verb.mark in _COINS_EXACTLY)):
            return Side()
        known = self.spots[target.spots[0]]
        if known.type == "person" or (verb.type == "is_a" and verb.sure > _ROLE):
            return Side()
        words = found["phrase"].split()
        if not _EMPTY.isdisjoint(words) or sum(map(len, words)) < 4 or (len(words) == 1 and words[0].endswith("ing")):
            return Side()
        return self._coined(" ".join(words), "error" if verb.mark in ("<causes", "<fixes") else "concept")

    def _coined(self, name: str, type: str) -> Side:
        self.spots.append(Spot(-1, -1, name, type, GUESSED))
        return Side((len(self.spots) - 1,), _PHRASE)

    def _link(
        self, line: Line, verb: Verb, ends: tuple[int, int], sure: float, span: tuple[int, int], how: str = TOLD
    ) -> None:
        source, target = ends[::-1] if verb.mark[0] == "<" else ends
        mine, theirs = self.spots[source], self.spots[target]
        if verb.type == "causes" and theirs.type == "concept" and is_ticket(theirs.name):
            self.spots[target] = theirs = theirs._replace(type="error")  # "LK-409 is caused by"
        if source == target or mine.name.lower() == theirs.name.lower() or not _fits(verb, mine, theirs):
            return
        confidence = round(verb.sure * sure * min(1.0, (mine.confidence + theirs.confidence) / _CERTAIN), 2)
        if max(mine.confidence, theirs.confidence) <= GUESSED:
            named = max(mine.first, theirs.first) >= 0
            confidence = _LOOSE if self._is_note and named and verb.sure >= _PLAIN else 0.0
        if confidence >= _LEAST:
            self.links.append(Link(source, verb.type, target, confidence, *line.span(*span), how))

    def _moved(self, line: Line, match: re.Match[str]) -> None:
        """Read "moved from X to Y", "replaced X with Y", "X -> Y"; one of them may be a plain word."""
        pieces = [piece for piece in match.groups() if piece][:2]
        before = line.text[: match.start()].split()
        named = sum(piece[0] == "<" for piece in pieces)
        is_advice = named < 2 and match[0].split()[0].endswith("ing")
        if not named or is_advice or not _MODAL.isdisjoint(before) or not _DENIED.isdisjoint(before):
            return
        old, new = (
            _marks(piece)[0] if piece[0] == "<" else self._coined(piece.strip(), "tool").spots[0] for piece in pieces
        )
        allowed = _PRODUCTS if match["arrow"] else _REPLACED
        if max(self.spots[old].confidence, self.spots[new].confidence) <= GUESSED:
            return  # "we moved from Sweden to Berlin"
        if {self.spots[old].type, self.spots[new].type} <= allowed:
            self._link(line, Verb("replaces", 0.85 if named > 1 else 0.6), (new, old), 1.0, match.span())

    def _placed(self, line: Line, match: re.Match[str]) -> None:
        """Read "`render` in views.py", "the outbox in billing-api"."""
        part, whole = _marks(match[0])
        mine, theirs = self.spots[part], self.spots[whole]
        is_standard = mine.type == "concept" and mine.confidence >= SURE  # that a file is about
        if (mine.type, theirs.type) in _PLACED and not is_standard:
            self._link(line, Verb("part_of", 0.6), (part, whole), 1.0, match.span())
        elif mine.type == "pattern" and theirs.type in ("project", "concept", "file"):
            self._link(line, Verb("<uses", _SAID), (part, whole), _ROLE, match.span())


def _marks(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"<(\d+)>", text)))


def _fits(verb: Verb, mine: Spot, theirs: Spot) -> bool:
    """Tell whether two types can stand in a relation."""
    types = {mine.type, theirs.type}
    if not types.isdisjoint(("decision", "convention")):
        return verb.type in ("replaces", "contradicts", "related_to", "depends_on", "is_a")
    if verb.type == "causes":
        return theirs.type == "error" and mine.type != "person"
    if verb.type == "fixes":
        return theirs.type != "person" and mine.type not in ("error", "person")
    if verb.type == "related_to":
        return "person" in types
    if verb.type == "is_a":
        return mine.type not in ("person", "error") or theirs.type == "error"
    if verb.type == "uses" and verb.sure < _SAID and theirs.type not in ("tool", "library", "project"):
        return False  # "allowed by a regex"
    return types.isdisjoint(("error", "person"))


def links(found: Sequence[Token], spots: list[Spot]) -> list[Link]:
    """Return the relations that a text tells, in its order. What it coins is added to the spots."""
    if all(spot.type == "person" for spot in spots):
        return []
    reader = Reader(spots, len(found) <= _LONGEST_NOTE)
    for line in _lines(found, spots, _speaker(found, spots)):
        reader.read(line)
        if len(reader.links) >= _MOST_RELATIONS:
            break
    return reader.links[:_MOST_RELATIONS]


def _lines(found: Sequence[Token], spots: list[Spot], start: int) -> Iterator[Line]:
    """Yield the sentences that name something, from a token on, without the questions."""
    number, every = 0, len(spots)
    for end in [*(at for at, one in enumerate(found) if one.kind == SIGN and one.low in ".!?;\n"), len(found)]:
        sign = found[end].low if end < len(found) else ""
        if end < start or (sign == "\n" and end > start and _goes_on(found, end + 1)):
            continue
        while number < every and spots[number].first < start:
            number += 1
        if number == every:
            return
        if spots[number].first < end and sign != "?":
            yield Line(found, spots, start, end, number)
        start = end + 1


def _goes_on(found: Sequence[Token], at: int) -> bool:
    """Tell whether a line is only broken: the next begins in lower case, and this one has no end."""
    if at >= len(found) or found[at].kind != WORD or found[at - 2].kind == SIGN:
        return False
    return found[at].text[:1].islower() and found[at].start == found[at - 1].end


def _speaker(found: Sequence[Token], spots: Sequence[Spot]) -> int:
    """Return the token behind a leading name and colon: who speaks is not spoken of. 0 for none."""
    for at, token in enumerate(found[:4]):
        if token.kind == SIGN and token.low == ":":
            is_person = spots[0].first == 0 and spots[0].type == "person" and spots[0].last <= at
            return at + 1 if is_person or (at > 1 and spots[0].first > at) else 0
        if token.kind != WORD or not token.text[0].isupper():
            return 0
    return 0
