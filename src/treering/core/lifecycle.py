"""The one table of moves between statuses. What is not in it is an error."""

from __future__ import annotations

from treering.core.errors import IllegalMove

# The side exits are open to every memory that is still told: an evolution action takes them, with evidence.
_SIDE_EXITS = ("superseded", "merged", "deprecated", "quarantined")

TRANSITIONS: dict[str, tuple[str, ...]] = {
    # An episode that somebody sums up in its first hour never was active.
    "created": ("active", "consolidated", "archived", "forgotten", *_SIDE_EXITS),
    "active": ("consolidated", "archived", "forgotten", *_SIDE_EXITS),
    "consolidated": ("active", "archived", "forgotten", *_SIDE_EXITS),
    "archived": ("active", "consolidated", "forgotten", *_SIDE_EXITS),  # it faded while its group waited
    # These leave only by undoing the event that made them so, or by a person who forgets them.
    "superseded": ("forgotten",),
    "merged": ("forgotten",),
    "deprecated": ("forgotten",),
    "quarantined": ("active", "forgotten"),
    "forgotten": (),
}

STATUSES = tuple(TRANSITIONS)

# Being used makes these active.
WAKING = ("created", "consolidated", "archived")

# What recall may answer with. The others keep their history and stay out of sight.
RECALLABLE = ("created", "active", "consolidated", "archived")
# What evolution and people took out of it, with its text kept: shown to those who ask for it.
RETIRED = ("superseded", "merged", "deprecated")


def check_move(id: str, now: str, to: str) -> None:
    if to not in TRANSITIONS[now]:
        raise IllegalMove(id, now, to)
