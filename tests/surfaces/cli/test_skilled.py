"""Skills as agents and people find, load and judge them; and what a key that is pressed offers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.surfaces.cli.driving import Cli, Program
from tests.surfaces.cli.growth import BELL, TOKEN, events, refused

DEPLOY = "Use when you deploy to staging or the deploy hangs."
ROW = {"name", "description", "path", "place", "problems", "changed", "q", "loads"}


def put(folder: Path, name: str, description: str, body: str = "1. Do it.") -> Path:
    path = folder / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"---\nname: {name}\ndescription: {description}\n---\n\n{body}\n")
    return path


@pytest.fixture
def bench(cli: Cli, root: Path, tmp_path: Path) -> Cli:
    """A project with a skill, a user with another one, and what is none."""
    put(root / "skills", "deploy-staging", DEPLOY, "1. make deploy\n2. look at the graphs")
    put(tmp_path / "person" / ".claude" / "skills", "bake-bread", "Use for bread of rye and its oven.")
    put(root / ".treering" / "drafts", "fix-login", "Use when the login test fails.")
    (root / "skills" / "README.md").write_text("# About these skills\n")
    return cli


class TestList:
    def test_what_agents_find_is_listed(self, bench: Cli, root: Path) -> None:
        """Of the project and of the user, by name; drafts and papers are none."""
        bread, deploy = bench.fine("skills", "list", "--json").json
        assert {*deploy} == ROW
        assert (deploy["name"], deploy["description"], deploy["place"]) == ("deploy-staging", DEPLOY, "project")
        assert deploy["path"] == str(root / "skills" / "deploy-staging" / "SKILL.md")
        assert (deploy["problems"], deploy["changed"], deploy["q"], deploy["loads"]) == ([], "", None, 0)
        assert (bread["name"], bread["place"]) == ("bake-bread", "user")
        assert bench.fine("skills", "list").out.splitlines()[1] == f"deploy-staging  project  {DEPLOY}"

    def test_more_folders_are_a_setting(
        self, bench: Cli, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """One skill hides another of its name: the project before the user."""
        put(tmp_path / "more", "from-afar", "Use for what is far away.")
        put(root / ".claude" / "skills", "bake-bread", "Use for our own bread.")
        monkeypatch.setenv("TREERING_SKILL_FOLDERS", str(tmp_path / "more"))
        found = {one["name"]: one for one in bench.fine("skills", "list", "--json").json}
        assert [*found] == ["bake-bread", "deploy-staging", "from-afar"]
        assert (found["from-afar"]["place"], found["bake-bread"]["place"]) == ("configured", "project")

    def test_another_root_is_named(self, bench: Cli, root: Path, tmp_path: Path) -> None:
        """It is a folder."""
        (tmp_path / "empty").mkdir()
        (tmp_path / "file").write_text("")
        names = [one["name"] for one in bench.fine("skills", "list", "--root", str(tmp_path / "empty"), "--json").json]
        assert names == ["bake-bread"]
        for place in ("nowhere", "file"):
            for words in (("list",), ("show", "bake-bread"), ("search", "bread"), ("index",)):
                refused(bench, ("skills", *words, "--root", str(tmp_path / place)), 1, "folder")

    def test_nothing_is_no_error(self, cli: Cli, root: Path) -> None:
        """It is told on standard error."""
        for words in (("list",), ("index",)):
            result = cli.fine("skills", *words)
            assert (result.out, result.err) == ("", "no skills are found here\n")
        assert cli.fine("skills", "list", "--json").json == []
        assert cli.fine("skills", "index", "--json").json == {"text": "", "characters": 0}

    def test_what_is_wrong_with_one_is_told(self, bench: Cli, root: Path) -> None:
        """And nothing in it moves the cursor."""
        put(root / "skills", "odd", "x").write_text(f"---\nname: other\ndescription: rings {BELL}\n---\n")
        put(root / "skills", "ring-bell", "ring the bell of the church", f"Pull {BELL}")
        calls = (("list",), ("index",), ("index", "ring the bell of the church"), ("show", "ring-bell"))
        out = "".join(bench.fine("skills", *words).out for words in calls)
        assert "[" in out and "Pull" in out and not any(sign in out for sign in ("\a", "\033", "\u202e"))


class TestShow:
    def test_it_is_loaded_once_a_session(self, bench: Cli) -> None:
        """Its text without the header; each session counts."""
        out = bench.fine("skills", "show", "deploy-staging", "--session", "monday").out
        assert out == '"1. make deploy"\n"2. look at the graphs"\n'
        before = events(bench)
        told = bench.fine("skills", "show", "deploy-staging", "--session", "monday", "--json").json
        assert {*told} == {"name", "text", "changed", "doubt"} and events(bench) == before
        bench.fine("skills", "show", "deploy-staging", "--session", "tuesday")
        assert {one["name"]: one["loads"] for one in bench.fine("skills", "list", "--json").json} == {
            "bake-bread": 0, "deploy-staging": 2
        }  # fmt: skip

    @pytest.mark.parametrize("name", ["nobody", "fix-login", "README", "../x", "", BELL, "deploy", "DEPLOY-STAGING"])
    def test_one_that_is_not_there_is_refused(self, bench: Cli, name: str) -> None:
        """By each command that takes one; a draft is not there."""
        refused(bench, ("skills", "show", name), 1, "")
        refused(bench, ("skills", "feedback", name, "helpful"), 1, "")

    def test_a_name_is_needed(self, bench: Cli) -> None:
        """And no more than one."""
        refused(bench, ("skills", "show"), 2, "needs a NAME")
        refused(bench, ("skills", "show", "a", "b"), 2, "b")
        refused(bench, ("skills", "show", "bake-bread", "--as-of", "2026-01-01"), 2, "leave out --as-of")


class TestSearch:
    def test_the_task_finds_it(self, bench: Cli) -> None:
        """In other words, too; what it is not about is not there."""
        (found,) = bench.fine("skills", "search", "deploying to staging", "--json").json
        assert {*found} == ROW | {"score"} and found["name"] == "deploy-staging" and found["score"] > 0
        assert bench.fine("skills", "search", "bread").out.startswith("bake-bread")
        result = bench.fine("skills", "search", "violin")
        assert (result.out, result.err) == ("", "no skill has to do with it\n")

    def test_a_single_skill_is_found(self, cli: Cli, root: Path) -> None:
        """Though it has each word that there is."""
        put(root / "skills", "deploy-staging", DEPLOY)
        assert [one["name"] for one in cli.fine("skills", "search", "staging", "--json").json] == ["deploy-staging"]

    def test_a_limit_holds(self, bench: Cli, root: Path) -> None:
        """Five, if nobody says."""
        for number in range(7):
            put(root / "skills", f"train-{number}", f"Use for the train number {number}.")
        assert [len(bench.fine("skills", "search", "train", "--limit", n, "--json").json) for n in ("2", "0")] == [2, 7]
        assert len(bench.fine("skills", "search", "train", "--json").json) == 5
        refused(bench, ("skills", "search", "train", "--limit", "-1"), 2, "--limit")

    @pytest.mark.parametrize("query", ["", "?!", "  ", "\0"])
    def test_a_query_has_words(self, bench: Cli, query: str) -> None:
        """Or there is nothing to look for."""
        refused(bench, ("skills", "search", query), 1, "")

    def test_use_decides_between_equals(self, bench: Cli, root: Path) -> None:
        """The one that helped comes first, whatever its name."""
        for name in ("ship-a", "ship-b"):
            put(root / "skills", name, "Use to ship the parcel.")
        assert [one["name"] for one in bench.fine("skills", "search", "parcel", "--json").json] == ["ship-a", "ship-b"]
        bench.fine("skills", "show", "ship-b", "--session", "monday")
        bench.fine("skills", "feedback", "ship-b", "helpful", "--session", "monday")
        assert [one["name"] for one in bench.fine("skills", "search", "parcel", "--json").json] == ["ship-b", "ship-a"]


class TestIndex:
    def test_it_is_short_and_begins_with_what_the_prompt_is_about(self, bench: Cli, root: Path) -> None:
        """Thirty skills in 240 characters."""
        for number in range(28):
            put(root / "skills", f"train-{number}", f"Use for the train number {number}.")
        told = bench.fine("skills", "index", "bread of rye", "--json").json
        index = told["text"].partition("\n")[0]
        assert told["characters"] == len(told["text"]) and len(index) <= 240
        assert index.startswith("Skills: bake-bread (")
        assert bench.fine("skills", "index").out.startswith("Skills: ")

    def test_a_skill_that_matches_well_follows_whole(self, bench: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
        """Within a cap that is a setting; without a prompt none does."""
        prompt = "deploy to staging hangs"
        assert "2. look at the graphs" in bench.fine("skills", "index", prompt).out
        assert "2. look at the graphs" not in bench.fine("skills", "index").out
        monkeypatch.setenv("TREERING_SKILL_BODY_CHARS", "10")
        monkeypatch.setenv("TREERING_SKILL_INDEX_CHARS", "60")
        out = bench.fine("skills", "index", prompt).out
        assert "graphs" not in out and len(out) <= 61

    def test_a_draft_is_never_in_it(self, bench: Cli) -> None:
        """Whatever is asked."""
        assert "fix-login" not in bench.fine("skills", "index", "the login test fails").out
        assert bench.fine("skills", "search", "login", "--json").json == []


class TestFeedback:
    def test_a_verdict_moves_its_q(self, bench: Cli, home: Path) -> None:
        """Said again it changes nothing, said otherwise it replaces it; and what is never stored is not."""
        bench.fine("skills", "show", "bake-bread", "--session", "monday")
        words = ("skills", "feedback", "bake-bread", "helpful", "--session", "monday", "--note", f"see {TOKEN}")
        assert bench.fine(*words).out == "bake-bread  Q 0.550\n"
        before = events(bench)
        told = bench.fine(*words, "--json").json
        assert (told["name"], told["q"]) == ("bake-bread", 0.55) and events(bench) == before
        assert bench.fine("skills", "feedback", "bake-bread", "not_helpful", "--session", "monday").out == (
            "bake-bread  Q 0.450\n"
        )
        assert not any(TOKEN.encode() in file.read_bytes() for file in home.iterdir())

    def test_what_a_session_led_to_falls_back_on_it(self, bench: Cli) -> None:
        """As on a memory."""
        bench.fine("skills", "show", "bake-bread", "--session", "monday")
        assert "recorded for bake-bread" in bench.fine("outcome", "monday", "success").err
        (bread,) = [one for one in bench.fine("skills", "list", "--json").json if one["name"] == "bake-bread"]
        assert 0.5 < bread["q"] < 0.55

    def test_what_was_not_loaded_is_not_judged(self, bench: Cli) -> None:
        """With what to do; nor is a verdict anything."""
        refused(bench, ("skills", "feedback", "bake-bread", "helpful"), 1, "`treering skills show bake-bread`")
        refused(bench, ("skills", "feedback", "bake-bread", "great"), 1, "verdict must be one of")
        refused(bench, ("skills", "feedback", "bake-bread"), 2, "needs a VERDICT")


def test_a_narrow_terminal_has_room_for_skills(bench: Cli, program: Program, root: Path) -> None:
    """And nothing is coloured where nobody wants it."""
    program.folder = root
    screen = program.terminal("skills", "list", columns=40, environment={"NO_COLOR": "1"})
    assert screen.ended() == 0 and "\033" not in screen.shown
    assert all(len(line) <= 40 for line in screen.shown.splitlines())
