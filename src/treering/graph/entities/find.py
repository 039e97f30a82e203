"""Find what a text names: spots in its tokens, each with a name, a type and a certainty."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from treering.graph.entities import cues, shapes
from treering.graph.entities.cues import Guesses, Spot
from treering.graph.entities.lexicon import CAPITAL, GUESSED, KINDS, LIKELY, PARTS, SURE, UNSURE, lexicon
from treering.graph.entities.shapes import LINK, QUOTE, SIGN, SPEECH, WORD, Token
from treering.text.mentions import CODE, FLAG, NAME, PATH, PERSON, mention_in
from treering.text.words import STOP_WORDS

_NAMING = cues.INSTALLING | cues.PINNING  # behind these any word may be a name
_LONGEST = 64  # characters of a name that is no path: what is longer is data
_LONGEST_PATH = 256
_NEAR = 3  # words on each side that say that a code is one of an error
_VERSIONED = frozenset(("tool", "library", "project", "concept"))


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
    return frozenset((*known.single, *known.phrases, *PARTS, *cues.OWNED, *cues.CRYING))


class Naming(Guesses):
    def __init__(self, found: Sequence[Token]) -> None:
        super().__init__(found)
        self._capitals: set[str] | None = None
        telling, naming, no_names = _telling(), _NAMING, cues.NO_NAMES
        behind = 0
        before = ""
        for at, (text, low, _, _, kind, _) in enumerate(found):
            is_plain = (text == low and low.isalpha()) or low in no_names
            is_word = kind == WORD and is_plain and low not in telling and before not in naming
            before = low
            if is_word or kind == SIGN or at < behind:
                continue
            spot = self._spot(at)
            if spot:
                spot = self._versioned(spot)
                self.spots.append(spot)
                behind = spot.last

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
        if low in cues.CRYING and self.low(at + 1) == ":":
            return self._message(at)
        if low in PARTS or low in cues.OWNED:
            return self.part(at)
        before = self.low(at - 1)
        if before in cues.INSTALLING or before in cues.PINNING:
            return self.package(at)
        return None

    def _phrase(self, at: int) -> Spot | None:
        for words, type in self.lexicon.phrases[self.low(at)]:
            end = at + len(words)
            if words == tuple([token.low for token in self.tokens[at:end]]):
                name = " ".join(token.text for token in self.tokens[at:end])
                is_product = type in ("tool", "library")
                if is_product and name.islower() and self.lexicon.single.keys().isdisjoint(words):
                    continue  # "event store", "good job": plain words, unless they are written as a name
                return Spot(at, end, name, type, SURE if type in ("tool", "library") else LIKELY)
        return None

    def _known(self, at: int, type: str) -> Spot | None:
        token = self.tokens[at]
        if type == "pattern" and self.low(at + 1) == "pattern":
            return Spot(at, at + 2, f"{token.text} pattern", type, SURE)
        if token.text.islower() and token.low in cues.WORDS_TOO:
            return None
        if token.low == "http" and self.low(at + 1) in cues.STATUS:
            return Spot(at, at + 2, self.tokens[at + 1].text, "error", SURE)
        if type == "library" and token.text.isupper() and len(token.text) < 5:
            return None  # UV is light, uv a tool
        return self.one(at, type, SURE)

    def _is_proper(self, at: int, proper: int) -> bool:
        """Tell whether a word that is also an English one is meant as a name here."""
        token = self.tokens[at]
        following = self.low(at + 1)
        if token.text[0].isupper():
            if not token.begins or proper == CAPITAL:
                return len(token.text) > 1
            return shapes.is_version(following) or following in cues.NAME_VERBS or token.text in self._inner()
        if token.low in cues.NUMBERED and shapes.is_version(following):
            return self.low(at - 1) not in cues.PLACED_ON
        if proper == CAPITAL and following in cues.TECHNICAL:
            return True
        if self.low(at - 1) in cues.TAKING and (following in cues.ENDING or not following):
            return True
        pinned = self.low(at - 1) in cues.PINNING and following in ("to", "from", "at", "back")
        return pinned or ("." in following and shapes.is_version(following)) or self.low(at - 1) in cues.INSTALLING

    def _inner(self) -> set[str]:
        """Return the words that have a capital within a sentence."""
        if self._capitals is None:
            self._capitals = {one.text for one in self.tokens if not one.begins and one.text[:1].isupper()}
        return self._capitals

    def _versioned(self, spot: Spot) -> Spot:
        """Extend a spot by the version behind it, which is no entity by itself."""
        if spot.type not in _VERSIONED:
            return spot
        low = self.low(spot.last)
        if low and shapes.is_version(low) and self.low(spot.last + 1) not in cues.UNITS:
            return spot._replace(last=spot.last + 1, version=low.removeprefix("v"))
        return spot

    def _quote(self, at: int) -> Spot | None:
        """Read backticks: a name, or a line of code of which the first word may be one."""
        token = self.tokens[at]
        words = token.text.split()
        if not words:
            return None
        if len(words) > 1:
            return self._line(at, words)
        word = token.text.strip()
        entry = self.lexicon.single.get(token.low)
        kind = self.kind(at)
        if entry and (not kind or kind == entry.type):
            return self.one(at, entry.type, SURE if not entry.proper else LIKELY, word)
        if kind and kind != "convention" and not shapes.is_file(word):
            return self.one(at, kind, SURE, shapes.bare(word))
        type = shapes.quoted(word, self.low(at - 1))
        return self.one(at, type, LIKELY, shapes.bare(word)) if type else None

    def _line(self, at: int, words: list[str]) -> Spot | None:
        token = self.tokens[at]
        first = words[0].lower()
        entry = self.lexicon.single.get(first)
        if entry and entry.type in ("tool", "library"):
            return self.one(at, entry.type, LIKELY, words[0])
        if first in cues.RUNNERS:
            return self.one(at, "tool", UNSURE, words[0])
        head = words[0].rstrip(":=")
        if head.endswith(shapes.FAULTS) and head[:1].isupper():
            return self.one(at, "error", SURE, head)
        if shapes.is_message(token.low, self._before(at)):
            return self.one(at, "error", LIKELY)
        mention = mention_in(head, "") if 1 < len(head) < _LONGEST else None
        if mention and mention.kind in (NAME, CODE):
            return self.one(at, "error" if mention.kind == CODE else "concept", UNSURE, shapes.bare(head))
        is_setting = head != words[0] or words[1] in ("=", ":", "??")
        return self.one(at, "concept", UNSURE, head) if is_setting and head[:1].isalpha() else None

    def _speech(self, at: int) -> Spot | None:
        token = self.tokens[at]
        is_reported = token.begins and token.low.count(" ") > 1 and self.low(at + 1) in cues.REPORTING
        if is_reported or shapes.is_message(token.low, self._before(at)):
            return self.one(at, "error", LIKELY)
        entry = self.lexicon.single.get(token.low)
        return self.one(at, entry.type, LIKELY) if entry and not entry.proper else None

    def _shaped(self, at: int) -> Spot | None:
        """Find a name by how it is written."""
        token = self.tokens[at]
        if len(token.text) > _LONGEST_PATH or self._is_template(at):
            return None
        if token.text.isdecimal():
            return self.status(at)
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
        return self._identifier(at) if kind in (NAME, FLAG) else None

    def _is_template(self, at: int) -> bool:
        """Tell whether it is part of a text with a hole: "hotfix/<date>", "<topic>.dlq"."""
        token = self.tokens[at]
        behind, before = self.low(at + 1), self.low(at - 1)
        return (behind == "<" and self.tokens[at + 1].start == token.end) or (
            before == ">" and self.tokens[at - 1].end == token.start
        )

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
        if text.endswith("/"):
            return True
        if len(pieces) != 2 or pieces[0].lower() in cues.PAIRED or not text.islower():
            return False
        is_placed = self.low(at - 1) in cues.PLACING or "-" in text or pieces[0] in cues.FOLDERS
        return is_placed or (self.tokens[at].begins and self.low(at + 1) in STOP_WORDS)

    def _path(self, at: int) -> Spot | None:
        following = self.low(at + 1)
        text = shapes.without_line(self.tokens[at].text)
        if text[1:2] == "/" and text[0].isalpha() and text[2:3].isdecimal():
            return None  # f/1.8
        is_route = self.low(at - 1) in cues.METHODS or following in ("endpoint", "route", "endpoints")
        if is_route or (text[0] == "/" and not shapes.is_rooted(text)):
            return self.one(at, "concept", LIKELY, text)
        is_package = following in ("image", "module", "package", "plugin") or shapes.is_version(following)
        if is_package and text.count("/") == 1 and not shapes.is_file(text) and text[0].isalpha():
            return self.one(at, "library", LIKELY, text)
        return self.one(at, "file", SURE, text)

    def _code(self, at: int) -> Spot | None:
        token = self.tokens[at]
        if token.text.isdecimal():
            return self.status(at)
        if token.text.startswith("0x") or token.low in cues.COMMON_CAPS:
            return None
        name = shapes.bare(token.text)
        if name.endswith(shapes.FAULTS):
            return self.one(at, "error", SURE, name)
        if shapes.code_type(name) == "concept":
            return self.one(at, "concept", LIKELY, name)
        if (
            name.isalpha()
            or "-" in name
            or shapes.is_error_code(name)
            or not cues.FAULTY.isdisjoint(self.around(at, _NEAR))
        ):
            return self.one(at, "error", LIKELY, name)
        return self.one(at, "concept", UNSURE, name)

    def _identifier(self, at: int) -> Spot | None:
        name = shapes.bare(self.tokens[at].text)
        kind = self.kind(at)
        type = shapes.identifier(name)
        if kind in ("project", "library", "error") and type != "file":
            type = kind
        return self.one(at, type, LIKELY, name) if type else None

    def _name(self, at: int) -> Spot | None:
        """Classify another word with a capital or a sign: a status, an abbreviation, a package, a person."""
        text, low = self.tokens[at].text, self.tokens[at].low
        if not text[0].isalpha():
            is_status = low[:-1] in cues.STATUS and low[-1] == "s"
            return self.one(at, "error", LIKELY, text[:-1]) if is_status else None
        if "-" in low:
            return self._kebab(at)
        if not text.isalpha():
            return self.one(at, "concept", UNSURE) if shapes.is_numbered(text) else None
        if low in cues.NO_NAMES:
            return None
        if text.isupper() or (text[-1] == "s" and text[:-1].isupper() and len(text) > 3):
            return self._capitals_only(at)
        return self.person(at) or self._unknown(at)

    def _capitals_only(self, at: int) -> Spot | None:
        text, low = self.tokens[at].text, self.tokens[at].low
        if low == "adr" and self.low(at + 1).isdecimal():
            return Spot(at, at + 2, f"{text} {self.low(at + 1)}", "decision", SURE)
        if self.low(at + 1) == "=" and len(text) > 2:
            return self.one(at, "concept", LIKELY)
        if not 2 < len(text) <= 6 or low in cues.COMMON_CAPS or low.rstrip("s") in cues.COMMON_CAPS:
            return None
        failing = self.low(at - 1) == "with" and not cues.FAILING.isdisjoint(self._before(at))
        return self.one(at, "error" if failing else "concept", UNSURE)

    def _unknown(self, at: int) -> Spot | None:
        """Take an unknown word with a capital within a sentence as a product, if something is told of it."""
        token = self.tokens[at]
        if token.begins or not token.text[1:].islower() or len(token.text) < 3 or token.low in cues.CAPITALISED:
            return None
        neighbours = self.tokens[max(0, at - 1) : at + 2 : 2]
        return None if any(one.text[:1].isupper() for one in neighbours) else self.one(at, "tool", GUESSED)

    def _message(self, at: int) -> Spot | None:
        """Take the rest of the sentence as a message: "panic: assignment to entry in nil map"."""
        end = at + 2
        while end < len(self.tokens) and end < at + 12 and self.tokens[end].kind == WORD:
            end += 1
        if not 2 < end - at - 2 < 10 or (end < len(self.tokens) and self.low(end) not in (".", "\n")):
            return None
        return Spot(at, end, " ".join(token.text for token in self.tokens[at + 2 : end]), "error", UNSURE)

    def _kebab(self, at: int) -> Spot | None:
        token = self.tokens[at]
        if token.low.endswith(cues.ENGLISH_ENDS):
            return None
        type, kind = shapes.kebab(token.low), self.kind(at)
        first, _, last = token.low.partition("-")
        entry = self.lexicon.single.get(first)
        if type == "project" and entry and entry.type == "tool" and last in cues.PROGRAMS:
            type = "tool"  # redis-server
        if not type and kind in ("project", "library") and token.low.replace("-", "").isalnum():
            type = kind
        if not type and token.text.upper().startswith("ADR-"):
            type = "decision"
        if not type and token.text.startswith("X-"):
            type = "concept"
        if not type and KINDS.get(self.low(at - 1)) == "concept" and token.low.count("-") <= 2:
            type = "concept"
        if type:
            return self.one(at, type, LIKELY)
        following = self.low(at + 1)
        is_alone = following in KINDS or following in STOP_WORDS or not following.isalpha() or following in cues.VERBS
        return self.one(at, "project", GUESSED) if is_alone and shapes.is_compound(token.low) else None

    def _before(self, at: int) -> list[str]:
        return [token.low for token in self.tokens[max(0, at - 4) : at]]
