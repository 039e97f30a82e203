"""Find what a summary left out although most of its sources have it, and what it says although none has it.

A person reads each of these, so they are few and sure: a number, a name or a denial is missing only if the
summary has it in no form. "5 min", "300 seconds" and "five minutes" are one number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import isclose
from typing import NamedTuple

from treering.consolidate.summaries.terms import EXTENSIONS, LONGEST_TERM, tells
from treering.text.mentions import PRODUCTS, entities, identifiers
from treering.text.sentences import plain_sentences
from treering.text.stems import stem
from treering.text.words import STOP_WORDS, folded, parts, words

NUMBER, NAME, NEGATION = "number", "name", "negation"
_KEPT = 2_048  # texts whose facts are kept: a group is read several times
_READ = 10_000  # characters of a source
_LONGEST_WHAT = 80  # characters of a denial that is shown
_SMALL = 10  # a number below it is the same in two texts only if they count the same thing
_FEWEST_NAMED = 2  # sources in which a word must be written like a name: one capital may be a slip
_ALIKE = 5  # letters that two forms of a name begin with: Postgres, PostgreSQL
# What each unit measures, and its size in the smallest or the usual one.
_UNITS: dict[str, tuple[str, float]] = {
    name + plural: (measured, size)
    for measured, rows in {
        "time": "1e-6 us µs; 1e-3 ms millisecond; 1 s sec second; 60 min minute; 3600 h hour; 86400 day; 604800 week",
        "data": "1 byte; 1e3 kb; 1e6 mb megabyte; 1e9 gb gigabyte; 1e12 tb; 1024 kib; 1048576 mib; 1073741824 gib",
        "share": "1 % percent",
        "length": "1 metre meter; 1e3 km; 1e-2 cm; 1e-3 mm",
        "mass": "1e-3 g gram; 1 kg",
        "dollar": "1 $ dollar usd",
        "euro": "1 € euro eur",
    }.items()
    for row in rows.split("; ")
    for size in [float(row.split()[0])]
    for name in row.split()[1:]
    for plural in ("", "s")
}
_TIMES = {"k": 1e3, "dozen": 12, "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SPELLED = {
    **{
        word: at
        for at, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
    },
    **{word: 20 + 10 * at for at, word in enumerate(_TENS)},
}
_NUMBER = re.compile(
    r"(?<![\w.#/])(?<![^\W\d]-)[$€]?(?P<digits>\d{4}-\d\d-\d\d|[vV]?\d+(?:[.:]\d+|[, _]\d{3}(?!\d))*)(?![\w.]*\w_)"
    r"(?P<times>k\b| ?(?:thousand|million|billion)\b)?(?:[ -]?(?P<unit>%|[^\W\d_]+))?"
    rf"|\b(?P<word>an?|{'|'.join(_SPELLED)})\b(?: (?P<scale>hundred|thousand|million|dozen)\b)?"
    r"(?:[ -](?P<noun>[^\W\d_]+))?",
    re.IGNORECASE,
)
_FREE = frozenset(("a", "an", "zero", "one"))  # as words, they count something only before a unit: "zero in on"
_MARKED = ("version", "clock", "date")  # which nobody writes as a bare number
_NO_NOUNS = STOP_WORDS | frozenset("ago per since via".split())
_DENYING = re.compile(
    r"\b(?:cannot|never|no|nobody|none|nor|not|nothing|without|\w+n['\u2019]t)\b(?! ?5)", re.IGNORECASE
)
_NO_MATTER = re.compile(r"\b(?:no (?:matter|doubt|problem|idea)|not (?:only|just)|No\.)", re.IGNORECASE)
# What may deny something in other words.
_HINTING = re.compile(
    r"\b(?:avoid|ban|block|deni|disabl|disallow|except|exclud|fail|forbid|impossible|instead|ignor|lack|miss|off\b|omit|"
    r"only|out\b|prevent|prohibit|rather|refus|reject|remov|skip|stop|un\w+(?:ed|ble)\b|unless|free)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:()\u2014\u2013]\s|\s(?:and|because|but|or|since|so|though|which|while|who)\s")
_OPTION = re.compile(r"(?<!\S)[`\"']?(-+[a-zA-Z]\S*?|&&|\|\|?|>>?)[`\"'.,;:]*(?!\S)")


class Dropped(NamedTuple):
    """Something that most sources have and the summary has not."""

    kind: str  # `NUMBER`, `NAME` or `NEGATION`
    what: str  # as a source says it
    sources: int  # how many have it


class Number(NamedTuple):
    """A number as it stands in a text."""

    text: str  # with its unit
    value: float  # in the usual unit of what it measures
    raw: float  # as it is written
    measures: str  # a dimension; else the stem of the noun beside it, or nothing
    measured: bool = False
    spelled: bool = False


def same(one: Number, other: Number) -> bool:
    """Tell whether two numbers may state the same amount; without a unit, the digits decide."""
    if one.measures in _MARKED or other.measures in _MARKED:
        return one.measures == other.measures and one.text == other.text
    if one.measured and other.measured:
        return one.measures == other.measures and isclose(one.value, other.value, rel_tol=1e-6)
    return isclose(one.raw, other.raw, rel_tol=1e-9)


def _surely(one: Number, other: Number) -> bool:
    """Tell the same, and for small numbers whether they are of the same thing."""
    return same(one, other) and (one.raw >= _SMALL or (one.measures != "" and one.measures == other.measures))


def _strictly(one: Number, other: Number) -> bool:
    """Tell the same, and for one with a unit that the other does not count something instead."""
    return same(one, other) and (not one.measured or other.measured or other.measures == "")


@lru_cache(_KEPT)
def numbers(text: str) -> tuple[Number, ...]:
    """Return the numbers of a text in order, without digits in names (utf-8, sha256, #12)."""
    found = (_number(match, text) for match in _NUMBER.finditer(text))
    return tuple(one for one in found if one is not None)


def _number(match: re.Match[str], text: str) -> Number | None:
    word, unit = (match["word"] or "").lower(), (match["unit"] or match["noun"] or "")
    if word:
        if word in _FREE and unit.lower() not in _UNITS:
            return None
        raw = _SPELLED.get(word, 1) * _TIMES.get((match["scale"] or "").lower(), 1.0)
    else:
        digits = match["digits"]
        marked = _marked(digits)
        if marked:
            return Number(digits.lower().lstrip("v"), 0.0, 0.0, marked)
        plain = re.sub(r"[,_ ](?=\d{3})", "", digits)
        if not plain.replace(".", "", 1).isdecimal():
            return None
        raw = float(plain) * _TIMES.get((match["times"] or "").strip().lower(), 1.0)
    sign = {"$": "dollar", "\u20ac": "euro"}.get(match[0][0], "")
    said = match[0].strip(" -")
    dimension, size = _UNITS.get(sign or unit.lower(), ("", 1.0))
    if dimension:
        return Number(said, raw * size, raw, dimension, True, bool(word))
    noun = unit.lower()
    if noun and noun not in _NO_NOUNS and not noun.endswith(("ed", "ly")):
        return Number(said, raw, raw, stem(noun), False, bool(word))
    said = said.removesuffix(unit).strip(" -")
    before = re.search(
        r"([^\W\d_]{3,}) $", text[max(0, match.start() - LONGEST_TERM) : match.start()]
    )  # "hall 3", "port 8080"
    if before and before[1].lower() not in _NO_NOUNS:
        return Number(f"{before[1]} {said}", raw, raw, stem(before[1].lower()), False, bool(word))
    return Number(said, raw, raw, "", False, bool(word))


def _marked(digits: str) -> str:
    """Return what digits with marks between them are, if they are no amount."""
    if ":" in digits:
        return "clock"
    if digits[0] in "vV" or digits.count(".") > 1:
        return "version"
    return "date" if re.fullmatch(r"\d{4}-\d\d-\d\d", digits) else ""


@lru_cache(_KEPT)
def _said(text: str) -> frozenset[str]:
    """Return the words of a text, with the pieces of names in code, and their stems."""
    found = {*folded(text), *(piece.lower() for piece in parts(text))}
    return frozenset(found | {stem(word) for word in found})


@lru_cache(_KEPT)
def names(text: str) -> tuple[str, ...]:
    """Return names in one normal form, the most telling first. Of a path, its file name alone."""
    found = [name for name in entities(text) if len(name) <= LONGEST_TERM]
    found = [name for name in found if any(letter.isdigit() for letter in name) or any(map(tells, folded(name)))]
    joined = (match.lower() for match in re.findall(r"\b[A-Za-z]{4,}(?:-[A-Za-z]{4,})+\b|\b[A-Za-z]\w*[.-]\d+\b", text))
    return tuple(
        dict.fromkeys([*(one for one in found if "/" not in one or one.rpartition("/")[2] not in found), *joined])
    )


def _has(text: str, name: str) -> bool:
    """Tell whether a text has a name: code by all of its words, other names by half of them."""
    if name.lower() in text.lower():
        return True
    known = _said(text)
    pieces = [piece.lower() for piece in parts(name) if len(piece) > 1 and piece.lower() not in EXTENSIONS]
    pieces = pieces or [name.lower()]
    found = [piece in known or stem(piece) in known or _begins(piece, known) for piece in pieces]
    return 2 * sum(found) >= len(found) if name.replace(" ", "").isalpha() else all(found)


def _begins(piece: str, known: Iterable[str]) -> bool:
    return (
        piece.isalpha()
        and len(piece) >= _ALIKE
        and any(len(one) >= _ALIKE and (one.startswith(piece) or piece.startswith(one)) for one in known)
    )


def _about(text: str) -> frozenset[str]:
    """Return the stems of words that say something and deny nothing."""
    found = (word for word in folded(_DENYING.sub(" ", text)) if len(word) > 1 and not word.isdecimal())
    return frozenset(stem(word) for word in found if word not in STOP_WORDS)


@lru_cache(_KEPT)
def denials(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the clauses of a text that deny something outright, and what they speak of."""
    clauses = (
        clause.strip(" ,;:().!?")
        for sentence in plain_sentences(text)
        if not sentence.endswith("?")
        for clause in _CLAUSE.split(sentence)
        if _DENYING.search(_NO_MATTER.sub("", clause))
    )
    return tuple((clause, about) for clause in clauses if (about := _about(clause)))


def _mentions(text: str) -> Iterator[tuple[frozenset[str], bool]]:
    """Yield the subjects of each sentence, and whether it may deny them, in whatever words."""
    for sentence in plain_sentences(text):
        yield _about(sentence), bool(_DENYING.search(sentence) or _HINTING.search(sentence))


def dropped(texts: Sequence[str], summary: str) -> list[Dropped]:
    """Return what more than half of the texts have and the summary has not: numbers, then names,
    then denials; within each, the most frequent first."""
    if len(texts) < 2 or not summary.strip():
        return []
    read = [text[:_READ] for text in texts]
    found: list[Dropped] = []
    for rows in (_numbers(read, summary), _names(read, summary), _denials(read, summary)):
        found += sorted(rows, key=lambda one: -one.sources)
    return found


def _numbers(texts: Sequence[str], summary: str) -> list[Dropped]:
    kept, held = numbers(summary), [numbers(text) for text in texts]
    found: list[tuple[Number, int]] = []
    for number in dict.fromkeys(number for row in held for number in row):
        if any(same(number, one) for one in (*kept, *(other for other, _ in found))):
            continue
        sources = sum(any(_surely(number, one) for one in row) for row in held)
        if 2 * sources > len(texts):
            found.append((number, sources))
    return [Dropped(NUMBER, number.text, sources) for number, sources in found]


def _names(texts: Sequence[str], summary: str) -> list[Dropped]:
    named = Counter(name for text in texts for name in names(text))
    found: list[Dropped] = []
    for name, times in named.items():
        if times < _FEWEST_NAMED or _has(summary, name) or any(name in one.what or one.what in name for one in found):
            continue
        sources = sum(name in text.lower() for text in texts)
        if 2 * sources > len(texts):
            found.append(Dropped(NAME, name, sources))
    return found


def _denials(texts: Sequence[str], summary: str) -> list[Dropped]:
    """Return denials whose subject most sources deny, and the summary does not."""
    held = [denials(text) for text in texts]
    counts = Counter(word for row in held for word in {word for _, about in row for word in about})
    often = {word for word, count in counts.items() if 2 * count > len(texts)}
    kept = [about for about, denied in _mentions(summary) if denied]
    found: list[tuple[Dropped, frozenset[str]]] = []
    for clause, about in sorted({one for row in held for one in row}, key=lambda one: (-len(one[1] & often), one[0])):
        common = about & often
        if len(common) < min(2, len(about)) or any(common & other for _, other in found):
            continue
        sources = sum(any(2 * len(common & other) >= len(common) for _, other in row) for row in held)
        if 2 * sources > len(texts) and not any(2 * len(common & other) >= len(common) for other in kept):
            found.append((Dropped(NEGATION, clause[:_LONGEST_WHAT], sources), common))
    return [one for one, _ in found]


def invented(texts: Sequence[str], summary: str) -> list[str]:
    """Return what a summary states and no source has: numbers with their units, code-like and
    proper names, options of commands, and denials of what the sources say. A small count in words
    may be the summary's own: "three of them failed"."""
    stated = [number for text in texts for number in numbers(text)]
    found = [
        number.text
        for number in numbers(summary)
        if not _may_count(number, len(texts)) and not any(_strictly(number, one) for one in stated)
    ]
    known = frozenset().union(*map(_said, texts))
    products = [word for word in words(summary) if word[0].isupper() and word.lower() in PRODUCTS]
    coded = [mention.text for mention in identifiers(summary)]
    for name in dict.fromkeys([*coded, *names(summary), *products]):
        pieces = _said(name)
        if not any(_has(text, name.rstrip("/")) for text in texts) and not (pieces and pieces <= known):
            found.append(name)
    found += [option for option in _OPTION.findall(summary) if not any(option in text for text in texts)]
    told = [sentence for text in texts for sentence in _mentions(text)]
    for clause, about in denials(summary):
        near = [denied for other, denied in told if 2 * len(about & other) >= len(about)]
        if near and not any(near) and not any(denied and about & other for other, denied in told):
            found.append(clause[:_LONGEST_WHAT])
    return list({text.lower(): text for text in reversed(found)}.values())[::-1]


def _may_count(number: Number, most: int) -> bool:
    return number.spelled and (not number.measured or number.raw == 1) and number.raw <= max(most, 2)
