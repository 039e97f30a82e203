"""The others, each in the way its documentation shows, over the static vectors that Treering uses too.

chromadb: a persistent client and one collection with cosine distance. mem0: `add(infer=False)`, which stores texts as
they are without a language model, over its local qdrant; its clients for OpenAI want a key when they are made and are
never called. LangGraph: the SqliteStore with an index. What they could do with a model or a download is not measured.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from benchmarks.recall.sets import Row
from treering.models.embed.static import DIMENSIONS, StaticEmbedder

# LangGraph loads an extension, which many a Python's own module is built without.
PYSQLITE = () if hasattr(sqlite3.Connection, "enable_load_extension") else ("pysqlite3-binary",)

_EMBEDDER = StaticEmbedder()


def _embed(texts: Sequence[str]) -> list[list[float]]:
    rows: list[list[float]] = _EMBEDDER.embed(texts).tolist()
    return rows


class Chroma:
    def __init__(self, folder: str) -> None:
        chromadb = import_module("chromadb")
        settings = import_module("chromadb.config").Settings(anonymized_telemetry=False)
        self._client = chromadb.PersistentClient(os.path.join(folder, "chroma"), settings)
        space = {"hnsw": {"space": "cosine"}}
        self._collection = self._client.create_collection("notes", configuration=space, embedding_function=None)

    def add(self, rows: Sequence[Row]) -> None:
        texts = [row.content for row in rows]
        self._collection.add(ids=[row.id for row in rows], documents=texts, embeddings=_embed(texts))

    def ready(self) -> None:
        pass

    def search(self, query: str, count: int) -> list[str]:
        found = self._collection.query(query_embeddings=_embed([query]), n_results=count, include=[])
        ids: list[str] = found["ids"][0]
        return ids

    def close(self) -> None:
        self._client.close()


class Mem0:
    def __init__(self, folder: str) -> None:
        os.environ["MEM0_DIR"] = folder
        logging.getLogger("mem0").setLevel(logging.ERROR)  # it warns of every part that is not installed
        unused = {"provider": "openai", "config": {"api_key": "unused"}}
        local = {"path": os.path.join(folder, "qdrant"), "on_disk": True, "embedding_model_dims": DIMENSIONS}
        self._memory: Any = import_module("mem0").Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": local},
                "embedder": unused,
                "llm": unused,
                "history_db_path": os.path.join(folder, "history.db"),
            }
        )
        self._memory.embedding_model = _Mem0Embedder()
        self._ids: dict[str, str] = {}

    def add(self, rows: Sequence[Row]) -> None:
        messages = [{"role": "user", "content": row.content} for row in rows]
        made = self._memory.add(messages, user_id="somebody", infer=False)["results"]
        self._ids.update((each["id"], row.id) for each, row in zip(made, rows, strict=True))

    def ready(self) -> None:
        pass

    def search(self, query: str, count: int) -> list[str]:
        found = self._memory.search(query, top_k=count, filters={"user_id": "somebody"}, threshold=0.0)
        return [self._ids[each["id"]] for each in found["results"]]

    def close(self) -> None:
        self._memory.vector_store.client.close()
        self._memory.close()


class _Mem0Embedder:
    """In the shape of its own."""

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return _embed([text])[0]

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        return _embed(texts)


class LangGraph:
    _PLACE = ("notes",)

    def __init__(self, folder: str) -> None:
        index = {
            "dims": DIMENSIONS,
            "embed": _embed,
        }  # which field to embed is said at each put: `fields` is not heeded
        sqlite = import_module("pysqlite3" if PYSQLITE else "sqlite3")
        self._db = sqlite.connect(os.path.join(folder, "store.db"), check_same_thread=False, isolation_level=None)
        self._store: Any = import_module("langgraph.store.sqlite").SqliteStore(self._db, index=index)
        self._store.setup()
        self._put = import_module("langgraph.store.base").PutOp

    def add(self, rows: Sequence[Row]) -> None:
        self._store.batch([self._put(self._PLACE, row.id, {"text": row.content}, index=["text"]) for row in rows])

    def ready(self) -> None:
        pass

    def search(self, query: str, count: int) -> list[str]:
        return [item.key for item in self._store.search(self._PLACE, query=query, limit=count)]

    def close(self) -> None:
        self._db.close()
