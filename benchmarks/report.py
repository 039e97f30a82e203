"""A run as a table and as a record."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

from benchmarks.figures import Figure

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.join(HERE, "results")
README = os.path.join(HERE, "README.md")
_BEGIN, _END = "<!-- the latest run -->\n", "<!-- the end of it -->\n"
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


def save(figures: Iterable[Figure], machine: dict[str, str], method: dict[str, str], date: str) -> str:
    """Record a run; the name of its file."""
    os.makedirs(RESULTS, exist_ok=True)
    name = f"{date.replace(':', '').replace('-', '')}.json"
    rows = [{**found._asdict(), "met": found.met} for found in figures]
    record = {"date": date, "machine": machine, "method": method, "figures": rows}
    with open(os.path.join(RESULTS, name), "w", encoding="utf-8") as file:
        json.dump(record, file, indent=1, ensure_ascii=False)
        file.write("\n")
    return name


def show_in_readme(figures: Iterable[Figure], machine: dict[str, str], date: str) -> None:
    """Put the table of a run in the place of the last one."""
    with open(README, encoding="utf-8") as file:
        before, _, rest = file.read().partition(_BEGIN)
    _, _, after = rest.partition(_END)
    about = f"{date}: {', '.join(f'{name} {value}' for name, value in machine.items())}.\n\n"
    table = HEADINGS + "".join(map(line, figures))
    with open(README, "w", encoding="utf-8") as file:
        file.write(before + _BEGIN + "\n" + about + table + "\n" + _END + after)
