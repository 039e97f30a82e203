"""Find where a memory was used, by the terms that distinguish it from the others shown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, pairwise
from typing import NamedTuple

from treering.evolve.echo import echoed
from treering.evolve.implicit.correction import phrases
from treering.evolve.implicit.read import STOPS, Sentence, runs, sentences, stem, trimmed, words
from treering.evolve.implicit.terms import CODE, ENOUGH, SMALL, SUBJECT, WORD, Term, forbidden, is_code, terms_of
from treering.ledger.types import Memory
from treering.text.words import folded

_LONGEST_CONTENT = 4_000  # characters: the terms of a page; a book would be about everything
_LEAST_COPY = 2  # words of a sentence, to know it again
_LEAST_SIGNS = 2  # that part an example, for its shape to be one
_LEAST_PATTERN = 6  # characters besides the gaps: fewer would fit many names
_SHORTEST_PART = 3  # letters

_SPAN = re.compile(r"`([^`\n]{2,200})`")
_PLACEHOLDER = re.compile(r"<[^<>\s]{1,40}>|\{[^{}\s]{1,40}\}|\.\.\.|\u2026")
_GAP = re.compile(r"\*|<[^<>]{1,40}>|\{[^{}]{1,40}\}")
_EXAMPLE = re.compile(r"\be\.\s?g\.,? `?([^\s`,;]{4,80})", re.I)
_WORDS = re.compile(r"[^\W_]+")


class Profile(NamedTuple):
    content: str
    terms: tuple[Term, ...]  # that no other memory shown has
    shared: tuple[Term, ...]  # that others have too
    commands: tuple[str, ...]  # what stands in back ticks and has a blank in it
    shapes: frozenset[str]  # of the examples in it
    patterns: tuple[tuple[str, ...], ...]  # names with a star or a placeholder in them, as the pieces around it
    parts: frozenset[str]  # the words in its names in code and its commands, as they are and by their stems
    copies: tuple[str, ...]  # its sentences as plain words, to know them again
    words: frozenset[str]  # all that say something, by their stems

    @property
    def counts(self) -> bool:
        """True if the memory says a number of something."""
        return any(term.said and term.form[0].isdigit() for term in (*self.terms, *self.shared))

    @property
    def head(self) -> frozenset[str]:
        """The last name or word of the subject, which the words before it qualify."""
        subject = [term for term in self.terms if not term.said]
        last = [term for term in subject if term.of == subject[-1].of]
        return frozenset(term.form for term in last if term.points == max(each.points for each in last))


def profiles(shown: Sequence[Memory]) -> list[Profile]:
    """Return one profile for each memory. Two that say the same have no terms of their own and get no credit."""
    texts = [f"{memory.content}\n{memory.details}"[:_LONGEST_CONTENT] for memory in shown]
    found = [terms_of(text) for text in texts]
    others = [frozenset((*_commands(text), *_shapes(text), *_patterns(text))) for text in texts]
    spread: Counter[object] = Counter(chain.from_iterable((*found, *others)))
    return [
        _profile(memory.content, text, terms, spread) for memory, text, terms in zip(shown, texts, found, strict=True)
    ]


def _profile(content: str, text: str, terms: Mapping[str, Term], spread: Mapping[object, int]) -> Profile:
    said = sentences(text)
    return Profile(
        content,
        tuple(term for form, term in terms.items() if spread[form] == 1),
        tuple(term for form, term in terms.items() if spread[form] > 1),
        tuple(command for command in dict.fromkeys(_commands(text)) if spread[command] == 1),
        frozenset(shape for shape in _shapes(text) if spread[shape] == 1),
        tuple(pattern for pattern in dict.fromkeys(_patterns(text)) if spread[pattern] == 1),
        frozenset(_parts(text)),
        tuple(copy for copy in map(plain, said) if copy.count(" ") > _LEAST_COPY),
        frozenset(word for line in said for word in line.line.split() if word not in STOPS),
    )


def plain(said: Sentence) -> str:
    """Return the words of a sentence, each between blanks."""
    return f" {' '.join(folded(said.text))} "


def shape(run: str) -> str:
    """Return the pattern of a run's parts and signs: PAY-112-refund is A-9-a."""
    return _WORDS.sub(lambda word: "9" if word[0][0].isdigit() else "A" if word[0][0].isupper() else "a", run)


