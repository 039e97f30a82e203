"""The lines of a transcript, however it is damaged, and the fields of a line."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from hashlib import blake2b

import msgspec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, BinaryIO

LONGEST = 8 << 20  # bytes of a line: only pasted images and whole files are longer, and they tell nothing
_PIECE = 1 << 16  # bytes of a longer line that are passed over at a time
_FINEST = 16  # hex digits of a made-up id: two lines of one file never share them
_MICROSECOND = 1_000_000
LONGEST_TEXT = 200  # characters of what was tried, and of an error
# A place to read on from is small whatever it holds: a text may need so many bytes for each character that it may have
# at most, and one of rare characters is cut to as many as surely fit.
_BYTES, _MOST_BYTES = 1.3, 4

# Each value is left as it stands until somebody asks for it: most of a transcript is output that nobody asks for.
_taken_apart = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError)


def lines(file: BinaryIO, offset: int) -> Iterator[tuple[bytes | None, int]]:
    """The whole lines of a file from an offset on, each with the offset behind it; None for one that is too long. A
    last line without its end is still being written, and left out."""
    file.seek(offset)
    while line := file.readline(LONGEST):
        offset += len(line)
        whole = line.endswith(b"\n")
        if not whole and len(line) == LONGEST:
            while not whole and (rest := file.readline(_PIECE)):
                offset += len(rest)
                whole = rest.endswith(b"\n")
            line = b""
        if not whole:
            return
        yield (line or None), offset


class Line:
    """One line. Asked for a field that is missing, damaged or of another type, it gives an empty one."""

    __slots__ = ("_fields",)

    def __init__(self, fields: dict[str, msgspec.Raw]) -> None:
        self._fields = fields

    def value(self, name: str) -> Any:
        raw = self._fields.get(name)
        return None if raw is None else _value(bytes(raw))

    def text(self, name: str) -> str:
        value = self.value(name)
        return value if isinstance(value, str) else ""

    def says(self, name: str) -> bool:
        """Whether a field is true. Anything else, such as the text "false", is not."""
        return self.value(name) is True

    @property
    def id(self) -> str:
        """Its own, or one made of what stands there."""
        if id := self.text("uuid"):
            return id
        made = blake2b(b"\n".join(bytes(raw) for raw in self._fields.values()), digest_size=_FINEST // 2)
        return f"line-{made.hexdigest()}"

    @property
    def time(self) -> int:
        return moment(self.text("timestamp"))


def line(written: bytes) -> Line | None:
    """A line, or None if it is not JSON or no object."""
    try:
        return Line(_taken_apart(written))
    except _UNREADABLE:
        pass
    try:
        return Line(_taken_apart(_repaired(written)))
    except _UNREADABLE:
        return None


def _value(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except _UNREADABLE:
        pass
    try:
        return msgspec.json.decode(_repaired(raw))
    except _UNREADABLE:
        return None


def _repaired(written: bytes) -> bytes:
    """JSON with question marks for bytes that are not UTF-8, and for halves of characters that somebody cut in two."""
    value = json.loads(written.decode("utf-8-sig", "replace"))
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def moment(text: str) -> int:
    """Microseconds since 1970, or 0 if the text is no time."""
    try:
        told = datetime.fromisoformat(text)
        told = told if told.tzinfo else told.replace(tzinfo=UTC)
        since = told - datetime.fromtimestamp(0, UTC)
    except (ValueError, OverflowError):
        return 0
    return max(0, (since.days * 86_400 + since.seconds) * _MICROSECOND + since.microseconds)


def blocks(content: Any) -> list[dict[str, Any]]:
    """The blocks of a message. Content that is one text is one block of text."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def spoken(content: Any) -> str:
    """All texts of a message or a result, below each other."""
    return "\n".join(texts(content))


def texts(content: Any) -> list[str]:
    found = (block.get("text") for block in blocks(content) if block.get("type") == "text")
    return [text for text in found if isinstance(text, str)]


def short(text: str, most: int = LONGEST_TEXT) -> str:
    """A text in one line, without what a terminal would obey."""
    head = text[: 4 * most]
    if not head.isprintable():
        head = "".join(letter if letter.isprintable() else " " for letter in head)
    line = " ".join(head.split())
    cut = line if len(line) <= most and len(text) <= len(head) else line[: most - 1] + "…"
    return cut if len(msgspec.json.encode(cut)) <= _BYTES * most else cut[: int(_BYTES * most) // _MOST_BYTES]
