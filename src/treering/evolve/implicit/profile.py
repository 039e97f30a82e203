"""A memory by what tells it from the others that were shown."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain

from treering.core.tuples import NamedTuple
from treering.core.words import folded
from treering.evolve.implicit.reading import STOPS, runs, sentences, stem, trimmed, words
from treering.evolve.implicit.terms import forbidden, is_code, terms_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from treering.core.types import Memory
    from treering.evolve.implicit.reading import Sentence
    from treering.evolve.implicit.terms import Term

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
        """Whether it says a number of something."""
        return any(term.said and term.form[0].isdigit() for term in (*self.terms, *self.shared))

    @property
    def head(self) -> frozenset[str]:
        """What it says something of: the last name or word of its subject, which those before it qualify."""
        subject = [term for term in self.terms if not term.said]
        last = [term for term in subject if term.of == subject[-1].of]
        return frozenset(term.form for term in last if term.points == max(each.points for each in last))


def profiles(shown: Sequence[Memory]) -> list[Profile]:
    """One for each. Two that say the same have nothing of their own, and neither will be credited."""
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
    """The words of a sentence and nothing else, a blank before and behind each."""
    return f" {' '.join(folded(said.text))} "


def shape(run: str) -> str:
    """The signs that part it, in their order: PAY-112-refund is A-9-a."""
    return _WORDS.sub(lambda word: "9" if word[0][0].isdigit() else "A" if word[0][0].isupper() else "a", run)


def _shapes(text: str) -> Iterator[str]:
    for example in _EXAMPLE.findall(text):
        found = shape(trimmed(example))
        if len(found) - len(_WORDS.findall(found)) >= _LEAST_SIGNS:
            yield found


def is_made_by(pattern: Sequence[str], name: str) -> bool:
    """Whether a name begins and ends as a pattern does, with the other pieces in their order between."""
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
