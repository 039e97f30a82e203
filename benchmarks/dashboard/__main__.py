"""`make bench-ui`: how long each page of the dashboard takes on the server, beside the bare query for the same rows.

    python -m benchmarks.dashboard [--sizes N …] [--rounds N] [--fresh] [--save]

A visitor asks for the pages over HTTP, as a browser does. What is told is processor time of the process that serves,
from the request to the whole text, the visitor's own millisecond included: what else the machine does adds nothing to
it. Before each page a bare SQLite connection reads the rows that the page is about. Figures that take long are counted
beside the pages, which show the last ones meanwhile: until they are there, it takes the seconds that are told. The
store has grown for two years, and *as of* is asked for days over the whole of them. Where there is a chromium, the time
until it has painted something of a page is told too, by its own clock.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from statistics import median
from time import perf_counter, process_time, sleep
from typing import Any
from urllib.parse import quote

import apsw
from playwright.sync_api import Browser, Page

from benchmarks import report
from benchmarks.dashboard.stock import PROJECT, TAG, stock
from benchmarks.figures import Figure, figure
from benchmarks.recalling.notes import FIRST, SPAN, questions
from tests.surfaces.ui.browser import CHROMIUM, browser
from tests.surfaces.ui.served import Served

SIZES = (100_000,)
ROUNDS = 20
GOAL = 100.0  # milliseconds of the processor for a page
DAYS = 8  # of the past that are asked for
SLOWEST = 600  # seconds in which all figures must be there

_LIST = "SELECT * FROM memories WHERE space = 'default' {} ORDER BY created DESC, id DESC LIMIT 51"
_EVENTS = "SELECT * FROM events WHERE {} ORDER BY clock DESC, writer DESC, seq DESC LIMIT {}"
_TOLD = "kind IN ('memory.recalled.v1', 'memory.captured.v1', 'prompt.seen.v1') AND kind <> 'memory.remembered.v1'"
_RECALLS = "kind = 'memory.recalled.v1' AND kind <> 'memory.remembered.v1'"
_MIDDLE = "SELECT * FROM events ORDER BY clock LIMIT 1 OFFSET ?"


class Asked:
    """A page, and the bare query for the rows that it is about."""

    def __init__(self, name: str, path: str, sql: str, *values: Any) -> None:
        self.name, self.path, self.sql, self.values = name, path, sql, values


def pages(db: apsw.Connection, size: int) -> Iterator[Asked]:
    ((id,),) = db.execute("SELECT id FROM memories ORDER BY accesses DESC LIMIT 1")
    (question,) = questions(1, size, 7)
    words = question.text
    match = " OR ".join(f'"{word}"' for word in re.findall(r"\w{4,}", words))
    known = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 20"
    few = _LIST.format("")
    yield Asked("Now", "/", _EVENTS.format(_TOLD, 300))
    yield Asked("Memories", "/memories", few)
    yield Asked("Memories, of a project", f"/memories?project={PROJECT}", _LIST.format("AND project = ?"), PROJECT)
    tagged = _LIST.format("AND instr(' ' || tags || ' ', ?)")
    yield Asked("Memories, a tag that nothing has", "/memories?tag=nothing", tagged, " nothing ")
    yield Asked("Memories, a tag", f"/memories?tag={TAG}", tagged, f" {TAG} ")
    yield Asked("Memories, a search; bare: the words alone", f"/memories?q={quote(words)}", known, match)
    ours = _EVENTS.format("subject = ? AND kind <> 'memory.remembered.v1'", 100)
    yield Asked("one memory", f"/memories/{id}", ours, id)
    yield Asked("Memories, the timeline", "/memories?view=timeline", few)
    facet = _LIST.format("AND type = ? AND status = ? AND trust = ?")
    narrow = "/memories?type=semantic&status=active&trust=agent"
    yield Asked("Memories, three facets", narrow, facet, "semantic", "active", "agent")
    ((middle, at),) = db.execute("SELECT id, created FROM memories ORDER BY created LIMIT 1 OFFSET ?", (size // 2,))
    deep = _LIST.format("AND (created, id) < (?, ?)")
    yield Asked("Memories, a page in the middle", f"/memories?after={at}.{middle}", deep, at, middle)
    yield Asked("Review; bare: the invariants", "/review", _LIST.format("AND invariant"))
    yield Asked("Graph", "/graph", "SELECT * FROM told LIMIT 50")
    yield Asked("Learning", "/learning", _EVENTS.format(_TOLD, 300))
    yield Asked("Health", "/health", few)
    yield Asked("Ledger", "/ledger", _EVENTS.format("1", 51))
    yield Asked("Ledger, an event and what rests on it", f"/ledger?event={id}", ours, id)
    yield Asked("Ledger, recalls", "/ledger?kind=recalled", _EVENTS.format(_RECALLS, 51))
    ((session,),) = db.execute("SELECT session FROM events WHERE session <> '' LIMIT 1")
    yield Asked("Ledger, a session", f"/ledger?session={quote(session)}", _EVENTS.format("session = ?", 51), session)
    within = _EVENTS.format("instr(payload, ?)", 51)
    yield Asked("Ledger, a source that nothing has", "/ledger?source=a.md", within, "a.md")
    ((clock, last),) = db.execute(f"SELECT clock, writer || '-' || seq FROM ({_MIDDLE})", (size // 2,))
    before = _EVENTS.format("clock < ?", 51)
    yield Asked("Ledger, a page in the middle", f"/ledger?after={clock}.{last}", before, clock)
    yield Asked("Skills; bare: a list of memories", "/skills", few)
    yield Asked("Settings; bare: a list of memories", "/settings", few)


def past(db: apsw.Connection) -> Iterator[Asked]:
    """Yield lists of memories as of days over the whole history."""
    for number in range(1, DAYS + 1):
        day = (FIRST + SPAN * number / (DAYS + 1)).date()
        until = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1e6)
        yield Asked(str(day), f"/memories?as_of={day}", _LIST.format("AND created <= ?"), until)


def measure(size: int, home: str, rounds: int) -> Iterator[Figure]:
    db = apsw.Connection(os.path.join(home, "treering.db"), flags=apsw.SQLITE_OPEN_READONLY)
    with tempfile.TemporaryDirectory() as root, Served(home, root) as served:
        served.enter()
        asked = [*pages(db, size)]
        days = [*past(db)]
        search = next(one for one in asked if "q=" in one.path)
        then = Asked(
            f"{search.name}, as of a day",
            f"{search.path}&{days[-1].path.partition('?')[2]}",
            search.sql,
            *search.values,
        )
        slow = [("Learning", "/learning"), ("Health", "/health"), ("Graph", "/graph"), ("Review", "/review")]
        yield from counted(served, size, [*slow, ("A search in the past", then.path)])
        for page in [*asked, then, *map(as_json, asked)]:
            yield figure(page.name, size, "ms", [_pair(db, served, page) for _ in range(rounds)])
        first = [_pair(db, served, page) for page in days]
        yield figure("Memories as of a day, when it is first asked for", size, "ms", first)
        again = [_pair(db, served, days[-1]) for _ in range(rounds)]
        yield figure("Memories as of a day, asked for again", size, "ms", again)
    if CHROMIUM:
        with Served(home, home) as served, browser() as launched:
            yield from painted(launched, served, size, rounds)


def painted(launched: Browser, served: Served, size: int, rounds: int) -> Iterator[Figure]:
    """How long a browser takes to paint something of a page, by its own clock, beside a file of one line."""
    tab = launched.new_page(base_url=served.base)
    tab.goto(f"/open?token={served.token}")
    tab.wait_for_url("**/")
    for name, path in (("Now", "/"), ("Memories", "/memories"), ("Review", "/review"), ("Ledger", "/ledger")):
        pairs = [(_paint(tab, "/static/ring.svg"), _paint(tab, path)) for _ in range(rounds)]
        yield figure(f"{name}, the first paint", size, "ms to look at", pairs)


def _paint(tab: Page, path: str) -> float:
    tab.goto(path)
    seen = (
        "new PerformanceObserver(list => done(list.getEntries()[0].startTime)).observe({type: 'paint', buffered: true})"
    )
    return float(tab.evaluate(f"() => new Promise(done => {seen})"))


def as_json(page: Asked) -> Asked:
    path, _, query = page.path.partition("?")
    return Asked(f"{page.name}; as JSON", f"{'/now' if path == '/' else path}.json?{query}", page.sql, *page.values)


def counted(served: Served, size: int, slow: Iterable[tuple[str, str]]) -> Iterator[Figure]:
    """How long it takes until all figures of a page are there, from a cold start."""
    for name, path in slow:
        begin = process_time()
        end = perf_counter() + SLOWEST
        while "data-counting" in served.get(path).text and perf_counter() < end:
            sleep(0.5)
        taken = process_time() - begin
        yield Figure(f"{name}, until all is counted", size, "s", taken, 1.0, taken, taken, taken, 1)


def _pair(db: apsw.Connection, served: Served, page: Asked) -> tuple[float, float]:
    """Return the milliseconds of the bare query, and of the page."""
    begin = process_time()
    db.execute(page.sql, page.values).fetchall()
    bare = 1000 * (process_time() - begin)
    begin = process_time()
    answer = served.get(page.path)
    ours = 1000 * (process_time() - begin)
    if answer.status != 200:
        raise RuntimeError(f"{page.path} answers with {answer.status}: {answer.text[:200]}")
    return bare, ours


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    os.makedirs(report.BUILD, exist_ok=True)
    homes = [(size, stock(report.BUILD, size, options.fresh)) for size in options.sizes]
    print(report.HEADINGS, end="", flush=True)
    figures = []
    for size, home in homes:
        for found in measure(size, home, options.rounds):
            print(report.line(found), end="", flush=True)
            figures.append(found)
    pages = [found.ours for found in figures if found.unit == "ms"]
    print(
        f"\n{sum(ours <= GOAL for ours in pages)} of {len(pages)} within {GOAL:g} ms, {median(pages):.1f} in the middle"
    )
    if options.save:
        record = {**report.heading(), "method": (__doc__ or "").strip(), "figures": report.rows(figures)}
        print(f"recorded in benchmarks/results/{report.write('ui', record)}")
        report.show_in_readme("ui", report.table(figures), record)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dashboard", description="How long a page takes.")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="memories in the stores")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N")
    parser.add_argument("--fresh", action="store_true", help="make the stores under build/ anew")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    sys.exit(main())
