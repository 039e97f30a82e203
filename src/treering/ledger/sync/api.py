"""The facet `memory.sync`: share a memory with other machines of the same person."""

from __future__ import annotations

import hmac
import os
import platform
import re
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import NamedTuple

import msgspec

from treering.ledger.codec import decode, encode
from treering.ledger.errors import InvalidInput, StoreBusy, TreeringError
from treering.ledger.sync.exchange import Exchanged, Past, Progress, Shared, exchange, purges
from treering.ledger.sync.keys import SALT_BYTES, SECRET_BYTES, Key, check_given, from_code, from_passphrase
from treering.ledger.sync.machines import Machine, machines, tell, withdraw
from treering.ledger.sync.places import MARKER, Folder, Unreachable, make_folder, ours
from treering.ledger.sync.remote import Git, Ssh
from treering.ledger.sync.segments import FORMAT, Damaged
from treering.ledger.sync.state import Sync, Syncs
from treering.ledger.workspace import Workspace
from treering.stores.files import release, take

_LOCK = "sync.lock"
_MIRRORS = "sync"  # the folder, in the home, of mirrors
_ID_BYTES = 8
_WORD = re.compile(r"\w[\w.-]*")  # of a name, which is that of a folder too


class Foreign(InvalidInput):
    """A folder that belongs to another memory."""


class Result(NamedTuple):
    """What became of one sync."""

    sync: Sync
    done: Exchanged | None  # None if it failed
    problem: str = ""


Results = list[Result]  # by another name, as `list` is a method below


