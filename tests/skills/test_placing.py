"""Files below a root."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from treering.ledger.errors import InvalidInput, NotFound, StoreFull, StoreUnavailable
from treering.skills import paths
from treering.skills import place as placing
from treering.skills.paths import AlreadyThere, InTheWay, NoRoot, UnsafePath, below, path_of, pieces_of
from treering.skills.place import digest, move, place, read_text

FILE = "skills/deploying/SKILL.md"


def everything(folder: Path) -> dict[str, str]:
    """What a folder holds, with what each file says."""
    return {
        path.relative_to(folder).as_posix(): "" if path.is_dir() else path.read_text()
        for path in sorted(folder.rglob("*"))
        if not path.is_symlink()
    }


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    made = tmp_path / "outside"
    made.mkdir()
    (made / "kept.md").write_text("kept")
    return made


# -- writing


def test_a_file_is_written_with_its_folders_and_its_path_is_told(root: Path) -> None:
    assert place(str(root), FILE, "one\r\ntwo ü\r") == str(root / FILE)
    assert (root / FILE).read_bytes() == "one\ntwo ü\n".encode()
    assert list(everything(root)) == ["skills", "skills/deploying", FILE]


def test_bytes_are_written_as_they_are(root: Path) -> None:
    """A file of somebody else keeps its line ends when something is added to it."""
    place(str(root), "rules.md", b"one\r\ntwo\xff")
    assert (root / "rules.md").read_bytes() == b"one\r\ntwo\xff"


def test_an_existing_file_is_not_touched_unless_asked_to(root: Path) -> None:
    place(str(root), FILE, "mine")
    with pytest.raises(AlreadyThere, match="--overwrite"):
        place(str(root), FILE, "yours")
    assert (root / FILE).read_text() == "mine"
    place(str(root), FILE, "yours", overwrite=True)
    assert (root / FILE).read_text() == "yours"
    assert list(everything(root)) == ["skills", "skills/deploying", FILE]


def test_the_very_same_file_counts_as_written(root: Path) -> None:
    """So that an accept that was killed goes on where it was."""
    place(str(root), FILE, "mine")
    before = (root / FILE).stat()
    assert place(str(root), FILE, "mine") == str(root / FILE)
    assert (root / FILE).stat().st_ino == before.st_ino


def test_a_file_with_two_names_keeps_its_text_under_the_other(root: Path, outside: Path) -> None:
    (root / "a.md").hardlink_to(outside / "kept.md")
    place(str(root), "a.md", "new", overwrite=True)
    assert (outside / "kept.md").read_text() == "kept"


def unlinked(*_: object, **__: object) -> None:
    raise OSError(errno.EPERM, "not permitted")


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("overwrite", [False, True])
def test_a_file_that_appears_at_the_last_moment_is_not_lost(
    root: Path, monkeypatch: pytest.MonkeyPatch, overwrite: bool, links: bool
) -> None:
    """Only `overwrite` may replace it."""
    synced = os.fsync

    def sync(handle: int) -> None:
        synced(handle)
        (root / "a.md").write_text("theirs")
        monkeypatch.setattr(os, "fsync", synced)

    monkeypatch.setattr(os, "fsync", sync)
    if not links:
        monkeypatch.setattr(os, "link", unlinked)
    if overwrite:
        place(str(root), "a.md", "mine", overwrite=True)
    else:
        with pytest.raises(AlreadyThere):
            place(str(root), "a.md", "mine")
    assert everything(root) == {"a.md": "mine" if overwrite else "theirs"}


@pytest.mark.skipif(not paths.HANDLES, reason="links are not used there")
def test_where_there_are_no_links_it_is_written_all_the_same(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", unlinked)
    place(str(root), FILE, "mine")
    with pytest.raises(AlreadyThere):
        place(str(root), FILE, "yours")
    assert everything(root)[FILE] == "mine"


@pytest.mark.parametrize(("code", "error"), [(errno.ENOSPC, StoreFull), (errno.EIO, StoreUnavailable)])
def test_what_fails_half_way_leaves_nothing_behind(
    root: Path, monkeypatch: pytest.MonkeyPatch, code: int, error: type[Exception]
) -> None:
    """Neither a part of the file nor the folders that were made for it; those that were there stay."""
    (root / "skills").mkdir()

    def full(handle: int) -> None:
        raise OSError(code, "no")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(error):
        place(str(root), FILE, "text")
    assert everything(root) == {"skills": ""}


def test_half_a_character_is_refused_before_anything_is_made(root: Path) -> None:
    with pytest.raises(InvalidInput):
        place(str(root), FILE, "a\ud800b")
    assert not everything(root)


def test_no_handle_stays_open(root: Path) -> None:
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("cannot be counted here")
    before = len(os.listdir("/proc/self/fd"))
    for text in ("a", "b"):
        try:
            place(str(root), FILE, text)
        except AlreadyThere:
            (root / "skills" / "link").symlink_to("/")
    with pytest.raises(InTheWay):
        place(str(root), "skills/link/a.md", "")
    with pytest.raises(InTheWay):
        move(str(root), "skills", "other")
    assert len(os.listdir("/proc/self/fd")) == before


# -- what is refused

UNSAFE = (
    *(
        "",
        ".",
        "..",
        "/",
        "/etc/passwd",
        "//host/share",
        "a//b",
        "a/",
        "./a",
        "a/.",
        "../a",
        "a/../b",
        "a/..",
        "~/../a",
    ),
    *(
        "C:/a",
        "c:a",
        "a:b",
        "a\\b",
        "..\\a",
        "\\\\host\\share",
        "a\0b",
        "a\nb",
        "a\x7fb",
        "a\u202eb",
        "a\u200bb",
        "a\ud800",
    ),
    *(
        "a.",
        "a ",
        " a",
        "a./b",
        "...",
        "con",
        "CON.md",
        "a/nul",
        "Aux.tar.gz",
        "com1",
        "LPT9.md",
        "com\u00b9",
        "con .md",
    ),
    *("x" * 256, "ü" * 128, "/".join("a" * 40), ".git/hooks/post-commit", ".GIT/config", "a/git~1/config"),
    *("a?", "a*", 'a"', "a<b", "a|b", "a\u2028b", "a\u00a0"),
)


@pytest.mark.parametrize("relative", UNSAFE)
def test_an_unsafe_path_is_refused_before_anything_is_made(root: Path, relative: str) -> None:
    with pytest.raises(UnsafePath):
        place(str(root), relative, "text", overwrite=True)
    with pytest.raises(UnsafePath):
        path_of(str(root), relative)
    assert not everything(root)


@pytest.mark.parametrize(
    "relative", ["a", "a.b/c-d_e.md", "x" * 255, "über/名前.md", "...a", "a b/c", ".github/a.md", "console.md"]
)
def test_what_only_looks_unsafe_is_not_refused(root: Path, relative: str) -> None:
    assert Path(place(str(root), relative, "text")).read_text() == "text"
    assert "/".join(pieces_of(relative)) == relative


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("dangling", [False, True])
def test_a_link_on_the_way_is_not_followed(root: Path, outside: Path, overwrite: bool, dangling: bool) -> None:
    (root / "skills").symlink_to(outside / "gone" if dangling else outside)
    with pytest.raises(InTheWay, match="link"):
        place(str(root), "skills/a/SKILL.md", "text", overwrite=overwrite)
    with pytest.raises(InTheWay, match="link"):
        place(str(root), "skills/kept.md", "text", overwrite=overwrite)
    assert everything(outside) == {"kept.md": "kept"}


def test_a_link_that_stays_inside_is_not_followed_either(root: Path) -> None:
    (root / "real").mkdir()
    (root / "skills").symlink_to(root / "real")
    with pytest.raises(InTheWay):
        place(str(root), FILE, "text")


@pytest.mark.parametrize("overwrite", [False, True])
def test_what_is_no_file_is_not_replaced(root: Path, outside: Path, overwrite: bool) -> None:
    """A link, even to the very same text, a dangling one, a folder, a pipe."""
    (root / "link.md").symlink_to(outside / "kept.md")
    (root / "dangling.md").symlink_to(outside / "new.md")
    (root / "folder.md").mkdir()
    os.mkfifo(root / "pipe.md")
    for name in ("link.md", "dangling.md", "folder.md", "pipe.md"):
        with pytest.raises(InTheWay):
            place(str(root), name, "kept", overwrite=overwrite)
    assert everything(outside) == {"kept.md": "kept"}


def test_a_file_where_a_folder_is_needed_is_refused(root: Path) -> None:
    (root / "skills").write_text("a note")
    with pytest.raises(InTheWay, match="a file"):
        place(str(root), FILE, "text", overwrite=True)


def test_the_root_may_be_a_link_but_must_be_a_folder(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    assert place(str(tmp_path / "link"), "a.md", "text") == str(root / "a.md")
    for missing in (str(tmp_path / "nowhere"), str(root / "a.md"), "", "a\0b"):
        with pytest.raises(NoRoot, match="--root"):
            place(missing, "a.md", "text")


def test_a_folder_swapped_for_a_link_on_the_way_leads_nowhere(
    root: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After it was looked at and before it is entered; and after it was entered."""
    (root / "skills").mkdir()

    def swap() -> None:
        (root / "skills").rename(root / "moved")
        (root / "skills").symlink_to(outside)

    looked = paths.Descent.look

    def look(self: paths.Descent, name: str) -> os.stat_result | None:
        found = looked(self, name)
        if name == "skills":
            swap()
        return found

    monkeypatch.setattr(paths.Descent, "look", look)
    with pytest.raises(InTheWay, match="no longer"):
        place(str(root), "skills/a.md", "text")
    monkeypatch.undo()
    (root / "skills").unlink()
    (root / "moved").rename(root / "skills")
    made = paths.Descent.new

    def new(self: paths.Descent, name: str) -> int:
        swap()
        return made(self, name)

    monkeypatch.setattr(paths.Descent, "new", new)
    place(str(root), "skills/a.md", "text")
    assert everything(root) == {"moved": "", "moved/a.md": "text"}
    assert everything(outside) == {"kept.md": "kept"}


