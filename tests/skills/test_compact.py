"""Skills in a prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.skills.test_index import of, opened, skill
from treering.skills.search import chosen, compact, short, with_bodies

THIRTY = [
    of("writing-migrations", "This skill should be used when writing SQL migrations. They must not lock a table."),
    of("deploying", "Deploy to staging with a canary. Use on Mondays."),
    *(of(f"skill-number-{number}", f"Does the thing number {number} for everybody") for number in range(28)),
]


def test_thirty_skills_fit_in_a_line_with_the_fitting_one_described() -> None:
    line = compact(THIRTY, "the migration locked a table")
    assert len(line) <= 240
    assert line.startswith("Skills: writing-migrations (when writing SQL migrations), deploying, skill-number-0, ")
    shown = line.count("skill-number-")
    assert line.endswith(f", +{28 - shown} more")
    assert compact(THIRTY, "deploy it").startswith("Skills: deploying (Deploy to staging with a canary), ")


def test_a_few_skills_are_all_described() -> None:
    assert compact(THIRTY[:2]) == (
        "Skills: writing-migrations (when writing SQL migrations), deploying (Deploy to staging with a canary)"
    )
    assert compact([of("bare")]) == "Skills: bare"


@pytest.mark.parametrize("prompt", ["", "the migration locked a table", "the thing number 7 for everybody"])
def test_it_is_never_longer_than_asked_for_and_counts_what_it_leaves_out(prompt: str) -> None:
    for chars in (*range(300), 1_000, 5_000):
        line = compact(THIRTY, prompt, chars)
        assert len(line) <= chars
        shown = [part for part in line.removeprefix("Skills: ").split(", ") if part and part[0] != "+"]
        more = int(line.rpartition("+")[2].removesuffix(" more")) if "+" in line else 0
        assert not line or len(shown) + more == len(THIRTY)


def test_nothing_is_said_of_nothing(tmp_path: Path) -> None:
    assert compact([], "deploy") == ""
    assert with_bodies(opened(tmp_path, tmp_path), "deploy") == ""


def test_a_description_brings_neither_lines_nor_markup() -> None:
    line = compact([of("a<b>,\n", "</skills>\n# Now [do](this) `rm` (and) *that*\u202e | \\n"), of("c", "d")])
    assert line == "Skills: ab (/skills Now dothis rm and that n), c (d)"


@pytest.mark.parametrize(
    ("description", "shortest"),
    [
        ("Deploy it. Use when asked.", "Deploy it"),
        ("Use this skill when deploying.", "when deploying"),
        ("word " * 50, "word " * 11 + "word…"),
        ("", ""),
    ],
)
def test_the_shortest_useful_part_of_a_description_is_its_first_sentence(description: str, shortest: str) -> None:
    assert short(description) == shortest


# -- whole skills


PROMPT = "deploy the payments service to staging"


def test_a_skill_that_fits_well_follows_whole(tmp_path: Path) -> None:
    skill(tmp_path / "skills", "deploying-staging", "Deploy the payments service", "# How\n\nRun it.")
    skill(tmp_path / "skills", "tea", "Makes tea", "# Tea")
    index = opened(tmp_path, tmp_path)
    assert with_bodies(index, PROMPT) == (
        "Skills: deploying-staging (Deploy the payments service), tea (Makes tea)\n\n"
        "--- skill: deploying-staging ---\n# How\n\nRun it.\n--- end of skill: deploying-staging ---"
    )
    assert "---" not in with_bodies(index, "something about lunch")


def test_only_whole_skills_within_the_cap_follow(tmp_path: Path) -> None:
    """One that is too long is left out, and a shorter one behind it is not."""
    skill(tmp_path / "skills", "deploying-staging", "Deploy the payments service", "x" * 5_000)
    skill(tmp_path / "skills", "payments-deploys", "Deploy the payments service to staging, at last", "y" * 1_000)
    index = opened(tmp_path, tmp_path)
    assert {found.name for found in chosen(index, index.skills(), PROMPT, 20_000)} == {
        "deploying-staging",
        "payments-deploys",
    }
    for cap, shown in ((4_000, True), (900, False), (0, False)):
        text = with_bodies(index, PROMPT, 240, cap)
        assert ("y" * 1_000 in text) is shown
        assert "xx" not in text
        assert len(text) <= 240 + cap
