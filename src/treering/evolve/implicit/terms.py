"""Find the terms of a memory: what can be seen again where it is used, and how much each is worth.

A memory mostly says something about a subject. The subject comes up whenever the talk is about it;
what is said of it comes up when it is used. So a term counts by its kind and its side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from treering.evolve.implicit.correction import phrases
from treering.evolve.implicit.read import (
    COMMON,
    HOUSEHOLD,
    MONTHS,
    STOPS,
    Sentence,
    numbers_of,
    runs,
    sentences,
    stem,
    words,
)

# Points. A name in code, written as it was shown, is no accident; a word may be.
ENOUGH = 3.0
CODE, NUMBER, NAME = 3.0, 3.0, 3.0
JOINED, DATE, CALLED = 2.0, 2.0, 2.0  # web-prod, 9 August, "is called trunk"
KNOWN = 1.5  # Redis
AMOUNT = 2.5  # 15 minutes
PIECE = 1.5  # of a name of several words
SMALL, WORD = 1.0, 1.0
SUBJECT = 0.5  # of a term's points, where it only says what the memory is about

_SMALL_NUMBER = 2  # digits: so small a number is met everywhere
_ROUND = re.compile(r"[1-9]00\Z|1000\Z|(?:19|20)\d\d\Z|40[134]\Z")  # and these are, and years
_LONG_NUMBER = 4  # digits and signs of a time or a date
_SHORT_CODE = 3  # letters: S3 and x86 are words by now
_SHORTEST = 3  # letters of a stem
_FORBIDDEN = 60  # characters behind a negation, at most

# With these begins what is said; before them stands of what.
_VERBS = frozenset(
    """is are was were be must should shall can cannot may need needs uses use has have had lives live runs run goes go
    contains contain follows follow prefers prefer wants want likes like hates hate loves stays stay takes take keeps
    keep works work means mean comes come requires require expects expect gets get sits sit reads read writes write
    listens listen serves serve stores store holds hold returns return starts start belongs belong depends depend
    points point happens happen ist sind est son es""".split()
)
# Where the subject is the way to do something, it is what is used.
_WAYS = frozenset(
    """fixes fix solves solve resolves resolve frees free makes make helps help clears clear enough works restores
    restore reloads reload brings bring does do opens stops way required supported allowed mandatory
    preferred""".split()
)
_AFTER = 3  # words from the verb on, among which such a word is looked for: is the way
# What is named, chosen or liked follows.
_CALLING = frozenset("use uses using called named likes loves hates prefers wants".split())
_OWNER = "s"  # what is left of Lea's behind the name: whose it is, and not what
_UNITS = frozenset("s m h d".split())
_CONDITIONS = frozenset("if when whenever after before unless once".split())
# Function words of a language that writes every noun like a name.
_GERMAN = frozenset("ist und dem den zum zur im auf f\u00fcr wird sind nicht eine".split())
_ABBREVIATIONS = frozenset("e.g i.e a.m p.m u.s etc vs approx".split())
# Files that every project has: without its folder, such a name says nothing.
_ANY_FILE = frozenset(
    """__init__ __main__ app build cargo changelog config docker-compose dockerfile go gulpfile index init lib license
    main makefile mod package pyproject readme requirements schema settings setup style styles tests tsconfig types
    utils values""".split()
)
_FORBIDDING = phrases("never | do not | don't | avoid | must not | mustn't | may not | not | instead of | rather than")
_CLAUSE = re.compile(r"[,;:.]\s| (?:but|because|since|so|as) | [\u2013\u2014-] ")
_LABEL = re.compile(r"[^\W\d][\w -]{1,24}: ")
_PAUSE = re.compile(r"[,;:] ")
_SPAN = re.compile(r"`([^`\n]{2,200})`")
_QUOTED = re.compile(
    r"(?:(?<=[\s(])|\A)(?:\"([^\"\n]{2,60})\"|'([^'\n]{2,60})'|\u201c([^\u201d\n]{2,60})\u201d)(?=[\s.,;:)!?]|\Z)"
)


class Term(NamedTuple):
    form: str
    points: float
    said: bool  # of the subject, and not the subject itself
    of: str  # the run that it is a form of: all forms of one run count once
    needs: str = ""  # how it is to be written to count in full: as a "name", in "code"


class _Place(NamedTuple):
    """The position of a run."""

    before: str
    behind: str
    said: bool

    @property
    def share(self) -> float:
        return 1.0 if self.said else SUBJECT


def terms_of(text: str) -> dict[str, Term]:
    """Return the terms by their forms, without what the text says not to do."""
    found: dict[str, Term] = {}
    stretches = [sentence for start, end in forbidden(text) for sentence in sentences(text[start:end])]
    excluded: frozenset[str] = frozenset().union(*(sentence.forms for sentence in stretches))
    for sentence in sentences(text):
        for term in (*_of_sentence(sentence), *_of_quotes(sentence)):
            kept = found.get(term.form)
            if term.form not in excluded and (kept is None or kept.points < term.points):
                found[term.form] = term
    return found


def is_code(run: str) -> bool:
    """Tell whether a run is written as only names in code are: an inner sign or digit, a flag, camelCase."""
    core = run.strip("#@./:~+*%&^-")
    if len(core) < 2 or run in _ABBREVIATIONS or not any(letter.isalpha() for letter in core):
        return False
    if run[0] == "-" or any(sign in core for sign in "_@:\\.") or (run[0] in "./:@~#" and len(core) > 2):
        return True
    if core.count("/") + core.count("-") > 1 or (len(core) > _SHORT_CODE and any(map(str.isdigit, core))):
        return True
    has_humps = core[1:] != core[1:].lower() and not core.removesuffix("s").isupper()  # no plural: PDFs
    return has_humps and "-" not in core and "/" not in core


def forbidden(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a text from a negation to the end of its clause."""
    for found in _FORBIDDING.finditer(text):
        most = found.end() + _FORBIDDEN
        end = _CLAUSE.search(text, found.end(), most)
        yield found.end(), end.start() if end else most


