"""Whatever a hook is given, and whatever it finds: it ends well, and says one JSON object or nothing."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.surfaces.hook.driving import START, Agent, environment_of, hook, known, queued_events, spooled, taken_in
from treering.stores.files import FILE_NAME, noted
from treering.stores.sqlite import schema
from treering.surfaces.hook.agents.event import EVENTS

FACT = "The staging database of the harbour is read-only after 18:00"
ASKED = "is the staging database of the harbour writable at 19:00?"
DEEP = 100_000  # brackets: far beyond what any parser follows

JUNK = {
    "nothing": b"",
    "blanks": b" \n\t ",
    "no JSON": b"hello?",
    "half of it": b'{"session_id": "s1", "prompt": "wha',
    "a list": b"[1, 2, 3]",
    "a number": b"17",
    "null": b"null",
    "bytes": bytes(range(256)) * 40,
    "nested": b"[" * DEEP,
    "nested objects": b'{"a":' * DEEP,
    "other types": b'{"session_id": 5, "prompt": ["a"], "cwd": {}, "tool_input": 7, "source": null, "error": true}',
    "half a pair": b'{"session_id": "s1", "prompt": "what is \\ud800 about the harbour?", "cwd": "/\\ud800"}',
    "zeros": b'{"session_id": "s\\u0000", "prompt": "is the \\u0000 harbour open?", "cwd": "/tmp\\u0000"}',
    "twice": b'{"session_id": "s1"}{"session_id": "s1"}',
    "with a mark": b'\xef\xbb\xbf{"session_id": "s1", "prompt": "is the harbour open today?"}',
    "huge numbers": b'{"session_id": "s1", "prompt": "is the harbour open?", "context_tokens": 1e999, "timestamp": 9'
    + b"9" * 5_000
    + b"}",
}


@pytest.mark.parametrize("name", JUNK)
def test_junk_is_heard_without_a_word(name: str, home: Path) -> None:
    said = hook("UserPromptSubmit", JUNK[name], home)
    assert (said.code, said.out, said.err) == (0, "", "")


def test_random_bytes_and_any_event_are_heard_in_this_process_without_an_answer(agent: Agent) -> None:
    """Payloads of any shape, for each event: values of every type in every field."""
    chance = random.Random(7)
    values = ["", "x" * 70_000, 0, -1, 1.5, True, None, [], ["a", {"b": 1}], {}, {"command": [1, "x"]}, "\x00\n\u202e"]
    fields = "session_id prompt cwd tool_name tool_input tool_response error reason source agent_id".split()
    for event in sorted(EVENTS):
        for _ in range(40):
            agent.does(event, **{name: chance.choice(values) for name in fields})


def test_a_payload_of_twenty_megabytes_breaks_nothing(home: Path) -> None:
    payload = b'{"session_id": "s1", "prompt": "' + b"x" * 20_000_000 + b'"}'
    said = hook("PostToolUse", payload, home)
    assert (said.code, said.out, said.err) == (0, "", "")


@pytest.mark.parametrize("words", [("--home",), ("--agent",), ("--agent", "hal"), ("--what", "x"), ("-h",), ("",)])
def test_odd_arguments_break_nothing(words: tuple[str, ...], home: Path, agent: Agent) -> None:
    said = hook("UserPromptSubmit", agent.payload("UserPromptSubmit", prompt=ASKED), home, *words)
    assert (said.code, said.out, said.err) == (0, "", "")


def test_an_event_that_nobody_knows_is_not_kept(home: Path, agent: Agent) -> None:
    assert hook("BeforeBreakfast", agent.payload("BeforeBreakfast"), home).code == 0
    assert queued_events(home) == [] and [run.event for run in noted(str(home))] == ["BeforeBreakfast"]


def test_what_is_found_is_said_as_one_object(home: Path, agent: Agent) -> None:
    """The console script itself, with the store in its usual place."""
    known(home, FACT)
    said = hook("UserPromptSubmit", agent.payload("UserPromptSubmit", prompt=ASKED), home)
    assert (said.code, said.err) == (0, "") and FACT in said.context
    assert json.loads(said.out)["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    (run,) = noted(str(home))
    assert (run.event, run.agent, run.problem) == ("UserPromptSubmit", "claude-code", "") and run.took > 0


def test_the_home_may_be_named(home: Path, agent: Agent, tmp_path: Path) -> None:
    known(home, FACT)
    payload = agent.payload("UserPromptSubmit", prompt=ASKED)
    said = hook("UserPromptSubmit", payload, tmp_path / "elsewhere", "--home", str(home))
    assert FACT in said.context and not (tmp_path / "elsewhere").exists()


def test_before_there_is_a_store_queued_events_wait_for_it(tmp_path: Path, shop: Path) -> None:
    home = tmp_path / "new"
    agent = Agent(home, shop)
    said = hook("UserPromptSubmit", agent.payload("UserPromptSubmit", prompt=ASKED), home)
    assert (said.code, said.out) == (0, "")
    assert [path.suffix for path in spooled(home)] == [".json"] and not (home / FILE_NAME).exists()
    assert [oct(path.stat().st_mode & 0o777) for path in (home, *spooled(home))] == ["0o700", "0o600"]
    taken_in(home).close()
    assert [queued["prompt"] for queued in queued_events(home)] == [ASKED] and spooled(home) == []


@pytest.mark.parametrize("version", [schema.VERSION - 1, schema.VERSION + 1])
def test_a_store_of_another_version_is_left_alone_and_nothing_is_lost(version: int, home: Path, agent: Agent) -> None:
    known(home, FACT)
    _set_version(home, version)
    before = (home / FILE_NAME).read_bytes()
    said = hook("UserPromptSubmit", agent.payload("UserPromptSubmit", prompt=ASKED), home)
    assert (said.code, said.out) == (0, "") and (home / FILE_NAME).read_bytes() == before
    _set_version(home, schema.VERSION)
    taken_in(home).close()
    assert [queued["prompt"] for queued in queued_events(home)] == [ASKED]


def _set_version(home: Path, version: int) -> None:
    import apsw

    db = apsw.Connection(str(home / FILE_NAME))
    db.pragma("user_version", version)
    db.pragma("wal_checkpoint", "TRUNCATE")
    db.close()


def test_with_a_damaged_store_the_queued_event_is_kept_and_the_damage_noted(home: Path, agent: Agent) -> None:
    whole = {path.name: path.read_bytes() for path in home.iterdir()}
    for name in whole:
        (home / name).write_bytes(b"no database at all " * 1_000)
    said = hook("UserPromptSubmit", agent.payload("UserPromptSubmit", prompt=ASKED), home)
    assert (said.code, said.out) == (0, "")
    assert [run.event for run in noted(str(home)) if run.problem] == ["UserPromptSubmit"]
    for name, data in whole.items():
        (home / name).write_bytes(data)
    taken_in(home).close()
    assert [queued["prompt"] for queued in queued_events(home)] == [ASKED]


@pytest.mark.parametrize("home_is", ["a file", "below a file", "a device"])
def test_where_there_can_be_no_home_nothing_is_said(home_is: str, tmp_path: Path, agent: Agent) -> None:
    (tmp_path / "file").write_text("taken")
    place = {"a file": tmp_path / "file", "below a file": tmp_path / "file" / "home", "a device": Path("/dev/null")}
    said = hook("UserPromptSubmit", agent.payload("UserPromptSubmit", prompt=ASKED), place[home_is])
    assert (said.code, said.out, said.err) == (0, "", "") and (tmp_path / "file").read_text() == "taken"


def test_nobody_who_reads_the_answer_is_no_reason_to_fail(home: Path, agent: Agent) -> None:
    known(home, FACT)
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-c", START, "UserPromptSubmit"]
    payload = json.dumps(agent.payload("UserPromptSubmit", prompt=ASKED)).encode()
    done = subprocess.run(command, input=payload, stdout=write, stderr=subprocess.PIPE, env=environment_of(home))
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"") and len(queued_events(home)) == 1


def test_without_standard_input_nothing_happens(home: Path) -> None:
    script = f'exec 0<&-; exec "{sys.executable}" -c "{START}" UserPromptSubmit'
    done = subprocess.run(["bash", "-c", script], capture_output=True, env=environment_of(home))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_log_of_the_hooks_is_short_and_has_no_words_of_anybody(home: Path, agent: Agent) -> None:
    hook(
        "UserPromptSubmit",
        agent.payload("UserPromptSubmit", prompt="my swordfish is blue, and so is the harbour"),
        home,
    )
    hook("UserPromptSubmit", b'{"prompt": "swordfish', home)
    hook("Sword\tfish\n" * 10, b"{}", home, "--agent", "sword fish\n")
    log = (home / "hook.log").read_text()
    assert len(log.splitlines()) == 3 and "swordfish" not in log
    assert [bool(run.problem) for run in noted(str(home))] == [False, True, False]


def test_a_hook_that_is_killed_at_any_moment_leaves_a_sound_store(home: Path, agent: Agent) -> None:
    """Each is killed a little later than the one before; what was acknowledged is queued, and none is half."""
    known(home, FACT)
    kept = set()
    for number in range(16):
        process = subprocess.Popen(
            [sys.executable, "-c", START, "UserPromptSubmit"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment_of(home),
        )
        assert process.stdin is not None and process.stdout is not None
        prompt = f"{ASKED} {number}"
        process.stdin.write(json.dumps(agent.payload("UserPromptSubmit", prompt=prompt)).encode())
        process.stdin.close()
        try:
            process.wait(0.02 + number * 0.006)
            kept.add(prompt)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
    with taken_in(home) as memory:
        from treering.ledger.verify import verify

        assert verify(memory.ledger.store).problems == ()
    heard = [queued["prompt"] for queued in queued_events(home)]
    assert kept <= {*heard} and len(heard) == len({*heard})


def test_where_nothing_can_be_written_any_more_nothing_breaks(home: Path, agent: Agent) -> None:
    """Every write to a file fails, as on a full disk."""
    known(home, FACT)
    payload = json.dumps(agent.payload("UserPromptSubmit", prompt=ASKED))
    script = f'ulimit -f 0; trap \'\' XFSZ; exec "{sys.executable}" -c "{START}" UserPromptSubmit'
    done = subprocess.run(["bash", "-c", script], input=payload.encode(), capture_output=True, env=environment_of(home))
    assert (done.returncode, done.stderr) == (0, b"")
    with taken_in(home) as memory:
        assert [one.content for one in memory.list()] == [FACT]
