"""Commands that carry memories in and out."""

from __future__ import annotations

import os
import sys

from treering.cli.ageing import looked
from treering.cli.parse import UsageError
from treering.cli.render import Answer, Progress, counted, line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO

    from treering.api import Treering
    from treering.cli.parse import Call
    from treering.cli.render import Page
    from treering.foreign.importing import Taken
    from treering.transfer import Imported


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
    with Progress("imported") as progress:
        done = _imported(memory, call["file"], call["mine"], progress)
    counts = (("new", done.added), ("known already", done.known), ("redacted", done.redacted))
    text = ", ".join(f"{count:,} {name}" for name, count in counts if count or name == "new")
    ignored = f"keys that mean nothing here: {', '.join(done.ignored)}" if done.ignored else ""
    doubted = f"not believed, unless you say --mine: {', '.join(done.doubted)}" if done.doubted else ""
    note = "\n".join(filter(None, (ignored, doubted, _made_ready(memory))))
    value = {**done._asdict(), "ignored": [*done.ignored], "doubted": [*done.doubted]}
    return Answer(value, lambda page: [text], note=note)


def claude_memory(memory: Treering, call: Call) -> Answer:
    from treering.foreign.importing import claude_folder, take_claude

    path = call["path"] or claude_folder(os.getcwd(), os.environ)
    project = call["project"] or memory.project_of(os.getcwd())
    with Progress("imported") as progress:
        done = take_claude(memory, path, project, call["dry_run"], progress)
    value = {
        "files": done.files,
        "project": project,
        "dry_run": call["dry_run"],
        "added": len(done.added),
        "known": done.known,
        "redacted": done.redacted,
        "items": [{"file": file, "line": number, "text": text} for file, number, text in done.added],
        "skipped": [{"file": file, "why": why} for file, why in done.skipped],
    }
    skipped = [f"skipped {line(file)}: {why}" for file, why in done.skipped]
    raised = "" if call["dry_run"] or not done.added else _made_ready(memory)
    return Answer(
        value,
        lambda page: _taken(done, project, call["dry_run"], page),
        note="\n".join(filter(None, (*skipped, raised))),
    )


def _taken(done: Taken, project: str, rehearsed: bool, page: Page) -> Iterator[str]:
    if rehearsed:
        for file, number, text in done.added:
            yield f"+ {page.dim(f'{file}:{number}')}  {line(text)}"
    redacted = f", {done.redacted:,} redacted" if done.redacted else ""
    verb = "would be new" if rehearsed else "new"
    place = f"; project {line(project)}" if project else ""
    yield f"{counted(done.files, 'file')}: {len(done.added):,} {verb}, {done.known:,} known already{redacted}{place}"


def _imported(memory: Treering, path: str, mine: bool, progress: Callable[[int], None]) -> Imported:
    """Take in a file, by what it looks like."""
    from treering import transfer
    from treering.foreign.server_memory import LOOKED_AT, is_graph

    if path == "-" and hasattr(sys.stdin, "buffer") and is_graph(_start(sys.stdin.buffer, LOOKED_AT)):
        return _graph(memory, sys.stdin.buffer, "stdin", progress)
    if os.path.isfile(path):
        with open(path, "rb") as file:
            if is_graph(file.read(LOOKED_AT)):
                file.seek(0)
                return _graph(memory, file, path, progress)
    limit = memory.config.content_limit
    return transfer.import_file(memory.ledger, memory.context, path, limit=limit, progress=progress, mine=mine)


def _start(stream: IO[bytes], size: int) -> bytes:
    """How a stream begins, without taking it away from whoever reads it next."""
    peek = getattr(stream, "peek", None)
    return peek(size)[:size] if peek is not None else b""


def _graph(memory: Treering, file: IO[bytes], name: str, progress: Callable[[int], None]) -> Imported:
    from treering.foreign.importing import take_graph

    return take_graph(memory, file, name, progress)


def _made_ready(memory: Treering) -> str:
    """Make what came in ready for recall, and look for what it contradicts."""
    with Progress("getting ready:") as progress:
        memory.prepare(progress)
    return looked(memory)
