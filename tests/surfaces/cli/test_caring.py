"""Commands that look after the store."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from tests.surfaces.cli.driving import Cli


def spoil(home: Path, sql: str) -> None:
    """Change a store behind its back."""
    db = apsw.Connection(str(home / "treering.db"))
    db.execute(sql)
    db.close()


def test_verify_says_what_it_checked(cli: Cli) -> None:
    """And that all is well."""
    cli.remember("x")
    assert cli.fine("verify").out == "checked 1 event of 1 writer, 1 memory and the indexes\nall is well\n"
    found = cli.fine("verify", "--json").json
    assert (found["events"], found["clean"], found["problems"]) == (1, True, [])


def test_verify_lists_every_problem_and_fails(cli: Cli, home: Path) -> None:
    """A memory that its events do not explain is found, and `rebuild` cures it."""
    cli.remember("one")
    cli.remember("two")
    spoil(home, "UPDATE memories SET scope = 'session'")
    result = cli("verify")
    assert result.code == 1 and result.out.count("differs from what its events say") == 2
    assert result.out.endswith("2 problems\n")
    assert len(cli("verify", "--json").json["problems"]) == 2
    assert cli.fine("rebuild").out == "rebuilt from 2 events\n"
    assert cli.fine("verify").code == 0


def test_rebuild_counts_the_events(cli: Cli) -> None:
    """For programs too."""
    cli.remember("x")
    assert cli.fine("rebuild", "--json").json == {"events": 1}


@pytest.mark.parametrize("command", ["verify", "rebuild", "doctor"])
def test_what_looks_at_the_present_refuses_a_view_of_the_past(cli: Cli, command: str) -> None:
    """Rather than to look at something else than was meant."""
    result = cli(command, "--as-of", "2026-05-01")
    assert result.code == 2 and "leave out --as-of" in result.err


def test_the_doctor_says_what_it_found(cli: Cli, home: Path) -> None:
    """A line for each thing, and 1 as the code when one of them fails."""
    cli.remember("x")
    assert "contents" in cli.fine("doctor").out
    assert {finding["level"] for finding in cli.fine("doctor", "--json").json} <= {"ok", "warn"}
    home.chmod(0o755)
    result = cli("doctor")
    assert result.code == 1 and f"chmod 700 {home}" in result.out


class TestBackup:
    def test_a_copy_has_all_that_the_store_has(self, cli: Cli, tmp_path: Path) -> None:
        """It opens as a store of its own, and nothing is left beside it."""
        id = cli.remember("the red door is locked")
        copy = tmp_path / "copy" / "treering.db"
        copy.parent.mkdir()
        told = cli.fine("backup", str(copy), "--json").json
        assert (told["events"], told["memories"], told["bytes"]) == (1, 1, copy.stat().st_size)
        assert [path.name for path in copy.parent.iterdir()] == ["treering.db"]
        assert cli.fine("show", id, "--home", str(copy.parent), "--json").json["content"] == "the red door is locked"
        assert cli.fine("verify", "--home", str(copy.parent)).code == 0

    def test_no_file_is_written_over_unless_one_says_so(self, cli: Cli, tmp_path: Path) -> None:
        cli.remember("x")
        path = tmp_path / "kept"
        path.write_text("mine")
        result = cli("backup", str(path))
        assert result.code == 1 and "--overwrite" in result.err and path.read_text() == "mine"
        assert cli.fine("backup", str(path), "--overwrite").code == 0

    @pytest.mark.parametrize(
        "name", ["treering.db", "treering.db-wal", "treering.db.heads", "config.toml", "sync.json"]
    )
    def test_nothing_that_the_home_needs_is_written_over(self, cli: Cli, home: Path, name: str) -> None:
        """Neither by a backup nor by an export, whether it is there or not."""
        cli.remember("the red door is locked")
        for command in (("backup", str(home / name), "--overwrite"), ("export", str(home / name))):
            result = cli(*command)
            assert result.code == 1 and "store" in result.err
        assert cli.fine("list").out.count("the red door is locked") == 1
        assert cli.fine("verify").code == 0

    def test_it_is_of_one_moment_while_others_write(self, cli: Cli, home: Path, tmp_path: Path) -> None:
        """What is written while pages are copied is not in the copy, and does not start it anew."""
        import treering
        from treering.stores.sqlite import backup
        from treering.stores.sqlite.store import SqliteStore

        cli.fine("import", str(rows(tmp_path)))
        store, steps = SqliteStore(str(home / "treering.db")), []

        def write(done: int) -> None:
            steps.append(done)
            with treering.open(home) as memory:
                memory.remember(f"written meanwhile {done}")

        pages = backup.PAGES
        backup.PAGES = 5
        try:
            report = backup.copy(store, str(tmp_path / "copy.db"), write)
        finally:
            backup.PAGES = pages
            store.close()
        assert report.events == 200 and len(steps) > 3 and steps == sorted({*steps})
        assert len(cli.fine("list", "--limit", "0", "--json").json) == 200 + len(steps)

    def test_a_damaged_store_makes_no_copy(self, cli: Cli, home: Path, tmp_path: Path) -> None:
        cli.remember("one")
        spoil(home, "UPDATE memories SET scope = 'session'")
        result = cli("backup", str(tmp_path / "copy.db"))
        assert result.code == 1 and "treering verify" in result.err
        assert not [*tmp_path.glob("copy.db*")]


def rows(folder: Path) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(f'{{"content": "memory {number} {"x" * 200}"}}\n' for number in range(200)))
    return path
