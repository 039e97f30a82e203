"""The benchmarks run: whether the figures are good is for `make bench` and its like to say, on a quiet machine."""

from __future__ import annotations

import importlib
import json
from math import log2
from pathlib import Path

import pytest

from benchmarks import analysis, machine, report, speed
from benchmarks.figures import Plan, figure
from benchmarks.peers.peer import MISSING, Kind
from benchmarks.recall import sets
from benchmarks.recall.asking import STRATEGIES, Answer, Asked
from benchmarks.recall.baselines import BASELINES, Vectors, Words, fused, match
from benchmarks.recall.findings import Goal, findings, goals, together
from benchmarks.recall.measures import NOTHING, Score, mean, score
from benchmarks.recalling import latency, stock
from benchmarks.recalling.notes import FEWEST, MOST, notes, questions
from benchmarks.texts import LONGEST, SHORTEST, Notes
from treering.consolidate.rules import STEPS

recall = importlib.import_module("benchmarks.recall.__main__")
recalling = importlib.import_module("benchmarks.recalling.__main__")
peers = importlib.import_module("benchmarks.peers.__main__")
pipeline = importlib.import_module("benchmarks.pipeline.__main__")


@pytest.mark.parametrize("name", list(speed.CASES))
def test_every_case_yields_ratios_at_a_small_size(name: str, tmp_path: Path) -> None:
    figures = list(speed.run(Plan(size=100, quick=True, repeats=2, starts=2), [name], str(tmp_path)))
    assert figures
    for found in figures:
        assert found.low <= found.ratio <= found.high
        assert found.ratio > 0
        assert report.line(found).startswith(f"| {found.name} |")
    assert not list(tmp_path.iterdir())


def test_a_figure_is_the_median_of_its_pairs_and_misses_a_goal_below_it() -> None:
    found = figure("one", 1, "s", [(1.0, 2.0), (1.0, 9.0), (2.0, 6.0)], goal=2.9)
    assert (found.ratio, found.low, found.high, found.repeats) == (3.0, 2.0, 9.0, 3)
    assert not found.met


def test_the_notes_are_the_same_every_time_and_of_the_lengths_promised() -> None:
    notes = list(Notes().take(300))
    assert notes == list(Notes().take(300))
    assert all(SHORTEST // 2 <= len(note) <= LONGEST for note in notes)


def test_a_record_names_no_host_and_no_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "RESULTS", str(tmp_path))
    name = report.write("speed", {**report.heading(), "figures": report.rows([figure("one", 1, "s", [(1.0, 2.0)])])})
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert "platform" not in text
    assert str(tmp_path) not in text
    assert '"/' not in text


def test_a_run_takes_the_place_of_the_last_one_of_its_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "README.md"
    page.write_text("a\n<!-- the latest run: x -->\nold\n<!-- the end of it: x -->\nb\n")
    monkeypatch.setattr(report, "README", str(page))
    for _ in range(2):
        report.show_in_readme("x", "| new |\n", {"date": "today", "machine": machine.described(str(tmp_path))})
    text = page.read_text()
    assert text.startswith("a\n") and text.endswith("b\n")
    assert text.count("| new |") == 1 and "old" not in text


def test_the_readme_has_a_place_for_every_kind_of_run() -> None:
    text = Path(report.README).read_text(encoding="utf-8")
    kinds = ["speed", "recall", "recalling", "peers", "ageing", "hygiene", "contradictions"]
    kinds += ["learning", "evolving-pairs", "evolving-gate", "evolving-run", "duplicates", "implicit"]
    kinds += ["friction", "analysis", "skills"]
    kinds += ["learning-curves", "tuning", "consolidation", "graph", "pipeline"]
    kinds += ["hooks", "day", "prompting", "capture", "sync"]
    for kind in kinds:
        assert text.index(f"<!-- the latest run: {kind} -->") < text.index(f"<!-- the end of it: {kind} -->")


# -- how good a ranking is


def test_a_ranking_is_measured_as_worked_out_by_hand() -> None:
    """Two relevant, at ranks 2 and 6 of ten: half by five, all by ten."""
    found = score(list("abcdefghij"), {"b", "f"})
    best = 1 + 1 / log2(3)
    assert found == pytest.approx(Score(0.5, 1.0, (1 / log2(3) + 1 / log2(7)) / best, 0.5))


def test_what_stands_behind_the_tenth_place_does_not_count() -> None:
    assert score(list("abcdefghijk"), {"k"}) == NOTHING
    assert score([], {"k"}) == NOTHING


