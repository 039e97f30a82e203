"""The benchmarks run: whether the figures are good is for `make bench` to say, on a quiet machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import report, speed
from benchmarks.figures import Plan, figure
from benchmarks.texts import LONGEST, SHORTEST, Notes


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
    from benchmarks import machine

    monkeypatch.setattr(report, "RESULTS", str(tmp_path))
    name = report.save(
        [figure("one", 1, "s", [(1.0, 2.0)])], machine.described(str(tmp_path)), {}, "2026-05-01T10:00:00Z"
    )
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert "platform" not in text
    assert str(tmp_path) not in text
    assert '"/' not in text
