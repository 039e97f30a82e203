"""Any model of the sentence-transformers library: slower by far than static vectors, and knows word order."""

from __future__ import annotations

import os
from functools import cached_property
from threading import Lock

from treering.embed.local import ModelUnusable, folder_of, library, print_of
from treering.embed.rows import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from treering.core.ports import Matrix


class SentenceTransformerEmbedder:
    def __init__(self, model: str) -> None:
        """From a folder, or the name of a model that was fetched before."""
        self._library = library("sentence_transformers", "sentence-transformers")
        self._folder = folder_of(model)
        self._model: Any = None
        self._lock = Lock()  # a model is loaded once, and one text at a time keeps its memory in bounds
        self.name = f"sentence-transformers:{os.path.basename(self._folder)}@{print_of(self._folder)}"

    @cached_property
    def dimensions(self) -> int:
        """By trial: the library calls it by one name or another, and a model may cut its vectors short."""
        return int(self.embed(["dimensions"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Matrix:
        return spoken(texts, self._encoding("encode_document"), lambda: self.dimensions)

    def question(self, words: Sequence[tuple[str, float]], text: str) -> Matrix:
        return spoken([text], self._encoding("encode_query"), lambda: self.dimensions)

    def _encoding(self, method: str) -> Callable[[list[str]], Matrix]:
        """Models that were trained to tell questions from answers put other words before each."""

        def encode(texts: list[str]) -> Matrix:
            with self._lock:
                vectors: Matrix = getattr(self._loaded(), method)(texts, show_progress_bar=False)
            return vectors

        return encode

    def _loaded(self) -> Any:
        if self._model is None:
            try:
                self._model = self._library.SentenceTransformer(self._folder, local_files_only=True)
            except (OSError, ValueError, LookupError) as error:
                raise ModelUnusable(self._folder, error) from error
        return self._model
