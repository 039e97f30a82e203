"""Recall, from a folder on the disk to an answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import treering
from tests.recall.asking import explained, names, told
from tests.world import Hashed, memory_on, store_in_memory
from treering.ledger.clock import format_time
from treering.ledger.errors import InvalidInput
from treering.ledger.types import STRATEGIES, Memory
from treering.ledger.verify import verify
from treering.memory import Treering
from treering.recall.fence import find_fences, tokens

NOTES = (
    "The function get_user_name reads the cache", "Call parseHttpHeader before the body is read",
    "See src/api/orders.py for the handler of orders", "It failed with ERR_CONN_4711 at night",
    "The compiler says E0382 when a value was moved", "The lock timeout is five seconds",
    "A timeout of the old lock is rare", "The violin needs new strings", "Anna Bell waters the garden on Sundays",
    "Trains to Bremen run late on Mondays",
)  # fmt: skip


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Treering]:
    with treering.open(tmp_path / "home") as memory:
        yield memory


@pytest.fixture
def notes(memory: Treering) -> Treering:
    memory.remember_many({"content": text} for text in NOTES)
    return memory


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_finds_what_is_named(notes: Treering, strategy: str) -> None:
    """And says which one it was."""
    found = notes.recall("What does Anna Bell water", strategy=strategy)
    assert told(found)[0] == NOTES[8]
    assert found.strategy == strategy


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_reasons_of_a_hit_amount_to_its_score(notes: Treering, strategy: str) -> None:
    """The sum of the parts times the product of the factors, best first, with the ranks in each channel."""
    queries = ("lock timeout", "Anna Bell in the garden", "musical instruments", "get_user_name", "when do trains run")
    for query in queries:
        found = notes.recall(query, k=10, strategy=strategy, silent=False)
        scores = [hit.score for hit in found.hits]
        assert scores == sorted(scores, reverse=True)
        for hit in found.hits:
            assert explained(hit) == pytest.approx(hit.score)
            assert set(hit.why.channels) <= {"keyword", "vector", "graph"} & {*strategy.split("_"), *_of(strategy)}
            assert all(found.rank >= 1 and found.score > 0 for found in hit.why.channels.values())
        for channel in ("keyword", "vector"):
            ranks = [hit.why.channels[channel].rank for hit in found.hits if channel in hit.why.channels]
            assert not ranks or min(ranks) == 1


def _of(strategy: str) -> tuple[str, ...]:
    return ("keyword", "vector", "graph") if strategy == "hybrid" else ()


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("get_user_name", 0),
        ("get-user-name", 0),
        ("user name", 0),
        ("parseHttpHeader", 1),
        ("parse_http_header", 1),
        ("http header", 1),
        ("ParseHttpHeader", 1),
        ("src/api/orders.py", 2),
        ("orders.py", 2),
        ("api/orders", 2),
        ("ERR_CONN_4711", 3),
        ("4711", 3),
        ("e0382", 4),
        ("E0382", 4),
        ("getUserName", 0),
        ("GetUserName", 0),
        ("where is errConn handled", 3),
    ],
)
def test_names_in_code_are_found_whole_and_in_parts(notes: Treering, query: str, place: int) -> None:
    """Whichever way they are written."""
    assert told(notes.recall(query))[:1] == [NOTES[place]]


def test_what_is_quoted_is_found_as_it_stands(notes: Treering) -> None:
    """The words side by side come before the same words apart."""
    assert told(notes.recall('"lock timeout"'))[:2] == [NOTES[5], NOTES[6]]
    found = notes.recall('"lock timeout"', strategy="keyword")
    assert found.hits[0].score > found.hits[1].score


def test_meanings_find_what_no_word_does(notes: Treering) -> None:
    """It needs not be told to answer though it is unsure."""
    found = notes.recall("musical instrument")
    assert told(found)[0] == NOTES[7]
    assert set(found.hits[0].why.channels) == {"vector"}


def test_silence_says_why(memory: Treering) -> None:
    """Nothing here, nothing near, nothing sure enough."""
    assert "nothing has been remembered" in memory.recall("anything").silence
    memory.remember("The lock timeout is five seconds")
    memory.remember("The violin needs new strings")
    unsure = memory.recall("Where did Valentina hide the emerald")
    assert unsure.abstained and "well enough" in unsure.silence and unsure.confidence <= 0.6
    assert unsure.fence == ""
    nothing = memory.recall("emerald", strategy="keyword")
    assert nothing.abstained and nothing.silence
    sure = memory.recall("lock timeout")
    assert not sure.abstained and sure.silence == "" and sure.confidence > 0.6


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("strategy", ["hybrid", "keyword", "vector"])
def test_the_smallest_stores_answer(memory: Treering, count: int, strategy: str) -> None:
    """None, one or two memories: what is there is found, by any channel that can."""
    for text in NOTES[5:7][:count]:
        memory.remember(text)
    found = memory.recall("how long is the timeout of the lock", strategy=strategy, k=10)
    assert len(found.hits) >= min(count, 1)
    assert len(found.hits) <= count
    assert bool(found.silence) == found.abstained


def test_k_is_how_many_at_the_most(notes: Treering) -> None:
    """One, or more than there are."""
    assert len(notes.recall("lock timeout", k=1).hits) == 1
    every = notes.recall("lock timeout", k=10_000, silent=False)
    assert 2 <= len(every.hits) <= len(NOTES)
    assert len({*names(every)}) == len(every.hits)
    for k in (0, -1, 10_001):
        with pytest.raises(InvalidInput):
            notes.recall("lock", k=k)


HOSTILE = [
    "the of and", "is it not", "\U0001f99c lock \U0001f99c", "замок время ожидания", "锁 超时 时间", "قفل المهلة",
    "lock\x00timeout", "\x00lock\x00", "lock \ud800", "\udfff\ud800 timeout", 'lock" OR "', "lock* NEAR(timeout, 1)",
    "content:lock", "-lock", "lock AND", "{lock}", "^lock", "%lock_", "''; DROP TABLE memories", "a" * 100_000,
    "lock timeout " * 8_000, "é" * 5_000, "x\n" * 5_000, "1", "l" * 65, "ﬁle ﬂag", "İstanbul", "ßß",
]  # fmt: skip


@pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
def test_any_text_with_words_can_be_asked(notes: Treering, query: str) -> None:
    """Nothing in it is taken for anything but words, and the answer is sound."""
    for strategy in STRATEGIES:
        found = notes.recall(query, strategy=strategy, silent=False)
        assert bool(found.silence) == found.abstained
        assert len(find_fences(found.fence)) == (not found.abstained)
    assert len([*notes.list()]) == len(NOTES)


@pytest.mark.parametrize("query", ["", " ", "?!", "\U0001f99c", "\x00", "\ud800", "---"])
def test_a_text_without_words_is_refused(notes: Treering, query: str) -> None:
    """There is nothing to look for."""
    with pytest.raises(InvalidInput, match="nothing to look for"):
        notes.recall(query)


def test_a_query_of_stop_words_is_taken_at_its_word(memory: Treering) -> None:
    """What says just that is found, and other memories do not come up by words."""
    memory.remember("To be or not to be")
    memory.remember("The kettle whistles")
    assert told(memory.recall("to be or not to be", strategy="keyword")) == ["To be or not to be"]


def test_a_memory_as_long_as_can_be_is_found_and_cut(memory: Treering) -> None:
    """By a word at its very end; within a budget its beginning is shown, and where the rest is."""
    long = ("We talked about this and that for a while. " * 2_400)[:99_950] + " Then came the okapi."
    note = memory.remember(long)
    memory.remember("The kettle whistles")
    assert names(memory.recall("okapi"))[0] == note.id
    found = memory.recall("okapi", budget=300)
    assert names(found) == [note.id]
    assert tokens(found.fence) <= 300 and f"treering show {note.id}" in found.fence
    shown = found.hits[0].memory
    assert (shown.content, shown.accesses, shown.status) == (note.content, 1, "active")


@pytest.mark.parametrize("budget", [1, 60, 90, 120, 200, 400, 1_000])
def test_a_budget_is_never_exceeded(notes: Treering, budget: int) -> None:
    """And the hits are those in the fence, in their order."""
    found = notes.recall("the lock timeout of the orders in the garden", k=10, budget=budget, silent=False)
    assert tokens(found.fence) <= budget
    places = [found.fence.index(name) for name in names(found)]
    assert places == sorted(places)
    assert sum(text in found.fence for text in NOTES) == len(found.hits)
    assert bool(found.silence) == found.abstained == (found.fence == "")


def test_one_fence_with_a_nonce_of_its_own(notes: Treering) -> None:
    """The same recall again has another one."""
    fences = [notes.recall("lock timeout").fence for _ in range(3)]
    assert len({find_fences(fence)[0][0] for fence in fences}) == 3
    assert all(len(find_fences(fence)) == 1 for fence in fences)


def test_an_explanation_stands_in_the_fence_when_asked_for(notes: Treering) -> None:
    """The score, its parts and factors, and the channels; without it, none of that."""
    plain, told_why = (notes.recall("lock timeout", explain=explain, log=False).fence for explain in (False, True))
    assert "score" not in plain and "found by" not in plain
    assert "found by keyword 1st" in told_why and "strength \u00d7" in told_why


def test_a_time_in_the_query_moves_what_lies_in_it(memory: Treering) -> None:
    """Seen from now, or from when it was asked; outside of the time things are still found."""
    winter = memory.remember("We talked about the leaking roof", at="2025-12-24", type="episodic")
    summer = memory.remember("We talked about the leaking roof", at="2025-06-10", type="semantic")
    memory.remember("The kettle whistles", at="2025-12-25")

    def asked(query: str, at: str) -> list[str]:
        return names(memory.recall(query, at=at, log=False))

    assert asked("the leaking roof last week", "2026-01-01") == [winter.id, summer.id]
    assert asked("the leaking roof last week", "2025-06-17") == [summer.id, winter.id]
    assert asked("the leaking roof in June 2025", "2026-01-01") == [summer.id, winter.id]
    assert asked("the leaking roof in December", "2026-01-01") == [winter.id, summer.id]


def test_options_narrow_what_is_looked_at(memory: Treering) -> None:
    """By time, type and scope; each leaves out the rest on every channel."""
    old = memory.remember("The roof leaks in the attic", at="2024-01-10", type="episodic")
    mid = memory.remember("The roof leaks over the kitchen", at="2025-01-10T12:00:00Z", type="procedural", project="p")
    new = memory.remember("The roof leaks at the chimney", at="2026-01-10", scope="session", session="s", project="p")
    everything = {old.id, mid.id, new.id}

    def seen(**options: str) -> set[str]:
        found = [
            {*names(memory.recall("where does the roof leak", project="p", session="s", strategy=strategy, **options))}  # type: ignore[arg-type]
            for strategy in ("hybrid", "keyword")
        ]
        assert found[0] == found[1]
        return found[0]

    assert seen() == everything
    assert seen(since="2025-01-10") == {mid.id, new.id}
    assert seen(until="2025-01-10") == {old.id, mid.id}
    assert seen(since="2025-01-10", until="2025-01-10") == {mid.id}
    assert seen(type="procedural") == seen(type="Process") == {mid.id}
    assert seen(scope="session") == {new.id}
    assert seen(scope="user") == {old.id}
    assert seen(since="2027-01-01") == set()
    for wrong in ({"type": "riddle"}, {"scope": "world"}, {"since": "soon"}, {"strategy": "luck"}):
        with pytest.raises(InvalidInput):
            memory.recall("roof", **wrong)  # type: ignore[arg-type]


def test_an_option_finds_what_lies_far_down(memory: Treering) -> None:
    """What is narrowed to is searched, not what was found first."""
    memory.remember_many({"content": f"The roof leaks in room {number}"} for number in range(300))
    note = memory.remember("A roof is on top", type="procedural")
    for strategy in ("hybrid", "keyword", "vector"):
        assert names(memory.recall("roof leaks in a room", type="procedural", strategy=strategy, silent=False)) == [
            note.id
        ]


def test_the_past_is_recalled_as_it_was_known(tmp_path: Path) -> None:
    """With meanings too; what came later is not there, what went later is, and nothing is written."""
    with treering.open(tmp_path) as memory:
        gone = memory.remember("The violin needs new strings")
        memory.remember("Soup needs salt")
        moment = format_time([*memory.store.events()][-1].time)
        memory.remember("The cello was tuned")
        memory.forget(gone.id)
        memory.recall("cello")
        before = [*memory.store.events()]
        assert memory.recall("violin", strategy="keyword", log=False).abstained
    with treering.open(tmp_path, as_of=moment) as past:
        assert told(past.recall("violin strings"))[0] == "The violin needs new strings"
        meant = past.recall("a musical instrument", strategy="vector", silent=False)
        assert told(meant)[0] == "The violin needs new strings" and "vector" in meant.hits[0].why.channels
        assert past.recall("cello", strategy="keyword").abstained
        assert meant.id == "" and meant.hits[0].memory.accesses == 0
        assert past.maintenance.prepare() == 0
    with treering.open(tmp_path) as memory:
        assert [*memory.store.events()] == before


def test_near_duplicates_are_shown_once(memory: Treering) -> None:
    """Another case, other endings, other small words; a negation, a number or another type keeps two apart."""
    same = [memory.remember(text) for text in ("We deploy on Tuesdays", "we deploy on a Tuesday!", "Deploy: Tuesdays")]
    apart = [
        memory.remember("We never deploy on Tuesdays"),
        memory.remember("We do not deploy on Tuesdays"),
        memory.remember("We deploy 2 on Tuesdays"),
        memory.remember("We deploy 3 on Tuesdays"),
        memory.remember("We deploy on Tuesdays", type="procedural"),
    ]
    found = memory.recall("when do we deploy: Tuesday", k=20)
    kept = [hit for hit in found.hits if hit.why.same_as]
    assert len(kept) == 1
    assert {kept[0].memory.id, *kept[0].why.same_as} == {note.id for note in same}
    assert explained(kept[0]) == pytest.approx(kept[0].score)
    assert {*names(found)} == {kept[0].memory.id, *(note.id for note in apart)}


def test_a_long_text_of_two_occasions_is_shown_twice(memory: Treering) -> None:
    """A short one is a statement, whoever said it."""
    long = "On the way home we met the piano tuner again and " + "he told us the story of the broken string, " * 3
    for text in (long, "The piano is in tune"):
        memory.remember(text, session="monday")
        memory.remember(text, session="tuesday")
    found = memory.recall("the piano tuner and the broken string", k=10, silent=False)
    assert told(found).count(long.strip()) == 2
    assert told(found).count("The piano is in tune") <= 1


def test_what_has_every_word_of_the_query_is_not_dropped(memory: Treering) -> None:
    """However its letters are written, and however little it is like the others."""
    for text in ("We deploy on Tuesdays", "we deploy on a Tuesday!", "We never deploy on Tuesdays"):
        memory.remember(text)
    for number in (2, 3):
        memory.remember(f"We deploy {number} on Tuesdays")
    note = memory.remember("WE DEPLOY, Tuesday", type="procedural")
    assert note.id in names(memory.recall("when do we deploy: Tuesday", k=20))


def test_a_flood_from_outside_drowns_nobody(memory: Treering) -> None:
    """One document has a quarter of an answer at the most; an import is many voices."""
    memory.remember_many(
        {"content": f"The roof leaks, says page {number}", "origin": f"document:evil.md:{number}"}
        for number in range(1, 30)
    )
    memory.remember_many({"content": f"Neighbour {number} saw the roof leak", "origin": "user"} for number in range(9))
    found = memory.recall("the roof leaks", k=8)
    assert len(found.hits) == 8
    assert sum(hit.memory.trust == "external" for hit in found.hits) <= 2


@pytest.mark.parametrize("flood", ["page", "duplicate"])
def test_not_even_a_great_flood_drowns_anybody(memory: Treering, flood: str) -> None:
    """More texts of one document, or more of one and the same text, than a channel gives candidates."""
    memory.remember_many({"content": f"Neighbour {number} saw the roof leak", "origin": "user"} for number in range(9))
    if flood == "page":
        rows = [{"content": f"The roof leaks, says page {n}", "origin": f"document:a.md:{n}"} for n in range(1, 200)]
    else:
        rows = [{"content": "The roof leaks"}] * 200
    memory.remember_many(rows)
    assert len(memory.recall("the roof leaks", k=8).hits) == 8


def test_of_equals_the_nearer_and_the_more_trusted_come_first(memory: Treering) -> None:
    """Session, project, user; the user's word before a document's; an invariant before a passing one."""
    memory.remember("The roof leaks", type="semantic", scope="user")
    memory.remember("The roof leaks", type="episodic", scope="project", project="p")
    memory.remember("The roof leaks", type="working", scope="session", session="s")
    found = memory.recall("roof leaks", project="p", session="s")
    assert [hit.memory.scope for hit in found.hits] == ["session", "project", "user"]
    memory.remember("The cellar floods", type="semantic", origin="document:a.md")
    memory.remember("The cellar floods", type="episodic", origin="user")
    assert [hit.memory.trust for hit in memory.recall("cellar floods").hits] == ["user", "external"]
    memory.remember("The door jams", type="semantic", invariant=True)
    memory.remember("The door jams", type="episodic")
    assert [hit.memory.invariant for hit in memory.recall("door jams").hits] == [True, False]


def archive(memory: Treering, note: Memory) -> None:
    """No command does it yet: the record as an archiving would leave it."""
    store = memory.ledger.store
    store.write(lambda: store.save([(note, note._replace(status="archived"))]))


def test_what_is_archived_stands_below_what_lives(memory: Treering) -> None:
    """It is found all the same."""
    old = memory.remember("The roof leaks", type="episodic")
    live = memory.remember("The roof leaks", type="semantic")
    other = memory.remember("A roof has tiles and a roof leaks less with them")
    memory.recall("roof", log=False)
    archive(memory, old)
    found = memory.recall("roof leaks", log=False)
    assert names(found)[0] == live.id and set(names(found)) == {live.id, old.id, other.id}
    assert {hit.memory.id: hit.why.factors["status"] < 1 for hit in found.hits}[old.id]
    memory.forget(live.id)
    assert old.id in names(memory.recall("roof leaks", log=False))


def test_a_word_that_nobody_knew_is_found_as_soon_as_somebody_says_it(memory: Treering) -> None:
    """What was counted before holds no longer than it is true."""
    memory.remember_many({"content": f"Kettle number {number} is green"} for number in range(100))
    assert memory.recall("yellow submarine kettle", strategy="keyword", silent=False).hits
    note = memory.remember("The submarine dives")
    assert names(memory.recall("yellow submarine kettle", strategy="keyword", silent=False))[0] == note.id


def test_threads_recall_and_remember_at_once(tmp_path: Path) -> None:
    """On one open memory: every answer is sound, and nothing is lost."""
    with treering.open(tmp_path) as memory:
        memory.remember_many({"content": text} for text in NOTES)

        def remember(number: int) -> list[str]:
            note = memory.remember(f"Kettle number {number} whistles tune{number}")
            return [note.id] if note.id in names(memory.recall(f"tune{number}")) else []

        def recall(number: int) -> list[str]:
            return told(memory.recall("lock timeout", session=f"s{number}"))[:1]

        with ThreadPoolExecutor(4) as pool:
            made = [pool.submit(remember, number) for number in range(20)]
            asked = [pool.submit(recall, number) for number in range(20)]
            assert all(len(one.result()) == 1 for one in made)
            assert {one.result()[0] for one in asked} == {NOTES[5]}
        assert len([*memory.list()]) == len(NOTES) + 20
        memory.captured.receive()  # on a busy machine some logs had to wait
        assert memory.get("6").accesses == 20
        assert verify(memory.ledger.store).clean


TOGETHER = """
import sys, treering
with treering.open(sys.argv[1], session=sys.argv[2]) as memory:
    for number in range(12):
        word = f"tune{sys.argv[2]}x{number}"
        note = memory.remember(f"A kettle whistles {word}", scope="user")
        found = memory.recall(word)
        assert [hit.memory.id for hit in found.hits][:1] == [note.id], found
        assert memory.recall("lock timeout").hits[0].memory.content == "The lock timeout is five seconds"
