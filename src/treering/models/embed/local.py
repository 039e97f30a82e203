"""Embed with models and libraries that are on this machine; nothing is downloaded."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

from treering.ledger.errors import MissingExtra, TreeringError
from treering.models.embed.static import embed_texts

if TYPE_CHECKING:
    from treering.models.port import Matrix


_SAMPLES = 16  # of each file: two trainings of one model differ nearly everywhere
_SAMPLE = 4096  # bytes


class ModelMissing(TreeringError):
    """The model is not on this machine."""

    def __init__(self, model: str) -> None:
        super().__init__(
            f"the model {model!r} is not on this machine, and Treering downloads nothing: "
            f"give the path of its folder, or fetch it once with `hf download {model}`"
        )


class ModelUnusable(TreeringError):
    def __init__(self, folder: str, problem: object) -> None:
        super().__init__(f"the model in {folder} cannot be loaded: {problem}; choose another, or fetch it again")


def library(module: str, package: str) -> Any:
    """Import a module of an optional extra."""
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(package, package) from error


def folder_of(model: str) -> str:
    """Return the folder of a model: the one given, or the local copy of a name fetched before."""
    folder = os.path.abspath(os.path.expanduser(model))
    if os.path.isdir(folder):
        return folder
    hub = library("huggingface_hub", "huggingface_hub")
    try:
        return str(hub.snapshot_download(model, local_files_only=True))
    except (OSError, ValueError) as error:  # not there, or not even a name of a model
        raise ModelMissing(model) from error


def print_of(folder: str) -> str:
    """Return what tells a model from every other, wherever it lies, without reading all of it."""
    from hashlib import blake2b

    digest = blake2b(digest_size=6)
    for above, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.startswith(".") or name.endswith(".md"):
                continue
            path = os.path.join(above, name)
            size = os.path.getsize(path)
            digest.update(f"{os.path.relpath(path, folder)}\0{size}\0".encode())
            with open(path, "rb") as file:
                for start in range(0, size, max(_SAMPLE, size // _SAMPLES)):
                    file.seek(start)
                    digest.update(file.read(_SAMPLE))
    return digest.hexdigest()


class Model2VecEmbedder:
    def __init__(self, model: str) -> None:
        """Take a folder, or the name of a model that was fetched before."""
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
        return embed_texts(texts, self._encode, lambda: self.dimensions)

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


class SentenceTransformerEmbedder:
    def __init__(self, model: str) -> None:
        """Take a folder, or the name of a model that was fetched before."""
        self._library = library("sentence_transformers", "sentence-transformers")
        self._folder = folder_of(model)
        self._model: Any = None
        self._lock = Lock()  # a model is loaded once, and one text at a time keeps its memory in bounds
        self.name = f"sentence-transformers:{os.path.basename(self._folder)}@{print_of(self._folder)}"

    @cached_property
    def dimensions(self) -> int:
        """The length of a vector, by trial: the library has two names for it, and a model may cut it short."""
        return int(self.embed(["dimensions"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Matrix:
        return embed_texts(texts, self._encoding("encode_document"), lambda: self.dimensions)

    def question(self, words: Sequence[tuple[str, float]], text: str) -> Matrix:
        return embed_texts([text], self._encoding("encode_query"), lambda: self.dimensions)

    def _encoding(self, method: str) -> Callable[[list[str]], Matrix]:
        """Return the encoder for questions or texts: some models put other words before each."""

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
