"""Measure the shipped weights on the labels that they have never seen: `make bench-judgement`.

Nobody who made the weights, or chose a floor, has read these: the batches, lives and sessions of `labels.LAST`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks.judgement import labels, pairs
from benchmarks.judgement.labels import Prompt
from treering.judge.sentences import Verdict, judge
from treering.recall.wants import wants


class Share(NamedTuple):
    """How many were right of those shown, and how many were shown of those wanted."""

    name: str
    right: int
    shown: int
    wanted: int
    of: int

    def __str__(self) -> str:
        precision, recall = self.right / max(1, self.shown), self.right / max(1, self.wanted)
        return f"{self.name:44s} {precision:.3f} / {recall:.3f}   {self.shown:5,} of {self.of:,}"


def judged(prompts: Sequence[Prompt]) -> list[tuple[Verdict, bool]]:
    """Return each own sentence that careful people agree on: what is thought of it, and whether it is worth keeping."""
    return [
        (judge(one.said, at, one.before), label is not None)
        for one in prompts
        for at, label in enumerate(one.labels)
        if not one.said[at].pasted and not (label and label.may)
    ]


def kept(name: str, prompts: Sequence[Prompt]) -> Iterator[Share]:
    """Yield what leads, and what is kept at all."""
    found = judged(prompts)
    wanted = sum(worth for _, worth in found)
    for what, chosen in (
        ("leads", [worth for verdict, worth in found if verdict.leads]),
        ("is kept at all", [worth for verdict, worth in found if verdict.likely]),
    ):
        yield Share(f"{name}: what {what}", sum(chosen), len(chosen), wanted, len(found))


def asked() -> Share:
    """Return which prompts of lives want a memory, and which of them a hook takes for such."""
    known = []
    for path in sorted(labels.LIVES.glob("*.json")):
        life = json.loads(path.read_text("utf-8"))
        if life["id"] in labels.LAST:
            turns = [turn for session in life["sessions"] for turn in session["turns"] if turn.get("probe") is not None]
            known += [(wants(turn["user"]) > 0, bool(turn["probe"]["want"])) for turn in turns]
    passed = [wanted for taken, wanted in known if taken]
    return Share("prompts that want a memory", sum(passed), len(passed), sum(wanted for _, wanted in known), len(known))


def main() -> None:
    prompts = labels.prompts(last=True)
    lives = {path.stem for path in labels.LIVES.glob("*.json")}
    parts = (
        ("lives", [one for one in prompts if one.source in lives]),
        ("English messages", [one for one in prompts if one.source.startswith("en-")]),
        ("German, Spanish, French", [one for one in prompts if one.source in ("de-02", "es-02", "fr-02")]),
        ("labelled sessions", [one for one in prompts if one.source == "held"]),
    )
    print(f"{'on labels that the weights have not seen':44s} precision / recall   shown of all")
    for name, part in parts:
        for share in kept(name, part):
            print(share)
    print(asked())
    found, alarms = pairs.measure()
    for one in found:
        print(Share(f"pairs: {one.name}", *one[1:]))
    print(f"false alarms in 1,000 turns of lives: {alarms:.1f}")


if __name__ == "__main__":
    main()
