"""What evolution left in a ledger goes from store to store; and what nobody could have written stays outside."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import treering
from tests.surfaces.cli.driving import Cli, Program
from tests.surfaces.cli.growth import AGAIN, BETTER, DEPLOY, LONG_AGO, STEPS, events, wear
from tests.world import NOON, picture
from treering.ledger import events as kinds
from treering.ledger.codec import encode, stamp, to_line
from treering.ledger.events import Draft
from treering.ledger.verify import verify

GREW = {
    *(kinds.JUDGED, kinds.TURNED_OUT, kinds.MERGED, kinds.ABSORBED, kinds.MOVED, kinds.SUPERSEDED, kinds.SUCCEEDED),
    *(kinds.BEGAN, kinds.EVOLVED, kinds.PROPOSED, kinds.UNDONE),
}
WRITER = "zzzzzzzz"
MEMORY = f"{WRITER}-1"
RECALL = f"{WRITER}-3"
# Whatever was taken in, none of these may fail by a bug of ours.
CALLS = (
    *(("usage", MEMORY), ("evolve", "candidates"), ("evolve", "stats"), ("evolve", "list"), ("evolve", "show", "p1")),
    *(("evolve", "run", "--dry-run"), ("evolve", "try", "deprecate", MEMORY), ("evolve", "run"), ("evolve", "run")),
    *(("feedback", RECALL, MEMORY, "helpful"), ("outcome", RECALL, "success"), ("observe", RECALL, "--answer", "x")),
    *(("recall", "deploy the shop", "--unsure"), ("show", MEMORY), ("log",), ("history", MEMORY), ("restore", MEMORY)),
    *(("evolve", "analyze"), ("evolve", "log"), ("evolve", "review"), ("evolve", "reject", "p1"), ("evolve", "list")),
    *(("evolve", "accept", "p1", "--overwrite"), ("skills", "list"), ("skills", "search", "x")),
    *(("hygiene",), ("rings",), ("list",), ("verify",)),
)


def grown(home: Path) -> None:
    """Every kind of event that evolution writes, some of them taken back."""
    with treering.open(home, actor="user") as memory:
        first, second = memory.remember(DEPLOY, at="2026-01-01"), memory.remember("Look twice before you leap")
        twin = memory.remember(AGAIN)
        old = memory.remember("The kettle of the attic is green", at=LONG_AGO)
        steps = [memory.remember(step, type="procedural").id for step in STEPS]
        wear(memory, first, 5, until="2026-01-01", session="s1")
        memory.evolve.outcome("s1", "partial")
        last = wear(memory, second, 10, "not_helpful")
        memory.evolve.observe(last, answer="I looked twice before I leapt", reply="No, that is wrong")
        memory.feedback(last, second.id, "partially_helpful")
        memory.feedback(last, second.id, "not_helpful", note="it says nothing")
        memory.evolve.merge(first.id, twin.id, reason="the same")
        memory.undo(memory.evolve.refine(second.id, "Look at it twice before you leap", reason="clearer").id)
        memory.evolve.deprecate(second.id, reason="it fails")
        memory.restore(second.id)
        memory.evolve.refine(second.id, BETTER, reason="says what to do")
        memory.proposals.induce(steps, name="out-of-memory")
        memory.undo(memory.evolve.run().run)
        memory.evolve.archive(old.id)
        memory.evolve.run()
        assert {event.kind for event in memory.store.events()} >= GREW


def test_an_export_carries_all_of_it(cli: Cli, home: Path, tmp_path: Path) -> None:
    """Another store believes the same, twice is once, and both know the same of it."""
    grown(home)
    path, other = str(tmp_path / "all.jsonl"), tmp_path / "other"
    cli.fine("export", path)
    for _ in range(2):
        cli.fine("import", path, "--mine", "--home", str(other))
    with treering.open(home) as one, treering.open(other) as two:
        assert picture(one.store) == picture(two.store)
        assert one.store.left_out() == two.store.left_out()
        assert verify(two.ledger.store).problems == ()
        two.ledger.rebuild()
        assert picture(one.store) == picture(two.store)
    for words in (
        ("evolve", "stats"),
        ("evolve", "list"),
        ("usage", "1"),
        ("usage", "2"),
        ("list", "--status", "merged"),
    ):
        assert cli.fine(*words, "--json").json == cli.fine(*words, "--json", "--home", str(other)).json
    for status in ("merged", "superseded", "archived"):
        assert cli.fine("list", "--status", status, "--home", str(other), "--json").json


def test_two_machines_that_evolve_apart_agree_when_they_meet(cli: Cli, home: Path, tmp_path: Path) -> None:
    """Each retires what the other one retires otherwise; whoever hears of it last believes the same."""
    grown(home)
    path, other = str(tmp_path / "all.jsonl"), tmp_path / "other"
    cli.fine("export", path)
    cli.fine("import", path, "--mine", "--home", str(other))
    with treering.open(home, actor="user") as one, treering.open(other, actor="user") as two:
        (kept,) = [note for note in one.list() if note.merged]
        one.restore(kept.merged[0])
        two.forget(kept.id)
        two.restore(next(two.list(status="archived")).id)
        one.evolve.run()
        two.evolve.run()
        for memory, more in ((one, two), (two, one), (one, two)):
            memory.ledger.take_in(list(more.store.events()))
        assert picture(one.store) == picture(two.store)
        for memory in (one, two):
            assert verify(memory.ledger.store).problems == ()


def told(kind: str, data: dict[str, Any] | str, subject: str = "", *causes: str) -> Draft:
    payload = data if isinstance(data, str) else encode(data)
    return Draft(kind, payload, "agent", "default", "", "", subject, causes)


def export(path: Path, *drafts: Draft) -> str:
    """A ledger as a forger writes it: the chain fits, whatever it says."""
    chain, lines = b"", []
    made = {"type": "procedural", "scope": "user", "origin": "user"}
    texts = ({"content": "Deploy the shop", **made}, {"content": "Deploy the shop now", **made})
    for seq, draft in enumerate([*(told(kinds.REMEMBERED, text) for text in texts), *drafts], 1):
        event = stamp(draft, WRITER, seq, chain, NOON + seq, NOON + seq, b"salt")
        chain = event.chain
        lines.append(to_line(event))
    end = b'{"treering":1,"events":%d}' % len(lines)
    path.write_bytes(b"\n".join([b'{"treering":1}', *lines, end, b""]))
    return str(path)


def recalled(**more: Any) -> Draft:
    data = {"query": "deploy", "type": "general", "strategy": "hybrid", "k": 5, "confidence": 1.0, "took": 1}
    return told(kinds.RECALLED, {**data, "hits": [{"id": MEMORY, "rank": 1, "score": 1.0, "p": 1.0}], **more})


def judged(**more: Any) -> Draft:
    data = {"recall": RECALL, "verdict": "helpful", "by": "explicit", "reward": 1.0, "rate": 0.1}
    return told(kinds.JUDGED, {**data, **more}, MEMORY, MEMORY, RECALL)


def absorbed(**more: Any) -> Draft:
    data = {"merged": f"{WRITER}-2", "q": 0.5, "accesses": 1, "accessed": NOON}
    return told(kinds.ABSORBED, {**data, **more}, MEMORY)


def proposed(**more: Any) -> Draft:
    data = {"fingerprint": "p1", "kind": "skill-draft", "memories": [MEMORY]}
    return told(kinds.PROPOSED, {**data, **more})


def decided(kind: str, **more: Any) -> Draft:
    return told(kind, {"proposal": "p1", **more})


def missed(**more: Any) -> Draft:
    return recalled(hits=[], **more)


def rubbed(**more: Any) -> Draft:
    return told(kinds.RUBBED, {"mark": "m1", "kind": "retried", "count": 3, **more})


def moved(**more: Any) -> Draft:
    data = {"from": "created", "to": "archived", "rule": "archive"}
    return told(kinds.MOVED, {**data, **more}, MEMORY, RECALL)


NUMBERS = '{{"recall":"zzzzzzzz-3","verdict":"helpful","by":"explicit","reward":{},"rate":0.1}}'
BEGUN = told(kinds.BEGAN, {"trigger": "by_hand"})

REFUSED = {
    "a reward of 7": (recalled(), judged(reward=7.0)),
    "a reward below 0": (recalled(), judged(reward=-0.1)),
    "a reward that is whole": (recalled(), judged(reward=1)),
    "a reward that is a text": (recalled(), judged(reward="1.0")),
    "a reward that is no number": (recalled(), told(kinds.JUDGED, NUMBERS.format("NaN"), MEMORY)),
    "a reward without end": (recalled(), told(kinds.JUDGED, NUMBERS.format("1e999"), MEMORY)),
    "a reward that is nothing": (recalled(), told(kinds.JUDGED, NUMBERS.format("null"), MEMORY)),
    "a rate below 0": (recalled(), judged(rate=-1.0)),
    "a rate above 1": (recalled(), judged(rate=1.5)),
    "a verdict of two words": (recalled(), judged(verdict="very helpful")),
    "a verdict that is a list": (recalled(), judged(verdict=["helpful"])),
    "a judgement with more to it": (recalled(), judged(stars=5)),
    "a judgement without a recall": (recalled(), told(kinds.JUDGED, {"verdict": "helpful"}, MEMORY)),
    "an outcome of two words": (recalled(), told(kinds.TURNED_OUT, {"outcome": "well done"})),
    "a hit without a name": (recalled(hits=[{}]),),
    "a hit that is a text": (recalled(hits=[MEMORY]),),
    "a hit whose name is a number": (recalled(hits=[{"id": 5, "rank": 1, "score": 1.0, "p": 1.0}]),),
    "a hit whose rank is a text": (recalled(hits=[{"id": MEMORY, "rank": "1", "score": 1.0, "p": 1.0}]),),
    "a chance that is a text": (recalled(withheld=[{"id": MEMORY, "p": "0.5"}]),),
    "nothing withheld": (recalled(withheld=[{}]),),
    "a narrowing that is a text": (recalled(only="all"),),
    "a narrowing to no time": (recalled(only={"since": "x"}),),
    "a Q of 7": (absorbed(q=7.0),),
    "uses that are a text": (absorbed(accesses="many"),),
    "more uses than there can be": (absorbed(accesses=10**30),),
    "a use after the end of time": (absorbed(accessed=10**30),),
    "a merge into two words": (told(kinds.MERGED, {"into": "a b", "from": "created"}, MEMORY),),
    "a merge into nothing": (told(kinds.MERGED, {"from": "created"}, MEMORY),),
    "evidence that is no number": (moved(evidence={"q": [1]}),),
    "a rule that is two": (told(kinds.SUPERSEDED, {"by": f"{WRITER}-2", "rule": "x@y"}, MEMORY),),
    "a trigger of two words": (told(kinds.BEGAN, {"trigger": "full moon"}),),
    "actions that are no numbers": (BEGUN, told(kinds.EVOLVED, {"evaluated": 1, "actions": {"x": "y"}}, "", RECALL)),
    "a proposal about a text": (proposed(memories="all"),),
    "a proposal about numbers": (proposed(memories=[1]),),
    "a proposal without a kind": (told(kinds.PROPOSED, {"fingerprint": "p1", "memories": []}),),
    "a secret in a note": (recalled(), judged(note="token ghp_9fK2mQx7Lw3RtZ8vB1nC5hJ6pD4sY0aG2eUq")),
    "a control character in a reason": (moved(reason="\033[2J"),),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_nobody_could_have_written_is_refused(cli: Cli, tmp_path: Path, what: str) -> None:
    """With the line that it stands in; nothing of the file is taken in."""
    cli.remember("kept")
    before = events(cli)
    result = cli("import", export(tmp_path / "forged.jsonl", *REFUSED[what]))
    assert result.code == 1 and "bug" not in result.err, result.err
    assert f"line {3 + len(REFUSED[what])}: " in result.err and "nothing was changed" in result.err
    assert events(cli) == before


HARMLESS = {
    "a fair judgement": (recalled(), judged()),
    "a verdict that nobody knows": (recalled(), judged(verdict="lovely")),
    "a judge that nobody knows": (recalled(), judged(by="me")),
    "a recall that is not there": (recalled(), judged(recall="nobody-9")),
    "a judgement of nothing": (recalled(), told(kinds.JUDGED, NUMBERS.format("1.0"))),
    "an outcome that nobody knows": (recalled(), told(kinds.TURNED_OUT, {"outcome": "lovely"}, "", RECALL)),
    "a recall of fewer than none": (recalled(k=-5),),
    "a recall of all there is": (recalled(k=10**30),),
    "a strategy that nobody knows": (recalled(strategy="luck"),),
    "a query of nothing": (recalled(query=""),),
    "a query of signs": (recalled(query="?!"),),
    "a narrowing to nowhere": (recalled(only={"scope": "nowhere", "type": "riddle"}),),
    "a chance of nothing": (
        recalled(hits=[{"id": MEMORY, "rank": 1, "score": 1.0, "p": 0.0}], withheld=[{"id": f"{WRITER}-2", "p": 0.0}]),
        judged(),
    ),
    "a chance above 1": (
        recalled(hits=[{"id": MEMORY, "rank": 1, "score": 1.0, "p": 7.0}], withheld=[{"id": MEMORY, "p": -3.0}]),
        judged(),
    ),
    "uses that add up to too many": tuple(absorbed(merged=f"w-{n}", accesses=2**62) for n in range(3)),
    "a use before the beginning": (absorbed(accessed=-(10**18)),),
    "a merge into itself": (told(kinds.MERGED, {"into": MEMORY, "from": "created"}, MEMORY),),
    "a merge in a circle": (
        told(kinds.MERGED, {"into": f"{WRITER}-2", "from": "created"}, MEMORY),
        told(kinds.MERGED, {"into": MEMORY, "from": "created"}, f"{WRITER}-2"),
    ),
    "a merge into nobody": (told(kinds.MERGED, {"into": "nobody-1", "from": "created"}, MEMORY),),
    "a run that left something": (BEGUN, moved(rule="left")),
    "a run that raised something": (BEGUN, moved(to="active", rule="grown")),
    "a run that superseded something": (BEGUN, told(kinds.SUPERSEDED, {"by": f"{WRITER}-2"}, MEMORY, RECALL)),
    "a run of no trigger that we know": (told(kinds.BEGAN, {"trigger": "moon"}),),
    "a run that ended twice": (BEGUN, *[told(kinds.EVOLVED, {"evaluated": -5, "actions": {}}, "", RECALL)] * 2),
    "a resolution of nothing": (told(kinds.SETTLED, {"keep": "older"}),),
    "a proposal to do nothing": (proposed(kind="memory-action"),),
    "a proposal of a kind that nobody knows": (proposed(kind="other", memories=[]),),
    "a proposal about nobody": (proposed(memories=["nobody-1", "", "x y"]),),
    "a proposal with a header of its own": (proposed(name="a\nb: c\n---\nd"),),
    "a proposal with a path for a name": (proposed(name="../../etc"),),
    "an upgrade of nothing": (proposed(kind="skill-upgrade", memories=[]),),
    "an upgrade with numbers of its own": (proposed(kind="skill-upgrade", evidence={"count": "x", "sessions": [1]}),),
    "a proposal below nothing": (proposed(weight=-(10**30), before=-1),),
    "a draft of friction about nothing": (proposed(signal="asked", memories=[]),),
    "friction that nobody knows": (proposed(signal="bored", memories=[], tokens=["../x", "---", "\u202e"]),),
    "a routing about all and nothing": (proposed(kind="routing-addition", memories=[], tokens=["|", "`", "-->"]),),
    "an action that nobody knows": (proposed(kind="memory-action", action="shred", memories=[MEMORY]),),
    "a proposal that is worded wildly": (
        proposed(),
        decided(kinds.WORDED, name="../../x", description="d\n---\n", model="m", triggers=["- x\n# y"]),
    ),
    "a decision on nothing": (decided(kinds.ACCEPTED), decided(kinds.REJECTED)),
    "a proposal that was accepted elsewhere": (proposed(), decided(kinds.ACCEPTED, path="/etc/passwd", name="x")),
    "a rejection below nothing": (proposed(), decided(kinds.REJECTED, weight=-5), proposed(before=1, weight=-1)),
    "a promotion of nothing": (told(kinds.PROMOTED, {"name": "../x", "path": "/etc/passwd", "digest": "0"}),),
    "a skill that nobody has": (told(kinds.LOADED, {"name": "../x"}),),
    "a miss that is nothing": tuple(missed(query="", tokens=["", "a"]) for _ in range(3)),
    "misses of one endless word": tuple(missed(query=f"{n}", tokens=["x" * 10_000] * 2) for n in range(3)),
    "prompts of nothing": tuple(
        told(kinds.PROMPTED, {"mark": f"m{n}", "prompt": "", "tokens": ["a"]}) for n in range(4)
    ),
    "fewer tries than none": (rubbed(count=-(10**30)), rubbed(count=0, mark="m2"), rubbed(tool="`| -->", mark="m3")),
    "friction of a kind that nobody knows": (rubbed(kind="bored"), rubbed(kind="interrupted", mark="m2")),
    "a transcript before its beginning": (
        told(kinds.READ, {"file": "x.jsonl", "mark": "", "offset": -5, "carried": {"calls": 7}}),
    ),
    "a model that was asked for less than nothing": (
        told(
            kinds.ASKED,
            {"purpose": "words", "model": "", "outcome": "lost", "asked": -5, "answered": 10**18, "took": -1},
        ),
    ),
}


@pytest.mark.parametrize("what", HARMLESS)
def test_what_makes_no_sense_harms_nobody(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """It is refused like the others, or every command goes on as if it were not there."""
    root = tmp_path / "root"
    root.mkdir()
    monkeypatch.chdir(root)
    monkeypatch.setattr("sys.stdin", io.StringIO("s\n" * 9))
    result = cli("import", export(tmp_path / "odd.jsonl", *HARMLESS[what]))
    if result.code:
        assert "nothing was changed" in result.err
        return
    for words in CALLS:
        for more in ((), ("--json",)):
            answer = cli(*words, *more)
            assert "bug" not in answer.err, (words, answer.err)
    assert cli.fine("verify")
    for one in cli.fine("evolve", "list", "--json").json:
        header = one["proposal"]["diff"].removeprefix("---\n").partition("\n---\n")[0]
        keys = [row.partition(":")[0] for row in header.splitlines()]
        assert one["type"] != "skill-draft" or keys == ["name", "description", "metadata", "  origin"]


@pytest.mark.parametrize("names", [(f"{WRITER}-3",), (f"{WRITER}-4", f"{WRITER}-3")], ids=["itself", "each other"])
def test_an_undoing_that_names_itself_ends(program: Program, tmp_path: Path, names: tuple[str, ...]) -> None:
    """It is later than nothing that it names: both memories stand, and the command comes back."""
    path = export(tmp_path / "circle.jsonl", *(told(kinds.UNDONE, {"events": [name]}) for name in names))
    assert program("import", path).code == 0
    assert len(program("list", "--json").json) == 2
    assert program("verify").code == 0 and program("log").code == 0
