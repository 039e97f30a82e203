"""A text that followed a recall, as sentences; each with the forms in which a term of a memory can be found.

All is linear: a text is cut to a bound, split once, and each piece is read once.
"""

from __future__ import annotations

import re
from functools import lru_cache

from treering.core.tuples import NamedTuple
from treering.core.words import STOP_WORDS, parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Characters of one text. An answer is shorter; a log tells how it ended at its end, so that both ends are read.
MOST_LETTERS = 50_000
MOST_SENTENCES = 1_000  # of one text, from both ends too: its letters last for so many
_LONGEST_SENTENCE = 2_000  # characters
_LONGEST_RUN = 200  # characters without a blank: longer ones are encoded data
_DEEPEST = 8  # folders of a path, numbers of a version

# Of ours; one that was cut off goes to the end of what there is, as no other `<` is in it.
_FENCE = re.compile(r"<treering-recall \w{8,64}:[^<>\n]*>[^<]*(?:</treering-recall \w{8,64}>)?")
_ITEM = re.compile(r"\A(?:\d{1,3}[.)]|[*\u2022-]) ")  # of a list
_END = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bProf\.)[\"')*\u201d\u2019]*\s"
)
_TURN = re.compile(r"; |,? but |, (?:and|while|whereas|so|please) ")
_RUN = re.compile(r"[^\s\"'`(){}<>|,;=!?\[\]\u201c\u201d\u2018\u2019]+")
_SPAN = re.compile(r"`([^`]+)`")
_NUMBER = re.compile(r"v?(\d+(?:[.,]\d+)*)([kKmM]?)s?(?!\w)")
_GROUPED = re.compile(r"\d{1,3}(?:[,_]\d{3})+(?!\d)")
_COMMAND = re.compile(r"(?:\$|>>>|[\w@~:/.-]{1,40}[$#]) \S")
_THOUSANDS = {"k": 1_000, "m": 1_000_000}
_SIGNS = "#@./:~+*%&^-_"  # around a name, and no part of it


class Sentence(NamedTuple):
    text: str  # its blanks made one
    low: str
    forms: frozenset[str]
    coded: frozenset[str]  # those of its code
    named: frozenset[str]  # the stems of its capitalised words, but the first
    line: str  # the stems of its words as they come, a blank before and behind each
    code: bool  # nothing but code: a line of a block, a command


def sentences(text: str, program: bool = False) -> list[Sentence]:
    """Without what we showed ourselves. Lines between ``` are code, and so is what stands in back ticks as a whole. A
    program has no back ticks: any word that it says may be meant as it is written."""
    found: list[tuple[str, bool]] = []
    inside = False
    for line in _cut(text).splitlines():
        plain = _ITEM.sub("", " ".join(line.split()))
        if plain.startswith("```"):
            inside = not inside
            continue
        found += [(piece[:_LONGEST_SENTENCE], inside) for piece in ([plain] if inside else _END.split(plain)) if piece]
    half = MOST_SENTENCES // 2
    kept = found if len(found) <= MOST_SENTENCES else found[:half] + found[-half:]
    made = [_sentence(piece, is_code) for piece, is_code in kept]
    return [said._replace(coded=said.forms) for said in made] if program else made


def clauses(said: Sentence) -> list[Sentence]:
    """The parts of a sentence that may speak of different things."""
    pieces = [piece for piece in _TURN.split(said.text) if piece]
    return [_sentence(piece, said.code) for piece in pieces] if len(pieces) > 1 else [said]


def part(said: Sentence, text: str) -> Sentence:
    """A sentence of which only some of the text is left."""
    return said if text == said.text else _sentence(text, said.code)


def is_command(line: Sentence) -> bool:
    """Whether a line of a tool's output is the command itself, behind a prompt."""
    return _COMMAND.match(line.text) is not None


def _cut(text: str) -> str:
    if len(text) > MOST_LETTERS:
        half = MOST_LETTERS // 2
        text = f"{text[:half]}\n{text[-half:]}"
    return _FENCE.sub("\n", text) if "<treering-recall" in text else text


def _sentence(text: str, inside: bool) -> Sentence:
    bare = text.rstrip(".:")
    whole = bare[:1] == bare[-1:] == "`" and bare.count("`") == 2
    code = inside or whole or _COMMAND.match(text) is not None
    found = [(run, [stem(word) for word in words(run)]) for run in runs(text)]
    forms = frozenset(form for run, stems in found for form in (*forms_of(run), *stems))
    coded = forms if code else _coded(text)
    named = frozenset(word for run, stems in found[1:] if run[0].isupper() for word in stems)
    line = " ".join(word for _, stems in found for word in stems)
    return Sentence(text, text.lower(), forms, coded, named, f" {line} ", code)


def _coded(text: str) -> frozenset[str]:
    found = [run for span in _SPAN.findall(text) for run in runs(span)]
    return frozenset(form for run in found for form in (*forms_of(run), *map(stem, words(run))))


def runs(text: str) -> Iterator[str]:
    """What stands between blanks, quotes and brackets, without the signs of the sentence."""
    text = _GROUPED.sub(lambda found: found[0].replace(",", "").replace("_", ""), text)
    for run in _RUN.findall(text):
        if len(run) <= _LONGEST_RUN and (bare := trimmed(run)):
            yield bare


def trimmed(run: str) -> str:
    return run.rstrip(".:*_\u2026\u2013\u2014").lstrip("*\u2026\u2013\u2014")


def forms_of(run: str) -> Iterator[str]:
    """A run as it stands, and what it is inside: tests/a/b.py is also tests/a and b.py."""
    low = run.lower()
    bare = low.strip(_SIGNS)
    yield from (low, bare)
    numbers = numbers_of(low)
    if numbers:
        yield from numbers
        return
    for sign in "/.:@":
        if sign in bare:
            pieces = [piece for piece in bare.split(sign) if piece][:_DEEPEST]
            ends = range(1, len(pieces) + 1)
            yield from (sign.join(pieces[start:end]) for end in ends for start in range(end))


def numbers_of(run: str) -> list[str]:
    """The forms of a number, the whole first: 40k is 40000, and 16.20.2 is a 16. Nothing if it is none."""
    found = _NUMBER.match(run)
    if found is None or len(run) > found.end() + 1:  # one sign may follow: 85%
        return []
    digits = found[1].replace(",", ".")
    if found[2] and digits.count(".") <= 1:
        return [f"{float(digits) * _THOUSANDS[found[2].lower()]:.0f}"]
    pieces = digits.split(".")[:_DEEPEST]
    return [".".join(pieces[:end]) for end in range(len(pieces), 0, -1)]


def words(run: str) -> list[str]:
    """The words in a run, in lower case; the humps of a name are words."""
    return [word.lower() for word in parts(run)]


_KNOWN = 4096  # stems kept: the common words
_SHORTEST = 3  # letters that are left of a word when an ending is taken off
_ENDINGS = ("ing", "ied", "ed", "er", "e", "y")


@lru_cache(_KNOWN)
def stem(word: str) -> str:
    """What the forms of a word have in common; it need not be a word."""
    if not word.isalpha():
        return word
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > _SHORTEST:
        word = word[:-1]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > _SHORTEST and word[-1] == word[-2] else word


STOPS = STOP_WORDS.union(map(stem, STOP_WORDS))
