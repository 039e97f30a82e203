"""Secrets that somebody types or a tool prints never reach the disk as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.surfaces.hook.driving import Agent, bytes_of, hook, queued_events, repository, spooled, taken_in, writing
from tests.text.redact.test_redaction import OTHER_SHAPES, drawn, leaks
from treering.text.redact import RULES, clean
from treering.text.secrets import suspicious, suspicious_name

TOKEN = "ghp_" + "aB3dE6gH9j" * 4
PASSWORD = "hunter2kettle9"
SAID = f"the deploy token of the harbour is {TOKEN} and the password is {PASSWORD}, use them"
# Names of passwords that the shapes above do not have.
NAMED = [
    ("password-assignment", f"{name}{{6}}4{{2d}}")
    for name in (
        "pwd=",
        "DB_PASS=",
        "passphrase: ",
        "passcode: ",
        "mot de passe: ",
        "contraseña: ",
        "密码: ",
        "пароль: ",
    )
]
SHAPES = [(rule.name, rule.example) for rule in RULES] + [*OTHER_SHAPES, *NAMED]


@pytest.mark.parametrize(("name", "shape"), SHAPES, ids=[f"{name} {shape}"[:48] for name, shape in SHAPES])
def test_the_quick_look_for_secrets_misses_none_that_the_guard_knows(name: str, shape: str) -> None:
    """It only spares the guard's start for texts that have none."""
    texts = [text for text, _ in drawn(shape, shape) if name in clean(text).changes]
    assert texts and [text for text in texts if not suspicious(text)] == []


@pytest.mark.parametrize("hidden", ["\u200b", "\u00ad", "\u2060"])
def test_a_secret_with_hidden_letters_in_it_is_looked_at_too(hidden: str) -> None:
    text = f"my pa{hidden}ssw{hidden}ord: hunter{hidden}2k9"
    assert clean(text).changes and suspicious(text)


def test_ordinary_prompts_are_spared_the_guard() -> None:
    """It costs as much as the rest of the hook."""
    plain = "Why does the checkout test fail on Fridays? I think that it's the timezone of the cron job."
    assert not suspicious(plain)


def every_event(agent: Agent) -> None:
    agent.starts()
    agent.asks(SAID)
    agent.fails(f"curl -H 'Authorization: Bearer {TOKEN}' harbour.example", f"Exit code 6\npassword={PASSWORD} refused")
    agent.runs(f"export HARBOUR_PASSWORD={PASSWORD}; make deploy")
    agent.answers(f"I have used password={PASSWORD} as you said.")
    agent.compacts(f"The user gave token {TOKEN} for the harbour.")
    agent.ends()


def test_no_secret_is_in_any_file_before_or_after_queued_events_are_taken_in(agent: Agent, home: Path) -> None:
    every_event(agent)
    assert len(queued_events(home)) == 7 and b"[redacted" in bytes_of(home)
    assert TOKEN.encode() not in bytes_of(home) and PASSWORD.encode() not in bytes_of(home)
    with taken_in(home) as memory:
        memory.maintenance.run()
    assert TOKEN.encode() not in bytes_of(home) and PASSWORD.encode() not in bytes_of(home)


def test_no_secret_is_in_the_names_of_folders_files_and_sessions(home: Path, tmp_path: Path) -> None:
    """Before or after they are taken in, in the store or beside it; and what is said there is kept."""
    folder = repository(tmp_path / f"harbour password={PASSWORD}")
    agent = Agent(home, folder, session=f"session-{TOKEN}")
    agent.transcript = str(tmp_path / f"{TOKEN}.jsonl")
    (tmp_path / f"{TOKEN}.jsonl").write_text("")
    agent.starts()
    agent.asks("Remember that the harbour opens at seven.")
    agent.edits(str(folder / f"{TOKEN}.pem"))
    hook("Stop", agent.payload("Stop", last_assistant_message="done"), home)
    with writing(home):
        agent.asks("Remember that the crane is yellow.")
    agent.ends()
    assert TOKEN.encode() not in bytes_of(home) and PASSWORD.encode() not in bytes_of(home)
    with taken_in(home) as memory:
        memory.maintenance.run()
        assert {"harbour", "crane"} <= {word for one in memory.list() for word in one.content.split()}
    assert TOKEN.encode() not in bytes_of(home) and PASSWORD.encode() not in bytes_of(home)


def test_ids_of_sessions_are_spared_the_guard() -> None:
    plain = "/home/ana/.claude/projects/-home-ana-shop/0b9cf1d2-7a52-4c8e-9f00-3d2b1a4c5e6f.jsonl"
    assert not suspicious_name(plain) and suspicious_name(f"/home/ana/{TOKEN}.pem")


def test_no_secret_is_in_the_spool(agent: Agent, home: Path) -> None:
    with writing(home):
        every_event(agent)
        assert len(spooled(home)) == 7
    assert TOKEN.encode() not in bytes_of(home) and PASSWORD.encode() not in bytes_of(home)


def test_no_secret_is_in_the_log(agent: Agent, home: Path) -> None:
    hook("UserPromptSubmit", agent.payload("UserPromptSubmit", prompt=SAID), home)
    hook("UserPromptSubmit", f'{{"prompt": "{SAID}'.encode(), home)
    hook("UserPromptSubmit", agent.payload("UserPromptSubmit", prompt=SAID), home / "treering.db" / "x")
    assert TOKEN.encode() not in bytes_of(home) and PASSWORD.encode() not in bytes_of(home)


def test_a_text_full_of_secrets_is_kept_without_them(agent: Agent, home: Path) -> None:
    """What stands for a secret is longer than the secret: a pasted .env becomes several times as long."""
    agent.asks("look at this:\n" + "".join(f"pwd=h{number:03}x2k\n" for number in range(600)))
    (queued,) = queued_events(home)
    assert queued["prompt"].startswith("look at this") and "x2k" not in queued["prompt"]
    with taken_in(home) as memory:
        memory.maintenance.run()
        assert "problem" not in queued_events(home)[0]


def test_what_is_asked_for_in_the_queued_event_is_cleaned_as_the_guard_cleans(agent: Agent, home: Path) -> None:
    for name, shape in SHAPES:
        text, parts = drawn(shape, shape)[0]
        agent.asks(f"please look at this: {text}")
        assert not leaks(queued_events(home)[-1]["prompt"], parts), name
