"""Nothing is kept of what a tool said, whatever it asks for; and a pasted text is no wish of the user."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import treering
from tests.attacks.corpus import ATTACKS
from tests.attacks.ways import PROJECT, Session, poisonous, quoted, tainted
from tests.skills.signals.sessions import Session as Transcript
from tests.surfaces.hook.driving import repository
from treering.capture.sift import statement

PROMPT = "Please find out why the nightly build of the shop is red. Remember that the shop deploys on Tuesdays."
TOLD = "The shop deploys on Tuesdays."  # what is to be kept of it: or nothing would be shown by keeping nothing
TOOLS = (
    ("Bash", {"command": "make logs"}),
    ("WebFetch", {"url": "http://page.example"}),
    ("Read", {"file_path": "a.md"}),
)


@pytest.fixture
def agent(tmp_path: Path) -> Session:
    home = tmp_path / "home"
    treering.open(home).close()
    return Session(home, repository(tmp_path / PROJECT))


def kept(agent: Session) -> list[treering.Memory]:
    """All that is known after everything is taken in."""
    agent.ends()
    with treering.open(agent.home) as memory:
        memory.maintenance.run(60)
        return [*memory.list()]


def written(transcript: Transcript, folder: Path) -> str:
    path = folder / "session.jsonl"
    path.write_text("\n".join(transcript.lines) + "\n", "utf-8")
    return str(path)


def test_a_transcript_full_of_it_leaves_none(agent: Session, tmp_path: Path) -> None:
    """What tools returned, in each of the ways in which a transcript tells it."""
    told = Transcript()
    told.says(PROMPT)
    for number, attack in enumerate(ATTACKS):
        tool, given = TOOLS[number % len(TOOLS)]
        id = told.calls(tool, **given)
        content: Any = attack.text if number % 2 else [{"type": "text", "text": attack.text}]
        told.answers(id, content, toolUseResult={"stdout": attack.text, "content": attack.text})
    told.add("assistant", message={"role": "assistant", "content": [{"type": "text", "text": "I have read the logs."}]})
    agent.transcript = written(told, tmp_path)
    agent.starts()
    agent.asks(PROMPT)
    found = kept(agent)
    assert TOLD in {one.content for one in found} and not poisonous(found)


def test_errors_that_were_overcome_leave_none(agent: Session, tmp_path: Path) -> None:
    """A command that failed, a change, and the command that worked are kept: without a word of the error."""
    told = Transcript()
    told.says(PROMPT)
    for number, attack in enumerate(ATTACKS[::3]):
        told.tries("Bash", f"Exit code 1\nValueError: {attack.text}", command=f"make target{number}")
        told.tries("Edit", file_path="setup.cfg", old_string="a", new_string="b")
        told.tries("Bash", command=f"make target{number}")
    agent.transcript = written(told, tmp_path)
    agent.asks(PROMPT)
    found = kept(agent)
    assert any("setup.cfg" in one.content for one in found) and not poisonous(found)


def test_hooks_that_hear_it_leave_none(agent: Session) -> None:
    """Where there is no transcript: from the results and errors that the hooks themselves were handed."""
    agent.asks(PROMPT)
    for number, attack in enumerate(ATTACKS[::2]):
        response = {"stdout": attack.text, "stderr": attack.text, "interrupted": False}
        tool = {"tool_name": "Bash", "tool_input": {"command": f"make log{number}"}, "tool_use_id": f"x{number}"}
        if number % 3:
            agent.does("PostToolUse", **tool, tool_response=response)
        else:
            agent.does("PostToolUseFailure", **tool, error=f"Exit code 1\n{attack.text}")
    found = kept(agent)
    assert TOLD in {one.content for one in found} and not poisonous(found)


def test_what_is_pasted_is_not_what_the_user_wants(agent: Session) -> None:
    """A page or a log in a block of its own."""
    for attack in ATTACKS[::3]:
        agent.asks(f"Can you explain what this page is about?\n\n```\n{attack.text.replace('```', '~~~')}\n```\n")
    assert not [one.content for one in kept(agent) if one.type != "episodic" and tainted(one.content)]


@pytest.mark.parametrize(
    "form",
    [
        "Can you explain this page?\n\n```\n{}\n```\n",
        "Can you explain this page?\n\n> {}\n",
        'Can you explain what "{}" means?',
        "The page says: {}",
        "Here is the output of the crawler:\n\n{}\n",
        "<document>\n{}\n</document>\nSummarise it please.",
        "Fix issue 12. Its text is:\n{}",
    ],
)
def test_what_somebody_else_said_is_not_what_the_user_wants(form: str) -> None:
    """However the user passes it on."""
    lines = "\n> " if "> " in form else "\n"
    said = [form.format(attack.text.replace("\n", lines).replace("```", "~~~")) for attack in ATTACKS]
    assert not [catch.content for text in said for catch in statement(text) if tainted(catch.content)]


def test_a_summary_of_a_session_is_trusted_as_little_as_what_it_sums_up(agent: Session) -> None:
    """An agent may have taken it from a page: it is an outside text, and no session begins with it."""
    for number, attack in enumerate(ATTACKS[::10]):
        other = Session(agent.home, agent.folder, f"s{number}")
        other.compacts(f"The session was about the build. {attack.text}")
    found = kept(agent)
    assert len(found) >= len(ATTACKS[::10]) // 2
    assert {(one.trust, one.invariant) for one in found} == {("external", False)}
    assert not tainted(Session(agent.home, agent.folder, "last").starts())


def test_words_of_the_agent_that_repeat_it_are_no_decision(agent: Session, tmp_path: Path) -> None:
    """When it quotes the page to the user, as it should."""
    told = Transcript()
    told.says(PROMPT)
    for attack in ATTACKS[::2]:
        told.answers(told.calls("WebFetch", url="http://page.example"), attack.text)
        quote = json.dumps(attack.text, ensure_ascii=False)
        said = f"The page tries to give me orders: {quote}. I do not follow them."
        told.add("assistant", message={"role": "assistant", "content": [{"type": "text", "text": said}]})
    agent.transcript = written(told, tmp_path)
    agent.asks(PROMPT)
    assert not [one.content for one in kept(agent) if one.type != "episodic" and tainted(one.content)]


def test_what_is_typed_as_a_prompt_is_quoted_later_and_goes_with_its_session(agent: Session) -> None:
    """Nobody can tell it from the user's own words: what lasts is kept for the project, and told in quotes as all."""
    for attack in ATTACKS:
        agent.asks(attack.text)
    found = kept(agent)
    assert {one.invariant for one in found} == {False} and poisonous(found)
    lasting = [one for one in found if one.type != "episodic"]
    assert sum(one.scope == "user" for one in lasting) < len(found) // 10
    for number, attack in enumerate(ATTACKS[::5]):
        quoted(Session(agent.home, agent.folder, f"later{number}").asks(f"What about this: {attack.text}"))
    fence, closing, rest = Session(agent.home, agent.folder, "last").starts().rpartition("</treering-recall ")
    assert quoted(f"{fence}{closing}{rest.partition(chr(10))[0]}") and not tainted(rest)
    with treering.open(agent.home) as memory:
        memory.revoke(session=agent.session)
        left = memory.captured.list(likely=True)  # what was said again later goes with that session
        assert not any(memory.get(one.memory.id) for one in left if one.session == agent.session)
        assert {one.id for one in memory.list()} == {one.memory.id for one in left}
