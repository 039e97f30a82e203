"""The token that a client over HTTP has to show: a file in the home of the store, for its owner's eyes only."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress

from treering.core.errors import StoreUnavailable

NAME = "mcp-token"
_BYTES = 32  # of chance: nobody guesses that many
SHORTEST = 32  # characters of a token that somebody has put there: less could be guessed
_LONGEST = 4_096  # characters that are read of a file that may be anything
_OTHERS = 0o077  # what nobody but the owner may do


def token_in(home: str) -> tuple[str, str]:
    """The token and the path of its file, which is made if it is not there."""
    path = os.path.join(home, NAME)
    try:
        if not os.path.lexists(path):
            _make(path)
        return _read(path), path
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be read or made ({error.strerror}): see who owns it") from None


def _make(path: str) -> None:
    """Written aside and then given its name: another server that starts now finds it whole or not at all."""
    aside = f"{path}.{os.getpid()}-{secrets.token_hex(4)}"
    handle = os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(_BYTES) + "\n")
        with suppress(FileExistsError):  # another one was first, and its token holds
            os.link(aside, path)
    finally:
        os.unlink(aside)


def _read(path: str) -> str:
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle) as file:
        mode = os.fstat(handle).st_mode
        text = file.read(_LONGEST).strip()
    if os.name != "nt" and mode & _OTHERS:
        raise StoreUnavailable(f"{path} can be read by others: `chmod 600` it, or delete it and start again")
    if len(text) < SHORTEST or not text.isascii() or any(map(str.isspace, text)):
        raise StoreUnavailable(f"{path} holds no token of {SHORTEST} characters or more: delete it and start again")
    return text
