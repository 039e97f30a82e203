"""Split a text into tokens with their places, and tell what a chunk is by how it is written.

One pattern, none of whose parts can be tried at many lengths: no text is slow to read.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from treering.graph.entities.lexicon import EXTENSIONS, OWN_ENDS
from treering.text.mentions import ABBREVIATIONS, CODE, FLAG, NAME, PATH, mention_in

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
    """Split a text. A stop, a colon or a possessive at the end of a word is a token of its own."""
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
    """Take what is more than letters and digits, and tell whether a sentence begins after it."""
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
    """Take a chunk with signs in it, and tell whether a sentence begins after it."""
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


# Folders at the root of a machine; what else begins with a slash is a route.
_ROOTS = frozenset(
    """etc var usr opt home tmp root srv mnt data dev proc users bin lib sbin app apps run sys boot media
    workspace volumes library applications private build code work""".split()
)
# What a message says that is an error, when it stands in quotes.
_FAULTY = frozenset(
    """error errors failed fails failure cannot can't could couldn't unable timeout timed lost denied
    refused eof unexpected invalid missing unsupported exceeded unknown undefined null panic fatal abort
    aborted killed reset overflow deadlock conflict unauthorized forbidden illegal bad broken expired
    stale exhausted mismatch unreachable unresolved duplicate corrupt corrupted terminated unhandled
    violates""".split()
)
_ANNOUNCED = frozenset(
    "error errors with message says throws threw raises raised got getting exception log failing".split()
)
FAULTS = ("Error", "Exception", "Fault", "Panic", "Warning")
# First pieces of compounds that are English: "cross-service", "client-server".
_PREFIXES = frozenset(
    """cross per inter self multi non pre post sub high low long short third full open client server in on
    re single back front built micro anti co ex half well all end real on-call semi ultra over under out
    one two three first second last next""".split()
)


def bare(word: str) -> str:
    """Return a name without the call behind it."""
    head, bracket, _ = word.partition("=")[0].partition("(")
    if bracket and head:
        return head
    extra = word.partition("[")[0]
    if extra and word.endswith("]"):
        return extra
    return word.partition("=")[0].removesuffix(";") or word


def without_line(path: str) -> str:
    """Return "words.py:12" without the line."""
    head, _, line = path.partition(":")
    return head if head and line.replace(":", "").isdecimal() else path


def is_version(low: str) -> bool:
    """Tell whether it is a version: "18", "3.11", "v2.0.1-rc1", "1.x"; not a year, not a size."""
    digits = low.removeprefix("v")
    if not digits[:1].isdecimal() or len(low) > 16:
        return False
    head = digits.partition("-")[0]
    pieces = head.split(".")
    if not all(piece.isdecimal() or piece == "x" for piece in pieces):
        return False
    return len(pieces) > 1 or len(pieces[0]) < 3


def is_rooted(path: str) -> bool:
    pieces = [piece for piece in path.split("/") if piece]
    return bool(pieces) and (pieces[0].lower() in _ROOTS or is_file(path)) and "{" not in path


def is_file(name: str) -> bool:
    """Tell whether it ends as files do."""
    stem, dot, extension = name.rpartition(".")
    return (
        bool(dot and (stem or len(extension) > 2)) and extension.lower() in EXTENSIONS and not stem.endswith((".", "/"))
    )


def is_message(low: str, before: list[str]) -> bool:
    """Tell whether a quoted text is what a program says when it fails."""
    words = low.replace(":", " ").replace(",", " ").split()
    if not _FAULTY.isdisjoint(words):
        return len(words) > 1
    return len(words) > 2 and not _ANNOUNCED.isdisjoint(before[-2:])


def is_ticket(name: str) -> bool:
    """Tell whether it is numbered as errors and issues are: "LK-409"."""
    letters, hyphen, digits = name.partition("-")
    return bool(hyphen) and letters.isalpha() and letters.isupper() and digits.isdecimal()


def is_compound(low: str) -> bool:
    """Tell whether words that a hyphen joins may be a name: "csv-dump", but not "co-worker"."""
    pieces = low.split("-")
    return len(pieces) <= 3 and pieces[0] not in _PREFIXES and all(len(one) > 1 and one.isalpha() for one in pieces)


def identifier(name: str) -> str:
    """Return the type of a name with signs of code in it."""
    if is_file(name) and not name.startswith("-"):
        return "file"
    if name[:4].upper() == "ADR-":
        return "decision"
    if name.endswith(("DB", "MQ", "SQL")) and name.isalpha() and not name.isupper():
        return "tool"
    if name.startswith("@") and "/" in name:
        return "library"
    if name[0] == "." and name[1:].replace("-", "").replace("_", "").isalnum():
        return "file"
    return "concept"


def kebab(low: str) -> str:
    """Return the type of lower-case words that hyphens join; empty if it may be plain English."""
    pieces = low.split("-")
    if not all(piece.isalnum() for piece in pieces) or len(pieces) > 5 or low[0].isdecimal():
        return ""
    if pieces[-1] in OWN_ENDS and pieces[0] not in _PREFIXES:
        return "project"
    return ""


def quoted(word: str, before: str) -> str:
    """Return the type of one word in backticks."""
    if len(word) > 120 or not any(letter.isalnum() for letter in word):
        return ""
    if is_file(word) or word.endswith("/"):
        return "file"
    if word[0] == "/" and word[1:]:
        return "file" if is_rooted(word) else "concept"
    mention = mention_in(word, before)
    kind = mention.kind if mention else None
    if kind == PATH:
        return "file"
    if kind == CODE:
        return "concept" if word[:1].islower() else "error"
    if kind in (NAME, FLAG):
        return identifier(bare(word))
    if "-" in word and not word.startswith("-"):
        return kebab(word.lower()) or "concept"
    return "concept" if word[0].isalnum() or word[0] in "_-$.:" else ""
