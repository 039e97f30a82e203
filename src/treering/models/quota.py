"""Read how much of a user's plan an agent says is used: when little is left, it is the user's alone.

Claude Code says it to its status line, from where `treering statusline` notes it; Codex writes it into its sessions.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

CLAUDE, CODEX = "claude-code", "codex"  # agents that say it
FILE_NAME = "model.quota"
MOST_USED = 80.0  # per cent of any window, above which nothing is asked until it is over
SECOND = 1_000_000  # microseconds
_TAIL = 65_536  # bytes at the end of a session of Codex: each answer reports anew
_MARK = '"rate_limits"'


def note(home: str, told: Mapping[str, Any]) -> None:
    """Keep what Claude Code tells its status line of the plan, if that is news."""
    windows = [*_windows(told.get("rate_limits"), "used_percentage")]
    text = json.dumps(windows)
    path = Path(home, FILE_NAME)
    with suppress(OSError):
        if windows and (not path.exists() or path.read_text() != text):
            aside = path.with_name(f"{FILE_NAME}.{os.getpid()}")
            aside.write_text(text)
            os.replace(aside, path)


def is_low(agent: str, home: str, now: int) -> bool:
    """Tell whether an agent last said that little is left, of a window that is not over."""
    windows = _noted(home) if agent == CLAUDE else _of_codex() if agent == CODEX else []
    return any(used >= MOST_USED and resets * SECOND > now for used, resets in windows)


def _noted(home: str) -> list[tuple[float, float]]:
    try:
        return [(float(used), float(resets)) for used, resets in json.loads(Path(home, FILE_NAME).read_text())]
    except (OSError, ValueError, TypeError):
        return []


def _of_codex() -> list[tuple[float, float]]:
    """Return the windows of the last report in the newest session."""
    folder = Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex") / "sessions"
    newest = max(folder.glob("*/*/*/rollout-*.jsonl"), key=lambda path: path.name, default=None)
    if newest is None:
        return []
    with suppress(OSError), newest.open("rb") as file:
        file.seek(max(0, newest.stat().st_size - _TAIL))
        for line in reversed(file.read().decode(errors="replace").splitlines()):
            if _MARK in line and (found := [*_windows(_inside(line), "used_percent")]):
                return found
    return []


def _inside(line: str) -> Any:
    try:
        payload = json.loads(line).get("payload")
    except (ValueError, AttributeError, RecursionError):
        return None
    return payload.get("rate_limits") if isinstance(payload, dict) else None


def _windows(limits: Any, used: str) -> Iterator[tuple[float, float]]:
    """Yield for each window how many per cent are used, and the second at which it is over."""
    for window in limits.values() if isinstance(limits, dict) else ():
        told = (window.get(used), window.get("resets_at")) if isinstance(window, dict) else (None, None)
        if all(type(part) in (int, float) for part in told):
            yield float(told[0]), float(told[1])  # type: ignore[arg-type]
