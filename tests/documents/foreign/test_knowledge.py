"""The knowledge graph of server-memory on our ledger: its behaviour, call by call."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treering
from treering import InvalidInput, NotFound, Treering
from treering.documents.foreign.knowledge import Knowledge

ALICE = {"name": "Alice", "entityType": "person", "observations": ["works at Acme Corp", "likes programming"]}
BOB = {"name": "Bob", "entityType": "person", "observations": ["works at TechCo"]}
ACME = {"name": "Acme Corp", "entityType": "company", "observations": ["tech company"]}
WORKS = {"from": "Alice", "to": "Acme Corp", "relationType": "works_at"}
RIVALS = {"from": "Bob", "to": "Acme Corp", "relationType": "competes with"}


@pytest.fixture
def graph(memory: Treering) -> Knowledge:
    """Three entities and two relations."""
    made = Knowledge(memory)
    assert made.create_entities([ALICE, BOB, ACME]) == [ALICE, BOB, ACME]
    assert made.create_relations([WORKS, RIVALS]) == [WORKS, RIVALS]
    return made


def names(found: dict[str, list[dict[str, Any]]]) -> list[str]:
    return [entity["name"] for entity in found["entities"]]


def test_the_graph_is_what_was_put_in(graph: Knowledge, memory: Treering) -> None:
    """For whoever reads it, in the order in which it came."""
    for one in (graph, Knowledge(memory)):
        assert one.read_graph() == {"entities": [ALICE, BOB, ACME], "relations": [WORKS, RIVALS]}


def test_what_is_there_is_not_made_again(graph: Knowledge) -> None:
    """Only what is new is told; of two in one call the first counts."""
    eve = {"name": "Eve", "entityType": "person", "observations": ["a", "a"]}
    assert graph.create_entities([ALICE, eve, {**eve, "entityType": "cat"}]) == [{**eve, "observations": ["a"]}]
    assert graph.create_relations([WORKS, WORKS]) == []
    told = graph.add_observations([{"entityName": "Bob", "contents": ["works at TechCo", "has a dog", "has a dog"]}])
    assert told == [{"entityName": "Bob", "addedObservations": ["has a dog"]}]


def test_nothing_hangs_on_what_is_not_there(graph: Knowledge) -> None:
    """The error names it, in the words of that server, and the whole call comes to nothing."""
    with pytest.raises(NotFound, match=r"^Entity with name Nobody not found$"):
        graph.add_observations([{"entityName": "Bob", "contents": ["x"]}, {"entityName": "Nobody", "contents": ["y"]}])
    for row in ({**WORKS, "from": "Nobody"}, {**WORKS, "to": "Nobody"}):
        with pytest.raises(NotFound, match="Nobody"):
            graph.create_relations([row])
    assert graph.read_graph() == {"entities": [ALICE, BOB, ACME], "relations": [WORKS, RIVALS]}


def test_an_entity_goes_with_all_that_hangs_on_it(graph: Knowledge, memory: Treering) -> None:
    """And can be restored: it was forgotten, not lost."""
    assert graph.delete_entities(["Acme Corp"])["message"] == "Entities deleted successfully"
    assert graph.read_graph() == {"entities": [ALICE, BOB], "relations": []}
    gone = [*memory.list(status="forgotten")]
    assert len(gone) == 4
    for one in gone:
        memory.restore(one.id)
    assert sorted(names(graph.read_graph())) == ["Acme Corp", "Alice", "Bob"]
    assert len(graph.read_graph()["relations"]) == 2


def test_to_delete_what_is_not_there_is_fine(graph: Knowledge) -> None:
    """It is said what was not found."""
    assert graph.delete_entities(["Nobody"]) == {
        "success": True,
        "message": "Deleted 0 of 1 entities. Not found: Nobody",
    }
    assert graph.delete_relations([{**WORKS, "relationType": "left"}])["success"]
    told = graph.delete_observations(
        [{"entityName": "Bob", "observations": ["works at TechCo", "x"]}, {"entityName": "No", "observations": ["y"]}]
    )
    assert told["message"] == "Deleted 1 of 3 observations. Entities not found: No"
    assert graph.delete_relations([WORKS]) == {"success": True, "message": "Relations deleted successfully"}
    assert graph.read_graph()["relations"] == [RIVALS]


def test_a_search_looks_into_names_types_and_observations(graph: Knowledge) -> None:
    """Whatever the case; with every relation of what is found, wherever it leads."""
    assert names(graph.search_nodes("ALICE")) == ["Alice"]
    assert names(graph.search_nodes("company")) == ["Acme Corp"]
    assert names(graph.search_nodes("programming")) == ["Alice"]
    found = graph.search_nodes("acme")
    assert (names(found), found["relations"]) == (["Alice", "Acme Corp"], [WORKS, RIVALS])
    assert graph.search_nodes("alice")["relations"] == [WORKS]
    assert graph.search_nodes("zebra") == {"entities": [], "relations": []}
    with pytest.raises(InvalidInput, match="query"):
        graph.search_nodes("x" * 3000)


def test_a_question_is_answered_by_recall(graph: Knowledge) -> None:
    """Where no text has its words as they stand."""
    assert names(graph.search_nodes("who is it that likes to program"))[:1] == ["Alice"]


def test_nodes_are_opened_by_their_names(graph: Knowledge) -> None:
    found = graph.open_nodes(["Bob", "Nobody"])
    assert (found["entities"], found["relations"]) == ([BOB], [RIVALS])
    assert graph.open_nodes([]) == {"entities": [], "relations": []}


def test_every_part_is_a_memory_of_the_agent(graph: Knowledge, memory: Treering) -> None:
    """Recall finds an observation, which says by itself whom it is about; its source can be revoked."""
    hit = memory.recall("where does Alice work").hits[0]
    assert "Alice" in hit.memory.content and (hit.memory.origin, hit.memory.trust) == ("agent:server-memory", "agent")
    memory.revoke(source="server-memory")
    assert graph.read_graph() == {"entities": [], "relations": []}


def test_a_person_may_correct_an_observation(graph: Knowledge, memory: Treering) -> None:
    """What they put in its place is what the graph says from then on."""
    (old,) = (one for one in memory.list() if one.content == "Bob: works at TechCo")
    memory.supersede(old.id, "Bob: works at Initech")
    assert graph.open_nodes(["Bob"])["entities"] == [{**BOB, "observations": ["works at Initech"]}]


def test_arguments_that_make_no_sense_are_refused(graph: Knowledge) -> None:
    for rows in ([{"name": "x"}], ["x"], [{"name": "", "entityType": "", "observations": []}]):
        with pytest.raises(InvalidInput):
            graph.create_entities(rows)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="contents must be a list of texts"):
        graph.add_observations([{"entityName": "Bob", "contents": "x"}])
    with pytest.raises(InvalidInput, match="names must be a list of texts"):
        graph.open_nodes("Bob")


def test_another_process_sees_it_and_is_seen(graph: Knowledge, tmp_path: Path) -> None:
    """Both add to one entity, and neither loses what the other wrote."""
    script = (
        "import sys, treering; from treering.documents.foreign.knowledge import Knowledge\n"
        "with treering.open(sys.argv[1]) as memory:\n"
        "    graph = Knowledge(memory)\n"
        "    for number in range(20):\n"
        "        graph.add_observations([{'entityName': 'Bob', 'contents': [f'theirs {number}', f'both {number}']}])\n"
    )
    other = subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "home")])
    for number in range(20):
        graph.add_observations([{"entityName": "Bob", "contents": [f"mine {number}", f"both {number}"]}])
    assert other.wait(60) == 0
    (bob,) = graph.open_nodes(["Bob"])["entities"]
    assert sorted(bob["observations"]) == sorted(
        ["works at TechCo", *(f"{who} {number}" for who in ("mine", "theirs", "both") for number in range(20))]
    )


_NAMES = st.sampled_from(["a", "A", "a b", " a", "a%20b", "ä", "a\u0308", "a:", "a: x", "x\ny", "\u200b"])
_TEXTS = st.sampled_from(["x", "a", "a: x", "a b likes it", "two\nlines", "ä is", "A: a: x"])
_CALLS = st.one_of(
    st.tuples(st.just("create_entities"), _NAMES, st.lists(_TEXTS, max_size=3, unique=True)),
    st.tuples(st.just("add_observations"), _NAMES, st.lists(_TEXTS, max_size=3, unique=True)),
    st.tuples(st.just("delete_observations"), _NAMES, st.lists(_TEXTS, max_size=3)),
    st.tuples(st.just("create_relations"), _NAMES, _NAMES),
    st.tuples(st.just("delete_relations"), _NAMES, _NAMES),
    st.tuples(st.just("delete_entities"), _NAMES, st.none()),
)


class Model:
    """What the graph should be, in dictionaries."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}
        self.relations: list[tuple[str, str]] = []

    def run(self, call: str, name: str, more: Any) -> None:
        known = self.texts.get(name)
        if call == "create_entities" and known is None:
            self.texts[name] = [*more]
        elif call == "add_observations" and known is not None:
            known += [text for text in more if text not in known]
        elif call == "delete_observations" and known is not None:
            self.texts[name] = [text for text in known if text not in more]
        elif call == "create_relations" and {name, more} <= set(self.texts) and (name, more) not in self.relations:
            self.relations.append((name, more))
        elif call == "delete_relations":
            self.relations = [one for one in self.relations if one != (name, more)]
        elif call == "delete_entities":
            self.texts.pop(name, None)
            self.relations = [one for one in self.relations if name not in one]


