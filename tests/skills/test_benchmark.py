"""The benchmark runs; whether its figures are good is for `make bench-skills` to say."""

from __future__ import annotations

from pathlib import Path

from benchmarks import skills


def test_every_figure_is_made_at_a_small_size(tmp_path: Path) -> None:
    figures = list(skills.run(5, 1, 1, str(tmp_path)))
    assert len(figures) == 8
    assert all(found.ratio > 0 and found.size == 5 for found in figures)
