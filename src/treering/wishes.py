"""From the arguments of `remember` to events decided on: checked, guarded, and said what was redacted."""

from __future__ import annotations

from treering.core.decide import Remember, remember
from treering.core.errors import InvalidInput, TreeringError
from treering.guard import clean
from treering.moment import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from treering.core.events import Draft
    from treering.core.types import Context

OPTIONS = tuple(name for name in Remember._fields if name not in ("redacted", "place", "row"))
_TEXTS = frozenset(name for name in OPTIONS if name not in ("tags", "invariant", "at"))


def drafts(rows: Iterable[Mapping[str, Any]], context: Context, limit: int) -> list[Draft]:
    """The events that remembering the rows amounts to."""
    found = []
    for number, row in enumerate(rows, 1):
        try:
            found.append(remember(wish(row, limit), context))
        except TreeringError as error:
            if number == 1:
                raise
            raise type(error)(f"row {number}: {error}") if type(error) is InvalidInput else error from None
    return found


def wish(row: Mapping[str, Any], limit: int, place: str = "", id: str = "") -> Remember:
    """One row, with every text cleaned."""
    given: dict[str, Any] = {"content": "", "place": place, "row": id}
    changes: tuple[str, ...] = ()
    for name, value in row.items():
        if value is None or value == "":
            continue
        if name in _TEXTS:
            given[name], changed = clean(_checked(name, value, str, "a text"), limit)
            changes += changed
        elif name == "tags":
            cleaned = [clean(tag, limit) for tag in _tags(value)]
            given[name] = tuple(tag.text for tag in cleaned)
            changes += tuple(change for tag in cleaned for change in tag.changes)
        elif name == "invariant":
            given[name] = _checked(name, value, bool, "true or false")
        elif name == "at":
            given[name] = read(value)
        else:
            raise InvalidInput(f"remember has no option {name!r}{_nearest(name)}")
    if changes:
        given["redacted"] = tuple(dict.fromkeys(changes))
    return Remember(**given)


def _tags(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, (list, tuple, set, frozenset)) and all(isinstance(tag, str) for tag in value):
        return tuple(value)
    raise InvalidInput(f"tags must be a list of texts, not {value!r}")


def _checked(name: str, value: Any, kind: type, words: str) -> Any:
    if not isinstance(value, kind):
        raise InvalidInput(f"{name} must be {words}, not {value!r}")
    return value


def _nearest(name: object) -> str:
    from difflib import get_close_matches

    near = get_close_matches(str(name), OPTIONS, 1)
    return f": did you mean {near[0]!r}?" if near else f"; it takes {', '.join(OPTIONS)}"
