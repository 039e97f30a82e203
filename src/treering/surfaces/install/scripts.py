"""Where our programs are, by paths that will still be right tomorrow."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from treering.ledger.errors import TreeringError

TREERING, HOOK = "treering", "treering-hook"
# Folders that are emptied, or named by a version, without anybody asking.
FLEETING = ("/uv/archive-v", "/uv/builds-v", "/.cache/uv/", "/uv/cache/", "/pipx/.cache/", "/_npx/", "/cellar/")


class NoProgram(TreeringError):
    """A program of ours is not where it could be found again."""


class Programs(NamedTuple):
    treering: str
    hook: str


class Started(NamedTuple):
    """How this process came to be."""

    as_: str = sys.argv[0] if sys.argv else ""
    python: str = sys.executable
    windows: bool = os.name == "nt"


def programs(user: str, environment: Mapping[str, str], started: Started) -> Programs:
    """Return the absolute paths of both, from one installation."""
    return Programs(_find(TREERING, user, environment, started), _find(HOOK, user, environment, started))


def is_fleeting(path: str) -> bool:
    plain = path.replace("\\", "/").lower()
    return any(part in plain for part in FLEETING)


def _find(name: str, user: str, environment: Mapping[str, str], started: Started) -> str:
    file = f"{name}.exe" if started.windows else name
    own = os.path.join(os.path.dirname(os.path.abspath(started.python)), file)
    found = [path for path in dict.fromkeys(_places(file, own, user, environment, started)) if os.path.isfile(path)]
    lasting = [path for path in found if not is_fleeting(path)]
    if lasting:
        return lasting[0]
    if found:
        raise NoProgram(
            f"{found[0]} is in a folder that is emptied from time to time: install Treering to stay, with "
            f"`uv tool install treering` or `pipx install treering`, and then run this again"
        )
    raise NoProgram(f"there is no {file} in {os.path.dirname(own)}: install Treering again, with pip, pipx or uv")


def _places(file: str, own: str, user: str, environment: Mapping[str, str], started: Started) -> Iterator[str]:
    """Yield where to look, the most lasting first: as it was started, where links to it are kept, and where it is."""
    called = os.path.basename(started.as_).lower().removesuffix(".exe")
    if os.path.isabs(started.as_) and called in (TREERING, HOOK):
        yield os.path.join(os.path.dirname(started.as_), file)
    folders = [os.path.join(user, ".local", "bin"), *environment.get("PATH", "").split(os.pathsep)]
    for folder in folders:
        path = os.path.join(folder, file)
        if os.path.isabs(path) and os.path.realpath(path) == os.path.realpath(own):
            yield path
    yield own
