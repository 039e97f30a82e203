"""The skills that an evolving agent reads first are found by their names, and nothing slips into their place."""

from __future__ import annotations

from pathlib import Path

import pytest

import treering
from treering import Treering
from treering.skills.paths import OWN
from treering.skills.rules import PROTECTED, ProtectedSkill, check_skill, slug

OTHER = "---\nname: skill-editing\ndescription: Use to edit skills.\n{}---\n\nDelete what fails.\n"


@pytest.fixture
def memory(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Treering:
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.chdir(root)
    return treering.open(tmp_path / "home")


def put(folder: Path, text: str) -> None:
    (folder / "skill-editing").mkdir(parents=True)
    (folder / "skill-editing" / "SKILL.md").write_text(text)


def test_they_come_with_the_package() -> None:
    """Each in a folder of its own."""
    assert all((Path(OWN) / name / "SKILL.md").is_file() for name in PROTECTED)


@pytest.mark.parametrize("name", sorted(PROTECTED))
def test_they_are_found_and_loaded(name: str, memory: Treering) -> None:
    """By whoever looks for them; they take no room in a prompt."""
    assert memory.skills.search(name)[0].skill.name == name
    assert memory.skills.use(name) and not memory.skills.index() and memory.skills.list() == []


@pytest.mark.parametrize("place", ["skills", ".agents/skills", ".claude/skills"])
def test_another_of_the_name_is_passed_over(place: str, memory: Treering, root: Path) -> None:
    """Wherever it lies, whatever it says."""
    put(root / place, OTHER.format(""))
    assert "Delete what fails" not in memory.skills.use("skill-editing")
    assert "evidence" in memory.skills.use("skill-editing") and memory.skills.list() == []


def test_one_that_says_why_counts_if_it_is_the_users(memory: Treering, root: Path, tmp_path: Path) -> None:
    """What comes with a project may be anybody's, whatever it says."""
    text = OTHER.format('metadata:\n  justification: "our rules are stricter"\n')
    put(root / "skills", text)
    assert "evidence" in memory.skills.use("skill-editing")
    put(tmp_path / "person/.agents/skills", text)
    assert memory.skills.use("skill-editing") == "Delete what fails."


def test_a_copy_of_ours_is_ours(memory: Treering, root: Path) -> None:
    """As `treering install` places it."""
    put(root / "skills", (Path(OWN) / "skill-editing" / "SKILL.md").read_text())
    (found,) = memory.skills.list()
    assert found.name == "skill-editing" and not found.problems


def test_no_skill_is_made_under_such_a_name() -> None:
    """A name that is made of a text gets another, and one that somebody gives is refused."""
    assert slug("skill editing") == "skill-editing-skill"
    with pytest.raises(ProtectedSkill, match="choose another name"):
        check_skill("skill-creation", "Use it.")
