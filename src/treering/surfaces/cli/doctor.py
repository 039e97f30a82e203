"""What could go wrong with a store, or has: looked at from the outside, told with what to do about it.

The database is never read but through SQLite. Its files are looked at by name only, as closing a handle
of our own would drop SQLite's locks.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from treering.ledger.clock import format_time, now
from treering.ledger.config import SECRETS, load
from treering.ledger.errors import TreeringError
from treering.models import llm
from treering.models.embed import embedder_named
from treering.models.post import checked
from treering.skills import credit
from treering.skills.proposals.cases import cases
from treering.skills.proposals.rules import PENDING
from treering.stores.files import FILE_NAME, noted, spooled
from treering.stores.files import LOG_NAME as JOURNAL
from treering.stores.sqlite import schema
from treering.stores.sqlite.backup import figures, library
from treering.stores.sqlite.heads import SUFFIX, Acknowledged
from treering.stores.sqlite.store import SqliteStore
from treering.surfaces.install.scripts import HOOK, TREERING
from treering.surfaces.install.state import state
from treering.truth import claims

if TYPE_CHECKING:
    from treering.ledger.config import Config
    from treering.stores.files import HookRun
    from treering.stores.sqlite.backup import Figures
    from treering.surfaces.install.state import State

OK, WARN, FAIL = "ok", "warn", "fail"

MB = 1_000_000
MILLISECOND = 1_000  # microseconds
LOW_SPACE = 500 * MB  # an import, a rebuild and their log fit in this for most stores
_SECONDS = 0.5  # to reach a program on this machine
NO_SPACE = 20 * MB  # below this, the next write may fail
SHOWN_FAULTS = 5  # of a damaged file; `treering verify` has all

# Locks on these do not hold between machines, or not at all.
_REMOTE = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs")
# These may be anything behind the scenes.
_UNSURE = ("9p", "virtiofs", "fuse")


class Finding(NamedTuple):
    name: str
    level: str  # ok, warn or fail
    found: str
    advice: str = ""  # what to do, if there is anything to do


def examine(home: str, environment: Mapping[str, str]) -> list[Finding]:
    """Look at everything, however broken it is."""
    checks: tuple[tuple[str, Callable[[], Iterator[Finding]]], ...] = (
        ("versions", _versions),
        ("home", lambda: _home(home)),
        ("disk", lambda: _disk(home)),
        ("settings", lambda: _settings(home, environment)),
        ("store", lambda: _kept(home, environment)),
        ("matters", lambda: _matters(home, environment)),
        ("hooks", lambda: _hooks(home)),
        ("agents", lambda: _agents(home, environment)),
        ("sync", lambda: _syncs(home)),
    )
    found: list[Finding] = []
    for name, check in checks:
        try:
            found.extend(check())
        except (TreeringError, OSError) as error:
            found.append(Finding(name, FAIL, str(error)))
    return found


def _versions() -> Iterator[Finding]:
    from treering import __version__

    yield Finding("treering", OK, __version__)
    yield Finding("python", OK, f"{'.'.join(map(str, sys.version_info[:3]))} ({sys.executable})")
    used = library()
    advice = f"run `pip install -U apsw`: before {used.oldest_safe}, SQLite can lose committed data"
    said = f"{used.sqlite}, through apsw {used.apsw}"
    yield Finding("sqlite", OK if used.safe else FAIL, said, "" if used.safe else advice)


def _home(home: str) -> Iterator[Finding]:
    if not os.path.lexists(home):
        yield _to_be_made(home)
        return
    if not os.path.isdir(home):
        yield Finding("home", FAIL, f"{home} is not a folder", "choose another --home")
        return
    if not os.access(home, os.W_OK | os.X_OK):
        yield Finding("home", FAIL, f"{home} cannot be written", "check its owner and permissions")
        return
    yield Finding("home", OK, home)
    if os.name == "posix":
        yield from _permissions(home)


def _to_be_made(home: str) -> Finding:
    """Whether the folder that is not there yet can be made."""
    above = os.path.dirname(os.path.abspath(home))
    while not os.path.lexists(above):
        above = os.path.dirname(above)
    if os.path.isdir(above) and os.access(above, os.W_OK | os.X_OK):
        return Finding("home", OK, f"{home} is not there yet: the first memory makes it")
    why = "cannot be written" if os.path.isdir(above) else "is not a folder"
    advice = "check its owner and permissions, or choose another --home"
    return Finding("home", FAIL, f"{home} cannot be made: {above} {why}", advice)


def _permissions(home: str) -> Iterator[Finding]:
    """The folder is for its owner only, and so is every file of ours in it."""
    names = [FILE_NAME + end for end in ("", "-wal", "-shm")]
    paths = [home, *(os.path.join(home, name) for name in names)]
    open_to_others = [path for path in paths if os.path.exists(path) and os.stat(path).st_mode & 0o077]
    for path in open_to_others:
        mode = os.stat(path).st_mode & 0o777
        right = "700" if path == home else "600"
        found = f"{path} can be reached by others ({mode:03o})"
        yield Finding("permissions", FAIL, found, f"run `chmod {right} {path}`")
    if not open_to_others:
        yield Finding("permissions", OK, "for its owner only")


def _disk(home: str) -> Iterator[Finding]:
    from shutil import disk_usage

    place = home
    while not os.path.exists(place):
        place = os.path.dirname(place)
    free = disk_usage(place).free
    level = FAIL if free < NO_SPACE else WARN if free < LOW_SPACE else OK
    yield Finding("disk space", level, f"{_size(free)} free", "" if level == OK else "free some space")
    kind = file_system(os.path.realpath(place), _mounts())
    if kind:
        yield _judged(kind)


def _judged(kind: str) -> Finding:
    if kind in _REMOTE:
        return Finding("file system", FAIL, f"{kind} is a network file system", "move the store to a local disk")
    if kind != "fuseblk" and kind.startswith(_UNSURE):
        advice = "if it is shared with another machine, move the store to a local disk"
        return Finding("file system", WARN, f"{kind} may be a network file system", advice)
    return Finding("file system", OK, kind)


def file_system(path: str, mounts: str) -> str:
    """The kind of file system that a path is on, by the text of /proc/self/mountinfo."""
    best, kind = "", ""
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        if not after or len(fields := before.split()) < 5:
            continue
        point = fields[4].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
        inside = path == point or path.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, after.split()[0]
    return kind


def _mounts() -> str:
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _settings(home: str, environment: Mapping[str, str]) -> Iterator[Finding]:
    config = load(home, environment)
    usual = config._field_defaults
    changed = [
        f"{name} = {'(set)' if name in SECRETS else repr(_address(value))}"
        for name, value in config._asdict().items()
        if value != usual[name] and not (name in ("llm_base_url", "llm_model") and config.model)  # said by `model`
    ]
    yield Finding("settings", OK, ", ".join(changed) or "all as by default")
    embedder = embedder_named(config.embedder, config.embedder_key)
    yield Finding("embedder", OK, embedder.name if embedder else "none: recall goes by words alone")
    model = llm.llm_named(config)  # refuses an address that makes no sense
    if config.agent is not None:
        yield _agent_asked(model)
        return
    yield _endpoint_asked(config)


def _endpoint_asked(config: Config) -> Finding:
    """Whether somebody listens at the address of the model. Only this machine is asked."""
    if not config.llm:
        return Finding("model", OK, "none: nothing needs one")
    said = f"{config.llm_model} at {config.llm_base_url}"
    place = urlsplit(config.llm_base_url)
    if checked(config.llm_base_url)[1]:
        try:
            socket.create_connection((place.hostname, place.port or 80), _SECONDS).close()
        except OSError:
            return Finding(
                "model", WARN, f"{said}: nothing answers there", "start it, or `treering config set model ''`"
            )
    return Finding("model", OK, said)


def _agent_asked(model: object) -> Finding:
    """Whether the agent that the settings name as the model can be started."""
    if model is None:
        return Finding(
            "model", WARN, "the agent that should be asked is not found", "install it, or `config set model`"
        )
    return Finding("model", OK, f"{getattr(model, 'name', '')}, your own agent: `treering stats` has what it was asked")


def _address(value: object) -> object:
    """A setting without what an address may hold before its host: a name and a password."""
    if isinstance(value, dict):
        return {name: _address(one) for name, one in value.items()}
    if not isinstance(value, str) or "@" not in value or "://" not in value:
        return value
    return f"{value.partition('://')[0]}://…@{value.rpartition('@')[2]}"


def _kept(home: str, environment: Mapping[str, str]) -> Iterator[Finding]:
    config = load(home, environment)
    address = config.store_of(config.space)
    return _team(address, config.space) if address else _store(os.path.join(home, FILE_NAME))


def _team(address: str, space: str) -> Iterator[Finding]:
    """A database that a team shares, and one space of it."""
    from treering.stores.postgres.look import figures

    held = figures(address, space)
    yield Finding("store", OK, f"{held.place}, space {space}, PostgreSQL {held.server}, as {held.role}")
    advice = "connect as a role without SUPERUSER and BYPASSRLS: see docs/postgres.md" if held.unwalled else ""
    said = "the role can see every space" if held.unwalled else "row-level security shows this space alone"
    yield Finding("walls", WARN if held.unwalled else OK, said, advice)
    yield Finding("contents", OK, f"{held.events:,} events, {held.memories:,} memories")
    yield _ready(held.unprofiled)
    said = "something purged is still in the tables" if held.erasing else "nothing waits to be erased"
    yield Finding("erasure", WARN if held.erasing else OK, said, "run `treering maintain`" if held.erasing else "")


def _store(path: str) -> Iterator[Finding]:
    if not os.path.exists(path):
        yield _absent(path)
        return
    sizes = f"{_size(_length(path))}, log {_size(_length(path + '-wal'))}"
    held = figures(path, SHOWN_FAULTS)
    yield Finding("store", OK, f"{path}, {sizes}, schema {held.version} of {schema.VERSION}")
    yield from _contents(held)
    yield from _missing(path)
    yield _erasure(path)


def _absent(path: str) -> Finding:
    """Tell a store that was never made from one that is gone."""
    lost = sum(head.seq for head in Acknowledged(path).read().values())
    if not lost:
        return Finding("store", OK, "not there yet: the first memory makes it")
    advice = f"restore a backup or import an export; delete {path}{SUFFIX} to begin anew"
    return Finding("store", FAIL, f"{path} is gone, and {lost:,} events were in it", advice)


def _missing(path: str) -> Iterator[Finding]:
    """Tell which acknowledged events are not there any more, or that nobody can know."""
    if Acknowledged(path).look()[1]:
        found = "this folder was put back from a copy: what was written after that is not here"
        yield Finding("restored", WARN, found, "is there a newer one? What is written from now on has another writer")
    with closing(SqliteStore(path)) as store:
        for problem in store.missing():
            said, _, advice = problem.partition(": ")
            yield Finding("ledger", FAIL, said, advice)


def _contents(held: Figures) -> Iterator[Finding]:
    faults, waiting = held.faults, held.unprofiled
    advice = "keep a copy, then restore a backup or import an export" if faults else ""
    yield Finding("integrity", FAIL if faults else OK, "; ".join(faults) or "sound at a quick look", advice)
    yield Finding("contents", OK, f"{held.events:,} events, {held.memories:,} memories")
    yield _ready(waiting)


def _ready(waiting: int) -> Finding:
    found = f"{waiting:,} memories are found by their words only, until `treering maintain`"
    return Finding("recall", OK, found if waiting else "all memories are ready")


def _matters(home: str, environment: Mapping[str, str]) -> Iterator[Finding]:
    """What waits for a person to decide."""
    from treering.compose import stored

    path, config = os.path.join(home, FILE_NAME), load(home, environment)
    address = config.store_of(config.space)
    if not address and not os.path.exists(path):
        return
    store = stored(path, address, config.space)
    try:
        standing = len(claims.asked(claims.contradictions(store, config.space)))
        waiting = sum(last - first + 1 for _, first, last in claims.pending(store))
        due = len(claims.to_confirm(store, config.space, config.confirm_days, now()))
        proposed = sum(case.status == PENDING for case in cases(store, config.space).values())
        changed = credit.changed(store, config.space)
    finally:
        store.close()
    said = f"{standing:,} stand" if standing else "none stand"
    said += f", {waiting:,} events not looked at yet" if waiting else ""
    yield Finding("contradictions", OK, said, "`treering review` goes through them" if standing else "")
    said = f"{due:,} wait to be confirmed" if due else "none wait to be confirmed"
    yield Finding("invariants", OK, said, "`treering review` goes through them" if due else "")
    said = f"{proposed:,} wait for you" if proposed else "none wait for you"
    yield Finding("proposals", OK, said, "`treering review` goes through them" if proposed else "")
    for skill, why in changed.items():
        yield Finding("skills", WARN, f"{skill} was {why}", "see whether that was you, before an agent loads it")


def _syncs(home: str) -> Iterator[Finding]:
    """The machines that share this memory, and what is still to be erased there."""
    from treering.compose import open
    from treering.ledger.sync.state import FILE

    if not os.path.exists(os.path.join(home, FILE)):
        return
    with open(home) as memory:
        for sync in memory.sync.list():
            last = f"synced {format_time(sync.synced)}" if sync.synced else "never synced"
            said = f"{sync.where}: {f'the last try failed: {sync.problem}' if sync.problem else last}"
            advice = "`treering sync` tries again" if sync.problem else ""
            yield Finding("sync", WARN if sync.problem else OK, said, advice)
        for waiting in memory.sync.unerased():
            yield Finding("sync", WARN, waiting, "`treering sync` carries it on")


def _hooks(home: str) -> Iterator[Finding]:
    """How long the hooks took, and what went wrong in them."""
    yield from _queue(home)
    every = noted(home)
    yield from _went_wrong(home, every)
    runs = [run for run in every if run.event != "tend"]
    if not runs:
        yield Finding("hooks", OK, "none has run here")
        return
    took = sorted(run.took for run in runs)
    middle, slow = (took[min(int(len(took) * part), len(took) - 1)] / MILLISECOND for part in (0.5, 0.95))
    said = f"{len(runs):,} runs, {middle:.0f} ms in the middle, {slow:.0f} ms at the 95th percentile"
    yield Finding("hooks", OK, f"{said}, beside the start of Python")


def _went_wrong(home: str, runs: Sequence[HookRun]) -> Iterator[Finding]:
    wrong = [run for run in runs if run.problem]
    if wrong:
        last = wrong[-1]
        found = f"{len(wrong):,} went wrong, the last one ({last.event}, {format_time(last.time)}): {last.problem}"
        advice = f"the agent was not disturbed; all of them are in {os.path.join(home, JOURNAL)}"
        yield Finding("hook errors", WARN, found, advice)


def _queue(home: str) -> Iterator[Finding]:
    """Yield what hooks have queued, and nobody could take in."""
    path = os.path.join(home, FILE_NAME)
    beside = ", some in files beside the store" if spooled(home) else ""
    if not os.path.exists(path):
        if beside:
            found = "hooks have left events, and there is no store yet: `treering maintain` makes it"
            yield Finding("queue", OK, found)
        return
    held = figures(path, SHOWN_FAULTS)
    waiting = f"{held.queued:,} events of hooks wait to be taken in{beside}"
    yield Finding("queue", OK, waiting if held.queued or beside else "all events of hooks are taken in")
    if held.failed:
        found = f"{held.failed:,} events of hooks could not be understood"
        yield Finding("queue errors", WARN, found, "please report it")


def _agents(home: str, environment: Mapping[str, str]) -> Iterator[Finding]:
    """Which agents have this memory, and whether what they run is still there."""
    states = [one for one in state(home, environment) if one.found or one.installed]
    if not any(one.installed or one.plugin for one in states):
        advice = "run `treering install all`" if states else ""
        yield Finding("agents", OK, "none has this memory", advice)
    for one in states:
        if one.installed:
            yield Finding(one.agent, WARN if one.problems else OK, ", ".join(one.parts()))
        if one.plugin:
            yield _plugin(one, environment)
        for problem in one.problems:
            yield Finding(one.agent, WARN, problem, "`treering status` has the details")


def _plugin(one: State, environment: Mapping[str, str]) -> Finding:
    """How the plugin stands: it runs our programs by name, and offers what `treering install` offers too."""
    from shutil import which

    missing = [name for name in (HOOK, TREERING) if which(name, path=environment.get("PATH", "")) is None]
    if missing:
        advice = "put its folder on the PATH, or disable the plugin and run `treering install claude-code`"
        return Finding(one.agent, WARN, f"the plugin is enabled, but the PATH lacks {' and '.join(missing)}", advice)
    if one.installed:
        advice = "disable the plugin, or run `treering uninstall claude-code`"
        return Finding(one.agent, WARN, "the plugin is enabled as well: its skills and tools are listed twice", advice)
    return Finding(one.agent, OK, "by the plugin: hooks, MCP server, skills and commands")


def _erasure(path: str) -> Finding:
    """What a purge could not finish, as others had the store open, is finished here."""
    store = SqliteStore(path)
    try:
        finished = store.scrub()
    finally:
        store.close()
    if finished:
        return Finding("erasure", OK, "nothing that was purged is left on the disk")
    found = "what was purged is still in the log, which another process holds"
    return Finding("erasure", WARN, found, "close that program and run this again")


def _length(path: str) -> int:
    return os.stat(path).st_size if os.path.exists(path) else 0


def _size(count: int) -> str:
    for unit, size in (("GB", 1_000 * MB), ("MB", MB), ("kB", 1_000)):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count} bytes"
