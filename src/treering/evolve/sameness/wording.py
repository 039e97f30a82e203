"""Read a text as a line of words with their grammar: tense, mood, person, extent, negation.

`read` keeps what a text is about; this keeps how it is said. Two texts mean the same only if their
lines agree, so only articles and politeness are left out.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from treering.evolve.sameness import lexicon, pieces
from treering.evolve.sameness.lexicon import PAST, stem
from treering.evolve.sameness.pieces import NUMBERS, measured

_KEPT = 1_024  # texts whose lines are kept
CONTENT, NAME, GRAMMAR, LEADING, DENIAL, SIGN = "content", "name", "grammar", "leading", "denial", "sign"
PASSED = "<"  # behind the key of a verb in a form of the past
USER, WE, IS, WAS, AND, OR, BY, OF, OWNS = "i", "we", "is", "was", "and", "or", "by", "of", "'s"


class Unit(NamedTuple):
    sort: str
    key: str  # by which it is compared
    text: str
    is_parted: bool  # a comma or another point stands before it
    is_first: bool  # of its sentence
    article: str  # the or a, if it belongs to what one leads


# What leads a phrase or a clause, which may stand before or behind the rest.
_LEADING = frozenset(
    """in on at by for with to from of under over than before after until till unless if when while because since
    instead through against between during within inside without via about across along among toward towards upon per
    every each although though once as into onto whenever above below near except despite""".split()
)
_SAME = {
    "whenever": "when",
    "into": "in",
    "onto": "on",
    "via": "through",
    "till": "until",
    "each": "every",
    "towards": "toward",
    "am": IS,
    "are": IS,
    "were": WAS,
    "me": USER,
    "mine": "my",
    "us": WE,
    "has": "have",
    "upon": "on",
    "cannot": "can",
}
_ARTICLES = frozenset("a an the our".split())
_LEFT_OUT = frozenset("a an the please our do does".split())
_GRAMMAR = lexicon.STOP | frozenset(
    """few several most none only no both either neither too still yet already again ever almost nearly maybe perhaps
    never not nor until unless although though during without yes ago more less least another other others own
    nobody nothing nowhere somebody someone something everybody everyone everything anybody anyone anything""".split()
)
_DENIALS = frozenset("not no never nor neither none nobody nothing nowhere without non hardly barely scarcely".split())
_BARE = frozenset("before after when while if until unless without".split())  # before you delete, before deleting
_SHORT = {"ca": "can", "wo": "will", "sha": "shall"}
_IS_SHORT = frozenset("it that he she there here what who where let".split())  # whose 's is no owner's
_TAILS = {"m": IS, "re": IS, "ll": "will", "ve": "have", "d": "would"}
_FREE = frozenset("not must to more less least most instead own delete find copy setup login logout backup".split())
_FREE_KEYS = _FREE | frozenset("symlink regex stdout stderr stdin manual whitespace enable disable stop count".split())
UPPER = frozenset("US IT AM PM AS".split())  # names that are other words in lower case
_LETTER_UNITS = {"s": "seconds", "h": "hours", "ms": "ms"}
_ING, _LY = "ing", "ly"
_MAY = "May"  # the month


@lru_cache(_KEPT)
def line(text: str) -> tuple[Unit, ...]:
    return _Liner(text).units()


class _Liner:
    def __init__(self, text: str) -> None:
        self.pieces = pieces.pieces(text, is_all=True)
        self.is_loud = text.isupper()
        self.found: list[Unit] = []
        self.is_parted, self.is_first = False, True
        self.is_past = False  # behind did
        self.article = ""

    def units(self) -> tuple[Unit, ...]:
        at = 0
        while at < len(self.pieces):
            at += self._piece(at)
        return tuple(self.found)

    def _piece(self, at: int) -> int:
        kind, text = self.pieces[at]
        if kind == pieces.POINT:
            self._point(text)
        elif kind == pieces.NUMBER or (kind == pieces.WORD and text.lower() in NUMBERS):
            return self._number(at, text)
        elif kind == pieces.WORD:
            return self._phrase(at)
        elif kind in pieces.SIGNS:
            if text not in pieces.DRESS:
                self._add(SIGN, text, text)
        elif kind == pieces.QUOTE:
            self._quote(text[1:-1])
        else:
            self._add(NAME, pieces.plain(text), text)
        return 1

    def _add(self, sort: str, key: str, text: str) -> None:
        if sort not in (CONTENT, NAME):
            self.article = ""
        self.found.append(Unit(sort, key, text, self.is_parted, self.is_first, self.article))
        self.is_parted = self.is_first = False

    def _point(self, text: str) -> None:
        if "?" in text:
            self._add(SIGN, "?", text)
        elif text == ";":
            self._add(SIGN, text, text)  # a command behind another
        elif text == "&":
            self._add(GRAMMAR, AND, text)
        elif self.found and self.found[-1].sort == DENIAL:
            self._add(SIGN, ",", text)  # no, deploy; no deploy
        self.is_parted = True
        self.is_first = self.is_first or (text not in ",&()" and text != "\u2013")

    def _quote(self, inner: str) -> None:
        words = inner.split()
        for word in words or ('""',):
            self._add(NAME, pieces.plain(word), word)

    def _next(self, at: int) -> str:
        return self.pieces[at + 1][1] if at + 1 < len(self.pieces) and self.pieces[at + 1][0] == pieces.WORD else ""

    def _number(self, at: int, text: str) -> int:
        followed = self._next(at)
        unit = _LETTER_UNITS.get(followed, followed.lower())
        if len(followed) == 1 and followed not in _LETTER_UNITS:
            unit = ""
        key, is_unit = measured(text.lower(), unit)
        if is_bit(text) or (is_unit and is_bit(followed)):
            key = f"{key} in bits"
        elif text.endswith("m") and text[-2:-1].isdigit():
            key = text  # 5m may be minutes or meters, and is no 5M
        self._add(NAME, f"#{key}", f"{text} {followed}" if is_unit else text)
        if not is_unit and len(followed) == 1 and followed not in ("a", "I"):
            self._add(NAME, followed, followed)
            return 2
        return 1 + is_unit

    def _phrase(self, at: int) -> int:
        text = self.pieces[at][1]
        low = text.lower().replace("\u2019", "'")
        if low == "a" and self._next(at).lower() in ("few", "little", "lot", "bit"):
            self._add(GRAMMAR, f"a {self._next(at).lower()}", text)
            return 2
        if stem(low) in lexicon.PHRASE_HEADS:
            run: list[str] = []
            for kind, word in self.pieces[at : at + lexicon.LONGEST_PHRASE]:
                if kind != pieces.WORD:
                    break
                run.append(stem(word.lower()))
            for length in range(len(run), 1, -1):
                meant = lexicon.PHRASES.get(tuple(run[:length]))
                if meant in _FREE_KEYS and self._is_meant(meant, run[0], at + length - 1):
                    self._meant(meant, at, length)
                    return length
        self._word(text, low, at)
        return 1

    def _is_meant(self, meant: str, first: str, last: int) -> bool:
        if meant not in lexicon.MEASURING or first in lexicon.UNMEASURED:
            return True
        return last + 1 < len(self.pieces) and self.pieces[last + 1][0] == pieces.NUMBER

    def _meant(self, meant: str, at: int, length: int) -> None:
        said = " ".join(word for _, word in self.pieces[at : at + length])
        if meant == "own" and said.lower().endswith("by"):
            for each in range(at, at + length):
                self._word(self.pieces[each][1], self.pieces[each][1].lower(), each)
            return
        sort = DENIAL if meant == "not" else LEADING if meant in ("to", "instead", "more", "less") else GRAMMAR
        self._add(CONTENT if meant not in _FREE else sort, meant, said)

    def _word(self, text: str, low: str, at: int) -> None:
        if low.endswith("n't"):
            head = low[:-3]
            if head not in ("do", "does"):
                self._word(head, _SHORT.get(head, head), at)
            self._add(DENIAL, "not", text)
            return
        if low == "cannot":
            self._add(GRAMMAR, "can", text)
            self._add(DENIAL, "not", text)
            return
        head, mark, tail = low.partition("'")
        if mark and (tail in _TAILS or (tail == "s" and head in _IS_SHORT)):
            self._word(text[: len(head)], head, at)
            self._grammar(_TAILS.get(tail, IS), tail, at)
        elif mark and (tail == "s" or (not tail and head.endswith("s"))):
            self._word(text[: len(head)], head, at)
            self._owner()
        elif self._is_named(text):
            self._add(NAME, text, text)
        elif low == "user" and self._is_user(at):
            self._add(GRAMMAR, USER, text)
        elif low in _GRAMMAR or low in _LEADING:
            self._grammar(low, text, at)
        else:
            self._content(text, low)

    def _is_named(self, text: str) -> bool:
        """Tell whether a word is a name by its capitals: Team A, the US, in May."""
        if len(text) == 1:
            return text.isupper() and text != "I" and not (self.is_first and text == "A")
        return not self.is_loud and (text in UPPER or (text == _MAY and not self.is_first))

    def _owner(self) -> None:
        last = self.found[-1] if self.found else None
        if last and last.key == USER:
            self.found[-1] = last._replace(key="my")
        elif last:
            self._add(GRAMMAR, OWNS, "'s")

    def _is_user(self, at: int) -> bool:
        behind = self.pieces[at][1].lower().endswith("'s") or self._next(at).lower() in lexicon.DOING
        return behind and (not self.found or self.is_first or self.found[-1].is_parted)

    def _grammar(self, low: str, text: str, at: int) -> None:
        key = _SAME.get(low, low)
        last = self.found[-1].key if self.found else ""
        if low == "did":
            self.is_past = True
        elif (
            low in _LEFT_OUT
            or (low == "always" and (self.is_first or self.is_parted))
            or (low == "you" and last in _BARE)
        ):
            self.article = low if low in _ARTICLES else self.article
        elif key == IS and self._next(at).lower().endswith(_ING):
            pass  # is listening: listens
        elif low == "never" and (self.is_first or not self.found):
            self._add(DENIAL, "not", text)
        elif low in _DENIALS:
            self._add(DENIAL, low, text)
        elif low in lexicon.BOUNDS and self.pieces[at + 1 : at + 2] and self.pieces[at + 1][0] == pieces.NUMBER:
            self._add(LEADING, lexicon.BOUNDS[low], text)
        else:
            self._add(LEADING if key in _LEADING else GRAMMAR, key, text)
        self.is_first = self.is_first and (low in _ARTICLES or low == "please")

    def _content(self, text: str, low: str) -> None:
        if self.is_first and low in lexicon.DOING and low.endswith("s") and not self.found:
            self._add(GRAMMAR, USER, text)  # prefers tea: the user does
        root = stem(low)
        key = low if low.endswith(_LY) else lexicon.SYNONYMS.get(root, root)
        is_past = self.is_past or low in PAST or (low.endswith("ed") and root != low)
        self.is_past = False
        if is_coded(text):
            self._add(NAME, text, text)
            return
        is_name = text[0].isupper() and not self.is_first
        last = self.found[-1] if self.found else None
        if is_past and last and stem(last.text.lower()) == "get":
            self.found[-1] = last._replace(sort=GRAMMAR, key=WAS if last.text.lower() == "got" else IS)
        self._add(NAME if is_name else CONTENT, key + PASSED if is_past else key, text)


def is_bit(text: str) -> bool:
    """Tell whether a unit means bits: a small b behind a capital, Gb, Mb."""
    return len(text) > 1 and text[-1] == "b" and text[-2] in "KMGT"


def is_coded(text: str) -> bool:
    """Tell whether a word has a capital behind a small letter, as names in code do: userId."""
    return any(one.islower() and other.isupper() for one, other in pairwise(text))
