"""Sync: one memory on several machines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from treering.surfaces.cli.app import ROOT, SHARED, Group, argument, command, flag, option
from treering.surfaces.cli.complete import Known
from treering.surfaces.cli.render import Answer, counted, line, when
from treering.surfaces.cli.view.bars import progress as bar

if TYPE_CHECKING:
    from treering.ledger.sync.api import Result
    from treering.ledger.sync.state import Sync
    from treering.memory import Treering

_WHERE = "a folder, ssh:HOST[:FOLDER] or git:REMOTE"
_ONE = "with"  # the hidden command behind `treering sync FOLDER`


class _Syncs(Group):
    """The group `sync`, where any other word than a command is a place."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[Any, Any, list[str]]:
        if args[0] in self.commands:
            return super().resolve_command(ctx, args)
        return _ONE, self.commands[_ONE], args


SYNC = _Syncs("sync", section=SHARED)
ROOT.add_command(SYNC)
key_option = option("--key", about="the key of a place that another machine has shared: `treering sync list --key`")
passphrase_option = flag("--passphrase", "ask for a passphrase: a new place is encrypted with it")


@command(SYNC, "", examples=("treering sync",), past=False)
def sync(memory: Treering) -> Answer:
    """Bring this memory and those of your other machines together.

    Through a folder that several machines reach (Dropbox, a stick, a mount), another machine by ssh, or a git
    repository. Afterwards both hold all that either had. `treering sync FOLDER` adds a place that is new and syncs it;
    on the other machine give the key that it prints. Maintenance syncs when it is due; hooks never do.
    """
    return _synced(memory, "")


@command(SYNC, _ONE, examples=("treering sync shared",), hidden=True, past=False)
@argument("where", _WHERE)
@key_option
@passphrase_option
def one(memory: Treering, where: str, key: str, passphrase: bool) -> Answer:
    """Sync one place, and add it if it is new."""
    from treering.ledger.errors import InvalidInput

    try:
        memory.sync.get(where)
        return _synced(memory, where)
    except InvalidInput:
        added = _added(memory, where, "", key, passphrase)
    done = _synced(memory, added.name)
    return done._replace(note="\n".join(filter(None, (_pairing(added, bool(key)), done.note))))


@command(SYNC, "add", examples=("treering sync add stick --name usb",), past=False)
@argument("where", _WHERE)
@option("--name", about="what to call it (default: the last word of the place)")
@key_option
@passphrase_option
def add(memory: Treering, where: str, name: str, key: str, passphrase: bool) -> Answer:
    """Share this memory through a place.

    A place that is new gets a key, which the other machines need. One without the right key is refused.
    """
    made = _added(memory, where, name, key, passphrase)
    return Answer(
        _plain(made), lambda page: [f"added {line(made.name)}: {line(made.where)}"], note=_pairing(made, bool(key))
    )


@command(SYNC, "list", examples=("treering sync list", "treering sync list --key"), past=False)
@flag("--key", "print the keys too: who has one can read and write the shared memory")
def listed(memory: Treering, key: bool) -> Answer:
    """List the places through which this memory is shared."""
    found = memory.sync.list()
    value = [_plain(one) | ({"key": _code(one)} if key else {}) for one in found]
    return Answer(value, lambda page: _lines(found, key))


@command(SYNC, "remove", examples=("treering sync remove usb",), past=False)
@argument("name", "the name or the place", type=Known("place"))
def remove(memory: Treering, name: str) -> Answer:
    """Stop sharing through a place. What lies there stays."""
    gone = memory.sync.remove(memory.sync.get(name).name)
    return Answer(_plain(gone), lambda page: [f"removed {line(gone.name)}; what lies in {line(gone.where)} stays"])


def _added(memory: Treering, where: str, name: str, key: str, passphrase: bool) -> Sync:
    return memory.sync.add(where, name=name, key=key, passphrase=_passphrase() if passphrase else "")


def _passphrase() -> str:
    """Ask for it where a person sits at a terminal; else it is the first line of the input."""
    if sys.stdin is not None and sys.stdin.isatty():
        return str(click.prompt("passphrase", hide_input=True, err=True))
    return sys.stdin.readline().rstrip("\n") if sys.stdin is not None else ""


def _pairing(made: Sync, paired: bool) -> str:
    """Say what to do on the other machine."""
    if paired:
        return ""
    where = line(made.where) if made.where.startswith(("ssh:", "git:")) else "WHERE"
    given = "--passphrase" if made.sealed else f"--key {_code(made)}"
    return f"on the other machine: treering sync {where} {given}"


def _synced(memory: Treering, name: str) -> Answer:
    with bar("synced") as progress:
        results = memory.sync.run(name, progress)
    value = [_result(one) for one in results]
    failed = any(one.done is None for one in results)
    nothing = ["nothing is shared yet: treering sync FOLDER"] if not results else []
    return Answer(value, lambda page: [*nothing, *(_told(one) for one in results)], code=1 if failed else 0)


def _told(result: Result) -> str:
    name, done = line(result.sync.name), result.done
    if done is None:
        return f"{name}: not synced: {result.problem}"
    parts = [f"{counted(done.received, 'event')} received", f"{done.sent:,} sent"]
    parts += [f"purged from {counted(done.erased, 'file')}"] if done.erased else []
    parts += [f"{counted(len(done.forks), 'fork')} taken apart"] if done.forks else []
    parts += [f"{counted(len(done.unfinished), 'file')} still arriving"] if done.unfinished else []
    late = "".join(f"\n    still arriving: {line(file)}" for file in done.unfinished)
    return f"{name}: {', '.join(parts)}{late}"


def _result(result: Result) -> dict[str, Any]:
    done = result.done._asdict() if result.done else {}
    done.pop("segments", None)
    done |= {"forks": [fork._asdict() for fork in done["forks"]]} if done else {}
    return {"name": result.sync.name, "where": result.sync.where, **done, "problem": result.problem}


def _plain(one: Sync) -> dict[str, Any]:
    told = {"name": one.name, "where": one.where, "encrypted": one.sealed, "synced": one.synced / 1e6 or None}
    machines = [{"host": machine.host, "id": machine.id, "time": machine.time / 1e6} for machine in one.machines]
    return {**told, "problem": one.problem, "machines": machines}


def _code(one: Sync) -> str:
    from treering.ledger.sync.keys import Key

    return Key(bytes.fromhex(one.secret)).code


def _lines(found: list[Sync], key: bool) -> Iterator[str]:
    for one in found:
        last = f"synced {when(one.synced)}" if one.synced else "never synced"
        yield f"{line(one.name)}  {line(one.where)}  {last}"
        if one.problem:
            yield f"    {line(one.problem)}"
        for machine in one.machines:
            yield f"    {line(machine.host)}, {when(machine.time)}"
        if key:
            yield f"    key {_code(one)}"
    if not found:
        yield "nothing is shared yet: treering sync FOLDER"
