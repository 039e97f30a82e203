"""Events as bytes: the canonical payload, its digest, the chain, and the line of an export."""

from __future__ import annotations

from hashlib import sha256

import msgspec

from treering.core.clock import LATEST
from treering.core.errors import InvalidInput
from treering.core.events import REMEMBERED, UPCASTERS, Draft, Event, upcast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from treering.core.events import Data

_encode = msgspec.json.Encoder(order="sorted").encode
_decode = msgspec.json.Decoder().decode


def encode(data: object) -> str:
    """One text for one value, always the same."""
    return _encode(data).decode()


def decode(text: str | bytes) -> Any:
    """The value of a JSON text."""
    try:
        return _decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise InvalidInput(f"not JSON: {error}") from None


def data_of(event: Event) -> tuple[str, Data]:
    """The kind and payload of an event in their newest version."""
    data: Data = _decode(event.payload) if event.payload is not None else {}
    return upcast(event.kind, data) if event.kind in UPCASTERS else (event.kind, data)


def fingerprint(value: object) -> int:
    """A number for a value: among a million values, the odds that two share one are 1 in 10^7."""
    return int.from_bytes(sha256(_encode(value)).digest()[:8]) >> 1


def digest(salt: bytes, payload: str) -> bytes:
    return sha256(salt + payload.encode()).digest()


_HEADER = Event._fields.index("digest")
_HEADER_TEXT = "%s\n" * _HEADER


def link(previous: bytes, header: tuple[Any, ...], digest: bytes) -> bytes:
    """The next link of the chain: over everything but the payload, for which its digest stands.

    The header is all that stands before the digest in an event. None of it has a line break.
    """
    text = _HEADER_TEXT % (*header[:-1], " ".join(header[-1]))
    return sha256(previous + text.encode() + digest).digest()


def stamp(draft: Draft, writer: str, seq: int, previous: bytes, clock: int, time: int, salt: bytes) -> Event:
    """Give a decided event its place in the ledger, behind the previous link of its writer's chain."""
    kind, payload, actor, space, project, session, subject, causes, _ = draft
    if kind == REMEMBERED:
        subject = f"{writer}-{seq}"
    header = (writer, seq, clock, time, kind, actor, space, project, session, subject, causes)
    told = digest(salt, payload)
    return Event(*header, told, link(previous, header, told), salt, payload)


def intact(event: Event, previous: bytes) -> str:
    """What is wrong with an event that should follow a link; nothing, if it is as it was written."""
    if event.payload is not None and digest(event.salt or b"", event.payload) != event.digest:
        return "its payload does not match its digest"
    if link(previous, event[:_HEADER], event.digest) != event.chain:
        return "it does not fit the chain"
    return ""


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    """An event as a line of an export. The payload stays as it was written, byte for byte."""

    writer: str
    seq: int
    clock: int
    time: int
    kind: str
    actor: str
    space: str
    project: str
    session: str
    subject: str
    causes: list[str]
    digest: str
    chain: str
    salt: str | None
    payload: msgspec.Raw


_read_line = msgspec.json.Decoder(_Line).decode
# A clock may be above the latest time by as much as events can have counted it up.
_ROOM = 2**40


def to_line(event: Event) -> bytes:
    """An event as a line of an export."""
    return _encode(
        _Line(
            *event[:10],
            list(event.causes),
            event.digest.hex(),
            event.chain.hex(),
            event.salt.hex() if event.salt is not None else None,
            msgspec.Raw(event.payload.encode() if event.payload is not None else b"null"),
        )
    )


def from_line(text: bytes) -> Event:
    """An event from a line of an export, with every field checked."""
    try:
        line = _read_line(text)
        proofs = [bytes.fromhex(proof) for proof in (line.digest, line.chain, line.salt or "")]
        told = bytes(line.payload).decode()
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"not an event: {error}") from None
    _check_header(line)
    payload = told if told != "null" else None
    if (payload is None) != (line.salt is None):
        raise InvalidInput("payload and salt come together")
    if payload is not None:
        from treering.core.schemas import check_data  # a table of all there is: only whoever imports needs it

        check_data(*upcast(line.kind, decode(payload)))
    header = [getattr(line, name) for name in Event._fields[: _HEADER - 1]]
    salt = proofs[2] if line.salt is not None else None
    return Event._make([*header, tuple(line.causes), proofs[0], proofs[1], salt, payload])


def _check_header(line: _Line) -> None:
    if not line.writer.isalnum() or line.seq < 1:
        raise InvalidInput("not a valid event id")
    if not 0 <= line.clock <= LATEST + _ROOM or not -LATEST <= line.time <= LATEST:
        raise InvalidInput("the time of the event is out of range")
    texts = (line.kind, line.actor, line.space, line.project, line.session, line.subject, *line.causes)
    if not all(text.isprintable() for text in texts):
        raise InvalidInput("a name has characters that cannot be shown")
    if any(" " in cause for cause in line.causes):
        raise InvalidInput("causes must be event ids")
    if line.kind == REMEMBERED and line.subject != f"{line.writer}-{line.seq}":
        raise InvalidInput("a memory must have the id of the event that made it")
