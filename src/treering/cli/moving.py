"""Commands that carry memories in and out."""

from __future__ import annotations

import sys

from treering.cli.ageing import looked
from treering.cli.parse import UsageError
from treering.cli.render import Answer, Progress, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.api import Treering
    from treering.cli.parse import Call


def export(memory: Treering, call: Call) -> Answer:
    from treering import transfer

    path = call["file"]
    if path and path != "-":
        count = transfer.export_file(memory.store, path)
        return Answer({"events": count, "file": path}, lambda page: [f"exported {counted(count, 'event')} to {path}"])
    if call["json"]:
        raise UsageError("an export is JSON Lines already: leave out --json, or name a FILE")
    transfer.export(memory.store, sys.stdout.buffer)
    return Answer(None, lambda page: ())


def import_(memory: Treering, call: Call) -> Answer:
    from treering import transfer

    path, limit = call["file"], memory.config.content_limit
    with Progress("imported") as progress:
        done = transfer.import_file(memory.ledger, memory.context, path, limit=limit, progress=progress)
    with Progress("getting ready:") as progress:
        memory.prepare(progress)
    raised = looked(memory)
    counts = (("new", done.added), ("known already", done.known), ("redacted", done.redacted))
    text = ", ".join(f"{count:,} {name}" for name, count in counts if count or name == "new")
    notes = [f"keys that mean nothing here: {', '.join(done.ignored)}" if done.ignored else "", raised]
    value = {**done._asdict(), "ignored": [*done.ignored]}
    return Answer(value, lambda page: [text], note="\n".join(filter(None, notes)))
