"""`treering sync`, `restore-from`, `backup --verify` and `purge --project`, as a person types them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import treering
from tests.surfaces.cli.driving import Cli
from treering.ledger.clock import now
from treering.ledger.events import RECALLED
from treering.ledger.sync.keys import Key
from treering.ledger.verify import verify
from treering.stores.files import release, take
from treering.stores.port.ledger import EventQuery
from treering.surfaces.hook.act import act


def test_a_folder_is_added_and_synced_by_naming_it(cli: Cli, tmp_path: Path) -> None:
    cli.fine("remember", "deploys are on Tuesdays")
    shared, other = str(tmp_path / "shared"), str(tmp_path / "other")
    first = cli("sync", shared)
    assert first.code == 0 and "1 sent" in first.out and "--key" in first.err
    key = cli("sync", "list", "--key", "--json").json[0]["key"]
    assert cli("sync", shared, "--home", other).code == 1  # without the key
    done = cli("sync", shared, "--key", key, "--json", "--home", other)
    assert done.code == 0 and done.json[0]["received"] == 1
    assert "deploys are on Tuesdays" in cli("list", "--home", other).out
    assert cli("sync", "--home", other).out == "shared: 0 events received, 0 sent\n"
    assert cli("sync", "remove", "shared", "--home", other).code == 0
    assert "nothing is shared yet" in cli("sync", "--home", other).out


def test_a_passphrase_is_the_first_line_where_nobody_sits_at_a_terminal(tmp_path: Path) -> None:
    """A script can pair machines too, and is told nothing of terminals."""
    command = [sys.executable, "-m", "treering", "sync", "add", str(tmp_path / "shared"), "--passphrase", "--home"]

    def added(home: str, phrase: str) -> subprocess.CompletedProcess[str]:
        given = f"{phrase}\nmore\n"
        return subprocess.run([*command, str(tmp_path / home)], input=given, capture_output=True, text=True)

    pytest.importorskip("cryptography")
    assert added("laptop", "kiln and ferry horse").returncode == 0
    wrong = added("desktop", "kiln and ferry")
    assert wrong.returncode == 1 and "the key is wrong" in wrong.stderr
    right = added("desktop", "kiln and ferry horse")
    assert right.returncode == 0 and "Warning" not in right.stderr


def test_maintenance_syncs_when_it_is_due(tmp_path: Path) -> None:
    with treering.open(tmp_path / "laptop") as memory:
        memory.remember("deploys are on Tuesdays")
        memory.sync.add(str(tmp_path / "shared"))
        assert memory.maintenance.run().synced == ("shared",)
        assert memory.maintenance.run().synced == ()  # not due again
    assert [*(tmp_path / "shared").glob("*.events")]


def test_maintenance_does_not_wait_for_another_sync_and_tries_again_when_it_is_due(tmp_path: Path) -> None:
    """A machine that is away for a week is not called at the end of every session."""
    with treering.open(tmp_path / "laptop") as memory:
        memory.remember("deploys are on Tuesdays")
        place = memory.sync.add(str(tmp_path / "shared"))
        lock = str(tmp_path / "laptop" / "sync.lock")
        assert take(lock)
        assert memory.maintenance.run().synced == ()
        release(lock)
        (tmp_path / "shared").rename(tmp_path / "away")
        assert memory.maintenance.run().synced == ()
        (tried,) = memory.sync.list()
        assert tried.tried and "plug it in" in tried.problem
        (tmp_path / "away").rename(tmp_path / "shared")
        assert memory.maintenance.run().synced == ()  # not due again
        assert memory.sync.run(place.name)[0].done is not None
    with treering.open(":memory:") as memory:
        assert memory.maintenance.run().synced == ()


def test_a_place_that_fails_is_named_by_doctor(cli: Cli, tmp_path: Path) -> None:
    cli("sync", str(tmp_path / "stick"))
    (tmp_path / "stick" / "treering-sync.json").unlink()
    done = cli("sync")
    assert done.code == 1 and "not synced" in done.out
    assert "the last try failed" in cli("doctor").out


def test_a_backup_is_checked_and_restored_under_a_new_name(cli: Cli, tmp_path: Path) -> None:
    backup = str(tmp_path / "memory.db")
    first = cli("remember", "one", "--json").json["id"]
    assert cli("backup", backup).code == 0
    assert cli("backup", backup, "--verify").out.endswith("all is well\n")
    cli.fine("remember", "two")
    done = cli("restore-from", backup)
    assert done.code == 1 and "--replace" in done.err
    done = cli("restore-from", backup, "--replace", "--json")
    assert done.code == 0 and Path(done.json["aside"]).exists()
    later = cli("remember", "three", "--json").json["id"]
    assert later.split("-")[0] != first.split("-")[0]
    listed = cli("list").out
    assert "one" in listed and "two" not in listed and "three" in listed
    assert cli("verify").code == 0
    aside = done.json["aside"]
    assert aside in cli.fine("purge", later, "--yes").err  # what was put aside may hold it still
    Path(aside).unlink()
    assert not cli.fine("purge", first, "--yes").err


def test_what_is_no_backup_changes_nothing(cli: Cli, tmp_path: Path) -> None:
    cli.fine("remember", "one")
    (tmp_path / "film.db").write_bytes(b"not a database" * 1_000)
    for words in (("film.db",), ("nothing.db",)):
        done = cli("restore-from", str(tmp_path / words[0]), "--replace")
        assert done.code == 1 and done.err.startswith("error")
    assert "one" in cli("list").out


def test_a_whole_project_is_purged_after_a_preview(cli: Cli) -> None:
    for text, project in (("deploys are on Tuesdays", "shop"), ("posts are in Markdown", "blog")):
        cli.fine("remember", text, "--project", project)
    done = cli("purge", "--project", "shop", "--dry-run")
    assert done.code == 0 and "would purge 1 memory" in done.out and "Tuesdays" in done.out
    assert cli("purge", "--project", "shop", "--yes").code == 0
    listed = cli("list").out
    assert "Tuesdays" not in listed and "Markdown" in listed
    assert cli("purge", "--project", "nothing", "--yes").code == 1
    assert cli("purge").code == 2


def test_a_purged_project_leaves_no_word_of_it(cli: Cli, home: Path, tmp_path: Path) -> None:
    """Neither what was remembered, nor what was asked, nor what hooks have queued; other projects stay."""
    cli.fine("remember", "the vault is kwxone metres deep", "--project", "mine")
    cli.fine("undo", cli.remember("the vault is kwxfour metres high", "--project", "mine"))
    cli.fine("remember", "deploys are on Tuesdays", "--project", "shop")
    cli.fine("recall", "how deep is the kwxtwo vault", "--project", "mine")
    other = cli.fine("recall", "when are kwxkept deploys", "--project", "shop")
    queue(home, "mine", "Why is the kwxthree vault so deep?")
    queue(home, "shop", "Why kwxalso on Tuesdays?")
    told = cli.fine("purge", "--project", "mine", "--dry-run", "--json").json
    assert (len(told["would_purge"]), len(told["asked"])) == (2, 2)
    assert "2 memories and 2 questions" in cli.fine("purge", "--project", "mine", "--dry-run").out
    cli.fine("purge", "--project", "mine", "--yes")
    left = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert [word in left for word in (b"kwxone", b"kwxtwo", b"kwxthree", b"kwxkept", b"kwxalso")] == [False] * 3 + [
        True
    ] * 2
    assert "deploys are on Tuesdays" in cli.fine("list").out and other.out
    for command in ("verify", "rebuild", "verify", "stats", "log", "maintain"):
        cli.fine(command)
    assert cli("purge", "--project", "mine", "--yes").code == 1


def test_a_purge_of_what_was_asked_travels(tmp_path: Path) -> None:
    """By the id of the recall; the memories that it showed stay."""
    with treering.open(tmp_path / "a", project="shop") as laptop, treering.open(tmp_path / "b") as desktop:
        laptop.remember("deploys are on Tuesdays")
        place = laptop.sync.add(str(tmp_path / "shared"))
        laptop.recall("when are kwxtwo deploys")
        laptop.sync.run()
        desktop.sync.add(str(tmp_path / "shared"), key=Key(bytes.fromhex(place.secret)).code)
        desktop.sync.run()
        (asked,) = desktop.store.events(EventQuery(kinds=(RECALLED,)))
        desktop.purge(asked.id)
        for machine in (desktop, laptop):
            machine.sync.run()
            assert verify(machine.ledger.store).clean
        assert len([*laptop.list()]) == 1
    left = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"kwxtwo" not in left and b"Tuesdays" in left


def queue(home: Path, project: str, prompt: str) -> None:
    fields = {"session_id": f"in {project}", "cwd": f"/nowhere/{project}", "prompt_id": project, "prompt": prompt}
    _, problem = act("UserPromptSubmit", fields, "claude-code", str(home), {"TREERING_PROJECT": project}, now())
    assert not problem
