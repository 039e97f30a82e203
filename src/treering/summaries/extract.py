"""A summary made of the sources' own sentences, for when nobody is there to write one.

Each sentence is worth the facts in it that no sentence taken before has: numbers, names, denials, decisions and causes
first, then words that several sources share. What costs the fewest characters for its worth is taken, until the room
is used up. Where a later source states another value of the same thing, the older statement is worth little.
"""

from __future__ import annotations

from math import log2

from treering.core.words import folded
from treering.summaries.choosing import Piece, chosen
from treering.summaries.denials import denials
from treering.summaries.names import coded, names
from treering.summaries.numbers import numbers, same
from treering.summaries.sentences import sentences
from treering.summaries.stem import stem
from treering.summaries.terms import is_common, stems, tells
from treering.summaries.trimming import trimmed, variants

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from treering.summaries.numbers import Number

LONGEST = 600  # characters: what is shown of a memory in a recall without being cut
# How many times shorter than its sources a summary is, if there is room for the least. Of what people marked as worth
# keeping, 4 in 5 are left at this, 7 in 10 at 2 and 6 in 10 at 3: whole sentences cannot be packed closer.
COMPRESSION = 1.4
_LEAST = 200  # characters: two sentences, however little the sources say
_READ = 20_000  # characters of a source: a memory of many pages is summed up by its beginning
_LONGEST_SENTENCE = 1_000  # characters: what is longer is a log or a table
_MOST_SENTENCES = 400  # that are looked at; a dozen long notes have fewer
_SHORTEST = 3  # words of a sentence that says something
# What a fact is worth, in shared words.
_NUMBER, _CODE, _NAME, _DENIAL, _TURN, _WORD = 2.5, 5.0, 1.5, 4.0, 1.5, 1.5
# A story begins with what was seen and ends with what was found, done and decided: what the first source says is worth
# this much of what the last one says.
_FIRST = 0.2
_OWN = 0.5  # of a word that only one source has
_OLDER = 0.15  # of a statement that a later source replaces
_FRAME = 4  # words on either side of a number that say what it is the number of
_ALIKE = 0.7  # of the words of the shorter of two sentences that both have, for them to say the same

# Whoever says one of these tells what was decided or why. As stems.
_TURNING = frozenset(
    map(
        stem,
        """because caused cause decided decision chose choose chosen agreed must root reason switched replaced
        replace instead prefer prefers policy rule always fixed fix fixes resolved solved workaround requires turned
        learned lesson deadline approved rejected rolled reverted owner only until never stays budget limit""".split(),
    )
)


def summary(texts: Sequence[str], longest: int = LONGEST) -> str:
    """The sentences of the texts, which come oldest first, that hold most of the facts; in their order, without
    repetitions; never longer than `longest`, and shorter than the texts by `COMPRESSION`."""
    told = _told(texts)
    if not told:
        return " ".join(" ".join(texts).split())[:longest].strip()
    room = min(longest, max(_LEAST, int(sum(map(len, texts)) / COMPRESSION)))
    pieces = _pieces(texts, told)
    return " ".join(piece.text for piece in chosen(pieces, room))[:longest]


def _told(texts: Sequence[str]) -> list[tuple[int, str]]:
    """The sentences with their sources; of those that are alike, the newest."""
    found: dict[tuple[str, ...], tuple[int, str]] = {}
    for source, text in enumerate(texts):
        for sentence in sentences(text[:_READ]):
            words = tuple(folded(sentence))
            if len(words) >= _SHORTEST and len(sentence) <= _LONGEST_SENTENCE and not sentence.endswith("?"):
                found.pop(words, None)
                found[words] = (source, sentence)
    return list(found.values())[-_MOST_SENTENCES:]


def _pieces(texts: Sequence[str], told: Sequence[tuple[int, str]]) -> list[Piece]:
    shared: dict[str, int] = {}
    for text in texts:
        for word in {*stems(text)}:
            shared[word] = shared.get(word, 0) + 1
    readings = [_Reading(source, sentence) for source, sentence in told]
    found = []
    for at, (source, sentence) in enumerate(told):
        old = _replaced(readings[at], readings[at + 1 :])
        share = _FIRST + (1 - _FIRST) * source / max(len(texts) - 1, 1)
        for piece in dict.fromkeys(trimmed(part) for part in variants(sentence)):
            if len(folded(piece)) >= _SHORTEST:
                facts = _facts(piece, shared, old)
                found.append(Piece(source, at, piece, {fact: worth * share for fact, worth in facts.items()}))
    return found


class _Reading:
    """What a sentence says, for comparing it with later ones."""

    def __init__(self, source: int, text: str) -> None:
        self.source = source
        self.numbers = numbers(text)
        self.stems = frozenset(stems(text))
        words = text.split()
        self.frames = [_frame(words, number) for number in self.numbers]


def _frame(words: Sequence[str], number: Number) -> frozenset[str]:
    """The stems around a number: what it is the number of."""
    near = words[max(0, number.place - _FRAME) : number.place + _FRAME + 1]
    return frozenset(stem(word) for chunk in near for word in folded(chunk) if tells(word) and word.isalpha())


def _replaced(older: _Reading, later: Iterable[_Reading]) -> list[Number]:
    """The numbers of a sentence in whose place a later source puts others."""
    found = []
    for newer in later:
        if newer.source == older.source:
            continue
        shared = older.stems & newer.stems
        alike = len(shared) >= _ALIKE * min(len(older.stems), len(newer.stems))
        for number, frame in zip(older.numbers, older.frames, strict=True):
            rivals = [
                other
                for other, around in zip(newer.numbers, newer.frames, strict=True)
                if other.measures == number.measures and (alike or len(frame & around) >= 2)
            ]
            if rivals and not any(same(number, other) for other in newer.numbers):
                found.append(number)
    return found


def _facts(text: str, shared: dict[str, int], old: Sequence[Number]) -> dict[object, float]:
    """What a piece says, each with its worth."""
    found: dict[object, float] = {}
    for word in stems(text):
        count = shared.get(word, 1)
        found[word] = _WORD * (log2(count) if count > 1 else 0.0 if is_common(word) else _OWN)
    for name in names(text):
        found[("name", name)] = _NAME
    for name in coded(text):
        found[("name", name.lower())] = _CODE
    for number in numbers(text):
        key = ("number", round(number.value, 6), number.measures if number.measured else "", number.text[:0])
        found[key] = _NUMBER * (_OLDER if any(same(number, other) for other in old) else 1)
    for denial in denials(text):
        found[("not", denial.stems)] = _DENIAL
    for word in {stem(word) for word in folded(text)} & _TURNING:
        found[("turn", word)] = _TURN
    if old:
        found = {key: worth * (_OLDER if not isinstance(key, tuple) else 1) for key, worth in found.items()}
    return found
