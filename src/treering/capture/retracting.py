"""Whether somebody takes back what was said before, in so many words."""

from __future__ import annotations

from treering.core.words import folded

# As they stand in a sentence, without what is between the words: an apostrophe parts a word.
_TAKING_BACK = (
    "forget that",
    "forget what i said",
    "forget about that",
    "scratch that",
    "strike that",
    "ignore that",
    "disregard that",
    "ignore what i said",
    "take that back",
    "don t remember that",
    "do not remember that",
    "that was wrong",
    "i was wrong",
    "i misspoke",
    "my mistake",
)


def retracts(text: str) -> bool:
    """Said outright: a mere contradiction may be about something else."""
    said = f" {' '.join(folded(text))} "
    return any(f" {words} " in said for words in _TAKING_BACK)
