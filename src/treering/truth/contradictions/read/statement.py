"""Read what a clause says: its subject, its values, and whether it says yes or no."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from treering.truth.contradictions.read.lexicon import (
    ALSO,
    CHANGE,
    EPISODE,
    FUNCTION,
    GONE,
    GONE_PAIRS,
    HARMLESS,
    LEAVERS,
    MOVES,
    NEGATORS,
    ONCE,
    RENAMED,
    TOLD,
    WEAK,
    family,
)
from treering.truth.contradictions.read.quantity import Quantity, quantities
from treering.truth.contradictions.read.sentence import COPULAS, Mood, clauses, mood
from treering.truth.contradictions.read.tokens import Token, stem

MOST_STATEMENTS = 60  # of one text
AMOUNT = "#"  # in an intro: a number stands there
_KEPT = 512  # texts whose statements are kept: a new memory is compared with many
_CLEAR = 2  # negations of a statement that a reader can still follow
_EARLY = 8  # tokens among which the verb of a statement stands
_GONE_EARLY = 2  # words among which the thing stands that is gone


class Word(NamedTuple):
    stem: str  # of its family, if it has an opposite
    intro: tuple[str, ...]  # the function words before it: is in, with
    at: int  # its token
    weak: bool
    name: bool


class Statement(NamedTuple):
    tokens: tuple[Token, ...]
    words: tuple[Word, ...]
    strong: frozenset[str]  # what it is about
    every: frozenset[str]  # the weak words too
    amounts: tuple[Quantity, ...]
    negated: bool
    denial: tuple[int, int]  # where it says no, or the whole
    old: frozenset[str]  # what it says is no longer so
    label: frozenset[str]
    also: bool
    episode: bool
    change: bool
    renamed: bool
    definite: bool  # the owner is, not an owner is
    mood: Mood
    denials: int

    def place(self, first: int, last: int) -> tuple[int, int]:
        """Return the characters of some tokens."""
        return self.tokens[first].start, self.tokens[last].end


@lru_cache(_KEPT)
def statements(text: str) -> tuple[Statement, ...]:
    found: list[Statement] = []
    for clause, label in clauses(text):
        made = _statement(clause, label)
        if made is not None:
            found.append(made)
        if len(found) == MOST_STATEMENTS:
            break
    return tuple(found)


def _statement(clause: list[Token], label: frozenset[str]) -> Statement | None:
    amounts = quantities(clause)
    reader = _Reader(clause, {at for amount in amounts for at in range(amount.first, amount.end)})
    words = reader.words
    if reader.denials > _CLEAR or not words:
        return None
    lows = [token.low for token in clause]
    pairs = set(pairwise(lows))
    told = mood(clause)
    is_episode = (
        told.past or _is_episode(clause) or ("yesterday" in lows and not reader.change) or _is_entry(clause, amounts)
    )
    return Statement(
        tuple(clause),
        tuple(words),
        frozenset([word.stem for word in words if not word.weak]),
        frozenset([word.stem for word in words]),
        tuple(amounts),
        reader.denials % 2 == 1,
        reader.denial or (clause[0].start, clause[-1].end),
        frozenset(reader.old) or (frozenset() if is_episode else _gone(words, pairs)),
        label,
        not ALSO.isdisjoint(lows) or ("as", "well") in pairs,
        is_episode,
        reader.change,
        not pairs.isdisjoint(RENAMED),
        lows[0] in DEFINITE or ":" in lows or any(token.owner for token in clause[:_EARLY]) or _is_heading(words),
        told,
        reader.denials,
    )


DEFINITE = frozenset("the our my your its their his her this".split())
_BE = frozenset("is are was were be been being get gets got has have had isn't aren't not a an".split())
_INFINITIVES = frozenset("to can may must should will would could do does don't can't cannot".split())
_ADVERBS = frozenset("now always never still also only just already currently usually longer no not".split())


def _is_heading(words: Sequence[Word]) -> bool:
    """Tell whether it begins with two nouns without an article: package manager is …."""
    is_start = len(words) > 2 and words[0].at == 0 and not words[1].intro and not words[1].name
    return is_start and any("is" in word.intro for word in words[2:4])


def _is_episode(clause: Sequence[Token]) -> bool:
    """Tell whether it is told in the past, and says nothing of now."""
    before = ""
    for token in clause[:_EARLY]:
        if token.low in EPISODE and before not in _BE and before not in _INFINITIVES:
            return True
        if token.low.endswith("ed") and len(token.low) > 4 and before not in _BE and not token.name:
            stands = token.stem in CHANGE or token.stem in ONCE or token.stem in TOLD
            return not stands and before not in DEFINITE and bool(before)
        if token.low not in _ADVERBS:
            before = "is" if token.owner else token.low  # what's pinned, the user's preferred
    return False


def _is_entry(clause: Sequence[Token], amounts: Sequence[Quantity]) -> bool:
    """Tell whether it is an entry of a log, without a subject: replaced the filter on 3 May."""
    begins = clause[0].low.endswith("ed") and len(clause) > 1 and clause[1].low in FUNCTION
    is_result = any(token.low == "to" for token in clause)
    return begins and (clause[0].stem not in CHANGE or not is_result) and any(one.dimension == "day" for one in amounts)


def _gone(words: Sequence[Word], pairs: Set[tuple[str, str]]) -> frozenset[str]:
    """Return what is said to be gone: RabbitMQ has been switched off, Falcon is now called Kestrel."""
    missing = [word for word in words if not word.weak]
    exists = any(not _EXISTS.isdisjoint(pair) for pair in pairs)
    if len(missing) == 1 and missing[0].intro[-1:] == ("no",) and exists:
        return frozenset([missing[0].stem])
    paired = not pairs.isdisjoint(GONE_PAIRS) or not pairs.isdisjoint(RENAMED)
    ends = [word for word in words if "is" in word.intro and _STILL.isdisjoint(word.intro)]
    if len(words) < _GONE_EARLY or not any(paired or word.stem in GONE for word in ends):
        return frozenset()
    is_subject = "is" in words[1].intro or words[1].intro[:1] == ("and",)
    alone = words[0].stem if is_subject and not words[0].weak else ""
    return frozenset([word.stem for word in words[:_GONE_EARLY] if word.name or word.stem == alone])


_STILL = frozenset("no must should may".split())  # be removed: it is there
_EXISTS = frozenset("have has there there's left".split())  # or no more
_SIGNS = frozenset(":=,;()→")
_LONGER = frozenset("longer anymore".split())
_STAYS = frozenset("to for in with by on at and , :".split())
_HAVING = frozenset("has have had we i they he she we've they've".split())
_SWITCHED = frozenset("is are was be turned stays stay".split())
_SWITCHES = {"on": "enable", "off": "disable"}
_AFTER_SWITCH = frozenset(["", ",", *"by in for at and during when while since".split()])
_ENDS = frozenset("avoid skip stop".split())
_LAST = frozenset("last this next".split())
_PERIODS = frozenset("week month year quarter spring summer autumn winter morning weekend".split())
# Worker and payment are things, though to work and to pay say little.
_DOERS = ("er", "ers", "or", "ors", "ment", "ments")
_NO_DOERS = frozenset("moment number numbers later prefer lower transfer".split())


_SHORT_NAMES = frozenset(("us", "it"))


def _is_letter(at: int, token: Token) -> bool:
    """Tell whether a function word is a name by its capitals: server A, the US, the IT department."""
    return at > 0 and token.name and (token.low in _SHORT_NAMES or (len(token.low) == 1 and token.low != "i"))


class _Reader:
    """Read a clause once: words with what introduces them, negations, what is no longer so."""

    def __init__(self, clause: Sequence[Token], taken: Collection[int]) -> None:
        self._clause = clause
        self.words: list[Word] = []
        self.old: set[str] = set()
        self.denials = 0
        self.denial: tuple[int, int] | None = None
        self.change = any(token.stem in CHANGE for token in clause)
        self._intro: list[str] = []
        self._leaving = ""  # what follows is what was left: any word, or only a name
        for at, token in enumerate(clause):
            if at in taken:
                self._leaving = ""
                self._intro.append(AMOUNT)
            else:
                self._read(at, token)

    def _read(self, at: int, token: Token) -> None:
        if self._denies(at, token):
            if at and self._clause[at - 1].low == ",":
                self._leaving = "word"  # tabs, not spaces
            else:
                self._deny(token)
            self._intro.append("no")
        elif token.low in _SWITCHES and self._is_switched(at):
            self._add(at, token._replace(low=_SWITCHES[token.low], stem=stem(_SWITCHES[token.low])))
        elif (token.low in FUNCTION and not _is_letter(at, token)) or token.low in _SIGNS or token.low in _LONGER:
            if token.low in _STAYS:
                self._leaving = ""
            if self._leaves(at, token.low):
                self._leaving = "word"
            self._intro.append("is" if token.low in COPULAS else token.low)
        elif token.low in LEAVERS and at and _HAVING.issuperset(self._intro):
            self._leaving, self._intro = "name", []
        elif not (self.change and self._is_lately(at)):
            self._add(at, token)

    def _add(self, at: int, token: Token) -> None:
        by_hand = token.low == "hand" and self._intro[-1:] == ["by"]
        stemmed, opposite = family(*(("manual", "manual") if by_hand else (token.low, token.stem)))
        if opposite and not self._leaving:
            self._deny(token)
        is_name = token.name and (at > 0 or not token.low.isalpha())
        is_weak = token.stem in WEAK and not is_name and (not token.low.endswith(_DOERS) or token.low in _NO_DOERS)
        if not self._leaving:
            self.words.append(Word(stemmed, tuple(self._intro), at, is_weak, is_name))
        elif is_name or self._leaving == "word":
            self.old.add(stemmed)
        self._intro = []

    def _deny(self, token: Token) -> None:
        self.denials += 1
        self.denial = self.denial or (token.start, token.end)

    def _denies(self, at: int, token: Token) -> bool:
        if token.low not in NEGATORS or (token.name and at > 0 and self._clause[at - 1].low not in _SIGNS):
            return False  # returns None
        if at and token.low in _ENDS and self._clause[at - 1].low == "to":
            return False  # to avoid a restart: what for
        return (self._clause[at + 1].low if at + 1 < len(self._clause) else "") not in HARMLESS

    def _is_switched(self, at: int) -> bool:
        """Tell whether on or off is a state: it is on, it was turned off; not on Friday."""
        following = self._clause[at + 1].low if at + 1 < len(self._clause) else ""
        return at > 0 and self._clause[at - 1].low in _SWITCHED and following in _AFTER_SWITCH

    def _leaves(self, at: int, low: str) -> bool:
        """Tell whether what follows was left: instead of, rather than, moved from … to."""
        if low == "from" and any(token.stem in MOVES for token in self._clause[:at]):
            return any(token.low == "to" for token in self._clause[at:])
        before = self._clause[at - 1].low if at else ""
        return (before, low) in (("instead", "of"), ("rather", "than"))

    def _is_lately(self, at: int) -> bool:
        """Tell whether it is when a thing changed: last week."""
        near = self._clause[max(0, at - 1) : at + 2]
        return any(a.low in _LAST and b.low in _PERIODS for a, b in pairwise(near))
