"""A run as a table and as a record."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from benchmarks import machine
from benchmarks.figures import Figure

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(os.path.dirname(HERE), "build")  # on an ordinary disk, like the stores of users
RESULTS = os.path.join(HERE, "results")
README = os.path.join(HERE, "README.md")
HEADINGS = "| figure | size | ours | bare | ratio | spread | goal | |\n|---|--:|--:|--:|--:|---|--:|---|\n"


def line(found: Figure) -> str:
    """A figure as a row of the table."""
    goal = "" if found.goal is None else f"≤ {found.goal:g}"
    verdict = "" if found.goal is None else "met" if found.met else "**missed**"
    spread = f"{found.low:.2f} to {found.high:.2f}" if found.repeats > 1 else ""
    cells = (
        found.name,
        f"{found.size:,}",
        f"{found.ours:.3g} {found.unit}" if found.ours < 1000 else f"{found.ours:,.0f} {found.unit}",
        f"{found.bare:.3g} {found.unit}" if found.bare < 1000 else f"{found.bare:,.0f} {found.unit}",
        f"{found.ratio:.2f}",
        spread,
        goal,
        verdict,
    )
    return f"| {' | '.join(cells)} |\n"


def lines(headings: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1) -> str:
    """A table whose first columns are texts, and the others figures."""
    rule = [*["---"] * texts, *["--:"] * (len(headings) - texts)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (headings, rule, *rows))


def table(figures: Iterable[Figure]) -> str:
    return HEADINGS + "".join(map(line, figures))


def rows(figures: Iterable[Figure]) -> list[dict[str, Any]]:
    """Figures for a record."""
    return [{**found._asdict(), "met": found.met} for found in figures]


def heading() -> dict[str, Any]:
    """When and on what a run was made."""
    date = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return {"date": date, "machine": machine.described(BUILD)}


def write(kind: str, record: dict[str, Any]) -> str:
    """Record a run; the name of its file."""
    os.makedirs(RESULTS, exist_ok=True)
    name = f"{kind}-{record['date'].replace(':', '').replace('-', '')}.json"
    with open(os.path.join(RESULTS, name), "w", encoding="utf-8") as file:
        json.dump(record, file, indent=1, ensure_ascii=False)
        file.write("\n")
    return name


def show_in_readme(kind: str, table: str, record: dict[str, Any]) -> None:
    """Put the table of a run in the place of the last one of its kind."""
    begin, end = f"<!-- the latest run: {kind} -->\n", f"<!-- the end of it: {kind} -->\n"
    with open(README, encoding="utf-8") as file:
        before, _, rest = file.read().partition(begin)
    _, _, after = rest.partition(end)
    about = ", ".join(f"{name} {value}" for name, value in record["machine"].items())
    with open(README, "w", encoding="utf-8") as file:
        file.write(f"{before}{begin}\n{record['date']}: {about}.\n\n{table}\n{end}{after}")
