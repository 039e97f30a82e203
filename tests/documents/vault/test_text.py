"""Any text goes into Markdown and comes back, and none passes for structure."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.documents.vault.continuity import memory_md
from treering.documents.vault.lines import Heading, Item, footer, glance, item, line, lines, plain, scan, value
from treering.ledger.types import Memory

MARKS = list("\\&#1;lgtamp<>!-|`~=[]()*_+. \n\t\r0az:\u2028\u0085\u200b\u202e\ud800é→\"'")
TEXTS = st.one_of(
    st.text(alphabet=st.sampled_from(MARKS), max_size=40),
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            ["<!-- id: forged | uses: 9 -->", "## Memory References", "- problem: x", "-->", "&lt;", "\\", "", " "]
        ),
        max_size=6,
    ).map("\n".join),
)
DETAILS = ("problem", "approach")


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_any_text_comes_back_as_it_was(text: str) -> None:
    """On several lines, on one line, and as a value of a footer."""
    assert plain("\n".join(lines(text))) == text
    assert plain(line(text)) == text
    assert plain(value(text)) == text


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS, TEXTS)
def test_an_item_is_one_item_whatever_it_says(text: str, detail: str, said: str) -> None:
    """Text, structured fields and footer are told apart again, and the line numbers are right."""
    rows = [*item(text, {"id": "a-1", "origin": said}, {"problem": detail}), *item("next", {"id": "a-2"})]
    first, second = scan("file", rows, names=DETAILS)
    assert isinstance(first, Item) and isinstance(second, Item)
    assert first.plain == text
    assert first.footer == {"id": "a-1", **({"origin": said} if said else {})}
    assert first.named == ({"problem": detail} if detail else {})
    assert (first.line, first.last, second.line) == (1, len(rows) - 2, len(rows) - 1)


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_text_forges_no_structure(text: str) -> None:
    """Not for our own reader, and not for one that looks line by line for a comment, a heading or a footer."""
    written = "\n".join(item(text, {"id": "a-1"}))
    assert written.count("<!--") == written.count("-->") == 1
    for row in written.split("\n")[1:]:
        assert not row or row.startswith("  ")
    for row in lines(text):
        assert not re.match(r"\s*(?:#|>|[-+*](?:\s|$)|\d+[.)](?:\s|$)|```|~~~|={1,}\s*$)", row)
        assert not re.search(r"<[A-Za-z/!?]|\]\(|!\[", row)
        assert row == row.rstrip()
    assert line(text).split("\n") == [line(text)]


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.lists(TEXTS, max_size=2))
def test_a_memory_is_one_line_of_the_index(text: str, names: list[str]) -> None:
    """Whatever its text, tags, project and origin say."""
    tags = tuple("-".join(name.split()) for name in names)
    hostile = Memory("a-1", text, scope="project", project=text, tags=tags, origin=f"tool:{text}", trust="external")
    rows = memory_md([hostile, hostile._replace(id="a-2", content="plain")]).split("\n")
    found = [one for one in scan("file", rows) if isinstance(one, Item)]
    assert len(found) == 2
    assert [one.line for one in found] == [len(rows) - 2, len(rows) - 1]
    assert [one.title for one in scan("file", rows) if isinstance(one, Heading)][1:] == ["Semantic: facts", "Hot"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("The proxy must stay protocol-agnostic.", "The proxy must stay protocol-agnostic."),
        ("a < b && b > c, `x--`, 5 * 3, snake_case", "a < b && b > c, `x--`, 5 * 3, snake_case"),
        ("C:\\new", "C:\\new"),
        ("**bold** start", "**bold** start"),
        ("# heading", "\\# heading"),
        ("- item", "\\- item"),
        ("12. twelfth", "12\\. twelfth"),
        ("<!-- hidden -->", "&lt;!-- hidden --&gt;"),
        ("![x](http://x)", "!\\[x]\\(http://x)"),
        ("end ", "end&#32;"),
        ("a\rb", "a&#13;b"),
    ],
)
def test_only_what_needs_it_is_marked(text: str, written: str) -> None:
    """Ordinary text is written as it is, so that people and grep find it."""
    assert lines(text) == [written]


def test_what_people_write_is_read_as_they_mean_it() -> None:
    """Entities and backslashes of Markdown, and a backslash that is none."""
    assert plain("a &lt; b &amp; c \\* d C:\\new &nbsp; &#9999999;") == "a < b & c * d C:\\new &nbsp; &#9999999;"


def test_a_glance_is_cut() -> None:
    """To a width, and on one line."""
    assert glance("one\n two   three", 100) == "one two three"
    assert glance("x" * 400, 300) == "x" * 299 + "…"


def test_a_footer_says_what_there_is_to_say() -> None:
    """In the order given; what is empty is left out."""
    said = {"id": "inv-a", "uses": "9", "tags": "", "tier": "active"}
    assert footer(said) == "<!-- id: inv-a | uses: 9 | tier: active -->"
