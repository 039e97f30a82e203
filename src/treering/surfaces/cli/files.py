"""Files: export, import, harvest, vault, index."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO, TYPE_CHECKING

import click

from treering.surfaces.cli.app import FILES, ROOT, Words, argument, command, flag, group, option, shared
from treering.surfaces.cli.change import dry_run_option
from treering.surfaces.cli.everyday import project_option, session_option
from treering.surfaces.cli.render import Answer, counted, line
from treering.surfaces.cli.review import looked
from treering.surfaces.cli.store import make_ready, written
from treering.surfaces.cli.view.bars import progress as bar

if TYPE_CHECKING:
    from treering.documents.foreign.files import Taken as Notes
    from treering.documents.harvest.harvest import Harvest
    from treering.documents.vault.vault import Taken
    from treering.ledger.transfer import Imported
    from treering.memory import Treering
    from treering.surfaces.cli.render import Page

CLAUDE = "claude-memory"
BASIC = "basic-memory"
MEM0 = "mem0"
CHATS = ("chatgpt", "claude")  # archives of chats
NOTES = (CLAUDE, BASIC)  # folders of Markdown that another memory keeps
SOURCES = ("treering", "rows", "server-memory", CLAUDE, *CHATS, MEM0, BASIC)
ROOT.aliases |= {f"import {CLAUDE}": f"import --from {CLAUDE}", "memory index": "index"}
_BLOCK = 1 << 20  # bytes that are read at a time
_SIGNS = {"added": "+", "back": "+", "changed": "~", "gone": "-"}

overwrite_option = flag("--overwrite", "replace a file that Treering did not write")
dir_argument = argument("dir", "the folder", type=click.Path())
mine_option = flag("--mine", "these are your own words: believe what they say of themselves")


@command(ROOT, "export", section=FILES, examples=("treering export memory.jsonl", "treering export"))
@argument("file", "where to; standard output without one", required=False, type=click.Path())
def export(memory: Treering, file: str) -> Answer:
    """Write the whole ledger as JSON Lines.

    The file is either whole or not there. What was purged is not in it.
    """
    from treering.ledger import transfer

    if file and file != "-":
        with bar("exported", written(memory)) as progress:
            count = transfer.export_file(memory.store, file, progress)
        return Answer({"events": count, "file": file}, lambda page: [f"exported {counted(count, 'event')} to {file}"])
    if shared()["json"]:
        raise click.UsageError("an export is JSON Lines already: leave out --json, or name a FILE")
    transfer.export(memory.store, sys.stdout.buffer)
    return Answer(None, lambda page: ())


@command(
    ROOT,
    "import",
    section=FILES,
    examples=(
        "treering import memory.jsonl",
        "treering import --from claude-memory --dry-run",
        "treering import --from claude-memory",
    ),
)
@argument(
    "file",
    "what to read; - for standard input; with claude-memory and basic-memory, a folder or file of it",
    required=False,
    type=click.Path(),
)
@option("--from", "source", about="what it is; known by its looks without it", type=Words(*SOURCES), metavar="SOURCE")
@mine_option
@option("--project", about="with notes, chats and mem0: the project; . for the one of the working folder")
@flag("--dry-run", "with notes and chats: show what would be new, and add nothing")
def import_(memory: Treering, file: str, source: str, mine: bool, project: str, dry_run: bool) -> Answer:
    """Take in an export, rows of other programs, or what other memories have noted.

    JSON Lines: an export of Treering, an object with at least {"content": …} on each line, or the memory.jsonl of the
    MCP server @modelcontextprotocol/server-memory. `claude-memory` is what Claude Code has noted by itself: its
    MEMORY.md and the topic files beside it, of the folder that you work in; `basic-memory` is a folder of its notes,
    `mem0` its export. `chatgpt` and `claude` are the archives of your chats: what you said there and is worth keeping,
    judged as capture judges your prompts. Importing the same again adds nothing, and a file with an error adds nothing
    at all. All of it is text from outside: that you said one, that it is an invariant, or that every project is to hear
    of it, is believed only with --mine. A folder of Obsidian is read by `treering harvest`.
    """
    if source and source not in SOURCES:
        raise click.UsageError(f"--from is one of {', '.join(SOURCES)}, not {source!r}")
    source = source or _looks(file)
    if source in NOTES:
        return _notes(memory, source, file, project, dry_run)
    if not file:
        raise click.UsageError("import needs a FILE: treering import FILE")
    if os.path.isdir(file) and source not in CHATS:
        said = f"say --from {BASIC} if it holds such notes, or `treering harvest` it"
        raise click.UsageError(f"{file} is a folder: name a file in it, {said}")
    if source in CHATS:
        return _chats(memory, source, file, project, mine, dry_run)
    if dry_run or (project and source != MEM0):
        raise click.UsageError(f"--dry-run and --project are for --from {', '.join((*NOTES, *CHATS))}")
    with bar("imported", None if source == MEM0 else _lines(file)) as progress:
        done = _imported(memory, file, source, project, mine, progress)
    counts = (("new", done.added), ("known already", done.known), ("redacted", done.redacted))
    text = ", ".join(f"{count:,} {name}" for name, count in counts if count or name == "new")
    ignored = f"keys that mean nothing here: {', '.join(done.ignored)}" if done.ignored else ""
    doubted = f"not believed, unless you say --mine: {', '.join(done.doubted)}" if done.doubted else ""
    note = "\n".join(filter(None, (ignored, doubted, _whose(done), _made_ready(memory))))
    value = {**done._asdict(), "ignored": [*done.ignored], "doubted": [*done.doubted], "forks": [*done.forks]}
    return Answer(value, lambda page: [text], note=note)


def _lines(path: str) -> int | None:
    """Count the lines of a file; a stream does not say how many it has."""
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        return sum(block.count(b"\n") for block in iter(partial(file.read, _BLOCK), b""))


def _whose(done: Imported) -> str:
    """Say what was not believed of an export, and which writers were taken apart."""
    if done.foreign:
        return (
            "this export goes on from nothing that is here, so it was taken for somebody else's word: kept in its "
            "project, as external, and its deletions touched nothing of yours. Is it yours? import --mine"
        )
    if done.forks:
        return f"two machines had written under one name; what one of them wrote has another: {', '.join(done.forks)}"
    return ""


def _looks(path: str) -> str:
    """Return the source of a file that is told by its looks, if it is none of those that hold lines."""
    from treering.documents.foreign.mem0 import is_mem0
    from treering.documents.foreign.things import LOOKED_AT
    from treering.text.transcripts.chats import is_chats

    if is_chats(path):
        return CHATS[0]
    if not os.path.isfile(path):
        return ""
    with open(path, "rb") as file:
        start = file.read(LOOKED_AT)
    return MEM0 if is_mem0(start) else ""


def _chats(memory: Treering, source: str, path: str, project: str, mine: bool, dry_run: bool) -> Answer:
    with bar("imported") as progress:
        done = memory.captured.take_chats(path, project=project, mine=mine, dry_run=dry_run, progress=progress)
    raised = "" if dry_run or not done.added else _made_ready(memory)
    verb = "would be new" if dry_run else "new"
    text = (
        f"{counted(done.chats, 'chat')} of {done.source}, {counted(done.prompts, 'prompt')}: {len(done.added):,} {verb}"
    )

    def lines(page: Page) -> Iterator[str]:
        yield from (f"+ {line(one)}" for one in done.added if dry_run)
        yield f"{text}, {done.known:,} known already" + (f", {done.redacted:,} redacted" if done.redacted else "")

    return Answer({**done._asdict(), "added": [*done.added], "dry_run": dry_run}, lines, note=raised)


def _notes(memory: Treering, source: str, path: str, project: str, dry_run: bool) -> Answer:
    from treering.documents.foreign import basic_memory, claude_memory
    from treering.documents.foreign.files import claude_folder, take_notes

    if source == BASIC and not path:
        raise click.UsageError(f"import needs the folder of the notes: treering import --from {BASIC} FOLDER")
    path = path or claude_folder(os.getcwd(), os.environ)
    project = memory.workspace.project_of(os.getcwd()) if project in ("", ".") else project
    with bar("imported") as progress:
        reader = basic_memory if source == BASIC else claude_memory
        done = take_notes(memory, path, project, dry_run, progress, reader.notes)
    value = {
        "files": done.files,
        "project": project,
        "dry_run": dry_run,
        "added": len(done.added),
        "known": done.known,
        "redacted": done.redacted,
        "items": [{"file": file, "line": number, "text": text} for file, number, text in done.added],
        "skipped": [{"file": file, "why": why} for file, why in done.skipped],
    }
    skipped = [f"skipped {line(file)}: {why}" for file, why in done.skipped]
    raised = "" if dry_run or not done.added else _made_ready(memory)
    return Answer(
        value,
        lambda page: _taken(done, project, dry_run, page),
        note="\n".join(filter(None, (*skipped, raised))),
    )


def _taken(done: Notes, project: str, rehearsed: bool, page: Page) -> Iterator[str]:
    if rehearsed:
        for file, number, text in done.added:
            yield f"+ {page.dim(f'{file}:{number}')}  {line(text)}"
    redacted = f", {done.redacted:,} redacted" if done.redacted else ""
    verb = "would be new" if rehearsed else "new"
    place = f"; project {line(project)}" if project else ""
    yield f"{counted(done.files, 'file')}: {len(done.added):,} {verb}, {done.known:,} known already{redacted}{place}"


def _imported(
    memory: Treering, path: str, source: str, project: str, mine: bool, progress: Callable[[int], None]
) -> Imported:
    """Take in a file, by what it looks like."""
    from treering.documents.foreign.files import take_graph
    from treering.documents.foreign.things import LOOKED_AT, is_graph
    from treering.ledger import transfer

    if source == MEM0:
        return _mem0(memory, path, project, mine, progress)
    if path == "-" and hasattr(sys.stdin, "buffer") and is_graph(_start(sys.stdin.buffer, LOOKED_AT)):
        return take_graph(memory, sys.stdin.buffer, "stdin", mine, progress)
    if os.path.isfile(path):
        with open(path, "rb") as file:
            if is_graph(file.read(LOOKED_AT)):
                file.seek(0)
                return take_graph(memory, file, path, mine, progress)
    limit = memory.config.content_limit
    return transfer.import_file(memory.ledger, memory.context, path, limit=limit, progress=progress, mine=mine)


def _start(stream: IO[bytes], size: int) -> bytes:
    """Return how a stream begins, without taking it away from whoever reads it next."""
    peek = getattr(stream, "peek", None)
    return peek(size)[:size] if peek is not None else b""


def _mem0(memory: Treering, path: str, project: str, mine: bool, progress: Callable[[int], None]) -> Imported:
    from treering.documents.foreign.files import take_mem0
    from treering.ledger.errors import StoreUnavailable

    try:
        with open(path, "rb") as file:
            return take_mem0(memory, file, path, project, mine, progress)
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be read: {error.strerror}") from error


def _made_ready(memory: Treering) -> str:
    """Make what came in ready for recall, and look for what it contradicts."""
    make_ready(memory)
    return looked(memory)


@command(
    ROOT,
    "harvest",
    section=FILES,
    examples=("treering harvest docs --project shop --dry-run", "treering harvest docs README.md"),
    past=False,
)
@argument("path", "documents or folders", nargs=-1, required=True, type=click.Path())
@project_option
@option("--root", about="what file names are relative to (default: the repository, or this folder)", metavar="DIR")
@dry_run_option
def harvest(memory: Treering, path: tuple[str, ...], project: str, root: str, dry_run: bool) -> Answer:
    """Take durable facts out of Markdown documents.

    Decision records, design notes, roadmaps, READMEs: split by their structure, with file and line kept. What is known
    is skipped, what contradicts it is raised, and on a second run only what changed in a document is superseded.
    Folders are searched for .md files.
    """
    from treering.documents.harvest.harvest import documents

    with bar("documents read", sum(1 for _ in documents(path, root))) as progress:
        done = memory.documents.harvest([*path], project=project, root=root, dry_run=dry_run, progress=progress)
    value = {
        "documents": done.documents,
        "dry_run": dry_run,
        "counts": {name: done.count(name) for name in ("added", "changed", "back", "gone", "known")},
        "items": [item._asdict() for item in done.items if item.action != "known"],
        "contradictions": list(done.contradictions),
        "skipped": [{"file": file, "why": why} for file, why in done.skipped],
    }
    note = "\n".join(f"skipped {line(file)}: {why}" for file, why in done.skipped)
    return Answer(value, lambda page: _harvested(done, dry_run, page), note=note)


def _harvested(done: Harvest, rehearsed: bool, page: Page) -> Iterator[str]:
    if rehearsed:
        for item in done.items:
            if item.action in _SIGNS:
                yield f"{_SIGNS[item.action]} {page.dim(f'{item.document}:{item.line}')}  {line(item.text)}"
    counts = ", ".join(f"{done.count(name):,} {name}" for name in ("added", "changed", "back", "gone", "known"))
    verb = "would be: " if rehearsed else ""
    yield f"{counted(done.documents, 'document')}, facts {verb}{counts}"
    if done.contradictions:
        yield f"{counted(len(done.contradictions), 'contradiction')}: see `treering review`"


VAULT = group(
    "vault", "Keep the memory as a folder of Markdown files.", section=FILES, aliases={"replay": "vault check"}
)


@command(VAULT, "write", examples=("treering vault write notes/memory",))
@dir_argument
@overwrite_option
def write(memory: Treering, dir: str, overwrite: bool) -> Answer:
    """Write the memory as a folder of Markdown files.

    continuity.md has every fact with a footer, sessions/ one file for each session with what it referenced, created and
    superseded, archive.md what has faded. Session files are never changed once written; writing again adds what is new.
    """
    with bar("written") as progress:
        done = memory.documents.write_vault(dir, overwrite=overwrite, progress=progress)
    text = f"wrote {counted(len(done.files), 'file')} to {dir}: {counted(done.facts, 'fact')} in continuity.md"
    return Answer({**done._asdict(), "files": list(done.files)}, lambda page: [text])


@command(VAULT, "read", examples=("treering vault read notes/memory",), past=False)
@dir_argument
@mine_option
def read(memory: Treering, dir: str, mine: bool) -> Answer:
    """Take a vault in; with --mine, start a memory from it.

    Also one that was written by hand or by an agent. A file that makes no sense is named with its line, and then
    nothing is taken in. Reading it again adds nothing. Who said what, that it never changes and that every project is
    to hear of it is believed only with --mine; otherwise it is text from outside.
    """
    with bar("read") as progress:
        done = memory.documents.read_vault(dir, mine=mine, progress=progress)
    make_ready(memory)
    said = f"{done.added:,} new, {done.known:,} known already"
    notes = [f"{count:,} {what}" for what, count in zip(_NOT_TAKEN, _not_taken(done), strict=True) if count]
    if done.doubted:
        notes.append(f"not believed, unless you say --mine: {', '.join(done.doubted)}")
    return Answer(done._asdict(), lambda page: [said], note="\n".join(filter(None, (*notes, looked(memory)))))


_NOT_TAKEN = (
    "facts read otherwise here: session files are not to be edited; supersede a fact in a new one",
    "supersessions refused: what they would retire is trusted more; if the vault is yours, say --mine",
    "facts passed over: they do not hold any more, and what holds instead is gone",
)


def _not_taken(done: Taken) -> tuple[int, int, int]:
    return done.changed_by_hand, done.refused, done.passed_over


@command(VAULT, "check", examples=("treering vault check notes/memory",), opens=False, past=False)
@dir_argument
def check(dir: str) -> Answer:
    """Prove that a vault's session files amount to its continuity.md.

    Reads the session files alone, rebuilds the state, and compares. Ends with 1 and the differences otherwise.
    """
    from treering.documents.vault import vault

    done = vault.replay(dir)
    said = f"{counted(done.sessions, 'session file')} amount to {counted(done.facts, 'fact')}"
    lines = [f"{said}: {'equal to' if done.equal else 'not what stands in'} continuity.md", *map(str, done.differences)]
    value = {**done._asdict(), "equal": done.equal, "differences": [one._asdict() for one in done.differences]}
    return Answer(value, lambda page: lines, code=0 if done.equal else 1)


@command(
    ROOT,
    "index",
    section=FILES,
    examples=("treering index", "treering index docs/MEMORY.md --project shop", "treering index - | less"),
)
@argument("file", "where to; MEMORY.md here without one, - for standard output", required=False, type=click.Path())
@project_option
@session_option
@overwrite_option
def index(memory: Treering, file: str, project: str, session: str, overwrite: bool) -> Answer:
    """Write MEMORY.md: what is known, for people to read.

    Grouped by type, what is in use before the archive, always in the same order, so that a diff shows only what
    changed. The file is generated: edits to it are lost. What can be seen from where you stand is in it.
    """
    from treering.surfaces.cli.scope import scope_for

    path = file or "MEMORY.md"
    shown = path == "-"
    project = scope_for(memory, project, os.getcwd(), json=False).project
    text = memory.documents.index("" if shown else path, project=project, session=session, overwrite=overwrite)
    if shown:
        return Answer({"text": text}, lambda page: text.splitlines())
    where = os.path.abspath(path)
    return Answer({"file": where, "text": text}, lambda page: [f"wrote {where}"])
