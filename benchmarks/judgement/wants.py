"""Learn which prompts want a memory, from the probes of lives: those that want facts, and those that want none."""

from __future__ import annotations

import json

import numpy

from benchmarks.judgement import labels
from benchmarks.judgement.fit import Row, fit
from treering.recall.wants import BITS, SCALE, features

WANT = "want"
QUIET = 0.95  # of the prompts that want nothing, on lives that the weights have not seen: a hook says nothing to these
_LOOSE = 0.5
_LARGEST = 127


def rows(*, last: bool = False) -> list[Row]:
    """Return every labelled prompt, and whether it wants anything."""
    found = []
    for path in sorted(labels.LIVES.glob("*.json")):
        life = json.loads(path.read_text("utf-8"))
        if (life["id"] in labels.LAST) is last:
            turns = [turn for session in life["sessions"] for turn in session["turns"] if turn.get("probe") is not None]
            found += [Row(life["id"], features(turn["user"]), WANT if turn["probe"]["want"] else "") for turn in turns]
    return found


def weights() -> bytes:
    """Return the file that hooks read: a line of numbers, and a byte for each weight."""
    known = rows()
    fitted, chances = fit(known, WANT, BITS, _LOOSE)
    right = numpy.array([row.label == WANT for row in known])
    quiet = float(numpy.quantile(chances[~right], QUIET))
    print(f"wants: {(chances[right] >= quiet).mean():.3f} of {right.sum()} pass where {QUIET} of the others are quiet")
    floor = (numpy.log(quiet / (1 - quiet)) - fitted.shift) / fitted.steep
    step = float(numpy.abs(fitted.weights).max()) / _LARGEST
    whole = numpy.clip(numpy.rint(fitted.weights / step), -_LARGEST, _LARGEST).astype(numpy.int8)
    head = [round(number * SCALE) for number in (step * SCALE, fitted.bias, floor)]
    return " ".join(map(str, head)).encode() + b"\n" + whole.tobytes()
