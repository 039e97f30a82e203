"""Find what a summary left out although most of its sources have it, and what it says although none
has it.

A person reads each of these, so they are few and sure: a number, a name or a denial is missing only
if the summary has it in no form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple

from treering.consolidate.summaries.names import coded, has, names, said
from treering.consolidate.summaries.numbers import Stated, numbers
from treering.text.mentions import PRODUCTS
from treering.text.sentences import plain_sentences
from treering.text.stems import stem
from treering.text.words import STOP_WORDS, folded, words

if TYPE_CHECKING:
    from treering.consolidate.summaries.names import Said
    from treering.consolidate.summaries.numbers import Number


# Whoever says one of these denies something.
_DENYING = frozenset("cannot dont doesnt didnt wont cant isnt never no nobody none nor not nothing without".split())
# And whoever says one of these may do it in other words.
_HINTING = frozenset(
    """avoid avoided avoids ban banned bans block blocked deny denied disable disabled disallow disallowed
    except exclude excluded fail failed fails failure forbid forbidden forbids free impossible instead ignore
    ignored ignores lack lacking lacks miss missing off omit omitted only out prevent prevents prohibit
    prohibited rather refuse refused refuses reject rejected rejects remove removed skip skipped skips stop
    stopped stops unable unavailable unless unsupported unsafe without""".split()
)
_NO_MATTER = ("no longer", "no matter", "not only", "no doubt", "not just", "no problem", "no idea")
_PARTING = frozenset("and because but hence or since so then though whereas which while who".split())
_ENDING = (",", ";", ":", ")", "\u2014", "\u2013")
_NUMBERED = "no."  # "No. 5" denies nothing


_KEPT = 2_048  # texts whose denials are kept: a group is read several times


class Denial(NamedTuple):
    text: str  # the clause, as it stands
    stems: frozenset[str]  # of what it speaks of
    size: int  # how many these are


def clauses(sentence: str) -> Iterator[list[str]]:
    """Return the words of each clause, as they stand."""
    row: list[str] = []
    for word in sentence.split():
        if row and (word.lower() in _PARTING or word in _ENDING):
            yield row
            row = []
        if word.lower() not in _PARTING and word not in _ENDING:
            row.append(word)
        if row and word.endswith(_ENDING):
            yield row
            row = []
    if row:
        yield row


@lru_cache(_KEPT)
def denials(text: str) -> tuple[Denial, ...]:
    """Return the clauses of a text that deny something outright."""
    found: list[Denial] = []
    for sentence in plain_sentences(text):
        for clause in clauses(sentence):
            if _denies(clause, sentence) and (about := spoken_of(clause)):
                found.append(Denial(" ".join(clause).strip(" ,;:().!?"), about, len(about)))
    return tuple(found)


def mentions(text: str) -> Iterator[tuple[frozenset[str], bool]]:
    """Return the subjects of each sentence, and whether it may deny them, in whatever words."""
    for sentence in plain_sentences(text):
        words = folded(sentence)
        yield spoken_of(words), _outright(words) or any(word in _HINTING or _is_un(word) for word in words)


def spoken_of(words: list[str]) -> frozenset[str]:
    """Return the stems of words that are neither stop words nor denials."""
    return frozenset(
        stem(word)
        for chunk in words
        for word in folded(chunk)
        if len(word) > 1 and word not in STOP_WORDS and word not in _DENYING and not word.isdecimal()
    )


def _is_un(word: str) -> bool:
    return word.startswith("un") and len(word) > 5 and word.endswith(("ed", "able", "ible"))


def _denies(clause: list[str], sentence: str) -> bool:
    said = " ".join(clause).lower()
    if _NUMBERED in clause or "No." in clause or sentence.endswith("?"):
        return False
    for saying in _NO_MATTER[1:]:
        said = said.replace(saying, "")
    return _outright(folded(said))


def _outright(words: list[str]) -> bool:
    if not _DENYING.isdisjoint(words):
        return True
    # An apostrophe parts a word: "don't" is "don" and "t".
    return any(one.endswith("n") and other == "t" for one, other in pairwise(words))


NUMBER, NAME, NEGATION = "number", "name", "negation"
_READ = 10_000  # characters of a source
_MOST_DENIALS = 24  # of a source that are compared: a note has one or two
_MARKS = "-&|>"  # with which an option or a joint of commands begins
_SHELL = frozenset(["&&", "||", "|", ">", ">>"])
_FEWEST_NAMED = 2  # sources in which a word must be written like a name: one capital may be a slip
_FEWEST_STEMS = 2  # that denials share to be one; a single one only where they say little else
_SHORT = 2  # stems of a denial that says little else
_LONGEST_WHAT = 80  # characters of a denial that is shown


class Dropped(NamedTuple):
    """Something that most sources have and the summary has not."""

    kind: str  # `NUMBER`, `NAME` or `NEGATION`
    what: str  # as a source says it
    sources: int  # how many have it


def dropped(texts: Sequence[str], summary: str) -> list[Dropped]:
    """Return what more than half of the texts have and the summary has not: numbers, then names,
    then denials; within each, the most frequent first."""
    if len(texts) < 2 or not summary.strip():
        return []
    read = [text[:_READ] for text in texts]
    return [*_numbers(read, summary), *_names(read, summary), *_denials(read, summary)]


def invented(texts: Sequence[str], summary: str) -> list[str]:
    """Return what a summary states and no source has: numbers with their units, code-like and
    proper names, options of commands, and denials of what the sources say. A small count in words
    may be the summary's own: "three of them failed"."""
    stated = Stated(number for text in texts for number in numbers(text))
    found = [
        number.text
        for number in numbers(summary)
        if not _may_count(number, len(texts)) and not stated.has_strictly(number)
    ]
    sources = [said(text) for text in texts]
    known = {word for source in sources for word in source.words}
    for name in dict.fromkeys([*coded(summary), *names(summary), *_products(summary), *_options(summary)]):
        low = name.lower().rstrip("/")
        if not any(has(source, low) for source in sources) and (name[0] in _MARKS or not _covered(low, known)):
            found.append(name)
    found += _denied(texts, summary)
    return list({text.lower(): text for text in reversed(found)}.values())[::-1]


