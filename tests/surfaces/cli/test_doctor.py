"""What the doctor finds."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import apsw
import pytest

from tests.surfaces.cli.driving import Cli
from tests.surfaces.cli.signals import rubbed, shown
from treering.surfaces.cli import doctor
from treering.surfaces.cli.doctor import Finding, examine, file_system

MOUNTS = """\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:35 / /home rw,relatime - nfs4 server:/home rw
41 40 8:2 / /home/with\\040space rw - xfs /dev/sdb rw
"""


def found(home: Path, name: str, environment: dict[str, str] | None = None) -> list[Finding]:
    return [finding for finding in examine(str(home), environment or {}) if finding.name == name]


def test_a_sound_store_is_found_sound(cli: Cli, home: Path) -> None:
    """Everything is looked at, and nothing fails."""
    cli.remember("x")
    findings = examine(str(home), {})
    assert [finding.name for finding in findings] == [
        *("treering", "python", "sqlite", "home", "permissions", "disk space"),
        *(["file system"] if os.path.exists("/proc/self/mountinfo") else []),
        *("settings", "embedder", "model", "store", "integrity", "contents", "recall", "erasure"),
        *("contradictions", "invariants", "proposals", "queue", "hooks", "agents"),
    ]
    assert not [finding for finding in findings if finding.level == "fail"]
    assert found(home, "contents")[0].found == "1 events, 1 memories"


def test_what_waits_for_a_person_is_counted(cli: Cli, home: Path) -> None:
    """With the command that shows it."""
    cli.remember("The API listens on port 8080")
    cli.remember("The API listens on port 9090")
    cli.remember("Reviews need two approvals", "--invariant", "--at", "2026-01-01")
    (standing,), (due,) = found(home, "contradictions"), found(home, "invariants")
    assert (standing.found, due.found) == ("1 stand", "1 wait to be confirmed")
    assert "treering review" in standing.advice and "treering review" in due.advice


def test_proposals_that_wait_are_counted_and_skills_that_changed_are_named(
    desk: Cli, home: Path, root: Path, tmp_path: Path
) -> None:
    """A skill that somebody edited after it was promoted is looked at before an agent loads it."""
    (waiting,) = found(home, "proposals")
    assert (waiting.found, waiting.level) == ("2 wait for you", "ok") and "treering review" in waiting.advice
    name = shown(desk, rubbed(desk, tmp_path))["name"]
    for one in desk.fine("evolve", "list", "--json").json:
        desk.fine("evolve", "accept", one["id"])
    desk.fine("evolve", "promote", name)
    assert found(home, "proposals")[0].found == "none wait for you" and not found(home, "skills")
    (root / "skills" / name / "SKILL.md").write_text("changed")
    (changed,) = found(home, "skills")
    assert changed.level == "warn" and name in changed.found and "edited" in changed.found


def test_looking_makes_nothing(home: Path) -> None:
    """A home that is not there is not there afterwards either."""
    assert not [finding for finding in examine(str(home), {}) if finding.level == "fail"]
    assert not home.exists()


@pytest.mark.parametrize("name", ["", "treering.db"])
def test_what_others_can_read_is_told(cli: Cli, home: Path, name: str) -> None:
    """With the command that cures it."""
    cli.remember("x")
    (home / name).chmod(0o755)
    (finding,) = found(home, "permissions")
    assert finding.level == "fail" and "chmod" in finding.advice


def test_a_file_of_another_program_is_told(home: Path) -> None:
    """Rather than thrown."""
    home.mkdir(mode=0o700)
    (home / "treering.db").write_bytes(b"something else altogether " * 50)
    (finding,) = found(home, "store")
    assert finding.level == "fail" and "treering.db" in finding.found


def test_a_damaged_store_is_told(cli: Cli, home: Path) -> None:
    """A quick look finds pages that make no sense."""
    for number in range(200):
        cli.remember(f"{number} " * 50)
    file = home / "treering.db"
    content = bytearray(file.read_bytes())
    for page in range(4, len(content) // 4096, 3):
        content[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    file.write_bytes(content)
    assert "fail" in {finding.level for finding in examine(str(home), {})}


def test_a_newer_store_is_told(cli: Cli, home: Path) -> None:
    """And what to install."""
    cli.remember("x")
    db = apsw.Connection(str(home / "treering.db"))
    db.execute("PRAGMA user_version = 99")
    db.close()
    assert "pip install -U treering" in found(home, "store")[0].found


def test_settings_that_cannot_be_read_are_told(home: Path) -> None:
    """From the file and from the environment."""
    assert found(home, "settings", {"TREERING_PROJET": "x"})[0].level == "fail"
    home.mkdir()
    (home / "config.toml").write_text("project = 'shop'")
    assert found(home, "settings")[0].found == "project = 'shop'"
    (home / "config.toml").write_text("project = ")
    assert found(home, "settings")[0].level == "fail"


def test_a_home_that_is_a_file_is_told(home: Path) -> None:
    """Nothing can be kept in a file."""
    home.write_text("x")
    assert found(home, "home")[0].level == "fail"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/x", "ext4"),
        ("/home", "nfs4"),
        ("/home/me", "nfs4"),
        ("/homely", "ext4"),
        ("/home/with space/x", "xfs"),
    ],
)
def test_the_nearest_mount_says_what_a_path_is_on(path: str, kind: str) -> None:
    """The longest mount point that the path lies in."""
    assert file_system(path, MOUNTS) == kind


@pytest.mark.parametrize(
    ("kind", "level"),
    [
        ("nfs4", "fail"),
        ("cifs", "fail"),
        ("9p", "warn"),
        ("virtiofs", "warn"),
        ("fuse.sshfs", "warn"),
        ("fuseblk", "ok"),
        ("ext4", "ok"),
    ],
)
def test_a_network_file_system_is_told(home: Path, monkeypatch: pytest.MonkeyPatch, kind: str, level: str) -> None:
    """SQLite's locks do not hold there."""
    monkeypatch.setattr(doctor, "_mounts", lambda: f"22 1 8:1 / / rw - {kind} x rw")
    assert found(home, "file system")[0].level == level