class MachineSync:
    """Share this memory with other machines, through folders, ssh and git."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        if not workspace.home:
            raise InvalidInput("a memory that no file holds cannot be shared: open one in a folder")
        self._syncs = Syncs(workspace.home)

    def list(self) -> list[Sync]:
        """Return the syncs of this machine."""
        return self._syncs.all()

    def add(self, where: str, *, name: str = "", key: str = "", passphrase: str = "") -> Sync:
        """Share this memory through a place. One that is new gets a key; one that is shared already asks for its key.

        With a passphrase a new place is encrypted, and the passphrase is its key.
        """
        where, known = _whole(where), self.list()
        if same := next((one for one in known if one.where == where), None):
            raise InvalidInput(f"{where} is shared already: `treering sync {same.name}` does it")
        taken = {one.name for one in known}
        sync = Sync(_named(name, taken) if name else _short(where, taken), where, "", "", os.urandom(_ID_BYTES).hex())
        place = self._place(sync)
        check_given(key, passphrase)
        if type(place) is Folder and not key:
            make_folder(place.path)
        with place.changing():
            if MARKER in ours(place.names(), where):
                made = _paired(sync, place.read(MARKER), key, passphrase)
            elif key:
                raise Foreign(f"{where} is not shared yet: has it arrived here? To share it anew, leave out --key")
            else:
                made = _founded(sync, place, passphrase)
        self._syncs.put(made)
        return made

    def remove(self, name: str) -> Sync:
        """Stop sharing through a place. What lies there stays, for the other machines; a mirror of it here goes."""
        sync = self._syncs.get(name)
        with suppress(TreeringError, OSError), (place := self._place(sync)).changing():
            withdraw(place, sync.machine)
        self._syncs.remove(sync)
        shutil.rmtree(self._mirror(sync), ignore_errors=True)
        return sync

    def get(self, name: str) -> Sync:
        """Return a sync by its name or its place."""
        return self._syncs.get(name if any(name == one.name for one in self.list()) else _whole(name))

    def run(self, name: str = "", progress: Progress = lambda done: None) -> Results:
        """Sync one place, or all. One that fails changes nothing, says why, and keeps no other from it."""
        chosen = [self.get(name)] if name else self.list()
        with self._alone():
            return [self._one(sync, progress) for sync in chosen]

    def unerased(self) -> Iterator[str]:
        """Yield where something that was purged is still to be erased."""
        known = purges(self._workspace.ledger)
        for sync in self.list():
            if waiting := len(known - {*sync.purged}):
                yield f"{_left(waiting)} still in {sync.where}: run `treering sync`"
            for machine in sync.machines:
                late = [purge for purge in sync.purged if not machine.has(purge)]
                if late:
                    yield f"{_left(len(late))} still on {machine.host}, until it syncs with {sync.where}"

    def _one(self, sync: Sync, progress: Progress) -> Result:
        now = self._workspace.now()
        try:
            shared = Shared(self._place(sync), sync.id, Key(bytes.fromhex(sync.secret), sync.sealed))
            done, told = self._exchange(shared, sync, progress)
        except (TreeringError, OSError) as error:
            problem = f"{error.filename or sync.where}: {error.strerror}" if isinstance(error, OSError) else str(error)
            failed = msgspec.structs.replace(sync, tried=now, problem=problem)
            self._syncs.put(failed)
            return Result(failed, None, problem)
        known = tuple(sorted(purges(self._workspace.ledger)))
        made = msgspec.structs.replace(
            sync, synced=now, tried=now, problem="", purged=known, segments=done.segments, machines=told
        )
        self._syncs.put(made)
        return Result(made, done)

    def _exchange(self, shared: Shared, sync: Sync, progress: Progress) -> tuple[Exchanged, tuple[Machine, ...]]:
        ledger, now = self._workspace.ledger, self._workspace.now()
        with shared.place.changing():
            if MARKER not in shared.place.names():
                raise Unreachable(f"{sync.where} is empty: is it mounted? If it was deleted, remove and add it again")
            _check(sync, shared.key, _marker(shared.place.read(MARKER)))
            done = exchange(ledger, shared, Past(sync.purged, sync.segments), progress)
            heads = {writer: head.seq for writer, head in ledger.store.heads().items()}
            if done.received or done.sent or done.erased or not sync.synced:
                tell(shared, Machine(sync.machine, platform.node(), now, heads))
            told = tuple(machines(shared, shared.place.names()))
        ledger.store.scrub()  # what was purged elsewhere is erased here too
        return done, told

    def _place(self, sync: Sync) -> Folder:
        mirror = self._mirror(sync)
        kind, _, rest = sync.where.partition(":")
        if kind == "ssh":
            host, _, folder = rest.partition(":")
            return Ssh(host, folder, mirror, self._workspace.config.sync_ssh)
        return Git(rest, mirror) if kind == "git" else Folder(sync.where)

    def _mirror(self, sync: Sync) -> str:
        return os.path.join(self._workspace.home, _MIRRORS, sync.name)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        path = os.path.join(self._workspace.home, _LOCK)
        if not take(path):
            raise StoreBusy("another process is syncing: wait until it is done")
        try:
            yield
        finally:
            release(path)


def _whole(where: str) -> str:
    """Return a place as it is written everywhere: a folder by its whole path."""
    if where.startswith(("ssh:", "git:")):
        return where
    if not where or "\0" in where:
        raise InvalidInput("name a folder, ssh:HOST[:FOLDER] or git:REMOTE")
    return os.path.abspath(os.path.expanduser(where))


def _short(where: str, taken: Collection[str]) -> str:
    """Return a name for a place that none has: the last word of it, with a number if need be."""
    words = [word.removesuffix(".git") for word in _WORD.findall(where)]
    name = words[-1] if words else "sync"
    more = (f"{name}-{number}" for number in count(2))
    return name if name not in taken else next(one for one in more if one not in taken)


def _named(name: str, taken: Collection[str]) -> str:
    if not _WORD.fullmatch(name):
        raise InvalidInput(f"{name!r} is no name for a sync: letters, digits, dots and dashes are, a letter first")
    if name in taken:
        raise InvalidInput(f"there is a sync {name!r} already: choose another --name")
    return name


def _founded(sync: Sync, place: Folder, passphrase: str) -> Sync:
    """Make a place a shared folder, and return its sync."""
    salt = os.urandom(SALT_BYTES) if passphrase else b""
    if passphrase:
        made = from_passphrase(passphrase, salt)
        made.seal(b"", bytes(12), b"")  # the library is there, or this says how to get it
    else:
        made = Key(os.urandom(SECRET_BYTES))
    id = os.urandom(_ID_BYTES).hex()
    told = {"treering-sync": FORMAT, "id": id, "salt": salt.hex(), "proof": made.proof(id.encode()).hex()}
    place.write(MARKER, encode(told).encode())
    return msgspec.structs.replace(sync, id=id, secret=made.secret.hex(), sealed=made.sealed)


def _paired(sync: Sync, data: bytes, key: str, passphrase: str) -> Sync:
    """Return the sync of a folder that is shared already, for whoever has its key."""
    told = _marker(data)
    salt = bytes.fromhex(told["salt"])
    if salt and not passphrase:
        raise Foreign(f"{sync.where} is encrypted: give its passphrase")
    if not salt and not key:
        raise Foreign(f"{sync.where} is shared already: give its key, `treering sync list --key` prints it where it is")
    made = from_passphrase(passphrase, salt) if salt else from_code(key)
    known = msgspec.structs.replace(sync, id=told["id"], secret=made.secret.hex(), sealed=made.sealed)
    _check(known, made, told)
    return known


def _check(sync: Sync, key: Key, told: dict[str, str]) -> None:
    right = hmac.compare_digest(bytes.fromhex(told["proof"]), key.proof(sync.id.encode()))
    if told["id"] != sync.id or not right:
        raise Foreign(f"{sync.where} belongs to another memory, or the key is wrong: nothing was taken in")


def _marker(data: bytes) -> dict[str, str]:
    try:
        told = decode(data)
        version, texts = told["treering-sync"], {name: told[name] for name in ("id", "salt", "proof")}
        [bytes.fromhex(text) for text in texts.values()]
    except (InvalidInput, KeyError, TypeError, ValueError):
        raise Damaged(f"{MARKER} is damaged: it is no shared folder of Treering, or was changed") from None
    if version != FORMAT:
        raise Damaged(f"{MARKER} was written by a newer Treering: upgrade this one")
    return texts


def _left(count: int) -> str:
    return "1 purged memory is" if count == 1 else f"{count:,} purged memories are"