def _run(graph: Knowledge, call: str, name: str, more: Any) -> None:
    rows: dict[str, Any] = {
        "create_entities": [{"name": name, "entityType": "t", "observations": more}],
        "add_observations": [{"entityName": name, "contents": more}],
        "delete_observations": [{"entityName": name, "observations": more}],
        "create_relations": [{"from": name, "to": more, "relationType": "r"}],
        "delete_relations": [{"from": name, "to": more, "relationType": "r"}],
        "delete_entities": [name],
    }
    try:
        getattr(graph, call)(rows[call])
    except NotFound:
        assert call in ("add_observations", "create_relations")


@settings(max_examples=25, deadline=None)
@given(st.lists(_CALLS, max_size=20))
def test_any_calls_end_in_the_graph_that_they_should(calls: list[tuple[str, str, Any]]) -> None:
    """Under whatever names, which come back exactly as they were given; and from the ledger alone too."""
    with TemporaryDirectory() as folder, treering.open(folder) as memory:
        graph, model = Knowledge(memory), Model()
        for call in calls:
            model.run(*call)
            _run(graph, *call)
        for one in (graph, Knowledge(memory)):
            found = one.read_graph()
            assert {entity["name"]: entity["observations"] for entity in found["entities"]} == model.texts
            assert [(row["from"], row["to"]) for row in found["relations"]] == model.relations
