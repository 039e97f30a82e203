"""What an edit changes.

What a recall found, as a person reads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

from treering.ledger.clock import format_time
from treering.surfaces.cli.render import counted, line, safe
from treering.surfaces.cli.view.tables import ago, aligned

if TYPE_CHECKING:
    from rich.console import RenderableType

    from treering.ledger.types import Hit, Recall


KEPT, OLD, NEW = "  ", "- ", "+ "
_STYLES = {KEPT: "dim", OLD: "red", NEW: "green"}
_ALIKE = 0.3  # from 0 to 1: two lines less alike share words by chance, and marking them is noise


class Diff(NamedTuple):
    """The lines of two texts: kept ones, old ones, new ones."""

    old: str
    new: str

    def lines(self) -> Iterator[str]:
        return (mark + text for mark, text, _ in self._rows())

    def parts(self, width: int) -> Iterator[RenderableType]:
        from rich.text import Text

        for mark, text, other in self._rows():
            row = Text(mark + text, _STYLES[mark], overflow="fold")
            for start, end in _changed(text, other):
                row.stylize("bold reverse", start + len(mark), end + len(mark))
            yield row

    def _rows(self) -> Iterator[tuple[str, str, str]]:
        """Yield a mark, a line, and the line that stands in its place in the other text, if one does."""
        old, new = safe(self.old).splitlines(), safe(self.new).splitlines()
        for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind == "equal":
                yield from ((KEPT, row, "") for row in old[a:b])
                continue
            paired = b - a == d - c
            yield from ((OLD, row, new[c + at] if paired else "") for at, row in enumerate(old[a:b]))
            yield from ((NEW, row, old[a + at] if paired else "") for at, row in enumerate(new[c:d]))


def diff(old: str, new: str) -> Diff:
    """Return the difference between two texts as a view, empty lines and all."""
    return Diff(old, new)


def _changed(text: str, other: str) -> Iterator[tuple[int, int]]:
    """Yield where a line differs from the one that replaces it, in whole words."""
    words, others = _words(text), _words(other)
    matcher = SequenceMatcher(None, words, others, autojunk=False)
    if not other or matcher.ratio() < _ALIKE:
        return
    for kind, a, b, _, _ in matcher.get_opcodes():
        if kind in ("replace", "delete"):
            start = len("".join(words[:a]))
            yield start, start + len("".join(words[a:b]).rstrip())


def _words(text: str) -> list[str]:
    """Split a line into words, each with the blanks behind it."""
    parts = text.split(" ")
    return [f"{part} " for part in parts[:-1]] + parts[-1:]


_INDENT = 3  # columns before what stands below a rank
_OFTEN, _SELDOM = 0.65, 0.35  # of usefulness, from 0 to 1: what was never judged has 0.5
_MOST_REASONS = 3
_CHANNELS = {"keyword": "words", "vector": "meaning", "graph": "links"}


def hits(recall: Recall, now: int) -> Hits:
    """Return what a recall found as a view: best first, older statements below the current one."""
    return Hits(recall, now)


def ranked(recall: Recall) -> list[tuple[Hit, list[Hit]]]:
    """Return the hits in order, each with the older statements of the same thing that are among them."""
    found = {hit.memory.id: hit for hit in recall.hits}
    below: dict[str, list[Hit]] = {id: [] for id in found}
    for hit in recall.hits:
        newest = hit
        while newest.why.older_than in found and newest.why.older_than != hit.memory.id:
            newest = found[newest.why.older_than]
        if newest is not hit:
            below[newest.memory.id].append(hit)
    nested = {hit.memory.id for older in below.values() for hit in older}
    return [(hit, below[hit.memory.id]) for hit in recall.hits if hit.memory.id not in nested]


class Hits:
    """Found memories."""

    def __init__(self, recall: Recall, now: int) -> None:
        self._recall = recall
        self._now = now

    def lines(self) -> Iterator[str]:
        rows = []
        for rank, (hit, older) in enumerate(ranked(self._recall), 1):
            rows.append(self._row(str(rank), hit))
            rows += [self._row("older", one) for one in older]
        yield from aligned(rows)

    def parts(self, width: int) -> Iterator[RenderableType]:
        from rich.padding import Padding
        from rich.text import Text

        for rank, (hit, older) in enumerate(ranked(self._recall), 1):
            yield self._block(str(rank), hit)
            for one in older:
                about = f"  {ago(one.memory.created, self._now)} · {one.memory.id}"
                text = Text.assemble(("older: ", "yellow"), line(one.memory.content), (about, "dim"))
                yield Padding(text, (0, 0, 0, _INDENT))

    def _block(self, rank: str, hit: Hit) -> RenderableType:
        from rich.table import Table as Grid
        from rich.text import Text

        grid = Grid.grid(padding=(0, 1, 0, 0))
        grid.add_column(width=_INDENT - 1, no_wrap=True)
        grid.add_column()
        style = "yellow" if hit.memory.trust == "external" else "bold"
        grid.add_row(Text(rank, "cyan"), Text(safe(hit.memory.content).strip(), style, overflow="fold"))
        grid.add_row("", Text(self._about(hit), "dim"))
        return grid

    def _about(self, hit: Hit) -> str:
        memory = hit.memory
        return " · ".join(filter(None, (place(hit), ago(memory.created, self._now), reason(hit), memory.id)))

    def _row(self, rank: str, hit: Hit) -> tuple[str, ...]:
        memory = hit.memory
        return rank, memory.id, place(hit), format_time(memory.created), reason(hit), line(memory.content)


def place(hit: Hit) -> str:
    """Return where a memory holds: in a project, a session, or for the user everywhere."""
    memory = hit.memory
    if memory.scope == "session":
        return f"session {line(memory.session)}"
    return f"project {line(memory.project)}" if memory.scope == "project" else "yours"


def reason(hit: Hit) -> str:
    """Return in a clause why a memory was found, and what counts for or against it."""
    why, memory = hit.why, hit.memory
    by = [word for channel, word in _CHANNELS.items() if channel in why.channels]
    matched = f"by {', '.join(by[:-1]) + ' and ' if by[:-1] else ''}{by[-1]}" if by else ""
    reasons = (
        matched,
        "from outside, unverified" if memory.trust == "external" else "",
        f"older than {why.older_than}" if why.older_than else "",
        "always holds" if memory.invariant else "",
        "helped before" if memory.q >= _OFTEN else "misled before" if memory.q <= _SELDOM else "",
        f"stands for {counted(len(why.same_as), 'other')}" if why.same_as else "",
        memory.status if memory.status not in ("created", "active") else "",
    )
    return ", ".join([*filter(None, reasons)][:_MOST_REASONS])