def _products(text: str) -> list[str]:
    return [word for word in words(text) if word[0].isupper() and word.lower() in PRODUCTS]


def _options(text: str) -> list[str]:
    """Return the parts of commands: "-rf", "&&", "|"."""
    chunks = [chunk.strip("`\"'.,;:()") for chunk in text.split()]
    return [chunk for chunk in chunks if chunk in _SHELL or (chunk[:1] == "-" and chunk[1:2].isalpha())]


def _denied(texts: Sequence[str], summary: str) -> list[str]:
    """Return what a summary denies, and sources speak of without denying it."""
    found = []
    told = [sentence for text in texts for sentence in mentions(text)]
    for denial in denials(summary):
        near = [denied for stems, denied in told if 2 * len(denial.stems & stems) >= len(denial.stems)]
        if near and not any(near) and not any(denied and denial.stems & stems for stems, denied in told):
            found.append(denial.text[:_LONGEST_WHAT])
    return found


def _may_count(number: Number, most: int) -> bool:
    return number.spelled and (not number.measured or number.raw == 1) and number.raw <= max(most, 2)


def _covered(name: str, known: set[str]) -> bool:
    """Tell whether all pieces of a name stand somewhere, together or apart."""
    pieces = said(name).words
    return bool(pieces) and all(piece in known for piece in pieces)


def _numbers(texts: Sequence[str], summary: str) -> list[Dropped]:
    kept = Stated(numbers(summary))
    held = [numbers(text) for text in texts]
    stated = [Stated(row) for row in held]
    found: list[tuple[Number, int]] = []
    for number in {
        (number.measures, number.value): number for row in reversed(held) for number in reversed(row)
    }.values():
        if not kept.has(number):
            sources = sum(one.has_surely(number) for one in stated)
            if 2 * sources > len(texts) and not Stated(other for other, _ in found).has(number):
                found.append((number, sources))
    return [Dropped(NUMBER, number.text, sources) for number, sources in sorted(found, key=_by_sources)]


def _by_sources(found: tuple[object, int]) -> int:
    return -found[1]


def _names(texts: Sequence[str], summary: str) -> list[Dropped]:
    kept, sources = said(summary), [said(text) for text in texts]
    named: dict[str, int] = {}
    for text in texts:
        for name in names(text):
            named[name] = named.get(name, 0) + 1
    found: list[tuple[str, int]] = []
    for name, times in named.items():
        if times < _FEWEST_NAMED or has(kept, name):
            continue
        count = sum(_holds(source, name) for source in sources)
        if 2 * count > len(texts) and not any(name in other or other in name for other, _ in found):
            found.append((name, count))
    return [Dropped(NAME, name, count) for name, count in sorted(found, key=_by_sources)]


def _holds(source: Said, name: str) -> bool:
    return name in source.low or (name.isalpha() and name in source.words)


def _denials(texts: Sequence[str], summary: str) -> list[Dropped]:
    """Return denials that most sources share and the summary lacks. A sentence of it that speaks of
    most of one and may deny it keeps it."""
    held = [_frequent(row, often) for row in rows] if (often := _often(rows := [*map(denials, texts)])) else []
    shared: dict[frozenset[str], str] = {}
    for at, row in enumerate(held):
        for denial, other in product(row, (other for later in held[at + 1 :] for other in later)):
            common = denial.stems & other.stems
            least = 1 if min(denial.size, other.size) <= _SHORT else _FEWEST_STEMS
            if len(common) >= least:
                shared.setdefault(common, denial.text[:_LONGEST_WHAT])
    kept = [stems for stems, denied in mentions(summary) if denied]
    found: list[tuple[frozenset[str], int]] = []
    for common in sorted(shared, key=lambda stems: (-len(stems), sorted(stems))):
        sources = sum(any(common <= denial.stems for denial in row) for row in held)
        if 2 * sources <= len(texts) or any(common & other for other, _ in found):
            continue
        if not any(2 * len(common & stems) >= len(common) for stems in kept):
            found.append((common, sources))
    return [Dropped(NEGATION, shared[common], sources) for common, sources in sorted(found, key=_by_sources)]


def _often(rows: Sequence[Sequence[Denial]]) -> frozenset[str]:
    """Return the stems of what most sources deny."""
    counts = Counter(stem for row in rows for stem in {stem for denial in row for stem in denial.stems})
    return frozenset(stem for stem, count in counts.items() if 2 * count > len(rows))


def _frequent(row: Sequence[Denial], often: frozenset[str]) -> list[Denial]:
    found = (denial._replace(stems=denial.stems & often) for denial in row)
    return [denial for denial in found if denial.stems][:_MOST_DENIALS]
