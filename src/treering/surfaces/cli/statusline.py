"""The line at the foot of an agent: what this session was shown, and what waits for its user."""

from __future__ import annotations

import json
import os
import sys
from contextlib import closing
from typing import Any

from treering.ledger.config import home_of
from treering.models.quota import note
from treering.stores.files import FILE_NAME
from treering.surfaces.cli.app import AGENTS, ROOT, command, shared
from treering.surfaces.cli.render import Answer

_LARGEST = 1_000_000  # bytes of what an agent says of itself; Claude Code sends about 2,000


@command(ROOT, "statusline", section=AGENTS, examples=("treering statusline",), opens=False, past=False)
def statusline() -> Answer:
    """Print one line for the foot of an agent: "3 shown · 1 to review".

    Reads what the agent says of the session on standard input, as Claude Code sends it. `treering install claude-code`
    sets it up if there is no other status line. It changes nothing in the store, and is silent on any trouble. It notes
    how much of your plan the agent says is used.
    """
    told = _told()
    home = home_of(shared()["home"] or None, os.environ)
    note(home, told)
    shown, waiting = _counts(home, told)
    parts = [f"{shown} shown" if shown else "", f"{waiting} to review" if waiting else ""]
    value = {"shown": shown, "to_review": waiting}
    return Answer(value, lambda page: [" · ".join(part for part in parts if part) or "nothing shown"])


def _told() -> dict[str, Any]:
    """Return what the agent says; nothing at a terminal, or if it is no JSON object."""
    if sys.stdin is None or sys.stdin.isatty():
        return {}
    try:
        found = json.loads(sys.stdin.buffer.read(_LARGEST))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _counts(home: str, told: dict[str, Any]) -> tuple[int, int]:
    """Return how many memories the session was shown, and how many matters wait. Do not make a store, or wait."""
    from treering.stores.sqlite import hook_queries

    session = told.get("session_id")
    db = hook_queries.connect(os.path.join(home, FILE_NAME))
    if db is None:
        return 0, 0
    try:
        with closing(db):
            shown = len(hook_queries.shown(db, session)) if isinstance(session, str) else 0
    except hook_queries.Error:
        return 0, 0
    return shown, _waiting(home)


def _waiting(home: str) -> int:
    """Return how many contradictions, invariants and proposals wait, as `treering review` lists them."""
    from treering.ledger.clock import now
    from treering.ledger.config import load
    from treering.ledger.errors import TreeringError
    from treering.skills.proposals.cases import cases
    from treering.skills.proposals.rules import PENDING
    from treering.stores.sqlite.store import SqliteStore
    from treering.truth import claims

    try:
        config = load(home, os.environ)
        with closing(SqliteStore(os.path.join(home, FILE_NAME))) as store:
            proposed = sum(case.status == PENDING for case in cases(store, config.space).values())
            due = claims.to_confirm(store, config.space, config.confirm_days, now())
            return proposed + len(due) + len(claims.asked(claims.contradictions(store, config.space)))
    except TreeringError:
        return 0
