"""Embed with any server that speaks OpenAI's `/v1/embeddings`, remote or on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from treering.ledger.errors import InvalidInput, TreeringError
from treering.models.embed.static import embed_texts
from treering.models.post import Poster, PostFailed

if TYPE_CHECKING:
    from treering.models.port import Matrix


BATCH = 32  # texts in one request: servers of all kinds take as many, and a lost one costs little
TIMEOUT = 10.0  # seconds for an answer,
TIMEOUT_EACH = 2.0  # and for each text: ten times what a small model on a busy laptop takes
LARGEST_ANSWER = 1 << 26  # bytes; 32 vectors of 8,192 numbers in full precision are a tenth of it
SHORTEST_CUT = 500  # characters: there is no model that cannot read so much
_TOO_LONG = frozenset({400, 413, 422, 500})  # what servers answer to texts that do not fit,
_TOO_LONG_WORDS = ("token", "context", "too long", "too large")  # and what they say then


class _Row(msgspec.Struct):
    index: int
    embedding: list[float]


class _Answer(msgspec.Struct):
    data: list[_Row]


class EndpointFailed(TreeringError):
    """The server did not give the vectors that it was asked for."""


class EndpointEmbedder:
    """An embedder behind a URL. A text that is too long is cut to what fits the model."""

    def __init__(self, url: str, model: str, key: str = "") -> None:
        """Take the address as clients take it, up to `/v1`, or the whole of it. The key is optional."""
        if not model:
            raise InvalidInput("an endpoint needs the name of a model: endpoint:URL#MODEL")
        self._poster = Poster(url, "/embeddings", key)
        self._model = model
        self._dimensions = 0
        self.name = f"endpoint:{self._poster.url}#{model}"

    @property
    def dimensions(self) -> int:
        """The length of a vector, known from an answer; the server is asked if there is none yet."""
        if not self._dimensions:
            self._encode(["dimensions"])
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Matrix:
        return embed_texts(texts, self._encode, lambda: self.dimensions)

    def question(self, words: Sequence[tuple[str, float]], text: str) -> Matrix:
        return self.embed([text])

    def _encode(self, texts: list[str]) -> Matrix:
        import numpy

        batches = [self._vectors(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        return numpy.concatenate(batches)

    def _vectors(self, texts: list[str]) -> Matrix:
        import numpy

        question = msgspec.json.encode({"model": self._model, "input": texts})
        try:
            body = self._poster.post(question, TIMEOUT + TIMEOUT_EACH * len(texts), LARGEST_ANSWER, _is_too_long)
        except PostFailed as failure:
            if not _is_too_long(failure):
                raise self._failed(str(failure)) from None
            half = len(texts) // 2
            if half:
                return numpy.concatenate([self._vectors(texts[:half]), self._vectors(texts[half:])])
            if len(texts[0]) < 2 * SHORTEST_CUT:
                raise self._failed(f"it answered {failure.code}{failure.said}") from None
            return self._vectors([texts[0][: len(texts[0]) // 2]])
        return self._rows(body, len(texts))

    def _rows(self, body: bytes, count: int) -> Matrix:
        import numpy

        try:
            rows = msgspec.json.decode(body, type=_Answer).data
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._failed(f"its answer is not that of an embeddings endpoint ({error})") from None
        rows.sort(key=lambda row: row.index)
        if [row.index for row in rows] != list(range(count)):
            raise self._failed(f"it answered with {len(rows)} vectors, or ill-numbered ones, for {count} texts")
        self._check_widths({len(row.embedding) for row in rows})
        with numpy.errstate(over="ignore"):
            vectors = numpy.array([row.embedding for row in rows], numpy.float32)
        if not numpy.isfinite(vectors).all():
            raise self._failed("it answered with numbers too large for a vector")
        return vectors

    def _check_widths(self, widths: set[int]) -> None:
        if len(widths) == 1 and not self._dimensions:
            self._dimensions = max(widths)
        if widths != {self._dimensions} or not self._dimensions:
            raise self._failed(
                f"its vectors have {' and '.join(map(str, sorted(widths)))} numbers, where one length above 0 "
                f"is right{f', and it was {self._dimensions}' if self._dimensions else ''}: "
                "see whether the model behind it was changed"
            )

    def _failed(self, problem: str) -> EndpointFailed:
        return EndpointFailed(f"no vectors from {self._poster.url} with the model {self._model!r}: {problem}")


def _is_too_long(failure: PostFailed) -> bool:
    """Tell whether the text does not fit the model, so that only sending less can help."""
    return failure.code in _TOO_LONG and any(word in failure.said.lower() for word in _TOO_LONG_WORDS)
