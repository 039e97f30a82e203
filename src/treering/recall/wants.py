"""Judge whether a prompt is one that a memory of this project could help with, before anything is looked up.

Small talk, thanks and general questions share words with what is stored, and want none of it. The weights are
learned from labelled prompts, like those in `judge/`; `make train` writes them. A hook has a hundredth of a
second, so they are read as they lie in the file: one byte each, in the place that a feature has by its hash.
"""

from __future__ import annotations

import os
from binascii import crc32
from itertools import pairwise
from math import sqrt

from treering.text.words import folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

READ = 600  # characters of a prompt: what it wants is said early
BITS = 15
SCALE = 1_000  # of the numbers in the file
PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "wants.weights")
_RUN = 4  # letters
_MARKS = "?!`/:\n"


def features(prompt: str) -> dict[str, float]:
    """Return what is seen of a prompt: its words, pairs of words, runs of letters, and its shape."""
    read = prompt[:READ]
    words = ["0" if word.isdecimal() else word for word in folded(read)]
    text = f" {' '.join(words)} "
    ends = ["^", *words, "$"]
    return {
        **_shared(dict.fromkeys(words)),
        **_shared({f"{one} {two}": None for one, two in pairwise(ends)}),
        **_shared({f"~{text[at : at + _RUN]}": None for at in range(len(text) - _RUN + 1)}),
        **_shared(dict.fromkeys(_shape(read, words))),
    }


def _shared(names: dict[str, None]) -> dict[str, float]:
    share = 1 / sqrt(len(names)) if names else 0.0
    return dict.fromkeys(names, share)


def _shape(read: str, words: list[str]) -> Iterator[str]:
    yield f"length {min(len(words) // 4, 12)}"
    yield f"numbers {min(words.count('0'), 2)}"
    for mark in _MARKS:
        yield f"{mark} {min(read.count(mark), 2)}"


def place(feature: str) -> int:
    """Return where the weight of a feature lies."""
    return crc32(feature.encode("utf-8", "replace")) & ((1 << BITS) - 1)


def wants(prompt: str, path: str = PATH) -> float:
    """Return how much speaks for it that a memory helps with a prompt: above 0, a hook may speak more freely."""
    try:
        with open(path, "rb") as file:
            head, _, weights = file.read().partition(b"\n")
        step, bias, floor = (int(number) / SCALE for number in head.split())
        score = sum(value * _signed(weights[place(name)]) for name, value in features(prompt).items())
    except (OSError, ValueError, IndexError):  # without weights a hook is as careful as it can be
        return -1.0
    return bias + score * step / SCALE - floor


def _signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte
