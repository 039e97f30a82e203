"""Profiles: memories made ready for scoring, before anybody waits for them or when somebody does."""

from __future__ import annotations

import re

import numpy as np

from treering.core.index import Profile
from treering.core.mentions import entities
from treering.core.words import compounds, folded
from treering.recall.lessons.kinds import kind_of
from treering.recall.profile.stems import END

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.core.index import Index
    from treering.core.ports import Embedder, Matrix
    from treering.core.types import Memory
    from treering.recall.profile.stems import Stems

PORTION = 1_000  # memories profiled between two short transactions: others write in between
SHORTEST = 4  # words of a sentence; a shorter one says too little to have a direction, and joins the next
MOST_SENTENCES = 64  # of a memory; in a longer text several make one, so that no text weighs on the disk for ever
_END = re.compile(r"(?<=[.!?])\s+|\n+")
_FULL = 127  # the greatest 8-bit integer


def catch_up(
    index: Index,
    stems: Stems,
    embedder: Embedder | None,
    progress: Callable[[int], None],
    going: Callable[[], bool] = lambda: True,
) -> int:
    """Give every memory that has none its profile, as long as there is time. How many were made."""
    name = embedder.name if embedder else "none"
    if index.settled(name):
        return 0
    if index.embedder != name:
        index.write(lambda: index.clear(name) if index.embedder != name else None)
    done = 0
    while going() and (pending := index.pending(PORTION)):
        made = _made(pending, stems, embedder)
        index.write(lambda made=made: index.add(made))  # type: ignore[misc]
        done += len(made)
        progress(done)
    return done


def quantised(matrix: Matrix) -> list[bytes]:
    """Rows as 8-bit integers, each stretched so that its greatest value fills them: the direction is what counts."""
    greatest = np.abs(matrix).max(axis=1, keepdims=True) if matrix.size else matrix
    whole = np.rint(matrix * (_FULL / np.maximum(greatest, 1e-9))).astype(np.int8)
    return [row.tobytes() for row in whole]


def text_of(memory: Memory) -> str:
    """All that a memory says: its text, and what of its fields is not in it."""
    fields = (memory.problem, memory.approach, memory.gotchas, memory.trigger, memory.action, memory.outcome)
    return "\n".join([memory.content, *(field for field in fields if field and field not in memory.content)])


def sentences(text: str) -> list[str]:
    """The sentences of a text, short ones joined to the next, at most so many."""
    found: list[str] = []
    for sentence in _END.split(text):
        if found and found[-1].count(" ") + 1 < SHORTEST:
            found[-1] += " " + sentence
        elif sentence:
            found.append(sentence)
    size = -(-len(found) // MOST_SENTENCES)
    return [" ".join(found[at : at + size]) for at in range(0, len(found), size)] if size > 1 else found


def _made(
    pending: Sequence[tuple[int, Memory]], stems: Stems, embedder: Embedder | None
) -> list[tuple[Memory, Profile]]:
    texts = [text_of(memory) for _, memory in pending]
    vectors = quantised(embedder.embed(texts)) if embedder else [b""] * len(texts)
    parts = [sentences(text) for text in texts]
    several = [part for found in parts if len(found) > 1 for part in found]
    rest = iter(quantised(embedder.embed(several)) if embedder and several else [])
    made = []
    for (number, memory), text, vector, found in zip(pending, texts, vectors, parts, strict=True):
        words, extra = folded(text), folded(" ".join((*memory.tags, compounds(text))))
        listed = [*stems.meaningful(words), END, *stems.meaningful(extra)]
        profile = Profile(
            number,
            0,
            memory.created,
            len(words),
            np.array(listed, np.uint32).tobytes(),
            vector,
            b"".join(next(rest, b"") for _ in found) if len(found) > 1 else b"",
            memory.session,
            entities(text),
            kind_of(memory, len(words)),
        )
        made.append((memory, profile))
    return made
