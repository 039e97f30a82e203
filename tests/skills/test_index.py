"""Skills in their folders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from treering.ledger.errors import NotFound
from treering.skills import index
from treering.skills import index as cache
from treering.skills.index import HEAD, Index
from treering.skills.paths import folders
from treering.skills.search import Skill, rank, stem


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def skill(folder: Path, name: str, description: str = "Does it.", body: str = "# Do it") -> Path:
    return put(folder, f"{name}/SKILL.md", f'---\nname: {name}\ndescription: "{description}"\n---\n{body}\n')


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "home"
    made.mkdir()
    return made


def opened(root: Path, home: Path, configured: str = "") -> Index:
    return Index(folders(str(root), str(home), configured))


def names(found: Index) -> list[str]:
    return [skill.name for skill in found.skills()]


# -- where they are


def test_skills_are_found_in_every_folder_and_in_both_layouts(root: Path, home: Path, tmp_path: Path) -> None:
    skill(root / "skills", "one")
    skill(root / ".agents/skills", "two")
    put(root / ".claude/skills", "three.md", "# Doing the third thing\n")
    skill(home / ".agents/skills", "four")
    put(home / ".claude/skills", "five.md", "---\nname: five\ndescription: Fifth\n---\n")
    skill(tmp_path / "a", "six")
    put(tmp_path / "b", "seven/skill.md", "---\nname: seven\ndescription: Seventh\n---\n")
    found = opened(root, home, os.pathsep.join((str(tmp_path / "a"), "", str(tmp_path / "b"), str(tmp_path / "gone"))))
    assert [(skill.name, skill.place) for skill in found.skills()] == [
        ("five", "user"),
        ("four", "user"),
        ("one", "project"),
        ("seven", "configured"),
        ("six", "configured"),
        ("three", "project"),
        ("two", "project"),
    ]
    assert found.skill("three").description == "Doing the third thing"
    assert found.skill("one") == Skill("one", "Does it.", str(root / "skills/one/SKILL.md"), "project")
    assert found.passed_over == ()


def test_papers_hidden_files_and_drafts_are_no_skills(root: Path, home: Path) -> None:
    for name in (
        "README.md",
        "readme.MD",
        "Changelog.md",
        "LICENSE.md",
        "contributing.md",
        "README.de.md",
        ".hidden.md",
    ):
        put(root / "skills", name, "# Not a skill")
    put(root / "skills", "notes.txt", "# Not a skill")
    put(root / "skills", "empty/notes.md", "# Not a skill")
    for name in ("drafts", "Drafts", ".treering", ".git", "readme"):
        skill(root / "skills", name)
        skill(root / "skills" / name, "inner")
    skill(root / ".treering/drafts", "waiting")
    (root / "skills/folder.md").mkdir()
    os.mkfifo(root / "skills/pipe.md")
    skill(root / "skills", "license-checks")
    assert names(opened(root, home, f"{root}/.treering/drafts{os.pathsep}{root}/skills/drafts")) == ["license-checks"]


def test_the_project_hides_the_user_who_hides_what_is_configured(root: Path, home: Path, tmp_path: Path) -> None:
    third = skill(tmp_path / "more", "same", "third")
    found = opened(root, home, str(tmp_path / "more"))
    assert found.skill("same").description == "third"
    second = skill(home / ".agents/skills", "same", "second")
    assert found.skill("same").description == "second"
    first = skill(root / ".claude/skills", "same", "first")
    assert found.skill("same").description == "first"
    assert found.passed_over == tuple(
        f"{path} is hidden by {first}, which has the same name" for path in (second, third)
    )


def test_a_folder_that_is_reached_twice_is_read_once(root: Path) -> None:
    skill(root / ".claude/skills", "one")
    found = opened(root, root, str(root / ".claude/skills"))
    assert [skill.place for skill in found.skills()] == ["project"]
    assert found.passed_over == ()


def test_a_link_inside_of_the_project_is_followed_and_hides_nothing(root: Path, home: Path) -> None:
    skill(root / ".agents/skills", "one")
    (root / ".claude/skills").mkdir(parents=True)
    (root / ".claude/skills/one").symlink_to(root / ".agents/skills/one")
    found = opened(root, home)
    assert names(found) == ["one"]
    assert found.passed_over == ()


@pytest.mark.parametrize("what", ["folder", "file", "layout", "all"])
def test_a_link_out_of_the_project_is_passed_over_and_told(root: Path, home: Path, tmp_path: Path, what: str) -> None:
    """For a clone may bring such a link; the user's own folders may hold them."""
    secret = skill(tmp_path / "outside", "one", "secret")
    for place in (root / "skills", home / ".claude/skills"):
        place.parent.mkdir(exist_ok=True)
        if what == "all":
            place.symlink_to(tmp_path / "outside")
            continue
        place.mkdir(parents=True)
        if what == "folder":
            (place / "one").symlink_to(secret.parent)
        elif what == "file":
            (place / "one").mkdir()
            (place / "one/SKILL.md").symlink_to(secret)
        else:
            (place / "one.md").symlink_to(secret)
    found = opened(root, home)
    assert [(skill.name, skill.place) for skill in found.skills()] == [("one", "user")]
    assert len(found.passed_over) == 1 and "out of the project" in found.passed_over[0]


