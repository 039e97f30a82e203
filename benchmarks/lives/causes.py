"""Say why a wanted fact was not before the agent, or a replaced one was, by what the store holds at that moment."""

from __future__ import annotations

from pathlib import Path

import apsw

from benchmarks.lives.life import Fact
from treering.ledger.types import LIKELY, RECALLABLE
from treering.stores.files import FILE_NAME

NEVER, ONLY_LIKELY, EPISODE, ELSEWHERE, GONE, DOUBTED, CUT = CAUSES = (
    "not captured",
    "captured as likely only",
    "only in an episode",
    "in another project",
    "superseded, merged or forgotten",
    "contradicted",
    "not chosen for the briefing",
)
_FIELDS = "content, problem, approach, gotchas, trigger, action, outcome"


def cause(home: Path, fact: Fact, project: str) -> str:
    """Return why a fact is missing in a session of a project: the cause that is nearest to being shown."""
    found = _found(home, fact, project)
    return next((why for why in reversed(CAUSES) if why in found), NEVER)


def stays(home: Path, old: Fact, new: Fact | None, project: str) -> str:
    """Return why a fact is still shown that another one replaced: what became of the two."""
    older = sorted(_found(home, old, project) - {GONE, ELSEWHERE}) or ["in no memory that stands"]
    newer = cause(home, new, project) if new is not None else "said later"
    return f"the new one: {newer}; the old one: {', '.join(older)}"


def _found(home: Path, fact: Fact, project: str) -> set[str]:
    """Return what there is to say of each memory that holds a fact."""
    path = home / ".treering" / FILE_NAME
    if not path.exists():
        return set()
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        rows = db.execute(f"SELECT id, type, scope, project, status, tags, {_FIELDS} FROM memories").fetchall()
        briefs = db.execute("SELECT doubted FROM briefs WHERE project = ?", (project,)).fetchall()
    finally:
        db.close()
    doubted = "".join(str(row[0]) for row in briefs)
    return {_why(row[:6], project, doubted) for row in rows if fact.within("\n".join(map(str, row[6:])).lower())}


def _why(row: tuple[apsw.SQLiteValue, ...], project: str, doubted: str) -> str:
    id, type, scope, where, status, tags = map(str, row)
    if status not in RECALLABLE:
        return GONE
    if scope != "user" and where != project:
        return ELSEWHERE
    if type == "episodic":
        return ONLY_LIKELY if LIKELY in tags else EPISODE
    return DOUBTED if id in doubted else CUT
