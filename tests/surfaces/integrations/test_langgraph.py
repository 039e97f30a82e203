"""LangGraph's store on ours, with the real package."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.store.base import GetOp, InvalidNamespaceError, ListNamespacesOp, MatchCondition, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

import treering
from treering import InvalidInput, Treering
from treering.surfaces.integrations.langgraph import TreeringStore

USER = ("users", "7")


@pytest.fixture
def store(memory: Treering) -> TreeringStore:
    return TreeringStore(memory)


def test_what_is_put_is_there_for_whoever_asks(store: TreeringStore, memory: Treering) -> None:
    """With its times, in this store and in another one over the same memory."""
    before = datetime.now(UTC)
    store.put(USER, "prefs", {"theme": "dark", "size": 12, "deep": {"list": [1, None, True]}})
    for one in (store, TreeringStore(memory)):
        item = one.get(USER, "prefs")
        assert item is not None and item.value == {"theme": "dark", "size": 12, "deep": {"list": [1, None, True]}}
        assert (item.namespace, item.key) == (USER, "prefs")
        assert before <= item.created_at == item.updated_at <= datetime.now(UTC)
    assert store.get(USER, "other") is None


def test_another_value_supersedes_and_history_stays(store: TreeringStore, memory: Treering) -> None:
    """It was created when the first one came; the ledger knows both."""
    store.put(USER, "name", {"text": "Ada"})
    first = store.get(USER, "name")
    store.put(USER, "name", {"text": "Grace"})
    second = store.get(USER, "name")
    assert first is not None and second is not None
    assert (second.value, second.created_at) == ({"text": "Grace"}, first.created_at)
    assert second.updated_at > first.updated_at
    told = {one.content: one for one in memory.list()}
    assert told["Ada"].superseded_by == told["Grace"].id


def test_what_is_deleted_is_forgotten_and_can_be_restored(store: TreeringStore, memory: Treering) -> None:
    """Deleting what is not there is fine."""
    store.put(USER, "a", {"text": "one"})
    store.delete(USER, "a")
    store.delete(USER, "never")
    assert store.get(USER, "a") is None and store.list_namespaces() == []
    (gone,) = memory.list(status="forgotten")
    memory.restore(gone.id)
    item = store.get(USER, "a")
    assert item is not None and item.value == {"text": "one"}


def test_a_search_is_a_recall_among_the_items(store: TreeringStore, memory: Treering) -> None:
    """Best first, with scores; not what lies elsewhere, and not what is not indexed."""
    memory.remember("The cat of the office is called Mog")
    store.put(USER, "pet", {"text": "The user has a cat called Tibbles"})
    store.put(USER, "tea", {"text": "The user drinks green tea in the morning", "n": 1})
    store.put(USER, "hidden", {"text": "The user's second cat is called Smudge"}, index=False)
    store.put(("users", "8"), "pet", {"text": "The user has a cat called Felix"})
    found = store.search(USER, query="what is the cat called")
    assert [item.key for item in found][:1] == ["pet"] and "hidden" not in {item.key for item in found}
    assert all(item.score is not None for item in found) and {item.namespace for item in found} == {USER}
    (tea,) = store.search(("users",), query="what does the user drink in the morning", filter={"n": 1})
    assert tea.key == "tea"
    assert len(store.search(("users",), query="cat", limit=1)) == 1
    assert {item.key for item in store.search(USER)} == {"pet", "tea", "hidden"}


def test_items_that_say_the_same_are_all_found(store: TreeringStore) -> None:
    """Recall shows one of them; a store has each under its key."""
    for key in "abc":
        store.put(USER, key, {"text": "Deploys happen on Tuesdays after the review"})
    assert {item.key for item in store.search(USER, query="when do deploys happen")} == set("abc")


def test_filters_compare(store: TreeringStore) -> None:
    """Equal, by operators, inside of objects; what is not there is neither more nor less."""
    for number in range(5):
        store.put(USER, str(number), {"n": number, "even": number % 2 == 0, "in": {"deep": number}})
    store.put(USER, "none", {"other": "x"})

    def keys(filter: dict[str, Any]) -> set[str]:
        return {item.key for item in store.search(USER, filter=filter)}

    assert keys({"even": True}) == {"0", "2", "4"}
    assert keys({"n": {"$gt": 1, "$lte": 3}}) == {"2", "3"}
    assert keys({"n": {"$ne": 0}, "even": True}) == {"2", "4"}
    assert keys({"in": {"deep": {"$eq": 3}}}) == {"3"}
    with pytest.raises(InvalidInput, match="unknown operator"):
        keys({"n": {"$near": 1}})


def test_pages_are_parts_of_the_whole(store: TreeringStore) -> None:
    """The newest first, none twice."""
    for number in range(25):
        store.put(USER, f"k{number}", {"n": number})
    pages = [store.search(USER, limit=10, offset=offset) for offset in (0, 10, 20, 30)]
    assert [len(page) for page in pages] == [10, 10, 5, 0]
    assert [item.value["n"] for page in pages for item in page] == [*reversed(range(25))]


def test_a_batch_reads_first_and_puts_all_or_nothing(store: TreeringStore) -> None:
    """Of two puts under one key the last holds; one that is refused takes the others with it."""
    got, _, _, listed = store.batch(
        [GetOp(USER, "a"), PutOp(USER, "a", {"n": 1}), PutOp(USER, "a", {"n": 2}), SearchOp(("users",))]
    )
    assert (got, listed) == (None, [])
    with pytest.raises(InvalidInput, match="JSON"):
        store.batch([PutOp(USER, "b", {"n": 1}), PutOp(USER, "c", {"n": {1, 2}})])
    assert [item.key for item in store.search(())] == ["a"]
    item = store.get(USER, "a")
    assert item is not None and item.value == {"n": 2}


def test_namespaces_that_nobody_may_use_are_refused(store: TreeringStore) -> None:
    """Also in a batch, which the package does not check by itself. A time to live is refused, not ignored."""
    for op in (PutOp(("a.b",), "k", {}), GetOp(("",), "k"), SearchOp(("a\x00",))):
        with pytest.raises(InvalidNamespaceError):
            store.batch([op])
    with pytest.raises(NotImplementedError, match="TTL is not supported"):
        store.put(USER, "k", {"n": 1}, ttl=5)
    with pytest.raises(NotImplementedError, match="time to live"):
        store.batch([PutOp(USER, "k", {"n": 1}, ttl=5)])
    assert store.search(()) == []


def test_secrets_are_not_stored(store: TreeringStore, memory: Treering) -> None:
    """In a value they are replaced; a name that is one is refused."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    store.put(USER, "a", {"text": f"the token is {token}", "n": 1})
    item = store.get(USER, "a")
    assert item is not None and token not in str(item.value) and "[redacted: " in item.value["text"]
    with pytest.raises(InvalidInput, match="never stored"):
        store.put(USER, token, {"n": 1})