def test_what_other_agents_would_not_load_is_listed_with_its_problems(root: Path, home: Path) -> None:
    put(root / "skills", "bare/SKILL.md", "Text")
    put(root / "skills", "Odd Name.md", "")
    put(root / "skills", "other/SKILL.md", "---\nname: another\ndescription: Use: it\n---\n")
    found = {skill.name: " ".join(skill.problems) for skill in opened(root, home).skills()}
    assert list(found) == ["Odd Name", "another", "bare"]
    assert "no name for a skill" in found["Odd Name"] and "no description" in found["Odd Name"]
    assert "'another' and it lies under 'other'" in found["another"] and "double quotes" in found["another"]
    assert "nothing stands above it" in found["bare"]


# -- what is read


def test_no_more_of_a_file_is_read_than_its_head(root: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skill(root / "skills", "one", body="x" * 100_000)
    sizes: list[int] = []
    read = os.read

    def counted(handle: int, most: int) -> bytes:
        data = read(handle, most)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(os, "read", counted)
    found = opened(root, home)
    assert len(found.skills()) == len(found.skills()) == 1
    assert sizes == [HEAD]
    assert len(found.body("one")) == 100_000
    found.body("one")
    assert sizes == [HEAD, 100_000 + len('---\nname: one\ndescription: "Does it."\n---\n\n')]


def test_a_changed_skill_is_read_again_and_a_deleted_one_is_gone(root: Path, home: Path) -> None:
    path = skill(root / "skills", "one", "before", "old")
    found = opened(root, home)
    assert (found.skill("one").description, found.body("one")) == ("before", "old")
    skill(root / "skills", "one", "behind", "new")
    os.utime(path, ns=(1, 1))
    assert (found.skill("one").description, found.body("one")) == ("behind", "new")
    there = found.skill("one")
    path.unlink()
    assert names(found) == []
    assert found.text_of(there) == ""


def test_a_skill_that_is_not_there_is_not_found_but_near_names_are(root: Path, home: Path) -> None:
    skill(root / "skills", "deploying")
    with pytest.raises(NotFound, match="did you mean deploying"):
        opened(root, home).skill("deployin")
    with pytest.raises(NotFound, match="skills list"):
        opened(root, home).body("zzz")


# -- what is kept for the next process


@pytest.fixture
def many(root: Path) -> Path:
    for number in range(cache.FEWEST):
        skill(root / "skills", f"skill-{number}", f"Does thing {number}")
    return root


def test_the_next_process_reads_only_what_has_changed(
    many: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = str(tmp_path / "kept")
    where = folders(str(many), str(home))
    before = Index(where, kept).skills()
    skill(many / "skills", "skill-7", "Does something else")
    (many / "skills/skill-8/SKILL.md").unlink()
    read: list[str] = []
    head = index._head

    def noted(path: str, most: int) -> bytes | None:
        read.append(path)
        return head(path, most)

    monkeypatch.setattr(index, "_head", noted)
    after = Index(where, kept).skills()
    assert read == [str(many / "skills/skill-7/SKILL.md")]
    assert after == Index(where).skills()
    assert len(set(before) & set(after)) == cache.FEWEST - 2
    assert oct(os.stat(kept).st_mode)[-3:] == "600"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "kept", "project"]


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", b"other\n", b"treering skills 1\na\tb\n\t\t\t\t\t\t\t\t\n"])
def test_a_damaged_file_of_them_is_as_good_as_none(many: Path, home: Path, tmp_path: Path, damage: bytes) -> None:
    kept = tmp_path / "kept"
    kept.write_bytes(damage)
    where = folders(str(many), str(home))
    assert Index(where, str(kept)).skills() == Index(where).skills()
    assert len(cache.load(str(kept))) == cache.FEWEST


def test_nothing_is_kept_of_a_few_nor_where_it_cannot_be(root: Path, many: Path, home: Path, tmp_path: Path) -> None:
    skill(home / ".claude/skills", "one")
    Index(folders("", str(home)), str(tmp_path / "kept")).skills()
    assert not (tmp_path / "kept").exists()
    assert len(Index(folders(str(many), ""), str(tmp_path / "no/such/folder")).skills()) == cache.FEWEST


def test_a_path_with_a_tab_is_read_every_time(many: Path, home: Path, tmp_path: Path) -> None:
    skill(many / "skills", "with\ttab")
    where, kept = folders(str(many), str(home)), str(tmp_path / "kept")
    assert Index(where, kept).skills() == Index(where, kept).skills() == Index(where).skills()
    assert len(cache.load(kept)) == cache.FEWEST


# -- searching


def of(name: str, description: str = "") -> Skill:
    return Skill(name, description, f"/{name}", "project")


def ranked(skills: list[Skill], query: str) -> list[str]:
    return [match.skill.name for match in rank(skills, query)]


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    skills = [of(f"service-{number}", "Work on the service") for number in range(5)]
    skills.append(of("canary", "Release with a canary"))
    assert ranked(skills, "the service needs a canary")[0] == "canary"


def test_words_are_found_in_other_forms_and_inside_of_names_in_code() -> None:
    skills = [
        of("deploying", "Ship it"),
        of("accounts", "Call getUserName first"),
        of("policies", "Rules"),
        of("jp", "設定を変更"),
    ]
    assert ranked(skills, "deployment failed") == ["deploying"]
    assert ranked(skills, "which user?") == ["accounts"]
    assert ranked(skills, "a policy") == ["policies"]
    assert ranked(skills, "変更したい") == ["jp"]


def test_what_a_skill_is_called_counts_more_than_what_it_mentions() -> None:
    skills = [of("testing", "Before a release, see releasing"), of("releasing", "Ship it. Needs testing")]
    assert ranked(skills, "releasing") == ["releasing", "testing"]
    assert ranked(skills, "testing") == ["testing", "releasing"]


def test_nothing_is_found_for_words_that_say_nothing_or_are_nowhere() -> None:
    skills = [of("using-the-thing", "What is it about")]
    for query in ("", "what is it", "please", "zebra", "!!!"):
        assert rank(skills, query) == []
    assert rank([], "zebra") == []


def test_a_skill_matches_well_when_its_name_is_said_or_much_of_it() -> None:
    skills = [
        of("deploying-staging", "Ship the payments service to staging"),
        of("payments", "How refunds work"),
        of("reading", "Read a service"),
    ]
    well = {match.skill.name for match in rank(skills, "deploy the payments service to staging") if match.well}
    assert well == {"deploying-staging"}
    assert [match.well for match in rank(skills, "service")] == [False, False]
    assert [match.well for match in rank(skills, "payments with refunds")][:1] == [True]


def test_a_skill_that_fits_much_less_than_another_is_not_shown_whole() -> None:
    skills = [
        of("deploying-staging", "Ship the payments service with a canary, watch dashboards, roll back"),
        of("books", "Of the payments service: read about staging, and then about many other things of no matter"),
        *(of(f"other-{number}", "On staging, the payments service") for number in range(4)),
    ]
    prompt = "deploy the payments service to staging with a canary and watch dashboards"
    assert [match.skill.name for match in rank(skills, prompt) if match.well] == ["deploying-staging"]


def test_a_long_prompt_that_shares_a_few_words_with_a_skill_is_not_about_it() -> None:
    """A log that somebody pasted has some words in common with everything."""
    about = (
        "Ship the payments service to staging with a canary, watch the dashboards, roll back on errors, tell the team"
    )
    skills = [of("deploying-staging", about)]
    pasted = " ".join(f"word{number}" for number in range(200))
    assert rank(skills, "roll back the canary of the payments service")[0].well
    assert not rank(skills, f"{pasted} service errors {pasted} canary")[0].well


@pytest.mark.parametrize(
    "forms",
    [
        "deploy deploys deployed deploying deployment deployments",
        "migrate migrates migrated migrating migration migrations",
        "policy policies",
        "run runs running",
        "class classes",
        "query queries",
        "file files",
        "create creates creating creation",
        "test tests tested testing tester",
    ],
)
def test_forms_of_a_word_have_one_stem_that_begins_it(forms: str) -> None:
    found = {stem(word) for word in forms.split()}
    assert len(found) == 1
    assert all(word.startswith(tuple(found)) for word in forms.split())


def test_a_search_gives_no_more_than_asked_for(root: Path, home: Path) -> None:
    for number in range(5):
        skill(root / "skills", f"deploy-{number}")
    found = opened(root, home)
    assert len(found.search("deploy", 3)) == 3
    assert len(found.search("deploy")) == 5
