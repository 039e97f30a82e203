"""Split a prompt into the sentences that are the speaker's own.

A quotation stays in a sentence's text, but is blanked in its `plain` form, in which all rules look
for their words: nobody means what they quote.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from treering.text.transcripts.lines import bare

LONGEST = 10_000  # characters of a prompt: what is longer is pasted
LONGEST_SENTENCE = 600  # characters: a longer one is no statement
_WRAPPED_AT = 60  # characters of a line that may go on in the next one

_FENCES = ("```", "~~~")
_LOG = re.compile(
    r"""\s*(?: \[?\d{4}-\d\d-\d\d[T\s]\d | \[?\d\d:\d\d:\d\d |
    \[(?:info|warn|warning|error|debug|trace|fatal|notice)\] |
    (?:info|warn|warning|error|debug|trace|fatal|critical|notice)\b\s*[:\[|(] | at\s[\w$.<>]+\s?\( | File\s" |
    Traceback\s\( | [\w.]+(?:Error|Exception|Warning)\b: | npm\s(?:ERR!|error|warn)|\$\s | >>>\s | %\s | \#!\s?/ |
    diff\s--git | @@\s | [+-]{3}\s[ab]/ | index\s[0-9a-f]{6} | E\s{2,} | [{}\[\]]\s*,?$ | [{\[]" | "[^"]{1,80}"\s*:
    | </?\w | FAILED\s | PASSED\s | FAIL\s | ERROR\s | make(?:\[\d\])?:\s | error\[ | \|\s | ={4,} | -{4,} |
    \w+@[\w-]+:[~/] )""",
    re.IGNORECASE | re.VERBOSE,
)
_CODE = re.compile(
    r"""\s*(?:(?:def|class|function|const|let|var|import|from|return|if|for|while|elif|else|try|except|public|private|
    static|async|await|export|package|func|fn|struct|impl|use|SELECT|INSERT|UPDATE|CREATE)\b.*[:;{(=]\s*$ |
    [\w.]+\(.*\)\s*;?$ | [\w.\[\]]+\s*[:+-]?=\s*\S+ | \}.*$ | //|/\*|\*/|\#\s?(?:include|define)|@\w+\b.*$)""",
    re.VERBOSE,
)
# A line that says: what follows is to be kept. Behind any other one that ends with a colon stands something else.
_KEEPS = re.compile(
    r"\b(?:remember|keep in mind|memori[sz]e|(?:my|our|some|few|these|following|house|project|team|coding) "
    r"(?:\w+ )?(?:rules|conventions|preferences)|^rules|^conventions|^preferences|from now on|going forward"
    r"|in future|in the future|we (?:decided|agreed|settled)"
    r"|(?:talking|talked|discussing|discussed) (?:to|with|it with|this with))\b",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"\s*(?:user )?(?:(?:subject|from|to|cc|date)(?=:)|ticket|issue|task|story|spec|requirements?"
    r"|acceptance criteria|errors?|logs?|e-?mail|review|comment|quote|docs?|readme|todo|fixme|bug|title"
    r"|description)\b[^:]{0,30}:\s",
    re.IGNORECASE,
)
# "Copy this into the footer: …"
_DICTATES = re.compile(
    r"(?:(?:please|now|then|and|can you|could you|also) )*(?:copy|write|add|put|insert|rewrite|translate|replace"
    r"|set|change|include|append|paste"
    r"|summari[sz]e|proofread|reply|say|make|implement|build|create|format|turn|convert|draw|design|draft"
    r"|explain|test|check)\b[^:.!?]{0,100}:\s",
    re.IGNORECASE,
)
_KEPT = re.compile(r"\b(?:memory|remember|notes|note|mind)\b", re.IGNORECASE)
_SMILES = re.compile(r"[.!]?\s[:;]-?[)(DP](?=\s|$)")
_TAG = re.compile(r",? (?:ok(?:ay)?|please|pls|plz|deal|got it|understood)\?+$")
_TYPOS = re.compile(r"\b(?:allways|alwasy|nevr|neve)\b", re.IGNORECASE)
# "The page says: …", "Malin wrote that …": what follows is theirs.
_SPEAKS = re.compile(
    r"\b(?!(?:i|we|already|just|keep|have|to|not|never|always|should|must)\b)[\w.)\]]+ (?:(?!i\b"
    r"|we\b)\w+ )?(?:says?|said|wrote|writes|reads|states?|stated|asks?|asked|replied|answered|claims?|claimed"
    r"|tells? (?:me|us|you)"
    r"|told (?:me|us)|suggests?|recommends?|insists?|mentions?|advises?|warns?)\s?(?::|,? that\b)",
    re.IGNORECASE,
)
_SPREAD = re.compile(
    r"""(?:(?<=[\s(:])|^)(?:"[^"]{0,5000}"|\u201c[^\u201d]{0,5000}\u201d)"""
)  # a quotation over several lines
_ITEM = re.compile(r"\s*(?:[-*•+]|\d{1,2}[.)]|\([a-z\d]\))\s+")
_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+(?=\S)")
_ABBREVIATED = frozenset(
    """e.g. i.e. etc. vs. cf. approx. dr. mr. ms. mrs. no. incl. resp. co. inc. ltd. corp. st. jr. sr. prof. fig.
    ver. dept.""".split()
)
_NO = re.compile(r"(?:^|[,;] )no\.$")  # "no. use tabs" is no number
_QUOTED = re.compile(
    r"""``[^`]{0,2000}`` | `[^`]{0,2000}`? | "[^"]{0,2000}"? | “[^”]{0,2000}”? | «[^»]{0,2000}»? | „[^“”]{0,2000}[“”]?
    | (?:(?<=[\s(:])|^)'(?=\w)[^'\n]{0,300}'(?=[\s.,;:!?)]|$)""",
    re.VERBOSE,
)
_BLANK = "_"
_RUN = re.compile(r"\s*__+[.,;!]*\s*")


class Sentence(NamedTuple):
    text: str
    plain: str  # of the same length, in lower case, with what is quoted blanked
    asks: bool = False
    heading: str = ""  # of the list that it is an item of, in lower case
    item: bool = False  # of a list


def sentences(prompt: str) -> list[Sentence]:
    """Return what the speaker says, sentence by sentence."""
    text = bare(prompt)[:LONGEST].replace("\u2019", "'").replace("\u2018", "'").replace("\r", "\n").replace("\t", " ")
    text = _TYPOS.sub(lambda typo: "always" if typo[0][0] in "aA" else "never", text)
    text = _SMILES.sub(lambda smile: "." + " " * (len(smile[0]) - 1), text)
    text = _SPREAD.sub(lambda quoted: quoted[0].replace("\n", " "), text)
    found: list[Sentence] = []
    for row, heading, item in _headed(_rows(text)):
        for piece in _split(row):
            if len(piece) <= LONGEST_SENTENCE:
                plain = masked(piece)
                found.append(Sentence(piece, plain, _asks(plain), heading, item))
    return found


def _asks(plain: str) -> bool:
    """Tell whether it is a question. "Never do that, ok?" is none."""
    return plain.rstrip("\"') _").endswith("?") and not _TAG.search(plain)


def masked(text: str) -> str:
    """Return a text in lower case with quotations blanked."""
    plain = _QUOTED.sub(lambda found: _BLANK * len(found[0]), text)
    lower = plain.lower()
    return lower if len(lower) == len(text) else plain


def _rows(text: str) -> Iterator[str]:
    """Yield the lines that are not fenced, quoted, marked up or pasted; paragraphs end with an empty one."""
    fence = closing = ""
    paragraph: list[str] = []
    for row in text.split("\n"):
        bare_row = row.strip()
        if fence:
            fence = "" if bare_row.startswith(fence) else fence
        elif closing:
            closing = "" if closing in row else closing
        elif bare_row.startswith(_FENCES):
            yield from _typed(paragraph)
            paragraph = []
            fence = bare_row[:3]
        elif opening := re.match(r"<([A-Za-z][\w-]{0,40})\b[^>]{0,200}>", bare_row):
            closing = "" if f"</{opening[1]}>" in row else f"</{opening[1]}>"
        elif not bare_row:
            yield from _typed(paragraph)
            yield ""
            paragraph = []
        elif not bare_row.startswith(">"):
            paragraph.append(row)
    yield from _typed(paragraph)


def _typed(paragraph: list[str]) -> Iterator[str]:
    """Yield the lines of a paragraph, unless much of it is a log or code; broken long lines are joined."""
    labelled = next((at for at, row in enumerate(paragraph) if _LABELLED.match(row)), len(paragraph))
    paragraph = paragraph[:labelled]
    strange = [bool(_LOG.match(row) or _CODE.match(row)) for row in paragraph]
    if sum(strange) * 3 > len(paragraph):
        return
    whole = ""
    for row, odd in zip(paragraph, strange, strict=True):
        if odd:
            continue
        text = " ".join(row.split())
        if len(whole) > _WRAPPED_AT and whole[-1] not in ".!?:;" and text[:1].islower() and not _ITEM.match(row):
            whole += " " + text
            continue
        if whole:
            yield whole
        whole = text
    if whole:
        yield whole


def _headed(rows: Iterable[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield lines with the heading of their list. What follows an announced paste is left out."""
    heading = ""
    listing = theirs = all_theirs = False
    for row in rows:
        theirs = theirs and bool(row)
        if theirs or all_theirs:
            continue
        if not row:
            heading = "" if listing else heading
            continue
        item = _ITEM.match(row)
        if row.endswith(":"):
            keeps = _KEEPS.search(row)
            if not keeps:
                return
            heading, listing = row.lower(), False
            continue
        plain = masked(row)
        if speaks := _SPEAKS.search(plain):
            quoted = _RUN.match(plain, speaks.end())
            all_theirs = not quoted and speaks[0].endswith(":")
            theirs = not quoted
            row = row[quoted.end() :] if quoted else row[: speaks.start()].rstrip(" ,;:-")
        if (dictates := _DICTATES.match(row)) and not _KEPT.search(dictates[0]):
            row = dictates[0]
        listing = listing or bool(item)
        if item is None and listing:
            heading = ""
        yield (row[item.end() :] if item else row), heading, item is not None


def _is_abbreviated(plain: str) -> bool:
    """Tell whether a full stop is no end: "Brandt & Co. KG"."""
    return plain.rsplit(" ", 1)[-1] in _ABBREVIATED and not _NO.search(plain)


def _split(row: str) -> Iterator[str]:
    """Yield the sentences of a line."""
    plain = masked(row)
    begin = 0
    for seam in _END.finditer(plain):
        if _is_abbreviated(plain[begin : seam.start()]):
            continue
        yield row[begin : seam.start()].strip()
        begin = seam.end()
    if rest := row[begin:].strip():
        yield rest
