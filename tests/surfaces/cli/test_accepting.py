"""What is accepted gets written below a root, once and whole; what is promoted is live. Nothing else happens."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.surfaces.cli.driving import Cli
from tests.surfaces.cli.growth import BELL, STEPS, only, refused, status
from tests.surfaces.cli.signals import DRAFT, FILE, ROUTE, ROUTING, SKILL, named, rubbed, shown, written

NAME = "tailwind-v4-arbitrary-values-need-square"


class TestAccept:
    def test_the_file_is_written_where_one_stands(self, desk: Cli, root: Path) -> None:
        """As it was shown; its absolute path is in the audit trail, and nothing else is there."""
        id = named(desk, SKILL)
        text = shown(desk, id)["proposal"]["diff"]
        out = desk.fine("evolve", "accept", id).out
        assert out == (
            f"✓ accepted {id}\n  draft written: {root / FILE}\n"
            "Review the draft. When you're happy with it, commit it.\n"
        )
        assert written(root) == {FILE: text}
        told = shown(desk, id)
        assert (told["status"], told["applied_path"], told["file"]) == ("accepted", str(root / FILE), "as written")
        assert desk.fine("evolve", "log", "--json").json[-1]["path"] == str(root / FILE)

    def test_git_is_not_touched(self, desk: Cli, root: Path) -> None:
        """A repository is as it was, but for the new file."""
        (root / ".git").mkdir()
        (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        desk.fine("evolve", "accept", named(desk, SKILL))
        assert {*written(root)} == {".git/HEAD", FILE}

    def test_another_root_is_named(self, desk: Cli, root: Path, tmp_path: Path) -> None:
        """Relative, with a tilde, or through a link that one names oneself."""
        (tmp_path / "person" / "app").mkdir(parents=True)
        (tmp_path / "link").symlink_to(tmp_path / "person" / "app")
        told = desk.fine("evolve", "accept", named(desk, SKILL), "--root", "~/app", "--json").json
        assert told["applied_path"] == str(tmp_path / "person" / "app" / FILE)
        assert told["root"] == str(tmp_path / "person" / "app")
        told = desk.fine("evolve", "accept", named(desk, ROUTE), "--root", str(tmp_path / "link"), "--json").json
        assert told["applied_path"] == str(tmp_path / "person" / "app" / ROUTING)
        assert written(root) == {}

    @pytest.mark.parametrize("kind", ["a file", "missing", "odd", "locked"])
    def test_a_root_that_is_none_is_refused(self, desk: Cli, tmp_path: Path, kind: str) -> None:
        """And the proposal waits on."""
        (tmp_path / "a file").write_text("here")
        (tmp_path / "locked").mkdir(mode=0o500)
        where = "a\0b" if kind == "odd" else str(tmp_path / kind)
        if kind == "locked" and os.access(where, os.W_OK):
            pytest.skip("nothing is locked for this user")
        refused(desk, ("evolve", "accept", named(desk, SKILL), "--root", where), 1, "")
        assert shown(desk, named(desk, SKILL))["status"] == "pending"
        assert (tmp_path / "a file").read_text() == "here"

    def test_a_file_that_is_there_stays(self, desk: Cli, root: Path) -> None:
        """Unless it is said; then the digest of what was replaced is on record."""
        id = named(desk, SKILL)
        (root / FILE).parent.mkdir(parents=True)
        (root / FILE).write_text("mine")
        refused(desk, ("evolve", "accept", id), 1, "--overwrite")
        assert written(root) == {FILE: "mine"} and shown(desk, id)["status"] == "pending"
        desk.fine("evolve", "accept", id, "--overwrite")
        assert written(root) == {FILE: shown(desk, id)["proposal"]["diff"]}
        assert len(desk.fine("evolve", "log", "--json").json[-1]["replaced"]) == 32

    def test_once_accepted_only_a_lost_file_is_written_again(self, desk: Cli, root: Path) -> None:
        """One that somebody edited is theirs."""
        id = named(desk, SKILL)
        desk.fine("evolve", "accept", id)
        refused(desk, ("evolve", "accept", id), 1, "")
        (root / FILE).write_text("---\nname: mine\n---\n")
        refused(desk, ("evolve", "accept", id), 1, "--overwrite")
        (root / FILE).unlink()
        desk.fine("evolve", "accept", id)
        assert shown(desk, id)["file"] == "as written"

    @pytest.mark.parametrize("part", ["skills", f"skills/{NAME}", FILE])
    def test_no_link_is_followed_out_of_the_root(self, desk: Cli, root: Path, tmp_path: Path, part: str) -> None:
        """Wherever on the way it lies, and with --overwrite too."""
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "SKILL.md").write_text("theirs")
        link = root / part
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(outside / "SKILL.md" if part == FILE else outside)
        for words in ((), ("--overwrite",)):
            refused(desk, ("evolve", "accept", named(desk, SKILL), *words), 1, "link")
        assert written(outside) == {"SKILL.md": "theirs"} and shown(desk, named(desk, SKILL))["status"] == "pending"

    @pytest.mark.parametrize("kind", ["folder", "pipe", "file on the way"])
    def test_what_is_in_the_way_stays(self, desk: Cli, root: Path, kind: str) -> None:
        """It is named."""
        if kind == "file on the way":
            (root / "skills").write_text("a file")
        else:
            (root / FILE).parent.mkdir(parents=True)
            (root / FILE).mkdir() if kind == "folder" else os.mkfifo(root / FILE)
        for words in ((), ("--overwrite",)):
            refused(desk, ("evolve", "accept", named(desk, SKILL), *words), 1, "skills")

    def test_an_entry_is_added_to_the_routing(self, desk: Cli, root: Path) -> None:
        """Behind what stands there, if that is said; what is written in it later is not counted as an edit."""
        id = named(desk, ROUTE)
        (root / ROUTING).parent.mkdir(parents=True)
        (root / ROUTING).write_text("# Routing\n\nTier 1\n")
        refused(desk, ("evolve", "accept", id), 1, "--overwrite")
        desk.fine("evolve", "accept", id, "--overwrite")
        text = (root / ROUTING).read_text()
        assert text == f"# Routing\n\nTier 1\n\n{shown(desk, id)['proposal']['diff']}"
        (root / ROUTING).write_text(text + "\nmore\n")
        assert shown(desk, id)["file"] == "as written"
        (root / ROUTING).write_text(text.replace("TODO-agent", "database-agent"))
        assert shown(desk, id)["file"] == "edited since"

    def test_another_name_is_given(self, desk: Cli, root: Path) -> None:
        """To its folder, in its header and in its heading."""
        told = desk.fine("evolve", "accept", named(desk, SKILL), "--name", "square-brackets", "--json").json
        ((file, text),) = written(root).items()
        assert file == "skills/square-brackets/SKILL.md" == told["proposal"]["target_path"]
        assert text.startswith("---\nname: square-brackets\n") and "\n# Skill: square-brackets\n" in text
        assert (told["name"], told["file"]) == ("square-brackets", "as written")

    @pytest.mark.parametrize(
        "name", ["A", "a b", "a--b", "-a", "a-", "../x", "a/b", "x" * 65, "größe", "con\0", BELL, "a\nb", ".", "a."]
    )
    def test_a_name_is_one_that_agents_load(self, desk: Cli, root: Path, name: str) -> None:
        """Anything else is refused before anything is written."""
        refused(desk, ("evolve", "accept", named(desk, SKILL), "--name", name), 1, "a skill's name has 1 to 64")
        assert written(root) == {}

    def test_an_entry_has_no_name(self, desk: Cli) -> None:
        """Only a skill has one."""
        refused(desk, ("evolve", "accept", named(desk, ROUTE), "--name", "x"), 1, "only a skill has a name")

    @pytest.mark.parametrize("where", ["project", "person", "setting", "draft"])
    def test_a_name_that_is_taken_is_refused(
        self, desk: Cli, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
    ) -> None:
        """By a skill of the project, of the user, of a folder that a setting names, or by a draft."""
        monkeypatch.setenv("TREERING_SKILL_FOLDERS", str(tmp_path / "more"))
        monkeypatch.setenv("TREERING_SKILL_TARGET", "skills")
        folder = {
            "project": root / ".claude" / "skills",
            "person": tmp_path / "person" / ".claude" / "skills",
            "setting": tmp_path / "more",
            "draft": root / ".treering" / "drafts",
        }[where]
        (folder / NAME).mkdir(parents=True)
        (folder / NAME / "SKILL.md").write_text(f"---\nname: {NAME}\ndescription: theirs\n---\n")
        refused(desk, ("evolve", "accept", named(desk, SKILL)), 1, f"there is a skill named {NAME} already")
        assert FILE not in written(root)
        desk.fine("evolve", "accept", named(desk, SKILL), "--name", "mine")

    def test_the_target_is_a_setting(self, desk: Cli, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """And cannot lead out of the root."""
        monkeypatch.setenv("TREERING_SKILL_TARGET", "agent/skills")
        monkeypatch.setenv("TREERING_ROUTING_FILE", "AGENTS.md")
        desk.fine("evolve", "accept", named(desk, SKILL))
        desk.fine("evolve", "accept", named(desk, ROUTE))
        assert {*written(root)} == {f"agent/{FILE}", "AGENTS.md"}

    @pytest.mark.parametrize("target", ["../out", "/tmp/out", "a/../../out", ".git", "skills/", "~"])
    def test_a_target_outside_of_the_root_is_refused(
        self, desk: Cli, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str
    ) -> None:
        """Whoever set it."""
        monkeypatch.setenv("TREERING_SKILL_TARGET", target)
        result = desk("evolve", "accept", next(id for id in _ids(desk) if id.startswith("skill")))
        assert result.code == 1 or {*written(root)} == {f"{target}/{NAME}/SKILL.md"}
        assert not (tmp_path / "out").exists() and not (root / ".git").exists()

    def test_a_skill_of_processes_is_written_too(self, attic: Cli, root: Path) -> None:
        """Live, as nobody got stuck there."""
        attic.fine("evolve", "accept", only(attic))
        (text,) = written(root).values()
        assert all(step in text for step in STEPS) and {*written(root)} == {"skills/out-of-memory/SKILL.md"}


class TestTakingBack:
    @pytest.mark.parametrize("command", ["undo", "revoke"])
    def test_the_file_stays_and_is_named(self, desk: Cli, root: Path, command: str) -> None:
        """Whoever takes back what it rests on hears of it, before and after."""
        desk.fine("evolve", "accept", named(desk, SKILL))
        event = desk.fine("evolve", "log", "--json").json[-1]["event"]
        words = ("undo", event) if command == "undo" else ("revoke", "--session", "monday")
        for more in (("--dry-run",), ()):
            assert f"{root / FILE} was made of it and is still there" in desk.fine(*words, *more).err
        assert {*written(root)} == {FILE}

    def test_a_purge_leaves_no_word_in_the_store_and_names_the_file(self, cli: Cli, home: Path, root: Path) -> None:
        """What a person has written out is theirs to delete."""
        cli.remember("Tailwind v4 arbitrary values need square brackets")
        for session in ("monday", "tuesday", "friday"):
            cli.fine("recall", "show me arbitrary values", "-k", "1", "--session", session)
        cli.fine("evolve", "analyze")
        cli.fine("evolve", "accept", only(cli))
        told = cli.fine("purge", "1", "--yes")
        stored = b"".join(file.read_bytes() for file in home.iterdir()).lower()
        assert b"tailwind" not in stored and b"square" not in stored
        assert cli.fine("evolve", "list", "--json").json == [] and cli.fine("evolve", "log").code == 0
        assert str(root / FILE) in told.out + told.err


def _ids(cli: Cli) -> list[str]:
    """Whatever the settings are now."""
    return [row["proposal"] for row in cli("evolve", "log", "--json").json]


class TestPromote:
    def test_a_draft_of_friction_is_in_quarantine_until_it_is_promoted(
        self, desk: Cli, root: Path, tmp_path: Path
    ) -> None:
        """Then it is found; and a later change is reported."""
        name = shown(desk, rubbed(desk, tmp_path))["name"]
        desk.fine("evolve", "accept", named(desk, DRAFT))
        assert {*written(root)} == {f".treering/drafts/{name}/SKILL.md"}
        assert desk.fine("skills", "list", "--json").json == []
        live = root / "skills" / name / "SKILL.md"
        promoted = desk.fine("evolve", "promote", name)
        assert promoted.out == f"★ promoted {name}\n  live now: {live}\n"
        assert {*written(root)} == {f"skills/{name}/SKILL.md"}
        told = shown(desk, named(desk, DRAFT))
        assert (told["status"], told["applied_path"], told["file"]) == ("applied", str(live), "as written")
        assert [one["name"] for one in desk.fine("skills", "list", "--json").json] == [name]
        live.write_text(live.read_text() + "\nDo as I say.\n")
        assert "edited since it was promoted" in desk.fine("skills", "list").out
        assert f"{name} was edited since it was promoted" in desk.fine("skills", "show", name).err
        assert shown(desk, named(desk, DRAFT))["file"] == "edited since"
        live.unlink()
        assert "deleted since it was promoted" in desk.fine("skills", "list").err

    def test_what_a_person_made_of_it_goes_live(self, desk: Cli, root: Path, tmp_path: Path) -> None:
        """With all that lies beside it; the digest is of what it says then."""
        name = shown(desk, rubbed(desk, tmp_path))["name"]
        desk.fine("evolve", "accept", named(desk, DRAFT))
        draft = root / ".treering" / "drafts" / name
        (draft / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Make a user first.\n---\n\n1. make user\n")
        (draft / "users.txt").write_text("ann")
        result = desk.fine("evolve", "promote", name, "--root", str(root), "--json")
        assert {*result.json} >= {"name", "path", "digest"} and result.err == ""
        assert {*written(root)} == {f"skills/{name}/SKILL.md", f"skills/{name}/users.txt"}
        (one,) = desk.fine("skills", "list", "--json").json
        assert (one["description"], one["changed"]) == ("Make a user first.", "")

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("nobody", "no draft 'nobody'"),
            ("../../x", "a skill's name has 1 to 64"),
            ("", "a skill's name has 1 to 64"),
            (BELL, "a skill's name has 1 to 64"),
            ("broken", "would not be loaded"),
            ("other", "its name is 'else' and that of its folder 'other'"),
            ("linked", ""),
            ("taken", "there is a skill named taken already"),
        ],
    )
    def test_what_cannot_be_promoted_stays(self, desk: Cli, root: Path, name: str, message: str) -> None:
        """In quarantine, whole."""
        drafts = root / ".treering" / "drafts"
        for folder, text in (
            ("broken", "no header"),
            ("other", "---\nname: else\ndescription: x\n---\n"),
            ("linked", "---\nname: linked\ndescription: x\n---\n"),
            ("taken", "---\nname: taken\ndescription: x\n---\n"),
        ):
            (drafts / folder).mkdir(parents=True)
            (drafts / folder / "SKILL.md").write_text(text)
        (drafts / "linked" / "more").symlink_to("/etc")
        (root / "skills" / "taken").mkdir(parents=True)
        (root / "skills" / "taken" / "SKILL.md").write_text("---\nname: taken\ndescription: live\n---\n")
        before = written(root)
        refused(desk, ("evolve", "promote", name), 1, message)
        assert written(root) == before

    def test_a_name_is_needed(self, desk: Cli) -> None:
        """And a root that is one."""
        refused(desk, ("evolve", "promote"), 2, "needs a NAME")
        refused(desk, ("evolve", "promote", "x", "--root", "nowhere"), 1, "")


class TestChangeOfMemories:
    @pytest.fixture
    def wary(self, shop: Cli) -> Cli:
        """A rule was wrong, so that it only proposes."""
        shop.fine("evolve", "deprecate", "3", "--reason", "x")
        shop.fine("restore", "3")
        shop.fine("evolve", "run")
        return shop

    def test_accepting_does_it(self, wary: Cli, root: Path) -> None:
        """It can be undone, and no file is written."""
        id = named(wary, "memory-action")
        assert "`treering undo`" in wary.fine("evolve", "accept", id).out
        assert (status(wary, "3"), shown(wary, id)["status"]) == ("deprecated", "applied")
        assert written(root) == {}
        refused(wary, ("evolve", "accept", id), 1, "applied already")

    def test_a_skill_has_a_name_and_it_has_none(self, wary: Cli) -> None:
        """So a name is refused."""
        refused(wary, ("evolve", "accept", named(wary, "memory-action"), "--name", "x"), 1, "name")

    def test_done_by_hand_it_is_applied(self, wary: Cli) -> None:
        """And nothing waits any more."""
        wary.fine("evolve", "deprecate", "3", "--reason", "y")
        assert shown(wary, named(wary, "memory-action"))["status"] == "applied"
        assert wary.fine("evolve", "review").err == "nothing waits for you\n"


class TestCheck:
    """A skill carries the command that proves it."""

    def test_it_runs_when_somebody_asks_and_tells_whether_it_worked(self, desk: Cli, root: Path) -> None:
        name, path = "say-hello", root / ".treering" / "drafts" / "say-hello" / "SKILL.md"
        path.parent.mkdir(parents=True)
        front = f'---\nname: {name}\ndescription: Says hello\nmetadata:\n  check: "test -f hello && echo hello"\n---\n'
        path.write_text(f"{front}\n1. Say it.\n")
        desk.fine("evolve", "promote", name)
        done = desk("skills", "check", name)
        assert (done.code, done.out, done.err) == (1, "✗ test -f hello && echo hello\n", "")
        (root / "hello").touch()
        assert desk.fine("skills", "check", name).out == "✓ test -f hello && echo hello\n  hello\n"

    def test_what_nobody_accepted_is_not_run(self, desk: Cli, root: Path) -> None:
        """A project may bring along anything; and what was promoted may have changed."""
        path = root / "skills" / "theirs" / "SKILL.md"
        path.parent.mkdir(parents=True)
        front = '---\nname: theirs\ndescription: Does harm\nmetadata:\n  check: "touch harm"\n---\n'
        path.write_text(f"{front}\nDo it.\n")
        refused(desk, ("skills", "check", "theirs"), 1, "nobody accepted")
        desk.fine("evolve", "promote", "theirs")
        path.write_text(path.read_text().replace("touch harm", "touch more"))
        refused(desk, ("skills", "check", "theirs"), 1, "edited")
        assert not (root / "harm").exists() and not (root / "more").exists()
