"""A million texts that are after breaking out of the fence, and every character there is: none gets out."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterable
from functools import reduce
from html.parser import HTMLParser
from multiprocessing import get_context
from random import Random
from typing import NamedTuple
from unicodedata import normalize

import pytest

from tests.recall.hostile import FIELDS, Attacker
from tests.recall.strict import UNSEEN, Read, read
from treering.ledger.types import Hit, Memory, Why
from treering.recall.fence import fence, find_fences, quote, tokens, unquote

TEXTS = 4_000
TEXTS_LONG = 1_000_000
STEP = 211  # of the code points in `make test`, beside all of the first 2,048, one in so many
CODE_POINTS = 0x110000
CHUNK = 2_000  # texts, or code points, that are one piece of work
BLOCK = 4_096  # code points in one text
PROCESSES = 2
NOW = 1_767_268_800_000_000
NONCE = "7f3a9c2e5b8d41a6"
BUDGETS = (150, 400, 2_001)  # from 0 up to one of these
WITH_BUDGET = 0.3  # of the fences
SHOWN_OF_A_NAME = 80
OTHERS = 4  # one fence of so many is given to other readers, which are slow
SAID = {
    "user": "said by the user",
    "agent": "noted by an agent",
    "tool": "from a tool",
    "document": "from a document",
    "import": "imported",
}


class Tally(NamedTuple):
    """What a piece of work found."""

    texts: int = 0  # contents of memories; the names and fields beside them are not counted
    fences: int = 0
    cut: int = 0  # texts that are not there whole
    escapes: tuple[str, ...] = ()

    def plus(self, other: Tally) -> Tally:
        escapes = (*self.escapes, *other.escapes)
        return Tally(self.texts + other.texts, self.fences + other.fences, self.cut + other.cut, escapes)


def test_no_text_breaks_out(capsys: pytest.CaptureFixture[str]) -> None:
    """4,000 hostile contents, with hostile names and fields beside many of them, in and without budgets."""
    _all(_fuzz, range(0, TEXTS, CHUNK), "texts", capsys)


@pytest.mark.long
def test_no_text_in_a_million_breaks_out(capsys: pytest.CaptureFixture[str]) -> None:
    """1,000,000 hostile contents."""
    texts = int(os.environ.get("TEXTS", TEXTS_LONG))
    assert _all(_fuzz, range(0, texts, CHUNK), "texts", capsys).texts >= texts


def test_no_character_breaks_out(capsys: pytest.CaptureFixture[str]) -> None:
    """Each of the common code points and a sample of the others, in every position."""
    _all(_sampled, range(0, CODE_POINTS, CODE_POINTS // 4), "characters", capsys)


def test_no_character_is_shown_that_cannot_be_seen_or_becomes_a_quote_or_a_tag() -> None:
    """All 1,114,112 code points, between two letters, as they are and normalised."""
    for first in range(0, CODE_POINTS, BLOCK):
        text = "a" + "a".join(map(chr, range(first, first + BLOCK))) + "a"
        quoted = quote(text)
        assert unquote(quoted) == text
        assert quoted.isprintable()
        assert UNSEEN.isdisjoint(quoted)
        for form in (quoted, normalize("NFD", quoted), normalize("NFKC", quoted), normalize("NFKD", quoted)):
            assert "<" not in form
            assert form.count('"') == quoted.count('"')
            assert form.count("\\") == quoted.count("\\")


@pytest.mark.long
def test_no_character_of_all_breaks_out(capsys: pytest.CaptureFixture[str]) -> None:
    """All 1,114,112 code points, in every position."""
    total = _all(_characters, range(0, CODE_POINTS, CHUNK), "characters", capsys)
    assert total.texts == CODE_POINTS


def _all(work: Callable[[int], Tally], pieces: Iterable[int], what: str, capsys: pytest.CaptureFixture[str]) -> Tally:
    began = time.monotonic()
    with get_context("spawn").Pool(PROCESSES) as pool:
        total = reduce(Tally.plus, pool.imap_unordered(work, pieces), Tally())
    with capsys.disabled():
        print(
            f"\nfuzz: {total.texts:,} {what} in {total.fences:,} fences, {total.cut:,} cut to fit a budget, "
            f"{len(total.escapes)} escapes, {time.monotonic() - began:.0f} s"
        )
    assert not total.escapes, "\n".join(total.escapes[:5])
    return total


def _fuzz(seed: int) -> Tally:
    dice, total = Random(seed), Tally()
    while total.texts < CHUNK:
        nonce = (
            f"{dice.getrandbits(64):016x}" if dice.random() < 0.9 else dice.choice(("", "treering", "0" * 8, "a>b\n"))
        )
        attacker = Attacker(dice.getrandbits(64), nonce)
        hits = [attacker.hit(NOW) for _ in range(dice.choice((1, 1, 2, 3, 8)))]
        budget = dice.randrange(dice.choice(BUDGETS)) if dice.random() < WITH_BUDGET else 0
        total = total.plus(_tried(hits, nonce, budget, explain=dice.random() < 0.3))
    return total


def _sampled(first: int) -> Tally:
    last = first + CODE_POINTS // 4
    return _tried_each([code for code in range(first, last) if code < 0x800 or code % STEP == 0])


def _characters(first: int) -> Tally:
    return _tried_each(range(first, min(first + CHUNK, CODE_POINTS)))


def _tried_each(codes: Iterable[int]) -> Tally:
    total = Tally()
    for code in codes:
        total = total.plus(_tried([_everywhere(chr(code))], NONCE, 0, explain=False))
    return total


def _everywhere(letter: str) -> Hit:
    """A character alone, before the closing quote, behind and before a backslash, in quotes, between tags, in names."""
    memory = Memory(
        "k7qm2xva-41",
        letter,
        problem=f"a{letter}",
        approach=f"\\{letter}",
        gotchas=f"{letter}\\",
        trigger=f'"{letter}"',
        action=f"<{letter}<",
        project=letter,
        tags=(letter, f"[{letter}]"),
        origin=f"tool:{letter}b",
        trust="external",
    )
    return Hit(memory, 1.0, Why({}, {}, {}))


def _tried(hits: list[Hit], nonce: str, budget: int, explain: bool) -> Tally:
    """Render and read back. An escape is whatever differs from what was put in."""
    try:
        cut = _check(hits, nonce, budget, explain)
    except Exception as error:  # noqa: BLE001  # each is a finding, and all of them are shown
        return Tally(len(hits), 1, 0, (f"{error!r} for {hits!r} {nonce!r} {budget} {explain}",))
    return Tally(len(hits), 1, cut)


def _check(hits: list[Hit], nonce: str, budget: int, explain: bool) -> int:
    text, shown = fence(hits, nonce, NOW, budget, explain)
    if budget:
        assert tokens(text) <= budget, "over the budget"
    if not text:
        assert not shown, "hits of which nothing is shown"
        assert budget, "nothing is shown"
        return 0
    places = [next(place for place, hit in enumerate(hits) if hit is one) for one in shown]
    assert places == sorted(set(places)), "not the order of the hits"
    assert budget or len(shown) == len(hits), "not all is shown"
    used, memories = read(text)
    inside = text.split("\n", 1)[1].rsplit("\n", 1)[0]
    assert find_fences(f"before {text} behind") == [(used, inside)], "found otherwise in a longer text"
    assert inside.count("\n") + 1 == sum(_lines(memory) for memory in memories), "another number of lines"
    for hit, memory in zip(shown, memories, strict=True):
        _compare(hit, memory, explain)
    if len(text) % OTHERS == 0:
        _check_other_readers(text, hits)
    return sum("cut" in memory.names for memory in memories)


def _lines(memory: Read) -> int:
    return 2 + len(memory.fields) + bool(memory.tags) + memory.explained + bool(memory.same_as)


def _compare(hit: Hit, read: Read, explain: bool) -> None:
    memory, why = hit.memory, hit.why
    cut = "cut" in read.names
    if read.cut:
        assert cut, "cut, and nobody says so"
        assert memory.content.startswith(read.content), "cut, and another text"
        assert not read.fields and not read.tags, "details of a text that is cut"
    else:
        assert read.content == memory.content, "another text"
    fields = {name: value for name in FIELDS[:6] if (value := getattr(memory, name))}
    if cut:
        assert read.fields.items() <= fields.items() and read.tags in ((), memory.tags), "other details"
    else:
        assert (read.fields, read.tags) == (fields, memory.tags), "other details"
    assert read.names == _names(hit, cut, read.names), "other names"
    assert read.explained == (1 + bool(why.channels) if explain else 0), "explained otherwise"
    assert read.same_as == (why.same_as if explain else ()), "other near-duplicates"


def _names(hit: Hit, cut: bool, read: dict[str, str]) -> dict[str, str]:
    """What the line of attribution should say; the age is taken as it was read."""
    memory = hit.memory
    kind, _, where = memory.origin.partition(":")
    expected = {
        "id": memory.id,
        "type": _shortened(memory.type),
        "said": SAID.get(kind, "from an unknown source"),
        "where": _shortened(where if kind in SAID else memory.origin),
        "outside": "" if memory.trust in ("user", "agent") else "from outside, unverified",
        "trust": _trust(memory.trust, kind),
        "age": read.get("age", "missing") if memory.created else "",
        "project": _shortened(memory.project),
        "session": _shortened(memory.session) if memory.scope == "session" else "",
        "older": hit.why.older_than,
        "cut": _cut_note(memory.id) if cut else "",
    }
    return {name: value for name, value in expected.items() if value or (name in ("id", "type") and name in read)}


def _trust(trust: str, kind: str) -> str:
    return trust if trust in ("user", "agent") and trust != kind else ""


def _cut_note(id: str) -> str:
    harmless = re.fullmatch(r"[\w./:@+][\w./:@+-]*", id, re.ASCII)
    return f"cut; treering show {id} has all of it" if harmless else "cut"


def _shortened(name: str) -> str:
    return name if len(name) <= SHOWN_OF_A_NAME else "…" + name[-SHOWN_OF_A_NAME:]


def _check_other_readers(text: str, hits: list[Hit]) -> None:
    """Readers that other people wrote see the same: JSON, HTML, and whoever normalises first."""
    for hit in hits:
        quoted = quote(hit.memory.content)
        assert unquote(quoted) == hit.memory.content, "not read back"
        if "\\U" not in quoted and not any("\ud800" <= letter <= "\udfff" for letter in hit.memory.content):
            assert json.loads(quoted) == hit.memory.content, "JSON reads another text"
    page = _Page()
    page.feed(text)
    page.close()
    assert page.tags == ["treering-recall", "/treering-recall"], "HTML finds other tags"
    forms = [normalize("NFC", text), normalize("NFD", text), normalize("NFKC", text), normalize("NFKD", text)]
    for form in forms:
        assert form.count("<") == 2 and form.count("\n") == text.count("\n"), "a tag when normalised"
        assert form.count('"') - form.count('\\"') == text.count('"') - text.count('\\"'), "a quote when normalised"


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(f"/{tag}")

    def handle_decl(self, decl: str) -> None:
        self.tags.append(decl)

    def handle_comment(self, data: str) -> None:
        self.tags.append(data)

    def handle_pi(self, data: str) -> None:
        self.tags.append(data)
