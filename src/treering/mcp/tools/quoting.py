"""How what memories say leaves the server: as data. Whatever a client shows its model, text or JSON, it is quoted."""

from __future__ import annotations

import os
from collections.abc import Iterable

from treering.core.types import Hit, Memory, Why
from treering.moment import now
from treering.recall.fence import fence, quote

__all__ = ["fenced", "quote", "said"]

# Tokens of the memories that one answer quotes, at the most. Clients warn at 10,000 tokens of an answer and cut at
# 25,000; ours are counted generously, and the answer comes twice, as text and as JSON.
MOST_TOKENS = 8_000
_NONCE = 8  # bytes
_NO_REASON = Why({}, {}, {})


def fenced(memories: Iterable[Memory], budget: int = MOST_TOKENS) -> str:
    """Memories as recall hands them out: quoted, attributed, within a fence of their own."""
    hits = [Hit(memory, 0.0, _NO_REASON) for memory in memories]
    return fence(hits, os.urandom(_NONCE).hex(), now(), budget).text


def said(text: str) -> str:
    """A line of ours that may repeat words of somebody else: they start no tag, no turn and no line."""
    return quote(text)[1:-1].replace('\\"', '"')
