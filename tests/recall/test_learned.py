"""A store that learns from judgements, and forgets what it learned when they are taken back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.recall.asking import explained, told
from tests.world import Clock, Dice, memory_on, static, store_in_memory
from treering.ledger.types import Memory, Recall
from treering.memory import Treering
from treering.recall.lessons.lessons import Lessons
from treering.recall.lessons.rules import by_chance, chance
from treering.recall.ranking import factors
from treering.recall.recalls import Recalls
from treering.recall.scoring import NOTHING_LEARNED, Mix, Switches
from treering.stores.port.search import Lesson, Mark

ANSWER = "Grandmother left a tin box below the stairs of the flat"
TEXTS = (
    ANSWER,
    "The deposit for the flat was paid in March",
    "The landlord of the flat wants the key back",
    "Our flat has a hall, a kitchen and two rooms",
    "The kitchen of the flat was painted green",
    "A parrot eats seeds and nuts",
    "The train to the coast leaves at nine",
    "Soup needs salt and time",
)
QUERY = "where are the papers for the mortgage on the flat"
ALIKE = "where did we put the mortgage papers"


@pytest.fixture
def memory() -> Iterator[Treering]:
    found = memory_on(store_in_memory(), Clock())
    for text in TEXTS:
        found.remember(text)
    yield found
    found.close()


def asked(memory: Treering, query: str = ALIKE, switches: Switches | None = None) -> Recall:
    """An answer that leaves no trace; by other mechanisms, if they are given."""
    recalling = Recalls(memory.store, static(), Dice(3), switches=switches) if switches else memory.workspace.recalls
    return recalling.recall(query, memory.context, memory.workspace.now(), 8, floor=0.0)


def judged(memory: Treering, verdict: str = "helpful", query: str = QUERY, text: str = ANSWER) -> str:
    """The id of a recall in which one of the hits was judged."""
    shown = memory.recall(query, 8, silent=False)
    (hit,) = [hit for hit in shown.hits if hit.memory.content == text]
    memory.feedback(shown.id, hit.memory.id, verdict)
    return shown.id


def part(recall: Recall, name: str, text: str = ANSWER) -> float:
    """What one of the parts gave to a text."""
    return next((hit.why.parts.get(name, 0.0) for hit in recall.hits if hit.memory.content == text), 0.0)


def picture(memory: Treering) -> list[tuple[str, float]]:
    return [(hit.memory.content, round(hit.score, 5)) for hit in asked(memory).hits]  # the clock goes on


def test_a_memory_is_found_by_questions_like_those_it_answered(memory: Treering) -> None:
    """Its text shares no word with them; and the hit says what did it."""
    before = told(asked(memory))
    assert before[0] != ANSWER
    judged(memory)
    judged(memory)
    after = asked(memory)
    assert told(after)[0] == ANSWER
    assert part(after, "learned") > 0
    assert all(explained(hit) == pytest.approx(hit.score) for hit in after.hits)


def test_another_question_hears_nothing_of_it(memory: Treering) -> None:
    """What answered one thing does not answer all."""
    judged(memory)
    assert part(asked(memory, "what does a parrot eat"), "learned") == 0.0


def test_what_did_not_help_sinks_and_is_still_found(memory: Treering) -> None:
    """However often it is said: the only right answer is never hidden."""
    before = asked(memory, QUERY)
    for _ in range(12):
        judged(memory, "not_helpful", text=TEXTS[1])
    after = asked(memory, QUERY)
    assert part(after, "learned", TEXTS[1]) < 0
    assert TEXTS[1] in told(after)
    assert told(after).index(TEXTS[1]) >= told(before).index(TEXTS[1])
    assert all(hit.score > 0 for hit in after.hits if hit.memory.content == TEXTS[1])


def test_one_verdict_moves_less_than_the_words_of_a_query(memory: Treering) -> None:
    """Right or wrong: half of what all words of the query are worth."""
    judged(memory)
    assert 0 < part(asked(memory), "learned") < 0.6
    judged(memory, "not_helpful", text=TEXTS[1])
    assert -0.6 < part(asked(memory), "learned", TEXTS[1]) <= 0


def test_an_undone_judgement_takes_back_what_was_learned(memory: Treering) -> None:
    """As if it had never been given; and giving another one replaces it."""
    shown = memory.recall(QUERY, 8, silent=False)
    plain = picture(memory)
    (hit,) = [hit for hit in shown.hits if hit.memory.content == ANSWER]
    memory.feedback(shown.id, hit.memory.id, "helpful")
    assert part(asked(memory), "learned") > 0
    (event,) = [event for event in memory.store.events() if event.kind == "memory.judged.v1"]
    memory.undo(event.id)
    assert picture(memory) == plain
    memory.feedback(shown.id, hit.memory.id, "not_helpful")
    assert part(asked(memory), "learned") <= 0


def test_a_rebuilt_store_has_learned_the_same(memory: Treering) -> None:
    """From the ledger alone, in whatever portions it was learned."""
    judged(memory)
    asked(memory)
    judged(memory, "not_helpful", text=TEXTS[1])
    asked(memory)
    judged(memory, query=ALIKE)
    before, lessons = picture(memory), memory.store.index.lessons.taken()
    memory.ledger.rebuild()
    assert picture(memory) == before
    assert [lesson._replace(recall="") for lesson in memory.store.index.lessons.taken()] == [
        lesson._replace(recall="") for lesson in lessons
    ]


def test_nothing_is_left_of_what_was_learned_of_a_purged_memory(memory: Treering) -> None:
    """Neither a mark nor the lesson that had no other."""
    judged(memory)
    asked(memory)
    lessons = memory.store.index.lessons
    assert lessons.count() == 1
    memory.purge(next(one.id for one in memory.list() if one.content == ANSWER))
    assert lessons.count() == 0 and lessons.taken() == []


def test_each_mechanism_can_be_switched_off(memory: Treering) -> None:
    """Then recall is what it would be without it."""
    plain = told(asked(memory, switches=NOTHING_LEARNED))
    for _ in range(3):
        judged(memory)
    assert told(asked(memory, switches=NOTHING_LEARNED)) == plain
    silent = asked(memory, switches=Switches(terms=False, prior=False))
    assert part(silent, "learned") == part(silent, "prior") == 0.0
    assert part(asked(memory, switches=NOTHING_LEARNED._replace(terms=True)), "learned") > 0


def test_kinds_that_answer_come_first(memory: Treering) -> None:
    """Those of the user, if what the agent said was never of use: also such as were never judged."""
    rows = [("user", f"I keep a {pet} in the garden") for pet in ("dog", "cat", "hen", "goat", "duck", "pony", "frog")]
    rows += [
        ("agent", f"Here is what people say of a {pet} in a garden") for pet in ("dog", "cat", "hen", "goat", "duck")
    ]
    for origin, text in rows:
        memory.remember(text, origin=origin)
    for pet in ("dog", "cat", "hen", "goat"):
        shown = memory.recall(f"what about the {pet} in the garden", 8, silent=False)
        for hit in shown.hits:
            if pet in hit.memory.content:
                memory.feedback(shown.id, hit.memory.id, "helpful" if hit.memory.trust == "user" else "not_helpful")
    found = asked(memory, "what about the duck in the garden")
    mine, other = (part(found, "prior", text) for _, text in (rows[4], rows[-1]))
    assert mine > 0 > other


def test_memories_that_helped_together_bring_each_other_up(memory: Treering) -> None:
    """The one that a question does not name comes along with the other."""
    shown = memory.recall("parrot seeds and the train to the coast", 8, silent=False)
    for hit in shown.hits:
        if hit.memory.content in (TEXTS[5], TEXTS[6]):
            memory.feedback(shown.id, hit.memory.id, "helpful")
    with_it = asked(memory, "what does a parrot eat", NOTHING_LEARNED._replace(company=True))
    assert part(with_it, "company", TEXTS[6]) > 0
    assert part(asked(memory, "what does a parrot eat", NOTHING_LEARNED), "company", TEXTS[6]) == 0.0


def test_a_project_hears_nothing_of_memories_behind_its_walls() -> None:
    """Lessons name memories; those that cannot be seen stay unseen."""
    memory = memory_on(store_in_memory(), Clock())
    memory.remember(ANSWER, scope="project", project="home")
    memory.remember(TEXTS[1])
    shown = memory.recall(QUERY, 8, silent=False, project="home")
    memory.feedback(shown.id, next(hit.memory.id for hit in shown.hits if hit.memory.content == ANSWER), "helpful")
    assert ANSWER not in told(memory.recall(ALIKE, 8, silent=False, log=False, project="work"))
    assert ANSWER in told(memory.recall(ALIKE, 8, silent=False, log=False, project="home"))


def lesson(place: int, marks: list[Mark]) -> Lesson:
    return Lesson(f"r-{place}", "default", "", "what", b"", b"", tuple(marks))


def test_what_chance_has_proved_lifts_a_memory() -> None:
    """One that was there when things went well, and was not when they went badly; of a few recalls nothing is sure."""

    def told(place: int) -> Lesson:
        there = place % 2 == 0
        contested = Mark(7, 0.0, by_chance(0.5, withheld=not there))
        return lesson(place, [Mark(1, 1.0 if there else -1.0, 0), contested])

    assert Lessons([told(place) for place in range(40)], 0).lift(7) > 0.5
    assert Lessons([told(place) for place in range(40)], 0).lift(1) == 0.0
    assert Lessons([told(place) for place in range(3)], 0).lift(7) == 0.0
    assert factors(Memory("a-1", "x"), 0, Mix(), 0.5)["lift"] == pytest.approx(1 + 0.5 * Mix().lift)


def test_the_log_tells_where_chance_decided() -> None:
    """Of what was shown by chance and of what was not, a mark is kept; it says nothing for either."""
    memory = memory_on(store_in_memory(), Clock())
    memory.workspace.recalls = Recalls(memory.store, static(), Dice(5), swap=0.5)
    for text in TEXTS[:5]:
        memory.remember(text)
    shown = memory.recall("who has the flat", 2, silent=False)
    assert shown.cutoff is not None
    memory.feedback(shown.id, shown.hits[0].memory.id, "helpful")
    asked(memory)
    (kept,) = memory.store.index.lessons.taken()
    numbers = memory.store.index.named([shown.cutoff.shown, shown.cutoff.withheld])
    chances = {mark.number: (mark.weight, *chance(mark.kind)) for mark in kept.marks}
    assert chances[numbers[shown.cutoff.shown]] == (0.0, 0.5, True)
    assert chances[numbers[shown.cutoff.withheld]] == (0.0, 0.5, False)


def test_what_answered_the_very_question_breaks_the_silence(memory: Treering) -> None:
    """Somebody has said that it is answered; what was blamed for it keeps the silence."""
    odd = "who minds the heirlooms"
    memory.remember("Aunt Clara has the brooch and the clock")
    assert memory.recall(odd, 8, log=False).abstained
    shown = memory.recall(odd, 8, silent=False)
    memory.feedback(shown.id, shown.hits[0].memory.id, "helpful")
    assert told(memory.recall(odd, 8, log=False))[0] == shown.hits[0].memory.content
    assert memory.recall("who minds the shop", 8, log=False).abstained


def test_the_kind_of_a_memory_does_not_take_the_first_place_of_all_channels(memory: Treering) -> None:
    """However often other kinds were of use."""
    for number in range(6):
        memory.remember(f"To clean tank {number}, open valve {number} and wait", type="procedural")
    for number in range(6):
        for _ in range(3):
            shown = memory.recall(f"how do I clean tank {number}", 6, silent=False)
            for hit in shown.hits:
                good = hit.memory.type == "procedural" and f"tank {number}" in hit.memory.content
                memory.feedback(shown.id, hit.memory.id, "helpful" if good else "not_helpful")
    assert told(asked(memory, "what does a parrot eat"))[0] == TEXTS[5]
    assert part(asked(memory, "what does a parrot eat"), "prior", TEXTS[5]) >= 0
