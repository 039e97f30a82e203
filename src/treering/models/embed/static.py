"""Embed by summing one vector per token: meanings in microseconds, without running a model.

The vectors are those of `wordllama`, packed by `hatch_build.py` when Treering is built; neither
that package nor its tokenizer library is needed to run. A row is of length 1, or zeros for an empty
text.

Texts are split into the byte-pair tokens of Llama 2. No token reaches across a space or the start
of a line, so a text is cut there and each distinct piece is worked out once. Pairs merge in the
order of the ids of what they make, save for runs of spaces, which no piece holds; so the tokens in
the order of their ids are all that is stored.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from math import log
from typing import TYPE_CHECKING

from numpy import float16
from numpy.typing import NDArray

from treering.ledger.errors import TreeringError

if TYPE_CHECKING:
    from treering.models.port import Matrix


Tokens = tuple[int, ...]
Look = Callable[[Tokens], object]


def normalise(rows: Matrix) -> Matrix:
    """Scale the rows to length 1, in place."""
    import numpy

    lengths = numpy.sqrt(numpy.einsum("ij,ij->i", rows, rows))
    lengths[lengths == 0] = 1
    rows /= lengths[:, None]
    return rows


def embed_texts(texts: Sequence[str], encode: Callable[[list[str]], Matrix], width: Callable[[], int]) -> Matrix:
    """Return a row for each text. Blank ones stay zeros: a model would give them some direction.

    `width` is asked only if no vector tells.
    """
    import numpy

    speaking = [at for at, text in enumerate(texts) if text.strip()]
    if not speaking:
        return numpy.zeros((len(texts), width()), numpy.float32)
    vectors = encode([texts[at] for at in speaking])
    rows = numpy.zeros((len(texts), vectors.shape[1]), numpy.float32)
    rows[speaking] = vectors
    return normalise(rows)


SPACE = "▁"  # how the vocabulary writes the space before a word
MOST_PIECES = 100_000  # remembered at once, at some 250 bytes: the words of a large store, in 25 MB
LONGEST_PIECE = 64  # characters; the work grows with the square, and no word of a language is longer
COUNT = 32_000  # ids: three marks like <s>, the 256 bytes, and the tokens that stand for letters
FIRST = 259  # the first of the latter
_BYTE = 3  # the id of byte 0
_NEVER = 1 << 30  # the rank of a pair that does not merge, above every id


class Vocabulary(dict[str, "Tokens"]):
    """A cache of the tokens of each piece, which works out a piece that it has not met.

    Threads may share one: what two of them work out at once comes out the same.
    """

    def __init__(self, ids: dict[str, int], look: Look) -> None:
        """Take the ids of the tokens that stand for letters. `look` sees the tokens of each new piece first."""
        super().__init__()
        self._ids = ids
        self._look = look

    def tokens(self, text: str) -> list[int]:
        """Return the tokens of a text as if a space came first. A run of spaces counts as one."""
        return list(chain.from_iterable(map(self.__getitem__, text.replace("\n", " \n").split(" "))))

    def __missing__(self, piece: str) -> Tokens:
        word = piece if piece[:1] in "\n" else SPACE + piece  # also nothing, between two spaces
        parts = (word[start : start + LONGEST_PIECE] for start in range(0, len(word), LONGEST_PIECE))
        found = tuple(chain.from_iterable(map(self._merged, parts)))
        self._look(found)
        if len(piece) < LONGEST_PIECE:  # what is longer is a key or an address, and will not come again
            if len(self) >= MOST_PIECES:
                self.clear()
            self[piece] = found
        return found

    def _merged(self, part: str) -> Iterable[int]:
        if part in self._ids:
            return (self._ids[part],)
        id_of = self._ids.get
        symbols = list(part)
        ranks = [id_of(left + right, _NEVER) for left, right in pairwise(symbols)]
        while ranks and (rank := min(ranks)) != _NEVER:
            at = ranks.index(rank)  # the leftmost of equals
            symbols[at] += symbols.pop(at + 1)
            del ranks[at]
            if at < len(ranks):
                ranks[at] = id_of(symbols[at] + symbols[at + 1], _NEVER)
            if at:
                ranks[at - 1] = id_of(symbols[at - 1] + symbols[at], _NEVER)
        found = [id_of(symbol, _NEVER) for symbol in symbols]
        return found if _NEVER not in found else self._spelled(symbols)

    def _spelled(self, symbols: list[str]) -> Iterator[int]:
        """Yield the letters that the vocabulary lacks, byte by byte."""
        for symbol in symbols:
            if symbol in self._ids:
                yield self._ids[symbol]
            else:
                yield from (_BYTE + byte for byte in symbol.encode("utf-8", "surrogatepass"))


def read(path: str, look: Look) -> Vocabulary:
    """Return the vocabulary in a file that has one token a line, in the order of the ids.

    A file that was cut off is a ValueError.
    """
    with open(path, "rb") as file:
        *tokens, _ = file.read().decode().split("\n")
    return Vocabulary(dict(zip(tokens, range(FIRST, COUNT), strict=True)), look)


FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "packed")
VECTORS, VOCABULARY = "vectors.f16", "tokens.txt"
DIMENSIONS = 256
TOKENS_AT_ONCE = 4096  # whose vectors fill 4 MB: a text of any length is summed in that much space


class VectorsMissing(TreeringError):
    """The packed files are missing or damaged."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"the word vectors in {path} are missing or damaged. They are packed when Treering is installed: "
            "type `pip install -e .` in a source tree, or `pip install --force-reinstall treering`"
        )


