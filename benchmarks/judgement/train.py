"""Make every file of weights anew from the labels, or those that are named: `make train`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy

import treering.judge
from benchmarks.judgement import belongs, labels, pairs, uses, wants
from benchmarks.judgement.fit import Row, figures, fit, floor_for, pack
from treering.judge.model import SUFFIX
from treering.judge.pairs import PAIRS
from treering.judge.sentences import KEEP, KIND, LEADS, LIKELY, SCOPE, features
from treering.judge.use import USE
from treering.recall.belongs import BELONGS
from treering.recall.wants import PATH

WANTS = "wants"
WEIGHTS = Path(treering.judge.__file__).parent / "weights"
BITS = {KEEP: 18, KIND: 15, SCOPE: 15}
_RIGHT = 0.86  # precision of what leads a briefing, on lives that the weights have not seen: six points to spare
_STORED = 0.28  # of all sentences: what is at least likely. Some people say more that is: two fifths at the most


def keep_rows(*, last: bool = False) -> list[Row]:
    """Return every sentence, and whether it is worth keeping. Where careful people differ it counts for nothing."""
    return [
        Row(prompt.source, features(prompt.said, at, prompt.before), KEEP if label else "", 1.0)
        for prompt in labels.prompts(last=last)
        for at, label in enumerate(prompt.labels)
        if not prompt.said[at].pasted and not (label and label.may)
    ]


def kept_rows(field: str, *, last: bool = False) -> list[Row]:
    """Return every sentence that is worth keeping, with its kind or its scope."""
    return [
        Row(prompt.source, features(prompt.said, at, prompt.before), getattr(label, field))
        for prompt in labels.prompts(last=last)
        for at, label in enumerate(prompt.labels)
        if label and not prompt.said[at].pasted
    ]


def keep() -> bytes:
    """Return the weights that tell what is worth keeping."""
    rows = keep_rows()
    fitted, chances = fit(rows, KEEP, BITS[KEEP])
    right = numpy.array([row.label == KEEP for row in rows])
    lived = numpy.array([row.source not in labels_of_batches() for row in rows])
    leads = floor_for(_RIGHT, chances[lived], right[lived])
    likely = float(numpy.quantile(chances[lived], 1 - _STORED))
    for name, part in (("lives", lived), ("batches", ~lived)):
        for floor in (leads, likely):
            precision, recall = figures(chances[part], right[part], floor)
            share = (chances[part] >= floor).mean()
            print(f"keep {name} from {floor:.3f}: precision {precision:.3f} recall {recall:.3f} stored {share:.3f}")
    return pack([fitted], BITS[KEEP], {LEADS: leads, LIKELY: likely})


def lived(source: str) -> bool:
    """Tell whether a source is a life."""
    return (labels.LIVES / f"{source}.json").exists()


def labels_of_batches() -> set[str]:
    return {path.name for path in labels.BATCHES.iterdir()} | {path.name for path in labels.SESSIONS.iterdir()}


def sorts(name: str) -> bytes:
    """Return the weights that tell the kind or the scope of what is kept."""
    rows = kept_rows(name)
    found = [fit(rows, label, BITS[name]) for label in sorted({row.label for row in rows})]
    best = numpy.argmax(numpy.array([chances for _, chances in found]), axis=0)
    names = [one.name for one, _ in found]
    right = sum(names[at] == row.label for at, row in zip(best, rows, strict=True))
    print(f"{name}: {right / len(rows):.3f} of {len(rows)} right")
    return pack([one for one, _ in found], BITS[name], {})


MODELS: dict[str, Callable[[], bytes]] = {
    KEEP: keep,
    KIND: lambda: sorts(KIND),
    SCOPE: lambda: sorts(SCOPE),
    USE: uses.weights,
    PAIRS: pairs.weights,
    WANTS: wants.weights,
    BELONGS: belongs.weights,
}
_ELSEWHERE = {WANTS: Path(PATH)}  # which hooks read


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judgement.train", description="Make weights anew.")
    parser.add_argument("models", nargs="*", help="which ones; all if none is named")
    parser.add_argument("--without", default="", metavar="NAMES", help="lives or batches to leave out, with commas")
    options = parser.parse_args()
    labels.leave_out(filter(None, options.without.split(",")))
    WEIGHTS.mkdir(exist_ok=True)
    for name in options.models or MODELS:
        data = MODELS[name]()
        _ELSEWHERE.get(name, WEIGHTS / f"{name}{SUFFIX}").write_bytes(data)
        print(f"{name}{SUFFIX}: {len(data):,} bytes", flush=True)


if __name__ == "__main__":
    main()