def _of_quotes(sentence: Sentence) -> Iterator[Term]:
    """Yield terms in quotes or back ticks, which are meant as written."""
    for groups in _QUOTED.findall(sentence.low):
        quoted = "".join(groups).strip()
        if len(quoted) > 1:
            yield Term(quoted, CODE, True, quoted) if " " in quoted else Term(quoted, JOINED, True, quoted, "code")
    for span in _SPAN.findall(sentence.low):
        if span.isalpha():
            yield Term(stem(span), JOINED, True, span)


def _of_sentence(sentence: Sentence) -> Iterator[Term]:
    pieces = list(runs(sentence.text))
    first, begin = _beginnings(sentence.text)
    is_german = not _GERMAN.isdisjoint(pieces)
    names: list[str] = []
    for at, run in enumerate(pieces):
        is_name = run[0].isupper() and run.isalpha() and len(run) > 1 and not is_code(run) and not is_german
        if is_name and (at > first or _may_be_name(run)):
            names.append(run)
            continue
        yield from _of_names(names, at > begin and run != _OWNER)
        names = []
        before, behind = ("".join(pieces[each : each + 1]).lower() for each in (max(at - 1, 0), at + 1))
        yield from _of_run(run, _Place(before if at else "", behind, at >= begin))
    yield from _of_names(names, len(pieces) > begin)


def _may_be_name(run: str) -> bool:
    """Tell whether the first word may be a name: then it counts only where it is written as one."""
    return len(run) > _SHORTEST and stem(run.lower()) not in COMMON and run.lower() not in _VERBS


