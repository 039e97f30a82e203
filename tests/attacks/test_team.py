"""What one member of a team tries on what is another's, and on what their role does not reach."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import treering
from tests import postgres
from treering.ledger import people, transfer
from treering.ledger.errors import Forbidden, InvalidInput, NotFound, TreeringError
from treering.ledger.people import Member
from treering.ledger.types import STRATEGIES, Filter
from treering.ledger.verify import verify
from treering.memory import Treering
from treering.stores.port.ledger import EventQuery
from treering.surfaces.cli import run

PLAIN = "Deploys happen on Tuesdays, after the nightly backup"
OWN = "My shingles medication makes me drowsy until noon"
KEPT = "The acquisition of Marlowe Cartography closes in June"
Open = Callable[..., Treering]


@pytest.fixture(params=["file", pytest.param("postgres", marks=postgres.needed)])
def open_as(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Return what opens the memory of a team as one of its people."""
    store, space = "", "shop"
    if request.param == "postgres":
        store, space = postgres.server().address, postgres.server().new_space()
    opened: list[Treering] = []

    def open(person: str = "", role: str = people.ADMIN, **more: Any) -> Treering:
        stand = f"{person}@{space}" if person else space
        memory = treering.open(tmp_path, store=store, space=stand, project="web", actor="user", **more)
        memory.ledger._member = Member(role, person)  # as a server does
        opened.append(memory)
        return memory

    yield open
    for memory in opened:
        memory.close()


def populated(open_as: Open) -> tuple[Treering, dict[str, str]]:
    """Return Anna's memory, and the ids of what she said for all, of herself, and for herself."""
    anna = open_as("anna")
    made = {
        "plain": anna.remember(PLAIN, scope="project"),
        "own": anna.remember(OWN, scope="user"),
        "kept": anna.remember(KEPT, scope="project", private=True),
    }
    anna.recall("what medication makes me drowsy, and which acquisition closes in June", silent=False)
    return anna, {name: one.id for name, one in made.items()}


def told(memory: Treering) -> str:
    """Return all that a person is told, by every way that leads out."""
    asked = "shingles medication drowsy Tuesdays", "acquisition of Marlowe Cartography", "Marlowe Cartography June"
    found: list[Any] = [
        list(memory.list()),
        list(memory.list(status="forgotten")),
        *(
            recalled._replace(query="")
            for query in asked
            for strategy in STRATEGIES
            for recalled in [memory.recall(query, 20, strategy=strategy, silent=False, retired=True, log=False)]
        ),
        list(memory.store.records()),
        list(memory.store.events()),
        memory.documents.index(),
        memory.graph.export(),
        memory.truth.contradictions(),
        memory.proposals.list(),
        memory.captured.list(),
        memory.maintenance.insights(),
        memory.maintenance.groups(),
        memory.evolve.candidates(),
    ]
    out = BytesIO()
    transfer.export(memory.store, out)
    return f"{found}{out.getvalue().decode()}"


def test_nothing_of_one_person_reaches_another(open_as: Open) -> None:
    """By list, recall, graph, index, export, events and all that is made of memories; also after maintenance."""
    anna, ids = populated(open_as)
    for other in (open_as("bob"), open_as("carla", people.READER)):
        for _ in range(2):
            text = told(other)
            assert "Tuesdays" in text
            for word in ("shingles", "drowsy", "Marlowe", "acquisition"):
                assert word not in text
            anna.maintenance.consolidate()
            anna.evolve.run()
            open_as().maintenance.consolidate()
    mine = told(anna)
    assert all(word in mine for word in ("Tuesdays", "shingles", "Marlowe"))
    assert {anna.get(id).id for id in ids.values()} == set(ids.values())
    assert verify(open_as().ledger.store).clean


ON_ONE = {
    "get": lambda memory, one: memory.get(one),
    "history": lambda memory, one: memory.history(one),
    "forget": lambda memory, one: memory.forget(one),
    "restore": lambda memory, one: memory.restore(one),
    "supersede": lambda memory, one: memory.supersede(one, "She is well"),
    "supersede by": lambda memory, one: memory.supersede(memory.remember("She is well").id, one),
    "made of": lambda memory, one: memory.remember("What she has", sources=[one]),
    "purge": lambda memory, one: memory.purge(one),
    "undo": lambda memory, one: memory.undo(one),
    "scores": lambda memory, one: memory.scores(one),
    "archive": lambda memory, one: memory.evolve.attempt("archive", one),
    "captured": lambda memory, one: memory.captured.undo(one),
}


