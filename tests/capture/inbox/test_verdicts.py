"""What a person takes back teaches what to keep, in their own store."""

from __future__ import annotations

from pathlib import Path

import treering
from tests.surfaces.hook.driving import Agent
from treering.capture.verdicts import learned

JUNK = "We always look at the {} dashboard before lunch, never after."
KEPT = ("We use pnpm here, never npm.", "Deploys always go through the canary cluster.", "Never push to main.")


def said(home: Path, shop: Path, *texts: str, session: str = "s1") -> None:
    agent = Agent(home, shop, session)
    for text in texts:
        agent.asks(text)


def junk(*names: str) -> tuple[str, ...]:
    return tuple(JUNK.format(name) for name in names)


def test_what_is_taken_back_teaches_and_undoing_that_unteaches(home: Path, shop: Path) -> None:
    """The same holds after a rebuild, and with the setting off nothing is corrected."""
    said(home, shop, *KEPT, *junk("red", "green", "blue"))
    with treering.open(home, actor="user") as memory:
        assert memory.captured.learned() == 0
        found = [one for one in memory.captured.list(likely=True) if "dashboard" in one.memory.content]
        assert len(found) == 3
        assert all(one.why for one in found)
        undone = memory.captured.undo(*(one.memory.id for one in found))
        before = learned(memory.workspace)
        assert before.verdicts == 3
        assert before.corrected(JUNK.format("yellow"), 0.8) < 0.7
        memory.ledger.rebuild()
        assert learned(memory.workspace) == before
        memory.undo(*(one.event.id for one in undone))
        assert memory.captured.learned() == 0


def test_the_past_knows_only_the_verdicts_of_its_time(home: Path, shop: Path) -> None:
    said(home, shop, *KEPT, *junk("red", "green", "blue"))
    with treering.open(home, actor="user") as memory:
        found = [one.memory.id for one in memory.captured.list(likely=True) if "dashboard" in one.memory.content]
        moment = memory.workspace.now() / 1e6
        memory.captured.undo(*found)
        now = learned(memory.workspace)
    with treering.open(home, as_of=moment, actor="user") as past:
        assert learned(past.workspace).verdicts == 0
    assert now.verdicts == 3


def test_with_the_setting_off_nothing_is_learned(home: Path, shop: Path) -> None:
    said(home, shop, *junk("red", "green", "blue"))
    (home / "config.toml").write_text("learn_from_me = false\n")
    with treering.open(home, actor="user") as memory:
        memory.captured.undo(*(one.memory.id for one in memory.captured.list(likely=True)))
        assert memory.captured.learned() == 0


def test_what_an_agent_takes_back_is_no_verdict(home: Path, shop: Path) -> None:
    said(home, shop, *KEPT, *junk("red", "green", "blue"))
    with treering.open(home, actor="agent") as memory:
        found = [one.memory.id for one in memory.captured.list(likely=True) if "dashboard" in one.memory.content]
        memory.captured.undo(*found)
        assert learned(memory.workspace).verdicts == 0


def test_what_was_learned_of_purged_words_is_gone_with_them(home: Path, shop: Path) -> None:
    """No byte of them is left, neither in the reasons nor in the weights."""
    said(home, shop, *KEPT, *junk("red", "green", "blue"), JUNK.format("zebrafish"))
    with treering.open(home, actor="user") as memory:
        found = {one.memory.content: one.memory.id for one in memory.captured.list(likely=True)}
        memory.captured.undo(*(id for text, id in found.items() if "dashboard" in text))
        before = learned(memory.workspace)
        memory.purge(found[JUNK.format("zebrafish")])
        store = memory.workspace.ledger.store
        assert store.learned(memory.workspace.space) == ""
        after = learned(memory.workspace)
    assert (before.verdicts, after.verdicts) == (4, 3)
    assert before.weights != after.weights
    assert not any(b"zebrafish" in path.read_bytes() for path in home.rglob("*") if path.is_file())


def test_the_next_session_keeps_no_more_of_what_was_taken_back(home: Path, shop: Path) -> None:
    said(home, shop, *KEPT, *junk("red", "green", "blue", "grey", "black", "white"))
    with treering.open(home, actor="user") as memory:
        memory.captured.undo(
            *(one.memory.id for one in memory.captured.list(likely=True) if "board" in one.memory.content)
        )
    said(home, shop, *junk("yellow", "brown"), "Never deploy to production on Fridays.", session="s2")
    with treering.open(home, actor="user") as memory:
        found = [one.memory.content for one in memory.captured.list(likely=True) if one.session == "s2"]
    assert found == ["Never deploy to production on Fridays."]
