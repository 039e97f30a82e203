"""Shared folders on other machines: by ssh, with the plain tools of that machine, or in a git repository.

Each has a mirror in the home of this store. Files are never changed, so the names alone tell what is to be
copied in which direction.
"""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from treering.ledger.errors import InvalidInput
from treering.ledger.sync.places import Folder, Unreachable, check_size, ours
from treering.ledger.sync.segments import LARGEST
from treering.stores.files import make_home

_TIMEOUT = 300  # seconds for one command: a first copy over a slow line
_CONNECT = 15  # seconds until a machine that does not answer is given up
_TRIES = 5  # pushes, when others push at the same time
_BRANCH = "treering-sync"
_KEPT = "files"  # the folder of a mirror that holds the shared files
_AT_A_TIME = 500  # names in one command
_BLOCK = 512  # bytes: what `find` counts the size of a file in
_FILES = "find . ! -name . -prune -type f"  # of the folder, not of those within
_LIST = f"{_FILES} ! -name '*.part' && echo && {_FILES} -size +{LARGEST // _BLOCK}"


class Ssh(Folder):
    """A folder of another machine, which needs sh, tar, find and mv there and nothing of ours."""

    def __init__(self, host: str, folder: str, mirror: str, program: str = "ssh") -> None:
        if not host or host.startswith("-"):
            raise InvalidInput(f"{host!r} is no host: say ssh:HOST or ssh:HOST:FOLDER")
        super().__init__(os.path.join(mirror, _KEPT))
        self._host = host
        self._program = shlex.split(program)
        self._folder = folder or ".treering-sync"

    @contextmanager
    def changing(self) -> Iterator[None]:
        make_home(self.path)
        there = self._there()
        here = {*self.names()}
        self._fetch(sorted(there - here))
        for name in here - there:
            self.delete(name)
        yield
        now = {*self.names()}
        self._send(sorted(now - there))
        self._drop(sorted(there - now))

    def _there(self) -> set[str]:
        """Return the names of the files there; refuse one that is too large to be copied."""
        listed, _, large = self._shell(_LIST).decode("utf-8", "replace").partition("\n\n")
        where = f"ssh:{self._host}:{self._folder}"
        found = ours((name.removeprefix("./") for name in listed.split("\n") if name), where)
        for name in found & {line.removeprefix("./") for line in large.split("\n")}:
            check_size(f"{where}/{name}", LARGEST + 1)
        return found

    def _fetch(self, names: Sequence[str]) -> None:
        for part in _portions(names):
            packed = self._shell(f"tar cf - -- {shlex.join(part)}")
            with tarfile.open(fileobj=io.BytesIO(packed)) as files:
                for one in files:
                    if one.name in part and (file := files.extractfile(one)):
                        self.write(one.name, file.read())

    def _send(self, names: Sequence[str]) -> None:
        """Copy files into a folder of their own there, and move them into place when all have arrived."""
        for part in _portions(names):
            draft = f".arriving-{os.urandom(4).hex()}.part"
            packed = _run(["tar", "cf", "-", "-C", self.path, "--", *part])
            self._shell(
                f"mkdir -m 700 {draft} && tar xf - -C {draft} && sync && mv {draft}/* . && rmdir {draft}", packed
            )

    def _drop(self, names: Sequence[str]) -> None:
        for part in _portions(names):
            self._shell(f"rm -f -- {shlex.join(part)}")

    def _shell(self, script: str, data: bytes = b"") -> bytes:
        folder = shlex.quote(self._folder)
        there = f"umask 077; mkdir -p -- {folder} && cd -- {folder} && {script}"
        options = ["-o", "BatchMode=yes", "-o", f"ConnectTimeout={_CONNECT}"]
        command = [*self._program, *options, "--", self._host, there]
        return _run(command, data)


