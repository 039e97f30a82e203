"""The clauses of a sentence: where one may begin to say something of its own."""

from __future__ import annotations

import re

from treering.capture.saying.phrases import any_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 12  # clauses of a sentence that are looked at
_SHORT = 2  # words: what stands before a comma is an exclamation
_SEAM = re.compile(r"(?:[,;:!]|\s[-\u2013\u2014]+|[\u2013\u2014.]|\s\()\s+(?:(?:and|but|so)\s)?")
# Behind such words and a colon stands a text that is quoted or to be written.
_TEXT = re.compile(
    r"\b"
    + any_of(
        """errors?, warnings?, says, reads, todo, text, message, comment, prompt, policy, label, title, readme,
        section, paragraph, heading, eslint, lint rule, linter, tooltip, translate, output, log, logs, docs?,
        string, slogan, sentence, quote, test, fixme, note in, subject, line, paste, mail, email, banner,
        placeholder, \\w+\\.md, contributing, description, commit message"""
    )
    + r"\b[^:]*:\s*$"
)


def starts(plain: str) -> Iterator[int]:
    """Where the clauses of a sentence begin, its own beginning first."""
    yield 0
    for count, seam in enumerate(_SEAM.finditer(plain)):
        if count >= MOST:
            return
        if not _TEXT.search(plain[: seam.end()]):
            yield seam.end()


def begin(plain: str, at: int) -> int:
    """Where to begin with a statement that a clause at a place makes: with the whole sentence, as what stands before
    tells of what it speaks or why, unless that is only an exclamation or announces it."""
    before = plain[:at]
    announced = before.rstrip().endswith(":")
    return at if announced or (len(before.split()) <= _SHORT and not before.startswith("not ")) else 0
