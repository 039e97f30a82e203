"""What of ours two texts differ in, in a few words: nothing is told that was not done."""

from __future__ import annotations

from treering.install.entries import JSON, RUNS, ours, server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from treering.install.entries import Wanted

    Entries = dict[tuple[str, ...], Any]

HOOK, SERVER = "hook", "the MCP server"
ADDED, CORRECTED, TAKEN, THERE = "added", "corrected", "taken out", "there"
OTHER = "what goes with our entries"  # as the version of a file, which it cannot be read without


def differing(before: str, after: str, wanted: Wanted) -> str:
    """What was added, what corrected and what taken out on the way from one text to another."""
    old, new = _entries(before, wanted), _entries(after, wanted)
    told = [
        (ADDED, [key for key in new if key not in old]),
        (CORRECTED, [key for key in new if key in old and old[key] != new[key]]),
        (TAKEN, [key for key in old if key not in new]),
    ]
    return ", ".join(f"{_counted(keys)} {verb}" for verb, keys in told if keys) or f"{OTHER} {CORRECTED}"


def present(text: str, wanted: Wanted) -> str:
    """What of ours is in a text."""
    keys = [*_entries(text, wanted)]
    return f"{_counted(keys)} {THERE}" if keys else ""


def _entries(text: str, wanted: Wanted) -> Entries:
    """Each entry of ours, and what it runs. Of one that is there twice, each is counted."""
    found: Entries = {}
    for event, mark, entry in ours(text) if wanted.format == JSON else ():
        times = sum(key[:3] == (HOOK, event, mark) for key in found)
        found[HOOK, event, mark, str(times)] = {key: entry.get(key) for key in RUNS}
    held = server(text, wanted)
    if held is not None:
        found[SERVER,] = {key: held.get(key) for key in RUNS}
    return found


def _counted(keys: list[tuple[str, ...]]) -> str:
    hooks = sum(key[0] == HOOK for key in keys)
    told = [f"{hooks:,} {HOOK}{'' if hooks == 1 else 's'}"] if hooks else []
    return " and ".join([*told, *([SERVER] if (SERVER,) in keys else [])])