@pytest.mark.parametrize("what", ON_ONE)
def test_what_is_anothers_is_not_there(open_as: Open, what: str) -> None:
    """Whoever guesses an id learns no more than that nothing has it."""
    anna, ids = populated(open_as)
    bob = open_as("bob")
    for name in ("own", "kept"):
        with pytest.raises(TreeringError) as refused:
            ON_ONE[what](bob, ids[name])
        assert all(word not in str(refused.value) for word in ("shingles", "Marlowe", "anna"))
        assert anna.get(ids[name]).status == "created" or anna.get(ids[name]).status == "active"


def test_a_feedback_by_anothers_recall_is_refused(open_as: Open) -> None:
    """What a person asked is their own, also where it showed what is the team's."""
    anna, ids = populated(open_as)
    asked = anna.recall("when do deploys happen", silent=False)
    with pytest.raises(TreeringError):
        open_as("bob").feedback(asked.id, ids["plain"], "not_helpful")
    assert anna.feedback(asked.id, ids["plain"], "helpful").q > 0.5


def test_a_name_leads_into_no_other_space(open_as: Open) -> None:
    """A query that names the space of somebody else finds no such space."""
    anna, _ = populated(open_as)
    bob = open_as("bob")
    for space in (anna.context.space, anna.context.space.replace("@", "@@")):
        with pytest.raises(NotFound):
            list(bob.store.records(Filter(space)))
        with pytest.raises(NotFound):
            list(bob.store.events(EventQuery(space=space)))


def test_every_event_names_its_person(open_as: Open) -> None:
    """Whoever looks at the ledger sees who did it, and the team's own part tells the team."""
    anna, ids = populated(open_as)
    bob = open_as("bob")
    bob.supersede(ids["plain"], "Deploys happen on Wednesdays, after the nightly backup")
    assert {event.actor for event in anna.store.events()} == {"user:anna", "user:bob"}
    assert [event.actor for event in anna.history(ids["plain"])][-1] == "user:bob"


WRITES = {
    "remember": lambda memory, one: memory.remember("Something else"),
    "private": lambda memory, one: memory.remember("Something else", private=True),
    "forget": lambda memory, one: memory.forget(one),
    "supersede": lambda memory, one: memory.supersede(one, "Deploys happen on Fridays"),
}
REVIEWS = {
    "confirm": lambda memory, one: memory.truth.confirm(one, "yes"),
    "undo": lambda memory, one: memory.undo(one),
    "revoke": lambda memory, one: memory.revoke(source="user"),
    "consolidate": lambda memory, one: memory.maintenance.consolidate(),
}
ADMINISTERS = {
    "purge": lambda memory, one: memory.purge(one),
    "rebuild": lambda memory, one: memory.ledger.rebuild(),
    "rename": lambda memory, one: memory.ledger.rename(),
    "token": lambda memory, one: memory.ledger.commit(
        lambda: [people.admit("mallory", "admin", people.new_token(), memory.context)]
    ),
}
BEYOND = [("reader", name) for name in (*WRITES, *REVIEWS, *ADMINISTERS)]
BEYOND += [("writer", name) for name in (*REVIEWS, *ADMINISTERS)] + [("reviewer", name) for name in ADMINISTERS]


@pytest.mark.parametrize(("role", "what"), BEYOND)
def test_a_role_reaches_no_further(open_as: Open, role: str, what: str) -> None:
    """What a role may not do changes nothing."""
    anna = open_as("anna")
    id = anna.remember(PLAIN, scope="project", invariant=True).id
    before = anna.ledger.store.heads()
    with pytest.raises(Forbidden):
        (WRITES | REVIEWS | ADMINISTERS)[what](open_as("bob", role), id)
    new = [event for event in anna.ledger.store.events() if event.seq > max(head.seq for head in before.values())]
    assert [event for event in new if event.space == anna.store.several((id,))[id].space] == []


@pytest.mark.parametrize("role", ["writer", "reviewer", "admin"])
def test_a_role_reaches_so_far(open_as: Open, role: str) -> None:
    """And everybody may take back what they did themselves."""
    memory = open_as("bob", role)
    mine = memory.remember("Reviews need two approvals", scope="project")
    memory.forget(mine.id)
    memory.restore(mine.id)
    memory.undo(mine.id)
    assert list(memory.list()) == []
    other = open_as("anna").remember(PLAIN, scope="project", invariant=True)
    if role != "writer":
        memory.truth.confirm(other.id, "yes")
    if role == "admin":
        memory.purge(other.id)


