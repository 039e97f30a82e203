"""Commands that look after the store."""

from __future__ import annotations

import os

from treering.cli.render import Answer, Progress, counted, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.api import Treering
    from treering.cli.parse import Call
    from treering.cli.render import Page
    from treering.doctor import Finding
    from treering.verify import Report


def verify(memory: Treering, call: Call) -> Answer:
    from treering.verify import verify

    report = verify(memory.ledger.store)
    value = {**report._asdict(), "problems": [*report.problems], "clean": report.clean}
    return Answer(value, lambda page: _report(report), code=0 if report.clean else 1)


def rebuild(memory: Treering, call: Call) -> Answer:
    with Progress("rebuilt") as progress:
        count = memory.ledger.rebuild(progress)
    with Progress("getting ready:") as progress:
        memory.prepare(progress)
    return Answer({"events": count}, lambda page: [f"rebuilt from {counted(count, 'event')}"])


def doctor(call: Call) -> Answer:
    from treering.config import home_of
    from treering.doctor import FAIL, examine

    findings = examine(home_of(call["home"] or None, os.environ), os.environ)
    failed = any(finding.level == FAIL for finding in findings)
    value = [finding._asdict() for finding in findings]
    return Answer(value, lambda page: _findings(findings, page), code=1 if failed else 0)


def _report(report: Report) -> Iterator[str]:
    events, writers = counted(report.events, "event"), counted(report.writers, "writer")
    yield f"checked {events} of {writers}, {counted(report.memories, 'memory', 'memories')} and the indexes"
    yield from report.problems
    yield counted(len(report.problems), "problem") if report.problems else "all is well"


def _findings(findings: list[Finding], page: Page) -> Iterator[str]:
    rows = []
    for finding in findings:
        text = f"{finding.found}\n{finding.advice}" if finding.advice else finding.found
        rows.append((f"{finding.level:<4}  {finding.name}", text))
    yield from table(rows, page)
