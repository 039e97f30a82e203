"""`python -m benchmarks.lives.year`: a life repeated with other names and dates, to 300 sessions.

Each repetition is the same person in new projects, with other numbers. Help must not fall as the memory grows, and a
session must not cost more time or bytes.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks import report
from benchmarks.lives import runs
from benchmarks.lives.life import OURS
from benchmarks.lives.score import figures

SESSIONS = 300
PARTS = 6  # of the year, one row each
_BETWEEN = timedelta(days=3)  # from one repetition to the next


def repeated(life: dict[str, Any], sessions: int) -> dict[str, Any]:
    """Return a life that goes on until it has so many sessions: each time with other names, numbers and dates."""
    first, last = (datetime.fromisoformat(life["sessions"][at]["at"]) for at in (0, -1))
    length = last - first + _BETWEEN
    found: list[dict[str, Any]] = []
    projects: dict[str, str] = {}
    for round in range(-(-sessions // len(life["sessions"]))):
        renamed = _renamed(life, round)
        projects |= renamed["projects"]
        for session in renamed["sessions"]:
            at = datetime.fromisoformat(session["at"]) + round * length
            found.append({**session, "id": f"{session['id']}-{round}", "at": at.isoformat()})
    return {**life, "id": f"{life['id']}-year", "projects": projects, "sessions": found[:sessions]}


def _renamed(life: dict[str, Any], round: int) -> dict[str, Any]:
    """Return a life in which every number and every project is another one; the first round is as it was."""
    if not round:
        return life
    shift = str.maketrans("0123456789", "".join(str((digit + round) % 10) for digit in range(10)))
    kept = {"id", "at", "replaces", "want", "stale", "kind", "scope", "ok", "may"}

    def other(value: Any, key: str = "") -> Any:
        if key in ("id", "replaces", "want", "stale") and value:
            return [f"{one}-{round}" for one in value] if isinstance(value, list) else f"{value}-{round}"
        if isinstance(value, dict):
            return {name: other(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [other(inner) for inner in value]
        return value.translate(shift) if isinstance(value, str) and key not in kept else value

    sessions = [{**other(one), "id": one["id"], "project": f"{one['project']}-{round}"} for one in life["sessions"]]
    return {
        **life,
        "projects": {f"{name}-{round}": path for name, path in life["projects"].items()},
        "sessions": sessions,
    }


def rows(played: dict[str, Any]) -> Iterator[list[str]]:
    """Yield a row for each part of the year."""
    sessions, costs = played["by_session"], played["costs"]
    size = -(-len(sessions) // PARTS)
    for at in range(0, len(sessions), size):
        counts: dict[str, int] = {}
        for one in sessions[at : at + size]:
            counts = {name: counts.get(name, 0) + one.get(name, 0) for name in {*counts, *one}}
        found = figures(counts)
        seconds = sum(second for second, _ in costs[at : at + size]) / size
        grown = (costs[min(at + size, len(costs)) - 1][1] - (costs[at - 1][1] if at else 0)) / size
        told = [f"{found[name]:.3f}" if found[name] is not None else "-" for name in ("help", "stale", "quiet")]
        yield [
            f"{at + 1} to {at + size}",
            *told,
            f"{found['a briefing']:,.0f}",
            f"{seconds:.2f}",
            f"{grown / 1000:,.0f}",
        ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lives.year", description="Play a year.")
    parser.add_argument("life", nargs="?", default="shop-backend", help="the name of one of our lives")
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    options = parser.parse_args(arguments)
    life = json.loads((OURS / f"{options.life}.json").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{options.life}.json"
        path.write_text(json.dumps({**repeated(life, options.sessions), "id": life["id"]}), "utf-8")
        (played,) = runs.play([path], runs.Plan(jobs=1))
    headings = ["sessions", "help", "stale", "quiet", "a briefing", "seconds a session", "kB a session"]
    sys.stdout.write(report.lines(headings, rows(played)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