def test_an_erasure_that_others_held_up_is_finished(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The purge says so, the doctor says so, and once the other has gone the doctor finishes it."""
    monkeypatch.setattr("treering.stores.sqlite.open.PATIENCE", 0.05)
    cli.remember("the xylophone")
    reader = apsw.Connection(str(home / "treering.db"))
    reader.execute("BEGIN; SELECT count(*) FROM events").fetchall()
    purge = cli("purge", "1", "--yes")
    assert purge.code == 1 and "treering doctor" in purge.err
    assert found(home, "erasure")[0].level == "warn"
    reader.close()
    assert found(home, "erasure")[0].level == "ok"
    assert not any(b"xylophone" in file.read_bytes() for file in home.iterdir())


def test_secrets_in_settings_are_not_shown(home: Path) -> None:
    """Neither a key nor a password in an address."""
    environment = {"TREERING_EMBEDDER_KEY": "hush-1", "TREERING_EMBEDDER": "endpoint:https://me:hush-2@host/v1#m"}
    told = " ".join(finding.found for finding in examine(str(home), environment))
    assert "hush" not in told and "host/v1" in told


def test_the_plugin_is_known(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs our programs by name: doctor says whether they are found, and whether all is there twice."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").write_text('{"enabledPlugins": {"treering@treering": true}}')
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "the PATH lacks treering-hook and treering" in cli("doctor").out
    for name in ("treering", "treering-hook"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert "by the plugin: hooks, MCP server, skills and commands" in cli("doctor").out


def test_a_model_that_nothing_serves_is_told(home: Path) -> None:
    """Before somebody wonders why nothing is worded; what is said of it in the settings is said once."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        environment = {"TREERING_MODEL": f"{address}#small"}
        assert found(home, "model", environment) == [Finding("model", "ok", f"small at {address}")]
    (missing,) = found(home, "model", environment)
    assert missing.level == "warn" and missing.found.endswith("nothing answers there")
    (settings,) = found(home, "settings", environment)
    assert settings.found == f"model = '{address}#small'"
