"""Read JSON with comments and trailing commas, each value with its place in the text.

A draft is a text that is edited by splices, which lead back to the text before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from treering.ledger.errors import TreeringError


class NotUnderstood(TreeringError):
    """A file that is not written as its format wants it: it is left alone."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {why}" if line else why)


class Splice(NamedTuple):
    """A piece of a text in the place of another."""

    at: int
    old: str
    new: str


class Draft:
    """A text, and each step that was taken with it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.steps: list[Splice] = []

    def splice(self, start: int, end: int, new: str) -> None:
        self.steps.append(Splice(start, self.text[start:end], new))
        self.text = self.text[:start] + new + self.text[end:]

    @property
    def newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"


def back(text: str, steps: Sequence[Splice]) -> str | None:
    """Return the text before these steps; None if they do not lead here."""
    for at, old, new in reversed(steps):
        if text[at : at + len(new)] != new:
            return None
        text = text[:at] + old + text[at + len(new) :]
    return text


def line_of(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


OBJECT, ARRAY, SCALAR = "object", "array", "scalar"
DEEPEST = 200  # containers in containers with comments in them; no settings come near
_KEPT = 8  # texts whose reading is kept: a plan looks at one and the same again and again

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+)
    |(?P<comment>//[^\r\n]*|/\*.*?\*/)
    |(?P<string>"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*")
    |(?P<mark>[{}\[\],:])
    |(?P<word>[^\s{}\[\],:"/]+)""",
    re.VERBOSE | re.DOTALL,
)
_CLOSES = {"{": "}", "[": "]"}
_KINDS = {"{": OBJECT, "[": ARRAY}
_decode = json.JSONDecoder().raw_decode


class Part(NamedTuple):
    """A member of an object, or an item of an array."""

    key: str  # nothing for an item
    start: int  # of the key, or of the item
    node: Node
    comma: int  # where the one behind it stands; -1 for none


class Node:
    """A value. What plain JSON can be is read by the decoder of the library, and its parts only if they are wanted: the
    settings of an agent may have megabytes."""

    def __init__(self, text: str, start: int, end: int, known: Any, parts: tuple[Part, ...] | None = None) -> None:
        self.kind = _KINDS.get(text[start], SCALAR)
        self.start = start
        self.end = end
        self._text = text
        self._known = known
        self._parts = parts if self.kind != SCALAR else ()

    @property
    def parts(self) -> tuple[Part, ...]:
        if self._parts is None:
            self._parts = _Reader(self._text, self.start).container(0)[0]
        return self._parts

    @property
    def value(self) -> Any:
        """Return what it says, without its places. Not to be changed."""
        if self._known is _UNKNOWN:
            values = [part.node.value for part in self.parts]
            keys = [part.key for part in self.parts]
            self._known = dict(zip(keys, values, strict=True)) if self.kind == OBJECT else values
        return self._known

    def part(self, key: str) -> Part | None:
        """Return the member of a name. Of two, the last one counts, as for those who read the file."""
        return next((part for part in reversed(self.parts) if part.key == key), None)


_UNKNOWN = object()


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


@lru_cache(_KEPT)
def read(text: str) -> Node | None:
    """Return the value that a text consists of; None if there is none, as in an empty file."""
    reader = _Reader(text, 1 if text[:1] == "\ufeff" else 0)
    root = reader.value(0) if reader.now.text else None
    if reader.now.text:
        raise reader.error("something follows behind the end")
    return root


def plain(node: Node | None) -> Any:
    """Return what a value says; None if there is none."""
    return None if node is None else node.value


def trivia(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Yield the comments between two places, with their places."""
    for found in _TOKEN.finditer(text, start, end):
        if found.lastgroup == "comment":
            yield found.group(), found.start(), found.end()


class _Reader:
    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self.now = self._token(at)

    def value(self, depth: int) -> Node:
        token = self.now
        if token.kind not in ("string", "word") and token.text not in _CLOSES:
            raise self.error(f"a value is missing before {token.text!r}" if token.text else "it ends too early")
        try:
            known, end = _decode(self._text, token.start)
            parts = None
        except (ValueError, RecursionError):
            if token.text not in _CLOSES:
                raise self.error(f"{token.text[:40]!r} is no value") from None
            parts, end = self.container(depth)
            known = _UNKNOWN
        self.now = self._token(end)
        return Node(self._text, token.start, end, known, parts)

    def container(self, depth: int) -> tuple[tuple[Part, ...], int]:
        """Return the parts of a container, and where it ends."""
        if depth > DEEPEST:
            raise self.error(f"it is more than {DEEPEST} levels deep")
        closes, parts = _CLOSES[self.now.text], []
        self._next()
        while self.now.text != closes:
            start = self.now.start
            key = self._key() if closes == "}" else ""
            node, comma = self.value(depth + 1), -1
            if self.now.text == ",":
                comma = self.now.start
                self._next()
            elif self.now.text != closes:
                raise self.error(f"a comma or {closes} is missing" if self.now.text else "it ends too early")
            parts.append(Part(key, start, node, comma))
        return tuple(parts), self.now.end

    def error(self, why: str) -> NotUnderstood:
        return NotUnderstood(why, line_of(self._text, self.now.start))

    def _key(self) -> str:
        token = self.now
        if token.kind != "string":
            raise self.error("a name in double quotes is missing" if token.text else "it ends too early")
        try:
            key = json.loads(token.text)
        except ValueError:
            raise self.error(f"{token.text[:40]!r} is no name") from None
        self._next()
        if self.now.text != ":":
            raise self.error("a colon is missing")
        self._next()
        return str(key)

    def _next(self) -> None:
        self.now = self._token(self.now.end)

    def _token(self, at: int) -> _Token:
        """Return the next token that means something; an empty one at the end."""
        text = self._text
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise NotUnderstood(f"{text[at : at + 20].splitlines()[0]!r} is not JSON", line_of(text, at))
            at, kind = found.end(), str(found.lastgroup)
            if kind not in ("space", "comment"):
                return _Token(kind, found.group(), found.start(), at)
        return _Token("end", "", at, at)
