"""Notes as people and agents write them, made up from a seed: nothing in them is copied from anywhere."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import accumulate

SEED = 20_260_501
WORDS = 6_000  # distinct words, without the identifiers, numbers and paths that are made of them
SHORTEST, LONGEST = 60, 400  # characters of a note
_SKEW = 1.05  # the exponent of Zipf's law; natural language lies between 1.0 and 1.1
_ODD = 0.08  # the share of words that are an identifier, a number or a path

_ONSETS = [
    "b",
    "br",
    "c",
    "ch",
    "cl",
    "d",
    "dr",
    "f",
    "fl",
    "g",
    "gr",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "pr",
    "qu",
    "r",
    "s",
    "sh",
    "sl",
    "st",
    "t",
    "th",
    "tr",
    "v",
    "w",
    "z",
]
_NUCLEI = ["a", "ai", "e", "ea", "ee", "i", "ie", "o", "oa", "oo", "ou", "u"]
_CODAS = ["", "", "", "l", "m", "n", "nd", "ng", "nt", "r", "rd", "rk", "s", "ss", "st", "t", "ck", "x"]


class Notes:
    """An endless source of notes; the same seed gives the same notes."""

    def __init__(self, seed: int = SEED) -> None:
        self._random = random.Random(seed)
        self._words = _vocabulary(random.Random(SEED))
        self._weights = list(accumulate(1 / (rank + 2) ** _SKEW for rank in range(len(self._words))))

    def take(self, count: int) -> Iterator[str]:
        for _ in range(count):
            yield self._note()

    def _note(self) -> str:
        length = self._random.randint(SHORTEST, LONGEST)
        words = self._random.choices(self._words, cum_weights=self._weights, k=length // 4)
        for place in range(len(words)):
            if self._random.random() < _ODD:
                words[place] = self._odd(words[place], words[place - 1])
        text = " ".join(words)
        while len(text) < SHORTEST:
            text += " " + self._odd(words[0], words[-1])
        return text[:length].strip()

    def _odd(self, one: str, two: str) -> str:
        number = self._random.randrange(100_000)
        forms = (
            str(number),
            f"{one}_{two}",
            f"src/{one}/{two}.py:{number % 900}",
            f"{one.title()}{two.title()}",
        )
        return self._random.choice(forms)


def _vocabulary(source: random.Random) -> list[str]:
    """Distinct words, the commonest first; those are short, as in any language."""
    found: dict[str, None] = {}
    while len(found) < WORDS:
        syllables = source.choices((1, 2, 3), (1, 4, 1) if len(found) > WORDS // 40 else (1, 0, 0))[0]
        found["".join(_syllable(source) for _ in range(syllables))] = None
    return list(found)


def _syllable(source: random.Random) -> str:
    return source.choice(_ONSETS) + source.choice(_NUCLEI) + source.choice(_CODAS)


def write_rows(path: str, count: int) -> None:
    """A file to import: one {"content": …} a line."""
    with open(path, "w", encoding="utf-8") as file:
        for text in Notes().take(count):
            file.write(json.dumps({"content": text}, ensure_ascii=False) + "\n")
