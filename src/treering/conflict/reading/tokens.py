"""A text as tokens, each with its place and its stem: words, names in code, numbers, signs that part a sentence."""

from __future__ import annotations

import re
from functools import lru_cache

from treering.core.tuples import NamedTuple

# A name between back ticks; words with the signs that stand inside names, paths, versions and numbers; single signs.
# As texts: `re` compiles them when first needed.
TOKEN = (
    r"(?i)`[^`\s]{1,80}`"
    r"|[a-z]{2,}-[a-z]{2,}(?:-[a-z]{2,})*(?![\w./@])"
    r"|(?:[$€£]|>=|<=|==|[<>~^@]|(?<!\w)\.?/|--)?\w(?:[\w.,:/@+'\u2019#~-]{0,80}[\w/])?[%+#]?"
    r"|[:=,;()→]"
)
_PARTICLES = ("-up", "-off", "-in", "-out", "-down", "-over", "-on", "-by")  # stand-up is one word
_PINNED = r"`?([a-zA-Z][\w./+-]*)(?:@|==|:)v?(\d+(?:\.\d+)*)(?:-[a-z][\w.]*)?`?\Z"  # python:3.9-slim, react@18.2.0
_PINS = frozenset("@=:")
_HYPHENED = r"[^\W\d_]+(?:-[^\W\d_]+)+\Z"


class Token(NamedTuple):
    low: str  # in lower case
    stem: str
    start: int
    end: int
    name: bool  # written as names are: a capital, a digit or a sign of code in it
    owner: bool = False  # the user's


def tokens(text: str, start: int, end: int) -> list[Token]:
    found = []
    for match in re.compile(TOKEN).finditer(text, start, end):
        word, first = match[0], match.start()
        if not _PINS.isdisjoint(word) and (pinned := re.match(_PINNED, word)):
            found.append(_token(pinned[1], first + pinned.start(1))._replace(name=True))
            found.append(_token(pinned[2], first + pinned.start(2)))
        elif word[0] == "`":
            found.append(Token(word[1:-1].lower(), word[1:-1].lower(), first, match.end(), True))
        elif "-" in word and re.match(_HYPHENED, word) and not word.endswith(_PARTICLES):
            for piece in word.split("-"):
                found.append(_token(piece, first))
                first += len(piece) + 1
        else:
            found.append(_token(word, first))
    return found


def _token(word: str, start: int) -> Token:
    low = word.lower().replace("\u2019", "'")
    possessive = low.endswith("'s")
    bare = low[:-2] if possessive else low.rstrip("'")
    return Token(bare, stem(bare), start, start + len(word) - (2 if possessive else 0), not _is_plain(word), possessive)


def _is_plain(word: str) -> bool:
    return word.islower() and (word.isalpha() or word.replace("-", "").replace("'", "").replace("\u2019", "").isalpha())


_KNOWN = 8192  # stems kept: the common words of a store
_VOWELS = frozenset("aeiouy")
_IRREGULAR = dict(
    pair.split("/")
    for pair in """
    used/use using/use uses/use written/writ wrote/writ rewritten/writ rewrote/writ kept/keep held/hold ran/run
    built/build sent/send paid/pay
    born/bear left/leav led/lead made/mak went/go taken/tak took/tak given/giv goes/go does/do users/user
    people/person children/child stored/stor chosen/choos chose/choos fell/fall begun/begin us/we ids/id owner/own
    owners/own lives/liv die/di dies/di died/di forbidden/forbid setting/setting
    """.split()
)
# What looks like a form of another word and is none.
_AS_THEY_ARE = frozenset(
    """found gone user data put set news less has was is this its as bus gas yes during string thing spring king ring
    need speed feed seed red bed id bring sing wing morning evening nothing shed something anything everything
    united""".split()
)


@lru_cache(_KNOWN)
def stem(word: str) -> str:
    """The stem of a word in lower case. Names in code are left alone."""
    single = word[:-1] if word.endswith("s") else word
    known = _IRREGULAR.get(word) or _IRREGULAR.get(single)
    if known is not None:
        return known
    if word in _AS_THEY_ARE or single in _AS_THEY_ARE:
        return word if word in _AS_THEY_ARE else single
    if not word.isalpha() or len(word) < 4:
        return word[:-1] if len(word) == 4 and word.endswith("s") else word
    return _bare(_singular(word))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _bare(word: str) -> str:
    for endings, long_enough in ((("ment", "ing", "ed"), 3), (("er", "or"), 4)):  # transferr-ed, then transf-er
        rest = next((word[: -len(ending)] for ending in endings if word.endswith(ending)), "")
        if len(rest) >= long_enough and not _VOWELS.isdisjoint(rest):
            word = rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
    if word.endswith("y") and len(word) > 3 and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    return word[:-1] if word.endswith("e") and len(word) > 3 else word
