"""The labelled sessions: what is kept is right, and most of what should be kept is."""

from __future__ import annotations

import os

import pytest

from benchmarks.capture.__main__ import PRECISION, folders
from benchmarks.capture.measuring import ALL, EPISODE, judged, scores

UNSEEN = 0.4  # recall of what nobody read while the rules were made
RECALL = {"train": 0.9, "second": 0.7, "third": 0.4}


@pytest.mark.parametrize("folder", folders(), ids=os.path.basename)
def test_at_least_nine_of_ten_things_that_are_kept_are_right(folder: str) -> None:
    name = os.path.basename(folder)
    counts = {row.kind: row.counted for row in scores(name, judged(folder))}
    assert (counts[ALL].precision or 0) >= PRECISION
    assert (counts[ALL].recall or 0) >= RECALL.get(name, UNSEEN)
    assert (counts[EPISODE].precision or 0) >= 0.8