def _shapes(text: str) -> Iterator[str]:
    for example in _EXAMPLE.findall(text):
        found = shape(trimmed(example))
        if len(found) - len(_WORDS.findall(found)) >= _LEAST_SIGNS:
            yield found


def is_made_by(pattern: Sequence[str], name: str) -> bool:
    """Tell whether a name begins and ends as a pattern does, with its other pieces in order between."""
    if not name.startswith(pattern[0]) or not name.endswith(pattern[-1]):
        return False
    at = len(pattern[0])
    for piece in pattern[1:]:
        at = name.find(piece, at + 1)  # something stands for each placeholder
        if at < 0:
            return False
        at += len(piece)
    return True


def _patterns(text: str) -> Iterator[tuple[str, ...]]:
    for chunk in text.lower().split():
        pieces = tuple(_GAP.split(chunk.strip("`'\"(),;:.*")))
        fixed = "".join(pieces)
        if len(pieces) > 1 and len(fixed) >= _LEAST_PATTERN and any(sign in fixed for sign in "/._-"):
            yield pieces


def _commands(text: str) -> Iterator[str]:
    stretches = list(forbidden(text))
    for span in _SPAN.finditer(text):
        if any(start <= span.start() < end for start, end in stretches):
            continue
        for piece in _PLACEHOLDER.split(span[1]):
            command = " ".join(piece.lower().split())
            if " " in command:
                yield command


def _parts(text: str) -> Iterator[str]:
    pieces = [*_SPAN.findall(text), *(run for run in runs(text) if is_code(run))]
    for word in (word for piece in pieces for word in words(piece)):
        if len(word) >= _SHORTEST_PART:
            yield from (word, stem(word))


_IN_CODE = 1.0  # point more, where a term stands in code: it was put to use
_COUNTED = 1.0  # point more for a small number beside its subject: the retry limit at 5
_WHOLE = 1.0  # point more, where all is there that the memory says
_FIRST, _UNWRITTEN = 2 / 3, 1 / 3  # of the points of a name that may be a word, and that is written as one
_WORDY = 4.0  # points, at least, where nothing but words is shared
_SHARE = 0.5  # and of all that the memory says
NAMED = 2.0  # points of terms by which a failure or a correction names a memory
_GOES_ON = ("-", "_", "/")  # signs behind a word that it goes on with
_BEHIND = 3  # words before a term in which a negation is looked for
_NEGATORS = frozenset(
    "not isn't no without never instead rather doesn't don't didn't wasn't aren't nor neither".split()
)
# How an agent tells what it knows, and how it tells what it does with it.
_RECITAL = phrases(
    r"""from (?:my )?memory | according to (?:my|the) (?:memory|notes?) | i (?:recall|remember|know)(?: that)? |
    as (?:far as )?i (?:recall|remember|know) | you (?:told|said|mentioned) | my (?:notes?|memory) (?:say|says|tells?) |
    relevant memor(?:y|ies) | memor(?:y|ies): | what i know | noted:"""
)
_KEEPING = "noted?|told|been|keep|remember|recall|bear|sav|stor|learn|know|understand|see|read|mention|said"
_ACTING = phrases(
    rf"""so | then | therefore | hence | let me |
    i(?:'ve| have|'ll| will|'m| am|'d)(?: now| just| also)? (?!{_KEEPING})\w+ | i (?!{_KEEPING})\w+ed |
    i (?:ran|put|set|wrote|made|took|chose|built|sent|did|went|kept|left|found)"""
)


class Use(NamedTuple):
    points: float
    sentence: Sentence


def use(profile: Profile, acts: Sequence[Sentence]) -> Use | None:
    """Return the sentence that shows the use best. A worded use may take two sentences."""
    fresh = [
        (at, said, found)
        for at, said in enumerate(acts)
        if (found := _found(profile, said)) and not is_repeated(profile, said)
    ]
    uses = [Use(_points(profile, found, [said]), said) for _, said, found in fresh]
    for (at, one, mine), (next_at, other, theirs) in pairwise(fresh):
        if next_at == at + 1:
            uses.append(Use(_points(profile, [*mine, *theirs], [one, other]), one))
    best = max(uses, key=lambda found: found.points, default=None)
    return best if best is not None and best.points >= ENOUGH else None


def is_repeated(profile: Profile, said: Sentence) -> bool:
    """Tell whether a sentence only repeats the memory. A command is an act and repeats nothing."""
    if said.code:
        return False
    words = plain(said)
    if any(copy in words for copy in profile.copies):
        return True
    if _ACTING.search(said.text):
        return False
    return _RECITAL.search(said.text) is not None or echoed(said.text, [profile.content])


