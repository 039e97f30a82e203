"""Find the sentences of a prompt without which a statement says too little.

"Leave the ice files alone. Torvald looks after them." is one fact in two sentences. Each sentence that is worth keeping
is a memory of its own; those beside it that may belong to it go along.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treering.judge.model import load
from treering.judge.sentences import KEEP, LIKELY, Verdict
from treering.text.sentences import Sentence

# Of the worth from which on a sentence is kept by itself, the share from which on it may belong to its neighbour. On
# lives that the weights have not seen, the memories then hold 84 of 100 facts instead of 78, and are an eighth longer.
# From there on it is also kept by itself if it is likely to replace a memory: a fifth of these hold a fact.
_BELONGS = 0.3
_LONGEST = 300  # characters of a statement with all that belongs to it: longer, and its own sentence is kept alone


def with_context(
    said: Sequence[Sentence], verdicts: Sequence[Verdict], whole: Callable[[str], str], faint: bool = False
) -> list[str]:
    """Return each sentence of a prompt that is worth keeping with what belongs to it, made `whole`, and nothing for the
    others. With `faint`, sentences that are worth it only if they replace a memory are kept, too."""
    kept = _owners(said, verdicts, faint)
    found = []
    for at, sentence in enumerate(said):
        parts = [one.text for one, owner in zip(said, kept, strict=True) if owner == at]
        text = " ".join(map(whole, parts)) if len(parts) > 1 else sentence.text
        found.append("" if kept[at] != at else text if len(text) <= _LONGEST else sentence.text)
    return found


def _owners(said: Sequence[Sentence], verdicts: Sequence[Verdict], faint: bool) -> list[int | None]:
    """Return for each sentence the one that it is kept with: itself, the last one before it, or the next."""
    floor = load(KEEP).floors[LIKELY]
    owners = [at if one.likely and not said[at].asks else None for at, one in enumerate(verdicts)]
    free = [one.worth >= _BELONGS * floor and not (said[at].asks or said[at].pasted) for at, one in enumerate(verdicts)]
    for step, places in ((-1, range(1, len(said))), (1, range(len(said) - 2, -1, -1))):
        for at in places:
            if owners[at] is None and free[at]:
                owners[at] = owners[at + step]
    return _with_faint(said, owners, free) if faint else owners


def _with_faint(said: Sequence[Sentence], owners: list[int | None], free: Sequence[bool]) -> list[int | None]:
    """Add sentences that are kept with nothing yet, each run of them together with the one before that names what they
    are about."""
    found = [*owners]
    for at, owner in enumerate(owners):
        if owner is not None or not free[at]:
            continue
        if at and (owners[at - 1] is not None or said[at - 1].asks or said[at - 1].pasted):
            found[at] = at
        elif at:
            found[at] = found[at - 1] = at if found[at - 1] is None else found[at - 1]
        else:
            found[at] = at
    return found
