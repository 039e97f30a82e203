"""The demo, as somebody sees it who runs `make demo` in a terminal."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.surfaces.cli.driving import Program, Terminal
from treering.surfaces.cli.demo.stage import Session
from treering.surfaces.cli.demo.story import STORY, WEEK

COLUMNS, SCREEN, MOST = 100, 24, 120  # a scene fits a screen of 24 rows, and all of them have 120 at the most


BAR = re.compile(r"\x1b\[\?25l.*?\x1b\[\?25h\r\x1b\[1A\x1b\[2K|\r\x1b\[K", re.DOTALL)  # progress that has vanished


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The rows that a terminal shows, by day."""
    folder = tmp_path_factory.mktemp("demo")
    environment = {**Program(folder, folder).environment, "NO_COLOR": "1"}
    command = [sys.executable, "-m", "treering.surfaces.cli.demo"]
    terminal = Terminal(command, folder, environment, COLUMNS)
    assert terminal.ended() == 0, terminal.shown
    found: dict[str, list[str]] = {}
    day = ""
    for line in BAR.sub("", terminal.shown).splitlines():
        if line.partition(".")[0] in WEEK:
            day = line.partition(".")[0]
        rows = [line[start : start + COLUMNS] for start in range(0, max(len(line), 1), COLUMNS)]
        found.setdefault(day, []).extend(rows)
    return found


def text(rows: list[str]) -> str:
    return "".join(rows)


def test_every_scene_fits_a_screen_and_the_demo_is_short(scenes: dict[str, list[str]]) -> None:
    """Somebody who looks at it for the first time reads all of it."""
    assert [*scenes] == ["", *(scene.day for scene in STORY)]
    assert {day: len(rows) for day, rows in scenes.items() if len(rows) > SCREEN} == {}
    assert sum(map(len, scenes.values())) <= MOST


def test_it_recalls_what_it_was_told_and_makes_nothing_up(scenes: dict[str, list[str]]) -> None:
    """In another session, a day later; a question that nothing answers is met with silence."""
    assert text(scenes["Tuesday"]).count("Migrations need a lock timeout of 5 s") == 1
    assert "remembered" in scenes["Tuesday"][-2]


def test_the_newer_statement_wins(scenes: dict[str, list[str]]) -> None:
    """It stands first, and the older one is named as such."""
    told = text(scenes["Wednesday"])
    recalled = told[told.index("$ treering recall") :]
    assert 0 < recalled.index("on Thursdays") < recalled.index("on Tuesdays")
    assert "older" in recalled


def test_the_way_out_of_a_failure_reaches_the_next_agent(scenes: dict[str, list[str]]) -> None:
    """Through the real hooks: nobody asked for it to be kept."""
    fix = "When `make test` fails with ConnectionRefusedError, run `docker compose up -d db`"
    assert fix not in text(scenes["Thursday"])
    assert f'· agent: "{fix}' in text(scenes["Friday"])


def test_what_helped_becomes_a_proposal_that_a_person_accepts(scenes: dict[str, list[str]]) -> None:
    """The whole loop is to be seen: asked, judged, proposed, accepted, written."""
    told = text(scenes["Saturday"])
    at = 0
    for step in ("$ treering recall", "$ treering feedback", "skill-", " accept ", "SKILL.md"):
        assert step in told[at:], step
        at = told.index(step, at)


def test_a_mistake_is_undone_and_the_ledger_is_sound(scenes: dict[str, list[str]]) -> None:
    """What was undone is not recalled."""
    told = text(scenes["Sunday"])
    assert told.index("$ treering undo") < told.index("ell enough") < told.index("all is well")


def test_in_a_pipe_the_demo_has_no_escape_sequences(tmp_path: Path) -> None:
    """So that it can be read in the log of a build."""
    program = Program(tmp_path / "home", tmp_path)
    command = [sys.executable, "-m", "treering.surfaces.cli.demo"]
    done = subprocess.run(command, capture_output=True, text=True, env=program.environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    assert done.stdout.startswith("\nMonday. ")


def test_the_played_agent_writes_a_transcript_as_it_goes(tmp_path: Path) -> None:
    """Hooks get where it lies, and what a real agent would send."""
    fired: list[tuple[str, str]] = []
    transcript = tmp_path / "deep" / "one.jsonl"

    def hook(event: str, payload: object, tool: str) -> str:
        assert isinstance(payload, dict)
        assert payload["transcript_path"] == str(transcript)
        fired.append((event, tool))
        return ""

    session = Session("one", tmp_path, transcript, hook, lambda: "2026-05-01T10:00:00.000Z")
    session.start()
    session.prompt("Run the tests")
    session.use("Bash", {"command": "make test"}, "refused", failed=True)
    session.use("Bash", {"command": "make test"}, "passed")
    session.stop("Done.")
    session.end()
    assert fired == [
        ("SessionStart", ""),
        ("UserPromptSubmit", ""),
        ("PostToolUseFailure", "Bash"),
        ("PostToolUse", "Bash"),
        ("Stop", ""),
        ("SessionEnd", ""),
    ]
    roles = [json.loads(line)["message"]["role"] for line in transcript.read_text().splitlines()]
    assert roles == ["user", "assistant", "user", "assistant", "user", "assistant"]
