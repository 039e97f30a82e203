"""Files below a root: whole or not there, never over another one unasked, and never anywhere else."""

from __future__ import annotations

import os
import stat
from errno import EMLINK, ENOSPC, ENOSYS, ENOTSUP, EOPNOTSUPP, EPERM, EXDEV

from treering.ledger.errors import InvalidInput, NotFound, StoreFull, StoreUnavailable
from treering.skills.paths import (
    DEEPEST,
    HANDLES,
    SKILL_FILE,
    AlreadyThere,
    Descent,
    InTheWay,
    UnsafePath,
    is_link,
    kind,
    opened_at,
    pieces_of,
    root_of,
)

LARGEST = 1 << 20  # bytes of a file that is read to be compared: no skill comes near
_NO_LINKS = frozenset((EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK))


def place(root: str, relative: str, text: str | bytes, *, overwrite: bool = False) -> str:
    """Write a file below a root; its absolute path. One that has these very bytes already counts as written."""
    *folders, name = pieces_of(relative)
    data = text if isinstance(text, bytes) else _bytes(text)
    with _down(root, folders, make=True) as here:
        path = here.full(name)
        try:
            if not _stands(here, name, data, overwrite):
                _write(here, name, data, overwrite)
        except OSError as error:
            raise _unwritten(path, error) from error
    return path


def move(root: str, from_relative: str, to_relative: str) -> str:
    """Move a folder below a root, at once and never onto another; its new absolute path."""
    *source, old = pieces_of(from_relative)
    *target, new = pieces_of(to_relative)
    if target[: len(source) + 1] == [*source, old]:
        raise UnsafePath(to_relative, "a folder cannot be moved into itself")
    with _down(root, source) as there:
        try:
            _check_folder(there, old)
        except FileNotFoundError as error:
            raise NotFound("folder", there.full(old)) from error
        except OSError as error:
            raise _unwritten(there.full(old), error) from error
        with _down(root, target, make=True) as here:
            return _renamed(there, old, here, new)


def digest(path: str) -> str:
    """Return the digest of a file; nothing if no regular file is there that can be read."""
    from hashlib import blake2b, file_digest

    file = opened_at(path)
    if file is None:
        return ""
    with file:
        return file_digest(file, lambda: blake2b(digest_size=16)).hexdigest()


def digest_all(folder: str) -> str:
    """Return the digest of a skill with all that lies beside it; nothing if it is not there.

    Links count by their target.
    """
    from hashlib import blake2b

    if not digest(os.path.join(folder, SKILL_FILE)):
        return ""
    total = blake2b(digest_size=16)
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted((*names, *(one for one in folders if os.path.islink(os.path.join(place, one))))):
            path = os.path.join(place, name)
            said = os.readlink(path) if os.path.islink(path) else digest(path)
            total.update(f"{os.path.relpath(path, folder)}\0{said}\n".encode("utf-8", "surrogateescape"))
    return total.hexdigest()


def read_text(path: str) -> str | None:
    """Return what a file says, to be compared; None if no regular file is there that can be read."""
    file = opened_at(path)
    if file is None:
        return None
    with file:
        return file.read(LARGEST).decode("utf-8", "replace")


def _bytes(text: str) -> bytes:
    try:
        return text.replace("\r\n", "\n").replace("\r", "\n").encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(f"the text has half a character at {error.start:,}: take it out") from error


def _down(root: str, folders: list[str], make: bool = False) -> Descent:
    """Go down to a folder below a root."""
    path = root_of(root)
    try:
        here = Descent(path)
        try:
            for folder in folders:
                path = here.full(folder)
                here.enter(folder, make)
        except BaseException as error:
            here.__exit__(type(error))
            raise
    except FileNotFoundError as error:
        raise NotFound("folder", path) from error
    except OSError as error:
        raise _unwritten(path, error) from error
    return here


def _renamed(there: Descent, old: str, here: Descent, new: str) -> str:
    path = here.full(new)
    try:
        if here.look(new) is not None:
            raise AlreadyThere(path)
        # An empty folder that somebody makes at this very moment is replaced; anything else there makes it fail.
        os.rename(there.name(old), here.name(new), src_dir_fd=there.handle, dst_dir_fd=here.handle)
        here.sync()
    except OSError as error:
        raise _unwritten(path, error) from error
    return path


def _stands(here: Descent, name: str, data: bytes, overwrite: bool) -> bool:
    """Return whether the file is there as it should be. Refuses what must not be replaced."""
    found = here.look(name)
    if found is None:
        return False
    if is_link(found) or not stat.S_ISREG(found.st_mode):
        raise InTheWay(here.full(name), kind(found))
    if found.st_size == len(data) and here.read(name, len(data) + 1) == data:
        return True
    if not overwrite:
        raise AlreadyThere(here.full(name))
    return False


def _write(here: Descent, name: str, data: bytes, overwrite: bool) -> None:
    """Write all of it under another name first, so that nobody ever sees half of it."""
    draft = f".{os.urandom(6).hex()}.part"
    try:
        with open(here.new(draft), "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        if overwrite:
            here.replace(draft, name)
        else:
            _claim(here, draft, name, data)
        here.sync()
    finally:
        here.remove(draft)


def _claim(here: Descent, draft: str, name: str, data: bytes) -> None:
    """Give the file its name, unless another one has it by now."""
    try:
        _name(here, draft, name)
    except FileExistsError:
        if not _stands(here, name, data, overwrite=False):
            raise


def _name(here: Descent, draft: str, name: str) -> None:
    try:
        here.link(draft, name)
    except OSError as error:
        if error.errno not in _NO_LINKS or not HANDLES:
            raise
        os.close(here.new(name))  # no links on this file system: take the name first, then put the file there
        here.replace(draft, name)


def _check_folder(there: Descent, name: str, depth: int = 0) -> None:
    """Refuse to move what is no folder, or one that holds links: live, it would reach outside of the root."""
    if depth > DEEPEST:
        raise InTheWay(there.full(name), f"more than {DEEPEST} folders deep")
    there.enter(name)
    for inside in there.names():
        found = there.look(inside)
        if found is not None and stat.S_ISDIR(found.st_mode) and not is_link(found):
            _check_folder(there, inside, depth + 1)
        elif found is not None and not stat.S_ISREG(found.st_mode):
            raise InTheWay(there.full(inside), kind(found))
    there.leave()


def _unwritten(path: str, error: OSError) -> StoreFull | StoreUnavailable:
    if error.errno == ENOSPC:
        return StoreFull(f"no space is left for {path}: free some and try again")
    if error.errno == EXDEV:
        return StoreUnavailable(f"{path} is on another disk: move the folder by hand")
    return StoreUnavailable(f"{path} cannot be written ({error.strerror}): look at who owns the folder")
