"""A small version of the simulation that `make learning` runs: what a memory learns by being judged."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import report
from benchmarks.ageing.picture import SIGNATURE
from benchmarks.evolution import measures, world
from benchmarks.evolution.arms import ARMS, Life, Quality, Sample, live
from benchmarks.evolution.measures import Learning
from benchmarks.evolution.plot import HEIGHT, MARKS, plot
from tests.world import static
from treering.ledger.config import Config

learning = importlib.import_module("benchmarks.evolution.__main__")
SESSIONS, SESSIONS_LONG, SEED = 20, 40, 7
SMALL = world.Shape(
    hot=6, warm=4, rare=4, alike=2, bad=5, poisoned=2, near=2, light=2, free=1, fixable=2, cluster=3, stale=8, late=0.0
)
# A run every ten days, tried on the recalls of about as many: each costs what its replays cost.
CONFIG = Config(evolve_hours=240, evolve_judgements=0, gate_recalls=50)
MADE = world.world(SEED, SMALL)


@pytest.fixture(scope="module", params=[SESSIONS, pytest.param(SESSIONS_LONG, marks=pytest.mark.long)])
def sessions(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(scope="module")
def learned(sessions: int) -> Learning:
    found: Learning = learning.run(sessions, SEED, static(), SMALL, CONFIG, ARMS[:2])
    assert found.world == MADE
    return found


@pytest.fixture(scope="module")
def lives(learned: Learning) -> tuple[Life, ...]:
    return learned.lives


@pytest.fixture(scope="module")
def found(lives: tuple[Life, ...]) -> dict[str, measures.Action]:
    return {action.name: action for action in measures.actions(lives[0], MADE)}


def test_what_is_bad_or_poisoned_is_deprecated_and_nothing_else(
    sessions: int, found: dict[str, measures.Action]
) -> None:
    """Half of it in forty sessions, some of it in fewer."""
    assert found["deprecate"].precision == 1
    assert found["deprecate"].found >= (0.5 * found["deprecate"].due if sessions == SESSIONS_LONG else 1)


def test_duplicates_are_merged_and_look_alikes_are_not(
    lives: tuple[Life, ...], found: dict[str, measures.Action]
) -> None:
    assert found["merge"].precision == 1
    details = measures.details(lives[0], MADE)
    assert details["duplicates in the same words, merged"] == (SMALL.near, SMALL.near)
    assert details["look-alikes, merged"] == (0, 2 * SMALL.alike)


def test_what_can_be_said_better_is_refined(sessions: int, found: dict[str, measures.Action]) -> None:
    """All of it in forty sessions, and nothing else in any."""
    assert found["refine"].precision in (1, None)
    assert found["refine"].recall == 1 or sessions < SESSIONS_LONG


def test_what_nobody_asks_for_is_archived(found: dict[str, measures.Action]) -> None:
    assert found["archive"].found >= 0.7 * SMALL.stale


def test_a_skill_is_proposed_for_processes_of_one_kind(found: dict[str, measures.Action]) -> None:
    assert found["induce"].precision == 1
    assert found["induce"].found >= 1


def test_no_good_memory_is_lost(lives: tuple[Life, ...]) -> None:
    assert measures.lost(lives[0], MADE) == []


def test_answers_get_better_and_are_better_than_without_evolution(lives: tuple[Life, ...]) -> None:
    evolving, judged = (measures.quarters(life.samples) for life in lives)
    assert evolving[-1].reciprocal > evolving[0].reciprocal
    assert evolving[-1].reciprocal >= judged[-1].reciprocal
    assert evolving[-1].harmful < judged[-1].harmful


def test_a_memory_that_does_not_evolve_loses_and_gains_nothing(lives: tuple[Life, ...]) -> None:
    assert set(lives[1].statuses.values()) <= {"created", "active"}
    assert lives[1].samples[-1].size == len(MADE.planted)


def test_the_same_seed_gives_the_same_life() -> None:
    held = world.sessions(MADE, 5, SEED)
    assert world.world(SEED, SMALL) == MADE and world.sessions(MADE, 5, SEED) == held
    once, again = (live(ARMS[0], MADE, held, static(), SEED, CONFIG) for _ in range(2))
    assert once == again


def test_no_question_that_measures_is_ever_asked_in_a_session() -> None:
    whole = world.world()
    asked = {asked.text for session in world.sessions(whole, 200) for asked in session.asked}
    assert asked.isdisjoint(text for fact in whole.facts.values() for text in fact.held)


# -- how it is measured


def life(statuses: dict[str, str], into: dict[str, str] | None = None, **more: Any) -> Life:
    known = {one.key: "active" for one in MADE.planted} | statuses
    return Life("one", (), known, into or {}, (), {}, (), {}, {}, 0, 0)._replace(**more)


def test_a_true_memory_is_lost_unless_one_that_says_the_same_took_its_place() -> None:
    twin = next(one for one in MADE.planted if one.kind == "duplicate")
    other = next(one for one in MADE.planted if one.kind == "good" and one.fact != twin.fact)
    gone = {twin.key: "merged"}
    assert measures.lost(life({twin.key: "deprecated"}), MADE) == [twin.key]
    assert measures.lost(life(gone, {twin.key: twin.pair}), MADE) == []
    assert measures.lost(life(gone, {twin.key: other.key}), MADE) == [twin.key]
    both = life({**gone, twin.pair: "deprecated"}, {twin.key: twin.pair})
    assert set(measures.lost(both, MADE)) == {twin.pair, twin.key}
    assert measures.lost(life({"bad-1": "deprecated", "stale-1": "archived"}), MADE) == []
    assert measures.lost(life({"fixable-1, refined": "deprecated"}), MADE) == ["fixable-1, refined"]
    assert measures.lost(life({}, echoes={twin.key: twin.pair}), MADE) == []
    assert measures.lost(life({}, echoes={twin.key: other.key}), MADE) == [twin.key]


def test_actions_are_counted_as_worked_out_by_hand() -> None:
    twin = next(one for one in MADE.planted if one.kind == "duplicate")
    one = life(
        {"bad-1": "deprecated", "good-1": "deprecated", twin.pair: "merged", "good-2": "merged"},
        {twin.pair: twin.key, "good-2": "bad-2"},
        archived=("stale-1", "good-3"),
        skills=(("process-1", "process-2"), ("process-1", "process-9")),
    )
    counted = {action.name: action[1:] for action in measures.actions(one, MADE)}
    due = SMALL.bad + SMALL.poisoned
    assert counted["deprecate"] == (2, 1, due, 1)
    assert counted["merge"] == (2, 1, SMALL.near + SMALL.light + SMALL.free, 1)
    assert counted["archive"] == (2, 1, SMALL.stale, 1)
    assert counted["induce"] == (2, 1, 4, 1)


def test_a_quarter_is_the_mean_of_the_looks_in_it() -> None:
    samples = [Sample(10 * number, Quality(number, 0, 0), 0) for number in range(1, 9)]
    assert [quality.reciprocal for quality in measures.quarters(samples)] == [1.5, 3.5, 5.5, 7.5]


def test_the_plot_has_a_line_for_every_height_and_a_mark_for_every_arm(lives: tuple[Life, ...]) -> None:
    lines = plot(lives, "reciprocal").splitlines()
    area = lines[1 : HEIGHT + 2]
    assert len(lines) == HEIGHT + 5
    assert sum(line.count(MARKS[0]) for line in area) == len(lives[0].samples)
    assert all(life.arm in lines[-1] for life in lives)


def test_a_run_is_recorded_with_its_pictures(
    tmp_path: Path, learned: Learning, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "README.md"
    page.write_text("<!-- the latest run: learning -->\n<!-- the end of it: learning -->\n")
    for name, place in (("README", page), ("RESULTS", tmp_path / "results"), ("BUILD", tmp_path / "build")):
        monkeypatch.setattr(report, name, str(place))
    name = learning.save(learned)
    record = json.loads((tmp_path / "results" / name).read_text())
    assert [arm["arm"] for arm in record["arms"]] == [arm.name for arm in ARMS[:2]]
    assert record["lost"] == [] and record["goals"]
    assert (tmp_path / "results" / "learning-reciprocal.png").read_bytes().startswith(SIGNATURE)
    assert "learning-harmful.png" in page.read_text()
