"""What accepting writes, and what it never touches."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.skills.proposals.desk import COMMAND, FACT, NAME, Desk, skill, tree
from treering.ledger.errors import InvalidInput, NotFound, Refused, TreeringError
from treering.ledger.events import ACCEPTED, PROMOTED, PROPOSED
from treering.skills.frontmatter import InvalidSkill, validate
from treering.skills.proposals.decide import NameTaken

TARGET = f"skills/{NAME}/SKILL.md"
ROUTING = "rules/common/agent-intent-routing.md"


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    (folder := tmp_path / "talk").mkdir()
    return folder


class TestTheFile:
    def test_it_is_what_was_shown(self, desk: Desk, root: Path) -> None:
        """To the letter, one file, and an agent can load it."""
        proposal = desk.upgrade(tags=["css"], language="typescript")
        accepted = desk.memory.proposals.accept(proposal.id, str(root))
        assert accepted.path == str(root / TARGET)
        assert tree(root) == {TARGET: proposal.text.encode()}
        assert validate(proposal.text, NAME).metadata["language"] == "typescript"
        now = desk.memory.proposals.get(proposal.id)
        assert (now.status, now.path, now.file) == ("accepted", accepted.path, "as written")

    def test_git_is_not_touched(self, desk: Desk, root: Path) -> None:
        """The file is there, untracked; the index and the head are as they were."""

        def git(*words: str) -> str:
            return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout

        git("init", "-q")
        (root / "README.md").write_text("a project")
        git("add", ".")
        git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "first")
        git("status")  # which writes the index anew, once
        before = tree(root / ".git")
        desk.memory.proposals.accept(desk.upgrade().id, str(root))
        assert tree(root / ".git") == before
        assert git("status", "--porcelain", "--untracked-files=all") == f"?? {TARGET}\n"

    @pytest.mark.parametrize("status", ("edited", "deleted"))
    def test_a_later_change_is_told(self, desk: Desk, root: Path, status: str) -> None:
        """By whatever lists it; and what was deleted can be accepted again, what was edited not by accident."""
        proposal = desk.upgrade()
        path = Path(desk.memory.proposals.accept(proposal.id, str(root)).path)
        path.write_text("better words") if status == "edited" else path.unlink()
        (listed,) = desk.memory.proposals.list()
        assert (listed.status, listed.file) == ("accepted", f"{status} since")
        if status == "edited":
            with pytest.raises(Refused):
                desk.memory.proposals.accept(proposal.id, str(root))
            assert path.read_text() == "better words"
        else:
            desk.memory.proposals.accept(proposal.id, str(root))
            assert path.read_text() == proposal.text

    def test_a_person_may_edit_it_first(self, desk: Desk, root: Path) -> None:
        """Name and text; it is checked like any other."""
        proposal = desk.upgrade()
        drafted = desk.memory.proposals.draft(proposal.id, str(root), name="square-brackets")
        edited = drafted.text.replace(FACT, "Square brackets hold any value")
        desk.memory.proposals.accept(proposal.id, str(root), text=edited, name="square-brackets")
        text = (root / "skills/square-brackets/SKILL.md").read_text()
        assert validate(text, "square-brackets")
        assert "Square brackets hold any value" in text
        assert desk.told(ACCEPTED)[0]["edited"]

    @pytest.mark.parametrize("text", (FACT, "404 pages come from the old router", "yes"), ids=("word", "digit", "yaml"))
    def test_any_skill_can_be_renamed(self, desk: Desk, root: Path, text: str) -> None:
        """Also one whose name stands in quotes."""
        desk.memory.proposals.accept(desk.upgrade(text).id, str(root), name="better-name")
        assert validate((root / "skills/better-name/SKILL.md").read_text(), "better-name")

    @pytest.mark.parametrize(
        "name",
        ("../up", "/etc", "a/b", "A", "a--b", "-a", "", "a\nb", "x" * 65, "readme", "drafts", "license"),
        ids=repr,
    )
    def test_a_name_that_no_agent_would_find_is_refused(self, desk: Desk, root: Path, name: str) -> None:
        """Before anything is written; an empty one is none at all."""
        proposal = desk.upgrade()
        if not name:
            return
        with pytest.raises(InvalidInput):
            desk.memory.proposals.accept(proposal.id, str(root), name=name)
        assert tree(root) == {}
        assert desk.status(proposal.id) == "pending"

    def test_what_fails_validation_is_not_written(self, desk: Desk, root: Path) -> None:
        """No folder, no file, no event."""
        proposal = desk.upgrade()
        for text in ("no frontmatter", proposal.text.replace("description:", "descry:"), "---\nname: x\n---\n"):
            with pytest.raises(InvalidSkill):
                desk.memory.proposals.accept(proposal.id, str(root), text=text)
        assert os.listdir(root) == []
        assert desk.events(ACCEPTED) == []


class TestTheRoot:
    def test_nothing_is_written_through_a_link(self, desk: Desk, root: Path, tmp_path: Path) -> None:
        """Neither a folder on the way nor the file itself may be one."""
        (outside := tmp_path / "outside").mkdir()
        (outside / "SKILL.md").write_text("precious")
        proposal = desk.upgrade()
        (root / "skills").symlink_to(outside)
        with pytest.raises(Refused):
            desk.memory.proposals.accept(proposal.id, str(root), overwrite=True)
        (root / "skills").unlink()
        (root / "skills" / NAME).mkdir(parents=True)
        (root / TARGET).symlink_to(outside / "SKILL.md")
        with pytest.raises(Refused):
            desk.memory.proposals.accept(proposal.id, str(root), overwrite=True)
        assert tree(outside) == {"SKILL.md": b"precious"}
        assert desk.status(proposal.id) == "pending"

    @pytest.mark.parametrize("setting", ("../outside", "/outside", "skills/../../outside", ".git", "a/.git/b"))
    def test_no_setting_leads_out_of_the_root_or_into_git(self, desk: Desk, root: Path, setting: str) -> None:
        """Skills and routing entries alike."""
        upgrade, route = desk.upgrade(), desk.route()
        desk.settings(skill_target=setting)
        with pytest.raises(TreeringError):
            desk.memory.proposals.accept(upgrade.id, str(root))
        desk.settings(routing_file=f"{setting}/routing.md")
        with pytest.raises(TreeringError):
            desk.memory.proposals.accept(route.id, str(root))
        assert tree(root.parent) == {}

    @pytest.mark.parametrize("given", ("missing", "file", "a\0b", ""))
    def test_a_root_that_is_no_folder_is_refused(self, desk: Desk, root: Path, given: str) -> None:
        """And not made."""
        proposal = desk.upgrade()
        (root / "file").write_text("a file")
        with pytest.raises(InvalidInput):
            desk.memory.proposals.accept(proposal.id, given and str(root / given))
        assert tree(root) == {"file": b"a file"}
        assert desk.status(proposal.id) == "pending"


class TestNames:
    @pytest.mark.parametrize("place", ("skills", ".claude/skills", "target", "user", "configured", "draft"))
    def test_a_name_that_is_taken_is_refused(
        self, desk: Desk, root: Path, user: Path, talk: Path, tmp_path: Path, place: str
    ) -> None:
        """By a live skill of the project, one of the user, of a folder that a setting names, or another draft."""
        desk.settings(skill_folders=str(tmp_path / "more"), skill_target="live" if place == "target" else "skills")
        (draft,) = desk.eased(talk)
        folders = {"target": root / "live", "user": user / ".claude/skills", "configured": tmp_path / "more"}
        if place == "draft":
            desk.memory.proposals.accept(desk.upgrade().id, str(root))
            name, proposal = NAME, draft
        else:
            skill(folders.get(place, root / place), draft.name)
            name, proposal = "", draft
        before = tree(root)
        with pytest.raises(NameTaken):
            desk.memory.proposals.accept(proposal.id, str(root), name=name)
        assert tree(root) == before
        assert desk.status(proposal.id) == "pending"

    def test_a_live_skill_may_not_have_the_name_of_a_draft(self, desk: Desk, root: Path, talk: Path) -> None:
        """They would be taken for each other at promotion."""
        (draft,) = desk.eased(talk)
        desk.memory.proposals.accept(draft.id, str(root))
        upgrade = desk.upgrade()
        with pytest.raises(NameTaken):
            desk.memory.proposals.accept(upgrade.id, str(root), name=draft.name)
        assert not (root / "skills").exists()


class TestRouting:
    def test_an_entry_is_added_to_what_is_there(self, desk: Desk, root: Path) -> None:
        """Only if that is said; every byte that was there stays, whatever it is, and however many there are."""
        proposal = desk.route()
        (file := root / ROUTING).parent.mkdir(parents=True)
        file.write_bytes(before := b"# Caf\xe9\r\nrules\r\n" + b"x" * (1 << 20) + b"\nthe end\n")
        with pytest.raises(Refused):
            desk.memory.proposals.accept(proposal.id, str(root))
        assert file.read_bytes() == before
        try:
            desk.memory.proposals.accept(proposal.id, str(root), overwrite=True)
        except Refused:
            assert file.read_bytes() == before
            return
        assert file.read_bytes().startswith(before.rstrip())
        assert proposal.id.encode() in file.read_bytes()

    def test_an_entry_that_is_there_is_not_added_twice(self, desk: Desk, root: Path) -> None:
        proposal = desk.route()
        (file := root / ROUTING).parent.mkdir(parents=True)
        file.write_text("# Rules\n")
        desk.memory.proposals.accept(proposal.id, str(root), overwrite=True)
        assert desk.memory.proposals.get(proposal.id).file == "as written"
        desk.memory.undo(desk.events(ACCEPTED)[0].id)
        desk.memory.proposals.accept(proposal.id, str(root), overwrite=True)
        assert file.read_text().count(proposal.id) == 1
        assert file.read_text().startswith("# Rules\n")

    def test_it_has_no_name(self, desk: Desk, root: Path) -> None:
        with pytest.raises(InvalidInput):
            desk.memory.proposals.accept(desk.route().id, str(root), name="a-name")


class TestPromoting:
    def test_it_moves_the_draft_and_pins_it(self, desk: Desk, root: Path, talk: Path) -> None:
        """From then on agents find it, and a change is reported."""
        (draft,) = desk.eased(talk)
        desk.memory.proposals.accept(draft.id, str(root))
        promoted = desk.memory.proposals.promote(draft.name, str(root))
        assert tree(root) == {f"skills/{draft.name}/SKILL.md": draft.text.encode()}
        assert [one.name for one in desk.memory.skills.list(str(root))] == [draft.name]
        now = desk.memory.proposals.get(draft.id)
        assert (now.status, now.path, now.file) == ("applied", promoted.path, "as written")
        assert desk.memory.skills.changed() == {}
        Path(promoted.path).write_text("something else")
        assert "edited" in desk.memory.skills.changed()[promoted.path]
        assert desk.memory.proposals.get(draft.id).file == "edited since"
        Path(promoted.path).unlink()
        assert "deleted" in desk.memory.skills.changed()[promoted.path]

    def test_what_was_killed_on_the_way_can_be_promoted_again(self, desk: Desk, root: Path, talk: Path) -> None:
        """The folder has been moved, and nobody has said so."""
        (draft,) = desk.eased(talk)
        desk.memory.proposals.accept(draft.id, str(root))
        promoted = desk.memory.proposals.promote(draft.name, str(root))
        desk.memory.undo(desk.events(PROMOTED)[0].id)
        assert desk.memory.proposals.promote(draft.name, str(root)) == promoted
        assert desk.status(draft.id) == "applied"

    def test_what_was_changed_since_is_pinned_as_it_is_now(self, desk: Desk, root: Path, talk: Path) -> None:
        """By promoting it again, which is refused while nothing has changed; any file of its folder counts."""
        (draft,) = desk.eased(talk)
        desk.memory.proposals.accept(draft.id, str(root))
        path = Path(desk.memory.proposals.promote(draft.name, str(root)).path)
        with pytest.raises(Refused):
            desk.memory.proposals.promote(draft.name, str(root))
        path.write_text(draft.text + "\nRun it twice.\n")
        (path.parent / "notes.md").write_text("more")
        assert list(desk.memory.skills.changed()) == [str(path)]
        desk.memory.proposals.promote(draft.name, str(root))
        assert desk.memory.skills.changed() == {}
        (path.parent / "notes.md").write_text("less")
        assert list(desk.memory.skills.changed()) == [str(path)]

    def test_a_root_may_be_a_link_and_is_known_again(self, desk: Desk, root: Path, tmp_path: Path, talk: Path) -> None:
        (tmp_path / "link").symlink_to(root)
        (draft,) = desk.eased(talk)
        desk.memory.proposals.accept(draft.id, str(tmp_path / "link"))
        path = Path(desk.memory.proposals.promote(draft.name, str(tmp_path / "link")).path)
        path.write_text(draft.text + "\nRun it twice.\n")
        desk.memory.proposals.promote(draft.name, str(tmp_path / "link"))
        assert desk.memory.skills.changed() == {}

    def test_it_never_replaces_a_skill(self, desk: Desk, root: Path, user: Path, talk: Path) -> None:
        """Of this project or of the user."""
        (draft,) = desk.eased(talk)
        desk.memory.proposals.accept(draft.id, str(root))
        for folder in (root / "skills", user / ".claude/skills"):
            path = skill(folder, draft.name)
            before = tree(root)
            with pytest.raises(Refused):
                desk.memory.proposals.promote(draft.name, str(root))
            assert tree(root) == before
            path.unlink()
            path.parent.rmdir()
        assert desk.status(draft.id) == "accepted"

    def test_a_draft_that_was_spoilt_stays_where_it_is(self, desk: Desk, root: Path, talk: Path) -> None:
        """What no agent would load, and what leads out of the root."""
        (draft,) = desk.eased(talk)
        path = Path(desk.memory.proposals.accept(draft.id, str(root)).path)
        path.write_text("no frontmatter")
        with pytest.raises(InvalidSkill):
            desk.memory.proposals.promote(draft.name, str(root))
        path.write_text(draft.text)
        (path.parent / "notes.md").symlink_to("/etc/hostname")
        with pytest.raises(Refused):
            desk.memory.proposals.promote(draft.name, str(root))
        assert path.exists()
        assert desk.events(PROMOTED) == []

    @pytest.mark.parametrize("name", ("missing", "../skills", "a/b", ""))
    def test_what_is_no_draft_is_refused(self, desk: Desk, root: Path, name: str) -> None:
        with pytest.raises((NotFound, InvalidInput)):
            desk.memory.proposals.promote(name, str(root))


class TestMemoryActions:
    def test_accepting_does_it_and_says_so(self, desk: Desk) -> None:
        """With the evidence that the action itself asks for."""
        note = desk.worn("It fails every time")
        desk.foreign(PROPOSED, {"fingerprint": "act-0123456789", "kind": "memory-action", "action": "deprecate",
                                "memories": [note.id], "weight": 10}, [note.id])  # fmt: skip
        assert desk.memory.proposals.accept("act-0123456789").path == ""
        assert (desk.now(note).status, desk.status("act-0123456789")) == ("deprecated", "applied")

    def test_accepting_is_refused_without_the_evidence(self, desk: Desk) -> None:
        """Nothing has happened then."""
        note = desk.memory.remember("It may fail")
        desk.foreign(PROPOSED, {"fingerprint": "act-0123456789", "kind": "memory-action", "action": "deprecate",
                                "memories": [note.id], "weight": 10}, [note.id])  # fmt: skip
        with pytest.raises(TreeringError):
            desk.memory.proposals.accept("act-0123456789")
        assert (desk.now(note).status, desk.status("act-0123456789")) == ("created", "pending")
        assert desk.events(ACCEPTED) == []

    def test_what_is_about_a_memory_that_has_changed_is_moot(self, desk: Desk, root: Path) -> None:
        """A skill of what was superseded is not written."""
        proposal = desk.upgrade()
        desk.memory.supersede(proposal.memories[0], "Square brackets are no longer needed")
        assert desk.status(proposal.id) == "moot"
        with pytest.raises(Refused):
            desk.memory.proposals.accept(proposal.id, str(root))
        assert tree(root) == {}


def test_commands_of_friction_stay_quotations(desk: Desk, root: Path, talk: Path) -> None:
    """What a tool was tried with cannot hide or head anything in the draft."""
    evil = f"{COMMAND} `rm -rf /` <!-- # Heading"
    (draft,) = desk.eased(talk, evil)
    assert "<!--" not in draft.text.partition("\n---\n")[2]
    headings = [line for line in draft.text.splitlines() if line.startswith("#")]
    assert headings == [f"# Skill: {draft.name}", "## When to use", "## Approach", "## What does not work", "## Origin"]


def test_nothing_that_a_memory_says_hides_what_comes_after_it(desk: Desk) -> None:
    """Neither a comment nor code that does not end: where it comes from can be read."""
    text = desk.upgrade("Values need brackets <!-- and\n```\nno end", origin="tool:web").text
    body = text.partition("\n---\n")[2]
    assert ("<!--" in body, body.count("```") % 2) == (False, 0)
    assert "\n## Origin\n" in body.rpartition("```")[2]