class StaticEmbedder:
    """The default embedder. Cheap to make; the files are read when the first text comes."""

    # The vectors and how texts become tokens: a change to either is a new name.
    name = "static:wordllama-l2_supercat_256"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        if not os.path.exists(os.path.join(FOLDER, VECTORS)):
            raise VectorsMissing(FOLDER)
        self._loaded: tuple[Vocabulary, Matrix] | None = None

    def embed(self, texts: Sequence[str]) -> Matrix:
        import numpy

        vocabulary, vectors = self._loaded or self._load()
        rows = numpy.zeros((len(texts), DIMENSIONS), numpy.float32)
        for row, text in zip(rows, texts, strict=True):
            tokens = [] if text.isspace() else vocabulary.tokens(text)  # empty lines have a vector, and say nothing
            for start in range(0, len(tokens), TOKENS_AT_ONCE):
                row += vectors.take(tokens[start : start + TOKENS_AT_ONCE], axis=0).sum(axis=0)
        return normalise(rows)

    def question(self, words: Sequence[tuple[str, float]], text: str) -> Matrix:
        import numpy

        vocabulary, vectors = self._loaded or self._load()
        tokens: list[int] = []
        weights: list[float] = []
        for word, weight in words:
            tokens += vocabulary.tokens(word)
            weights += [weight] * (len(tokens) - len(weights))
        row = numpy.array([weights], numpy.float32) @ vectors[tokens]
        return normalise(row) if row.any() else self.embed([text])

    def rarity(self, word: str) -> float:
        """Return how rare a word is, from 0 to 1. The ids of tokens are in the order of how often they were met."""
        vocabulary, _ = self._loaded or self._load()
        first, *more = vocabulary.tokens(word)
        return 1.0 if more else log(max(first, FIRST) / FIRST) / log(COUNT / FIRST)

    def _load(self) -> tuple[Vocabulary, Matrix]:
        """Read the files. Threads that come here at once each load the same, and the last one stays."""
        import numpy

        stored = _mapped(os.path.join(FOLDER, VECTORS))
        vectors = numpy.zeros((COUNT, DIMENSIONS), numpy.float32)  # takes memory only where it is written
        widened: set[int] = set()

        def widen(tokens: Tokens) -> None:
            """Turn halves, which are slow to add up, into floats when a token is first met."""
            fresh = [token for token in tokens if token not in widened]
            if fresh:
                vectors[fresh] = stored[fresh]
                widened.update(fresh)

        path = os.path.join(FOLDER, VOCABULARY)
        try:
            self._loaded = read(path, widen), vectors
        except (OSError, ValueError) as error:
            raise VectorsMissing(path) from error
        return self._loaded


def _mapped(path: str) -> NDArray[float16]:
    """Return the vectors where they lie on disk, of which only the rows that are touched are ever read."""
    import numpy

    if os.path.getsize(path) != 2 * COUNT * DIMENSIONS:
        raise VectorsMissing(path)
    return numpy.asarray(numpy.memmap(path, "<f2", "r", shape=(COUNT, DIMENSIONS)))
