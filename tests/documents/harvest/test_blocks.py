"""The lines of a document, put together into blocks."""

from __future__ import annotations

import pytest

from treering.documents.harvest.blocks import Block, read


def kinds(document: str) -> list[tuple[str, str, int]]:
    return [(block.kind, block.text, block.line) for block in read(document).blocks]


def test_headings_of_both_kinds_know_their_level_and_line() -> None:
    document = "Title\n=====\n\nPart\n---\n\n### Deep ###\n\n#not a heading\n"
    assert read(document).blocks == [
        Block("heading", "Title", 1, 1),
        Block("heading", "Part", 4, 2),
        Block("heading", "Deep", 7, 3),
        Block("paragraph", "#not a heading", 9),
    ]


def test_wrapped_lines_are_one_paragraph() -> None:
    assert kinds("one\n  two\nthree\n\nfour") == [("paragraph", "one\ntwo\nthree", 1), ("paragraph", "four", 5)]


@pytest.mark.parametrize("fence", ["```", "~~~", "`````"])
def test_fenced_code_is_no_text(fence: str) -> None:
    document = f"before\n{fence}sh\n# no heading\n- no item\n{fence}\nafter"
    assert kinds(document) == [
        ("paragraph", "before", 1),
        ("code", "# no heading\n- no item", 2),
        ("paragraph", "after", 6),
    ]


def test_a_fence_without_an_end_goes_to_the_end_of_the_document() -> None:
    assert kinds("```\n# no heading\n\ntext") == [("code", "# no heading\n\ntext", 1)]


def test_indented_code_is_no_text() -> None:
    assert kinds("text\n\n    code\n\tmore\n\ntext") == [
        ("paragraph", "text", 1),
        ("code", "code\nmore", 3),
        ("paragraph", "text", 6),
    ]


def test_an_indented_line_in_a_paragraph_is_text() -> None:
    assert kinds("text\n        goes on") == [("paragraph", "text\ngoes on", 1)]


def test_nested_items_know_their_depth_and_their_boxes() -> None:
    document = "- a\n  goes on\n  - b\n    1. c\n- [x] d\n- [ ] e\n\n  more of e\n"
    assert read(document).blocks == [
        Block("item", "a\ngoes on", 1, 1, "-"),
        Block("item", "b", 3, 2, "-"),
        Block("item", "c", 4, 3, "1."),
        Block("item", "d", 5, 1, "-", "x"),
        Block("item", "e", 6, 1, "-", "o"),
        Block("paragraph", "more of e", 8, 1),
    ]


def test_a_number_at_the_start_of_a_wrapped_line_begins_no_list() -> None:
    assert kinds("It was founded in\n1998. Nobody knew.") == [("paragraph", "It was founded in\n1998. Nobody knew.", 1)]


def test_a_table_begins_at_its_header() -> None:
    assert kinds("Text.\n| a | b |\n|---|:-:|\n| 1 | 2 |\nText.") == [
        ("paragraph", "Text.", 1),
        ("table", "| a | b |\n|---|:-:|\n| 1 | 2 |", 2),
        ("paragraph", "Text.", 5),
    ]


@pytest.mark.parametrize(
    "hidden",
    [
        "<!-- obey -->",
        "<!--\nobey\n\nobey\n-->",
        "- <!-- obey -->",
        "<div hidden>\n\nobey\n\n</div>",
        '<p style="display: none">obey</p>',
        "<script>\nobey\n\nobey\n</script>",
        "[//]: # (obey)",
        "[obey]: https://example.org 'obey'",
    ],
)
def test_what_nobody_sees_is_not_read(hidden: str) -> None:
    assert "obey" not in "".join(text for _, text, _ in kinds(f"before\n\n{hidden}\n\nafter"))
    assert kinds(f"before\n\n{hidden}\n\nafter")[-1] == ("paragraph", "after", 5 + hidden.count("\n"))


def test_text_behind_a_comment_is_seen() -> None:
    assert kinds("<!-- x --> text") == [("paragraph", "text", 1)]


def test_front_matter_is_read_and_not_told() -> None:
    document = read("---\ntitle: 'A title'\nStatus: draft\n---\ntext")
    assert (document.front, document.blocks) == (
        {"title": "A title", "status": "draft"},
        [Block("paragraph", "text", 5)],
    )


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert kinds("---\n\ntext") == [("paragraph", "text", 3)]


def test_windows_line_ends_a_byte_order_mark_and_tabs_change_nothing() -> None:
    plain = "# a\n\n- b\n    - c\n\ntext\ntext\n"
    assert read("\ufeff" + plain.replace("\n", "\r\n").replace("    ", "\t")) == read(plain)


def test_quotes_are_read_without_their_marks() -> None:
    assert kinds("> [!WARNING]\n> text\n> goes on\n\nafter") == [
        ("paragraph", "text\ngoes on", 2),
        ("paragraph", "after", 5),
    ]


def test_an_admonition_is_text_and_no_code() -> None:
    assert kinds('!!! note "Mind"\n    text\n\nafter') == [("paragraph", "text", 2), ("paragraph", "after", 4)]


def test_a_heading_in_html_is_a_heading() -> None:
    assert read('<h1 align="center">Name</h1>\n\n<p align="center">praise</p>\n').blocks == [
        Block("heading", "Name", 1, 1)
    ]


def test_definitions_of_links_and_footnotes_are_no_text() -> None:
    document = read("[A  Name]: https://x.org\n\n[^1]: A footnote.\n\ntext\n")
    assert (document.links, document.blocks) == (frozenset({"a name"}), [Block("paragraph", "text", 5)])


def test_a_table_knows_its_cells() -> None:
    [table] = read("> | a | b |\n> |---|---|\n> | `x \\| y` | 2 |\n").blocks
    assert table.rows == (("a", "b"), ("`x | y`", "2"))
