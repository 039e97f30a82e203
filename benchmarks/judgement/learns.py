"""Show that judgement learns from what a person takes back: `python -m benchmarks.judgement.learns`.

Each life is judged by weights that have not seen it. Into it comes junk of one sort that the same weights would keep:
sentences of other people, grouped by their words and shapes. The person takes back the first ten of that sort, and
leaves all else alone. What comes after the tenth is judged with and without what was learned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.preprocessing import normalize

from benchmarks.judgement import labels
from benchmarks.judgement.fit import Row, fit, matrix
from benchmarks.judgement.train import BITS, lived
from treering.judge.learned import Example, learn, seen
from treering.judge.model import load
from treering.judge.sentences import KEEP, LEADS, LIKELY, features

VERDICTS = 10  # that the person gives
JUNK = 20  # sentences of one sort in a life
SORTS = 24  # of junk
LEAST = 8  # sentences worth keeping that must come after the last verdict
_TOPICS = 60  # dimensions in which junk is grouped


class Said(NamedTuple):
    """A sentence, what weights that have not seen its source think of it, and whether it is worth keeping."""

    source: str
    language: str
    text: str
    worth: float
    right: bool


class Result(NamedTuple):
    """What was kept of the rest of a life, and how much of it is right: before and after learning."""

    wanted: int
    shown: int
    right: int
    shown_after: int
    right_after: int
    of_the_sort: int  # of what was shown before: with none of it, nothing more can be learned from these verdicts


def judged() -> list[Said]:
    """Return every sentence that tells something, each judged by weights from other sources."""
    rows, told = [], []
    for one in labels.prompts():
        for at, label in enumerate(one.labels):
            if not one.said[at].pasted and not (label and label.may):
                rows.append(Row(one.source, features(one.said, at, one.before), KEEP if label else ""))
                told.append((one.source, one.language, one.said[at]))
    _, chances = fit(rows, KEEP, BITS[KEEP])
    return [
        Said(source, language, sentence.text, float(chance), row.label == KEEP)
        for row, chance, (source, language, sentence) in zip(rows, chances, told, strict=True)
        if not sentence.asks
    ]


def sorts(junk: Sequence[Said]) -> list[list[Said]]:
    """Return junk in groups of sentences that are alike."""
    found = matrix([Row("", seen(one.text), "") for one in junk], BITS[KEEP])
    topics = normalize(TruncatedSVD(_TOPICS, random_state=0).fit_transform(found))
    groups = KMeans(SORTS, n_init=4, random_state=0).fit_predict(topics)
    return [[one for one, group in zip(junk, groups, strict=True) if group == number] for number in range(SORTS)]


def live(life: Sequence[Said], sort: Sequence[Said], floors: Sequence[float]) -> list[Result]:
    """Live a life in which junk of one sort comes up at even distances, and return what became of its rest."""
    every, step = [*life], max(1, len(life) // JUNK)
    for place, one in enumerate(sort[:JUNK]):
        every.insert(place * (step + 1), one)
    known = {*sort}
    kept = [at for at, one in enumerate(every) if one.worth >= floors[-1]]
    taken_back = [at for at in kept if every[at] in known][:VERDICTS]
    end = taken_back[-1] + 1 if len(taken_back) == VERDICTS else len(every)
    known_by_then = [(every[at], False if at in taken_back else None) for at in kept if at < end]
    learned, rest = learn([Example(one.text, one.worth, wanted) for one, wanted in known_by_then]), every[end:]
    after = [learned.corrected(one.text, one.worth) for one in rest]
    wanted = sum(one.right for one in rest)
    if wanted < LEAST:
        return []
    found = []
    for floor in floors:
        shown = [one.right for one in rest if one.worth >= floor]
        then = [one.right for one, worth in zip(rest, after, strict=True) if worth >= floor]
        junk = sum(one in known for one in rest if one.worth >= floor)
        found.append(Result(wanted, len(shown), sum(shown), len(then), sum(then), junk))
    return found


def lives() -> Iterator[list[Result]]:
    """Yield every life with every sort of junk in its language."""
    every, floors = judged(), [load(KEEP).floors[name] for name in (LEADS, LIKELY)]
    junk = [one for one in every if one.worth >= floors[-1] and not one.right]
    for sort in sorts(junk):
        for name in sorted({one.source for one in every if lived(one.source)}):
            life = [one for one in every if one.source == name]
            others = [one for one in sort if one.source != name and one.language == life[0].language]
            if len(others) >= JUNK and (results := live(life, others, floors)):
                yield results


def main() -> None:
    found = [*lives()]
    print(f"{len(found)} lives with one sort of junk, after {VERDICTS} of it were taken back: precision / recall")
    for at, name in enumerate(("what leads", "what is kept at all")):
        wanted, shown, right, then, still, junk = (int(one) for one in numpy.array([each[at] for each in found]).sum(0))
        before, after = f"{right / shown:.3f} / {right / wanted:.3f}", f"{still / then:.3f} / {still / wanted:.3f}"
        print(f"{name:22s} {before}  ->  {after}; without all that sort {right / (shown - junk):.3f}")


if __name__ == "__main__":
    main()
