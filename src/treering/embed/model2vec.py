"""Any model of the model2vec library: static vectors like the default ones, larger or in other languages."""

from __future__ import annotations

import os
from threading import Lock

from treering.embed.local import ModelUnusable, folder_of, library, print_of
from treering.embed.rows import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from treering.core.ports import Matrix


class Model2VecEmbedder:
    def __init__(self, model: str) -> None:
        """From a folder, or the name of a model that was fetched before."""
        self._library = library("model2vec", "model2vec")
        self._folder = folder_of(model)
        self._model: Any = None
        self._lock = Lock()  # the library sets up its tokenizer anew for each call
        self.name = f"model2vec:{os.path.basename(self._folder)}@{print_of(self._folder)}"

    @property
    def dimensions(self) -> int:
        with self._lock:
            return int(self._loaded().dim)

    def embed(self, texts: Sequence[str]) -> Matrix:
        return spoken(texts, self._encode, lambda: self.dimensions)

    def question(self, words: Sequence[tuple[str, float]], text: str) -> Matrix:
        return self.embed([text])

    def _encode(self, texts: list[str]) -> Matrix:
        with self._lock:
            # The whole of each text, in this process.
            vectors: Matrix = self._loaded().encode(texts, max_length=None, use_multiprocessing=False)
        return vectors

    def _loaded(self) -> Any:
        if self._model is None:
            try:
                self._model = self._library.StaticModel.from_pretrained(self._folder)
            except (OSError, ValueError, LookupError) as error:
                raise ModelUnusable(self._folder, error) from error
        return self._model
