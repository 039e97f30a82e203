"""The files of the wordllama wheel, which ours are packed from, and the library whose reading of them we follow."""

from __future__ import annotations

import json
import os
from functools import cache
from importlib.metadata import distribution
from typing import Any

import numpy
from tokenizers import Tokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.models.port import Matrix

FOLDER = str(distribution("wordllama").locate_file("wordllama"))
VECTORS = os.path.join(FOLDER, "weights", "l2_supercat_256.safetensors")
TOKENIZER = os.path.join(FOLDER, "tokenizers", "l2_supercat_tokenizer_config.json")

TEXTS = (
    "The deploy script needs Python 3.11, and `make release` fails without it.",
    "Caroline's sister moved to Gothenburg in May; she doesn't like the winters there!",
    "pip install --upgrade foo_bar==1.2.3 && export PATH=$HOME/bin:$PATH # don't ask",
    "def fold(events):\n    return [apply(None, event) for event in events]\n\n\nprint(fold([]))",
    "Die Straßenbahn fährt über die Brücke, aber nicht am Sonntag.",
    "Миша любит кофе без молока и читает по вечерам.",
    "私は毎朝六時に起きて、公園を走ります。",
    "数据库每天凌晨三点备份。",
    "يفضل أحمد الاجتماعات في الصباح",
    "मुझे चाय पसंद है",
    "ฉันชอบกาแฟเย็น",
    "커피보다 차를 좋아해요",
    "emoji 🌲🪵 and ﬁ ligatures, \U0001d509raktur, e\u0301 combined, \u200bzero width",
    "https://example.org/a/b?c=d&e=f%20g#h",
    "tabs\tand\rreturns \x00 and bytes \x1b[0m",
)


@cache
def library() -> Any:
    return Tokenizer.from_file(TOKENIZER)


@cache
def vectors() -> Matrix:
    """All of them, as floats, by way of the header rather than by what we believe of it."""
    with open(VECTORS, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        about = json.loads(file.read(size))["embedding.weight"]
        assert about["dtype"] == "F16"
        return numpy.frombuffer(file.read(), numpy.float16).reshape(about["shape"]).astype(numpy.float32)


def tokens(text: str) -> list[int]:
    ids: list[int] = library().encode(text, add_special_tokens=False).ids
    return ids


def vector(text: str) -> Matrix:
    total = vectors()[tokens(text)].sum(axis=0)
    return numpy.asarray(total / numpy.linalg.norm(total), numpy.float32)
