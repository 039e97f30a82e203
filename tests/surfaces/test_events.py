"""The events keep their stored names, and the fields of their payloads."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.ledger.frozen import EXPORT
from tests.surfaces.shapes import gone, snapshot

PAGE = Path(__file__).parents[2] / "docs" / "events.md"  # written from the code, and tested to be up to date
KNOWN: dict[str, list[str]] = snapshot("events")


def documented() -> dict[str, list[str]]:
    """Return each kind of event with its fields, a star behind those that are always there."""
    found = {}
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        name, _, rest = section.partition("\n")
        rows = re.findall(r"^\| `(\w+)` \| (?:[^:|]*?(, always there))?[:|]?", rest, re.MULTILINE)
        found[name] = [field + ("*" if always else "") for field, always in rows]
    return found


def test_no_kind_of_event_is_renamed() -> None:
    """A stored name carries its version: a new shape gets a new name beside it."""
    assert gone(KNOWN, documented()) == []


def test_no_field_is_renamed_and_no_old_event_lacks_one() -> None:
    """A field may be added; one that was not always there stays so, as there are events without it."""
    now = documented()
    for kind, fields in KNOWN.items():
        plain = {field.rstrip("*") for field in now[kind]}
        assert gone([field.rstrip("*") for field in fields], plain) == [], kind
        assert gone([field for field in now[kind] if field.endswith("*")], fields) == [], kind


def test_the_snapshot_knows_what_is_stored() -> None:
    """Every event of the stored ledger has a kind and fields that are in it."""
    events = [json.loads(line) for line in EXPORT.read_text(encoding="utf-8").splitlines()[1:-1]]
    assert {event["kind"] for event in events} == {name for name in KNOWN if name.endswith(".v1")}
    for event in events:
        fields = {field.rstrip("*") for field in KNOWN[event["kind"]]}
        assert gone(event, KNOWN["Every event"]) == [] and gone(event.get("payload") or {}, fields) == []
