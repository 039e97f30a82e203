"""What this machine knows of its syncs: where they are, their keys, and how far each has come. A file of the home."""

from __future__ import annotations

import os

import msgspec

from treering.ledger.errors import InvalidInput, StoreDamaged, StoreUnavailable
from treering.ledger.sync.machines import Machine
from treering.stores.files import open_own, sync_folder

FILE = "sync.json"


class Sync(msgspec.Struct, frozen=True):
    """A sync of this machine."""

    name: str
    where: str  # a folder, ssh:HOST:FOLDER or git:REMOTE
    id: str  # of the shared folder
    secret: str  # in hexadecimal
    machine: str = ""  # what this machine is called in the folder
    sealed: bool = False
    synced: int = 0  # when it was last done, in microseconds
    tried: int = 0  # when it was last tried
    problem: str = ""  # why the last try failed
    purged: tuple[str, ...] = ()  # the purges that the folder has carried out
    segments: tuple[str, ...] = ()  # what was there then, each read and checked
    machines: tuple[Machine, ...] = ()  # as they told of themselves, this one among them


class Syncs:
    """The file that tells them."""

    def __init__(self, home: str) -> None:
        self.path = os.path.join(home, FILE)

    def all(self) -> list[Sync]:
        """Return every sync, by name."""
        try:
            with open(open_own(self.path, os.O_RDONLY), "rb") as file:
                return sorted(_decode(file.read()), key=lambda one: one.name)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreUnavailable(
                f"{self.path} cannot be read ({error.strerror}): check the disk, and that it is a file"
            ) from error
        except (msgspec.DecodeError, ValueError):
            raise StoreDamaged(f"{self.path} is damaged: delete it and `treering sync add` each place again") from None

    def get(self, name: str) -> Sync:
        """Return a sync by its name or its place."""
        known = self.all()
        for one in known:
            if name in (one.name, one.where):
                return one
        names = ", ".join(one.name for one in known) or "there is none yet: treering sync add FOLDER"
        raise InvalidInput(f"there is no sync {name!r}: {names}")

    def put(self, sync: Sync) -> None:
        """Keep a sync, instead of the one of its name."""
        self._write([*(one for one in self.all() if one.name != sync.name), sync])

    def remove(self, sync: Sync) -> None:
        self._write([one for one in self.all() if one.name != sync.name])

    def _write(self, syncs: list[Sync]) -> None:
        draft = f"{self.path}.{os.getpid()}.part"
        with open(open_own(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY), "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(syncs), indent=1))
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, self.path)
        sync_folder(os.path.dirname(self.path))


_decode = msgspec.json.Decoder(list[Sync]).decode
