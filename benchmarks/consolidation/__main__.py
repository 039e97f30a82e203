"""`python -m benchmarks.consolidation`: what consolidation makes of a thousand labelled episodes.

python -m benchmarks.consolidation [--only PROJECT ...] [--show] [--json] [--save]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from benchmarks import report
from benchmarks.consolidation import measures, trial
from benchmarks.consolidation.episodes import NAMED, OTHER, PROJECTS, Episode, Topic, episodes, topics
from benchmarks.consolidation.measures import Compression, Found, Grouping, Kept, Undone
from benchmarks.consolidation.trial import Trial

PRECISION = 0.9  # of the pairs in groups: a story told with parts of another is worse than one that is told in pieces
KEPT = 0.8  # of the labelled facts, in drafts that no model wrote

_FOUND = ("questions", "when", "number", "answered @5", "@10", "fact told @5", "@10", "R@10", "silent")
_GROUPS = ("groups", "pairs labelled", "found", "right", "precision", "recall", "purity", "topics", "strays")
_KEPT = ("facts", "labelled", "summed up", "kept", "share", "only the former value")
_WORDS = ("words", "before", "after", "ratio")
_STEPS = ("step", "seconds", "counts")
_GOALS = ("what", "found", "goal", "")


class Goal(NamedTuple):
    what: str
    found: float | None
    asked: str
    met: bool


class Findings(NamedTuple):
    found: tuple[Found, ...]
    grouping: Grouping
    kept: tuple[Kept, ...]
    summaries: int
    drafts: int  # that no model and no agent wrote
    flagged: int  # that a check found something wrong with
    compression: Compression
    undone: Undone


def findings(known: Sequence[Episode], stories: Sequence[Topic], done: Trial) -> Findings:
    moments = (("before", done.before), ("after", done.after))
    found = [measures.found(words, when, state.answers) for words in ("", NAMED, OTHER) for when, state in moments]
    return Findings(
        tuple(found),
        measures.grouping(known, done.summaries),
        tuple(measures.kept(stories, done.summaries)),
        sum(bool(group.text) for group in done.summaries),
        sum(group.draft for group in done.summaries),
        sum(bool(group.flags) for group in done.summaries),
        measures.compression(known, done),
        measures.undone(done),
    )


def goals(made: Findings) -> list[Goal]:
    before, after = made.found[:2]
    return [
        _least("answered within five, after", after.answered5, before.answered5),
        _least("answered within ten, after", after.answered10, before.answered10),
        _least("facts kept in summaries", made.kept[0].share, KEPT),
        _least("precision of the groups", made.grouping.precision, PRECISION),
        *(
            Goal(f"undone: {what}", count, "0", count == 0)
            for what, count in zip(("summaries left", "memories changed", "answers changed"), made.undone, strict=True)
        ),
    ]


def _least(what: str, found: float | None, asked: float) -> Goal:
    return Goal(what, found, f"≥ {asked:.3f}", found is not None and found >= asked)


def written(made: Findings, done: Trial, wanted: Sequence[Goal]) -> str:
    """All of a run, as tables."""
    size = made.grouping
    shares = (size.precision, size.recall, size.purity)
    groups = (size.groups, size.pairs, size.found, size.right, *shares, size.stories, size.strays)
    facts = [(row.what, *map(_figure, (row.facts, row.summed, row.kept, row.share, row.outdated))) for row in made.kept]
    steps = [
        (name, f"{seconds:.2f}", ", ".join(f"{what} {count:,}" for what, count in counts.items()))
        for name, seconds, counts in done.steps
    ]
    parts = [
        report.lines(_FOUND, [tuple(map(_figure, row)) for row in made.found], texts=2),
        report.lines(_GROUPS, [tuple(map(_figure, groups))], texts=0),
        report.lines(_KEPT, facts),
        report.lines(_WORDS, _words(made.compression)),
        f"{made.summaries:,} summaries: {made.drafts:,} are drafts, {made.flagged:,} are flagged.\n",
        report.lines(_STEPS, steps),
        report.lines(_GOALS, [(g.what, _figure(g.found), g.asked, "met" if g.met else "**missed**") for g in wanted]),
    ]
    return "\n".join(parts)


def _words(made: Compression) -> Iterator[tuple[str, ...]]:
    rows = (
        ("of episodes, and of the summaries made of them", made.sources, made.summaries),
        ("of all that is told first", made.first_before, made.first_after),
        ("of the first five of an answer", made.answer_before, made.answer_after),
    )
    for what, before, after in rows:
        yield (what, f"{before:,.0f}", f"{after:,.0f}", f"{before / after:.2f}" if after else "")


def _figure(value: object) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"


def show(known: Sequence[Episode], stories: Sequence[Topic], done: Trial) -> Iterator[str]:
    """What went wrong, one by one."""
    topic = {episode.id: episode.topic or "none" for episode in known}
    for group in done.summaries:
        if len({topic[id] for id in group.episodes}) > 1:
            yield "mixed: " + ", ".join(f"{id} {topic[id]}" for id in group.episodes)
    for story in stories:
        for fact in story.facts:
            able = measures.judged(fact, done.summaries)
            if able and not any(fact.kept(group.text) for group in able):
                yield f"dropped: {story.topic}: {fact.fact}; summary: {able[0].text!r}"
    for one, two in zip(done.before.answers, done.after.answers, strict=True):
        if measures.answered(one, trial.DEPTH) and not measures.answered(two, trial.DEPTH):
            yield f"lost: {one.question.query}"


def record(made: Findings, done: Trial, wanted: Sequence[Goal]) -> dict[str, Any]:
    return {
        "found": [row._asdict() for row in made.found],
        "grouping": {**made.grouping._asdict(), "precision": made.grouping.precision, "recall": made.grouping.recall},
        "kept": [{**row._asdict(), "share": row.share} for row in made.kept],
        "summaries": {"all": made.summaries, "drafts": made.drafts, "flagged": made.flagged},
        "compression": {**made.compression._asdict(), "ratio": made.compression.ratio},
        "undone": made.undone._asdict(),
        "steps": [{"step": step, "seconds": seconds, "counts": counts} for step, seconds, counts in done.steps],
        "seconds": {"consolidate": done.seconds, "ask_before": done.before.seconds, "ask_after": done.after.seconds},
        "goals": [goal._asdict() for goal in wanted],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    known = [episode for episode in episodes() if episode.project in options.only]
    stories = [story for story in topics() if story.project in options.only]
    os.makedirs(report.BUILD, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=report.BUILD) as folder:
        questions = [question for story in stories for question in story.questions]
        done = trial.run(folder, known, questions, lambda what: print(what, file=sys.stderr))
    made = findings(known, stories, done)
    wanted = goals(made)
    table = written(made, done, wanted)
    facts = record(made, done, wanted)
    print(json.dumps(facts, indent=1, ensure_ascii=False) if options.json else table)
    if options.show:
        print(*show(known, stories, done), sep="\n", file=sys.stderr)
    if options.save:
        method = {"trial": (trial.__doc__ or "").strip(), "measures": (measures.__doc__ or "").strip()}
        saved = {**report.heading(), "method": method, **facts}
        print(f"recorded in {report.write('consolidation', saved)}", file=sys.stderr)
        report.show_in_readme("consolidation", table, saved)
    return 0 if all(goal.met for goal in wanted) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.consolidation", description="What consolidation makes of labelled episodes."
    )
    parser.add_argument("--only", nargs="+", choices=PROJECTS, default=PROJECTS, help="only these projects")
    parser.add_argument("--show", action="store_true", help="print mixed groups, dropped facts and lost answers")
    parser.add_argument("--json", action="store_true", help="print the record in place of the tables")
    parser.add_argument("--save", action="store_true", help="record the run under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
