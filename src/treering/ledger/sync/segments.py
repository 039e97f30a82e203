"""Segments: runs of one writer's events in a file that is proved by the shared key.

    {"treering-sync":1,"folder":…,"writer":…,"first":…,"last":…,"nonce":…,"size":…}   one line
    the events as lines of an export, compressed, and encrypted if the folder is        `size` bytes
    a proof of all that                                                                32 bytes

The name tells the writer, the first and the last number, how the last link of the chain begins, and how the
content begins that only the key can tell. So a name stands for one content, for ever.
"""

from __future__ import annotations

import hmac
import re
import zlib
from collections.abc import Sequence
from typing import NamedTuple

from treering.ledger.codec import decode, encode, from_line, to_line
from treering.ledger.errors import InvalidInput, TreeringError
from treering.ledger.events import Event
from treering.ledger.sync.keys import NONCE_BYTES, Key

FORMAT = 1
MOST_EVENTS = 5_000  # of one segment: a reader holds one at a time
LARGEST = 64_000_000  # bytes of a segment's file: five thousand long events, and no film
_DELETE = "delete it there, and a machine that has its events writes them again"
_LONGEST_HEADER = 1_000  # bytes
_PROOF_BYTES = 32
_NAME = re.compile(r"([a-z0-9]{1,40})-(\d{1,15})-(\d{1,15})-([0-9a-f]{16})-([0-9a-f]{16})\.events")


_SHAPE = {"treering-sync": int, "folder": str, "nonce": str, "size": int}


class _Header(NamedTuple):
    folder: str
    nonce: str
    size: int


class Damaged(TreeringError):
    """A file of a shared folder that nobody with the key has written as it is."""


class Unfinished(TreeringError):
    """A file of a shared folder that has not arrived whole."""


class Segment(NamedTuple):
    """What the name of a segment tells."""

    writer: str
    first: int
    last: int
    link: str  # how the chain of the last event begins, in hexadecimal
    content: str  # how a keyed digest of the events begins

    @property
    def name(self) -> str:
        return f"{self.writer}-{self.first}-{self.last}-{self.link}-{self.content}.events"


def parse_name(name: str) -> Segment | None:
    """Return the segment that a file's name stands for; None for another file."""
    found = _NAME.fullmatch(name)
    if found is None or not 1 <= int(found[2]) <= int(found[3]):
        return None
    return Segment(found[1], int(found[2]), int(found[3]), found[4], found[5])


def link_of(event: Event) -> str:
    """Return how the link of an event begins, as names tell it."""
    return event.chain.hex()[:16]


def pack(events: Sequence[Event], folder: str, key: Key, chance: bytes) -> tuple[Segment, bytes]:
    """Return the segment of a run of one writer's events, and its file."""
    lines = b"".join(to_line(event) + b"\n" for event in events)
    first, last = events[0], events[-1]
    content = key.proof(b"content", lines).hex()[:16]
    segment = Segment(first.writer, first.seq, last.seq, link_of(last), content)
    nonce = chance[:NONCE_BYTES]
    body = key.seal(zlib.compress(lines), nonce, segment.name.encode())
    header = encode({"treering-sync": FORMAT, "folder": folder, "nonce": nonce.hex(), "size": len(body)}).encode()
    return segment, header + b"\n" + body + key.proof(segment.name.encode(), header, body)


def unpack(segment: Segment, data: bytes, folder: str, key: Key) -> list[Event]:
    """Return the events of a segment's file, after it has proved that it was written with the key."""
    header, ended, rest = data.partition(b"\n")
    if not ended and len(header) < _LONGEST_HEADER:
        raise Unfinished(f"{segment.name} is not whole yet")
    told = _header(segment, header)
    if len(rest) < told.size + _PROOF_BYTES:
        raise Unfinished(f"{segment.name} is not whole yet")
    body, proof = rest[: told.size], rest[told.size :]
    if told.folder != folder or not hmac.compare_digest(proof, key.proof(segment.name.encode(), header, body)):
        raise Damaged(f"{segment.name} was not written with the key of this sync, or was changed since: {_DELETE}")
    lines = zlib.decompress(key.unseal(body, bytes.fromhex(told.nonce), segment.name.encode())).splitlines()
    return _checked(segment, [from_line(line) for line in lines])


def _header(segment: Segment, header: bytes) -> _Header:
    try:
        told = decode(header)
    except InvalidInput:
        raise Damaged(f"{segment.name} is no segment of a sync: delete it there") from None
    if not isinstance(told, dict) or any(not isinstance(told.get(name), kind) for name, kind in _SHAPE.items()):
        raise Damaged(f"{segment.name} is no segment of a sync: delete it there")
    if told["treering-sync"] != FORMAT:
        raise Damaged(f"{segment.name} was written by a newer Treering: upgrade this one")
    return _Header(told["folder"], told["nonce"], told["size"])


def _checked(segment: Segment, events: list[Event]) -> list[Event]:
    numbers = [event.seq for event in events]
    if numbers != [*range(segment.first, segment.last + 1)] or any(e.writer != segment.writer for e in events):
        raise Damaged(f"{segment.name} does not hold the events that its name tells")
    if link_of(events[-1]) != segment.link:
        raise Damaged(f"{segment.name} ends with another event than its name tells")
    return events
