"""Text for people."""

from __future__ import annotations

import io
import json
import sys
import time

import pytest

from treering.ledger.types import Memory
from treering.surfaces.cli.render import (
    Page,
    card,
    columns,
    cut,
    line,
    page_of,
    pieces,
    safe,
    table,
    when,
    width,
    wrapped,
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError("a terminal of paper")


def test_files_and_pipes_get_whole_lines_without_colours() -> None:
    """So that `grep` finds what it looks for."""
    assert page_of(io.StringIO(), {"COLUMNS": "60"}) == Page(0, False)


def test_a_terminal_gets_colours_unless_it_wants_none() -> None:
    """NO_COLOR and a dumb terminal are respected."""
    assert page_of(Terminal(), {"COLUMNS": "60"}) == Page(60, True)
    assert page_of(Terminal(), {"COLUMNS": "60", "NO_COLOR": "1"}) == Page(60, False)
    assert page_of(Terminal(), {"COLUMNS": "60", "TERM": "dumb"}) == Page(60, False)
    assert page_of(Terminal(), {"COLUMNS": "3"}).width == 0
    assert page_of(Terminal(), {}).width == 0


def test_text_cannot_play_tricks_on_a_terminal() -> None:
    """Escape sequences and letters that run backwards are made visible."""
    assert safe("\x1b[2J gone \u202e evil \x07") == "\\x1b[2J gone \\u202e evil \\x07"
    assert safe("naïve 世界 \U0001f469\u200d\U0001f4bb\n\tend") == "naïve 世界 \U0001f469\u200d\U0001f4bb\n\tend"
    assert line("two\nlines\tof  text") == "two lines of text"


def test_long_lines_are_broken_between_words() -> None:
    """A word that is too long stands alone, and nothing is lost."""
    text = "one two three fourteen\n  indented line here\nmuchtoolongforthis"
    lines = list(wrapped(text, 10))
    assert all(len(part) <= 10 or " " not in part.strip() for part in lines)
    assert " ".join(" ".join(lines).split()) == " ".join(text.split())
    assert list(wrapped(text, 0)) == text.split("\n")


def test_wide_letters_take_two_columns() -> None:
    """So that what stands below each other does so in every script."""
    assert (width("世界"), width("e\u0301"), width("abc")) == (4, 1, 3)
    assert cut("世界世界", 5) == "世界…"
    assert cut("abcdef", 6) == "abcdef"
    rows = list(columns([("世", "a", "x"), ("ab", "bb", "y")], Page()))
    assert rows == ["世  a   x", "ab  bb  y"]


def test_columns_that_are_empty_take_no_room() -> None:
    """And the last one is cut where the page ends, on a line of its own where the page is narrow."""
    assert list(columns([("1", "", "text")], Page())) == ["1  text"]
    assert list(columns([("1", "a", "word " * 20)], Page(30))) == ["1  a  word word word word wor…"]
    assert list(columns([("1", "a", "word " * 20)], Page(20))) == ["1  a\n  word word word wo…"]
    assert list(columns([], Page())) == []


def test_names_and_values_stand_below_each_other() -> None:
    """Also where a value has several lines."""
    assert list(table([("a", "x"), ("long", "y\nz")], Page())) == ["a     x", "long  y", "      z"]


def test_a_card_leaves_out_what_is_not_known() -> None:
    """Only fields that say something."""
    text = "\n".join(card(Memory("w-1", "content", tags=("a", "b")), Page(), {}))
    assert "tags            a b" in text and "project" not in text and "space" not in text


def test_colours_are_around_words_not_in_them() -> None:
    """A row is as wide with colours as without."""
    (row,) = columns([("1", "a", "text")], Page(40, True))
    assert row == "\033[1m1\033[0m  \033[2ma\033[0m  text"


@pytest.mark.parametrize("items", [[], [1], [1, {"a": "ü"}]])
def test_an_iterator_becomes_an_array(items: list[object]) -> None:
    """Piece by piece, so that it may be long."""
    assert json.loads("".join(pieces(iter(items)))) == items


def test_a_moment_is_local_at_a_terminal_and_utc_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that read lines get one format on every machine."""
    noon = 1_795_000_000_000_000
    assert when(noon) == "2026-11-18 11:06:40Z"
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert when(noon) == time.strftime("%Y-%m-%d %H:%M", time.localtime(noon // 1_000_000))
