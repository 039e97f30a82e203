"""What a text denies: the clauses of it that say that something is not so, and what they speak of."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from treering.core.tuples import NamedTuple
from treering.core.words import STOP_WORDS, folded
from treering.summaries.sentences import sentences
from treering.summaries.stem import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """The words of each clause, as they stand."""
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
    """The clauses of a text that deny something outright."""
    found: list[Denial] = []
    for sentence in sentences(text):
        for clause in clauses(sentence):
            if _denies(clause, sentence) and (about := spoken_of(clause)):
                found.append(Denial(" ".join(clause).strip(" ,;:().!?"), about, len(about)))
    return tuple(found)


def mentions(text: str) -> Iterator[tuple[frozenset[str], bool]]:
    """What each sentence of a text speaks of, and whether it may deny it, in whatever words."""
    for sentence in sentences(text):
        words = folded(sentence)
        yield spoken_of(words), _outright(words) or any(word in _HINTING or _is_un(word) for word in words)


def spoken_of(words: list[str]) -> frozenset[str]:
    """The stems of what is neither a stop word nor a denial."""
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
