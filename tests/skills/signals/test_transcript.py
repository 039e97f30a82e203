"""A transcript is read once, in pieces of any size, whatever stands in it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.skills.signals.sessions import SESSION, Session, in_pieces, last, loops, mined, prompts
from treering.skills.signals.friction import START, Place, read
from treering.text.transcripts.lines import LONGEST

MOST_CARRIED = 4_096  # bytes of JSON: a place is kept in an event


def stuck(times: int) -> Session:
    session = Session()
    session.says("start the server")
    for _ in range(times):
        session.tries("Bash", "Exit code 1\nError: in use", command="npm run dev")
    return session


def test_a_second_reading_finds_only_what_is_new(tmp_path: Path) -> None:
    session = stuck(3)
    found = session.read(tmp_path)
    assert (len(found.signals), found.lines, found.skipped, found.session) == (2, 7, 0, SESSION)
    assert found.place.offset == len(session.data)
    again = mined(tmp_path, session.data, found.place)
    assert again == ([], found.place, SESSION, 0, 0)
    session.says("and now the tests")
    assert prompts(mined(tmp_path, session.data, found.place)) == ["and now the tests"]


def test_a_loop_that_has_grown_is_told_again_with_its_id(tmp_path: Path) -> None:
    session = stuck(3)
    found = session.read(tmp_path)
    ((first, count),) = loops(found)
    session.tries("Bash", "Exit code 1\nError: still in use", command="npm run dev")
    session.tries("Bash", "Exit code 1\nError: still in use", command="npm run dev")
    assert count == 3
    assert loops(mined(tmp_path, session.data, found.place)) == [(first, 5)]


def test_a_last_line_without_its_end_is_left_for_the_next_time(tmp_path: Path) -> None:
    session = Session()
    session.says("one wish")
    whole = len(session.data)
    session.says("another wish")
    found = mined(tmp_path, session.data[:-1])
    assert (prompts(found), found.place.offset) == (["one wish"], whole)
    assert prompts(mined(tmp_path, session.data, found.place)) == ["another wish"]


def test_bytes_before_the_place_are_not_read_again(tmp_path: Path) -> None:
    """Somebody has made them unreadable, behind the beginning by which the file is known."""
    session = stuck(40)
    found = session.read(tmp_path)
    session.says("go on with the rest")
    spoilt = session.data[:2_000] + b"#" * (found.place.offset - 2_001) + session.data[found.place.offset - 1 :]
    later = mined(tmp_path, spoilt, found.place)
    assert (prompts(later), later.skipped, later.lines) == (["go on with the rest"], 0, 1)


def test_a_file_that_was_cut_is_read_from_its_beginning(tmp_path: Path) -> None:
    session = stuck(10)
    found = session.read(tmp_path)
    session.lines = session.lines[:9]
    later = mined(tmp_path, session.data, found.place)
    assert (later.lines, later.place.offset, len(later.signals)) == (9, len(session.data), 2)


@pytest.mark.parametrize("change", ["shorter", "another"])
def test_a_file_that_is_no_longer_the_same_is_read_from_its_beginning(tmp_path: Path, change: str) -> None:
    found = stuck(3).read(tmp_path)
    other = Session()
    for count in range(1 if change == "shorter" else 30):
        other.says(f"other wish {count}", sessionId="another-session")
    later = mined(tmp_path, other.data, found.place)
    assert prompts(later)[0] == "other wish 0"
    assert (later.session, later.place.offset) == ("another-session", len(other.data))
    assert loops(later) == []


def test_a_file_that_was_empty_at_first_is_read_when_it_has_grown(tmp_path: Path) -> None:
    found = mined(tmp_path, b"")
    assert (found.signals, found.place.offset, found.session, found.lines) == ([], 0, "session", 0)
    assert len(mined(tmp_path, stuck(3).data, found.place).signals) == 2


def test_a_file_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        read(str(tmp_path / "missing.jsonl"))


GARBAGE = [
    b"",
    b"{",
    b"null",
    b"[]",
    b'"text"',
    b"\x00" * 100,
    b"\xff\xfe\xfa",
    b"[" * 100_000,
    b'{"type":"user","message":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    b'{"type":"user","message":{"content":' + b'{"a":' * 5_000 + b"1" + b"}" * 5_000 + b"}}",
    b'{"type":"user","message":null}',
    b'{"type":"user","message":{"content":7}}',
    b'{"type":["user"],"message":{"content":"x"}}',
    b'{"type":"user","message":{"content":[1,null,"a",{"type":"text","text":5},{"type":"tool_result"}]}}',
    b'{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":{},"is_error":true}]}}',
    b'{"type":"assistant","message":{"id":[],"content":[{"type":"tool_use","id":1,"name":2,"input":3}]}}',
    b'{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a b\\"c","name":"X","input":{}}]}}',
    b'{"type":"attachment","attachment":"x"}',
    b'{"type":"user","timestamp":1e400,"message":{"content":""}}',
    b'{"type":"user","origin":{"kind":[]},"message":{"content":"x"}}',
    b'{"sessionId":9,"timestamp":"0000-99-99"}',
    b'{"type":"user","isMeta":NaN,"message":{"content":""}}',
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_damaged_line_costs_nothing_but_itself(tmp_path: Path, garbage: bytes, end: bytes) -> None:
    session = stuck(3)
    whole = session.read(tmp_path)
    rows = session.data.splitlines()
    data = b"".join(row + end for row in [garbage, rows[0], garbage, *rows[1:4], garbage, *rows[4:], garbage])
    found = mined(tmp_path, data)
    assert found.signals == whole.signals
    assert found.skipped in (0, 4)
    assert found.place.offset == len(data)


def test_bytes_that_are_no_utf_8_and_halves_of_characters_are_replaced(tmp_path: Path) -> None:
    session = Session()
    session.says("caf\xe9 one")
    session.says("half \ud83d of two")
    data = session.data.replace(rb"caf\u00e9", b"caf\xe9")
    found = mined(tmp_path, data)
    assert prompts(found) == ["caf\ufffd one", "half ? of two"]
    assert found.skipped == 0


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    assert len(mined(tmp_path, b"\xef\xbb\xbf" + stuck(3).data).signals) == 2


def test_a_line_that_is_too_long_is_skipped(tmp_path: Path) -> None:
    session = Session()
    session.says("x" * LONGEST)
    session.says("short")
    found = session.read(tmp_path)
    assert (prompts(found), found.lines, found.skipped) == (["short"], 2, 1)
    torn = mined(tmp_path, session.data[: LONGEST + 10])
    assert (torn.signals, torn.place.offset, torn.lines) == ([], 0, 0)
    assert prompts(mined(tmp_path, session.data, torn.place)) == ["short"]


def test_nothing_that_stands_in_a_transcript_is_opened(tmp_path: Path) -> None:
    session = Session()
    fifo = tmp_path / "waits-for-ever"
    os.mkfifo(fifo)
    session.says(f"@{fifo} and `cat {fifo}`", transcript_path=str(fifo), cwd=str(fifo))
    session.tries("Bash", f"Exit code 1\nsee {fifo}", command=f"cat {fifo}")
    session.tries("Read", file_path=str(fifo))
    assert len(session.read(tmp_path).signals) == 1


TEXTS = st.sampled_from(["a", "b", "é" * 300, "\U0001f600" * 300, '"\\' * 200, "\x00\x07" * 200, "word " * 200])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("fail"), st.sampled_from(["Bash", "Edit", "Read", "mcp__db__run", "é" * 90]), TEXTS),
        st.tuples(st.just("work"), st.sampled_from(["Bash", "Read"]), TEXTS),
        st.tuples(st.just("refuse"), st.just("Edit"), TEXTS),
        st.tuples(st.just("leave"), st.sampled_from(["Bash", "Edit"]), TEXTS),
        st.tuples(st.just("say"), st.just(""), st.sampled_from(["again", "use the other port", "yes"])),
        st.tuples(st.just("stop"), st.just(""), st.sampled_from(["", " for tool use"])),
        st.tuples(st.just("repeat"), st.just(""), st.just("")),
        st.tuples(st.just("spoil"), st.just(""), st.just("")),
    ),
    max_size=40,
)


def written(steps: list[tuple[str, str, str]]) -> bytes:
    session = Session()
    for kind, tool, text in steps:
        given: dict[str, Any] = {"command" if tool == "Bash" else "file_path": text, "old_string": text}
        if kind in ("fail", "work"):
            session.tries(tool, "it failed" if kind == "fail" else "", **given)
        elif kind == "refuse":
            session.refuses(session.calls(tool, **given), text)
        elif kind == "leave":
            session.calls(tool, message=f"left-{len(session.lines) // 4}", **given)
        elif kind == "say":
            session.says(text)
        elif kind == "stop":
            session.says([{"type": "text", "text": f"[Request interrupted by user{text}]"}])
        elif kind == "repeat":
            session.lines += session.lines[-12:]
        else:
            session.lines.append('{"type":"user","mess')
    return session.data


@settings(max_examples=150, deadline=None)
@given(steps=STEPS, cuts=st.lists(st.integers(min_value=0), max_size=8))
def test_in_pieces_it_finds_what_it_finds_at_once(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, str]], cuts: list[int]
) -> None:
    data = written(steps)
    path = tmp_path_factory.mktemp("pieces") / "session.jsonl"
    path.write_bytes(data)
    whole = read(str(path))
    pieces = in_pieces(path, data, [cut % (len(data) + 1) for cut in cuts])
    assert last(pieces) == last(whole.signals)
    assert len(json.dumps(whole.place.carried, ensure_ascii=False).encode()) <= MOST_CARRIED


def test_line_by_line_it_finds_what_it_finds_at_once(tmp_path: Path) -> None:
    """Above all that a refusal and what is written behind it are one stop."""
    session = stuck(4)
    session.refuses(session.calls("Edit", file_path="a.py"), "not that file")
    session.says([{"type": "text", "text": "[Request interrupted by user for tool use]"}])
    session.answers(session.calls("Bash", command="pytest"), "aborted")
    session.says([{"type": "text", "text": "[Request interrupted by user for tool use]"}])
    data = session.data
    cuts = [at + 1 for at, byte in enumerate(data) if byte == ord("\n")]
    whole = session.read(tmp_path).signals
    assert last(in_pieces(tmp_path / "pieces.jsonl", data, cuts)) == last(whole)
    assert len(whole) == 4


def test_what_is_carried_stays_small_however_much_is_open(tmp_path: Path) -> None:
    session = Session()
    names = ["\U0001f600" * 500, '"\\' * 500, "mcp__" + "x" * 500]
    for count in range(300):
        text = names[count % 3] * 3
        session.tries(names[count % 3], "no", file_path=f"{count}{text}", command=text, old_string=text)
        session.calls(names[count % 3], file_path=f"{count}{text}", old_string=text)
    session.add("system", sessionId="\U0001f600" * 500)
    place = session.read(tmp_path).place
    assert 2_000 < len(json.dumps(place.carried, ensure_ascii=False).encode()) <= MOST_CARRIED
    assert Place(*json.loads(json.dumps(place))) == place


def test_reading_begins_at_the_start() -> None:
    assert Place(0, "", {}) == START
