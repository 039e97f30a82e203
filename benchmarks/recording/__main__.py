"""Write the recording anew: `make record`."""

from __future__ import annotations

from pathlib import Path

from benchmarks.recording.drawing import drawn
from benchmarks.recording.story import record, told

DOCS = Path(__file__).parents[2] / "docs"
TITLE = "Treering in a terminal: install, two sessions of an agent, and what was captured"


def main() -> None:
    lines = record()
    (DOCS / "session.txt").write_text(told(lines), encoding="utf-8")
    (DOCS / "session.svg").write_text(drawn(lines, TITLE), encoding="utf-8")


if __name__ == "__main__":
    main()
