"""Store: verify, rebuild, backup, move, completion."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from treering.ledger.errors import InvalidInput
from treering.stores.files import FILE_NAME
from treering.surfaces.cli.app import PROGRAM, ROOT, STORE, Words, argument, command, flag, shared
from treering.surfaces.cli.render import Answer, counted
from treering.surfaces.cli.view.bars import progress as bar

if TYPE_CHECKING:
    from treering.ledger.verify import Report
    from treering.memory import Treering

_PAGE = 4_096  # bytes: the size that SQLite gives a new database
SHELLS = ("bash", "zsh", "fish")


@command(ROOT, "verify", section=STORE, examples=("treering verify",), past=False)
def verify(memory: Treering) -> Answer:
    """Check the chain, every memory and every index.

    The chain of events, every memory against the fold of its events, and the indexes. Lists every problem and then ends
    with 1.
    """
    from treering.ledger.verify import extent, verify

    with bar("checked", extent(memory.ledger.store)) as progress:
        report = verify(memory.ledger.store, progress)
    value = {**report._asdict(), "problems": [*report.problems], "clean": report.clean}
    return Answer(value, lambda page: _report(report), code=0 if report.clean else 1)


def written(memory: Treering) -> int:
    """Count the events of the ledger."""
    return sum(head.seq for head in memory.store.heads().values())


def _pages(path: str) -> int:
    """Count the pages of a database, by which it is copied."""
    return os.path.getsize(path) // _PAGE if os.path.isfile(path) else 0


def make_ready(memory: Treering) -> None:
    """Index what a recall would have to look through, with progress."""
    with bar("getting ready", memory.maintenance.to_prepare()) as progress:
        memory.maintenance.prepare(progress)


def _report(report: Report) -> Iterator[str]:
    events, writers = counted(report.events, "event"), counted(report.writers, "writer")
    yield f"checked {events} of {writers}, {counted(report.memories, 'memory', 'memories')} and the indexes"
    yield from report.problems
    yield counted(len(report.problems), "problem") if report.problems else "all is well"


@command(ROOT, "rebuild", section=STORE, examples=("treering rebuild",), past=False)
def rebuild(memory: Treering) -> Answer:
    """Make everything but the ledger again.

    Memories and indexes are read off the ledger, which is not touched.
    """
    with bar("rebuilt", written(memory)) as progress:
        count = memory.ledger.rebuild(progress)
    make_ready(memory)
    return Answer({"events": count}, lambda page: [f"rebuilt from {counted(count, 'event')}"])


@command(
    ROOT,
    "backup",
    section=STORE,
    examples=("treering backup memory.db", "treering backup memory.db --overwrite"),
    past=False,
)
@argument("file", "where to", type=click.Path())
@flag("--overwrite", "replace a file that is there")
@flag("--verify", "make none: check one that is there, every event of it")
def backup(memory: Treering, file: str, overwrite: bool, verify: bool) -> Answer:
    """Copy the store into a file, while others write.

    The copy is of one moment, is checked as `treering verify` does, and is either whole or not there. `treering
    restore-from` brings it back.
    """
    from treering.stores.sqlite.backup import check, copy

    if verify:
        return _checked(file, check(file))
    if os.path.lexists(file) and not overwrite:
        raise InvalidInput(f"{file} is there already: name another file, or say --overwrite")
    with bar("copied", _pages(os.path.join(memory.workspace.home, FILE_NAME))) as progress:
        report = copy(memory.ledger.store, file, progress)
    size = os.stat(file).st_size
    value = {"file": os.path.abspath(file), "bytes": size, "events": report.events, "memories": report.memories}
    told = f"copied {counted(report.events, 'event')} to {file} ({size:,} bytes), and checked the copy"
    return Answer(value, lambda page: [told])


def _checked(file: str, report: Report) -> Answer:
    value = {**report._asdict(), "file": os.path.abspath(file), "problems": [*report.problems], "clean": report.clean}
    return Answer(value, lambda page: _report(report), code=0 if report.clean else 1)


@command(
    ROOT,
    "restore-from",
    section=STORE,
    examples=("treering restore-from memory.db --replace",),
    past=False,
)
@argument("file", "a backup", type=click.Path())
@flag("--replace", "put it in the place of what is here, which is first backed up beside the store")
def restore_from(memory: Treering, file: str, replace: bool) -> Answer:
    """Bring a backup back.

    The backup is checked first. The memory writes under a new name from then on, so that ids of before and after
    never clash. Machines that share the memory give back what the backup lacks when they sync.
    """
    from treering.ledger.clock import format_time, now
    from treering.stores.sqlite.backup import copy, restore

    held, aside = sum(head.seq for head in memory.store.heads().values()), ""
    if held and not replace:
        raise InvalidInput(f"this memory holds {counted(held, 'event')}: say --replace to put {file} in its place")
    if held:
        stamp = format_time(now())[:19].replace(":", "")
        aside = os.path.join(memory.workspace.home, f"before-{stamp}.db")
        copy(memory.ledger.store, aside)
    with bar("restored", _pages(file)) as progress:
        report = restore(memory.ledger.store, file, progress)
    kept = f"; what was here is in {aside}" if aside else ""
    told = f"restored {counted(report.events, 'event')} from {file}{kept}"
    return Answer({"file": file, "events": report.events, "aside": aside}, lambda page: [told])


@command(
    ROOT,
    "move",
    section=STORE,
    examples=(
        "treering move ~/.treering postgresql://treering@db.example.org/team",
        "treering move postgresql://treering@db.example.org/team ~/mine --space default",
    ),
    opens=False,
    past=False,
)
@argument("source", "a home folder, or the address of a database")
@argument("target", "where to: a new home folder, or the address of a database")
def move(source: str, target: str) -> Answer:
    """Bring a memory from a file into a database, or back.

    Every event with its id and its place in the chain; then both are compared and the new one is checked as `treering
    verify` does. Whoever is interrupted does it again, and it carries on. The source stays as it is. Do not write to it
    any more; from one database into another you may, as whoever writes there is sent on to the new one.
    """
    from treering.surfaces.cli.move import moved

    with bar("moved") as progress:
        done, space = moved(source, target, shared()["space"], progress)
    value = {**done._asdict(), "source": source, "target": target, "space": space}
    held = f"{counted(done.events, 'event')}, {counted(done.memories, 'memory', 'memories')}"
    told = [f"moved {done.new:,} events to {space}: {held}", "every chain ends as in the source, and all is well"]
    return Answer(value, lambda page: told)


@command(
    ROOT,
    "completion",
    section=STORE,
    examples=("treering completion bash",),
    opens=False,
    past=False,
)
@argument("shell", "bash, zsh or fish", type=Words(*SHELLS))
def completion(shell: str) -> Answer:
    """Print the script that completes commands with the tab key.

    For bash, put `eval "$(treering completion bash)"` into ~/.bashrc. For zsh, put the same with zsh into ~/.zshrc,
    behind compinit. For fish, put `treering completion fish | source` into ~/.config/fish/config.fish. There is none
    for PowerShell.
    """
    from click.shell_completion import get_completion_class

    from treering.surfaces.cli import COMPLETE

    made = get_completion_class(shell) if shell in SHELLS else None
    if made is None:
        raise click.UsageError(f"there is no completion for {shell!r}: choose {', '.join(SHELLS)}")
    text = made(ROOT, {}, PROGRAM, COMPLETE).source().strip("\n")
    return Answer({"shell": shell, "script": text}, lambda page: [text])
