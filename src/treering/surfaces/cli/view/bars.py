"""How far a long piece of work has come, on a line of stderr that vanishes when it is done."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from threading import Lock, Timer
from types import TracebackType
from typing import TYPE_CHECKING

from treering.surfaces.cli.render import is_terminal, line
from treering.surfaces.cli.view.screen import console

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 0.5  # seconds: what is done sooner needs no bar


def progress(description: str, total: int | None = None, steps: Mapping[str, str] | None = None) -> Bar:
    """Return a context whose value the engine calls as `advance(done)` or `advance(step, done)`. `done` counts from the
    start of the work, or of the step. `steps` gives the names of all steps, in their order, as a person says them."""
    return Bar(description, total, steps or {})


class Bar:
    """A bar with a total and the time left, or a counter where the total is not known."""

    def __init__(self, description: str, total: int | None, steps: Mapping[str, str]) -> None:
        self._description = line(description)
        self._total = total
        self._steps = steps
        self._most = total or (len(steps) if len(steps) > 1 else None)  # where the bar is full
        self._step = ""
        self._done = 0
        self._lock = Lock()  # the timer draws in a thread of its own
        self._timer: Timer | None = None
        self._drawn: tuple[Progress, TaskID] | None = None

    def __enter__(self) -> Bar:
        if is_terminal(sys.stderr):
            self._timer = Timer(PATIENCE, self._begin)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._drawn:
                self._drawn[0].stop()
                self._drawn = None

    def __call__(self, *told: int | str) -> None:
        """Take `done`, or a step and what is done of it."""
        *step, done = told
        with self._lock:
            self._done = int(done)
            self._step = str(step[0]) if step else ""
            if self._drawn:
                bar, task = self._drawn
                bar.update(task, completed=self._reached(), description=self._text(), count=self._count())

    def _text(self) -> str:
        step = self._steps.get(self._step, self._step)
        return f"{self._description}: {line(step)}" if step else self._description

    def _count(self) -> str:
        of = f" of {self._total:,}" if self._total else ""
        return f"{self._done:,}{of}" if self._done or of else ""

    def _reached(self) -> int:
        """Return how far the bar is: with steps, how many are behind."""
        return [*self._steps].index(self._step) if self._step in self._steps else self._done

    def _begin(self) -> None:
        bar = _made(self._most)
        with self._lock:
            if self._timer is None:  # it was done while rich was imported
                return
            reached, text, count = self._reached(), self._text(), self._count()
            self._drawn = bar, bar.add_task(text, total=self._most, completed=reached, count=count)
            bar.start()


def _made(total: int | None) -> Progress:
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    text = TextColumn("{task.description}", markup=False)
    count = TextColumn("{task.fields[count]}", markup=False)
    known: tuple[ProgressColumn, ...] = (text, BarColumn(bar_width=30), count, TimeRemainingColumn(compact=True))
    unknown: tuple[ProgressColumn, ...] = (SpinnerColumn(), text, count, TimeElapsedColumn())
    return Progress(*(known if total else unknown), console=console(stderr=True), transient=True)
