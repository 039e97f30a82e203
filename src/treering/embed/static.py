"""One vector for each token, summed: meanings without a model to run, in microseconds.

The vectors are those in the wheel of `wordllama`. Its two files are read directly: importing it, or the
tokenizer library that it uses, costs a fresh process more than all the rest of a question.
"""

from __future__ import annotations

import os
import sys

from treering.core.errors import TreeringError
from treering.embed.rows import normalised

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import float16
    from numpy.typing import NDArray

    from treering.core.ports import Matrix
    from treering.embed.vocabulary import Tokens, Vocabulary

MODEL = "l2_supercat_256"
TOKENS = 32_000
DIMENSIONS = 256
TOKENS_AT_ONCE = 4096  # whose vectors fill 4 MB: a text of any length is summed in that much space


class VectorsMissing(TreeringError):
    """The files of the `wordllama` wheel are not there, or not as they should be."""


class StaticEmbedder:
    """The default embedder. Cheap to make; the files are read when the first text comes."""

    # The vectors and how texts become tokens: a change to either is a new name.
    name = f"static:wordllama-{MODEL}"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self._folder = _folder()
        self._loaded: tuple[Vocabulary, Matrix] | None = None

    def embed(self, texts: Sequence[str]) -> Matrix:
        import numpy

        vocabulary, vectors = self._loaded or self._load()
        rows = numpy.zeros((len(texts), DIMENSIONS), numpy.float32)
        for row, text in zip(rows, texts, strict=True):
            tokens = [] if text.isspace() else vocabulary.tokens(text)  # empty lines have a vector, and say nothing
            for start in range(0, len(tokens), TOKENS_AT_ONCE):
                row += vectors.take(tokens[start : start + TOKENS_AT_ONCE], axis=0).sum(axis=0)
        return normalised(rows)

    def question(self, words: Sequence[tuple[str, float]], text: str) -> Matrix:
        import numpy

        vocabulary, vectors = self._loaded or self._load()
        tokens: list[int] = []
        weights: list[float] = []
        for word, weight in words:
            tokens += vocabulary.tokens(word)
            weights += [weight] * (len(tokens) - len(weights))
        row = numpy.array([weights], numpy.float32) @ vectors[tokens]
        return normalised(row) if row.any() else self.embed([text])

    def _load(self) -> tuple[Vocabulary, Matrix]:
        """Read the files. Threads that come here at once each load the same, and the last one stays."""
        import msgspec
        import numpy

        from treering.embed.vocabulary import read

        stored = _mapped(os.path.join(self._folder, "weights", f"{MODEL}.safetensors"))
        vectors = numpy.zeros((TOKENS, DIMENSIONS), numpy.float32)  # takes memory only where it is written
        widened: set[int] = set()

        def widen(tokens: Tokens) -> None:
            """Halves are slow to add up: a vector is made of floats when its token is first met."""
            fresh = [token for token in tokens if token not in widened]
            if fresh:
                vectors[fresh] = stored[fresh]
                widened.update(fresh)

        path = os.path.join(self._folder, "tokenizers", "l2_supercat_tokenizer_config.json")
        try:
            self._loaded = read(path, widen), vectors
        except (OSError, LookupError, msgspec.DecodeError) as error:
            raise VectorsMissing(_damaged(path)) from error
        return self._loaded


def _folder() -> str:
    for entry in sys.path:
        folder = os.path.join(entry, "wordllama")
        if os.path.exists(os.path.join(folder, "weights", f"{MODEL}.safetensors")):
            return folder
    raise VectorsMissing("the word vectors are not installed: pip install wordllama")


def _mapped(path: str) -> NDArray[float16]:
    """The vectors where they lie on disk, of which only the rows that are touched are ever read."""
    import numpy

    with open(path, "rb") as file:
        start = 8 + int.from_bytes(file.read(8), "little")  # the length of the header, and the header
    if os.path.getsize(path) != start + 2 * TOKENS * DIMENSIONS:
        raise VectorsMissing(_damaged(path))
    return numpy.asarray(numpy.memmap(path, numpy.float16, "r", start, (TOKENS, DIMENSIONS)))


def _damaged(path: str) -> str:
    return f"{path} is missing or damaged: pip install --force-reinstall wordllama"
