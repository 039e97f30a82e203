"""The measure of real use: a short life is played and scored as a person would score it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.judgement import labels
from benchmarks.lives import folds
from benchmarks.lives.life import OURS, Fact, Probe, Session, Turn, crowd, read
from benchmarks.lives.score import Heard, Score, figures
from benchmarks.lives.year import repeated

ROOT = Path(__file__).parent.parent
RULE = "remember that we deploy to production on Tuesdays"
LIFE: dict[str, Any] = {
    "id": "short",
    "language": "en",
    "projects": {"shop": "/home/ana/shop"},
    "sessions": [
        {
            "id": "s1",
            "project": "shop",
            "at": "2026-03-02T09:00:00Z",
            "turns": [
                {
                    "user": RULE,
                    "agent": "Noted.",
                    "keep": [{"id": "f1", "kind": "told", "gist": "deploys are on Tuesdays", "must": ["tuesday"]}],
                }
            ],
        },
        {
            "id": "s2",
            "project": "shop",
            "at": "2026-03-09T09:00:00Z",
            "turns": [
                {"user": "when can this go out", "agent": "On Tuesday.", "probe": {"want": ["f1"]}},
                {"user": "thanks a lot", "agent": "You're welcome.", "probe": {"want": []}},
            ],
        },
    ],
}
OLD = Fact("f1", "told", "tests with nose", ("nose",))
NEW = Fact("f2", "correction", "tests with pytest", ("pytest",), replaces="f1")


@pytest.fixture
def life(tmp_path: Path) -> Path:
    path = tmp_path / "short.json"
    path.write_text(json.dumps(LIFE), "utf-8")
    return path


def played(path: Path, *options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.lives.play", str(path), *options]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_told_rule_is_before_the_agent_a_week_later_and_thanks_are_met_with_silence(life: Path) -> None:
    found = played(life)
    assert found["missing"] == []
    counts = found["counts"]
    assert (counts["wanted"], counts["helped"], counts["silent"], counts["quiet"]) == (1, 1, 1, 1)
    assert (counts["kept"], counts["right"], counts["found"]) == (1, 1, 1)
    assert len(found["costs"]) == 2


def test_without_a_briefing_the_missing_fact_and_its_cause_are_named(life: Path) -> None:
    found = played(life, "--set", "briefing_tokens=0")
    assert [(one["fact"], one["why"]) for one in found["missing"]] == [("f1", "not chosen for the briefing")]


def test_the_floor_shows_earlier_prompts_and_keeps_no_memory(life: Path) -> None:
    counts = played(life, "--system", "prompts")["counts"]
    assert counts["helped"] == 0
    assert "kept" not in counts


def score(brief: str, probe: Probe, said: str = "", prompt: str = "") -> Counter[str]:
    found = Score(lambda fact, project: "", lambda old, new, project: "")
    found.learned([OLD, NEW])
    turn = Turn("go on", "", (), (), probe)
    session = Session("s", "shop", read(next(OURS.glob("shop-backend.json"))).sessions[0].at, (turn,))
    found.probe(session, turn, Heard(probe, brief, said, brief, prompt, ""))
    return found.counts


def test_a_replaced_fact_counts_as_stale_only_without_the_new_one() -> None:
    probe = Probe(("f2",), ("f1",))
    assert score("Tests with NOSE.", probe)["stale"] == 1
    assert score("Tests with nose. Tests with pytest.", probe)["stale"] == 0
    assert score("", probe)["stale"] == 0


def test_what_the_user_said_in_the_session_is_not_counted_as_help() -> None:
    assert score("Tests with pytest.", Probe(("f2",)), said="we use PYTEST")["wanted"] == 0


def test_a_hook_that_speaks_where_nothing_is_wanted_is_not_quiet() -> None:
    assert score("", Probe(()), prompt="Tests with pytest.")["quiet"] == 0
    assert figures(score("", Probe(())))["quiet"] == 1.0


def test_every_life_that_weights_have_seen_is_in_one_part_and_the_others_in_none() -> None:
    seen = folds.trained_on()
    assert {folds.part_of(life) for life in seen} == set(range(folds.PARTS))
    assert not {folds.part_of(life) for life in labels.LAST} - {None}
    assert folds.part_of("a life that is new") is None


def test_the_parts_name_lives_as_the_labels_do() -> None:
    """Otherwise a life that is left out by another name is trained on all the same."""
    assert {*folds.trained_on()} <= {prompt.source for prompt in labels.prompts()}


def test_a_year_has_as_many_sessions_as_asked_for_and_other_facts_each_time() -> None:
    whole = json.loads((OURS / "shop-backend.json").read_text("utf-8"))
    year = repeated(whole, 100)
    assert len(year["sessions"]) == len({session["id"] for session in year["sessions"]}) == 100
    assert [session["at"] for session in year["sessions"]] == sorted(session["at"] for session in year["sessions"])
    ids = [fact["id"] for session in year["sessions"] for turn in session["turns"] for fact in turn.get("keep", ())]
    assert len(ids) == len(set(ids))


def test_a_crowd_has_facts_of_other_lives_only() -> None:
    path = OURS / "shop-backend.json"
    own = {fact.gist for session in read(path).sessions for fact in session.facts}
    others = crowd([path, OURS / "agency-php.json"], "shop-backend")
    assert others and not own & set(others)
