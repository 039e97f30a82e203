"""What a person sees at a terminal, and what a pipe gets instead."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from datetime import UTC, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import treering
from tests.surfaces.cli.driving import Program, Terminal
from treering.ledger.clock import parse_time
from treering.ledger.types import Found, Hit, Memory, Recall, Why
from treering.surfaces.cli import view
from treering.surfaces.cli.view import ID, MEANING, NUMBER, TEXT, TIME, Column, bars

NOW = parse_time("2026-05-12T10:00:00Z")
COLUMNS = (Column("id", ID), Column("status", MEANING), Column("when", TIME), Column("memory", TEXT))
LONG = "Run migrations with a lock timeout of 5 s, and never on a Friday afternoon when nobody is there"


class Paper(io.StringIO):
    """A terminal that keeps what is written on it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("NO_COLOR", "FORCE_COLOR", "PAGER", "LESS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    yield
    view.use_plain(False)


def on_paper(what: str | view.View) -> str:
    """Return what is written at a terminal of 60 columns."""
    with redirect_stdout(Paper()) as paper:
        view.show(what)
    return paper.getvalue()


def drawn(what: view.View, width: int) -> list[str]:
    """Return a view as it is drawn on a screen of a width, without colours."""
    console = Console(width=width, record=True, file=io.StringIO(), markup=False, highlight=False)
    for part in what.parts(width):
        console.print(part)
    return [row.rstrip() for row in console.export_text().splitlines()]


@pytest.mark.parametrize(
    ("time", "said"),
    [
        ("2026-05-12T10:00:00Z", "just now"),
        ("2026-05-12T09:59:01Z", "just now"),
        ("2026-05-12T09:59:00Z", "1 min ago"),
        ("2026-05-12T09:00:01Z", "59 min ago"),
        ("2026-05-12T09:00:00Z", "1 h ago"),
        ("2026-05-12T00:00:00Z", "10 h ago"),
        ("2026-05-11T23:59:59Z", "yesterday 23:59"),
        ("2026-05-11T00:00:00Z", "yesterday 00:00"),
        ("2026-05-10T23:59:59Z", "10 May"),
        ("2026-01-01T00:00:00Z", "1 Jan"),
        ("2025-12-31T23:59:59Z", "31 Dec 2025"),
        ("2026-05-12T10:00:59Z", "just now"),
        ("2026-05-12T10:05:00Z", "in 5 min"),
        ("2026-05-13T18:30:00Z", "tomorrow 18:30"),
        ("2027-02-03T00:00:00Z", "3 Feb 2027"),
        ("0001-01-01T00:00:00Z", "1 Jan 1"),
    ],
)
def test_a_time_is_told_as_a_person_tells_it(time: str, said: str) -> None:
    """Minutes and hours while they are few, then the day, then the date, with a year if it is another one."""
    assert view.ago(parse_time(time), NOW, UTC) == said


def test_hours_are_counted_across_midnight_while_they_are_few() -> None:
    """At one in the morning, 23:00 is two hours ago, and the noon before was yesterday."""
    night = parse_time("2026-05-12T01:00:00Z")
    assert view.ago(parse_time("2026-05-11T23:00:00Z"), night, UTC) == "2 h ago"
    assert view.ago(parse_time("2026-05-11T19:00:01Z"), night, UTC) == "5 h ago"
    assert view.ago(parse_time("2026-05-11T19:00:00Z"), night, UTC) == "yesterday 19:00"


def test_days_begin_at_local_midnight() -> None:
    """The same moment is today in one zone and yesterday in another."""
    morning = parse_time("2026-05-11T23:30:00Z")
    assert view.ago(morning, NOW, timezone(timedelta(hours=2))) == "10 h ago"
    assert view.ago(morning, NOW, UTC) == "yesterday 23:30"


def test_no_time_and_the_ends_of_the_calendar_are_told_too() -> None:
    """What was never used was used never; the first day of the calendar has no day before it."""
    assert view.ago(0, NOW, UTC) == "never"
    first = parse_time("0001-01-01T00:00:00Z")
    assert view.ago(first, NOW, timezone(timedelta(hours=-5))) == "0001-01-01"


def test_the_text_of_a_table_gets_the_room_that_is_left_and_wraps() -> None:
    """Ids, words and times stand whole on one line."""
    rows = drawn(view.table(COLUMNS, [("k7qm2xva-41", "superseded", NOW - 120_000_000, LONG)], NOW), 70)
    assert rows[0].split() == ["id", "status", "when", "memory"]
    assert rows[1].startswith("k7qm2xva-41  superseded  2 min ago  Run migrations with a lock")
    assert all(row.startswith(" " * 36) for row in rows[2:])
    assert " ".join(" ".join(row[36:] for row in rows[1:]).split()) == LONG
    assert all(len(row) <= 70 for row in rows)


def test_a_narrow_screen_shows_the_text_below_its_row() -> None:
    """A text of a few columns could not be read."""
    rows = drawn(view.table(COLUMNS, [("k7qm2xva-41", "active", NOW, LONG)], NOW), 40)
    assert rows[0] == "k7qm2xva-41  active  just now"
    assert all(row.startswith("  ") for row in rows[1:])
    assert " ".join(" ".join(rows[1:]).split()) == LONG


def test_a_very_long_text_is_cut_after_a_few_lines() -> None:
    """One memory of a page must not push the others off the screen; a column may ask for all of it."""
    rows = drawn(view.table(COLUMNS, [("41", "active", NOW, LONG * 20)], NOW), 70)
    assert len(rows) == 1 + 3
    assert rows[-1].endswith(" …")
    whole = (*COLUMNS[:3], Column("memory", TEXT, lines=0))
    rows = drawn(view.table(whole, [("41", "active", NOW, LONG * 20)], NOW), 70)
    assert "".join("".join(rows[1:]).split()).endswith("".join((LONG * 20).split())[-80:])


def test_a_long_table_has_one_header_and_numbers_on_the_right() -> None:
    """It is laid out in portions, which a reader does not see."""
    columns = (Column("id", ID), Column("uses", NUMBER), Column("memory", TEXT))
    rows = drawn(view.table(columns, [(f"a-{number:03}", number, "text") for number in range(500)], NOW), 60)
    assert len(rows) == 501
    assert [row for row in rows if "uses" in row] == [rows[0]]
    assert rows[1] == "a-000     0  text"
    assert rows[500] == "a-499   499  text"


def test_a_table_in_a_pipe_is_a_row_a_line_with_whole_times(capsys: pytest.CaptureFixture[str]) -> None:
    """No header, no wrapping, no colour, whatever the screen is like."""
    assert view.paged(view.table(COLUMNS, [("41", "active", NOW, f"{LONG}\n{LONG}"), ("7", "merged", 0, None)], NOW))
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"41  active  2026-05-12T10:00:00Z  {LONG} {LONG}"
    assert second == "7   merged"


def test_an_empty_table_says_that_it_is_empty(capsys: pytest.CaptureFixture[str]) -> None:
    """So that the command can say something instead."""
    assert not view.show(view.table(COLUMNS, [], NOW))
    assert capsys.readouterr().out == on_paper(view.table(COLUMNS, [], NOW)) == ""


def test_text_is_shown_as_it_is() -> None:
    """Neither markup nor emoji nor control characters of a memory do anything."""
    shown = on_paper(view.table([Column("memory", TEXT)], [("[red]:boom:[/red] \x1b[2J",)], NOW))
    assert "[red]:boom:[/red] \\x1b[2J" in shown
    assert "\x1b[2J" not in shown


def test_words_have_the_colour_of_their_meaning() -> None:
    """What is dangerous is red, and the word is there for those who see no red."""
    shown = on_paper(view.table(COLUMNS, [("41", "quarantined", NOW, "text")], NOW))
    assert "\x1b[31mquarantined" in shown


def test_no_color_keeps_the_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks for no colours, and for nothing else."""
    monkeypatch.setenv("NO_COLOR", "1")
    shown = on_paper(view.table(COLUMNS, [("41", "active", NOW, "text")], NOW))
    assert shown == "id  status  when      memory\n41  active  just now  text\n"


def test_plain_and_a_dumb_terminal_are_treated_as_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed is what a pipe would get."""
    view.use_plain(True)
    rows = [("41", "active", NOW, "text")]
    assert on_paper(view.table(COLUMNS, rows, NOW)) == "41  active  2026-05-12T10:00:00Z  text\n"
    view.use_plain(False)
    assert on_paper(view.table(COLUMNS, rows, NOW)).startswith("\x1b[1mid")
    monkeypatch.setenv("TERM", "dumb")
    assert on_paper(view.table(COLUMNS, rows, NOW)) == "41  active  2026-05-12T10:00:00Z  text\n"


def hit(id: str, text: str, why: Why | None = None, **known: Any) -> Hit:
    memory = Memory(id, text, created=NOW - 7_200_000_000)._replace(**known)
    return Hit(memory, 1.0, why or Why({"keyword": Found(1, 1.0), "vector": Found(1, 0.8)}, {}, {}))


def recalled(*hits: Hit, **known: Any) -> Recall:
    return Recall("r-1", "when do we deploy", hits)._replace(**known)


def test_a_hit_has_its_text_first_and_its_reasons_below() -> None:
    """Where it holds, since when, why it was found, and the id to speak of it."""
    found = recalled(hit("k7-41", "Deploys happen on Thursdays", scope="project", project="shop"))
    assert drawn(view.hits(found, NOW), 80) == [
        "1  Deploys happen on Thursdays",
        "   project shop · 2 h ago · by words and meaning · k7-41",
    ]


def test_older_statements_stand_below_the_current_one() -> None:
    """Also when another hit came between them, and one below the other's."""
    newest, other = hit("k7-9", "Deploys happen on Thursdays"), hit("k7-8", "The shop is in Ghent")
    older = hit("k7-4", "Deploys happen on Tuesdays", Why({}, {}, {}, older_than="k7-9"))
    oldest = hit("k7-2", "Deploys happen on Mondays", Why({}, {}, {}, older_than="k7-4"))
    rows = drawn(view.hits(recalled(newest, other, older, oldest), NOW), 90)
    assert rows[0] == "1  Deploys happen on Thursdays"
    assert rows[2].startswith("   older: Deploys happen on Tuesdays")
    assert rows[3].startswith("   older: Deploys happen on Mondays")
    assert rows[4] == "2  The shop is in Ghent"


def test_an_older_statement_whose_newer_one_is_not_shown_stands_alone() -> None:
    """Nothing that was found is lost."""
    alone = hit("k7-4", "Deploys happen on Tuesdays", Why({}, {}, {}, older_than="k7-9"))
    assert drawn(view.hits(recalled(alone), NOW), 90)[0] == "1  Deploys happen on Tuesdays"


def test_what_counts_against_a_hit_is_said() -> None:
    """A text from outside, and one that misled, are not to be trusted by their looks."""
    found = recalled(hit("k7-1", "Drop the backups", trust="external", q=0.1))
    assert "from outside, unverified, misled before" in drawn(view.hits(found, NOW), 120)[1]


def test_hits_in_a_pipe_are_a_line_each() -> None:
    """With the rank, the id, and a whole time."""
    newest = hit("k7-9", "Deploys happen\non Thursdays")
    older = hit("k7-4", "Deploys happen on Tuesdays", Why({}, {}, {}, older_than="k7-9"))
    first, second = view.hits(recalled(newest, older), NOW).lines()
    assert first.startswith("1      k7-9  yours  2026-05-12T08:00:00Z  by words and meaning")
    assert first.endswith("Deploys happen on Thursdays")
    assert second.startswith("older  k7-4")


def test_a_real_recall_is_shown(tmp_path: Path) -> None:
    """With what a store returns, the newer statement stands above the older one."""
    with treering.open(tmp_path / "home", project="shop", session="one") as memory:
        memory.remember("Deploys to production happen on Tuesdays", at="2026-05-01")
        memory.remember("Deploys to production happen on Thursdays", at="2026-05-02")
        rows = drawn(view.hits(memory.recall("when do deploys to production happen"), NOW), 100)
    assert rows[0] == "1  Deploys to production happen on Thursdays"
    assert rows[2].startswith("   older: Deploys to production happen on Tuesdays  1 May · ")


def test_a_difference_marks_the_lines_and_the_words_that_changed() -> None:
    """Kept lines are there for orientation."""
    changed = view.diff("Shop\nDeploys happen on Tuesdays\n", "Shop\nDeploys happen on Thursdays\n")
    assert [*changed.lines()] == ["  Shop", "- Deploys happen on Tuesdays", "+ Deploys happen on Thursdays"]
    assert "\x1b[1;7;31mTuesdays" in on_paper(changed)
    assert "\x1b[1;7;32mThursdays" in on_paper(changed)


def test_lines_that_have_nothing_in_common_are_not_marked_word_by_word() -> None:
    """It would be all marks."""
    assert "\x1b[1;7" not in on_paper(view.diff("Deploys happen on Tuesdays", "Use pnpm instead of npm"))


def test_progress_counts_for_a_total_and_for_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine calls with a number, or with a step and a number."""
    monkeypatch.setattr(bars, "PATIENCE", 0.0)
    monkeypatch.setenv("COLUMNS", "100")
    with redirect_stderr(Paper()) as paper:
        with view.progress("maintaining", 1_000) as advance:
            _drawn_now(advance)
            advance(1_000)
        with view.progress("maintaining", steps={"prepare": "indexing"}) as advance:
            _drawn_now(advance)
            advance("weights", 40)
            advance("prepare", 250)
    assert "maintaining" in paper.getvalue()
    assert "1,000 of 1,000" in paper.getvalue()
    assert "maintaining: indexing 250" in paper.getvalue()


def test_the_bar_of_several_steps_fills_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """So it has a total and a time left, though nobody knows how long a step is."""
    monkeypatch.setattr(bars, "PATIENCE", 0.0)
    with (
        redirect_stderr(Paper()),
        view.progress("maintaining", steps={"one": "a", "two": "b", "three": "c"}) as advance,
    ):
        _drawn_now(advance)
        advance("three", 7)
        assert advance._drawn is not None
        (task,) = advance._drawn[0].tasks
        assert (task.completed, task.total) == (2, 3)


def _drawn_now(bar: view.Bar) -> None:
    assert bar._timer is not None
    bar._timer.join()


def test_quick_work_shows_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar that flashes up is noise."""
    monkeypatch.setattr(bars, "PATIENCE", 60.0)
    with redirect_stderr(Paper()) as paper, view.progress("indexing", 10) as advance:
        advance(10)
    assert paper.getvalue() == ""


def test_progress_in_a_pipe_says_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even a timer runs."""
    monkeypatch.setattr(bars, "PATIENCE", 0.0)
    with view.progress("indexing") as advance:
        assert advance._timer is None
        advance(10)
    assert capsys.readouterr().err == ""


def test_nobody_is_asked_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the option to use instead."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    with pytest.raises(view.NobodyToAsk, match="--yes"):
        view.confirm("Erase it?")


@pytest.mark.parametrize(
    ("typed", "meant"), [("y\n", True), ("Yes \n", True), ("\n", False), ("n\n", False), ("", False)]
)
def test_only_a_yes_is_a_yes(typed: str, meant: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty line and the end of input are a no."""

    class Keyboard(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Keyboard(typed))
    assert view.confirm("Erase it?") is meant


def test_a_pipe_never_loads_rich(program: Program) -> None:
    """What nobody sees costs nothing."""
    script = (
        "import sys\nfrom treering.surfaces.cli import view\n"
        "view.paged(view.table([view.Column('id')], [('a',)] * 1_000))\nview.note('so')\n"
        "with view.progress('on') as advance: advance(3)\nview.show(view.diff('a', 'b'))\n"
        "assert not [name for name in sys.modules if name.partition('.')[0] == 'rich']\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=program.environment, text=True)
    assert (done.returncode, done.stderr) == (0, "so\n")
    assert done.stdout.count("a\n") == 1_001


PAGES = """
import sys
from treering.surfaces.cli import view
view.paged("\\n".join(f"row {number}" for number in range(int(sys.argv[1]))))
view.note("done")
"""


def at_terminal(program: Program, *words: str, **environment: str) -> Terminal:
    command = [sys.executable, "-c", PAGES, *words]
    return Terminal(command, program.folder, {**program.environment, **environment}, 80)


def test_a_list_that_is_longer_than_the_screen_goes_through_the_pager(program: Program) -> None:
    """A real terminal of 50 rows, and a pager that counts what it gets."""
    long = at_terminal(program, "60", PAGER="echo paged; wc -l")
    assert long.ended() == 0
    assert "paged" in long.shown
    assert "60" in long.shown
    short = at_terminal(program, "40", PAGER="echo paged; wc -l")
    assert short.ended() == 0
    assert "paged" not in short.shown
    assert "row 39" in short.shown


def test_who_quits_the_pager_has_seen_enough(program: Program) -> None:
    """A pager that reads nothing ends the list, and no error is shown."""
    quits = at_terminal(program, "20000", PAGER="true")
    assert quits.ended() == 0
    assert "Error" not in quits.shown
    assert "done" in quits.shown


def test_without_a_pager_the_list_is_printed(program: Program) -> None:
    """One that is not installed is not missed."""
    terminal = at_terminal(program, "60", PAGER="no-such-pager")
    assert terminal.ended() == 0
    assert "row 59" in terminal.shown


def test_notes_go_beside_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """On one line of stderr, whatever is in them."""
    view.note("one\ntwo")
    assert capsys.readouterr() == ("", "one two\n")


def test_a_screen_without_a_stream_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that was started without an output has no terminal."""
    monkeypatch.setattr(sys, "stdout", None)
    assert not view.is_terminal()
