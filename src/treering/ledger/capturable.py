"""Say what hooks may keep of sessions: all, nothing, or some kinds. Hooks read this too."""

from __future__ import annotations

from treering.ledger.types import LIKELY

ALL, NONE = "all", "none"
SUMMARY, FRICTION = "summary", "friction"
# What a person or an agent said and did; what may be worth keeping, for a time; what an agent wrote when it compacted;
# and the prompts, failures and interruptions from which skills are proposed.
KINDS = ("told", "correction", "preference", "decision", "fix", "episode", LIKELY, SUMMARY, FRICTION)


def kinds_of(setting: str) -> frozenset[str] | None:
    """Return the kinds that a setting allows, or None if it makes no sense."""
    named = setting.replace(",", " ").split()
    if named in ([ALL], [NONE]):
        return frozenset(KINDS if named == [ALL] else ())
    return frozenset(named) if named and all(kind in KINDS for kind in named) else None
