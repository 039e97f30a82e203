"""Read a text word by word: its values, numbers, negations and content words, each with its role."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from treering.evolve.sameness import lexicon, pieces
from treering.evolve.sameness.lexicon import PAST, stem
from treering.evolve.sameness.pieces import NUMBERS, UNITS, is_time, measured

READ = 2_000  # characters: what is longer is a document, whose rest is compared as it stands
_KEPT = 4_096  # texts whose readings are kept: pairs come in groups that share one side
_NEAR = 2  # words behind a negation that it is about
_FAR = 8  # words behind it among which these are
_LATE = 3  # words between a negation and the time that it is about: not been accessed in the last 30 days

LITERAL, NUMBER, FLAG, NAME, WORD, LIGHT = "value", "number", "flag", "name", "word", "light"
ACT = 1  # a how-to that names a value, but no file: one only beside another
THEM = "them"  # in the place of a preposition: what is done to a thing that was named before
_NO_SIZE = "0 byte"
_PERSONS = frozenset(("he", "she"))
_ADVERB = "ly"  # stands anywhere
_MAY = "May"  # the month
_NO_CASE = "nocas"
_RECURSIVELY = "recursiv"


class Token(NamedTuple):
    kind: str
    key: str  # by which it meets its like in the other text
    text: str  # as it is told to a person
    marker: str  # the preposition that leads to it
    phrase: int
    item: int  # of a list within the phrase
    sentence: int
    clause: str  # if, because: of the clause that it stands in
    is_passive: bool
    base: str  # its key where there is no how-to


class Reading(NamedTuple):
    tokens: tuple[Token, ...]
    keys: frozenset[str]  # of all but the light words
    negated: tuple[tuple[str, ...], ...]  # for each negation, what it is about
    moods: frozenset[str]
    how_to: int  # for a shell: surely, perhaps or not
    words: tuple[str, ...]  # as they stand, folded


@lru_cache(_KEPT)
def read(text: str) -> Reading:
    return _Reader(text).reading()


def plain(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return tokens with their verbs as they are meant outside of how-tos."""
    return tuple([token if token.key == token.base else token._replace(key=token.base) for token in tokens])


