"""A draft is written of what transcripts have, and goes where it is looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.skills.proposals.desk import AGAIN, COMMAND, Desk, answered, called, said, transcript, tries
from treering.ledger.errors import Refused
from treering.skills.paths import skill_target
from treering.skills.proposals.texts import UNKNOWN, unfinished


class TestEvidence:
    """A draft says what worked and what did not, and what was asked, as transcripts have it."""

    def test_a_draft_has_what_worked_and_what_did_not(self, desk: Desk, tmp_path: Path) -> None:
        (draft,) = desk.eased(tmp_path)
        approach, _, failed = draft.text.partition("## What does not work")
        assert f"- Run `{COMMAND} RETRY=1`." in approach
        assert f'- `{COMMAND}`: "error: the server is not there"' in failed
        assert unfinished(draft.text) == ""

    def test_what_is_asked_again_has_the_commands_that_answered_it(self, desk: Desk, tmp_path: Path) -> None:
        """Of those that were run after it, what was done most times; a prompt that has none says nothing."""
        for number, prompt in enumerate(AGAIN):
            session = f"s{number}"
            rows = [said(prompt, f"u{number}", session), *tries(f"t{number}", "make push", 1, session=session)]
            rows += [called(f"c{number}", COMMAND, session), answered(f"c{number}", "", False, session)]
            rows += [called(f"e{number}", f"make once{number}", session), answered(f"e{number}", "", False, session)]
            transcript(tmp_path / f"{session}.jsonl", *rows)
        desk.memory.captured.mine(str(tmp_path))
        draft = desk.memory.proposals.get(desk.analyzed().added[0])
        assert f"- Run `{COMMAND}`." in draft.text and "- `make push`" in draft.text
        assert "once0" not in draft.text and f'- "{AGAIN[0]}"' in draft.text
        assert unfinished(draft.text) == ""

    def test_thanks_and_statements_ask_for_nothing(self, desk: Desk, tmp_path: Path) -> None:
        idle = (
            "thanks a lot, that was great",
            "谢谢, 很好",
            "ok, sounds good to me",
            "we moved the cache to valkey 8 now",
        )
        for number, text in enumerate(idle):
            for session in ("a", "b", "c"):
                transcript(tmp_path / f"{session}.jsonl", said(text, f"{session}{number}", session))
        assert desk.memory.captured.mine(str(tmp_path)).prompts == 0

    def test_what_nobody_has_solved_is_not_promoted_before_it_is_written(self, desk: Desk, tmp_path: Path) -> None:
        for session in ("one", "two"):
            transcript(tmp_path / f"{session}.jsonl", *tries(f"{session}t", session=session))
        desk.memory.captured.mine(str(tmp_path))
        draft = desk.memory.proposals.get(desk.analyzed().added[0])
        path = Path(desk.memory.proposals.accept(draft.id, str(tmp_path)).path)
        with pytest.raises(Refused, match="not finished"):
            desk.memory.proposals.promote(draft.name, str(tmp_path))
        path.write_text(path.read_text().replace(UNKNOWN, "Log in first."))
        assert desk.memory.proposals.promote(draft.name, str(tmp_path)).path


@pytest.mark.parametrize(
    "there, target",
    [
        ((), "skills"),
        (("CLAUDE.md",), ".claude/skills"),
        (("AGENTS.md",), ".agents/skills"),
        (("AGENTS.md", ".claude"), ".claude/skills"),
        (("CLAUDE.md", "skills"), "skills"),
    ],
)
def test_skills_go_where_the_agent_of_the_project_looks(tmp_path: Path, there: tuple[str, ...], target: str) -> None:
    for name in there:
        (tmp_path / name).touch() if name.endswith(".md") else (tmp_path / name).mkdir()
    assert skill_target(str(tmp_path), "") == target
    assert skill_target(str(tmp_path), "mine") == "mine"
