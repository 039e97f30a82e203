"""Split what somebody typed into sentences, and mark those that were only pasted.

What is fenced, quoted, marked up, announced with a colon, a log, a diff or code is not the speaker's own
word: whoever pastes a page or a mail does not mean what it says. All of this is told by shape, but for the
verbs that announce what somebody else said.
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
    | \[?(?:(?-i:INFO|NOTICE)|warn|warning|error|debug|trace|fatal|critical)\b\]?\s*[:\[|(\]]
    | \[(?:info|notice)\b | (?:info|notice)\s*[\[|(]
    | at\s[\w$.<>]+\s?\( | File\s" | Traceback\s\( | [\w.]+(?:Error|Exception|Warning)\b: | npm\s(?:ERR!|error|warn)
    | \$\s | >>>\s | %\s | \#!\s?/ | diff\s--git | @@\s | [+-]{3}\s[ab]/ | index\s[0-9a-f]{6} | E\s{2,}
    | [{}\[\]]\s*,?$ | [{\[]" | "[^"]{1,80}"\s*: | </?\w | (?:FAILED|PASSED|FAIL|ERROR)\s
    | [a-z0-9]{8}-\d+\s\u00b7 | make(?:\[\d\])?:\s | error\[ | \|\s | ={4,} | -{4,} | \w+@[\w-]+:[~/] )""",
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
_END = re.compile(r"(?<=[.!?\u2026\u3002\uff01\uff1f])[\"'\u201d\u2019»)\]]*\s+(?=\S)|(?<=[\u3002\uff01\uff1f])(?=\S)")
_SHORTENED = re.compile(
    r"^\d{1,2}\.$|(?:^|[\s(])(?:[^\W\d]\.|(?:[^\W\d]\.)+[^\W\d]\.|etc\.|vs\.|cf\.|approx\.|ca\.|bzw\.|usw\.|evtl\.|ggf\.|inkl\.|nr\.|no\.|núm\.|"
    r"dr\.|mr\.|ms\.|mrs\.|sr\.|sra\.|prof\.|fig\.|ver\.|ej\.|p\.ej\.|st\.|str\.|tel\.|min\.|max\.|resp\.)$",
    re.IGNORECASE,
)


_COUNTED = re.compile(r"\d\s(?:ms|min|no)\.$")  # behind a number it is a unit


_SAYS = re.compile(
    r"\b(?:(?<!\bto )says?|said|wrote|writes|reads|states|replied|answered|asks|asked|sagt|sagte|schreibt|schrieb|meint"
    r"|meinte|fragt|dice|dijo|escribe|escribi\u00f3|pregunta|dit|\u00e9crit|demande|r\u00e9pond)\b[^:.!?]{0,30}:\s",
    re.IGNORECASE,
)
_QUOTES = '"\u201c\u201d\u201e\u00ab\u00bb'
_MOSTLY = 0.6  # of a sentence that stands in quotes: it is somebody else's


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
    heading = ""
    announced = False  # a line ended with a colon: what follows is somebody else's, but for the items of a list
    typed = text[:LONGEST].replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    for paragraph, pasted in _paragraphs(_quotes_joined(typed)):
        for row in _joined(paragraph):
            item = _ITEM.match(row)
            heading = heading if item else ""
            theirs = pasted or (announced and not heading)
            for piece in _split(row[item.end() :] if item else row):
                read = _own_and_theirs(Sentence(piece, item is not None, heading, theirs or _is_quoted(piece)))
                found += read
                theirs = theirs or len(read) > 1
                announced = announced or len(read) > 1
            if row.endswith(":") and not theirs:
                heading, announced = row, True
    return [one for one in found if len(one.text) <= LONGEST_SENTENCE]


def _quotes_joined(text: str) -> str:
    """Return a text in which a quotation over several lines is one line: from the first line with a quote that is not
    closed there to the last one."""
    rows = text.split("\n")
    odd = [at for at, row in enumerate(rows) if sum(letter in _QUOTES for letter in row.replace('\\"', "")) % 2]
    if len(odd) < 2:
        return text
    return "\n".join([*rows[: odd[0]], " ".join(rows[odd[0] : odd[-1] + 1]), *rows[odd[-1] + 1 :]])


def _own_and_theirs(sentence: Sentence) -> list[Sentence]:
    """Return a sentence in two if it goes on with what somebody else said: "the page says: …"."""
    said = None if sentence.pasted else _SAYS.search(sentence.text)
    if said is None:
        return [sentence]
    own, theirs = sentence.text[: said.end()].rstrip(), sentence.text[said.end() :]
    return [sentence._replace(text=own), sentence._replace(text=theirs, pasted=True)]


def _is_quoted(piece: str) -> bool:
    places = [at for at, letter in enumerate(piece) if letter in _QUOTES]
    return len(places) > 1 and places[-1] - places[0] > _MOSTLY * len(piece)


def own(text: str) -> list[Sentence]:
    """Return the sentences that are the speaker's own."""
    return [one for one in sentences(text) if not one.pasted]


def _paragraphs(text: str) -> Iterator[tuple[list[str], bool]]:
    """Yield runs of lines, and whether they were pasted."""
    rows: list[str] = []
    closing, mail = "", False  # how the block ends that we are in; whether a mail has begun
    cited = False
    for row in [*text.split("\n"), ""]:
        bare = row.strip()
        tag = _TAG.match(bare)
        cited = bare.startswith(">") or (cited and bool(bare))  # what follows a citation at once goes on with it
        quoted = bool(closing) or cited or bare.startswith(_FENCES) or tag is not None
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
    """Yield the sentences of a line."""
    yield from (row[start:end] for start, end in spans(row))


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each sentence of a text begins and ends. What stands between quotes is not split."""
    places = [at for at, letter in enumerate(text) if letter in _QUOTES]
    quoted = range(places[0], places[-1]) if len(places) > 1 else range(0)
    begin = len(text) - len(text.lstrip())
    for seam in _END.finditer(text):
        before = text[begin : seam.start()]
        if seam.start() in quoted or (_SHORTENED.search(before) and not _COUNTED.search(before)):
            continue
        yield begin, seam.start() + len(seam[0].rstrip())
        begin = seam.end()
    if begin < len(text.rstrip()):
        yield begin, len(text.rstrip())


_HEADED = re.compile(r"#+\s+|(?:[-*+\u2022>]\s+)+|\d{1,2}[.)]\s+")  # what begins a line of Markdown


def plain_sentences(text: str) -> list[str]:
    """Return the sentences of a note without bullets, marks of headings and code; each within a paragraph."""
    found: list[str] = []
    row = ""
    fenced = False
    for line in [*text.split("\n"), ""]:
        bare = line.strip()
        fence = bare.startswith(_FENCES)
        fenced = fenced is not fence
        begins = _HEADED.match(bare)
        bare = bare[begins.end() :] if begins else bare
        if row and (fenced or fence or begins or not bare):
            found += [row[start:end] for start, end in spans(row)]
            row = ""
        if not fenced and not fence:
            row = f"{row} {' '.join(bare.split())}".strip()
    return found
