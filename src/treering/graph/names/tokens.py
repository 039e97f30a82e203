"""A text as tokens with their places: words as they stand, quotes, links, and the signs that part a sentence.

One pattern, none of whose parts can be tried at many lengths: hostile text is read at the pace of any other.
"""

from __future__ import annotations

import re
from functools import lru_cache

from treering.core.mentions import ABBREVIATIONS
from treering.core.tuples import NamedTuple

WORD, QUOTE, SPEECH, LINK, SIGN = range(5)

_LONGEST_QUOTE = 160  # characters: what is longer is a passage or a line of code
_LONGEST_LINK = 300
_SCHEMES = tuple(f"{scheme}://" for scheme in "http https ftp s3 gs ssh git file postgres redis jdbc".split())
# Texts, as `re` compiles them when first needed. Words come before quotes, as most tokens are words.
_LINK = rf"(?:https?|ftp|s3|gs|ssh|git|file|postgres|redis|jdbc)://[^\s<>\"'`)\]]{{1,{_LONGEST_LINK}}}|"
_BEGINS_WORD = "_@#$~./\\*+'\u2019%-"  # besides letters and digits
_TOKEN = (
    r"[\w@#$~./\\*+'\u2019%-][^\s`\"\u201c\u201d,;!?()\[\]{}<>|\u2026\u2014\u2013\u2192=&]*"
    rf"|`[^`\n]{{1,{_LONGEST_QUOTE}}}`"
    rf'|"[^"\n]{{2,{_LONGEST_QUOTE}}}"|\u201c[^\u201d\n]{{2,{_LONGEST_QUOTE}}}\u201d'
    r"|\S|\n"
)
_BEHIND = ".:'\u2019*~-"  # signs that may end a chunk and are no part of it
_BEFORE = "*'\u2019\u2018"
_ENDS = frozenset(".!?;\n")
_QUOTES = frozenset('`"\u201c')


class Token(NamedTuple):
    text: str
    low: str
    start: int
    end: int
    kind: int
    begins: bool = False  # a sentence, so that a capital says nothing


def tokens(text: str) -> list[Token]:
    """Of a text. A stop, a colon or a possessive at the end of a word is a token of its own."""
    found: list[Token] = []
    new = tuple.__new__  # past the frame of the constructor: there are many tokens
    begins = True
    end = 0
    pieces = _pattern("://" in text).split(text)
    for gap, piece in zip(pieces[::2], pieces[1::2], strict=False):  # behind the last one is a gap
        start = end + len(gap)
        end = start + len(piece)
        if piece.isalnum():
            found.append(new(Token, (piece, piece.lower(), start, end, WORD, begins)))
            begins = False
        else:
            begins = _other(found, piece, start, begins)
    return found


def _other(found: list[Token], piece: str, start: int, begins: bool) -> bool:
    """What is more than letters and digits; whether what follows begins a sentence."""
    end = start + len(piece)
    if piece[0] in _QUOTES and len(piece) > 1:
        inner = piece[1:-1]
        found.append(Token(inner, inner.lower(), start + 1, end - 1, QUOTE if piece[0] == "`" else SPEECH, begins))
        return False
    if "://" in piece and piece.startswith(_SCHEMES) and piece not in _SCHEMES:
        link = piece.rstrip(".,;:!?")
        found.append(Token(link, link.lower(), start, start + len(link), LINK, begins))
        if len(link) < len(piece):
            found.append(Token(piece[-1], piece[-1], end - 1, end, SIGN))
        return len(link) < len(piece)
    if len(piece) > 1 or piece in _BEGINS_WORD:
        return _word(found, piece, start, begins)
    found.append(Token(piece, piece, start, end, SIGN))
    return begins or piece in _ENDS


def _word(found: list[Token], piece: str, start: int, begins: bool) -> bool:
    """A chunk with signs in it; whether what follows begins a sentence."""
    word = piece.lstrip(_BEFORE)
    start += len(piece) - len(word)
    bare = word.rstrip(_BEHIND)
    if bare.endswith("/") and word[len(bare) :].startswith("*"):
        bare = word.rstrip(".:")  # apps/*
    if not bare and "." not in word:
        return begins  # a bullet, a dash
    if not bare:
        found.append(Token(".", ".", start, start + 1, SIGN))
        return True
    behind = word[len(bare) :]
    owned = bare.endswith(("'s", "\u2019s"))
    if owned:
        bare = bare[:-2]
    if bare:
        found.append(Token(bare, bare.lower().replace("\u2019", "'"), start, start + len(bare), WORD, begins))
    end = start + len(bare)
    if owned:
        found.append(Token("'s", "'s", end, end + 2, SIGN))
    if "." in behind and (bare.lower() in ABBREVIATIONS or (len(bare) == 1 and bare.isupper())):
        return False
    sign = "." if "." in behind else ":" if ":" in behind else ""
    if sign:
        found.append(Token(sign, sign, end, end + 1, SIGN))
    return bool(sign)


@lru_cache(2)
def _pattern(links: bool) -> re.Pattern[str]:
    return re.compile(f"({_LINK if links else ''}{_TOKEN})")
