"""Moments in and out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.ledger.clock import format_time, parse_time
from treering.ledger.errors import InvalidInput


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_moment_survives_the_way_through_text(moment: datetime) -> None:
    """To the microsecond, in any year."""
    assert parse_time(format_time(parse_time(moment))) == parse_time(moment)


def test_zones_are_understood() -> None:
    """A time without a zone is UTC; one with a zone is that moment."""
    noon = parse_time("2026-05-01T12:00:00Z")
    assert parse_time("2026-05-01T14:00:00+02:00") == noon == parse_time("2026-05-01 12:00")
    assert parse_time(datetime(2026, 5, 1, 14, tzinfo=timezone(timedelta(hours=2)))) == noon
    assert parse_time(noon / 1_000_000) == noon


def test_a_day_as_a_limit_means_its_end() -> None:
    """As of a day includes that day."""
    assert parse_time("2026-05-01", end_of_day=True) == parse_time("2026-05-02") - 1
    assert parse_time("2026-05-01T10:00", end_of_day=True) == parse_time("2026-05-01T10:00")


@pytest.mark.parametrize("given", ["", "soon", "2026-13-01", float("inf"), float("nan"), True, None, [], 1e20])
def test_what_is_not_a_time_is_refused(given: object) -> None:
    """With an example of how to write one."""
    with pytest.raises(InvalidInput):
        parse_time(given)  # type: ignore[arg-type]