def test_a_perfect_ranking_is_perfect_even_where_more_are_relevant_than_fit() -> None:
    relevant = [str(number) for number in range(20)]
    assert score(relevant, relevant) == pytest.approx(Score(0.25, 0.5, 1.0, 1.0))


def test_a_mean_is_over_queries() -> None:
    assert mean([Score(1, 1, 1, 1), NOTHING]) == Score(0.5, 0.5, 0.5, 0.5)
    assert mean([]) == NOTHING


def test_silence_counts_as_nothing_found_and_as_right_where_there_is_no_answer() -> None:
    said, unsaid = Answer(("a",), ("a",)), Answer(("a",), ())
    queries = [sets.Query("x", frozenset(relevant), "", None) for relevant in ({"a"}, {"a"}, set[str](), set[str]())]
    answers = (said, unsaid, said, unsaid)
    systems = (*BASELINES, *STRATEGIES)
    asked = [Asked(query, dict.fromkeys(systems, answer)) for query, answer in zip(queries, answers, strict=True)]
    hybrid = findings("one", asked)[-1]
    assert (hybrid.forced.r10, hybrid.given.r10, hybrid.lost, hybrid.silent) == (1.0, 0.5, 0.5, 0.5)
    assert (hybrid.answerable, hybrid.unanswerable) == (2, 2)
    assert together([hybrid, hybrid]).lost == 0.5
    unmet = [goal.what for goal in goals(findings("one", asked)) if not goal.met]
    assert unmet == ["nDCG@10, best baseline"]  # as good as the best baseline is not above it


def test_a_goal_is_not_met_by_rounding() -> None:
    assert Goal("one", "R@10", 0.98, "≥", 0.98).met
    assert not Goal("one", "R@10", 0.9799, "≥", 0.98).met


# -- plain search


def test_a_query_is_read_without_stop_words_and_each_word_once() -> None:
    assert match("What is the tea, the TEA of Lyon?") == '"tea" OR "lyon"'
    assert match("who is it") == '"who" OR "is" OR "it"'


def test_plain_search_finds_by_words_and_by_vectors_and_fuses_by_rank() -> None:
    import numpy

    assert Words.of(["a red door", "green doors and a green door", "nothing"]).find("the green door") == [1, 0]
    matrix = numpy.array([[1, 0], [0, 1], [0.6, 0.8]], numpy.float32)
    assert Vectors(matrix).find(matrix[1], 2) == [1, 2]
    assert Vectors(matrix).find(matrix[0], 9) == [0, 2, 1]
    assert fused([0, 1, 2], [2, 1, 3]) == [2, 1, 0, 3]


# -- sets of questions


def made_up(folder: Path) -> Path:
    """A set of two corpora, in the format of the data page."""
    place = folder / "mine"
    place.mkdir(parents=True)
    facts = {
        "home": ["Anna lives in Lyon.", "The tea is in the blue tin.", "Anna lives in Porto now."],
        "work": ["The deploy key rotates on Mondays.", "Lunch is at noon."],
    }
    memories: list[dict[str, object]] = [
        {
            "corpus": corpus,
            "id": f"m{place}",
            "content": content,
            "at": f"2025-01-0{place + 1}T00:00:00Z",
            "session": "s",
        }
        for corpus, contents in facts.items()
        for place, content in enumerate(contents)
    ]
    queries: list[dict[str, object]] = [
        {"corpus": "home", "query": "Where is the tea?", "relevant": ["m1"], "kind": "fact", "at": None},
        {"corpus": "home", "query": "Where does Anna live?", "relevant": ["m2"], "stale": ["m0"], "kind": "changed"},
        {
            "corpus": "work",
            "query": "When does the deploy key rotate?",
            "relevant": ["m0"],
            "at": "2025-02-01T00:00:00Z",
        },
        {"corpus": "work", "query": "Who is Quentin Zabriskie?", "relevant": [], "kind": "none", "at": None},
    ]
    for name, rows in (("memories.jsonl", memories), ("queries.jsonl", queries)):
        (place / name).write_text("".join(json.dumps({"id": "q", **row}) + "\n" for row in rows))
    (folder / "not-a-set").mkdir()
    return folder


