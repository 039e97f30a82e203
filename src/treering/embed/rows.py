"""Vectors as rows of a matrix, each of length 1, or zeros where nothing was said."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.core.ports import Matrix


def normalised(rows: Matrix) -> Matrix:
    """The rows, changed in place."""
    import numpy

    lengths = numpy.sqrt(numpy.einsum("ij,ij->i", rows, rows))
    lengths[lengths == 0] = 1
    rows /= lengths[:, None]
    return rows


def spoken(texts: Sequence[str], encode: Callable[[list[str]], Matrix], width: Callable[[], int]) -> Matrix:
    """A row for each text. Blank ones stay zeros: a model would give them a direction like any other.

    `width` is asked only where no vector tells.
    """
    import numpy

    speaking = [at for at, text in enumerate(texts) if text.strip()]
    if not speaking:
        return numpy.zeros((len(texts), width()), numpy.float32)
    vectors = encode([texts[at] for at in speaking])
    rows = numpy.zeros((len(texts), vectors.shape[1]), numpy.float32)
    rows[speaking] = vectors
    return normalised(rows)
