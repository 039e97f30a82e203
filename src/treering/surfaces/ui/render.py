"""Templates: text is only ever text, and moments, numbers and words look alike everywhere."""

from __future__ import annotations

import os
from collections.abc import Mapping
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


def day(moment: str | int) -> str:
    """Return a moment as a day and a time to the minute."""
    text = format_time(moment) if isinstance(moment, int) else moment
    return text[:16].replace("T", " ")


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
_ENVIRONMENT.filters |= {"day": day, "line": line, "percent": percent}
_ENVIRONMENT.globals |= {"counted": counted, "with_query": with_query, "drawing": drawing, "picture": neighbourhood}