def test_a_set_of_ones_own_runs_from_end_to_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "BUILD", str(tmp_path / "build"))
    recall.main(["--data", str(made_up(tmp_path / "data")), "--json"])
    record = json.loads(capsys.readouterr().out)
    found = {row["system"]: row for row in record["findings"]}
    assert list(found) == [*BASELINES, *STRATEGIES]
    assert found["FTS5"]["forced"]["r10"] == found["hybrid"]["forced"]["r10"] == 1.0
    assert (found["hybrid"]["answerable"], found["hybrid"]["unanswerable"]) == (3, 1)
    assert found["hybrid"]["changed_first"] in (0.0, 1.0)
    assert {goal["set"] for goal in record["goals"]} == {"mine"}
    assert not list((tmp_path / "build").iterdir())


def test_a_quick_look_asks_fewer_and_judges_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "BUILD", str(tmp_path / "build"))
    data = str(made_up(tmp_path / "data"))
    assert [len(corpus.rows) for corpus in sets.read(data, "mine", 2)] == [3]
    assert recall.main(["--data", data, "--limit", "2"]) == 0
    assert "goal" not in capsys.readouterr().out


def test_without_data_it_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert recall.main(["--data", str(tmp_path / "nowhere")]) == 2
    assert "--data" in capsys.readouterr().err
    assert recall.main(["--data", str(made_up(tmp_path)), "--only", "other"]) == 2
    assert "mine" in capsys.readouterr().err


# -- notes to search, and what searching them takes


def test_notes_to_search_are_the_same_from_any_place_on() -> None:
    first = list(notes(0, 300))
    assert list(notes(130, 50)) == first[130:180]
    assert all(FEWEST <= len(note.content.split()) <= MOST for note in first)
    assert len({note.content for note in first}) == 300
    assert len({note.session for note in first}) == 15
    assert {note.content for note in first}.isdisjoint(note.content for note in notes(0, 300, seed=1))


def test_questions_are_about_notes_and_the_same_every_time() -> None:
    asked = questions(100, 500)
    assert asked == questions(100, 500)
    assert len({question.text for question in asked}) == 100
    assert all(6 <= len(question.text.split()) <= 14 and question.note < 500 for question in asked)


def test_recalling_is_measured_at_a_small_size(tmp_path: Path) -> None:
    """Every case but whole processes, which take their time; and a store is made once."""
    made = stock.stock(str(tmp_path), 60)
    assert stock.stock(str(tmp_path), 60) == made
    found = {row.name: row for row in recalling.run([made], ("load", "latency", "disk"), latency.Plan(5, 2), 1)}
    assert found["recall, p50"].ratio > 0
    assert found["recall, logged, p95"].repeats == 2
    assert found["known note among the ten; bare: ranks fused 1 : 1"].ours > 0.5
    assert found["bytes on disk for a memory, beyond its text"].ours > 0
    assert [path.name for path in tmp_path.iterdir()] == ["recall-60"]


def test_an_analysis_is_measured_at_a_small_size(tmp_path: Path) -> None:
    rows = list(analysis.run([100, 200], 1, str(tmp_path)))
    assert [found.name for found, _ in rows].count("analyze") == 2 and all(found.ratio > 0 for found, _ in rows)
    assert all(made for found, made in rows if found.name == "analyze")
    assert not list(tmp_path.iterdir())


def test_looking_after_a_memory_is_measured_at_a_small_size(tmp_path: Path) -> None:
    """Every step, each within the whole; and with a budget that suffices, one run is enough."""
    rows = list(pipeline.run([60], 60, str(tmp_path)))
    found = {row.name: row for row, _ in rows}
    steps = rows[0][1]["steps"]
    assert {step["step"] for step in steps} >= {*STEPS}
    assert sum(found[step["step"]].ours for step in steps) <= found[pipeline.WHOLE].ours
    # A step may be over before anybody has looked at its memory.
    assert all(step["peak"] >= 0 for step in steps) and 0 < found["peak memory; bare: the goal"].ratio < 1
    assert "with a budget, the longest of 1 runs; bare: the budget" in found
    assert pipeline.counted([rows[0][1]]).count("| 60 |") == len(steps)
    assert not list(tmp_path.iterdir())


def test_peers_that_are_missing_are_told_not_failed_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "BUILD", str(tmp_path / "build"))
    missing = Kind("somebody", ("no-such-package",), peers.others.Chroma)
    monkeypatch.setattr(peers, "KINDS", (*peers.KINDS[:2], missing))
    data = str(made_up(tmp_path / "data"))
    assert peers.main(["--data", data, "--sizes", "50", "--queries", "5"]) == 0
    told = capsys.readouterr().out
    assert f"| somebody | {MISSING} |" in told
    assert "| treering | 50 |" in told