def test_an_asynchronous_graph_may_use_it(store: TreeringStore) -> None:
    """Many at once, from one loop: threads do the work."""

    async def work() -> list[Any]:
        await asyncio.gather(*(store.aput(USER, f"k{number}", {"n": number}) for number in range(20)))
        return await store.asearch(USER, limit=100)

    assert {item.value["n"] for item in asyncio.run(work())} == set(range(20))


def test_two_processes_share_it(store: TreeringStore, tmp_path: Path) -> None:
    """Each sees what the other put, at once."""
    store.put(USER, "mine", {"n": 1})
    script = (
        "import sys, treering; from treering.surfaces.integrations.langgraph import TreeringStore\n"
        "with treering.open(sys.argv[1]) as memory:\n"
        "    store = TreeringStore(memory)\n"
        "    n = store.get(('users', '7'), 'mine').value['n']\n"
        "    store.put(('users', '7'), 'mine', {'n': n + 1}); store.put(('users', '7'), 'theirs', {'n': 9})\n"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "home")], check=True, timeout=300)
    assert {item.key: item.value["n"] for item in store.search(USER)} == {"mine": 2, "theirs": 9}


def test_what_a_transaction_takes_back_was_never_there(store: TreeringStore, memory: Treering) -> None:
    """The store keeps what it has read, but not what somebody's transaction has shown it."""

    def work() -> None:
        store.put(USER, "a", {"n": 1})
        assert store.get(USER, "a") is not None
        raise RuntimeError

    with pytest.raises(RuntimeError):
        memory.together(work)
    assert store.get(USER, "a") is None