def test_a_system_without_open_folders_refuses_the_same(
    root: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows: each step is looked at before it is taken."""
    monkeypatch.setattr(paths, "HANDLES", False)
    monkeypatch.setattr(placing, "HANDLES", False)
    place(str(root), FILE, "mine")
    place(str(root), "drafts/a/SKILL.md", "mine")
    with pytest.raises(AlreadyThere):
        place(str(root), FILE, "yours")
    place(str(root), FILE, "yours", overwrite=True)
    (root / "link").symlink_to(outside)
    (root / "link.md").symlink_to(outside / "kept.md")
    for path in ("link/a.md", "link.md", "skills", f"{FILE}/a.md"):
        with pytest.raises(InTheWay):
            place(str(root), path, "text", overwrite=True)
    with pytest.raises(NotFound):
        move(str(root), "nowhere/a", "skills/a")
    with pytest.raises(InTheWay):
        move(str(root), "drafts/a", "link/a")
    move(str(root), "drafts/a", "skills/a")
    assert everything(root) == {
        "drafts": "",
        "skills": "",
        "skills/a": "",
        "skills/a/SKILL.md": "mine",
        "skills/deploying": "",
        FILE: "yours",
    }
    assert everything(outside) == {"kept.md": "kept"}


# -- moving


def test_a_folder_is_moved_whole(root: Path) -> None:
    place(str(root), ".treering/drafts/a/SKILL.md", "text")
    place(str(root), ".treering/drafts/a/scripts/run.sh", "run")
    assert move(str(root), ".treering/drafts/a", "skills/a") == str(root / "skills/a")
    assert (root / "skills/a/scripts/run.sh").read_text() == "run"
    assert not (root / ".treering/drafts/a").exists()


@pytest.mark.parametrize("kind", ["empty", "full", "file", "dangling"])
def test_nothing_is_moved_onto_what_is_there(root: Path, outside: Path, kind: str) -> None:
    place(str(root), "drafts/a/SKILL.md", "text")
    (root / "skills").mkdir()
    target = root / "skills" / "a"
    if kind == "file":
        target.write_text("")
    elif kind == "dangling":
        target.symlink_to(outside / "gone")
    else:
        target.mkdir()
        if kind == "full":
            (target / "SKILL.md").write_text("mine")
    with pytest.raises(AlreadyThere):
        move(str(root), "drafts/a", "skills/a")
    assert (root / "drafts/a/SKILL.md").read_text() == "text"


def test_links_are_neither_moved_nor_followed(root: Path, outside: Path) -> None:
    """On the way there, as the folder itself, and anywhere inside."""
    place(str(root), "drafts/a/deep/SKILL.md", "text")
    (root / "drafts/a/deep/link").symlink_to(outside)
    (root / "drafts/b").symlink_to(outside)
    (root / "away").symlink_to(outside)
    place(str(root), "drafts/c/SKILL.md", "text")
    for old, new in (
        ("drafts/a", "skills/a"),
        ("drafts/b", "skills/b"),
        ("drafts/c", "away/c"),
        ("away/c", "skills/c"),
    ):
        with pytest.raises(InTheWay):
            move(str(root), old, new)
    assert everything(outside) == {"kept.md": "kept"}
    assert not (root / "skills").exists()


def test_only_a_folder_that_is_there_is_moved_and_not_into_itself(root: Path) -> None:
    place(str(root), "a/SKILL.md", "text")
    for missing in ("b", "b/c"):
        with pytest.raises(NotFound):
            move(str(root), missing, "skills/b")
    with pytest.raises(InTheWay):
        move(str(root), "a/SKILL.md", "skills/b")
    with pytest.raises(UnsafePath, match="itself"):
        move(str(root), "a", "a/b/c")
    assert everything(root) == {"a": "", "a/SKILL.md": "text"}


# -- reading


def test_a_digest_tells_a_change_and_what_is_gone(root: Path) -> None:
    path = place(str(root), "a.md", "text")
    first = digest(path)
    assert len(first) == 32 and first == digest(path)
    place(str(root), "a.md", "texts", overwrite=True)
    assert digest(path) not in (first, "")
    (root / "link.md").symlink_to(path)
    os.mkfifo(root / "pipe")
    for none in (
        str(root),
        str(root / "b.md"),
        str(root / "a.md" / "c"),
        str(root / "link.md"),
        str(root / "pipe"),
        "a\0",
    ):
        assert digest(none) == ""
        assert read_text(none) is None
    assert read_text(path) == "texts"


def test_a_path_is_below_a_root_or_it_is_not(root: Path, outside: Path) -> None:
    assert below(str(root), str(root / "a" / "b.md")) == "a/b.md"
    assert below(str(root), str(root)) == ""
    assert below(str(root), str(outside / "kept.md")) == ""
    assert below(str(root), str(root) + "-other/a") == ""
    assert below("/", "/a") == "a"
    (root / "link.md").symlink_to(outside / "kept.md")
    assert below(str(root), str(root / "link.md")) == ""
