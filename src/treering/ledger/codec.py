"""Encode events as bytes: payload, digest, chain, clock, and the lines of an export; draft new ones."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec

from treering.ledger.errors import InvalidInput
from treering.ledger.events import REMEMBERED, UPCASTERS, Data, Draft, Event, upcast
from treering.ledger.types import ACTORS, Context, one_of

LATEST = 253_402_300_799_999_999  # the last microsecond of the year 9999: what can be written down


def tick(last: int, now: int) -> int:
    """Return the next moment: the wall clock, or just after the last event seen if that is later.

    So an event sorts behind everything that its writer knew, even when the wall clock jumps back or
    an event from a machine years ahead was imported.
    """
    return max(now, last + 1)


_encode = msgspec.json.Encoder(order="sorted").encode
_decode = msgspec.json.Decoder().decode


def encode(data: object) -> str:
    """Return the one canonical JSON text for a value."""
    return _encode(data).decode()


def decode(text: str | bytes) -> Any:
    try:
        return _decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise InvalidInput(f"not JSON: {error}") from None


def data_of(event: Event) -> tuple[str, Data]:
    """Return the kind and payload of an event in their newest version."""
    data: Data = _decode(event.payload) if event.payload is not None else {}
    return upcast(event.kind, data) if event.kind in UPCASTERS else (event.kind, data)


def fingerprint(value: object) -> int:
    """Return a number for a value: among a million, the odds that two share one are 1 in 10^7."""
    return int.from_bytes(sha256(_encode(value)).digest()[:8]) >> 1


def digest(salt: bytes, payload: str) -> bytes:
    return sha256(salt + payload.encode()).digest()


_HEADER = Event._fields.index("digest")
_HEADER_TEXT = "%s\n" * _HEADER


def link(previous: bytes, header: tuple[Any, ...], digest: bytes) -> bytes:
    """Return the next link of the chain: over everything but the payload, whose digest stands for
    it.

    The header is all that precedes the digest in an event. None of it has a line break.
    """
    text = _HEADER_TEXT % (*header[:-1], " ".join(header[-1]))
    return sha256(previous + text.encode() + digest).digest()


def stamp(draft: Draft, writer: str, seq: int, previous: bytes, clock: int, time: int, salt: bytes) -> Event:
    """Give a decided event its place in the ledger, behind the previous link of its writer's chain."""
    kind, payload, actor, space, project, session, subject, causes, _ = draft
    if kind == REMEMBERED:
        subject = f"{writer}-{seq}"
    header = (writer, seq, clock, time, kind, actor, space, project, session, subject, causes)
    proof = digest(salt, payload)
    return Event(*header, proof, link(previous, header, proof), salt, payload)


def intact(event: Event, previous: bytes) -> str:
    """Return what is wrong with an event that should follow a link; empty if nothing is."""
    if event.payload is not None and digest(event.salt or b"", event.payload) != event.digest:
        return "its payload does not match its digest"
    if link(previous, event[:_HEADER], event.digest) != event.chain:
        return "it does not fit the chain"
    return ""


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    """A line of an export. The payload stays as it was written, byte for byte."""

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
    """Encode an event as a line of an export."""
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
    """Decode a line of an export, checking every field."""
    try:
        line = _read_line(text)
        proofs = [bytes.fromhex(proof) for proof in (line.digest, line.chain, line.salt or "")]
        said = bytes(line.payload).decode()
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"not an event: {error}") from None
    _check_header(line)
    payload = said if said != "null" else None
    if (payload is None) != (line.salt is None):
        raise InvalidInput("payload and salt come together")
    if payload is not None:
        from treering.ledger.schemas import check_data  # a table of all there is: only whoever imports needs it

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


LONGEST_NAME = 500  # characters of a project, session, space, tag or language: they are names, not texts


def draft(kind: str, data: Data, context: Context, subject: str = "", causes: tuple[str, ...] = ()) -> Draft:
    """Return an event decided in a context."""
    check(context)
    return Draft(kind, encode(data), context.actor, context.space, context.project, context.session, subject, causes)


def check(context: Context) -> None:
    one_of("actor", context.actor, ACTORS)
    check_names(context.space, context.project, context.session)


def check_names(*names: str) -> None:
    """Refuse what is no name: several lines, or a text."""
    for name in names:
        if len(name) > LONGEST_NAME:
            raise InvalidInput(f"a name of {len(name):,} characters is longer than {LONGEST_NAME}: {name[:40]!r}…")
        if name and not name.isprintable():
            raise InvalidInput(f"a name must be one printable line: {name[:40]!r}")


def reasoned(reason: str) -> Data:
    return {"reason": reason} if reason else {}
