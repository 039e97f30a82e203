"""What a harvest speaks of: facts found in a document, what is known of it already, and the difference."""

from __future__ import annotations

from treering.core.tuples import NamedTuple


class Fact(NamedTuple):
    text: str  # understood by somebody who meets it alone, months later
    line: int  # where it starts in the file, from 1
    type: str  # "semantic", or "procedural": a step, a command, a rule to act by
    section: tuple[str, ...]  # the headings above it


class Known(NamedTuple):
    """What the memory already has from this document."""

    id: str
    text: str
    line: int


class Changes(NamedTuple):
    kept: tuple[tuple[Known, Fact], ...]  # the same text; a moved line is no change
    added: tuple[Fact, ...]
    changed: tuple[tuple[Known, Fact], ...]  # the same thing, said otherwise now
    gone: tuple[Known, ...]  # no longer in the document
