"""Which machines share a folder, and how far each has come: by this `doctor` tells where a purge has not arrived."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable
from hashlib import sha256

import msgspec

from treering.ledger.sync.exchange import Shared
from treering.ledger.sync.keys import NONCE_BYTES
from treering.ledger.sync.places import Place
from treering.ledger.sync.segments import Damaged

_NAME = re.compile(r"([a-z0-9]{1,40})-(\d{1,17})\.machine")
_PROOF_BYTES = 32


class Machine(msgspec.Struct, frozen=True):
    """A machine, as it told of itself when it last synced."""

    id: str  # drawn when it was paired
    host: str
    time: int  # by its own clock, in microseconds
    heads: dict[str, int]  # up to which event of each writer it has taken in

    def has(self, event: str) -> bool:
        """Tell whether the machine has taken in an event."""
        writer, _, number = event.rpartition("-")
        return self.heads.get(writer, 0) >= int(number)


def tell(shared: Shared, machine: Machine) -> None:
    """Leave word in the folder of how far a machine has come, instead of its last word."""
    body = msgspec.json.encode(machine)
    name = f"{machine.id}-{machine.time}.machine"
    old = _words(shared.place, machine.id)
    data = shared.key.seal(body, _nonce(name), name.encode())
    shared.place.write(name, data + shared.key.proof(name.encode(), data))
    for one in old:
        if one != name:
            shared.place.delete(one)


def withdraw(place: Place, machine: str) -> None:
    """Take the word of a machine back that shares the folder no more."""
    for name in _words(place, machine):
        place.delete(name)


def _words(place: Place, machine: str) -> list[str]:
    return [name for name in place.names() if (found := _NAME.fullmatch(name)) and found[1] == machine]


def machines(shared: Shared, names: Iterable[str]) -> list[Machine]:
    """Return the machines that have told of themselves. What the key does not prove is passed over."""
    found: dict[str, Machine] = {}
    for name in sorted(names):
        if _NAME.fullmatch(name) and (one := _read(shared, name)):
            known = found.get(one.id)
            found[one.id] = one if known is None or one.time > known.time else known
    return [*found.values()]


def _read(shared: Shared, name: str) -> Machine | None:
    try:
        whole = shared.place.read(name)
    except (FileNotFoundError, Damaged):
        return None
    data, proof = whole[:-_PROOF_BYTES], whole[-_PROOF_BYTES:]
    if not hmac.compare_digest(proof, shared.key.proof(name.encode(), data)):
        return None
    return msgspec.json.decode(shared.key.unseal(data, _nonce(name), name.encode()), type=Machine)


def _nonce(name: str) -> bytes:
    """Return the nonce of a word: its name is never used twice by one machine, and the time is in it."""
    return sha256(name.encode()).digest()[:NONCE_BYTES]