class _Reader:
    """One pass over the pieces of a text."""

    def __init__(self, text: str) -> None:
        self.pieces = pieces.pieces(text)
        self.tokens: list[Token] = []
        self.negations: list[int] = []  # the tokens before each
        self.moods: set[str] = set()
        self.marker, self.clause = "", ""
        self.phrase, self.item, self.sentence = 0, 0, 0
        self.is_opening = True  # a clause begins here
        self.is_start = True  # a sentence begins here
        self.is_searching = False  # in a place that is named before the thing
        self.is_front = False  # in a phrase with which a sentence begins
        self.is_being = False  # behind is, was, been

    def reading(self) -> Reading:
        at = 0
        while at < len(self.pieces):
            at += self._piece(at)
        first = next((token.key for token in self.tokens if token.key != _RECURSIVELY), "")
        how_to = self._how_to(first)
        self._turn_times()
        tokens = tuple(self.tokens) if how_to else plain(self.tokens)
        keys = frozenset([token.key for token in tokens if token.kind != LIGHT])
        words = tuple([text if text == _MAY else text.lower() for kind, text in self.pieces if kind != pieces.POINT])
        negated = tuple(map(self._about, self.negations))
        return Reading(tokens, keys, negated, frozenset(self.moods), how_to, words)

    def _how_to(self, first: str) -> int:
        if first not in lexicon.ACTS:
            return 0
        if any(token.key in lexicon.THINGS for token in self.tokens):
            return ACT + 1
        return ACT if any(token.kind == LITERAL for token in self.tokens) else 0

    def _piece(self, at: int) -> int:
        """Read the piece at a place, and return how many pieces that took."""
        kind, text = self.pieces[at]
        if kind == pieces.POINT:
            self._point(text)
        elif kind == pieces.NUMBER or (kind == pieces.WORD and text.lower() in NUMBERS):
            return self._number(at, text)
        elif kind == pieces.WORD:
            taken = self._phrase(at)
            self.is_start = False
            return taken
        elif kind == pieces.FLAG:
            self._add(FLAG, text, text)
        else:
            inner = " ".join(text[1:-1].split()) if kind == pieces.QUOTE else text
            key = pieces.plain(inner)
            self._add(LIGHT if inner in pieces.PLACES and key in lexicon.LIGHT else LITERAL, key, inner or text)
        return 1

    def _point(self, text: str) -> None:
        if text in (",", "&"):
            self.item += 1
            self.clause = ""
            if self.is_front:
                self._part("")
        else:
            self._part("")
            if "?" in text:
                self.moods.add("question")
            if text not in "()":
                self.sentence += 1
                self.is_start = True
                self.clause = ""
        self.is_opening = True

    def _part(self, marker: str) -> None:
        self.marker, self.item = marker, 0
        self.phrase += 1
        self.is_front = marker != "" and not self._is_begun()

    def _is_begun(self) -> bool:
        """Tell whether this sentence has words already."""
        return bool(self.tokens) and self.tokens[-1].sentence == self.sentence

    def _add(self, kind: str, key: str, text: str, is_passive: bool = False, base: str = "") -> None:
        is_adverb = key == _NO_CASE or (text.endswith(_ADVERB) and key != "only")
        marker = _ADVERB if is_adverb else self.marker
        place = (marker, self.phrase, self.item, self.sentence, self.clause)
        self.tokens.append(Token(kind, key, text, *place, is_passive, base or key))
        self.is_opening = self.is_opening and key == _RECURSIVELY  # recursively change
        self.is_start = self.is_being = False

    def _next(self, at: int) -> str:
        following = self.pieces[at + 1 : at + 2]
        return following[0][1].lower() if following and following[0][0] == pieces.WORD else ""

    def _is_before_number(self, at: int) -> bool:
        return [kind for kind, _ in self.pieces[at + 1 : at + 2]] == [pieces.NUMBER]

    def _number(self, at: int, text: str) -> int:
        low, followed = text.lower(), self._next(at)
        key, is_unit = measured(low, followed)
        if low == "one" and not is_unit:
            self._add(LIGHT, low, text)
            return 1
        said = f"{text} {followed}" if is_unit else text
        if key == _NO_SIZE:
            self._add(WORD, "empty", said)
        else:
            self._add(NUMBER, key, said)
        return 1 + is_unit

    def _phrase(self, at: int) -> int:
        """Read a phrase that counts as one word, or the one word that stands here."""
        text = self.pieces[at][1]
        low = text.lower().replace("\u2019", "'")
        if stem(low) in lexicon.PHRASE_HEADS:
            run: list[str] = []
            for kind, word in self.pieces[at : at + lexicon.LONGEST_PHRASE]:
                if kind != pieces.WORD:
                    break
                run.append(stem(word.lower()))
            for length in range(len(run), 0, -1):
                meant = lexicon.PHRASES.get(tuple(run[:length]))
                if meant is not None and self._is_meant(meant, run[0], at + length - 1):
                    self._word(" ".join([word for _, word in self.pieces[at : at + length]]), meant, at + length - 1)
                    if meant == lexicon.OWNED:
                        self._part("by")
                    return length
        self._word(text, low, at)
        return 1

    def _is_meant(self, meant: str, first: str, last: int) -> bool:
        return meant not in lexicon.MEASURING or first in lexicon.UNMEASURED or self._is_before_number(last)

    def _word(self, text: str, low: str, at: int) -> None:
        if text == _MAY and (not self.is_start or self._is_before_number(at)):
            self._add(NAME, _MAY, text)
            return
        if low.endswith("n't") or low in lexicon.NEGATIONS:
            self.negations.append(len(self.tokens))
            return
        low, _, tail = low.partition("'")
        if tail in lexicon.CONTRACTED:
            self._mood(lexicon.CONTRACTED[tail], at)
        if low == "user" and self._is_user(text, at):
            self.moods.add("i")  # the user prefers is what the user says as I prefer
            return
        if low in lexicon.BOUNDS and self._is_before_number(at):
            low = lexicon.BOUNDS[low]
        elif low in ("and", "or"):
            self.moods.add(low)
            self.item += 1
            self.is_opening = True
            return
        self._mark(low)
        self._mood(low, at)
        if low not in lexicon.STOP:
            self._content(text, low, at)
        elif not self.is_start and text.istitle() and len(low) > 1 and low not in lexicon.ARTICLES:
            self._add(NAME, low, text)  # of a title: Love Me Do
        elif low not in lexicon.ARTICLES and low not in lexicon.MARKERS:
            self._part("")

    def _is_user(self, text: str, at: int) -> bool:
        """Tell whether a sentence begins with the person, and not with "the user table"."""
        if self.clause or self._is_begun():
            return False
        return text.endswith("s") or self._next(at) in lexicon.DOING

    def _mark(self, low: str) -> None:
        """Mark the next words by a preposition, or by a word for what was named before."""
        if low in lexicon.MARKERS:
            is_sought = low == "for" and self.is_searching  # search a place for a thing: find the thing in the place
            if not (lexicon.MARKERS[low] == "every" and self.marker):
                self._part("" if is_sought else lexicon.MARKERS[low])
            self.is_searching = self.is_being = False
        elif low in lexicon.BACK and self.tokens and not self.is_opening:
            self.tokens[-1] = self.tokens[-1]._replace(marker=THEM)
            if low == "their":
                self._part(THEM)
        elif low in lexicon.CLAUSES:
            self.clause = lexicon.CLAUSES[low]

    def _mood(self, low: str, at: int) -> None:
        mood = lexicon.MOODS.get(low)
        if low in lexicon.BEING:
            self.is_being = True
        if mood is None:
            return
        if mood in _PERSONS and self.moods.isdisjoint(_PERSONS):
            self.moods.add(f"first {mood}")
        followed = self._next(at)
        if mood == "is" and followed.endswith("ing"):
            self.moods.add("doing")
        if mood == "have" and (followed.endswith(("ed", "not")) or followed in PAST):
            mood = "done"
        self.moods.add(mood)

    def _content(self, text: str, low: str, at: int) -> None:
        root = stem(low)
        key = base = lexicon.SYNONYMS.get(root, root)
        if self.is_opening and root in lexicon.OPENING:
            key = lexicon.OPENING[root]
        if key == "exclud":
            self.negations.append(len(self.tokens))
        elif key == "exact" and self._is_before_number(at):
            return  # a number by itself is exact
        elif key == "last" and self._next(at).endswith("ed") and self._is_timed(at + 1):
            return  # last modified more than a day ago: it always is
        elif self.is_opening and low in ("search", "searches"):
            self._add(LIGHT, key, text, base=base)
            self._part("in")
            self.is_searching = True
        elif low in lexicon.EXTENSIONS and self._next(at) in ("file", "files"):
            self._add(LITERAL, lexicon.EXTENSIONS[low], text)
        else:
            if low == "back" and self.tokens and is_time(self.tokens[-1].key):
                key = base = "ago"
            elif self._is_single(low, at):
                self._add(NUMBER, measured("1", low)[0], text)
                return
            is_name = text[0].isupper() and not self.is_start
            is_passive = self.is_being and not is_name and (low.endswith("ed") or low in PAST)
            self._add(LIGHT if key in lexicon.LIGHT else NAME if is_name else WORD, key, text, is_passive, base)
            if text.endswith(("'s", "\u2019s", "s'")):
                self._own()

    def _is_timed(self, at: int) -> bool:
        return self._is_before_number(at) or self._next(at) in lexicon.TIMED

    def _is_single(self, low: str, at: int) -> bool:
        """Tell whether an article means one: an hour, in the last hour."""
        if low not in UNITS or low.endswith("s"):
            return False
        is_last = bool(self.tokens) and self.tokens[-1].key == "last" and " " in self.tokens[-1].text
        return is_last or (at > 0 and self.pieces[at - 1][1].lower() in ("a", "an"))

    def _own(self) -> None:
        """Read a possessive as "of": the gateway's timeout is the timeout of the gateway."""
        phrase, item, marker = self.phrase, self.item, self.marker
        for at in range(len(self.tokens) - 1, -1, -1):
            token = self.tokens[at]
            if (token.phrase, token.item) != (phrase, item):
                break
            self.tokens[at] = token._replace(marker="in")
        self._part(marker)

    def _about(self, before: int) -> tuple[str, ...]:
        """Return the words behind a negation, content words first."""
        behind = self.tokens[before : before + _FAR]
        if behind:
            place = (behind[0].sentence, behind[0].clause)
            behind = [token for token in behind if (token.sentence, token.clause) == place]
        return tuple([token.key for token in (*[each for each in behind if each.kind != LIGHT][:_NEAR], *behind[:1])])

    def _turn_times(self) -> None:
        """Rewrite negated times: "less than a day ago" is "in the last day"."""
        for at in range(len(self.tokens) - 1, 0, -1):
            number, before = self.tokens[at], self.tokens[at - 1]
            if number.kind != NUMBER or not is_time(number.key):
                continue
            if before.key == "less" and [token.key for token in self.tokens[at + 1 : at + 2]] == ["ago"]:
                self.tokens[at - 1] = before._replace(key="last", base="last")
                del self.tokens[at + 1]
                self._shift(at + 1, -1)
            elif before.key == "last":
                near = [each for each in self.negations if at - 1 - _LATE <= each < at]
                if near:
                    self.negations.remove(near[-1])
                    self.tokens[at - 1] = before._replace(key="more", base="more")
                    self.tokens.insert(at + 1, number._replace(kind=WORD, key="ago", text="ago", base="ago"))
                    self._shift(at, 1)

    def _shift(self, behind: int, by: int) -> None:
        self.negations = [each + by if each > behind else each for each in self.negations]
