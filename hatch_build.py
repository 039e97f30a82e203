"""Pack the word vectors of the default embedder when a wheel is built.

They come from two files of the `wordllama` package. Only the first build of a tree needs that package, for as long
as it takes: the files that it writes are the same each time, so a later build finds them and asks for nothing.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = "src/treering/models/embed/packed"  # beside the module that reads them, so that an editable install finds them
SOURCE = "wordllama==0.4.0.post1"
WEIGHTS = "wordllama/weights/l2_supercat_256.safetensors"
TOKENIZER = "wordllama/tokenizers/l2_supercat_tokenizer_config.json"
# What the recorded figures were measured with: another release, or a damaged file, is refused.
DIGESTS = {
    "LICENSE": "b87edfe9e3d506a8cfa2039bfb231198f00fdc48b1b1ea570cbddb10015b275e",
    "tokens.txt": "0f05abe45bb36146883aaf60c8d7299ee0a81e92d9eca10422f1165d4cffe7a0",
    "vectors.f16": "21ac5fc44ec359347ac30b81c799a32ff33e379ae732dedfe2f8f37b29a50061",
}
NOT_LETTERS = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]  # the first ids


class NothingToPack(Exception):
    """`wordllama` is not in the environment that builds, or not the release that was measured."""


class PackVectors(BuildHookInterface[Any]):
    """Write the vectors into the tree, where git ignores them, and from there into the wheel."""

    def dependencies(self) -> list[str]:
        """Return what the build needs beside hatchling: nothing, once the vectors are there."""
        return [] if is_packed(Path(self.root, FOLDER)) else [SOURCE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        folder = Path(self.root, FOLDER)
        if not is_packed(folder):
            write(packed(), folder)
        build_data["artifacts"] += [f"/{FOLDER}/{name}" for name in DIGESTS]


def is_packed(folder: Path) -> bool:
    """Tell whether every file is there, whole and of the right release."""
    return all(
        (folder / name).is_file() and sha256((folder / name).read_bytes()).hexdigest() == digest
        for name, digest in DIGESTS.items()
    )


def packed() -> dict[str, bytes]:
    """Return the files to write, made from the `wordllama` that is installed here."""
    try:
        source = distribution("wordllama")
    except PackageNotFoundError:
        raise NothingToPack(f"the word vectors are packed from {SOURCE}: pip install '{SOURCE}'") from None
    files = {"LICENSE": _licence(source), "tokens.txt": _tokens(source), "vectors.f16": _vectors(source)}
    found = {name: sha256(content).hexdigest() for name, content in files.items()}
    if found != DIGESTS:
        raise NothingToPack(f"wordllama {source.version} gives {found}, not the vectors of {SOURCE}: {DIGESTS}")
    return files


def write(files: dict[str, bytes], folder: Path) -> None:
    """Write each file whole: a process that has the old one mapped keeps it."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        part = folder / f"{name}.{os.getpid()}.part"
        part.write_bytes(content)
        part.replace(folder / name)


def _licence(source: Distribution) -> bytes:
    about = f"vectors.f16 and tokens.txt are taken from {SOURCE}, which has this licence:"
    return f"{about}\n\n{source.read_text('licenses/LICENSE')}".encode()


def _tokens(source: Distribution) -> bytes:
    """Return the tokens in the order of their ids, one a line, without those that stand for no letters."""
    model = json.loads(Path(str(source.locate_file(TOKENIZER))).read_bytes())["model"]
    tokens = sorted(model["vocab"], key=model["vocab"].__getitem__)
    ids = [model["vocab"][token] for token in tokens]
    first = len(NOT_LETTERS)
    if tokens[:first] != NOT_LETTERS or ids != list(range(len(ids))) or any("\n" in token for token in tokens):
        raise NothingToPack(f"the vocabulary of wordllama {source.version} is not ordered as that of {SOURCE}")
    return "".join(f"{token}\n" for token in tokens[first:]).encode()


def _vectors(source: Distribution) -> bytes:
    """Return the numbers of a safetensors file that holds nothing but one table of halves, row by row."""
    stored = Path(str(source.locate_file(WEIGHTS))).read_bytes()
    start = 8 + int.from_bytes(stored[:8], "little")  # the length of the header, and the header
    return stored[start:]
