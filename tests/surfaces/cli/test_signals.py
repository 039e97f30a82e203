"""Signals are gathered, and proposals are made of them: as it is typed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import treering
from tests.surfaces.cli.driving import Cli
from tests.surfaces.cli.growth import BELL, TOKEN, events, refused
from tests.surfaces.cli.signals import (
    LOGIN,
    ROLLOUT,
    ROUTE,
    SKILL,
    TAILWIND,
    miss,
    named,
    rubbed,
    shown,
    signalled,
    transcript,
    written,
)


class TestMine:
    def test_each_line_is_read_once(self, cli: Cli, tmp_path: Path) -> None:
        """However often it is asked for; what was added since is read on."""
        path = transcript(tmp_path / "monday.jsonl", "monday", loops=1)
        told = cli.fine("evolve", "mine", str(path), "--json").json
        assert told == {"files": 1, "lines": 8, "skipped": 0, "prompts": 1, "loops": 1, "stops": 0}
        before = events(cli)
        assert cli.fine("evolve", "mine", str(path)).out == (
            "0 new lines in 1 transcript: 0 prompts, 0 retry loops, 0 stops\n"
        )
        assert events(cli) == before
        transcript(path, "monday", loops=2)
        assert cli.fine("evolve", "mine", str(path)).out == (
            "8 new lines in 1 transcript: 1 prompt, 1 retry loop, 0 stops\n"
        )

    def test_a_folder_is_read_file_by_file(self, cli: Cli, tmp_path: Path) -> None:
        """And what is no transcript is left alone; what cannot be read is counted."""
        for session in ("monday", "tuesday"):
            transcript(tmp_path / f"{session}.jsonl", session)
        (tmp_path / "notes.txt").write_text("not one of them")
        (tmp_path / "broken.jsonl").write_text("{\n\n[]\n")
        told = cli.fine("evolve", "mine", str(tmp_path), "--json").json
        assert (told["files"], told["loops"], told["skipped"]) == (3, 4, 2)
        assert "(2 could not be read)" not in cli.fine("evolve", "mine", str(tmp_path)).out

    def test_without_a_path_those_of_this_folder_are_meant(self, cli: Cli, root: Path, tmp_path: Path) -> None:
        """Where Claude Code keeps them; if it keeps none, that is said."""
        plain = "".join(letter if letter.isalnum() else "-" for letter in str(root))
        folder = tmp_path / "person" / ".claude" / "projects" / plain
        refused(cli, ("evolve", "mine"), 1, str(folder))
        folder.mkdir(parents=True)
        assert cli.fine("evolve", "mine").out.startswith("0 new lines in 0 transcripts")
        transcript(folder / "a.jsonl", "a")
        assert cli.fine("evolve", "mine", "--json").json["loops"] == 2

    def test_a_secret_in_a_transcript_is_not_stored(self, cli: Cli, home: Path, tmp_path: Path) -> None:
        """Nor does it get into a draft."""
        path = transcript(tmp_path / "monday.jsonl", "monday")
        path.write_text(path.read_text().replace(LOGIN, f"login --token {TOKEN}").replace("no such user", TOKEN))
        cli.fine("evolve", "mine", str(path))
        cli.fine("evolve", "analyze")
        assert not any(TOKEN.encode() in file.read_bytes() for file in home.iterdir())
        assert TOKEN not in cli.fine("evolve", "list", "--json").out

    @pytest.mark.parametrize("kind", ["missing", "locked", "pipe", "link"])
    def test_what_is_no_transcript_is_refused(self, cli: Cli, tmp_path: Path, kind: str) -> None:
        """In a line, by its name."""
        path = tmp_path / "x.jsonl"
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "link":
            path.symlink_to(tmp_path / "nowhere")
        elif kind == "locked":
            path.write_text("{}\n")
            path.chmod(0)
            if os.access(path, os.R_OK):
                pytest.skip("nothing is locked for this user")
        refused(cli, ("evolve", "mine", str(path)), 1, "x.jsonl")


class TestAnalyze:
    def test_the_report_for_programs(self, cli: Cli, home: Path, root: Path) -> None:
        """What was looked at, the ids, and each new proposal whole."""
        signalled(home)
        told = cli.fine("evolve", "analyze", "--json").json
        assert (told["reuse_scanned"], told["misses_scanned"], told["friction_scanned"]) == (1, 3, 0)
        assert told["generated"] == told["added"] == [one["id"] for one in told["proposals"]]
        assert [one["type"] for one in told["proposals"]] == [SKILL, ROUTE]
        assert told["came_back"] == []
        assert written(root) == {}

    def test_twice_adds_nothing(self, desk: Cli) -> None:
        """Whatever is asked for in between."""
        before, ids = events(desk), [one["id"] for one in desk.fine("evolve", "list", "--json").json]
        again = desk.fine("evolve", "analyze", "--json").json
        assert (again["added"], again["came_back"], again["proposals"]) == ([], [], [])
        assert sorted(again["generated"]) == sorted(ids) and events(desk) == before

    def test_what_waits_follows_the_evidence(self, desk: Cli) -> None:
        """More of it makes no other proposal; the one that waits knows of it, and so does the record."""
        id = named(desk, SKILL)
        for number in range(2):
            desk.fine("recall", TAILWIND, "-k", "1", "--session", f"later-{number}")
        told = desk.fine("evolve", "analyze", "--json").json
        assert (told["added"], told["grown"]) == ([], [id])
        found = shown(desk, id)
        assert (found["weight"], found["evidence"]["reuseCount"], found["status"]) == (5, 5, "pending")
        assert "surfaced 5x across 5 sessions" in found["proposal"]["rationale"]
        assert [row["what"] for row in desk.fine("evolve", "log", "--json").json] == ["made", "made", "grew"]
        desk.fine("recall", TAILWIND, "-k", "1", "--session", "sunday")
        assert "new proposals (added): 0\n  with more evidence than before: 1\n" in desk.fine("evolve", "analyze").out
        assert len(desk.fine("evolve", "list", "--json").json) == 2

    @pytest.mark.parametrize(
        ("words", "kinds"),
        [
            ((), [SKILL, ROUTE]),
            (("--reuse-min", "4"), [ROUTE]),
            (("--reuse-min-sessions", "4"), [ROUTE]),
            (("--miss-min", "4"), [SKILL]),
            (("--miss-min-distinct", "4"), [SKILL]),
            (("--reuse-min", "99", "--miss-min", "99"), []),
            (("--reuse-min", "1", "--miss-min", "1", "--miss-min-distinct", "1"), [SKILL, ROUTE]),
        ],
    )
    def test_thresholds_decide(self, cli: Cli, home: Path, words: tuple[str, ...], kinds: list[str]) -> None:
        """Each of the four, as the seed names them."""
        signalled(home)
        told = cli.fine("evolve", "analyze", *words, "--json").json
        assert [one["type"] for one in told["proposals"]] == kinds

    @pytest.mark.parametrize("option", ["--reuse-min", "--reuse-min-sessions", "--miss-min", "--miss-min-distinct"])
    @pytest.mark.parametrize("value", ["-1", "many", "", "1.5", BELL])
    def test_a_threshold_is_a_number(self, desk: Cli, option: str, value: str) -> None:
        """And above 0."""
        refused(desk, ("evolve", "analyze", option, value), 2, option)
        refused(desk, ("evolve", "analyze", option, "0"), 1, "above 0")

    def test_an_empty_store_has_no_signals(self, cli: Cli) -> None:
        """That is no error."""
        out = cli.fine("evolve", "analyze").out
        assert out.endswith("  new proposals (added): 0\nNothing has enough evidence yet.\n")

    def test_what_was_rejected_comes_back_with_twice_as_much(self, desk: Cli, home: Path) -> None:
        """And says so; less than that does not bring it back."""
        id = named(desk, SKILL)
        desk.fine("evolve", "reject", id)
        for number in range(3):
            desk.fine("recall", TAILWIND, "-k", "1", "--session", f"later-{number}")
            told = desk.fine("evolve", "analyze", "--json").json
            assert told["came_back"] == ([id] if number == 2 else [])
        found = shown(desk, id)
        assert (found["status"], found["weight"], found["rejected_at_weight"]) == ("pending", 6, 3)
        assert "it was rejected when that was 3" in found["proposal"]["rationale"]
        desk.fine("evolve", "reject", id)
        with treering.open(home) as memory:
            for number in range(6):
                memory.recall(TAILWIND, k=1, session=f"much-later-{number}")
        assert f"came back, with twice the evidence: {id}" in desk.fine("evolve", "analyze").out

    def test_a_wall_keeps_signals_apart(self, desk: Cli) -> None:
        """Another space has its own."""
        assert desk.fine("evolve", "analyze", "--space", "other", "--json").json["generated"] == []
        assert desk.fine("evolve", "list", "--space", "other", "--json").json == []
        refused(desk, ("evolve", "show", named(desk, SKILL), "--space", "other"), 1, "no proposal")


def test_stats_for_programs(desk: Cli, tmp_path: Path) -> None:
    """The three signals, beside what was judged."""
    rubbed(desk, tmp_path)
    told: dict[str, Any] = desk.fine("evolve", "stats", "--json").json
    assert (told["reuse"]["memories_tracked"], told["reuse"]["total_surfaces"]) == (1, 3)
    (top,) = told["reuse"]["top_reused"]
    assert (top["count"], top["sessions"], top["projects"]) == (3, 3, [])
    assert told["reuse"]["last_updated"].endswith("Z")
    assert (told["misses"]["total"], told["misses"]["unique_prompts"]) == (3, 3)
    assert told["misses"]["top_clusters"] == [
        {"count": 3, "distinct": 3, "tokens": ["migration", "postgres", "downtime", "zero"]}
    ]
    assert (told["friction"]["prompts"], told["friction"]["interruptions"]) == (2, 0)
    assert [(one["kind"], one["count"], one["tries"]) for one in told["friction"]["places"]] == [("retried", 2, 6)]
    assert {"judgements", "rules", "lifts", "recalls"} <= {*told}


def test_misses_count_once_a_session(cli: Cli, home: Path) -> None:
    """Said again in another one, a prompt counts again, and is no other prompt."""
    with treering.open(home, actor="user") as memory:
        for session in ("monday", "monday", "tuesday"):
            miss(memory, session, ROLLOUT[0])
        miss(memory, "monday", ROLLOUT[0].upper(), "/clear the feature flag rollout", "yes, do it", "thanks a lot")
    told = cli.fine("evolve", "stats", "--json").json["misses"]
    assert (told["total"], told["unique_prompts"]) == (2, 1)
    assert cli.fine("evolve", "analyze", "--miss-min", "2", "--json").json["added"] == []
