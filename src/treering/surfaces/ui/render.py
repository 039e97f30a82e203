"""Templates: text is only ever text, and moments, numbers and words look alike everywhere."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from treering.ledger.clock import format_time
from treering.surfaces.cli.render import counted, line, safe
from treering.surfaces.ui import drawing
from treering.surfaces.ui.picture import neighbourhood

FOLDER = os.path.join(os.path.dirname(__file__), "templates")


def rendered(template: str, data: Mapping[str, Any]) -> str:
    return _ENVIRONMENT.get_template(template).render(data)


def _shown(value: Any) -> Any:
    """Return a value as it is put into a page: what moves a cursor or turns text round is written out."""
    return safe(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def day(at: str | int) -> str:
    """Return the day of a moment, as the person at this machine calls it."""
    then, now = _local(at), datetime.fromtimestamp(time.time()).astimezone()
    past = (now.date() - then.date()).days
    if past in (0, 1):
        return ("today", "yesterday")[past]
    return f"{then.day} {then:%B}" + ("" if then.year == now.year else f" {then.year}")


def moment(at: str | int) -> str:
    """Return a moment as a person says it: the time of day, and the day unless that is today."""
    then, name = _local(at), day(at)
    return f"{then:%H:%M}" if name == "today" else f"{name} {then:%H:%M}"


def _local(at: str | int) -> datetime:
    found = datetime.fromisoformat(format_time(at) if isinstance(at, int) else at)
    try:
        return found.astimezone()
    except OverflowError:  # the first and the last day of the calendar
        return found


def first_up(text: str) -> str:
    """Return a text with a capital at its start."""
    return text[:1].upper() + text[1:]


def percent(share: Mapping[str, Any]) -> str:
    """Return a rate in percent, and a dash for one that is of nothing."""
    return "-" if share["rate"] is None else f"{share['rate']:.1%}"


def with_query(query: Mapping[str, str], **changed: Any) -> str:
    """Return a query with some fields set to other values, or left out where they are empty."""
    kept = {name: value for name, value in {**query, **changed}.items() if value and name != "done"}
    return "?" + urlencode(kept) if kept else "?"


_ENVIRONMENT = Environment(
    loader=FileSystemLoader(FOLDER),
    autoescape=True,
    undefined=StrictUndefined,
    finalize=_shown,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters |= {"day": day, "moment": moment, "line": line, "percent": percent, "first_up": first_up}
_ENVIRONMENT.globals |= {"counted": counted, "with_query": with_query, "drawing": drawing, "picture": neighbourhood}