def met(profile: Profile, said: Sentence) -> Iterator[Term]:
    """Yield the terms of a memory that are in a sentence."""
    yield from meets(profile.terms, said)
    for command in profile.commands:
        if _is_run(command, said.low):
            yield Term(command, CODE, True, command)
    for pattern in profile.patterns:
        if any(is_made_by(pattern, form) for form in said.forms):
            yield Term("*".join(pattern), CODE, True, "*".join(pattern))
    if profile.shapes:
        for word in said.text.replace("`", " ").split():
            if shape(word.strip(",.;:")) in profile.shapes:
                yield Term(word.lower(), CODE, True, word)


def _is_run(command: str, low: str) -> bool:
    """Tell whether a command stands in a text as it is, and not as part of another: make test, make test-fast."""
    at = low.find(command)
    while at >= 0:
        before, behind = low[at - 1 : at], low[at + len(command) : at + len(command) + 1]
        if not (before.isalnum() or behind.isalnum() or behind in _GOES_ON):
            return True
        at = low.find(command, at + 1)
    return False


def meets(terms: Iterable[Term], said: Sentence) -> Iterator[Term]:
    for term in terms:
        if term.form in said.forms or (" " in term.form and (f" {term.form} " in said.line or term.form in said.low)):
            yield term._replace(points=term.points * _written(term, said))


def _written(term: Term, said: Sentence) -> float:
    """Return the share of its points that a term earns by its spelling. The first word of a
    sentence proves little."""
    if not term.needs or term.form in said.coded or (term.needs == "name" and " " in term.form):
        return 1.0
    if term.needs == "name" and term.form in said.named:
        return 1.0
    is_first = term.needs == "name" and said.line.startswith(f" {term.form} ")
    return _FIRST if is_first else _UNWRITTEN


def weight(found: Iterable[Term]) -> float:
    """Return the points of some terms. Of the forms of one run, the best counts."""
    best: dict[str, float] = {}
    for term in found:
        best[term.of] = max(term.points, best.get(term.of, 0.0))
    return sum(best.values())


def _found(profile: Profile, said: Sentence) -> list[Term]:
    if said.text.endswith("?"):
        return []  # an offer
    return [term for term in met(profile, said) if not is_denied(term.form, said)]


def _points(profile: Profile, found: Sequence[Term], said: Iterable[Sentence]) -> float:
    """Return the points of terms found, or 0 if only the subject or a few accidental words came up.

    Terms that others have too show at least the subject.
    """
    telling = [term for term in found if term.said]
    if not telling:
        return 0.0
    has_subject = len(telling) < len(found)
    is_counted = has_subject and any(_is_bare(profile, term) for term in telling)
    is_strong = is_counted or any(term.points > WORD for term in telling)
    points = weight(found) + _COUNTED * is_counted
    points += SUBJECT * (has_subject or any(True for each in said for _ in meets(profile.shared, each)))
    points += _IN_CODE * any(term.form in each.coded for each in said for term in telling)
    is_number = all(term.form[:1].isdigit() for term in telling)
    if (is_strong or len(telling) > 1) and (has_subject or not is_number):
        points += _WHOLE * _is_whole(profile, {term.form for term in found})
    least = max(_WORDY, _SHARE * sum(term.points for term in profile.terms if term.said))
    return points if is_strong or points >= least else 0.0


def _is_whole(profile: Profile, forms: Set[str]) -> bool:
    """Tell whether all is there that a memory says of its subject; each name must be complete."""
    best: dict[str, float] = {}
    for term in profile.terms:
        if term.said:
            best[term.of] = max(term.points, best.get(term.of, 0.0))
    there = {term.of for term in profile.terms if term.form in forms and term.points == best.get(term.of)}
    return there >= best.keys()


def _is_bare(profile: Profile, term: Term) -> bool:
    """Tell whether a term is a small number without its unit."""
    if not term.said or term.points > SMALL or not term.form.isdigit():
        return False
    return all(other.of != term.of or other.form == term.form for other in profile.terms)


def is_denied(form: str, said: Sentence) -> bool:
    """Tell whether a negation stands right before a form."""
    before = said.low[: max(said.low.find(form), 0)].rpartition(",")[2].replace("`", " ").split()[-_BEHIND:]
    return not _NEGATORS.isdisjoint(before)
