"""What a person sees at a terminal: tables, recalled memories, pages, progress, questions and differences.

At a terminal it is drawn with rich, which is imported only then. In a pipe or a file it is plain text that does not
depend on the screen: no colour, boxes, wrapping or paging, times as ISO 8601, one row a line.

    use_plain(True)                            --plain: treat every terminal as a pipe (call it once per run)
    is_terminal(stream=sys.stdout)             whether to draw; False with --plain or TERM=dumb
    console(stderr=False)                      a rich console; NO_COLOR takes its colours away, not its layout

    show(what), paged(what)                    print a text or a view; whether anything was printed
    note(text, style="dim")                    a line beside the answer, on stderr

    table([Column("id", ID), …], rows, now)    a view: ids and short cells never wrap, the text takes the room left
    listed(value, columns, rows)               an answer that is such a view; `value` is for programs
    hits(recall, now)                          a view: what a recall found
    diff(old, new)                             a view: what an edit changes
    ago(time, now)                             "2 h ago", "yesterday 14:03", "3 May"

    with progress("indexing", total) as advance: memory.prepare(advance)
    with progress("maintaining", steps={"prepare": "indexing"}) as advance: memory.consolidate(progress=advance)
    confirm("Erase these?")                    True for yes; `NobodyToAsk` without a terminal

A view has `lines()` for pipes and `parts(width)` for terminals; a command of its own look writes a class with these two
methods. Cells of kind TIME are microseconds; all texts are made safe to print here.
"""

from treering.surfaces.cli.render import is_terminal, use_plain
from treering.surfaces.cli.view.bars import Bar, progress
from treering.surfaces.cli.view.recalled import Diff, Hits, diff, hits, ranked
from treering.surfaces.cli.view.screen import (
    NobodyToAsk,
    View,
    confirm,
    console,
    note,
    paged,
    show,
)
from treering.surfaces.cli.view.tables import (
    ID,
    MEANING,
    NUMBER,
    SHORT,
    TEXT,
    TIME,
    Column,
    Table,
    ago,
    listed,
    meaning,
    table,
)

__all__ = [
    "ID",
    "MEANING",
    "NUMBER",
    "SHORT",
    "TEXT",
    "TIME",
    "Bar",
    "Column",
    "Diff",
    "Hits",
    "NobodyToAsk",
    "Table",
    "View",
    "ago",
    "confirm",
    "console",
    "diff",
    "hits",
    "is_terminal",
    "listed",
    "meaning",
    "note",
    "paged",
    "progress",
    "ranked",
    "show",
    "table",
    "use_plain",
]
