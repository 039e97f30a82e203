"""Weigh features with a linear model: a probability for each label, and the reasons for it.

The weights are one byte each, in a file beside this module. A feature has its place there by a hash of its
name, so that the file needs no list of words. Two features may share a place; training knows that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from math import exp
from typing import NamedTuple
from zlib import crc32, decompress

from treering.judge.features import Features

SUFFIX = ".weights"


class Reason(NamedTuple):
    """A feature and what it added to a verdict."""

    feature: str
    weight: float


class Label(NamedTuple):
    """What is known of one label beside its weights."""

    name: str
    bias: float
    steep: float  # of the curve that makes a probability of a score
    shift: float


class Model:
    """A linear model for labels, each of which is judged by itself."""

    def __init__(self, labels: Sequence[Label], bits: int, step: float, floors: Mapping[str, float], data: bytes):
        self.labels = {label.name: (at << bits, label) for at, label in enumerate(labels)}
        self.floors = dict(floors)  # probabilities from which something is done
        self._mask = (1 << bits) - 1
        self._step = step
        self._data = memoryview(data).cast("b")

    def probability(self, features: Features, label: str) -> float:
        """Return how likely a label is."""
        start, known = self.labels[label]
        total = 0.0
        for name, value in features.items():
            total += value * self._data[start + (crc32(name.encode("utf-8", "replace")) & self._mask)]
        score = known.bias + total * self._step
        return 1 / (1 + exp(-max(-30.0, min(30.0, known.steep * score + known.shift))))

    def probabilities(self, features: Features) -> dict[str, float]:
        """Return how likely each label is."""
        return {label: self.probability(features, label) for label in self.labels}

    def best(self, features: Features) -> tuple[str, float]:
        """Return the likeliest label, and how likely it is."""
        found = self.probabilities(features)
        label = max(found, key=lambda name: found[name])
        return label, found[label]

    def reasons(self, features: Features, label: str, most: int = 4) -> list[Reason]:
        """Return the features that speak most for a label, or against it if they are below zero."""
        start, _ = self.labels[label]
        weights = ((name, value * self._data[start + self.place(name)]) for name, value in features.items())
        found = [Reason(name, weight * self._step) for name, weight in weights]
        return sorted(found, key=lambda reason: -abs(reason.weight))[:most]

    def dense(self, label: str, names: Sequence[str]) -> tuple[list[float], float]:
        """Return the weights of named features and the bias with which they give the logarithm of a label's odds."""
        start, known = self.labels[label]
        weights = [known.steep * self._step * self._data[start + self.place(name)] for name in names]
        return weights, known.steep * known.bias + known.shift

    def place(self, feature: str) -> int:
        """Return where the weight of a feature lies."""
        return crc32(feature.encode("utf-8", "replace")) & self._mask


def parse(data: bytes) -> Model:
    """Return the model that a file of weights holds."""
    head, _, body = data.partition(b"\n")
    told = json.loads(head)
    labels = [Label(name, *(number / 1000 for number in numbers)) for name, *numbers in told["labels"]]
    return Model(labels, told["bits"], told["step"], told["floors"], decompress(body))


@cache
def load(name: str) -> Model:
    """Return a model that comes with the package."""
    return parse(resources.files("treering.judge").joinpath(f"weights/{name}{SUFFIX}").read_bytes())