"""


def test_processes_recall_and_remember_at_once(tmp_path: Path) -> None:
    """Each finds its own at once; a memory that both show is used once by each session."""
    with treering.open(tmp_path) as memory:
        memory.remember_many({"content": text} for text in NOTES)
    processes = [
        subprocess.Popen([sys.executable, "-c", TOGETHER, str(tmp_path), name], stderr=subprocess.PIPE)
        for name in ("a", "b")
    ]
    for process in processes:
        _, err = process.communicate(timeout=300)
        assert process.returncode == 0, err.decode()
    with treering.open(tmp_path) as memory:
        assert memory.get("6").accesses == 2
        assert sum(place.held for place in memory.store.index.places(memory.context)) == len(NOTES) + 24
        assert verify(memory.ledger.store).clean


class Switching(Hashed):
    """An embedder during whose work, once, something else happens."""

    def __init__(self) -> None:
        self.meanwhile: Callable[[], object] = lambda: None

    def embed(self, texts: object) -> object:  # type: ignore[override]
        made = super().embed(texts)  # type: ignore[arg-type]
        self.meanwhile, act = lambda: None, self.meanwhile
        act()
        return made


@pytest.mark.parametrize("act", ["forget", "purge", "undo"])
def test_what_goes_while_it_is_made_ready_is_not_found(act: str) -> None:
    """Between reading a text and keeping what was made of it."""
    store = store_in_memory()
    embedder = Switching()
    memory = memory_on(store, embedder=embedder)  # type: ignore[arg-type]
    note = memory.remember("The violin needs new strings")
    memory.remember("Soup needs salt")
    embedder.meanwhile = lambda: getattr(memory, act)(note.id)
    assert note.id not in names(memory.recall("violin strings", silent=False))
    assert store.index.pending(10) == []
    assert memory.recall("violin", strategy="keyword").abstained


@pytest.mark.parametrize("query", ["木曜日", "会議はいつですか", "杭州", "회의"])
def test_words_of_scripts_without_blanks_are_found(memory: Treering, query: str) -> None:
    """In Japanese, Chinese and Korean."""
    for text in (
        "会議は毎週木曜日の午後三時に行われます",
        "李娜住在杭州 负责仓库",
        "회의는 매주 목요일 오후에 열립니다",
    ):
        memory.remember(text)
    found = memory.recall(query, log=False).hits[0]
    assert found.why.channels["keyword"].rank == 1