def test_a_session_is_left_out_with_what_is_the_teams_and_ones_own(open_as: Open) -> None:
    """And the answer names both."""
    anna = open_as("anna", session="monday")
    made = {anna.remember(PLAIN, scope="project").id, anna.remember(OWN, scope="user").id}
    for dry_run in (True, False):
        done = anna.revoke(session="monday", dry_run=dry_run)
        assert {*done.gone} == made and made <= {*done.left_out}
    assert not [*anna.list()]


def test_a_token_holds_until_it_is_revoked(open_as: Open) -> None:
    """The ledger has its hash alone; undoing brings no token back, and none that was made up gets in."""
    team = open_as()
    token = people.new_token()
    team.ledger.commit(lambda: [people.admit("anna", "writer", token, team.context)])
    found = people.token_of(team.store, team.context.space, token)
    assert found is not None and (found.person, found.role) == ("anna", "writer")
    assert token not in f"{list(team.store.events())}"
    for wrong in ("", token[:-1], token.upper(), f"{token} ", "ü", people.new_token()):
        assert people.token_of(team.store, team.context.space, wrong) is None
    (gone,) = team.ledger.commit(lambda: [people.dismiss(found, team.context)])
    team.undo(gone.id)
    assert people.token_of(team.store, team.context.space, token) is None
    assert people.token_of(open_as("bob").store, team.context.space, token) is None


def test_a_project_can_be_private(open_as: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is remembered there is the person's own."""
    monkeypatch.setenv("TREERING_PRIVATE_PROJECTS", "diary, web")
    anna = open_as("anna")
    anna.ledger._member = Member(people.WRITER, "anna", anna.config.private)
    anna.remember(PLAIN, scope="project")
    assert [one.content for one in anna.list()] == [PLAIN]
    assert list(open_as("bob").list()) == []


def test_nothing_is_private_where_nobody_stands(open_as: Open) -> None:
    """It would be the team's."""
    with pytest.raises(InvalidInput, match="person"):
        open_as().remember(OWN, private=True)


def test_who_leaves_takes_their_own_and_loses_the_rest(
    open_as: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By one command: what is theirs is in a memory of their own, and nowhere here; what they said for all stays."""
    anna, _ = populated(open_as)
    team, token = open_as(), people.new_token()
    team.ledger.commit(lambda: [people.admit("anna", "writer", token, team.context)])
    store: Any = team.ledger.store
    words = ["--home", str(tmp_path), "--space", team.context.space, "leave", "anna", "--to", str(tmp_path / "own")]
    words = ["--store", postgres.server().address, *words] if hasattr(store, "space") else words
    if "--store" in words:  # as it is set where a team is at home
        monkeypatch.setenv("TREERING_STORE", words[1])
    assert run(words) != 0 and list(anna.list(scope="user"))
    assert run([*words, "--yes"]) == 0, capsys.readouterr()
    monkeypatch.delenv("TREERING_STORE", raising=False)
    with treering.open(tmp_path / "own") as own:
        assert {one.content for one in own.list()} == {OWN, KEPT}
    assert people.token_of(team.store, team.context.space, token) is None
    assert [one.content for one in anna.list()] == [PLAIN]
    text = str([*store.events()])
    assert "Tuesdays" in text and not any(word in text for word in ("shingles", "Marlowe"))
    assert verify(store).clean
    assert run([*words, "--yes"]) != 0


@postgres.needed
def test_the_database_itself_shows_nobody_what_is_anothers(tmp_path: Path) -> None:
    """By row-level security, whatever a statement forgets to say."""
    address, space = postgres.server().address, postgres.server().new_space()
    found = {}
    with (
        treering.open(tmp_path, store=address, space=f"anna@{space}", actor="user") as anna,
        treering.open(tmp_path, store=address, space=f"bob@{space}", actor="user") as bob,
    ):
        anna.remember(OWN, scope="user")
        anna.remember(PLAIN, scope="project", project="web")
        anna.recall("drowsy", silent=False)
        for name, memory in (("anna", anna), ("bob", bob)):
            store: Any = memory.ledger.store
            for table in ("memories", "events", "places", "lessons"):
                sql = f"SELECT t::text FROM treering.{table} t WHERE space = %s"
                rows = [*store.space.rows(sql), *store.view(lambda sql=sql, store=store: store.space.rows(sql))]
                found[name, table] = str(rows)
    assert "drowsy" in found["anna", "memories"] and "drowsy" in found["anna", "events"]
    assert all("Tuesdays" in found[name, "memories"] for name in ("anna", "bob"))
    assert not any(word in text for (name, _), text in found.items() if name == "bob" for word in ("drowsy", "anna@"))
