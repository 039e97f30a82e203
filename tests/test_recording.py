"""The recorded session tells the truth: played anew, it reads the same."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.recording.__main__ import TITLE
from benchmarks.recording.drawing import drawn
from benchmarks.recording.story import ADDED, HEIGHT, Line, record, told

DOCS = Path(__file__).parent.parent / "docs"


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    return record()


def test_the_recording_is_what_happens(lines: list[Line]) -> None:
    """`make record` writes it anew after a change that was meant."""
    assert told(lines) == (DOCS / "session.txt").read_text()


def test_the_picture_shows_the_recording(lines: list[Line]) -> None:
    """Byte for byte, so that it changes only when what it shows does."""
    assert drawn(lines, TITLE) == (DOCS / "session.svg").read_text()


def test_the_picture_needs_nothing_from_anywhere() -> None:
    """Every line is text, and no address, font or script is loaded."""
    picture = (DOCS / "session.svg").read_text()
    root = ElementTree.fromstring(picture)
    shown = ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert shown == [line for line in (DOCS / "session.txt").read_text().splitlines() if line]
    assert picture.replace('xmlns="http://www.w3.org/2000/svg"', "").count("://") == 0
    assert not any(word in picture for word in ("href", "@import", "@font-face", "url(", "<script"))


def test_the_memory_speaks_up_in_the_recording(lines: list[Line]) -> None:
    """The second session begins with what the first one told, and with what it found out."""
    added = "".join(line.text for line in lines if line.kind == ADDED)
    assert '"Migrations need a lock timeout of 5 s."' in added
    assert "make test` fails with ConnectionRefusedError" in added


def test_the_picture_fits_above_the_fold(lines: list[Line]) -> None:
    """It stands at the top of the README, and what is below it is to be seen too."""
    assert len(lines) <= HEIGHT
