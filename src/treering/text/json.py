"""Read and write JSON in a process that is to start quickly.

`import json` loads `re` and `enum`, which costs a fresh process half as much again as starting the
interpreter. So the C half of `json` is used alone; the rest of it only explains errors.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_LARGEST = 1.7976931348623157e308  # the largest float


class _Plain:
    """The attributes that the scanner reads: NaN and infinities become None."""

    strict = False  # accepts raw line breaks within a text: a prompt is not lost for one
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int

    @staticmethod
    def parse_constant(name: str) -> None:
        return None


class _Strict(_Plain):
    strict = True


def read_json(text: str, strict: bool = False) -> object:
    """Return the value of a JSON text. Raise ValueError if it is none, RecursionError if it is
    nested a thousand times. `strict` takes no line breaks within texts."""
    text = text.strip().lstrip("\ufeff").lstrip()  # shells of Windows put a mark in front of what they pipe
    try:
        value, end = _scanner(_Strict if strict else _Plain)(text, 0)
        if end == len(text):
            return value
    except (ImportError, StopIteration, SystemError):  # the C half cannot tell what is wrong without the other
        pass
    import json

    return json.loads(text, strict=strict)


def write_json(value: object) -> str:
    """Return dictionaries, lists, texts, numbers, booleans and None as a JSON text."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if -_LARGEST <= value <= _LARGEST else "null"  # JSON has no infinities
    if isinstance(value, str):
        return _quote()(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{write_json(str(key))}: {write_json(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(write_json, value)) + "]"
    raise TypeError(f"a reply cannot hold a {type(value).__name__}")


def _scanner(how: type[_Plain]) -> Callable[[str, int], tuple[Any, int]]:
    from _json import make_scanner

    found: Callable[[str, int], tuple[Any, int]] = make_scanner(how)  # type: ignore[arg-type]  # any object with these attributes will do
    return found


def _quote() -> Callable[[str], str]:
    try:
        from _json import encode_basestring_ascii as quoted
    except ImportError:
        from json.encoder import py_encode_basestring_ascii as quoted
    found: Callable[[str], str] = quoted
    return found
