"""Whether two short memories contradict each other: the same subject, and an opposite or different value.

Words, word order and word classes decide, no model: what is raised can be explained by two places in two texts. Nothing
says which of the two is right. Silence is the answer to every doubt, as a false alarm costs a person's trust.

What compares is imported when two texts share a word: a process that writes one memory seldom needs it.
"""

from __future__ import annotations

from functools import lru_cache

from treering.core.tuples import NamedTuple
from treering.core.words import STOP_WORDS, folded

__all__ = ["KINDS", "Conflict", "between", "terms", "why"]

KINDS = ("negation", "number", "version", "date", "choice", "name")
MOST_TERMS = 12
_TERMS_READ = 2_000  # characters: twelve terms are found in far fewer
_READ = 20_000  # characters, as many as statements are made of
_HEAD = 4  # letters by which two words may have one stem
LEAST_SHARED = 0.2  # of the shorter text's words: what says less of it is about another matter, and reading costs time
_KEPT = 512  # texts whose heads are kept: a new memory is compared with many
_SAID = {
    "negation": "one says the opposite of the other",
    "number": "the number differs",
    "version": "the version differs",
    "date": "the date or time differs",
    "choice": "the choice differs",
    "name": "the name or place differs",
    "relation": "the two relate the same things otherwise",  # found in the graph, not between two texts
}
_LONGEST_QUOTE = 60  # characters of a value in a sentence for a person


class Conflict(NamedTuple):
    kind: str
    ours: tuple[int, int]  # characters of the value in the first text
    theirs: tuple[int, int]  # and in the second


def between(one: str, other: str) -> Conflict | None:
    """The first conflict of two texts, or none. Which text comes first makes no difference to whether there is one."""
    ours, theirs = _heads(one), _heads(other)
    if one == other or len(ours & theirs) < max(1.0, LEAST_SHARED * min(len(ours), len(theirs))):
        return None
    from treering.conflict.comparing import compared

    found = compared(one, other)
    return Conflict(*found) if found else None


def terms(text: str) -> tuple[str, ...]:
    """In lower case, each once, in the order of the text, which says first what it is about."""
    words = dict.fromkeys(folded(text[:_TERMS_READ]))
    found = [word for word in words if len(word) > 1 and word not in STOP_WORDS]
    return tuple([word for word in found if not word.isdigit()][:MOST_TERMS])


def why(found: Conflict, one: str, other: str) -> str:
    """A sentence for a person."""
    ours, theirs = _quoted(one, found.ours), _quoted(other, found.theirs)
    return f'{_SAID[found.kind]}: "{ours}" here, "{theirs}" there'


def _quoted(text: str, span: tuple[int, int]) -> str:
    value = " ".join(text[span[0] : span[1]].split())
    return value if len(value) <= _LONGEST_QUOTE else value[: _LONGEST_QUOTE - 1] + "…"


@lru_cache(_KEPT)
def _heads(text: str) -> frozenset[str]:
    """The beginnings of the words: two texts that share none are not about one thing."""
    return frozenset([word[:_HEAD] for word in folded(text[:_READ]) if word not in STOP_WORDS])
