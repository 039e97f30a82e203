"""`python -m benchmarks.evolution`: what 200 sessions do to a memory that evolves, and to one that does not."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from benchmarks import report
from benchmarks.evolution import arms, judging, measures, world
from benchmarks.evolution.arms import ARMS, Life, live
from benchmarks.evolution.measures import Learning
from benchmarks.evolution.picture import png
from benchmarks.evolution.plot import TITLES, plot
from treering.ledger.config import Config
from treering.models.embed.static import StaticEmbedder
from treering.models.port import Embedder

SESSIONS = 200
_SHOWN = ("reciprocal", "harmful")  # the measures that are drawn


def run(
    sessions: int,
    seed: int,
    embedder: Embedder,
    shape: world.Shape | None = None,
    config: Config | None = None,
    chosen: Sequence[arms.Arm] = ARMS,
) -> Learning:
    """The same world in every arm."""
    made = world.world(seed, shape)
    held = world.sessions(made, sessions, seed)
    lives = tuple(_lived(arm, made, held, embedder, seed, config or Config()) for arm in chosen)
    return Learning(seed, made, lives, arms.ceiling(made, embedder, seed))


def _lived(
    arm: arms.Arm, made: world.World, held: Sequence[world.Session], embedder: Embedder, seed: int, config: Config
) -> Life:
    start = perf_counter()

    def progress(done: int) -> None:
        print(f"\r{arm.name}: {done} of {len(held)} sessions", end="", file=sys.stderr, flush=True)

    found = live(arm, made, held, embedder, seed, config, progress)
    print(f", {perf_counter() - start:.0f} s", file=sys.stderr)
    return found


def table(found: Learning) -> str:
    """The curve by quarters, the size, the actions, and what was lost, as Markdown."""
    evolving = found.lives[0]
    return "\n".join(
        [
            _curve(found.lives),
            f"A memory that holds every fact once, and nothing wrong, would reach {found.ceiling.reciprocal:.3f}.\n",
            _sizes(found.lives),
            _actions(evolving, found.world),
            _details(evolving, found.world),
            _lost(evolving, found.world),
        ]
    )


def _curve(lives: Sequence[Life]) -> str:
    headings = ("measure", "arm", *(f"quarter {number + 1}" for number in range(measures.QUARTERS)))
    rows = [
        (TITLES[name], life.arm, *(f"{getattr(quality, name):.3f}" for quality in measures.quarters(life.samples)))
        for name in TITLES
        for life in lives
    ]
    return report.lines(headings, rows, 2)


def _sizes(lives: Sequence[Life]) -> str:
    headings = ("arm", "in recall after the first look", "at the end", "recalls", "runs of evolve")
    rows = [
        (life.arm, str(life.samples[0].size), str(life.samples[-1].size), f"{life.asked:,}", str(life.runs))
        for life in lives
    ]
    return report.lines(headings, rows)


def _actions(life: Life, made: world.World) -> str:
    rows = [
        (
            one.name,
            str(one.taken),
            str(one.right),
            _share(one.precision),
            str(one.due),
            str(one.found),
            _share(one.recall),
        )
        for one in measures.actions(life, made)
    ]
    return report.lines(("action", "taken", "right", "precision", "due", "found", "recall"), rows)


def _details(life: Life, made: world.World) -> str:
    rows = [(name, f"{found} of {count}") for name, (found, count) in measures.details(life, made).items()]
    return report.lines(("in detail", "how many"), rows)


def _lost(life: Life, made: world.World) -> str:
    gone = measures.lost(life, made)
    refused = ", ".join(f"{name} {count}" for name, count in sorted(life.refused.items()))
    told = f"Good memories lost: {len(gone)}{' (' + ', '.join(gone) + ')' if gone else ''}.\n"
    return told + (f"Refused by the engine: {refused}.\n" if refused else "")


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def goals(found: Learning) -> dict[str, bool]:
    """What the run has to show, and whether it does."""
    evolving, judged = (measures.quarters(life.samples) for life in found.lives[:2])
    return {
        "no good memory is lost": not measures.lost(found.lives[0], found.world),
        "the quality rises from the first to the last quarter": evolving[-1].reciprocal > evolving[0].reciprocal,
        "it ends above the memory that does not evolve": evolving[-1].reciprocal > judged[-1].reciprocal,
        "fewer wrong ones are shown than at the start": evolving[-1].harmful < evolving[0].harmful,
    }


def save(found: Learning) -> str:
    """Record the run, and draw it; the name of its file."""
    modules = (world, judging, arms, measures)
    method = {module.__name__.rpartition(".")[2]: (module.__doc__ or "").strip() for module in modules}
    record: dict[str, Any] = {**report.heading(), "method": method, **figures(found)}
    name = report.write("learning", record)
    for measure in _SHOWN:
        with open(os.path.join(report.RESULTS, f"learning-{measure}.png"), "wb") as file:
            file.write(png(found.lives, measure))
    pictures = "\n".join(f"![{TITLES[measure]}](results/learning-{measure}.png)\n" for measure in _SHOWN)
    report.show_in_readme("learning", f"{table(found)}\n{pictures}", record)
    return name


def figures(found: Learning) -> dict[str, Any]:
    """Everything that was found, as it is recorded."""
    evolving, made = found.lives[0], found.world
    return {
        "seed": found.seed,
        "arms": [
            {
                "arm": life.arm,
                "quarters": [quality._asdict() for quality in measures.quarters(life.samples)],
                "samples": [
                    {"session": one.session, "size": one.size, **one.quality._asdict()} for one in life.samples
                ],
            }
            for life in found.lives
        ],
        "actions": [
            {**one._asdict(), "precision": one.precision, "recall": one.recall}
            for one in measures.actions(evolving, made)
        ],
        "details": measures.details(evolving, made),
        "lost": measures.lost(evolving, made),
        "refused": evolving.refused,
        "ceiling": found.ceiling._asdict(),
        "goals": goals(found),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    found = run(options.sessions, options.seed, StaticEmbedder())
    for measure in _SHOWN:
        print(f"\n{plot(found.lives, measure)}")
    print(table(found))
    reached = goals(found)
    print("".join(f"{'met' if met else 'MISSED'}: {goal}\n" for goal, met in reached.items()))
    if options.save:
        print(f"recorded in benchmarks/results/{save(found)}")
    return 0 if all(reached.values()) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evolution", description="What a memory learns by use.")
    parser.add_argument("--sessions", type=int, default=SESSIONS, metavar="N")
    parser.add_argument("--seed", type=int, default=world.SEED, metavar="N")
    parser.add_argument("--save", action="store_true", help="record the run and its plots under benchmarks/results")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
