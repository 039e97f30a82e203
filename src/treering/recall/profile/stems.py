"""Stems as numbers: what the words of a text and of a query are compared by."""

from __future__ import annotations

from zlib import crc32

from treering.core.words import STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from treering.core.index import Index

NEGATIONS = frozenset(
    "no not nor never none cannot aren can couldn didn doesn don hadn hasn haven isn mustn shan".split()
)
_EMPTY = STOP_WORDS - NEGATIONS
END = 0  # stands between the stems of a text and those of its tags and compounds
MOST_KEPT = 200_000  # words whose stems are remembered; a store has fewer, but for identifiers and numbers


class Stems:
    """The stem of a word as 32 bits. Two of a million stems share a number, which is a false match in 50,000 texts."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._known: dict[str, int] = {}

    def of(self, words: Sequence[str]) -> list[int]:
        """The numbers of words in lower case."""
        known = self._known
        try:
            return [known[word] for word in words]
        except KeyError:
            self._learn(words)
            return [self._known[word] for word in words]

    def meaningful(self, words: Iterable[str]) -> list[int]:
        """The numbers of those words that say something. A negation does, though nobody searches for one."""
        return self.of([word for word in words if word not in _EMPTY])

    def _learn(self, words: Iterable[str]) -> None:
        if len(self._known) > MOST_KEPT:
            self._known = {}
        new = list(dict.fromkeys(words) if not self._known else {word for word in words if word not in self._known})
        stems = self._index.stems(new)
        found = {word: crc32((stem or word).encode("utf-8", "replace")) for word, stem in zip(new, stems, strict=True)}
        self._known = {**self._known, **found} if len(self._known) < len(found) else self._known | found
