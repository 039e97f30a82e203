"""Change your mind: edit, forget, restore, undo, purge."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from treering.ledger.errors import InvalidInput, NotFound, TreeringError
from treering.ledger.history import of_project
from treering.surfaces.cli.app import CHANGE, ROOT, argument, command, flag, option, shared
from treering.surfaces.cli.complete import EVENT, MEMORY, PROJECT, SESSION, Known
from treering.surfaces.cli.everyday import given
from treering.surfaces.cli.render import Answer, columns, counted, line, plain

if TYPE_CHECKING:
    from treering.ledger.events import Event
    from treering.ledger.ledger import Undone
    from treering.ledger.types import Memory
    from treering.memory import Treering
    from treering.surfaces.cli.render import Page

_ERASERS = ("delete", "rm")  # words by which people may mean that it is erased
ROOT.aliases |= dict.fromkeys(_ERASERS, "forget")
ROOT.aliases |= {"supersede": "edit", "revoke": "undo", "captured undo": "undo --captured"}

reason_option = option("--reason", about="why, for the record", metavar="TEXT")
dry_run_option = flag("--dry-run", "say what would happen and change nothing")
ids_argument = argument("id", "a memory's id, or the number at its end", nargs=-1, required=True, type=MEMORY)

_SHOWN = 20  # memories of a purge that are named before it


class NotConfirmed(TreeringError):
    """Somebody has to say yes, and nobody did. Nothing was changed."""


class NoEditor(TreeringError):
    """A text could not be edited."""


@command(
    ROOT,
    "edit",
    section=CHANGE,
    examples=(
        'treering edit 3 "Deploys go out on Tuesdays" --reason "moved from Fridays"',
        "treering edit 3 7",
    ),
)
@argument("id", "the memory that has changed, or the number at the end of its id", type=MEMORY)
@argument(
    "new",
    "the text that holds now, or the id of a memory that does; your editor opens without it; - for standard input",
    required=False,
    type=MEMORY,
)
@reason_option
def edit(memory: Treering, id: str, new: str, reason: str) -> Answer:
    """Change what a memory says: the new text supersedes the old one.

    The old memory goes out of recall for good, and both name each other; --as-of still shows the old truth. A new text
    is remembered with all that was known of the old one. Without one, $EDITOR opens. `treering undo` brings the old
    one back.
    """
    text = given(new) if new else _in_editor(memory, id)
    made = memory.supersede(id, text, reason=reason)
    old = made.supersedes[-1]
    value = {**plain(made), "superseded": old}
    return Answer(value, lambda page: [f"{made.id} supersedes {old}"], note=noticed(memory, made))


def _in_editor(memory: Treering, id: str) -> str:
    if sys.stdin is None or not sys.stdin.isatty():
        raise click.UsageError("edit needs the new text where there is no terminal: treering edit ID TEXT")
    before = memory.get(id).content
    after = edited(before, "memory.md").strip()
    if after == before.strip():
        raise NoEditor("the text is the same: nothing was changed")
    return after


def edited(text: str, name: str) -> str:
    """Return a text as a person leaves it in their editor."""
    import shlex
    import subprocess
    import tempfile

    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ("notepad" if os.name == "nt" else "vi")
    with tempfile.TemporaryDirectory(prefix="treering-") as folder:
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        try:
            code = subprocess.call([*shlex.split(command), path])
            with open(path, encoding="utf-8", errors="replace") as file:
                left = file.read()
        except (OSError, ValueError) as error:
            raise NoEditor(f"{command} cannot be used ({error}): set $EDITOR to yours") from error
        if code:
            raise NoEditor(f"{command} ended with code {code}: nothing was changed")
        if not left.strip():
            raise NoEditor("the text is empty: nothing was changed")
        return left


@command(
    ROOT,
    "forget",
    section=CHANGE,
    examples=('treering forget 2 --reason "no longer true"',),
)
@ids_argument
@reason_option
def forget(memory: Treering, id: tuple[str, ...], reason: str) -> Answer:
    """Take memories out of sight.

    Either all that are named are forgotten, or none. `treering restore` brings them back; `treering purge` erases.
    """
    gone = memory.together(lambda: [memory.forget(one, reason=reason) for one in id])
    hint = "forgotten, and can be restored: `treering purge` erases for good" if shared()["alias"] in _ERASERS else ""
    return _answer("forgot", gone, hint)


@command(ROOT, "restore", section=CHANGE, examples=("treering restore 2",))
@argument("id", "a memory's id, or the number at its end", nargs=-1, required=True, type=Known("forgotten"))
def restore(memory: Treering, id: tuple[str, ...]) -> Answer:
    """Bring memories back as they were.

    What was forgotten, deprecated, merged, superseded or archived. Either all that are named come back, or none. It
    counts against the rule that took them out.
    """
    return _answer("restored", memory.together(lambda: [memory.restore(one) for one in id]))


def _answer(verb: str, memories: list[Memory], note: str = "") -> Answer:
    lines = [f"{verb} {memory.id}  {line(memory.content)}".rstrip() for memory in memories]
    return Answer([plain(memory) for memory in memories], lambda page: lines, note=note)


@command(
    ROOT,
    "undo",
    section=CHANGE,
    examples=(
        "treering undo 3 --dry-run",
        'treering undo 3 --reason "a mistake"',
        "treering undo --session monday --dry-run",
        "treering undo --source docs/review.md",
    ),
)
@argument("event", "an event's id, or the number at its end", nargs=-1, required=False, type=EVENT)
@option("--session", about="all that this session brought", type=SESSION)
@option("--source", about="all that came from there: tool, document:a.md, a.md or a.md:12", metavar="REF")
@flag("--captured", "memories that were kept without being asked, by their ids or a --session; not captured again")
@dry_run_option
@reason_option
def undo(
    memory: Treering, event: tuple[str, ...], session: str, source: str, captured: bool, dry_run: bool, reason: str
) -> Answer:
    """Leave events out, with all that rests on them.

    The events stay in the ledger and no longer count. Undoing the undoing brings them back. `treering log` has the ids.
    A session that went wrong, or a source that was poisoned, is undone as a whole.
    """
    if captured and shared()["as_of"]:
        raise click.UsageError("what was captured is taken back now: leave out --as-of")
    if captured:
        return _released(memory, event, session, reason)
    if (session or source) and event:
        raise click.UsageError("name events, or all of a --session or --source, but not both")
    if session or source:
        done = memory.revoke(session=session, source=source, reason=reason, dry_run=dry_run)
    elif event:
        done = memory.undo(*event, reason=reason, dry_run=dry_run)
    elif shared()["alias"] == "revoke":
        done = memory.revoke(reason=reason, dry_run=dry_run)
    else:
        raise click.UsageError("undo needs an EVENT, --session or --source: `treering log` has the ids of events")
    return _undone(memory, done, dry_run)


def _released(memory: Treering, ids: tuple[str, ...], session: str, reason: str) -> Answer:
    if not ids and not session:
        raise InvalidInput("name memories, or a session with --session; `treering captured` lists both")
    done = memory.captured.undo(*ids, session=session, reason=reason)
    gone = [id for one in done for id in one.gone]
    value = {"released": gone, "events": [one.event.id for one in done]}
    said = [f"took back {counted(len(gone), 'memory', 'memories')}"] if done else []
    said += [f"`treering undo {one.event.id}` brings {id} back" for one in done for id in one.gone]
    return Answer(value, lambda page: said, empty="nothing was captured there")


def _undone(memory: Treering, done: Undone, rehearsed: bool) -> Answer:
    from treering.stores.port.ledger import EventQuery

    value = {name: [*getattr(done, name)] for name in ("left_out", "back", "gone", "changed")}
    query = EventQuery(ids=(*done.left_out, *done.back))
    events = {event.id: event for event in memory.store.events(query)}
    files = [*dict.fromkeys(path for id in done.left_out if (path := _file_of(events[id])))]
    return Answer(
        {"dry_run": rehearsed, "event": None if rehearsed else done.event.id, **value, "files": files},
        lambda page: _touched(done, events, rehearsed, page),
        note=_still_there(files),
    )


def _touched(done: Undone, events: dict[str, Event], rehearsed: bool, page: Page) -> Iterator[str]:
    from treering.surfaces.cli.events import entry

    yield "nothing is changed; this would happen:" if rehearsed else f"done by event {done.event.id}"
    for title, ids in (("count no longer", done.left_out), ("count again", done.back)):
        if ids:
            yield page.bold(f"events that {title}: {len(ids)}")
            rows = (entry(events[id], ()) for id in ids)
            yield from (f"  {row}" for row in columns(rows, page.inset()))
    for title, ids in (("are gone", done.gone), ("are changed", done.changed)):
        if ids:
            yield page.bold(f"memories that {title}: {len(ids)}")
            yield from (f"  {id}" for id in ids)
    if not events:
        yield "no event is touched by it"


def _file_of(event: Event) -> str:
    """Return the file that a person had written because of an event."""
    from treering.ledger.codec import data_of
    from treering.ledger.events import ACCEPTED, PROMOTED

    return str(data_of(event)[1].get("path", "")) if event.kind in (ACCEPTED, PROMOTED) else ""


def _still_there(files: Iterable[str]) -> str:
    """Name the files that were made of what is gone: only a person deletes them."""
    there = (path for path in files if os.path.exists(path))
    return "\n".join(f"{line(path)} was made of it and is still there: delete it, if it should go" for path in there)


@command(
    ROOT,
    "purge",
    section=CHANGE,
    examples=(
        'treering purge 2 --yes --reason "holds a customer\'s name"',
        "treering purge --project shop --dry-run",
    ),
)
@argument("id", "memories, by their ids", nargs=-1, required=False, type=MEMORY)
@option("--project", about="all memories of a project, undone ones too, and what was asked there", type=PROJECT)
@dry_run_option
@flag("--yes", "do not ask")
@reason_option
def purge(memory: Treering, id: tuple[str, ...], project: str, dry_run: bool, yes: bool, reason: str) -> Answer:
    """Erase memories for good.

    No byte of them stays in the store, its log or its indexes, and this cannot be undone. It asks first. What somebody
    asked in a recall is not part of them: the id of the recall erases it, and so does --project. Other machines that
    share the memory erase them when they sync.
    """
    from treering.stores.port.ledger import EventQuery

    if bool(id) == bool(project):
        raise click.UsageError("name memories by their ids, or a whole project with --project")
    ids, asked = ([memory.whole_id(one) for one in id], []) if id else _of_project(memory, project)
    if dry_run:
        value: dict[str, Any] = {"would_purge": ids, **({"asked": asked} if project else {})}
        return Answer(value, lambda page: (*_gists(memory, ids), f"would purge {_many(ids, asked)}"))
    if memory.ledger and not yes:  # a view of the past has no ledger, and says so
        _confirm(memory, ids)
    made = [one.path for one in memory.proposals.list() if one.path and not {*ids}.isdisjoint(one.memories)]
    sources = {cause for event in memory.store.events(EventQuery(ids=tuple(ids))) for cause in event.causes}
    memory.purge(*id, project=project, reason=reason)
    told = (f"purged {id}" for id in ids) if id else iter([f"purged {_many(ids, asked)} of project {line(project)}"])
    said = sorted(memory.store.several(sources))  # purging what sums them up leaves them as they are
    stay = (
        f"made of {', '.join(said)}, which may say the same, and stay: purge them too, if they should go"
        if said
        else ""
    )
    note = "\n".join(filter(None, (_still_there(made), stay, *_set_aside(memory.workspace.home))))
    return Answer({"purged": ids, "files": made}, lambda page: told, note=note)


def _set_aside(home: str) -> Iterator[str]:
    """Name the stores that `restore-from --replace` has put aside: what was purged may still be in them."""
    from glob import escape, glob

    for path in sorted(glob(f"{escape(home)}/before-*.db")) if home else ():
        yield f"{line(path)} is what `restore-from` replaced, and not purged: delete it, if it should go"


def _of_project(memory: Treering, project: str) -> tuple[list[str], list[str]]:
    memories, asked = of_project(memory.store, memory.workspace.name(project), memory.context.space)
    if not memories and not asked:
        raise NotFound("project", project, "`treering stats` lists them")
    return memories, asked


def _many(ids: Sequence[str], asked: Sequence[str]) -> str:
    questions = f" and {counted(len(asked), 'question')}" if asked else ""
    return counted(len(ids), "memory", "memories") + questions


def _gists(memory: Treering, ids: Sequence[str]) -> Iterator[str]:
    """Yield a line for each of the first memories, and how many more there are."""
    from treering.surfaces.cli.events import gist

    for id in ids[:_SHOWN]:
        yield f"  {id}  {gist(memory.history(id)[0])}"
    if len(ids) > _SHOWN:
        yield f"  and {len(ids) - _SHOWN:,} more"


def _confirm(memory: Treering, ids: Sequence[str]) -> None:
    if sys.stdin is None or not sys.stdin.isatty():
        raise NotConfirmed("a purge is for good, and there is nobody to ask: say --yes if you mean it")
    sys.stderr.write("".join(f"{told}\n" for told in _gists(memory, ids)))
    sys.stderr.write("This erases the above for good. Type yes to go on: ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise NotConfirmed("nothing was purged")


def noticed(memory: Treering, made: Memory) -> str:
    """Return what whoever wrote a memory should know: what was redacted, and what it contradicts."""
    from treering.truth import claims

    notes = [f"redacted: {', '.join(made.redacted)}"] if made.redacted else []
    if found := claims.asked(memory.truth.contradictions(about=made.id)):
        others = ", ".join(one.older.id if one.newer.id == made.id else one.newer.id for one in found)
        notes.append(f"contradicts {others}: see `treering review`")
    return "\n".join(notes)
