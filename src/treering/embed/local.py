"""Models and libraries that are on this machine. Nothing is ever downloaded."""

from __future__ import annotations

import os

from treering.core.errors import MissingExtra, TreeringError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SAMPLES = 16  # of each file: two trainings of one model differ nearly everywhere
_SAMPLE = 4096  # bytes


class ModelMissing(TreeringError):
    """The model is not on this machine."""

    def __init__(self, model: str) -> None:
        super().__init__(
            f"the model {model!r} is not on this machine, and Treering downloads nothing: "
            f"give the path of its folder, or fetch it once with `hf download {model}`"
        )


class ModelUnusable(TreeringError):
    def __init__(self, folder: str, problem: object) -> None:
        super().__init__(f"the model in {folder} cannot be loaded: {problem}; choose another, or fetch it again")


def library(module: str, package: str) -> Any:
    """A module that only some have."""
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(package, package) from error


def folder_of(model: str) -> str:
    """Where a model lies: the folder itself, or the copy of one that was fetched by its name before."""
    folder = os.path.abspath(os.path.expanduser(model))
    if os.path.isdir(folder):
        return folder
    hub = library("huggingface_hub", "huggingface_hub")
    try:
        return str(hub.snapshot_download(model, local_files_only=True))
    except (OSError, ValueError) as error:  # not there, or not even a name of a model
        raise ModelMissing(model) from error


def print_of(folder: str) -> str:
    """What tells a model from every other, wherever it lies, without reading all of it."""
    from hashlib import blake2b

    digest = blake2b(digest_size=6)
    for above, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.startswith(".") or name.endswith(".md"):
                continue
            path = os.path.join(above, name)
            size = os.path.getsize(path)
            digest.update(f"{os.path.relpath(path, folder)}\0{size}\0".encode())
            with open(path, "rb") as file:
                for start in range(0, size, max(_SAMPLE, size // _SAMPLES)):
                    file.seek(start)
                    digest.update(file.read(_SAMPLE))
    return digest.hexdigest()
