"""What a word is by the words around it: a person, a part of a system, a package, an HTTP status."""

from __future__ import annotations

from treering.core.tuples import NamedTuple
from treering.core.words import STOP_WORDS
from treering.graph.names import cues, people, shapes
from treering.graph.names.lexicon import LIKELY, SURE, UNSURE, lexicon
from treering.graph.names.terms import KINDS
from treering.graph.names.tokens import WORD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.graph.names.tokens import Token

_FAR = 12  # words on each side in which the talk is of HTTP
_TO = frozenset(("to", "from", "at", "back"))  # between a package and the version that it is pinned at
_LISTED = frozenset(("", ",", "and", "or", ".", ";", "\n", ")", "for", "from", "as", "directly"))
_OF_SYSTEMS = frozenset(("brew", "apt", "apt-get", "dnf"))  # they install programs


class Spot(NamedTuple):
    """A name in a text."""

    first: int  # token; -1 for what stands nowhere as it is named
    last: int  # the token behind it
    name: str
    type: str
    confidence: float
    version: str = ""


class Guesses:
    """A text's tokens, and what can be said of one of them by its neighbours."""

    def __init__(self, found: Sequence[Token]) -> None:
        self.tokens = found
        self.spots: list[Spot] = []
        self.lexicon = lexicon()

    def low(self, at: int) -> str:
        """The word at a place, in lower case; nothing beyond the ends."""
        return self.tokens[at].low if 0 <= at < len(self.tokens) else ""

    def around(self, at: int, far: int) -> list[str]:
        return [token.low for token in self.tokens[max(0, at - far) : at + far + 1]]

    def one(self, at: int, type: str, sure: float, name: str = "") -> Spot:
        """A spot of one token."""
        return Spot(at, at + 1, name or self.tokens[at].text, type, sure)

    def kind(self, at: int) -> str:
        """What the noun behind a name says that it is, or the one before."""
        return KINDS.get(self.low(at + 1), "") or KINDS.get(self.low(at - 1), "")

    def package(self, at: int) -> Spot | None:
        """ "pip install X", "imports X", "pinning X to 1.2": a word that is the name of a package."""
        low, before = self.low(at), self.low(at - 1)
        if len(low) < 3 or low in STOP_WORDS or low in KINDS or low in cues.NO_PACKAGES:
            return None
        if before in cues.PINNING:
            pinned = self.low(at + 1) in _TO and shapes.is_version(self.low(at + 2))
            return self.one(at, "library", LIKELY) if pinned else None
        if before in ("install", "add", "get", "require"):
            installer = self.lexicon.single.get(self.low(at - 2))
            if not installer or installer.type not in ("tool", "library"):
                return None
            return self.one(at, "tool" if self.low(at - 2) in _OF_SYSTEMS else "library", LIKELY)
        return self.one(at, "library", UNSURE) if self.low(at + 1) in _LISTED else None

    def status(self, at: int) -> Spot | None:
        """An HTTP status, where the words around it say so."""
        text, before = self.tokens[at].text, self.low(at - 1)
        if text not in cues.STATUS or before not in cues.STATUS_BEFORE or self.low(at + 1) in cues.UNITS:
            return None
        is_http = before in cues.STATUS_SURE or not cues.HTTP.isdisjoint(self.around(at, _FAR))
        return self.one(at, "error", LIKELY) if is_http else None

    def person(self, at: int) -> Spot | None:
        token = self.tokens[at]
        before, following = self.low(at - 1), self.low(at + 1)
        known, unsure = token.low in people.FIRST_NAMES, token.low in people.UNSURE_NAMES
        pair = f"{self.low(at - 2)}/{before}" in people.PERSON_PAIRS
        acts = following in people.PERSON_VERBS or before in people.PERSON_BEFORE or before in people.TITLES
        if token.low in people.ROLES or (not known and not (pair or acts)):
            return None
        if not known and token.begins and not unsure and following not in cues.SPEAKING:
            return None
        end = at + 2 if self._is_surname(at + 1) else at + 1
        name = " ".join(one.text for one in self.tokens[at:end])
        return Spot(at, end, name, "person", SURE if known else LIKELY if unsure or pair else UNSURE)

    def _is_surname(self, at: int) -> bool:
        if at >= len(self.tokens) or self.tokens[at].kind != WORD or self.tokens[at].begins:
            return False
        text, low = self.tokens[at].text, self.tokens[at].low
        plain = text[0].isupper() and text[1:].islower()
        return plain and low not in cues.NO_NAMES and low not in self.lexicon.single

    def part(self, at: int) -> Spot | None:
        """ "the scheduler", "the image worker", "the search service"; not "the checkout step"."""
        low, owner, article = self.low(at), self.low(at - 1), self.low(at - 2)
        is_taken = bool(self.spots) and self.spots[-1].last > at - 1
        is_owned = article in cues.THE and owner.isalpha() and owner not in cues.NO_OWNERS and not is_taken
        if low in cues.OWNED:
            return Spot(at - 1, at + 1, owner, "project", UNSURE) if is_owned else None
        following = self.low(at + 1)
        if following.isalpha() and following not in STOP_WORDS and following not in cues.VERBS:
            return None
        if owner in cues.THE or owner in cues.VERBS or self.tokens[at].begins:
            return self.one(at, "project", UNSURE)
        return Spot(at - 1, at + 1, f"{owner} {low}", "project", UNSURE) if is_owned else None
