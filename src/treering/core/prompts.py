"""Prompts: which of them ask for something, and the words that say what.

Recall takes the words of a prompt that it cannot answer while it writes it down, so that looking for gaps later is
cheap. It needs no `re`, which would cost a fresh process more than the write.
"""

from __future__ import annotations

from itertools import pairwise

from treering.core.words import STOP_WORDS, folded

SHORTEST = 12  # characters: "yes, do it" asks for nothing that a memory could know
FEWEST_TOKENS = 2  # "thanks a lot, Claude" has one
_MASK = "[redacted: "  # what the guard puts in the place of a secret, up to the next bracket
_TRACEBACK = "Traceback (most recent call last)"
TOP_TOKENS = 12  # enough to tell what a prompt is about; a long one goes into detail
SHORTEST_TOKEN = 2  # characters

# What people say around what they want. It drifts from one wording to the next and must not count.
FILLER = frozenset(
    """actually again also another any anything anyway back bit bring can change check code come could create do done
    each ensure every everything fix fine get give go going good got great hello help hey hi hmm implement instead issue
    issues its just keep kind let lets like look lot make maybe me more much need new next nice now ok okay one ones
    please problem problems really right run see set should something still stuff sure take tell thank thanks
    thing things think time today try trying use using want way well whatever work working would yeah yes yet""".split()
)


# Whoever asks for something not to be done asks for the opposite. An apostrophe parts a word: "don't" is "don" and "t".
NOT = "not"
_DENIALS = frozenset("not no never cannot dont".split())
_SILENT = STOP_WORDS | FILLER | _DENIALS


def substantive(prompt: str) -> bool:
    """Whether a prompt asks for something that a memory could know."""
    said = prompt.strip()
    if len(said) < SHORTEST or said.startswith("/"):
        return False
    return len([token for token in tokens(said) if token != NOT]) >= FEWEST_TOKENS


def _unmasked(prompt: str) -> str:
    """A prompt without what is not the user's: marks that stand for secrets, and a traceback but for its last line."""
    said, _, pasted = prompt.partition(_TRACEBACK)
    rows = [row for row in pasted.splitlines() if row.strip()]
    first, *rest = f"{said} {rows[-1] if rows else ''}".split(_MASK)
    return " ".join([first, *(piece.partition("]")[2] for piece in rest)])


def tokens(prompt: str) -> list[str]:
    """The words that say what a prompt is about, each once, in their order; and that it is denied, last."""
    said = folded(_unmasked(prompt))
    found = [*dict.fromkeys(word for word in said if _tells(word))][:TOP_TOKENS]
    return [*found, NOT] if _denies(said) else found


def _denies(said: list[str]) -> bool:
    if not _DENIALS.isdisjoint(said):
        return True
    return "t" in said and any(one.endswith("n") and other == "t" for one, other in pairwise(said))


def _tells(word: str) -> bool:
    return len(word) >= SHORTEST_TOKEN and word not in _SILENT and not word.isdecimal()