def _beginnings(text: str) -> tuple[int, int]:
    """Return the run where the sentence begins behind its label, and where the statement begins:
    behind a condition, at the first verb, or the same."""
    label = _LABEL.match(text)
    before = len(list(runs(label[0]))) if label else 0
    rest = text[label.end() :] if label else text
    clause = _PAUSE.split(rest, maxsplit=1)[0]
    lows = [run.lower() for run in runs(clause)]
    if lows and lows[0] in _CONDITIONS and clause != rest:
        return before, before + len(lows)
    verb = next((at for at, run in enumerate(lows) if run in _VERBS), 0)
    return before, before if not _WAYS.isdisjoint(lows[verb : verb + _AFTER]) else before + verb


def _of_names(names: Sequence[str], said: bool) -> Iterator[Term]:
    """Yield capitalised words in a row as one name, and each of its words."""
    share = 1.0 if said else SUBJECT
    stems = [stem(name.lower()) for name in names]
    if len(stems) > 1:
        yield Term(" ".join(stems), NAME * share, said, names[0], "name")
    for name in stems:
        if name not in COMMON and name not in MONTHS:
            points = PIECE if len(stems) > 1 else KNOWN if name in HOUSEHOLD else NAME
            yield Term(name, points * share, said, names[0] if len(stems) > 1 else name, "name")


def _of_run(run: str, place: _Place) -> Iterator[Term]:
    low = run.lower()
    if numbers := numbers_of(low):
        yield from _of_number(low, numbers[0], place)
    elif is_code(run):
        points = PIECE if "/" not in run and _is_any_file(run) else CODE
        yield from (Term(form, points * place.share, place.said, low) for form in _code_forms(run))
    elif any(map(str.isdigit, run)) and not any(map(str.isalpha, run)):
        points = NUMBER if len(run) >= _LONG_NUMBER else SMALL  # 9:30, 2024-05-01
        yield Term(low, points * place.share, place.said, low)
    elif any(letter in "-/" or letter.isdigit() for letter in run):
        if any(map(str.isalnum, run)):
            needs = "code" if run.replace("-", "").isalpha() else ""  # well-known is a word, web-prod a name
            yield Term(low.rstrip("/"), JOINED * place.share, place.said, low, needs)
    else:
        points = CALLED if place.before in _CALLING else WORD
        for form in map(stem, words(run)):
            if len(form) >= _SHORTEST and form not in COMMON:
                yield Term(form, points * place.share, place.said, form)


def _code_forms(run: str) -> Iterable[str]:
    """Yield the forms in which code may be met: the end of a path, the name behind a sign; no folder."""
    bare = run.strip("#@./:~+*%&^-")
    steps = [step for step in bare.split("/") if step]
    files = [step for step in steps[-1:] if not _is_any_file(step)]
    names = [name for name in (files if len(steps) > 1 else bare.split(":")) if is_code(name)]
    ends = ["/".join(steps[at:]) for at in range(1, len(steps) - 1)]
    parts = [piece for piece in bare.split(".") if is_code(piece)]
    found = [run, *([bare] if is_code(bare) else ()), *names, *ends, *parts]
    return dict.fromkeys(form.lower() for form in found)


def _is_any_file(name: str) -> bool:
    return name.lower().partition(".")[0] in _ANY_FILE


def _of_number(run: str, number: str, place: _Place) -> Iterator[Term]:
    """Yield a number; a small one only with the word beside it: 30 days, Node 16."""
    is_small = len(number) <= _SMALL_NUMBER or _ROUND.match(number) is not None
    yield Term(number, (SMALL if is_small else NUMBER) * place.share, place.said, number)
    for pair in ((place.before, run), (run, place.behind)):
        stems = [stem(word) for each in pair for word in words(each)]
        beside = [word for word in stems if not word.isdigit()]
        if beside and (beside[0] in _UNITS or beside[0] not in STOPS):
            points = DATE if not MONTHS.isdisjoint(beside) else AMOUNT if beside[0] in COMMON else NUMBER
            yield Term(" ".join(stems), points * place.share, place.said, number)