def test_projects_are_walls(tmp_path: Path) -> None:
    """What is put in one project is not in another, nor outside of any."""
    with treering.open(tmp_path, project="shop") as shop, treering.open(tmp_path) as outside:
        TreeringStore(shop).put(USER, "a", {"n": 1})
        assert TreeringStore(outside).search(()) == []
        assert len(TreeringStore(shop).search(())) == 1


_LABELS = st.sampled_from(["a", "b", "ä b", "c/d", "%25"])
_NAMESPACES = st.lists(_LABELS, min_size=1, max_size=3).map(tuple)
_KEYS = st.sampled_from(["k", "K", " k", "k:1", "", "e\u0301", "\u00e9", "\u200b"])
_VALUES = st.dictionaries(
    st.sampled_from(["text", "n", "x y"]),
    st.one_of(
        st.integers(-5, 5), st.sampled_from(["", " ", "two\nlines\n", "tea"]), st.lists(st.booleans(), max_size=2)
    ),
    max_size=2,
)
_PATTERNS = st.lists(st.one_of(_LABELS, st.just("*")), max_size=2).map(tuple)
_CONDITIONS = st.one_of(
    _PATTERNS.map(lambda path: MatchCondition("prefix", path)),
    _PATTERNS.map(lambda path: MatchCondition("suffix", path)),
)
_OPS = st.one_of(
    st.tuples(_NAMESPACES, _KEYS, st.one_of(_VALUES, st.none())).map(lambda parts: PutOp(*parts)),
    st.tuples(_NAMESPACES, _KEYS).map(lambda parts: GetOp(*parts)),
    st.tuples(st.one_of(st.just(()), _NAMESPACES), st.one_of(st.none(), _VALUES)).map(
        lambda parts: SearchOp(*parts, limit=1000)
    ),
    st.tuples(st.lists(_CONDITIONS, max_size=2).map(tuple), st.one_of(st.none(), st.integers(1, 3))).map(
        lambda parts: ListNamespacesOp(*parts)
    ),
)


def _plain(result: Any) -> Any:
    """What counts of a result: neither times nor order."""
    if not isinstance(result, list):
        return None if result is None else (result.namespace, result.key, result.value)
    return sorted(((item.namespace, item.key, item.value) for item in result), key=repr)


def _listed(op: ListNamespacesOp, theirs: InMemoryStore) -> list[tuple[str, ...]]:
    """The namespaces that the other store has something in: it also lists those that are empty by now."""
    (found,) = theirs.batch([op._replace(max_depth=None, limit=1000)])
    assert isinstance(found, list)
    return sorted({one[: op.max_depth] for one in found if isinstance(one, tuple) and theirs._data[one]})


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(_OPS, min_size=1, max_size=4), min_size=1, max_size=10))
def test_any_operations_end_as_in_the_store_of_the_package(batches: list[list[Any]]) -> None:
    """Whatever is put, got, searched and listed, under whatever names."""
    with TemporaryDirectory() as folder, treering.open(folder) as memory:
        ours, theirs = TreeringStore(memory), InMemoryStore()
        for ops in batches:
            namespaces = [_listed(op, theirs) for op in ops if isinstance(op, ListNamespacesOp)]
            mine, other = ours.batch(ops), theirs.batch(ops)
            listed = [isinstance(op, ListNamespacesOp) for op in ops]
            assert [found for found, it in zip(mine, listed, strict=True) if it] == namespaces
            for found, expected, it in zip(mine, other, listed, strict=True):
                assert it or _plain(found) == _plain(expected)
        assert _plain(TreeringStore(memory).search((), limit=1000)) == _plain(theirs.search((), limit=1000))


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which the rest of Treering never asks for."""
    monkeypatch.setitem(sys.modules, "langgraph.store.base", None)
    monkeypatch.delitem(sys.modules, "treering.surfaces.integrations.langgraph")
    with pytest.raises(ImportError, match=r"pip install 'treering\[langgraph\]'"):
        __import__("treering.surfaces.integrations.langgraph")
