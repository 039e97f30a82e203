"""Fit linear models on features, check them on sources that they have not seen, and pack the weights into bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from zlib import compress, crc32

import numpy
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from treering.judge.features import Features

FOLDS = 8  # parts of the sources, each judged by weights from the others
LOOSE = 0.2  # the inverse of how strongly weights are held small: chosen on lives that were left out
ALWAYS = frozenset(("phrases",))  # sources that are trained on and never judged
_LARGEST = 127  # of a weight in a byte
_MEASURED = 0.15  # of a measured number that is one deviation from its mean: chosen on authors that were left out
_LEAST_SPREAD = 0.01  # of a measured number
Numbers = NDArray[Any]


class Row(NamedTuple):
    """A case for training."""

    source: str
    features: Features
    label: str
    weight: float = 1.0


class Fitted(NamedTuple):
    """The weights of one label, and how its scores become probabilities."""

    name: str
    weights: Numbers
    bias: float
    steep: float
    shift: float


def matrix(rows: Sequence[Row], bits: int) -> csr_matrix:
    """Return the features of all rows, each in the place that its name has by its hash."""
    places: list[int] = []
    values: list[float] = []
    ends = [0]
    mask = (1 << bits) - 1
    for row in rows:
        for name, value in row.features.items():
            places.append(crc32(name.encode("utf-8", "replace")) & mask)
            values.append(value)
        ends.append(len(places))
    found = csr_matrix((numpy.array(values), numpy.array(places), numpy.array(ends)), shape=(len(rows), 1 << bits))
    found.sum_duplicates()
    return found


def _rarity(features: csr_matrix) -> Numbers:
    """Return how much a feature tells by being rare: it is made a part of its weight."""
    seen = numpy.bincount(features.indices, minlength=features.shape[1])
    rare: Numbers = numpy.log((1 + features.shape[0]) / (1 + seen))
    return rare


def _scaled(features: csr_matrix, rare: Numbers, measured: Sequence[str]) -> Numbers:
    """Return how features count of which some are measured numbers: those are in every row, and count by how far they
    usually are from their mean."""
    for name in measured:
        place = crc32(name.encode("utf-8", "replace")) & (features.shape[1] - 1)
        spread = float(numpy.std(features[:, [place]].toarray()))
        rare[place] = _MEASURED / max(spread, _LEAST_SPREAD)
    return rare


def _fit(
    features: csr_matrix,
    right: Numbers,
    weight: Numbers,
    loose: float,
    rarely: bool = True,
    measured: Sequence[str] = (),
) -> tuple[Numbers, float]:
    """Fit the weights. Unless `rarely`, a feature that is in every row counts as it is: a measured number. With names
    of `measured` ones, only those."""
    rare = _scaled(features, _rarity(features), measured) if rarely else numpy.ones(features.shape[1])
    model = LogisticRegression(C=loose, solver="liblinear", max_iter=500, random_state=0)
    model.fit(features.multiply(rare).tocsr(), right, sample_weight=weight)
    return model.coef_[0] * rare, float(model.intercept_[0])


def folds(sources: Sequence[str]) -> list[set[str]]:
    """Return the sources in parts of about equal numbers of rows."""
    names = sorted(set(sources) - ALWAYS, key=lambda name: (-list(sources).count(name), name))
    parts: list[set[str]] = [set() for _ in range(min(FOLDS, len(names)))]
    for at, name in enumerate(names):
        parts[at % len(parts)].add(name)
    return parts


def unseen(rows: Sequence[Row], label: str, bits: int, loose: float = LOOSE, rarely: bool = True) -> Numbers:
    """Return a score for each row, by weights from other sources than its own."""
    features, sources = matrix(rows, bits), [row.source for row in rows]
    right = numpy.array([row.label == label for row in rows])
    weight = numpy.array([row.weight for row in rows])
    scores = numpy.zeros(len(rows))
    for part in folds(sources):
        inside = numpy.array([source in part for source in sources])
        weights, bias = _fit(features[~inside], right[~inside], weight[~inside], loose, rarely)
        scores[inside] = features[inside] @ weights + bias
    return scores


def fit_some(
    rows: Sequence[Row], label: str, bits: int, loose: float, measured: Sequence[str]
) -> tuple[Fitted, Numbers]:
    """Fit one label as `fit` does. Rows that weigh nothing are judged, and not learned from."""
    features, sources = matrix(rows, bits), [row.source for row in rows]
    right = numpy.array([row.label == label for row in rows])
    weight = numpy.array([row.weight for row in rows])
    counts, scores = weight > 0, numpy.zeros(len(rows))
    for part in folds(sources):
        inside = numpy.array([source in part for source in sources])
        learn = numpy.flatnonzero(~inside & counts)
        weights, bias = _fit(features[learn], right[learn], weight[learn], loose, measured=measured)
        scores[inside] = features[inside] @ weights + bias
    steep, shift = curve(scores[counts], right[counts], weight[counts])
    learn = numpy.flatnonzero(counts)
    weights, bias = _fit(features[learn], right[learn], weight[learn], loose, measured=measured)
    return Fitted(label, weights, bias, steep, shift), 1 / (1 + numpy.exp(-(steep * scores + shift)))


def curve(scores: Numbers, right: Numbers, weight: Numbers) -> tuple[float, float]:
    """Return the curve that makes probabilities of scores."""
    model = LogisticRegression(C=1e6).fit(scores[:, None], right, sample_weight=weight)
    return float(model.coef_[0][0]), float(model.intercept_[0])


def fit_plainly(rows: Sequence[Row], labels: Sequence[str], bits: int, loose: float) -> list[Fitted]:
    """Fit labels without a curve, and without weighing by rarity: of a name, common features tell most."""
    features = matrix(rows, bits)
    weight = numpy.array([row.weight for row in rows])
    fitted = []
    for label in labels:
        weights, bias = _fit(features, numpy.array([row.label == label for row in rows]), weight, loose, rarely=False)
        fitted.append(Fitted(label, weights, bias, 1.0, 0.0))
    return fitted


def fit(
    rows: Sequence[Row], label: str, bits: int, loose: float = LOOSE, rarely: bool = True
) -> tuple[Fitted, Numbers]:
    """Fit one label. Return it, and the probability of each row by weights that have not seen its source."""
    scores = unseen(rows, label, bits, loose, rarely)
    right = numpy.array([row.label == label for row in rows])
    weight = numpy.array([row.weight for row in rows])
    steep, shift = curve(scores, right, weight)
    weights, bias = _fit(matrix(rows, bits), right, weight, loose, rarely)
    return Fitted(label, weights, bias, steep, shift), 1 / (1 + numpy.exp(-(steep * scores + shift)))


def pack(fitted: Sequence[Fitted], bits: int, floors: Mapping[str, float], share: float = 0.9999) -> bytes:
    """Return the file of weights: a line that describes it, and a byte for each weight."""
    # Of words a few weights are large: what is beyond the 99.99th percentile is cut.
    largest = max(float(numpy.quantile(numpy.abs(one.weights), share)) for one in fitted)
    step = round(largest / _LARGEST, 6)
    whole = [numpy.clip(numpy.rint(one.weights / step), -_LARGEST, _LARGEST).astype(numpy.int8) for one in fitted]
    numbers = [[one.name, *(round(1000 * number) for number in (one.bias, one.steep, one.shift))] for one in fitted]
    head = {"bits": bits, "step": step, "labels": numbers, "floors": {name: round(p, 3) for name, p in floors.items()}}
    return json.dumps(head).encode() + b"\n" + compress(b"".join(one.tobytes() for one in whole), 9)


def floor_for(precision: float, chances: Numbers, right: Numbers) -> float:
    """Return the lowest probability from which on at least this share is right."""
    order = numpy.argsort(-chances, kind="stable")
    hits = numpy.cumsum(right[order]) / numpy.arange(1, len(order) + 1)
    good = numpy.nonzero(hits >= precision)[0]
    return float(chances[order][good[-1]]) if len(good) else 1.0


def figures(chances: Numbers, right: Numbers, floor: float) -> tuple[float, float]:
    """Return precision and recall from a probability on."""
    shown = chances >= floor
    caught = int((shown & right).sum())
    return caught / max(1, int(shown.sum())), caught / max(1, int(right.sum()))
