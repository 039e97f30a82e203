"""One text from several: the first, and what the others say beyond it."""

from __future__ import annotations

from itertools import islice

from treering.evolve.likeness.saying import is_said
from treering.evolve.likeness.sentences import sentences, unmarked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MANY = 200  # sentences with which another is compared: what has more is a document, and is joined by its very words
_ENDS = (".", "!", "?", ":", ";", "…")


def joined(texts: Sequence[str]) -> str:
    """The first text, and each sentence of the others that is not already said, in order."""
    if not texts:
        return ""
    first = texts[0]
    kept = dict.fromkeys(unmarked(sentence) for sentence in sentences(first))
    fresh: list[str] = []
    for text in dict.fromkeys(texts[1:]):
        for sentence in sentences(text) if text != first else ():
            bare = unmarked(sentence)
            if bare not in kept and not any(is_said(bare, by) for by in islice(kept, _MANY)):
                kept[bare] = None
                fresh.append(sentence)
    if not fresh:
        return first
    has_lines = any("\n" in text.strip() for text in texts)
    if not first.strip():
        return ("\n" if has_lines else " ").join(fresh)
    if has_lines:
        return "\n".join([first.rstrip(), *fresh])
    return " ".join(map(_ended, [first.rstrip(), *fresh[:-1]])) + " " + fresh[-1]


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith(_ENDS) else sentence + "."
