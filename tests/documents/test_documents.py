"""Harvest: which documents are read, under which names, and what an interruption leaves."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import treering
from tests.documents.harvests import DESIGN, TOKEN, counts, edit, events, id_of, take, told, write
from treering.documents.harvest import harvest
from treering.documents.harvest.harvest import LARGEST
from treering.ledger.decide import Remember
from treering.ledger.errors import InvalidInput, ReadOnly
from treering.ledger.types import Memory
from treering.ledger.verify import verify
from treering.memory import Treering
from treering.truth import claims


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder under version control, with one document in it."""
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    write(folder / "docs" / "design.md", DESIGN)
    return folder


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Treering]:
    with treering.open(tmp_path / "home", actor="user") as memory:
        yield memory
        assert verify(memory.ledger.store).clean


class TestNames:
    def test_a_document_has_one_name_wherever_we_stand(
        self, memory: Treering, repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """In the repository, in a folder of it, and outside."""
        take(memory, repository)
        before = events(memory)
        for folder, path in ((repository, "docs"), (repository / "docs", "."), (tmp_path, "shop/docs/design.md")):
            monkeypatch.chdir(folder)
            assert counts(memory.documents.harvest([path], project="shop")) == (0, 0, 0, 5)
        assert events(memory) == before

    def test_a_root_names_documents_outside_a_repository(
        self, memory: Treering, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """With a slash at its end or without, relative or not."""
        write(tmp_path / "notes" / "deep" / "a.md", DESIGN)
        take(memory, tmp_path / "notes", root=str(tmp_path / "notes"))
        assert {origin.split(":")[1] for origin in told(memory).values()} == {"deep/a.md"}
        monkeypatch.chdir(tmp_path)
        for root in ("notes", "notes/", "./notes/deep/.."):
            assert counts(memory.documents.harvest(["notes/deep"], project="shop", root=root)) == (0, 0, 0, 5)

    def test_another_project_takes_the_facts_for_itself(self, memory: Treering, repository: Path) -> None:
        """What one project knows cannot be seen from another, so it is no reason to skip; neither follows the other."""
        assert counts(take(memory, repository, project="shop")) == (5, 0, 0, 0)
        assert counts(take(memory, repository, project="bakery")) == (5, 0, 0, 0)
        edit(repository / "docs" / "design.md", "Fridays", "Tuesdays")
        assert counts(take(memory, repository, project="shop")) == (0, 1, 0, 4)
        assert any("Fridays" in one.content for one in memory.list(project="bakery"))
        assert {(one.project, one.scope) for one in memory.list()} == {("shop", "project"), ("bakery", "project")}

    def test_a_renamed_document_leaves_no_second_copy(self, memory: Treering, repository: Path) -> None:
        """Its facts are known, whatever it is called."""
        shutil.move(repository / "docs" / "design.md", repository / "docs" / "design-notes.md")
        write(repository / "docs" / "design-notes.md", DESIGN.replace("# Design", "# How the shop is built"))
        take(memory, repository)
        before = told(memory)
        shutil.move(repository / "docs" / "design-notes.md", repository / "docs" / "building.md")
        assert counts(take(memory, repository)) == (0, 0, 0, 5)
        assert told(memory) == before

    def test_a_fact_that_was_forgotten_stays_so_when_its_document_is_renamed(
        self, memory: Treering, repository: Path
    ) -> None:
        """A person forgot the fact, not the file."""
        write(repository / "docs" / "design.md", DESIGN.replace("# Design", "# How the shop is built"))
        take(memory, repository)
        memory.forget(id_of(memory, "Backups"))
        shutil.move(repository / "docs" / "design.md", repository / "docs" / "building.md")
        take(memory, repository)
        assert not any("Backups" in text for text in told(memory))

    def test_a_document_whose_name_holds_a_secret_or_a_control_is_no_way_in(
        self, memory: Treering, repository: Path
    ) -> None:
        """What is stored of its name is what may be stored, and the second run still changes nothing."""
        for name in (f"{TOKEN}.md", "bell\a.md", "line\nbreak.md", "colon:7.md", "größe.md"):
            write(repository / "odd" / name, f"# Odd\n\n- The {len(name)} rings of {name[-6:-3]!a} are kept here.\n")
        take(memory, repository / "odd")
        assert all(TOKEN not in one.origin and one.origin.isprintable() for one in memory.list())
        before = events(memory)
        assert counts(take(memory, repository / "odd"))[:3] == (0, 0, 0)
        assert events(memory) == before


class TestTheWalk:
    def test_only_markdown_is_read_in_folders_and_what_others_wrote_is_passed_over(
        self, memory: Treering, repository: Path
    ) -> None:
        """A text that is named is read, and a program is not."""
        for name in ("a.txt", "node_modules/b.md", ".hidden/c.md", "site-packages/d.md"):
            write(repository / name, DESIGN.replace("SQLite", name.replace("/", " ")))
        assert take(memory, repository).documents == 1
        assert counts(take(memory, repository / "a.txt"))[0] > 0
        (repository / "c.py").write_text(DESIGN)
        assert take(memory, repository / "c.py").skipped[0][1].startswith("not a Markdown document")

    def test_links_that_go_in_circles_end(self, memory: Treering, repository: Path) -> None:
        """A document is read once, by whichever way it is reached."""
        (repository / "docs" / "loop").symlink_to(repository)
        (repository / "docs" / "self.md").symlink_to("self.md")
        (repository / "docs" / "again.md").symlink_to("design.md")
        done = take(memory, repository, repository / "docs", repository / "docs" / "design.md")
        assert done.count("added") == 5
        before = events(memory)
        take(memory, repository)
        assert events(memory) == before

    def test_a_link_out_of_the_folder_does_not_carry_other_files_in(self, memory: Treering, repository: Path) -> None:
        """A folder that somebody sent must not name files of ours as its own."""
        secret = write(repository.parent / "diary.md", "# Diary\n\n- The safe is behind the painting in the hall.\n")
        (repository / "docs" / "innocent.md").symlink_to(secret)
        take(memory, repository)
        assert not any("painting" in text for text in told(memory))

    @pytest.mark.skipif(os.getuid() == 0, reason="root may read anything")
    def test_a_file_that_may_not_be_read_is_told(self, memory: Treering, repository: Path) -> None:
        """And the rest is taken."""
        write(repository / "docs" / "locked.md", DESIGN).chmod(0)
        done = take(memory, repository)
        assert done.documents == 1 and [os.path.basename(file) for file, _ in done.skipped] == ["locked.md"]

    def test_what_is_no_text_or_too_large_is_told_and_the_rest_is_taken(
        self, memory: Treering, repository: Path
    ) -> None:
        """With the reason for each file; a broken link is one of them."""
        (repository / "docs" / "latin.md").write_bytes(b"# Gr\xfc\xdfe\n\n- The store is old.\n")
        (repository / "docs" / "huge.md").write_bytes(b"# Huge\n" + b"x" * LARGEST)
        (repository / "docs" / "broken.md").symlink_to("nowhere.md")
        done = take(memory, repository)
        assert counts(done)[0] == 5 and done.documents == 1
        why = {os.path.basename(file): reason for file, reason in done.skipped}
        assert why["latin.md"] == "not UTF-8" and "larger" in why["huge.md"] and "No such file" in why["broken.md"]

    def test_a_document_that_cannot_be_read_any_more_keeps_its_facts(self, memory: Treering, repository: Path) -> None:
        """Not being able to read is not having left."""
        take(memory, repository)
        (repository / "docs" / "design.md").write_bytes(b"\xff\xfe\x00")
        before = events(memory)
        assert take(memory, repository).documents == 0
        assert events(memory) == before

    def test_a_pipe_is_not_waited_for(self, memory: Treering, repository: Path) -> None:
        """Nobody may ever write into it."""
        os.mkfifo(repository / "docs" / "pipe.md")
        done = take(memory, repository)
        assert counts(done)[0] == 5 and [os.path.basename(file) for file, _ in done.skipped] == ["pipe.md"]

    def test_nothing_to_read_is_an_error(self, memory: Treering, tmp_path: Path) -> None:
        """A folder without documents, and a path that is not there; nothing is written."""
        (tmp_path / "empty").mkdir()
        for path, words in (("empty", "no Markdown documents"), ("nowhere", "no file or folder")):
            with pytest.raises(InvalidInput, match=words):
                take(memory, tmp_path / path)
        assert events(memory) == 0

    def test_a_long_document_is_taken_whole_and_known_again(self, memory: Treering, repository: Path) -> None:
        """A thousand sections, each with a fact of its own."""
        sections = (
            f"## Part {n}\n\nThe part {n} is kept in the shelf number {n * 7} of the hall.\n" for n in range(1_000)
        )
        path = write(repository / "docs" / "long.md", "# Long\n\n" + "\n".join(sections))
        assert counts(take(memory, path)) == (1_000, 0, 0, 0)
        before = events(memory)
        assert counts(take(memory, path)) == (0, 0, 0, 1_000)
        assert events(memory) == before


class TestAnInterruption:
    def test_between_two_documents_leaves_whole_documents(
        self, memory: Treering, repository: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What was read is in, and the next run takes the rest."""
        write(repository / "docs" / "more.md", "# More\n\n- The build runs on two machines at night.\n")

        def stop(done: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            memory.documents.harvest([str(repository)], project="shop", progress=stop)
        assert len(told(memory)) == 5
        assert counts(take(memory, repository)) == (1, 0, 0, 5)

    def test_within_a_document_leaves_nothing_of_it(
        self, memory: Treering, repository: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """All of a document, or nothing."""
        taken: list[Memory] = []
        remember = harvest.Harvester._remember

        def stop(harvester: harvest.Harvester, wanted: Remember) -> Memory:
            if len(taken) == 2:
                raise KeyboardInterrupt
            taken.append(remember(harvester, wanted))
            return taken[-1]

        monkeypatch.setattr(harvest.Harvester, "_remember", stop)
        with pytest.raises(KeyboardInterrupt):
            take(memory, repository)
        assert (len(taken), events(memory)) == (2, 0)

    def test_of_the_look_for_contradictions_leaves_the_documents(
        self, memory: Treering, repository: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """They are in, and what they contradict is told by the next run."""
        memory.remember("The request timeout is 30 seconds.", project="shop")
        path = write(repository / "docs" / "more.md", "# More\n\n- The request timeout is 5 seconds.\n")

        def stop(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(claims, "look", stop)
            with pytest.raises(KeyboardInterrupt):
                take(memory, path)
        assert "The request timeout is 5 seconds." in told(memory)
        done = take(memory, path)
        assert (counts(done), len(done.contradictions)) == ((0, 0, 0, 1), 1)

    def test_two_runs_that_began_at_once_take_everything_once(self, tmp_path: Path, repository: Path) -> None:
        """What the other has written since we looked is known."""
        with treering.open(tmp_path / "home") as one, treering.open(tmp_path / "home") as other:
            context = one.context._replace(project="shop")
            late = harvest.Harvester(one.ledger, context, one.config.content_limit)
            take(other, repository)
            (document,) = harvest.documents([str(repository)])
            late.take(document, rehearse=False)
            assert len(list(other.list())) == 5


def test_a_view_of_the_past_cannot_harvest(tmp_path: Path, repository: Path) -> None:
    """Documents are as they are now."""
    with treering.open(tmp_path / "home") as memory:
        memory.remember("the first one")
    with treering.open(tmp_path / "home", as_of="2020-01-01") as past, pytest.raises(ReadOnly):
        take(past, repository)
