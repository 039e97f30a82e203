"""Static vectors by the book: the whole of wordllama's tokenizer, and the plain mean of its vectors.

Treering reads the same two files in its own, quicker way. What it is measured against must not lean on that.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from importlib.util import find_spec

import numpy
from numpy.typing import NDArray
from tokenizers import Tokenizer

Matrix = NDArray[numpy.float32]

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"


class Means:
    """Texts to vectors of length 1."""

    def __init__(self) -> None:
        spec = find_spec("wordllama")
        assert spec is not None and spec.origin is not None
        folder = os.path.dirname(spec.origin)
        self._tokenizer = Tokenizer.from_file(os.path.join(folder, _TOKENIZER))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._vectors = _weights(os.path.join(folder, _WEIGHTS))

    def embed(self, texts: Sequence[str]) -> Matrix:
        rows = numpy.zeros((len(texts), self._vectors.shape[1]), numpy.float32)
        for row, tokens in zip(rows, self._tokenizer.encode_batch(list(texts), add_special_tokens=False), strict=True):
            if tokens.ids:
                row += self._vectors[tokens.ids].mean(axis=0)
        lengths = numpy.linalg.norm(rows, axis=1, keepdims=True)
        rows /= numpy.maximum(lengths, numpy.finfo(numpy.float32).tiny)
        return rows


def _weights(path: str) -> Matrix:
    """The one table of a safetensors file: the length of a header, the header, and the numbers."""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))["embedding.weight"]
        numbers = numpy.frombuffer(file.read(), numpy.float16)
    return numbers.reshape(header["shape"]).astype(numpy.float32)
