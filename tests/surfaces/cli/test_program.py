"""The program as a process of its own: how it starts, what it ends with, and what disturbs it."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.surfaces.cli.driving import START, Program
from treering.surfaces.cli import run

SLOW = ("numpy", "apsw", "rich", "tomlkit", "treering.memory", "treering.evolve.engine")


def test_a_day_in_the_life(program: Program) -> None:
    """Remember, find, forget and undo, each in a process of its own."""
    made = program("remember", "Run migrations with a lock timeout of 5 s", "--tag", "postgres")
    assert (made.code, made.err) == (0, "")
    assert made.out.strip() in program("recall", "migrations").out
    assert program("forget", "1").code == 0
    assert program("recall", "migrations").out == ""
    forgetting = program("history", "1", "--json").json["events"][-1]["id"]
    assert program("undo", forgetting).code == 0
    assert "lock timeout" in program("show", "1").out
    assert program("verify").code == 0


def test_exit_codes_tell_misuse_from_failure(program: Program) -> None:
    """0 for success, 1 for what did not work, 2 for what was not understood."""
    assert program("list").code == 0
    assert program("show", "7").code == 1
    assert program("shwo", "7").code == 2
    assert program("show", "--tpye").code == 2


@pytest.mark.parametrize("words", [("--help",), ("show", "--help"), ("--version",), ("completion", "zsh")])
def test_nothing_heavy_is_imported_for_help(program: Program, words: tuple[str, ...]) -> None:
    """The store, the engine and the tables come with the commands that need them."""
    script = (
        "import sys; from treering.surfaces.cli import run; code = run(sys.argv[1:]); "
        f"print([name for name in {SLOW} if name in sys.modules], code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *words], env=program.environment, capture_output=True, text=True
    )
    assert done.stdout.splitlines()[-1] == "[] 0", done.stderr


def test_a_reader_that_has_had_enough_is_no_error(program: Program) -> None:
    """`treering list | head -1` ends quietly, in text and in JSON."""
    rows = "".join(f'{{"content": "memory {number} {"x" * 200}"}}\n' for number in range(2000))
    assert program("import", "-", stdin=rows.encode()).code == 0
    for command in ("list --limit 0", "list --limit 0 --json", "log --limit 0", "export"):
        result = program.shell(f"treering {command} | head -1; echo ${{PIPESTATUS[0]}}")
        assert (result.out.splitlines()[-1], result.err) == ("0", ""), command


@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.ISO-8859-1"])
def test_text_is_utf8_whatever_the_locale(program: Program, locale: str) -> None:
    """In, out, and through standard input."""
    plain = {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert program("remember", "-", stdin="grüße 世界".encode(), environment=plain).code == 0
    assert "grüße 世界" in program("show", "1", environment=plain).out
    assert "grüße 世界" in program("show", "1", "--json", environment=plain).out


def test_bytes_that_are_no_text_are_refused(program: Program) -> None:
    """As an argument of the command line."""
    done = subprocess.run(
        [*program.command("remember"), b"\xff"], env=program.environment, capture_output=True, text=True
    )
    assert done.returncode == 2 and "is not valid UTF-8" in done.stderr


def test_a_full_disk_behind_standard_output_is_an_error(program: Program) -> None:
    """What could not be printed is not passed over."""
    program("remember", "x")
    result = program.shell("treering show 1 > /dev/full")
    assert result.code == 1 and result.err == "error: the answer: No space left on device\n"


def test_closed_streams_are_no_bug(program: Program) -> None:
    """Whoever starts us may have closed all of them."""
    assert program.shell("treering remember x >&- 2>&-").code == 0
    assert program.shell("treering show 1 <&-").code == 0
    result = program.shell("treering remember - <&-")
    assert result.code == 1 and "no standard input" in result.err
    assert program.shell("treering purge 1 <&-").code == 1


def _interruptible() -> None:
    """What runs in the background of a shell inherits that interrupts are ignored; a person at a terminal does not."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_ends_with_130(program: Program) -> None:
    """Without a traceback, and with nothing written."""
    process = subprocess.Popen(
        program.command("remember", "-"),
        env=program.environment,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_interruptible,
    )
    deadline = time.monotonic() + 20
    while not os.path.exists(program.environment["TREERING_HOME"] + "/treering.db-shm"):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (130, b"")
    assert program("log", "--json").json == []


def at_a_terminal(program: Program, answer: bytes, *words: str) -> tuple[int, str]:
    """Run the program with a terminal in front of it, and somebody who types."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [sys.executable, "-c", START, *words], program.environment)
    out = b""
    try:
        while piece := os.read(terminal, 1000):
            out += piece
            if out.endswith(b": "):
                os.write(terminal, answer)
    except OSError:  # Linux says that the other side has gone
        pass
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), out.decode()


def test_a_purge_asks_at_a_terminal(program: Program) -> None:
    """It shows what would go, and only a yes makes it go."""
    program("remember", "the secret recipe")
    code, out = at_a_terminal(program, b"no\n", "purge", "1")
    assert code == 1 and "the secret recipe" in out and "nothing was purged" in out
    assert program("show", "1").code == 0
    code, out = at_a_terminal(program, b"yes\n", "purge", "1")
    assert code == 0 and "purged" in out
    assert program("show", "1").code == 1


def test_a_terminal_sees_colours(program: Program) -> None:
    """And a pipe sees neither."""
    program("remember", "x")
    program.environment["TERM"] = "xterm"
    assert "\033[1m" in at_a_terminal(program, b"", "list")[1]
    assert "\033" not in program("list").out + program("rebuild").err
    program.environment["NO_COLOR"] = "1"
    assert "\033[1m" not in at_a_terminal(program, b"", "list")[1]


def test_a_bug_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """With what to report, and never as a traceback."""

    def broken(words: list[str]) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("treering.surfaces.cli.app.started", broken)
    assert run(["list"]) == 1
    err = capsys.readouterr().err
    assert "bug in Treering" in err and "ZeroDivisionError: by zero" in err and len(err.splitlines()) == 1


@pytest.mark.parametrize("words", [("list",), ("recall", "tea"), ("skills", "list"), ("export", "x"), ("mcp",)])
def test_a_folder_that_was_deleted_is_named(program: Program, tmp_path: Path, words: tuple[str, ...]) -> None:
    """With what to do; what needs no folder works. As where it is installed, nothing is imported from that folder."""
    program("remember", "tea is at five")
    gone = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"'
    for command, code in ((words, 1), (("remember", "coffee is at ten"), 0)):
        python, *rest = program.command(*command)
        line = ["sh", "-c", gone, "sh", python, "-P", *rest]
        done = subprocess.run(
            line, cwd=tmp_path, env=program.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        assert done.returncode == code
        assert code == 0 or ("was deleted" in done.stderr and "cd" in done.stderr)
