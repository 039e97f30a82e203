"""Memories carried in and out."""

from __future__ import annotations

import io
import json
import stat
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.surfaces.cli.driving import Cli


def test_an_export_comes_back_as_it_was(cli: Cli, tmp_path: Path) -> None:
    """Into an empty store, and a second time without any effect."""
    cli.remember("one", "--tag", "a")
    cli.remember("two")
    cli.fine("forget", "2")
    file = str(tmp_path / "out.jsonl")
    assert cli.fine("export", file, "--json").json == {"events": 3, "file": file}
    other = ("--home", str(tmp_path / "other"))
    done = cli.fine("import", file, "--mine", "--json", *other).json
    assert (done["added"], done["known"]) == (3, 0)
    assert cli.fine("import", file, *other).out == "0 new, 3 known already\n"
    assert cli.fine("list", "--json", *other).json == cli.fine("list", "--json").json
    assert cli.fine("verify", *other).code == 0


def test_an_export_is_for_its_owner_only(cli: Cli, tmp_path: Path) -> None:
    """Whatever the umask: it holds all that is known."""
    cli.remember("x")
    cli.fine("export", str(tmp_path / "out.jsonl"))
    assert stat.S_IMODE((tmp_path / "out.jsonl").stat().st_mode) == 0o600


def test_an_export_without_a_file_goes_to_standard_output(cli: Cli, tmp_path: Path) -> None:
    """The same bytes as in a file."""
    cli.remember("grüße")
    cli.fine("export", str(tmp_path / "out.jsonl"))
    for words in ((), ("-",)):
        out = cli.fine("export", *words).out
        assert out == (tmp_path / "out.jsonl").read_text(encoding="utf-8")
        assert [json.loads(line) for line in out.splitlines()]


def test_an_export_to_standard_output_is_json_lines_already(cli: Cli) -> None:
    """So --json, which promises one value, is refused."""
    result = cli("export", "--json")
    assert result.code == 2 and "JSON Lines already" in result.err


def test_rows_of_other_programs_come_in(cli: Cli, tmp_path: Path) -> None:
    """What they hold is remembered; what means nothing to us is named."""
    file = tmp_path / "rows.jsonl"
    file.write_text('{"content": "one", "colour": "red"}\n{"content": "two", "tags": ["a"]}\n', "utf-8")
    result = cli.fine("import", str(file))
    assert (result.out, result.err) == ("2 new\n", "keys that mean nothing here: colour\n")
    assert cli.fine("import", str(file), "--json").json == {
        "added": 0,
        "known": 2,
        "redacted": 0,
        "ignored": ["colour"],
        "doubted": [],
        "foreign": False,
        "forks": [],
    }


def test_rows_do_not_vouch_for_themselves(cli: Cli, tmp_path: Path) -> None:
    """It is said what was not believed; whoever says that the file is theirs is believed."""
    file = tmp_path / "rows.jsonl"
    file.write_text('{"content": "one", "origin": "user", "invariant": true}\n', "utf-8")
    result = cli.fine("import", str(file))
    assert (result.out, result.err) == ("1 new\n", "not believed, unless you say --mine: origin, invariant\n")
    assert cli.fine("import", str(file), "--mine").out == "1 new\n"
    found = cli.fine("list", "--json").json
    assert [(one["trust"], one["invariant"]) for one in found] == [("user", True), ("external", False)]


def test_rows_come_in_through_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a second time without any effect."""
    for expected in ("1 new\n", "0 new, 1 known already\n"):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b'{"content": "one"}\n')))
        assert cli.fine("import", "-").out == expected


def test_what_an_import_contradicts_is_said(cli: Cli, tmp_path: Path) -> None:
    """Another machine's ledger as well as rows of other programs; a second time there is nothing to say."""
    ledger, rows = tmp_path / "out.jsonl", tmp_path / "rows.jsonl"
    cli.remember("The lock timeout of migrations is 5 s")
    cli.fine("export", str(ledger))
    rows.write_text('{"content": "The lock timeout of migrations is 9 s"}\n', "utf-8")
    other = ("--home", str(tmp_path / "other"))
    cli.remember("The lock timeout of migrations is 30 s", *other)
    for file, found in ((ledger, "1 contradiction found"), (rows, "2 contradictions found")):
        assert found in cli.fine("import", str(file), "--mine", *other).err
        assert "contradiction" not in cli.fine("import", str(file), "--mine", *other).err
    assert len(cli.fine("contradictions", "--json", *other).json) == 3


def test_a_file_with_an_error_adds_nothing(cli: Cli, tmp_path: Path) -> None:
    """And the line is named."""
    file = tmp_path / "rows.jsonl"
    file.write_text('{"content": "one"}\nnot json\n', "utf-8")
    result = cli("import", str(file))
    assert result.code == 1 and "line 2" in result.err
    assert cli.fine("list", "--json").json == []


def test_a_file_that_is_not_there_is_an_error(cli: Cli, tmp_path: Path) -> None:
    """In either direction."""
    assert "cannot be read" in cli("import", str(tmp_path / "none.jsonl")).err
    assert "cannot be written" in cli("export", str(tmp_path / "none" / "out.jsonl")).err


def test_an_export_of_the_past_ends_there(cli: Cli) -> None:
    """What came later is not in it."""
    cli.remember("old")
    moment = cli.fine("log", "--json").json[0]["time"]
    cli.remember("new")
    out = cli.fine("export", "--as-of", moment).out
    assert "old" in out and "new" not in out
