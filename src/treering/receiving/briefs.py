"""What a session is told when it starts, beside memories: which skills there are, and what waits for a person."""

from __future__ import annotations

LONGEST = 500  # characters


def brief(skills: str, proposals: int, contradictions: int, invariants: int) -> str:
    """In a few lines; nothing if there is nothing to tell."""
    waiting = (
        _counted(proposals, "proposal", "treering evolve list"),
        _counted(contradictions, "contradiction", "treering contradictions"),
        _counted(invariants, "invariant to confirm", "treering confirm"),
    )
    told = ", ".join(filter(None, waiting))
    lines = (skills.strip()[:LONGEST], f"Waiting for a person's review: {told}." if told else "")
    return "\n".join(filter(None, lines))


def _counted(count: int, what: str, command: str) -> str:
    if not count:
        return ""
    first, _, rest = what.partition(" ")
    named = f"{first}{'' if count == 1 else 's'}{' ' + rest if rest else ''}"
    return f"{count} {named} (`{command}`)"
