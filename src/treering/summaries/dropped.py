"""What a summary left out although most of its sources have it, and what it says although none has it.

A person reads each of these, so they are few and sure: a number, a name or a denial is missing only if the summary has
it in no form.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

from treering.core.tuples import NamedTuple
from treering.core.words import words
from treering.summaries.denials import denials, mentions
from treering.summaries.lexicon import PRODUCTS
from treering.summaries.names import coded, has, names, said
from treering.summaries.numbers import Stated, numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.summaries.denials import Denial
    from treering.summaries.names import Said
    from treering.summaries.numbers import Number

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
    """What more than half of the texts have and the summary has not: numbers, then names, then denials; within each,
    what most have first."""
    if len(texts) < 2 or not summary.strip():
        return []
    read = [text[:_READ] for text in texts]
    return [*_numbers(read, summary), *_names(read, summary), *_denials(read, summary)]


def invented(texts: Sequence[str], summary: str) -> list[str]:
    """What a summary states and no source has, as it stands there: numbers with their units, code-like and proper
    names, options of commands, and denials of what the sources say. A small count in words may be the summary's own:
    "three of them failed"."""
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
    """What belongs to a command: "-rf", "&&", "|"."""
    chunks = [chunk.strip("`\"'.,;:()") for chunk in text.split()]
    return [chunk for chunk in chunks if chunk in _SHELL or (chunk[:1] == "-" and chunk[1:2].isalpha())]


def _denied(texts: Sequence[str], summary: str) -> list[str]:
    """What a summary denies, of which the sources speak and no source may deny it."""
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
    """Whether all pieces of a name stand somewhere: the summary has put them together, or taken them apart."""
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
    """Denials that most sources share. In the summary, a sentence that speaks of most of it and may deny keeps it."""
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
    """The stems of what most sources deny."""
    counts = Counter(stem for row in rows for stem in {stem for denial in row for stem in denial.stems})
    return frozenset(stem for stem, count in counts.items() if 2 * count > len(rows))


def _frequent(row: Sequence[Denial], often: frozenset[str]) -> list[Denial]:
    found = (denial._replace(stems=denial.stems & often) for denial in row)
    return [denial for denial in found if denial.stems][:_MOST_DENIALS]
