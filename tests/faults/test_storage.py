"""A disk that is full or fails, folders and files that are not as they should be: nothing is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import apsw
import pytest

import treering
from tests.faults.disk import watched
from tests.faults.harness import (
    Export,
    contents,
    database,
    done,
    examine,
    files_of,
    fork,
    heads_of,
    make_export,
    written,
)
from tests.faults.operations import KINDS, Planner
from treering.ledger.errors import StoreFull, StoreUnavailable

NOBODY = 65_534  # root may do anything, so permissions are tried as somebody else
PAGE = 4_096
# These replay recalls before they act: hundreds of reads that are alike, of which some are made to fail.
REPLAYED = ("deprecate", "refine", "merge", "evolve")
SPARSE = 5
CALLS = 4  # of an operation that fail in `make test`; `make disk` lets each of them fail
SMALL = 1_500_000  # bytes of the disk that is to become full

needs_root = pytest.mark.skipif(os.getuid() != 0, reason="needs root to mount, or to become somebody else")


class _Fault:
    """Lets the nth call to the disk fail, once or from then on."""

    def __init__(self, nth: int, for_good: bool, error: type[apsw.Error], kinds: tuple[str, ...]) -> None:
        self.nth, self.for_good, self.error, self.kinds = nth, for_good, error, kinds
        self.armed, self.count = False, 0

    def watch(self, kind: str, path: str, offset: int, data: bytes) -> None:
        if not self.armed or kind not in self.kinds:
            return
        self.count += 1
        if self.count == self.nth or (self.for_good and self.count > self.nth):
            raise self.error("a fault that the test made")


_EVERY_CALL = ("open", "read", "write", "truncate", "sync", "delete")
_each_kind = pytest.mark.parametrize("kind", ["open", *KINDS])
_each_error = pytest.mark.parametrize(
    ("error", "calls"),
    [(apsw.IOError, _EVERY_CALL), (apsw.FullError, ("write", "truncate"))],
    ids=["error", "full"],
)


@_each_kind
@_each_error
def test_a_failing_disk_is_told_and_loses_nothing(
    error: type[apsw.Error], calls: tuple[str, ...], kind: str, stocked: Path, memory_disk: Path
) -> None:
    """Some of the calls to the disk that an operation makes fail, one at a time or from one on: the caller gets an
    error of ours or the whole result, what was acknowledged is there, and the store works as soon as the disk does."""
    disk = _Disk(stocked, memory_disk, kind, error, calls)
    count = disk.calls()
    chosen = sorted(Random(kind).sample(range(1, count + 1), min(CALLS, count)))
    told = [disk.is_told(nth, for_good=bool(number % 2)) for number, nth in enumerate(chosen)]
    assert any(told) or not chosen


@pytest.mark.long
@_each_kind
@pytest.mark.parametrize("for_good", [False, True], ids=["once", "for good"])
@_each_error
def test_a_disk_that_fails_at_any_call_is_told_and_loses_nothing(
    error: type[apsw.Error], calls: tuple[str, ...], for_good: bool, kind: str, stocked: Path, memory_disk: Path
) -> None:
    """The same for every call, one after the other."""
    disk = _Disk(stocked, memory_disk, kind, error, calls)
    chosen = range(1, disk.calls() + 1, SPARSE if kind in REPLAYED else 1)
    told = [disk.is_told(nth, for_good) for nth in chosen]
    assert any(told) or not chosen


class _Disk:
    """A disk that fails while an operation runs on a copy of the stocked store."""

    def __init__(self, stocked: Path, folder: Path, kind: str, error: type[apsw.Error], calls: tuple[str, ...]) -> None:
        self.stocked, self.home, self.kind, self.error, self.kinds = stocked, folder / "work", kind, error, calls
        self.export = make_export(str(folder), "other", ["from elsewhere", "and more"])

    def calls(self) -> int:
        """How many calls of the kinds that fail the operation makes."""
        fault = _Fault(sys.maxsize, False, self.error, self.kinds)
        assert not self._run(fault)
        return fault.count

    def is_told(self, nth: int, for_good: bool) -> bool:
        return self._run(_Fault(nth, for_good, self.error, self.kinds))

    def _run(self, fault: _Fault) -> bool:
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.copytree(self.stocked, self.home)
        return _try(self.home, self.kind, fault, self.export)


def _try(home: Path, kind: str, fault: _Fault, export: Export) -> bool:
    """Do it on a disk that fails, then look. Whether an error was told."""
    told = None
    new: tuple[str, ...] = ()
    with watched(fault.watch):
        if kind == "open":
            fault.armed = True
            before: dict[str, str] = {}
            try:
                memory = treering.open(home)
            except treering.TreeringError as error:
                told = error
                fault.armed = False
                memory = treering.open(home)
            heads, changes, events = {}, False, 0
        else:
            memory = treering.open(home, actor="user")
            (operation,) = Planner(memory, Random(7), [export]).plan(kind)
            heads, before = heads_of(memory), contents(memory)
            changes, events, new = bool(operation.new or operation.becomes), operation.events, operation.new
            fault.armed = True
            try:
                operation.run()
            except treering.TreeringError as error:
                told = error
        fault.armed = False
        finding = examine(memory, heads if told else heads_of(memory))
        assert not finding.problems, f"call {fault.nth}: {finding.problems}"
        if events:
            assert written(finding.heads) - written(heads) in (0, events)
        assert len({text in finding.contents.values() for text in new}) < 2, "only some of it was written"
        if told and fault.error is apsw.FullError:
            assert isinstance(told, StoreFull), repr(told)
        later = memory.remember("the disk is well again")
        memory.close()
    with treering.open(home) as memory:
        assert memory.get(later.id).content == "the disk is well again"
        finding = examine(memory, finding.heads)
        assert not finding.problems, f"call {fault.nth}, opened again: {finding.problems}"
        if not told and changes:
            assert {id: text for id, text in finding.contents.items() if id != later.id} != before
    return told is not None


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store on which every kind of operation is possible."""
    folder = tmp_path_factory.mktemp("stocked")
    with treering.open(folder / "home") as memory:
        planner = Planner(memory, Random(3), ())
        memories = ("remember_many", "remember_many", "forget", "forget", "quarrel", "look", "quarrel", "rule", "old")
        for kind in (*memories, "shown", "worn", "twins", "reused", "analyze", "reused", "episodes"):
            for operation in planner.plan(kind):
                operation.run()
    return folder / "home"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "small"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip(f"no small disk to fill: {made.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@needs_root
def test_a_full_disk_is_told_and_loses_nothing(small_disk: Path) -> None:
    """A disk fills up under the store: it says so, all that it acknowledged is there, and it goes on when
    there is space again."""
    home = small_disk / "home"
    (small_disk / "ballast").write_bytes(bytes(SMALL // 3))
    with treering.open(home) as memory:
        written = _fill(memory)
        heads = heads_of(memory)
        assert not examine(memory, heads).problems
        with pytest.raises(StoreFull):
            memory.remember("x" * 90_000)
        (small_disk / "ballast").unlink()
        memory.remember("there is space again")
    with treering.open(home) as memory:
        finding = examine(memory, heads)
        assert not finding.problems
        assert sorted(finding.contents.values()) == sorted([*written, "there is space again"])


@needs_root
def test_a_store_on_a_full_disk_opens_again_when_there_is_space(small_disk: Path) -> None:
    """Opening a store, or making one, where not a byte is left says that the disk is full; later it works."""
    home = small_disk / "home"
    with treering.open(home) as memory:
        memory.remember("before")
    with open(small_disk / "ballast", "wb", buffering=0) as ballast:
        try:
            while True:
                ballast.write(bytes(PAGE))
        except OSError:
            pass
    for folder in (home, small_disk / "new"):
        with pytest.raises(StoreFull), treering.open(folder) as memory:
            memory.remember("x" * 50_000)
    (small_disk / "ballast").unlink()
    for folder, texts in ((home, ["before"]), (small_disk / "new", [])):
        with treering.open(folder) as memory:
            assert not examine(memory, {}).problems
            memory.remember("after")
            assert sorted(contents(memory).values()) == ["after", *texts]


def _fill(memory: treering.Treering) -> list[str]:
    written: list[str] = []
    with pytest.raises(StoreFull) as told:
        while True:
            text = f"{len(written)} " + "x" * 3_000
            memory.remember(text)
            written.append(text)
    assert "free some" in str(told.value)
    return written


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that anybody can reach, unlike those of pytest."""
    folder = Path(tempfile.mkdtemp(prefix="treering-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def _as_nobody(work: Callable[[], object]) -> bool:
    def run() -> None:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        work()

    return done(fork(run))


def _refused(home: Path) -> None:
    """The store says that it cannot be used, and which file or folder is the cause."""
    with pytest.raises(StoreUnavailable) as told, treering.open(home) as memory:
        memory.remember("never stored")
    assert str(home) in str(told.value)


@needs_root
def test_a_home_that_cannot_be_made_is_told(open_folder: Path) -> None:
    """Where nobody may make a folder, opening says so; once they may, it works."""
    assert _as_nobody(lambda: _refused(open_folder / "home"))
    assert os.listdir(open_folder) == []
    open_folder.chmod(0o777)
    assert _as_nobody(lambda: treering.open(open_folder / "home").close())


@needs_root
def test_a_home_that_cannot_be_written_is_told(open_folder: Path) -> None:
    """An empty folder of somebody else: opening says so, and leaves nothing behind."""
    assert _as_nobody(lambda: _refused(open_folder))
    assert os.listdir(open_folder) == []


@needs_root
@pytest.mark.parametrize("what", ["folder", "file", "owner"])
def test_a_store_that_cannot_be_written_is_told_and_kept(what: str, open_folder: Path) -> None:
    """A store in a read-only folder, or of somebody else: a clear error, and it works when that is mended."""
    home = open_folder / "home"
    with treering.open(home) as memory:
        memory.remember("kept")
    path = Path(database(str(home)))
    if what != "owner":
        for owned in (home, path):
            os.chown(owned, NOBODY, NOBODY)
    home.chmod(0o755 if what == "owner" else 0o500 if what == "folder" else 0o700)
    path.chmod(0o400 if what == "file" else 0o600)
    before = files_of(str(home))
    assert _as_nobody(lambda: _refused(home))
    assert files_of(str(home)).get(path.name) == before[path.name]
    for owned in (home, path):
        os.chown(owned, NOBODY, NOBODY)
    home.chmod(0o700)
    path.chmod(0o600)
    assert _as_nobody(lambda: _remember_more(home))


def _remember_more(home: Path) -> None:
    with treering.open(home) as memory:
        memory.remember("more")
        assert sorted(contents(memory).values()) == ["kept", "more"]


@needs_root
def test_a_read_only_disk_is_told(small_disk: Path) -> None:
    """A disk mounted read-only: a clear error; once it can be written again, everything is there."""
    home = small_disk / "home"
    with treering.open(home) as memory:
        memory.remember("kept")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    _refused(home)
    _refused(small_disk / "new")
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    _remember_more(home)


def test_a_home_that_is_a_file_is_told(tmp_path: Path) -> None:
    """A file where the folder should be is left alone, and the message names it."""
    home = tmp_path / "home"
    home.write_text("a letter")
    _refused(home)
    assert home.read_text() == "a letter"
