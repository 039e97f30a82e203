"""Split texts as the full-text index of SQLite does, for a store that has another."""

from __future__ import annotations

from threading import local

import apsw

_threads = local()


def tokens(db: apsw.Connection, text: str) -> list[str]:
    """Return the stems of the words of a text, in order."""
    tokenizer = db.fts5_tokenizer("porter", ["unicode61"])
    options = {"include_offsets": False, "include_colocated": False}
    found = tokenizer(text.encode("utf-8", "replace"), apsw.FTS5_TOKENIZE_DOCUMENT, None, **options)
    return [str(stem) for stem in found]


def stems_in(text: str) -> list[str]:
    """Return the same without a store."""
    db: apsw.Connection | None = getattr(_threads, "db", None)
    if db is None:
        db = _threads.db = apsw.Connection(":memory:")
    return tokens(db, text)
