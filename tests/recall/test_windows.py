"""The times that queries speak of."""

from __future__ import annotations

from math import exp, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.ledger.clock import format_time, parse_time
from treering.ledger.codec import LATEST
from treering.recall.query.calendar import DAY, Window, closeness
from treering.recall.query.dates import windows

NOW = parse_time("2024-10-16T15:00:00Z")  # a Wednesday
ANY_TEXT = st.text(st.characters(codec=None))
SIZE = 100_000  # characters


def named(query: str) -> list[str]:
    """Windows as texts: "8/15" comes back every year; days and full hours without their zeros."""
    return [
        f"{window.month}/{window.day}" if window.month else f"{short(window.start)} {short(window.end)}"
        for window in windows(query, NOW)
    ]


def short(moment: int) -> str:
    return (
        format_time(moment).removesuffix("Z").removesuffix(":00").removesuffix("T00:00") if moment <= LATEST else "end"
    )


@pytest.mark.parametrize(
    ("query", "window"),
    [
        ("what broke 3 days ago", "2024-10-12T12:00 2024-10-14T12:00"),
        ("a week ago", "2024-10-05T12:00 2024-10-13T12:00"),
        ("a couple of weeks ago", "2024-09-28T12:00 2024-10-06T12:00"),
        ("three weeks back", "2024-09-21T12:00 2024-09-29T12:00"),
        ("an hour ago", "2024-10-16T13:30 2024-10-16T14:30"),
        ("the last 3 weeks", "2024-09-25 2024-10-16T15:00"),
        ("in the past few days", "2024-10-13 2024-10-16T15:00"),
        ("in the past 6 hours", "2024-10-16T09:00 2024-10-16T15:00"),
        ("last week", "2024-10-02 2024-10-16T15:00"),
        ("this week", "2024-10-09 2024-10-16T15:00"),
        ("last weekend", "2024-10-02 2024-10-16T15:00"),
        ("last year's plan", "2022-10-16T12:00 2024-10-16T15:00"),
        ("last Saturday", "2024-10-12 2024-10-13"),
        ("last Wednesday", "2024-10-09 2024-10-10"),
        ("this Wednesday", "2024-10-16 2024-10-17"),
        ("yesterday", "2024-10-15 2024-10-16"),
        ("today?", "2024-10-16 2024-10-17"),
        ("the day before yesterday", "2024-10-14 2024-10-15"),
        ("this morning", "2024-10-16 2024-10-17"),
        ("last night", "2024-10-15T12:00 2024-10-16T12:00"),
        ("last May", "2024-05-01 2024-06-01"),
        ("last November", "2023-11-01 2023-12-01"),
    ],
)
def test_times_seen_from_now(query: str, window: str) -> None:
    """They are as wide as people are loose: half a unit to either side, twice a unit for the last one."""
    assert named(query) == [window]


@pytest.mark.parametrize(
    ("query", "window"),
    [
        ("on 15 August 2023", "2023-08-15 2023-08-16"),
        ("August 15, 2023", "2023-08-15 2023-08-16"),
        ("Aug. 15th 2023", "2023-08-15 2023-08-16"),
        ("the 15th of August 2023", "2023-08-15 2023-08-16"),
        ("since when? 2023-08-15", "2023-08-15 2023-08-16"),
        ("2023-08-15T10:00:00Z", "2023-08-15 2023-08-16"),
        ("2023/08/15", "2023-08-15 2023-08-16"),
        ("9999-12-31", "9999-12-31 end"),
        ("2023-08", "2023-08-01 2023-09-01"),
        ("(August 2023)", "2023-08-01 2023-09-01"),
        ("december of 2023", "2023-12-01 2024-01-01"),
        ("March last year", "2023-03-01 2023-04-01"),
        ("in August", "8/0"),
        ("August 15", "8/15"),
        ("15 august", "8/15"),
        ("29 February", "2/29"),
        ("in may", "5/0"),
        ("the March deadline", "3/0"),
        ("in 2023", "2023-01-01 2024-01-01"),
        ("Q3 2024", "2024-07-01 2024-10-01"),
        ("2024 Q2", "2024-04-01 2024-07-01"),
        ("early April 2023", "2023-04-01 2023-05-01"),
        ("mid-April 2023", "2023-04-01 2023-05-01"),
        ("at the end of April 2023", "2023-04-01 2023-05-01"),
        ("late 2022", "2022-01-01 2023-01-01"),
        ("the summer of 2023", "2023-01-01 2024-01-01"),
    ],
)
def test_times_of_the_calendar(query: str, window: str) -> None:
    """Months and days without a year come back in every year."""
    assert named(query) == [window]


@pytest.mark.parametrize(
    ("query", "window"),
    [
        ("since March", "2024-03-01 2024-10-16T15:00"),
        ("since November", "2023-11-01 2024-10-16T15:00"),
        ("since Monday", "2024-10-14 2024-10-16T15:00"),
        ("since last week", "2024-10-02 2024-10-16T15:00"),
        ("before 2024", "0001-01-01 2024-01-01"),
        ("until 2023", "0001-01-01 2024-01-01"),
        ("after 2023-05-01", "2023-05-02 2024-10-16T15:00"),
        ("between May and July 2024", "2024-05-01 2024-08-01"),
        ("between November and February 2024", "2023-11-01 2024-03-01"),
        ("between May 2023 and July", "2023-05-01 2023-08-01"),
        ("between May and July", "2024-05-01 2024-08-01"),
        ("from 2021 to 2023", "2021-01-01 2024-01-01"),
        ("the week before 16 November 2023", "2023-11-09 2023-11-16"),
        ("two weeks before August 11, 2023", "2023-07-24T12:00 2023-08-01T12:00"),
        ("three days after 2024-03-01", "2024-03-03T12:00 2024-03-05T12:00"),
    ],
)
def test_times_before_after_and_between(query: str, window: str) -> None:
    """What is open towards the future ends now; what has no year is the last one."""
    assert named(query) == [window]


