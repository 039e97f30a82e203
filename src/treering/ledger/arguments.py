"""Turn the arguments of `remember` into checked, redacted events."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from treering.ledger.clock import parse_time
from treering.ledger.decide import Remember, remember
from treering.ledger.errors import InvalidInput, TreeringError
from treering.ledger.events import Draft
from treering.ledger.types import Context, Memory
from treering.text.redact import clean

OPTIONS = tuple(name for name in Remember._fields if name not in ("redacted", "place", "row", "identity"))
LONGEST_QUERY = 1_000  # characters that are logged
_LOOKED_AT = 10_000  # and these are cleaned first: half of a secret at the cut would not be known as one
_TEXTS = frozenset(OPTIONS) - {"tags", "invariant", "private", "at", "sources", "confidence", "relevance"}


def storable_context(context: Context, limit: int) -> Context:
    """Return a context whose names may be stored."""
    space, project, session, actor = context
    return Context(storable_name(space, limit), storable_name(project, limit), storable_name(session, limit), actor)


def at_home(context: Context, path: str) -> Context:
    """Return where a text is told that nobody here vouches for: outside of any project, in one named after its file."""
    name = clean(os.path.basename(path)).text.partition(".")[0]
    return context if context.project else context._replace(project=name or "import")


def storable_name(text: str, limit: int) -> str:
    """Return a name or a reason as it may be stored; refuse one that would have to be redacted."""
    if not isinstance(text, str):
        raise InvalidInput(f"expected a text, not {text!r}")
    cleaned, changes = clean(text, limit) if text else ("", ())
    if changes:
        raise InvalidInput(f"a name or reason holds what is never stored ({', '.join(changes)}): leave it out")
    return cleaned


def loggable(query: str) -> str:
    """Return a query as the ledger keeps it: without secrets, and shortened."""
    return clean(query[:_LOOKED_AT], _LOOKED_AT).text[:LONGEST_QUERY]


def drafts(
    rows: Iterable[Mapping[str, Any]], context: Context, limit: int, source: Callable[[str], Memory]
) -> list[Draft]:
    """Return the events that remembering the rows takes. `source` gives a memory by its id."""
    found = []
    for number, row in enumerate(rows, 1):
        try:
            wanted = parse_row(row, limit)
            found.append(remember(wanted, context, [source(id) for id in wanted.sources]))
        except TreeringError as error:
            if number == 1:
                raise
            raise type(error)(f"row {number}: {error}") if type(error) is InvalidInput else error from None
    return found


def parse_row(row: Mapping[str, Any], limit: int, place: str = "", id: str = "") -> Remember:
    """Return one row as checked arguments, with every text cleaned."""
    if not hasattr(row, "items"):
        raise InvalidInput(f"a row must be a mapping of remember's arguments, not {row!r}")
    given: dict[str, Any] = {"content": "", "place": place, "row": id}
    changes: tuple[str, ...] = ()
    for option, value in row.items():
        if value is None or value == "":
            continue
        if option in _TEXTS:
            given[option], changed = clean(_checked(option, value, str, "a text"), limit)
            changes += changed
        elif option == "tags":
            cleaned = [clean(tag, limit) for tag in _words(option, value)]
            given[option] = tuple(tag.text for tag in cleaned)
            changes += tuple(change for tag in cleaned for change in tag.changes)
        elif option in ("invariant", "private"):
            given[option] = _checked(option, value, bool, "true or false")
        elif option == "at":
            given[option] = parse_time(value)
        elif option == "sources":
            given[option] = _words(option, value)
        elif option in ("confidence", "relevance"):
            given[option] = value
        else:
            raise InvalidInput(f"remember has no option {option!r}{_nearest(option)}")
    if changes:
        given["redacted"] = tuple(dict.fromkeys(changes))
    return Remember(**given)


def _words(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, (list, tuple, set, frozenset)) and all(isinstance(tag, str) for tag in value):
        return tuple(value)
    raise InvalidInput(f"{name} must be a list of texts, not {value!r}")


def _checked(name: str, value: Any, kind: type, words: str) -> Any:
    if not isinstance(value, kind):
        raise InvalidInput(f"{name} must be {words}, not {value!r}")
    return value


def _nearest(name: object) -> str:
    from difflib import get_close_matches

    near = get_close_matches(str(name), OPTIONS, 1)
    return f": did you mean {near[0]!r}?" if near else f"; it takes {', '.join(OPTIONS)}"
