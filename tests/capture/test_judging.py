"""The judge of what was captured: counts that a reader can check by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.capture.judging import Count, episodes, judge, merged, total

TRAIN = Path(__file__).parents[2] / "benchmarks/capture/cases/train"


def label(kind: str, *must: str, may: bool = False, line: str = "u1", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "gist": "", "must": list(must), "line": line, "may": may, **more}


def session(*wanted: dict[str, Any], traps: tuple[tuple[str, str], ...] = (), episode: bool = True) -> dict[str, Any]:
    rows = [{"line": line, "why": why} for line, why in traps]
    return {"wanted": list(wanted), "traps": rows, "episode": {"wanted": episode, "must": ["cache"], "may": False}}


def caught(kind: str, content: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "content": content, **more}


def test_a_thing_that_says_what_a_label_wants_is_right() -> None:
    verdict = judge(
        [caught("told", "The staging DB is\n  read-only.")], session(label("told", "staging", "is read-only"))
    )
    assert verdict.counts == {"told": Count(right=1)}


def test_told_corrected_and_preferred_stand_for_each_other_and_count_as_the_label() -> None:
    verdict = judge([caught("preference", "uv, not pip")], session(label("correction", "uv", "pip")))
    assert verdict.counts == {"correction": Count(right=1)}


@pytest.mark.parametrize("kind", ["fix", "decision"])
def test_a_thing_of_another_family_is_wrong_and_the_label_missed(kind: str) -> None:
    verdict = judge([caught(kind, "uv, not pip")], session(label("correction", "uv", "pip")))
    assert verdict.counts == {kind: Count(wrong=1), "correction": Count(missed=1)}


def test_another_kind_is_right_where_the_label_says_so() -> None:
    verdict = judge([caught("preference", "CSS modules")], session(label("decision", "css", also=["correction"])))
    assert verdict.counts == {"decision": Count(right=1)}


def test_a_lacking_word_makes_it_wrong() -> None:
    verdict = judge([caught("told", "staging")], session(label("told", "staging", "read-only")))
    assert verdict.counts == {"told": Count(wrong=1, missed=1)}


def test_the_words_of_a_fix_may_be_in_any_of_its_texts() -> None:
    fix = caught("fix", "", trigger="`cargo test`: unresolved import", action="Cargo.toml: png", outcome="passes")
    assert judge([fix], session(label("fix", "cargo test", "cargo.toml"))).counts == {"fix": Count(right=1)}


def test_the_second_for_one_label_is_wrong_and_said_to_be_twice() -> None:
    verdict = judge([caught("told", "port 5433")] * 2, session(label("told", "5433")))
    assert verdict.counts == {"told": Count(right=1, wrong=1)}
    assert [why for _, why in verdict.wrong] == ["said twice"]


def test_a_thing_that_fits_two_labels_leaves_the_only_one_of_another_to_it() -> None:
    things = [caught("told", "a and b"), caught("told", "a")]
    verdict = judge(things, session(label("told", "a"), label("told", "b")))
    assert verdict.counts == {"told": Count(right=2)}


def test_what_may_be_kept_is_neither_wrong_nor_missed() -> None:
    labels = session(label("fix", "lint", may=True))
    assert judge([], labels).counts == {}
    assert judge([caught("fix", "lint")], labels).counts == {"fix": Count(optional=1)}


def test_a_thing_out_of_a_trap_is_wrong_for_its_reason() -> None:
    verdict = judge([caught("preference", "always squash", line="u7")], session(traps=(("u7", "hypothetical"),)))
    assert [why for _, why in verdict.wrong] == ["hypothetical"]


def test_one_episode_of_a_session_in_which_something_was_done() -> None:
    right, other = caught("episode", "Wrote a tile cache"), caught("episode", "Wrote something")
    assert episodes([right], session()) == Count(right=1)
    assert episodes([right, right], session()) == Count(right=1, wrong=1)
    assert episodes([other], session()) == Count(wrong=1, missed=1)
    assert episodes([right], session(episode=False)) == Count(wrong=1)
    assert episodes([], session()) == Count(missed=1)
    assert judge([right], session()).counts == {}


def test_counts_of_sessions_add_up_kind_by_kind() -> None:
    wanted = session(label("told", "a"))
    counts = merged([judge([caught("told", "a")], wanted), judge([caught("fix", "b")], wanted)])
    assert counts == {"fix": Count(wrong=1), "told": Count(right=1, missed=1)}
    assert total(counts.values()) == Count(1, 1, 1)
    assert (total(counts.values()).precision, Count().precision, Count().recall) == (0.5, None, None)


def test_every_label_of_train_rests_on_a_line_of_its_session() -> None:
    labels = json.loads((TRAIN / "labels.json").read_text("utf-8"))
    assert sorted(labels) == sorted(path.stem for path in TRAIN.glob("*.jsonl"))
    for name, each in labels.items():
        lines = {json.loads(row).get("uuid") for row in (TRAIN / f"{name}.jsonl").read_text("utf-8").splitlines()}
        assert {row["line"] for row in [*each["wanted"], *each["traps"]]} <= lines, name


def test_labels_of_one_session_are_told_apart_by_their_words() -> None:
    labels = json.loads((TRAIN / "labels.json").read_text("utf-8"))
    for name, each in labels.items():
        said = [caught(row["kind"], " ".join(row["must"])) for row in each["wanted"]]
        assert judge(said, each).wrong == (), name