@pytest.mark.parametrize(
    "query",
    [
        *("this may break", "3 may be enough", "it may 3 times fail", "May we merge?", "march on", "the march of time"),
        *("the last step", "last minute change", "a second ago", "the second day", "previous version", "past tense"),
        *("error 2023", "port 2023", "version 2023.1", "CVE-2023-08", "order 2023-99", "build 20230815", "3.11.4"),
        *("in 2000 ms", "after 2048 requests", "on 2000 nodes", "v1-2-3"),
        *("31 February", "30 February 2024", "29 Feb 2023", "2023-02-30", "0000-01-01", "since 2030", "0 March"),
        *("99999999 years ago", "9999 years ago", "last 99999999 years", "hex to dec", "What did Jan say to June?"),
        *("", "between", "since", "before the", "last", "early", "mid-mid-May", "\ud800 ago"),
    ],
)
def test_what_only_looks_like_a_time_is_none(query: str) -> None:
    """Verbs, names, versions, ports and numbers; days that no year has; years that nobody can write down."""
    assert named(query) == []


def test_a_comma_ends_a_date() -> None:
    """Only a year may follow one."""
    assert named("in March, 15 people left") == ["3/0"]


def test_a_query_may_name_several_times() -> None:
    """In its order."""
    assert named("yesterday or in August 2023") == ["2024-10-15 2024-10-16", "2023-08-01 2023-09-01"]


@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("what was on 15.08.2023?", ["2023-08-15"]),
        ("2.1.2024", ["2024-01-02"]),
        ("on 8/15/2023", ["2023-08-15"]),
        ("15/08/2023 or 15-08-2023", ["2023-08-15", "2023-08-15"]),
        ("on 01/02/2024", ["2024-02-01", "2024-01-02"]),
        ("31.02.2024, 13/13/2024, 1.2.24, 10.0.2024.1, 300.1.2024", []),
    ],
)
def test_dates_in_numbers(query: str, days: list[str]) -> None:
    """With points the day comes first. Otherwise either may: a date that can be read in two ways is both."""
    assert [window.split()[0] for window in named(query)] == days


def test_closeness_falls_with_the_distance() -> None:
    """1 inside, by e for each half of the window outside, on both sides."""
    week = [Window(NOW, NOW + 8 * DAY)]
    assert closeness(week, NOW) == closeness(week, NOW + 7 * DAY) == 1
    assert isclose(closeness(week, NOW - 4 * DAY), exp(-1))
    assert isclose(closeness(week, NOW + 16 * DAY), exp(-2))
    assert closeness([], NOW) == 0


def test_the_nearest_window_counts() -> None:
    """A memory has to be close to one of them only."""
    far, near = Window(0, DAY), Window(NOW, NOW + DAY)
    assert closeness([far, near], NOW) == closeness([near, far], NOW) == 1


def test_an_open_window_does_not_hold_what_lies_beyond_it() -> None:
    """Half of "before 2024" is a thousand years: its edge would be no edge."""
    assert closeness(windows("before 2024", NOW), parse_time("2025-01-01")) < 0.2


def test_a_month_without_a_year_comes_back() -> None:
    """Every August is close; January is as far as from the nearest one."""
    august = windows("in August", NOW)
    assert closeness(august, parse_time("2011-08-31")) == closeness(august, parse_time("2024-08-01")) == 1
    assert closeness(august, parse_time("2023-01-15")) < 0.01
    assert 0.5 < closeness(august, parse_time("2023-09-05")) < 1


def test_the_turn_of_the_year_is_no_wall() -> None:
    """The first of January is near the last of December."""
    assert closeness(windows("31 December", NOW), parse_time("2024-01-01T01:00:00Z")) > 0.8


@given(ANY_TEXT, st.integers())
def test_no_text_and_no_clock_raises(text: str, now: int) -> None:
    """Not even a clock that stands outside of all years."""
    assert 0 <= closeness(windows(text, now), now) <= 1


PIECES = st.sampled_from(
    """since before after between from to and until the of in early mid-May end last this past recent 3 31 99999 2023
    0001-01-01 9999-12-31 1900 2099 May March February monday winter Q3 years days hour ago back few couple a year
    yesterday night , .""".split()
)


@given(st.lists(PIECES, max_size=12), st.sampled_from([NOW, 0, LATEST, -62_135_596_800_000_000]))
def test_any_mixture_of_times_gives_windows_in_the_years_that_exist(pieces: list[str], now: int) -> None:
    """Each begins before it ends, in the years 1 to 9999, or is a day that some year has."""
    for window in windows(" ".join(pieces), now):
        if window.month:
            assert 1 <= window.month <= 12 and 0 <= window.day <= 31
        else:
            assert -62_135_596_800_000_000 <= window.start < window.end <= LATEST + 1
        assert 0 <= closeness([window], now) <= 1


@pytest.mark.parametrize("unit", ["mid ", "early of ", "since ", "between ", "May and ", "9", "a couple of ", "-", "."])
def test_a_long_query_ends(unit: str) -> None:
    """However often it begins a time."""
    assert len(windows(unit * (SIZE // len(unit)), NOW)) <= 16
