"""Health: junk, echo, duplicates, what is never used, how the hooks do, what maintenance did."""

from __future__ import annotations

import os
import time
from typing import Any

from treering.ledger.events import BEGAN, RAN, TENDED
from treering.ledger.verify import verify
from treering.memory import Treering
from treering.stores.port.ledger import EventQuery
from treering.surfaces.cli.doctor import examine
from treering.surfaces.cli.stats import SHARES, telling
from treering.surfaces.ui.desk import Asked
from treering.surfaces.ui.pages.memory import told

RUNS = 10  # of maintenance that are shown


def read(asked: Asked) -> dict[str, Any]:
    memory = asked.memory
    query = EventQuery(space=memory.context.space, kinds=(TENDED, RAN, BEGAN), newest=True, limit=RUNS)
    return {
        "figures": asked.desk.figures("health", figures, asked),
        "findings": asked.desk.figures("doctor", _examined, asked),
        "verified": _verified(asked) if asked.get("verify") else None,
        "now": str(time.time_ns()),  # another one each time, so that a click verifies anew
        "runs": told([*memory.store.events(query)], memory.store.left_out()),
        "about": {name.replace("_", " "): about for name, about in SHARES.items()},
    }


def figures(memory: Treering) -> dict[str, Any]:
    return telling(memory.maintenance.health())


def _verified(asked: Asked) -> dict[str, Any]:
    found = asked.desk.figures("verify", lambda memory: verify(memory.ledger.store), asked, mark=asked.get("verify"))
    return {"events": found.events, "problems": found.problems} if found else {"events": 0, "problems": None}


def _examined(memory: Treering) -> list[dict[str, Any]]:
    found = examine(memory.workspace.home, os.environ) if memory.workspace.home else []
    return [one._asdict() for one in found]
