"""Values of a key-value store as texts and back, and whether one fits a filter."""

from __future__ import annotations

import json

from treering.core.errors import InvalidInput
from treering.foreign.names import named, tag
from treering.foreign.texts import row, text_of
from treering.guard import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from treering.core.types import Memory

_FIELD = "field"  # the label of the only field of a value that is one text
_TEXT = "text"  # what the field is called if a person has put a text in the place of a value
_COMPARED: dict[str, Callable[[float, float], bool]] = {
    "$gt": float.__gt__,
    "$gte": float.__ge__,
    "$lt": float.__lt__,
    "$lte": float.__le__,
}


def row_of(value: Mapping[str, Any], title: str, limit: int, *tags: str) -> dict[str, Any]:
    """A value as arguments of `remember`. One that is a single text is kept as that, which reads better than JSON."""
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise InvalidInput(f"a value is a mapping with texts as keys, not {value!r}")
    if len(value) == 1:
        ((field, text),) = value.items()
        if isinstance(text, str):
            return row(text, title, *tags, tag(_FIELD, field))
    try:
        written = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"a value must be JSON: {error}") from None
    kept = clean(written, limit)
    if _read(kept.text) is None:
        raise InvalidInput(f"a value holds what is never stored ({', '.join(kept.changes)}): leave it out")
    return row(kept.text, title, *tags)


def value_of(memory: Memory) -> dict[str, Any]:
    """The value that a memory keeps."""
    text, field = text_of(memory), named(memory, _FIELD)
    if field is not None:
        return {field: text}
    found = _read(text)
    return {_TEXT: text} if found is None else found


def _read(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def fits(value: object, wanted: object) -> bool:
    """Whether a value is what a filter wants: the same, as large as its operators say, or alike in all of its keys."""
    if isinstance(wanted, dict):
        if any(key.startswith("$") for key in wanted):
            return all(_compares(value, operator, limit) for operator, limit in wanted.items())
        return isinstance(value, dict) and all(fits(value.get(key), inner) for key, inner in wanted.items())
    if isinstance(wanted, list | tuple):
        same = isinstance(value, list | tuple) and len(value) == len(wanted)
        return same and all(fits(one, inner) for one, inner in zip(value, wanted, strict=True))  # type: ignore[call-overload]
    return value == wanted


def _compares(value: Any, operator: str, limit: Any) -> bool:
    if operator in ("$eq", "$ne"):
        return bool((value == limit) == (operator == "$eq"))
    if operator not in _COMPARED:
        raise InvalidInput(f"unknown operator {operator!r}: there are $eq, $ne, {', '.join(_COMPARED)}")
    try:
        return _COMPARED[operator](float(value), float(limit))
    except (TypeError, ValueError):
        return False  # what is not there, or no number, is neither more nor less
