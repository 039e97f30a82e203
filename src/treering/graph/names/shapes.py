"""What a chunk is by how it is written: a file, a package, an error code, a name in code."""

from __future__ import annotations

from treering.core.mentions import CODE, FLAG, NAME, PATH, mention_in
from treering.graph.names.terms import EXTENSIONS, OWN_ENDS, PACKAGE_ENDS, PACKAGE_STARTS

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
_FAULTY_PHRASES = (
    "not found",
    "too many",
    "out of",
    "no such",
    "does not exist",
    "already exists",
    "not permitted",
    "no space",
)
_ANNOUNCED = frozenset(
    "error errors with message says throws threw raises raised got getting exception log failing".split()
)
# Letters of codes that name no error: standards, encodings, models.
_NUMBERED = frozenset("E TS CS CA SC LNK MSB NU ORA ERR DL SA W PGRST SQLSTATE".split())
_NO_ERRORS = frozenset("ES CP UTF ISO RFC SHA MD RTX GTX IE PHP EC ARM AMD BGR RGB IPV SOC WCAG PEP ADR CVE".split())
FAULTS = ("Error", "Exception", "Fault", "Panic", "Warning")
# First pieces of compounds that are English: "cross-service", "client-server".
_PREFIXES = frozenset(
    """cross per inter self multi non pre post sub high low long short third full open client server in on
    re single back front built micro anti co ex half well all end real on-call semi ultra over under out
    one two three first second last next""".split()
)


def bare(word: str) -> str:
    """A name without the call behind it."""
    head, bracket, _ = word.partition("=")[0].partition("(")
    if bracket and head:
        return head
    extra = word.partition("[")[0]
    if extra and word.endswith("]"):
        return extra
    return word.partition("=")[0].removesuffix(";") or word


def without_line(path: str) -> str:
    """ "words.py:12" without the line."""
    head, _, line = path.partition(":")
    return head if head and line.replace(":", "").isdecimal() else path


def is_version(low: str) -> bool:
    """ "18", "3.11", "v2.0.1-rc1", "1.x"; not a year, not a size."""
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
    """Whether it ends as files do."""
    stem, dot, extension = name.rpartition(".")
    return (
        bool(dot and (stem or len(extension) > 2)) and extension.lower() in EXTENSIONS and not stem.endswith((".", "/"))
    )


def is_message(low: str, before: list[str]) -> bool:
    """Whether a quoted text is what a program says when it fails."""
    words = low.replace(":", " ").replace(",", " ").split()
    if not _FAULTY.isdisjoint(words) or any(phrase in low for phrase in _FAULTY_PHRASES):
        return len(words) > 1
    return len(words) > 2 and not _ANNOUNCED.isdisjoint(before[-2:])


def code_type(name: str) -> str:
    """A code of letters and digits: an error, unless its letters name a standard."""
    letters = name.rstrip("0123456789").rstrip("-_")
    return "concept" if letters.upper() in _NO_ERRORS or name[:1].islower() else "error"


def is_error_code(name: str) -> bool:
    """ "E0502", "TS2345": letters by which compilers and databases number what they complain of."""
    return name.rstrip("0123456789") in _NUMBERED


def is_ticket(name: str) -> bool:
    """ "LK-409": capitals, a hyphen and a number, as errors and issues are numbered."""
    letters, hyphen, digits = name.partition("-")
    return bool(hyphen) and letters.isalpha() and letters.isupper() and digits.isdecimal()


def is_compound(low: str) -> bool:
    """Whether words that a hyphen joins may be a name by themselves: "csv-dump", but not "co-worker"."""
    pieces = low.split("-")
    return len(pieces) <= 3 and pieces[0] not in _PREFIXES and all(len(one) > 1 and one.isalpha() for one in pieces)


def identifier(name: str) -> str:
    """The type of a name that signs of code are in."""
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


def is_numbered(word: str) -> bool:
    """ "cp1252", "ext4", "RTX3090": letters, then digits."""
    letters = word.rstrip("0123456789")
    return 1 < len(letters) < 7 and letters.isalpha() and 1 < len(word) - len(letters) < 5


def kebab(low: str) -> str:
    """The type of lower-case words that hyphens join; nothing if it may be plain English."""
    pieces = low.split("-")
    if not all(piece.isalnum() for piece in pieces) or len(pieces) > 5 or low[0].isdecimal():
        return ""
    if pieces[-1] in OWN_ENDS and pieces[0] not in _PREFIXES:
        return "project"
    if pieces[0] in PACKAGE_STARTS or pieces[-1] in PACKAGE_ENDS:
        return "library"
    return ""


def quoted(word: str, before: str) -> str:
    """The type of one word in backticks."""
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
        return "error" if bare(word).endswith(FAULTS) else code_type(bare(word))
    if kind in (NAME, FLAG):
        return identifier(bare(word))
    if "-" in word and not word.startswith("-"):
        return kebab(word.lower()) or "concept"
    return "concept" if word[0].isalnum() or word[0] in "_-$.:" else ""
