"""Whether an answer has the shape that was asked for.

Of JSON Schema, what our questions use: objects of texts, of lists of texts and of further objects. It is stricter than
the standard where that is on the safe side: an object has no fields beyond those named, a text is of one line that can
be read, and what no bound is given for has one all the same.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

LONGEST_TEXT = 2_000  # characters, for a schema that gives no maxLength: more than a line that anybody reads
MOST_ITEMS = 50  # for one that gives no maxItems


def misfit(value: object, schema: Mapping[str, Any], where: str = "the answer") -> str:
    """What is wrong with a value, in words that repeat nothing of it; nothing, if it fits."""
    return _KINDS[schema["type"]](value, schema, where)


def texts(value: object) -> Iterator[str]:
    """All that a value says."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)


def _object(value: object, schema: Mapping[str, Any], where: str) -> str:
    if not isinstance(value, dict):
        return f"{where} is no object"
    fields = schema["properties"]
    if missing := [name for name in schema.get("required", ()) if name not in value]:
        return f"{where} lacks {', '.join(missing)}"
    if not fields.keys() >= value.keys():
        return f"{where} has fields beyond {', '.join(fields)}"
    return next(filter(None, (misfit(value[name], fields[name], name) for name in value)), "")


def _array(value: object, schema: Mapping[str, Any], where: str) -> str:
    if not isinstance(value, list):
        return f"{where} is no list"
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", MOST_ITEMS):
        return f"{where} has {len(value)} items"
    return next(filter(None, (misfit(item, schema["items"], f"an item of {where}") for item in value)), "")


def _string(value: object, schema: Mapping[str, Any], where: str) -> str:
    if not isinstance(value, str):
        return f"{where} is no text"
    if not value.isprintable():
        return f"{where} has more than one line, or characters that cannot be seen"
    if len(value) > schema.get("maxLength", LONGEST_TEXT):
        return f"{where} has {len(value):,} characters, which is too many"
    if len(value.strip()) < schema.get("minLength", 0):
        return f"{where} says too little"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is none of {', '.join(schema['enum'])}"
    return ""


_KINDS = {"object": _object, "array": _array, "string": _string}
