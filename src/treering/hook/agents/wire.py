"""JSON for a process that lives for some milliseconds.

`import json` brings `re` and `enum` with it, which costs a fresh process half as much again as starting the
interpreter. They serve what is not needed here: indenting, and explaining what is wrong. The C half does the rest.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


_LARGEST = 1.7976931348623157e308  # the largest float


class _Plain:
    """What the scanner asks for: numbers as numbers, objects as dictionaries, and None for NaN and the infinities."""

    strict = False  # a raw line break within a text is no reason to lose a prompt
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int

    @staticmethod
    def parse_constant(name: str) -> None:
        return None


def read(text: str) -> object:
    """The value of a JSON text. ValueError when it is none, RecursionError when it is nested a thousand times."""
    text = text.strip().lstrip("\ufeff").lstrip()  # shells of Windows put a mark in front of what they pipe
    try:
        value, end = _scanner()(text, 0)
        if end == len(text):
            return value
    except (ImportError, StopIteration, SystemError):  # the C half cannot tell what is wrong without the other
        pass
    import json

    return json.loads(text, strict=False)


def written(value: object) -> str:
    """A JSON text of dictionaries, lists, texts, numbers, booleans and None: all that a hook says."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if -_LARGEST <= value <= _LARGEST else "null"  # JSON has no infinities
    if isinstance(value, str):
        return _quoted()(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{written(str(key))}: {written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(written, value)) + "]"
    raise TypeError(f"A hook does not say a {type(value).__name__}.")


def _scanner() -> Callable[[str, int], tuple[Any, int]]:
    from _json import make_scanner

    found: Callable[[str, int], tuple[Any, int]] = make_scanner(_Plain)  # type: ignore[arg-type]  # any object with these attributes will do
    return found


def _quoted() -> Callable[[str], str]:
    try:
        from _json import encode_basestring_ascii as quoted
    except ImportError:
        from json.encoder import py_encode_basestring_ascii as quoted
    found: Callable[[str], str] = quoted
    return found
