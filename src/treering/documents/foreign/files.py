"""Files of other memories taken in: what is new in them is remembered, as an outside text, and nothing comes twice."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from treering.documents.foreign import claude_memory, mem0
from treering.documents.foreign.knowledge import Knowledge
from treering.documents.foreign.things import ORIGIN, TAG, things
from treering.documents.harvest.harvest import EXTENSIONS, LARGEST, OURS, documents
from treering.ledger.arguments import at_home, parse_row, storable_context
from treering.ledger.clock import parse_time as moment
from treering.ledger.decide import remember
from treering.ledger.errors import InvalidInput, NotFound
from treering.ledger.transfer import Imported, commit_new
from treering.text.redact import clean
from treering.text.transcripts.lines import transcripts_folder

if TYPE_CHECKING:
    from treering.documents.foreign.claude_memory import Note
    from treering.documents.harvest.harvest import Document
    from treering.ledger.events import Draft
    from treering.memory import Treering


class Taken(NamedTuple):
    """What was taken from files, or would be."""

    files: int
    added: tuple[tuple[str, int, str], ...]  # file, line and text of what was new
    known: int
    redacted: int
    skipped: tuple[tuple[str, str], ...] = ()  # files that could not be read, and why


def take_graph(memory: Treering, file: IO[bytes], name: str, mine: bool, progress: Callable[[int], None]) -> Imported:
    """Take in a file of `@modelcontextprotocol/server-memory`: all of it, or nothing of one with an error. As `mine`
    it is what an agent here would have kept.
    """
    place = clean(os.path.basename(name), memory.config.content_limit).text
    found = {thing.name: thing for thing in reversed([*things(file, name)])}  # of two, the first
    project = memory.context.project if mine else at_home(memory.context, name).project
    missing = Knowledge(memory, project).lacks(found)
    rows = [
        (
            {**thing.row, "origin": ORIGIN if mine else f"import:{place}:{thing.line}"},
            f"{TAG} {' '.join(thing.row['tags'])}",
        )
        for thing in reversed(found.values())
        if thing.name in missing
    ]
    drafts, redacted = _drafts(memory, rows, project)
    added = commit_new(memory.ledger, drafts, progress)
    return Imported(added, len(found) - added, redacted)


def take_mem0(
    memory: Treering, file: IO[bytes], name: str, project: str, mine: bool, progress: Callable[[int], None]
) -> Imported:
    """Take in an export of mem0: all of it, or nothing of one with an error. As `mine` it is the user's own word."""
    place = clean(os.path.basename(name), memory.config.content_limit).text
    rows = []
    for row in mem0.rows(file, name):
        origin = "user" if mine else f"import:{place}:{row.pop('number')}"
        row.pop("number", None)
        rows.append(({**row, "origin": origin}, mem0.TAG))
    here = memory.context._replace(project=project or memory.context.project)
    drafts, redacted = _drafts(memory, rows, project if mine else at_home(here, mem0.TAG).project)
    added = commit_new(memory.ledger, drafts, progress)
    return Imported(added, len(drafts) - added, redacted)


def take_notes(
    memory: Treering,
    path: str,
    project: str,
    dry_run: bool = False,
    progress: Callable[[int], None] = lambda done: None,
    notes: Callable[[str, str, Collection[str]], list[Note]] = claude_memory.notes,
) -> Taken:
    """Take in a folder of notes, or one file: those of Claude Code, or what `notes` reads. What is dropped there later
    stays here."""
    files = _files(path)
    names = {document.name for document in files}
    skipped: list[tuple[str, str]] = []
    rows: list[tuple[dict[str, Any], str]] = []
    places: list[tuple[str, int, str]] = []
    for document in files:
        text, why = _text(document.path)
        if why:
            skipped.append((document.path, why))
        for note in notes(text, document.name, names):
            where = os.path.abspath(document.path).replace(os.sep, "/")
            rows.append((_row(note, where), note.tags[0]))
            places.append((document.path, note.line, note.text))
    here = memory.context._replace(project=project or memory.context.project)
    drafts, redacted = _drafts(memory, rows, at_home(here, path).project)
    known = memory.ledger.store.known([draft.key for draft in drafts])
    fresh = {draft.key: number for number, draft in reversed([*enumerate(drafts)]) if draft.key not in known}
    if not dry_run:
        commit_new(memory.ledger, drafts, progress)
    new = tuple(places[number] for number in sorted(fresh.values()))
    return Taken(len(files) - len(skipped), new, len(drafts) - len(new), redacted, tuple(skipped))


def claude_folder(folder: str, environment: Mapping[str, str]) -> str:
    """Return where Claude Code keeps its memory of a folder that one works in."""
    found = os.path.join(transcripts_folder(folder, environment), claude_memory.FOLDER)
    if not os.path.isdir(found):
        raise NotFound("memory of Claude Code", found, "name the folder, or a file, that you mean")
    return found


def _files(path: str) -> list[Document]:
    root = path if os.path.isdir(path) else os.path.dirname(os.path.abspath(path))
    found = list(documents([path], root)) if os.path.isdir(path) or path.endswith(EXTENSIONS) else []
    if not found:
        raise InvalidInput(f"no Markdown files ({', '.join(EXTENSIONS)}) in {path}")
    return found


def _text(path: str) -> tuple[str, str]:
    """Return the text of a file, or why there is none. A file that Treering wrote is passed over."""
    try:
        if os.path.getsize(path) > LARGEST:
            return "", f"larger than {LARGEST:,} bytes"
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except OSError as error:
        return "", error.strerror or str(error)
    except UnicodeDecodeError:
        return "", "not UTF-8"
    return ("" if text.startswith(OURS) else text), ""


def _row(note: Note, where: str) -> dict[str, Any]:
    row: dict[str, Any] = {
        "content": note.text,
        "type": note.type,
        "tags": note.tags,
        "origin": f"import:{where}:{note.line}",
    }
    with suppress(InvalidInput):
        moment(note.modified)
        row["at"] = note.modified
    return row


def _drafts(
    memory: Treering, rows: Iterable[tuple[Mapping[str, Any], str]], project: str = ""
) -> tuple[list[Draft], int]:
    """Return the events that remember the rows, and how many rows were redacted. A row is known again by its labels."""
    limit = memory.config.content_limit
    here = storable_context(memory.context._replace(project=project or memory.context.project), limit)
    wishes = [parse_row(row, limit)._replace(identity=identity) for row, identity in rows]
    return [remember(one, here) for one in wishes], sum(bool(one.redacted) for one in wishes)