class Git(Folder):
    """A branch of a git repository, with one commit that is always replaced: no history keeps what was purged."""

    def __init__(self, remote: str, mirror: str) -> None:
        if not remote or remote.startswith("-"):
            raise InvalidInput(f"{remote!r} is no git repository: say git:REMOTE")
        super().__init__(os.path.join(mirror, _KEPT))
        self._remote = remote
        self._own = os.path.join(mirror, "git")

    @contextmanager
    def changing(self) -> Iterator[None]:
        make_home(self.path)
        if not os.path.isdir(self._own):
            _run(["git", "init", "--quiet", "--bare", self._own])
        seen = self._fetch()
        there = self._there(seen)
        here = {*self.names()}
        self._check_out(seen, sorted(there - here))
        for name in here - there:
            self.delete(name)
        if here - there:
            self._forget(seen)
        yield
        now = {*self.names()}
        added, dropped = sorted(now - there), sorted(there - now)
        for _ in range(_TRIES):
            if not (added or dropped) or self._push(seen, added, dropped):
                break
            seen = self._fetch()  # somebody else was quicker: what both did goes together
        else:
            raise Unreachable(f"{self._remote} was changed by others {_TRIES} times meanwhile: sync again")
        if dropped:
            self._forget(self._fetch())

    def _fetch(self) -> str:
        """Return the commit that the branch has there; empty if there is no such branch."""
        told = self._git("ls-remote", "--", self._remote, f"refs/heads/{_BRANCH}").split()
        if not told:
            return ""
        self._git("fetch", "--quiet", "--depth=1", "--no-tags", "--", self._remote, f"+refs/heads/{_BRANCH}:refs/seen")
        return self._git("rev-parse", "refs/seen").strip()

    def _there(self, commit: str) -> set[str]:
        """Return the names of the files there; refuse one that is too large."""
        told = self._git("ls-tree", "--long", "-z", commit).split("\0") if commit else []
        sizes = {name: about.split()[-1] for about, _, name in (line.partition("\t") for line in told) if name}
        where = f"git:{self._remote}"
        found = ours(sizes, where)
        for name in found:
            check_size(f"{where}: {name}", int(sizes[name]) if sizes[name].isdecimal() else 0)
        return found

    def _forget(self, commit: str) -> None:
        """Erase from the mirror what is in no file there any more: a purge may have taken it out."""
        self._git("read-tree", commit or "--empty")
        self._git("gc", "--quiet", "--prune=now")

    def _check_out(self, commit: str, names: Sequence[str]) -> None:
        for part in _portions(names):
            self._git("checkout", "--quiet", commit, "--", *part)

    def _push(self, seen: str, added: Sequence[str], dropped: Sequence[str]) -> bool:
        """Replace the commit that was seen there by one with our changes; False if it is another by now."""
        self._git("read-tree", seen) if seen else self._git("read-tree", "--empty")
        for part in _portions(added):
            self._git("add", "--force", "--", *part)
        for part in _portions(dropped):
            self._git("rm", "--quiet", "--cached", "--ignore-unmatch", "--", *part)
        tree = self._git("write-tree").strip()
        commit = self._git("commit-tree", tree, "-m", "treering sync").strip()
        lease = f"--force-with-lease=refs/heads/{_BRANCH}:{seen}"
        try:
            self._git("push", "--quiet", lease, "--", self._remote, f"{commit}:refs/heads/{_BRANCH}")
        except Unreachable as error:
            if "stale info" in str(error) or "rejected" in str(error) or "cannot lock ref" in str(error):
                return False
            raise
        return True

    def _git(self, *arguments: str) -> str:
        who = ("-c", "user.name=treering", "-c", "user.email=treering@localhost", "-c", "core.autocrlf=false")
        where = (f"--git-dir={self._own}", f"--work-tree={self.path}")
        return _run(["git", *who, "-c", "commit.gpgsign=false", *where, *arguments], where=self.path).decode()


def _portions(names: Sequence[str]) -> Iterator[Sequence[str]]:
    return (names[at : at + _AT_A_TIME] for at in range(0, len(names), _AT_A_TIME))


def _run(command: Sequence[str], data: bytes = b"", where: str | None = None) -> bytes:
    """Run a program, and return what it prints. It never asks anything, and never waits for ever."""
    surroundings = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            command, input=data, capture_output=True, timeout=_TIMEOUT, env=surroundings, cwd=where, check=False
        )
    except FileNotFoundError:
        raise Unreachable(f"{command[0]} is not installed: this kind of sync needs it") from None
    except subprocess.TimeoutExpired:
        raise Unreachable(f"{command[0]} did not answer within {_TIMEOUT} seconds: try again later") from None
    if done.returncode:
        said = " ".join(done.stderr.decode("utf-8", "replace").split())[-300:]
        raise Unreachable(f"{command[0]} failed: {said or f'it ended with {done.returncode}'}")
    return done.stdout
