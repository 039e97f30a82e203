"""Settings: each with its value, where that comes from, what it means, and a form that changes it."""

from __future__ import annotations

import inspect
import re
from functools import cache
from typing import Any

from treering.ledger.config import Config
from treering.surfaces.cli.settings import ENVIRONMENT, rows, values, written
from treering.surfaces.ui.acts import TERMINAL_ONLY
from treering.surfaces.ui.desk import Asked

_FIELD = re.compile(r"^    (\w+): [^#\n]*(?:#\s*(.*))?$", re.MULTILINE)
# Above which setting a heading stands: they are in the order of their class.
_HEADINGS = {
    "store": "Place and size",
    "decay": "Ageing",
    "capture": "Capture and briefing",
    "skip_steps": "Maintenance",
    "q_rate": "Feedback",
    "swap": "Evolution",
    "learn_from_me": "Learning",
    "skill_folders": "Skills",
    "model": "Language model and sync",
}


def read(asked: Asked) -> dict[str, Any]:
    return {"settings": [_row(row) for row in rows(asked.memory.workspace.home)]}


def _row(row: dict[str, Any]) -> dict[str, Any]:
    name, default = row["name"], row["default"]
    return {
        **row,
        "heading": _HEADINGS.get(name, ""),
        "about": _meanings().get(name, ""),
        "written": written(row["value"]),
        "choices": values(name) if isinstance(default, bool) or name == "decay" else (),
        "number": isinstance(default, (int, float)) and not isinstance(default, bool),
        "changeable": name not in TERMINAL_ONLY and row["from"] != ENVIRONMENT,
    }


@cache
def _meanings() -> dict[str, str]:
    """Return what each setting means: it stands beside the setting, in the source of its class."""
    return {name: about or "" for name, about in _FIELD.findall(inspect.getsource(Config))}
