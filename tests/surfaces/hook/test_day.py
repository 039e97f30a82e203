"""A short day of an agent with hooks, some of which are killed: `make day` has the long one."""

from __future__ import annotations

import importlib
from pathlib import Path

from benchmarks.day.living import Plan, findings, live

SHORT = Plan(sessions=6, at_once=3, taught=1, asked=6, noon=6)

looking = importlib.import_module("benchmarks.day.__main__")


def test_a_day_with_kills_loses_nothing_leaves_nothing_and_is_remembered(tmp_path: Path) -> None:
    day = live(SHORT, str(tmp_path))
    missed = [found for found in (*findings(day), *looking.looked_at(day.home)) if not found.met]
    assert not missed
    assert day.killed
