"""The current truth first."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.recall.asking import told
from tests.world import Clock, fresh, memory_on, store_in_memory
from treering.recall.index.postings import Stems
from treering.recall.ranking import Statement, current_first, stated_words
from treering.text.words import STOP_WORDS, folded


@pytest.fixture
def stems() -> Iterator[Stems]:
    store = store_in_memory()
    yield Stems(store.index)
    store.close()


def first(query: str, texts: list[str], stems: Stems) -> tuple[list[int], dict[int, int]]:
    """The order of statements for a query; each is newer than the one before it."""
    asked = dict.fromkeys(stems.of([word for word in folded(query) if word not in STOP_WORDS]), 1.0)
    hits = [
        Statement(text, len(folded(text)), place, 1, sum(asked.get(stem, 0) for stem in set(stems.of(folded(text)))))
        for place, text in enumerate(texts)
    ]
    return current_first(hits, asked, stems)


def test_the_newest_statement_of_a_thing_leads(stems: Stems) -> None:
    """Older ones follow from the newest to the oldest, and each is marked with the newest."""
    texts = ["The port of the gateway is 80", "The port of the gateway is 8080", "The port of the gateway is 443"]
    assert first("which port has the gateway", texts, stems) == ([2, 1, 0], {1: 2, 0: 2})


def test_a_value_may_have_several_words_or_stand_in_the_middle(stems: Stems) -> None:
    """As long as one place differs."""
    texts = ["We deploy on Tuesday afternoons to production", "We deploy on Friday to production"]
    assert first("when do we deploy to production", texts, stems) == ([1, 0], {0: 1})


def test_what_differs_in_more_than_one_place_is_left_alone(stems: Stems) -> None:
    """Two things are stated there, or nobody knows what belongs together."""
    texts = ["The port of the gateway is 80 for the shop", "The port of the proxy is 443 for the shop"]
    assert first("which port", texts, stems) == ([0, 1], {})


def test_names_that_the_query_tells_apart_are_left_alone(stems: Stems) -> None:
    """Who asks about Anna is not answered with the newer statement about Ben."""
    texts = ["The favourite colour of Anna is blue", "The favourite colour of Ben is blue"]
    assert first("favourite colour of Anna", texts, stems) == ([0, 1], {})
    assert first("favourite colour of Anna and Ben", texts, stems) == ([0, 1], {})


def test_a_question_states_nothing(stems: Stems) -> None:
    """Though it is the newest, and differs in one word only."""
    texts = ["The port of the gateway is 80", "The port of the gateway is what?"]
    assert first("port of the gateway", texts, stems) == ([0, 1], {})
    assert stated_words("Is it so?", 3, {}, stems) == ()


def test_a_turn_of_phrase_is_not_a_statement_about_one_thing(stems: Stems) -> None:
    """Two words in common are too few, and so is less than half of the shorter one."""
    assert first("tea", ["tea is green", "tea is hot"], stems) == ([0, 1], {})
    texts = ["I drink tea with milk and a lot of sugar", "I drink tea alone when nobody else is at home"]
    assert first("drink tea", texts, stems) == ([0, 1], {})


def test_one_that_only_adds_to_another_is_not_newer(stems: Stems) -> None:
    """There is no other value."""
    texts = ["The port of the gateway is 80", "The port of the gateway is 80 since May"]
    assert first("port of the gateway", texts, stems) == ([0, 1], {})


def test_what_matches_less_of_the_query_is_left_alone(stems: Stems) -> None:
    """Two that answer the same question match it equally well."""
    texts = ["The port of the gateway in production is 80", "The port of the gateway in staging is 81"]
    assert first("port of the gateway in production", texts, stems) == ([0, 1], {})


def test_of_a_long_text_its_best_sentence_is_what_is_stated(stems: Stems) -> None:
    """So that a statement within a tale can be older, too."""
    tale = " ".join(["We talked about the garden and the weather for a long while."] * 5)
    texts = [f"{tale} The port of the gateway is 80.", f"{tale} The port of the gateway is 8080."]
    assert first("port of the gateway", texts, stems) == ([1, 0], {0: 1})


def test_others_keep_their_places(stems: Stems) -> None:
    """Only the statements of one thing change places among themselves."""
    texts = ["The port of the gateway is 80", "A gateway has a port", "The port of the gateway is 443"]
    assert first("port of the gateway", texts, stems) == ([2, 1, 0], {0: 2})


def test_nothing_asked_or_nothing_found_changes_nothing(stems: Stems) -> None:
    """Such as a query by meaning alone."""
    assert current_first([], {}, stems) == ([], {})
    assert first("nothing of this", ["The port is 80 now", "The port is 81 now"], stems) == ([0, 1], {})


def test_a_recall_shows_the_current_value_first_and_marks_the_others() -> None:
    """Whatever the order in which they came, and they are not hidden."""
    memory = fresh()
    newest = memory.remember("Our staging database is called heron", at="2025-06-01")
    memory.remember("Our staging database is called osprey", at="2024-06-01")
    memory.remember("Our staging database is called kestrel", at="2023-06-01")
    memory.remember("The kettle is green")
    found = memory.recall("what is our staging database called")
    assert [text.split()[-1] for text in told(found)[:3]] == ["heron", "osprey", "kestrel"]
    assert [hit.why.older_than for hit in found.hits[:3]] == ["", newest.id, newest.id]
    assert found.fence.count(f"an older statement; see {newest.id}") == 2


def test_the_newest_is_the_newest_of_the_moment() -> None:
    """What is forgotten states nothing, and `at` says when a thing was so."""
    clock = Clock()
    memory = memory_on(store_in_memory(), clock)
    old = memory.remember("The retry limit of the queue is three")
    new = memory.remember("The retry limit of the queue is seven")
    assert memory.recall("retry limit of the queue").hits[0].memory.id == new.id
    memory.forget(new.id)
    found = memory.recall("retry limit of the queue")
    assert [(hit.memory.id, hit.why.older_than) for hit in found.hits] == [(old.id, "")]
