"""Split what somebody typed into sentences, and mark those that were only pasted.

What is fenced, quoted with `>`, marked up, a log, a diff or code is not the speaker's own word. All of this
is told by shape, in any language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

LONGEST = 10_000  # characters of a text that are read: what is longer is pasted
LONGEST_SENTENCE = 600  # characters: what is longer is no statement
_WRAPPED_AT = 60  # characters of a line that may go on in the next one
_FENCES = ("```", "~~~")

# What begins a line of a log, a trace, a diff, a table or a shell.
_LOG = re.compile(
    r"""\s*(?: \[?\d{4}-\d\d-\d\d[T\s]\d | \[?\d\d:\d\d:\d\d
    | \[?(?:info|warn|warning|error|debug|trace|fatal|critical|notice)\b\]?\s*[:\[|(\]]
    | at\s[\w$.<>]+\s?\( | File\s" | Traceback\s\( | [\w.]+(?:Error|Exception|Warning)\b: | npm\s(?:ERR!|error|warn)
    | \$\s | >>>\s | %\s | \#!\s?/ | diff\s--git | @@\s | [+-]{3}\s[ab]/ | index\s[0-9a-f]{6} | E\s{2,}
    | [{}\[\]]\s*,?$ | [{\[]" | "[^"]{1,80}"\s*: | </?\w | (?:FAILED|PASSED|FAIL|ERROR)\s
    | make(?:\[\d\])?:\s | error\[ | \|\s | ={4,} | -{4,} | \w+@[\w-]+:[~/] )""",
    re.IGNORECASE | re.VERBOSE,
)
_CODE = re.compile(
    r"""\s*(?: (?:def|class|function|const|let|var|import|from|return|if|for|while|elif|else|try|except|public|private
    |static|async|await|export|package|func|fn|struct|impl|use|SELECT|INSERT|UPDATE|CREATE)\b.*[:;{(=]\s*$
    | [\w.]+\(.*\)\s*;?$ | [\w.\[\]]+\s*[:+-]?=\s*\S+ | \}.*$ | // | /\* | \*/ | \#\s?(?:include|define) )""",
    re.VERBOSE,
)
# The head of a mail or a forwarded message: what follows is another person's.
_MAIL = re.compile(
    r"\s*(?:from|von|de|to|an|subject|betreff|asunto|objet|cc|date|sent|gesendet)\s?:\s\S", re.IGNORECASE
)
_TAG = re.compile(r"<([A-Za-z][\w-]{0,40})\b[^>]{0,200}>")
_ITEM = re.compile(r"\s*(?:[-*•+\u2013]|\d{1,2}[.)]|\([a-z\d]\))\s+")
_END = re.compile(r"(?<=[.!?\u2026\u3002\uff01\uff1f])[\"'\u201d\u2019»)\]]*\s+(?=\S)")
_SHORTENED = re.compile(
    r"(?:^|[\s(])(?:\w\.|(?:\w\.)+\w\.|etc\.|vs\.|cf\.|approx\.|ca\.|bzw\.|usw\.|evtl\.|ggf\.|inkl\.|nr\.|no\.|núm\.|"
    r"dr\.|mr\.|ms\.|mrs\.|sr\.|sra\.|prof\.|fig\.|ver\.|ej\.|p\.ej\.|st\.|str\.|tel\.|min\.|max\.|resp\.)$",
    re.IGNORECASE,
)


class Sentence(NamedTuple):
    text: str
    item: bool = False  # of a list
    heading: str = ""  # the line with a colon above it, in the same paragraph
    pasted: bool = False  # not the speaker's own word

    @property
    def asks(self) -> bool:
        return self.text.rstrip("\"') *_").endswith(("?", "\uff1f"))


def sentences(text: str) -> list[Sentence]:
    """Return what was typed, sentence by sentence."""
    found: list[Sentence] = []
    for paragraph, pasted in _paragraphs(text[:LONGEST].replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")):
        heading = ""
        for row in _joined(paragraph):
            item = _ITEM.match(row)
            pieces = _split(row[item.end() :] if item else row)
            found += [Sentence(piece, item is not None, heading, pasted) for piece in pieces]
            heading = row if row.endswith(":") else heading
    return [one for one in found if len(one.text) <= LONGEST_SENTENCE]


def own(text: str) -> list[Sentence]:
    """Return the sentences that are the speaker's own."""
    return [one for one in sentences(text) if not one.pasted]


def _paragraphs(text: str) -> Iterator[tuple[list[str], bool]]:
    """Yield runs of lines, and whether they were pasted."""
    rows: list[str] = []
    closing, mail = "", False  # how the block ends that we are in; whether a mail has begun
    for row in [*text.split("\n"), ""]:
        bare = row.strip()
        tag = _TAG.match(bare)
        quoted = bool(closing) or bare.startswith((*_FENCES, ">")) or tag is not None
        if closing:
            closing = "" if closing in bare else closing
        elif bare.startswith(_FENCES):
            closing = bare[:3] if bare.count(bare[:3]) == 1 else ""
        elif tag and f"</{tag[1]}>" not in bare and not bare.endswith("/>"):
            closing = f"</{tag[1]}>"
        mail = mail or bool(_MAIL.match(row))
        if (quoted or not bare) and rows:
            yield rows, mail or _is_output(rows)
            rows = []
        if quoted and bare:
            yield [bare], True
        elif bare:
            rows.append(row)


def _is_output(rows: list[str]) -> bool:
    strange = sum(bool(_LOG.match(row) or _CODE.match(row)) for row in rows)
    return strange * 3 > len(rows)


def _joined(rows: list[str]) -> Iterator[str]:
    """Yield lines; those that an editor broke are put together."""
    whole = ""
    for row in rows:
        text = " ".join(row.split())
        if len(whole) > _WRAPPED_AT and whole[-1] not in ".!?:;" and text[:1].islower() and not _ITEM.match(row):
            whole += " " + text
            continue
        if whole:
            yield whole
        whole = text
    if whole:
        yield whole


def _split(row: str) -> Iterator[str]:
    begin = 0
    for seam in _END.finditer(row):
        if _SHORTENED.search(row[begin : seam.start()]):
            continue
        yield row[begin : seam.start()].strip() + row[seam.start() : seam.end()].strip()
        begin = seam.end()
    if rest := row[begin:].strip():
        yield rest
