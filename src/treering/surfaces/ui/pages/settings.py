"""Settings: each with its value, where that comes from, and what it means."""

from __future__ import annotations

import inspect
import re
from functools import cache
from typing import Any

from treering.ledger.config import Config
from treering.surfaces.cli.settings import rows
from treering.surfaces.ui.desk import Asked

_FIELD = re.compile(r"^    (\w+): [^#\n]*(?:#\s*(.*))?$", re.MULTILINE)


def read(asked: Asked) -> dict[str, Any]:
    about = _meanings()
    found = rows(asked.memory.workspace.home)
    return {"settings": [{**row, "about": about.get(row["name"], "")} for row in found]}


@cache
def _meanings() -> dict[str, str]:
    """Return what each setting means: it stands beside the setting, in the source of its class."""
    return {name: about or "" for name, about in _FIELD.findall(inspect.getsource(Config))}
