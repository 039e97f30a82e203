"""Find what a text names: spots in its tokens, each with a name, a type and a certainty.

Known names come from a table. Others are told by how they are written: paths, names in code, codes, words
with a capital within a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from treering.graph.entities import shapes
from treering.graph.entities.lexicon import CAPITAL, FIRST_NAMES, GUESSED, LIKELY, SURE, UNSURE, lexicon
from treering.graph.entities.shapes import LINK, QUOTE, SIGN, SPEECH, WORD, Token
from treering.text.mentions import CODE, FLAG, NAME, PATH, PERSON, TIME_WORDS, mention_in
from treering.text.words import STOP_WORDS

_LONGEST = 64  # characters of a name that is no path: what is longer is data
_LONGEST_PATH = 256
_VERSIONED = frozenset(("tool", "library", "project", "concept"))
_INSTALLING = frozenset("install add get require imports import importing imported".split())
_PINNING = frozenset("pin pinning pinned pins bump bumping bumped upgrade upgrading upgraded downgraded".split())
_NAMING = _INSTALLING | _PINNING  # behind these any word may be a name
_OWNED = frozenset("service repo repository microservice".split())  # behind "the …", what stands between is its name
_LISTED = frozenset(("", ",", "and", "or", ".", ";", "\n", ")", "for", "from", "as", "directly"))
_PLACING = frozenset("in under into inside from at below see within folder directory to via path".split())
_STATUS = frozenset(map(str, (*range(400, 432), 451, 499, *range(500, 512), 520, 521, 522, 524)))
_STATUS_BEFORE = frozenset(
    """http status code error errors returns returned return returning answers answered get gets got getting saw sees
    with an a the of by""".split()
)
_NO_NAMES = STOP_WORDS | TIME_WORDS


class Spot(NamedTuple):
    """A name in a text."""

    first: int  # token; -1 for what stands nowhere as it is named
    last: int  # the token behind it
    name: str
    type: str
    confidence: float
    version: str = ""


def spots(found: Sequence[Token]) -> list[Spot]:
    """Return all names, in the order of the text, none within another.

    What is named once is known wherever it stands.
    """
    named = Naming(found).spots
    again = {
        one.name: one for one in named if one.type in _VERSIONED and one.name.isalpha() and one.last - one.first < 3
    }
    if not again:
        return named
    taken = {at for one in named for at in range(one.first, one.last)}
    more = [
        Spot(at, at + 1, token.text, again[token.text].type, again[token.text].confidence)
        for at, token in enumerate(found)
        if token.text in again and at not in taken and token.kind == WORD
    ]
    return sorted(named + more) if more else named


@lru_cache(1)
def _telling() -> frozenset[str]:
    """Return the plain words that may be names or begin one, so that the rest is passed quickly."""
    known = lexicon()
    return frozenset((*known.single, *known.phrases, *_OWNED))


class Naming:
    """The names in a text's tokens."""

    def __init__(self, found: Sequence[Token]) -> None:
        self.tokens = found
        self.spots: list[Spot] = []
        self.lexicon = lexicon()
        telling = _telling()
        behind = 0
        before = ""
        for at, (text, low, _, _, kind, _) in enumerate(found):
            is_plain = (text == low and low.isalpha()) or low in _NO_NAMES
            is_word = kind == WORD and is_plain and low not in telling and before not in _NAMING
            before = low
            if is_word or kind == SIGN or at < behind:
                continue
            spot = self._spot(at)
            if spot:
                spot = self._versioned(spot)
                self.spots.append(spot)
                behind = spot.last

    def low(self, at: int) -> str:
        """Return the word at a place, in lower case; empty beyond the ends."""
        return self.tokens[at].low if 0 <= at < len(self.tokens) else ""

    def one(self, at: int, type: str, sure: float, name: str = "") -> Spot:
        """Return a spot of one token."""
        return Spot(at, at + 1, name or self.tokens[at].text, type, sure)

    def _spot(self, at: int) -> Spot | None:
        token = self.tokens[at]
        if token.kind == WORD:
            return self._word(at, token)
        if token.kind == QUOTE:
            return self._quote(at)
        if token.kind == SPEECH:
            return self._speech(at)
        return self.one(at, "concept", LIKELY) if token.kind == LINK else None

    def _word(self, at: int, token: Token) -> Spot | None:
        low = token.low
        if low in self.lexicon.phrases and (phrase := self._phrase(at)):
            return phrase
        entry = self.lexicon.single.get(low)
        if entry and (not entry.proper or self._is_proper(at, entry.proper)):
            return self._known(at, entry.type)
        if not (token.text.islower() and low.isalpha()):
            return self._shaped(at)
        if low in _OWNED:
            return self._part(at)
        return self._package(at) if self.low(at - 1) in _NAMING else None

    def _part(self, at: int) -> Spot | None:
        """Find "the search service"; not "the checkout step"."""
        owner = self.low(at - 1)
        is_taken = bool(self.spots) and self.spots[-1].last > at - 1
        is_owned = self.low(at - 2) in ("the", "our", "my") and owner.isalpha() and owner not in _NO_NAMES
        return Spot(at - 1, at + 1, owner, "project", UNSURE) if is_owned and not is_taken else None

    def _package(self, at: int) -> Spot | None:
        """Find a package's name: "pip install X", "imports X", "pinning X to 1.2"."""
        low, before = self.low(at), self.low(at - 1)
        if len(low) < 3 or low in STOP_WORDS:
            return None
        if before in _PINNING:
            is_pinned = self.low(at + 1) in ("to", "from", "at") and shapes.is_version(self.low(at + 2))
            return self.one(at, "library", LIKELY) if is_pinned else None
        if before in ("install", "add", "get", "require"):
            installer = self.lexicon.single.get(self.low(at - 2))
            is_one = installer and installer.type in ("tool", "library")
            return self.one(at, "library", LIKELY) if is_one else None
        return self.one(at, "library", UNSURE) if self.low(at + 1) in _LISTED else None

    def _phrase(self, at: int) -> Spot | None:
        for words, type in self.lexicon.phrases[self.low(at)]:
            end = at + len(words)
            if words == tuple([token.low for token in self.tokens[at:end]]):
                name = " ".join(token.text for token in self.tokens[at:end])
                is_product = type in ("tool", "library")
                if is_product and name.islower() and self.lexicon.single.keys().isdisjoint(words):
                    continue  # "event store", "good job": plain words, unless they are written as a name
                return Spot(at, end, name, type, SURE if is_product else LIKELY)
        return None

    def _known(self, at: int, type: str) -> Spot | None:
        token = self.tokens[at]
        if type == "pattern" and self.low(at + 1) == "pattern":
            return Spot(at, at + 2, f"{token.text} pattern", type, SURE)
        if token.low == "http" and self.low(at + 1) in _STATUS:
            return Spot(at, at + 2, self.tokens[at + 1].text, "error", SURE)
        if type == "library" and token.text.isupper() and len(token.text) < 5:
            return None  # UV is light, uv a tool
        return self.one(at, type, SURE)

    def _is_proper(self, at: int, proper: int) -> bool:
        """Tell whether a word that is also an English one is meant as a name here."""
        token, following = self.tokens[at], self.low(at + 1)
        if token.text[0].isupper():
            if not token.begins or proper == CAPITAL:
                return len(token.text) > 1
            return shapes.is_version(following)
        return ("." in following and shapes.is_version(following)) or self.low(at - 1) in _INSTALLING

    def _versioned(self, spot: Spot) -> Spot:
        """Extend a spot by the version behind it, which is no entity by itself."""
        low = self.low(spot.last)
        if spot.type in _VERSIONED and low and shapes.is_version(low):
            return spot._replace(last=spot.last + 1, version=low.removeprefix("v"))
        return spot

    def _quote(self, at: int) -> Spot | None:
        """Read backticks: a name, or a line of code of which the first word may be one."""
        token = self.tokens[at]
        words = token.text.split()
        if not words:
            return None
        entry = self.lexicon.single.get(words[0].lower())
        if len(words) > 1:
            if entry and entry.type in ("tool", "library"):
                return self.one(at, entry.type, LIKELY, words[0])
            return self._line(at, words)
        if entry:
            return self.one(at, entry.type, LIKELY if entry.proper else SURE, words[0])
        type = shapes.quoted(words[0], self.low(at - 1))
        return self.one(at, type, LIKELY, shapes.bare(words[0])) if type else None

    def _line(self, at: int, words: list[str]) -> Spot | None:
        head = words[0].rstrip(":=")
        if head.endswith(shapes.FAULTS) and head[:1].isupper():
            return self.one(at, "error", SURE, head)
        if shapes.is_message(self.tokens[at].low, self._before(at)):
            return self.one(at, "error", LIKELY)
        mention = mention_in(head, "") if 1 < len(head) < _LONGEST else None
        if mention and mention.kind in (NAME, CODE):
            return self.one(at, "error" if mention.kind == CODE else "concept", UNSURE, shapes.bare(head))
        is_setting = head != words[0] or words[1] in ("=", ":", "??")
        return self.one(at, "concept", UNSURE, head) if is_setting and head[:1].isalpha() else None

    def _speech(self, at: int) -> Spot | None:
        token = self.tokens[at]
        if shapes.is_message(token.low, self._before(at)):
            return self.one(at, "error", LIKELY)
        entry = self.lexicon.single.get(token.low)
        return self.one(at, entry.type, LIKELY) if entry and not entry.proper else None

    def _shaped(self, at: int) -> Spot | None:
        """Find a name by how it is written."""
        token = self.tokens[at]
        if len(token.text) > _LONGEST_PATH or self._is_template(at):
            return None
        if token.text.isdecimal():
            return self._status(at)
        before = self.tokens[at - 1].text if at and self.tokens[at - 1].kind == WORD else ""
        mention = mention_in(token.text, before)
        kind = mention.kind if mention else None
        if kind == PATH or (kind is None and "/" in token.text and self._is_folder(at)):
            return self._path(at)
        if len(token.text) > _LONGEST:
            return None
        if kind is None:
            return self._name(at)
        if kind == PERSON:
            return self._handle(at)
        if kind == CODE:
            return self._code(at)
        name = shapes.bare(token.text)
        return self.one(at, shapes.identifier(name), LIKELY, name) if kind in (NAME, FLAG) else None

    def _is_template(self, at: int) -> bool:
        """Tell whether it is part of a text with a hole: "hotfix/<date>", "<topic>.dlq"."""
        token = self.tokens[at]
        behind, before = self.low(at + 1), self.low(at - 1)
        return (behind == "<" and self.tokens[at + 1].start == token.end) or (
            before == ">" and self.tokens[at - 1].end == token.start
        )

    def _status(self, at: int) -> Spot | None:
        is_status = self.low(at) in _STATUS and self.low(at - 1) in _STATUS_BEFORE
        return self.one(at, "error", LIKELY) if is_status else None

    def _handle(self, at: int) -> Spot | None:
        """Read "@ada" as a person, "@Value" as an annotation, and an e-mail address as neither."""
        text = self.tokens[at].text
        if text[0] != "@" or self.low(at - 1) == "(":
            return None
        return self.one(at, "concept" if text[1:2].isupper() or "." in text else "person", SURE)

    def _is_folder(self, at: int) -> bool:
        """Tell whether words that a slash joins are a path: "in ops/crontab", but not "read/write"."""
        text = self.tokens[at].text
        pieces = text.rstrip("/*").split("/")
        if not all(piece.replace("-", "").replace("_", "").isalnum() and len(piece) > 1 for piece in pieces):
            return False
        is_placed = self.low(at - 1) in _PLACING or "-" in text
        return text.endswith("/") or (len(pieces) == 2 and text.islower() and is_placed)

    def _path(self, at: int) -> Spot | None:
        text = shapes.without_line(self.tokens[at].text)
        if text[1:2] == "/" and text[0].isalpha() and text[2:3].isdecimal():
            return None  # f/1.8
        is_route = text[0] == "/" and not shapes.is_rooted(text)
        return self.one(at, "concept" if is_route else "file", LIKELY if is_route else SURE, text)

    def _code(self, at: int) -> Spot | None:
        token = self.tokens[at]
        if token.text.isdecimal():
            return self._status(at)
        if token.text.startswith("0x"):
            return None
        name = shapes.bare(token.text)
        if name.endswith(shapes.FAULTS):
            return self.one(at, "error", SURE, name)
        return self.one(at, "concept" if name[:1].islower() else "error", LIKELY, name)

    def _name(self, at: int) -> Spot | None:
        """Classify another word with a capital or a sign: a status, an abbreviation, a package, a person."""
        text, low = self.tokens[at].text, self.tokens[at].low
        if not text[0].isalpha():
            is_status = low[:-1] in _STATUS and low[-1] == "s"
            return self.one(at, "error", LIKELY, text[:-1]) if is_status else None
        if "-" in low:
            return self._kebab(at)
        if not text.isalpha():
            return None
        if low in _NO_NAMES:
            return None
        if text.isupper() or (text[-1] == "s" and text[:-1].isupper() and len(text) > 3):
            return self._capitals_only(at)
        return self._person(at) or self._unknown(at)

    def _person(self, at: int) -> Spot | None:
        token = self.tokens[at]
        if token.low not in FIRST_NAMES:
            return None
        end = at + 2 if self._is_surname(at + 1) else at + 1
        return Spot(at, end, " ".join(one.text for one in self.tokens[at:end]), "person", SURE)

    def _is_surname(self, at: int) -> bool:
        if at >= len(self.tokens) or self.tokens[at].kind != WORD or self.tokens[at].begins:
            return False
        text, low = self.tokens[at].text, self.tokens[at].low
        return text[0].isupper() and text[1:].islower() and low not in _NO_NAMES and low not in self.lexicon.single

    def _capitals_only(self, at: int) -> Spot | None:
        text, low = self.tokens[at].text, self.tokens[at].low
        if low == "adr" and self.low(at + 1).isdecimal():
            return Spot(at, at + 2, f"{text} {self.low(at + 1)}", "decision", SURE)
        if self.low(at + 1) == "=" and len(text) > 2:
            return self.one(at, "concept", LIKELY)
        return self.one(at, "concept", GUESSED) if 2 < len(text) <= 6 else None

    def _unknown(self, at: int) -> Spot | None:
        """Take an unknown word with a capital within a sentence as a product, if something is told of it."""
        token = self.tokens[at]
        if token.begins or not token.text[1:].islower() or len(token.text) < 3:
            return None
        neighbours = self.tokens[max(0, at - 1) : at + 2 : 2]
        return None if any(one.text[:1].isupper() for one in neighbours) else self.one(at, "tool", GUESSED)

    def _kebab(self, at: int) -> Spot | None:
        token = self.tokens[at]
        type = shapes.kebab(token.low)
        entry = self.lexicon.single.get(token.low.partition("-")[0])
        if type == "project" and entry and entry.type == "tool":
            type = "tool"  # redis-server
        if not type and token.text.upper().startswith("ADR-"):
            type = "decision"
        if not type and token.text.startswith("X-"):
            type = "concept"
        if type:
            return self.one(at, type, LIKELY)
        return self.one(at, "project", GUESSED) if shapes.is_compound(token.low) else None

    def _before(self, at: int) -> list[str]:
        return [token.low for token in self.tokens[max(0, at - 4) : at]]
