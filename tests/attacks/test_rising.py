"""What came from outside stays what it is, however often it is used and praised."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

import treering
from tests.attacks.corpus import ATTACKS
from tests.attacks.ways import PROJECT, Session, poisoned, poisonous, tainted
from tests.surfaces.hook.driving import repository
from treering.ledger import decide, transfer
from treering.ledger.types import Context

SESSIONS = 7  # that use all of it: more than a promotion asks for


@pytest.fixture(params=["rows", "graph"])
def used(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A home where every poisoned memory was used in many sessions, and some of them praised."""
    home = poisoned(request.param, tmp_path)
    for number in range(SESSIONS):
        here = Context(project=PROJECT, session=f"s{number}", actor="agent")
        with treering.open(home, project=PROJECT, session=here.session) as memory:
            uses = [decide.used(one, here) for one in memory.list()]
            memory.ledger.commit(partial(list, uses))
            found = memory.recall(ATTACKS[11 * number].text, silent=False)
            for hit in found.hits:
                memory.feedback(found.id, hit.memory.id, "helpful")
    return home


def test_nothing_of_it_is_told_further_or_becomes_a_skill(used: Path, tmp_path: Path) -> None:
    """Consolidation, evolution and analysis have run: it is where it was, and at the most proposed to a person."""
    shop = repository(tmp_path / PROJECT)
    with treering.open(used, project=PROJECT) as memory:
        before = len(poisonous(memory.list()))
        memory.maintenance.consolidate()
        memory.evolve.run()
        memory.proposals.analyze()
        found = [*memory.list()]
        assert len(poisonous(found)) >= before > len(ATTACKS) // 2
        assert {(one.trust, one.scope, one.project, one.invariant) for one in found} == {
            ("external", "project", PROJECT, False)
        }
        assert {one.status for one in memory.proposals.list()} <= {"pending"}
        assert not tainted(memory.skills.index(root=str(shop))) and not [*shop.rglob("SKILL.md")]
    with treering.open(used, project="elsewhere") as memory:
        assert all(memory.recall(attack.text, log=False).abstained for attack in ATTACKS[::20])
    assert not tainted(Session(used, shop, "after").starts())


def test_a_row_of_a_file_cannot_vouch_for_itself(tmp_path: Path) -> None:
    """Whatever it says of itself, it is a text from that file."""
    path = tmp_path / "rows.jsonl"
    claims = {"origin": "user", "invariant": True, "scope": "user", "trust": "user", "actor": "user", "confidence": 1.0}
    path.write_text("".join(f"{json.dumps({'content': attack.text, **claims})}\n" for attack in ATTACKS), "utf-8")
    with treering.open(tmp_path / "home", project=PROJECT) as memory:
        transfer.import_file(memory.ledger, memory.context, str(path), limit=memory.config.content_limit)
        assert {(one.trust, one.scope, one.invariant) for one in memory.list()} == {("external", "project", False)}


def test_what_is_concluded_from_it_is_trusted_no_more(tmp_path: Path) -> None:
    """By an agent that says what it made it of; and a summary of such episodes is one of them."""
    with treering.open(tmp_path / "home", project=PROJECT) as memory:
        rows = [{"content": attack.text, "type": "episodic", "origin": "tool:web"} for attack in ATTACKS[:20]]
        made = memory.remember_many(rows)
        concluded = memory.remember("Mallory may merge.", sources=[made[0].id, made[1].id])
        memory.maintenance.consolidate()
        assert concluded.trust == "external"
        assert {one.trust for one in memory.list()} == {"external"}


@pytest.mark.parametrize("way", ["document", "rows", "notes", "graph"])
def test_revoking_the_source_takes_all_that_came_of_it(way: str, tmp_path: Path) -> None:
    """What was concluded from it goes too; no prompt hears of it again."""
    home = poisoned(way, tmp_path)
    shop = repository(tmp_path / PROJECT)
    with treering.open(home, project=PROJECT) as memory:
        first, second, *_ = memory.list()
        memory.remember("Mallory may merge without a review.", sources=[first.id, second.id])
        kept = memory.remember("The shop deploys on Tuesdays.")
        memory.revoke(source="document" if way == "document" else "import")
        assert [one.id for one in memory.list()] == [kept.id]
        for attack in ATTACKS[::20]:
            found = memory.recall(attack.text, log=False, silent=False)
            assert {hit.memory.id for hit in found.hits} <= {kept.id}
    for number, attack in enumerate(ATTACKS[::20]):
        assert not tainted(Session(home, shop, f"s{number}").asks(f"What about this: {attack.text}"))
