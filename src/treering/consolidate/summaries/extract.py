"""Write a summary of the sources' own sentences, for when nobody is there to write one.

Each sentence is worth what it says that no sentence taken before says: first what has a digit or is denied, then words
that several sources share, and more the later its source. The most worth for the fewest characters is
taken first, until the room is used up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log2
from typing import NamedTuple

from treering.consolidate.summaries.facts import denials
from treering.consolidate.summaries.terms import stems
from treering.text.sentences import plain_sentences
from treering.text.words import folded

LONGEST = 600  # characters: what is shown of a memory in a recall without being cut
# How many times shorter than its sources a summary is, if there is room for the least. Of what people marked as worth
# keeping, 4 in 5 are left at this, 7 in 10 at 2 and 6 in 10 at 3: whole sentences cannot be packed closer.
COMPRESSION = 1.4
_LEAST = 200  # characters: two sentences, however little the sources say
_READ = 20_000  # characters of a source: a memory of many pages is summed up by its beginning
_LONGEST_SENTENCE = 1_000  # characters: what is longer is a log or a table
_MOST_SENTENCES = 400  # that are looked at; a dozen long notes have fewer
_SHORTEST = 3  # words of a sentence that says something
_LENGTH = 0.4  # how much length counts: below 1, so that a sentence that says much beats several that say little
_NUMBER, _DENIAL, _WORD = 4.0, 4.0, 1.5  # worth of a chunk with a digit, a denial, a word that two sources share
# A story begins with what was seen and ends with what was found, done and decided: what the first source says is worth
# this much of what the last one says.
_FIRST = 0.2
_OWN = 0.5  # of a word that only one source has
_LEAST_WORTH = 1.0  # of a sentence that is told: one word that nobody else says is talk


class Piece(NamedTuple):
    """A sentence of a source."""

    source: int
    place: int  # among all of them, in the order of time
    text: str
    facts: dict[str, float]  # what it says, and the worth of each


def summary(texts: Sequence[str], longest: int = LONGEST) -> str:
    """Return the sentences of the texts, which come oldest first, that hold most of the facts; in
    their order, without repetitions; never longer than `longest`, and shorter than the texts by
    `COMPRESSION`."""
    pieces = _pieces(texts)
    if not pieces:
        return " ".join(" ".join(texts).split())[:longest].strip()
    room = min(longest, max(_LEAST, int(sum(map(len, texts)) / COMPRESSION)))
    return " ".join(piece.text for piece in _chosen(pieces, room))[:longest]


def _pieces(texts: Sequence[str]) -> list[Piece]:
    """Return the sentences with what they say; of those that are alike, the newest."""
    told: dict[tuple[str, ...], tuple[int, str]] = {}
    for source, text in enumerate(texts):
        for sentence in plain_sentences(text[:_READ]):
            words = tuple(folded(sentence))
            if len(words) >= _SHORTEST and len(sentence) <= _LONGEST_SENTENCE and not sentence.endswith("?"):
                told.pop(words, None)
                told[words] = (source, sentence)
    shared = Counter(word for text in texts for word in stems(text))
    found = []
    for place, (source, sentence) in enumerate([*told.values()][-_MOST_SENTENCES:]):
        share = _FIRST + (1 - _FIRST) * source / max(len(texts) - 1, 1)
        facts = {word: share * _WORD * (log2(shared[word]) if shared[word] > 1 else _OWN) for word in stems(sentence)}
        facts |= dict.fromkeys(_digits(sentence), share * _NUMBER)
        facts |= {clause: share * _DENIAL for clause, _ in denials(sentence)}
        found.append(Piece(source, place, _trimmed(sentence), facts))
    return found


def _digits(sentence: str) -> list[str]:
    """Return the chunks that hold a digit."""
    chunks = (chunk.strip(".,;:!?()[]\"'`*") for chunk in sentence.split())
    return [chunk for chunk in chunks if any(letter.isdigit() for letter in chunk)]


def _trimmed(sentence: str) -> str:
    """Return a sentence without marks of stress, with a stop at its end."""
    text = sentence.replace("**", "").strip().rstrip(" ,;:\u2014\u2013-")
    if text and text[-1] not in ".!?\u2026":
        text += "."
    first = text.split(" ", 1)[0]
    return text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text


def _chosen(pieces: Sequence[Piece], room: int) -> list[Piece]:
    """Return the sentences that give most for their length, in the order of time. The best of the
    newest source is always among them, whole if there is room: it says how things are now."""
    newest = max(piece.source for piece in pieces)
    last = [piece for piece in pieces if piece.source == newest]
    fitting = [piece for piece in last if len(piece.text) <= room] or [min(last, key=lambda piece: len(piece.text))]
    taken = [max(fitting, key=lambda piece: (sum(piece.facts.values()), -piece.place))]
    known: set[str] = set()
    left = list(pieces)
    while True:
        best = taken[-1]
        known |= best.facts.keys()
        room -= len(best.text) + 1
        left = [piece for piece in left if piece.place != best.place and len(piece.text) <= room]
        left = [piece for piece in left if _worth(piece, known) >= _LEAST_WORTH]
        if not left:
            return sorted(taken, key=lambda piece: piece.place)
        taken.append(max(left, key=lambda piece: (_worth(piece, known) / len(piece.text) ** _LENGTH, piece.source)))


def _worth(piece: Piece, known: set[str]) -> float:
    return sum(worth for fact, worth in piece.facts.items() if fact not in known)
